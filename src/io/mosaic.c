// SPDX-License-Identifier: MIT
// Rasters that know where they lie, put together by GDAL.

#include <stdio.h>
#include <string.h>

#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal_utils.h>

#include "gdal_calls.h"
#include "gully/export.h"
#include "read_def.h"

/// Gives the band of a mosaic the unit of its files, which GDAL forgets. Fails if they have
/// several.
static GullyStatus take_unit(const char* const* paths, int count, int band, GDALDatasetH mosaic) {
    char first[64] = "";
    for (int i = 0; i < count; ++i) {
        GDALDatasetH file = GDALOpen(paths[i], GA_ReadOnly);
        if (file == NULL) continue; // GDAL has said why
        char unit[64];
        snprintf(unit, sizeof unit, "%s", GDALGetRasterUnitType(GDALGetRasterBand(file, band)));
        GDALClose(file);
        if (i == 0) memcpy(first, unit, sizeof first);
        if (strcmp(first, unit) != 0)
            return gully_fail(GULLY_BAD_INPUT, "%s: its unit is '%s', that of %s '%s'; must be one",
                              paths[i], unit, paths[0], first);
    }
    if (first[0] != '\0') GDALSetRasterUnitType(GDALGetRasterBand(mosaic, band), first);
    return GULLY_OK;
}

static GullyStatus finish(const char* path, const GullyReadDef* def, GullyRaster* out) {
    size_t count = (size_t)out->width * (size_t)out->height;
    GullyStatus status = read_def_check_counts(path, def, out->type, out->values, count);
    if (!status) read_def_finish(def, false, out);
    return status;
}

GullyStatus gully_mosaic_read(const char* const* paths, int count, const GullyReadDef* def,
                              GullyRaster* out) {
    if (count == 1) return gully_raster_read_as(paths[0], def, out);
    *out = (GullyRaster){0};
    GullyStatus status = read_def_check(paths[0], def);
    if (status) return status;
    Complaints complaints;
    gdal_enter(&complaints);
    char name[64];
    gdal_memory_name("vrt", name, sizeof name);
    char** words = CSLAddString(NULL, "-strict"); // a file that does not fit is an error
    GDALBuildVRTOptions* options = GDALBuildVRTOptionsNew(words, NULL);
    CSLDestroy(words);
    char** list = NULL;
    for (int i = 0; i < count; ++i)
        list = CSLAddString(list, paths[i]);
    GDALDatasetH made = GDALBuildVRT(name, count, NULL, (const char* const*)list, options, NULL);
    bool done = made != NULL && complaints.failures == 0;
    int band = def->band.count > 0 ? (int)def->band.numbers[0] : 1;
    if (done && band <= GDALGetRasterCount(made)) status = take_unit(paths, count, band, made);
    if (made != NULL) GDALClose(made);
    CSLDestroy(list);
    GDALBuildVRTOptionsFree(options);
    if (!done)
        status = gully_fail(GULLY_BAD_INPUT,
                            "%s and %d more: cannot be put together; they must be rasters with a "
                            "georeference, all in one projection: %s",
                            paths[0], count - 1,
                            complaints.failures > 0 ? complaints.first : "GDAL cannot");
    if (done && !status) status = raster_file_read(name, def, out);
    if (done && !status) status = finish(paths[0], def, out);
    if (status) gully_raster_free(out);
    VSIUnlink(name);
    gdal_leave();
    return status;
}
