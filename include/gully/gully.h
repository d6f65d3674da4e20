// SPDX-License-Identifier: MIT
/// The engine: everything that needs nothing but the C library.
/// Rasters, scenes and pictures have headers of their own (raster.h, scene.h, picture.h, render.h).
#ifndef GULLY_GULLY_H
#define GULLY_GULLY_H

#include "gully/analysis.h"
#include "gully/device.h"
#include "gully/edit.h"
#include "gully/generate.h"
#include "gully/maps.h"
#include "gully/params.h"
#include "gully/sim.h"
#include "gully/state.h"
#include "gully/status.h"
#include "gully/world.h"

#endif
