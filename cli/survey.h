/// What a world holds, added up over the cells of its domain.
#ifndef GULLY_CLI_SURVEY_H
#define GULLY_CLI_SURVEY_H

#include "gully/sim.h"
#include "gully/world.h"

/// The number of cells in the domain.
GullyStatus survey_cells(const GullyWorld* world, int64_t* cells);

/// The volume of each material [m3], [GULLY_MAX_MATERIALS], of a world whose budget that is. The
/// bedrock has no bottom: its volume is that above height 0, and only the change of it says
/// anything. They add up to the budget's ground.
GullyStatus survey_materials(const GullyWorld* world, const GullyBudget* budget, double* volumes);

#endif
