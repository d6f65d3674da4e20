// SPDX-License-Identifier: MIT
// Streams: Strahler orders, Horton's ratios, density, and the hypsometric integral of their basins.
//
// A channel without channels upstream has order 1; where two of the same order meet, the order rises
// by one. A stream is a chain of channel cells of one order; its mouth is the last of them, and its
// basin what drains through the mouth.
#include <math.h>
#include <stdlib.h>

#include "fit.h"
#include "measures.h"

enum { MAX_ORDER = 32 };

// In `met`: the highest order that has come to a cell, and whether it came twice.
enum { TWICE = 0x80, ORDER_BITS = 0x7f };

typedef struct Network {
    const Catchment* catchment;
    uint8_t* met;  // by cell
    double* sum;   // of the heights upstream [m]
    float* lowest; // of them [m]
    float* highest;
    int orders;                     // of the largest stream
    int64_t channels;               // cells
    int64_t streams[MAX_ORDER + 1]; // by order
    double lengths[MAX_ORDER + 1];  // of all streams of an order together [m]
    double integrals;               // hypsometric, sum over basins
    int64_t basins;
} Network;

// ---- orders -------------------------------------------------------------------------------------

static int order_of(uint8_t met) {
    int order = met & ORDER_BITS;
    bool begins = order == 0 || (met & TWICE);
    return begins && order < MAX_ORDER ? order + 1 : order;
}

static void meet(uint8_t* met, int order) {
    int highest = *met & ORDER_BITS;
    if (order > highest)
        *met = (uint8_t)order;
    else if (order == highest)
        *met |= TWICE;
}

static void add_channel(Network* n, uint32_t cell) {
    const Catchment* c = n->catchment;
    int order = order_of(n->met[cell]);
    if (order != n->met[cell]) n->streams[order]++;
    n->met[cell] = (uint8_t)order;
    if (order > n->orders) n->orders = order;
    n->channels++;
    if (c->way[cell] == LEAVES) return;
    n->lengths[order] += c->distances[c->way[cell]];
    meet(&n->met[receiver(c, cell)], order);
}

// ---- basins -------------------------------------------------------------------------------------

static void pass_heights(Network* n, uint32_t cell) {
    if (n->catchment->way[cell] == LEAVES) return;
    uint32_t to = receiver(n->catchment, cell);
    n->sum[to] += n->sum[cell];
    n->lowest[to] = fminf(n->lowest[to], n->lowest[cell]);
    n->highest[to] = fmaxf(n->highest[to], n->highest[cell]);
}

// Orders are complete when this is called: those of all cells upstream and of the receiver.
static bool is_mouth(const Network* n, uint32_t cell) {
    const Catchment* c = n->catchment;
    return c->way[cell] == LEAVES || n->met[receiver(c, cell)] != n->met[cell];
}

static void add_basin(Network* n, uint32_t cell) {
    double low = (double)n->lowest[cell], high = (double)n->highest[cell];
    if (!(high > low)) return;
    n->integrals += (n->sum[cell] / n->catchment->area[cell] - low) / (high - low);
    n->basins++;
}

// Cells come from upstream: what comes to a cell is complete when it is its turn.
static void walk(Network* n) {
    const Catchment* c = n->catchment;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t cell = c->order[i];
        n->sum[cell] = (double)c->heights->values[cell];
        n->lowest[cell] = n->highest[cell] = c->heights->values[cell];
    }
    for (uint32_t i = c->count; i-- > 0;) {
        if (is_channel(c, c->order[i])) add_channel(n, c->order[i]);
        pass_heights(n, c->order[i]);
    }
    for (uint32_t i = 0; i < c->count; i++)
        if (is_channel(c, c->order[i]) && is_mouth(n, c->order[i])) add_basin(n, c->order[i]);
}

// ---- the measures -------------------------------------------------------------------------------

// Horton's law of numbers: ln N = a - order ln R.
static double bifurcation(const Network* n) {
    Fit fit = {0};
    for (int order = 1; order <= n->orders; order++)
        fit_add(&fit, order, log((double)n->streams[order]), 1);
    return exp(-fit_slope(&fit));
}

// Horton's law of lengths: ln L = a + order ln R, L the mean length. An order weighs as much as it
// has streams: the few large ones are cut off at the sides of the raster.
static double length_ratio(const Network* n) {
    Fit fit = {0};
    for (int order = 1; order <= n->orders; order++) {
        double streams = (double)n->streams[order], mean = n->lengths[order] / streams;
        if (mean > 0) fit_add(&fit, order, log(mean), streams);
    }
    return exp(fit_slope(&fit));
}

static double density(const Network* n) {
    const Catchment* c = n->catchment;
    double length = 0, area = c->count * c->heights->cell_x * c->heights->cell_y;
    for (int order = 1; order <= n->orders; order++)
        length += n->lengths[order];
    return 1000 * length / area; // [km/km2] of [1/m]
}

static void finish(const Network* n, GullyDrainage* out) {
    out->channels = n->channels;
    out->orders = n->orders;
    if (n->channels == 0) return;
    out->bifurcation = bifurcation(n);
    out->length_ratio = length_ratio(n);
    out->drainage_density = density(n);
    if (n->basins > 0) out->hypsometric = n->integrals / (double)n->basins;
}

GullyStatus measure_network(const Catchment* c, GullyDrainage* out) {
    Network n = {.catchment = c,
                 .met = calloc(c->cells, 1),
                 .sum = malloc(c->cells * sizeof(double)),
                 .lowest = malloc(c->cells * sizeof(float)),
                 .highest = malloc(c->cells * sizeof(float))};
    bool made = n.met && n.sum && n.lowest && n.highest;
    if (made) {
        walk(&n);
        finish(&n, out);
    }
    free(n.met);
    free(n.sum);
    free(n.lowest);
    free(n.highest);
    return made ? GULLY_OK : GULLY_NO_MEMORY;
}
