// SPDX-License-Identifier: MIT
/// An export before it is written: everything decided, nothing written.
#ifndef EXPORT_PLAN_H
#define EXPORT_PLAN_H

#include "formats.h"
#include "presets.h"

typedef struct ExportPlan {
    GullyOutputs* outputs; // set of files, or NULL
    const Format* format;
    const Preset* preset; ///< or NULL
    GullyRaster raster;   ///< as it will be written
    bool borrowed;        ///< it is the caller's own
    GullySidecar sidecar; ///< of all of it, without size and place
    size_t nodata;        ///< cells of the raster without a height,
    size_t filled;        ///< and those that were given one
    bool dry_run;         ///< nothing is written
} ExportPlan;

/// Decides the format of `path` (which may be a folder) by its name, the definition and the preset.
GullyStatus plan_format(const char* path, bool folder, const GullyExportDef* def, ExportPlan* plan);

/// Gives the terrain its size and the numbers their meaning. `plan` has its format.
GullyStatus plan_numbers(const char* path, const GullyRaster* raster, int width, int height,
                         const GullyExportDef* def, ExportPlan* plan);

/// The size that is asked for, of which one side may follow from the other; false if none is.
bool plan_size(const GullyRaster* raster, const GullyExportDef* def, const Preset* preset,
               int* width, int* height);

void plan_free(ExportPlan* plan);

/// The first extension of the format, as the preset has it.
void plan_extension(const ExportPlan* plan, char* buffer, size_t size);

/// Writes a part of the plan's raster, which may be all of it, and its sidecar.
GullyStatus plan_write(const ExportPlan* plan, const char* path, const GullyRaster* part);

#endif
