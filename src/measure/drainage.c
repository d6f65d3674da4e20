// SPDX-License-Identifier: MIT
// The public functions: the table of measures, checks, and one measure after the other.
#include "gully/drainage.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "measures.h"

// ---- the table ----------------------------------------------------------------------------------

static const GullyDrainageMeasure rows[] = {
#define ROW(member, unit, low, median, high, meaning)                                              \
    {#member, unit, meaning, (double)(low), (double)(median), (double)(high)},
    GULLY_DRAINAGE_MEASURES(ROW)
#undef ROW
};

static const size_t offsets[] = {
#define OFFSET(member, unit, low, median, high, meaning) offsetof(GullyDrainage, member),
    GULLY_DRAINAGE_MEASURES(OFFSET)
#undef OFFSET
};

enum { ROWS = sizeof rows / sizeof *rows };

const GullyDrainageMeasure* gully_drainage_measures(int* count) {
    *count = ROWS;
    return rows;
}

double gully_drainage_value(const GullyDrainage* drainage, int index) {
    assert(index >= 0 && index < ROWS);
    return *(const double*)((const char*)drainage + offsets[index]);
}

bool gully_drainage_is_real(const GullyDrainage* drainage, int index) {
    double value = gully_drainage_value(drainage, index);
    return value >= rows[index].low && value <= rows[index].high;
}

// ---- measuring ----------------------------------------------------------------------------------

GullyDrainageDef gully_drainage_default(void) {
    return (GullyDrainageDef){.made = GULLY_DEF_MADE, .channel = 20, .river = 50};
}

GullyStatus drainage_progress(const GullyDrainageDef* def, double share) {
    if (!def->progress || def->progress(def->context, share)) return GULLY_OK;
    return gully_fail(GULLY_CANCELLED, "measuring was cancelled");
}

static GullyStatus check(const GullyHeights* heights, const GullyDrainageDef* def) {
    GullyStatus status = gully_def_check(def->made, "gully_drainage_default");
    if (status != GULLY_OK) return status;
    if (!(def->channel >= 2 && def->river >= 2))
        return gully_fail(GULLY_BAD_INPUT, "a channel begins with 2 cells or more");
    if ((uint64_t)heights->width * (uint64_t)heights->height >= UINT32_MAX)
        return gully_fail(GULLY_BAD_INPUT,
                          "%d x %d cells: drainage is measured of up to 4294967294", heights->width,
                          heights->height);
    return GULLY_OK;
}

static void nothing_known(GullyDrainage* out) {
    double none = (double)NAN;
    *out = (GullyDrainage){.rose4_d8 = none, .rose8_d8 = none, .roughness = none};
    for (int i = 0; i < ROWS; i++)
        *(double*)((char*)out + offsets[i]) = none;
}

static void measure_hollows(const Catchment* c, GullyDrainage* out) {
    int64_t hollow = 0;
    for (uint32_t i = 0; i < c->count; i++)
        hollow += in_hollow(c, c->order[i]);
    out->cells = c->count;
    if (c->count > 0) out->hollows = (double)hollow / c->count;
}

// Of cells that have all their neighbours. Adds up to NAN where one of the nine has no data.
static double mean_of_nine(const GullyHeights* heights, int x, int y) {
    double sum = 0;
    for (int row = y - 1; row <= y + 1; row++) {
        const float* middle = heights->values + (size_t)row * (size_t)heights->width + x;
        sum += (double)middle[-1] + (double)middle[0] + (double)middle[1];
    }
    return sum / 9;
}

static void measure_roughness(const GullyHeights* heights, GullyDrainage* out) {
    double squares = 0;
    int64_t cells = 0;
    for (int y = 1; y + 1 < heights->height; y++) {
        for (int x = 1; x + 1 < heights->width; x++) {
            size_t cell = (size_t)y * (size_t)heights->width + (size_t)x;
            double apart = (double)heights->values[cell] - mean_of_nine(heights, x, y);
            if (!isfinite(apart)) continue;
            squares += apart * apart;
            cells++;
        }
    }
    if (cells > 0) out->roughness = sqrt(squares / (double)cells);
}

static GullyStatus measure_all(const Catchment* c, GullyDrainage* out) {
    measure_hollows(c, out);
    measure_roughness(c->heights, out);
    measure_scaling(c, out);
    measure_rose(c, out);
    GullyStatus status = drainage_progress(c->def, 0.8);
    return status == GULLY_OK ? measure_network(c, out) : status;
}

GullyStatus gully_drainage_measure(const GullyHeights* heights, const GullyDrainageDef* def,
                                   GullyDrainage* out) {
    assert(heights && def && out);
    nothing_known(out);
    GullyStatus status = check(heights, def);
    if (status != GULLY_OK) return status;
    Catchment catchment;
    status = catchment_make(heights, def, &catchment);
    if (status == GULLY_OK) status = measure_all(&catchment, out);
    catchment_free(&catchment);
    if (status == GULLY_OK) status = measure_spectrum(heights, def, out);
    if (status == GULLY_NO_MEMORY)
        return gully_fail(status, "not enough memory for the drainage of %d x %d cells",
                          heights->width, heights->height);
    return status;
}
