// SPDX-License-Identifier: MIT
#include "edit_cells.h"

#include <math.h>

enum { PIECE = 256 }; // cells that are worked on together, in memory on the stack

Reach cells_within(double at, double distance, double cell, int count) {
    double from = ceil((at - distance) / cell), end = floor((at + distance) / cell) + 1;
    from = from < 0 ? 0 : from > count ? count : from;
    end = end < from ? from : end > count ? count : end;
    return (Reach){(int)from, (int)end};
}

static int low_of(int field) {
    if (field == GROUND) return GROUND_LOW;
    if (field == WATER) return WATER_LOW;
    if (field == SEDIMENT) return SEDIMENT_LOW;
    if (field >= LAYER_1 && field <= LAYER_7) return field - LAYER_1 + LAYER_LOW_1;
    return -1;
}

/// The rows of a walk: the field, its remainder (NULL = it has none), and the ground if the field is
/// another.
enum { HIGH, LOW, OF_GROUND, WALKED };

/// Begins a walk over cells of a field. `ground` is where the walk has the ground.
static void begin(Runs* runs, GullyWorld* world, int field, Run run, Access access, int* ground) {
    const int low = low_of(field);
    const int slots[WALKED] = {world->common[field], low < 0 ? -1 : world->common[low],
                               world->common[GROUND]};
    *ground = field == GROUND ? HIGH : OF_GROUND;
    runs_begin(runs, world, (GullyRect){run.x, run.y, run.count, 1}, slots,
               field == GROUND ? OF_GROUND : WALKED, access);
}

// ---- reading ------------------------------------------------------------------------------------

static double value_at(const Runs* runs, int i) {
    const double value = (double)runs->cells[HIGH][i];
    return runs->cells[LOW] ? value + (double)runs->cells[LOW][i] : value;
}

GullyStatus cells_read(const GullyWorld* world, int field, Run run, double* out) {
    Runs runs;
    int ground;
    begin(&runs, (GullyWorld*)world, field, run, ACCESS_READ, &ground); // nothing is written
    while (runs_next(&runs)) {
        double* to = out + (runs.x - run.x);
        for (int i = 0; i < runs.count; i++) {
            to[i] = runs.cells[HIGH] ? value_at(&runs, i) : (double)world_default(field);
            if (runs.cells[ground][i] > GROUND_MAX) to[i] = NAN;
        }
    }
    return runs_end(&runs);
}

// ---- writing ------------------------------------------------------------------------------------

static double limit(int field, double value) {
    double least = field == GROUND ? -(double)GROUND_MAX : 0;
    double most = field == HARDNESS ? 1 : (double)GROUND_MAX;
    return value < least ? least : value > most ? most : value;
}

static void put(const Runs* runs, int i, double value) {
    if (runs->cells[LOW])
        runs_put_pair(runs, HIGH, LOW, i, value);
    else
        runs_put(runs, HIGH, i, (float)value);
}

/// Adds what a run holds to the sum of edits of its field, or takes it away.
static void count_run(const Runs* runs, int field, int ground, int sign) {
    Exact *edits = world_edits(runs->world, field), sum = 0;
    if (!edits) return;
    runs_add(runs, ground, HIGH, &sum);
    if (runs->cells[LOW]) runs_add(runs, ground, LOW, &sum);
    *edits += sum * sign;
}

GullyStatus cells_write(GullyWorld* world, int field, Run run, const double* values) {
    Runs runs;
    int ground;
    begin(&runs, world, field, run, ACCESS_READ_WRITE, &ground);
    while (runs_next(&runs)) {
        const double* from = values + (runs.x - run.x);
        count_run(&runs, field, ground, -1);
        for (int i = 0; i < runs.count; i++) {
            double value = limit(field, from[i]);
            if (isnan(value) || runs.cells[ground][i] > GROUND_MAX) continue;
            if (value != value_at(&runs, i)) put(&runs, i, value);
        }
        count_run(&runs, field, ground, 1);
    }
    return runs_end(&runs);
}

/// A wanted change of the surface as far as the ground and a layer's thickness allow it.
static double allowed_change(double change, double ground, double thickness) {
    const double most = (double)GROUND_MAX;
    if (ground + change > most) change = most - ground;
    if (ground + change < -most) change = -most - ground;
    if (thickness + change > most) change = most - thickness;
    return thickness + change < 0 ? -thickness : change;
}

static GullyStatus raise_piece(GullyWorld* world, int layer, Run run, const double* changes) {
    double ground[PIECE], thickness[PIECE];
    GullyStatus status = cells_read(world, GROUND, run, ground);
    if (!status && layer > 0) status = cells_read(world, layer_field(layer), run, thickness);
    if (status) return status;
    for (int i = 0; i < run.count; i++) {
        double change = changes[i];
        if (layer > 0) change = allowed_change(change, ground[i], thickness[i]);
        ground[i] += change;
        thickness[i] = layer > 0 ? thickness[i] + change : 0;
    }
    if (layer > 0) status = cells_write(world, layer_field(layer), run, thickness);
    return status ? status : cells_write(world, GROUND, run, ground);
}

GullyStatus cells_raise(GullyWorld* world, int layer, Run run, const double* changes) {
    GullyStatus status = GULLY_OK;
    for (int done = 0; done < run.count && !status; done += PIECE) {
        int count = run.count - done < PIECE ? run.count - done : PIECE;
        status = raise_piece(world, layer, (Run){run.x + done, run.y, count}, changes + done);
    }
    return status;
}

GullyStatus cells_copy(GullyWorld* world, int field, Run run, const GullyWorld* from, int from_x,
                       int from_y) {
    const double outside = field == GROUND ? (double)GROUND_NODATA : 0;
    GullyStatus status = GULLY_OK;
    Runs runs;
    int ground;
    begin(&runs, world, field, run, ACCESS_READ_WRITE, &ground);
    while (!status && runs_next(&runs)) {
        for (int done = 0; done < runs.count && !status; done += PIECE) {
            double values[PIECE];
            const int count = runs.count - done < PIECE ? runs.count - done : PIECE;
            const Run there = {from_x + (runs.x + done - run.x), from_y, count};
            status = cells_read(from, field, there, values);
            for (int i = 0; i < count && !status; i++)
                put(&runs, done + i, isnan(values[i]) ? outside : values[i]);
        }
    }
    GullyStatus walked = runs_end(&runs);
    return status ? status : walked;
}
