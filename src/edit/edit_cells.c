#include "edit_cells.h"

#include <math.h>

enum { PIECE = 256 }; // cells that are worked on together, in memory on the stack

Reach cells_within(double at, double distance, double cell, int count) {
    double from = ceil((at - distance) / cell), end = floor((at + distance) / cell) + 1;
    from = from < 0 ? 0 : from > count ? count : from;
    end = end < from ? from : end > count ? count : end;
    return (Reach){(int)from, (int)end};
}

/// Where a field and its remainder are stored; -1 = nowhere.
typedef struct Slots {
    int field, low;
} Slots;

static int low_of(int field) {
    if (field == GROUND) return GROUND_LOW;
    if (field == WATER) return WATER_LOW;
    if (field == SEDIMENT) return SEDIMENT_LOW;
    if (field >= LAYER_1 && field <= LAYER_7) return field - LAYER_1 + LAYER_LOW_1;
    return -1;
}

static Slots slots_of(const GullyWorld* world, int field) {
    int low = low_of(field);
    return (Slots){world->common[field], low < 0 ? -1 : world->common[low]};
}

/// The part of a run that lies in the tile of its first cell.
typedef struct Part {
    const Tile* tile;
    int row, from, count;
} Part;

static Part part_of(const GullyWorld* world, Run run) {
    Part part = {.tile = tile_of_cell(world, run.x, run.y)};
    part.row = run.y - part.tile->y;
    part.from = run.x - part.tile->x;
    int left = part.tile->width - part.from;
    part.count = left < run.count ? left : run.count;
    return part;
}

static bool is_outside(const GullyWorld* world, const Part* part, int i) {
    return tile_row(world, part->tile, world->common[GROUND], part->row)[part->from + i] >
           GROUND_MAX;
}

// ---- reading ------------------------------------------------------------------------------------

static double value_at(const GullyWorld* world, const Part* part, Slots slots, int i) {
    int x = part->from + i;
    double value = (double)tile_get(world, part->tile, slots.field, part->row, x);
    if (slots.low < 0) return value;
    return value + (double)tile_get(world, part->tile, slots.low, part->row, x);
}

static void read_part(const GullyWorld* world, int field, const Part* part, double* out) {
    const Slots slots = slots_of(world, field);
    if (slots.field < 0) {
        for (int i = 0; i < part->count; i++)
            out[i] = (double)world_value_row(world, field)[i];
    } else if (is_narrow(world, slots.field) || slots.low < 0) {
        for (int i = 0; i < part->count; i++)
            out[i] = value_at(world, part, slots, i);
    } else {
        const float* value = tile_row(world, part->tile, slots.field, part->row) + part->from;
        const float* low = tile_row(world, part->tile, slots.low, part->row) + part->from;
        for (int i = 0; i < part->count; i++)
            out[i] = (double)value[i] + (double)low[i];
    }
    const float* ground =
        tile_row(world, part->tile, world->common[GROUND], part->row) + part->from;
    for (int i = 0; i < part->count; i++)
        out[i] = ground[i] > GROUND_MAX ? NAN : out[i];
}

void cells_read(const GullyWorld* world, int field, Run run, double* out) {
    while (run.count > 0) {
        Part part = part_of(world, run);
        read_part(world, field, &part, out);
        out += part.count;
        run.x += part.count;
        run.count -= part.count;
    }
}

// ---- writing ------------------------------------------------------------------------------------

static double limit(int field, double value) {
    double least = field == GROUND ? -(double)GROUND_MAX : 0;
    double most = field == HARDNESS ? 1 : (double)GROUND_MAX;
    return value < least ? least : value > most ? most : value;
}

static void put(GullyWorld* world, const Part* part, Slots slots, int i, double value) {
    const int pair[2] = {slots.field, slots.low}, x = part->from + i;
    if (slots.low < 0)
        tile_set(world, part->tile, slots.field, part->row, x, (float)value);
    else
        tile_set_pair(world, part->tile, pair, part->row, x, value);
}

/// The sum that counts what is written to a field, or NULL.
static Exact* edits_of(GullyWorld* world, int field) {
    return field == WATER ? &world->edited_water : field == GROUND ? &world->edited_solid : NULL;
}

static void count_part(GullyWorld* world, int field, const Part* part, int sign) {
    const Slots slots = slots_of(world, field);
    Exact *edits = edits_of(world, field), sum = 0;
    if (!edits) return;
    exact_add_cells(&sum, world, part->tile, slots.field, part->row, part->from, part->count);
    exact_add_cells(&sum, world, part->tile, slots.low, part->row, part->from, part->count);
    *edits += sum * sign;
}

static void write_part(GullyWorld* world, int field, const Part* part, const double* values) {
    const Slots slots = slots_of(world, field);
    for (int i = 0; i < part->count; i++) {
        double value = limit(field, values[i]);
        if (isnan(value) || is_outside(world, part, i)) continue;
        if (value != value_at(world, part, slots, i)) put(world, part, slots, i, value);
    }
}

/// The same for a pair of floats, which most cells that are edited are.
static void write_floats(GullyWorld* world, int field, const Part* part, const double* values) {
    const Slots slots = slots_of(world, field);
    float* high = tile_row(world, part->tile, slots.field, part->row) + part->from;
    float* low = tile_row(world, part->tile, slots.low, part->row) + part->from;
    const float* ground =
        tile_row(world, part->tile, world->common[GROUND], part->row) + part->from;
    for (int i = 0; i < part->count; i++) {
        double value = limit(field, values[i]);
        if (isnan(value) || ground[i] > GROUND_MAX) continue;
        if (value == (double)high[i] + (double)low[i]) continue;
        high[i] = (float)value;
        low[i] = (float)(value - (double)high[i]);
    }
}

void cells_write(GullyWorld* world, int field, Run run, const double* values) {
    const Slots slots = slots_of(world, field);
    const bool floats = slots.low >= 0 && !world->fields[slots.field].half;
    while (run.count > 0) {
        Part part = part_of(world, run);
        count_part(world, field, &part, -1);
        (floats ? write_floats : write_part)(world, field, &part, values);
        count_part(world, field, &part, 1);
        values += part.count;
        run.x += part.count;
        run.count -= part.count;
    }
}

/// A wanted change of the surface as far as the ground and a layer's thickness allow it.
static double allowed_change(double change, double ground, double thickness) {
    const double most = (double)GROUND_MAX;
    if (ground + change > most) change = most - ground;
    if (ground + change < -most) change = -most - ground;
    if (thickness + change > most) change = most - thickness;
    return thickness + change < 0 ? -thickness : change;
}

static void raise_piece(GullyWorld* world, int layer, Run run, const double* changes) {
    double ground[PIECE], thickness[PIECE];
    cells_read(world, GROUND, run, ground);
    if (layer > 0) cells_read(world, layer_field(layer), run, thickness);
    for (int i = 0; i < run.count; i++) {
        double change = changes[i];
        if (layer > 0) change = allowed_change(change, ground[i], thickness[i]);
        ground[i] += change;
        thickness[i] = layer > 0 ? thickness[i] + change : 0;
    }
    if (layer > 0) cells_write(world, layer_field(layer), run, thickness);
    cells_write(world, GROUND, run, ground);
}

void cells_raise(GullyWorld* world, int layer, Run run, const double* changes) {
    for (int done = 0; done < run.count; done += PIECE) {
        int count = run.count - done < PIECE ? run.count - done : PIECE;
        raise_piece(world, layer, (Run){run.x + done, run.y, count}, changes + done);
    }
}

void cells_copy(GullyWorld* world, int field, Run run, const GullyWorld* from, int from_x,
                int from_y) {
    const Slots slots = slots_of(world, field);
    while (run.count > 0) {
        Part part = part_of(world, run);
        part.count = part.count < PIECE ? part.count : PIECE;
        double values[PIECE];
        cells_read(from, field, (Run){from_x, from_y, part.count}, values);
        for (int i = 0; i < part.count; i++) {
            double outside = field == GROUND ? (double)GROUND_NODATA : 0;
            put(world, &part, slots, i, isnan(values[i]) ? outside : values[i]);
        }
        from_x += part.count;
        run.x += part.count;
        run.count -= part.count;
    }
}
