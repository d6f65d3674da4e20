// Alignment of channels: how much their directions prefer some of four or eight.
//
// The direction at a channel cell is that of the straight line to the first cell down its way that
// is at least `chord` cells off. Steps of a way run along the grid's axes and diagonals, the line
// over several steps hardly does: on fractal ground, turned by any angle, 0.02 to 0.04 of 8-fold
// alignment are left. The surface of a filled hollow has no direction: a line does not enter one.
#include <math.h>

#include "measures.h"

static const double chord = 8; // [cells]

typedef struct Sums {
    int64_t count;
    double cos4, sin4, cos8, sin8;
} Sums;

// Finds the line from a cell [m]. False if its way leaves the raster or enters a hollow before.
static bool line_from(const Catchment* c, uint32_t cell, double length, double* dx, double* dy) {
    int east = 0, south = 0;
    do {
        int way = c->way[cell];
        if (way == LEAVES || in_hollow(c, cell)) return false;
        east += step_x[way];
        south += step_y[way];
        *dx = east * c->heights->cell_x;
        *dy = south * c->heights->cell_y;
        cell = receiver(c, cell);
    } while (*dx * *dx + *dy * *dy < length * length);
    return true;
}

static void add(Sums* sums, double dx, double dy) {
    double direction = atan2(dy, dx);
    sums->count++;
    sums->cos4 += cos(4 * direction);
    sums->sin4 += sin(4 * direction);
    sums->cos8 += cos(8 * direction);
    sums->sin8 += sin(8 * direction);
}

void measure_rose(const Catchment* c, GullyDrainage* out) {
    double length = chord * sqrt(c->heights->cell_x * c->heights->cell_y), dx, dy;
    Sums sums = {0};
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t cell = c->order[i];
        if (is_channel(c, cell) && line_from(c, cell, length, &dx, &dy)) add(&sums, dx, dy);
    }
    if (sums.count == 0) return;
    out->rose4 = hypot(sums.cos4, sums.sin4) / (double)sums.count;
    out->rose8 = hypot(sums.cos8, sums.sin8) / (double)sums.count;
}
