// SPDX-License-Identifier: MIT
#include "scene_coarse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene_view.h"

// Least cells along the shorter side of a coarse grid.
static const int LEAST_CELLS = 8;

// What is in a world at the start, in the order in which it is written: layers take part of the terrain.
static const GullyField FIELDS[] = {GULLY_TERRAIN, GULLY_WATER,    GULLY_SEDIMENT, GULLY_HARDNESS,
                                    GULLY_UPLIFT,  GULLY_RAINFALL, GULLY_LAYER_1,  GULLY_LAYER_2,
                                    GULLY_LAYER_3, GULLY_LAYER_4,  GULLY_LAYER_5,  GULLY_LAYER_6,
                                    GULLY_LAYER_7};

enum { FIELD_COUNT = sizeof FIELDS / sizeof FIELDS[0] };

// A world whose cells are `factor` x `factor` of the scene's, those at the far sides perhaps fewer.
typedef struct CoarseGrid {
    int factor, width, height;
    GullyWorld* world;
} CoarseGrid;

static bool is_result(GullyField field) {
    return field != GULLY_HARDNESS && field != GULLY_UPLIFT && field != GULLY_RAINFALL;
}

// Whether a world has the field: layers follow from its materials.
static bool has_field(const GullyWorld* world, GullyField field) {
    const bool layer = field >= GULLY_LAYER_1 && field <= GULLY_LAYER_7;
    return !layer || (int)field - (int)GULLY_LAYER_0 < gully_world_material_count(world);
}

// ---- from fine to coarse ------------------------------------------------------------------------

// The mean of a block of values, of those that are there; NaN if fewer than half are.
static float mean_of(const float* values, int stride, int width, int height) {
    double sum = 0;
    int count = 0;
    for (int j = 0; j < height; j++) {
        for (int i = 0; i < width; i++) {
            const float value = values[(size_t)j * (size_t)stride + (size_t)i];
            if (isnan(value)) continue;
            sum += (double)value;
            count++;
        }
    }
    return 2 * count >= width * height && count > 0 ? (float)(sum / count) : NAN;
}

// Row `y` of a coarse grid, out of `factor` rows of the world, for which there is room.
static GullyStatus reduce_row(const GullyWorld* world, GullyField field, const CoarseGrid* grid,
                              int y, float* room, float* out) {
    const int width = gully_world_width(world), factor = grid->factor;
    const int left = gully_world_height(world) - y * factor;
    const GullyRect rect = {0, y * factor, width, left < factor ? left : factor};
    const GullyStatus status = gully_world_read(world, field, rect, room);
    for (int x = 0; x < grid->width && !status; x++) {
        const int columns = width - x * factor < factor ? width - x * factor : factor;
        out[x] = mean_of(room + x * factor, width, columns, rect.height);
    }
    return status;
}

// ---- from coarse to fine ------------------------------------------------------------------------

// The value at a column of two rows, bilinear between the centres of their cells; `fallback` where
// none of the four has one. `down` is the share of the second row.
static float sample(const float* rows, int width, double x, double down, float fallback) {
    x = fmin(fmax(x, 0), width - 1);
    const int i = (int)x;
    double sum = 0, weights = 0;
    for (int n = 0; n < 4; n++) {
        const int across = n % 2, second = n / 2;
        const double weight = (across ? x - i : 1 - (x - i)) * (second ? down : 1 - down);
        if (weight <= 0) continue;
        const float value = rows[(size_t)second * (size_t)width + (size_t)(i + across)];
        if (isnan(value)) continue;
        sum += weight * (double)value;
        weights += weight;
    }
    return weights > 0 ? (float)(sum / weights) : fallback;
}

// Puts what a coarse grid has into row `y` of a finer one, of cells `factor` times as large as the
// world's. `rows` has room for two of the coarse grid's.
static GullyStatus refine_row(const CoarseGrid* coarse, GullyField field, int factor, int y,
                              int width, float* rows, float* row) {
    const double ratio = (double)factor / coarse->factor;
    const double place = fmin(fmax((y + 0.5) * ratio - 0.5, 0), coarse->height - 1);
    const int j = (int)place;
    const GullyRect rect = {0, j, coarse->width, j + 1 < coarse->height ? 2 : 1};
    const GullyStatus status = gully_world_read(coarse->world, field, rect, rows);
    for (int x = 0; x < width && !status; x++) {
        if (isnan(row[x])) continue;
        row[x] = sample(rows, coarse->width, (x + 0.5) * ratio - 0.5, place - j, row[x]);
    }
    return status;
}

// Makes what a run on a coarse grid left the start of the world, row by row.
static GullyStatus refine_world(const CoarseGrid* coarse, GullyWorld* world) {
    const int width = gully_world_width(world), height = gully_world_height(world);
    float* row = malloc((size_t)width * sizeof *row);
    float* rows = malloc(2 * (size_t)coarse->width * sizeof *rows);
    GullyStatus status = row && rows ? GULLY_OK : scene_no_memory();
    for (int f = 0; f < FIELD_COUNT; f++) {
        const GullyField field = FIELDS[f];
        if (!has_field(world, field) || !is_result(field)) continue;
        for (int y = 0; y < height && !status; y++) {
            const GullyRect rect = {0, y, width, 1};
            status = gully_world_read(world, field, rect, row);
            if (!status) status = refine_row(coarse, field, 1, y, width, rows, row);
            for (int x = 0; x < width && field != GULLY_TERRAIN && !status; x++)
                row[x] = isnan(row[x]) ? 0 : row[x];
            if (!status) status = gully_world_write(world, field, rect, row);
        }
    }
    free(row);
    free(rows);
    return status;
}

// ---- runs ---------------------------------------------------------------------------------------

// Fills a field of a coarse grid: what a coarser one left (`before`, if it has a world), elsewhere
// the means of the world. Nodata of other fields than the terrain counts as their defaults.
static GullyStatus fill_field(const GullyWorld* world, GullyField field, const CoarseGrid* before,
                              const CoarseGrid* grid, float* room, float* row) {
    const float none = field == GULLY_HARDNESS || field == GULLY_RAINFALL ? 1 : 0;
    GullyStatus status = GULLY_OK;
    for (int y = 0; y < grid->height && !status; y++) {
        status = reduce_row(world, field, grid, y, room, row);
        if (!status && before->world && is_result(field))
            status = refine_row(before, field, grid->factor, y, grid->width, room, row);
        for (int x = 0; x < grid->width && field != GULLY_TERRAIN && !status; x++)
            row[x] = isnan(row[x]) ? none : row[x];
        if (!status)
            status = gully_world_write(grid->world, field, (GullyRect){0, y, grid->width, 1}, row);
    }
    return status;
}

static GullyStatus fill_grid(const GullyWorld* world, const CoarseGrid* before,
                             const CoarseGrid* grid) {
    GullyMaterial materials[GULLY_MAX_MATERIALS];
    const int count = gully_world_material_count(world);
    const size_t columns = (size_t)gully_world_width(world);
    float* room = malloc(columns * (size_t)grid->factor * sizeof *room);
    float* row = malloc((size_t)grid->width * sizeof *row);
    GullyStatus status = room && row ? GULLY_OK : scene_no_memory();
    for (int m = 0; m < count; m++)
        materials[m] = *gully_world_material(world, m);
    for (int f = 0; f < FIELD_COUNT && !status; f++) {
        if (f == 1 && count > 0) status = gully_world_set_materials(grid->world, materials, count);
        if (!status && has_field(world, FIELDS[f]))
            status = fill_field(world, FIELDS[f], before, grid, room, row);
    }
    free(room);
    free(row);
    return status;
}

// A grid with what the world and a coarser grid have.
static GullyStatus create_grid(const GullyWorld* world, const CoarseGrid* before, int factor,
                               CoarseGrid* out) {
    *out = (CoarseGrid){.factor = factor};
    out->width = (gully_world_width(world) - 1) / factor + 1;
    out->height = (gully_world_height(world) - 1) / factor + 1;
    GullyWorldDef def = gully_world_def(out->width, out->height);
    def.cell_x = gully_world_cell_x(world) * factor;
    def.cell_y = gully_world_cell_y(world) * factor;
    const GullyStatus status = gully_world_create(&def, &out->world);
    return status ? status : fill_grid(world, before, out);
}

// Settings of a phase on a coarse grid: positions count from the centre of its first cell.
static GullyStatus coarse_settings(const GullySettings* settings, const GullyWorld* world,
                                   int factor, GullySettings** out) {
    GullyStatus status = gully_settings_copy(settings, out);
    if (status) return status;
    gully_settings_clear_sources(*out);
    for (int n = 0; n < gully_settings_source_count(settings) && !status; n++) {
        GullySource source = *gully_settings_source(settings, n);
        source.x -= 0.5 * (factor - 1) * gully_world_cell_x(world);
        source.y -= 0.5 * (factor - 1) * gully_world_cell_y(world);
        status = gully_settings_add_source(*out, &source);
    }
    return status;
}

// Goes on with a phase; the first one creates the simulation.
static GullyStatus run_phase(const GullyScene* scene, const GullyPhase* phase,
                             const GullyWorld* world, GullyWorld* coarse, int factor, int threads,
                             GullySim** sim) {
    GullySimDef def = gully_sim_def();
    GullySettings* settings = NULL;
    def.seed = gully_scene_seed(scene);
    def.threads = threads;
    def.masks = false;
    GullyStatus status = coarse_settings(phase->settings, world, factor, &settings);
    if (!status && *sim) status = gully_sim_apply(*sim, settings);
    if (!status && !*sim) status = gully_sim_create(coarse, settings, &def, sim);
    if (!status) status = gully_sim_step(*sim, phase->steps);
    gully_settings_destroy(settings);
    return status;
}

// Runs the phases of the scene's first model on a coarse grid.
static GullyStatus run_grid(const GullyScene* scene, const GullyWorld* world,
                            const CoarseGrid* grid, int threads) {
    GullySim* sim = NULL;
    const char* model = gully_settings_model(gully_scene_phase(scene, 0)->settings);
    GullyStatus status = GULLY_OK;
    for (int n = 0; n < gully_scene_phase_count(scene) && !status; n++) {
        const GullyPhase* phase = gully_scene_phase(scene, n);
        if (strcmp(gully_settings_model(phase->settings), model) != 0) break;
        status = run_phase(scene, phase, world, grid->world, grid->factor, threads, &sim);
    }
    gully_sim_destroy(sim);
    return status;
}

GullyStatus scene_coarse_start(const GullyScene* scene, GullyWorld* world, int threads) {
    const int width = gully_world_width(world), height = gully_world_height(world);
    CoarseGrid before = {0};
    GullyStatus status = GULLY_OK;
    for (int factor = 8; factor > 1 && !status; factor /= 2) {
        CoarseGrid grid = {0};
        if ((width < height ? width : height) / factor < LEAST_CELLS) continue;
        status = create_grid(world, &before, factor, &grid);
        gully_world_destroy(before.world);
        before = grid;
        if (!status) status = run_grid(scene, world, &grid, threads);
    }
    if (!status && before.world) status = refine_world(&before, world);
    gully_world_destroy(before.world);
    return status;
}
