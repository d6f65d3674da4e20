// SPDX-License-Identifier: MIT
/// gully convert: a terrain from one format to another, for an engine, or into tiles.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "console.h"
#include "export_options.h"
#include "field_channels.h"
#include "read_options.h"
#include "run_folder.h"

typedef struct ConvertOptions {
    const char *in, *to, *name;
    TextList join;
    int64_t tiles;
    bool overlap, fields;
    const char *raw_size, *raw_numbers, *raw_order;
    double raw_range[2];
    bool raw_flip;
    double cell;
    ExportOptions out;
    GullyReadDef read;
} ConvertOptions;

// ---- reading ------------------------------------------------------------------------------------

static bool raw_is_told(const ConvertOptions* options) {
    return options->raw_numbers || options->raw_order || options->raw_flip ||
           !isnan(options->raw_range[0]);
}

/// What the options say of raw numbers; false after a message.
static bool raw_meaning(const ConvertOptions* options, GullySidecar* out) {
    bool metres = options->raw_numbers && strcmp(options->raw_numbers, "r32") == 0;
    double low = options->raw_range[0], high = options->raw_range[1];
    *out = (GullySidecar){
        .numbers = metres ? GULLY_FLOAT32 : GULLY_UINT16,
        .big_endian = options->raw_order && strcmp(options->raw_order, "big") == 0,
        .flip = options->raw_flip,
        .min = low,
        .max = high,
        .cell_x = options->cell,
        .cell_y = options->cell,
    };
    if (!size_read("convert", "raw-size", options->raw_size, &out->width, &out->height))
        return false;
    if (out->height == 0) out->height = out->width;
    out->georeference = gully_georeference_plain(out->height, out->cell_x, out->cell_y);
    if (metres || low < high) return true;
    console_error(isnan(low) ? "convert: --raw-range is missing: metres that 0 and 65535 stand for"
                             : "convert: --raw-range wants LOW below HIGH");
    return false;
}

static int read_input(const ConvertOptions* options, GullyRaster* raster) {
    GullyStatus status;
    if (options->raw_size) {
        GullySidecar meaning;
        if (!raw_meaning(options, &meaning)) return EXIT_USAGE;
        status = gully_raw_read(options->in, &meaning, raster);
    } else if (raw_is_told(options)) {
        console_error(
            "convert: --raw-size is missing: the other options about raw numbers need it");
        return EXIT_USAGE;
    } else if (options->join.count > 0) {
        int count = options->join.count + 1;
        const char** paths = malloc((size_t)count * sizeof *paths);
        if (!paths) {
            console_error("out of memory");
            return EXIT_FAILED;
        }
        paths[0] = options->in;
        memcpy(paths + 1, options->join.items, (size_t)(count - 1) * sizeof *paths);
        status = gully_mosaic_read(paths, count, &options->read, raster);
        free(paths);
    } else {
        status = terrain_read(options->in, &options->read, raster);
    }
    if (status != GULLY_OK) return console_fail(status);
    read_notes_print(options->in, raster->notes);
    return EXIT_DONE;
}

static GullyStatus stream_rows(void* context, int y, int count, float* out) {
    return gully_raster_rows(context, y, count, out);
}

/// One raster to one file, by bands of rows as far as the format allows it.
static int convert_rows(const ConvertOptions* options, const char* name,
                        const GullyExportDef* def) {
    GullyRasterStream* stream;
    GullyStatus status = terrain_open(options->in, &options->read, &stream);
    if (status != GULLY_OK) return console_fail(status);
    GullyRows rows = {.read = stream_rows, .context = stream};
    const GullyRaster* head = gully_raster_head(stream);
    int code = export_run(options->to, name, head, &rows, &options->out, def, NULL);
    if (code == EXIT_DONE) read_notes_print(options->in, head->notes);
    gully_raster_close(stream);
    return code;
}

// ---- the command --------------------------------------------------------------------------------

static int run(const void* values) {
    const ConvertOptions* options = values;
    GullyExportDef def;
    if (!export_def("convert", &options->out, &def)) return EXIT_USAGE;
    if (options->overlap && !options->tiles) {
        console_error("convert: --overlap goes with --tiles");
        return EXIT_USAGE;
    }
    if (options->fields)
        return fields_convert(options->in, options->to, &options->read, &options->out, &def);
    char name[128];
    stem_of(options->name ? options->name : options->in, name, sizeof name);
    if (!options->tiles && !options->raw_size && !raw_is_told(options) && options->join.count == 0)
        return convert_rows(options, name, &def);
    GullyRaster raster = {0};
    int code = read_input(options, &raster);
    GullyTilesDef tiles = {.side = (int)options->tiles, .overlap = options->overlap};
    if (code == EXIT_DONE)
        code = export_run(options->to, name, &raster, NULL, &options->out, &def,
                          options->tiles ? &tiles : NULL);
    gully_raster_free(&raster);
    return code;
}

#define AT(member) .offset = offsetof(ConvertOptions, member)

#define READ_VALUES ConvertOptions

static const Option convert_options[] = {
    {OPTION_OPERAND, .name = "IN",
     .help = "a raster that GDAL reads, EXR, raw numbers with their "
             "sidecar, a folder of tiles, the folder of a run, or - for standard input",
     AT(in), .required = true},
    {OPTION_OPERAND, .name = "OUT",
     .help = "a file, a folder, or - for standard output (with --format)", AT(to),
     .required = true},
    EXPORT_ROWS(ConvertOptions),
    {OPTION_COUNT, 't', "tiles", "N", "write tiles of N x N cells into the folder OUT", AT(tiles),
     .low = 1, .high = 1048576},
    {OPTION_FLAG, .name = "overlap", .help = "tiles share their border rows and columns",
     AT(overlap)},
    {OPTION_FLAG, .name = "fields",
     .help =
         "all fields of the run IN as channels of one EXR file: Y (the terrain), water, flow ...",
     AT(fields)},
    {OPTION_TEXT, .name = "name", .argument = "NAME",
     .help = "what files in a folder are called (default: as IN)", AT(name)},
    {OPTION_TEXTS, 'j', "join", "FILE", "another raster beside IN; all become one", AT(join)},
    {OPTION_TEXT, .name = "raw-size", .argument = "W[xH]",
     .help = "IN is raw numbers without a sidecar, so many cells", AT(raw_size)},
    {OPTION_CHOICE, .name = "raw-numbers", .argument = "r16|r32",
     .help = "unsigned 16-bit or 32-bit float (default: r16)", AT(raw_numbers)},
    {OPTION_PAIR, .name = "raw-range", .argument = "LOW,HIGH",
     .help = "metres that its 0 and 65535 stand for", AT(raw_range), .low = -1e30, .high = 1e30},
    {OPTION_CHOICE, .name = "raw-order", .argument = "little|big",
     .help = "its byte order (default: little)", AT(raw_order)},
    {OPTION_FLAG, .name = "raw-flip", .help = "its rows go from south to north", AT(raw_flip)},
    {OPTION_NUMBER, .name = "raw-cell", .argument = "M", .help = "its metres per cell (default: 1)",
     AT(cell), .low = 1e-6, .high = 1e9},
    READ_ROWS{0},
};

static const ConvertOptions convert_defaults = {
    .raw_range = {NAN, NAN}, .cell = 1, .out = EXPORT_NOTHING};

const Command convert_command = {
    .name = "convert",
    .summary = "terrain in another format, for an engine, as tiles",
    .description =
        "Writes the heights of IN in another format. 16-bit formats use all their steps for the "
        "heights that there are, unless --out-range says otherwise. What such a file, or a raw "
        "one, cannot say stands in a sidecar OUT.json: metres of 0 and 65535, metres per cell, "
        "byte "
        "order, direction of the rows, nodata, georeference. With it the file can be read again "
        "wherever Gully reads a raster.\n\n"
        "A preset writes what an engine imports as it is. It chooses the nearest size that the "
        "engine takes and says so; --size picks another.\n\n"
        "Tiles are named NAME_X_Z for Unity (Z from the south), else NAME_xX_yY (Y from the "
        "north), with an index tiles.json; all have one range of heights. The folder can be read "
        "again as one raster.",
    .options = convert_options,
    .size = sizeof(ConvertOptions),
    .defaults = &convert_defaults,
    .run = run,
};
