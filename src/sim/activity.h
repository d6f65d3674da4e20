// SPDX-License-Identifier: MIT
/// The activity map: which parts of a world a run can skip without changing a bit.
///
/// The world is divided into patches of PATCH x PATCH cells. After a run a patch is active if some
/// law had work to do in it: a cell where a field of the law's `rest` set is not 0, or a cell that
/// the law has marked. Nothing travels further than the plan's reach in a run. So a patch sleeps
/// through the next run if no patch within that reach is active, and no law wakes it (Law.wakes).
#ifndef ACTIVITY_H
#define ACTIVITY_H

#include "plan.h"

enum { PATCH = MOVING_BLOCK };
_Static_assert((int)PATCH == (int)VECTOR, "the fringe of a pass counts patches and vectors alike");

/// Columns of a panel, in cells; none if from >= to.
typedef struct ActiveSpan {
    int from, to;
} ActiveSpan;

typedef struct Activity Activity;

GullyStatus activity_create(const GullyWorld* world, Activity** out);

/// The same with a single panel, as wide as the world: patches then form one grid.
GullyStatus activity_create_whole(const GullyWorld* world, Activity** out);
void activity_destroy(Activity* activity);

/// Makes every patch active; and none.
void activity_wake(Activity* activity);
void activity_clear(Activity* activity);

/// Makes the patches of some cells active; the cells may lie beyond the sides.
void activity_wake_cells(Activity* activity, CellRect cells);

/// Finds the active patches of a tile whose cells were written. Laws that do not say by their fields
/// where they rest may have work in all of them.
GullyStatus activity_look(Activity* activity, const Plan* plan, int tile);

/// Lets laws wake what some steps change by themselves; true if that is everything, on every rank.
bool activity_wake_laws(Activity* activity, const StepEntry* entries, int count, int steps,
                        StepConsts consts);

/// Finds the awake patches of a visit that reaches so many cells: of the rows that this rank keeps, and
/// as far beyond as anything looks.
void activity_spread(Activity* activity, int reach, int fringe);

/// Rows of patches beyond those of a rank whose activity it has to know.
int activity_margin(int reach, int fringe);

/// Both, for a visit of so many steps; and for a step of entries whose run reaches so many cells.
void activity_begin(Activity* activity, const Plan* plan, int steps, StepConsts consts);
void activity_begin_step(Activity* activity, const StepEntry* entries, int count, int reach,
                         int steps, StepConsts consts);

/// Whether every patch is awake in this run.
bool activity_is_all(const Activity* activity);

/// Rows and columns of patches, those of a row that are awake, and those that are active.
int activity_rows(const Activity* activity);
int activity_columns(const Activity* activity);
const uint8_t* activity_awake(const Activity* activity, int row);
uint8_t* activity_active(Activity* activity, int row);

/// The columns of a panel from the first to the last that is awake in rows first .. end-1.
ActiveSpan activity_span(const Activity* activity, int panel, int first, int end);

/// Where passes mark their work in row y of a panel, one byte per patch; NULL if everything is awake
/// anyway.
uint8_t* activity_marks(Activity* activity, int panel, int y);

/// Finds the active ones among the awake patches that row y belongs to, after a run has done all of
/// their rows.
void activity_end_rows(Activity* activity, const Plan* plan, int panel, int y);

#endif
