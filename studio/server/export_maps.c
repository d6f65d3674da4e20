// SPDX-License-Identifier: MIT
#include "export_maps.h"

#include <stdlib.h>
#include <string.h>

#include "gully/maps.h"
#include "gully/mesh.h"

static const char* const pictures[] = {"normal", "normal-dx", "splat"};

static int find_map(const char* name) {
    for (int map = 0; map < GULLY_MAP_COUNT; map++)
        if (strcmp(gully_map_name((GullyMap)map), name) == 0) return map;
    return -1;
}

bool export_is_picture(const char* name) {
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++)
        if (strcmp(pictures[i], name) == 0) return true;
    return false;
}

bool export_is_made(const char* name) {
    return export_is_picture(name) || find_map(name) >= 0;
}

static GullyHeights heights_of(const GullyRaster* raster) {
    return (GullyHeights){raster->values, raster->width, raster->height, raster->cell_x,
                          raster->cell_y};
}

static size_t cells_of(const GullyRaster* raster) {
    return (size_t)raster->width * (size_t)raster->height;
}

GullyStatus export_make_map(const char* name, GullyRaster* raster) {
    const int map = find_map(name);
    if (map < 0) return GULLY_OK;
    const GullyHeights heights = heights_of(raster);
    float* values = malloc(cells_of(raster) * sizeof *values);
    if (!values) return gully_fail(GULLY_NO_MEMORY, "no memory for the map %s", name);
    GullyStatus status = gully_map_make((GullyMap)map, &heights, values);
    if (status != GULLY_OK) {
        free(values);
        return status;
    }
    free(raster->values);
    raster->values = values;
    gully_raster_describe(raster, gully_map_name((GullyMap)map), gully_map_unit((GullyMap)map));
    return GULLY_OK;
}

/// The maps that the default paints ask for: slope and wetness, one after the other in `maps`.
static GullyStatus paint(const GullyHeights* heights, size_t cells, float* maps,
                         unsigned char* rgba) {
    int count;
    const GullyPaint* paints = gully_default_paints(&count);
    const float* quantities[GULLY_QUANTITY_COUNT] = {
        [GULLY_QUANTITY_SLOPE] = maps, [GULLY_QUANTITY_WETNESS] = maps + cells};
    GullyStatus status = gully_map_make(GULLY_MAP_SLOPE, heights, maps);
    if (status == GULLY_OK) status = gully_wetness(heights, NULL, maps + cells);
    if (status == GULLY_OK) gully_splat_by_rules(paints, count, quantities, heights, rgba);
    return status;
}

GullyStatus export_picture(const char* path, const char* name, const GullyRaster* raster) {
    const GullyHeights heights = heights_of(raster);
    const size_t cells = cells_of(raster);
    unsigned char* rgba = malloc(4 * cells);
    const bool splat = strcmp(name, "splat") == 0;
    float* maps = splat ? malloc(2 * cells * sizeof *maps) : NULL;
    GullyStatus status = GULLY_OK;
    if (!rgba || (splat && !maps))
        status = gully_fail(GULLY_NO_MEMORY, "no memory for the picture %s", name);
    else if (splat)
        status = paint(&heights, cells, maps, rgba);
    else
        gully_normal_map(&heights, strcmp(name, "normal-dx") == 0, rgba);
    const GullyTexture texture = {raster->width, raster->height, 4, rgba};
    if (status == GULLY_OK) status = gully_texture_write(path, &texture);
    free(maps);
    free(rgba);
    return status;
}
