// SPDX-License-Identifier: MIT
// The cells of a world as users see them: fields by name, rectangles of values, sums and hashes.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gully/world.h"
#include "hash.h"
#include "lease.h"
#include "world_ranks.h"

/// What users can name, and where it is stored.
static const struct {
    const char* name;
    const char* unit;
    int id, low; // the field and its remainder (-1: none)
    bool writable;
    float least, most; // allowed values
} public_fields[GULLY_FIELD_COUNT] = {
    [GULLY_TERRAIN] = {"terrain", "m", GROUND, GROUND_LOW, true, -GROUND_MAX, GROUND_MAX},
    [GULLY_WATER] = {"water", "m", WATER, WATER_LOW, true, 0, GROUND_MAX},
    [GULLY_SEDIMENT] = {"sediment", "m", SEDIMENT, SEDIMENT_LOW, true, 0, GROUND_MAX},
    [GULLY_HARDNESS] = {"hardness", "", HARDNESS, -1, true, 0, 1},
    [GULLY_FLOW] = {"flow", "m2/s", FLOW, -1, false, 0, 0},
    [GULLY_WEAR] = {"wear", "m", WEAR, -1, false, 0, 0},
    [GULLY_DEPOSIT] = {"deposit", "m", DEPOSIT, -1, false, 0, 0},
    [GULLY_VELOCITY_X] = {"velocity_x", "m/s", VELOCITY_X, -1, false, 0, 0},
    [GULLY_VELOCITY_Y] = {"velocity_y", "m/s", VELOCITY_Y, -1, false, 0, 0},
    [GULLY_LAYER_0] = {"layer_0", "m", GROUND, GROUND_LOW, false, 0, 0},
#define LAYER(n)                                                                                   \
    [GULLY_LAYER_##n] = {"layer_" #n, "m", LAYER_##n, LAYER_LOW_##n, true, 0, GROUND_MAX}
    LAYER(1),
    LAYER(2),
    LAYER(3),
    LAYER(4),
    LAYER(5),
    LAYER(6),
    LAYER(7),
#undef LAYER
    [GULLY_UPLIFT] = {"uplift", "m/year", UPLIFT, -1, true, 0, 100},
    [GULLY_RAINFALL] = {"rainfall", "", RAINFALL, -1, true, 0, 1e6f},
};

const char* gully_field_name(GullyField field) {
    return public_fields[field].name;
}

const char* gully_field_unit(GullyField field) {
    return public_fields[field].unit;
}

static inline bool is_inside(const GullyWorld* world, GullyRect rect) {
    return rect.x >= 0 && rect.y >= 0 && rect.width >= 0 && rect.height >= 0 &&
           rect.width <= world->width - rect.x && rect.height <= world->height - rect.y;
}

static inline bool is_field(GullyField field) {
    return (int)field >= 0 && field < GULLY_FIELD_COUNT;
}

static GullyStatus refuse_field(GullyField field) {
    return gully_fail(GULLY_BAD_INPUT, "a world has no field number %d; allowed: 0 to %d",
                      (int)field, GULLY_FIELD_COUNT - 1);
}

GullyStatus world_check_rect(const GullyWorld* world, GullyField field, GullyRect rect) {
    if (is_inside(world, rect)) return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT,
                      "%s: the rectangle of %d x %d cells at (%d, %d) is not inside the world of "
                      "%d x %d cells",
                      public_fields[field].name, rect.width, rect.height, rect.x, rect.y,
                      world->width, world->height);
}

// ---- reading ------------------------------------------------------------------------------------

/// Where a cell of a rectangle stands in its values.
static size_t place_in(GullyRect rect, int x, int y) {
    return (size_t)(y - rect.y) * (size_t)rect.width + (size_t)(x - rect.x);
}

static void mark_outside_domain(const float* ground, int count, float* out) {
    for (int i = 0; i < count; i++)
        out[i] = ground[i] > GROUND_MAX ? NAN : out[i];
}

int world_field_id(GullyField field) {
    return is_field(field) && field != GULLY_LAYER_0 ? (int)public_fields[field].id : -1;
}

void world_present(int id, int64_t flow_steps, const float* ground, const float* cells, int count,
                   float* out) {
    const double mean = id == FLOW && flow_steps > 0 ? 1.0 / (double)flow_steps : 1;
    for (int i = 0; i < count; i++)
        out[i] = cells ? cells[i] : world_default(id);
    for (int i = 0; i < count && mean != 1; i++)
        out[i] = (float)((double)out[i] * mean);
    mark_outside_domain(ground, count, out);
}

static GullyStatus read_field(const GullyWorld* world, int id, GullyRect rect, float* out) {
    const int slots[2] = {world->common[GROUND], world->common[id]};
    const bool averages = id == FLOW && world->flow_steps > 0;
    const double mean = averages ? 1.0 / (double)world->flow_steps : 1;
    Runs runs;
    runs_begin_read(&runs, world, rect, slots, 2);
    while (runs_next(&runs)) {
        float* to = out + place_in(rect, runs.x, runs.y);
        if (runs.cells[1]) memcpy(to, runs.cells[1], (size_t)runs.count * sizeof *to);
        for (int i = 0; i < runs.count && !runs.cells[1]; i++)
            to[i] = world_default(id);
        for (int i = 0; i < runs.count && averages; i++)
            to[i] = (float)((double)to[i] * mean);
        if (runs.holes) mark_outside_domain(runs.cells[0], runs.count, to);
    }
    return runs_end(&runs);
}

/// The bedrock is what is left of the ground without the layers.
static GullyStatus read_bedrock(const GullyWorld* world, GullyRect rect, float* out) {
    int slots[2 + 2 * MAX_LAYERS] = {world->common[GROUND], world->common[GROUND_LOW]}, count = 2;
    for (int m = 0; m < world->material_count - 1; m++) {
        slots[count++] = world->common[LAYER_1 + m];
        slots[count++] = world->common[LAYER_LOW_1 + m];
    }
    Runs runs;
    runs_begin_read(&runs, world, rect, slots, count);
    while (runs_next(&runs)) {
        float* to = out + place_in(rect, runs.x, runs.y);
        for (int i = 0; i < runs.count; i++) {
            double height = (double)runs.cells[0][i] + (double)runs.cells[1][i];
            for (int k = 2; k < count; k += 2)
                height -= (double)runs.cells[k][i] + (double)runs.cells[k + 1][i];
            to[i] = (float)height;
        }
        mark_outside_domain(runs.cells[0], runs.count, to);
    }
    return runs_end(&runs);
}

static GullyStatus refuse_rows(const GullyWorld* world, GullyField field, GullyRect rect) {
    return gully_fail(
        GULLY_BAD_INPUT, "%s: rows %d to %d are read, and rank %d of %d keeps rows %d to %d",
        public_fields[field].name, rect.y, rect.y + rect.height - 1, world->ranks->rank,
        world->ranks->count, world->first_row, world->end_row - 1);
}

GullyStatus gully_world_read(const GullyWorld* world, GullyField field, GullyRect rect,
                             float* out) {
    if (!is_field(field)) return refuse_field(field);
    GullyStatus status = world_check_rect(world, field, rect);
    if (status) return status;
    if (world->leads) return world_lead_read(world, field, rect, out);
    if (rect.height > 0 && (rect.y < world->first_row || rect.y + rect.height > world->end_row))
        return refuse_rows(world, field, rect);
    if (field == GULLY_LAYER_0) return read_bedrock(world, rect, out);
    return read_field(world, public_fields[field].id, rect, out);
}

// ---- writing ------------------------------------------------------------------------------------

Exact* world_edits(GullyWorld* world, int id) {
    if (id == WATER || id == WATER_LOW) return &world->edited_water;
    if (id == GROUND || id == GROUND_LOW || id == SEDIMENT || id == SEDIMENT_LOW)
        return &world->edited_solid;
    return NULL;
}

/// The fields whose changes by users are counted. GROUND is the first.
static const int counted[] = {GROUND, GROUND_LOW, WATER, WATER_LOW, SEDIMENT, SEDIMENT_LOW};
enum { COUNTED = sizeof counted / sizeof *counted };

/// Adds what a run holds of the counted fields to the sums of edits, or takes it away.
static void count_run(const Runs* runs, int sign) {
    for (int k = 0; k < COUNTED; k++) {
        Exact sum = 0;
        if (!runs->cells[k]) continue;
        runs_add(runs, 0, k, &sum);
        *world_edits(runs->world, counted[k]) += sum * sign;
    }
}

/// The place of a field in a walk that has the counted ones; appends it if it is none of those.
static int place_of(const GullyWorld* world, int id, int* slots, int* count) {
    for (int k = 0; k < COUNTED; k++) {
        if (counted[k] == id) return k;
    }
    slots[*count] = world->common[id];
    return (*count)++;
}

static void write_run(Runs* runs, int id, int high, int low, const float* in) {
    for (int i = 0; i < runs->count; i++) {
        const bool outside = runs->cells[0][i] > GROUND_MAX;
        if (id == GROUND && isnan(in[i])) {
            if (!outside) runs_remove_cell(runs, i);
        } else if (id == GROUND || !outside) {
            if (low < 0)
                runs_put(runs, high, i, in[i]);
            else
                runs_put_pair(runs, high, low, i, (double)in[i]);
        }
    }
}

static GullyStatus write_cells(GullyWorld* world, GullyField field, GullyRect rect,
                               const float* in) {
    const int id = public_fields[field].id, low_id = public_fields[field].low;
    int slots[COUNTED + 2], count = COUNTED;
    for (int k = 0; k < COUNTED; k++)
        slots[k] = world->common[counted[k]];
    const int high = place_of(world, id, slots, &count);
    const bool is_pair = low_id >= 0 && world->common[low_id] >= 0;
    const int low = is_pair ? place_of(world, low_id, slots, &count) : -1;
    Runs runs;
    runs_begin(&runs, world, rect, slots, count, ACCESS_READ_WRITE);
    while (runs_next(&runs)) {
        count_run(&runs, -1);
        write_run(&runs, id, high, low, in + place_in(rect, runs.x, runs.y));
        count_run(&runs, 1);
    }
    return runs_end(&runs);
}

static GullyStatus check_writable(const GullyWorld* world, GullyField field) {
    if (!public_fields[field].writable)
        return gully_fail(GULLY_BAD_INPUT, "%s: this field can only be read",
                          public_fields[field].name);
    const bool layer = field >= GULLY_LAYER_0 && field <= GULLY_LAYER_7;
    if (layer && (int)field - GULLY_LAYER_0 >= world->material_count)
        return gully_fail(GULLY_BAD_INPUT, "%s: the world has %d materials",
                          public_fields[field].name, world->material_count);
    return GULLY_OK;
}

/// Whether all values may be written; the message says which may not.
static GullyStatus check_values(GullyField field, GullyRect rect, const float* in) {
    float least = public_fields[field].least, most = public_fields[field].most;
    for (int y = 0; y < rect.height; y++) {
        for (int x = 0; x < rect.width; x++) {
            float value = in[(size_t)y * (size_t)rect.width + (size_t)x];
            if (value >= least && value <= most) continue;
            if (field == GULLY_TERRAIN && isnan(value)) continue;
            return gully_fail(
                GULLY_BAD_INPUT, "%s of cell (%d, %d) is %g; allowed: from %g to %g %s%s",
                public_fields[field].name, rect.x + x, rect.y + y, (double)value, (double)least,
                (double)most, public_fields[field].unit,
                field == GULLY_TERRAIN ? ", or NaN for a cell outside the domain" : "");
        }
    }
    return GULLY_OK;
}

GullyStatus gully_world_write(GullyWorld* world, GullyField field, GullyRect rect,
                              const float* in) {
    if (!is_field(field)) return refuse_field(field);
    GullyStatus status = world_check_rect(world, field, rect);
    if (!status) status = check_writable(world, field);
    if (!status) status = check_values(field, rect, in);
    if (!status && world->leads) status = world_lead_write(world, field, rect, in);
    if (!status) status = world_add_common(world, FIELD_BIT(public_fields[field].id));
    if (status) return status;
    world_will_change(world, rect);
    world->edits++;
    return write_cells(world, field, rect, in);
}

GullyStatus gully_world_fill(GullyWorld* world, GullyField field, float value) {
    float* row = malloc((size_t)world->width * sizeof *row);
    if (!row) return gully_fail(GULLY_NO_MEMORY, "no memory for a row of %d cells", world->width);
    for (int x = 0; x < world->width; x++)
        row[x] = value;
    GullyStatus status = GULLY_OK;
    for (int y = 0; y < world->height && !status; y++)
        status = gully_world_write(world, field, (GullyRect){0, y, world->width, 1}, row);
    free(row);
    return status;
}

// ---- all of a world -----------------------------------------------------------------------------

int64_t gully_world_cells(const GullyWorld* world) {
    int64_t cells = 0;
    Runs runs;
    runs_begin_read(&runs, world, gully_world_all(world), &world->common[GROUND], 1);
    while (runs_next(&runs)) {
        for (int i = 0; i < runs.count; i++)
            cells += runs.cells[0][i] <= GROUND_MAX;
    }
    RankSum sum = (RankSum)cells;
    return ranks_add(world->ranks, runs_end(&runs), &sum, 1) ? -1 : (int64_t)sum;
}

/// Adds the total of a field and its remainder to a sum, or takes it away.
static GullyStatus add_total(const GullyWorld* world, int id, int low_id, int sign, Exact* sum) {
    const int slots[2] = {world->common[id], low_id < 0 ? -1 : world->common[low_id]};
    GullyStatus status = GULLY_OK;
    for (int k = 0; k < 2 && !status; k++) {
        Exact part = 0;
        if (slots[k] >= 0) status = world_sum(world, slots[k], &part);
        *sum += part * sign;
    }
    return status;
}

double gully_world_volume(const GullyWorld* world, GullyField field) {
    Exact total = 0;
    GullyStatus status =
        add_total(world, public_fields[field].id, public_fields[field].low, 1, &total);
    for (int m = 0; field == GULLY_LAYER_0 && m < world->material_count - 1 && !status; m++)
        status = add_total(world, LAYER_1 + m, LAYER_LOW_1 + m, -1, &total);
    return status ? NAN : exact_value(total) * world->cell_x * world->cell_y;
}

// ---- the hash -----------------------------------------------------------------------------------

/// Cells of a row that are hashed together.
enum { HASHED = 64 };

/// The hash of some cells of a row that begin at a multiple of HASHED: keyed by their place, so that
/// the same values elsewhere give another.
static uint64_t hash_at(const float* values, int count, int x, int y) {
    const uint64_t place = (uint64_t)y << 32 | (uint64_t)(x / HASHED);
    return hash_bytes(values, (size_t)count * sizeof *values, place);
}

/// A sum over the cells, so that neither the order of the walk nor where cells live matters.
uint64_t gully_world_hash(const GullyWorld* world, GullyField field) {
    enum { PIECE = 16 * HASHED };
    float values[PIECE];
    RankSum sum = 0;
    GullyStatus status = GULLY_OK;
    for (int y = world->first_row; y < world->end_row && !status; y++) {
        for (int x = 0; x < world->width && !status; x += PIECE) {
            const int count = world->width - x < PIECE ? world->width - x : PIECE;
            status = gully_world_read(world, field, (GullyRect){x, y, count, 1}, values);
            for (int i = 0; i < count && !status; i += HASHED)
                sum += hash_at(values + i, count - i < HASHED ? count - i : HASHED, x + i, y);
        }
    }
    return ranks_add(world->ranks, status, &sum, 1) ? 0 : (uint64_t)sum;
}
