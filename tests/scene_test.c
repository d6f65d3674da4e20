// SPDX-License-Identifier: MIT
// Scenes: every key's good and bad values, and the line and the words of the message about them.

#include "scene_cases.h"

// A scene that is whole but for line 2.
static char* scene_around(const char* line) {
    static char text[4096];
    snprintf(text, sizeof text,
             "{\"gully\": 1, \"terrain\": {\"generate\": \"mountains\"}, \"steps\": 7,\n%s\n}",
             line);
    return text;
}

// ---- keys ---------------------------------------------------------------------------------------

static void example_of_the_contract(void** state) {
    (void)state;
    GullyScene* scene =
        good("{\n"
             "  \"gully\": 1,\n"
             "  \"terrain\": {\"file\": \"dem.tif\"},\n"
             "  \"cell_size\": [10.0, 10.0],\n"
             "  \"model\": \"pipe\",\n"
             "  \"params\": {\"capacity\": 0.5, \"dissolve\": 0.3, \"deposit\": 0.3},\n"
             "  \"thermal\": {\"rate\": 0.5, \"talus\": 35},\n"
             "  \"boundary\": {\"west\": \"closed\", \"east\": \"open\", \"north\": \"closed\",\n"
             "               \"south\": \"closed\"},\n"
             "  \"rain\": {\"rate\": 1e-4},\n"
             "  \"sources\": [{\"x\": 120.0, \"y\": 640.0, \"radius\": 25.0, \"rate\": 0.02,\n"
             "               \"concentration\": 0.0, \"from\": 0, \"until\": 60}],\n"
             "  \"initial\": {\"water\": 0.0, \"sediment\": 0.0, \"hardness\": 1.0},\n"
             "  \"dt\": \"auto\",\n"
             "  \"seed\": 5,\n"
             "  \"steps\": 1000\n"
             "}\n");
    assert_int_equal(gully_scene_seed(scene), 5);
    assert_int_equal(gully_scene_phase_count(scene), 1);
    assert_int_equal(gully_scene_steps(scene), 1000);
    const GullyPhase* phase = gully_scene_phase(scene, 0);
    assert_string_equal(phase->name, "");
    assert_int_equal(phase->steps, 1000);
    assert_string_equal(gully_settings_model(phase->settings), "pipe");
    const GullyPipeParams* pipe = SECTION(phase->settings, "params");
    assert_true(pipe->capacity == 0.5 && pipe->dissolve == 0.3 && pipe->deposit == 0.3);
    assert_true(pipe->friction == 1); // not named: its default
    const GullyThermalParams* thermal = SECTION(phase->settings, "thermal");
    assert_true(gully_settings_is_on(phase->settings, "thermal"));
    assert_true(thermal->rate == 0.5 && thermal->talus == 35);
    const GullyBoundaryParams* sides = SECTION(phase->settings, "boundary");
    assert_true(sides->west == 0 && sides->east == 1 && sides->north == 0 && sides->south == 0);
    assert_true(((const GullyRainParams*)SECTION(phase->settings, "rain"))->rate == 1e-4);
    assert_int_equal(gully_settings_source_count(phase->settings), 1);
    const GullySource* source = gully_settings_source(phase->settings, 0);
    assert_true(source->x == 120 && source->y == 640 && source->radius == 25);
    assert_true(source->rate == 0.02 && source->from == 0 && source->until == 60);
    assert_true(((const GullyTimeParams*)SECTION(phase->settings, ""))->dt == 0);
    gully_scene_destroy(scene);
}

static void smallest_scene(void** state) {
    (void)state;
    GullyScene* scene = good("{\"gully\": 1, \"terrain\": {\"file\": \"a.tif\"}, \"steps\": 0}");
    assert_string_equal(gully_settings_model(settings_of(scene, 0)), "pipe");
    assert_false(gully_settings_is_on(settings_of(scene, 0), "thermal"));
    assert_int_equal(gully_settings_source_count(settings_of(scene, 0)), 0);
    assert_int_equal(gully_scene_seed(scene), gully_sim_def().seed);
    gully_scene_destroy(scene);
    gully_scene_destroy(NULL);
}

static void good_lines(void** state) {
    (void)state;
    static const char* const LINES[] = {
        "\"cell_size\": [1, 2.5]",
        "\"cell_size\": 3",
        "\"model\": \"pipe\"",
        "\"params\": {}",
        "\"params\": {\"film\": false, \"transport\": \"semi_lagrangian\", \"gravity\": 10}",
        "\"thermal\": null",
        "\"thermal\": {}",
        "\"thermal\": {\"neighbours\": 4}",
        "\"thermal\": {\"neighbours\": \"8\"}",
        "\"rain\": {\"drops\": {\"drops_per_second\": 3, \"radius\": 2, \"depth\": 0}}",
        "\"rain\": {\"rate\": 1, \"season\": {\"rate\": 1, \"t_peak\": -3, \"octaves\": 2.0}}",
        "\"sources\": []",
        "\"sources\": [{}]",
        "\"sources\": [{\"from\": -3, \"until\": -2}]",
        "\"initial\": {\"water\": 1, \"sediment\": {\"file\": \"s.tif\"}, \"hardness\": 0}",
        "\"dt\": 0.1",
        "\"dt\": 1e-9",
        "\"dt\": 100, \"allow_unstable\": true",
        "\"seed\": 9007199254740992",
        "\"seed\": 1e3",
    };
    for (int n = 0; n < COUNT(LINES); n++)
        gully_scene_destroy(good(scene_around(LINES[n])));
}

static void bad_lines(void** state) {
    (void)state;
    static const BadCase LINES[] = {
        {"\"stpes\": 1",
         "t.json:2: stpes: unknown key; allowed: gully, terrain, cell_size, model, "},
        {"\"stpes\": 1", "did you mean steps?"},
        {"\"_note\": 1", "t.json:2: _note: unknown key"},
        {"\"comment\": \"x\"", "t.json:2: comment: unknown key"},
        {"\"params.capacity\": 1", "t.json:2: params.capacity: unknown key"},
        {"\"cell_size\": [1]", "t.json:2: cell_size: expected [x, y] in metres, both > 0"},
        {"\"cell_size\": [1, 2, 3]", "t.json:2: cell_size: expected [x, y]"},
        {"\"cell_size\": [1, -2]", "t.json:2: cell_size: expected [x, y]"},
        {"\"cell_size\": [0, 1]", "t.json:2: cell_size: expected [x, y]"},
        {"\"cell_size\": [1, \"1\"]", "t.json:2: cell_size: expected [x, y]"},
        {"\"cell_size\": 0", "t.json:2: cell_size: expected [x, y]"},
        {"\"cell_size\": null", "t.json:2: cell_size: expected [x, y]"},
        {"\"half\": 1", "t.json:2: half: expected true or false, got a number"},
        {"\"model\": \"pip\"", "t.json:2: model: no such model; allowed: pipe, "},
        {"\"model\": \"pip\"", "did you mean pipe?"},
        {"\"model\": 1", "t.json:2: model: expected a model's name, got a number"},
        {"\"params\": {\n\n\"capcity\": 1}",
         "t.json:4: params.capcity: unknown key; allowed: gravity, pipe_area, "},
        {"\"params\": {\n\n\"capcity\": 1}", "did you mean capacity?"},
        {"\"params\": {\n\"friction\": -1}",
         "t.json:3: params.friction: -1 is out of range; allowed: a number from 0 to 1000 [1/s]"},
        {"\"params\": {\"friction\": \"1\"}",
         "t.json:2: params.friction: expected a number from 0 to 1000 [1/s], got a string"},
        {"\"params\": {\"friction\": true}", "t.json:2: params.friction: expected a number"},
        {"\"params\": {\"friction\": null}", "t.json:2: params.friction: expected a number"},
        {"\"params\": {\"friction\": [1]}", "got a list"},
        {"\"params\": {\"film\": 1}", "params.film: expected true or false, got a number"},
        {"\"params\": {\"film\": \"on\"}", "params.film: expected true or false, got a string"},
        {"\"params\": {\"transport\": \"flx\"}", "params.transport: \"flx\" is unknown; allowed: "},
        {"\"params\": {\"transport\": false}", "params.transport: expected one of semi_lagrangian"},
        {"\"params\": []", "t.json:2: params: expected an object {...}, got a list"},
        {"\"params\": null", "t.json:2: params: expected an object"},
        {"\"thermal\": true", "t.json:2: thermal: expected an object {...}, got true"},
        {"\"thermal\": {\"neighbours\": 6}", "t.json:2: thermal.neighbours: \"6\" is unknown"},
        {"\"thermal\": {\"talus\": 90}", "t.json:2: thermal.talus: 90 is out of range"},
        {"\"boundary\": {\"west\": \"opn\"}", "t.json:2: boundary.west: \"opn\" is unknown"},
        {"\"boundary\": {\"left\": \"open\"}",
         "t.json:2: boundary.left: unknown key; allowed: west"},
        {"\"rain\": 1", "t.json:2: rain: expected an object"},
        {"\"rain\": {\"rte\": 1}", "t.json:2: rain.rte: unknown key; allowed: drops, season, rate"},
        {"\"rain\": {\"rate\": 101}", "t.json:2: rain.rate: 101 is out of range"},
        {"\"rain\": {\"drops\": 5}", "t.json:2: rain.drops: expected an object"},
        {"\"rain\": {\"drops\":\n{\"size\": 5}}", "t.json:3: rain.drops.size: unknown key"},
        {"\"rain\": {\"season\": {\"sigma\": 0}}",
         "t.json:2: rain.season.sigma: 0 is out of range"},
        {"\"rain\": {\"season\": {\"octaves\": 1.5}}", "octaves: 1.5 is not a whole number"},
        {"\"sources\": {}", "t.json:2: sources: expected a list of sources [...], got an object"},
        {"\"sources\": [{},\n1]", "t.json:3: sources[1]: expected an object"},
        {"\"sources\": [{},\n{\n\"rat\": 1}]", "t.json:4: sources[1].rat: unknown key; allowed: x"},
        {"\"sources\": [{},\n{\n\"rate\": -1}]", "t.json:4: sources[1].rate: -1 is out of range"},
        {"\"sources\": [{\"from\": 5,\n\"until\": 5}]",
         "t.json:3: sources[0].until: the source ends"},
        {"\"sources\": [{\"from\": 1e30}]", "t.json:2: sources[0].from: the source ends"},
        {"\"initial\": 0", "t.json:2: initial: expected an object"},
        {"\"initial\": {\"lava\": 1}", "initial.lava: unknown key; allowed: water, sediment, hard"},
        {"\"initial\": {\"water\": -1}", "t.json:2: initial.water: -1 is out of range"},
        {"\"initial\": {\"sediment\": -1}", "t.json:2: initial.sediment: -1 is out of range"},
        {"\"initial\": {\"hardness\": 1.1}",
         "initial.hardness: 1.1 is out of range; allowed: a num"},
        {"\"initial\": {\"water\": \"w.tif\"}",
         "initial.water: expected a number, {\"file\": F}, {\""},
        {"\"initial\": {\"water\": {}}", "initial.water: expected a number, {\"file\": F}, {\""},
        {"\"initial\": {\"water\": {\"file\": 1}}", "initial.water.file: expected a file's name"},
        {"\"initial\": {\"water\": {\"file\": \"\"}}",
         "initial.water.file: expected a file's name"},
        {"\"initial\": {\"water\": {\"fil\": \"a\"}}",
         "initial.water.fil: unknown key; allowed: file"},
        {"\"dt\": 0", "t.json:2: dt: 0 is out of range; allowed: a number of seconds, > 0"},
        {"\"dt\": -1", "t.json:2: dt: -1 is out of range"},
        {"\"dt\": \"1\"", "t.json:2: dt: expected a number of seconds, > 0"},
        {"\"dt\": \"fast\"", "or \"auto\", got a string"},
        {"\"dt\": 100", "t.json:2: dt: 100 s is beyond the stable limit, "},
        {"\"dt\": 100", " s on cells of 10 x 10 m; allowed: "},
        {"\"dt\": 1, \"cell_size\": 1", "t.json:2: dt: 1 s is beyond the stable limit"},
        {"\"dt\": 100, \"allow_unstable\": false", "t.json:2: dt: 100 s is beyond"},
        {"\"allow_unstable\": 1", "t.json:2: allow_unstable: expected true or false, got a number"},
        {"\"seed\": -1",
         "t.json:2: seed: -1 is out of range; allowed: a whole number from 0 to 9007"},
        {"\"seed\": 9007199254740993", "t.json:2: seed: 9007199254740993 is out of range"},
        {"\"seed\": 1.5", "t.json:2: seed: 1.5 is not a whole number"},
        {"\"seed\": \"1\"", "t.json:2: seed: expected a whole number from 0"},
        {"\"repeat\": 2", "t.json:2: repeat: repeats a program, and this scene has none"},
        {"\"program\": [{\"steps\": 1}]", "t.json:2: program: the scene has steps and a program"},
        {"\"steps\": 1", "t.json:2: not valid JSON: column "},
    };
    for (int n = 0; n < COUNT(LINES); n++)
        bad(scene_around(LINES[n].text), LINES[n].expected);
}

// ---- materials and layers -----------------------------------------------------------------------

#define ROCK_AND_SOIL "\"materials\": [{\"name\": \"rock\"},\n{\"name\": \"soil\"}]"

static void good_materials(void** state) {
    (void)state;
    static const char* const LINES[] = {
        "\"materials\": [{\"name\": \"rock\"}]",
        "\"materials\": [{\"name\": \"A b_c-9\"}], \"layers\": {}",
        "\"materials\": [{\"name\": \"1234567890123456789012345678901\"}]", // 31 bytes
        "\"materials\": [{\"name\": \"rock\", \"erodibility\": 0.2, \"critical_shear\": 5,"
        "\"talus\": 50, \"density\": 2700, \"color\": \"#80aFfF\"}]",
        ROCK_AND_SOIL ", \"thermal\": {}",
        ROCK_AND_SOIL ", \"layers\": {\"soil\": 0}",
        ROCK_AND_SOIL ", \"layers\": {\"soil\": {\"file\": \"s.tif\"}}",
        "\"materials\": [{\"name\": \"a\"}, {\"name\": \"b\"}, {\"name\": \"c\"}, {\"name\": "
        "\"d\"},"
        "{\"name\": \"e\"}, {\"name\": \"f\"}, {\"name\": \"g\"}, {\"name\": \"h\"}],"
        "\"layers\": {\"b\": 1, \"h\": 2.5}",
    };
    for (int n = 0; n < COUNT(LINES); n++)
        gully_scene_destroy(good(scene_around(LINES[n])));
}

static void bad_materials(void** state) {
    (void)state;
    static const BadCase LINES[] = {
        {"\"materials\": []", "t.json:2: materials: has 0 materials; allowed: 1 to 8"},
        {"\"materials\": [0, 1, 2, 3, 4, 5, 6, 7, 8]", "materials: has 9 materials; allowed: 1 to"},
        {"\"materials\": {\"rock\": {}}", "t.json:2: materials: expected a list of materials, bot"},
        {"\"materials\": null", "t.json:2: materials: expected a list of materials"},
        {"\"materials\": [\n\"rock\"]", "t.json:3: materials[0]: expected an object {...}, got a "},
        {"\"materials\": [\n{}]",
         "t.json:3: materials[0].name: missing; expected a name of 1 to 31"},
        {"\"materials\": [{\"name\": 3}]", "materials[0].name: expected a name of 1 to 31 letters "
                                           "(a-z, A-Z), digits, _, - and spaces "
                                           "that are not at its ends, got a number"},
        {"\"materials\": [{\"name\": \"\"}]",
         "\"\" cannot be part of a file's name; allowed: a na"},
        {"\"materials\": [{\"name\": \"a/b\"}]", "\"a/b\" cannot be part of a file's name"},
        {"\"materials\": [{\"name\": \"../b\"}]", "\"../b\" cannot be part of a file's name"},
        {"\"materials\": [{\"name\": \"b.c\"}]", "\"b.c\" cannot be part of a file's name"},
        {"\"materials\": [{\"name\": \" b\"}]", "\" b\" cannot be part of a file's name"},
        {"\"materials\": [{\"name\": \"b \"}]", "\"b \" cannot be part of a file's name"},
        {"\"materials\": [{\"name\": \"a\\nb\"}]", "\"a?b\" cannot be part of a file's name"},
        {"\"materials\": [{\"name\": \"\u00e9\"}]", "\"\u00e9\" cannot be part of a file's name"},
        {"\"materials\": [{\"name\": \"12345678901234567890123456789012\"}]",
         "\"12345678901234567890123456789012\" cannot be part of a file's name"},
        {"\"materials\": [{\"name\": \"rock\"},\n{\"name\": \"rock\"}]",
         "t.json:3: materials[1].name: \"rock\" is the name of materials[0] already; allowed: "
         "one "},
        {"\"materials\": [{\"name\": \"rock\"}, {\"name\": \"b\"}, {\"name\": \"Rock\"}]",
         "materials[2].name: \"Rock\" is the name of materials[0] already"},
        {"\"materials\": [{\"name\": \"rock\",\n\"hardness\": 1}]",
         "t.json:3: materials[0].hardness: unknown key; allowed: name, color, erodibility, critic"},
        {"\"materials\": [{\"name\": \"rock\",\n\"colour\": \"#ffffff\"}]", "did you mean color?"},
        {"\"materials\": [{\"name\": \"rock\",\n\"erodibility\": -1}]",
         "t.json:3: materials[0].erodibility: -1 is out of range; allowed: a number from 0 to "},
        {"\"materials\": [{\"name\": \"rock\", \"erodibility\": \"soft\"}]",
         "materials[0].erodibility: expected a number from 0 to 1000000, got a string"},
        {"\"materials\": [{\"name\": \"rock\", \"critical_shear\": -1}]",
         "critical_shear: -1 is out of"},
        {"\"materials\": [{\"name\": \"rock\", \"talus\": 90}]",
         "materials[0].talus: 90 is out of range; allowed: a number from -1 to 89 [deg]"},
        {"\"materials\": [{\"name\": \"rock\", \"density\": 0}]", "density: 0 is out of range"},
        {"\"materials\": [{\"name\": \"rock\",\n\"color\": 8}]",
         "t.json:3: materials[0].color: expected a colour \"#rrggbb\", as in \"#807870\", got a n"},
        {"\"materials\": [{\"name\": \"rock\", \"color\": \"red\"}]",
         "materials[0].color: \"red\" is no colour; allowed: a colour \"#rrggbb\""},
        {"\"materials\": [{\"name\": \"rock\", \"color\": \"#12345\"}]", "\"#12345\" is no colour"},
        {"\"materials\": [{\"name\": \"rock\", \"color\": \"#+12345\"}]", "\"#+12345\" is no colo"},
        {"\"materials\": [{\"name\": \"rock\", \"color\": \"#1234567\"}]", "is no colour"},
    };
    for (int n = 0; n < COUNT(LINES); n++)
        bad(scene_around(LINES[n].text), LINES[n].expected);
}

static void bad_layers(void** state) {
    (void)state;
    static const BadCase LINES[] = {
        {"\"layers\": {\"soil\": 1}",
         "t.json:2: layers: needs materials, and this scene has none; expected \"materials\": [{"},
        {ROCK_AND_SOIL ",\n\"layers\": 1",
         "t.json:4: layers: expected an object {...}, got a numb"},
        {ROCK_AND_SOIL ",\n\"layers\": {\n\"rock\": 1}",
         "t.json:5: layers.rock: the first material is the bedrock, which goes down without end "
         "and "
         "has no thickness; allowed: soil"},
        {"\"materials\": [{\"name\": \"rock\"}], \"layers\": {\"rock\": 1}",
         "layers.rock: the first material is the bedrock, which goes down without end and has no "
         "thickness; allowed: none"},
        {ROCK_AND_SOIL ",\n\"layers\": {\"sol\": 1}",
         "t.json:4: layers.sol: unknown key; allowed: soil; did you mean soil?"},
        {ROCK_AND_SOIL ", \"layers\": {\"soil\": -1}",
         "layers.soil: -1 is out of range; allowed: a number from 0 to 1000000 [m]"},
        {ROCK_AND_SOIL ", \"layers\": {\"soil\": \"s.tif\"}", "{\"combine\": [...]}, got a string"},
        {ROCK_AND_SOIL ", \"layers\": {\"soil\": null}", "layers.soil: expected a number, {"},
        {ROCK_AND_SOIL ", \"layers\": {\"soil\": {}}", "layers.soil: expected a number, {\"file\""},
        {ROCK_AND_SOIL ", \"layers\": {\"soil\": {\"file\": \"\"}}",
         "layers.soil.file: expected a f"},
        {ROCK_AND_SOIL ", \"layers\": {\"soil\": {\"generte\": \"fbm\"}}",
         "layers.soil.generte: unknown key; allowed: file, generate, combine; did you mean gen"},
        {"\"layer\": {}", "t.json:2: layer: unknown key; allowed: gully, terrain, "},
        {"\"layer\": {}", "did you mean layers?"},
    };
    for (int n = 0; n < COUNT(LINES); n++)
        bad(scene_around(LINES[n].text), LINES[n].expected);
}

// Laws that do not know materials are refused with them, as models and as add-ons.
static void materials_need_laws_that_know_them(void** state) {
    (void)state;
    char known[256] = "", line[256], expected[512];
    for (int n = 0; n < gully_law_count(); n++) {
        const GullyLawInfo* law = gully_law_info(n);
        size_t used = strlen(known);
        if (law->layers)
            snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", law->name);
    }
    for (int n = 0; n < gully_law_count(); n++) {
        const GullyLawInfo* law = gully_law_info(n);
        snprintf(line, sizeof line, "\"model\": \"%s\", " ROCK_AND_SOIL, law->name);
        snprintf(
            expected, sizeof expected,
            "t.json:2: materials: the law %s does not know materials: leave them out, or take a "
            "law that does; allowed: %s",
            law->name, known);
        if (law->layers)
            gully_scene_destroy(good(scene_around(line)));
        else
            bad(scene_around(line), expected);
        if (law->layers || !law->add_on) continue;
        snprintf(line, sizeof line, ROCK_AND_SOIL ", \"%s\": {}", law->name);
        bad(scene_around(line), expected);
    }
}

// ---- cycles -------------------------------------------------------------------------------------

#define DIFFUSION "\"model\": \"diffusion\",\n\"cycle\": "
#define OPERATORS "rain, erode, transport, mix, evaporate, deposit"

static void good_cycles(void** state) {
    (void)state;
    static const char* const LINES[] = {
        DIFFUSION "[\"rain\"]",
        DIFFUSION "[\"rain\", \"erode\", \"transport*5\", \"mix\", \"evaporate\", \"deposit\"]",
        DIFFUSION "[\"transport\", \"mix*1000\", \"transport\"]",
    };
    for (int n = 0; n < COUNT(LINES); n++)
        gully_scene_destroy(good(scene_around(LINES[n])));
}

static void bad_cycles(void** state) {
    (void)state;
    static const BadCase LINES[] = {
        {"\"cycle\": [\"rain\"]",
         "t.json:2: cycle: a step of pipe is always the same: leave it out, or take a model whose "
         "step can be chosen; allowed: diffusion"},
        {"\"cycle\": null", "t.json:2: cycle: a step of pipe is always the same"},
        {DIFFUSION "[]",
         "t.json:3: cycle: is empty; expected a list of operators, each as \"NAME\" or "
         "\"NAME*COUNT\"; allowed: " OPERATORS},
        {DIFFUSION "\"rain\"", "t.json:3: cycle: expected a list of operators, each as"},
        {DIFFUSION "null", "allowed: " OPERATORS ", got null"},
        {DIFFUSION "[\"rain\",\n5]", "t.json:4: cycle[1]: expected an operator's name, or NAME*CO"},
        {DIFFUSION "[\"rain\",\n\"snow\"]",
         "t.json:4: cycle[1]: \"snow\" is no operator of diffusion; allowed: " OPERATORS},
        {DIFFUSION "[\"\"]", "cycle[0]: \"\" is no operator"},
        {DIFFUSION "[\"mix*0\"]", "cycle[0]: \"mix*0\" is no operator"},
        {DIFFUSION "[\"mix*-1\"]", "cycle[0]: \"mix*-1\" is no operator"},
        {DIFFUSION "[\"mix*1.5\"]", "cycle[0]: \"mix*1.5\" is no operator"},
        {DIFFUSION "[\"mix*\"]", "cycle[0]: \"mix*\" is no operator"},
        {DIFFUSION "[\"mix*99999999999999999999\"]",
         "each also as NAME*COUNT with a count from 1 "},
        {DIFFUSION "[\"mix *2\"]", "cycle[0]: \"mix *2\" is no operator"},
        {DIFFUSION "[\"Mix\"]", "cycle[0]: \"Mix\" is no operator"},
    };
    for (int n = 0; n < COUNT(LINES); n++)
        bad(scene_around(LINES[n].text), LINES[n].expected);
    char line[1024] = DIFFUSION "[\"mix\"";
    for (int n = 0; n < 64; n++)
        strcat(line, ", \"mix\"");
    bad(scene_around(strcat(line, "]")), "t.json:3: cycle: 65 operators; allowed: up to 64");
}

// ---- whole scenes -------------------------------------------------------------------------------

static void bad_scenes(void** state) {
    (void)state;
#define MOUNTAINS "\"terrain\": {\"generate\": \"mountains\"}"
    static const BadCase SCENES[] = {
        {"", "t.json: not a scene: the file is empty"},
        {" \n\t ", "t.json: not a scene: the file is empty"},
        {"[]", "t.json:1: a scene is an object {...}, not a list"},
        {"1", "t.json:1: not valid JSON"},
        {"{\"gully\": 1,\n}", "t.json:2: not valid JSON"},
        {"{\"gully\": 1}\n{}", "t.json:2: not valid JSON"},
        {"{\"gully\": \"\xff\"}", "t.json:1: not valid JSON"},
        {"{\"gully\": \"\\u0000\"}", "t.json:1: not valid JSON"},
        {"{\"gully\": 1e999}", "t.json:1: not valid JSON"},
        {"\n{\"steps\": 1}", "t.json:2: gully: missing; expected the version"},
        {"{\"gully\": 2}", "t.json:1: gully: 2 is no version of the format"},
        {"{\"gully\": \"1\"}", "t.json:1: gully: expected the version"},
        {"\n{\"gully\": 1, \"steps\": 1}", "t.json:2: terrain: missing; expected {\"file\": F}, {"},
        {"{\"gully\": 1, \"terrain\": \"a.tif\", \"steps\": 1}",
         "terrain: expected {\"file\": F}, {\"generate\": KIND, ...} or {\"combine\": [...], ...}, "
         "got"},
        {"{\"gully\": 1,\n\"terrain\": {}, \"steps\": 1}",
         "t.json:2: terrain: has none of file, generate and combine; expected {"},
        {"{\"gully\": 1,\n\"terrain\": {\"file\": \"a\", \"generate\": \"mountains\"}, \"steps\": "
         "1}",
         "t.json:2: terrain: has more than one of file, generate and combine; expected {"},
        {"{\"gully\": 1, \"terrain\": {\"file\": 1}, \"steps\": 1}",
         "terrain.file: expected a file's"},
        {"{\"gully\": 1, \"terrain\": {\"file\": \"\"}, \"steps\": 1}",
         "terrain.file: expected a fi"},
        {"{\"gully\": 1, \"terrain\": {\"file\": \"a\", \"width\": 3}, \"steps\": 1}",
         "terrain.width: unknown key; allowed: file, scale, offset"},
        {"{\"gully\": 1, \"terrain\": {\"file\": \"a\", \"scale\": \"3\"}, \"steps\": 1}",
         "terrain.scale: expected a number"},
        {"{\"gully\": 1, \"terrain\": {\"generate\": \"hils\"}, \"steps\": 1}",
         "t.json:1: terrain.generate: no such terrain; allowed: "},
        {"{\"gully\": 1, \"terrain\": {\"generate\": 1}, \"steps\": 1}",
         "terrain.generate: expected the name of a terrain, got a number"},
        {"{\"gully\": 1, \"terrain\": {\"generate\": \"mountains\", \"widht\": 3}, \"steps\": 1}",
         "terrain.widht: unknown key; allowed: generate, width, height"},
        {"{\"gully\": 1, \"terrain\": {\"generate\": \"mountains\", \"width\": 0}, \"steps\": 1}",
         "terrain.width: 0 is out of range; allowed: a whole number from 1"},
        {"{\"gully\": 1, \"terrain\": {\"generate\": \"mountains\", \"width\": 1000000,"
         "\"height\": 1000000}, \"steps\": 1}",
         "terrain: has 1000000 x 1000000 cells; allowed: 2147483647 in all"},
        {"{\"gully\": 1, " MOUNTAINS "}", "t.json:1: steps: missing; expected \"steps\": N or"},
        {"{\"gully\": 1, " MOUNTAINS ",\n\"steps\": -1}", "t.json:2: steps: -1 is out of range"},
        {"{\"gully\": 1, " MOUNTAINS ", \"steps\": 1.5}", "steps: 1.5 is not a whole number"},
        {"{\"gully\": 1, " MOUNTAINS ", \"steps\": \"9\"}",
         "steps: expected a whole number from 0"},
        {"{\"gully\": 1, " MOUNTAINS ", \"steps\": 1e30}", "steps: 1e+30 is out of range"},
        {"{\"gully\": 1, " MOUNTAINS ", \"steps\": 4611686018427387905}", "is out of range"},
    };
    for (int n = 0; n < COUNT(SCENES); n++)
        bad(SCENES[n].text, SCENES[n].expected);
}

// ---- lines --------------------------------------------------------------------------------------

static void lines_of_repeated_names(void** state) {
    (void)state;
    // The name "rate" five times, braces and quotes in strings, keys with escapes, odd spacing.
    static const char SCENE[] =
        "{\"gully\":1,\"terrain\"\n:\n{\"file\":\"a}{]\\\"[\\\\\"},\n" // 1-3
        "\"rain\" : { \"rate\":0.1, \"season\":{ \"rate\":0.1}} ,\n"   // 4
        "\"sources\":[{\"rate\":0.1},{\"x\":1\r\n,\n"                  // 5-6
        "\"rate\":%s},{\"rate\":0.1}],\n"                              // 7
        "\"thermal\":{\n\"rate\":%s},\n"                               // 8-9
        "\"par\\u0061ms\":\n{\"gr\\u0061vity\":%s},\"steps\":1}";      // 10-11
    static const struct {
        const char *source, *thermal, *gravity, *expected;
    } CASES[] = {
        {"-1", "0.1", "9", "t.json:7: sources[1].rate: -1"},
        {"0.1", "-1", "9", "t.json:9: thermal.rate: -1"},
        {"0.1", "0.1", "-1", "t.json:11: params.gravity: -1"},
    };
    for (int n = 0; n < COUNT(CASES); n++) {
        char text[1024];
        snprintf(text, sizeof text, SCENE, CASES[n].source, CASES[n].thermal, CASES[n].gravity);
        bad(text, CASES[n].expected);
    }
}

static void keys_in_messages(void** state) {
    (void)state;
    bad(scene_around("\"a\\u001b[31mb\": 1"), "t.json:2: a?[31mb: unknown key");
    char line[2000] = "\"";
    for (int n = 0; n < 400; n++)
        strcat(line, "\u00e9");
    strcat(line, "\": 1");
    bad(scene_around(line), "\u00e9...: unknown key");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example_of_the_contract),
        cmocka_unit_test(smallest_scene),
        cmocka_unit_test(good_lines),
        cmocka_unit_test(bad_lines),
        cmocka_unit_test(good_materials),
        cmocka_unit_test(bad_materials),
        cmocka_unit_test(bad_layers),
        cmocka_unit_test(materials_need_laws_that_know_them),
        cmocka_unit_test(good_cycles),
        cmocka_unit_test(bad_cycles),
        cmocka_unit_test(bad_scenes),
        cmocka_unit_test(lines_of_repeated_names),
        cmocka_unit_test(keys_in_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
