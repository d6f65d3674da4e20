// SPDX-License-Identifier: MIT
// The topographic wetness index: the order in which cells drain, draining, and the index itself.
// The definitions stand in the header.
//
// The order is that of a search from where water leaves (Metz, Mitasova, Harmon 2011): cells are
// taken from a queue by their height, and put their neighbours into it. It climbs slopes, and from
// the spill of a hollow goes down to its bottom along the deepest way before it climbs the other
// sides. Draining goes the other way round, to lower neighbours that were found earlier; what has
// none, as the bottom of a hollow, drains to where it was found from, so up the way to the spill.
// Nothing needs to be filled or carved, and streams in hollows follow their valleys. Equal heights
// come out in the order in which they went in: the same on every run.
#include "gully/maps.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static const double least_slope = 0.001; // [m/m]
static const double spread_power = 1.1;  // of the slope, Freeman 1991

enum { FOUND = INT32_MAX };

typedef struct Entry {
    float height; // [m]
    int32_t serial;
    int32_t cell;
} Entry;

typedef struct Drainage {
    const GullyHeights* heights;
    int32_t* rank;   // when a cell came out; FOUND = in the queue, 0 = not yet found
    int32_t* from;   // the cell that it was found from, -1 = water leaves here
    int32_t* order;  // cells as they came out
    Entry* queue;    // a binary heap
    double* area;    // [m2]
    int32_t waiting; // in the queue
    int32_t serial, done;
} Drainage;

static const int step_x[8] = {-1, 1, 0, 0, -1, 1, -1, 1};
static const int step_y[8] = {0, 0, -1, 1, -1, -1, 1, 1};

// The neighbour in a direction, -1 if it is outside.
static int32_t neighbour(const GullyHeights* heights, int32_t cell, int direction) {
    int x = cell % heights->width + step_x[direction];
    int y = cell / heights->width + step_y[direction];
    if (x < 0 || y < 0 || x >= heights->width || y >= heights->height) return -1;
    return y * heights->width + x;
}

// ---- the order
// ------------------------------------------------------------------------------------

static bool before(const Entry* a, const Entry* b) {
    return a->height < b->height || (a->height == b->height && a->serial < b->serial);
}

static void push(Drainage* d, int32_t cell, int32_t from) {
    d->rank[cell] = FOUND;
    d->from[cell] = from;
    Entry entry = {d->heights->values[cell], d->serial++, cell};
    int32_t hole = d->waiting++;
    while (hole > 0 && before(&entry, &d->queue[(hole - 1) / 2])) {
        d->queue[hole] = d->queue[(hole - 1) / 2];
        hole = (hole - 1) / 2;
    }
    d->queue[hole] = entry;
}

static int32_t pop(Drainage* d) {
    int32_t cell = d->queue[0].cell;
    Entry last = d->queue[--d->waiting];
    int64_t hole = 0, child;
    while ((child = 2 * hole + 1) < d->waiting) {
        if (child + 1 < d->waiting && before(&d->queue[child + 1], &d->queue[child])) child++;
        if (!before(&d->queue[child], &last)) break;
        d->queue[hole] = d->queue[child];
        hole = child;
    }
    d->queue[hole] = last;
    return cell;
}

// Water leaves where a direct neighbour is outside or nodata.
static bool is_outlet(const GullyHeights* heights, int32_t cell) {
    for (int k = 0; k < 4; k++) {
        int32_t next = neighbour(heights, cell, k);
        if (next < 0 || !isfinite(heights->values[next])) return true;
    }
    return false;
}

static void search(Drainage* d) {
    const GullyHeights* heights = d->heights;
    int32_t count = heights->width * heights->height;
    for (int32_t i = 0; i < count; i++)
        if (isfinite(heights->values[i]) && is_outlet(heights, i)) push(d, i, -1);
    while (d->waiting > 0) {
        int32_t cell = pop(d);
        d->order[d->done++] = cell;
        d->rank[cell] = d->done;
        for (int k = 0; k < 8; k++) {
            int32_t next = neighbour(heights, cell, k);
            if (next >= 0 && isfinite(heights->values[next]) && !d->rank[next]) push(d, next, cell);
        }
    }
}

// ---- draining -----------------------------------------------------------------------------------

// Gives a cell's area to its lower neighbours that were found earlier, else to where it was found
// from.
static void drain_cell(Drainage* d, int32_t cell, const double* distances) {
    const float* z = d->heights->values;
    double shares[8], sum = 0;
    int32_t to[8];
    for (int k = 0; k < 8; k++) {
        shares[k] = 0;
        to[k] = neighbour(d->heights, cell, k);
        if (to[k] < 0 || !(z[to[k]] < z[cell]) || d->rank[to[k]] > d->rank[cell]) continue;
        double drop = (double)z[cell] - (double)z[to[k]];
        sum += shares[k] = pow(drop / distances[k], spread_power);
    }
    if (sum > 0) {
        for (int k = 0; k < 8; k++)
            if (shares[k] > 0) d->area[to[k]] += d->area[cell] * shares[k] / sum;
    } else if (d->from[cell] >= 0) {
        d->area[d->from[cell]] += d->area[cell];
    }
}

static void drain(Drainage* d) {
    double dx = d->heights->cell_x, dy = d->heights->cell_y, distances[8];
    for (int k = 0; k < 8; k++)
        distances[k] = hypot(step_x[k] * dx, step_y[k] * dy);
    for (int32_t i = 0; i < d->done; i++)
        d->area[d->order[i]] = dx * dy;
    for (int32_t i = d->done; i-- > 0;)
        drain_cell(d, d->order[i], distances);
}

// ---- the index ----------------------------------------------------------------------------------

static double flow_of(const float* flow, int32_t cell) {
    return isfinite(flow[cell]) && flow[cell] > 0 ? (double)flow[cell] : 0;
}

// Puts the flow of a run in the place of the catchment, with the same mean.
static void take_flow(Drainage* d, const float* flow) {
    double least = d->heights->cell_x * d->heights->cell_y, areas = 0, flows = 0;
    for (int32_t i = 0; i < d->done; i++) {
        areas += d->area[d->order[i]];
        flows += flow_of(flow, d->order[i]);
    }
    if (!(flows > 0)) return;
    for (int32_t i = 0; i < d->done; i++) {
        int32_t cell = d->order[i];
        d->area[cell] = fmax(least, flow_of(flow, cell) * (areas / flows));
    }
}

// `out` has the slopes [deg], and gets the index.
static void make_index(const Drainage* d, float* out) {
    double width = sqrt(d->heights->cell_x * d->heights->cell_y);
    for (int32_t i = 0; i < d->done; i++) {
        int32_t cell = d->order[i];
        double slope = fmax(least_slope, tan((double)out[cell] * M_PI / 180));
        out[cell] = (float)log(d->area[cell] / width / slope);
    }
}

GullyStatus gully_wetness(const GullyHeights* heights, const float* flow, float* out) {
    gully_map_make(GULLY_MAP_SLOPE, heights, out);
    assert(heights->width <= INT32_MAX / heights->height);
    size_t count = (size_t)heights->width * (size_t)heights->height;
    Drainage d = {
        .heights = heights,
        .rank = calloc(count, sizeof(int32_t)),
        .from = malloc(count * sizeof(int32_t)),
        .order = malloc(count * sizeof(int32_t)),
        .queue = malloc(count * sizeof(Entry)),
        .area = malloc(count * sizeof(double)),
    };
    GullyStatus status = GULLY_OK;
    if (d.rank && d.from && d.order && d.queue && d.area) {
        search(&d);
        drain(&d);
        if (flow) take_flow(&d, flow);
        make_index(&d, out);
    } else {
        status = gully_fail(GULLY_NO_MEMORY, "not enough memory for the wetness of %d x %d cells",
                            heights->width, heights->height);
    }
    free(d.rank);
    free(d.from);
    free(d.order);
    free(d.queue);
    free(d.area);
    return status;
}
