// SPDX-License-Identifier: MIT
/// What a run leaves in its folder: rasters, pictures, the report.
#ifndef GULLY_CLI_OUTPUTS_H
#define GULLY_CLI_OUTPUTS_H

#include <jansson.h>

#include "session.h"

/// Takes what a picture of the world shows now; it is drawn in the background and written with the
/// other outputs.
GullyStatus outputs_take_picture(Session* session, const char* file);

/// Writes everything: all files appear together or none does. The report is the caller's.
GullyStatus outputs_write(Session* session, json_t** report);

#endif
