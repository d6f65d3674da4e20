// SPDX-License-Identifier: MIT
// How slope and length of channels scale with the area that drains through them.
//
// Both laws are fitted over the channels proper, where at least `river` cells drain through; on
// hillslopes other laws hold.
//
// Concavity (Flint 1974): slope ~ area^-concavity. Channel cells outside of hollows are sorted into
// bins of area, five to a decade; the slope of a bin is all its drop over all its length, so a step
// without a drop, as in a DEM of whole metres, counts for what it is. Every bin with at least ten
// cells weighs alike.
//
// Hack's exponent (Hack 1957): length ~ area^hack, over all channel cells.
#include <math.h>

#include "fit.h"
#include "measures.h"

enum { BINS_A_DECADE = 5, BINS = 50, LEAST_CELLS = 10 };

typedef struct Bin {
    int64_t cells;
    double area;   // sum of the logarithms
    double drop;   // [m]
    double length; // [m]
} Bin;

static bool is_river(const Catchment* c, uint32_t cell) {
    return c->area[cell] >= c->def->river && c->way[cell] != LEAVES;
}

static void add_slope(const Catchment* c, Bin* bins, uint32_t cell) {
    Bin* bin = &bins[(int)(BINS_A_DECADE * log10(c->area[cell] / c->def->river))];
    bin->cells++;
    bin->area += log(c->area[cell]);
    bin->drop += (double)c->level[cell] - (double)c->level[receiver(c, cell)];
    bin->length += c->distances[c->way[cell]];
}

static double concavity(const Bin* bins) {
    Fit fit = {0};
    for (int b = 0; b < BINS; b++) {
        const Bin* bin = &bins[b];
        if (bin->cells >= LEAST_CELLS && bin->drop > 0)
            fit_add(&fit, bin->area / (double)bin->cells, log(bin->drop / bin->length), 1);
    }
    return -fit_slope(&fit);
}

void measure_scaling(const Catchment* c, GullyDrainage* out) {
    Bin bins[BINS] = {0};
    Fit hack = {0};
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t cell = c->order[i];
        if (!is_river(c, cell)) continue;
        if (c->length[cell] > 0)
            fit_add(&hack, log(c->area[cell]), log((double)c->length[cell]), 1);
        if (!in_hollow(c, cell)) add_slope(c, bins, cell);
    }
    out->concavity = concavity(bins);
    out->hack = fit_slope(&hack);
}
