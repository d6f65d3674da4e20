// SPDX-License-Identifier: MIT
#include "gully/scene.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene_coarse.h"
#include "scene_ground.h"
#include "scene_levels.h"
#include "scene_materials.h"
#include "scene_settings.h"

enum { FORMAT = 1 };                         // of scenes, the key "gully"
static const size_t LARGEST = 64u << 20;     // bytes of a scene
static const int64_t MOST_STEPS = 1LL << 62; // of a run
static const int64_t LAST_SEED = 1LL << 53;  // any JSON tool can hold it
static const char* const DEFAULT_MODEL = "pipe";

struct GullyScene {
    SceneDocument document;
    char* folder;
    char* notes; // of the terrain, once it was read
    SceneGround ground;
    uint64_t seed;
    bool coarse;             // starts on coarser grids
    GullySettings* settings; // the scene's own values
    GullySettings** changed; // of each phase that sets something, else NULL
    GullyPhase* phases;      // one round of the program
    int phase_count;
    int64_t repeat;
    int64_t steps;
    int run_count;   // phases of the run, all rounds
    GullyPhase last; // of the run; may be cut or lengthened
};

static SceneView view_of(const GullyScene* scene) {
    return (SceneView){.document = &scene->document, .root = scene->document.root};
}

// ---- top level ----------------------------------------------------------------------------------

static GullyStatus check_format(const SceneView* view) {
    ScenePath path = scene_path_key(NULL, "gully");
    const json_t* value = json_object_get(view->root, "gully");
    const char* expected = "the version of the scene's format, \"gully\": 1";
    if (!value) return scene_fail(view, &path, "missing; expected %s", expected);
    if (!json_is_number(value)) return scene_fail_type(view, &path, value, expected);
    if (json_number_value(value) == FORMAT) return GULLY_OK;
    return scene_fail(view, &path,
                      "%.9g is no version of the format that this program knows; "
                      "allowed: %d",
                      json_number_value(value), FORMAT);
}

static GullyStatus check_top_keys(const GullyScene* scene, const SceneView* view) {
    SceneNames names = {{"gully", "terrain", "cell_size", "model"}, 4};
    scene_settings_names(scene->settings, &names);
    static const char* const OTHERS[] = {"allow_unstable", "half",  "materials", "layers",
                                         "initial",        "seed",  "steps",     "program",
                                         "repeat",         "start", "memory"};
    for (size_t n = 0; n < sizeof OTHERS / sizeof OTHERS[0]; n++)
        scene_names_add(&names, OTHERS[n]);
    return scene_check_keys(view, NULL, view->root, &names);
}

// The model that an object names, of a scene or of a phase; `out` stays as it is if it names none.
static GullyStatus read_model(const SceneView* view, const ScenePath* above, const json_t* object,
                              const char** out) {
    ScenePath path = scene_path_key(above, "model");
    const json_t* value = json_object_get(object, "model");
    if (!value) return GULLY_OK;
    GullyStatus status = scene_string(view, &path, value, "a model's name", out);
    if (status || gully_law_find(*out)) return status;
    SceneNames laws = {0};
    for (int n = 0; n < gully_law_count(); n++)
        scene_names_add(&laws, gully_law_info(n)->name);
    return scene_fail_name(view, &path, *out, &laws, "no such model");
}

static GullyStatus read_seed(const SceneView* view, uint64_t* out) {
    ScenePath path = scene_path_key(NULL, "seed");
    const json_t* value = json_object_get(view->root, "seed");
    int64_t seed = 0;
    *out = gully_sim_def().seed;
    if (!value) return GULLY_OK;
    GullyStatus status = scene_integer(view, &path, value, 0, LAST_SEED, &seed);
    if (!status) *out = (uint64_t)seed;
    return status;
}

static GullyStatus read_start(const SceneView* view, bool* coarse) {
    ScenePath path = scene_path_key(NULL, "start");
    const json_t* value = json_object_get(view->root, "start");
    SceneNames names = {{"given", "coarse"}, 2};
    const char* start;
    *coarse = false;
    if (!value) return GULLY_OK;
    GullyStatus status = scene_string(view, &path, value, "\"given\" or \"coarse\"", &start);
    if (status) return status;
    *coarse = strcmp(start, "coarse") == 0;
    if (scene_names_have(&names, start)) return GULLY_OK;
    return scene_fail_name(view, &path, start, &names, "no such start");
}

// ---- the program --------------------------------------------------------------------------------

// Whether a value of the scene means something for its own model alone.
static bool is_of_model(const char* name) {
    static const char* const NAMES[] = {"params", "cycle", "dt", "allow_unstable", "levels"};
    for (size_t n = 0; n < sizeof NAMES / sizeof NAMES[0]; n++)
        if (strcmp(name, NAMES[n]) == 0) return true;
    return false;
}

// The scene's values that a phase may change, as a copy that is its own. Those of the scene's model
// are left out for another one.
static json_t* copy_values(const GullyScene* scene, const char* model) {
    SceneNames names = {0};
    bool same = strcmp(model, gully_settings_model(scene->settings)) == 0;
    scene_settings_names(scene->settings, &names);
    scene_names_add(&names, "allow_unstable");
    json_t* copy = json_object();
    for (int n = 0; n < names.count && copy; n++) {
        const json_t* value = json_object_get(scene->document.root, names.names[n]);
        if (!same && is_of_model(names.names[n])) continue;
        if (!value || !json_object_set_new(copy, names.names[n], json_deep_copy(value))) continue;
        json_decref(copy);
        copy = NULL;
    }
    return copy;
}

static GullyStatus check_first_word(const SceneView* view, const ScenePath* path, const char* key,
                                    const SceneNames* names) {
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(key, "."), key);
    if (scene_names_have(names, word)) return GULLY_OK;
    return scene_fail_name(view, path, word, names, "cannot change within a run");
}

// Changes values as a phase's `set` says.
static GullyStatus apply_set(const GullyScene* scene, const ScenePath* path, json_t* set,
                             json_t* values) {
    SceneView whole = view_of(scene);
    SceneNames names = {0};
    scene_settings_names(scene->settings, &names);
    if (!json_is_object(set))
        return scene_fail_type(&whole, path, set, "an object, as in {\"rain.rate\": 2e-4}");
    GullyStatus status = GULLY_OK;
    const char* key;
    json_t* value;
    json_object_foreach(set, key, value) {
        ScenePath place = scene_path_key(path, key);
        status = check_first_word(&whole, &place, key, &names);
        if (status) break;
        status = scene_edit(values, key, json_deep_copy(value));
        if (status) status = scene_fail_in(&whole, &place, status, NULL);
        if (status) break;
    }
    return status;
}

// Whether a phase's `set` changes the cycle or a part of it.
static bool sets_cycle(json_t* set) {
    ScenePath cycle = scene_path_key(NULL, "cycle");
    const char* key;
    json_t* value;
    int used;
    json_object_foreach(set, key, value) {
        if (scene_path_meets(&cycle, key, &used)) return true;
    }
    return false;
}

// Changes values as a phase says: by its `set`, and by its own `cycle`.
static GullyStatus apply_phase(const GullyScene* scene, const ScenePath* path, json_t* object,
                               json_t* values) {
    SceneView whole = view_of(scene);
    json_t *set = json_object_get(object, "set"), *cycle = json_object_get(object, "cycle");
    ScenePath place = scene_path_key(path, "set");
    GullyStatus status = set ? apply_set(scene, &place, set, values) : GULLY_OK;
    if (status || !cycle) return status;
    place = scene_path_key(path, "cycle");
    if (sets_cycle(set))
        return scene_fail(&whole, &place,
                          "the phase's set has a cycle too; allowed: one of the two");
    return json_object_set(values, "cycle", cycle) ? scene_no_memory() : GULLY_OK;
}

// Makes the settings of a phase: the scene's values, changed by what it says.
static GullyStatus change_settings(GullyScene* scene, size_t index, const ScenePath* path,
                                   json_t* object, GullySettings** out) {
    const char* model = gully_settings_model(scene->settings);
    SceneView whole = view_of(scene);
    GullyStatus status = read_model(&whole, path, object, &model);
    if (status) return status;
    json_t* values = copy_values(scene, model);
    status = values ? apply_phase(scene, path, object, values) : scene_no_memory();
    SceneView view = {&scene->document, values, object, index};
    if (!status) status = scene_settings_read(&view, model, out);
    if (!status) status = scene_start_add_maps(&view, values, &scene->ground.start);
    json_decref(values);
    return status;
}

static GullyStatus read_phase(GullyScene* scene, size_t index, const ScenePath* path,
                              json_t* object) {
    SceneView view = view_of(scene);
    SceneNames names = {{"name", "steps", "set", "cycle", "model"}, 5};
    GullyStatus status = scene_check_keys(&view, path, object, &names);
    if (status) return status;
    GullyPhase* phase = &scene->phases[index];
    *phase = (GullyPhase){.name = "", .settings = scene->settings};
    const json_t* name = json_object_get(object, "name");
    ScenePath place = scene_path_key(path, "name");
    if (name) status = scene_string(&view, &place, name, "a string", &phase->name);
    if (status) return status;
    const json_t* steps = json_object_get(object, "steps");
    place = scene_path_key(path, "steps");
    if (!steps) return scene_fail(&view, &place, "missing; expected how many steps it takes");
    status = scene_integer(&view, &place, steps, 0, MOST_STEPS, &phase->steps);
    const bool changes = json_object_get(object, "set") || json_object_get(object, "cycle") ||
                         json_object_get(object, "model");
    if (status || !changes) return status;
    status = change_settings(scene, index, path, object, &scene->changed[index]);
    if (scene->changed[index]) phase->settings = scene->changed[index];
    return status;
}

// Adds up the steps of one round and of all rounds.
static GullyStatus count_steps(GullyScene* scene, const ScenePath* path) {
    SceneView view = view_of(scene);
    int64_t round = 0;
    for (int n = 0; n < scene->phase_count; n++) {
        if (scene->phases[n].steps > MOST_STEPS - round)
            return scene_fail(&view, path, "more steps than a run can have; allowed: %lld in all",
                              (long long)MOST_STEPS);
        round += scene->phases[n].steps;
    }
    ScenePath place = scene_path_key(NULL, "repeat");
    if (round > 0 && scene->repeat > MOST_STEPS / round)
        return scene_fail(&view, &place, "more steps than a run can have; allowed: %lld in all",
                          (long long)MOST_STEPS);
    if (scene->repeat > INT_MAX / scene->phase_count)
        return scene_fail(&view, &place, "more phases than a run can have; allowed: %d in all",
                          INT_MAX);
    scene->steps = round * scene->repeat;
    scene->run_count = scene->phase_count * (int)scene->repeat;
    scene->last = scene->phases[scene->phase_count - 1];
    return GULLY_OK;
}

static GullyStatus allocate_phases(GullyScene* scene, size_t count) {
    scene->phases = calloc(count, sizeof *scene->phases);
    scene->changed = calloc(count, sizeof *scene->changed);
    scene->phase_count = (int)count;
    return scene->phases && scene->changed ? GULLY_OK : scene_no_memory();
}

static GullyStatus read_program(GullyScene* scene, const json_t* list) {
    SceneView view = view_of(scene);
    ScenePath path = scene_path_key(NULL, "program");
    size_t count = json_array_size(list);
    if (!json_is_array(list))
        return scene_fail_type(&view, &path, list, "a list of phases [{\"steps\": N, ...}]");
    if (count == 0 || count > INT_MAX)
        return scene_fail(&view, &path, "has %zu phases; allowed: 1 to %d", count, INT_MAX);
    GullyStatus status = allocate_phases(scene, count);
    for (size_t n = 0; n < count && !status; n++) {
        ScenePath place = scene_path_index(&path, n);
        status = read_phase(scene, n, &place, json_array_get(list, n));
    }
    const json_t* repeat = json_object_get(view.root, "repeat");
    ScenePath place = scene_path_key(NULL, "repeat");
    if (!status && repeat)
        status = scene_integer(&view, &place, repeat, 1, INT_MAX, &scene->repeat);
    return status ? status : count_steps(scene, &path);
}

static GullyStatus read_steps(GullyScene* scene, const json_t* value) {
    SceneView view = view_of(scene);
    ScenePath path = scene_path_key(NULL, "steps"), repeat = scene_path_key(NULL, "repeat");
    GullyStatus status = allocate_phases(scene, 1);
    if (status) return status;
    scene->phases[0] = (GullyPhase){.name = "", .settings = scene->settings};
    status = scene_integer(&view, &path, value, 0, MOST_STEPS, &scene->phases[0].steps);
    if (status) return status;
    if (json_object_get(view.root, "repeat"))
        return scene_fail(&view, &repeat, "repeats a program, and this scene has none");
    return count_steps(scene, &path);
}

static GullyStatus read_run(GullyScene* scene) {
    SceneView view = view_of(scene);
    const json_t* steps = json_object_get(view.root, "steps");
    const json_t* program = json_object_get(view.root, "program");
    ScenePath path = scene_path_key(NULL, program ? "program" : "steps");
    scene->repeat = 1;
    if (!steps == !program)
        return scene_fail(&view, &path, "%s; expected \"steps\": N or \"program\": [...]",
                          steps ? "the scene has steps and a program" : "missing");
    return program ? read_program(scene, program) : read_steps(scene, steps);
}

// ---- the scene ----------------------------------------------------------------------------------

// Checks settings against what does not change: the materials, and the size of the cells [m] if it
// is known (> 0).
static GullyStatus check_settings(const GullyScene* scene, const SceneView* view,
                                  GullySettings* settings, double cell_x, double cell_y) {
    GullyStatus status = scene_materials_check(view, &scene->ground.materials, settings);
    if (status || cell_x <= 0) return status;
    return scene_settings_check_dt(view, settings, cell_x, cell_y);
}

// The settings of all phases. The scene's own are those of the phases that change nothing; what no
// phase runs with does no harm.
static GullyStatus check_phases(const GullyScene* scene, double cell_x, double cell_y) {
    const json_t* program = json_object_get(scene->document.root, "program");
    GullyStatus status = GULLY_OK;
    bool own = false;
    for (int n = 0; n < scene->phase_count && !status; n++) {
        SceneView view = view_of(scene);
        GullySettings* changed = scene->changed[n];
        if (!changed && own) continue;
        own = own || !changed;
        view.phase = changed ? json_array_get(program, (size_t)n) : NULL;
        view.index = (size_t)n;
        status = check_settings(scene, &view, changed ? changed : scene->settings, cell_x, cell_y);
    }
    return status;
}

static GullyStatus read_scene(GullyScene* scene) {
    SceneView view = view_of(scene);
    const char* model = DEFAULT_MODEL;
    GullyStatus status = check_format(&view);
    if (!status) status = read_model(&view, NULL, view.root, &model);
    if (!status) status = scene_settings_read(&view, model, &scene->settings);
    if (!status) status = check_top_keys(scene, &view);
    if (!status) status = scene_ground_read(&view, &scene->ground);
    if (!status) status = read_seed(&view, &scene->seed);
    if (!status) status = read_start(&view, &scene->coarse);
    if (!status) status = read_run(scene);
    if (!status) status = check_phases(scene, scene->ground.cell_x, scene->ground.cell_y);
    return status;
}

// Takes over the text.
static GullyStatus open_scene(char* text, size_t length, const char* name, const char* folder,
                              const char* const* sets, int count, GullyScene** out) {
    *out = NULL;
    GullyScene* scene = calloc(1, sizeof *scene);
    if (!scene) {
        free(text);
        return scene_no_memory();
    }
    GullyStatus status = scene_document_open(name, text, length, sets, count, &scene->document);
    if (!status) {
        scene->folder = strdup(folder);
        scene->notes = calloc(1, SCENE_NOTES);
        status = scene->folder && scene->notes ? read_scene(scene) : scene_no_memory();
    }
    if (status)
        gully_scene_destroy(scene);
    else
        *out = scene;
    return status;
}

static GullyStatus refuse_size(const char* name) {
    return gully_fail(GULLY_BAD_INPUT, "%s: the scene is too large; allowed: %zu MiB", name,
                      LARGEST >> 20);
}

// Reads a whole file, also one that does not know its size; a NUL follows the text.
static GullyStatus read_text(const char* path, FILE* file, char** out, size_t* length) {
    char* text = NULL;
    size_t used = 0, size = 0;
    do {
        size = size ? 2 * size : 1u << 16;
        char* larger = realloc(text, size);
        if (!larger) {
            free(text);
            return scene_no_memory();
        }
        text = larger;
        errno = 0;
        used += fread(text + used, 1, size - used - 1, file);
    } while (used == size - 1 && used <= LARGEST);
    text[used] = '\0';
    *out = text;
    *length = used;
    if (!ferror(file) && used <= LARGEST) return GULLY_OK;
    GullyStatus status = ferror(file) ? gully_fail(GULLY_BAD_INPUT, "%s: %s", path, strerror(errno))
                                      : refuse_size(path);
    free(text);
    return status;
}

// ---- public -------------------------------------------------------------------------------------

GullyStatus gully_scene_load(const char* path, const char* const* sets, int count,
                             GullyScene** out) {
    assert(path && out && (sets || count == 0));
    *out = NULL;
    FILE* file = fopen(path, "rb");
    if (!file) return gully_fail(GULLY_BAD_INPUT, "%s: %s", path, strerror(errno));
    char* text = NULL;
    size_t length = 0;
    GullyStatus status = read_text(path, file, &text, &length);
    fclose(file);
    if (status) return status;
    const char* slash = strrchr(path, '/');
    char* folder = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup("");
    if (!folder) {
        free(text);
        return scene_no_memory();
    }
    status = open_scene(text, length, path, folder, sets, count, out);
    free(folder);
    return status;
}

GullyStatus gully_scene_parse(const char* text, size_t length, const char* name, const char* folder,
                              const char* const* sets, int count, GullyScene** out) {
    assert((text || length == 0) && name && out && (sets || count == 0));
    *out = NULL;
    if (length > LARGEST) return refuse_size(name);
    char* copy = malloc(length + 1);
    if (!copy) return scene_no_memory();
    if (length > 0) memcpy(copy, text, length);
    copy[length] = '\0';
    return open_scene(copy, length, name, folder ? folder : "", sets, count, out);
}

void gully_scene_destroy(GullyScene* scene) {
    if (!scene) return;
    for (int n = 0; scene->changed && n < scene->phase_count; n++)
        gully_settings_destroy(scene->changed[n]);
    gully_settings_destroy(scene->settings);
    scene_start_free(&scene->ground.start);
    free(scene->changed);
    free(scene->phases);
    free(scene->folder);
    free(scene->notes);
    scene_document_close(&scene->document);
    free(scene);
}

uint64_t gully_scene_seed(const GullyScene* scene) {
    return scene->seed;
}

const char* gully_scene_folder(const GullyScene* scene) {
    return scene->folder;
}

int gully_scene_phase_count(const GullyScene* scene) {
    return scene->run_count;
}

const GullyPhase* gully_scene_phase(const GullyScene* scene, int index) {
    assert(index >= 0 && index < scene->run_count);
    if (index == scene->run_count - 1) return &scene->last;
    return &scene->phases[index % scene->phase_count];
}

int64_t gully_scene_steps(const GullyScene* scene) {
    return scene->steps;
}

GullyStatus gully_scene_set_steps(GullyScene* scene, int64_t steps) {
    if (steps < 0 || steps > MOST_STEPS)
        return gully_fail(GULLY_BAD_INPUT, "steps: %lld is out of range; allowed: 0 to %lld",
                          (long long)steps, (long long)MOST_STEPS);
    int64_t round = 0;
    for (int n = 0; n < scene->phase_count; n++)
        round += scene->phases[n].steps;
    int64_t rounds = round > 0 ? steps / round : 0; // whole ones
    if (rounds >= scene->repeat) rounds = scene->repeat - 1;
    if (rounds > 0 && steps == rounds * round) rounds--; // ends with a round
    int64_t rest = steps - rounds * round;
    int n = 0;
    for (; n < scene->phase_count - 1 && rest > scene->phases[n].steps; n++)
        rest -= scene->phases[n].steps;
    scene->run_count = (int)rounds * scene->phase_count + n + 1;
    scene->last = scene->phases[n];
    scene->last.steps = rest;
    scene->steps = steps;
    json_t* plain = json_object_get(scene->document.root, "steps");
    if (plain && json_object_set_new(scene->document.root, "steps", json_integer(steps)))
        return scene_no_memory();
    return GULLY_OK;
}

char* gully_scene_text(const GullyScene* scene) {
    // As short as gives every number back, 0.3 and not 0.29999999999999999.
    const size_t flags = JSON_INDENT(2) | JSON_PRESERVE_ORDER;
    char* text = json_dumps(scene->document.root, flags | JSON_REAL_PRECISION(15));
    if (!text) return NULL;
    json_t* again = json_loads(text, 0, NULL);
    bool same = json_equal(again, scene->document.root);
    json_decref(again);
    if (same) return text;
    free(text);
    return json_dumps(scene->document.root, flags);
}

const char* gully_scene_notes(const GullyScene* scene) {
    return scene->notes;
}

void gully_scene_set_memory(GullyScene* scene, size_t memory, const char* scratch) {
    if (memory) scene->ground.memory = memory;
    scene->ground.scratch = scratch;
}

void gully_scene_set_ranks(GullyScene* scene, const GullyRanks* ranks) {
    scene->ground.ranks = ranks;
}

GullyStatus gully_scene_world(const GullyScene* scene, GullyWorld** world,
                              GullyGeoreference* georeference) {
    SceneView view = view_of(scene);
    GullyStatus status =
        scene_ground_make(&view, &scene->ground, scene->folder, world, georeference, scene->notes);
    if (status) return status;
    status = check_phases(scene, gully_world_cell_x(*world), gully_world_cell_y(*world));
    if (!status) status = scene_levels_make(&view, scene->folder, *world);
    if (status) {
        gully_world_destroy(*world);
        free(georeference->projection);
        *world = NULL;
        *georeference = (GullyGeoreference){0};
    }
    return status;
}

bool gully_scene_starts_coarse(const GullyScene* scene) {
    return scene->coarse;
}

GullyStatus gully_scene_start(const GullyScene* scene, GullyWorld* world, int threads) {
    return scene->coarse ? scene_coarse_start(scene, world, threads) : GULLY_OK;
}
