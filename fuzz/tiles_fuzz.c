// SPDX-License-Identifier: MIT
// The index of a set of tiles. What is accepted must lie within the whole.
#include <stdint.h>
#include <stdlib.h>

#include "gully/export.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    GullyTileIndex index = {0};
    if (gully_tile_index_parse("tiles.json", (const char*)bytes, size, &index)) return 0;
    for (int i = 0; i < index.count; i++) {
        const GullyTile* tile = &index.tiles[i];
        bool inside = tile->x >= 0 && tile->y >= 0 && tile->width > 0 && tile->height > 0 &&
                      tile->width <= index.width - tile->x &&
                      tile->height <= index.height - tile->y;
        if (!inside || !tile->file) abort();
    }
    gully_tile_index_free(&index);
    return 0;
}
