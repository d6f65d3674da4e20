// SPDX-License-Identifier: MIT
/// The scratch file: cells of tiles that memory has no room for.
///
/// Each field of each tile has its place in one sparse file without a name, which the system removes
/// when the program ends, however it ends. Rows that hold one value throughout, the field's default
/// or that of nodata, are noted and not written. Numbers are kept as the world stores them.
#ifndef SCRATCH_FILE_H
#define SCRATCH_FILE_H

#include "tiles.h"

/// What the file has of one field of a tile.
typedef struct KeptField {
    float fill;        // value of the rows that are not in the file
    size_t number;     // bytes of a number
    int row_count;     // rows in the file
    unsigned char* in; // a bit for each row: it is in the file
} KeptField;

typedef struct Scratch Scratch;

/// Prepares for the tiles of a world. `folder` is copied; the file is made when it is first needed.
GullyStatus scratch_create(const GullyWorld* world, const char* folder, Scratch** out);
void scratch_destroy(Scratch* scratch);

/// Writes a field of a tile. After a failure the file has nothing of it that could be read, until it
/// is written again.
GullyStatus scratch_write(Scratch* scratch, const GullyWorld* world, int tile, int slot);

/// Reads a field of a tile into its memory, which is all zeros there.
GullyStatus scratch_read(Scratch* scratch, const GullyWorld* world, int tile, int slot);

/// Rows of a field that reading it would touch: those that are not 0 throughout.
int scratch_rows(const Scratch* scratch, const GullyWorld* world, int tile, int slot);

/// Lets the system read a field of a tile ahead.
void scratch_read_ahead(const Scratch* scratch, const GullyWorld* world, int tile, int slot);

/// Bytes read and written so far.
int64_t scratch_bytes_read(const Scratch* scratch);
int64_t scratch_bytes_written(const Scratch* scratch);

#endif
