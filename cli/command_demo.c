// SPDX-License-Identifier: MIT
/// gully demo: the built-in scene, for a first look.
#include <stdio.h>
#include <string.h>

#include "backend_options.h"
#include "command.h"
#include "console.h"
#include "demo_scene.h"
#include "session.h"

/// The scene's own side [cells] and relief [m]; another size keeps the slopes.
enum { DEMO_SIDE = 1024, DEMO_RELIEF = 900 };

typedef struct DemoOptions {
    const char* folder;
    int64_t size;
    int64_t threads;
    BackendWords backend;
    bool quiet;
} DemoOptions;

static const Snapshot snapshots[] = {
    {"before.png", NULL}, {"aged.png", "age"}, {"wet.png", "wet"}, {"after.png", "dry"}, {0},
};

static int run(const void* values) {
    const DemoOptions* options = values;
    BackendChoice backend;
    if (!backend_words("demo", &options->backend, &backend)) return EXIT_USAGE;
    char width[48], height[48], relief[48];
    snprintf(width, sizeof width, "terrain.width=%lld", (long long)options->size);
    snprintf(height, sizeof height, "terrain.height=%lld", (long long)options->size);
    snprintf(relief, sizeof relief, "terrain.relief=%g",
             DEMO_RELIEF * (double)options->size / DEMO_SIDE);
    const char* sets[] = {width, height, relief};
    SessionRequest request = {
        .scene = "demo",
        .built_in = demo_scene,
        .sets = sets,
        .set_count = sizeof sets / sizeof sets[0],
        .steps = -1,
        .threads = (int)options->threads,
        .backend = backend,
        .folder = options->folder,
        .snapshots = snapshots,
        .quiet = options->quiet,
    };
    int code = session_run(&request);
    if (code == EXIT_DONE && !options->quiet) {
        printf("\nThe pictures:\n");
        for (const Snapshot* row = snapshots; row->file; row++)
            printf("  %s/%s\n", options->folder, row->file);
    }
    return code;
}

static const DemoOptions demo_defaults = {.folder = "demo", .size = DEMO_SIDE};

#define AT(member) .offset = offsetof(DemoOptions, member)

#define BACKEND_VALUES DemoOptions

static const Option demo_options[] = {
    {OPTION_TEXT, 'o', "output", "DIR", "folder for the results (default: demo)", AT(folder)},
    {OPTION_COUNT, 0, "size", "N", "cells along a side (default: 1024)", AT(size), .low = 16,
     .high = 16384},
    {OPTION_COUNT, 't', "threads", "N", "threads (default: one per processor)", AT(threads),
     .low = 1, .high = 1024},
    BACKEND_ROWS{OPTION_FLAG, 'q', "quiet", .help = "print nothing but errors", AT(quiet)},
    {0},
};

const Command demo_command = {
    .name = "demo",
    .summary = "erode a generated mountain range, with pictures",
    .description = "Runs the built-in scene: streams cut into a mountain range for 200,000 years, "
                   "then a storm and a dry season follow, with thermal weathering. Writes "
                   "before.png, aged.png, wet.png and after.png beside the outputs of gully run. "
                   "Takes less than a minute.",
    .options = demo_options,
    .size = sizeof(DemoOptions),
    .defaults = &demo_defaults,
    .run = run,
};
