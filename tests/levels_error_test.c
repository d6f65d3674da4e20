// SPDX-License-Identifier: MIT
/// Levels by error: the rule, what it is told, and that levels follow from state and settings alone.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gully/gully.h"
#include "gully/state.h"
#include "level_rule.h"
#include "level_state.h"
#include "ok.h"
#include "sanitized.h"
#include "terrains.h"

enum { WIDTH = 150, HEIGHT = 131, CELLS = WIDTH * HEIGHT };

// ---- the rule -----------------------------------------------------------------------------------

enum { SIDE = 4, TILES = SIDE * SIDE };

/// Tiles in a row of one kind, by columns: what they do in a block.
typedef struct Rule {
    TileMeasure tiles[TILES];
    unsigned char levels[TILES], wanted[TILES];
    LevelErrors expected;
} Rule;

/// All tiles at a level, with a change of 1 and these errors of coarser levels; all are wet.
static Rule rule_of(int level, const double off[5]) {
    Rule rule = {0};
    for (int i = 0; i < TILES; i++) {
        rule.levels[i] = (unsigned char)level;
        rule.tiles[i] = (TileMeasure){.area = 100, .change = 1, .is_wet = true};
        for (int k = level + 1; k < 5; k++)
            rule.tiles[i].off[k] = off[k];
    }
    return rule;
}

static void follow(Rule* rule, double error) {
    const LevelMap map = {.tile = 16, .tiles_x = SIDE, .tiles_y = SIDE, .levels = rule->levels};
    level_rule(rule->tiles, &map, error, 3, rule->wanted, &rule->expected);
}

/// The level that all tiles go to.
static int level_for(int level, double error, double e1, double e2, double e3, double e4) {
    const double off[5] = {0, e1, e2, e3, e4};
    Rule rule = rule_of(level, off);
    follow(&rule, error);
    for (int i = 1; i < TILES; i++)
        assert_int_equal(rule.wanted[i], rule.wanted[0]);
    return rule.wanted[0];
}

/// The costs by hand, with error 1 and R = 1: of level k, E_k^2 + 8^-k.
static void test_the_least_cost(void** state) {
    (void)state;
    // From 0: 1, 0.7^2 + 0.125 = 0.615 (1.63 times less), 1.02, ...
    assert_int_equal(level_for(0, 1, 0.7, 1, 2, 0), 1);
    // 0.75^2 + 0.125 = 0.6875: less, but not by 1.5.
    assert_int_equal(level_for(0, 1, 0.75, 1, 2, 0), 0);
    // 0.3^2 + 0.125 = 0.215; 0.3^2 + 0.0156 = 0.106; 0.31^2 + 0.002 = 0.098.
    assert_int_equal(level_for(0, 1, 0.3, 0.3, 0.31, 0), 3);
    assert_int_equal(level_for(0, 1, 0.3, 0.3, 0.5, 0), 2);
    // A smaller error allows less: 0.25, 0.49 + ...
    assert_int_equal(level_for(0, 0.5, 0.7, 1, 2, 0), 0);
    // From 2 with e_3 = 4: E_2^2 = 0.36 25 = 9, E_1^2 = 3.24; 1 finer, and no further at once.
    assert_int_equal(level_for(2, 1, 0, 0, 4, 0), 1);
    // From 1 with e_2 = 2: E_1^2 = 2.25, and at level 0 there is no error: 1 against 2.375.
    assert_int_equal(level_for(1, 1, 0, 2, 4, 0), 0);
    // At the coarsest level a shadow of one further tells: e_4 = 3 makes E_3^2 = 5.06, E_2^2 = 1.82.
    assert_int_equal(level_for(3, 1, 0, 0, 0, 3), 2);
    assert_int_equal(level_for(3, 1, 0, 0, 0, 0.01), 3);
}

static void test_what_is_expected(void** state) {
    (void)state;
    const double off[5] = {0, 0.3, 0.3, 0.31, 0};
    Rule rule = rule_of(0, off);
    follow(&rule, 1);
    assert_true(fabs(rule.expected.error - TILES * 100 * 0.31 * 0.31) < 1e-9);
    assert_true(fabs(rule.expected.change - TILES * 100) < 1e-9);
}

/// Where nothing is, tiles are coarse; beside something they are as fine as that.
static void test_idle_tiles(void** state) {
    (void)state;
    const double off[5] = {0, 9, 9, 9, 9};
    Rule rule = rule_of(0, off);
    for (int i = 0; i < TILES; i++) // only the first column is wet
        if (i % SIDE > 0) rule.tiles[i] = (TileMeasure){.area = 100};
    follow(&rule, 0.5);
    for (int i = 0; i < TILES; i++) {
        static const int levels[SIDE] = {0, 0, 1, 2}; // beside it, and balanced
        assert_int_equal(rule.wanted[i], levels[i % SIDE]);
    }
}

/// A tile that barely moves does not count for what is allowed.
static void test_active_tiles(void** state) {
    (void)state;
    const double off[5] = {0, 0.7, 1, 2, 0};
    Rule rule = rule_of(0, off);
    for (int i = 0; i < TILES; i++)
        if (i >= SIDE) rule.tiles[i] = (TileMeasure){.area = 100, .change = 0.005, .is_wet = true};
    follow(&rule, 1);
    for (int i = 0; i < SIDE; i++)
        assert_int_equal(rule.wanted[i], 1);
}

// ---- worlds -------------------------------------------------------------------------------------

/// What is in a world, beside the terrain.
typedef struct Case {
    const char* name;
    const char *error, *pipes;
    int tile, max;
    bool dry; // a river on dry land, no rain
    bool thermal, materials, punched, open, drops, hard;
} Case;

static const Case cases[] = {
    {.name = "rain", .error = "0.5", .tile = 16, .max = 2, .pipes = "4", .thermal = true},
    {.name = "river", .error = "0.3", .tile = 16, .max = 3, .pipes = "4", .dry = true},
    {.name = "river that slides",
     .error = "0.6",
     .tile = 32,
     .max = 3,
     .pipes = "8",
     .dry = true,
     .thermal = true,
     .materials = true,
     .open = true},
    {.name = "holes",
     .error = "0.8",
     .tile = 16,
     .max = 2,
     .pipes = "4",
     .punched = true,
     .open = true,
     .hard = true,
     .drops = true},
};
enum { CASES = sizeof cases / sizeof *cases };

static void set(GullySettings* settings, const char* key, const char* text) {
    OK(gully_settings_set_text(settings, key, text));
}

/// Rough in the west, smooth in the east.
static float* make_ground(void) {
    float* heights = terrain_make(terrain_rough, WIDTH, HEIGHT);
    for (int i = 0; i < CELLS; i++) {
        const int x = i % WIDTH;
        const float plane = 15 - 0.1f * (float)x;
        const float share = x < 60 ? 1 : x < 90 ? (float)(90 - x) / 30 : 0;
        heights[i] = share * heights[i] + (1 - share) * plane;
    }
    return heights;
}

static GullyWorld* make_world(const Case* c) {
    float* heights = make_ground();
    if (c->punched) terrain_punch(heights, WIDTH, HEIGHT);
    GullyWorld* world = terrain_world(heights, WIDTH, HEIGHT, 10, 10, 0);
    free(heights);
    if (c->hard) OK(gully_world_fill(world, GULLY_HARDNESS, 0.6f));
    if (!c->materials) return world;
    const GullyMaterial materials[2] = {gully_material("rock", 0), gully_material("soil", 1)};
    OK(gully_world_set_materials(world, materials, 2));
    OK(gully_world_fill(world, GULLY_LAYER_1, 0.5f));
    return world;
}

static GullySettings* make_settings(const Case* c) {
    GullySettings* settings;
    OK(gully_settings_create("pipe", &settings));
    set(settings, "levels.error", c->error);
    OK(gully_settings_set_number(settings, "levels.tile", c->tile));
    OK(gully_settings_set_number(settings, "levels.max", c->max));
    set(settings, "params.pipes", c->pipes);
    set(settings, "thermal.talus", "14");
    if (!c->dry) set(settings, "rain.rate", "1e-3");
    if (c->drops) set(settings, "rain.drops.drops_per_second", "2");
    if (c->drops) set(settings, "rain.drops.radius", "25");
    if (c->open) set(settings, "boundary.east", "open");
    if (c->thermal) OK(gully_settings_switch(settings, "thermal", true));
    const GullySource source = {
        .x = 320, .y = 655, .radius = 33, .rate = 0.05, .concentration = 0.1, .until = 1e9};
    OK(gully_settings_add_source(settings, &source));
    return settings;
}

typedef struct Run {
    GullyWorld* world;
    GullySettings* settings;
    GullySim* sim;
} Run;

static Run open_run(const Case* c, int threads, bool plain) {
    Run run = {.world = make_world(c), .settings = make_settings(c)};
    GullySimDef def = gully_sim_def();
    def.threads = threads;
    def.plain = plain;
    OK(gully_sim_create(run.world, run.settings, &def, &run.sim));
    return run;
}

static void close_run(Run* run) {
    gully_sim_destroy(run->sim);
    gully_settings_destroy(run->settings);
    gully_world_destroy(run->world);
}

static const GullyField hashed[] = {GULLY_TERRAIN, GULLY_WATER,   GULLY_SEDIMENT, GULLY_FLOW,
                                    GULLY_WEAR,    GULLY_DEPOSIT, GULLY_LAYER_1};
enum { HASHES = sizeof hashed / sizeof *hashed, STEPS = 136 };

static void check_hashes(const GullyWorld* world, const uint64_t wanted[HASHES], const char* name,
                         const char* how) {
    for (int i = 0; i < HASHES; i++)
        if (gully_world_hash(world, hashed[i]) != wanted[i])
            fail_msg("%s, %s: other bits in %s", name, how, gully_field_name(hashed[i]));
}

/// The fast form has the bits of the plain one on any threads, however steps are grouped and whether
/// somebody looks on the way.
static void test_the_bits_of_the_plain_form(void** state) {
    (void)state;
    static const int threads[] = {1, 2, 3, 7};
    for (int i = 0; i < CASES; i++) {
        uint64_t plain[HASHES];
        GullyLevels levels;
        Run run = open_run(&cases[i], 1, true);
        OK(gully_sim_step(run.sim, STEPS));
        OK(gully_sim_levels(run.sim, &levels));
        if (levels.changes < 10 || levels.share[0] == 0 || levels.share[0] == 1)
            fail_msg("%s: %d changes, %g at level 0", cases[i].name, (int)levels.changes,
                     levels.share[0]);
        for (int n = 0; n < HASHES; n++)
            plain[n] = gully_world_hash(run.world, hashed[n]);
        close_run(&run);
        for (int k = 0; k < 4; k++) {
            if (SANITIZED && threads[k] != 3) continue;
            run = open_run(&cases[i], threads[k], false);
            const int group = k == 2 ? 12 : STEPS;
            for (int done = 0; done < STEPS; done += group) {
                OK(gully_sim_step(run.sim, STEPS - done < group ? STEPS - done : group));
                if (k == 2) free(terrain_read(run.world, GULLY_WATER));
            }
            check_hashes(run.world, plain, cases[i].name, k == 2 ? "looked at" : "fast");
            close_run(&run);
        }
    }
}

static void test_nothing_is_lost(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        GullyBudget budget;
        GullyLevels levels;
        Run run = open_run(&cases[i], 2, false);
        OK(gully_sim_step(run.sim, STEPS));
        OK(gully_sim_budget(run.sim, &budget));
        OK(gully_sim_levels(run.sim, &levels));
        const double water = fabs(budget.water.residual) / budget.water.moved;
        const double solid = fabs(budget.solid.residual) / budget.solid.moved;
        if (!(water < 1e-6 && solid < 1e-6 && levels.owed <= 1e-3 * budget.water.present))
            fail_msg("%s: residuals %g, %g of what moved; owed %g of the water", cases[i].name,
                     water, solid, levels.owed / budget.water.present);
        close_run(&run);
    }
}

/// An error that nothing is within: the world stays at the finest level, stored and stepped as without.
static void test_no_error_is_no_level(void** state) {
    (void)state;
    Case c = cases[0];
    for (int with = 0; with < 2; with++) {
        static uint64_t first[HASHES];
        c.error = with ? "1e-6" : "0";
        Run run = open_run(&c, 2, false);
        GullyMemory memory;
        OK(gully_sim_step(run.sim, 80));
        gully_world_memory(run.world, &memory);
        assert_int_equal(memory.tiles_written, 0); // nothing was put aside
        for (int i = 0; i < HASHES && !with; i++)
            first[i] = gully_world_hash(run.world, hashed[i]);
        check_hashes(run.world, first, c.name, "no error");
        close_run(&run);
    }
}

// ---- states -------------------------------------------------------------------------------------

/// Brings the state of a simulation to another one of the same case, also by way of bytes.
static void hand_over(const GullySim* from, GullySim* to) {
    GullyState *state, *parsed;
    OK(gully_state_of(from, &state));
    size_t size;
    const void* head = gully_state_head(state, &size);
    OK(gully_state_parse(head, size, &parsed));
    const GullyStateInfo* info = gully_state_info(parsed);
    assert_true(info->bytes == gully_state_info(state)->bytes);
    unsigned char* bytes = malloc(info->bytes);
    for (int64_t i = 0; i < info->pieces; i++)
        OK(gully_state_read(state, from, i, bytes + gully_state_piece(state, i).offset));
    OK(gully_state_begin(parsed, to));
    for (int64_t i = 0; i < info->pieces; i++)
        OK(gully_state_write(parsed, to, i, bytes + gully_state_piece(parsed, i).offset));
    OK(gully_state_end(parsed, to));
    gully_state_destroy(state);
    gully_state_destroy(parsed);
    free(bytes);
}

/// A run that was saved and restored is the run, also between two choices of levels, and with levels that
/// do not change.
static void test_states(void** state) {
    (void)state;
    for (int i = 0; i <= CASES; i++) {
        Case c = cases[i % CASES];
        if (i == CASES) c.error = "0"; // all at level 1
        Run one = open_run(&c, 2, false), other = open_run(&c, 3, false);
        if (i == CASES) {
            set(one.settings, "levels.fixed", "1");
            OK(gully_sim_apply(one.sim, one.settings));
            OK(gully_sim_apply(other.sim, one.settings));
        }
        OK(gully_sim_step(one.sim, 52));
        OK(gully_sim_step(other.sim, 8));
        hand_over(one.sim, other.sim);
        OK(gully_sim_step(one.sim, 60));
        OK(gully_sim_step(other.sim, 60));
        uint64_t hashes[HASHES];
        for (int n = 0; n < HASHES; n++)
            hashes[n] = gully_world_hash(one.world, hashed[n]);
        check_hashes(other.world, hashes, c.name, "restored");
        GullyLevels a, b;
        OK(gully_sim_levels(one.sim, &a));
        OK(gully_sim_levels(other.sim, &b));
        assert_memory_equal(&a, &b, sizeof a);
        close_run(&one);
        close_run(&other);
    }
}

/// Bytes of levels that were damaged are refused.
static void test_damaged_states(void** state) {
    (void)state;
    Run run = open_run(&cases[0], 2, false);
    LevelBytes bytes;
    OK(gully_sim_step(run.sim, 52));
    OK(levels_keep(run.sim, &bytes));
    const size_t size = bytes.size;
    bytes.size = size / 2;
    assert_int_equal(levels_restore(run.sim, &bytes), GULLY_BAD_INPUT);
    bytes.size = size;
    memset(bytes.bytes + 112, 0x7f, 40); // the levels of tiles
    assert_int_equal(levels_restore(run.sim, &bytes), GULLY_BAD_INPUT);
    level_bytes_free(&bytes);
    close_run(&run);
}

/// A film of water that is nothing beside the height of its surface stays a number on finer cells.
static void test_a_film(void** state) {
    (void)state;
    const Case c = {.name = "film", .error = "0", .tile = 16, .max = 1, .pipes = "4", .dry = true};
    Run run = open_run(&c, 1, false);
    GullyBudget budget;
    OK(gully_world_fill(run.world, GULLY_WATER, 1e-19f));
    set(run.settings, "levels.fixed", "1");
    OK(gully_sim_apply(run.sim, run.settings));
    OK(gully_sim_step(run.sim, 4));
    float* water = terrain_read(run.world, GULLY_WATER);
    for (int i = 0; i < CELLS; i++)
        assert_true(water[i] >= 0);
    OK(gully_sim_budget(run.sim, &budget));
    assert_true(fabs(budget.water.residual) <= 1e-6 * budget.water.moved);
    free(water);
    close_run(&run);
}

// ---- what the rule is told ----------------------------------------------------------------------

/// The terrain after a block of a world that is wet everywhere, at a level.
static float* after_block(const char* key, const char* value, int max, GullyLevels* levels) {
    float *heights = make_ground(), *water = terrain_constant(0.6f, WIDTH / 2 * 2, HEIGHT / 2 * 2);
    GullyWorld* world = terrain_world(heights, WIDTH / 2 * 2, HEIGHT / 2 * 2, 10, 10, 0);
    GullySettings* settings;
    GullySim* sim;
    OK(gully_world_write(world, GULLY_WATER, gully_world_all(world), water));
    OK(gully_settings_create("pipe", &settings));
    set(settings, "params.capacity", "5");
    set(settings, key, value);
    OK(gully_settings_set_number(settings, "levels.max", max));
    OK(gully_settings_set_number(settings, "levels.tile", 32));
    const GullySimDef def = gully_sim_def();
    OK(gully_sim_create(world, settings, &def, &sim));
    OK(gully_sim_step(sim, 4));
    OK(gully_sim_levels(sim, levels));
    float* out = terrain_read(world, GULLY_TERRAIN);
    gully_sim_destroy(sim);
    gully_settings_destroy(settings);
    gully_world_destroy(world);
    free(heights);
    free(water);
    return out;
}

/// Where every tile goes to level 1, the error that is expected is that of the whole world at level 1: the
/// rms of the change less the mean change of the coarse cell there, over the rms of the change.
static void test_shadows_are_blocks_of_coarser_levels(void** state) {
    (void)state;
    enum { W = WIDTH / 2 * 2, H = HEIGHT / 2 * 2 };
    GullyLevels levels;
    float *start = make_ground(), *fine = after_block("levels.error", "0", 1, &levels);
    float* coarse = after_block("levels.fixed", "1", 1, &levels);
    free(after_block("levels.error", "1000", 1, &levels));
    assert_true(levels.share[1] == 1);
    double error = 0, change = 0;
    for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++) {
            double there = 0; // a level's change is that of its fine cells on the average
            for (int n = 0; n < 4; n++) {
                const int at = (y / 2 * 2 + n / 2) * W + x / 2 * 2 + n % 2;
                there += ((double)coarse[at] - (double)start[at]) / 4;
            }
            const double here = (double)fine[y * W + x] - (double)start[y * W + x];
            error += (here - there) * (here - there);
            change += here * here;
        }
    }
    const double measured = sqrt(error / change);
    if (!(fabs(levels.expected / measured - 1) < 1e-3 && measured > 0.05))
        fail_msg("expected %g, measured %g", levels.expected, measured);
    free(start);
    free(fine);
    free(coarse);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_least_cost),
        cmocka_unit_test(test_what_is_expected),
        cmocka_unit_test(test_idle_tiles),
        cmocka_unit_test(test_active_tiles),
        cmocka_unit_test(test_the_bits_of_the_plain_form),
        cmocka_unit_test(test_nothing_is_lost),
        cmocka_unit_test(test_no_error_is_no_level),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_damaged_states),
        cmocka_unit_test(test_a_film),
        cmocka_unit_test(test_shadows_are_blocks_of_coarser_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
