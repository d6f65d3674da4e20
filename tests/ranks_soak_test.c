// SPDX-License-Identifier: MIT
// A world of 2048 x 2048 with rain, sliding, materials, nodata and edits: the same hashes and budget whole in memory,
// with 50, 25 and 10 % of it, on 1, 2, 3, 4 and 6 ranks, and with the state of each of these resumed by another.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "size_case.h"
#include "thread_ranks.h"

enum { SIDE = 2048 };

typedef struct Run {
    SizeWay way;
    SizeState* kept; // half way, after the edit
    bool resumes;    // from there
    SizeOutcome out;
} Run;

static void run_rank(const GullyRanks* ranks, void* context) {
    Run* run = context;
    GullySim* sim = size_begin(&run->way, ranks);
    if (run->resumes) {
        size_restore(run->kept, sim);
    } else {
        MUST(gully_sim_step(sim, 22));
        size_edit(&run->way, gully_sim_world(sim));
        MUST(gully_sim_step(sim, 11));
        size_keep(run->kept, sim);
    }
    MUST(gully_sim_step(sim, 13));
    const SizeOutcome out = size_outcome(sim); // all ranks find it together
    if (ranks->rank == 0) run->out = out;
    size_end(sim);
}

static void go(Run* run) {
    if (run->way.ranks == 1)
        run_rank(gully_ranks_alone(), run);
    else
        thread_ranks_run(run->way.ranks, run_rank, run);
}

typedef struct Share {
    int ranks, percent; // of the memory that the world takes, shared by the ranks; 100 = no limit
} Share;

/// A visit needs some rows of tiles at once, however little memory there is.
static size_t memory_of(Share share, size_t whole) {
    return share.percent == 100 ? 0 : whole * (size_t)share.percent / 100 / (size_t)share.ranks;
}

static void test_same_bits(void** state) {
    (void)state;
    static const Share shares[] = {{1, 100}, {1, 50}, {2, 100}, {1, 25},  {3, 100},
                                   {2, 50},  {1, 10}, {4, 50},  {6, 100}, {3, 50}};
    enum { SHARES = sizeof shares / sizeof *shares };
    const SizeWay way = {.law = gully_law_find("pipe"),
                         .width = SIDE,
                         .height = SIDE,
                         .tile_size = 0,
                         .edit = {400, 300, 900, 1200}};
    SizeState kept = size_state(SIDE, SIDE);
    SizeOutcome wanted = {0};
    for (int n = 0; n < SHARES; n++) {
        const Share next = shares[(n + 1) % SHARES];
        Run run = {.way = way, .kept = &kept};
        run.way.ranks = shares[n].ranks;
        run.way.threads = shares[n].ranks == 1 ? 2 : 1;
        run.way.memory = memory_of(shares[n], wanted.memory.peak);
        go(&run);
        if (n == 0) wanted = run.out;
        size_check_same(&run.way, &run.out, &wanted);
        assert_true((run.out.memory.bytes_written > 0) == (shares[n].percent < 100));
        Run resumed = {.way = way, .kept = &kept, .resumes = true};
        resumed.way.ranks = next.ranks;
        resumed.way.threads = 1;
        resumed.way.memory = memory_of(next, wanted.memory.peak);
        go(&resumed);
        size_check_same(&resumed.way, &resumed.out, &wanted);
        print_message("%d ranks, %d %%: the same, also resumed on %d with %d %%\n", shares[n].ranks,
                      shares[n].percent, next.ranks, next.percent);
    }
    size_state_free(&kept);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
