// SPDX-License-Identifier: MIT
/// gully studio: a page in the browser that shows a running simulation and steers it.
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "backend_options.h"
#include "command.h"
#include "console.h"
#include "interrupt.h"
#include "memory_options.h"
#include "read_options.h"
#include "studio.h"

typedef struct StudioOptions {
    const char *input, *address, *page;
    int64_t port, threads;
    GullyReadDef read;
    BackendWords backend;
    MemoryChoice memory;
    bool no_browser, unwatched;
} StudioOptions;

extern char** environ;

static bool asked_to_stop(void) {
    return interrupt_asked() > 0;
}

/// Has the desktop open an address; if that does not work, the address has been printed.
static void open_browser(const char* address) {
    char* words[] = {"xdg-open", (char*)address, NULL};
    posix_spawn_file_actions_t actions;
    pid_t process;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnp(&process, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
}

static void tell_address(const char* address, void* context) {
    const StudioOptions* options = context;
    printf("Gully studio: %s\n", address);
    fflush(stdout);
    bool desktop = getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
    if (desktop && !options->no_browser) open_browser(address);
}

static int run(const void* values) {
    StudioOptions options = *(const StudioOptions*)values;
    BackendChoice backend;
    if (!backend_words("studio", &options.backend, &backend)) return EXIT_USAGE;
    char told[READ_SETS][READ_SET_SIZE];
    const char* sets[READ_SETS];
    int set_count = read_sets(&options.read, told);
    for (int i = 0; i < set_count; i++)
        sets[i] = told[i];
    StudioDef def = {
        .input = options.input,
        .sets = sets,
        .set_count = set_count,
        .address = options.address,
        .port = (int)options.port,
        .threads = (int)options.threads,
        .backend = backend.backend,
        .device = backend.device,
        .memory = (size_t)options.memory.bytes,
        .scratch = options.memory.scratch,
        .page = options.page,
        .runs_unwatched = options.unwatched,
        .stop = asked_to_stop,
        .ready = tell_address,
        .context = &options,
    };
    interrupt_watch();
    GullyStatus status = studio_run(&def);
    return status == GULLY_OK ? EXIT_DONE : console_fail(status);
}

#define AT(member) .offset = offsetof(StudioOptions, member)

#define READ_VALUES StudioOptions
#define BACKEND_VALUES StudioOptions
#define MEMORY_VALUES StudioOptions

static const Option studio_options[] = {
    {OPTION_OPERAND, .name = "SCENE|RASTER",
     .help = "what to begin with (default: the mountains of gully demo, in the rain at once)",
     AT(input)},
    {OPTION_COUNT, 'p', "port", "N", "port to listen at (default: the first free one from 8420 on)",
     AT(port), .low = 1, .high = 65535},
    {OPTION_FLAG, .name = "no-browser", .help = "print the address, but do not open it",
     AT(no_browser)},
    {OPTION_TEXT, .name = "listen", .argument = "ADDRESS",
     .help = "address of this machine to listen at, for another one in the room (default: "
             "127.0.0.1, for this one alone)",
     AT(address)},
    {OPTION_COUNT, 't', "threads", "N", "threads (default: one per processor)", AT(threads),
     .low = 1, .high = 1024},
    BACKEND_ROWS MEMORY_ROWS(".gully"){
        OPTION_FLAG, .name = "unwatched",
        .help = "go on while no page is looked at (default: pause; pages can change it)",
        AT(unwatched)},
    {OPTION_TEXT, .name = "page", .argument = "DIR",
     .help = "folder of the page (default: beside the program, or where it is installed)",
     AT(page)},
    READ_ROWS{0},
};

const Command studio_command = {
    .name = "studio",
    .summary = "a page in the browser: watch the erosion, and take part",
    .description =
        "Runs a simulation and serves a page that shows it while it goes on: brushes, sliders, "
        "undo, layers, export. The address that is printed has a secret in it; who does not have "
        "it is refused. Ctrl-C ends the studio.\n\n"
        "Pages see files in the working folder only. Sessions that are saved lie in sessions/, "
        "everything else in .gully/. What was not saved when the studio ended is offered again.\n\n"
        "What steps can be changed on the page while it runs. Until a device's kernels are "
        "compiled, and if it fails, the processor steps.",
    .options = studio_options,
    .size = sizeof(StudioOptions),
    .run = run,
};
