// SPDX-License-Identifier: MIT
/// Writing a checkpoint together: every rank packs the pieces that begin in its rows and writes them to
/// their places in one file. The file is the one that a process alone would write.
#ifndef GULLY_CHECKPOINT_RANKS_H
#define GULLY_CHECKPOINT_RANKS_H

#include "checkpoint_inside.h"

/// To be called by all ranks; the simulation must not step meanwhile.
GullyStatus checkpoint_write_shared(const GullyCheckpoint* checkpoint, const char* path,
                                    int threads, bool (*stop)(void));

/// Whether a piece has cells that this rank keeps.
bool checkpoint_has_own(const GullyState* state, const GullyWorld* world, int64_t piece);

#endif
