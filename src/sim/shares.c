#include "shares.h"

#include <stdlib.h>

GullyStatus shares_create(const GullyWorld* world, int threads, Shares* out) {
    const size_t cuts = (size_t)threads - 1, count = (size_t)world->tiles_x + cuts;
    *out = (Shares){.list = malloc(count * sizeof *out->list),
                    .cuts = malloc((cuts + 1) * sizeof *out->cuts)};
    if (out->list && out->cuts) return GULLY_OK;
    shares_destroy(out);
    return gully_fail(GULLY_FAILED, "no memory for %zu shares", count);
}

void shares_destroy(Shares* shares) {
    free(shares->list);
    free(shares->cuts);
    *shares = (Shares){0};
}

/// Cells that are awake in the blocks that begin in a row.
static int64_t awake_in(const GullyWorld* world, const Rest* rest, int tx, int y) {
    int end = y + REST_BLOCK < world->height ? y + REST_BLOCK : world->height;
    Columns columns = rest_awake(rest, tx, y, end);
    return columns.from < columns.to ? (int64_t)(columns.to - columns.from) * (end - y) : 0;
}

static int64_t awake_in_all(const GullyWorld* world, const Rest* rest) {
    int64_t sum = 0;
    for (int tx = 0; tx < world->tiles_x; tx++) {
        for (int y = 0; y < world->height; y += REST_BLOCK)
            sum += awake_in(world, rest, tx, y);
    }
    return sum;
}

static int larger_first(const void* a, const void* b) {
    const Share *left = a, *right = b;
    return (left->awake < right->awake) - (left->awake > right->awake);
}

static void add_share(Shares* shares, Share share) {
    if (share.awake > 0) shares->list[shares->count++] = share;
}

void shares_find(Shares* shares, const GullyWorld* world, const Rest* rest, int threads,
                 int least) {
    const int64_t all = awake_in_all(world, rest);
    const int64_t near = all / threads / 16; // a panel that ends so near to a cut replaces it
    int64_t sum = 0, cut = 1;                // awake cells so far; the next cut
    shares->count = shares->cut_count = 0;
    for (int tx = 0; tx < world->tiles_x; tx++) {
        Share share = {.tx = tx, .north = -1};
        for (int y = 0; y < world->height; y += REST_BLOCK) {
            const int64_t here = awake_in(world, rest, tx, y);
            const bool room = y - share.first >= least && world->height - y >= least;
            if (cut < threads && room && sum + here / 2 >= all * cut / threads) {
                share.end = y;
                share.south = shares->cut_count;
                add_share(shares, share);
                share = (Share){.tx = tx, .first = y, .north = shares->cut_count};
                shares->cuts[shares->cut_count++] = (Cut){tx, y};
                cut++;
            }
            share.awake += here;
            sum += here;
        }
        share.end = world->height;
        share.south = -1;
        add_share(shares, share);
        while (cut < threads && sum + near >= all * cut / threads)
            cut++;
    }
    qsort(shares->list, (size_t)shares->count, sizeof *shares->list, larger_first);
}
