// SPDX-License-Identifier: MIT
// PNG16, COG and ESRI ASCII: GDAL copies a raster in memory into a file in memory, which then is
// written like any other of ours.

#include "raster_copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>

#include "gdal_calls.h"
#include "raw.h"

/// How GDAL is to make a file.
typedef struct Recipe {
    const char* driver;
    const char* extension;
    GDALDataType type;
    const char* const* options;
    bool placed;             ///< the file holds the georeference
    const char* beside_name; ///< extension of a second file that GDAL writes, or NULL
} Recipe;

/// A dataset over numbers that stay the caller's.
static GDALDatasetH wrap(const Recipe* recipe, const GullyRaster* raster,
                         const GullySidecar* sidecar, void* numbers) {
    GDALDatasetH dataset = GDALCreate(GDALGetDriverByName("MEM"), "", raster->width, raster->height,
                                      0, recipe->type, NULL);
    if (dataset == NULL) return NULL;
    char pointer[40], option[64];
    pointer[CPLPrintPointer(pointer, numbers, sizeof pointer - 1)] = '\0';
    snprintf(option, sizeof option, "DATAPOINTER=%s", pointer);
    char* options[] = {option, NULL};
    double transform[6];
    memcpy(transform, raster->georeference.transform, sizeof transform);
    const char* projection = raster->georeference.projection;
    bool done = GDALAddBand(dataset, recipe->type, options) == CE_None;
    if (done && sidecar->has_nodata)
        done = GDALSetRasterNoDataValue(GDALGetRasterBand(dataset, 1), sidecar->nodata) == CE_None;
    if (done && recipe->placed)
        done = GDALSetGeoTransform(dataset, transform) == CE_None &&
               (projection == NULL || gdal_set_projection(dataset, projection)) &&
               gdal_describe(GDALGetRasterBand(dataset, 1), raster);
    if (done) return dataset;
    GDALClose(dataset);
    return NULL;
}

/// Makes the file in GDAL's memory.
static bool copy(const Recipe* recipe, const GullyRaster* raster, const GullySidecar* sidecar,
                 void* numbers, const char* name) {
    GDALDatasetH source = wrap(recipe, raster, sidecar, numbers);
    if (source == NULL) return false;
    GDALDatasetH made = GDALCreateCopy(GDALGetDriverByName(recipe->driver), name, source, FALSE,
                                       (char**)recipe->options, NULL, NULL);
    if (made != NULL) GDALClose(made);
    GDALClose(source);
    return made != NULL;
}

/// `text` with another extension. False if it does not fit.
static bool with_extension(const char* text, const char* extension, char* buffer, size_t size) {
    const char* dot = strrchr(text, '.');
    const char* slash = strrchr(text, '/');
    size_t length =
        dot != NULL && (slash == NULL || dot > slash) ? (size_t)(dot - text) : strlen(text);
    return (size_t)snprintf(buffer, size, "%.*s.%s", (int)length, text, extension) < size;
}

/// Writes a file of GDAL's memory to the disk. One that is not there is none.
static GullyStatus move_out(const char* name, const char* path, GullyOutputs* outputs) {
    if (VSIGetMemFileBuffer(name, NULL, FALSE) == NULL) return GULLY_OK;
    size_t size;
    void* bytes = gdal_memory_take(name, &size);
    if (bytes == NULL) return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
    GullyStatus status = gully_outputs_file(outputs, path, bytes, size);
    free(bytes);
    return status;
}

static GullyStatus write_copy(const char* path, const Recipe* recipe, const GullyRaster* raster,
                              const GullySidecar* sidecar, void* numbers, GullyOutputs* outputs) {
    if (numbers == NULL) return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
    char name[64], beside[64] = "", beside_path[4096];
    Complaints complaints;
    gdal_enter(&complaints);
    gdal_memory_name(recipe->extension, name, sizeof name);
    if (recipe->beside_name != NULL)
        with_extension(name, recipe->beside_name, beside, sizeof beside);
    gdal_side_files_forbid(true);
    bool done = copy(recipe, raster, sidecar, numbers, name) && complaints.failures == 0;
    gdal_side_files_forbid(false);
    free(numbers);
    GullyStatus status =
        done ? move_out(name, path, outputs)
             : gully_fail(GULLY_FAILED, "%s: cannot be made: %s", path,
                          complaints.failures > 0 ? complaints.first : "not enough memory");
    if (status == GULLY_OK && beside[0] != '\0' &&
        with_extension(path, recipe->beside_name, beside_path, sizeof beside_path))
        status = move_out(beside, beside_path, outputs);
    VSIUnlink(name);
    if (beside[0] != '\0') VSIUnlink(beside);
    gdal_leave();
    return status;
}

// ---- files beside the file ----

/// Where the file lies, as XML. Rows that go from south to north go so here too.
static void put_place(FILE* stream, const GullyRaster* raster, const double* t) {
    char* projection = raster->georeference.projection != NULL
                           ? CPLEscapeString(raster->georeference.projection, -1, CPLES_XML)
                           : NULL;
    if (projection != NULL) fprintf(stream, "  <SRS>%s</SRS>\n", projection);
    fprintf(stream, "  <GeoTransform>%.17g, %.17g, %.17g, %.17g, %.17g, %.17g</GeoTransform>\n",
            t[0], t[1], t[2], t[3], t[4], t[5]);
    CPLFree(projection);
}

/// Writes FILE.aux.xml, from which GDAL and what uses it take what the format has no room for: the
/// place, unless `t` is NULL, and what makes metres of the numbers.
static GullyStatus write_aux(const char* path, const GullyRaster* raster,
                             const GullySidecar* sidecar, const double* t, GullyOutputs* outputs) {
    char *name = NULL, *text = NULL;
    size_t name_size, size;
    FILE* stream = open_memstream(&name, &name_size);
    if (stream != NULL) fprintf(stream, "%s.aux.xml", path);
    bool done = stream != NULL && fclose(stream) == 0;
    stream = done ? open_memstream(&text, &size) : NULL;
    if (stream != NULL) {
        fputs("<PAMDataset>\n", stream);
        if (t != NULL) put_place(stream, raster, t);
        fputs("  <PAMRasterBand band=\"1\">\n    <UnitType>m</UnitType>\n", stream);
        if (t != NULL && sidecar->has_nodata)
            fprintf(stream, "    <NoDataValue>%.17g</NoDataValue>\n", sidecar->nodata);
        if (t != NULL)
            fprintf(stream, "    <Offset>%.17g</Offset>\n    <Scale>%.17g</Scale>\n", sidecar->min,
                    (sidecar->max - sidecar->min) / 65535.0);
        fputs("  </PAMRasterBand>\n</PAMDataset>\n", stream);
    }
    done = stream != NULL && fclose(stream) == 0;
    GullyStatus status = done ? gully_outputs_file(outputs, name, text, size)
                              : gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
    free(name);
    free(text);
    return status;
}

/// Writes a world file: the steps of the transform, and the middle of the first cell.
static GullyStatus write_world(const char* path, const double* t, GullyOutputs* outputs) {
    char name[4096], text[256];
    if (!with_extension(path, "pgw", name, sizeof name))
        return gully_fail(GULLY_BAD_INPUT, "%s: the name is too long", path);
    int length = snprintf(text, sizeof text, "%.17g\n%.17g\n%.17g\n%.17g\n%.17g\n%.17g\n", t[1],
                          t[4], t[2], t[5], t[0] + 0.5 * (t[1] + t[2]), t[3] + 0.5 * (t[4] + t[5]));
    return gully_outputs_file(outputs, name, text, (size_t)length);
}

// ---- the formats ----

GullyStatus png16_write(const char* path, const GullyRaster* raster, const GullySidecar* sidecar,
                        GullyOutputs* outputs) {
    static const Recipe recipe = {.driver = "PNG", .extension = "png", .type = GDT_UInt16};
    GullyStatus status =
        write_copy(path, &recipe, raster, sidecar, steps_encode(raster, sidecar), outputs);
    double t[6];
    memcpy(t, raster->georeference.transform, sizeof t);
    if (sidecar->flip) { // the first row of the file is the last of the raster
        t[0] += raster->height * t[2];
        t[3] += raster->height * t[5];
        t[2] = 0.0 - t[2];
        t[5] = 0.0 - t[5];
    }
    if (!status) status = write_world(path, t, outputs);
    return status ? status : write_aux(path, raster, sidecar, t, outputs);
}

GullyStatus cog_write(const char* path, const GullyRaster* raster, const GullySidecar* sidecar,
                      GullyOutputs* outputs) {
    static const char* const options[] = {"COMPRESS=DEFLATE", "PREDICTOR=YES", "BIGTIFF=IF_SAFER",
                                          "RESAMPLING=AVERAGE", NULL};
    static const Recipe recipe = {.driver = "COG",
                                  .extension = "tif",
                                  .type = GDT_Float32,
                                  .options = options,
                                  .placed = true};
    return write_copy(path, &recipe, raster, sidecar, metres_encode(raster, sidecar), outputs);
}

GullyStatus ascii_write(const char* path, const GullyRaster* raster, const GullySidecar* sidecar,
                        GullyOutputs* outputs) {
    static const char* const options[] = {"SIGNIFICANT_DIGITS=9", NULL}; // all of a float
    static const Recipe recipe = {.driver = "AAIGrid",
                                  .extension = "asc",
                                  .type = GDT_Float32,
                                  .options = options,
                                  .placed = true,
                                  .beside_name = "prj"};
    GullyStatus status =
        write_copy(path, &recipe, raster, sidecar, metres_encode(raster, sidecar), outputs);
    // Else a projection in feet would make feet of the heights.
    bool metres = raster->unit[0] == '\0' || strcmp(raster->unit, "m") == 0;
    bool says = metres && raster->georeference.projection != NULL;
    return !status && says ? write_aux(path, raster, sidecar, NULL, outputs) : status;
}
