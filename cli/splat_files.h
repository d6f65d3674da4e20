// SPDX-License-Identifier: MIT
/// The splat maps of `gully maps`, and the file that says what their channels are.
#ifndef GULLY_CLI_SPLAT_FILES_H
#define GULLY_CLI_SPLAT_FILES_H

#include "atlas.h"
#include "gully/export.h"
#include "gully/mesh.h"

typedef struct SplatRequest {
    const char* folder;
    const char* by;             ///< "auto", "rules" or "materials"
    const char* rules;          ///< a file, or NULL = the built-in ones
    double blend;               ///< [m]
    bool grey;                  ///< a grey picture for each paint, instead of four paints in one
    const GullyExportDef* def;  ///< with the set that the files belong to
    const GullyTilesDef* tiles; ///< or NULL
} SplatRequest;

/// Writes a picture into a folder or, as tiles, into a folder of its name in it.
GullyStatus picture_export(const char* folder, const char* stem, const GullyTexture* texture,
                           const GullyExportDef* def, const GullyTilesDef* tiles);

/// Writes splat.png, splat-2.png if there are more than four paints, and splat.json. Calls `wrote`
/// with the name of each.
typedef void SplatWrote(void* context, const char* name);
GullyStatus splat_write(Atlas* atlas, const SplatRequest* request, SplatWrote* wrote,
                        void* context);

#endif
