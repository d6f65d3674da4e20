// SPDX-License-Identifier: MIT
// An EXR file that OpenEXR writes as the first bytes say: channels, types, compression, tiles,
// size. The bytes after them change bytes of the file: an offset (two) and what to flip. A file
// that is left whole must be read, and the numbers of an uncompressed one must be right.
#include <stdint.h>
#include <stdlib.h>

#include "exr_file.h"
#include "gully/export.h"

enum { CHANNELS, TYPES, COMPRESSION, STORAGE, TILE, WIDTH, HEIGHT, NAMES, RECIPE };

/// Names of channels, four sets of them; of each the first holds the heights.
static const char* const names[4][6] = {
    {"R", "G", "B", "A", "N.X", "N.Y.a"},
    {"Y", "RY", "BY", "A", "Z", "R"},
    {"terrain.height", "A", "B", "C", "D", "E"},
    {"z", "height", "R", "G", "B", "A"},
};

static ExrFile recipe(const uint8_t* bytes) {
    ExrFile file = {
        .width = 1 + bytes[WIDTH] % 80,
        .height = 1 + bytes[HEIGHT] % 80,
        .min_x = bytes[WIDTH] / 80 - 1,
        .min_y = bytes[HEIGHT] / 80 - 1,
        .compression = (exr_compression_t)(bytes[COMPRESSION] % (EXR_COMPRESSION_B44A + 1)),
        .storage = bytes[STORAGE] % 2 ? EXR_STORAGE_TILED : EXR_STORAGE_SCANLINE,
        .levels = bytes[STORAGE] / 2 % 2 ? EXR_TILE_MIPMAP_LEVELS : EXR_TILE_ONE_LEVEL,
        .tile = 4 << bytes[TILE] % 5,
    };
    for (int i = 0; i < 1 + bytes[CHANNELS] % 6; i++)
        file.channels[i] = (ExrChannel){
            names[bytes[NAMES] % 4][i],
            (exr_pixel_type_t)((bytes[TYPES] / (i % 2 ? 3 : 1)) % 3),
            1,
        };
    return file;
}

/// OpenEXR 3.1 refuses narrow chunks of B44, which take more bytes compressed than not.
static bool may_be_refused(const ExrFile* file) {
    return file->compression >= EXR_COMPRESSION_B44;
}

static void check_numbers(const ExrFile* file, const GullyRaster* raster) {
    if (raster->width != file->width || raster->height != file->height) abort();
    // Lossy; or compressed to just as many bytes as before, which OpenEXR 3.1 writes and then takes
    // for uncompressed.
    if (file->compression != EXR_COMPRESSION_NONE) return;
    for (int y = 0; y < file->height; y++)
        for (int x = 0; x < file->width; x++)
            if (raster->values[y * file->width + x] != exr_file_number(file, 0, x, y)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    if (size < RECIPE) return 0;
    ExrFile file = recipe(bytes);
    size_t length;
    unsigned char* made = exr_file_make(&file, &length);
    if (!made) abort();
    for (size_t i = RECIPE; i + 2 < size; i += 3)
        made[(size_t)(bytes[i] << 8 | bytes[i + 1]) % length] ^= bytes[i + 2];
    unsigned char* exact = malloc(length); // of this size, so that ASan sees its end
    if (!exact) abort();
    for (size_t i = 0; i < length; i++)
        exact[i] = made[i];
    GullyRaster raster = {0};
    GullyStatus status = gully_exr_decode("made.exr", exact, length, 0, &raster);
    bool whole = size < RECIPE + 3;
    if (whole && status && !may_be_refused(&file)) abort();
    if (whole && !status) check_numbers(&file, &raster);
    gully_raster_free(&raster);
    free(exact);
    free(made);
    return 0;
}
