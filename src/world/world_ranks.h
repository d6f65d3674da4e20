// SPDX-License-Identifier: MIT
/// A world that ranks share: who keeps what, and how one rank reads and writes what others keep.
#ifndef WORLD_RANKS_H
#define WORLD_RANKS_H

#include "tiles.h"

/// For the rank that leads: reads any cells, and lets the other ranks write theirs.
GullyStatus world_lead_read(const GullyWorld* world, GullyField field, GullyRect rect, float* out);
GullyStatus world_lead_write(const GullyWorld* world, GullyField field, GullyRect rect,
                             const float* in);

#endif
