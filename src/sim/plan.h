// SPDX-License-Identifier: MIT
/// The schedule of a sweep: in which order, how many rows apart and how far the passes of several
/// steps go over the rows. All of it follows from what the passes declare (law.h).
#ifndef PLAN_H
#define PLAN_H

#include "stepper.h"

/// Most steps in one run: beyond it, wider borders cost more than the saved memory traffic brings.
/// Most entries in a step.
enum { MAX_RUN_STEPS = 5, MAX_ENTRIES = 32 };

/// Rows that a step advances before the next step follows.
enum { BATCH_ROWS = 4 };

/// Where a pass finds one of its fields: in the world, in a window or in a ring.
typedef struct FieldAccess {
    int id;
    int place; // world: where the field starts in a row; ring, window: its first row in the buffers
    int rows;  // of the ring or window, a power of two; one more holds the outside
    bool output_only; // only the last step of a run writes it (Pass.output_only)
} FieldAccess;

/// A pass of one of the steps of a run.
typedef struct ScheduledPass {
    StepEntry entry;
    int step;
    int lag;    // rows behind the front
    int before; // rows and columns beyond the block, to the north and west, that later passes read
    int after;  // the same to the south and east
    int strip;  // those columns, in whole vectors
    int fringe; // patches around the awake ones that later passes read
    FieldAccess fields[FIELD_IDS], windows[FIELD_IDS], rings[FIELD_IDS];
    int field_count, window_count, ring_count;
} ScheduledPass;

/// Rows of a scratch field in one of the steps: from the first that is still read to the last that
/// is written.
typedef struct Ring {
    const Law* law;
    int id, step;
    int place, rows; // as in FieldAccess
    float outside;   // its value there
} Ring;

typedef struct Plan {
    StepEntry* entries;    // of one step
    ScheduledPass* passes; // of all steps, in order
    int step_passes;       // of one step
    int steps;             // of a run
    int reach;             // cells that information travels in a run, to any side
    int fringe;            // the largest of a pass
    int strip;             // columns of the west and east borders, in whole vectors
    Ring* rings;
    int ring_count;
    int ring_rows;           // of all rings
    int border[MAX_FIELDS];  // slots whose borders must be filled before a run
    int border_count;        //
    int windows[MAX_FIELDS]; // slots of fields that passes see through a window
    int window_count;
    int window_limit; // most windows that any storage of these fields can ask for
    int window_rows;  // of each, as in FieldAccess
} Plan;

/// Cells that a step of these entries reaches to any side. By a pass that writes nothing (Law.edges) nothing
/// travels.
int plan_step_reach(const StepEntry* entries, int count);

/// For each entry, the patches around the awake ones in which it has to be computed too.
void plan_fringes(const StepEntry* entries, int count, int* fringes);

/// Whether a sweep can run a step of these entries at all: they must not reach beyond a strip.
bool plan_fits(const StepEntry* entries, int count);

/// Makes a plan for entries that fit, for runs of up to `most_steps` steps (0 = as many as is best). They
/// are copied; what they point to must stay.
GullyStatus plan_create(const StepEntry* entries, int count, int most_steps, Plan* out);
void plan_destroy(Plan* plan);

/// Scratch fields that an entry declares and does not touch with its constants (Law.unused).
FieldSet plan_unused_fields(const StepEntry* entry, const GullyWorld* world);

/// Looks up where the fields are stored. To be called whenever fields may have been added.
void plan_bind(Plan* plan, const GullyWorld* world);

/// Cells that information travels in so many steps, in whole runs.
int plan_visit_reach(const Plan* plan, int steps);

/// The largest lag of the first `passes` passes [rows].
int plan_deepest(const Plan* plan, int passes);

#endif
