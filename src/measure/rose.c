// SPDX-License-Identifier: MIT
// Alignment of channels: how much their directions prefer some of four or eight.
//
// The direction at a channel cell is that of the straight line to the first cell down its way that
// is at least `chord` cells off. Steps of a way run along the grid's axes and diagonals, the line
// over several steps hardly does: on fractal ground 0.01 to 0.03 of 8-fold alignment are left.
//
// Only furrows count: one cell to either side of the way, at right angles to the line, the ground
// must on the average rise by at least `incision` of the slope along the line. A smooth fan has no
// channels; a way over it is drawn by the router, and would say more about the router than about the
// land. For the same reason a line does not enter a filled hollow.
//
// For comparison, the alignment is also measured as scripts usually do: along plain D8 ways, each
// step to the steepest neighbour, wherever they run. On smooth slopes these follow the grid.
#include <math.h>
#include <stddef.h>

#include "measures.h"

static const double chord = 8;      // [cells]
static const double incision = 0.3; // slope up the sides of a furrow over the slope along it

typedef struct Sums {
    int64_t count;
    double cos4, sin4, cos8, sin8;
} Sums;

// A straight line down a way.
typedef struct Line {
    uint32_t from, to; // cells
    double dx, dy;     // [m]
    double length;     // [m]
} Line;

// The direction of the next step from a cell, which is none at which water leaves.
typedef int Router(const Catchment* c, uint32_t cell);

static int least_deviation(const Catchment* c, uint32_t cell) {
    return c->way[cell];
}

static int steepest_neighbour(const Catchment* c, uint32_t cell) {
    int best = c->way[cell];
    double steepest = 0;
    for (int k = 0; k < DIRECTIONS; k++) {
        double drop = (double)c->level[cell] - (double)c->level[(int64_t)cell + c->steps[k]];
        if (!(drop / c->distances[k] > steepest)) continue;
        steepest = drop / c->distances[k];
        best = k;
    }
    return best;
}

// False if the way leaves the raster or enters a hollow before it is long enough.
static bool find_line(const Catchment* c, Router* router, uint32_t cell, double least, Line* line) {
    int east = 0, south = 0;
    line->from = cell;
    do {
        if (c->way[cell] == LEAVES || in_hollow(c, cell)) return false;
        int way = router(c, cell);
        east += step_x[way];
        south += step_y[way];
        line->dx = east * c->heights->cell_x;
        line->dy = south * c->heights->cell_y;
        line->length = hypot(line->dx, line->dy);
        cell = (uint32_t)((int64_t)cell + c->steps[way]);
    } while (line->length < least);
    line->to = cell;
    return true;
}

// The level between four cells [m]; NAN if one of them is outside or has no data.
static double level_at(const Catchment* c, double x, double y) {
    int width = c->heights->width, left = (int)floor(x), top = (int)floor(y);
    if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= c->heights->height)
        return (double)NAN;
    const float* level = c->level + (size_t)top * (size_t)width + left;
    double u = x - left, v = y - top;
    double north = (1 - u) * (double)level[0] + u * (double)level[1];
    double south = (1 - u) * (double)level[width] + u * (double)level[width + 1];
    return (1 - v) * north + v * south;
}

static bool is_furrow(const Catchment* c, const Line* line) {
    double cell_x = c->heights->cell_x, cell_y = c->heights->cell_y, aside = sqrt(cell_x * cell_y);
    double across_x = -line->dy / line->length * aside / cell_x; // one cell aside, in cells
    double across_y = line->dx / line->length * aside / cell_y;
    double rise = 0, cells = 0;
    for (uint32_t cell = line->from; cell != line->to; cell = receiver(c, cell), cells++) {
        double x = cell % (uint32_t)c->heights->width, y = cell / (uint32_t)c->heights->width;
        double sides =
            level_at(c, x + across_x, y + across_y) + level_at(c, x - across_x, y - across_y);
        rise += sides / 2 - (double)c->level[cell];
    }
    double drop = (double)c->level[line->from] - (double)c->level[line->to];
    return drop > 0 && rise / cells / aside >= incision * drop / line->length;
}

static void add(Sums* sums, const Line* line) {
    double direction = atan2(line->dy, line->dx);
    sums->count++;
    sums->cos4 += cos(4 * direction);
    sums->sin4 += sin(4 * direction);
    sums->cos8 += cos(8 * direction);
    sums->sin8 += sin(8 * direction);
}

static Sums sums_of(const Catchment* c, Router* router, bool furrows) {
    double least = chord * sqrt(c->heights->cell_x * c->heights->cell_y);
    Sums sums = {0};
    Line line;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t cell = c->order[i];
        if (!is_channel(c, cell) || !find_line(c, router, cell, least, &line)) continue;
        if (!furrows || is_furrow(c, &line)) add(&sums, &line);
    }
    return sums;
}

void measure_rose(const Catchment* c, GullyDrainage* out) {
    Sums sums = sums_of(c, least_deviation, true);
    if (sums.count > 0) {
        out->rose4 = hypot(sums.cos4, sums.sin4) / (double)sums.count;
        out->rose8 = hypot(sums.cos8, sums.sin8) / (double)sums.count;
    }
    sums = sums_of(c, steepest_neighbour, false);
    if (sums.count > 0) {
        out->rose4_d8 = hypot(sums.cos4, sums.sin4) / (double)sums.count;
        out->rose8_d8 = hypot(sums.cos8, sums.sin8) / (double)sums.count;
    }
}
