// SPDX-License-Identifier: MIT
// The object: how it is made, its phases and its steps.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "gully/checkpoint.h"
#include "scene_view.h"
#include "session_inside.h"

GullySessionDef gully_session_def(void) {
    return (GullySessionDef){.made = GULLY_DEF_MADE};
}

// ---- phases -------------------------------------------------------------------------------------

static bool is_over(const GullySession* session) {
    const SessionState* state = &session->state;
    Program program;
    if (state->phase_held || session_program(session, state->changes, &program) ||
        program.steps == 0)
        return false;
    return state->phase_step >= gully_scene_phase(program.scene, state->phase)->steps;
}

GullyStatus session_enter(GullySession* session, int phase, bool hold) {
    GullySettings* settings;
    GullyStatus status = session_settings(session, session->state.changes, phase, &settings);
    if (!status) status = gully_editor_apply(session->editor, settings);
    gully_settings_destroy(settings);
    if (status) return status;
    session->state.phase = phase;
    session->state.phase_step = 0;
    session->state.phase_held = hold;
    return GULLY_OK;
}

void session_pass_phases(GullySession* session) {
    while (is_over(session)) {
        Program program;
        if (session_program(session, session->state.changes, &program)) return;
        int next = (session->state.phase + 1) % program.round;
        session->changes++;
        if (next == session->state.phase) { // the only one goes on as it is
            session->state.phase_step = 0;
            continue;
        }
        SessionState before = session_state_copy(&session->state);
        // Changes were checked with all phases: this fails for lack of memory only, and then the
        // settings before go on.
        if (session_enter(session, next, false)) {
            session->state.phase = next;
            session->state.phase_step = 0;
        }
        history_follow(session, &before, session->records.count);
        session_state_free(&before);
    }
}

bool gully_session_keep_places(GullySession* session, int places) {
    return gully_editor_keep(session->editor, places);
}

GullyStatus gully_session_step(GullySession* session, int64_t steps) {
    SessionState* state = &session->state;
    session->replaceable = false;
    while (steps > 0) {
        const int64_t left = gully_session_phase_left(session), chunk = steps < left ? steps : left;
        const int64_t before = gully_sim_steps(session->sim);
        GullyStatus status = gully_sim_step(session->sim, chunk);
        if (status) return status;
        const int64_t made = gully_sim_steps(session->sim) - before; // with levels, whole blocks
        state->phase_step += made;
        steps -= made;
        session_pass_phases(session);
    }
    return GULLY_OK;
}

/// Gives the world other materials, which a following apply takes up. The editor must have seen the
/// ones before: undo goes back to them.
static GullyStatus change_materials(GullySession* session, const json_t* changes) {
    const json_t* before = json_object_get(session->state.changes, "materials");
    const json_t* after = json_object_get(changes, "materials");
    if (before == after) return GULLY_OK;
    GullyStatus status =
        gully_editor_apply(session->editor, gully_editor_settings(session->editor));
    return status ? status : session_give_materials(session, changes);
}

GullyStatus session_change(GullySession* session, json_t* changes) {
    GullySettings* settings = NULL;
    if (!changes) return GULLY_NO_MEMORY;
    GullyStatus status = session_settings(session, changes, session->state.phase, &settings);
    if (!status) status = session_check_phases(session, changes);
    if (!status) status = change_materials(session, changes);
    if (!status) status = gully_editor_apply(session->editor, settings);
    gully_settings_destroy(settings);
    if (status) {
        char message[1024];
        snprintf(message, sizeof message, "%s", gully_message());
        session_give_materials(session, session->state.changes);
        json_decref(changes);
        return gully_fail(status, "%s", message);
    }
    json_decref(session->state.changes);
    session->state.changes = changes;
    return GULLY_OK;
}

void session_mark(GullySession* session, const char* name) {
    if (!session->replays) gully_editor_mark(session->editor, name);
}

double session_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---- what it is of ------------------------------------------------------------------------------

static void describe_terrain(GullySession* session) {
    char* text = gully_scene_text(session->scene);
    json_t* root = text ? json_loads(text, 0, NULL) : NULL;
    const json_t* terrain = json_object_get(root, "terrain");
    const json_t* layers = json_object_get(terrain, "combine");
    if (layers) terrain = json_array_get(layers, 0);
    const char* name = json_string_value(json_object_get(terrain, "generate"));
    if (!name) name = json_string_value(json_object_get(terrain, "file"));
    const char* slash = name ? strrchr(name, '/') : NULL;
    if (slash) name = slash + 1;
    char shown[27];
    scene_clip(name ? name : "terrain", shown, sizeof shown);
    snprintf(session->terrain, sizeof session->terrain, "%s%s, %d x %d", shown,
             json_array_size(layers) > 1 ? " and more" : "", gully_world_width(session->world),
             gully_world_height(session->world));
    json_decref(root);
    free(text);
}

static GullyStatus find_heights(GullySession* session) {
    int width = gully_world_width(session->world), height = gully_world_height(session->world);
    float* row = malloc((size_t)width * sizeof *row);
    if (!row) return gully_fail(GULLY_NO_MEMORY, "no memory for a session");
    GullyStatus status = GULLY_OK;
    double low = INFINITY, high = -INFINITY;
    for (int j = 0; j < height && !status; j++) {
        status = gully_world_read(session->world, GULLY_TERRAIN, (GullyRect){0, j, width, 1}, row);
        for (int i = 0; i < width && !status; i++) {
            if (isnan(row[i])) continue;
            low = fmin(low, (double)row[i]);
            high = fmax(high, (double)row[i]);
        }
    }
    free(row);
    session->low = low <= high ? low : 0;
    session->high = low <= high ? high : 0;
    return status;
}

/// The velocities may be kept or not; maps never change; before the first step the masks are all 0.
static bool is_hashed(GullyField field, bool start) {
    bool velocity = field == GULLY_VELOCITY_X || field == GULLY_VELOCITY_Y;
    bool mask = field == GULLY_FLOW || field == GULLY_WEAR || field == GULLY_DEPOSIT;
    bool map = field == GULLY_UPLIFT || field == GULLY_RAINFALL;
    return !velocity && (start || !map) && !(start && (mask || field == GULLY_LAYER_0));
}

static json_t* hash_fields(const GullySession* session, bool start) {
    int layers = gully_world_material_count(session->world);
    json_t* hashes = json_object();
    for (GullyField field = GULLY_TERRAIN; field <= GULLY_RAINFALL; field++) {
        if (field >= GULLY_LAYER(layers) && field <= GULLY_LAYER_7) continue;
        if (!is_hashed(field, start)) continue;
        unsigned long long hash = gully_world_hash(session->world, field);
        json_object_set_new(hashes, gully_field_name(field), json_sprintf("%016llx", hash));
    }
    return hashes;
}

json_t* session_hashes(const GullySession* session) {
    return hash_fields(session, false);
}

static void name_session(GullySession* session) {
    uint64_t number = 0;
    time_t now = time(NULL);
    struct tm utc;
    if (getentropy(&number, sizeof number) != 0) number = (uint64_t)now;
    snprintf(session->id, sizeof session->id, "%016llx", (unsigned long long)number);
    strftime(session->created, sizeof session->created, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
}

// ---- making -------------------------------------------------------------------------------------

static void demolish(GullySession* session) {
    comparison_free(session);
    moments_free(session);
    gully_editor_destroy(session->editor);
    gully_sim_destroy(session->sim);
    gully_world_destroy(session->world);
    free(session->georeference.projection);
    session->editor = NULL;
    session->sim = NULL;
    session->world = NULL;
    session->georeference = (GullyGeoreference){0};
}

static GullyStatus build_world(GullySession* session) {
    demolish(session);
    GullyStatus status = gully_scene_world(session->scene, &session->world, &session->georeference);
    if (!status)
        status = session->doubled
                     ? session_double_world(session)
                     : gully_scene_start(session->scene, session->world, session->def.threads);
    if (status) return status;
    for (int m = 0; m < gully_world_material_count(session->world); m++)
        session->materials[m] = *gully_world_material(session->world, m);
    if (!session->terrain[0]) describe_terrain(session);
    return find_heights(session);
}

/// Refuses a world that is not the one that the session began with: a file has become another.
static GullyStatus check_start(GullySession* session) {
    json_t* hashes = hash_fields(session, true);
    const char* field = NULL;
    json_t* hash;
    json_object_foreach(session->start, field, hash) {
        if (!json_equal(hash, json_object_get(hashes, field))) break;
    }
    GullyStatus status = GULLY_OK;
    if (session->start && field)
        status = gully_fail(GULLY_BAD_INPUT,
                            "%s: its values at the start of the session were others; a file that "
                            "the scene names must have changed",
                            field);
    if (!session->start) session->start = json_incref(hashes);
    json_decref(hashes);
    return status;
}

static GullyStatus build_sim(GullySession* session, const GullySettings* settings) {
    GullySimDef def = gully_sim_def();
    def.seed = gully_scene_seed(session->scene);
    def.threads = session->def.threads;
    def.velocity = session->def.velocity;
    def.backend = session->def.backend;
    def.device = session->def.device;
    GullyStatus status = gully_sim_create(session->world, settings, &def, &session->sim);
    if (status) return status;
    return gully_editor_create(session->sim, settings, session->def.undo_bytes, &session->editor);
}

/// Holds the brush again that a state holds. Its command is checked as any other.
static GullyStatus hold_again(GullySession* session) {
    json_t* held = session->state.held;
    if (!held) return GULLY_OK;
    session->state.held = NULL;
    bool replays = session->replays;
    session->replays = true;
    json_t* object = json_deep_copy(held);
    json_object_set_new(object, "begin", json_true());
    GullyStatus status = session_perform(session, object, NULL);
    session->replays = replays;
    records_cut(&session->records, 0);
    json_decref(object);
    json_decref(held);
    return status;
}

/// The simulation at its start, which is the first moment of the past.
static GullyStatus build_start(GullySession* session) {
    GullySettings* settings = NULL;
    SessionState state;
    GullyStatus status = session_start_state(session, &state);
    if (status) return status;
    session_state_free(&session->state);
    session->state = state;
    status = session_settings(session, state.changes, state.phase, &settings);
    if (!status) status = session_check_phases(session, state.changes);
    if (!status) status = session_give_materials(session, state.changes);
    if (!status) status = build_sim(session, settings);
    gully_settings_destroy(settings);
    if (!status) status = session_start_cells(session);
    if (!status) session->first = gully_sim_steps(session->sim);
    if (!status && session->records.count == 0) moments_take(session);
    return status;
}

/// The settings and the materials of a state.
static GullyStatus enter_state(GullySession* session, const SessionState* state) {
    GullySettings* settings = NULL;
    session_state_free(&session->state);
    session->state = session_state_copy(state);
    GullyStatus status = session_settings(session, state->changes, state->phase, &settings);
    if (!status) status = session_check_phases(session, state->changes);
    if (!status) status = session_give_materials(session, state->changes);
    if (!status) status = gully_editor_apply(session->editor, settings);
    gully_settings_destroy(settings);
    return status ? status : hold_again(session);
}

GullyStatus session_build(GullySession* session, const SessionState* state,
                          const GullyCheckpoint* checkpoint) {
    GullyStatus status = build_world(session);
    if (!status) status = check_start(session);
    if (!status) status = build_start(session);
    if (!status && state) status = enter_state(session, state);
    if (!status && checkpoint)
        status =
            gully_checkpoint_restore(checkpoint, session->sim, gully_sim_threads(session->sim));
    if (!status) session_pass_phases(session);
    return status;
}

GullyStatus session_allocate(GullyScene* scene, const GullySessionDef* def, GullySession** out) {
    GullySession* session = calloc(1, sizeof *session);
    *out = NULL;
    if (session) {
        session->scene = scene;
        session->def = *def;
        session->def.folder = def->folder ? strdup(def->folder) : NULL;
        session->def.device = def->device ? strdup(def->device) : NULL;
        session->def.scratch = def->scratch ? strdup(def->scratch) : NULL;
        if (def->memory || def->scratch)
            gully_scene_set_memory(scene, def->memory, session->def.scratch);
        name_session(session);
    }
    if (session && programs_create(session) && !def->folder == !session->def.folder &&
        !def->device == !session->def.device && !def->scratch == !session->def.scratch) {
        *out = session;
        return GULLY_OK;
    }
    if (session)
        gully_session_destroy(session);
    else
        gully_scene_destroy(scene);
    return gully_fail(GULLY_NO_MEMORY, "no memory for a session");
}

GullyStatus gully_session_create(GullyScene* scene, const GullySessionDef* def,
                                 GullySession** out) {
    assert(scene && def && out);
    GullySession* session;
    *out = NULL;
    GullyStatus status = gully_def_check(def->made, "gully_session_def");
    if (status) {
        gully_scene_destroy(scene);
        return status;
    }
    status = session_allocate(scene, def, &session);
    if (status) return status;
    status = session_build(session, NULL, NULL);
    if (!status && def->folder) status = keeper_create(session, false);
    if (status)
        gully_session_destroy(session);
    else
        *out = session;
    return status;
}

void gully_session_destroy(GullySession* session) {
    if (!session) return;
    keeper_destroy(session, true);
    demolish(session);
    session_state_free(&session->state);
    history_free(&session->history);
    records_free(&session->records);
    stock_free(&session->stock);
    json_decref(session->start);
    gully_checkpoint_close(session->started);
    free(session->begun);
    programs_free(session);
    gully_scene_destroy(session->scene);
    free((char*)session->def.folder);
    free((char*)session->def.device);
    free((char*)session->def.scratch);
    free(session);
}

// ---- asking -------------------------------------------------------------------------------------

GullySim* gully_session_sim(const GullySession* session) {
    return session->sim;
}

const GullyGeoreference* gully_session_georeference(const GullySession* session) {
    return &session->georeference;
}

int64_t gully_session_changes(const GullySession* session) {
    return session->changes;
}
