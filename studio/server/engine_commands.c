// SPDX-License-Identifier: MIT
/// What the engine does for pages, on its own thread.
#include <stdlib.h>
#include <string.h>

#include "devices.h"
#include "exporting.h"
#include "gully/export.h"
#include "gully/generate.h"
#include "gully/mesh.h"
#include "gully/render.h"
#include "inspect.h"
#include "opening.h"
#include "packing.h"
#include "past.h"
#include "rules.h"
#include "sketch.h"

// ---- hello --------------------------------------------------------------------------------------

static json_t* named(const char* name, const char* summary) {
    return json_pack("{s:s, s:s}", "name", name, "summary", summary);
}

/// "stream, pipe": the models of a scene's phases, each time that another one takes over.
static json_t* models_text(const json_t* scene) {
    const char* own = json_string_value(json_object_get(scene, "model"));
    const char* before = "";
    json_t* text = json_string("");
    size_t index;
    const json_t* phase;
    json_array_foreach(json_object_get(scene, "program"), index, phase) {
        const char* model = json_string_value(json_object_get(phase, "model"));
        model = model ? model : own ? own : "";
        if (strcmp(model, before) == 0) continue;
        json_t* longer =
            json_sprintf("%s%s%s", json_string_value(text), *before ? ", " : "", model);
        json_decref(text);
        text = longer;
        before = model;
    }
    if (*before) return text;
    json_decref(text);
    return json_string(own ? own : "");
}

/// "mountains, 1024 x 1024, stream, pipe", from the text of a scene.
static json_t* example_json(const Example* example) {
    json_t* scene = json_loads(example->text, 0, NULL);
    json_t* models = models_text(scene);
    const json_t* terrain = json_object_get(scene, "terrain");
    const char* kind = json_string_value(json_object_get(terrain, "generate"));
    json_t* summary = json_sprintf("%s, %d x %d, %s", kind ? kind : "several layers",
                                   (int)json_integer_value(json_object_get(terrain, "width")),
                                   (int)json_integer_value(json_object_get(terrain, "height")),
                                   json_string_value(models));
    json_decref(models);
    json_t* object = named(example->name, json_string_value(summary));
    json_object_set_new(object, "rules", rules_text(scene));
    json_decref(summary);
    json_decref(scene);
    return object;
}

static json_t* examples_json(void) {
    json_t* list = json_array();
    for (int i = 0; example_at(i); i++)
        json_array_append_new(list, example_json(example_at(i)));
    return list;
}

static json_t* generators_json(void) {
    json_t* list = json_array();
    for (int i = 0; i < gully_generator_count(); i++)
        json_array_append_new(
            list, named(gully_generator_info(i)->name, gully_generator_info(i)->summary));
    return list;
}

static json_t* formats_json(void) {
    json_t* list = json_array();
    for (int i = 0; i < gully_format_count(); i++) {
        const GullyFormatInfo* info = gully_format_info(i);
        json_t* format = named(info->name, info->summary);
        json_object_set_new(format, "extensions", json_string(info->extensions));
        json_object_set_new(format, "sidecar", json_boolean(info->sidecar));
        json_array_append_new(list, format);
    }
    return list;
}

static json_t* presets_json(void) {
    json_t* list = json_array();
    for (int i = 0; i < gully_preset_count(); i++) {
        const GullyPresetInfo* info = gully_preset_info(i);
        json_t* preset = named(info->name, info->summary);
        json_t* sizes = info->sizes ? json_array() : json_null();
        for (const int* size = info->sizes; size && *size; size++)
            json_array_append_new(sizes, json_integer(*size));
        json_object_set_new(preset, "formats", json_string(info->formats));
        json_object_set_new(preset, "sizes", sizes);
        json_object_set_new(preset, "square", json_boolean(info->square));
        json_array_append_new(list, preset);
    }
    return list;
}

static json_t* meshes_json(void) {
    json_t* list = json_array();
    for (int i = 0; i < gully_mesh_format_count(); i++)
        json_array_append_new(list,
                              named(gully_mesh_format(i)->name, gully_mesh_format(i)->summary));
    return list;
}

static json_t* palette_json(const GullyPalette* palette) {
    json_t *json = named(palette->name, palette->summary), *belts = json_array(),
           *strata = json_array();
    for (int i = 0; i < GULLY_PALETTE_BELTS; i++) {
        json_array_append_new(belts, json_pack("[f, i]", (double)palette->belts[i].height,
                                               (int)palette->belts[i].color));
        if (palette->belts[i].height >= 1) break;
    }
    for (int i = 0; i < GULLY_PALETTE_STRATA && palette->strata[i]; i++)
        json_array_append_new(strata, json_integer(palette->strata[i]));
    json_object_set_new(json, "belts", belts);
    json_object_set_new(json, "strata", strata);
#define COLOR(member) json_object_set_new(json, #member, json_integer(palette->member))
#define SHARE(member) json_object_set_new(json, #member, json_real((double)palette->member))
    COLOR(rock);
    COLOR(dark_rock);
    COLOR(soil);
    COLOR(gravel);
    COLOR(meadow);
    COLOR(snow);
    COLOR(shallow);
    COLOR(deep);
    SHARE(moist);
    SHARE(river);
    SHARE(bare);
    SHARE(gravelled);
    SHARE(snow_line);
    SHARE(layered);
#undef COLOR
#undef SHARE
    return json;
}

static json_t* palettes_json(void) {
    json_t* list = json_array();
    for (int i = 0; gully_palette_info(i); i++)
        json_array_append_new(list, palette_json(gully_palette_info(i)));
    return list;
}

static json_t* recover_json(const Folders* folders) {
    if (!folders->unsaved[0]) return json_null();
    const GullySessionInfo* info = &folders->unsaved_info;
    return json_pack("{s:s, s:I, s:I, s:b}", "terrain", info->terrain, "steps",
                     (json_int_t)info->steps, "records", (json_int_t)info->records, "replaced",
                     folders->replaced);
}

void engine_hello(Engine* engine, int64_t client) {
    char* text = gully_session_describe(engine->session);
    json_t* describe = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    json_t* hello =
        json_pack("{s:s, s:i, s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "event", "hello", //
                  "protocol", 1, "version", gully_version(),                                   //
                  "session", (json_int_t)engine->session_number,                               //
                  "describe", describe ? describe : json_object(),                             //
                  "examples", examples_json(), "generators", generators_json(),                //
                  "formats", formats_json(), "presets", presets_json(),                        //
                  "meshes", meshes_json(), "recover", recover_json(&engine->folders));
    json_object_set_new(hello, "palettes", palettes_json());
    json_object_set_new(hello, "generate", sketch_rows(gully_generate_table()));
    json_object_set_new(hello, "blend", sketch_rows(gully_generate_layer_table()));
    json_object_set_new(hello, "mask", sketch_rows(gully_generate_mask_table()));
    char* out = hello ? json_dumps(hello, JSON_COMPACT) : NULL;
    if (out) clients_send(&engine->clients, client, out);
    free(out);
    json_decref(hello);
    engine->next_status = 0;
}

// ---- commands -----------------------------------------------------------------------------------

static void do_play(Engine* engine, bool on) {
    engine->untouched = false;
    engine->playing = on;
    engine->ended = false;
    engine->steps_to_go = 0;
    engine->next_status = 0;
}

/// So many steps, or what is left of the program; then it stops.
static GullyStatus do_step(Engine* engine, const Message* message) {
    if (engine->playing) return gully_fail(GULLY_BAD_INPUT, "step: pause first");
    const int64_t left = message->cycle ? gully_session_left(engine->session) : message->steps;
    if (left < 0)
        return gully_fail(GULLY_BAD_INPUT, "step: a phase is held, so the program has no end; "
                                           "steps is wanted instead of cycle");
    engine->steps_to_go += left;
    engine->ended = engine->untouched = false;
    engine->next_status = 0;
    return GULLY_OK;
}

static void do_speed(Engine* engine, double steps_per_second) {
    engine->speed = steps_per_second;
    engine->credit = 0;
    engine->next_status = 0;
}

static GullyStatus run_session(Engine* engine, const char* command, json_t** more) {
    int64_t before = gully_session_changes(engine->session);
    const GullySim* sim = gully_session_sim(engine->session);
    const int64_t step = gully_sim_steps(sim);
    char* text = NULL;
    engine->busy = "going there";
    atomic_store(&engine->cancelled, false);
    GullyStatus status = gully_session_do(engine->session, command, strlen(command), &text);
    engine->busy = NULL;
    if (gully_session_changes(engine->session) != before) {
        engine_edited(engine);
        engine->ended = engine->untouched = false;
    }
    if (gully_sim_steps(sim) != step) { // to another time
        engine->steps_to_go = 0;
        engine->next_status = 0;
    }
    if (status == GULLY_OK && text) *more = json_loads(text, 0, NULL);
    free(text);
    return status;
}

/// The laws and phases of an example, for the ground that is here: one entry of the history.
static GullyStatus do_rules(Engine* engine, const Message* message) {
    const Example* example = example_find(message->example);
    if (!example)
        return gully_fail(GULLY_BAD_INPUT, "%.64s: there is no such example", message->example);
    json_t* scene = json_loads(example->text, 0, NULL);
    json_t* command = json_pack("{s:s, s:s, s:b, s:o}", "do", "program", "name", example->name,
                                "clear", 1, "phases", rules_program(scene));
    char* text = command ? json_dumps(command, JSON_COMPACT) : NULL;
    json_t* more = NULL;
    GullyStatus status = text ? run_session(engine, text, &more)
                              : gully_fail(GULLY_NO_MEMORY, "no memory for the rules");
    free(text);
    json_decref(more);
    json_decref(command);
    json_decref(scene);
    return status;
}

/// Whether a saved session may be written over: the one that is open, or what a person allows.
static GullyStatus check_replacing(const Engine* engine, const Message* message, const char* path) {
    GullySessionInfo there;
    if (message->replace || strcmp(message->session, engine->name) == 0 ||
        gully_session_look(path, &there) != GULLY_OK)
        return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT,
                      "session: there is another '%s' already (%s, %lld steps); replace is wanted, "
                      "or another name",
                      message->session, there.terrain, (long long)there.steps);
}

static GullyStatus do_save(Engine* engine, const Message* message) {
    char path[PATH_MAX];
    if (!session_name_is_plain(message->session))
        return gully_fail(GULLY_BAD_INPUT, "session: a name of letters, digits, -, _ and spaces is "
                                           "wanted, up to 64");
    GullyStatus status = folders_path(&engine->folders, "sessions", "", path);
    if (status == GULLY_OK) status = gully_folder_make(path);
    if (status == GULLY_OK)
        status = folders_path(&engine->folders, "sessions", message->session, path);
    if (status == GULLY_OK) status = check_replacing(engine, message, path);
    if (status == GULLY_OK) status = gully_session_save(engine->session, path);
    if (status == GULLY_OK) engine_saved(engine, message->session);
    return status;
}

static GullyStatus do_recover(Engine* engine, const Message* message) {
    if (message->take) return opening_recover(engine);
    folders_drop_unsaved(&engine->folders, engine->folders.unsaved);
    return GULLY_OK;
}

static GullyStatus do_add_raster(Engine* engine, const GullyRaster* raster, json_t** more) {
    char name[64];
    GullyStatus status = gully_session_add_raster(engine->session, raster, name);
    if (status != GULLY_OK) return status;
    float low = 0, high = 0;
    bool any = false;
    for (size_t i = 0; i < (size_t)raster->width * (size_t)raster->height; i++) {
        float value = raster->values[i];
        if (value != value) continue;
        low = any && low < value ? low : value;
        high = any && high > value ? high : value;
        any = true;
    }
    *more = json_pack("{s:s, s:i, s:i, s:f, s:f, s:o}", "raster", name, "width", raster->width,
                      "height", raster->height, "low", (double)low, "high", (double)high, "preview",
                      preview_json(raster->values, raster->width, raster->height, low, high));
    return GULLY_OK;
}

void engine_do(Engine* engine, Command* command) {
    const Message* message = &command->message;
    GullyStatus status = GULLY_OK;
    json_t* more = NULL;
    switch (message->verb) {
    case VERB_SESSION:
        status = run_session(engine, message->text, &more);
        break;
    case VERB_RULES:
        status = do_rules(engine, message);
        break;
    case VERB_PLAY:
        do_play(engine, message->on);
        break;
    case VERB_STEP:
        status = do_step(engine, message);
        break;
    case VERB_REPEAT:
        engine->repeats = message->on;
        engine->next_status = 0;
        break;
    case VERB_UNWATCHED:
        engine->runs_unwatched = message->on;
        engine->next_status = 0;
        break;
    case VERB_SPEED:
        do_speed(engine, message->steps_per_second);
        break;
    case VERB_USE:
        status = devices_use(engine, message);
        break;
    case VERB_NEW:
        status = opening_new(engine, message);
        break;
    case VERB_OPEN:
        status = opening_open(engine, message);
        break;
    case VERB_DOUBLE:
        status = opening_double(engine);
        break;
    case VERB_ADD_RASTER:
        status = do_add_raster(engine, &command->raster, &more);
        break;
    case VERB_SAVE:
        status = do_save(engine, message);
        break;
    case VERB_RECOVER:
        status = do_recover(engine, message);
        break;
    case VERB_EXPORT:
        status = exporting_begin(engine, command);
        if (status == GULLY_OK) return; // the clerk answers
        break;
    case VERB_PACK:
        status = packing_pack(engine, message, &more);
        break;
    case VERB_UNPACK:
        status = packing_unpack(engine, message, &more);
        break;
    case VERB_WAS:
        status = past_send(engine, command);
        break;
    case VERB_STATUS:
        more = engine_status(engine, true);
        json_object_del(more, "event");
        break;
    case VERB_HELLO:
        engine_hello(engine, command->client);
        break;
    case VERB_WANT:
    case VERB_WATCH:
    case VERB_CANCEL:
    case VERB_ACK:
    case VERB_SESSIONS:
    case VERB_DEVICES:
    case VERB_INSPECT:
    case VERB_SKETCH:
    case VERB_COUNT:
        break; // done where they are read
    }
    reply(engine, command, status, more);
    command_free(command);
}
