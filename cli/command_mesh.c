// SPDX-License-Identifier: MIT
/// gully mesh: triangles of a terrain.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "console.h"
#include "export_options.h"
#include "gully/mesh.h"
#include "mesh_tiles.h"
#include "read_options.h"
#include "run_folder.h"

typedef struct MeshOptions {
    const char *input, *output, *splat, *splat_as;
    double error, scale, base;
    double print; ///< [mm] 0 = not for a printer
    double skirt; ///< [m] < 0 = as the levels need it
    int64_t tiles, levels;
    const char* format;
    GullyReadDef read;
    bool json, quiet;
} MeshOptions;

static json_t* json_mesh(const MeshOptions* options, const GullyMesh* mesh) {
    return json_pack("{s:s, s:I, s:I, s:o, s:f, s:b}", "file", options->output,             //
                     "vertices", (json_int_t)mesh->vertex_count,                            //
                     "triangles", (json_int_t)mesh->triangle_count,                         //
                     "error", options->error < 0 ? json_null() : json_real(options->error), //
                     "scale", options->scale, "solid", options->base > 0 || options->print > 0);
}

static int report(const MeshOptions* options, const GullyRaster* raster, const GullyMesh* mesh) {
    if (options->json) return console_json(json_mesh(options, mesh));
    if (options->quiet) return EXIT_DONE;
    printf("%s: %u vertices, %u triangles", options->output, mesh->vertex_count,
           mesh->triangle_count);
    double full = 2.0 * (raster->width - 1) * (raster->height - 1);
    if (options->error >= 0)
        printf(", within %g m; all cells would be %.0f triangles", options->error, full);
    printf("\n");
    return EXIT_DONE;
}

/// Reads the picture, if there is one; free it with gully_texture_free.
static GullyStatus take_look(const MeshOptions* options, GullyTexture* picture,
                             GullyMeshLook* look) {
    *picture = (GullyTexture){0};
    *look = (GullyMeshLook){.as_texture = strcmp(options->splat_as, "texture") == 0};
    if (!options->splat) return GULLY_OK;
    look->picture = picture;
    return gully_texture_read(options->splat, picture);
}

static GullyStatus write_mesh(const MeshOptions* options, const GullyMesh* mesh) {
    GullyTexture picture;
    GullyMeshLook look;
    GullyStatus status = take_look(options, &picture, &look);
    if (status == GULLY_OK) status = gully_mesh_write(options->output, mesh, &look);
    gully_texture_free(&picture);
    return status;
}

/// A solid for a printer: millimetres, as wide as asked for, heights by the same scale, its bottom
/// at 0.
static void make_print(const MeshOptions* options, const GullyRaster* raster, GullyMesh* mesh) {
    float scale = (float)(options->print / ((raster->width - 1) * raster->cell_x));
    float bottom = INFINITY;
    for (size_t i = 0; i < mesh->vertex_count; i++)
        bottom = fminf(bottom, mesh->positions[3 * i + 2]);
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        float* position = mesh->positions + 3 * i;
        position[0] *= scale;
        position[1] *= scale;
        position[2] = (position[2] - bottom) * scale;
    }
}

/// What is asked for; a print has a base also if nobody names one: a fortieth of its width.
static GullyMeshDef mesh_def(const MeshOptions* options, const GullyRaster* raster) {
    double base = options->base;
    if (options->print > 0 && base == 0) base = raster->width * raster->cell_x / 40;
    GullyMeshDef def = gully_mesh_default();
    def.error = options->error;
    def.scale = options->scale;
    def.base = base;
    // Beside each other two levels are apart by the errors of both, at most.
    double apart = options->levels > 1 ? 2 * ldexp(options->error, (int)options->levels - 1) : 0;
    def.skirt = options->skirt >= 0 ? options->skirt : apart * options->scale;
    return def;
}

// ---- tiles --------------------------------------------------------------------------------------

static int report_tiles(const MeshOptions* options, const MeshTilesRequest* request,
                        const MeshTilesMade* made) {
    if (options->json)
        return console_json(json_pack("{s:s, s:i, s:i, s:i, s:i, s:I, s:f}", "folder",
                                      request->folder, "columns", made->columns, "rows", made->rows,
                                      "levels", request->levels, "files", made->files, "triangles",
                                      (json_int_t)made->triangles, "skirt", request->def.skirt));
    if (options->quiet) return EXIT_DONE;
    printf("In %s: %d x %d tiles in %d level%s, %d meshes and meshes.json; %llu triangles in the "
           "finest\n",
           request->folder, made->columns, made->rows, request->levels,
           request->levels == 1 ? "" : "s", made->files, (unsigned long long)made->triangles);
    return EXIT_DONE;
}

static int run_tiles(const MeshOptions* options) {
    if (options->base > 0 || options->print > 0 || (options->levels > 1 && options->error <= 0)) {
        console_error(options->error > 0 || options->levels <= 1
                          ? "mesh: --tiles makes no solids: neither --base nor --print"
                          : "mesh: --levels needs --error: level K is within 2^K times of it");
        return EXIT_USAGE;
    }
    GullyRaster raster = {0};
    GullyTexture picture = {0};
    GullyMeshLook look;
    MeshTilesMade made;
    char name[128];
    stem_of(options->input, name, sizeof name);
    GullyStatus status = ground_read(options->input, &options->read, &raster);
    if (status == GULLY_OK) status = take_look(options, &picture, &look);
    GullyHeights heights = ground_heights(&raster);
    MeshTilesRequest request = {.folder = options->output,
                                .name = name,
                                .format = options->format,
                                .side = (int)options->tiles,
                                .levels = (int)options->levels,
                                .def = mesh_def(options, &raster),
                                .look = &look};
    if (status == GULLY_OK) status = mesh_tiles_write(&heights, &request, &made);
    int code = status == GULLY_OK ? report_tiles(options, &request, &made) : console_fail(status);
    gully_texture_free(&picture);
    gully_raster_free(&raster);
    return code;
}

// ---- one mesh -----------------------------------------------------------------------------------

static int run(const void* values) {
    const MeshOptions* options = values;
    if (options->tiles) return run_tiles(options);
    if (options->levels > 1) {
        console_error("mesh: --levels goes with --tiles");
        return EXIT_USAGE;
    }
    GullyRaster raster = {0};
    GullyMesh mesh = {0};
    GullyStatus status = gully_mesh_format_check(options->output);
    if (status == GULLY_OK) status = ground_read(options->input, &options->read, &raster);
    if (status == GULLY_OK) {
        GullyHeights heights = ground_heights(&raster);
        GullyMeshDef def = mesh_def(options, &raster);
        status = gully_mesh_create(&heights, &def, &mesh);
        if (status != GULLY_OK) status = gully_fail_in(status, "%s", options->input);
    }
    if (status == GULLY_OK && options->print > 0) make_print(options, &raster, &mesh);
    if (status == GULLY_OK) status = write_mesh(options, &mesh);
    int code = status == GULLY_OK ? report(options, &raster, &mesh) : console_fail(status);
    gully_mesh_free(&mesh);
    gully_raster_free(&raster);
    return code;
}

#define AT(member) .offset = offsetof(MeshOptions, member)

static const MeshOptions defaults = {
    .error = -1, .scale = 1, .splat_as = "vertex", .skirt = -1, .levels = 1, .format = "glb"};

#define READ_VALUES MeshOptions

static const Option mesh_options[] = {
    {OPTION_OPERAND, .name = "IN",
     .help = "a raster of heights, the folder of a run, or - for standard input", AT(input),
     .required = true},
    {OPTION_TEXT, 'o', "output", "FILE",
     "the mesh: .obj, .ply, .stl, .glb or .gltf; of tiles a folder", AT(output), .required = true},
    {OPTION_NUMBER, 'e', "error", "METRES",
     "simplify: every height stays within that of the mesh (default: all cells are vertices)",
     AT(error), .low = 0, .high = 1e6},
    {OPTION_NUMBER, 'b', "base", "METRES",
     "close it to a solid whose bottom is that far below the lowest point", AT(base), .low = 1e-6,
     .high = 1e6},
    {OPTION_NUMBER, .name = "scale", .argument = "FACTOR",
     .help = "exaggerate heights (default: 1); the error counts before that", AT(scale),
     .low = 1e-6, .high = 1e6},
    {OPTION_NUMBER, .name = "print", .argument = "WIDTH",
     .help = "for a 3D printer: a solid in millimetres, WIDTH wide, heights by the same scale, its "
             "bottom at 0 (--base is a fortieth of the width if it is not given)",
     AT(print), .low = 1e-3, .high = 1e6},
    {OPTION_COUNT, 't', "tiles", "N",
     "meshes of N x N squares, which share their borders, into the folder FILE, with meshes.json",
     AT(tiles), .low = 1, .high = 1048576},
    {OPTION_COUNT, .name = "levels", .argument = "N",
     .help = "of detail, with --tiles: level K is within 2^K times --error (default: 1)",
     AT(levels), .low = 1, .high = 16},
    {OPTION_NUMBER, .name = "skirt", .argument = "METRES",
     .help = "walls that hang down from the outline and hide cracks between tiles (default: none; "
             "with --levels twice the coarsest error)",
     AT(skirt), .low = 0, .high = 1e6},
    {OPTION_CHOICE, .name = "format", .argument = "glb|gltf|obj|ply|stl",
     .help = "of tiles (default: glb)", AT(format)},
    {OPTION_TEXT, .name = "splat", .argument = "FILE",
     .help = "a picture over the whole raster, such as a splat map", AT(splat)},
    {OPTION_CHOICE, .name = "splat-as", .argument = "vertex|texture",
     .help = "colours at vertices (default), or a texture inside a .glb or .gltf", AT(splat_as)},
    {OPTION_FLAG, .name = "json", .help = "print JSON", AT(json)},
    QUIET_ROW(MeshOptions, quiet, "print nothing but errors"),
    READ_ROWS{0},
};

const Command mesh_command = {
    .name = "mesh",
    .summary = "triangles of a terrain: OBJ, PLY, STL, glTF",
    .description = "Writes the surface through the centres of the cells as triangles, in metres. "
                   "glTF and OBJ have y up, PLY and STL z up; the middle of the raster is the "
                   "origin. Cells without data leave holes.\n\n"
                   "With an error bound flat ground gets few large triangles; there are no cracks. "
                   "With a base it is a watertight solid; --print makes it one for a printer.\n\n"
                   "Tiles in levels of detail are for engines that load them by distance; they lie "
                   "where they belong in the whole.",
    .options = mesh_options,
    .size = sizeof(MeshOptions),
    .defaults = &defaults,
    .run = run,
};
