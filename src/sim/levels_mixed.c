// SPDX-License-Identifier: MIT
/// A block where levels meet. Every level has its own tiles and pictures of the cells beside them, and
/// steps those; then both sides of a border between levels agree on what crossed it.
#include "levels_inside.h"

/// What the definition says (levels_plain.c) comes out, bit for bit, since no step of a block reads
/// further than the pictures reach.
static GullyStatus run_block(Levels* levels) {
    GullyStatus status = levels_show_beside(levels);
    levels_clear_registers(levels);
    for (int q = 0; q <= levels->coarsest && !status; q++) {
        LevelGrid* grid = &levels->grids[q];
        if (grid->sim) status = gully_sim_step(grid->sim, level_block_steps(grid));
    }
    if (!status && levels->shadows) status = shadows_compare(levels);
    return status ? status : levels_settle_borders(levels);
}

GullyStatus levels_run_mixed(Levels* levels, int64_t blocks) {
    GullyStatus status = GULLY_OK;
    for (int64_t i = 0; i < blocks && !status; i++)
        status = run_block(levels);
    return status;
}
