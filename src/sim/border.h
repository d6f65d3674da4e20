// SPDX-License-Identifier: MIT
/// Borders: what a block sees of the cells that are not its own. This is the one place that knows
/// what lies beyond a side, and the only file that distinguishes the kinds of borders.
///
/// - West and east, a border is a strip: columns beside the tile's own, in the tile's rows. They are
///   copied from the neighbour panels before a run. A block computes in its strips, and no block
///   writes to a tile of another panel.
/// - North and south of a seam, a border is copies of the rows around the seam.
/// - At the sides of the world, rows and columns hold the fields' outside values.
#ifndef BORDER_H
#define BORDER_H

#include "band.h"
#include "blocks.h"

typedef struct Borders Borders;

GullyStatus borders_create(GullyWorld* world, Borders** out);
void borders_destroy(Borders* borders);

/// Follows changes of the world: its fields, their storage, its nodata cells.
GullyStatus borders_bind(Borders* borders);

/// Looks for nodata cells again when it is next bound: other ranks have told of some.
void borders_forget(Borders* borders);

/// Makes room for the rows around `seams` seams, `depth` rows on either side. Without memory for
/// them no panel can be divided; returns whether one can.
bool borders_reserve_seams(Borders* borders, size_t seams, int depth);

/// Before a run all borders of its blocks are filled, in this order: the strips of the band's rows, the
/// strips of the rows beyond its two sides, and the seams, which copy both.
void borders_fill_strips(Borders* borders, Pool* pool, Blocks* blocks, const Plan* plan,
                         const Activity* activity, const Band* band);
void borders_fill_beyond(Borders* borders, const Plan* plan, const Activity* activity, Side side);
void borders_fill_seams(Borders* borders, Pool* pool, Blocks* blocks, const Plan* plan,
                        const Activity* activity);

/// Sets the columns outside the world in the strips of a tile that has come into memory.
void borders_mark_tile(GullyWorld* world, int tile);

/// Fills some columns of a tile's strips for a field, in rows first .. end-1 of the tile.
void border_fill_strips(GullyWorld* world, int tile_index, int slot, int first, int end,
                        int columns);

/// Where row y of a block's panel begins, strip included: a row of the block, of its north or south
/// border, or beyond the side of the world.
float* border_row(const Borders* borders, const Block* block, int y);

/// Column 0 of a field in a tile's row, which may also be the row before its first or after its
/// last. For fields stored as floats.
const float* border_field_row(const Borders* borders, int tile_index, int slot, int row);

/// For each row of the world, whether cells of a panel see a nodata cell there, or the first or last
/// row of the world.
const bool* border_boundary_rows(const Borders* borders, int panel);

/// Sets the columns outside the world in a row of a panel that is kept elsewhere. `row` points to
/// column 0.
void border_mark_columns(const GullyWorld* world, int panel, float* row, float outside);

#endif
