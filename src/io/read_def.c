// SPDX-License-Identifier: MIT
#include "read_def.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "notes.h"
#include "units.h"

// ---- the table ----

#define MEMBER(member) offsetof(GullyReadDef, member)
#define NUMBERS(member, option, arguments, fewest, most, low, high, help)                          \
    {#member, option, arguments, false, fewest, most, low, high, help, MEMBER(member)},
#define CHOICE(member, option, names, help)                                                        \
    {#member, option, names, true, 0, 0, 0.0, 0.0, help, MEMBER(member)},
static const GullyReadRow rows[] = {GULLY_READ_TABLE(NUMBERS, CHOICE)};

const GullyReadRow* gully_read_rows(int* count) {
    *count = sizeof rows / sizeof rows[0];
    return rows;
}

// ---- what is told ----

GullyStatus read_def_check(const char* path, const GullyReadDef* def) {
    const double* range = def->range.numbers;
    if (def->range.count > 0 && !(range[0] < range[1]))
        return gully_fail(GULLY_BAD_INPUT, "%s: range %g %g: LOW must be below HIGH", path,
                          range[0], range[1]);
    if (def->range.count > 0 && (def->scale != NULL || def->offset != NULL))
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: a range and a scale or offset say the same thing; one of them",
                          path);
    if (def->cell.count > 0 && def->extent.count > 0)
        return gully_fail(GULLY_BAD_INPUT, "%s: cell and extent say the same thing; one of them",
                          path);
    if (def->band.count > 0 && floor(def->band.numbers[0]) != def->band.numbers[0])
        return gully_fail(GULLY_BAD_INPUT, "%s: band %g: must be a whole number", path,
                          def->band.numbers[0]);
    if (def->unit != NULL && unit_of_length(def->unit) == 0.0)
        return gully_fail(GULLY_BAD_INPUT, "%s: '%s' is no unit; there are m, ft, ftUS, cm", path,
                          def->unit);
    return GULLY_OK;
}

double read_def_unit(const GullyReadDef* def) {
    return def->unit != NULL ? unit_of_length(def->unit) : 1.0;
}

/// The greatest number of a type whose numbers can be counts from 0; 0 = it has none.
static double greatest_count(const char* type) {
    static const struct {
        const char* type;
        double greatest;
    } types[] = {{"Byte", 255.0},  {"UInt16", 65535.0}, {"UInt32", 4294967295.0},
                 {"Float16", 1.0}, {"Float32", 1.0},    {"Float64", 1.0}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i)
        if (strcmp(types[i].type, type) == 0) return types[i].greatest;
    return 0.0;
}

GullyStatus read_def_scale(const char* path, const GullyReadDef* def, const char* type,
                           double* scale, double* offset) {
    double unit = read_def_unit(def), greatest = greatest_count(type);
    if (def->range.count > 0 && greatest == 0.0)
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: its numbers are %s; a range goes with counts: Byte, UInt16, UInt32, "
                          "or floats from 0 to 1",
                          path, type);
    if (def->range.count > 0) {
        *scale = (def->range.numbers[1] - def->range.numbers[0]) / greatest;
        *offset = def->range.numbers[0];
    }
    if (def->scale != NULL) *scale = *def->scale;
    if (def->offset != NULL) *offset = *def->offset;
    *scale *= unit;
    *offset *= unit;
    return GULLY_OK;
}

// ---- numbers that are hardly heights ----

static const double usual_odd[] = {-9999.0, -32768.0, -32767.0, -99999.0, -2147483648.0};
enum { USUAL = sizeof usual_odd / sizeof usual_odd[0] };
static_assert(USUAL + 1 == ODD_NUMBERS, "and the huge ones");

OddNumbers read_def_odd(const GullyReadDef* def, double scale, double offset) {
    OddNumbers odd = {.plain = def->plain,
                      .scale = scale,
                      .offset = offset,
                      .most = -INFINITY,
                      .highest = -INFINITY};
    for (int k = 0; k < USUAL; ++k) {
        odd.odd[k] = (struct OddNumber){usual_odd[k], (float)(usual_odd[k] * scale + offset), 0};
        odd.most = fmaxf(odd.most, odd.odd[k].height);
    }
    odd.huge = scale != 0.0 ? 1e19 * fabs(scale) : INFINITY;
    return odd;
}

/// Counts what no height can be: 1e20, 9.97e36 of NetCDF, the lowest float more or less. Only the
/// first such number is counted.
static void count_huge(OddNumbers* odd, float value) {
    struct OddNumber* huge = &odd->odd[USUAL];
    if (huge->count == 0) {
        huge->number = ((double)value - odd->offset) / odd->scale;
        huge->height = value;
    }
    huge->count += value == huge->height;
}

void odd_numbers_count(OddNumbers* odd, const float* values, size_t count) {
    for (size_t i = 0; i < count && !odd->plain; ++i) {
        for (int k = 0; k < USUAL && values[i] <= odd->most; ++k)
            odd->odd[k].count += values[i] == odd->odd[k].height;
        odd->highest = values[i] > odd->highest ? values[i] : odd->highest;
        if (fabs((double)values[i]) > odd->huge) count_huge(odd, values[i]);
    }
}

/// Whether a raster on a map has whole numbers above any mountain of the planets, as they are in the
/// file: counts, or another unit.
static bool are_rather_counts(const OddNumbers* odd, const GullyRaster* raster) {
    const bool whole = strstr(raster->type, "Int") != NULL;
    return whole && !odd->explained && raster->georeference.known && odd->scale == 1.0 &&
           odd->offset == 0.0 && odd->highest > 22000.0f;
}

void odd_numbers_note(const OddNumbers* odd, GullyRaster* raster) {
    if (are_rather_counts(odd, raster))
        raster_note(raster,
                    "heights up to %g m, above any mountain: if they are counts, --range LOW HIGH "
                    "says what they mean; if they are no metres, --unit",
                    (double)odd->highest);
    for (int k = 0; k < ODD_NUMBERS; ++k)
        if (odd->odd[k].count > 0)
            raster_note(raster,
                        "%zu cells are %.9g, which the file does not call nodata; --nodata-in %.9g "
                        "does",
                        odd->odd[k].count, odd->odd[k].number, odd->odd[k].number);
}

// ---- numbers as they are in the file ----

GullyStatus read_def_meaning(const char* path, const GullyReadDef* def, GullyRaster* head,
                             NumberMeaning* out) {
    *out = (NumberMeaning){.scale = 1.0, .has_nodata = def->nodata_in.count > 0};
    out->nodata = (float)def->nodata_in.numbers[0];
    if (def->unit != NULL) snprintf(head->unit, sizeof head->unit, "m");
    return read_def_scale(path, def, head->type, &out->scale, &out->offset);
}

void numbers_mean(const NumberMeaning* meaning, float* values, size_t count) {
    bool as_is = meaning->scale == 1.0 && meaning->offset == 0.0; // -0 + 0 would be +0
    for (size_t i = 0; i < count; ++i) {
        float number = values[i];
        float height = as_is ? number : (float)(meaning->offset + (double)number * meaning->scale);
        bool missing = meaning->has_nodata && number == meaning->nodata;
        values[i] = missing || !isfinite(height) ? NAN : height;
    }
}

GullyStatus read_def_check_counts(const char* path, const GullyReadDef* def, const char* type,
                                  const float* values, size_t count) {
    if (def->range.count == 0) return GULLY_OK;
    double unit = read_def_unit(def), low = def->range.numbers[0], high = def->range.numbers[1];
    double slack = 1e-3 * (high - low) * unit;
    for (size_t i = 0; i < count; ++i) {
        double height = (double)values[i];
        if (!(height < low * unit - slack || height > high * unit + slack)) continue;
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: its numbers are %s and not counts from 0 to 1 (one is %g), so a "
                          "range says nothing of them; that of a file to be written is --out-range",
                          path, type, (height / unit - low) / (high - low));
    }
    return GULLY_OK;
}

// ---- cells ----

static bool is_usable(double cell) {
    return cell >= 1e-6 && cell <= 1e9;
}

void raster_replace_cells(GullyRaster* raster, double cell_x, double cell_y) {
    // Degrees stay degrees: they say where it lies. Otherwise both steps of the transform keep
    // their direction and its units and get a new length.
    GullyGeoreference* georeference = &raster->georeference;
    double* transform = georeference->transform;
    bool known = georeference->known && is_usable(raster->cell_x) && is_usable(raster->cell_y);
    if (!georeference->geographic && known) {
        transform[1] = transform[1] * cell_x / raster->cell_x;
        transform[4] = transform[4] * cell_x / raster->cell_x;
        transform[2] = transform[2] * cell_y / raster->cell_y;
        transform[5] = transform[5] * cell_y / raster->cell_y;
    } else if (!georeference->geographic) {
        GullyGeoreference plain = gully_georeference_plain(raster->height, cell_x, cell_y);
        memcpy(transform, plain.transform, sizeof plain.transform);
        free(plain.projection);
    }
    raster->cell_x = cell_x;
    raster->cell_y = cell_y;
}

static void take_cells(const GullyReadDef* def, GullyRaster* raster) {
    const double *cell = def->cell.numbers, *extent = def->extent.numbers;
    if (def->cell.count > 0)
        raster_replace_cells(raster, cell[0], cell[def->cell.count - 1]);
    else if (def->extent.count > 0)
        raster_replace_cells(raster, extent[0] / raster->width, extent[1] / raster->height);
}

/// Whether a raster without a projection lies where degrees lie: cells below a tenth of a unit,
/// corners within 360 and 90, and none of them at 0, where a raster of no place would lie.
static bool looks_like_degrees(const GullyRaster* raster) {
    const GullyGeoreference* place = &raster->georeference;
    const double* t = place->transform;
    if (!place->known || place->projection != NULL) return false;
    double east = t[0] + raster->width * t[1] + raster->height * t[2];
    double south = t[3] + raster->width * t[4] + raster->height * t[5];
    bool inside =
        fabs(t[0]) <= 360.0 && fabs(east) <= 360.0 && fabs(t[3]) <= 90.0 && fabs(south) <= 90.0;
    return inside && raster->cell_x < 0.1 && raster->cell_y < 0.1 && (t[0] != 0.0 || south != 0.0);
}

/// Whether the numbers are rather those of a picture than heights: counts of 8 bits, or counts in a
/// file of pictures or without a place.
static bool are_of_an_image(const GullyRaster* raster) {
    static const char* const pictures[] = {"PNG", "JPEG", "BMP", "GIF", "WEBP"};
    bool picture = !raster->georeference.known;
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; ++i)
        picture = picture || strcmp(raster->driver, pictures[i]) == 0;
    return strcmp(raster->type, "Byte") == 0 || (picture && strcmp(raster->type, "UInt16") == 0);
}

/// Notes what was taken for granted because nobody said it.
static void note_assumptions(const GullyReadDef* def, GullyRaster* raster) {
    bool sized = def->cell.count > 0 || def->extent.count > 0;
    bool placed = raster->georeference.known || sized;
    bool meant = def->range.count > 0 || def->scale != NULL || def->offset != NULL ||
                 def->unit != NULL || raster->unit[0] != '\0';
    if (are_of_an_image(raster) && !meant)
        raster_note(raster, "an image that does not say what its numbers mean: they were taken for "
                            "metres; --range LOW HIGH gives those of its darkest and brightest");
    if (!placed)
        raster_note(raster, "no size of the cells: 1 x 1 m was taken; --cell or --extent gives it");
    if (!sized && looks_like_degrees(raster))
        raster_note(raster,
                    "no projection, and its place looks like degrees: cells of %g x %g m were "
                    "taken; `gdal_translate -a_srs EPSG:4326 IN OUT.tif` says that they are "
                    "degrees, or --cell gives metres",
                    raster->cell_x, raster->cell_y);
    bool said = strcmp(raster->driver, "EXR") == 0; // with the names of its channels
    if (raster->bands > 1 && def->band.count == 0 && !said)
        raster_note(raster, "read band %d of %d; --band takes another", raster->band,
                    raster->bands);
}

void read_def_finish(const GullyReadDef* def, bool sidecar, GullyRaster* raster) {
    if (!sidecar && !def->plain) note_assumptions(def, raster);
    take_cells(def, raster);
}
