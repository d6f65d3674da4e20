// SPDX-License-Identifier: MIT
#include "world_ranks.h"

#include <stdlib.h>

#include "tile_size.h"

GullyRect gully_world_part(const GullyWorld* world, int rank) {
    const RankRows rows = rank_rows(world, rank);
    return (GullyRect){0, rows.first, world->width, rows.end - rows.first};
}

GullyRect gully_world_own(const GullyWorld* world) {
    return (GullyRect){0, world->first_row, world->width, world->end_row - world->first_row};
}

const GullyRanks* gully_world_ranks(const GullyWorld* world) {
    return world->ranks;
}

// ---- a rank that leads --------------------------------------------------------------------------

/// What the leading rank asks of all others.
typedef struct Question {
    enum { READ, WRITE, END } kind;
    GullyField field;
    GullyRect rect;
} Question;

/// The part of a rectangle that a rank keeps.
static GullyRect part_of(const GullyWorld* world, GullyRect rect, int rank) {
    const RankRows rows = rank_rows(world, rank);
    const int first = rect.y > rows.first ? rect.y : rows.first;
    const int end = rect.y + rect.height < rows.end ? rect.y + rect.height : rows.end;
    return (GullyRect){rect.x, first, rect.width, end > first ? end - first : 0};
}

static size_t bytes_of(GullyRect rect) {
    return (size_t)rect.width * (size_t)rect.height * sizeof(float);
}

/// Where a part of a rectangle begins in its values.
static size_t place_of(GullyRect rect, GullyRect part) {
    return (size_t)(part.y - rect.y) * (size_t)rect.width;
}

/// Asks all ranks, or hears what is asked.
static GullyStatus ask(const GullyRanks* ranks, int leader, Question* question) {
    Question* all = calloc((size_t)ranks->count, sizeof *all);
    if (!all) return gully_fail(GULLY_NO_MEMORY, "no memory for %d ranks", ranks->count);
    GullyStatus status = ranks->gather(ranks->context, question, sizeof *question, all);
    *question = all[leader];
    free(all);
    return status;
}

/// Reads or writes own cells, as any program would.
static GullyStatus read_own(const GullyWorld* world, GullyField field, GullyRect rect, float* out) {
    GullyWorld* own = (GullyWorld*)world;
    const bool leads = world->leads;
    own->leads = false;
    GullyStatus status = gully_world_read(world, field, rect, out);
    own->leads = leads;
    return status;
}

GullyStatus world_lead_read(const GullyWorld* world, GullyField field, GullyRect rect, float* out) {
    const GullyRanks* ranks = world->ranks;
    const GullyRect own = part_of(world, rect, ranks->rank);
    if (own.height == rect.height) return read_own(world, field, rect, out);
    Question question = {.kind = READ, .field = field, .rect = rect};
    GullyStatus status = ask(ranks, ranks->rank, &question);
    if (!status && own.height > 0) status = read_own(world, field, own, out + place_of(rect, own));
    for (int rank = 0; rank < ranks->count; rank++) {
        const GullyRect part = part_of(world, rect, rank);
        if (rank == ranks->rank || part.height == 0) continue;
        GullyStatus got = ranks_receive(ranks, rank, out + place_of(rect, part), bytes_of(part));
        status = status ? status : got;
    }
    return ranks_agree_anew(ranks, status);
}

GullyStatus world_lead_write(const GullyWorld* world, GullyField field, GullyRect rect,
                             const float* in) {
    const GullyRanks* ranks = world->ranks;
    Question question = {.kind = WRITE, .field = field, .rect = rect};
    GullyStatus status = ask(ranks, ranks->rank, &question);
    for (int rank = 0; rank < ranks->count; rank++) {
        const GullyRect part = part_of(world, rect, rank);
        if (rank == ranks->rank || part.height == 0) continue;
        GullyStatus sent = ranks_send(ranks, rank, in + place_of(rect, part), bytes_of(part));
        status = status ? status : sent;
    }
    return ranks_agree_anew(ranks, status);
}

/// Does what is asked of this rank. An empty part is written too: the field may be new.
static GullyStatus answer(GullyWorld* world, int leader, const Question* question) {
    const GullyRanks* ranks = world->ranks;
    const GullyRect part = part_of(world, question->rect, ranks->rank);
    float* cells = malloc(bytes_of(part) + 1);
    GullyStatus status = cells ? GULLY_OK : gully_fail(GULLY_NO_MEMORY, "no memory to answer");
    if (cells && question->kind == READ && part.height > 0) {
        status = gully_world_read(world, question->field, part, cells);
        GullyStatus sent = ranks_send(ranks, leader, cells, bytes_of(part));
        status = status ? status : sent;
    } else if (cells && question->kind == WRITE) {
        if (part.height > 0) status = ranks_receive(ranks, leader, cells, bytes_of(part));
        if (!status) status = gully_world_write(world, question->field, part, cells);
    }
    free(cells);
    return ranks_agree_anew(ranks, status);
}

/// Answers until the leading rank has ended.
static GullyStatus follow(GullyWorld* world, int leader) {
    for (;;) {
        Question question = {.kind = END};
        GullyStatus status = ask(world->ranks, leader, &question);
        if (status || question.kind == END) return status;
        (void)answer(world, leader, &question); // a failure is the leader's as well, who ends then
    }
}

GullyStatus gully_world_lead(GullyWorld* world, int rank, GullyStatus (*work)(void* context),
                             void* context) {
    const GullyRanks* ranks = world->ranks;
    if (!ranks_share(ranks)) return work(context);
    GullyStatus status;
    if (ranks->rank == rank) {
        Question question = {.kind = END};
        world->leads = true;
        status = work(context);
        world->leads = false;
        GullyStatus asked = ask(ranks, ranks->rank, &question);
        status = status ? status : asked;
    } else {
        status = follow(world, rank);
    }
    return ranks_agree_anew(ranks, status);
}
