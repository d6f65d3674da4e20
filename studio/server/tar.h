// SPDX-License-Identifier: MIT
/// Plain tar files (POSIX ustar), with regular files and nothing else.
#ifndef STUDIO_TAR_H
#define STUDIO_TAR_H

#include <stdbool.h>
#include <stdio.h>

#include "gully/status.h"

/// Appends a file under a name of up to 99 letters. `path` is where it lies.
GullyStatus tar_add(FILE* tar, const char* name, const char* path);
/// Appends the end.
GullyStatus tar_finish(FILE* tar, const char* path);

/// Where a file of a tar goes: the path to write, or false if it has no business there.
typedef bool (*TarPlace)(void* context, const char* name, char* path, size_t size);

/// Writes all files of a tar to where `place` says. Anything odd in it is an error that names it.
GullyStatus tar_extract(const char* path, TarPlace place, void* context);

#endif
