// SPDX-License-Identifier: MIT
#include "gully/state.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "books.h"
#include "level_state.h"
#include "state_fields.h"

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "cells are copied as they are");

#define MOST_LEVEL_BYTES (UINT64_C(1) << 46)
enum { PIECE_CELLS = GULLY_STATE_PIECE / sizeof(float), MOST_BYTES = 8192 };

struct GullyState {
    GullyStateInfo info;
    Books books;
    int material_count;
    StateFields fields;
    int64_t field_pieces; // of each
    LevelBytes levels;    // pieces after those of the fields
    unsigned char head[MOST_BYTES];
    size_t head_size;
};

// ---- the head -----------------------------------------------------------------------------------

/// Goes over the bytes of a head, to write or to read them: one description serves both.
typedef struct Walker {
    unsigned char* bytes;
    size_t at, size;
    bool writes, good;
} Walker;

static void walk_bytes(Walker* walker, void* value, size_t size) {
    walker->good = walker->good && size <= walker->size - walker->at;
    if (!walker->good) return;
    if (walker->writes)
        memcpy(walker->bytes + walker->at, value, size);
    else
        memcpy(value, walker->bytes + walker->at, size);
    walker->at += size;
}

#define WALK(walker, value) walk_bytes(walker, &(value), sizeof(value))

static void walk_text(Walker* walker, char text[32]) {
    walk_bytes(walker, text, 32);
    walker->good = walker->good && memchr(text, 0, 32);
}

/// A count, from `least` to `most`.
static void walk_count(Walker* walker, int* count, int least, int most) {
    WALK(walker, *count);
    walker->good = walker->good && *count >= least && *count <= most;
}

static void walk_books(Walker* walker, Books* books) {
    int accounts = ACCOUNTS;
    WALK(walker, books->seed);
    WALK(walker, books->steps);
    WALK(walker, books->dt_since);
    WALK(walker, books->time_since);
    WALK(walker, books->dt);
    WALK(walker, books->flow_steps);
    WALK(walker, books->initial_water);
    WALK(walker, books->initial_solid);
    WALK(walker, books->edited_water);
    WALK(walker, books->edited_solid);
    walk_count(walker, &accounts, ACCOUNTS, ACCOUNTS);
    WALK(walker, books->accounts);
}

static void walk_head(Walker* walker, GullyState* state) {
    GullyStateInfo* info = &state->info;
    int half = info->half;
    walk_text(walker, info->model);
    walk_count(walker, &info->width, 1, INT32_MAX);
    walk_count(walker, &info->height, 1, INT32_MAX);
    WALK(walker, info->cell_x);
    WALK(walker, info->cell_y);
    walk_count(walker, &half, 0, 1);
    info->half = half == 1;
    walk_books(walker, &state->books);
    walk_count(walker, &state->material_count, 0, GULLY_MAX_MATERIALS);
    walk_count(walker, &state->fields.count, 1, MAX_FIELDS);
    for (int i = 0; walker->good && i < state->fields.count; i++) {
        StateField* field = &state->fields.list[i];
        walk_text(walker, field->name);
        walk_count(walker, &field->number, 2, 4);
        walker->good = walker->good && field->number != 3;
    }
    // Most states are not amid rounds and have no levels, and end here.
    uint64_t levels = state->levels.size;
    const bool more =
        walker->writes ? state->books.rounds > 0 || levels > 0 : walker->at < walker->size;
    if (more) WALK(walker, state->books.rounds);
    walker->good = walker->good && state->books.rounds >= 0;
    const bool has_levels = walker->writes ? levels > 0 : more && walker->at < walker->size;
    if (has_levels) WALK(walker, levels);
    walker->good = walker->good && levels <= MOST_LEVEL_BYTES && levels % sizeof(float) == 0;
    if (!walker->writes && walker->good) state->levels.size = (size_t)levels;
    walker->good = walker->good && (!more || state->books.rounds > 0 || levels > 0);
}

/// Fills in what follows from the rest.
static void complete(GullyState* state) {
    GullyStateInfo* info = &state->info;
    const Books* books = &state->books;
    int64_t cells = (int64_t)info->width * info->height;
    state->field_pieces = (cells - 1) / PIECE_CELLS + 1;
    info->pieces = state->field_pieces * state->fields.count;
    info->pieces += (int64_t)((state->levels.size + GULLY_STATE_PIECE - 1) / GULLY_STATE_PIECE);
    info->bytes = state->levels.size;
    for (int i = 0; i < state->fields.count; i++)
        info->bytes += (size_t)cells * (size_t)state->fields.list[i].number;
    info->seed = books->seed;
    info->steps = books->steps;
    info->dt = books->dt;
    info->time = books->time_since + (double)(books->steps - books->dt_since) * books->dt;
}

static bool is_sound(const GullyState* state) {
    const int64_t most_cells = (int64_t)1 << 48; // so that sizes fit into 64 bits
    const Books* books = &state->books;
    if ((int64_t)state->info.width * state->info.height > most_cells) return false;
    return state->info.cell_x > 0 && state->info.cell_y > 0 && books->dt > 0 &&
           isfinite(books->dt) && isfinite(books->time_since) && books->dt_since >= 0 &&
           books->steps >= books->dt_since && books->flow_steps >= 0;
}

// ---- making one ---------------------------------------------------------------------------------

static GullyState* create_state(void) {
    GullyState* state = calloc(1, sizeof *state);
    if (!state) gully_fail(GULLY_NO_MEMORY, "no memory for the state of a simulation");
    return state;
}

GullyStatus gully_state_of(const GullySim* sim, GullyState** out) {
    const GullyWorld* world = gully_sim_world(sim);
    *out = NULL;
    GullyStatus status = sim_check_whole(sim);
    if (status) return status;
    *out = create_state();
    if (!*out) return GULLY_NO_MEMORY;
    GullyState* state = *out;
    GullyStateInfo* info = &state->info;
    snprintf(info->model, sizeof info->model, "%s", sim_model(sim));
    info->width = world->width;
    info->height = world->height;
    info->cell_x = world->cell_x;
    info->cell_y = world->cell_y;
    info->half = world->half;
    state->material_count = world->material_count;
    status = sim_get_books(sim, &state->books);
    if (!status) status = levels_keep(sim, &state->levels);
    if (status) {
        gully_state_destroy(state);
        *out = NULL;
        return status;
    }
    state_fields_of(world, &state->fields);
    complete(state);
    Walker walker = {state->head, 0, sizeof state->head, true, true};
    walk_head(&walker, state);
    assert(walker.good);
    state->head_size = walker.at;
    return GULLY_OK;
}

GullyStatus gully_state_parse(const void* head, size_t size, GullyState** out) {
    *out = NULL;
    if (size > MOST_BYTES) return gully_fail(GULLY_BAD_INPUT, "a head of %zu bytes", size);
    GullyState* state = create_state();
    if (!state) return GULLY_NO_MEMORY;
    memcpy(state->head, head, size);
    state->head_size = size;
    Walker walker = {state->head, 0, size, false, true};
    walk_head(&walker, state);
    if (!walker.good || walker.at != size || !is_sound(state)) {
        gully_state_destroy(state);
        return gully_fail(GULLY_BAD_INPUT, "the head is none of a simulation's state");
    }
    complete(state);
    *out = state;
    return GULLY_OK;
}

void gully_state_destroy(GullyState* state) {
    if (state) level_bytes_free(&state->levels);
    free(state);
}

const GullyStateInfo* gully_state_info(const GullyState* state) {
    return &state->info;
}

const void* gully_state_head(const GullyState* state, size_t* size) {
    *size = state->head_size;
    return state->head;
}

// ---- pieces -------------------------------------------------------------------------------------

/// The cells of a piece, counted row by row over the world.
typedef struct Cells {
    int64_t first, count;
} Cells;

static Cells cells_of(const GullyState* state, int64_t index) {
    int64_t all = (int64_t)state->info.width * state->info.height;
    int64_t first = index % state->field_pieces * PIECE_CELLS;
    return (Cells){first, all - first < PIECE_CELLS ? all - first : PIECE_CELLS};
}

static bool has_piece(const GullyState* state, int64_t index) {
    return index >= 0 && index < state->info.pieces;
}

static const StateField* field_of(const GullyState* state, int64_t index) {
    assert(has_piece(state, index));
    return &state->fields.list[index / state->field_pieces];
}

/// Whether a piece is one of the levels; then where it begins among their bytes, and its size.
static bool is_of_levels(const GullyState* state, int64_t index, GullyStatePiece* out) {
    const int64_t first = state->field_pieces * state->fields.count;
    if (index < first || index >= state->info.pieces) return false;
    const size_t from = (size_t)(index - first) * GULLY_STATE_PIECE,
                 left = state->levels.size - from;
    *out =
        (GullyStatePiece){from, left < GULLY_STATE_PIECE ? left : GULLY_STATE_PIECE, sizeof(float)};
    return true;
}

GullyStatePiece gully_state_piece(const GullyState* state, int64_t index) {
    GullyStatePiece of_levels;
    if (is_of_levels(state, index, &of_levels)) {
        of_levels.offset += state->info.bytes - state->levels.size;
        return of_levels;
    }
    const StateField* field = field_of(state, index);
    const Cells cells = cells_of(state, index);
    size_t all = (size_t)state->info.width * (size_t)state->info.height, number = 0;
    for (const StateField* before = state->fields.list; before < field; before++)
        number += (size_t)before->number;
    GullyStatePiece piece = {.number = field->number};
    piece.offset = all * number + (size_t)cells.first * (size_t)field->number;
    piece.size = (size_t)cells.count * (size_t)field->number;
    return piece;
}

/// Cells side by side in a row of the world.
typedef struct CellRow {
    int x, y, count;
} CellRow;

/// Takes the first cells of a piece off that lie in one row.
static CellRow take_row(const GullyState* state, Cells* left) {
    const int width = state->info.width;
    CellRow row = {.x = (int)(left->first % width), .y = (int)(left->first / width)};
    row.count = left->count < width - row.x ? (int)left->count : width - row.x;
    left->first += row.count;
    left->count -= row.count;
    return row;
}

/// Whether this rank keeps the cells.
static bool is_own(const GullyWorld* world, CellRow row) {
    return row.y >= world->first_row && row.y < world->end_row;
}

/// Finds where the field of a piece is stored in a world.
static GullyStatus find_slot(const GullyState* state, const GullyWorld* world, int64_t index,
                             int* slot) {
    if (!has_piece(state, index))
        return gully_fail(GULLY_BAD_INPUT, "the state has no piece %lld; allowed: 0 to %lld",
                          (long long)index, (long long)state->info.pieces - 1);
    if (state->info.width != world->width || state->info.height != world->height)
        return gully_fail(GULLY_BAD_INPUT, "the state has %d x %d cells, the world %d x %d",
                          state->info.width, state->info.height, world->width, world->height);
    *slot = state_slot(world, field_of(state, index)->name);
    if (*slot < 0)
        return gully_fail(GULLY_BAD_INPUT, "the world has no field %s: it is not the state's",
                          field_of(state, index)->name);
    return GULLY_OK;
}

GullyStatus gully_state_read(const GullyState* state, const GullySim* sim, int64_t index,
                             void* out) {
    GullyStatePiece piece;
    if (is_of_levels(state, index, &piece)) {
        memcpy(out, state->levels.bytes + piece.offset, piece.size);
        return GULLY_OK;
    }
    const GullyWorld* world = gully_sim_world(sim);
    int slot = -1;
    GullyStatus status = find_slot(state, world, index, &slot);
    if (status) return status;
    const size_t number = (size_t)field_of(state, index)->number;
    if (number != world_number(world, slot))
        return gully_fail(GULLY_BAD_INPUT,
                          "%s has %zu bytes per number in the world, %zu in the "
                          "state: it is not the world's any more",
                          field_of(state, index)->name, world_number(world, slot), number);
    unsigned char* to = out;
    for (Cells left = cells_of(state, index); left.count > 0 && !status;) {
        CellRow row = take_row(state, &left);
        if (is_own(world, row)) status = world_copy_out(world, slot, row.x, row.y, row.count, to);
        to += (size_t)row.count * number;
    }
    return status;
}

GullyStatus gully_state_write(const GullyState* state, GullySim* sim, int64_t index,
                              const void* in) {
    GullyStatePiece piece;
    if (is_of_levels(state, index, &piece)) { // for gully_state_end
        memcpy(state->levels.bytes + piece.offset, in, piece.size);
        return GULLY_OK;
    }
    GullyWorld* world = gully_sim_world(sim);
    int slot = -1;
    GullyStatus status = find_slot(state, world, index, &slot);
    if (status) return status;
    const size_t number = (size_t)field_of(state, index)->number;
    const unsigned char* from = in;
    for (Cells left = cells_of(state, index); left.count > 0 && !status;) {
        CellRow row = take_row(state, &left);
        if (is_own(world, row))
            status = world_copy_in(world, slot, row.x, row.y, row.count, from, number);
        from += (size_t)row.count * number;
    }
    return status;
}

// ---- going on -----------------------------------------------------------------------------------

#define REFUSE(...) gully_fail(GULLY_BAD_INPUT, __VA_ARGS__)

static GullyStatus check_world(const GullyState* state, const GullyWorld* world) {
    const GullyStateInfo* info = &state->info;
    if (info->width != world->width || info->height != world->height)
        return REFUSE("size: the world has %d x %d cells, the state %d x %d", world->width,
                      world->height, info->width, info->height);
    if (info->cell_x != world->cell_x || info->cell_y != world->cell_y)
        return REFUSE("cell_size: the world has cells of %g x %g m, the state of %g x %g m",
                      world->cell_x, world->cell_y, info->cell_x, info->cell_y);
    if (info->half != world->half)
        return REFUSE("half: the world %s of half precision, the state %s",
                      world->half ? "is" : "is not", info->half ? "is" : "is not");
    if (state->material_count != world->material_count)
        return REFUSE("materials: the world has %d, the state %d", world->material_count,
                      state->material_count);
    return GULLY_OK;
}

static GullyStatus check_sim(const GullyState* state, const GullySim* sim) {
    const GullyStateInfo* info = &state->info;
    Books books;
    GullyStatus status = sim_get_books(sim, &books);
    if (status) return status;
    if (strcmp(info->model, sim_model(sim)) != 0)
        return REFUSE("model: the simulation has %s, the state %s", sim_model(sim), info->model);
    if (info->seed != books.seed)
        return REFUSE("seed: the simulation has %llu, the state %llu",
                      (unsigned long long)books.seed, (unsigned long long)info->seed);
    if (info->dt != books.dt)
        return REFUSE("dt: the simulation has %.17g s, the state %.17g s", books.dt, info->dt);
    return GULLY_OK;
}

static GullyStatus check_fields(const GullyState* state) {
    static const char* const needed[] = {"ground", "ground_low", "water", "water_low", "sediment"};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        if (!state_fields_have(&state->fields, needed[i]))
            return REFUSE("the state has no ground, water or sediment");
    }
    for (int i = 0; i < state->fields.count; i++) {
        if (!state_fields_know(state->fields.list[i].name))
            return REFUSE("the state has a field %s, which this version does not know",
                          state->fields.list[i].name);
    }
    return GULLY_OK;
}

/// Room for the bytes of the levels, which gully_state_write fills.
static GullyStatus make_level_bytes(GullyState* state) {
    LevelBytes* levels = &state->levels;
    if (levels->size == 0 || levels->bytes) return GULLY_OK;
    levels->bytes = calloc(levels->size, 1);
    return levels->bytes
               ? GULLY_OK
               : gully_fail(GULLY_NO_MEMORY, "no memory for levels of %zu bytes", levels->size);
}

GullyStatus gully_state_begin(const GullyState* state, GullySim* sim) {
    GullyWorld* world = gully_sim_world(sim);
    GullyStatus status = check_world(state, world);
    if (!status) status = check_sim(state, sim);
    if (!status) status = check_fields(state);
    if (!status) status = make_level_bytes((GullyState*)state);
    if (!status) status = state_fields_add(&state->fields, world);
    if (status) return status;
    world_will_change_all(world);
    return state_fields_reset_others(&state->fields, world);
}

GullyStatus gully_state_end(const GullyState* state, GullySim* sim) {
    GullyWorld* world = gully_sim_world(sim);
    GullyStatus status = world_find_holes(world, gully_world_all(world));
    status = gully_ranks_agree(world->ranks, status);
    world_touch_all(world);
    if (!status) status = sim_set_books(sim, &state->books);
    if (!status) status = levels_restore(sim, &state->levels);
    return status;
}
