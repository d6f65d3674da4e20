// SPDX-License-Identifier: MIT
// The same bits on any number of ranks, for every law, with everything on that a step can do. Ranks
// are threads here (thread_ranks.h): what they do is the same as under MPI.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <string.h>

#include "gully/sim.h"
#include "sanitized.h"
#include "size_case.h"
#include "thread_ranks.h"

enum { HEIGHT = 420, HIGHER = 1100, MOST_RANKS = 6 };

/// Rows of 2 ranks and of 3 meet in what is edited.
static SizeWay way_of(const GullyLawInfo* law) {
    return (SizeWay){
        .law = law, .height = HEIGHT, .tile_size = 32, .threads = 2, .edit = {20, 100, 40, 130}};
}

/// A run on some ranks.
typedef struct Case {
    SizeWay way;
    SizeOutcome out;
    SizeState* kept; // half way, or NULL
    bool resumes;    // from there
} Case;

static void run_rank(const GullyRanks* ranks, void* context) {
    Case* c = context;
    GullySim* sim = size_begin(&c->way, ranks);
    if (c->resumes) {
        size_restore(c->kept, sim);
    } else {
        MUST(gully_sim_step(sim, 1));
        MUST(gully_sim_step(sim, SANITIZED ? 6 : 17));
        size_edit(&c->way, gully_sim_world(sim));
        if (c->kept) size_keep(c->kept, sim);
    }
    MUST(gully_sim_step(sim, 7));
    const SizeOutcome out = size_outcome(sim); // all ranks find it together
    if (ranks->rank == 0) c->out = out;
    size_end(sim);
}

static void run(Case* c) {
    if (c->way.ranks > 1)
        thread_ranks_run(c->way.ranks, run_rank, c);
    else
        run_rank(gully_ranks_alone(), c);
}

/// On up to so many ranks.
static void compare(SizeWay way, int most) {
    Case alone = {.way = way};
    alone.way.ranks = 1;
    run(&alone);
    for (int ranks = 2; ranks <= most; ranks += ranks > 3 ? 2 : 1) {
        Case c = {.way = way};
        c.way.ranks = ranks;
        c.way.threads = ranks == 3 ? 2 : 1;
        run(&c);
        size_check_same(&c.way, &c.out, &alone.out);
    }
}

/// Each of two ranks has memory for half of what it keeps.
static void compare_memory(SizeWay way) {
    Case alone = {.way = way}, two = {.way = way};
    alone.way.ranks = 1;
    two.way.ranks = 2;
    run(&alone);
    two.way.memory = alone.out.memory.peak / 4;
    run(&two);
    size_check_same(&two.way, &two.out, &alone.out);
    assert_true(two.out.memory.tiles_written > 0 && two.out.memory.tiles_read > 0);
    assert_true(two.out.memory.peak <= two.way.memory);
}

static void test_same_bits(void** state) {
    const GullyLawInfo* law = *state;
    const bool is_pipe = strcmp(law->name, "pipe") == 0;
    if (SANITIZED && !is_pipe) return; // it does all that others do, with add-ons
    SizeWay way = way_of(law);
    compare(way, is_pipe && !SANITIZED ? MOST_RANKS : 3);
    if (!SANITIZED && (is_pipe || strcmp(law->name, "wind") == 0)) {
        way.height = HIGHER;
        compare_memory(way);
        way.height = HEIGHT;
    }
    if (!is_pipe || SANITIZED) return;
    way.half = true;
    compare(way, 3);
    way.half = false;
    way.tile_size = 16;
    compare(way, 3);
    way.tile_size = 0;
    compare(way, MOST_RANKS);
}

static void test_same_bits_of_a_dry_world(void** state) {
    (void)state;
    SizeWay way = way_of(gully_law_find("pipe"));
    way.tile_size = 16;
    way.sleeps = true;
    compare(way, SANITIZED ? 3 : MOST_RANKS);
}

/// A state that ranks kept goes on alone, and the other way round.
static void test_states(void** state) {
    (void)state;
    SizeState kept = size_state(SIZE_WIDTH, HEIGHT);
    SizeOutcome wanted = {0};
    for (int ranks = 1; ranks <= 4; ranks += 3) {
        Case keeps = {.way = way_of(gully_law_find("pipe")), .kept = &kept};
        keeps.way.ranks = ranks;
        run(&keeps);
        if (ranks == 1) wanted = keeps.out;
        size_check_same(&keeps.way, &keeps.out, &wanted);
        for (int others = 1; others <= 3; others++) {
            Case next = {.way = keeps.way, .kept = &kept, .resumes = true};
            next.way.ranks = others;
            run(&next);
            size_check_same(&next.way, &next.out, &wanted);
        }
    }
    size_state_free(&kept);
}

// ---- leading, and what is refused ---------------------------------------------------------------

typedef struct Lead {
    GullyWorld* world;
    float row[SIZE_WIDTH];
    GullyRect rect;
} Lead;

static GullyStatus add_one(void* context) {
    Lead* lead = context;
    float* cells = malloc((size_t)SIZE_WIDTH * HEIGHT * sizeof *cells);
    GullyStatus status =
        gully_world_read(lead->world, GULLY_TERRAIN, gully_world_all(lead->world), cells);
    for (int c = 0; c < SIZE_WIDTH * HEIGHT; c++)
        cells[c] = (float)c;
    if (!status)
        status = gully_world_write(lead->world, GULLY_HARDNESS, (GullyRect){0, 0, SIZE_WIDTH, 1},
                                   lead->row);
    if (!status)
        status = gully_world_write(lead->world, GULLY_TERRAIN, gully_world_all(lead->world), cells);
    if (!status)
        status = gully_world_read(lead->world, GULLY_TERRAIN, gully_world_all(lead->world), cells);
    for (int c = 0; c < SIZE_WIDTH * HEIGHT && !status; c++)
        if (cells[c] != (float)c) status = gully_fail(GULLY_FAILED, "cell %d is wrong", c);
    free(cells);
    return status;
}

static GullyStatus give_up(void* context) {
    (void)context;
    return gully_fail(GULLY_IO, "the leader failed");
}

static void lead_rank(const GullyRanks* ranks, void* context) {
    (void)context;
    const SizeWay way = {.law = gully_law_find("pipe"), .height = HEIGHT};
    Lead lead = {.world = size_world(&way, ranks)};
    for (int rank = 0; rank < ranks->count; rank++)
        MUST(gully_world_lead(lead.world, rank, add_one, &lead));
    if (gully_world_lead(lead.world, ranks->count - 1, give_up, NULL) != GULLY_IO) abort();
    if (strcmp(gully_message(), "the leader failed") != 0) abort();
    float last[SIZE_WIDTH];
    const GullyRect rect = {0, HEIGHT - 1, SIZE_WIDTH, 1};
    const bool is_last = ranks->rank == ranks->count - 1;
    if ((gully_world_read(lead.world, GULLY_TERRAIN, rect, last) == GULLY_OK) != is_last) abort();
    if (is_last && last[0] != (float)((HEIGHT - 1) * SIZE_WIDTH)) abort();
    if (!is_last && !strstr(gully_message(), "keeps rows")) abort();
    gully_world_destroy(lead.world);
}

static void test_lead(void** state) {
    (void)state;
    thread_ranks_run(4, lead_rank, NULL);
    lead_rank(gully_ranks_alone(), NULL);
}

static void refuse_rank(const GullyRanks* ranks, void* context) {
    (void)context;
    GullyWorldDef def = gully_world_def(100, 100);
    GullyWorld* world;
    def.ranks = ranks;
    if (gully_world_create(&def, &world) != GULLY_BAD_INPUT) abort();
    if (!strstr(gully_message(), "allowed: at most 3")) abort();
    def.height = 1000;
    def.tile_size = 17;
    if (gully_world_create(&def, &world) != GULLY_BAD_INPUT) abort();
    if (!strstr(gully_message(), "multiples of 16")) abort();
    def.tile_size = 0;
    MUST(gully_world_create(&def, &world));
    GullySettings* settings;
    GullySimDef sim_def = gully_sim_def();
    GullySim* sim;
    MUST(gully_settings_create("pipe", &settings));
    sim_def.plain = true;
    if (gully_sim_create(world, settings, &sim_def, &sim) != GULLY_BAD_INPUT) abort();
    if (!strstr(gully_message(), "one process")) abort();
    gully_settings_destroy(settings);
    gully_world_destroy(world);
    // The failure of one is that of all.
    GullyStatus status = ranks->rank == 2 ? gully_fail(GULLY_IO, "rank 2 has no disk") : GULLY_OK;
    if (gully_ranks_agree(ranks, status) != GULLY_IO) abort();
    if (strcmp(gully_message(), "rank 2 has no disk") != 0) abort();
}

static void test_refused(void** state) {
    (void)state;
    thread_ranks_run(4, refuse_rank, NULL);
}

/// A rank steps its rows while those of the one in the south are on their way; the last has none.
static void step_rank(const GullyRanks* ranks, void* context) {
    (void)context;
    SizeWay way = way_of(gully_law_info(0));
    way.tile_size = 0;
    GullySim* sim = size_begin(&way, ranks);
    const int64_t before = thread_ranks_progress(ranks);
    MUST(gully_sim_step(sim, 5));
    const bool progressed = thread_ranks_progress(ranks) > before;
    if (progressed != (ranks->rank < ranks->count - 1)) abort();
    size_end(sim);
}

static void test_rows_come_while_stepping(void** state) {
    (void)state;
    thread_ranks_run(3, step_rank, NULL);
}

enum { MOST_LAWS = 32, OTHERS = 5 };

int main(void) {
    static struct CMUnitTest tests[MOST_LAWS + OTHERS]; // cmocka passes over the empty ones
    const int count = gully_law_count();
    if (count == 0 || count > MOST_LAWS) return 1;
    for (int n = 0; n < count; n++) {
        const GullyLawInfo* law = gully_law_info(n);
        tests[n] = (struct CMUnitTest){
            .name = law->name, .test_func = test_same_bits, .initial_state = (void*)(uintptr_t)law};
    }
    tests[count] = (struct CMUnitTest)cmocka_unit_test(test_same_bits_of_a_dry_world);
    tests[count + 1] = (struct CMUnitTest)cmocka_unit_test(test_states);
    tests[count + 2] = (struct CMUnitTest)cmocka_unit_test(test_lead);
    tests[count + 3] = (struct CMUnitTest)cmocka_unit_test(test_refused);
    tests[count + 4] = (struct CMUnitTest)cmocka_unit_test(test_rows_come_while_stepping);
    return cmocka_run_group_tests_name("ranks", tests, NULL, NULL);
}
