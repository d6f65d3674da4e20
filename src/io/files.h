// SPDX-License-Identifier: MIT
/// Files that appear whole or not at all: written under a temporary name in their own folder, then
/// renamed. Every file that src/io writes goes through here.
#ifndef GULLY_FILES_H
#define GULLY_FILES_H

#include <stddef.h>

#include "gully/raster.h"

/// A file that is being written.
typedef struct GullyStagedFile {
    char* path;      ///< as the caller named it; for messages
    char* target;    ///< where it will be: `path`, or the file that the link at `path` leads to
    char* temporary; ///< where it is until then
} GullyStagedFile;

/// Makes the temporary file, empty, with the rights that umask leaves. The caller owns the
/// descriptor and ends with either `keep` or `drop`. Fails if `path` is there and is no plain file:
/// a rename would replace a device.
GullyStatus gully_staged_begin(const char* path, GullyStagedFile* staged, int* descriptor);

/// The file is whole: gives it its name, or leaves that to a set of outputs (NULL = none). Releases
/// `staged`.
GullyStatus gully_staged_keep(GullyStagedFile* staged, GullyOutputs* outputs);

/// Removes the temporary file and releases `staged`.
void gully_staged_drop(GullyStagedFile* staged);

/// Writes all bytes; returns 0 or an errno.
int gully_descriptor_write(int descriptor, const void* bytes, size_t size);

/// Brings a file to the disk; returns 0 or an errno. A disk may say only now that it is full.
int gully_descriptor_sync(int descriptor);

#endif
