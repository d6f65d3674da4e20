// SPDX-License-Identifier: MIT
#include "mesh_tiles.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_folder.h"

enum { NAME_SIZE = 256 };

/// Whether a square of the part has data in all its corners.
static bool has_ground(const GullyHeights* h, const GullyMeshDef* part) {
    for (int y = part->y; y + 1 < part->y + part->height; y++) {
        for (int x = part->x; x + 1 < part->x + part->width; x++) {
            const float* at = h->values + (size_t)y * (size_t)h->width + x;
            if (isfinite(at[0]) && isfinite(at[1]) && isfinite(at[h->width]) &&
                isfinite(at[h->width + 1]))
                return true;
        }
    }
    return false;
}

/// The box around a mesh, z up, as {"min": [...], "max": [...]}.
static void add_box(const GullyMesh* mesh, json_t* row) {
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++) {
        low[i % 3] = fminf(low[i % 3], mesh->positions[i]);
        high[i % 3] = fmaxf(high[i % 3], mesh->positions[i]);
    }
    json_object_set_new(row, "min",
                        json_pack("[f, f, f]", (double)low[0], (double)low[1], (double)low[2]));
    json_object_set_new(row, "max",
                        json_pack("[f, f, f]", (double)high[0], (double)high[1], (double)high[2]));
}

static void file_name(const MeshTilesRequest* request, int column, int row, int level, char* name) {
    char suffix[16] = "";
    if (request->levels > 1) snprintf(suffix, sizeof suffix, "_l%d", level);
    snprintf(name, NAME_SIZE, "%.128s_x%d_y%d%s.%s", request->name, column, row, suffix,
             request->format);
}

/// One tile in one level. `part` has its cells and its error.
static GullyStatus write_tile(const GullyHeights* heights, const MeshTilesRequest* request,
                              const GullyMeshDef* part, int level, json_t* list,
                              MeshTilesMade* made) {
    char name[NAME_SIZE];
    int column = part->x / request->side, row = part->y / request->side;
    file_name(request, column, row, level, name);
    char* path = folder_path(request->folder, name, "");
    if (!path) return GULLY_NO_MEMORY;
    GullyMesh mesh = {0};
    GullyStatus status = gully_mesh_create(heights, part, &mesh);
    if (status == GULLY_OK) status = gully_mesh_write(path, &mesh, request->look);
    json_t* entry =
        json_pack("{s:s, s:i, s:i, s:i, s:o, s:I}", "file", name, "column", column, "row", row,
                  "level", level, "error", part->error < 0 ? json_null() : json_real(part->error),
                  "triangles", (json_int_t)mesh.triangle_count);
    if (status == GULLY_OK) add_box(&mesh, entry);
    json_array_append_new(list, entry);
    made->files++;
    if (level == 0) made->triangles += mesh.triangle_count;
    gully_mesh_free(&mesh);
    free(path);
    return status;
}

/// Both numbers of tiles: of squares, which are one fewer than cells.
static int tile_count(int cells, int side) {
    return (cells - 2) / side + 1;
}

static GullyStatus write_levels(const GullyHeights* heights, const MeshTilesRequest* request, int x,
                                int y, json_t* list, MeshTilesMade* made) {
    GullyMeshDef part = request->def;
    part.x = x;
    part.y = y;
    part.width = heights->width - x <= request->side ? heights->width - x : request->side + 1;
    part.height = heights->height - y <= request->side ? heights->height - y : request->side + 1;
    if (!has_ground(heights, &part)) return GULLY_OK;
    GullyStatus status = GULLY_OK;
    for (int level = 0; level < request->levels && status == GULLY_OK; level++) {
        if (request->def.error >= 0) part.error = ldexp(request->def.error, level);
        status = write_tile(heights, request, &part, level, list, made);
    }
    return status;
}

static GullyStatus write_index(const MeshTilesRequest* request, const MeshTilesMade* made,
                               json_t* list) {
    json_t* index = json_pack("{s:i, s:s, s:i, s:i, s:i, s:i, s:f, s:f, s:O}", "gully_meshes", 1,
                              "format", request->format, "tile", request->side, "columns",
                              made->columns, "rows", made->rows, "levels", request->levels, "skirt",
                              request->def.skirt, "scale", request->def.scale, "tiles", list);
    char* text = index ? json_dumps(index, JSON_INDENT(2)) : NULL;
    char* path = folder_path(request->folder, "meshes", ".json");
    GullyStatus status = text && path ? gully_file_write(path, text, strlen(text))
                                      : gully_fail(GULLY_NO_MEMORY, "no memory for the index");
    json_decref(index);
    free(text);
    free(path);
    return status;
}

GullyStatus mesh_tiles_write(const GullyHeights* heights, const MeshTilesRequest* request,
                             MeshTilesMade* made) {
    *made = (MeshTilesMade){0};
    if (heights->width < 2 || heights->height < 2)
        return gully_fail(GULLY_BAD_INPUT, "a mesh needs at least 2 x 2 cells; there are %d x %d",
                          heights->width, heights->height);
    made->columns = tile_count(heights->width, request->side);
    made->rows = tile_count(heights->height, request->side);
    json_t* list = json_array();
    GullyStatus status = gully_folder_make(request->folder);
    for (int row = 0; row < made->rows && status == GULLY_OK; row++)
        for (int column = 0; column < made->columns && status == GULLY_OK; column++)
            status = write_levels(heights, request, column * request->side, row * request->side,
                                  list, made);
    if (status == GULLY_OK && made->files == 0)
        status = gully_fail(GULLY_BAD_INPUT, "there is nothing to cover: no four cells around a "
                                             "corner have data");
    if (status == GULLY_OK) status = write_index(request, made, list);
    json_decref(list);
    return status;
}
