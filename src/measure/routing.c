// SPDX-License-Identifier: MIT
// Receivers by steepest descent over facets, with the least deviation across it; area and length.
#include <math.h>
#include <stdlib.h>

#include "catchment.h"

// A facet: a triangle between a cell, a direct neighbour and a diagonal one.
typedef struct Facet {
    int direct, diagonal; // directions
    int turn;             // +1 if the diagonal is clockwise of the direct one, else -1
} Facet;

static const Facet facets[8] = {
    {0, 4, 1}, {0, 6, -1}, {1, 5, 1}, {1, 7, -1}, {2, 7, 1}, {2, 4, -1}, {3, 6, 1}, {3, 5, -1},
};

// Ways to route what is carried from the largest tributary while cells are gone through.
typedef struct Tributaries {
    uint32_t* largest; // area [cells]
    float* deviation;  // across the steepest descent, clockwise positive [m]
} Tributaries;

typedef struct Descent {
    double slope; // [m/m], 0 = none
    double angle; // from the direct neighbour towards the diagonal one, at most `widest`
    double widest;
    const Facet* facet;
} Descent;

// The steepest descent within a facet (Tarboton 1997, eq. 1 to 5).
static Descent descent_in(const Catchment* c, uint32_t cell, const Facet* facet, double widest) {
    uint32_t direct = (uint32_t)((int64_t)cell + c->steps[facet->direct]);
    uint32_t diagonal = (uint32_t)((int64_t)cell + c->steps[facet->diagonal]);
    double along = c->distances[facet->direct], across = c->distances[facet->direct < 2 ? 2 : 0];
    double drop = (double)c->level[cell] - (double)c->level[direct];
    if (c->way[diagonal] == NO_DATA) return (Descent){drop / along, 0, widest, facet};
    double side = (double)c->level[direct] - (double)c->level[diagonal];
    double s1 = drop / along, s2 = side / across, angle = atan2(s2, s1);
    if (s1 <= 0 && s2 <= 0) return (Descent){0, 0, widest, facet};
    if (angle <= 0) return (Descent){s1, 0, widest, facet};
    if (angle < widest) return (Descent){hypot(s1, s2), angle, widest, facet};
    return (Descent){(drop + side) / c->distances[facet->diagonal], widest, widest, facet};
}

static Descent steepest(const Catchment* c, uint32_t cell) {
    double widest_x = atan2(c->distances[2], c->distances[0]);
    Descent best = {0, 0, 0, NULL};
    for (int k = 0; k < 8; k++) {
        double widest = facets[k].direct < 2 ? widest_x : M_PI / 2 - widest_x;
        Descent descent = descent_in(c, cell, &facets[k], widest);
        if (descent.slope > best.slope) best = descent;
    }
    return best;
}

// Chooses between the two neighbours of the steepest descent; returns the deviation to carry on.
static double choose(Catchment* c, uint32_t cell, double carried) {
    Descent descent = steepest(c, cell);
    if (!descent.facet) return carried; // the flood's way
    const Facet* facet = descent.facet;
    double diagonal = c->distances[facet->diagonal];
    double to_direct = -facet->turn * c->distances[facet->direct] * sin(descent.angle);
    double to_diagonal = facet->turn * diagonal * sin(descent.widest - descent.angle);
    bool only_direct = descent.angle <= 0, only_diagonal = descent.angle >= descent.widest;
    bool take_direct =
        only_direct || (!only_diagonal && fabs(carried + to_direct) <= fabs(carried + to_diagonal));
    c->way[cell] = (uint8_t)(take_direct ? facet->direct : facet->diagonal);
    return carried + (take_direct ? to_direct : to_diagonal);
}

static void route_cell(Catchment* c, Tributaries* t, uint32_t cell) {
    if (c->way[cell] == LEAVES) return;
    double deviation = choose(c, cell, (double)t->deviation[cell]);
    uint32_t to = receiver(c, cell);
    float length = c->length[cell] + (float)c->distances[c->way[cell]];
    c->area[to] += c->area[cell];
    if (length > c->length[to]) c->length[to] = length;
    if (c->area[cell] <= t->largest[to]) return;
    t->largest[to] = c->area[cell];
    t->deviation[to] = (float)deviation;
}

GullyStatus catchment_route(Catchment* c) {
    Tributaries t = {calloc(c->cells, sizeof(uint32_t)), calloc(c->cells, sizeof(float))};
    GullyStatus status = t.largest && t.deviation ? GULLY_OK : GULLY_NO_MEMORY;
    for (uint32_t i = 0; i < c->count && status == GULLY_OK; i++)
        c->area[c->order[i]] = 1;
    for (uint32_t i = c->count; i-- > 0 && status == GULLY_OK;)
        route_cell(c, &t, c->order[i]);
    free(t.largest);
    free(t.deviation);
    return status;
}
