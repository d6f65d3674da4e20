// SPDX-License-Identifier: MIT
/// Wind on a reference's grid (MODELS.md E1-E7), after the water and before the talus of a step.
#ifndef REFERENCE_WIND_H
#define REFERENCE_WIND_H

#include "reference.h"

/// The hops of a step: those k = 0, 1, 2 ... with k/rate in it, its beginning included.
void reference_wind(Reference* ref);

#endif
