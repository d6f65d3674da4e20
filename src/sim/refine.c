// SPDX-License-Identifier: MIT
// The state of a simulation on cells half as large.
//
// Each cell gives its value to the four that lie in it, and more or less of it to each:
//
//   v' = v + d,   sum of the four d = 0
//   d  = (+-sx +-sy) / 4 +- sxy / 16                 of the ground
//
// with sx = (east - west) / 2, sy = (south - north) / 2 and sxy = (se - sw - ne + nw) / 4: the means of
// a parabola through the cell and the eight around it. It is made flatter until no new cell leaves the
// range of those nine. What cannot be below 0 takes sx = minmod(east - v, v - west) instead, likewise
// sy, and no sxy: monotonous.
//
// Water keeps its level where it is deeper than the ground rises within the cell (d = that of the
// level, less that of the ground), so lakes stay flat; elsewhere its depth. Suspended sediment keeps
// its concentration.
//
// d is a multiple of the last place of v, so the four add up to 4 v exactly, remainders of pairs
// included: cells have a quarter of the area, and each volume is what it was. Where floats do not have
// the four numbers, all of them are v. Cells of nodata stay so.
//
// Fields that a law keeps for itself begin anew, as when models follow each other, but for solid on
// its way. Halves are copied.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "books.h"
#include "gully/state.h"
#include "lease.h"
#include "simulation.h"
#include "state_fields.h"

enum { CHILDREN = 4 }; // north-west, north-east, south-west, south-east

static const double ACROSS[CHILDREN] = {-1, 1, -1, 1}, DOWN[CHILDREN] = {-1, -1, 1, 1};

// How the four differ.
typedef enum Way { COPIED, SMOOTH, MONOTONOUS, LIKE_WATER, WITH_WATER } Way;

// A field that both worlds have.
typedef struct Refined {
    int from, to;         // slots,
    int from_low, to_low; // and of the remainder; -1 = none
    Way way;
    double least, most; // allowed values
    float* rows[3];     // of the old world: around the row that is refined
    float* low;         // that row's remainder
    float* out[2];      // two rows of the new world
    float* out_low[2];
} Refined;

typedef struct Refining {
    const GullyWorld* from;
    GullyWorld* to;
    Refined list[MAX_FIELDS];
    int count;
    int ground, water; // places in the list
    void* numbers;     // room for a row of halves
} Refining;

// ---- one cell -----------------------------------------------------------------------------------

// Whether the new cell is a number that the field may have, with the remainder.
static bool is_allowed(const Refined* field, float value, float low) {
    const double whole = (double)value + (double)low;
    return whole >= field->least && whole <= field->most;
}

// Four floats near value + d, whose sum is exactly four times the value; all of them the value if that
// cannot be.
static void split(const Refined* field, float value, float low, const double d[CHILDREN],
                  float out[CHILDREN]) {
    const double most = fmax(fmax(fabs(d[0]), fabs(d[1])), fmax(fabs(d[2]), fabs(d[3])));
    int exponent, least = 0;
    frexp(value != 0 ? (double)value : most, &exponent);
    const double place = ldexp(1, exponent - 24); // the last one
    double rest = CHILDREN * (double)value;
    bool good = most > 0 && most < ldexp(place, 48); // else sums are no doubles
    for (int k = 0; k < CHILDREN; k++) {
        out[k] = good ? (float)((double)value + rint(d[k] / place) * place) : value;
        rest -= (double)out[k];
        if (fabsf(out[k]) < fabsf(out[least])) least = k;
    }
    const double last = (double)out[least] + rest;
    out[least] = (float)last;
    good = good && (double)out[least] == last;
    for (int k = 0; k < CHILDREN; k++)
        good = good && is_allowed(field, out[k], low);
    for (int k = 0; k < CHILDREN && !good; k++)
        out[k] = value;
}

static double minmod(double a, double b) {
    if (a * b <= 0) return 0;
    return fabs(a) < fabs(b) ? a : b;
}

// The cell and those around it: of a column `i` of three rows. What is no cell, and what lies outside,
// is as the cell itself.
static void around(const Refining* refining, const Refined* field, int i, double v[3][3]) {
    const Refined* ground = &refining->list[refining->ground];
    for (int j = 0; j < 3; j++) {
        for (int k = -1; k <= 1; k++) {
            const int x = i + k < 0 || i + k >= refining->from->width ? i : i + k;
            const bool is_cell = ground->rows[j][x] <= GROUND_MAX;
            v[j][k + 1] = (double)(is_cell ? field->rows[j][x] : field->rows[1][i]);
        }
    }
}

static void smooth(const double v[3][3], double d[CHILDREN]) {
    const double sx = (v[1][2] - v[1][0]) / 2, sy = (v[2][1] - v[0][1]) / 2;
    const double sxy = (v[2][2] - v[2][0] - v[0][2] + v[0][0]) / 4;
    double low = v[1][1], high = v[1][1], share = 1;
    for (int n = 0; n < 9; n++) {
        low = fmin(low, v[n / 3][n % 3]);
        high = fmax(high, v[n / 3][n % 3]);
    }
    for (int k = 0; k < CHILDREN; k++) {
        d[k] = (ACROSS[k] * sx + DOWN[k] * sy) / 4 + ACROSS[k] * DOWN[k] * sxy / 16;
        const double room = d[k] > 0 ? high - v[1][1] : v[1][1] - low;
        if (fabs(d[k]) > room) share = fmin(share, room / fabs(d[k]));
    }
    for (int k = 0; k < CHILDREN; k++)
        d[k] *= share;
}

static void monotonous(const double v[3][3], double d[CHILDREN]) {
    const double sx = minmod(v[1][2] - v[1][1], v[1][1] - v[1][0]);
    const double sy = minmod(v[2][1] - v[1][1], v[1][1] - v[0][1]);
    for (int k = 0; k < CHILDREN; k++)
        d[k] = (ACROSS[k] * sx + DOWN[k] * sy) / 4;
}

// The new cells of a field in the order of CHILDREN.
static void children(const Refined* field, int i, float out[CHILDREN]) {
    for (int k = 0; k < CHILDREN; k++)
        out[k] = field->out[k / 2][2 * i + k % 2];
}

// The level of the water, of wet cells; else that of the cell in the middle.
static void levels(const double ground[3][3], const double water[3][3], double v[3][3]) {
    for (int n = 0; n < 9; n++) {
        const int j = n / 3, k = n % 3, wet = water[j][k] > 0;
        v[j][k] = wet ? ground[j][k] + water[j][k] : ground[1][1] + water[1][1];
    }
}

// The level's d less that of the ground, if that leaves no new cell dry; else the depth's own.
static void like_water(const Refining* refining, const Refined* field, int i, double d[CHILDREN]) {
    const Refined* ground = &refining->list[refining->ground];
    double depth[3][3], height[3][3], level[3][3];
    float below[CHILDREN];
    bool is_deep = true;
    around(refining, field, i, depth);
    around(refining, ground, i, height);
    levels((const double(*)[3])height, (const double(*)[3])depth, level);
    children(ground, i, below);
    monotonous((const double(*)[3])level, d);
    for (int k = 0; k < CHILDREN; k++) {
        d[k] -= (double)below[k] - (double)ground->rows[1][i];
        is_deep = is_deep && depth[1][1] + d[k] > 0;
    }
    if (!is_deep) monotonous((const double(*)[3])depth, d);
}

// In each new cell as much as it has of the water.
static void with_water(const Refining* refining, const Refined* field, int i, double d[CHILDREN]) {
    const Refined* water = &refining->list[refining->water];
    const double depth = (double)water->rows[1][i], value = (double)field->rows[1][i];
    float wet[CHILDREN];
    children(water, i, wet);
    for (int k = 0; k < CHILDREN; k++)
        d[k] = depth > 0 ? value * ((double)wet[k] / depth - 1) : 0;
}

static void refine_cell(const Refining* refining, Refined* field, int i) {
    const float value = field->rows[1][i], low = field->low ? field->low[i] : 0;
    const bool is_cell = refining->list[refining->ground].rows[1][i] <= GROUND_MAX;
    double d[CHILDREN] = {0}, v[3][3];
    float out[CHILDREN];
    if (is_cell && (field->way == SMOOTH || field->way == MONOTONOUS)) {
        around(refining, field, i, v);
        (field->way == SMOOTH ? smooth : monotonous)((const double(*)[3])v, d);
    }
    if (is_cell && field->way == LIKE_WATER) like_water(refining, field, i, d);
    if (is_cell && field->way == WITH_WATER) with_water(refining, field, i, d);
    split(field, value, low, d, out);
    for (int k = 0; k < CHILDREN; k++)
        field->out[k / 2][2 * i + k % 2] = out[k];
}

// Puts the remainders to the new values, which may be smaller than the old one: a pair is the float
// next to the sum, and what is left.
static void put_remainders(Refined* field, int width) {
    for (int n = 0; n < 2 * width && field->low; n++) {
        for (int j = 0; j < 2; j++) {
            const float high = field->out[j][n], low = field->low[n / 2];
            const float sum = field->way == COPIED ? high : high + low, part = sum - high;
            field->out[j][n] = sum;
            field->out_low[j][n] = (high - (sum - part)) + (low - part);
        }
    }
}

// ---- rows ---------------------------------------------------------------------------------------

static GullyStatus read_row(const Refining* refining, int slot, int y, float* out) {
    const GullyWorld* world = refining->from;
    const bool halves = world_number(world, slot) == sizeof(Half);
    void* to = halves ? refining->numbers : out;
    GullyStatus status = world_copy_out(world, slot, 0, y, world->width, to);
    const Half* numbers = refining->numbers;
    for (int i = 0; i < world->width && halves && !status; i++)
        out[i] = half_unpack(numbers[i]);
    return status;
}

// Goes one row on: the rows around `y`. Those beyond the world are as the nearest.
static GullyStatus read_around(const Refining* refining, Refined* field, int y) {
    const int last = refining->from->height - 1;
    GullyStatus status = GULLY_OK;
    float* first = field->rows[0];
    field->rows[0] = field->rows[1];
    field->rows[1] = field->rows[2];
    field->rows[2] = first;
    if (y == 0) status = read_row(refining, field->from, 0, field->rows[1]);
    if (y == 0)
        memcpy(field->rows[0], field->rows[1], (size_t)refining->from->width * sizeof(float));
    if (!status) status = read_row(refining, field->from, y < last ? y + 1 : last, field->rows[2]);
    if (!status && field->low) status = read_row(refining, field->from_low, y, field->low);
    return status;
}

static GullyStatus write_rows(const Refining* refining, const Refined* field, int y) {
    const int width = refining->to->width;
    GullyStatus status = GULLY_OK;
    for (int j = 0; j < 2 && !status; j++) {
        status = world_copy_in(refining->to, field->to, 0, 2 * y + j, width, field->out[j],
                               sizeof(float));
        if (!status && field->low)
            status = world_copy_in(refining->to, field->to_low, 0, 2 * y + j, width,
                                   field->out_low[j], sizeof(float));
    }
    return status;
}

// A row of the old world, field by field: the ground comes first, then the water.
static GullyStatus refine_row(Refining* refining, int y) {
    GullyStatus status = GULLY_OK;
    for (int n = 0; n < refining->count && !status; n++)
        status = read_around(refining, &refining->list[n], y);
    for (int n = 0; n < refining->count && !status; n++)
        for (int i = 0; i < refining->from->width; i++)
            refine_cell(refining, &refining->list[n], i);
    for (int n = 0; n < refining->count && !status; n++) {
        put_remainders(&refining->list[n], refining->from->width);
        status = write_rows(refining, &refining->list[n], y);
    }
    return status;
}

// ---- the fields ---------------------------------------------------------------------------------

static const struct {
    int id, low; // the remainder, -1 = none
    Way way;
    double least, most;
} COMMON[] = {
    {GROUND, GROUND_LOW, SMOOTH, -HUGE_VAL, HUGE_VAL},
    {WATER, WATER_LOW, LIKE_WATER, 0, HUGE_VAL},
    {SEDIMENT, SEDIMENT_LOW, WITH_WATER, 0, HUGE_VAL},
    {HARDNESS, -1, MONOTONOUS, 0, 1},
    {FLOW, -1, MONOTONOUS, 0, HUGE_VAL},
    {WEAR, -1, MONOTONOUS, 0, HUGE_VAL},
    {DEPOSIT, -1, MONOTONOUS, 0, HUGE_VAL},
    {VELOCITY_X, -1, COPIED, -HUGE_VAL, HUGE_VAL},
    {VELOCITY_Y, -1, COPIED, -HUGE_VAL, HUGE_VAL},
    {UPLIFT, -1, MONOTONOUS, 0, HUGE_VAL},
    {RAINFALL, -1, MONOTONOUS, 0, HUGE_VAL},
    {LAYER_1, LAYER_LOW_1, MONOTONOUS, 0, HUGE_VAL},
    {LAYER_2, LAYER_LOW_2, MONOTONOUS, 0, HUGE_VAL},
    {LAYER_3, LAYER_LOW_3, MONOTONOUS, 0, HUGE_VAL},
    {LAYER_4, LAYER_LOW_4, MONOTONOUS, 0, HUGE_VAL},
    {LAYER_5, LAYER_LOW_5, MONOTONOUS, 0, HUGE_VAL},
    {LAYER_6, LAYER_LOW_6, MONOTONOUS, 0, HUGE_VAL},
    {LAYER_7, LAYER_LOW_7, MONOTONOUS, 0, HUGE_VAL},
};

static Refined* add_field(Refining* refining, const char* name, Way way) {
    Refined* field = &refining->list[refining->count];
    *field =
        (Refined){.from_low = -1, .to_low = -1, .way = way, .least = -HUGE_VAL, .most = HUGE_VAL};
    field->from = state_slot(refining->from, name);
    field->to = state_slot(refining->to, name);
    if (field->from < 0 || field->to < 0) return NULL;
    if (refining->from->fields[field->from].half) field->way = COPIED;
    refining->count++;
    return field;
}

// Gives the new world what the old one has, and lists it.
static GullyStatus list_fields(Refining* refining) {
    StateFields all, kept = {0};
    state_fields_of(refining->from, &all);
    for (int n = 0; n < all.count; n++) { // what laws keep begins anew, but for solid on its way
        const int slot = state_slot(refining->from, all.list[n].name);
        const bool own = strchr(all.list[n].name, '.') != NULL;
        if (!own || refining->from->fields[slot].suspended) kept.list[kept.count++] = all.list[n];
    }
    GullyStatus status = state_fields_add(&kept, refining->to);
    if (!status) status = state_fields_reset_others(&kept, refining->to);
    for (size_t n = 0; n < sizeof COMMON / sizeof COMMON[0] && !status; n++) {
        const int slot = refining->from->common[COMMON[n].id];
        Refined* field =
            slot < 0 ? NULL : add_field(refining, refining->from->fields[slot].name, COMMON[n].way);
        if (!field) continue;
        field->least = COMMON[n].least;
        field->most = COMMON[n].most;
        if (COMMON[n].id == GROUND) refining->ground = refining->count - 1;
        if (COMMON[n].id == WATER) refining->water = refining->count - 1;
        if (COMMON[n].low < 0) continue;
        field->from_low = refining->from->common[COMMON[n].low];
        field->to_low = refining->to->common[COMMON[n].low];
    }
    for (int n = 0; n < kept.count && !status; n++) {
        if (strchr(kept.list[n].name, '.')) add_field(refining, kept.list[n].name, COPIED);
    }
    return status;
}

static GullyStatus allocate(Refining* refining) {
    const size_t width = (size_t)refining->from->width;
    bool good = (refining->numbers = malloc(width * sizeof(float))) != NULL;
    for (int n = 0; n < refining->count && good; n++) {
        Refined* field = &refining->list[n];
        for (int j = 0; j < 3 && good; j++)
            good = (field->rows[j] = malloc(width * sizeof(float))) != NULL;
        for (int j = 0; j < 2 && good; j++)
            good = (field->out[j] = malloc(2 * width * sizeof(float))) != NULL;
        if (field->from_low < 0 || field->to_low < 0) continue;
        good = good && (field->low = malloc(width * sizeof(float)));
        for (int j = 0; j < 2 && good; j++)
            good = (field->out_low[j] = malloc(2 * width * sizeof(float))) != NULL;
    }
    return good ? GULLY_OK : gully_fail(GULLY_NO_MEMORY, "no memory to double the cells");
}

static void release(Refining* refining) {
    for (int n = 0; n < refining->count; n++) {
        Refined* field = &refining->list[n];
        for (int j = 0; j < 3; j++)
            free(field->rows[j]);
        for (int j = 0; j < 2; j++) {
            free(field->out[j]);
            free(field->out_low[j]);
        }
        free(field->low);
    }
    free(refining->numbers);
    free(refining);
}

// ---- all of it ----------------------------------------------------------------------------------

static GullyStatus check(const GullySim* from, const GullySim* to) {
    const GullyWorld *old = gully_sim_world(from), *world = gully_sim_world(to);
    if (from->levels || old->level_map)
        return gully_fail(GULLY_BAD_INPUT, "levels: cells of several levels cannot be doubled");
    if (world->width != 2 * old->width || world->height != 2 * old->height ||
        world->cell_x != old->cell_x / 2 || world->cell_y != old->cell_y / 2)
        return gully_fail(
            GULLY_BAD_INPUT,
            "size: the world has %d x %d cells of %g x %g m; twice as many as %d x %d "
            "of %g x %g m, half as large, are wanted",
            world->width, world->height, world->cell_x, world->cell_y, old->width, old->height,
            old->cell_x, old->cell_y);
    if (world->half != old->half || world->material_count != old->material_count)
        return gully_fail(GULLY_BAD_INPUT, "the worlds have not the same precision or materials");
    if (strcmp(sim_model(from), sim_model(to)) != 0)
        return gully_fail(GULLY_BAD_INPUT, "model: the simulations have %s and %s", sim_model(from),
                          sim_model(to));
    return sim_check_whole(from);
}

// The books of the new cells: they count metres times cells, and there are four times as many.
static GullyStatus take_books(const GullySim* from, GullySim* to) {
    Books books;
    GullyStatus status = sim_get_books(from, &books);
    if (status) return status;
    books.time_since = gully_sim_time(from);
    books.dt_since = books.steps;
    books.rounds = 0;
    books.initial_water *= CHILDREN;
    books.initial_solid *= CHILDREN;
    books.edited_water *= CHILDREN;
    books.edited_solid *= CHILDREN;
    for (int account = 0; account < ACCOUNTS; account++)
        books.accounts[account] *= CHILDREN;
    return sim_set_books(to, &books);
}

GullyStatus gully_sim_refine(const GullySim* from, GullySim* to) {
    GullyStatus status = check(from, to);
    if (status) return status;
    Refining* refining = calloc(1, sizeof *refining);
    if (!refining) return gully_fail(GULLY_NO_MEMORY, "no memory to double the cells");
    refining->from = gully_sim_world(from);
    refining->to = gully_sim_world(to);
    world_will_change_all(refining->to);
    status = list_fields(refining);
    if (!status) status = allocate(refining);
    for (int y = 0; y < refining->from->height && !status; y++)
        status = refine_row(refining, y);
    if (!status) status = world_find_holes(refining->to, gully_world_all(refining->to));
    world_touch_all(refining->to);
    if (!status) status = take_books(from, to);
    release(refining);
    return status;
}
