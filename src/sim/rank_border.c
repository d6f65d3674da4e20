// SPDX-License-Identifier: MIT
#include "rank_border.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "store.h"

static int smaller(int a, int b) {
    return a < b ? a : b;
}

/// The rank beyond a side; -1 = none.
static int neighbour(const GullyWorld* world, Side side) {
    const GullyRanks* ranks = world->ranks;
    const int rank = side == NORTH ? ranks->rank - 1 : ranks->rank + 1;
    return rank >= 0 && rank < ranks->count ? rank : -1;
}

/// Sends messages to both neighbours and receives theirs; sizes are the most that is received.
typedef struct Letters {
    char *sent[SIDES], *received[SIDES];
    size_t sent_size[SIDES], received_size[SIDES];
} Letters;

static GullyStatus post(const GullyWorld* world, const Letters* letters) {
    GullyMessage messages[4];
    int count = 0;
    for (Side side = NORTH; side <= SOUTH; side++) {
        const int rank = neighbour(world, side);
        if (rank < 0) continue;
        messages[count++] =
            (GullyMessage){rank, false, letters->received[side], letters->received_size[side]};
        messages[count++] =
            (GullyMessage){rank, true, letters->sent[side], letters->sent_size[side]};
    }
    return world->ranks->begin(world->ranks->context, messages, count);
}

// ---- small letters ------------------------------------------------------------------------------

/// Rows of a rank that its neighbour at a side knows of, of `most`: those next to the border.
static RowRange known_rows(const GullyWorld* world, int rank, Side beyond, int most) {
    const GullyRect part = gully_world_part(world, rank);
    const int count = smaller(part.height, most);
    const int first = beyond == NORTH ? part.y : part.y + part.height - count;
    return (RowRange){first, first + count};
}

/// Makes a letter about the own rows for each neighbour, and takes theirs; records of `width` bytes.
typedef struct Telling {
    size_t width;
    int most, step; // rows, and how many have one record
    void (*write)(void* context, int y, char* to);
    void (*read)(void* context, int y, const char* from);
    void* context;
} Telling;

static void write_letter(const GullyWorld* world, const Telling* telling, Side side, char* to) {
    const RowRange rows = known_rows(world, world->ranks->rank, side, telling->most);
    for (int y = rows.first; y < rows.end; y += telling->step, to += telling->width)
        telling->write(telling->context, y, to);
}

static void read_letter(const GullyWorld* world, const Telling* telling, Side side,
                        const char* from) {
    const Side beyond = side == NORTH ? SOUTH : NORTH; // this rank lies at that side of it
    const RowRange rows = known_rows(world, neighbour(world, side), beyond, telling->most);
    for (int y = rows.first; y < rows.end; y += telling->step, from += telling->width)
        telling->read(telling->context, y, from);
}

static GullyStatus tell(const GullyWorld* world, const Telling* telling) {
    const size_t size = telling->width * (size_t)telling->most;
    char* room = malloc(4 * size);
    Letters letters = {0};
    if (!room) return gully_fail(GULLY_NO_MEMORY, "no memory for messages to other ranks");
    for (Side side = NORTH; side <= SOUTH; side++) {
        letters.sent[side] = room + (size_t)(side - NORTH) * 2 * size;
        letters.received[side] = letters.sent[side] + size;
        letters.sent_size[side] = letters.received_size[side] = size;
        if (neighbour(world, side) >= 0) write_letter(world, telling, side, letters.sent[side]);
    }
    GullyStatus status = post(world, &letters);
    if (!status) status = world->ranks->finish(world->ranks->context);
    for (Side side = NORTH; side <= SOUTH && !status; side++)
        if (neighbour(world, side) >= 0) read_letter(world, telling, side, letters.received[side]);
    free(room);
    return status;
}

// ---- nodata -------------------------------------------------------------------------------------

enum { HAS_HOLE = 1, IS_MISSING = 2 };

typedef struct Holes {
    GullyWorld* world;
    bool changed;
} Holes;

static void write_holes(void* context, int y, char* to) {
    const GullyWorld* world = ((const Holes*)context)->world;
    for (int panel = 0; panel < world->tiles_x; panel++) {
        const Tile* tile = tile_of_row(world, panel, y);
        to[panel] =
            (char)((tile->holes[y - tile->y] ? HAS_HOLE : 0) | (tile->is_missing ? IS_MISSING : 0));
    }
}

static void read_holes(void* context, int y, const char* from) {
    Holes* holes = context;
    GullyWorld* world = holes->world;
    for (int panel = 0; panel < world->tiles_x; panel++) {
        const Tile* tile = tile_of_row(world, panel, y);
        const bool hole = from[panel] & HAS_HOLE, missing = from[panel] & IS_MISSING;
        holes->changed |= tile->holes[y - tile->y] != hole;
        tile->holes[y - tile->y] = hole;
        world->has_holes |= hole;
        if (tile->is_missing != missing) // it is not in memory here, so that nothing can fail
            (void)store_set_missing(world, (int)(tile - world->tiles), missing);
    }
}

GullyStatus rank_border_tell(GullyWorld* world, const Plan* plan, int depth, bool* changed) {
    Holes holes = {world, false};
    const Telling telling = {.width = (size_t)world->tiles_x,
                             .most = activity_margin(depth, plan->fringe) * PATCH,
                             .step = 1,
                             .write = write_holes,
                             .read = read_holes,
                             .context = &holes};
    GullyStatus status = tell(world, &telling);
    *changed = holes.changed;
    return status;
}

// ---- activity -----------------------------------------------------------------------------------

static void write_active(void* context, int y, char* to) {
    Activity* activity = context;
    memcpy(to, activity_active(activity, y / PATCH), (size_t)activity_columns(activity));
}

static void read_active(void* context, int y, const char* from) {
    Activity* activity = context;
    memcpy(activity_active(activity, y / PATCH), from, (size_t)activity_columns(activity));
}

GullyStatus rank_border_wake(Activity* activity, const GullyWorld* world, int reach, int fringe) {
    const Telling telling = {.width = (size_t)activity_columns(activity),
                             .most = activity_margin(reach, fringe) * PATCH,
                             .step = PATCH,
                             .write = write_active,
                             .read = read_active,
                             .context = activity};
    return tell(world, &telling);
}

// ---- cells --------------------------------------------------------------------------------------

void rank_border_init(RankBorder* border) {
    pthread_mutex_init(&border->lock, NULL);
}

static void free_messages(RankBorder* border) {
    free(border->sent[NORTH]);
    border->room = 0;
    for (Side side = NORTH; side <= SOUTH; side++)
        border->sent[side] = border->received[side] = NULL;
}

void rank_border_free(RankBorder* border) {
    free_messages(border);
    pthread_mutex_destroy(&border->lock);
}

GullyStatus rank_border_reserve(RankBorder* border, const Band* band, const Plan* plan) {
    const size_t bytes = (band_message_bytes(band, plan) + 63) / 64 * 64;
    if (bytes <= border->room) return GULLY_OK;
    free_messages(border);
    char* room = malloc(4 * bytes);
    if (!room)
        return gully_fail(GULLY_NO_MEMORY, "no memory for messages of %d rows to other ranks",
                          band->depth);
    for (Side side = NORTH; side <= SOUTH; side++) {
        border->sent[side] = room + (size_t)(side - NORTH) * 2 * bytes;
        border->received[side] = border->sent[side] + bytes;
    }
    border->room = bytes;
    return GULLY_OK;
}

GullyStatus rank_border_begin(RankBorder* border, const Band* band, const Plan* plan,
                              const Activity* activity) {
    const GullyWorld* world = band->world;
    Letters letters = {0};
    GullyStatus status = GULLY_OK;
    for (Side side = NORTH; side <= SOUTH; side++) {
        letters.sent[side] = border->sent[side];
        letters.received[side] = border->received[side];
        letters.received_size[side] = border->room;
        if (neighbour(world, side) < 0) continue;
        const int first = side == NORTH ? world->first_row : world->end_row - band->depth;
        GullyStatus packed =
            band_pack(band, plan, activity, first, border->sent[side], &letters.sent_size[side]);
        status = status ? status : packed;
    }
    GullyStatus posted = post(world, &letters);
    for (Side side = NORTH; side <= SOUTH; side++)
        border->awaits[side] = !posted && neighbour(world, side) >= 0;
    return status ? status : posted;
}

/// Messages are of a thread (gully_message): what a worker could not take is kept for the end.
static void keep_failure(RankBorder* border, GullyStatus status) {
    if (!status || border->status) return;
    border->status = status;
    snprintf(border->message, sizeof border->message, "%s", gully_message());
}

void rank_border_take(RankBorder* border, Borders* borders, const Band* band, const Plan* plan,
                      const Activity* activity, Side side) {
    const GullyRanks* ranks = band->world->ranks;
    if (!border->awaits[side]) return;
    pthread_mutex_lock(&border->lock);
    if (border->awaits[side]) {
        GullyStatus status = ranks->receive(ranks->context, neighbour(band->world, side));
        keep_failure(border, status);
        if (!status) band_unpack(band, plan, side, border->received[side]);
        borders_fill_beyond(borders, plan, activity, side);
        border->awaits[side] = false;
    }
    pthread_mutex_unlock(&border->lock);
}

void rank_border_progress(RankBorder* border, const GullyWorld* world) {
    if (!border->awaits[SOUTH] || pthread_mutex_trylock(&border->lock)) return;
    world->ranks->progress(world->ranks->context);
    pthread_mutex_unlock(&border->lock);
}

GullyStatus rank_border_end(RankBorder* border, const GullyWorld* world) {
    GullyStatus status = world->ranks->finish(world->ranks->context);
    if (!status && border->status) status = gully_fail(border->status, "%s", border->message);
    border->status = GULLY_OK;
    border->awaits[NORTH] = border->awaits[SOUTH] = false;
    return status;
}
