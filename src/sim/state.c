#include "gully/state.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "books.h"
#include "tiles.h"

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "cells are copied as they are");

enum { PIECE_CELLS = GULLY_STATE_PIECE / sizeof(float), MOST_BYTES = 8192 };

typedef struct StateField {
    char name[32];
    int number; // bytes of one: 4 a float, 2 a half
} StateField;

struct GullyState {
    GullyStateInfo info;
    Books books;
    int material_count;
    StateField fields[MAX_FIELDS];
    int field_count;
    int64_t field_pieces; // of each
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
    walk_count(walker, &state->field_count, 1, MAX_FIELDS);
    for (int i = 0; walker->good && i < state->field_count; i++) {
        walk_text(walker, state->fields[i].name);
        walk_count(walker, &state->fields[i].number, 2, 4);
        walker->good = walker->good && state->fields[i].number != 3;
    }
}

/// Fills in what follows from the rest.
static void complete(GullyState* state) {
    GullyStateInfo* info = &state->info;
    const Books* books = &state->books;
    int64_t cells = (int64_t)info->width * info->height;
    state->field_pieces = (cells - 1) / PIECE_CELLS + 1;
    info->pieces = state->field_pieces * state->field_count;
    info->bytes = 0;
    for (int i = 0; i < state->field_count; i++)
        info->bytes += (size_t)cells * (size_t)state->fields[i].number;
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

// ---- fields -------------------------------------------------------------------------------------

/// A field that a state may have: what every law knows, or what a law keeps for itself.
typedef struct KnownField {
    int common; // -1: a law's own
    FieldInfo info;
} KnownField;

/// Finds what a field's name means; false for one that no state has: scratch, the pattern of rain,
/// which follows from the settings, and what nobody knows.
static bool find_known(const char* name, KnownField* known) {
    static const char* const common_names[COMMON_FIELDS] = {
#define FIELD(id, text, value) [id] = text,
        COMMON_FIELD_TABLE(FIELD)
#undef FIELD
    };
    for (int id = 0; id < COMMON_FIELDS; id++) {
        *known = (KnownField){.common = id};
        if (strcmp(common_names[id], name) == 0) return id != RAIN_PATTERN;
    }
    for (int i = 0; i < law_count(); i++) {
        const Law* law = law_at(i);
        for (int f = 0; f < law->field_count; f++) {
            *known = (KnownField){-1, {.outside = law->fields[f].outside}};
            snprintf(known->info.name, sizeof known->info.name, "%s.%s", law->name,
                     law->fields[f].name);
            if (strcmp(known->info.name, name) == 0) return !law->fields[f].scratch;
        }
    }
    return false;
}

static int find_slot(const GullyWorld* world, const char* name) {
    for (int slot = 0; slot < world->field_count; slot++) {
        if (strcmp(world->fields[slot].name, name) == 0) return slot;
    }
    return -1;
}

static bool has_field(const GullyState* state, const char* name) {
    for (int i = 0; i < state->field_count; i++) {
        if (strcmp(state->fields[i].name, name) == 0) return true;
    }
    return false;
}

// ---- making one ---------------------------------------------------------------------------------

static int by_name(const void* a, const void* b) {
    return strcmp(((const StateField*)a)->name, ((const StateField*)b)->name);
}

/// Sorted: in which order a world got its fields does not show.
static void list_fields(GullyState* state, const GullyWorld* world) {
    for (int slot = 0; slot < world->field_count; slot++) {
        KnownField known;
        if (!find_known(world->fields[slot].name, &known)) continue;
        StateField* field = &state->fields[state->field_count++];
        snprintf(field->name, sizeof field->name, "%s", world->fields[slot].name);
        field->number = is_narrow(world, slot) ? (int)sizeof(Half) : (int)sizeof(float);
    }
    qsort(state->fields, (size_t)state->field_count, sizeof *state->fields, by_name);
}

static GullyState* create_state(void) {
    GullyState* state = calloc(1, sizeof *state);
    if (!state) gully_fail(GULLY_FAILED, "no memory for the state of a simulation");
    return state;
}

GullyStatus gully_state_of(const GullySim* sim, GullyState** out) {
    const GullyWorld* world = gully_sim_world(sim);
    *out = create_state();
    if (!*out) return GULLY_FAILED;
    GullyState* state = *out;
    GullyStateInfo* info = &state->info;
    snprintf(info->model, sizeof info->model, "%s", sim_model(sim));
    info->width = world->width;
    info->height = world->height;
    info->cell_x = world->cell_x;
    info->cell_y = world->cell_y;
    info->half = world->half;
    state->material_count = world->material_count;
    sim_get_books(sim, &state->books);
    list_fields(state, world);
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
    if (!state) return GULLY_FAILED;
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

static const StateField* field_of(const GullyState* state, int64_t index) {
    assert(index >= 0 && index < state->info.pieces);
    return &state->fields[index / state->field_pieces];
}

GullyStatePiece gully_state_piece(const GullyState* state, int64_t index) {
    const StateField* field = field_of(state, index);
    const Cells cells = cells_of(state, index);
    size_t all = (size_t)state->info.width * (size_t)state->info.height, number = 0;
    for (const StateField* before = state->fields; before < field; before++)
        number += (size_t)before->number;
    GullyStatePiece piece = {.number = field->number};
    piece.offset = all * number + (size_t)cells.first * (size_t)field->number;
    piece.size = (size_t)cells.count * (size_t)field->number;
    return piece;
}

/// Some cells of a piece that stand side by side in a tile.
typedef struct PieceSpan {
    const Tile* tile;
    int row, x, count;
} PieceSpan;

static PieceSpan span_at(const GullyWorld* world, Cells left) {
    int y = (int)(left.first / world->width), x = (int)(left.first % world->width);
    int place = y / world->tile_size * world->tiles_x + x / world->tile_size;
    PieceSpan span = {.tile = &world->tiles[place]};
    span.row = y - span.tile->y;
    span.x = x - span.tile->x;
    span.count = span.tile->width - span.x;
    if (span.count > left.count) span.count = (int)left.count;
    return span;
}

void gully_state_read(const GullyState* state, const GullySim* sim, int64_t index, void* out) {
    const GullyWorld* world = gully_sim_world(sim);
    const int slot = find_slot(world, field_of(state, index)->name);
    const size_t number = (size_t)field_of(state, index)->number;
    assert(slot >= 0 && number == (is_narrow(world, slot) ? sizeof(Half) : sizeof(float)));
    unsigned char* to = out;
    for (Cells left = cells_of(state, index); left.count > 0;) {
        PieceSpan span = span_at(world, left);
        const void* from = is_narrow(world, slot)
                               ? (void*)(tile_half_row(world, span.tile, slot, span.row) + span.x)
                               : (void*)(tile_row(world, span.tile, slot, span.row) + span.x);
        memcpy(to, from, (size_t)span.count * number);
        to += (size_t)span.count * number;
        left.first += span.count;
        left.count -= span.count;
    }
}

/// Copies numbers into a row that may be of the other kind.
static void write_span(GullyWorld* world, const PieceSpan* span, int slot, const void* in,
                       size_t number) {
    const bool narrow = is_narrow(world, slot);
    const size_t bytes = (size_t)span->count * number;
    if (narrow && number == sizeof(Half)) {
        memcpy(tile_half_row(world, span->tile, slot, span->row) + span->x, in, bytes);
    } else if (!narrow && number == sizeof(float)) {
        memcpy(tile_row(world, span->tile, slot, span->row) + span->x, in, bytes);
    } else {
        for (int i = 0; i < span->count; i++) {
            Half half;
            float value;
            memcpy(&half, (const char*)in + (size_t)i * number, sizeof half);
            memcpy(&value, (const char*)in + (size_t)i * number, number);
            if (number == sizeof(Half)) value = half_unpack(half);
            tile_set(world, span->tile, slot, span->row, span->x + i, value);
        }
    }
}

void gully_state_write(const GullyState* state, GullySim* sim, int64_t index, const void* in) {
    GullyWorld* world = gully_sim_world(sim);
    const int slot = find_slot(world, field_of(state, index)->name);
    const size_t number = (size_t)field_of(state, index)->number;
    const unsigned char* from = in;
    assert(slot >= 0);
    for (Cells left = cells_of(state, index); left.count > 0;) {
        PieceSpan span = span_at(world, left);
        write_span(world, &span, slot, from, number);
        from += (size_t)span.count * number;
        left.first += span.count;
        left.count -= span.count;
    }
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
    sim_get_books(sim, &books);
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
    KnownField known;
    if (!has_field(state, "ground") || !has_field(state, "ground_low") ||
        !has_field(state, "water") || !has_field(state, "water_low") ||
        !has_field(state, "sediment"))
        return REFUSE("the state has no ground, water or sediment");
    for (int i = 0; i < state->field_count; i++) {
        if (!find_known(state->fields[i].name, &known))
            return REFUSE("the state has a field %s, which this version does not know",
                          state->fields[i].name);
    }
    return GULLY_OK;
}

/// Adds the fields that the world does not have yet.
static GullyStatus add_fields(const GullyState* state, GullyWorld* world) {
    FieldSet common = 0;
    FieldInfo own[MAX_FIELDS];
    int own_count = 0, slots[MAX_FIELDS];
    for (int i = 0; i < state->field_count; i++) {
        KnownField known;
        find_known(state->fields[i].name, &known);
        if (known.common >= 0) {
            common |= FIELD_BIT(known.common);
        } else {
            own[own_count] = known.info;
            own[own_count++].half = world->half;
        }
    }
    GullyStatus status = world_add_common(world, common);
    return status ? status : world_add_fields(world, own, own_count, slots);
}

/// Fields that the state does not have are as new ones.
static void reset_fields(const GullyState* state, GullyWorld* world) {
    KnownField known;
    for (int slot = 0; slot < world->field_count; slot++) {
        const FieldInfo* field = &world->fields[slot];
        if (has_field(state, field->name) || !find_known(field->name, &known)) continue;
        for (int i = 0; i < world->tiles_x * world->tiles_y; i++) {
            const Tile* tile = &world->tiles[i];
            for (int y = 0; y < tile->height; y++) {
                for (int x = 0; x < tile->width; x++)
                    tile_set(world, tile, slot, y, x, field->value);
            }
        }
    }
}

GullyStatus gully_state_begin(const GullyState* state, GullySim* sim) {
    GullyWorld* world = gully_sim_world(sim);
    GullyStatus status = check_world(state, world);
    if (!status) status = check_sim(state, sim);
    if (!status) status = check_fields(state);
    if (!status) status = add_fields(state, world);
    if (!status) reset_fields(state, world);
    return status;
}

void gully_state_end(const GullyState* state, GullySim* sim) {
    GullyWorld* world = gully_sim_world(sim);
    world->has_holes = false;
    for (int i = 0; i < world->tiles_x * world->tiles_y; i++) {
        const Tile* tile = &world->tiles[i];
        for (int y = 0; y < tile->height; y++) {
            const float* ground = tile_row(world, tile, world->common[GROUND], y);
            tile->holes[y] = false;
            for (int x = 0; x < tile->width && !tile->holes[y]; x++)
                tile->holes[y] = !(ground[x] <= GROUND_MAX);
            world->has_holes = world->has_holes || tile->holes[y];
        }
    }
    sim_set_books(sim, &state->books);
}
