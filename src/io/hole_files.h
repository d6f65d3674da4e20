// SPDX-License-Identifier: MIT
/// Files in which GDAL writes zeros as holes: where the values will come from others, their places are
/// made without writing them.
#ifndef GULLY_HOLE_FILES_H
#define GULLY_HOLE_FILES_H

/// What to put before the path of a file, for GDAL. It must be there already.
const char* hole_files_prefix(void);

#endif
