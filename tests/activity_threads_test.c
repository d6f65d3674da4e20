// SPDX-License-Identifier: MIT
/// What is at rest is left out, and rows without nodata are treated in a quicker way: neither may
/// show in a single bit. Worlds that are mostly dry and still are stepped by the fast and by the
/// plain stepper, which never leaves anything out; after every few steps all fields and the whole
/// budget must be the same. What happens in a world follows from a seed, which a failing test
/// prints.
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "activity.h"
#include "gully/sim.h"
#include "ok.h"
#include "sanitized.h"
#include "terrains.h"

/// How many runs each theme has; GULLY_TEST_RUNS asks for more (make soak).
static int runs_of_a_theme(void) {
    const char* text = getenv("GULLY_TEST_RUNS");
    return text ? atoi(text) : SANITIZED ? 1 : 8;
}

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define PICK(dice, array) ((array)[roll(dice, COUNT(array))])

// ---- dice ---------------------------------------------------------------------------------------

typedef struct Dice {
    uint64_t state;
} Dice;

static int roll(Dice* dice, int sides) {
    dice->state = dice->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((dice->state >> 33) % (uint64_t)sides);
}

static bool chance(Dice* dice, int percent) {
    return roll(dice, 100) < percent;
}

/// Beside a border of blocks or of tiles, at a side of the world, or anywhere.
static int some_place(Dice* dice, int length, int tile_size) {
    int at = roll(dice, length);
    if (chance(dice, 30)) at = at / PATCH * PATCH + roll(dice, 3) - 1;
    if (chance(dice, 30) && tile_size > 0) at = at / tile_size * tile_size + roll(dice, 3) - 1;
    if (chance(dice, 15)) at = chance(dice, 50) ? 0 : length - 1;
    return at < 0 ? 0 : at >= length ? length - 1 : at;
}

static GullyRect some_rect(Dice* dice, int width, int height, int tile_size, int most) {
    int x = some_place(dice, width, tile_size), y = some_place(dice, height, tile_size);
    int across = 1 + roll(dice, most), down = 1 + roll(dice, most);
    return (GullyRect){x, y, across < width - x ? across : width - x,
                       down < height - y ? down : height - y};
}

// ---- two worlds and their simulations -----------------------------------------------------------

enum { FAST, PLAIN, BOTH };

typedef struct Pair {
    const char* theme;
    int seed;
    int width, height, tile_size, threads;
    double cell;
    bool half; // precision
    GullySettings* settings;
    GullyWorld* world[BOTH];
    GullySim* sim[BOTH];
} Pair;

static void set(Pair* pair, const char* key, const char* text) {
    if (gully_settings_set_text(pair->settings, key, text)) fail_msg("%s", gully_message());
}

static void set_number(Pair* pair, const char* key, double value) {
    if (gully_settings_set_number(pair->settings, key, value)) fail_msg("%s", gully_message());
}

static void apply(Pair* pair) {
    for (int i = 0; i < BOTH; i++) {
        if (gully_sim_apply(pair->sim[i], pair->settings)) fail_msg("%s", gully_message());
    }
}

static void write_both(Pair* pair, GullyField field, GullyRect rect, const float* values) {
    for (int i = 0; i < BOTH; i++) {
        if (gully_world_write(pair->world[i], field, rect, values)) fail_msg("%s", gully_message());
    }
}

static void write_value(Pair* pair, GullyField field, GullyRect rect, float value) {
    float* values = terrain_constant(value, rect.width, rect.height);
    write_both(pair, field, rect, values);
    free(values);
}

static int cells_of(const Pair* pair) {
    return pair->width * pair->height;
}

/// Says where a field differs, and fails.
static void fail_at(const Pair* pair, GullyField field) {
    float* fast = terrain_read(pair->world[FAST], field);
    float* plain = terrain_read(pair->world[PLAIN], field);
    int first = 0, count = 0;
    for (int c = cells_of(pair) - 1; c >= 0; c--) {
        if (memcmp(&fast[c], &plain[c], sizeof *fast) == 0) continue;
        first = c;
        count++;
    }
    double was = (double)fast[first], expected = (double)plain[first];
    free(fast);
    free(plain);
    fail_msg("%s, seed %d: %d x %d cells, tiles of %d, %d threads, after %" PRId64
             " steps: %s differs in %d cells, at (%d, %d) it is %.9g instead of %.9g",
             pair->theme, pair->seed, pair->width, pair->height, pair->tile_size, pair->threads,
             gully_sim_steps(pair->sim[FAST]), gully_field_name(field), count, first % pair->width,
             first / pair->width, was, expected);
}

static void compare(const Pair* pair) {
    for (GullyField field = 0; field < GULLY_FIELD_COUNT; field++) {
        if (gully_world_hash(pair->world[FAST], field) !=
            gully_world_hash(pair->world[PLAIN], field))
            fail_at(pair, field);
    }
    GullyBudget budgets[BOTH];
    for (int i = 0; i < BOTH; i++)
        OK(gully_sim_budget(pair->sim[i], &budgets[i]));
    const double *fast = (const double*)&budgets[FAST], *plain = (const double*)&budgets[PLAIN];
    for (size_t i = 0; i < sizeof *budgets / sizeof *fast; i++) {
        if (memcmp(&fast[i], &plain[i], sizeof *fast) == 0) continue;
        fail_msg("%s, seed %d: %d x %d cells, tiles of %d, %d threads, after %" PRId64
                 " steps: number %zu of the budget is %.17g instead of %.17g",
                 pair->theme, pair->seed, pair->width, pair->height, pair->tile_size, pair->threads,
                 gully_sim_steps(pair->sim[FAST]), i, fast[i], plain[i]);
    }
}

static void step(Pair* pair, int steps) {
    for (int i = 0; i < BOTH; i++)
        OK(gully_sim_step(pair->sim[i], steps));
    compare(pair);
}

static GullyWorld* create_world(const Pair* pair, const float* heights, int tile_size) {
    GullyWorldDef def = gully_world_def(pair->width, pair->height);
    def.cell_x = pair->cell;
    def.cell_y = 1.25 * pair->cell;
    def.tile_size = tile_size;
    def.half = pair->half;
    def.heights = heights;
    GullyWorld* world = NULL;
    if (gully_world_create(&def, &world)) fail_msg("%s", gully_message());
    return world;
}

static void create_worlds(Pair* pair, const float* heights) {
    for (int i = 0; i < BOTH; i++)
        pair->world[i] = create_world(pair, heights, i == FAST ? pair->tile_size : 100);
    pair->tile_size = pair->world[FAST]->tile_width;
}

static void create_sims(Pair* pair, bool masks, bool velocity) {
    for (int i = 0; i < BOTH; i++) {
        GullySimDef def = gully_sim_def();
        def.threads = i == FAST ? pair->threads : 1;
        def.seed = (uint64_t)pair->seed + 1;
        def.masks = masks;
        def.velocity = velocity;
        def.plain = i == PLAIN;
        if (gully_sim_create(pair->world[i], pair->settings, &def, &pair->sim[i]))
            fail_msg("%s", gully_message());
    }
}

static void destroy(Pair* pair) {
    for (int i = 0; i < BOTH; i++) {
        gully_sim_destroy(pair->sim[i]);
        gully_world_destroy(pair->world[i]);
    }
    gully_settings_destroy(pair->settings);
}

// ---- terrains -----------------------------------------------------------------------------------

/// Uniform and too steep to stay: cells in the middle give as much as they get.
static void terrain_steep(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++)
        out[c] = 1.5f * (float)(width - c % width) + 0.5f * (float)(c / width);
}

/// A plain with steep heaps on it, far from each other.
static void terrain_heaps(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++) {
        int x = c % width % 70 - 31, y = c / width % 55 - 20;
        out[c] = (float)fmax(0, 8 - 2.5 * hypot(x, y));
    }
}

/// Nodata beside the borders of blocks and of tiles, and a wall with a gate.
static void punch_borders(float* heights, int width, int height, int tile_size, Dice* dice) {
    for (int n = 0; n < 12; n++) {
        GullyRect rect = some_rect(dice, width, height, tile_size, 3);
        for (int c = 0; c < rect.width * rect.height; c++)
            heights[(rect.y + c / rect.width) * width + rect.x + c % rect.width] = NAN;
    }
    int x = some_place(dice, width, tile_size), gate = roll(dice, height);
    for (int y = 0; y < height && chance(dice, 97); y++) {
        if (abs(y - gate) > 3) heights[y * width + x] = NAN;
    }
}

static float* some_terrain(const Pair* pair, Dice* dice, bool thermal) {
    static const TerrainMaker makers[] = {terrain_flat,  terrain_plane, terrain_rough,
                                          terrain_basin, terrain_heaps, terrain_steep};
    TerrainMaker maker = makers[roll(dice, COUNT(makers) - !thermal)];
    float* heights = terrain_make(maker, pair->width, pair->height);
    float altitude = chance(dice, 30) ? 2500.3f : 0;
    bool upside_down = chance(dice, 40); // so that water also flows west and north
    for (int c = 0; c < cells_of(pair); c++)
        heights[c] = altitude + (upside_down ? -heights[c] : heights[c]);
    int holes = roll(dice, 4);
    if (holes == 1) terrain_punch(heights, pair->width, pair->height);
    if (holes == 2) punch_borders(heights, pair->width, pair->height, pair->tile_size, dice);
    return heights;
}

// ---- what falls and what lies there -------------------------------------------------------------

static void add_source(Pair* pair, Dice* dice, int x, int y) {
    GullySource source = {.x = x * pair->cell,
                          .y = y * 1.25 * pair->cell,
                          .radius = roll(dice, 5) * pair->cell,
                          .rate = 0.05 * (1 + roll(dice, 10)),
                          .concentration = chance(dice, 30) ? 0.2 : 0,
                          .until = GULLY_FOREVER};
    if (chance(dice, 60)) { // in seconds; a step takes about a seventh of one
        source.from = 0.1 * roll(dice, 60);
        source.until = source.from + 0.1 * (1 + roll(dice, 40));
    }
    assert_int_equal(gully_settings_add_source(pair->settings, &source), GULLY_OK);
}

static void add_sources(Pair* pair, Dice* dice, int count) {
    for (int n = 0; n < count; n++) {
        int x = some_place(dice, pair->width, pair->tile_size);
        int y = some_place(dice, pair->height, pair->tile_size);
        if (chance(dice, 10)) x = -3; // its disc may still reach the world
        if (chance(dice, 10)) y = pair->height + 3;
        add_source(pair, dice, x, y);
    }
}

static void add_drops(Pair* pair, Dice* dice) {
    static const double rates[] = {0.5, 3, 20};
    set_number(pair, "rain.drops.drops_per_second", PICK(dice, rates));
    set_number(pair, "rain.drops.radius", roll(dice, 4) * pair->cell);
    set_number(pair, "rain.drops.depth", 0.001 * pow(10, roll(dice, 3)));
}

/// Rain that nobody switches on: it begins and ends within the run.
static void add_season(Pair* pair, Dice* dice) {
    set_number(pair, "rain.season.rate", 0.01);
    set_number(pair, "rain.season.t_peak", 1 + roll(dice, 5));
    set_number(pair, "rain.season.sigma", 0.02 * (1 + roll(dice, 3)));
}

/// Fills all hollows up to a level.
static void add_lake(Pair* pair, float above_lowest) {
    float* ground = terrain_read(pair->world[FAST], GULLY_TERRAIN);
    float lowest = INFINITY;
    for (int c = 0; c < cells_of(pair); c++)
        lowest = fminf(lowest, ground[c]);
    for (int c = 0; c < cells_of(pair); c++)
        ground[c] = isnan(ground[c]) ? 0 : fmaxf(0, lowest + above_lowest - ground[c]);
    write_both(pair, GULLY_WATER, gully_world_all(pair->world[FAST]), ground);
    free(ground);
}

static GullyRect rect_of(const Pair* pair, Dice* dice, int most) {
    return some_rect(dice, pair->width, pair->height, pair->tile_size, most);
}

/// Some water that will drain or stay, water too thin to be wet, or sediment without water.
static void add_something(Pair* pair, Dice* dice) {
    static const float depths[] = {0.05f, 0.5f, 3, 5e-7f};
    switch (roll(dice, 4)) {
    case 0:
        add_lake(pair, 0.4f);
        break;
    case 1:
        write_value(pair, GULLY_SEDIMENT, rect_of(pair, dice, 20), 0.7f);
        break;
    default:
        write_value(pair, GULLY_WATER, rect_of(pair, dice, 40), PICK(dice, depths));
        break;
    }
}

static void add_hardness(Pair* pair, Dice* dice) {
    float* hardness = terrain_make(NULL, pair->width, pair->height);
    uint32_t seed = (uint32_t)roll(dice, 1000);
    for (int c = 0; c < cells_of(pair); c++) // some below what softening leaves
        hardness[c] = (float)terrain_noise(c % pair->width, c / pair->width, 12, seed);
    write_both(pair, GULLY_HARDNESS, gully_world_all(pair->world[FAST]), hardness);
    free(hardness);
}

/// A few materials, some of them in patches, some nowhere.
static void add_layers(Pair* pair, Dice* dice) {
    static const double shears[] = {0, 0, 0.5, 5};
    GullyMaterial materials[GULLY_MAX_MATERIALS];
    int count = 1 + roll(dice, 4);
    for (int m = 0; m < count; m++) {
        materials[m] = gully_material("material", m);
        materials[m].erodibility = roll(dice, 4);
        materials[m].critical_shear = PICK(dice, shears);
        materials[m].talus = chance(dice, 30) ? -1 : 15 + 10 * roll(dice, 4);
    }
    for (int i = 0; i < BOTH; i++)
        assert_int_equal(gully_world_set_materials(pair->world[i], materials, count), GULLY_OK);
    for (int m = 1; m < count; m++) {
        float* layer = terrain_make(NULL, pair->width, pair->height);
        uint32_t seed = (uint32_t)roll(dice, 1000);
        for (int c = 0; c < cells_of(pair); c++)
            layer[c] =
                (float)fmax(0, terrain_noise(c % pair->width, c / pair->width, 12, seed) - 0.5);
        if (chance(dice, 70))
            write_both(pair, GULLY_LAYER(m), gully_world_all(pair->world[FAST]), layer);
        free(layer);
    }
}

// ---- settings -----------------------------------------------------------------------------------

static void flip_side(Pair* pair, Dice* dice) {
    static const char* const sides[] = {"boundary.west", "boundary.east", "boundary.north",
                                        "boundary.south"};
    const char* side = PICK(dice, sides);
    set(pair, side, chance(dice, 60) ? "open" : "closed");
}

/// What a step is made of, if the model lets us choose; sometimes too much for a sweep.
static void some_cycle(Pair* pair, Dice* dice) {
    static const char* const operators[] = {"rain",      "erode",       "transport",
                                            "mix",       "transport*3", "mix*2",
                                            "evaporate", "deposit",     "transport*9"};
    const char* cycle[10];
    int count = roll(dice, COUNT(cycle));
    for (int n = 0; n < count; n++)
        cycle[n] = operators[roll(dice, COUNT(operators) - chance(dice, 90))];
    if (gully_settings_set_cycle(pair->settings, cycle, count)) fail_msg("%s", gully_message());
}

static void some_diffusion_settings(Pair* pair, Dice* dice) {
    static const char* const thresholds[] = {"1e-3", "1e-2", "0"};
    set(pair, "params.evaporation", chance(dice, 50) ? "0.1" : "3");
    set(pair, "params.dry_threshold", PICK(dice, thresholds));
    if (chance(dice, 50)) set(pair, "params.relax", "1");
    if (chance(dice, 70)) some_cycle(pair, dice);
}

static void some_newton_settings(Pair* pair, Dice* dice) {
    static const char* const evaporations[] = {"0.99", "0.8", "1", "0"};
    static const char* const dry_depths[] = {"1e-6", "1e-3", "0"};
    set(pair, "params.evaporation", PICK(dice, evaporations));
    set(pair, "params.dry_depth", PICK(dice, dry_depths));
    set(pair, "params.w_min", chance(dice, 80) ? "0" : "0.01");
    set(pair, "params.w_0", chance(dice, 80) ? "0" : "0.05");
    if (chance(dice, 30)) set(pair, "params.move", "all");
    if (chance(dice, 40)) set(pair, "params.isotropic", "true");
}

static void some_pipe_settings(Pair* pair, Dice* dice) {
    static const char* const evaporations[] = {"0", "0.003", "0.5", "3"};
    static const char* const dry_depths[] = {"1e-6", "1e-3", "0"};
    set(pair, "params.evaporation", PICK(dice, evaporations));
    set(pair, "params.dry_depth", PICK(dice, dry_depths));
    set(pair, "params.transport", chance(dice, 40) ? "semi_lagrangian" : "flux");
    set(pair, "params.pipes", chance(dice, 40) ? "8" : "4");
    if (chance(dice, 25)) set(pair, "params.film", "off");
    if (chance(dice, 20)) set(pair, "params.exchange_water", "on");
    if (chance(dice, 20)) set(pair, "params.friction", "0");
    if (chance(dice, 20)) set(pair, "params.min_tilt", "0");
    if (chance(dice, 30)) set(pair, "params.softening", "5");
}

static bool is_model(const Pair* pair, const char* model) {
    return strcmp(gully_settings_model(pair->settings), model) == 0;
}

static void some_settings(Pair* pair, Dice* dice) {
    if (is_model(pair, "pipe")) some_pipe_settings(pair, dice);
    if (is_model(pair, "diffusion")) some_diffusion_settings(pair, dice);
    if (is_model(pair, "newton")) some_newton_settings(pair, dice);
}

static void switch_thermal(Pair* pair, Dice* dice) {
    static const char* const taluses[] = {"20", "32", "45"};
    gully_settings_switch(pair->settings, "thermal", true);
    set(pair, "thermal.talus", PICK(dice, taluses));
    set(pair, "thermal.neighbours", chance(dice, 70) ? "8" : "4");
    set(pair, "thermal.rate", chance(dice, 50) ? "0.2" : "2");
    if (chance(dice, 30)) set(pair, "thermal.hardness_talus", "0.5");
}

// ---- what happens between two steps -------------------------------------------------------------

static void dump_heap(Pair* pair, Dice* dice) {
    static const float steps[] = {1, 0.3f, 0.005f}; // 0.6 m stay
    GullyRect rect = rect_of(pair, dice, 12);
    float least = chance(dice, 50) ? 1 : 0.62f, more = PICK(dice, steps);
    float* heights = terrain_make(NULL, rect.width, rect.height);
    OK(gully_world_read(pair->world[FAST], GULLY_TERRAIN, rect, heights));
    for (int c = 0; c < rect.width * rect.height; c++)
        heights[c] += least + more * (float)roll(dice, 8);
    write_both(pair, GULLY_TERRAIN, rect, heights);
    free(heights);
}

/// A heap, water, sediment or a hole, which may also fill holes that were there.
static void edit(Pair* pair, Dice* dice) {
    switch (roll(dice, 5)) {
    case 0:
        write_value(pair, GULLY_WATER, rect_of(pair, dice, 9), 0.3f);
        break;
    case 1:
        write_value(pair, GULLY_SEDIMENT, rect_of(pair, dice, 9), 0.1f);
        break;
    case 2:
        write_value(pair, GULLY_TERRAIN, rect_of(pair, dice, 4), NAN);
        break;
    case 3:
        write_value(pair, GULLY_TERRAIN, rect_of(pair, dice, 4), 2);
        break;
    default:
        dump_heap(pair, dice);
        break;
    }
}

static void change_settings(Pair* pair, Dice* dice) {
    static const char* const steps[] = {"0.05", "0.1", "0"}; // 0: the largest stable one
    switch (roll(dice, 7)) {
    case 0:
        set(pair, "dt", PICK(dice, steps));
        break;
    case 1:
        flip_side(pair, dice);
        break;
    case 2:
        set(pair, "rain.rate", "1e-4");
        break;
    case 3:
        gully_settings_switch(pair->settings, "thermal",
                              !gully_settings_is_on(pair->settings, "thermal"));
        break;
    case 4:
        gully_settings_clear_sources(pair->settings);
        break;
    case 5:
        some_settings(pair, dice);
        break;
    default: // dries within a step or two
        set(pair, "params.evaporation", is_model(pair, "newton") ? "0" : "5");
        break;
    }
    apply(pair);
}

static void stop_rain(Pair* pair) {
    set(pair, "rain.rate", "0");
    apply(pair);
}

// ---- themes -------------------------------------------------------------------------------------

/// What a run is about; everything else is left to the dice. Chances in percent.
typedef struct Theme {
    const char* name;
    const char* model; // NULL = pipe
    int sources;       // most of them
    int drops, season, lying, thermal, edits, phases, layers, half;
} Theme;

static const Theme themes[] = {
    {.name = "a source that comes and goes", .sources = 1},
    {.name = "sources at borders", .sources = 5, .thermal = 20},
    {.name = "a few drops", .drops = 100},
    {.name = "a season", .season = 100},
    {.name = "lakes and sediment", .lying = 100, .thermal = 20},
    {.name = "slopes come to rest", .thermal = 100, .edits = 40},
    {.name = "edits", .sources = 1, .lying = 30, .thermal = 30, .edits = 60},
    {.name = "phases", .sources = 2, .drops = 20, .thermal = 30, .phases = 60},
    {.name = "everything",
     .sources = 3,
     .drops = 40,
     .lying = 40,
     .thermal = 50,
     .edits = 30,
     .phases = 30},
    {.name = "layers", .sources = 2, .thermal = 70, .edits = 20, .layers = 100},
    {.name = "half precision",
     .sources = 2,
     .drops = 20,
     .lying = 50,
     .thermal = 30,
     .edits = 20,
     .phases = 30,
     .layers = 20,
     .half = 100},
    {.name = "diffusion",
     .model = "diffusion",
     .sources = 2,
     .drops = 20,
     .lying = 50,
     .thermal = 30,
     .phases = 40,
     .half = 20},
    {.name = "newton",
     .model = "newton",
     .sources = 2,
     .drops = 20,
     .lying = 50,
     .thermal = 30,
     .edits = 20,
     .phases = 40,
     .half = 20},
};

static Pair begin_run(const Theme* theme, int seed, Dice* dice) {
    static const int shapes[][2] = {{97, 61},   {64, 64},  {20, 130}, {97, 61},
                                    {200, 150}, {140, 90}, {33, 400}, {700, 40}};
    static const int tile_sizes[] = {0, 7, 16, 37, 64, 100, 256, 16, 37};
    const int* shape = shapes[roll(dice, SANITIZED ? 3 : COUNT(shapes))];
    Pair pair = {.theme = theme->name,
                 .seed = seed,
                 .width = shape[0],
                 .height = shape[1],
                 .cell = 0.8,
                 .half = theme->half > 0 && chance(dice, theme->half)};
    pair.tile_size = PICK(dice, tile_sizes);
    pair.threads = 1 + roll(dice, 3);
    const char* model = theme->model ? theme->model : "pipe";
    assert_int_equal(gully_settings_create(model, &pair.settings), GULLY_OK);
    return pair;
}

static void begin_world(Pair* pair, const Theme* theme, Dice* dice) {
    bool thermal = chance(dice, theme->thermal);
    float* heights = some_terrain(pair, dice, thermal);
    create_worlds(pair, heights);
    free(heights);
    some_settings(pair, dice);
    if (thermal) switch_thermal(pair, dice);
    if (theme->sources > 0) add_sources(pair, dice, 1 + roll(dice, theme->sources));
    if (chance(dice, theme->drops)) add_drops(pair, dice);
    if (chance(dice, theme->season)) add_season(pair, dice);
    if (chance(dice, theme->lying)) add_something(pair, dice);
    if (chance(dice, 30)) add_hardness(pair, dice);
    if (theme->layers > 0 && chance(dice, theme->layers)) add_layers(pair, dice);
    for (int n = 0; n < 3; n++)
        flip_side(pair, dice);
    create_sims(pair, chance(dice, 50), chance(dice, 50));
}

static void run_theme(const Theme* theme, int seed) {
    static const int lengths[] = {1, 2, 3, 5, 7, 1, 2, 3, 5, 7, 50};
    Dice dice = {(uint64_t)seed * 977 + 5};
    for (int n = 0; n < 5; n++)
        roll(&dice, 2); // the first numbers of two seeds are alike
    Pair pair = begin_run(theme, seed, &dice);
    begin_world(&pair, theme, &dice);
    for (int n = 0; n < 9; n++) {
        step(&pair, PICK(&dice, lengths));
        if (chance(&dice, 30)) stop_rain(&pair);
        if (chance(&dice, theme->edits)) edit(&pair, &dice);
        if (chance(&dice, theme->phases)) change_settings(&pair, &dice);
    }
    destroy(&pair);
}

static void test_theme(void** state) {
    const Theme* theme = *state;
    int number = (int)(theme - themes);
    for (int n = 0; n < runs_of_a_theme(); n++)
        run_theme(theme, 1000 * number + n);
}

/// Runs that once gave other bits than the plain stepper, beyond those that are always made.
static void test_seeds_that_failed(void** state) {
    (void)state;
    static const int seeds[] = {9300, 10296, 11149};
    for (int n = 0; n < COUNT(seeds) && !SANITIZED; n++)
        run_theme(&themes[seeds[n] / 1000], seeds[n]);
}

// ---- runs that are long enough ------------------------------------------------------------------

/// Water runs down a dry slope through all blocks and tiles, and out at the other end; behind it
/// the source runs dry and everything comes to rest again.
static void run_front(int width, int height, int tile_size, int threads, const char* transport) {
    Pair pair = {.theme = transport, .width = width, .height = height, .cell = 0.8};
    pair.tile_size = tile_size;
    pair.threads = threads;
    assert_int_equal(gully_settings_create("pipe", &pair.settings), GULLY_OK);
    float* heights = terrain_make(NULL, width, height);
    for (int c = 0; c < width * height; c++)
        heights[c] = -0.3f * (float)(c % width) + 0.4f * (float)(c / width); // east and north
    create_worlds(&pair, heights);
    free(heights);
    set(&pair, "params.film", "off");
    set(&pair, "params.friction", "0");
    set(&pair, "params.transport", transport);
    set(&pair, "params.evaporation", "0.02");
    set(&pair, "params.dry_depth", "1e-3");
    set(&pair, width > height ? "boundary.east" : "boundary.north", "open");
    GullySource source = {
        .x = 2, .y = (height - 4) * pair.cell, .radius = 3, .rate = 0.5, .until = 12};
    assert_int_equal(gully_settings_add_source(pair.settings, &source), GULLY_OK);
    create_sims(&pair, true, true);
    int longer = width > height ? width : height;
    for (int done = 0; done < 2 * longer; done += 50)
        step(&pair, 50);
    GullyBudget budget;
    OK(gully_sim_budget(pair.sim[FAST], &budget));
    assert_true(budget.water.left > 0); // it has come that far
    destroy(&pair);
}

static void test_front_crosses(void** state) {
    (void)state;
    run_front(100, 24, 37, 2, "flux");
    if (SANITIZED) return;
    run_front(300, 24, 37, 2, "flux");
    run_front(300, 24, 0, 1, "semi_lagrangian");
    run_front(20, 260, 16, 2, "semi_lagrangian");
    run_front(33, 200, 64, 1, "flux");
    run_front(400, 40, 100, 3, "flux");
}

/// On a uniform slope the ground does not change, but all of it slides, and that is counted.
static void test_slides_without_change(void** state) {
    (void)state;
    static const char* const models[] = {"pipe", "thermal"};
    for (int n = 0; n < COUNT(models); n++) {
        Pair pair = {.theme = models[n], .width = 150, .height = 90, .cell = 0.8};
        pair.tile_size = 50;
        pair.threads = 2;
        assert_int_equal(gully_settings_create(models[n], &pair.settings), GULLY_OK);
        gully_settings_switch(pair.settings, "thermal", true);
        float* heights = terrain_make(terrain_steep, pair.width, pair.height);
        create_worlds(&pair, heights);
        create_sims(&pair, true, false);
        GullyBudget before, after;
        step(&pair, 5);
        OK(gully_sim_budget(pair.sim[FAST], &before));
        step(&pair, 5);
        OK(gully_sim_budget(pair.sim[FAST], &after));
        float middle;
        OK(gully_world_read(pair.world[FAST], GULLY_TERRAIN, (GullyRect){75, 45, 1, 1}, &middle));
        assert_true(fabsf(middle - heights[45 * pair.width + 75]) < 1e-3f);
        assert_true(after.solid.slid > 1.9 * before.solid.slid);
        free(heights);
        destroy(&pair);
    }
}

/// A heap that is barely too steep slides by less and less, and not for ever.
static void test_heap_comes_to_rest(void** state) {
    (void)state;
    static const float heights[] = {0.6f, 0.7f, 3}; // of which 0.8 tan(32) = 0.5 stay
    for (int n = 0; n < COUNT(heights); n++) {
        Pair pair = {.theme = "a heap", .seed = n, .width = 97, .height = 61, .cell = 0.8};
        pair.tile_size = 37;
        pair.threads = 2;
        assert_int_equal(gully_settings_create("thermal", &pair.settings), GULLY_OK);
        set(&pair, "params.rate", "10");
        float* flat = terrain_make(terrain_flat, pair.width, pair.height);
        create_worlds(&pair, flat);
        free(flat);
        create_sims(&pair, false, false);
        step(&pair, 2);
        write_value(&pair, GULLY_TERRAIN, (GullyRect){47, 31, 1, 1}, heights[n]);
        step(&pair, 1);
        for (int steps = 1; steps < 120; steps += 7)
            step(&pair, 7);
        destroy(&pair);
    }
}

int main(void) {
    struct CMUnitTest tests[COUNT(themes) + 4] = {
        [COUNT(themes)] = cmocka_unit_test(test_front_crosses),
        cmocka_unit_test(test_slides_without_change),
        cmocka_unit_test(test_heap_comes_to_rest),
        cmocka_unit_test(test_seeds_that_failed),
    };
    for (int i = 0; i < COUNT(themes); i++) {
        tests[i] = (struct CMUnitTest){
            .name = themes[i].name, .test_func = test_theme, .initial_state = (void*)&themes[i]};
    }
    return cmocka_run_group_tests_name("rest_threads", tests, NULL, NULL);
}
