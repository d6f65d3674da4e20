// SPDX-License-Identifier: MIT
/// EXR files of any make, written by OpenEXR itself: what other programs would give us.
#ifndef EXR_FILE_H
#define EXR_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include <openexr.h>

enum { EXR_MOST_CHANNELS = 8 };

typedef struct ExrChannel {
    const char* name; ///< NULL ends the channels
    exr_pixel_type_t type;
    int sampling; ///< 2 = a number for every 2 x 2 cells; 0 and 1 = for every cell
} ExrChannel;

typedef struct ExrFile {
    int width, height;
    int min_x, min_y; ///< of the data window
    ExrChannel channels[EXR_MOST_CHANNELS + 1];
    exr_compression_t compression;
    exr_storage_t storage;        ///< deep files get a header and no more
    int tile;                     ///< cells of a tile's side
    exr_tile_level_mode_t levels; ///< one, or mipmaps
    exr_lineorder_t order;
    int parts;    ///< 0 and 1 = one; others repeat the first
    bool garbage; ///< chunks hold some bytes of no meaning
} ExrFile;

/// The number in a channel at a cell: whole, below 2048, so that every type holds it; other
/// channels have other numbers.
float exr_file_number(const ExrFile* file, int channel, int x, int y);

/// Makes it in memory; free() the bytes. NULL if OpenEXR cannot.
unsigned char* exr_file_make(const ExrFile* file, size_t* size);

#endif
