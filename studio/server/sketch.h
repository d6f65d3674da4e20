// SPDX-License-Identifier: MIT
/// Small pictures of what generators make, before one of them becomes a landscape.
#ifndef STUDIO_SKETCH_H
#define STUDIO_SKETCH_H

#include "engine.h"
#include "gully/params.h"

/// A table of generators or their layers as rows, without the size.
json_t* sketch_rows(const GullyParamTable* table);

/// Answers VERB_SKETCH, on the clerk's thread. The command is freed.
void sketch_terrain(void* context);

#endif
