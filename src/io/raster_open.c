// Rasters in: which reader takes a path. A folder is a set of tiles; a file may have a sidecar.

#include <assert.h>
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

typedef GullyStatus Reader(const char* path, const GullySidecar* sidecar, const double* scale,
                           const double* offset, GullyRaster* out);

static GullyStatus read_raw(const char* path, const GullySidecar* sidecar, const double* scale,
                            const double* offset, GullyRaster* out) {
    if (sidecar != NULL) return raw_read_scaled(path, sidecar, scale, offset, out);
    struct stat info;
    if (stat(path, &info) != 0) return gully_fail(GULLY_BAD_INPUT, "%s: no such file", path);
    return gully_fail(GULLY_BAD_INPUT,
                      "%s: raw numbers do not say what they mean; there must be a sidecar %s.json, "
                      "or gully convert can be told with --raw-size and --raw-range",
                      path, path);
}

/// Gives numbers that were read as they are their meaning.
static GullyStatus finish(GullyStatus status, const char* path, const GullySidecar* sidecar,
                          const double* scale, const double* offset, GullyRaster* out) {
    static const GullySidecar metres = {.numbers = GULLY_FLOAT32};
    if (status) return status;
    if (sidecar != NULL) {
        status = sidecar_apply(path, sidecar, scale, offset, out);
    } else if (scale != NULL || offset != NULL) {
        sidecar_heights(&metres, scale != NULL ? *scale : 1.0, offset != NULL ? *offset : 0.0, out);
    }
    if (status) gully_raster_free(out);
    return status;
}

static GullyStatus read_exr(const char* path, const GullySidecar* sidecar, const double* scale,
                            const double* offset, GullyRaster* out) {
    char* bytes;
    size_t size;
    GullyStatus status = bytes_read(path, SIZE_MAX / 2, &bytes, &size);
    if (status) return status;
    status = gully_exr_decode(path, bytes, size, out);
    free(bytes);
    return finish(status, path, sidecar, scale, offset, out);
}

static GullyStatus read_gdal(const char* path, const GullySidecar* sidecar, const double* scale,
                             const double* offset, GullyRaster* out) {
    if (sidecar == NULL) return gdal_raster_read(path, scale, offset, out);
    GullyStatus status = gdal_raster_read(path, NULL, NULL, out);
    return finish(status, path, sidecar, scale, offset, out);
}

static GullyStatus read_tiles(const char* path, const GullySidecar* sidecar, const double* scale,
                              const double* offset, GullyRaster* out) {
    return finish(tiles_read(path, out), path, sidecar, scale, offset, out);
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

GullyStatus gully_raster_read(const char* path, const double* scale, const double* offset,
                              GullyRaster* out) {
    assert(path != NULL && out != NULL);
    *out = (GullyRaster){0};
    GullySidecar sidecar = {0};
    bool found;
    GullyStatus status = sidecar_find(path, &sidecar, &found);
    if (status == GULLY_OK)
        status = reader_of(path)(path, found ? &sidecar : NULL, scale, offset, out);
    gully_sidecar_free(&sidecar);
    return status;
}
