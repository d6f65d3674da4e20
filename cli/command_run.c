// SPDX-License-Identifier: MIT
/// gully run: a scene in, rasters, a picture and a report out.
#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "backend_options.h"
#include "command.h"
#include "console.h"
#include "demo_scene.h"
#include "memory_options.h"
#include "movie.h"
#include "pictures.h"
#include "read_options.h"
#include "session.h"
#include "standard.h"

typedef struct RunOptions {
    const char* scene;
    const char* folder;
    int64_t steps; ///< < 0 = as the scene says
    int64_t threads;
    TextList sets;
    GullyReadDef read;
    BackendWords backend;
    int64_t checkpoint; ///< 0 = none
    bool resume, velocity, json, quiet, dry_run;
    const char* outputs; ///< NULL = the usual ones
    int64_t preview;     ///< level of the whole world; < 0 = as the scene says
    MemoryChoice memory; ///< without --scratch the rest is kept beside the results
    int64_t frame_every; ///< 0 = no frames
    PictureWords frame;  ///< what they look like
    const char* movie;
} RunOptions;

/// What is asked for of frames; EXIT_DONE, or the exit code after a message.
static int frame_request(const RunOptions* options, FrameRequest* out) {
    const PictureWords* words = &options->frame;
    *out = (FrameRequest){.every = options->frame_every, .movie = options->movie};
    if (out->every == 0 && (options->movie || words->view || words->size || words->camera)) {
        console_error("run: --movie and --frame-... need --frames EVERY");
        return EXIT_USAGE;
    }
    if (!picture_words("run", words, 1, 1, 1, false, &out->def)) return EXIT_USAGE;
    out->sized = words->size != NULL;
    GullyStatus status = options->movie ? movie_check(options->movie) : GULLY_OK;
    return status == GULLY_OK ? EXIT_DONE : console_fail(status);
}

// ---- a raster instead of a scene ----------------------------------------------------------------

/// Whether the name is that of a raster or of tiles, not of a scene.
static bool is_raster(const char* path) {
    struct stat info;
    const char* dot = strrchr(path, '.');
    if (stat(path, &info) != 0) return gully_raster_is_part(path);
    if (dot && strcasecmp(dot, ".json") == 0) return false;
    if (S_ISDIR(info.st_mode)) return true;
    FILE* file = fopen(path, "rb");
    int letter = ' ';
    while (file && isspace(letter))
        letter = fgetc(file);
    if (file) fclose(file);
    return dot && letter != '{' && letter != EOF;
}

/// Leaves out the phases that have a model of their own: what a file holds is old enough.
static void keep_rain(json_t* program) {
    for (size_t i = json_array_size(program); i-- > 0;) {
        if (json_object_get(json_array_get(program, i), "model")) json_array_remove(program, i);
    }
}

/// The demo's rain and rock on that ground, as the text of a scene; NULL without memory.
static char* scene_on(const char* path) {
    json_t* scene = json_loads(demo_scene, 0, NULL);
    keep_rain(json_object_get(scene, "program"));
    json_object_set_new(scene, "terrain", json_pack("{s:s}", "file", path));
    json_object_del(scene, "cell_size"); // the raster's own
    char* text = json_dumps(scene, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    json_decref(scene);
    if (!text) console_error("%s: no memory, or its name is no UTF-8", path);
    return text;
}

static void tell_settings(const char* path) {
    json_t* name = json_string(path);
    char* quoted = json_dumps(name, JSON_ENCODE_ANY);
    fprintf(stderr,
            "gully: %s: a raster; it is run with the settings of gully demo, from its rain on. A "
            "scene has others: {\"gully\": 1, \"terrain\": {\"file\": %s}, \"rain\": {\"rate\": "
            "1e-4}, \"steps\": 1000}\n",
            path, quoted ? quoted : "...");
    free(quoted);
    json_decref(name);
}

/// What is told about the raster and the level of a preview, then what --set says. Free the list.
static const char** all_sets(const RunOptions* options, char told[READ_SETS + 1][READ_SET_SIZE],
                             int* count) {
    int first = read_sets(&options->read, told);
    if (options->preview >= 0)
        snprintf(told[first++], READ_SET_SIZE, "levels={\"fixed\": %d}", (int)options->preview);
    *count = first + options->sets.count;
    const char** sets = malloc((size_t)(*count + 1) * sizeof *sets);
    for (int i = 0; sets && i < *count; i++)
        sets[i] = i < first ? told[i] : options->sets.items[i - first];
    if (!sets) console_error("out of memory");
    return sets;
}

static int run_request(const RunOptions* options, SessionRequest* request) {
    char told[READ_SETS + 1][READ_SET_SIZE];
    const char** sets = all_sets(options, told, &request->set_count);
    request->sets = sets;
    bool raster = is_raster(options->scene), standard = is_standard(options->scene);
    char* text = NULL;
    size_t size;
    int code = EXIT_FAILED;
    if (sets && standard && standard_read(&text, &size) != GULLY_OK) code = console_fail(GULLY_IO);
    if (sets && raster) text = scene_on(options->scene);
    request->built_in = text;
    request->standard = standard;
    if (standard) request->scene = "standard input";
    if (sets && (text || !(raster || standard))) {
        if (raster && !options->quiet) tell_settings(options->scene);
        code = session_run(request);
    }
    free(text);
    free(sets);
    return code;
}

// ---- the command --------------------------------------------------------------------------------

static int run(const void* values) {
    const RunOptions* options = values;
    FrameRequest frames;
    BackendChoice backend;
    OutputChoice outputs;
    if (!backend_words("run", &options->backend, &backend)) return EXIT_USAGE;
    if (!output_choice_read("run", options->outputs, options->velocity, &outputs))
        return EXIT_USAGE;
    int code = frame_request(options, &frames);
    if (code != EXIT_DONE) return code;
    SessionRequest request = {
        .scene = options->scene,
        .steps = options->steps,
        .threads = (int)options->threads,
        .backend = backend,
        .folder = options->folder,
        .frames = &frames,
        .checkpoints = true,
        .checkpoint_every = options->checkpoint,
        .resume = options->resume,
        .outputs = outputs,
        .memory = (size_t)options->memory.bytes,
        .scratch = options->memory.scratch,
        .outputs_named = options->outputs != NULL,
        .quiet = options->quiet,
        .dry_run = options->dry_run,
        .json = options->json,
    };
    return run_request(options, &request);
}

static const RunOptions run_defaults = {.steps = -1, .preview = -1};

#define AT(member) .offset = offsetof(RunOptions, member)

#define READ_VALUES RunOptions
#define BACKEND_VALUES RunOptions
#define MEMORY_VALUES RunOptions

static const Option run_options[] = {
    {OPTION_OPERAND, .name = "SCENE",
     .help = "the scene file, JSON, or - for standard input; or a raster, which is run with the "
             "settings of gully demo",
     AT(scene), .required = true},
    {OPTION_TEXT, 'o', "output", "DIR", "folder for the results; made if it is not there",
     AT(folder), .required = true},
    {OPTION_COUNT, 'n', "steps", "N",
     "run N steps in all: later phases are cut or the last one is lengthened", AT(steps), .low = 0,
     .high = 1e15},
    {OPTION_COUNT, 't', "threads", "N",
     "threads; the result does not depend on them (default: one per processor)", AT(threads),
     .low = 1, .high = 1024},
    {OPTION_TEXTS, 's', "set", "KEY=VALUE",
     "change the scene: a path with dots, as in params.capacity=0.8 or boundary.east=open",
     AT(sets)},
    {OPTION_COUNT, 0, "preview", "LEVEL",
     "step all of it with cells 2^LEVEL as large, as levels.fixed does: about 8 times cheaper for "
     "each "
     "of the first two levels, 4 times for each further one; what is written keeps the size of the "
     "terrain and its fine relief",
     AT(preview), .low = 0, .high = 8},
    BACKEND_ROWS MEMORY_ROWS("the one of the results"){
        OPTION_COUNT, 0, "checkpoint", "EVERY",
        "save the run in DIR every so many steps, to go on from with --resume", AT(checkpoint),
        .low = 1, .high = 1e15},
    {OPTION_FLAG, 0, "resume",
     .help = "go on from the newest checkpoint in DIR; without one, start from the beginning",
     AT(resume)},
    {OPTION_TEXT, 0, "outputs", "NAMES",
     "write only these, with commas between them: " OUTPUT_NAMES
     " (default: all but velocity); report.json is written in any case",
     AT(outputs)},
    {OPTION_FLAG, 0, "velocity",
     .help = "also write the velocity of the water in the last step: velocity_x.tif (to the right) "
             "and velocity_y.tif (down the file) [m/s]",
     AT(velocity)},
    {OPTION_COUNT, 0, "frames", "EVERY",
     "also draw a picture every so many steps: DIR/frames/000000.png and so on", AT(frame_every),
     .low = 1, .high = 1e15},
    {OPTION_CHOICE, 0, "frame-view", "relief|perspective",
     "how they look (default: perspective; see gully render)", AT(frame.view)},
    {OPTION_TEXT, 0, "frame-size", "WxH",
     "their size (default: 1280x720; of a relief that of the terrain)", AT(frame.size)},
    {OPTION_TEXT, 0, "frame-camera", "AZIMUTH,ELEVATION[,DISTANCE]",
     "where their camera stands (default: 205,28,1)", AT(frame.camera)},
    {OPTION_TEXT, 0, "movie", "MP4", "make a movie of the frames, with ffmpeg", AT(movie)},
    {OPTION_FLAG, 0, "json", .help = "print the report as JSON instead of the summary", AT(json)},
    {OPTION_FLAG, 0, "dry-run",
     .help = "check everything and say what would be run and written, but run and write nothing",
     AT(dry_run)},
    QUIET_ROW(RunOptions, quiet, "print nothing but errors"),
    READ_ROWS{0},
};

const Command run_command = {
    .name = "run",
    .summary = "run a scene and write what comes out",
    .description =
        "Runs a scene and writes into DIR, as 32-bit float GeoTIFF with the georeference of the "
        "input: terrain.tif, water.tif, sediment.tif, flow.tif (mean discharge, m2/s), wear.tif "
        "(m eroded) and deposit.tif (m deposited), and of a scene with materials layer-NAME.tif "
        "for "
        "each of them; preview.png, a shaded picture with water in blue, suspended sediment in "
        "green and deposits in red, or materials in their colours; and report.json: the scene as "
        "it was run, times, the budget of water and solid, what became of each material, and a "
        "hash of each field that is written. --outputs leaves files out; without flow, wear, "
        "deposit, preview and frames the run also takes less memory.\n\n"
        "The files appear together, when all of them are whole. Ctrl-C stops the run and writes "
        "a checkpoint and what there is; a second one quits at once. A run that was stopped or "
        "killed and goes on with --resume ends with the same files as one that was not; its scene "
        "must be the same, only --steps may differ. The checkpoints of a run that is done are "
        "removed. Progress goes to stderr if that is a terminal.\n\n"
        "With levels (--preview, or the scene's key) steps come in blocks of four: a phase of "
        "another "
        "number of steps is lengthened to the next multiple. report.json has the steps that were "
        "made, and under levels the share of the area at each level and the cell-steps.\n\n"
        "mpirun -n N gully run ... shares the world among N processes, also on several machines "
        "that "
        "see the same folders: the files are the same. --memory and --threads are those of each. "
        "Checkpoints go on with any number of them.\n\n"
        "With --backend gpu the device steps from the first step on, as soon as its kernels are "
        "compiled (the next run takes them from a cache); without one that fits nothing is run. "
        "With auto the processor steps until the kernels are compiled, and all the way if no GPU "
        "fits. If the device fails on the way, the processor goes on, a message says so, and so "
        "does the report. The files are the same in any case, to the bit.",
    .options = run_options,
    .size = sizeof(RunOptions),
    .defaults = &run_defaults,
    .run = run,
};
