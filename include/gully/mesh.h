// SPDX-License-Identifier: MIT
/// Meshes of a terrain: triangles, in full or within an error, open or as a solid to print.
///
/// A vertex lies at the centre of a cell. A square between four cells that all have data is
/// covered, so nodata leaves holes. Coordinates are metres: x to the east, y to the north, z up,
/// with the middle of the raster at x = y = 0 and z = 0 at height 0.
#ifndef GULLY_MESH_H
#define GULLY_MESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gully/maps.h"
#include "gully/raster.h"
#include "gully/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct GullyMesh {
    uint32_t vertex_count, triangle_count;
    float* positions;    ///< x, y, z of each vertex [m]
    float* normals;      ///< x, y, z of each vertex, of length 1: those of the height field
    float* places;       ///< u, v in the raster, 0..1 from its first row
    uint32_t* triangles; ///< three vertices each, counter-clockwise seen from outside
} GullyMesh;

typedef struct GullyMeshDef {
    int made;     ///< GULLY_DEF_MADE: set by gully_mesh_default()
    double error; ///< [m] each cell's height is within that of the surface, before `scale`;
                  ///< < 0 = all cells are vertices
    double scale; ///< of heights; 1 = as they are
    double base;  ///< [m] > 0: a solid, whose flat bottom is that far below its lowest point
                  ///< (after `scale`), with walls around it and around its holes
    double skirt; ///< [m] > 0, without a base: walls that hang that far down from its outline, open
                  ///< below, which hide cracks beside a mesh of another error
    /// Cells that are covered; width 0 = all. Positions, normals and places stay those of the
    /// whole, so that parts which share a row or column of cells lie side by side.
    int x, y, width, height;
} GullyMeshDef;

/// All cells, as they are, open.
GULLY_API GullyMeshDef gully_mesh_default(void);

/// Makes a mesh. Fails if there is nothing to cover, or more than 2^32 vertices or triangles.
///
/// With an error bound it is a right-triangulated irregular network (Evans, Kirkpatrick, Townsend
/// 2001): squares are halved, and halved again, where a cell in them is further off than the error,
/// and where their neighbours ask for it, so that there are no cracks.
///
/// A solid is watertight: every edge belongs to two triangles. Where two parts of it would touch in
/// one corner only, they are moved apart there by a hundredth of a cell.
GULLY_API GullyStatus gully_mesh_create(const GullyHeights* heights, const GullyMeshDef* def,
                                        GullyMesh* out);
GULLY_API void gully_mesh_free(GullyMesh* mesh);

// ---- pictures -----------------------------------------------------------------------------------

/// A picture of 1 to 4 channels of 8 bits: grey, grey and alpha, RGB, RGBA.
typedef struct GullyTexture {
    int width, height, channels;
    unsigned char* pixels; ///< row by row, channels side by side
} GullyTexture;

/// Reads a picture in any format that GDAL reads, 8 bits a channel.
GULLY_API GullyStatus gully_texture_read(const char* path, GullyTexture* out);
GULLY_API void gully_texture_free(GullyTexture* texture);

/// Makes a PNG in memory; free(*bytes). Or writes one, whole or not at all.
GULLY_API GullyStatus gully_texture_encode(const GullyTexture* texture, void** bytes, size_t* size);
GULLY_API GullyStatus gully_texture_write(const char* path, const GullyTexture* texture);

/// The same into a set of files (gully/raster.h); NULL = the file appears at once.
GULLY_API GullyStatus gully_outputs_texture(GullyOutputs* outputs, const char* path,
                                            const GullyTexture* texture) GULLY_MUST_CHECK;

// ---- files --------------------------------------------------------------------------------------

typedef struct GullyMeshFormat {
    const char* name;    ///< also the extension of its files: "glb"
    const char* summary; ///< for a person
    bool colors;         ///< can have colours at its vertices
    bool texture;        ///< can have a texture
} GullyMeshFormat;

GULLY_API int gully_mesh_format_count(void);
GULLY_API const GullyMeshFormat* gully_mesh_format(int index);

/// Fails if the path's extension is that of no format; the message lists them.
GULLY_API GullyStatus gully_mesh_format_check(const char* path);

typedef struct GullyMeshLook {
    const GullyTexture* picture; ///< over the whole raster; NULL = none
    bool as_texture;             ///< else as colours at the vertices, the nearest pixel's
} GullyMeshLook;

/// Writes a mesh in the format of the path's extension. Whole or not at all. glTF and OBJ have y up
/// and z to the south, PLY and STL z up. `look` may be NULL.
GULLY_API GullyStatus gully_mesh_write(const char* path, const GullyMesh* mesh,
                                       const GullyMeshLook* look);

#ifdef __cplusplus
}
#endif

#endif
