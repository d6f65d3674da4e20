// SPDX-License-Identifier: MIT
// Reading a world at a coarser level than its own.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gully/world.h"
#include "level_picture.h"

/// The means of `side` rows of `count` squares each.
static void means_of(const float* fine, int count, int side, float* out) {
    const size_t width = (size_t)count * (size_t)side;
    for (int x = 0; x < count; x++) {
        double sum = 0;
        for (int j = 0; j < side; j++) {
            for (int i = 0; i < side; i++)
                sum += (double)fine[(size_t)j * width + (size_t)(x * side + i)];
        }
        out[x] = (float)(sum / ((double)side * side)); // NaN if one of them is
    }
}

GullyStatus gully_world_read_level(const GullyWorld* world, GullyField field, int level,
                                   GullyRect rect, float* out) {
    if (level < 0 || level > MAX_LEVEL)
        return gully_fail(GULLY_BAD_INPUT, "level %d; allowed: 0 to %d", level, MAX_LEVEL);
    if (level == 0) return gully_world_read(world, field, rect, out);
    const int side = 1 << level, width = world->width / side, height = world->height / side;
    if (rect.x < 0 || rect.y < 0 || rect.width < 0 || rect.height < 0 ||
        rect.width > width - rect.x || rect.height > height - rect.y)
        return gully_fail(
            GULLY_BAD_INPUT,
            "the rectangle of %d x %d cells at (%d, %d) is not inside the world, which "
            "has %d x %d cells at level %d",
            rect.width, rect.height, rect.x, rect.y, width, height, level);
    const size_t cells = (size_t)rect.width * (size_t)side * (size_t)side;
    float* rows = malloc(cells * sizeof *rows + 1);
    if (!rows) return gully_fail(GULLY_NO_MEMORY, "no memory for a row of level %d", level);
    GullyStatus status = GULLY_OK;
    for (int y = 0; y < rect.height && !status; y++) {
        const GullyRect finer = {rect.x * side, (rect.y + y) * side, rect.width * side, side};
        status = gully_world_read(world, field, finer, rows);
        if (!status) means_of(rows, rect.width, side, out + (size_t)y * (size_t)rect.width);
    }
    free(rows);
    return status;
}

GullyStatus gully_world_set_levels(GullyWorld* world, int tiles_x, int tiles_y,
                                   const unsigned char* levels) {
    if (tiles_x < 1 || tiles_y < 1)
        return gully_fail(GULLY_BAD_INPUT, "%d x %d levels; allowed: at least one", tiles_x,
                          tiles_y);
    const size_t count = (size_t)tiles_x * (size_t)tiles_y;
    for (size_t i = 0; i < count; i++) {
        if (levels[i] > MAX_LEVEL)
            return gully_fail(GULLY_BAD_INPUT, "level %d of tile %zu; allowed: 0 to %d", levels[i],
                              i, MAX_LEVEL);
    }
    unsigned char* copy = malloc(count);
    if (!copy) return gully_fail(GULLY_NO_MEMORY, "no memory for %zu levels", count);
    memcpy(copy, levels, count);
    free(world->level_map);
    world->level_map = copy;
    world->level_tiles_x = tiles_x;
    world->level_tiles_y = tiles_y;
    return GULLY_OK;
}
