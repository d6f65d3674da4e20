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

/// Awake cells in the patches that begin in a row.
static int64_t awake_in(const GullyWorld* world, const Activity* activity, int panel, int y) {
    int end = y + PATCH < world->height ? y + PATCH : world->height;
    ActiveSpan span = activity_span(activity, panel, y, end);
    return span.from < span.to ? (int64_t)(span.to - span.from) * (end - y) : 0;
}

static int64_t count_awake(const GullyWorld* world, const Activity* activity) {
    int64_t sum = 0;
    for (int panel = 0; panel < world->tiles_x; panel++) {
        for (int y = 0; y < world->height; y += PATCH)
            sum += awake_in(world, activity, panel, y);
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
} Dealing;

/// Divides a panel wherever the sum of awake cells passes the end of a share.
static void divide_panel(Blocks* blocks, const GullyWorld* world, const Activity* activity,
                         int panel, Dealing* deal) {
    Block block = {.panel = panel, .side[NORTH].seam = -1};
    for (int y = 0; y < world->height; y += PATCH) {
        const int64_t here = awake_in(world, activity, panel, y);
        const bool room = y - block.first >= deal->least && world->height - y >= deal->least;
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
    add_block(blocks, block, world->height, -1);
}

void blocks_divide(Blocks* blocks, const GullyWorld* world, const Activity* activity, int workers,
                   int least) {
    Dealing deal = {count_awake(world, activity), 0, 1, workers, least};
    // A panel that ends so near to the end of a share replaces a seam.
    const int64_t near = deal.all / workers / 16;
    blocks->count = blocks->seam_count = 0;
    for (int panel = 0; panel < world->tiles_x; panel++) {
        divide_panel(blocks, world, activity, panel, &deal);
        while (deal.next < workers && deal.sum + near >= deal.all * deal.next / workers)
            deal.next++;
    }
    qsort(blocks->list, (size_t)blocks->count, sizeof *blocks->list, larger_first);
}
