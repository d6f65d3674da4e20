// SPDX-License-Identifier: MIT
#include "frames.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gully/raster.h"
#include "movie.h"
#include "pictures.h"

typedef struct Frame {
    Job job;
    Frames* frames;
    int64_t number;
    GullyScenery* scenery; ///< NULL when it is drawn
} Frame;

struct Frames {
    FrameRequest request;
    char* folder;
    Background* background;
    GullyScenery* first; ///< where the camera stands
    Frame* waiting;      ///< not known to be done
    int count, most;     ///< of them
    int64_t next;        ///< number after the last frame
};

/// FOLDER/000123.png; NULL with a message without memory. free() it.
static char* frame_path(const Frames* frames, int64_t number) {
    size_t size = strlen(frames->folder) + 32;
    char* path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%06lld.png", frames->folder, (long long)number);
    else
        gully_fail(GULLY_NO_MEMORY, "no memory for a frame");
    return path;
}

/// On a thread of the background.
static GullyStatus draw_frame(void* context) {
    Frame* frame = context;
    const Frames* frames = frame->frames;
    void* bytes = NULL;
    size_t size = 0;
    char* path = frame_path(frames, frame->number);
    if (!path) return GULLY_NO_MEMORY;
    GullyStatus status = gully_render_encode(frame->scenery, &frames->request.def, &bytes, &size);
    if (status == GULLY_OK) {
        status = gully_file_write(path, bytes, size);
        free(bytes);
    } else {
        status = gully_fail_in(status, "%s", path);
    }
    free(path);
    gully_scenery_destroy(frame->scenery);
    frame->scenery = NULL;
    return status;
}

int64_t frames_until(const Frames* frames, const GullySim* sim, int64_t steps) {
    if (!frames) return steps;
    int64_t left = frames->request.every - gully_sim_steps(sim) % frames->request.every;
    return left < steps ? left : steps;
}

bool frames_are_due(const Frames* frames, const GullySim* sim) {
    return frames && gully_sim_steps(sim) % frames->request.every == 0;
}

/// Lets the simulation wait when drawing does not keep up: memory has an end.
static GullyStatus make_room(Frames* frames) {
    if (frames->count < frames->most) return GULLY_OK;
    GullyStatus status = background_wait(frames->background);
    if (status == GULLY_OK) frames->count = 0;
    return status;
}

GullyStatus frames_take(Frames* frames, const GullySim* sim, const GullyWorld* world) {
    if (!frames_are_due(frames, sim)) return GULLY_OK;
    GullyStatus status = make_room(frames);
    if (status != GULLY_OK) return status;
    Frame* frame = &frames->waiting[frames->count];
    *frame = (Frame){.frames = frames, .number = gully_sim_steps(sim) / frames->request.every};
    status = gully_scenery_take(world, &frames->request.def, &frame->scenery);
    if (status == GULLY_OK && !frames->first)
        status = gully_scenery_take(world, &frames->request.def, &frames->first);
    frames->count++;
    if (status != GULLY_OK) return gully_fail_in(status, "frame %lld", (long long)frame->number);
    gully_scenery_match(frame->scenery, frames->first);
    frame->job = (Job){.run = draw_frame, .context = frame};
    background_add(frames->background, &frame->job);
    frames->next = frame->number + 1;
    return GULLY_OK;
}

static void remove_older(const Frames* frames) {
    for (int64_t number = frames->next;; number++) {
        char* path = frame_path(frames, number);
        bool removed = path && unlink(path) == 0;
        free(path);
        if (!removed) break;
    }
}

GullyStatus frames_finish(Frames* frames) {
    if (!frames) return GULLY_OK;
    remove_older(frames);
    if (!frames->request.movie) return GULLY_OK;
    return movie_write(frames->folder, frames->request.movie);
}

static GullyStatus open_folder(Frames* frames, const char* folder) {
    size_t size = strlen(folder) + 8;
    frames->folder = malloc(size);
    frames->waiting = calloc((size_t)frames->most, sizeof *frames->waiting);
    if (!frames->folder || !frames->waiting)
        return gully_fail(GULLY_NO_MEMORY, "no memory for the frames");
    snprintf(frames->folder, size, "%s/frames", folder);
    return gully_folder_make(frames->folder);
}

GullyStatus frames_create(const FrameRequest* request, const char* folder, const GullyWorld* world,
                          Background* background, int threads, Frames** out) {
    *out = NULL;
    if (!request || request->every <= 0) return GULLY_OK;
    Frames* frames = calloc(1, sizeof *frames);
    if (!frames) return gully_fail(GULLY_NO_MEMORY, "no memory for the frames");
    *out = frames;
    frames->request = *request;
    frames->request.def.threads = 1; // one frame is one job
    frames->background = background;
    frames->most = 2 * threads + 2;
    int width = gully_world_width(world), height = gully_world_height(world);
    double aspect = width * gully_world_cell_x(world) / (height * gully_world_cell_y(world));
    if (!request->sized && request->def.view == GULLY_VIEW_RELIEF)
        picture_relief_size(width, height, aspect, &frames->request.def);
    if (gully_world_material_count(world) > 0)
        frames->request.def.overlays |= GULLY_OVERLAY_MATERIALS;
    return open_folder(frames, folder);
}

void frames_destroy(Frames* frames) {
    if (!frames) return;
    for (int i = 0; frames->waiting && i < frames->count; i++)
        gully_scenery_destroy(frames->waiting[i].scenery);
    gully_scenery_destroy(frames->first);
    free(frames->waiting);
    free(frames->folder);
    free(frames);
}
