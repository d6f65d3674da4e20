// SPDX-License-Identifier: MIT
/// gully generate: a procedural terrain as a file.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "command.h"
#include "console.h"
#include "export_options.h"
#include "gully/generate.h"

// The rows of the generators' parameters become members, defaults and options.
#define MEMBER(kind, name, ...) MEMBER_##kind name;
#define FALLBACK(kind, name, fallback, ...) .name = fallback,
#define OPTION(kind, name_, fallback, low_, high_, unit, help_)                                    \
    {OPTION_##kind,                                                                                \
     .name = #name_,                                                                               \
     .argument = "N",                                                                              \
     .help = help_ "; default: " #fallback " " unit,                                               \
     .offset = offsetof(GenerateOptions, name_),                                                   \
     .low = low_,                                                                                  \
     .high = high_},
#define OPTION_number OPTION_NUMBER
#define OPTION_integer OPTION_COUNT
typedef double MEMBER_number;
typedef int64_t MEMBER_integer;

typedef struct GenerateOptions {
    const char *kind, *output;
    double cell;
    GULLY_GENERATE_PARAMS(MEMBER)
    ExportOptions out;
} GenerateOptions;

static GullyGenerateParams params_of(const GenerateOptions* options) {
#define COPY(kind, name, ...) .name = (GULLY_C_##kind)options->name,
    return (GullyGenerateParams){GULLY_GENERATE_PARAMS(COPY)};
#undef COPY
}

/// Whether there is a terrain of that kind; a message if not.
static bool kind_is_known(const char* kind) {
    enum { MOST = 64 };
    const char* names[MOST + 1] = {0};
    for (int i = 0; i < gully_generator_count() && i < MOST; i++) {
        names[i] = gully_generator_info(i)->name;
        if (strcmp(names[i], kind) == 0) return true;
    }
    unknown_name("generate: no such terrain", kind, names);
    return false;
}

static GullyStatus make_rows(void* context, int y, int count, float* out) {
    return gully_generation_rows(context, y, count, out);
}

static int make(const GenerateOptions* options, const GullyExportDef* def) {
    GullyGenerateLayer layer = gully_generate_layer(options->kind);
    layer.source.params = params_of(options);
    GullyRaster raster = {.width = layer.source.params.width,
                          .height = layer.source.params.height,
                          .cell_x = options->cell,
                          .cell_y = options->cell};
    raster.georeference = gully_georeference_plain(raster.height, options->cell, options->cell);
    gully_raster_describe(&raster, "terrain", "m");
    GullyGenerateDef terrain = {
        .width = raster.width, .height = raster.height, .layers = &layer, .count = 1};
    GullyGeneration* generation;
    GullyStatus status = gully_generation_create(&terrain, &generation);
    if (status != GULLY_OK) return console_fail(status);
    GullyRows rows = {.read = make_rows, .context = generation};
    int code = export_run(options->output, options->kind, &raster, &rows, &options->out, def, NULL);
    gully_generation_destroy(generation);
    return code;
}

static int run(const void* values) {
    const GenerateOptions* options = values;
    GullyExportDef def;
    if (!kind_is_known(options->kind) || !export_def("generate", &options->out, &def))
        return EXIT_USAGE;
    if (options->width > INT_MAX / options->height) {
        console_error("generate: %lld x %lld cells are too many; at most %d in all",
                      (long long)options->width, (long long)options->height, INT_MAX);
        return EXIT_USAGE;
    }
    return make(options, &def);
}

#define AT(member) .offset = offsetof(GenerateOptions, member)

static const Option generate_options[] = {
    {OPTION_OPERAND, .name = "KIND", .help = "of terrain; gully models lists them", AT(kind),
     .required = true},
    {OPTION_TEXT, 'o', "output", "FILE",
     "in any format that gully convert writes; - = to standard output", AT(output),
     .required = true},
    GULLY_GENERATE_PARAMS(OPTION){OPTION_NUMBER, .name = "cell", .argument = "M",
                                  .help = "metres per cell (default: 10)", AT(cell), .low = 1e-6,
                                  .high = 1e9},
    EXPORT_ROWS(GenerateOptions),
    {0},
};

static const GenerateOptions generate_defaults = {
    .cell = 10, GULLY_GENERATE_PARAMS(FALLBACK).out = EXPORT_NOTHING};

const Command generate_command = {
    .name = "generate",
    .summary = "make a procedural terrain",
    .description = "Makes a terrain and writes it to a file. The same seed gives the same mountain "
                   "at any resolution. Formats and presets are those of gully convert.",
    .options = generate_options,
    .size = sizeof(GenerateOptions),
    .defaults = &generate_defaults,
    .run = run,
};
