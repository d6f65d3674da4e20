// SPDX-License-Identifier: MIT
// Scenes: phases and what they set, --set, the number of steps, files, and input made to hurt.

#include "ok.h"
#include "scene_cases.h"
#include "scratch.h"

#include <unistd.h>

#define SCENE(rest) "{\"gully\": 1, \"terrain\": {\"generate\": \"mountains\"}" rest "}"
#define PROGRAM(phases) SCENE(",\n\"program\": [" phases "]")

static double rain_of(const GullyScene* scene, int phase) {
    return ((const GullyRainParams*)SECTION(settings_of(scene, phase), "rain"))->rate;
}

static double capacity_of(const GullyScene* scene, int phase) {
    return ((const GullyPipeParams*)SECTION(settings_of(scene, phase), "params"))->capacity;
}

static double dt_of(const GullyScene* scene, int phase) {
    return ((const GullyTimeParams*)SECTION(settings_of(scene, phase), ""))->dt;
}

static bool thermal_of(const GullyScene* scene, int phase) {
    return gully_settings_is_on(settings_of(scene, phase), "thermal");
}

// ---- programs -----------------------------------------------------------------------------------

static void phases_start_from_the_scene(void** state) {
    (void)state;
    GullyScene* scene =
        good(SCENE(", \"rain\": {\"rate\": 0.5, \"drops\": {\"depth\": 2}}, \"dt\": 0.25"
                   ", \"sources\": [{\"rate\": 1}, {\"rate\": 2}], \"repeat\": 2, \"program\": ["
                   "{\"name\": \"wet\", \"steps\": 4, \"set\": {\"rain.rate\": 0.75,"
                   "  \"params.capacity\": 3, \"thermal.rate\": 0.3, \"sources.1.rate\": 9}},"
                   "{\"steps\": 5},"
                   "{\"steps\": 6, \"set\": {\"rain\": null, \"sources\": [], \"dt\": \"auto\","
                   "  \"thermal.rate\": null, \"boundary.east\": \"open\"}}]"));
    assert_int_equal(gully_scene_phase_count(scene), 6);
    assert_int_equal(gully_scene_steps(scene), 30);
    static const int64_t STEPS[] = {4, 5, 6};
    for (int n = 0; n < 6; n++) {
        assert_int_equal(gully_scene_phase(scene, n)->steps, STEPS[n % 3]);
        assert_ptr_equal(settings_of(scene, n), settings_of(scene, n % 3));
    }
    assert_string_equal(gully_scene_phase(scene, 0)->name, "wet");
    assert_string_equal(gully_scene_phase(scene, 1)->name, "");

    assert_true(rain_of(scene, 0) == 0.75 && rain_of(scene, 1) == 0.5 && rain_of(scene, 2) == 0);
    const GullyDropsParams* drops = SECTION(settings_of(scene, 0), "rain.drops");
    assert_true(drops->depth == 2); // the rest of the section stays
    assert_true(capacity_of(scene, 0) == 3 && capacity_of(scene, 2) == 0.6);
    assert_true(thermal_of(scene, 0) && !thermal_of(scene, 1) && !thermal_of(scene, 2));
    assert_true(dt_of(scene, 0) == 0.25 && dt_of(scene, 1) == 0.25 && dt_of(scene, 2) == 0);
    assert_true(gully_settings_source(settings_of(scene, 0), 1)->rate == 9);
    assert_true(gully_settings_source(settings_of(scene, 1), 1)->rate == 2);
    assert_int_equal(gully_settings_source_count(settings_of(scene, 2)), 0);
    const GullyBoundaryParams* sides = SECTION(settings_of(scene, 2), "boundary");
    assert_true(sides->east == 1 && sides->west == 0);
    gully_scene_destroy(scene);
}

static void thermal_by_phase(void** state) {
    (void)state;
    GullyScene* scene = good(
        SCENE(", \"thermal\": {\"rate\": 0.4}, \"program\": ["
              "{\"steps\": 1, \"set\": {\"thermal\": null}},"
              "{\"steps\": 1, \"set\": {\"thermal.talus\": 20}},"
              "{\"steps\": 1, \"set\": {\"thermal\": {\"talus\": 25}, \"thermal.rate\": 1}}]"));
    assert_false(thermal_of(scene, 0));
    const GullyThermalParams* second = SECTION(settings_of(scene, 1), "thermal");
    assert_true(thermal_of(scene, 1) && second->rate == 0.4 && second->talus == 20);
    const GullyThermalParams* third = SECTION(settings_of(scene, 2), "thermal");
    assert_true(thermal_of(scene, 2) && third->rate == 1 && third->talus == 25);
    gully_scene_destroy(scene);
}

static void bad_programs(void** state) {
    (void)state;
    static const BadCase CASES[] = {
        {PROGRAM(""), "t.json:2: program: has 0 phases; allowed: 1 to"},
        {SCENE(",\n\"program\": 3"), "t.json:2: program: expected a list of phases"},
        {PROGRAM("1"), "t.json:2: program[0]: expected an object"},
        {PROGRAM("\n{}"), "t.json:3: program[0].steps: missing"},
        {PROGRAM("{\"steps\": -1}"), "program[0].steps: -1 is out of range"},
        {PROGRAM("{\"steps\": 1, \"name\": 5}"),
         "program[0].name: expected a string, got a number"},
        {PROGRAM("{\"steps\": 1, \"sets\": {}}"),
         "program[0].sets: unknown key; allowed: name, st"},
        {PROGRAM("{\"steps\": 1},\n{\"steps\": 1,\n\"cycle\": [\"rain\"]}"),
         "t.json:4: program[1].cycle: a step of pipe is always the same: leave it out, or take a"},
        {PROGRAM("{\"steps\": 1, \"set\": 1}"), "program[0].set: expected an object, as in"},
        {PROGRAM("{\"steps\": 1},\n{\"steps\": 1, \"set\": {\"dt\": 0.1,\n\"rain.rate\": -1}}"),
         "t.json:4: program[1].set.rain.rate: -1 is out of range; allowed: a number from 0 to 100"},
        {PROGRAM("{\"steps\": 1, \"set\": {\n\"rain\": {\n\"rat\": 1}}}"),
         "t.json:4: program[0].set.rain.rat: unknown key; allowed: drops, season, rate; did you "},
        {PROGRAM("{\"steps\": 1, \"set\": {\n\"rain.drops.size\": 1}}"),
         "t.json:3: program[0].set.rain.drops.size: unknown key"},
        {PROGRAM("{\"steps\": 1, \"set\": {\n\"model\": \"pipe\"}}"),
         "t.json:3: program[0].set.model: cannot change within a run; allowed: params, wind, "
         "thermal"},
        {PROGRAM("{\"steps\": 1, \"set\": {\n\"materials\": []}}"),
         "t.json:3: program[0].set.materials: cannot change within a run; allowed: params, "
         "wind, thermal"},
        {PROGRAM("{\"steps\": 1, \"set\": {\n\"materials.0.talus\": 1}}"),
         "t.json:3: program[0].set.materials.0.talus: cannot change within a run"},
        {PROGRAM("{\"steps\": 1, \"set\": {\"layers.soil\": 1}}"),
         "program[0].set.layers.soil: cannot change within a run; allowed: params, "},
        {PROGRAM("{\"steps\": 1, \"set\": {\"allow_unstable\": true}}"),
         "set.allow_unstable: cannot change within a run"},
        {PROGRAM("{\"steps\": 1, \"set\": {\"params.capacity.x\": 1}}"),
         "program[0].set.params.capacity.x: expected a number from 0"},
        {PROGRAM("{\"steps\": 1, \"set\": {\"dt\": 1, \"dt.x\": 1}}"),
         "program[0].set.dt.x: cannot set dt.x: dt is a number, not an object"},
        {PROGRAM("{\"steps\": 1, \"set\": {\"sources\": [{}], \"sources.1.rate\": 1}}"),
         "cannot set sources.1.rate: sources is a list; allowed after it: an index from 0 to 0"},
        {PROGRAM("{\"steps\": 1, \"set\": {\"params..x\": 1}}"), "a part of the key is empty"},
        {PROGRAM("{\"steps\": 1, \"set\": {\"\": 1}}"), "cannot change within a run"},
        {PROGRAM("{\"steps\": 1, \"set\": {\"params.a.a.a.a.a.a.a.a.a.a.a.a.a\": 1}}"),
         "the key has more than 12 parts"},
        {PROGRAM("{\"steps\": 1, \"set\": {\n\"dt\": 100}}"),
         "t.json:3: program[0].set.dt: 100 s is beyond the stable limit of program[0], "},
        {SCENE(",\n\"dt\": 0.5, \"program\": [{\"steps\": 1},"
               "{\"steps\": 1, \"set\": {\"params.pipe_length\": 0.01}}]"),
         "t.json:2: dt: 0.5 s is beyond the stable limit of program[1], "},
        {SCENE(",\n\"repeat\": 0, \"program\": [{\"steps\": 1}]"), "t.json:2: repeat: 0 is out of"},
        {SCENE(",\n\"repeat\": 1.5, \"program\": [{\"steps\": 1}]"), "repeat: 1.5 is not a whole"},
        {SCENE(",\n\"repeat\": 2147483647, \"program\": [{\"steps\": 1}, {\"steps\": 1}]"),
         "t.json:2: repeat: more phases than a run can have"},
        {SCENE(",\n\"repeat\": 3, \"program\": [{\"steps\": 4611686018427387904}]"),
         "t.json:2: repeat: more steps than a run can have"},
        {PROGRAM("{\"steps\": 4611686018427387904}, {\"steps\": 1}"),
         "t.json:2: program: more steps than a run can have"},
    };
    for (int n = 0; n < COUNT(CASES); n++)
        bad(CASES[n].text, CASES[n].expected);
    // A dt that no phase runs with does no harm.
    gully_scene_destroy(good(SCENE(", \"dt\": 100, \"program\": [{\"steps\": 1, \"set\": {\"dt\": "
                                   "0.1}}]")));
}

// ---- cycles -------------------------------------------------------------------------------------

#define CYCLES(rest)                                                                               \
    "{\"gully\": 1, \"terrain\": {\"generate\": \"plane\", \"width\": 4, \"height\": 4, "          \
    "\"relief\":"                                                                                  \
    "0}, \"model\": \"diffusion\", \"rain\": {\"rate\": 0.25},\n" rest "}"

// How often it rains in a step of a phase, on flat ground where water stays where it falls; the
// default cycle also lets it dry.
static double rains_of(const GullyScene* scene, int phase) {
    GullyWorld* world = NULL;
    GullyGeoreference place;
    GullySim* sim = NULL;
    GullySimDef def = gully_sim_def();
    float water;
    assert_int_equal(gully_scene_world(scene, &world, &place), GULLY_OK);
    assert_int_equal(gully_sim_create(world, settings_of(scene, phase), &def, &sim), GULLY_OK);
    OK(gully_sim_step(sim, 1));
    OK(gully_world_read(world, GULLY_WATER, (GullyRect){2, 2, 1, 1}, &water));
    gully_sim_destroy(sim);
    gully_world_destroy(world);
    free(place.projection);
    return (double)water / 0.25;
}

static void cycles_by_phase(void** state) {
    (void)state;
    GullyScene* scene = good(CYCLES("\"cycle\": [\"rain*2\", \"transport\"], \"program\": ["
                                    "{\"steps\": 1},"
                                    "{\"steps\": 1, \"cycle\": [\"rain\", \"mix\", \"rain*4\"]},"
                                    "{\"steps\": 1, \"set\": {\"params.relax\": 1}},"
                                    "{\"steps\": 1, \"set\": {\"cycle\": [\"rain*7\"]}},"
                                    "{\"steps\": 1, \"set\": {\"cycle.0\": \"rain*8\"}},"
                                    "{\"steps\": 1, \"set\": {\"cycle\": null}}]"));
    static const double RAINS[] = {2, 5, 2, 7, 8};
    for (int n = 0; n < COUNT(RAINS); n++)
        assert_true(rains_of(scene, n) == RAINS[n]);
    double usual = rains_of(scene, 5); // one of them, and the default evaporation of 0.1 a second
    assert_true(usual < 0.95 && usual > 0.85);
    gully_scene_destroy(scene);

    static const char* const SETS[] = {"cycle.1=rain", "program.1.cycle.0=rain*9"};
    scene = good_with(CYCLES("\"cycle\": [\"rain*2\", \"mix\"], \"program\": [{\"steps\": 1},"
                             "{\"steps\": 1, \"cycle\": [\"rain\"]}]"),
                      SETS, 2);
    assert_true(rains_of(scene, 0) == 3 && rains_of(scene, 1) == 9);
    gully_scene_destroy(scene);
}

static void bad_cycles(void** state) {
    (void)state;
    static const BadCase CASES[] = {
        {CYCLES("\"program\": [{\"steps\": 1,\n\"cycle\": [\"rain\",\n\"snow\"]}]"),
         "t.json:4: program[0].cycle[1]: \"snow\" is no operator of diffusion; allowed: rain, er"},
        {CYCLES("\"cycle\": [\"rain\"],\n\"program\": [{\"steps\": 1},\n{\"steps\": 1, \"cycle\": "
                "3}]"),
         "t.json:4: program[1].cycle: expected a list of operators"},
        {CYCLES("\"program\": [{\"steps\": 1, \"cycle\": null}]"),
         "program[0].cycle: expected a list of operators"},
        {CYCLES("\"program\": [{\"steps\": 1, \"cycle\": []}]"), "program[0].cycle: is empty; exp"},
        {CYCLES("\"program\": [{\"steps\": 1,\n\"set\": {\n\"cycle\": [\"snow\"]}}]"),
         "t.json:4: program[0].set.cycle[0]: \"snow\" is no operator"},
        {CYCLES("\"program\": [{\"steps\": 1,\n\"set\": {\"cycle.0\": \"mix\"}}]"),
         "program[0].set.cycle.0"},
        {CYCLES("\"program\": [{\"steps\": 1, \"set\": {\"cycle\": [\"mix\"]},\n\"cycle\": "
                "[\"mix\"]}]"),
         "t.json:3: program[0].cycle: the phase's set has a cycle too; allowed: one of the two"},
        {CYCLES("\"cycle\": [\"snow\"], \"program\": [{\"steps\": 1, \"cycle\": [\"mix\"]}]"),
         "t.json:2: cycle[0]: \"snow\" is no operator"},
    };
    for (int n = 0; n < COUNT(CASES); n++)
        bad(CASES[n].text, CASES[n].expected);
    static const char* const SETS[] = {"program.0.cycle.0=snow", "cycle=[\"snow\"]"};
    static const char TEXT[] = CYCLES("\"program\": [{\"steps\": 1, \"cycle\": [\"mix\"]}]");
    bad_with(TEXT, SETS, 1, "--set program.0.cycle.0=snow: program[0].cycle[0]: \"snow\" is no op");
    bad_with(TEXT, SETS + 1, 1, "--set cycle=[\"snow\"]: cycle[0]: \"snow\" is no operator");
}

static void many_rounds(void** state) {
    (void)state;
    GullyScene* scene = good(SCENE(", \"repeat\": 1000000, \"program\": [{\"steps\": 3},"
                                   "{\"steps\": 4, \"set\": {\"rain.rate\": 1}}]"));
    assert_int_equal(gully_scene_phase_count(scene), 2000000);
    assert_int_equal(gully_scene_steps(scene), 7000000);
    assert_int_equal(gully_scene_phase(scene, 1999998)->steps, 3);
    assert_int_equal(gully_scene_phase(scene, 1999999)->steps, 4);
    assert_ptr_equal(settings_of(scene, 1999999), settings_of(scene, 1));
    gully_scene_destroy(scene);
}

// ---- steps --------------------------------------------------------------------------------------

// The run must be as long as asked, and every phase but the last as long as the scene says.
static void check_run(GullyScene* scene, int64_t steps, int phases, int64_t last) {
    static const int64_t OWN[] = {3, 0, 5};
    assert_int_equal(gully_scene_set_steps(scene, steps), GULLY_OK);
    assert_int_equal(gully_scene_steps(scene), steps);
    assert_int_equal(gully_scene_phase_count(scene), phases);
    int64_t sum = 0;
    for (int n = 0; n < phases; n++) {
        const GullyPhase* phase = gully_scene_phase(scene, n);
        assert_int_equal(phase->steps, n == phases - 1 ? last : OWN[n % 3]);
        sum += phase->steps;
    }
    assert_int_equal(sum, steps);
    assert_string_equal(gully_scene_phase(scene, phases - 1)->name,
                        ((const char*[]){"a", "b", "c"})[(phases - 1) % 3]);
}

static void steps_cut_and_lengthen(void** state) {
    (void)state;
    GullyScene* scene = good(SCENE(", \"repeat\": 3, \"program\": [{\"name\": \"a\", \"steps\": 3},"
                                   "{\"name\": \"b\", \"steps\": 0},"
                                   "{\"name\": \"c\", \"steps\": 5}]"));
    assert_int_equal(gully_scene_steps(scene), 24);
    check_run(scene, 0, 1, 0);
    check_run(scene, 2, 1, 2);
    check_run(scene, 3, 1, 3);
    check_run(scene, 4, 3, 1);
    check_run(scene, 8, 3, 5);
    check_run(scene, 9, 4, 1);
    check_run(scene, 16, 6, 5);
    check_run(scene, 20, 9, 1);
    check_run(scene, 24, 9, 5);
    check_run(scene, 25, 9, 6);
    check_run(scene, 1000, 9, 981);
    check_run(scene, 7, 3, 4); // and back
    assert_int_equal(gully_scene_set_steps(scene, -1), GULLY_BAD_INPUT);
    assert_int_equal(gully_scene_steps(scene), 7);
    gully_scene_destroy(scene);

    scene = good(SCENE(", \"steps\": 10"));
    assert_int_equal(gully_scene_set_steps(scene, 4), GULLY_OK);
    assert_int_equal(gully_scene_phase(scene, 0)->steps, 4);
    char* text = gully_scene_text(scene);
    assert_non_null(strstr(text, "\"steps\": 4"));
    free(text);
    gully_scene_destroy(scene);
}

// ---- --set --------------------------------------------------------------------------------------

static void sets_change_the_scene(void** state) {
    (void)state;
    static const char* const SETS[] = {
        "params.capacity=2", "rain={\"rate\": 0.5}", "rain.rate=0.25",      "thermal.talus=30",
        "dt=null",           "boundary.west=open",   "sources.0.rate=0.75", "steps=12",
        "seed=77",           "cell_size=[4, 5]",     "sources.1=null",      "terrain.file=b=c.tif",
    };
    GullyScene* scene = good_with("{\"gully\": 1, \"terrain\": {\"file\": \"a.tif\"}, \"dt\": 1e5,"
                                  "\"sources\": [{\"rate\": 0.5, \"x\": 3}, {}], \"steps\": 1}",
                                  SETS, COUNT(SETS));
    assert_true(capacity_of(scene, 0) == 2 && rain_of(scene, 0) == 0.25);
    assert_true(thermal_of(scene, 0) && dt_of(scene, 0) == 0);
    assert_int_equal(gully_settings_source_count(settings_of(scene, 0)), 1);
    assert_true(gully_settings_source(settings_of(scene, 0), 0)->rate == 0.75);
    assert_true(gully_settings_source(settings_of(scene, 0), 0)->x == 3);
    assert_int_equal(gully_scene_steps(scene), 12);
    assert_int_equal(gully_scene_seed(scene), 77);
    char* text = gully_scene_text(scene);
    assert_non_null(strstr(text, "\"file\": \"b=c.tif\""));
    free(text);
    gully_scene_destroy(scene);
}

static void sets_reach_into_phases(void** state) {
    (void)state;
    static const char* const SETS[] = {"program.0.set.rain.rate=0.5", "program.0.steps=9",
                                       "program.0.set.params.capacity=4", "repeat=2"};
    GullyScene* scene =
        good_with(PROGRAM("{\"steps\": 1, \"set\": {\"rain.rate\": 0.1}}"), SETS, COUNT(SETS));
    assert_true(rain_of(scene, 0) == 0.5 && capacity_of(scene, 0) == 4);
    assert_int_equal(gully_scene_steps(scene), 18);
    gully_scene_destroy(scene);
}

static void bad_sets(void** state) {
    (void)state;
    static const BadCase CASES[] = {
        {"params.foo=1", "--set params.foo=1: params.foo: unknown key; allowed: gravity, "},
        {"params={\"foo\": 1}", "--set params={\"foo\": 1}: params.foo: unknown key; allowed: gra"},
        {"params.capacity=abc", "--set params.capacity=abc: params.capacity: expected a number"},
        {"params.capacity=", "--set params.capacity=: params.capacity: expected a number"},
        {"params.friction=-1", "--set params.friction=-1: params.friction: -1 is out of range"},
        {"foo.bar=1", "--set foo.bar=1: foo: unknown key"},
        {"steps", "--set steps: expected KEY=VALUE"},
        {"=1", "--set =1: expected KEY=VALUE"},
        {"params.=1", "--set params.=1: a part of the key is empty"},
        {"steps.x=1", "--set steps.x=1: cannot set steps.x: steps is a number, not an object"},
        {"sources.1.rate=1",
         "--set sources.1.rate=1: cannot set sources.1.rate: sources is a list"},
        {"sources.a=1", "sources is a list; allowed after it: an index from 0 to 0"},
        {"sources.0.rate=-1", "--set sources.0.rate=-1: sources[0].rate: -1 is out of range"},
        {"sources=[{\"rate\": -1}]", "sources[0].rate: -1 is out of range"},
        {"gully=null", "--set gully=null: gully: missing"},
        {"steps=null", "--set steps=null: steps: missing"},
        {"terrain.generate=hills", "--set terrain.generate=hills: terrain.generate: no such ter"},
        {"terrain.file=a.tif", "--set terrain.file=a.tif: terrain: has more than one of file, "},
        {"cell_size.0=-1", "--set cell_size.0=-1: cell_size: expected [x, y]"},
        {"dt=100", "--set dt=100: dt: 100 s is beyond the stable limit"},
        {"program=[{\"steps\": 1, \"set\": {\"rain.rate\": -1}}]",
         "--set program=[{\"steps\": 1, \"set\": {\"rain.rate\": -1}}]: program: the scene has"},
        {"params.capacity=\xff", "the text is not UTF-8"},
    };
    static const char TEXT[] = SCENE(", \"cell_size\": [8, 8], \"sources\": [{}], \"steps\": 1");
    for (int n = 0; n < COUNT(CASES); n++)
        bad_with(TEXT, &CASES[n].text, 1, CASES[n].expected);
    static const char* const LAST[] = {"params.friction=-2", "seed=1", "params.friction=-3",
                                       "steps=2"};
    bad_with(TEXT, LAST, COUNT(LAST), "--set params.friction=-3: params.friction: -3");
    static const char* const PHASES[] = {"steps=null",
                                         "program=[{\"steps\": 1, \"set\": {\"rain.rate\": -1}}]"};
    bad_with(TEXT, PHASES, 2, "]: program[0].set.rain.rate: -1 is out of range");
    // What the file says wrong stays the file's, whatever else is set.
    static const char* const OTHER[] = {"params.capacity=1", "seed=3"};
    bad_with(SCENE(", \"steps\": 1,\n\"params\": {\"friction\": -1}"), OTHER, 2,
             "t.json:2: params.friction: -1");
}

// ---- text and files -----------------------------------------------------------------------------

static void text_is_the_effective_scene(void** state) {
    (void)state;
    static const char* const SETS[] = {"params.capacity=0.3", "name_not_needed=null"};
    GullyScene* scene = good_with(SCENE(", \"steps\": 3, \"rain\": {\"rate\": 0.1},"
                                        "\"dt\": 0.12345678901234568"),
                                  SETS, 2);
    char* text = gully_scene_text(scene);
    assert_true(strncmp(text, "{\n  \"gully\": 1,\n  \"terrain\": {\n", 30) == 0);
    GullyScene* again = good(text);
    assert_true(capacity_of(again, 0) == 0.3 && dt_of(again, 0) == 0.12345678901234568);
    char* text_again = gully_scene_text(again);
    assert_string_equal(text, text_again);
    free(text);
    free(text_again);
    gully_scene_destroy(again);
    gully_scene_destroy(scene);

    scene = good(SCENE(", \"steps\": 3, \"rain\": {\"rate\": 0.3}"));
    text = gully_scene_text(scene);
    assert_non_null(strstr(text, "\"rate\": 0.3\n"));
    free(text);
    gully_scene_destroy(scene);
}

static void check_load(const char* path, const char* content, size_t length, const char* expected) {
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(content, 1, length, file), length);
    fclose(file);
    GullyScene* scene = NULL;
    GullyStatus status = gully_scene_load(path, NULL, 0, &scene);
    assert_int_equal(status, expected ? GULLY_BAD_INPUT : GULLY_OK);
    if (expected && (!strstr(gully_message(), expected) || !strstr(gully_message(), path)))
        fail_msg("expected \"%s\"\n     got \"%s\"", expected, gully_message());
    gully_scene_destroy(scene);
    unlink(path);
}

static void files_that_are_no_scenes(void** state) {
    (void)state;
    const char* path = in_scratch("s.json");
    GullyScene* scene = NULL;
    assert_int_equal(gully_scene_load(path, NULL, 0, &scene), GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "s.json: No such file"));
    assert_int_equal(gully_scene_load(scratch_folder(), NULL, 0, &scene), GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "Is a directory"));
    check_load(path, "", 0, "the file is empty");
    check_load(path, "{\n\0}", 4, "s.json:2: not a scene: the text has a NUL byte");
    check_load(path, "\x89PNG\r\n\x1a\n", 8, "s.json:1: not valid JSON");
    check_load(path, "{\"gully\": 1}", 12, "s.json:1: terrain: missing");
    static const char MARKED[] = "\xEF\xBB\xBF" SCENE(", \"steps\": 1");
    check_load(path, MARKED, strlen(MARKED), NULL);
    static const char MARKED_BAD[] = "\xEF\xBB\xBF" SCENE(",\n\"steps\": -1");
    check_load(path, MARKED_BAD, strlen(MARKED_BAD), "s.json:2: steps: -1 is out of range");
}

static void input_made_to_hurt(void** state) {
    (void)state;
    const size_t many = 10u << 20;
    char* text = malloc(7 * many);
    memset(text, '[', many);
    text[many] = '\0';
    bad(text, "t.json:1: not valid JSON");
    for (size_t n = 0; n < many / 5; n++)
        memcpy(text + 5 * n, "{\"a\":", 5);
    bad(text, "t.json:1: not valid JSON");
    // Deep, but as deep as JSON may be here, and wrong behind it.
    int used = sprintf(text, "{\"gully\": 1, \"terrain\": ");
    memset(text + used, '[', 2000);
    memset(text + used + 2000, ']', 2000);
    strcpy(text + used + 4000, ",\n\"model\": 3, \"steps\": 1}");
    bad(text, "t.json:2: model: expected a model's name");
    memset(text, ' ', 7 * many);
    GullyScene* scene = NULL;
    assert_int_equal(gully_scene_parse(text, 7 * many, "t.json", "", NULL, 0, &scene),
                     GULLY_BAD_INPUT);
    assert_string_equal(gully_message(), "t.json: the scene is too large; allowed: 64 MiB");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases_start_from_the_scene),
        cmocka_unit_test(thermal_by_phase),
        cmocka_unit_test(bad_programs),
        cmocka_unit_test(cycles_by_phase),
        cmocka_unit_test(bad_cycles),
        cmocka_unit_test(many_rounds),
        cmocka_unit_test(steps_cut_and_lengthen),
        cmocka_unit_test(sets_change_the_scene),
        cmocka_unit_test(sets_reach_into_phases),
        cmocka_unit_test(bad_sets),
        cmocka_unit_test(text_is_the_effective_scene),
        cmocka_unit_test_setup_teardown(files_that_are_no_scenes, scratch_make, scratch_remove),
        cmocka_unit_test(input_made_to_hurt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
