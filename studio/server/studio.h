// SPDX-License-Identifier: MIT
/// The studio's server: a page in the browser shows a running simulation and steers it.
/// docs/protocol.md says how they talk.
#ifndef STUDIO_STUDIO_H
#define STUDIO_STUDIO_H

#include <stdbool.h>

#include "gully/sim.h"

typedef struct StudioDef {
    const char* input;       ///< a scene or a raster; NULL = the demo
    const char* const* sets; ///< KEY=VALUE that change the scene, as of `gully_scene_load`
    int set_count;
    const char* address;  ///< to listen at, IPv4; NULL = 127.0.0.1
    int port;             ///< 0 = the first free one from 8420 on
    int threads;          ///< of the simulation; 0 = one per processor
    bool in_turns;        ///< the caller runs it in turns, and has no thread to spare (a worker)
    GullyBackend backend; ///< what steps; pages may change it
    const char* device;   ///< part of its name, or NULL
    size_t memory;        ///< that the cells of a landscape may take [bytes]; 0 = as its scene says
    const char* scratch;  ///< folder that keeps what does not fit; NULL = .gully
    bool runs_unwatched;  ///< goes on while no page is looked at; pages may change it
    const char* page;   ///< folder of the page; NULL = beside the program, or where it is installed
    bool (*stop)(void); ///< asked all the time: says when it is to end
    void (*ready)(const char* address, void* context); ///< told the page's address
    void* context;
} StudioDef;

/// Serves until it is told to stop.
GullyStatus studio_run(const StudioDef* def);

#endif
