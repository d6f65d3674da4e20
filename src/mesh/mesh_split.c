// SPDX-License-Identifier: MIT
// Which triangles are halved, from the smallest up.
//
// A square of size L has two triangles A, halves by its diagonal, which are halved at its centre,
// and then four triangles B, a side and the centre each, which are halved at the middle of the
// side. The diagonal of a square leads to the centre of the square of twice its size. A triangle is
// halved if one of its halves is, so the flags of all smaller sizes come first; only if neither is,
// its own samples are looked at. What stays whole is of one kind, ground or not, and within the
// error.
#include "mesh_split.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_SIDE = 512 };

// ---- the ground ---------------------------------------------------------------------------------

bool region_make(const GullyHeights* heights, Region* region) {
    *region = (Region){.heights = heights};
    size_t columns = (size_t)heights->width - 1, rows = (size_t)heights->height - 1;
    region->quads = malloc(columns * rows + 1);
    if (!region->quads) return false;
    for (size_t y = 0; y < rows; y++) {
        const float* north = heights->values + y * (size_t)heights->width;
        const float* south = north + heights->width;
        for (size_t x = 0; x < columns; x++) {
            bool ground = isfinite(north[x]) && isfinite(north[x + 1]) && isfinite(south[x]) &&
                          isfinite(south[x + 1]);
            region->quads[y * columns + x] = ground;
            region->count += ground;
        }
    }
    return true;
}

void region_free(Region* region) {
    free(region->quads);
    region->quads = NULL;
}

bool region_has(const Region* region, int x, int y) {
    int columns = region->heights->width - 1, rows = region->heights->height - 1;
    if (x < 0 || y < 0 || x >= columns || y >= rows) return false;
    return region->quads[(size_t)y * (size_t)columns + (size_t)x];
}

bool region_edge(const Region* region, Point at) {
    return !(region_has(region, at.x - 1, at.y - 1) && region_has(region, at.x, at.y - 1) &&
             region_has(region, at.x - 1, at.y) && region_has(region, at.x, at.y));
}

// ---- triangles ----------------------------------------------------------------------------------

static int least(int a, int b) {
    return a < b ? a : b;
}

static int most(int a, int b) {
    return a > b ? a : b;
}

static bool is_inside(const Network* network, Point p) {
    return p.x < network->region->heights->width && p.y < network->region->heights->height;
}

static Point clamp(const Network* network, Point p) {
    const GullyHeights* heights = network->region->heights;
    return (Point){least(p.x, heights->width - 1), least(p.y, heights->height - 1)};
}

static double height_at(const Network* network, Point p) {
    const GullyHeights* heights = network->region->heights;
    return (double)heights->values[(size_t)p.y * (size_t)heights->width + (size_t)p.x];
}

static unsigned char* flag(const Network* network, Point p) {
    return network->split + (size_t)p.y * network->pitch + (size_t)p.x;
}

static Point middle(Point a, Point b) {
    return (Point){(a.x + b.x) / 2, (a.y + b.y) / 2};
}

// Twice the area; of corners within the raster.
static int64_t area_of(Point a, Point b, Point c) {
    return (int64_t)(b.x - a.x) * (c.y - a.y) - (int64_t)(c.x - a.x) * (b.y - a.y);
}

typedef enum Kind { NOTHING, GROUND, HOLE } Kind; // NOTHING: no area

// The kind of a triangle that is of one kind: that of the quad at its centre of gravity.
static Kind kind_of(const Network* network, Point a, Point b, Point c) {
    a = clamp(network, a), b = clamp(network, b), c = clamp(network, c);
    if (area_of(a, b, c) == 0) return NOTHING;
    bool ground = region_has(network->region, (a.x + b.x + c.x) / 3, (a.y + b.y + c.y) / 3);
    return ground ? GROUND : HOLE;
}

// ---- the error ----------------------------------------------------------------------------------

static int64_t floor_div(int64_t a, int64_t b) { // b > 0
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

typedef struct Span {
    int first, last; // columns
} Span;

// Takes what a side has in a row into a span. Where it crosses between two columns, the span gets
// the next one inside the triangle, or with `outwards` the next one outside.
static void widen(Span* span, Point p, Point q, int y, bool outwards) {
    if (p.y > q.y || (p.y == q.y && p.x > q.x)) {
        Point other = p;
        p = q, q = other;
    }
    if (y < p.y || y > q.y) return;
    int first = p.x, last = q.x;
    if (p.y < q.y) {
        int64_t along = (int64_t)(q.x - p.x) * (y - p.y), rise = q.y - p.y;
        int before = p.x + (int)floor_div(along, rise), after = p.x - (int)floor_div(-along, rise);
        first = outwards ? before : after;
        last = outwards ? after : before;
    }
    if (first < span->first) span->first = first;
    if (last > span->last) span->last = last;
}

static Span span_of(Point a, Point b, Point c, int y, bool outwards) {
    Span span = {INT_MAX, -1};
    widen(&span, a, b, y, outwards);
    widen(&span, b, c, y, outwards);
    widen(&span, c, a, y, outwards);
    return span;
}

static Span rows_of(Point a, Point b, Point c) {
    return (Span){least(a.y, least(b.y, c.y)), most(a.y, most(b.y, c.y))};
}

// Whether a sample of the triangle is further than the error from its plane. Corners are clamped.
static bool is_off(const Network* network, Point a, Point b, Point c, double error) {
    const GullyHeights* heights = network->region->heights;
    double area = (double)area_of(a, b, c);
    double za = height_at(network, a), ab = height_at(network, b) - za;
    double ac = height_at(network, c) - za;
    double gx = (ab * (c.y - a.y) - ac * (b.y - a.y)) / area; // [m] per column, per row
    double gy = (ac * (b.x - a.x) - ab * (c.x - a.x)) / area;
    Span rows = rows_of(a, b, c);
    for (int y = rows.first; y <= rows.last; y++) {
        Span span = span_of(a, b, c, y, false);
        const float* row = heights->values + (size_t)y * (size_t)heights->width;
        double start = za + gy * (y - a.y) - gx * a.x;
        for (int x = span.first; x <= span.last; x++)
            if (fabs((double)row[x] - (start + gx * x)) > error) return true;
    }
    return false;
}

// Whether the quads that the triangle touches are of one kind. Corners are clamped.
static bool is_uniform(const Network* network, Point a, Point b, Point c) {
    bool ground = kind_of(network, a, b, c) == GROUND;
    Span rows = rows_of(a, b, c);
    for (int y = rows.first; y < rows.last; y++) {
        Span north = span_of(a, b, c, y, true), south = span_of(a, b, c, y + 1, true);
        int last = most(north.last, south.last);
        for (int x = least(north.first, south.first); x < last; x++)
            if (region_has(network->region, x, y) != ground) return false;
    }
    return true;
}

// ---- halving ------------------------------------------------------------------------------------

typedef struct Test {
    double error;         // [m]
    const Network* other; // NULL, or the one whose outline is wanted
} Test;

// Whether a triangle with the right angle at c, whose halves stay whole, is halved. Halves of one
// kind make a whole of one kind, unless the clamp has moved its corners.
static bool is_halved(const Network* network, Point a, Point b, Point c, const Test* test) {
    Point m = middle(a, b);
    if (test->other && *flag(test->other, m) && region_edge(network->region, clamp(network, m)))
        return true;
    if (is_inside(network, a) && is_inside(network, b) && is_inside(network, c)) {
        if (kind_of(network, a, m, c) != kind_of(network, m, b, c)) return true;
    } else {
        a = clamp(network, a), b = clamp(network, b), c = clamp(network, c);
        if (area_of(a, b, c) == 0) return false;
        if (!is_uniform(network, a, b, c)) return true;
    }
    if (test->other || kind_of(network, a, b, c) != GROUND) return false;
    return is_off(network, a, b, c, test->error);
}

// The corners of a square so that 0-2 is its diagonal, clockwise.
static void corners(int column, int row, int size, Point out[4]) {
    int x = column * size, y = row * size;
    Point all[4] = {{x, y}, {x + size, y}, {x + size, y + size}, {x, y + size}};
    int turn = (column + row) & 1;
    for (int k = 0; k < 4; k++)
        out[k] = all[(k + turn) & 3];
}

// The four triangles B of a square: halved at the middle of a side.
static void split_sides(Network* network, const Point at[4], int size, const Test* test) {
    Point centre = middle(at[0], at[2]);
    for (int k = 0; k < 4; k++) {
        Point a = at[k], b = at[(k + 1) & 3];
        unsigned char* here = flag(network, middle(a, b));
        if (*here) continue;
        bool below =
            size > 2 && (*flag(network, middle(a, centre)) | *flag(network, middle(b, centre)));
        *here = below || is_halved(network, a, b, centre, test);
    }
}

// The two triangles A of a square: halved at its centre.
static void split_centre(Network* network, const Point at[4], const Test* test) {
    unsigned char* here = flag(network, middle(at[0], at[2]));
    for (int k = 0; k < 4 && !*here; k++)
        *here = *flag(network, middle(at[k], at[(k + 1) & 3]));
    if (!*here)
        *here = is_halved(network, at[0], at[2], at[3], test) ||
                is_halved(network, at[2], at[0], at[1], test);
}

static void split_all(Network* network, const Test* test) {
    for (int size = 2; size <= network->side; size *= 2) {
        int columns = network->columns * (network->side / size);
        int rows = network->rows * (network->side / size);
        for (int pass = 0; pass < 2; pass++) { // all sides of that size, then all centres
            for (int row = 0; row < rows; row++) {
                for (int column = 0; column < columns; column++) {
                    Point at[4];
                    corners(column, row, size, at);
                    if (pass == 0)
                        split_sides(network, at, size, test);
                    else
                        split_centre(network, at, test);
                }
            }
        }
    }
}

// ---- making -------------------------------------------------------------------------------------

static bool network_start(const Region* region, Network* out) {
    int across = region->heights->width - 1, down = region->heights->height - 1;
    int side = 1;
    while (side < LARGEST_SIDE && (side < across || side < down))
        side *= 2;
    *out = (Network){
        .region = region,
        .side = side,
        .columns = (across + side - 1) / side,
        .rows = (down + side - 1) / side,
    };
    out->pitch = (size_t)out->columns * (size_t)side + 1;
    out->split = calloc(out->pitch, (size_t)out->rows * (size_t)side + 1);
    return out->split != NULL;
}

bool network_make(const Region* region, double error, Network* out) {
    if (!network_start(region, out)) return false;
    Test test = {.error = error};
    if (error < 0)
        memset(out->split, 1, out->pitch * ((size_t)out->rows * (size_t)out->side + 1));
    else
        split_all(out, &test);
    return true;
}

bool network_outline(const Network* other, Network* out) {
    if (!network_start(other->region, out)) return false;
    Test test = {.other = other};
    split_all(out, &test);
    return true;
}

void network_free(Network* network) {
    free(network->split);
    network->split = NULL;
}

typedef struct Visit {
    const Network* network;
    TriangleTask* each;
    void* context;
} Visit;

// A triangle with the right angle at c; `size` is that of its square, A says which kind it is.
static void visit(const Visit* v, Point a, Point b, Point c, int size, bool is_a) {
    if (size > 1 && *flag(v->network, middle(a, b))) {
        Point m = middle(a, b);
        int next = is_a ? size : size / 2;
        visit(v, c, a, m, next, !is_a);
        visit(v, b, c, m, next, !is_a);
    } else if (kind_of(v->network, a, b, c) == GROUND) {
        v->each(v->context, clamp(v->network, a), clamp(v->network, b), clamp(v->network, c));
    }
}

void network_each(const Network* network, TriangleTask* each, void* context) {
    Visit v = {network, each, context};
    for (int row = 0; row < network->rows; row++) {
        for (int column = 0; column < network->columns; column++) {
            Point at[4];
            corners(column, row, network->side, at);
            // y runs down: against the order of the corners is counter-clockwise from above.
            visit(&v, at[0], at[2], at[1], network->side, true);
            visit(&v, at[2], at[0], at[3], network->side, true);
        }
    }
}
