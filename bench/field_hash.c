// SPDX-License-Identifier: MIT
#include "field_hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t field_hash(const GullyWorld* world, GullyField field) {
    const int width = gully_world_width(world), height = gully_world_height(world);
    float* row = malloc(sizeof *row * (size_t)width);
    if (!row) {
        fprintf(stderr, "no memory for a row of %d cells\n", width);
        exit(1);
    }
    uint64_t hash = 0xcbf29ce484222325u;
    for (int y = 0; y < height; y++) {
        gully_world_read(world, field, (GullyRect){0, y, width, 1}, row);
        for (int x = 0; x < width; x++) {
            uint32_t bits;
            memcpy(&bits, &row[x], sizeof bits);
            hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
            hash ^= hash >> 29;
        }
    }
    free(row);
    return hash;
}
