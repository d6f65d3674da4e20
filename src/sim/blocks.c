// SPDX-License-Identifier: MIT
#include "blocks.h"

#include <stdlib.h>

GullyStatus blocks_create(const GullyWorld* world, int workers, Blocks* out) {
    const size_t seams = (size_t)workers - 1, count = (size_t)world->tiles_x + seams;
    *out = (Blocks){.list = malloc(count * sizeof *out->list),
                    .seams = malloc((seams + 1) * sizeof *out->seams)};
    if (out->list && out->seams) return GULLY_OK;
    blocks_destroy(out);
    return gully_fail(GULLY_NO_MEMORY, "no memory for %zu blocks", count);
}

void blocks_destroy(Blocks* blocks) {
    free(blocks->list);
    free(blocks->seams);
    *blocks = (Blocks){0};
}

/// The row after the patches of row y, or the end of the rows.
static int next_row(int y, int end) {
    const int next = (y / PATCH + 1) * PATCH;
    return next < end ? next : end;
}

/// Awake cells in rows of the same patches.
static int64_t awake_in(const Activity* activity, int panel, int y, int end) {
    ActiveSpan span = activity_span(activity, panel, y, end);
    return span.from < span.to ? (int64_t)(span.to - span.from) * (end - y) : 0;
}

static int64_t count_awake(const GullyWorld* world, const Activity* activity, RowRange rows) {
    int64_t sum = 0;
    for (int panel = 0; panel < world->tiles_x; panel++) {
        for (int y = rows.first, end; y < rows.end; y = end) {
            end = next_row(y, rows.end);
            sum += awake_in(activity, panel, y, end);
        }
    }
    return sum;
}

static int larger_first(const void* a, const void* b) {
    const Block *left = a, *right = b;
    return (left->awake < right->awake) - (left->awake > right->awake);
}

static void add_block(Blocks* blocks, Block block, int end, int seam) {
    block.end = end;
    block.side[SOUTH].seam = seam;
    if (block.awake > 0) blocks->list[blocks->count++] = block;
}

/// The workers' shares of the awake cells, while they are dealt out.
typedef struct Dealing {
    int64_t all, sum; // awake cells: of the world, and so far
    int64_t next;     // the share that ends next
    int workers, least;
    RowRange rows;
} Dealing;

/// Divides a panel wherever the sum of awake cells passes the end of a share.
static void divide_panel(Blocks* blocks, const Activity* activity, int panel, Dealing* deal) {
    const RowRange rows = deal->rows;
    Block block = {.panel = panel, .first = rows.first, .side[NORTH].seam = -1};
    for (int y = rows.first, end; y < rows.end; y = end) {
        end = next_row(y, rows.end);
        const int64_t here = awake_in(activity, panel, y, end);
        const bool room = y - block.first >= deal->least && rows.end - y >= deal->least;
        if (deal->next < deal->workers && room &&
            deal->sum + here / 2 >= deal->all * deal->next / deal->workers) {
            const int seam = blocks->seam_count++;
            blocks->seams[seam] = (Seam){panel, y};
            add_block(blocks, block, y, seam);
            block = (Block){.panel = panel, .first = y, .side[NORTH].seam = seam};
            deal->next++;
        }
        block.awake += here;
        deal->sum += here;
    }
    add_block(blocks, block, rows.end, -1);
}

void blocks_divide(Blocks* blocks, const GullyWorld* world, const Activity* activity, RowRange rows,
                   int workers, int least) {
    Dealing deal = {count_awake(world, activity, rows), 0, 1, workers, least, rows};
    // A panel that ends so near to the end of a share replaces a seam.
    const int64_t near = deal.all / workers / 16;
    blocks->count = blocks->seam_count = 0;
    for (int panel = 0; panel < world->tiles_x; panel++) {
        divide_panel(blocks, activity, panel, &deal);
        while (deal.next < workers && deal.sum + near >= deal.all * deal.next / workers)
            deal.next++;
    }
    qsort(blocks->list, (size_t)blocks->count, sizeof *blocks->list, larger_first);
}
