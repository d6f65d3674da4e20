// SPDX-License-Identifier: MIT
// One file: which size it gets, how it is called, and the writing of it.

#include "export_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_folder(const char* path) {
    struct stat info;
    size_t length = strlen(path);
    if (length > 0 && path[length - 1] == '/') return true;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/// The size of the file: as asked for, or what the preset takes of the raster's.
static GullyStatus choose_size(const char* path, const GullyRaster* raster,
                               const GullyExportDef* def, const Preset* preset, int* width,
                               int* height) {
    bool given = plan_size(raster, def, preset, width, height);
    if (!given) *width = preset_nearest_side(preset, raster->width);
    if (!given) *height = preset_nearest_side(preset, raster->height);
    bool square = preset != NULL && preset->info.square;
    if (square && !given) *width = *height = *width > *height ? *width : *height;
    if (preset_takes_side(preset, *width) && preset_takes_side(preset, *height) &&
        (!square || *width == *height))
        return GULLY_OK;
    char list[128];
    preset_list_sides(preset, list, sizeof list);
    return gully_fail(GULLY_BAD_INPUT, "%s: preset %s does not take %d x %d cells; it takes %s%s",
                      path, preset->info.name, *width, *height, list,
                      square ? ", width and height alike" : "");
}

static GullyStatus choose_path(const char* path, const char* name, bool folder,
                               const ExportPlan* plan, char* buffer, size_t size) {
    char extension[16];
    plan_extension(plan, extension, sizeof extension);
    size_t length = strlen(path);
    const char* slash = length > 0 && path[length - 1] == '/' ? "" : "/";
    int used = folder ? snprintf(buffer, size, "%s%s%s.%s", path, slash, name, extension)
                      : snprintf(buffer, size, "%s", path);
    if (used >= 0 && (size_t)used < size) return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT, "%s: the name is too long", path);
}

static void tell(const ExportPlan* plan, GullyExported* exported) {
    exported->format = plan->format != NULL ? &plan->format->info : NULL;
    exported->width = plan->raster.width;
    exported->height = plan->raster.height;
    exported->low = plan->sidecar.min;
    exported->high = plan->sidecar.max;
    exported->columns = exported->rows = 1;
    exported->nodata = plan->nodata;
    exported->filled = plan->filled;
}

GullyStatus gully_export(const char* path, const char* name, const GullyRaster* raster,
                         const GullyExportDef* def, GullyExported* exported) {
    GullyExported unused;
    if (exported == NULL) exported = &unused;
    *exported = (GullyExported){0};
    ExportPlan plan;
    int width, height;
    bool folder = is_folder(path);
    GullyStatus status = plan_format(path, folder, def, &plan);
    if (!status) status = choose_size(path, raster, def, plan.preset, &width, &height);
    if (!status) status = plan_numbers(path, raster, width, height, def, &plan);
    if (!status && folder && !def->dry_run) status = gully_folder_make(path);
    if (!status)
        status = choose_path(path, name, folder, &plan, exported->path, sizeof exported->path);
    if (!status) status = plan_write(&plan, exported->path, &plan.raster);
    tell(&plan, exported);
    plan_free(&plan);
    return status;
}

// ---- a band at a time ----

/// Rows on their way into a file, and what they held so far.
typedef struct Passing {
    const GullyRows* rows;
    size_t width;
    double low, high; ///< [m]
    size_t nodata;
} Passing;

static GullyStatus pass_rows(void* context, int y, int count, float* out) {
    Passing* passing = context;
    GullyStatus status = passing->rows->read(passing->rows->context, y, count, out);
    size_t cells = status ? 0 : (size_t)count * passing->width;
    for (size_t i = 0; i < cells; ++i) {
        double height = (double)out[i];
        passing->nodata += isnan(height) != 0;
        passing->low = fmin(passing->low, height);
        passing->high = fmax(passing->high, height);
    }
    return status;
}

/// Looks at all rows and writes none.
static GullyStatus look_at_rows(const GullyRaster* raster, const GullyRows* rows) {
    int band = gully_band_rows(raster->width), height = raster->height;
    float* values = malloc((size_t)band * (size_t)raster->width * sizeof *values);
    GullyStatus status =
        values ? GULLY_OK : gully_fail(GULLY_NO_MEMORY, "no memory for a band of rows");
    for (int y = 0; y < height && !status; y += band)
        status = rows->read(rows->context, y, height - y < band ? height - y : band, values);
    free(values);
    return status;
}

static bool streams(const ExportPlan* plan, const GullyRaster* raster, const GullyExportDef* def) {
    bool sized = (def->width > 0 && def->width != raster->width) ||
                 (def->height > 0 && def->height != raster->height);
    return plan->format->streams && plan->preset == NULL && !sized && isnan(def->nodata) &&
           isnan(def->fill) && !def->fill_lowest && isnan(def->low) && isnan(def->high);
}

static GullyStatus write_passing(const ExportPlan* plan, const char* path, Passing* passing) {
    GullyRows rows = {.read = pass_rows, .context = passing};
    if (plan->dry_run) return look_at_rows(&plan->raster, &rows);
    return gully_outputs_rows(plan->outputs, path, &plan->raster, &rows);
}

static GullyStatus export_whole(const char* path, const char* name, const GullyRaster* raster,
                                const GullyRows* rows, const GullyExportDef* def,
                                GullyExported* exported) {
    GullyRaster whole = *raster;
    whole.values = malloc((size_t)raster->width * (size_t)raster->height * sizeof(float));
    if (whole.values == NULL)
        return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory for %d x %d cells", path,
                          raster->width, raster->height);
    GullyStatus status = rows->read(rows->context, 0, raster->height, whole.values);
    if (!status) status = gully_export(path, name, &whole, def, exported);
    free(whole.values);
    return status;
}

GullyStatus gully_export_rows(const char* path, const char* name, const GullyRaster* raster,
                              const GullyRows* rows, const GullyExportDef* def,
                              GullyExported* exported) {
    GullyExported unused;
    if (exported == NULL) exported = &unused;
    *exported = (GullyExported){0};
    ExportPlan plan;
    bool folder = is_folder(path);
    GullyStatus status = plan_format(path, folder, def, &plan);
    if (status) return status;
    if (!streams(&plan, raster, def)) return export_whole(path, name, raster, rows, def, exported);
    plan.raster = *raster;
    if (folder && !def->dry_run) status = gully_folder_make(path);
    if (!status)
        status = choose_path(path, name, folder, &plan, exported->path, sizeof exported->path);
    Passing passing = {rows, (size_t)raster->width, INFINITY, -INFINITY, 0};
    if (!status) status = write_passing(&plan, exported->path, &passing);
    bool some = passing.low <= passing.high;
    plan.sidecar.min = some ? passing.low : 0.0;
    plan.sidecar.max = some ? passing.high : 0.0;
    plan.nodata = passing.nodata;
    tell(&plan, exported);
    return status;
}
