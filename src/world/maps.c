// SPDX-License-Identifier: MIT
// Maps of one cell's neighbourhood. The formulas stand in the header.
#include "gully/maps.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

#define DEGREES (180 / M_PI)

// ---- derivatives --------------------------------------------------------------------------------

typedef struct Shape {
    double p, q;    // [m/m] to the east, to the north
    double r, s, t; // [1/m] east-east, east-north, north-north
} Shape;

// NaN outside and where there is no data.
static double height_at(const GullyHeights* heights, int x, int y) {
    if (x < 0 || y < 0 || x >= heights->width || y >= heights->height) return NAN;
    double z = (double)heights->values[(size_t)y * (size_t)heights->width + (size_t)x];
    return isfinite(z) ? z : NAN;
}

// Two opposite neighbours of a cell at z; one that is not there mirrors the other.
static void complete_pair(double z, double* a, double* b) {
    if (isnan(*a)) *a = isnan(*b) ? z : 2 * z - *b;
    if (isnan(*b)) *b = 2 * z - *a;
}

// A diagonal neighbour between two direct ones, in their plane if it is not there.
static double corner(double diagonal, double z, double a, double b) {
    return isnan(diagonal) ? a + b - z : diagonal;
}

// False where there is no data.
static bool shape_at(const GullyHeights* heights, int x, int y, Shape* shape) {
    double z = height_at(heights, x, y);
    if (isnan(z)) return false;
    double w = height_at(heights, x - 1, y), e = height_at(heights, x + 1, y);
    double n = height_at(heights, x, y - 1), s = height_at(heights, x, y + 1);
    complete_pair(z, &w, &e);
    complete_pair(z, &n, &s);
    double ne = corner(height_at(heights, x + 1, y - 1), z, n, e);
    double nw = corner(height_at(heights, x - 1, y - 1), z, n, w);
    double se = corner(height_at(heights, x + 1, y + 1), z, s, e);
    double sw = corner(height_at(heights, x - 1, y + 1), z, s, w);
    double dx = heights->cell_x, dy = heights->cell_y;
    *shape = (Shape){
        .p = (e - w) / (2 * dx),
        .q = (n - s) / (2 * dy),
        .r = ((e - z) - (z - w)) / (dx * dx),
        .s = ((ne - nw) - (se - sw)) / (4 * dx * dy),
        .t = ((n - z) - (z - s)) / (dy * dy),
    };
    return true;
}

// ---- the maps -----------------------------------------------------------------------------------

static double slope_of(const Shape* h) {
    return atan(hypot(h->p, h->q)) * DEGREES;
}

static double aspect_of(const Shape* h) {
    if (h->p == 0 && h->q == 0) return -1;
    double angle = atan2(-h->p, -h->q) * DEGREES;
    if (angle < 0) angle += 360;
    return (float)angle < 360 ? angle : 0;
}

static double mean_of(const Shape* h) {
    double p2 = h->p * h->p, q2 = h->q * h->q, w = 1 + p2 + q2;
    double sum = (1 + q2) * h->r - 2 * h->p * h->q * h->s + (1 + p2) * h->t;
    return -sum / (2 * w * sqrt(w));
}

static double profile_of(const Shape* h) {
    double p2 = h->p * h->p, q2 = h->q * h->q, g2 = p2 + q2, w = 1 + g2;
    if (g2 == 0) return mean_of(h);
    return -(p2 * h->r + 2 * h->p * h->q * h->s + q2 * h->t) / (g2 * w * sqrt(w));
}

static double plan_of(const Shape* h) {
    double p2 = h->p * h->p, q2 = h->q * h->q, g2 = p2 + q2;
    if (g2 == 0) return mean_of(h);
    return -(q2 * h->r - 2 * h->p * h->q * h->s + p2 * h->t) / (g2 * sqrt(1 + g2));
}

static const struct {
    const char *name, *unit;
    double (*of)(const Shape*); // NULL = looks further than its neighbours
} maps[GULLY_MAP_COUNT] = {
    [GULLY_MAP_SLOPE] = {"slope", "degrees", slope_of},             // [deg]
    [GULLY_MAP_ASPECT] = {"aspect", "degrees", aspect_of},          // [deg] clockwise from north
    [GULLY_MAP_PROFILE] = {"curvature-profile", "1/m", profile_of}, // along the slope [1/m]
    [GULLY_MAP_PLAN] = {"curvature-plan", "1/m", plan_of},          // across the slope [1/m]
    [GULLY_MAP_MEAN] = {"curvature-mean", "1/m", mean_of},          // [1/m]
    [GULLY_MAP_WETNESS] = {"wetness", "index", NULL},               // topographic wetness index
};

const char* gully_map_name(GullyMap map) {
    return maps[map].name;
}

const char* gully_map_unit(GullyMap map) {
    return maps[map].unit;
}

static void check(const GullyHeights* heights) {
    assert(heights && heights->values && heights->width >= 1 && heights->height >= 1);
    assert(heights->cell_x > 0 && heights->cell_y > 0);
    (void)heights;
}

GullyStatus gully_map_make(GullyMap map, const GullyHeights* heights, float* out) {
    check(heights);
    assert(map >= 0 && map < GULLY_MAP_COUNT && out);
    if (!maps[map].of) return gully_wetness(heights, NULL, out);
    for (int y = 0; y < heights->height; y++) {
        for (int x = 0; x < heights->width; x++) {
            Shape shape;
            double value = shape_at(heights, x, y, &shape) ? maps[map].of(&shape) : NAN;
            *out++ = (float)value + 0.0f; // no -0
        }
    }
    return GULLY_OK;
}

void gully_map_gradient(const GullyHeights* heights, float* east, float* north) {
    check(heights);
    for (int y = 0; y < heights->height; y++) {
        for (int x = 0; x < heights->width; x++) {
            Shape shape = {.p = NAN, .q = NAN};
            shape_at(heights, x, y, &shape);
            *east++ = (float)shape.p;
            *north++ = (float)shape.q;
        }
    }
}

// ---- normals ------------------------------------------------------------------------------------

static unsigned char component(double n) {
    return (unsigned char)lround(127.5 * (n + 1));
}

void gully_normal_map(const GullyHeights* heights, bool green_down, unsigned char* rgba) {
    check(heights);
    double green = green_down ? 1 : -1;
    for (int y = 0; y < heights->height; y++) {
        for (int x = 0; x < heights->width; x++, rgba += 4) {
            Shape shape = {0};
            bool valid = shape_at(heights, x, y, &shape);
            double length = sqrt(1 + shape.p * shape.p + shape.q * shape.q);
            rgba[0] = component(-shape.p / length);
            rgba[1] = component(green * shape.q / length);
            rgba[2] = component(1 / length);
            rgba[3] = valid ? 255 : 0;
        }
    }
}
