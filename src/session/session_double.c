// SPDX-License-Identifier: MIT
// A session whose land is another one's in cells half as large.
//
// Its scene is the other one's, with sources moved by what the centre of the first cell moves. The
// scene's world is doubled; then the state that the session starts from takes its place: it is a file
// of the session's folder, since a scene cannot say it.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "session_inside.h"

enum { MOST_CELLS = 1 << 20 }; // along a side

// ---- the world of the scene ---------------------------------------------------------------------

/// What is in a world before its first step, in the order in which it is written.
static const GullyField FIELDS[] = {GULLY_TERRAIN, GULLY_WATER,    GULLY_SEDIMENT, GULLY_HARDNESS,
                                    GULLY_UPLIFT,  GULLY_RAINFALL, GULLY_LAYER_1,  GULLY_LAYER_2,
                                    GULLY_LAYER_3, GULLY_LAYER_4,  GULLY_LAYER_5,  GULLY_LAYER_6,
                                    GULLY_LAYER_7};

static GullyStatus no_memory(void) {
    return gully_fail(GULLY_NO_MEMORY, "no memory to double the cells");
}

/// Gives each cell's value to the four that lie in it. What a new world has anyway is not written.
static GullyStatus copy_field(const GullyWorld* from, GullyWorld* to, GullyField field, float* row,
                              float* rows) {
    const int width = gully_world_width(from), height = gully_world_height(from);
    const float fresh = field == GULLY_HARDNESS || field == GULLY_RAINFALL ? 1 : 0;
    GullyStatus status = GULLY_OK;
    for (int y = 0; y < height && !status; y++) {
        bool is_fresh = field != GULLY_TERRAIN;
        status = gully_world_read(from, field, (GullyRect){0, y, width, 1}, row);
        for (int x = 0; x < width; x++) {
            const float value = isnan(row[x]) && field != GULLY_TERRAIN ? fresh : row[x];
            is_fresh = is_fresh && value == fresh;
            rows[2 * x] = rows[2 * x + 1] = value;
        }
        memcpy(rows + 2 * width, rows, 2 * (size_t)width * sizeof *rows);
        if (!status && !is_fresh)
            status = gully_world_write(to, field, (GullyRect){0, 2 * y, 2 * width, 2}, rows);
    }
    return status;
}

static GullyStatus copy_world(const GullyWorld* from, GullyWorld* to) {
    const size_t width = (size_t)gully_world_width(from);
    const int count = gully_world_material_count(from);
    GullyMaterial materials[GULLY_MAX_MATERIALS];
    float *row = malloc(width * sizeof *row), *rows = malloc(4 * width * sizeof *rows);
    GullyStatus status = row && rows ? GULLY_OK : no_memory();
    for (int m = 0; m < count; m++)
        materials[m] = *gully_world_material(from, m);
    if (!status && count > 0) status = gully_world_set_materials(to, materials, count);
    for (size_t f = 0; f < sizeof FIELDS / sizeof *FIELDS && !status; f++) {
        const int layer = (int)FIELDS[f] - (int)GULLY_LAYER_0;
        if (layer < 1 || layer > 7 || layer < count)
            status = copy_field(from, to, FIELDS[f], row, rows);
    }
    free(row);
    free(rows);
    return status;
}

static json_t* scene_json(const GullyScene* scene) {
    char* text = gully_scene_text(scene);
    json_t* root = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    return root;
}

/// Takes the place of the session's world, with twice the cells.
static GullyStatus double_once(GullySession* session) {
    GullyWorld *from = session->world, *to = NULL;
    GullyWorldDef def = gully_world_def(2 * gully_world_width(from), 2 * gully_world_height(from));
    GullyMemory memory;
    json_t* scene = scene_json(session->scene);
    gully_world_memory(from, &memory);
    def.cell_x = gully_world_cell_x(from) / 2;
    def.cell_y = gully_world_cell_y(from) / 2;
    def.half = json_is_true(json_object_get(scene, "half"));
    def.memory = memory.budget;
    def.scratch = session->def.scratch;
    json_decref(scene);
    GullyStatus status = gully_world_create(&def, &to);
    if (!status) status = copy_world(from, to);
    if (status) {
        gully_world_destroy(to);
        return status;
    }
    gully_world_destroy(from);
    session->world = to;
    for (int n = 0; n < 6; n++)
        if (n % 3 > 0) session->georeference.transform[n] /= 2;
    return GULLY_OK;
}

/// Before any of it is made: a file may say that cells were doubled more often than can be.
static GullyStatus check_doubled(const GullySession* session) {
    const double times = ldexp(1, session->doubled);
    const double width = times * gully_world_width(session->world);
    const double height = times * gully_world_height(session->world);
    GullyMemory memory;
    gully_world_memory(session->world, &memory);
    if (width > MOST_CELLS || height > MOST_CELLS)
        return gully_fail(
            GULLY_BAD_INPUT,
            "cells that were doubled %d times are %.0f x %.0f: allowed are %d along a "
            "side",
            session->doubled, width, height, MOST_CELLS);
    if (width * height * sizeof(float) <= (double)memory.budget) return GULLY_OK;
    return gully_fail(
        GULLY_NO_MEMORY,
        "cells that were doubled %d times are %.0f x %.0f, whose ground alone takes more "
        "than the %.0f MB of memory that are allowed (more with --memory)",
        session->doubled, width, height, (double)memory.budget / 1e6);
}

GullyStatus session_double_world(GullySession* session) {
    GullyStatus status = session->doubled > 0 ? check_doubled(session) : GULLY_OK;
    for (int n = 0; n < session->doubled && !status; n++)
        status = double_once(session);
    return status;
}

// ---- sources ------------------------------------------------------------------------------------

/// Moves every list of sources in a scene, or in changes of one: positions count from the centre of
/// the first cell, which is now another one.
static void move_sources(json_t* value, double x, double y) {
    static const char* const names[] = {"x", "y"};
    const double ways[] = {x, y};
    const char* key;
    json_t *item, *source;
    size_t index;
    json_array_foreach(value, index, item) move_sources(item, x, y);
    json_object_foreach(value, key, item) {
        if (strcmp(key, "sources") != 0 || !json_is_array(item)) {
            move_sources(item, x, y);
            continue;
        }
        json_array_foreach(item, index, source) {
            for (int n = 0; n < 2; n++) {
                const double place = json_number_value(json_object_get(source, names[n]));
                json_object_set_new(source, names[n], json_real(place + ways[n]));
            }
        }
    }
}

/// A copy with its sources moved as cells are doubled.
static json_t* moved_copy(const GullySession* of, const json_t* json) {
    json_t* copy = json_deep_copy(json);
    if (copy)
        move_sources(copy, gully_world_cell_x(of->world) / 4, gully_world_cell_y(of->world) / 4);
    return copy;
}

// ---- the state ----------------------------------------------------------------------------------

/// The state of another session with nothing held.
static GullyStatus state_of(const GullySession* of, SessionState* out) {
    *out = (SessionState){.changes = moved_copy(of, of->state.changes),
                          .phase = of->state.phase,
                          .phase_step = of->state.phase_step,
                          .phase_held = of->state.phase_held};
    return out->changes ? GULLY_OK : no_memory();
}

static GullyStatus open_start(const GullySession* session, GullyCheckpoint** out) {
    const int threads = session->def.threads > 0 ? session->def.threads : 2;
    return gully_checkpoint_open(session->begun, threads, out);
}

GullyStatus session_start_state(GullySession* session, SessionState* out) {
    GullyCheckpoint* checkpoint;
    *out = (SessionState){0};
    if (session->of) return state_of(session->of, out);
    if (!session->doubled) {
        out->changes = json_object();
        return out->changes ? GULLY_OK : gully_fail(GULLY_NO_MEMORY, "no memory for a session");
    }
    GullyStatus status = open_start(session, &checkpoint);
    if (status) return status;
    json_t* note = json_loads(gully_checkpoint_note(checkpoint), 0, NULL);
    const char* id = json_string_value(json_object_get(note, "session"));
    status = id && strcmp(id, session->id) == 0
                 ? session_state_parse(session, json_object_get(note, "state"), out)
                 : gully_fail(GULLY_BAD_INPUT, "it is the start of another session");
    json_decref(note);
    gully_checkpoint_close(checkpoint);
    return status ? gully_fail_in(status, "%s", session->begun) : status;
}

GullyStatus session_start_cells(GullySession* session) {
    GullyCheckpoint* checkpoint;
    if (session->of) return gully_sim_refine(session->of->sim, session->sim);
    if (!session->doubled) return GULLY_OK;
    GullyStatus status = open_start(session, &checkpoint);
    if (status) return status;
    status = gully_checkpoint_restore(checkpoint, session->sim, gully_sim_threads(session->sim));
    gully_checkpoint_close(checkpoint);
    return status;
}

// ---- its file -----------------------------------------------------------------------------------

/// Copies bytes from one descriptor to another; returns 0 or an errno.
static int copy_bytes(int from, int to) {
    char bytes[1 << 16];
    ssize_t size;
    int error = 0;
    while (!error && (size = read(from, bytes, sizeof bytes)) != 0) {
        if (size < 0 && errno == EINTR) continue;
        error = size < 0 ? errno : gully_descriptor_write(to, bytes, (size_t)size);
    }
    return error ? error : gully_descriptor_sync(to);
}

static GullyStatus copy_file(const char* from, const char* path) {
    GullyStagedFile staged;
    int to;
    const int descriptor = open(from, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return gully_fail(GULLY_IO, "%s: cannot be read: %s", from, strerror(errno));
    GullyStatus status = gully_staged_begin(path, &staged, &to);
    int error = status ? 0 : copy_bytes(descriptor, to);
    close(descriptor);
    if (status) return status;
    if (close(to) != 0 && !error) error = errno;
    if (!error) return gully_staged_keep(&staged, NULL);
    gully_staged_drop(&staged);
    return gully_fail(GULLY_IO, "%s: cannot be written: %s", path, strerror(error));
}

GullyStatus session_start_write(GullySession* session, const char* folder, bool stays) {
    if (!session->doubled) return GULLY_OK;
    char* path = session_path(folder, START_FILE);
    if (!path) return GULLY_NO_MEMORY;
    GullyStatus status =
        session->begun
            ? copy_file(session->begun, path)
            : gully_checkpoint_write(session->started, path, gully_sim_threads(session->sim), NULL);
    if (status || !stays) {
        free(path);
        return status;
    }
    free(session->begun);
    session->begun = path;
    gully_checkpoint_close(session->started);
    session->started = NULL;
    return GULLY_OK;
}

// ---- making -------------------------------------------------------------------------------------

/// Whether there may be twice the cells along each side.
static GullyStatus check_size(const GullySession* of) {
    const int width = gully_world_width(of->world), height = gully_world_height(of->world);
    const double mega = 1024 * 1024, bytes = (double)gully_sim_allocated_bytes(of->sim);
    GullyMemory memory;
    gully_world_memory(of->world, &memory);
    const double left = (double)memory.budget - bytes;
    if (of->doubled >= MOST_DOUBLED)
        return gully_fail(GULLY_BAD_INPUT, "cells can be doubled %d times, and these were",
                          MOST_DOUBLED);
    if (width > MOST_CELLS / 2 || height > MOST_CELLS / 2)
        return gully_fail(GULLY_BAD_INPUT,
                          "%d x %d cells cannot be doubled: allowed are %d along a side", width,
                          height, MOST_CELLS);
    if (4 * bytes <= left) return GULLY_OK;
    return gully_fail(
        GULLY_NO_MEMORY,
        "%d x %d cells take about %.0f MB of memory, beside the present ones; allowed: "
        "%.0f MB (more with --memory)",
        2 * width, 2 * height, 4 * bytes / mega, fmax(left, 0) / mega);
}

/// Cells of several levels have no state of their own.
static GullyStatus check_levels(const GullySession* of) {
    Program program;
    GullyStatus status = session_program(of, of->state.changes, &program);
    for (int phase = 0; phase < program.round && !status; phase++) {
        GullySettings* settings;
        status = session_settings(of, of->state.changes, phase, &settings);
        if (status) break;
        if (gully_settings_have_levels(settings))
            status = gully_fail(GULLY_BAD_INPUT,
                                "levels: the cells of a landscape whose phase %d "
                                "has levels cannot be doubled",
                                phase + 1);
        gully_settings_destroy(settings);
    }
    return status;
}

static GullyStatus parse_scene(const GullySession* of, GullyScene** out) {
    json_t* root = scene_json(of->scene);
    json_t* moved = root ? moved_copy(of, root) : NULL;
    char* text = moved ? json_dumps(moved, JSON_INDENT(2)) : NULL;
    json_decref(root);
    json_decref(moved);
    *out = NULL;
    if (!text) return no_memory();
    GullyStatus status =
        gully_scene_parse(text, strlen(text), "scene", gully_scene_folder(of->scene), NULL, 0, out);
    free(text);
    return status;
}

/// Keeps the state that it starts from: it need not be copied if it is written at once.
static GullyStatus take_start(GullySession* session) {
    char* note = session_note(session);
    if (!note) return GULLY_NO_MEMORY;
    GullyStatus status =
        session->def.folder
            ? gully_checkpoint_borrow(session->sim, note, &session->started)
            : gully_checkpoint_take(session->sim, note, gully_sim_threads(session->sim),
                                    &session->started);
    free(note);
    return status;
}

GullyStatus gully_session_double(const GullySession* of, const GullySessionDef* def,
                                 GullySession** out) {
    assert(of && def && out);
    GullyScene* scene;
    GullySession* session;
    *out = NULL;
    GullyStatus status = gully_def_check(def->made, "gully_session_def");
    if (!status) status = check_size(of);
    if (!status) status = check_levels(of);
    if (!status) status = parse_scene(of, &scene);
    if (!status) status = session_allocate(scene, def, &session);
    if (status) return status;
    session->doubled = of->doubled + 1;
    session->of = of;
    status = session_build(session, NULL, NULL);
    session->of = NULL;
    if (!status) status = take_start(session);
    if (!status && def->folder) status = keeper_create(session, false);
    if (status)
        gully_session_destroy(session);
    else
        *out = session;
    return status;
}
