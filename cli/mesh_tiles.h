// SPDX-License-Identifier: MIT
/// A terrain as many meshes: tiles, each in levels of detail.
#ifndef GULLY_CLI_MESH_TILES_H
#define GULLY_CLI_MESH_TILES_H

#include "gully/mesh.h"

typedef struct MeshTilesRequest {
    const char *folder, *name;
    const char* format; ///< extension of the files
    int side;           ///< squares of a tile
    int levels;         ///< level k is within 2^k times the error
    GullyMeshDef def;   ///< of the finest
    const GullyMeshLook* look;
} MeshTilesRequest;

/// What came of it.
typedef struct MeshTilesMade {
    int columns, rows;
    int files;
    uint64_t triangles; ///< of the finest level
} MeshTilesMade;

/// Writes the tiles that cover something, and last meshes.json, which lists them (docs/meshes.md).
GullyStatus mesh_tiles_write(const GullyHeights* heights, const MeshTilesRequest* request,
                             MeshTilesMade* made);

#endif
