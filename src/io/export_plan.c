// SPDX-License-Identifier: MIT
// What will be written: format, size, range, nodata. Everything that can be refused is refused
// here.

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export_plan.h"
#include "json_parts.h"
#include "names.h"
#include "sidecar.h"

GullyExportDef gully_export_default(void) {
    return (GullyExportDef){
        .made = GULLY_DEF_MADE, .low = NAN, .high = NAN, .nodata = NAN, .fill = NAN};
}

// ---- the format ----

static const Format* first_format(const Preset* preset) {
    char name[16];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(preset->info.formats, "|"),
             preset->info.formats);
    return format_named(preset->info.name, name);
}

static bool flips(const Format* format) {
    return format->flips;
}

static bool orders(const Format* format) {
    return format->orders;
}

static bool has_steps(const Format* format) {
    return format->numbers == GULLY_UINT16;
}

GullyStatus plan_format(const char* path, bool folder, const GullyExportDef* def,
                        ExportPlan* plan) {
    *plan = (ExportPlan){.outputs = def->outputs, .dry_run = def->dry_run};
    GullyStatus status = gully_def_check(def->made, "gully_export_default");
    if (status != GULLY_OK) return status;
    if (def->preset != NULL) {
        plan->preset = preset_named(def->preset);
        if (plan->preset == NULL) return GULLY_BAD_INPUT;
    }
    if (def->format != NULL)
        plan->format = format_named(path, def->format);
    else if (folder && plan->preset != NULL)
        plan->format = first_format(plan->preset);
    else
        plan->format = folder ? format_named(path, "tif") : format_by_extension(path);
    if (plan->format == NULL) return GULLY_BAD_INPUT;
    const char* name = plan->format->info.name;
    if (plan->preset != NULL && !names_have(plan->preset->info.formats, name))
        return gully_fail(GULLY_BAD_INPUT, "%s: preset %s does not take %s; it takes %s", path,
                          plan->preset->info.name, name, plan->preset->info.formats);
    char list[128];
    if (def->flip && !plan->format->flips) {
        format_list(flips, list, sizeof list);
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: %s has its rows from north to south; flip goes with %s", path, name,
                          list);
    }
    if (def->big_endian && !plan->format->orders) {
        format_list(orders, list, sizeof list);
        return gully_fail(GULLY_BAD_INPUT, "%s: the byte order of %s is fixed; it goes with %s",
                          path, name, list);
    }
    return GULLY_OK;
}

void plan_extension(const ExportPlan* plan, char* buffer, size_t size) {
    if (plan->preset != NULL && plan->preset->extension != NULL)
        snprintf(buffer, size, "%s", plan->preset->extension);
    else
        format_extension(plan->format, buffer, size);
}

// ---- the size ----

/// The cells of one side, if the other has so many of its own and the aspect stays.
static int follow(const Preset* preset, int given, int own, int other) {
    int side = (int)fmax(1.0, round((double)given * other / own));
    return preset_nearest_side(preset, preset != NULL && preset->info.square ? given : side);
}

bool plan_size(const GullyRaster* raster, const GullyExportDef* def, const Preset* preset,
               int* width, int* height) {
    *width = def->width;
    *height = def->height;
    if (*width > 0 && *height <= 0) *height = follow(preset, *width, raster->width, raster->height);
    if (*height > 0 && *width <= 0) *width = follow(preset, *height, raster->height, raster->width);
    return *width > 0 && *height > 0;
}

// ---- the numbers ----

/// The heights that there are.
typedef struct Heights {
    double low, high; ///< 0 if there is none
    bool some, holes;
} Heights;

static Heights look_at(const GullyRaster* raster) {
    Heights heights = {.low = INFINITY, .high = -INFINITY};
    size_t count = (size_t)raster->width * (size_t)raster->height;
    for (size_t i = 0; i < count; ++i) {
        double height = (double)raster->values[i];
        if (isnan(height)) {
            heights.holes = true;
            continue;
        }
        heights.low = fmin(heights.low, height);
        heights.high = fmax(heights.high, height);
    }
    heights.some = heights.low <= heights.high;
    if (!heights.some) heights.low = heights.high = 0.0;
    return heights;
}

static size_t count_nodata(const GullyRaster* raster) {
    size_t count = (size_t)raster->width * (size_t)raster->height, missing = 0;
    for (size_t i = 0; i < count; ++i)
        missing += isnan(raster->values[i]) != 0;
    return missing;
}

static bool has_height(const GullyRaster* raster, float wanted) {
    size_t count = (size_t)raster->width * (size_t)raster->height;
    for (size_t i = 0; i < count; ++i)
        if (raster->values[i] == wanted) return true;
    return false;
}

/// Which number stands for nodata. Of steps only if it must be; of metres one that is no height.
static GullyStatus choose_nodata(const char* path, const GullyExportDef* def,
                                 const Heights* heights, ExportPlan* plan) {
    GullySidecar* s = &plan->sidecar;
    bool given = !isnan(def->nodata);
    if (s->numbers == GULLY_UINT16) {
        s->has_nodata = given || heights->holes;
        s->nodata = given ? def->nodata : 0.0;
        if (s->nodata >= 0.0 && s->nodata <= 65535.0 && floor(s->nodata) == s->nodata)
            return GULLY_OK;
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: nodata %g is no number of 16 bits; allowed: 0 to 65535", path,
                          s->nodata);
    }
    s->has_nodata = true;
    s->nodata = given ? (double)(float)def->nodata : plan->format->usual;
    if (s->numbers == GULLY_INT16 && (s->nodata != -32768.0))
        return gully_fail(GULLY_BAD_INPUT, "%s: nodata of %s is -32768, not %g", path,
                          plan->format->info.name, s->nodata);
    while (!given && has_height(&plan->raster, (float)s->nodata))
        s->nodata = (double)((float)s->nodata * 10.0f - 9.0f); // -9999, -99999, ...
    if (given && has_height(&plan->raster, (float)s->nodata))
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: nodata %g is also the height of a cell; choose another", path,
                          s->nodata);
    return GULLY_OK;
}

/// The range of steps if nobody names one: all of them for the heights that there are.
static void choose_range(const Heights* heights, ExportPlan* plan) {
    GullySidecar* s = &plan->sidecar;
    double low = heights->low, high = heights->high;
    if (high <= low) high = low + 1.0;
    double step = (high - low) / 65534.0; // if one step is taken by nodata
    s->min = s->has_nodata && s->nodata == 0.0 ? low - step : low;
    s->max = s->has_nodata && s->nodata == 65535.0 ? high + step : high;
    if (plan->preset == NULL || !plan->preset->centred || heights->low >= 0.0 ||
        heights->high <= 0.0)
        return;
    step = fmax(fmax(-heights->low / 32768.0, heights->high / 32767.0), 1e-9);
    s->min = -32768.0 * step;
    s->max = 32767.0 * step;
}

static GullyStatus take_range(const char* path, const GullyExportDef* def, const Heights* heights,
                              ExportPlan* plan) {
    bool given = !isnan(def->low) || !isnan(def->high);
    if (plan->sidecar.numbers != GULLY_UINT16) {
        plan->sidecar.min = heights->low;
        plan->sidecar.max = heights->high;
        if (!given) return GULLY_OK;
        char list[128];
        format_list(has_steps, list, sizeof list);
        return gully_fail(GULLY_BAD_INPUT, "%s: %s holds metres; a range goes with %s", path,
                          plan->format->info.name, list);
    }
    if (!given) {
        choose_range(heights, plan);
        return GULLY_OK;
    }
    if (!(def->low < def->high) || fabs(def->low) > 1e30 || fabs(def->high) > 1e30)
        return gully_fail(GULLY_BAD_INPUT, "%s: range %g,%g: LOW must be below HIGH", path,
                          def->low, def->high);
    if (heights->some && (heights->low < def->low || heights->high > def->high))
        return gully_fail(
            GULLY_BAD_INPUT,
            "%s: range %.9g,%.9g: the heights go from %.9g to %.9g m and would be cut "
            "off",
            path, def->low, def->high, heights->low, heights->high);
    plan->sidecar.min = def->low;
    plan->sidecar.max = def->high;
    return GULLY_OK;
}

static GullyStatus copy_raster(const GullyRaster* raster, GullyRaster* out) {
    size_t size = (size_t)raster->width * (size_t)raster->height * sizeof(float);
    *out = *raster;
    out->georeference.projection = NULL;
    out->values = malloc(size);
    if (out->values == NULL) return gully_fail(GULLY_NO_MEMORY, "not enough memory");
    memcpy(out->values, raster->values, size);
    return georeference_copy(&raster->georeference, &out->georeference);
}

/// Gives the plan the raster in its size. Programs that heed no georeference take the first row for
/// the northernmost, so for them it is.
static GullyStatus take_raster(const GullyRaster* raster, int width, int height, ExportPlan* plan) {
    const double* t = raster->georeference.transform;
    bool turn = raster->georeference.known && !(t[1] >= 0.0 && t[5] <= 0.0) &&
                (!plan->format->placed || plan->preset != NULL);
    bool same = width == raster->width && height == raster->height;
    plan->borrowed = same && !turn;
    GullyStatus status = GULLY_OK;
    if (plan->borrowed)
        plan->raster = *raster;
    else
        status = same ? copy_raster(raster, &plan->raster)
                      : gully_raster_resample(raster, width, height, &plan->raster);
    if (!status && turn) gully_raster_face_north(&plan->raster);
    return status;
}

/// Counts the cells without a height, and gives them one if that is asked for.
static GullyStatus fill_nodata(const GullyExportDef* def, ExportPlan* plan) {
    plan->nodata = count_nodata(&plan->raster);
    if (plan->nodata == 0 || (isnan(def->fill) && !def->fill_lowest)) return GULLY_OK;
    Heights heights = look_at(&plan->raster);
    if (plan->borrowed) {
        GullyRaster own;
        GullyStatus status = copy_raster(&plan->raster, &own);
        if (status) return status;
        plan->raster = own;
        plan->borrowed = false;
    }
    float height = (float)(def->fill_lowest ? heights.low : def->fill);
    size_t count = (size_t)plan->raster.width * (size_t)plan->raster.height;
    for (size_t i = 0; i < count; ++i)
        if (isnan(plan->raster.values[i])) plan->raster.values[i] = height;
    plan->filled = plan->nodata;
    plan->nodata = 0;
    return GULLY_OK;
}

GullyStatus plan_numbers(const char* path, const GullyRaster* raster, int width, int height,
                         const GullyExportDef* def, ExportPlan* plan) {
    if (width > INT_MAX / height)
        return gully_fail(GULLY_BAD_INPUT, "%s: %d x %d cells are too many; at most %d in all",
                          path, width, height, INT_MAX);
    GullyStatus status = take_raster(raster, width, height, plan);
    if (!status) status = fill_nodata(def, plan);
    if (status) return gully_fail_in(status, "%s", path);
    plan->sidecar = (GullySidecar){
        .numbers = plan->format->numbers,
        .big_endian = plan->format->orders ? def->big_endian : plan->format->big,
        .flip = def->flip || (plan->preset != NULL && plan->preset->flip),
    };
    Heights heights = look_at(&plan->raster);
    status = choose_nodata(path, def, &heights, plan);
    if (!status) status = take_range(path, def, &heights, plan);
    return status;
}

void plan_free(ExportPlan* plan) {
    if (!plan->borrowed) gully_raster_free(&plan->raster);
}

// ---- writing ----

GullyStatus plan_write(const ExportPlan* plan, const char* path, const GullyRaster* part) {
    GullySidecar sidecar = plan->sidecar;
    sidecar.width = part->width;
    sidecar.height = part->height;
    sidecar.cell_x = part->cell_x;
    sidecar.cell_y = part->cell_y;
    sidecar.georeference = part->georeference;
    GullyStatus status = GULLY_OK;
    if (plan->format->info.sidecar) status = sidecar_check_free(path);
    if (!status && plan->format->check != NULL) status = plan->format->check(path, part, &sidecar);
    if (status || plan->dry_run) return status;
    status = plan->format->write(path, part, &sidecar, plan->outputs);
    if (status || !plan->format->info.sidecar) return status;
    json_t* json = sidecar_json(&sidecar, plan->format->info.name);
    if (json != NULL && plan->preset != NULL && plan->preset->describe != NULL)
        plan->preset->describe(&sidecar, json);
    return sidecar_write(path, json, plan->outputs);
}
