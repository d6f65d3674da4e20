// SPDX-License-Identifier: MIT
/// gully render: a picture of a terrain, or of what a run left.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "command.h"
#include "console.h"
#include "pictures.h"
#include "read_options.h"
#include "standard.h"

typedef struct RenderOptions {
    const char* input;
    const char* picture;
    const char* povray;
    PictureWords words;
    double haze;
    int64_t threads;
    GullyReadDef read;
    bool quiet;
} RenderOptions;

static GullyStatus write_picture(const GullyScenery* scenery, const GullyRenderDef* def,
                                 const char* path) {
    void* bytes;
    size_t size;
    GullyStatus status = gully_render_encode(scenery, def, &bytes, &size);
    if (status != GULLY_OK) return gully_fail_in(status, "%s", path);
    status = is_standard(path) ? standard_write(bytes, size) : gully_file_write(path, bytes, size);
    free(bytes);
    return status;
}

static GullyStatus draw(const RenderOptions* options, const RasterSet* set, GullyRenderDef* def) {
    def->haze = options->haze;
    def->threads = (int)options->threads;
    GullyRenderInput input = raster_set_input(set);
    GullyScenery* scenery;
    GullyStatus status = gully_scenery_create(&input, def, &scenery);
    if (status == GULLY_OK && options->picture)
        status = write_picture(scenery, def, options->picture);
    if (status == GULLY_OK && options->povray)
        status = gully_render_povray(scenery, def, options->povray);
    gully_scenery_destroy(scenery);
    return status;
}

static int run(const void* values) {
    const RenderOptions* options = values;
    if (!options->picture && !options->povray) {
        console_error("render: -o PNG is missing (or --pov FILE, for POV-Ray)");
        return EXIT_USAGE;
    }
    bool named = options->picture && !is_standard(options->picture);
    const char* dot = named ? strrchr(options->picture, '.') : ".png";
    if (!dot || strcasecmp(dot, ".png") != 0) {
        console_error("render: %s: pictures are PNG; the name must end with .png",
                      options->picture);
        return EXIT_USAGE;
    }
    RasterSet set;
    GullyStatus status = raster_set_read(options->input, &options->read, &set);
    if (status != GULLY_OK) return console_fail(status);
    const GullyRaster* terrain = &set.rasters[GULLY_TERRAIN];
    double aspect = terrain->width * terrain->cell_x / (terrain->height * terrain->cell_y);
    GullyRenderDef def;
    int code = EXIT_USAGE;
    if (picture_words("render", &options->words, terrain->width, terrain->height, aspect,
                      set.material_count > 0, &def)) {
        status = draw(options, &set, &def);
        code = status == GULLY_OK ? EXIT_DONE : console_fail(status);
    }
    raster_set_free(&set);
    return code;
}

static const RenderOptions render_defaults = {
    .words = {.view = "perspective", .exaggerate = 1},
    .haze = 1,
};

#define AT(member) .offset = offsetof(RenderOptions, member)

#define READ_VALUES RenderOptions

static const Option render_options[] = {
    {OPTION_OPERAND, .name = "IN",
     .help = "a terrain raster, the folder of a run, or - for standard input", AT(input),
     .required = true},
    {OPTION_TEXT, 'o', "output", "PNG", "the picture; - = to standard output", AT(picture)},
    {OPTION_CHOICE, 0, "view", "relief|perspective",
     "from straight above, or a block of land (default: perspective)", AT(words.view)},
    {OPTION_TEXT, 0, "size", "WxH",
     "pixels (default: 1280x720; of a relief one a cell, up to 2048)", AT(words.size)},
    {OPTION_TEXT, 0, "camera", "AZIMUTH,ELEVATION[,DISTANCE]",
     "where the camera stands: degrees of the compass seen from the terrain (0 = north, 90 = "
     "east), degrees above the horizon, and how far away, 1 being where the whole terrain fits "
     "(default: 205,28,1)",
     AT(words.camera)},
    {OPTION_TEXT, 0, "sun", "AZIMUTH,ELEVATION", "where the sun stands (default: 300,30)",
     AT(words.sun)},
    {OPTION_NUMBER, 0, "exaggerate", "F", "multiplies heights (default: 1)", AT(words.exaggerate),
     .low = 0.01, .high = 100},
    {OPTION_NUMBER, 0, "haze", "F", "how much air is in the distance (default: 1)", AT(haze),
     .low = 0, .high = 100},
    {OPTION_TEXTS, 0, "overlay", "NAME",
     "paint over the ground: sediment (green), deposit (red), flow (blue), wear (orange), "
     "materials, slope, or none (default: materials if the run has some and no palette is named)",
     AT(words.overlays)},
    {OPTION_TEXT, 0, "palette", "NAME",
     "colours of the ground: alpine, highland, valley, badlands, canyon, volcanic, desert, tundra "
     "or tropic "
     "(default: alpine)",
     AT(words.palette)},
    {OPTION_TEXT, 0, "pov", "FILE",
     "also, or instead, write a scene for POV-Ray, with its heights and colours beside it",
     AT(povray)},
    {OPTION_COUNT, 't', "threads", "N",
     "threads; the picture does not depend on them (default: one per processor)", AT(threads),
     .low = 1, .high = 1024},
    QUIET_ROW(RenderOptions, quiet, "print nothing but errors"),
    READ_ROWS{0},
};

const Command render_command = {
    .name = "render",
    .summary = "draw a terrain or what a run left",
    .description =
        "Draws a picture, as PNG: a perspective view of the land as a block, or a shaded relief, "
        "with sun, shadows, sky and water. IN is a terrain in any format that GDAL reads, or the "
        "folder of a run, whose water, sediment, masks and materials are then shown too. What is "
        "nodata is not there.",
    .options = render_options,
    .size = sizeof(RenderOptions),
    .defaults = &render_defaults,
    .run = run,
};
