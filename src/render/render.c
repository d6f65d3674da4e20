// SPDX-License-Identifier: MIT
// Pictures: which rays a pixel is made of, on all threads. A tile of pixels is an item of work, and
// a pixel depends on nothing but the stage.
#include "gully/render.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "camera.h"
#include "gully/raster.h"
#include "stage.h"

enum { TILE = 32 };

typedef struct Drawing {
    const Stage* stage;
    const GullyRenderDef* def;
    Camera camera;
    double cells; // of the relief, per pixel
    int columns;  // of tiles
    unsigned char* rgb;
} Drawing;

/// Where in a pixel one looks: no two in a row or column, so that edges have five steps.
static const double samples[][2] = {{0.375, 0.125}, {0.875, 0.375}, {0.125, 0.625}, {0.625, 0.875}};

enum { SAMPLES = sizeof samples / sizeof samples[0] };

static const Rgb paper = {0.84f, 0.85f, 0.86f};

static Rgb perspective_pixel(const Drawing* drawing, int x, int y) {
    const Land* land = drawing->stage->land;
    Vec at = drawing->camera.at;
    Vec from = {at.x / land->cell_x, at.y / land->cell_y, at.z};
    Rgb sum = {0, 0, 0};
    for (int s = 0; s < SAMPLES; s++) {
        double right = 2 * (x + samples[s][0]) / drawing->def->width - 1;
        double down = 2 * (y + samples[s][1]) / drawing->def->height - 1;
        Vec direction = camera_direction(&drawing->camera, right, down);
        Rgb light = stage_look(drawing->stage, from, direction);
        sum = rgb_add(sum, sky_expose(light), 1.0f / SAMPLES);
    }
    return sum;
}

/// One look from straight above, at a place in cells.
static Rgb relief_sample(const Stage* stage, double x, double y) {
    const Land* land = stage->land;
    // A cell reaches half a cell further than its corner of the grid.
    if (x < -0.5 || y < -0.5 || x > land->width - 0.5 || y > land->height - 0.5) return paper;
    Vec at = {fmin(fmax(x, 0), land->width - 1), fmin(fmax(y, 0), land->height - 1), 0};
    Place place = land_place(land, at.x, at.y);
    at.z = (double)place_value(land, land->surface, place);
    if (isnan(at.z)) return paper;
    return sky_expose(stage_surface(stage, at, (Vec){0, 0, -1}));
}

static Rgb relief_pixel(const Drawing* drawing, int x, int y) {
    const Land* land = drawing->stage->land;
    int fine = (int)ceil(drawing->cells);
    fine = fine < 2 ? 2 : fine > 8 ? 8 : fine;
    double ratio = land->cell_x / land->cell_y;
    Rgb sum = {0, 0, 0};
    for (int k = 0; k < fine * fine; k++) {
        double right = x + (k % fine + 0.5) / fine - 0.5 * drawing->def->width;
        double down = y + (k / fine + 0.5) / fine - 0.5 * drawing->def->height;
        double column = 0.5 * (land->width - 1) + right * drawing->cells;
        double row = 0.5 * (land->height - 1) + down * drawing->cells * ratio;
        sum = rgb_add(sum, relief_sample(drawing->stage, column, row), 1.0f / (float)(fine * fine));
    }
    return sum;
}

static void draw_tile(void* context, int item, int worker) {
    (void)worker;
    const Drawing* drawing = context;
    const GullyRenderDef* def = drawing->def;
    int left = item % drawing->columns * TILE, top = item / drawing->columns * TILE;
    for (int y = top; y < top + TILE && y < def->height; y++) {
        for (int x = left; x < left + TILE && x < def->width; x++) {
            Rgb color = def->view == GULLY_VIEW_RELIEF ? relief_pixel(drawing, x, y)
                                                       : perspective_pixel(drawing, x, y);
            unsigned char* out = drawing->rgb + 3 * ((size_t)y * (size_t)def->width + (size_t)x);
            out[0] = (unsigned char)(byte_of_light(color.r) + 0.5f);
            out[1] = (unsigned char)(byte_of_light(color.g) + 0.5f);
            out[2] = (unsigned char)(byte_of_light(color.b) + 0.5f);
        }
    }
}

static void draw(Stage* stage, const GullyRenderDef* def, Pool* pool, unsigned char* rgb) {
    const Land* land = stage->land;
    Drawing drawing = {.stage = stage, .def = def, .rgb = rgb};
    drawing.columns = (def->width + TILE - 1) / TILE;
    drawing.cells = fmax((double)land->width / def->width,
                         land->height * land->cell_y / land->cell_x / def->height);
    drawing.camera = camera_create(land, def);
    stage->sky.haze = def->haze * 0.22 / stage->size;
    stage->sky.clear = fmax(drawing.camera.distance - 0.5 * stage->size, 0);
    if (def->view == GULLY_VIEW_RELIEF) stage->sky.haze = 0;
    int rows = (def->height + TILE - 1) / TILE;
    pool_run(pool, drawing.columns * rows, draw_tile, &drawing);
}

// ---- public -------------------------------------------------------------------------------------

const GullyParamTable* gully_render_table(void) {
#define ROW(...) GULLY_PARAM_ROW(GullyRenderDef, __VA_ARGS__)
    static const GullyParam rows[] = {GULLY_RENDER_PARAMS(ROW)};
#undef ROW
    static const GullyParamTable table = {
        .name = "render",
        .rows = rows,
        .count = sizeof rows / sizeof rows[0],
        .size = sizeof(GullyRenderDef),
    };
    return &table;
}

GullyRenderDef gully_render_def(int width, int height) {
    GullyRenderDef def;
    memset(&def, 0, sizeof def);
    gully_params_default(gully_render_table(), &def);
    def.made = GULLY_DEF_MADE;
    def.width = width;
    def.height = height;
    def.view = GULLY_VIEW_PERSPECTIVE;
    return def;
}

GullyStatus gully_render(const GullyScenery* scenery, const GullyRenderDef* def,
                         unsigned char* rgb) {
    assert(scenery && def && rgb);
    GullyStatus status = gully_def_check(def->made, "gully_render_def");
    if (status == GULLY_OK) status = gully_params_check(gully_render_table(), def);
    if (status != GULLY_OK) return status;
    Pool* pool;
    status = pool_create(def->threads, &pool);
    if (status != GULLY_OK) return status;
    Stage stage;
    status = stage_create(scenery, def, pool, &stage);
    if (status == GULLY_OK) {
        draw(&stage, def, pool, rgb);
        stage_destroy(&stage);
    }
    pool_destroy(pool);
    return status;
}

GullyStatus gully_render_encode(const GullyScenery* scenery, const GullyRenderDef* def,
                                void** bytes, size_t* size) {
    unsigned char* rgb = malloc((size_t)def->width * (size_t)def->height * 3);
    if (!rgb) return gully_fail(GULLY_NO_MEMORY, "not enough memory to draw a picture");
    GullyStatus status = gully_render(scenery, def, rgb);
    if (status == GULLY_OK)
        status = gully_picture_encode(def->width, def->height, rgb, bytes, size);
    free(rgb);
    return status;
}
