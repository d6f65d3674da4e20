// SPDX-License-Identifier: MIT
/// Where a brush may act: cells whose slope, height, flow, wear, hardness and material are within its limits.
#ifndef LIMITS_H
#define LIMITS_H

#include "edit_cells.h"
#include "gully/edit.h"

/// Whether a brush has any limits.
bool limits_there(const GullyBrush* brush);

/// Fills `allowed` with 1 or 0 for each cell of a rectangle, row by row, as the world is now.
GullyStatus limits_look(const GullyWorld* world, const GullyBrush* brush, GullyRect rect,
                        unsigned char* allowed);

#endif
