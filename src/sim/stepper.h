// SPDX-License-Identifier: MIT
/// Steppers: ways to run the passes of a step over a world. All give the same bits, so a simulation
/// may change from one to another between any two steps.
///
///     StepList ──> Stepper ──┬─ plain   pass after pass over the whole world: the reference
///                            ├─ sweep   several steps in one walk through the cache: the fast one
///                            └─ device  kernels on a graphics card; the cells live there meanwhile
///
/// How a sweep covers a world of three panels on two workers: the panels are walked down in blocks,
/// and one panel is divided at a seam so that both workers have equally much to do.
///
///      panel 0     panel 1     panel 2          a block, and the four borders it reads from
///     ┌─────────┬───────────┬─────────┐                   north: outside, or
///     │ block 0 │  block 1  │ block 3 │                   rows beyond a seam
///     │         │           │         │               ┌┬───────────────────────┬┐
///     │         ├── seam ───┤         │         west: ││  walked down row by   ││ east:
///     │         │  block 2  │         │         strip ││  row, one batch of    ││ strip
///     └─────────┴───────────┴─────────┘               ││  rows after another   ││
///                                                     └┴───────────────────────┴┘
///                                                         south: as in the north
///
/// Glossary, for all steppers:
///
///     entry    one pass of a step, with its law and where that law's fields are (StepEntry)
///     run      the steps that a stepper computes together, 1 to Stepper.run_steps
///     panel    a column of tiles
///     block    rows of one panel that one worker walks down (blocks.h)
///     border   what lies beyond one side of a block: the outside, or cells of a neighbour as they
///              were before the run (border.h)
///     strip    the columns left and right of a tile's rows that hold its west and east borders
///     seam     the line between two blocks of one panel
///     front    the row that the first pass of a run has reached
///     lag      rows that a pass stays behind the front (plan.h)
///     batch    rows that a step advances before the next step of the run follows
///     reach    cells that information can travel in a run
///     ring     a few rows of a scratch field, reused as the front moves on (row_buffers.h)
///     window   a few rows of a field stored packed, as floats
///     patch    16 x 16 cells, the unit of activity (activity.h)
///     active   a patch in which some law has work to do
///     awake    a patch that an active one can reach during a run; all others are skipped
///     fringe   patches around the awake ones in which scratch fields are needed
#ifndef STEPPER_H
#define STEPPER_H

#include "law.h"
#include "pool.h"
#include "tiles.h"

/// One entry of a step.
typedef struct StepEntry {
    const Pass* pass;
    const Law* law;
    const int* slots;     // [FIELD_IDS]: slot of each field in the world, -1 = not stored there
    const Law* rows;      // whose rows file has the pass: another law's where `law` is rounded
    const void* known;    // constants to take known values from, NULL if each step has its own
    RowFunction* flushed; // where the processor cannot flush denormals (flush.h); else NULL
} StepEntry;

/// Constants of the entries, step by step: consts[step * entries + entry]. NULL: the entry has
/// nothing to do in that step.
typedef const void* const* StepConsts;

typedef struct StepperKind StepperKind;

/// What a stepper works on and with.
typedef struct StepperPlace {
    GullyWorld* world;
    Pool* pool;
    struct DeviceWorld* device; // the world's fields on a device; NULL = none
    int most_steps;             // of a run; 0 = as many as fit
} StepperPlace;

/// What every stepper's own struct begins with.
typedef struct Stepper {
    const StepperKind* kind;
    int run_steps; // most steps of one run; set by plan
} Stepper;

/// The interface: one constant of this type per stepper.
struct StepperKind {
    const char* name;
    bool keeps_scratch; // scratch fields live in the stepper, not in the world
    bool has_windows;   // fields of halves may be stored packed
    bool tells;         // run calls world_will_change for what it changes; else all of it may be

    /// Whether a step of these entries can be run at all.
    bool (*fits)(const StepEntry* entries, int count);
    GullyStatus (*open)(const StepperPlace* place, Stepper** out);
    /// Schedules a step of entries that fit, once for each stepper. They are copied; what they point
    /// to must stay. The slots are not read before bind.
    GullyStatus (*plan)(Stepper* stepper, const StepEntry* entries, int count);
    /// To be called before run if fields may have been added or cells written since the last run.
    GullyStatus (*bind)(Stepper* stepper);
    GullyStatus (*run)(Stepper* stepper, int steps, StepConsts consts);
    /// Wakes cells that somebody wrote who is no lease: where levels meet. NULL: nothing sleeps.
    void (*wake)(Stepper* stepper, CellRect cells);
    /// Waits for the steps that were run; NULL: they are done when run returns.
    GullyStatus (*finish)(Stepper* stepper);
    /// Adds what passes have counted since the last call, in metres times cells. The world's cells
    /// are in its tiles then.
    GullyStatus (*accounts)(Stepper* stepper, Exact sums[ACCOUNTS]);
    /// After a run that failed: adds what was counted up to the step that the world's tiles still
    /// stand at, and says how many steps ago that was. NULL: the cells are lost.
    int64_t (*abandon)(Stepper* stepper, Exact sums[ACCOUNTS]);
    void (*close)(Stepper* stepper);
};

extern const StepperKind plain_stepper, sweep_stepper, device_stepper;

/// Opens a stepper and plans a step with it.
GullyStatus stepper_open(const StepperKind* kind, const StepperPlace* place,
                         const StepEntry* entries, int count, Stepper** out);

/// Closes a stepper; NULL is allowed.
void stepper_close(Stepper* stepper);

#endif
