// SPDX-License-Identifier: MIT
// Horizons by sweeps along parallel lines (Timonen & Westerholm 2010): going away from where one
// looks, the points passed so far that can still be a horizon are a convex hull, kept on a stack. A
// point costs a constant time on average, however far its horizon is.
//
// Lines advance one cell at a time along the longer component of the direction, and by a fraction
// of a cell across: `along` and `across` below, whichever of x and y they are.
#include "horizon.h"

#include <stdlib.h>

enum { SKY_DIRECTIONS = 10 };

/// One direction to look in.
typedef struct Sweep {
    const Land* land;
    bool x_along;
    int along, across; // cells
    bool backward;     // one looks towards the first column or row
    double drift;      // cells across per cell along, with the sign of the direction
    int* shift;        // by the place along: whole cells that a line has drifted, and
    float* share;      // the rest; then the same for the way back
    int first, lines;  // of the lines, by where they cross the column or row 0
    double step;       // metres per cell along
    float* slopes;     // of the horizon, lines * along; NaN = unknown
    float* sum;        // of the sky's shares, by cells
    float* stacks;     // room of the workers: two stacks each
    // What becomes of it.
    float sun_low, sun_high; // angles of the horizon between which the sun sets
    Daylight* daylight;
} Sweep;

/// Height of the surface on a line; NaN in a hole and outside.
static float line_height(const Sweep* sweep, int line, int a) {
    int c = line + sweep->shift[a];
    float share = sweep->share[a];
    if (c < 0 || c > sweep->across - 1 || (c == sweep->across - 1 && share > 0)) return NAN;
    size_t width = (size_t)sweep->land->width;
    size_t k = sweep->x_along ? (size_t)c * width + (size_t)a : (size_t)a * width + (size_t)c;
    float low = sweep->land->surface[k];
    if (share == 0) return low;
    return low + share * (sweep->land->surface[k + (sweep->x_along ? width : 1)] - low);
}

/// Horizons of one line, from its end in the direction of sight backwards.
static void sweep_line(void* context, int item, int worker) {
    const Sweep* sweep = context;
    float* heights = sweep->stacks + (size_t)worker * 2 * (size_t)sweep->along;
    float* places = heights + sweep->along;
    float* out = sweep->slopes + (size_t)item * (size_t)sweep->along;
    int line = sweep->first + item, depth = 0;
    float step = (float)sweep->step;
    for (int i = 0; i < sweep->along; i++) {
        int a = sweep->backward ? i : sweep->along - 1 - i;
        float height = line_height(sweep, line, a);
        out[a] = isnan(height) ? NAN : 0;
        if (isnan(height)) continue;
        float place = step * (float)i;
        float slope = 0;
        for (; depth > 0; depth--) {
            slope = (heights[depth - 1] - height) / (place - places[depth - 1]);
            if (depth == 1) break;
            float next = (heights[depth - 2] - height) / (place - places[depth - 2]);
            if (next < slope) break;
        }
        out[a] = depth > 0 && slope > 0 ? slope : 0;
        heights[depth] = height;
        places[depth++] = place;
    }
}

/// The horizon of a cell, from the two lines it lies between.
static float cell_slope(const Sweep* sweep, int x, int y) {
    int a = sweep->x_along ? x : y, c = sweep->x_along ? y : x;
    int line = c + sweep->shift[sweep->along + a] - sweep->first;
    float share = sweep->share[sweep->along + a];
    const float* slopes = sweep->slopes + (size_t)line * (size_t)sweep->along + a;
    float low = line >= 0 ? slopes[0] : NAN;
    if (share == 0 || line + 1 >= sweep->lines) return low;
    float high = slopes[sweep->along];
    if (isnan(low)) return high;
    return isnan(high) ? low : low + share * (high - low);
}

static void shade_row(void* context, int y, int worker) {
    (void)worker;
    const Sweep* sweep = context;
    size_t first = (size_t)y * (size_t)sweep->land->width;
    for (int x = 0; x < sweep->land->width; x++) {
        float slope = cell_slope(sweep, x, y);
        float angle = isnan(slope) ? 0 : atanf(slope);
        float light = 1 - ramp(angle, sweep->sun_low, sweep->sun_high);
        sweep->daylight->sun[first + (size_t)x] = (unsigned char)(255 * light + 0.5f);
    }
}

/// A horizon at the angle h leaves cos(h)^2 of the light of an even sky.
static void open_row(void* context, int y, int worker) {
    (void)worker;
    const Sweep* sweep = context;
    float* sum = sweep->sum + (size_t)y * (size_t)sweep->land->width;
    for (int x = 0; x < sweep->land->width; x++) {
        float slope = cell_slope(sweep, x, y);
        sum[x] += isnan(slope) ? 1 : 1 / (1 + slope * slope);
    }
}

static void finish_sky_row(void* context, int y, int worker) {
    (void)worker;
    const Sweep* sweep = context;
    size_t first = (size_t)y * (size_t)sweep->land->width;
    for (size_t k = first; k < first + (size_t)sweep->land->width; k++)
        sweep->daylight->sky[k] = (unsigned char)(255 * sweep->sum[k] / SKY_DIRECTIONS + 0.5f);
}

/// Looks towards a direction of the plane [m].
static void look(Sweep* sweep, Vec direction, Pool* pool) {
    const Land* land = sweep->land;
    double x = direction.x / land->cell_x, y = direction.y / land->cell_y;
    sweep->x_along = fabs(x) >= fabs(y);
    sweep->along = sweep->x_along ? land->width : land->height;
    sweep->across = sweep->x_along ? land->height : land->width;
    double main = sweep->x_along ? x : y, side = sweep->x_along ? y : x;
    sweep->backward = main < 0;
    sweep->drift = side / main;
    sweep->step = sqrt(direction.x * direction.x + direction.y * direction.y) / fabs(main);
    for (int a = 0; a < sweep->along; a++) {
        double there = sweep->drift * a, back = -there;
        sweep->shift[a] = (int)floor(there);
        sweep->share[a] = (float)(there - floor(there));
        sweep->shift[sweep->along + a] = (int)floor(back);
        sweep->share[sweep->along + a] = (float)(back - floor(back));
    }
    double shift = sweep->drift * (sweep->along - 1);
    sweep->first = (int)floor(fmin(0, -shift));
    sweep->lines = sweep->across + (int)ceil(fmax(0, -shift)) - sweep->first;
    pool_run(pool, sweep->lines, sweep_line, sweep);
}

static void sweep_all(Sweep* sweep, Vec sun, Pool* pool) {
    int rows = sweep->land->height;
    double flat = sqrt(sun.x * sun.x + sun.y * sun.y);
    float elevation = (float)atan2(sun.z, flat);
    // Wider than the real sun's half degree: the air scatters, and edges of cells do not show.
    sweep->sun_low = elevation - 0.03f;
    sweep->sun_high = elevation + 0.03f;
    look(sweep, flat > 1e-9 ? (Vec){sun.x, sun.y, 0} : (Vec){1, 0, 0}, pool);
    pool_run(pool, rows, shade_row, sweep);
    for (int d = 0; d < SKY_DIRECTIONS; d++) {
        look(sweep, vec_compass((d + 0.5) * 360 / SKY_DIRECTIONS, 0), pool);
        pool_run(pool, rows, open_row, sweep);
    }
    pool_run(pool, rows, finish_sky_row, sweep);
}

bool daylight_create(const Land* land, Vec sun, Pool* pool, Daylight* out) {
    size_t cells = (size_t)land->width * (size_t)land->height;
    size_t longest = (size_t)(land->width > land->height ? land->width : land->height);
    *out = (Daylight){malloc(cells), malloc(cells)};
    // The drift is at most 1: lines are at most width + height + 2, each as long as the longer
    // side.
    size_t slopes = (size_t)(land->width + land->height + 2) * longest;
    Sweep sweep = {.land = land, .daylight = out};
    sweep.slopes = malloc(slopes * sizeof(float));
    sweep.sum = calloc(cells, sizeof(float));
    sweep.stacks = malloc((size_t)pool_threads(pool) * 2 * longest * sizeof(float));
    sweep.shift = malloc(2 * longest * sizeof(int));
    sweep.share = malloc(2 * longest * sizeof(float));
    bool enough = sweep.shift && sweep.share && out->sun && out->sky && sweep.slopes && sweep.sum &&
                  sweep.stacks;
    if (enough) sweep_all(&sweep, sun, pool);
    free(sweep.slopes);
    free(sweep.sum);
    free(sweep.stacks);
    free(sweep.shift);
    free(sweep.share);
    if (enough) return true;
    daylight_destroy(out);
    gully_fail(GULLY_NO_MEMORY, "not enough memory to draw a picture");
    return false;
}

void daylight_destroy(Daylight* daylight) {
    free(daylight->sun);
    free(daylight->sky);
    *daylight = (Daylight){0};
}
