#include "raster_ahead.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct RasterAhead {
    char* path;
    pthread_t thread;
    bool running; // the thread, until it is joined; without one the raster is read when taken
    GullyRaster raster;
    GullyStatus status;
    char message[2048];
};

static void* read_ahead(void* argument) {
    RasterAhead* ahead = argument;
    ahead->status =
        gully_raster_read_as(ahead->path, &(GullyReadDef){.plain = true}, &ahead->raster);
    if (ahead->status) snprintf(ahead->message, sizeof ahead->message, "%s", gully_message());
    return NULL;
}

RasterAhead* raster_ahead_begin(const char* path) {
    RasterAhead* ahead = calloc(1, sizeof *ahead);
    if (!ahead) return NULL;
    ahead->path = strdup(path);
    if (!ahead->path) {
        free(ahead);
        return NULL;
    }
    ahead->running = pthread_create(&ahead->thread, NULL, read_ahead, ahead) == 0;
    return ahead;
}

GullyStatus raster_ahead_take(RasterAhead* ahead, GullyRaster* out) {
    if (ahead->running)
        pthread_join(ahead->thread, NULL);
    else
        read_ahead(ahead);
    ahead->running = false;
    *out = ahead->raster;
    ahead->raster = (GullyRaster){0};
    return ahead->status ? gully_fail(ahead->status, "%s", ahead->message) : GULLY_OK;
}

void raster_ahead_destroy(RasterAhead* ahead) {
    if (!ahead) return;
    if (ahead->running) pthread_join(ahead->thread, NULL);
    gully_raster_free(&ahead->raster);
    free(ahead->path);
    free(ahead);
}
