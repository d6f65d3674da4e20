#include "survey.h"

#include <math.h>
#include <stdlib.h>

/// Counts the cells of the domain and adds up what they hold of a field.
static GullyStatus add_up(const GullyWorld* world, GullyField field, int64_t* cells, double* sum) {
    int width = gully_world_width(world), height = gully_world_height(world);
    float* row = malloc(sizeof *row * (size_t)width);
    if (!row) return gully_fail(GULLY_FAILED, "no memory for a row of %d cells", width);
    *cells = 0;
    *sum = 0;
    for (int y = 0; y < height; y++) {
        gully_world_read(world, field, (GullyRect){0, y, width, 1}, row);
        for (int x = 0; x < width; x++) {
            bool inside = isfinite(row[x]);
            *cells += inside;
            *sum += inside ? (double)row[x] : 0;
        }
    }
    free(row);
    return GULLY_OK;
}

GullyStatus survey_cells(const GullyWorld* world, int64_t* cells) {
    double heights;
    return add_up(world, GULLY_TERRAIN, cells, &heights);
}

GullyStatus survey_materials(const GullyWorld* world, const GullyBudget* budget, double* volumes) {
    double area = gully_world_cell_x(world) * gully_world_cell_y(world); // of a cell [m2]
    GullyStatus status = GULLY_OK;
    volumes[0] = budget->solid.ground;
    for (int m = 1; m < gully_world_material_count(world) && status == GULLY_OK; m++) {
        int64_t cells;
        status = add_up(world, GULLY_LAYER(m), &cells, &volumes[m]);
        volumes[m] *= area;
        volumes[0] -= volumes[m];
    }
    return status;
}
