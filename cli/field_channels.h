// SPDX-License-Identifier: MIT
/// All fields of a run as channels of one EXR file, for `gully convert --fields`.
#ifndef GULLY_CLI_FIELD_CHANNELS_H
#define GULLY_CLI_FIELD_CHANNELS_H

#include "export_options.h"

/// Writes them and says so. Returns the exit code.
int fields_convert(const char* in, const char* to, const GullyReadDef* read,
                   const ExportOptions* options, const GullyExportDef* def);

#endif
