// SPDX-License-Identifier: MIT
// The priority flood: levels of filled hollows, and the order in which cells are reached.
//
// Cells come out of a queue by their level, equal levels in the order in which they went in. So a
// filled hollow is crossed from its spill outwards, and the result is the same on every run.
#include <math.h>
#include <stdlib.h>

#include "catchment.h"

const int step_x[DIRECTIONS] = {-1, 1, 0, 0, -1, 1, -1, 1};
const int step_y[DIRECTIONS] = {0, 0, -1, 1, -1, 1, 1, -1};

enum { PROGRESS_EVERY = 1 << 18 }; // cells

typedef struct Entry {
    float level; // [m]
    uint32_t serial;
    uint32_t cell;
} Entry;

// A binary heap. It grows as the front of the flood does.
typedef struct Queue {
    Entry* entries;
    size_t count, room;
    uint32_t serial;
} Queue;

static bool before(const Entry* a, const Entry* b) {
    return a->level < b->level || (a->level == b->level && a->serial < b->serial);
}

static bool queue_push(Queue* q, float level, uint32_t cell) {
    if (q->count == q->room) {
        size_t room = q->room ? 2 * q->room : 4096;
        Entry* entries = realloc(q->entries, room * sizeof(Entry));
        if (!entries) return false;
        q->entries = entries;
        q->room = room;
    }
    Entry entry = {level, q->serial++, cell};
    size_t hole = q->count++;
    while (hole > 0 && before(&entry, &q->entries[(hole - 1) / 2])) {
        q->entries[hole] = q->entries[(hole - 1) / 2];
        hole = (hole - 1) / 2;
    }
    q->entries[hole] = entry;
    return true;
}

static Entry queue_pop(Queue* q) {
    Entry first = q->entries[0], last = q->entries[--q->count];
    size_t hole = 0, child;
    while ((child = 2 * hole + 1) < q->count) {
        if (child + 1 < q->count && before(&q->entries[child + 1], &q->entries[child])) child++;
        if (!before(&q->entries[child], &last)) break;
        q->entries[hole] = q->entries[child];
        hole = child;
    }
    q->entries[hole] = last;
    return first;
}

// ---- the flood ----------------------------------------------------------------------------------

// Whether a cell has a neighbour with data in a direction.
static bool has_neighbour(const Catchment* c, uint32_t cell, int direction) {
    uint32_t width = (uint32_t)c->heights->width, height = (uint32_t)c->heights->height;
    uint32_t x = cell % width + (uint32_t)step_x[direction]; // -1 wraps around to beyond the width
    uint32_t y = cell / width + (uint32_t)step_y[direction];
    if (x >= width || y >= height) return false;
    return isfinite(c->heights->values[(int64_t)cell + c->steps[direction]]);
}

static bool is_outlet(const Catchment* c, uint32_t cell) {
    for (int k = 0; k < 4; k++)
        if (!has_neighbour(c, cell, k)) return true;
    return false;
}

// The flood begins where water leaves.
static bool add_outlets(Catchment* c, Queue* q) {
    const float* ground = c->heights->values;
    for (uint32_t i = 0; i < c->cells; i++) {
        bool data = isfinite(ground[i]);
        c->way[i] = data ? UNREACHED : NO_DATA;
        c->level[i] = NAN;
        if (!data || !is_outlet(c, i)) continue;
        c->way[i] = LEAVES;
        c->level[i] = ground[i];
        if (!queue_push(q, ground[i], i)) return false;
    }
    return true;
}

// Puts the neighbours of a cell that are not yet reached into the queue.
static bool spread(Catchment* c, Queue* q, Entry from) {
    for (int k = 0; k < DIRECTIONS; k++) {
        if (!has_neighbour(c, from.cell, k)) continue;
        uint32_t next = (uint32_t)((int64_t)from.cell + c->steps[k]);
        if (c->way[next] != UNREACHED) continue;
        c->way[next] = (uint8_t)(k ^ 1);
        c->level[next] = fmaxf(c->heights->values[next], from.level);
        if (!queue_push(q, c->level[next], next)) return false;
    }
    return true;
}

static GullyStatus run(Catchment* c, Queue* q) {
    if (!add_outlets(c, q)) return GULLY_NO_MEMORY;
    while (q->count > 0) {
        Entry entry = queue_pop(q);
        c->order[c->count++] = entry.cell;
        if (!spread(c, q, entry)) return GULLY_NO_MEMORY;
        if (c->count % PROGRESS_EVERY == 0) {
            GullyStatus status = drainage_progress(c->def, 0.5 * c->count / c->cells);
            if (status != GULLY_OK) return status;
        }
    }
    return GULLY_OK;
}

GullyStatus catchment_flood(Catchment* c) {
    Queue queue = {0};
    GullyStatus status = run(c, &queue);
    free(queue.entries);
    return status;
}
