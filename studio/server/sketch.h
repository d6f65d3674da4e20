/// Small pictures of what generators make, before one of them becomes a landscape.
#ifndef STUDIO_SKETCH_H
#define STUDIO_SKETCH_H

#include "engine.h"

/// The parameters of all generators but the size, as rows.
json_t* sketch_rows(void);

/// Answers VERB_SKETCH, on the clerk's thread. The command is freed.
void sketch_terrain(void* context);

#endif
