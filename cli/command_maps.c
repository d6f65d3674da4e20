/// gully maps: slope, curvature, wetness, normals and splat maps of a terrain.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atlas.h"
#include "command.h"
#include "console.h"
#include "gully/mesh.h"
#include "run_folder.h"
#include "splat_files.h"
#include "read_options.h"

typedef struct MapsOptions {
    const char *input, *output;
    const char* fields[ATLAS_FIELDS];
    TextList only;
    const char *normal, *splat, *rules;
    double blend;
    GullyReadDef read;
    bool json, quiet;
} MapsOptions;

typedef struct Work {
    const MapsOptions* options;
    Atlas atlas;
    json_t* files; ///< names that were written
    GullyOutputs* set; ///< of all files
} Work;

enum { NORMAL = GULLY_MAP_COUNT, SPLAT, CHOICES };

static const char* choice_name(int choice) {
    static const char* const others[] = {"normal", "splat"};
    return choice < GULLY_MAP_COUNT ? gully_map_name((GullyMap)choice) : others[choice - NORMAL];
}

static bool is_wanted(const MapsOptions* options, int choice) {
    for (int i = 0; i < options->only.count; i++)
        if (strcmp(options->only.items[i], choice_name(choice)) == 0) return true;
    return options->only.count == 0;
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

static GullyStatus write_map(Work* work, GullyMap map) {
    const float* values;
    GullyStatus status = atlas_map(&work->atlas, map, &values);
    if (status != GULLY_OK) return status;
    char* path = folder_path(work->options->output, gully_map_name(map), ".tif");
    if (!path) return GULLY_NO_MEMORY;
    GullyRaster raster = work->atlas.ground; // its georeference and cell size
    raster.values = (float*)values;
    gully_raster_describe(&raster, gully_map_name(map), gully_map_unit(map));
    status = gully_outputs_raster(work->set, path, &raster);
    if (status == GULLY_OK) wrote(work, strrchr(path, '/') + 1);
    free(path);
    return status;
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
    char* path = folder_path(work->options->output, "normal", ".png");
    GullyStatus status = path ? gully_outputs_texture(work->set, path, &texture) : GULLY_NO_MEMORY;
    if (status == GULLY_OK) wrote(work, "normal.png");
    free(path);
    free(texture.pixels);
    return status;
}

static GullyStatus write_all(Work* work) {
    const MapsOptions* options = work->options;
    GullyStatus status = gully_folder_make(options->output);
    for (int i = 0; i < GULLY_MAP_COUNT && status == GULLY_OK; i++)
        if (is_wanted(options, i)) status = write_map(work, (GullyMap)i);
    if (status == GULLY_OK && is_wanted(options, NORMAL)) status = write_normal(work);
    SplatRequest request = {options->output, options->splat, options->rules, options->blend,
                            work->set};
    if (status == GULLY_OK && is_wanted(options, SPLAT))
        status = splat_write(&work->atlas, &request, wrote, work);
    return status;
}

// ---- the command --------------------------------------------------------------------------------

static int report(Work* work) {
    if (work->options->json)
        return console_json(
            json_pack("{s:s, s:O}", "folder", work->options->output, "files", work->files));
    if (work->options->quiet) return EXIT_DONE;
    printf("In %s:", work->options->output);
    size_t index;
    const json_t* file;
    json_array_foreach(work->files, index, file) printf(" %s", json_string_value(file));
    printf("\n");
    return EXIT_DONE;
}

static int run(const void* values) {
    const MapsOptions* options = values;
    if (!check_only(options)) return EXIT_USAGE;
    Work work = {.options = options, .files = json_array()};
    GullyStatus status = atlas_open(options->input, &options->read, options->fields, &work.atlas);
    if (status == GULLY_OK) {
        status = gully_outputs_create(&work.set);
        if (status == GULLY_OK) status = write_all(&work);
        if (status == GULLY_OK)
            status = gully_outputs_commit(work.set);
        else
            gully_outputs_abandon(work.set);
        atlas_close(&work.atlas);
    }
    int code = status == GULLY_OK ? report(&work) : console_fail(status);
    json_decref(work.files);
    return code;
}

#define AT(member) .offset = offsetof(MapsOptions, member)

static const MapsOptions defaults = {.normal = "opengl", .splat = "auto", .blend = 0.1};

#define READ_VALUES MapsOptions

static const Option maps_options[] = {
    {OPTION_OPERAND, .name = "IN", .help = "a raster of heights, the folder of a run, or - for standard input", AT(input),
     .required = true},
    {OPTION_TEXT, 'o', "output", "DIR", "folder for the maps", AT(output), .required = true},
    {OPTION_TEXTS, .name = "only", .argument = "NAME",
     .help = "make only this map: slope, aspect, curvature-profile, curvature-plan, "
             "curvature-mean, wetness, normal or splat; may be repeated",
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
    {OPTION_FLAG, .name = "json", .help = "print JSON", AT(json)},
    QUIET_ROW(MapsOptions, quiet, "print nothing but errors"),
    READ_ROWS
    {0},
};

const Command maps_command = {
    .name = "maps",
    .summary = "slope, curvature, wetness, normal and splat maps of a terrain",
    .description =
        "Writes slope, aspect, curvatures and wetness as float GeoTIFF, a normal map and "
        "splat maps as PNG. All appear together or not at all.\n\n"
        "From the folder of a run water, flow, wear, deposit and the layers of "
        "materials are taken by themselves. docs/maps.md has the formulas and says how "
        "rules are written.",
    .options = maps_options,
    .size = sizeof(MapsOptions),
    .defaults = &defaults,
    .run = run,
};
