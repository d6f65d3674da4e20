// SPDX-License-Identifier: MIT
#include "scales.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// As src/render/measure.c has them for pictures.
enum { LOWEST, RELIEF, STEEP, WATER, LAKE, SEDIMENT, DEPOSIT, WEAR, FLOW };
static const char* const names[SCALE_QUANTITIES] = {
    "lowest", "relief", "steep", "water", "lake", "sediment", "deposit", "wear", "flow",
};

enum { SIDE = 128 };                  ///< samples along a side, about
static const double OTHER = 0.1;      ///< share by which a scale must differ to be another one
static const double OTHER_LAND = 0.5; ///< and for heights: colours of the land stay

typedef struct Samples {
    float* values;
    int count;
} Samples;

static int compare(const void* a, const void* b) {
    float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

/// The quantile of those that reach `least`.
static double quantile(const Samples* samples, double share, float least) {
    int first = 0;
    while (first < samples->count && samples->values[first] < least)
        first++;
    const int count = samples->count - first;
    return count > 0 ? (double)samples->values[first + (int)fmin(count - 1, share * count)] : 0;
}

/// Some cells of a field, sorted; less those of another one, unless that is the same.
static bool sample(const GullyWorld* world, GullyField field, GullyField less, Samples* out) {
    const int width = gully_world_width(world), height = gully_world_height(world);
    const int across = width > SIDE ? width / SIDE : 1, down = height > SIDE ? height / SIDE : 1;
    float* row = malloc(2 * (size_t)width * sizeof *row);
    out->count = 0;
    bool good = row;
    for (int y = down / 2; y < height && good; y += down) {
        const GullyRect rect = {0, y, width, 1};
        good = gully_world_read(world, field, rect, row) == GULLY_OK;
        if (good && less != field)
            good = gully_world_read(world, less, rect, row + width) == GULLY_OK;
        for (int x = across / 2; x < width && good; x += across) {
            float value = row[x] - (less != field ? row[width + x] : 0);
            if (!isnan(value)) out->values[out->count++] = value;
        }
    }
    free(row);
    qsort(out->values, (size_t)out->count, sizeof *out->values, compare);
    return good;
}

/// Slopes of the ground, sorted.
static bool sample_slopes(const GullyWorld* world, Samples* out) {
    const int width = gully_world_width(world), height = gully_world_height(world);
    const int across = width > SIDE ? width / SIDE : 1, down = height > SIDE ? height / SIDE : 1;
    const float cell_x = (float)gully_world_cell_x(world),
                cell_y = (float)gully_world_cell_y(world);
    float* rows = malloc(2 * (size_t)width * sizeof *rows);
    out->count = 0;
    bool good = rows;
    for (int y = down / 2; y + 1 < height && good; y += down) {
        good =
            gully_world_read(world, GULLY_TERRAIN, (GullyRect){0, y, width, 2}, rows) == GULLY_OK;
        for (int x = across / 2; x + 1 < width && good; x += across) {
            float along = (rows[x + 1] - rows[x]) / cell_x;
            float aside = (rows[width + x] - rows[x]) / cell_y;
            float slope = sqrtf(along * along + aside * aside);
            if (!isnan(slope)) out->values[out->count++] = slope;
        }
    }
    free(rows);
    qsort(out->values, (size_t)out->count, sizeof *out->values, compare);
    return good;
}

static bool measure_ground(const GullyWorld* world, Samples* samples, double* v) {
    if (!sample(world, GULLY_TERRAIN, GULLY_TERRAIN, samples)) return false;
    const double side = fmax(gully_world_width(world) * gully_world_cell_x(world),
                             gully_world_height(world) * gully_world_cell_y(world));
    v[LOWEST] = quantile(samples, 0.005, -INFINITY);
    v[RELIEF] = fmax(quantile(samples, 0.998, -INFINITY) - v[LOWEST], 0.002 * side);
    if (!sample_slopes(world, samples)) return false;
    v[STEEP] = fmax(quantile(samples, 0.9, 0), 0.15);
    return true;
}

static bool measure_water(const GullyWorld* world, Samples* samples, double* v) {
    if (!sample(world, GULLY_WATER, GULLY_WATER, samples)) return false;
    // Decimetres are clear water, unless most of the land is that wet: then what is deeper is.
    const double clear = fmin(fmax(quantile(samples, 0.995, 0), 0.02), 0.1);
    v[WATER] = fmax(clear, fmin(quantile(samples, 0.8, 0), 0.5));
    v[LAKE] = fmax(quantile(samples, 0.9, 0.5f), 2);
    if (!sample(world, GULLY_SEDIMENT, GULLY_SEDIMENT, samples)) return false;
    v[SEDIMENT] = fmax(quantile(samples, 0.98, 1e-6f) / 2, 1e-4);
    return true;
}

static bool measure_traces(const GullyWorld* world, Samples* samples, double* v) {
    if (!sample(world, GULLY_DEPOSIT, GULLY_WEAR, samples)) return false;
    v[DEPOSIT] = fmax(quantile(samples, 0.95, 1e-6f) / 2, 1e-3);
    if (!sample(world, GULLY_WEAR, GULLY_WEAR, samples)) return false;
    v[WEAR] = fmax(quantile(samples, 0.95, 1e-6f) / 2, 1e-3);
    if (!sample(world, GULLY_FLOW, GULLY_FLOW, samples)) return false;
    v[FLOW] = fmax(quantile(samples, 0.998, 0), 1e-9);
    return true;
}

/// False if there is no memory, or the world cannot be read.
static bool measure(const GullyWorld* world, LandScale* out) {
    Samples samples = {malloc(sizeof(float) * 4 * (SIDE + 2) * (SIDE + 2)), 0};
    bool good = samples.values && measure_ground(world, &samples, out->values) &&
                measure_water(world, &samples, out->values) &&
                measure_traces(world, &samples, out->values);
    free(samples.values);
    return good;
}

static bool differs(double a, double b, double share) {
    return fabs(a - b) > share * fmax(fabs(a), fabs(b));
}

/// Whether a scale is another one than that in force. The land's own part stays as it was unless the
/// land has become quite another: then `next` has the new one, else the old.
static bool is_other(const LandScale* now, LandScale* next) {
    const bool land = differs(now->values[RELIEF], next->values[RELIEF], OTHER_LAND) ||
                      fabs(now->values[LOWEST] - next->values[LOWEST]) > now->values[RELIEF];
    if (!land) memcpy(next->values, now->values, (STEEP + 1) * sizeof *next->values);
    bool other = land;
    for (int i = WATER; i < SCALE_QUANTITIES; i++)
        other = other || differs(now->values[i], next->values[i], OTHER);
    return other;
}

static const LandScale* in_force(const Scales* scales, int64_t step) {
    int i = scales->count - 1;
    while (i > 0 && scales->list[i].step > step)
        i--;
    return &scales->list[i];
}

void scales_begin(Scales* scales, const GullyWorld* world, int64_t step) {
    *scales = (Scales){.count = 1, .list[0] = {.values = {0, 1, 1, 1, 1, 1, 1, 1, 1}}};
    measure(world, &scales->list[0]);
    scales->list[0].step = step;
}

void scales_follow(Scales* scales, const GullyWorld* world, int64_t step) {
    LandScale next = {.step = step};
    while (scales->count > 1 && scales->list[scales->count - 1].step >= step)
        scales->count--; // of a future that has not come
    if (!measure(world, &next) || !is_other(&scales->list[scales->count - 1], &next)) return;
    if (scales->count == SCALES) { // every second one stays
        for (int i = 1; i < SCALES / 2; i++)
            scales->list[i] = scales->list[2 * i];
        scales->count = SCALES / 2;
    }
    scales->list[scales->count++] = next;
}

json_t* scales_json(const Scales* scales, int64_t step) {
    const LandScale* scale = in_force(scales, step);
    json_t* object = json_object();
    for (int i = 0; i < SCALE_QUANTITIES; i++)
        json_object_set_new(object, names[i], json_real(scale->values[i]));
    return object;
}
