// The same bits on any number of ranks, for every law, with everything on that a step can do. Ranks
// are threads here (thread_ranks.h): what they do is the same as under MPI.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "busy.h"
#include "gully/sim.h"
#include "gully/state.h"
#include "ok.h"
#include "sanitized.h"
#include "terrains.h"
#include "thread_ranks.h"

enum { WIDTH = 90, HEIGHT = 420, HIGHER = 1100, MOST_RANKS = 6 };

static const GullySource source = {
    .x = 60, .y = 310, .radius = 70, .rate = 0.02, .concentration = 0.1, .until = GULLY_FOREVER};

static const GullyField fields[] = {GULLY_TERRAIN, GULLY_WATER,   GULLY_SEDIMENT, GULLY_HARDNESS,
                                    GULLY_FLOW,    GULLY_WEAR,    GULLY_DEPOSIT,  GULLY_VELOCITY_X,
                                    GULLY_LAYER_0, GULLY_LAYER_1, GULLY_LAYER_2};
enum { FIELDS = sizeof fields / sizeof *fields };

/// Ranks are threads, where cmocka cannot fail.
#define MUST(call)                                                                                 \
    do {                                                                                           \
        if (call) {                                                                                \
            fprintf(stderr, "%s: %s\n", #call, gully_message());                                   \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

typedef struct Way {
    const GullyLawInfo* law;
    int height, tile_size, ranks, threads;
    bool half, sleeps; // half precision; dry but for a source
    bool few;          // up to 3 ranks are enough
    size_t memory;     // of each rank; 0 = all that there is
} Way;

typedef struct Outcome {
    uint64_t hashes[FIELDS];
    GullyBudget budget;
    GullyMemory memory; // of the first rank
    int64_t cells;
    double volume;
} Outcome;

static void patchy(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++)
        out[c] = (float)fmax(0, terrain_noise(c % width, c / width, 9, 8) - 0.4);
}

/// Rock, soil and sand, if the law knows materials.
static void lay(GullyWorld* world, const GullyLawInfo* law, int height) {
    GullyMaterial materials[3] = {gully_material("rock", 0), gully_material("soil", 1),
                                  gully_material("sand", 2)};
    float* soil = terrain_make(patchy, WIDTH, height);
    if (law->layers) {
        MUST(gully_world_set_materials(world, materials, 3));
        MUST(gully_world_write(world, GULLY_LAYER_1, gully_world_all(world), soil));
        MUST(gully_world_fill(world, GULLY_LAYER_2, 0.01f));
    }
    free(soil);
}

static GullyWorld* make_world(const Way* way, const GullyRanks* ranks) {
    const int height = way->height ? way->height : HEIGHT;
    float* heights = terrain_make(terrain_holes, WIDTH, height);
    GullyWorldDef def = gully_world_def(WIDTH, height);
    GullyWorld* world;
    def.cell_x = 2;
    def.cell_y = 3;
    def.tile_size = way->tile_size;
    def.half = way->half;
    def.memory = way->memory;
    def.heights = heights;
    def.ranks = ranks;
    MUST(gully_world_create(&def, &world));
    lay(world, way->law, height);
    free(heights);
    return world;
}

static GullySettings* make_settings(const Way* way) {
    GullySettings* settings = way->sleeps ? NULL : busy_settings(way->law, &source);
    if (settings) return settings;
    MUST(gully_settings_create(way->law->name, &settings));
    spare_routing(way->law, settings);
    MUST(gully_settings_add_source(settings, &source));
    return settings;
}

/// Digs holes at the borders of ranks and fills them.
static void edit(GullyWorld* world) {
    static const GullyRect rect = {20, 100, 40, 130};
    float cells[40 * 130];
    for (int i = 0; i < 40 * 130; i++)
        cells[i] = 5;
    MUST(gully_world_write(world, GULLY_TERRAIN, rect, cells));
    MUST(gully_world_write(world, GULLY_WATER, rect, cells));
}

/// A run on some ranks.
typedef struct Case {
    Way way;
    Outcome out;
    unsigned char *head, *cells; // of the state half way, or NULL
    size_t head_size;
    bool resumes; // from there
} Case;

static GullySim* begin(const Case* c, const GullyRanks* ranks) {
    GullySettings* settings = make_settings(&c->way);
    GullySimDef def = gully_sim_def();
    GullySim* sim;
    def.threads = c->way.threads;
    def.velocity = true;
    MUST(gully_sim_create(make_world(&c->way, ranks), settings, &def, &sim));
    gully_settings_destroy(settings);
    return sim;
}

static void end(GullySim* sim) {
    GullyWorld* world = gully_sim_world(sim);
    gully_sim_destroy(sim);
    gully_world_destroy(world);
}

/// Keeps the state: the head is that of any rank, and of the cells each writes its own.
static void keep_state(Case* c, const GullySim* sim) {
    GullyState* state;
    MUST(gully_state_of(sim, &state));
    const GullyStateInfo* info = gully_state_info(state);
    for (int64_t i = 0; i < info->pieces && c->cells; i++) // a rank writes its own cells
        MUST(gully_state_read(state, sim, i, c->cells + gully_state_piece(state, i).offset));
    if (gully_world_ranks(gully_sim_world(sim))->rank == 0) {
        const void* head = gully_state_head(state, &c->head_size);
        c->head = malloc(c->head_size);
        memcpy(c->head, head, c->head_size);
    }
    gully_state_destroy(state);
}

static void restore_state(const Case* c, GullySim* sim) {
    GullyState* state;
    MUST(gully_state_parse(c->head, c->head_size, &state));
    MUST(gully_state_begin(state, sim));
    for (int64_t i = 0; i < gully_state_info(state)->pieces; i++)
        MUST(gully_state_write(state, sim, i, c->cells + gully_state_piece(state, i).offset));
    MUST(gully_state_end(state, sim));
    gully_state_destroy(state);
}

static void run_rank(const GullyRanks* ranks, void* context) {
    Case* c = context;
    Outcome out = {0};
    GullySim* sim = begin(c, ranks);
    GullyWorld* world = gully_sim_world(sim);
    if (c->resumes) {
        restore_state(c, sim);
    } else {
        MUST(gully_sim_step(sim, 1));
        MUST(gully_sim_step(sim, SANITIZED ? 6 : 17));
        edit(world);
        if (c->cells) keep_state(c, sim);
    }
    MUST(gully_sim_step(sim, 7));
    for (int f = 0; f < FIELDS; f++)
        out.hashes[f] = gully_world_hash(world, fields[f]);
    MUST(gully_sim_budget(sim, &out.budget));
    gully_world_memory(world, &out.memory);
    out.cells = gully_world_cells(world);
    out.volume = gully_world_volume(world, GULLY_LAYER_0);
    if (!ranks || ranks->rank == 0) c->out = out;
    end(sim);
}

static void run(Case* c) {
    if (c->way.ranks > 1)
        thread_ranks_run(c->way.ranks, run_rank, c);
    else
        run_rank(gully_ranks_alone(), c);
}

static void check_same(const Case* got, const Outcome* wanted) {
    for (int f = 0; f < FIELDS; f++)
        if (got->out.hashes[f] != wanted->hashes[f])
            fail_msg("%s: %s differs on %d ranks, tiles of %d", got->way.law->name,
                     gully_field_name(fields[f]), got->way.ranks, got->way.tile_size);
    assert_memory_equal(&got->out.budget, &wanted->budget, sizeof wanted->budget);
    assert_true(got->out.cells == wanted->cells);
    assert_true(got->out.volume == wanted->volume);
}

static void compare(Way way) {
    Case alone = {.way = way};
    alone.way.ranks = 1;
    run(&alone);
    const int most = SANITIZED || way.few ? 3 : MOST_RANKS;
    for (int ranks = 2; ranks <= most; ranks += ranks > 3 ? 2 : 1) {
        Case c = {.way = way};
        c.way.ranks = ranks;
        c.way.threads = ranks == 3 ? 2 : 1;
        run(&c);
        check_same(&c, &alone.out);
    }
}

/// Each of two ranks has memory for half of what it keeps.
static void compare_memory(Way way) {
    Case alone = {.way = way}, two = {.way = way};
    alone.way.ranks = 1;
    two.way.ranks = 2;
    run(&alone);
    two.way.memory = alone.out.memory.peak / 4;
    run(&two);
    check_same(&two, &alone.out);
    assert_true(two.out.memory.tiles_written > 0 && two.out.memory.tiles_read > 0);
    assert_true(two.out.memory.peak <= two.way.memory);
}

static void test_same_bits(void** state) {
    const GullyLawInfo* law = *state;
    const bool is_pipe = strcmp(law->name, "pipe") == 0;
    if (SANITIZED && !is_pipe) return; // it does all that others do, with add-ons
    compare((Way){.law = law, .tile_size = 32, .threads = 2, .few = !is_pipe || SANITIZED});
    if (!SANITIZED && (is_pipe || strcmp(law->name, "wind") == 0))
        compare_memory((Way){.law = law, .tile_size = 32, .threads = 2, .height = HIGHER});
    if (!is_pipe || SANITIZED) return;
    compare((Way){.law = law, .tile_size = 16, .threads = 2, .few = true});
    compare((Way){.law = law, .tile_size = 0, .threads = 2});
    compare((Way){.law = law, .tile_size = 32, .threads = 2, .half = true, .few = true});
}

static void test_same_bits_of_a_dry_world(void** state) {
    (void)state;
    compare((Way){.law = gully_law_find("pipe"), .tile_size = 16, .threads = 2, .sleeps = true});
}

/// A state that ranks kept goes on alone, and the other way round.
static void test_states(void** state) {
    (void)state;
    const Way way = {.law = gully_law_find("pipe"), .tile_size = 32, .threads = 1};
    enum { CELL_BYTES = 400 };
    Case kept = {.way = way, .cells = calloc((size_t)WIDTH * HEIGHT, CELL_BYTES)};
    Outcome wanted = {0};
    for (int ranks = 1; ranks <= 4; ranks += 3) {
        kept.way.ranks = ranks;
        kept.resumes = false;
        run(&kept);
        if (ranks == 1) wanted = kept.out;
        check_same(&kept, &wanted);
        for (int others = 1; others <= 3; others++) {
            Case next = kept;
            next.way.ranks = others;
            next.resumes = true;
            run(&next);
            check_same(&next, &wanted);
        }
        free(kept.head);
    }
    free(kept.cells);
}

// ---- leading, and what is refused ---------------------------------------------------------------

typedef struct Lead {
    GullyWorld* world;
    float row[WIDTH];
    GullyRect rect;
} Lead;

static GullyStatus add_one(void* context) {
    Lead* lead = context;
    float* cells = malloc((size_t)WIDTH * HEIGHT * sizeof *cells);
    GullyStatus status =
        gully_world_read(lead->world, GULLY_TERRAIN, gully_world_all(lead->world), cells);
    for (int c = 0; c < WIDTH * HEIGHT; c++)
        cells[c] = (float)c;
    if (!status)
        status =
            gully_world_write(lead->world, GULLY_HARDNESS, (GullyRect){0, 0, WIDTH, 1}, lead->row);
    if (!status)
        status = gully_world_write(lead->world, GULLY_TERRAIN, gully_world_all(lead->world), cells);
    if (!status)
        status = gully_world_read(lead->world, GULLY_TERRAIN, gully_world_all(lead->world), cells);
    for (int c = 0; c < WIDTH * HEIGHT && !status; c++)
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
    const Way way = {.law = gully_law_find("pipe")};
    Lead lead = {.world = make_world(&way, ranks)};
    for (int rank = 0; rank < ranks->count; rank++)
        MUST(gully_world_lead(lead.world, rank, add_one, &lead));
    if (gully_world_lead(lead.world, ranks->count - 1, give_up, NULL) != GULLY_IO) abort();
    if (strcmp(gully_message(), "the leader failed") != 0) abort();
    float last[WIDTH];
    const GullyRect rect = {0, HEIGHT - 1, WIDTH, 1};
    const bool is_last = ranks->rank == ranks->count - 1;
    if ((gully_world_read(lead.world, GULLY_TERRAIN, rect, last) == GULLY_OK) != is_last) abort();
    if (is_last && last[0] != (float)((HEIGHT - 1) * WIDTH)) abort();
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
    Case c = {.way = {.law = gully_law_info(0), .threads = 2}};
    GullySim* sim = begin(&c, ranks);
    const int64_t before = thread_ranks_progress(ranks);
    MUST(gully_sim_step(sim, 5));
    const bool progressed = thread_ranks_progress(ranks) > before;
    if (progressed != (ranks->rank < ranks->count - 1)) abort();
    end(sim);
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
