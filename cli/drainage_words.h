// SPDX-License-Identifier: MIT
/// The measures of drainage as a person and as a program reads them.
#ifndef GULLY_CLI_DRAINAGE_WORDS_H
#define GULLY_CLI_DRAINAGE_WORDS_H

#include <jansson.h>

#include "gully/drainage.h"
#include "gully/raster.h"

/// Measures the terrain; says how far it has come if that takes long and stderr is a terminal.
GullyStatus drainage_of(const GullyRaster* raster, GullyDrainage* out);

/// A line for each measure, with the spread of real land beside it.
void drainage_print(const GullyDrainage* drainage);

/// A key for each measure; null if the terrain has none.
void drainage_add(json_t* object, const GullyDrainage* drainage);

#endif
