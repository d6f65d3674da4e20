// SPDX-License-Identifier: MIT
#include "opening.h"

#include <errno.h>
#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices.h"
#include "examples.inc"
#include "inspect.h"

const Example* example_at(int index) {
    return index >= 0 && index < (int)(sizeof examples / sizeof *examples) ? &examples[index]
                                                                           : NULL;
}

const Example* example_find(const char* name) {
    for (int i = 0; example_at(i); i++)
        if (strcmp(example_at(i)->name, name) == 0) return example_at(i);
    return NULL;
}

// ---- beginning ----------------------------------------------------------------------------------

/// Tells the pages how far the opening is; says whether it is to go on.
static bool tell_progress(void* context, double share) {
    Engine* engine = context;
    double now = engine_clock();
    if (now - engine->last_busy >= 0.1) {
        engine->last_busy = now;
        json_t* status = engine->last_status ? json_copy(engine->last_status) : json_object();
        json_object_set_new(status, "event", json_string("status"));
        json_object_set_new(status, "busy",
                            json_pack("{s:s, s:f, s:b}", "what", engine->busy, "share", share,
                                      "can_cancel", !engine->in_turns));
        char* text = json_dumps(status, JSON_COMPACT);
        if (text) clients_send(&engine->clients, 0, text);
        free(text);
        json_decref(status);
    }
    return !engine->stop() && !atomic_load(&engine->cancelled);
}

/// A session has been opened: it takes the place of the present one.
static void take_over(Engine* engine, GullySession* session) {
    const bool unsaved = engine_is_unsaved(engine);
    gully_session_destroy(engine->session);
    folders_turn(&engine->folders, unsaved);
    engine->session = session;
    engine_saved(engine, "");
    engine->untouched = false;
    engine->session_number++;
    engine->playing = engine->repeats = engine->ended = false;
    engine->steps_to_go = engine->unmeasured = 0;
    scales_begin(&engine->scales, gully_sim_world(gully_session_sim(session)),
                 gully_sim_steps(gully_session_sim(session)));
    engine->is_coming = false;
    engine->credit = engine->step_seconds = 0;
    engine->rounds = engine->rounds_left = engine->rounds_at_once = 0;
    engine->cells = gully_world_cells(gully_sim_world(gully_session_sim(session)));
    engine->changes = gully_session_changes(session);
    engine->next_keep = engine->next_status = 0;
    clients_forget(&engine->clients);
    engine_edited(engine);
    engine_hello(engine, 0);
}

/// Begins with a scene, which it takes, or goes on with what a folder holds; with neither, the present
/// session goes on in smaller cells.
static GullyStatus begin(Engine* engine, const char* what, GullyScene* scene, const char* from) {
    char folder[PATH_MAX], scratch[PATH_MAX];
    folders_next_autosave(&engine->folders, folder);
    GullyStatus status = folders_path(&engine->folders, ".gully", "", scratch);
    if (status != GULLY_OK) return status;
    GullySessionDef def = gully_session_def();
    def.threads = engine->threads;
    def.velocity = true;
    def.memory = engine->memory;
    def.scratch = engine->scratch ? engine->scratch : scratch;
    devices_choose(engine, &def);
    def.folder = folder;
    def.progress = tell_progress;
    def.context = engine;
    engine->busy = what;
    engine->last_busy = 0;
    atomic_store(&engine->cancelled, false);
    tell_progress(engine, 0);
    GullySession* session = NULL;
    status = scene  ? gully_session_create(scene, &def, &session)
             : from ? gully_session_open(from, &def, &session)
                    : gully_session_double(engine->session, &def, &session);
    engine->busy = NULL;
    engine->next_status = 0;
    if (status == GULLY_OK) take_over(engine, session);
    return status;
}

// ---- scenes -------------------------------------------------------------------------------------

/// Begins with the text of a scene; `folder` is where its paths start.
static GullyStatus begin_text(Engine* engine, const char* text, const char* name,
                              const char* folder) {
    GullyScene* scene = NULL;
    GullyStatus status = gully_scene_parse(text, strlen(text), name, folder, NULL, 0, &scene);
    return status == GULLY_OK ? begin(engine, "making the land", scene, NULL) : status;
}

/// A message about a text that we have written ourselves: its lines mean nothing to people, nor does
/// it that a raster is a scene's terrain.
static GullyStatus without_line(GullyStatus status, const char* name) {
    static const char terrain[] = "terrain.file: ";
    const char* rest = gully_message();
    const size_t length = strlen(name);
    if (strncmp(rest, name, length) != 0 || rest[length] != ':') return status;
    rest += length + 1;
    while (*rest >= '0' && *rest <= '9')
        rest++;
    rest += rest[0] == ':' ? 1 : 0;
    rest += rest[0] == ' ' ? 1 : 0;
    if (strncmp(rest, terrain, strlen(terrain)) != 0)
        return gully_fail(status, "%s: %s", name, rest);
    return gully_fail(status, "%s", rest + strlen(terrain));
}

GullyStatus opening_parse(json_t* scene, const char* name, const char* folder, const StudioDef* def,
                          GullyScene** out) {
    char* text = scene ? json_dumps(scene, JSON_INDENT(2)) : NULL;
    json_decref(scene);
    *out = NULL;
    if (!text) return gully_fail(GULLY_NO_MEMORY, "%s: no memory, or its name is no UTF-8", name);
    GullyStatus status = gully_scene_parse(text, strlen(text), name, folder, def ? def->sets : NULL,
                                           def ? def->set_count : 0, out);
    free(text);
    return status == GULLY_OK ? status : without_line(status, name);
}

/// Begins with a scene that we have written ourselves, which it takes.
static GullyStatus begin_json(Engine* engine, json_t* object, const char* name, const char* folder,
                              const StudioDef* def) {
    GullyScene* scene;
    GullyStatus status = opening_parse(object, name, folder, def, &scene);
    if (status != GULLY_OK) return status;
    status = begin(engine, "making the land", scene, NULL);
    return status == GULLY_OK ? status : without_line(status, name);
}

/// The demo from its rain on: without the phases that have a model of their own. There is water to
/// see at once, and nothing to wait for.
static json_t* demo_rain(void) {
    json_t* scene = json_loads(example_find("demo")->text, 0, NULL);
    json_t* program = json_object_get(scene, "program");
    for (size_t i = json_array_size(program); i-- > 0;) {
        if (json_object_get(json_array_get(program, i), "model")) json_array_remove(program, i);
    }
    return scene;
}

/// The demo's rain and rock on other ground, which it takes; NULL without one.
static json_t* scene_on(json_t* terrain) {
    if (!terrain) return NULL;
    json_t* scene = demo_rain();
    json_object_set_new(scene, "terrain", terrain);
    json_object_del(scene, "cell_size");
    return scene;
}

/// `read` is what a reader is told: keys of a scene's terrain; NULL = nothing.
static GullyStatus begin_raster(Engine* engine, const char* path, const json_t* read,
                                const StudioDef* def) {
    json_t* terrain = json_pack("{s:s}", "file", path);
    if (terrain && read) json_object_update(terrain, (json_t*)read);
    return begin_json(engine, scene_on(terrain), path, "/", def);
}

/// A raster of a page, which may say what its numbers mean.
static GullyStatus open_raster(Engine* engine, const Message* message, const char* path) {
    GullyReadDef told;
    char turned[PATH_MAX];
    GullyStatus status = told_parse(message->read, &told);
    if (status == GULLY_OK && message->flip) status = inspect_flip(path, message->read, turned);
    if (status != GULLY_OK) return status;
    return message->flip ? begin_raster(engine, turned, NULL, NULL)
                         : begin_raster(engine, path, message->read, NULL);
}

json_t* opening_terrain(Engine* engine, const Message* message) {
    json_t* terrain = json_object();
    if (message->generate) json_object_set_new(terrain, "generate", json_string(message->generate));
    if (message->combine) json_object_set_new(terrain, "combine", json_deep_copy(message->combine));
    if (message->seed >= 0) json_object_set_new(terrain, "seed", json_integer(message->seed));
    if (!isnan(message->relief)) json_object_set_new(terrain, "relief", json_real(message->relief));
    if (message->params) json_object_update_missing(terrain, message->params);
    if (folders_check_scene(&engine->folders, engine->folders.root, terrain) == GULLY_OK)
        return terrain;
    gate_count(&engine->gate, REFUSED_PATH);
    json_decref(terrain);
    return NULL;
}

static GullyStatus begin_generated(Engine* engine, const Message* message) {
    json_int_t width = message->width ? message->width : OPENING_SIDE;
    json_int_t height = message->height ? message->height : width;
    double cell = isnan(message->cell_size) ? OPENING_CELL : message->cell_size;
    json_t* terrain = opening_terrain(engine, message);
    if (!terrain) return GULLY_BAD_INPUT;
    json_object_set_new(terrain, "width", json_integer(width));
    json_object_set_new(terrain, "height", json_integer(height));
    json_t* scene = scene_on(terrain);
    json_object_set_new(scene, "cell_size", json_pack("[f, f]", cell, cell));
    return begin_json(engine, scene, message->generate ? message->generate : "combine",
                      engine->folders.root, NULL);
}

/// A scene from a page, or from a file that it may see: its own files are checked too.
static GullyStatus begin_checked(Engine* engine, json_t* scene, const char* name,
                                 const char* folder) {
    GullyStatus status = folders_check_scene(&engine->folders, folder, scene);
    return status == GULLY_OK ? begin_json(engine, json_incref(scene), name, folder, NULL) : status;
}

// ---- what is asked for --------------------------------------------------------------------------

static bool is_json(const char* path) {
    FILE* file = fopen(path, "rb");
    int letter = ' ';
    while (file && (letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n'))
        letter = fgetc(file);
    if (file) fclose(file);
    return letter == '{';
}

GullyStatus opening_first(Engine* engine, const StudioDef* def) {
    const char* input = def->input;
    if (!input) {
        GullyStatus status = begin_json(engine, demo_rain(), "demo", engine->folders.root, def);
        engine->playing = engine->repeats = engine->untouched = status == GULLY_OK;
        return status;
    }
    if (!is_json(input)) {
        char path[PATH_MAX];
        if (!realpath(input, path))
            return gully_fail(GULLY_BAD_INPUT, "%s: %s", input, strerror(errno));
        return begin_raster(engine, path, NULL, def);
    }
    GullyScene* scene = NULL;
    GullyStatus status = gully_scene_load(input, def->sets, def->set_count, &scene);
    return status == GULLY_OK ? begin(engine, "making the land", scene, NULL) : status;
}

GullyStatus opening_new(Engine* engine, const Message* message) {
    int ways = !!message->scene + !!message->example + !!message->generate + !!message->combine;
    if (ways != 1)
        return gully_fail(GULLY_BAD_INPUT,
                          "new: one of scene, example, generate, combine is wanted");
    if (message->scene) return begin_checked(engine, message->scene, "scene", engine->folders.root);
    if (message->generate || message->combine) return begin_generated(engine, message);
    const Example* example = example_find(message->example);
    if (!example)
        return gully_fail(GULLY_BAD_INPUT, "%.64s: there is no such example", message->example);
    return begin_text(engine, example->text, example->name, engine->folders.root);
}

static GullyStatus open_scene(Engine* engine, const char* path) {
    char folder[PATH_MAX];
    json_error_t error;
    json_t* scene = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!scene) return gully_fail(GULLY_BAD_INPUT, "%s:%d: %s", path, error.line, error.text);
    strcpy(folder, path);
    GullyStatus status = folders_check_scene(&engine->folders, dirname(folder), scene);
    json_decref(scene);
    if (status != GULLY_OK) return status;
    GullyScene* loaded = NULL; // from its own text: messages name its lines
    status = gully_scene_load(path, NULL, 0, &loaded);
    return status == GULLY_OK ? begin(engine, "making the land", loaded, NULL) : status;
}

GullyStatus opening_open(Engine* engine, const Message* message) {
    char path[PATH_MAX];
    FileKind kind;
    if (!message->session == !message->file)
        return gully_fail(GULLY_BAD_INPUT, "open: either session or file is wanted");
    if (message->session) {
        if (!session_name_is_plain(message->session))
            return gully_fail(GULLY_BAD_INPUT, "%.64s: there is no such session", message->session);
        GullyStatus status = folders_path(&engine->folders, "sessions", message->session, path);
        if (status == GULLY_OK) status = begin(engine, "opening the session", NULL, path);
        if (status == GULLY_OK) engine_saved(engine, message->session);
        return status;
    }
    GullyStatus status =
        folders_find(&engine->folders, engine->folders.root, message->file, &kind, path);
    if (status != GULLY_OK) {
        gate_count(&engine->gate, REFUSED_PATH);
        return status;
    }
    return kind == FILE_SCENE ? open_scene(engine, path) : open_raster(engine, message, path);
}

GullyStatus opening_double(Engine* engine) {
    GullyStatus status = begin(engine, "doubling the cells", NULL, NULL);
    if (status == GULLY_OK) engine_unsaved(engine);
    return status;
}

GullyStatus opening_recover(Engine* engine) {
    Folders* folders = &engine->folders;
    if (!folders->unsaved[0])
        return gully_fail(GULLY_BAD_INPUT, "recover: there is nothing to recover");
    char from[PATH_MAX];
    strcpy(from, folders->unsaved);
    folders->unsaved[0] = '\0'; // who is greeted on the way is no longer offered it
    GullyStatus status = begin(engine, "bringing it back", NULL, from);
    if (status == GULLY_OK)
        engine_unsaved(engine);
    else
        strcpy(folders->unsaved, from);
    if (status == GULLY_OK) folders_drop_unsaved(folders, from);
    return status;
}
