// SPDX-License-Identifier: MIT
/// Files for a page: rasters and meshes of the present world.
#ifndef STUDIO_EXPORTING_H
#define STUDIO_EXPORTING_H

#include "engine.h"

/// Copies what is to be written and has the clerk write and answer. Takes the command if all is
/// well.
GullyStatus exporting_begin(Engine* engine, Command* command);

#endif
