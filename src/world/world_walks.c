// SPDX-License-Identifier: MIT
// Walks over a whole world: sums, one value everywhere, the nodata cells.
#include <assert.h>

#include "lease.h"

/// Adds the values of cells whose ground is that of a cell.
static void add_where(const float* ground, const float* values, int count, Exact* sum) {
    enum { TOGETHER = 256 };
    float numbers[TOGETHER];
    for (int start = 0; start < count; start += TOGETHER) {
        const int end = count - start < TOGETHER ? count : start + TOGETHER;
        for (int i = start; i < end; i++)
            numbers[i - start] = ground[i] <= GROUND_MAX ? values[i] : 0;
        exact_add_row(sum, numbers, end - start);
    }
}

void runs_add(const Runs* runs, int ground, int field, Exact* sum) {
    if (runs->holes)
        add_where(runs->cells[ground], runs->cells[field], runs->count, sum);
    else
        exact_add_row(sum, runs->cells[field], runs->count);
}

GullyStatus world_sum(const GullyWorld* world, int slot, Exact* sum) {
    const int slots[2] = {world->common[GROUND], slot};
    Runs runs;
    *sum = 0;
    runs_begin_read(&runs, world, gully_world_all(world), slots, 2);
    while (runs_next(&runs))
        runs_add(&runs, 0, 1, sum);
    return ranks_add(world->ranks, runs_end(&runs), sum, 1);
}

GullyStatus world_set_all(GullyWorld* world, int slot, float value) {
    Runs runs;
    runs_begin(&runs, world, gully_world_all(world), &slot, 1, ACCESS_WRITE);
    while (runs_next(&runs)) {
        for (int i = 0; i < runs.count; i++)
            runs.cells[0][i] = value;
    }
    return runs_end(&runs);
}

GullyStatus world_find_holes(GullyWorld* world, GullyRect rect) {
    const int ground = world->common[GROUND];
    Runs runs;
    runs_begin_read(&runs, world, rect, &ground, 1);
    while (runs_next(&runs)) {
        int i = 0;
        while (i < runs.count && runs.cells[0][i] <= GROUND_MAX)
            i++;
        runs_set_holes(&runs, i < runs.count);
    }
    return runs_end(&runs);
}
