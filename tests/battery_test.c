// SPDX-License-Identifier: MIT
// What must be true of every law, run for each row of the table of laws. No line here knows a law
// by name: a new one is tested the moment it is registered.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "busy.h"
#include "gully/sim.h"
#include "ok.h"
#include "sanitized.h"
#include "terrains.h"

static const double rain = 1e-3; // [m/s]

/// What a cell has that must not depend on how a run is looked at.
static const GullyField fields[] = {GULLY_TERRAIN, GULLY_WATER,  GULLY_SEDIMENT, GULLY_HARDNESS,
                                    GULLY_FLOW,    GULLY_WEAR,   GULLY_DEPOSIT,  GULLY_LAYER_0,
                                    GULLY_LAYER_1, GULLY_LAYER_2};
enum { FIELDS = sizeof fields / sizeof *fields };

// ---- a place, and a run of a law on it ----------------------------------------------------------

enum { WEST, EAST, NORTH, SOUTH, SIDES };
static const char* const side_keys[SIDES] = {"boundary.west", "boundary.east", "boundary.north",
                                             "boundary.south"};

typedef struct Site {
    int width, height; // [cells]
    double lx, ly;     // [m]
    float* cells[3];   // terrain, water, hardness; NULL = default
    bool open[SIDES];
    double rain;
    GullySource sources[2];
    int source_count;
    bool add_ons;     // switch on what can run besides the law
    float* layers[2]; // thickness of the second and third material; NULL = no materials
} Site;

static const GullyField site_fields[3] = {GULLY_TERRAIN, GULLY_WATER, GULLY_HARDNESS};

static Site site_create(TerrainMaker terrain, int width, int height, double lx, double ly) {
    Site site = {.width = width, .height = height, .lx = lx, .ly = ly};
    site.cells[0] = terrain_make(terrain, width, height);
    return site;
}

static void site_destroy(Site* site) {
    for (int n = 0; n < 3; n++)
        free(site->cells[n]);
    for (int n = 0; n < 2; n++)
        free(site->layers[n]);
}

static void uneven_hardness(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++) {
        double k = 2 * terrain_noise(c % width, c / width, 12, 5) - 0.5;
        out[c] = (float)fmin(fmax(k, 0), 1);
    }
}

static void patchy_soil(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++)
        out[c] = (float)fmax(0, terrain_noise(c % width, c / width, 9, 8) - 0.4);
}

static void patchy_sand(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++)
        out[c] = (float)fmax(0, 0.1 * terrain_noise(c % width, c / width, 5, 9) - 0.06);
    out[0] = 0.02f; // some in any case
}

/// Whether wild sites are layered, in laws that know materials; and dry but for springs.
static bool layered, dry;

/// Rough ground with walls, rain, springs, two open sides, rock of uneven hardness: all at once.
static Site site_wild(int width, int height) {
    Site site = site_create(width > 30 && height > 30 ? terrain_holes : terrain_rough, width,
                            height, 1, 1.5);
    if (!dry) site.cells[1] = terrain_constant(0.05f, width, height);
    site.cells[2] = terrain_make(uneven_hardness, width, height);
    site.open[WEST] = site.open[SOUTH] = true;
    site.rain = dry ? 0 : rain;
    site.sources[0] = (GullySource){.x = 41.3,
                                    .y = 77.7,
                                    .radius = 11,
                                    .rate = 0.02,
                                    .concentration = 0.1,
                                    .until = GULLY_FOREVER};
    site.sources[1] = (GullySource){.x = 60.6, .y = 15.2, .rate = 0.1, .from = 2.01, .until = 9.01};
    site.source_count = 2;
    site.add_ons = true;
    if (layered) {
        site.layers[0] = terrain_make(patchy_soil, width, height);
        site.layers[1] = terrain_make(patchy_sand, width, height);
    }
    return site;
}

/// Rock, soil and sand.
static void lay(GullyWorld* world, const Site* site) {
    if (!site->layers[0]) return;
    GullyMaterial materials[3] = {gully_material("rock", 0), gully_material("soil", 1),
                                  gully_material("sand", 2)};
    materials[0].erodibility = 0.1;
    materials[0].critical_shear = 2;
    materials[0].talus = 50;
    materials[2].erodibility = 3;
    materials[2].talus = 25;
    assert_int_equal(gully_world_set_materials(world, materials, 3), GULLY_OK);
    for (int n = 0; n < 2; n++) {
        assert_int_equal(
            gully_world_write(world, GULLY_LAYER(n + 1), gully_world_all(world), site->layers[n]),
            GULLY_OK);
    }
}

/// Another form of a law, which goes through the same checks.
typedef struct Form {
    const char *law, *key, *value;
} Form;

static const Form forms[] = {{"pipe", "params.pipes", "8"}, {"newton", "params.isotropic", "true"}};
enum { FORMS = sizeof forms / sizeof *forms };

static const Form* form; // of the law that is checked; NULL = as it is

static GullySettings* settings_for(const GullyLawInfo* law, const Site* site) {
    GullySettings* settings = NULL;
    assert_int_equal(gully_settings_create(law->name, &settings), GULLY_OK);
    assert_int_equal(gully_settings_set_number(settings, "rain.rate", site->rain), GULLY_OK);
    spare_routing(law, settings);
    if (form) assert_int_equal(gully_settings_set_text(settings, form->key, form->value), GULLY_OK);
    for (int n = 0; n < SIDES; n++) {
        gully_settings_set_text(settings, side_keys[n], site->open[n] ? "open" : "closed");
    }
    for (int n = 0; n < site->source_count; n++) {
        assert_int_equal(gully_settings_add_source(settings, &site->sources[n]), GULLY_OK);
    }
    if (site->add_ons) switch_add_ons_on(law, settings);
    return settings;
}

/// No water is to vanish, if the law has such parameters: a rate, or the share that is left, and
/// what it takes for dry.
static void stop_evaporation(const GullyLawInfo* law, GullySettings* settings) {
    void* params = gully_settings_section(settings, "params", NULL);
    for (int n = 0; n < law->params->count; n++) {
        const GullyParam* row = &law->params->rows[n];
        bool evaporates = strcmp(row->name, "evaporation") == 0;
        bool dries = strncmp(row->name, "dry_", 4) == 0;
        double none = evaporates && strcmp(row->unit, "1/s") != 0 ? 1 : 0;
        if (!evaporates && !dries) continue;
        assert_int_equal(gully_param_set_number(row, params, none), GULLY_OK);
    }
}

/// Where still water dissolves the ground nothing is at rest; what else would move shows without
/// it.
static void let_rest(const GullyLawInfo* law, GullySettings* settings) {
    if (!law->still_water_erodes) return;
    assert_int_equal(gully_settings_set_number(settings, "params.dissolve", 0), GULLY_OK);
}

typedef struct Run {
    GullyWorld* world;
    GullySim* sim;
} Run;

static Run run_start(const Site* site, const GullySettings* settings) {
    Run run = {terrain_world(site->cells[0], site->width, site->height, site->lx, site->ly, 32),
               NULL};
    for (int n = 1; n < 3; n++) {
        if (!site->cells[n]) continue;
        GullyRect all = gully_world_all(run.world);
        assert_int_equal(gully_world_write(run.world, site_fields[n], all, site->cells[n]),
                         GULLY_OK);
    }
    lay(run.world, site);
    GullySimDef def = gully_sim_def();
    def.threads = 2;
    if (gully_sim_create(run.world, settings, &def, &run.sim)) fail_msg("%s", gully_message());
    return run;
}

/// The same with the law's own settings, already gone some steps.
static Run run_law(const GullyLawInfo* law, const Site* site, int steps) {
    GullySettings* settings = settings_for(law, site);
    Run run = run_start(site, settings);
    OK(gully_sim_step(run.sim, steps));
    gully_settings_destroy(settings);
    return run;
}

static void run_end(Run* run) {
    gully_sim_destroy(run->sim);
    gully_world_destroy(run->world);
}

static void assert_finite(const GullyWorld* world, const float* heights) {
    for (int f = 0; f < FIELDS; f++) {
        float* values = terrain_read(world, fields[f]);
        for (int c = 0; c < gully_world_width(world) * gully_world_height(world); c++) {
            if (isnan(heights[c]) ? isnan(values[c]) : isfinite(values[c])) continue;
            fail_msg("%s of cell %d is %g", gully_field_name(fields[f]), c, (double)values[c]);
        }
        free(values);
    }
}

// ---- the checks ---------------------------------------------------------------------------------

static void stays_finite(const GullyLawInfo* law) {
    Site site = site_wild(97, 61);
    Run run = run_law(law, &site, fewer(200));
    assert_finite(run.world, site.cells[0]);
    assert_true(terrain_volume(run.world, GULLY_WATER) > 0);
    run_end(&run);
    site_destroy(&site);
}

/// Rain on level ground stands as high everywhere and moves nothing.
static void flat_stays_flat(const GullyLawInfo* law) {
    Site site = site_create(terrain_flat, 97, 61, 2, 3);
    for (int c = 0; c < 97 * 61; c++)
        site.cells[0][c] = 100;
    site.rain = 10 * rain; // more than any law takes for dry
    site.add_ons = true;
    GullySettings* settings = settings_for(law, &site);
    let_rest(law, settings);
    Run run = run_start(&site, settings);
    OK(gully_sim_step(run.sim, fewer(200)));
    gully_settings_destroy(settings);
    float* ground = terrain_read(run.world, GULLY_TERRAIN);
    float* water = terrain_read(run.world, GULLY_WATER);
    assert_true(water[0] > 0);
    for (int c = 0; c < 97 * 61; c++) {
        assert_true(fabsf(ground[c] - 100) <= 1e-5f); // one unit in the last place is 0.8e-5
        assert_true(fabsf(water[c] - water[0]) <= 1e-6f * water[0]);
    }
    free(ground);
    free(water);
    run_end(&run);
    site_destroy(&site);
}

/// The ground after some steps with this water on it, and the water, if asked for. A law may bring
/// water of its own to the start; here it is this and no other.
static float* ground_under(const GullyLawInfo* law, const Site* site, float** water) {
    GullySettings* settings = settings_for(law, site);
    stop_evaporation(law, settings);
    let_rest(law, settings);
    Run run = run_start(site, settings);
    if (site->cells[1])
        gully_world_write(run.world, GULLY_WATER, gully_world_all(run.world), site->cells[1]);
    else
        gully_world_fill(run.world, GULLY_WATER, 0);
    OK(gully_sim_step(run.sim, fewer(200)));
    float* ground = terrain_read(run.world, GULLY_TERRAIN);
    if (water) *water = terrain_read(run.world, GULLY_WATER);
    run_end(&run);
    gully_settings_destroy(settings);
    return ground;
}

/// Water that is level as well as floats allow does not move, and does to the ground what no water
/// does.
static void lake_stays_at_rest(const GullyLawInfo* law) {
    // Where a law works on dry ground only, nothing is left dry; and nothing is what it does then.
    const float level = law->dry_only ? 100 : 6, depth = level;
    Site site = site_create(terrain_basin, 97, 61, 2, 3);
    float* without = law->dry_only ? NULL : ground_under(law, &site, NULL);
    const float* wanted = without ? without : site.cells[0];
    site.cells[1] = terrain_make(NULL, 97, 61);
    for (int c = 0; c < 97 * 61; c++)
        site.cells[1][c] = fmaxf(0, level - site.cells[0][c]);
    float* water;
    float* ground = ground_under(law, &site, &water);
    double drift = 0, dug = 0;
    for (int c = 0; c < 97 * 61; c++) {
        drift = fmax(drift, fabs((double)water[c] - (double)site.cells[1][c]));
        dug = fmax(dug, fabs((double)ground[c] - (double)wanted[c]));
    }
    print_message("    water %.1e m, ground %.1e m\n", drift, dug);
    assert_true(drift <= 1e-6 * (double)depth);
    assert_true(dug <= 1e-6);
    free(without);
    free(ground);
    free(water);
    site_destroy(&site);
}

// ---- symmetry -----------------------------------------------------------------------------------

typedef enum Turn { MIRROR_X, MIRROR_Y, TRANSPOSE } Turn;

static float* turned(const float* in, int width, int height, Turn turn) {
    if (!in) return NULL;
    float* out = terrain_make(NULL, width, height);
    for (int j = 0; j < height; j++) {
        for (int i = 0; i < width; i++) {
            int c = j * width + i;
            if (turn == MIRROR_X) out[j * width + width - 1 - i] = in[c];
            if (turn == MIRROR_Y) out[(height - 1 - j) * width + i] = in[c];
            if (turn == TRANSPOSE) out[i * height + j] = in[c];
        }
    }
    return out;
}

/// Sets all parameters that are directions, degrees from +x towards +y.
static void set_directions(GullySettings* settings, double degrees) {
    for (int n = 0; gully_settings_section_name(settings, n); n++) {
        const GullyParamTable* table;
        void* values =
            gully_settings_section(settings, gully_settings_section_name(settings, n), &table);
        const GullyParam* row = gully_params_find(table, "direction");
        if (row) assert_int_equal(gully_param_set_number(row, values, degrees), GULLY_OK);
    }
}

/// A direction on the turned terrain.
static double direction_turned(double degrees, Turn turn) {
    return turn == MIRROR_X ? 180 - degrees : turn == MIRROR_Y ? -degrees : 90 - degrees;
}

static Site site_turned(const Site* site, Turn turn) {
    static const int from[3][SIDES] = {
        {EAST, WEST, NORTH, SOUTH}, {WEST, EAST, SOUTH, NORTH}, {NORTH, SOUTH, WEST, EAST}};
    Site out = *site;
    for (int n = 0; n < 3; n++) {
        out.cells[n] = turned(site->cells[n], site->width, site->height, turn);
    }
    for (int n = 0; n < 2; n++) {
        out.layers[n] = turned(site->layers[n], site->width, site->height, turn);
    }
    for (int n = 0; n < SIDES; n++)
        out.open[n] = site->open[from[turn][n]];
    for (int n = 0; n < site->source_count; n++) {
        GullySource* source = &out.sources[n];
        double x = source->x, y = source->y;
        if (turn == MIRROR_X) source->x = (site->width - 1) * site->lx - x;
        if (turn == MIRROR_Y) source->y = (site->height - 1) * site->ly - y;
        if (turn == TRANSPOSE) source->x = y, source->y = x;
    }
    if (turn == TRANSPOSE) {
        out.width = site->height, out.height = site->width;
        out.lx = site->ly, out.ly = site->lx;
    }
    return out;
}

static void assert_same(const float* a, const float* b, int width, int height, GullyField field) {
    for (int c = 0; c < width * height; c++) {
        if (a[c] == b[c] || (isnan(a[c]) && isnan(b[c]))) continue;
        fail_msg("%s at (%d, %d): %.9g and %.9g", gully_field_name(field), c % width, c / width,
                 (double)a[c], (double)b[c]);
    }
}

static Run run_towards(const GullyLawInfo* law, const Site* site, double degrees, int steps) {
    GullySettings* settings = settings_for(law, site);
    set_directions(settings, degrees);
    Run run = run_start(site, settings);
    OK(gully_sim_step(run.sim, steps));
    gully_settings_destroy(settings);
    return run;
}

static void is_symmetric(const GullyLawInfo* law, Turn turn) {
    Site site = site_wild(97, 61);
    Site other = site_turned(&site, turn);
    const double direction = 20; // of what has one
    Run run = run_towards(law, &site, direction, fewer(60));
    Run image = run_towards(law, &other, direction_turned(direction, turn), fewer(60));
    for (int f = 0; f < FIELDS; f++) {
        float* a = terrain_read(run.world, fields[f]);
        float* b = terrain_read(image.world, fields[f]);
        float* wanted = turned(a, site.width, site.height, turn);
        assert_same(wanted, b, other.width, other.height, fields[f]);
        free(a);
        free(b);
        free(wanted);
    }
    run_end(&run);
    run_end(&image);
    site_destroy(&site);
    site_destroy(&other);
}

static void mirrored_in_x(const GullyLawInfo* law) {
    is_symmetric(law, MIRROR_X);
}

static void mirrored_in_y(const GullyLawInfo* law) {
    is_symmetric(law, MIRROR_Y);
}

static void transposed(const GullyLawInfo* law) {
    is_symmetric(law, TRANSPOSE);
}

// ---- ledger, time step, sizes -------------------------------------------------------------------

/// What the ledger says is there is what can be read; what it lost, it lost to rounding. A field
/// read as floats is off by 2^-24 at most, the sum of many by far less; the ground changed by
/// little, so its sum is only as good as the float of its height.
static void assert_ledger_closes(const GullySim* sim) {
    const GullyWorld* world = gully_sim_world(sim);
    GullyBudget budget;
    OK(gully_sim_budget(sim, &budget));
    double water = terrain_volume(world, GULLY_WATER);
    double ground = terrain_volume(world, GULLY_TERRAIN);
    double suspended = budget.solid.suspended; // sediment, and what laws carry themselves
    assert_true(terrain_volume(world, GULLY_SEDIMENT) <= suspended * (1 + 1e-6));
    double in = budget.water.initial + budget.water.rain + budget.water.sources +
                budget.water.exchanged + budget.water.edits;
    assert_true(fabs(in - budget.water.evaporated - budget.water.left - water) <= 1e-6 * in);
    assert_true(fabs(budget.water.residual) <= 1e-6 * budget.water.moved);
    double solid = budget.solid.initial + budget.solid.sources + budget.solid.uplifted +
                   budget.solid.edits - budget.solid.left - budget.solid.transport_loss;
    assert_true(fabs(solid - ground - suspended) <= 1e-7 * fabs(solid));
    assert_true(fabs(budget.solid.residual) <= 1e-6 * budget.solid.moved);
}

static void ledger_closes(const GullyLawInfo* law) {
    Site site = site_wild(97, 61);
    Run run = run_law(law, &site, fewer(200));
    GullyBudget budget;
    OK(gully_sim_budget(run.sim, &budget));
    print_message("    water %.1e, solid %.1e of what moved\n",
                  budget.water.residual / budget.water.moved,
                  budget.solid.residual / budget.solid.moved);
    assert_true(dry || budget.water.rain > 0);
    assert_true(budget.water.sources > 0 && budget.solid.moved > 0);
    assert_ledger_closes(run.sim);
    run_end(&run);
    site_destroy(&site);
}

/// Whether one of the numbers in a text is the value, to 1 %.
static bool mentions(const char* text, double value) {
    while (*text) {
        char* end;
        double number = strtod(text, &end);
        if (end != text && fabs(number - value) <= 0.01 * value) return true;
        text = end != text ? end : text + 1;
    }
    return false;
}

static void long_steps_are_refused(const GullyLawInfo* law) {
    Site site = site_wild(97, 61);
    GullySettings* settings = settings_for(law, &site);
    double most = gully_settings_max_dt(settings, site.lx, site.ly);
    if (most > 0) {
        GullyWorld* world = terrain_world(site.cells[0], 97, 61, site.lx, site.ly, 0);
        GullySimDef def = gully_sim_def();
        GullySim* sim = NULL;
        gully_settings_set_number(settings, "dt", 1.5 * most);
        assert_int_equal(gully_sim_create(world, settings, &def, &sim), GULLY_BAD_INPUT);
        assert_null(sim);
        assert_true(mentions(gully_message(), most));
        gully_settings_set_number(settings, "allow_unstable", 1);
        assert_int_equal(gully_sim_create(world, settings, &def, &sim), GULLY_OK);
        assert_true(fabs(gully_sim_dt(sim) - 1.5 * most) <= 1e-12 * most);
        OK(gully_sim_step(sim, 5));
        gully_sim_destroy(sim);
        gully_settings_set_number(settings, "allow_unstable", 0);
        gully_settings_set_number(settings, "dt", 0.99 * most);
        assert_int_equal(gully_sim_create(world, settings, &def, &sim), GULLY_OK);
        gully_sim_destroy(sim);
        gully_world_destroy(world);
    }
    gully_settings_destroy(settings);
    site_destroy(&site);
}

static void runs_on_any_size(const GullyLawInfo* law) {
    enum { LONG = SANITIZED ? 700 : 3000 };
    static const int sizes[][2] = {{1, 1},   {1, 40},    {40, 1},   {2, 2},
                                   {97, 61}, {LONG, 17}, {17, LONG}};
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        Site site = site_wild(sizes[n][0], sizes[n][1]);
        Run run = run_law(law, &site, fewer(20));
        assert_finite(run.world, site.cells[0]);
        assert_ledger_closes(run.sim);
        run_end(&run);
        site_destroy(&site);
    }
}

/// How the ground changes over some time: its final height.
static float* ground_after(const GullyLawInfo* law, const Site* site, double dt, int steps) {
    GullySettings* settings = settings_for(law, site);
    if (dt > 0) assert_int_equal(gully_settings_set_number(settings, "dt", dt), GULLY_OK);
    Run run = run_start(site, settings);
    OK(gully_sim_step(run.sim, steps));
    float* ground = terrain_read(run.world, GULLY_TERRAIN);
    run_end(&run);
    gully_settings_destroy(settings);
    return ground;
}

static double distance(const float* a, const float* b, int count) {
    double sum = 0;
    for (int c = 0; c < count; c++)
        sum += pow((double)a[c] - (double)b[c], 2);
    return sqrt(sum / count);
}

/// Rates are per second: half the step, twice as often, is nearly the same, unless the law says
/// that it counts steps.
static void half_steps_change_little(const GullyLawInfo* law) {
    if (law->counts_steps || SANITIZED) return; // sanitizers do not look at numbers
    Site site = site_create(terrain_rough, 97, 61, 1, 1.5);
    if (!law->dry_only) site.cells[1] = terrain_constant(0.05f, 97, 61);
    site.rain = law->dry_only ? 0 : rain;
    GullySettings* settings = settings_for(law, &site);
    Run run = run_start(&site, settings);
    double dt = gully_sim_dt(run.sim);
    run_end(&run);
    gully_settings_destroy(settings);
    float* whole = ground_after(law, &site, dt, 200);
    float* half = ground_after(law, &site, dt / 2, 400);
    double change = distance(whole, site.cells[0], 97 * 61);
    double difference = distance(whole, half, 97 * 61);
    print_message("    ground changed by %.2e m, half steps by %.1f %% of it\n", change,
                  100 * difference / change);
    assert_true(change > 1e-4);
    assert_true(difference <= 0.2 * change);
    free(whole);
    free(half);
    site_destroy(&site);
}

// ---- the battery --------------------------------------------------------------------------------

typedef struct Check {
    const char* name;
    void (*run)(const GullyLawInfo* law);
    bool wild; // on a wild site, which may be layered
} Check;

static const Check checks[] = {
    {"stays finite", stays_finite, true},
    {"flat stays flat", flat_stays_flat, false},
    {"a lake stays at rest", lake_stays_at_rest, false},
    {"mirrored in x", mirrored_in_x, true},
    {"mirrored in y", mirrored_in_y, true},
    {"transposed", transposed, true},
    {"the ledger closes", ledger_closes, true},
    {"long steps are refused", long_steps_are_refused, false},
    {"runs on any size", runs_on_any_size, true},
    {"half steps change little", half_steps_change_little, false},
};
enum { CHECKS = sizeof checks / sizeof *checks, MOST_LAWS = 32 };

typedef struct Trial {
    const GullyLawInfo* law;
    const Check* check;
    const Form* form;
    bool layered, dry;
    char name[80];
} Trial;

static void run_trial(void** state) {
    const Trial* trial = *state;
    layered = trial->layered;
    dry = trial->dry;
    form = trial->form;
    trial->check->run(trial->law);
    layered = dry = false;
    form = NULL;
}

/// Lists every check of a law in one of its forms (NULL = as it is), and those on wild sites once
/// more in layers, if the law knows them, and on dry land, if it knows no other. Returns how many.
static int list_checks(const GullyLawInfo* law, const Form* as, Trial trials[]) {
    int count = 0;
    for (int n = 0; n < 4 * CHECKS; n++) {
        Trial trial = {
            .law = law, .check = &checks[n / 4], .form = as, .layered = n % 2, .dry = n / 2 % 2};
        if (trial.layered && !(law->layers && trial.check->wild)) continue;
        if (trial.dry && !(law->dry_only && trial.check->wild)) continue;
        snprintf(trial.name, sizeof trial.name, "%s%s%s%s%s: %s", law->name, as ? ", " : "",
                 as ? as->value : "", trial.layered ? ", layers" : "", trial.dry ? ", dry" : "",
                 trial.check->name);
        trials[count++] = trial;
    }
    return count;
}

/// Every check of every law in each of its forms.
static int list_trials(Trial trials[]) {
    int count = 0;
    if (gully_law_count() > MOST_LAWS) abort();
    for (int n = 0; n < gully_law_count(); n++) {
        const GullyLawInfo* law = gully_law_info(n);
        count += list_checks(law, NULL, trials + count);
        for (int f = 0; f < FORMS; f++) {
            if (strcmp(forms[f].law, law->name) == 0)
                count += list_checks(law, &forms[f], trials + count);
        }
    }
    return count;
}

int main(void) {
    enum { MOST = 4 * (MOST_LAWS + FORMS) * CHECKS };
    static Trial trials[MOST];
    static struct CMUnitTest tests[MOST]; // cmocka passes over the empty ones
    int count = list_trials(trials);
    for (int n = 0; n < count; n++) {
        tests[n] = (struct CMUnitTest){
            .name = trials[n].name, .test_func = run_trial, .initial_state = &trials[n]};
    }
    return count ? cmocka_run_group_tests_name("battery", tests, NULL, NULL) : 1;
}
