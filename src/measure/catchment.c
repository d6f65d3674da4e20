// SPDX-License-Identifier: MIT
#include "catchment.h"

#include <math.h>
#include <stdlib.h>

static bool allocate(Catchment* c) {
    size_t cells = c->cells;
    c->level = malloc(cells * sizeof(float));
    c->order = malloc(cells * sizeof(uint32_t));
    c->way = malloc(cells);
    c->area = calloc(cells, sizeof(uint32_t));
    c->length = calloc(cells, sizeof(float));
    return c->level && c->order && c->way && c->area && c->length;
}

GullyStatus catchment_make(const GullyHeights* heights, const GullyDrainageDef* def,
                           Catchment* out) {
    *out = (Catchment){.heights = heights,
                       .def = def,
                       .cells = (uint32_t)heights->width * (uint32_t)heights->height};
    for (int k = 0; k < DIRECTIONS; k++) {
        out->distances[k] = hypot(step_x[k] * heights->cell_x, step_y[k] * heights->cell_y);
        out->steps[k] = (int64_t)step_y[k] * heights->width + step_x[k];
    }
    if (!allocate(out)) return GULLY_NO_MEMORY;
    GullyStatus status = catchment_flood(out);
    return status == GULLY_OK ? catchment_route(out) : status;
}

void catchment_free(Catchment* c) {
    free(c->level);
    free(c->order);
    free(c->way);
    free(c->area);
    free(c->length);
}
