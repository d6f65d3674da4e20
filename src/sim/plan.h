/// The plan of a sweep: in which order, how many rows apart and how far the passes of several steps
/// go over the rows. All of it follows from what the passes declare (law.h).
#ifndef PLAN_H
#define PLAN_H

#include "law.h"
#include "tiles.h"

/// Most steps in one sweep, beyond which wider halos cost more than less traffic with the memory
/// brings, and most passes in a step.
enum { MAX_BLOCK = 5, MAX_STEP_PASSES = 32 };

/// Rows that a step goes on before the next step follows.
enum { BAND = 4 };

/// One pass of a step. A pass without a law is the water supply.
typedef struct SweepPass {
    const Pass* pass;
    const Law* law;
    const int* slots; // where its fields are; those of its scratch fields are not looked at
    const void* consts;
} SweepPass;

/// Where a stage finds one of its fields: in the world, in a window or in a ring.
typedef struct Access {
    int id;
    int place;  // where it starts in a row of the world; else its first row among all such rows
    int rows;   // of the window or the ring, a power of two; one more holds the outside
    bool shown; // only the last step of a sweep writes it (Pass.output_only)
} Access;

/// A pass of one of the steps of a sweep.
typedef struct Stage {
    SweepPass what;
    int step;
    int lag;    // rows behind the front
    int before; // rows and columns beyond the share of a thread (shares.h) that later stages read
    int after;
    int halo;   // the columns of those, in whole vectors
    int fringe; // rows and vectors of columns around what is awake that later stages read
    Access fields[FIELD_IDS], windows[FIELD_IDS], rings[FIELD_IDS];
    int field_count, window_count, ring_count;
} Stage;

/// A few rows of a scratch field in one of the steps: from the first that is still read to the last
/// that is written.
typedef struct Ring {
    const Law* law;
    int id, step;
    int place, rows; // as in Access
    float outside;   // its value there
} Ring;

enum { MAX_RINGS = MAX_BLOCK * MAX_LAW_FIELDS };

typedef struct Plan {
    Stage* stages; // of all steps, in order
    int stages_per_step;
    int block;  // steps
    int reach;  // cells that something can get in a sweep, to any side
    int fringe; // the largest of a stage
    int halo;   // columns to fill before a sweep, in whole vectors
    Ring rings[MAX_RINGS];
    int ring_count;
    int ring_rows;        // of all
    int fill[MAX_FIELDS]; // slots whose halo must be filled before a sweep
    int fill_count;
    int windows[MAX_FIELDS]; // slots of narrow fields (tiles.h): what stages see of them is a
                             // window
    int window_count;        // of a few rows, as floats
    int window_rows;         // of each, as in Access
} Plan;

/// Whether a sweep can do a step of these passes at all: they must not reach further than a halo.
bool plan_fits(const SweepPass* passes, int count);

/// Makes a plan for passes that fit. The passes are copied, what they point to must stay.
GullyStatus plan_create(const SweepPass* passes, int count, Plan* out);
void plan_destroy(Plan* plan);

/// Looks where the fields are. To be called after a plan and whenever fields may have been added.
void plan_bind(Plan* plan, const GullyWorld* world);

/// How far the last of some stages is behind the front [rows].
int plan_deepest(const Plan* plan, int stages);

#endif
