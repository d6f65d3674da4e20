// SPDX-License-Identifier: MIT
/// Rasters, and folders of runs.
#include "run_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read_options.h"
#include "standard.h"

static bool is_folder(const char* path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

char* folder_path(const char* folder, const char* name, const char* extension) {
    size_t size = strlen(folder) + strlen(name) + strlen(extension) + 2;
    char* path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s%s", folder, name, extension);
    else
        gully_fail(GULLY_NO_MEMORY, "no memory for the path of %s%s", name, extension);
    return path;
}

char* folder_file(const char* path, const char* name, const char* extension) {
    char* file = is_folder(path) ? folder_path(path, name, extension) : NULL;
    if (file && access(file, F_OK) == 0) return file;
    free(file);
    return NULL;
}

/// The file that holds the terrain, and how it is to be read; free the path.
static GullyStatus find_terrain(const char* path, const GullyReadDef* def, char** file,
                                GullyReadDef* own) {
    *own = *def;
    *file = NULL;
    if (is_standard(path)) {
        GullyStatus status = standard_input_file(&path);
        if (status != GULLY_OK) return status;
    } else {
        char* tiles = folder_file(path, "tiles", ".json");
        own->plain = is_folder(path) && !tiles; // what a run wrote is in metres, whatever its
        free(tiles);                            // projection is in
        if (own->plain) *file = folder_file(path, "terrain", ".tif");
        if (own->plain && !*file)
            return gully_fail(GULLY_BAD_INPUT,
                              "%s: this folder has no terrain.tif; a raster or the folder of a run "
                              "is wanted",
                              path);
    }
    if (!*file) *file = strdup(path);
    return *file ? GULLY_OK : gully_fail(GULLY_NO_MEMORY, "%s: no memory", path);
}

GullyStatus terrain_open(const char* path, const GullyReadDef* def, GullyRasterStream** out) {
    char* file;
    GullyReadDef own;
    GullyStatus status = find_terrain(path, def, &file, &own);
    if (status == GULLY_OK) status = gully_raster_open(file, &own, out);
    free(file);
    return status;
}

GullyStatus terrain_read(const char* path, const GullyReadDef* def, GullyRaster* out) {
    char* file;
    GullyReadDef own;
    GullyStatus status = find_terrain(path, def, &file, &own);
    if (status == GULLY_OK) status = gully_raster_read_as(file, &own, out);
    free(file);
    return status;
}

GullyStatus ground_read(const char* path, const GullyReadDef* def, GullyRaster* out) {
    GullyStatus status = terrain_read(path, def, out);
    if (status != GULLY_OK) return status;
    read_notes_print(path, out->notes);
    gully_raster_face_north(out);
    return GULLY_OK;
}

GullyHeights ground_heights(const GullyRaster* raster) {
    return (GullyHeights){raster->values, raster->width, raster->height, raster->cell_x,
                          raster->cell_y};
}

GullyStatus same_size_read(const char* path, const GullyRaster* like, GullyRaster* out) {
    GullyStatus status = gully_raster_read_as(path, &(GullyReadDef){.plain = true}, out);
    if (status == GULLY_OK) gully_raster_face_north(out); // as the ground
    if (status != GULLY_OK || (out->width == like->width && out->height == like->height))
        return status;
    status = gully_fail(GULLY_BAD_INPUT, "%s: has %d x %d cells; the terrain has %d x %d", path,
                        out->width, out->height, like->width, like->height);
    gully_raster_free(out);
    return status;
}
