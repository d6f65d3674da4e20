// Rasters in: which reader takes a path. A folder is a set of tiles; a file may have a sidecar.

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "exr.h"
#include "json_parts.h"
#include "raster_files.h"
#include "raw.h"
#include "read_def.h"
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
    if (status) return status;
    if (sidecar != NULL) {
        status = sidecar_apply(path, sidecar, def->scale, def->offset, out);
        snprintf(out->unit, sizeof out->unit, "m");
    } else {
        status = read_def_numbers(path, def, out);
    }
    if (status) gully_raster_free(out);
    return status;
}

static int band_of(const GullyReadDef* def) {
    return def->band.count > 0 ? (int)def->band.numbers[0] : 0;
}

static GullyStatus read_exr(const char* path, const GullySidecar* sidecar, const GullyReadDef* def,
                            GullyRaster* out) {
    char* bytes;
    size_t size;
    GullyStatus status = bytes_read(path, SIZE_MAX / 2, &bytes, &size);
    if (status) return status;
    status = gully_exr_decode(path, bytes, size, band_of(def), out);
    free(bytes);
    return finish(status, path, sidecar, def, out);
}

static GullyStatus read_gdal(const char* path, const GullySidecar* sidecar, const GullyReadDef* def,
                             GullyRaster* out) {
    if (sidecar == NULL) return raster_file_read(path, def, out);
    static const double one = 1.0, zero = 0.0; // what the numbers mean is the sidecar's to say
    const GullyReadDef numbers = {.scale = &one, .offset = &zero, .band = def->band};
    GullyStatus status = raster_file_read(path, &numbers, out);
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

/// What the caller says of the numbers counts more than the sidecar.
static GullyStatus overrule(const char* path, const GullyReadDef* def, GullySidecar* sidecar) {
    double unit = read_def_unit(def);
    if (def->range.count > 0 && sidecar->numbers != GULLY_UINT16)
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: holds metres, as its sidecar says; a range goes with counts", path);
    if (def->range.count > 0) {
        sidecar->min = def->range.numbers[0];
        sidecar->max = def->range.numbers[1];
    }
    if (def->unit != NULL && sidecar->numbers != GULLY_UINT16)
        return gully_fail(GULLY_BAD_INPUT, "%s: holds metres, as its sidecar says, and no %s", path,
                          def->unit);
    sidecar->min *= unit;
    sidecar->max *= unit;
    if (def->nodata_in.count > 0) {
        sidecar->has_nodata = true;
        sidecar->nodata = def->nodata_in.numbers[0];
    }
    return GULLY_OK;
}

GullyStatus gully_raster_read_as(const char* path, const GullyReadDef* def, GullyRaster* out) {
    assert(path != NULL && def != NULL && out != NULL);
    *out = (GullyRaster){0};
    GullySidecar sidecar = {0};
    bool found = false;
    GullyStatus status = read_def_check(path, def);
    if (status == GULLY_OK) status = sidecar_find(path, &sidecar, &found);
    if (status == GULLY_OK && found) status = overrule(path, def, &sidecar);
    if (status == GULLY_OK) status = reader_of(path)(path, found ? &sidecar : NULL, def, out);
    gully_sidecar_free(&sidecar);
    if (status == GULLY_OK) {
        status = read_def_finish(path, def, found || tiles_are_at(path), out);
        if (status != GULLY_OK) gully_raster_free(out);
    }
    return status;
}

GullyStatus gully_raster_read(const char* path, const double* scale, const double* offset,
                              GullyRaster* out) {
    return gully_raster_read_as(path, &(GullyReadDef){.scale = scale, .offset = offset}, out);
}
