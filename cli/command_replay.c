// SPDX-License-Identifier: MIT
/// gully replay: a session from its very beginning, and whether it comes out as it did.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend_options.h"
#include "command.h"
#include "console.h"
#include "gully/session.h"
#include "interrupt.h"
#include "memory_options.h"
#include "run_folder.h"

typedef struct ReplayOptions {
    const char* session;
    const char* folder; ///< NULL = no files
    int64_t threads;
    BackendWords backend;
    MemoryChoice memory;
    bool json, quiet;
} ReplayOptions;

typedef struct Replay {
    const ReplayOptions* options;
    BackendChoice backend;
    GullySimDevice device; ///< at the end
    GullySessionInfo info;
    GullySession* session;
    json_t* hashes; ///< of the fields,
    json_t* saved;  ///< and as they were; NULL = not known
    double start, wall_time;
} Replay;

// ---- playing ------------------------------------------------------------------------------------

static bool show(void* context, double share) {
    const Replay* replay = context;
    double taken = clock_seconds() - replay->start;
    Progress progress = {
        .label = "replaying",
        .done = (long long)(share * (double)replay->info.steps),
        .total = replay->info.steps,
        .seconds_left = share > 0 ? taken * (1 - share) / share : -1,
    };
    progress_show(&progress);
    return !interrupt_asked();
}

/// Asks for the hashes of the fields, and looks for those that were saved.
static GullyStatus find_hashes(Replay* replay) {
    static const char question[] = "{\"do\": \"hash\"}";
    char *reply, *saved;
    GullyStatus status = gully_session_do(replay->session, question, strlen(question), &reply);
    if (status != GULLY_OK) return status;
    json_t* answer = json_loads(reply, 0, NULL);
    replay->hashes = json_incref(json_object_get(answer, "hashes"));
    json_decref(answer);
    free(reply);
    status = gully_session_look_hashes(replay->options->session, &saved);
    if (status == GULLY_OK && saved) replay->saved = json_loads(saved, 0, NULL);
    free(saved);
    return status;
}

static GullyStatus play(Replay* replay) {
    GullySessionDef def = gully_session_def();
    def.threads = (int)replay->options->threads;
    def.backend = replay->backend.backend;
    def.device = replay->backend.device;
    def.memory = (size_t)replay->options->memory.bytes;
    def.scratch = replay->options->memory.scratch;
    def.progress = show;
    def.context = replay;
    GullyStatus status = gully_session_look(replay->options->session, &replay->info);
    if (status != GULLY_OK) return status;
    progress_say("reading %s", replay->options->session);
    replay->start = clock_seconds();
    status = gully_session_replay(replay->options->session, &def, &replay->session);
    replay->wall_time = clock_seconds() - replay->start;
    if (status != GULLY_OK) return status;
    gully_sim_device(gully_session_sim(replay->session), &replay->device);
    if (replay->device.state == GULLY_DEVICE_FAILED)
        console_error("the device has failed, and the processor went on: %s",
                      replay->device.message);
    return find_hashes(replay);
}

// ---- files --------------------------------------------------------------------------------------

/// The rows of a field.
typedef struct WorldRows {
    const GullyWorld* world;
    GullyField field;
} WorldRows;

static GullyStatus read_rows(void* context, int y, int count, float* out) {
    const WorldRows* rows = context;
    const GullyRect rect = {0, y, gully_world_width(rows->world), count};
    return gully_world_read(rows->world, rows->field, rect, out);
}

static GullyStatus write_field(const Replay* replay, GullyOutputs* set, GullyField field,
                               const char* name) {
    const GullyWorld* world = gully_sim_world(gully_session_sim(replay->session));
    GullyRaster raster = {
        .width = gully_world_width(world),
        .height = gully_world_height(world),
        .cell_x = gully_world_cell_x(world),
        .cell_y = gully_world_cell_y(world),
        .georeference = *gully_session_georeference(replay->session),
    };
    WorldRows cells = {world, field};
    const GullyRows rows = {.read = read_rows, .context = &cells};
    char* path = folder_path(replay->options->folder, name, ".tif");
    if (!path) return GULLY_NO_MEMORY;
    gully_raster_describe(&raster, name, gully_field_unit(field));
    const GullyStatus status = gully_outputs_rows(set, path, &raster, &rows);
    free(path);
    return status;
}

static GullyStatus write_fields(const Replay* replay, GullyOutputs* set) {
    static const GullyField fields[] = {GULLY_TERRAIN, GULLY_WATER, GULLY_SEDIMENT,
                                        GULLY_FLOW,    GULLY_WEAR,  GULLY_DEPOSIT};
    const GullyWorld* world = gully_sim_world(gully_session_sim(replay->session));
    GullyStatus status = GULLY_OK;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0] && status == GULLY_OK; i++)
        status = write_field(replay, set, fields[i], gully_field_name(fields[i]));
    for (int m = 0; m < gully_world_material_count(world) && status == GULLY_OK; m++) {
        char name[16 + GULLY_MATERIAL_NAME];
        snprintf(name, sizeof name, "layer-%s", gully_world_material(world, m)->name);
        status = write_field(replay, set, GULLY_LAYER(m), name);
    }
    return status;
}

/// The rasters of `gully run`: all of them appear, or none does.
static GullyStatus write_all(const Replay* replay) {
    const char* folder = replay->options->folder;
    if (!folder) return GULLY_OK;
    progress_say("writing %s", folder);
    GullyStatus status = gully_folder_make(folder);
    if (status != GULLY_OK) return status;
    gully_folder_tidy(folder);
    interrupt_hold(true);
    GullyOutputs* set;
    status = gully_outputs_create(&set);
    if (status == GULLY_OK) status = write_fields(replay, set);
    if (status == GULLY_OK)
        status = gully_outputs_commit(set);
    else
        gully_outputs_abandon(set);
    interrupt_hold(false);
    return status;
}

// ---- telling ------------------------------------------------------------------------------------

static bool is_other(const Replay* replay) {
    return replay->saved && !json_equal(replay->hashes, replay->saved);
}

static void print_replay(const Replay* replay) {
    char taken[64];
    duration_text(replay->wall_time, taken, sizeof taken);
    printf("session    %s, %s\n", replay->options->session, replay->info.terrain);
    printf("played     %lld steps, %lld records in %s\n", (long long)replay->info.steps,
           (long long)replay->info.records, taken);
    backend_print(&replay->device);
    const char* field;
    json_t* hash;
    json_object_foreach(replay->hashes, field, hash) {
        bool differs = replay->saved && !json_equal(hash, json_object_get(replay->saved, field));
        printf("%-10s %s%s\n", field, json_string_value(hash), differs ? "  another" : "");
    }
    printf("%s\n", !replay->saved ? "nothing to compare with: it was not saved or closed at its end"
                   : is_other(replay) ? "different from what was saved"
                                      : "the same as what was saved");
}

static json_t* json_replay(const Replay* replay) {
    const GullyWorld* world = gully_sim_world(gully_session_sim(replay->session));
    return json_pack("{s:s, s:s, s:I, s:I, s:f, s:O, s:O?, s:o, s:o, s:s, s:o*}", "session",
                     replay->options->session, "terrain", replay->info.terrain, "steps",
                     (json_int_t)replay->info.steps, "records", (json_int_t)replay->info.records,
                     "wall_time", replay->wall_time, "hashes", replay->hashes, "saved",
                     replay->saved, "same",
                     replay->saved ? json_boolean(!is_other(replay)) : json_null(), "memory",
                     memory_json(world, replay->info.steps), "backend",
                     backend_name(&replay->device), "device", backend_json(&replay->device));
}

static int tell(const Replay* replay) {
    if (replay->options->json)
        console_json(json_replay(replay));
    else if (!replay->options->quiet)
        print_replay(replay);
    if (!is_other(replay)) return EXIT_DONE;
    console_error("%s: replayed, it is different from what was saved", replay->options->session);
    return EXIT_FAILED;
}

static int run(const void* values) {
    Replay replay = {.options = values};
    if (!backend_words("replay", &replay.options->backend, &replay.backend)) return EXIT_USAGE;
    progress_enable(!replay.options->quiet);
    interrupt_watch();
    GullyStatus status = play(&replay);
    if (status == GULLY_OK) status = write_all(&replay);
    progress_clear();
    int code = interrupt_asked()    ? EXIT_INTERRUPTED
               : status == GULLY_OK ? tell(&replay)
                                    : console_fail(status);
    json_decref(replay.hashes);
    json_decref(replay.saved);
    gully_session_destroy(replay.session);
    return code;
}

#define AT(member) .offset = offsetof(ReplayOptions, member)

#define BACKEND_VALUES ReplayOptions
#define MEMORY_VALUES ReplayOptions

static const Option replay_options[] = {
    {OPTION_OPERAND, .name = "SESSION", .help = "the folder of a session", AT(session),
     .required = true},
    {OPTION_TEXT, 'o', "output", "DIR",
     "also write the rasters, as of gully run; the folder is made if it is not there", AT(folder)},
    {OPTION_COUNT, 't', "threads", "N",
     "threads; the result does not depend on them (default: one per processor)", AT(threads),
     .low = 1, .high = 1024},
    BACKEND_ROWS MEMORY_ROWS("the system's for temporary files"){
        OPTION_FLAG, 0, "json", .help = "print JSON instead of the summary", AT(json)},
    {OPTION_FLAG, 'q', "quiet", .help = "print nothing but errors", AT(quiet)},
    {0},
};

const Command replay_command = {
    .name = "replay",
    .summary = "play a session again from its beginning",
    .description =
        "Plays the scene of a session and everything that was done to it since, step by step, "
        "without its checkpoints, and compares the fields with what they were when it was saved or "
        "closed. Returns 1 if they differ. A session that was killed can be played as far as it "
        "was kept; then there is nothing to compare with.",
    .options = replay_options,
    .size = sizeof(ReplayOptions),
    .run = run,
};
