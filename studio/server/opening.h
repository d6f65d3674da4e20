/// Sessions that begin: the first one, new ones, opened ones, and what crashed. If one cannot be
/// opened, the present one goes on.
#ifndef STUDIO_OPENING_H
#define STUDIO_OPENING_H

#include "engine.h"

/// The scene or raster that the user has named, who may name any, with what was set; without one
/// the demo, which plays.
GullyStatus opening_first(Engine* engine, const StudioDef* def);

GullyStatus opening_new(Engine* engine, const Message* message);
GullyStatus opening_open(Engine* engine, const Message* message);
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
