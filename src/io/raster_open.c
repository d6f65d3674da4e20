// Rasters in: which reader takes a path. A folder is a set of tiles; a file may have a sidecar.

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "exr.h"
#include "gdal_calls.h"
#include "json_parts.h"
#include "raw.h"
#include "sidecar.h"
#include "tile_set.h"

typedef GullyStatus Reader(const char* path, const GullySidecar* sidecar, const GullyReadDef* def,
                           GullyRaster* out);

static GullyStatus read_raw(const char* path, const GullySidecar* sidecar, const GullyReadDef* def,
                            GullyRaster* out) {
    if (sidecar != NULL) return raw_read_scaled(path, sidecar, def->scale, def->offset, out);
    struct stat info;
    if (stat(path, &info) != 0) return gully_fail(GULLY_BAD_INPUT, "%s: no such file", path);
    return gully_fail(GULLY_BAD_INPUT,
                      "%s: raw numbers do not say what they mean; there must be a sidecar %s.json, "
                      "or gully convert can be told with --raw-size and --raw-range",
                      path, path);
}

/// Gives numbers that were read as they are their meaning.
static GullyStatus finish(GullyStatus status, const char* path, const GullySidecar* sidecar,
                          const GullyReadDef* def, GullyRaster* out) {
    static const GullySidecar metres = {.numbers = GULLY_FLOAT32};
    if (status) return status;
    if (sidecar != NULL) {
        status = sidecar_apply(path, sidecar, def->scale, def->offset, out);
        snprintf(out->unit, sizeof out->unit, "m");
    } else if (def->scale != NULL || def->offset != NULL) {
        sidecar_heights(&metres, def->scale != NULL ? *def->scale : 1.0,
                        def->offset != NULL ? *def->offset : 0.0, out);
    }
    if (status) gully_raster_free(out);
    return status;
}

static GullyStatus read_exr(const char* path, const GullySidecar* sidecar, const GullyReadDef* def,
                            GullyRaster* out) {
    char* bytes;
    size_t size;
    GullyStatus status = bytes_read(path, SIZE_MAX / 2, &bytes, &size);
    if (status) return status;
    status = gully_exr_decode(path, bytes, size, out);
    free(bytes);
    return finish(status, path, sidecar, def, out);
}

static GullyStatus read_gdal(const char* path, const GullySidecar* sidecar, const GullyReadDef* def,
                             GullyRaster* out) {
    if (sidecar == NULL) return gdal_raster_read(path, def, out);
    static const double one = 1.0, zero = 0.0; // what the numbers mean is the sidecar's to say
    const GullyReadDef numbers = {.scale = &one, .offset = &zero};
    GullyStatus status = gdal_raster_read(path, &numbers, out);
    return finish(status, path, sidecar, def, out);
}

static GullyStatus read_tiles(const char* path, const GullySidecar* sidecar,
                              const GullyReadDef* def, GullyRaster* out) {
    return finish(tiles_read(path, out), path, sidecar, def, out);
}

static const struct {
    const char* extension;
    Reader* reader;
} readers[] = {{"r16", read_raw}, {"r32", read_raw}, {"raw", read_raw}, {"exr", read_exr}};

static Reader* reader_of(const char* path) {
    if (tiles_are_at(path)) return read_tiles;
    const char* dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof readers / sizeof readers[0]; ++i)
        if (strcasecmp(dot + 1, readers[i].extension) == 0) return readers[i].reader;
    return read_gdal;
}

GullyStatus gully_raster_read_as(const char* path, const GullyReadDef* def, GullyRaster* out) {
    assert(path != NULL && def != NULL && out != NULL);
    *out = (GullyRaster){0};
    GullySidecar sidecar = {0};
    bool found;
    GullyStatus status = sidecar_find(path, &sidecar, &found);
    if (status == GULLY_OK) status = reader_of(path)(path, found ? &sidecar : NULL, def, out);
    gully_sidecar_free(&sidecar);
    return status;
}

GullyStatus gully_raster_read(const char* path, const double* scale, const double* offset,
                              GullyRaster* out) {
    return gully_raster_read_as(path, &(GullyReadDef){.scale = scale, .offset = offset}, out);
}
