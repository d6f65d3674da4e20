// SPDX-License-Identifier: MIT
#include "raster_ahead.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct RasterAhead {
    GullyRasterStream* stream;
    int end; // row after the last that the caller took
    // The band that is read ahead: rows `end` to `end + count - 1`. Without a thread there is none.
    pthread_t thread;
    bool running;
    int count;
    float* band;
    size_t room; // of the band [cells]
    GullyStatus status;
    char message[2048];
};

static void* read_ahead(void* argument) {
    RasterAhead* ahead = argument;
    ahead->status = gully_raster_rows(ahead->stream, ahead->end, ahead->count, ahead->band);
    if (ahead->status) snprintf(ahead->message, sizeof ahead->message, "%s", gully_message());
    return NULL;
}

static void start_ahead(RasterAhead* ahead, int count) {
    const GullyRaster* head = gully_raster_head(ahead->stream);
    ahead->count = head->height - ahead->end < count ? head->height - ahead->end : count;
    size_t cells = (size_t)ahead->count * (size_t)head->width;
    if (cells > ahead->room) {
        free(ahead->band);
        ahead->band = malloc(cells * sizeof *ahead->band);
        ahead->room = ahead->band ? cells : 0;
    }
    ahead->running =
        cells > 0 && ahead->band && pthread_create(&ahead->thread, NULL, read_ahead, ahead) == 0;
}

// Waits for the thread, if there is one. Whether there was.
static bool join(RasterAhead* ahead) {
    bool was_running = ahead->running;
    if (was_running) pthread_join(ahead->thread, NULL);
    ahead->running = false;
    return was_running;
}

GullyStatus raster_ahead_rows(RasterAhead* ahead, int y, int count, float* out) {
    size_t width = (size_t)gully_raster_head(ahead->stream)->width;
    bool goes_on = y == ahead->end;
    GullyStatus status;
    if (join(ahead) && goes_on && count == ahead->count) {
        status = ahead->status ? gully_fail(ahead->status, "%s", ahead->message) : GULLY_OK;
        if (!status) memcpy(out, ahead->band, (size_t)count * width * sizeof *out);
    } else {
        status = gully_raster_rows(ahead->stream, y, count, out);
    }
    ahead->end = y + count;
    if (!status && goes_on) start_ahead(ahead, count);
    return status;
}

GullyStatus raster_ahead_open(const char* path, const GullyReadDef* def, RasterAhead** out) {
    *out = calloc(1, sizeof **out);
    if (!*out) return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
    GullyStatus status = gully_raster_open(path, def, &(*out)->stream);
    if (!status) return GULLY_OK;
    free(*out);
    *out = NULL;
    return status;
}

void raster_ahead_close(RasterAhead* ahead) {
    if (!ahead) return;
    join(ahead);
    gully_raster_close(ahead->stream);
    free(ahead->band);
    free(ahead);
}

const GullyRaster* raster_ahead_head(const RasterAhead* ahead) {
    return gully_raster_head(ahead->stream);
}
