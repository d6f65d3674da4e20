// SPDX-License-Identifier: MIT
/// gully maps: slope, curvature, wetness, normals and splat maps of a terrain.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atlas.h"
#include "command.h"
#include "console.h"
#include "export_options.h"
#include "gully/mesh.h"
#include "gully/world.h"
#include "read_options.h"
#include "run_folder.h"
#include "splat_files.h"

typedef struct MapsOptions {
    const char *input, *output;
    const char* fields[ATLAS_FIELDS];
    TextList only;
    const char *normal, *splat, *rules;
    double blend;
    int64_t tiles;
    bool overlap, grey;
    GullyReadDef read;
    ExportOptions out;
} MapsOptions;

typedef struct Work {
    const MapsOptions* options;
    Atlas atlas;
    json_t* files;      ///< names that were written
    GullyExportDef def; ///< how rasters are written, and the set of all files
    GullyTilesDef tiles;
    bool as_asked; ///< in a format, size or tiles that are asked for, as the heights would be
} Work;

/// What can be made: the maps, the pictures, and the masks of a run.
enum { NORMAL = GULLY_MAP_COUNT, SPLAT, MASKS, CHOICES = MASKS + ATLAS_FIELDS };

static const char* choice_name(int choice) {
    static const char* const others[] = {"normal", "splat", "water", "flow", "wear", "deposit"};
    return choice < GULLY_MAP_COUNT ? gully_map_name((GullyMap)choice) : others[choice - NORMAL];
}

/// A run has its masks already: they are written again only as something else.
static bool is_wanted(const Work* work, int choice) {
    const TextList* only = &work->options->only;
    for (int i = 0; i < only->count; i++)
        if (strcmp(only->items[i], choice_name(choice)) == 0) return true;
    return only->count == 0 && (choice < MASKS || work->as_asked);
}

static const GullyTilesDef* tiles_of(const Work* work) {
    return work->options->tiles ? &work->tiles : NULL;
}

/// Whether all names of --only are there.
static bool check_only(const MapsOptions* options) {
    const char* names[CHOICES + 1] = {0};
    for (int i = 0; i < CHOICES; i++)
        names[i] = choice_name(i);
    for (int i = 0; i < options->only.count; i++) {
        bool known = false;
        for (int k = 0; k < CHOICES; k++)
            known |= strcmp(options->only.items[i], names[k]) == 0;
        if (known) continue;
        unknown_name("maps: --only: unknown map", options->only.items[i], names);
        return false;
    }
    return true;
}

static void wrote(void* context, const char* name) {
    Work* work = context;
    json_array_append_new(work->files, json_string(name));
}

// ---- writing ------------------------------------------------------------------------------------

/// Writes a raster as a file of the folder, or as tiles into a folder of its name in that.
static GullyStatus write_raster(Work* work, const char* name, const char* unit,
                                const float* values) {
    GullyRaster raster = work->atlas.ground; // its georeference and cell size
    raster.values = (float*)values;
    gully_raster_describe(&raster, name, unit);
    const GullyTilesDef* tiles = tiles_of(work);
    char* folder = folder_path(work->options->output, tiles ? name : "", "");
    if (!folder) return GULLY_NO_MEMORY;
    GullyExported exported;
    GullyStatus status =
        tiles ? gully_export_tiles(folder, name, &raster, &work->def, tiles, &exported)
              : gully_export(folder, name, &raster, &work->def, &exported);
    char label[64];
    snprintf(label, sizeof label, "%s/", name);
    if (status == GULLY_OK) wrote(work, tiles ? label : strrchr(exported.path, '/') + 1);
    free(folder);
    return status;
}

static GullyStatus write_map(Work* work, GullyMap map) {
    const float* values;
    GullyStatus status = atlas_map(&work->atlas, map, &values);
    if (status != GULLY_OK) return status;
    return write_raster(work, gully_map_name(map), gully_map_unit(map), values);
}

/// A mask of the run; nothing if it has none and nobody asked for it by name.
static GullyStatus write_mask(Work* work, int field) {
    static const GullyField fields[ATLAS_FIELDS] = {GULLY_WATER, GULLY_FLOW, GULLY_WEAR,
                                                    GULLY_DEPOSIT};
    const char* name = gully_field_name(fields[field]);
    const float* values = work->atlas.fields[field].values;
    if (values) return write_raster(work, name, gully_field_unit(fields[field]), values);
    if (work->options->only.count == 0) return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT, "%s: is not there; --%s names its raster", name, name);
}

/// Drops the fourth channel where it says nothing.
static void drop_alpha(GullyTexture* texture, size_t cells) {
    for (size_t i = 0; i < cells; i++)
        if (texture->pixels[4 * i + 3] != 255) return;
    for (size_t i = 0; i < cells; i++)
        memmove(texture->pixels + 3 * i, texture->pixels + 4 * i, 3);
    texture->channels = 3;
}

static GullyStatus write_normal(Work* work) {
    const GullyHeights* heights = &work->atlas.heights;
    size_t cells = (size_t)heights->width * (size_t)heights->height;
    GullyTexture texture = {heights->width, heights->height, 4, malloc(4 * cells)};
    if (!texture.pixels) return gully_fail(GULLY_NO_MEMORY, "not enough memory for the normal map");
    gully_normal_map(heights, strcmp(work->options->normal, "directx") == 0, texture.pixels);
    drop_alpha(&texture, cells);
    GullyStatus status =
        picture_export(work->options->output, "normal", &texture, &work->def, tiles_of(work));
    if (status == GULLY_OK) wrote(work, tiles_of(work) ? "normal/" : "normal.png");
    free(texture.pixels);
    return status;
}

static GullyStatus write_all(Work* work) {
    const MapsOptions* options = work->options;
    GullyStatus status = options->out.dry_run ? GULLY_OK : gully_folder_make(options->output);
    for (int i = 0; i < GULLY_MAP_COUNT && status == GULLY_OK; i++)
        if (is_wanted(work, i)) status = write_map(work, (GullyMap)i);
    for (int i = 0; i < ATLAS_FIELDS && status == GULLY_OK; i++)
        if (is_wanted(work, MASKS + i)) status = write_mask(work, i);
    if (status == GULLY_OK && is_wanted(work, NORMAL)) status = write_normal(work);
    SplatRequest request = {.folder = options->output,
                            .by = options->splat,
                            .rules = options->rules,
                            .blend = options->blend,
                            .grey = options->grey,
                            .def = &work->def,
                            .tiles = tiles_of(work)};
    if (status == GULLY_OK && is_wanted(work, SPLAT))
        status = splat_write(&work->atlas, &request, wrote, work);
    return status;
}

/// Gives the terrain the size that it would have as an export, before maps are made of it: so they
/// fit its heights cell by cell.
static GullyStatus take_size(Work* work) {
    GullyExported exported;
    GullyExportDef dry = work->def;
    dry.dry_run = true;
    const char* folder = work->options->output;
    char* path = folder_path(folder, "", "");
    if (!path) return GULLY_NO_MEMORY;
    const GullyTilesDef* tiles = tiles_of(work);
    const GullyRaster* ground = &work->atlas.ground;
    dry.low = dry.high = NAN; // a range is that of a map
    GullyStatus status = tiles
                             ? gully_export_tiles(folder, "terrain", ground, &dry, tiles, &exported)
                             : gully_export(path, "terrain", ground, &dry, &exported);
    free(path);
    if (status == GULLY_OK) status = atlas_resize(&work->atlas, exported.width, exported.height);
    work->def.width = exported.width;
    work->def.height = exported.height;
    return status;
}

static GullyStatus make_files(Work* work) {
    GullyStatus status = take_size(work);
    if (status == GULLY_OK) status = gully_outputs_create(&work->def.outputs);
    if (status != GULLY_OK) return status;
    status = write_all(work);
    if (status == GULLY_OK) return gully_outputs_commit(work->def.outputs);
    gully_outputs_abandon(work->def.outputs);
    return status;
}

// ---- the command --------------------------------------------------------------------------------

static int report(Work* work) {
    if (work->options->out.json)
        return console_json(
            json_pack("{s:s, s:O}", "folder", work->options->output, "files", work->files));
    if (work->options->out.quiet) return EXIT_DONE;
    printf("%s %s:", work->options->out.dry_run ? "Would be in" : "In", work->options->output);
    size_t index;
    const json_t* file;
    json_array_foreach(work->files, index, file) printf(" %s", json_string_value(file));
    printf("\n");
    return EXIT_DONE;
}

static int run(const void* values) {
    const MapsOptions* options = values;
    Work work = {.options = options,
                 .tiles = {.side = (int)options->tiles, .overlap = options->overlap},
                 .as_asked = options->out.format || options->out.preset || options->out.size ||
                             options->tiles};
    if (!check_only(options) || !export_def("maps", &options->out, &work.def)) return EXIT_USAGE;
    if (options->overlap && !options->tiles) {
        console_error("maps: --overlap goes with --tiles");
        return EXIT_USAGE;
    }
    work.files = json_array();
    GullyStatus status = atlas_open(options->input, &options->read, options->fields, &work.atlas);
    if (status == GULLY_OK) {
        status = make_files(&work);
        atlas_close(&work.atlas);
    }
    int code = status == GULLY_OK ? report(&work) : console_fail(status);
    json_decref(work.files);
    return code;
}

#define AT(member) .offset = offsetof(MapsOptions, member)

static const MapsOptions defaults = {
    .normal = "opengl", .splat = "auto", .blend = 0.1, .out = EXPORT_NOTHING};

#define READ_VALUES MapsOptions

static const Option maps_options[] = {
    {OPTION_OPERAND, .name = "IN",
     .help = "a raster of heights, the folder of a run, or - for standard input", AT(input),
     .required = true},
    {OPTION_TEXT, 'o', "output", "DIR", "folder for the maps", AT(output), .required = true},
    {OPTION_TEXTS, .name = "only", .argument = "NAME",
     .help =
         "make only this map: slope, aspect, curvature-profile, curvature-plan, "
         "curvature-mean, wetness, normal, splat or, of a run, water, flow, wear, deposit; may be "
         "repeated",
     AT(only)},
    {OPTION_CHOICE, .name = "normal", .argument = "opengl|directx",
     .help = "green of the normal map points up (default) or down", AT(normal)},
    {OPTION_CHOICE, .name = "splat", .argument = "auto|rules|materials",
     .help = "what the splat map shows (default: materials if there are some)", AT(splat)},
    {OPTION_TEXT, .name = "rules", .argument = "FILE",
     .help = "JSON with the rules of the splat map (default: built-in ones)", AT(rules)},
    {OPTION_NUMBER, .name = "blend", .argument = "METRES",
     .help = "thickness from which a material hides what is below it (default: 0.1)", AT(blend),
     .low = 1e-6, .high = 1e6},
    {OPTION_TEXT, .name = "water", .argument = "FILE", .help = "water depth, for rules",
     AT(fields[ATLAS_WATER])},
    {OPTION_TEXT, .name = "flow", .argument = "FILE",
     .help = "discharge, for rules and the wetness", AT(fields[ATLAS_FLOW])},
    {OPTION_TEXT, .name = "wear", .argument = "FILE", .help = "what was eroded, for rules",
     AT(fields[ATLAS_WEAR])},
    {OPTION_TEXT, .name = "deposit", .argument = "FILE", .help = "what was deposited, for rules",
     AT(fields[ATLAS_DEPOSIT])},
    {OPTION_FLAG, .name = "grey",
     .help = "a grey picture for each paint of the splat map, instead of four paints in one",
     AT(grey)},
    EXPORT_ROWS(MapsOptions),
    {OPTION_COUNT, 't', "tiles", "N", "tiles of N x N cells, in a folder for each map", AT(tiles),
     .low = 1, .high = 1048576},
    {OPTION_FLAG, .name = "overlap", .help = "tiles share their border rows and columns",
     AT(overlap)},
    READ_ROWS{0},
};

const Command maps_command = {
    .name = "maps",
    .summary = "slope, curvature, wetness, normal and splat maps of a terrain",
    .description =
        "Writes slope, aspect, curvatures and wetness as float GeoTIFF, a normal map and "
        "splat maps as PNG. All appear together or not at all.\n\n"
        "With --preset, --format, --size or --tiles they are made and written as gully convert "
        "writes the heights: of the same cells, with the same names; of a run its masks too.\n\n"
        "From the folder of a run water, flow, wear, deposit and the layers of "
        "materials are taken by themselves. docs/maps.md has the formulas and says how "
        "rules are written.",
    .options = maps_options,
    .size = sizeof(MapsOptions),
    .defaults = &defaults,
    .run = run,
};
