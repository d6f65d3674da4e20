// SPDX-License-Identifier: MIT
/// Measures what counts as much of something in a land.
#ifndef MEASURE_H
#define MEASURE_H

#include "drape.h"

/// False if there is no memory.
bool scale_measure(const Land* land, Scale* out);

#endif
