// SPDX-License-Identifier: MIT
/// Sessions that begin: the first one, new ones, opened ones, and what crashed. If one cannot be
/// opened, the present one goes on.
#ifndef STUDIO_OPENING_H
#define STUDIO_OPENING_H

#include "engine.h"

/// The scene or raster that the user has named, who may name any, with what was set; without one
/// the demo, which plays.
GullyStatus opening_first(Engine* engine, const StudioDef* def);

/// Cells along a side, and metres along a cell, of land whose size nobody has said.
enum { OPENING_SIDE = 1024, OPENING_CELL = 10 };

/// The terrain of a scene that a message wants made: a generator, or layers of several. Its files
/// are checked; NULL with a message. On any thread.
json_t* opening_terrain(Engine* engine, const Message* message);

/// Parses a scene that we have written ourselves, which it takes: messages name no line of it. `def`
/// has what is set in it, or is NULL.
GullyStatus opening_parse(json_t* scene, const char* name, const char* folder, const StudioDef* def,
                          GullyScene** out);

GullyStatus opening_new(Engine* engine, const Message* message);
GullyStatus opening_open(Engine* engine, const Message* message);

/// The present land in cells half as large.
GullyStatus opening_double(Engine* engine);
GullyStatus opening_recover(Engine* engine);

/// A scene that comes with the program.
typedef struct Example {
    const char* name;
    const char* text;
} Example;

/// By its place, NULL after the last.
const Example* example_at(int index);

/// NULL = there is none of that name.
const Example* example_find(const char* name);

#endif
