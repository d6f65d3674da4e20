// SPDX-License-Identifier: MIT
/// Levels: a world stepped at another resolution than its own (docs/levels.md).
///
/// Each level in use is a world of its own, with a simulation of its own, whose steps stand for
/// several and whose cells for several. Meanwhile the cells of the outer world live there: whoever
/// leases a tile sees them at the finest level, with the relief that was remembered.
#ifndef LEVELS_H
#define LEVELS_H

#include "simulation.h"

/// Whether a simulation's settings are sound and known to all laws, as far as levels go.
GullyStatus levels_check(const GullySim* sim, const GullySettings* settings);

/// Whether a simulation steps with levels.
bool levels_wanted(const GullySim* sim);

/// Runs whole blocks, at least as many steps as are asked for.
GullyStatus levels_step(GullySim* sim, int64_t steps);

/// Brings the cells back to the finest level for good.
GullyStatus levels_leave(GullySim* sim);

/// The cells of the world count from now on, and the next step makes the levels of them.
void levels_restart(GullySim* sim);

/// Closes the levels, whatever they hold.
void levels_drop(GullySim* sim);

/// The levels of tiles are to be found anew.
void levels_forget_map(GullySim* sim);

/// Water that cells gave twice where levels meet, in metres of finest cells.
double sim_owed(const GullySim* sim);

/// Adds what the levels have counted to the accounts of a simulation.
GullyStatus levels_settle(GullySim* sim);

#endif
