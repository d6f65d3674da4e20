// SPDX-License-Identifier: MIT
/// Pictures of a running simulation, numbered, for animations: DIR/frames/000000.png and so on.
///
/// A frame is taken between two steps and drawn and written in the background.
#ifndef GULLY_CLI_FRAMES_H
#define GULLY_CLI_FRAMES_H

#include "background.h"
#include "gully/render.h"
#include "gully/sim.h"

typedef struct FrameRequest {
    int64_t every; ///< steps from one to the next; 0 = no frames
    GullyRenderDef def;
    bool sized;        ///< whether the size was said; else that of a relief follows from the world
    const char* movie; ///< an MP4 of them, at the end; NULL = none
} FrameRequest;

typedef struct Frames Frames;

/// Makes the folder. `*out` is NULL if none are asked for.
GullyStatus frames_create(const FrameRequest* request, const char* folder, const GullyWorld* world,
                          Background* background, int threads, Frames** out);

/// After the background has ended. NULL is allowed.
void frames_destroy(Frames* frames);

/// How many of `steps` can be done until the next frame; all of them if `frames` is NULL.
int64_t frames_until(const Frames* frames, const GullySim* sim, int64_t steps);

/// Whether it is time for one. NULL is allowed.
bool frames_are_due(const Frames* frames, const GullySim* sim);

/// Takes a frame if it is time for one. NULL is allowed.
GullyStatus frames_take(Frames* frames, const GullySim* sim, const GullyWorld* world);

/// When all are written: removes what an earlier, longer run has left behind them, and makes the
/// movie. NULL is allowed.
GullyStatus frames_finish(Frames* frames);

#endif
