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

// A grid whose cells are `factor` x `factor` of the world's, those at the far sides perhaps fewer. The
// arrays are NULL where the world has nothing.
typedef struct CoarseGrid {
    int factor, width, height;
    float* cells[FIELD_COUNT];
} CoarseGrid;

static bool is_result(GullyField field) {
    return field != GULLY_HARDNESS && field != GULLY_UPLIFT && field != GULLY_RAINFALL;
}

static size_t count_of(const CoarseGrid* grid) {
    return (size_t)grid->width * (size_t)grid->height;
}

static void free_grid(CoarseGrid* grid) {
    for (int f = 0; f < FIELD_COUNT; f++)
        free(grid->cells[f]);
}

static GullyStatus allocate_grid(const GullyWorld* world, int factor, CoarseGrid* out) {
    *out = (CoarseGrid){.factor = factor};
    out->width = (gully_world_width(world) - 1) / factor + 1;
    out->height = (gully_world_height(world) - 1) / factor + 1;
    const int layers = gully_world_material_count(world) - 1;
    for (int f = 0; f < FIELD_COUNT; f++) {
        const GullyField field = FIELDS[f];
        const bool layer = field >= GULLY_LAYER_1 && field <= GULLY_LAYER_7;
        if (layer && (int)field - (int)GULLY_LAYER_1 >= layers) continue;
        out->cells[f] = malloc(count_of(out) * sizeof(float));
        if (!out->cells[f]) return scene_no_memory();
    }
    return GULLY_OK;
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

static GullyStatus reduce_field(const GullyWorld* world, GullyField field, CoarseGrid* grid,
                                float* out) {
    const int width = gully_world_width(world), factor = grid->factor;
    float* rows = malloc((size_t)width * (size_t)factor * sizeof *rows);
    GullyStatus status = rows ? GULLY_OK : scene_no_memory();
    for (int y = 0; y < grid->height && !status; y++) {
        const int left = gully_world_height(world) - y * factor;
        const GullyRect rect = {0, y * factor, width, left < factor ? left : factor};
        status = gully_world_read(world, field, rect, rows);
        for (int x = 0; x < grid->width && !status; x++) {
            const int columns = width - x * factor < factor ? width - x * factor : factor;
            out[(size_t)y * (size_t)grid->width + (size_t)x] =
                mean_of(rows + x * factor, width, columns, rect.height);
        }
    }
    free(rows);
    return status;
}

static GullyStatus reduce(const GullyWorld* world, int factor, CoarseGrid* out) {
    GullyStatus status = allocate_grid(world, factor, out);
    for (int f = 0; f < FIELD_COUNT && !status; f++)
        if (out->cells[f]) status = reduce_field(world, FIELDS[f], out, out->cells[f]);
    return status;
}

// ---- from coarse to fine ------------------------------------------------------------------------

// The value of a coarse grid at a place in its cells, bilinear between their centres; `fallback` where
// none of the four has one.
static float sample(const CoarseGrid* grid, const float* cells, double x, double y,
                    float fallback) {
    x = fmin(fmax(x, 0), grid->width - 1);
    y = fmin(fmax(y, 0), grid->height - 1);
    const int i = (int)x, j = (int)y;
    double sum = 0, weights = 0;
    for (int n = 0; n < 4; n++) {
        const int across = n % 2, down = n / 2;
        const double weight = (across ? x - i : 1 - (x - i)) * (down ? y - j : 1 - (y - j));
        if (weight <= 0) continue;
        const float value = cells[(size_t)(j + down) * (size_t)grid->width + (size_t)(i + across)];
        if (isnan(value)) continue;
        sum += weight * (double)value;
        weights += weight;
    }
    return weights > 0 ? (float)(sum / weights) : fallback;
}

// Fills a row of a finer grid, of cells `factor` times as large as the world's.
static void refine_row(const CoarseGrid* coarse, const float* cells, int factor, int y, int width,
                       float* row) {
    const double ratio = (double)factor / coarse->factor;
    for (int x = 0; x < width; x++) {
        if (isnan(row[x])) continue;
        row[x] = sample(coarse, cells, (x + 0.5) * ratio - 0.5, (y + 0.5) * ratio - 0.5, row[x]);
    }
}

// Makes what a run on a coarse grid left the start of a finer one.
static void refine(const CoarseGrid* coarse, CoarseGrid* fine) {
    for (int f = 0; f < FIELD_COUNT; f++) {
        for (int y = 0; fine->cells[f] && is_result(FIELDS[f]) && y < fine->height; y++)
            refine_row(coarse, coarse->cells[f], fine->factor, y, fine->width,
                       fine->cells[f] + (size_t)y * (size_t)fine->width);
    }
}

// The same for the world itself, row by row.
static GullyStatus refine_world(const CoarseGrid* coarse, GullyWorld* world) {
    const int width = gully_world_width(world), height = gully_world_height(world);
    float* row = malloc((size_t)width * sizeof *row);
    GullyStatus status = row ? GULLY_OK : scene_no_memory();
    for (int f = 0; f < FIELD_COUNT; f++) {
        for (int y = 0; coarse->cells[f] && is_result(FIELDS[f]) && y < height && !status; y++) {
            const GullyRect rect = {0, y, width, 1};
            status = gully_world_read(world, FIELDS[f], rect, row);
            if (status) break;
            refine_row(coarse, coarse->cells[f], 1, y, width, row);
            for (int x = 0; x < width && FIELDS[f] != GULLY_TERRAIN; x++)
                row[x] = isnan(row[x]) ? 0 : row[x];
            status = gully_world_write(world, FIELDS[f], rect, row);
        }
    }
    free(row);
    return status;
}

// ---- runs ---------------------------------------------------------------------------------------

// A world of a coarse grid. Nodata cells of other fields than the terrain count as their defaults.
static GullyStatus create_world(const GullyWorld* world, CoarseGrid* grid, GullyWorld** out) {
    GullyMaterial materials[GULLY_MAX_MATERIALS];
    const int count = gully_world_material_count(world);
    GullyWorldDef def = gully_world_def(grid->width, grid->height);
    def.cell_x = gully_world_cell_x(world) * grid->factor;
    def.cell_y = gully_world_cell_y(world) * grid->factor;
    def.heights = grid->cells[0];
    GullyStatus status = gully_world_create(&def, out);
    if (status) return status;
    for (int m = 0; m < count; m++)
        materials[m] = *gully_world_material(world, m);
    if (count > 0) status = gully_world_set_materials(*out, materials, count);
    for (int f = 1; f < FIELD_COUNT && !status; f++) {
        const float none = FIELDS[f] == GULLY_HARDNESS || FIELDS[f] == GULLY_RAINFALL ? 1 : 0;
        for (size_t k = 0; grid->cells[f] && k < count_of(grid); k++)
            if (isnan(grid->cells[f][k])) grid->cells[f][k] = none;
        if (grid->cells[f])
            status = gully_world_write(*out, FIELDS[f], gully_world_all(*out), grid->cells[f]);
    }
    return status;
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

// Runs the phases of the scene's first model on a coarse grid, and reads what they left.
static GullyStatus run_grid(const GullyScene* scene, const GullyWorld* world, CoarseGrid* grid,
                            int threads) {
    GullyWorld* coarse = NULL;
    GullySim* sim = NULL;
    const char* model = gully_settings_model(gully_scene_phase(scene, 0)->settings);
    GullyStatus status = create_world(world, grid, &coarse);
    for (int n = 0; n < gully_scene_phase_count(scene) && !status; n++) {
        const GullyPhase* phase = gully_scene_phase(scene, n);
        if (strcmp(gully_settings_model(phase->settings), model) != 0) break;
        status = run_phase(scene, phase, world, coarse, grid->factor, threads, &sim);
    }
    for (int f = 0; f < FIELD_COUNT && !status; f++)
        if (grid->cells[f])
            status = gully_world_read(coarse, FIELDS[f], gully_world_all(coarse), grid->cells[f]);
    gully_sim_destroy(sim);
    gully_world_destroy(coarse);
    return status;
}

GullyStatus scene_coarse_start(const GullyScene* scene, GullyWorld* world, int threads) {
    const int width = gully_world_width(world), height = gully_world_height(world);
    CoarseGrid before = {0};
    GullyStatus status = GULLY_OK;
    for (int factor = 8; factor > 1 && !status; factor /= 2) {
        CoarseGrid grid = {0};
        if ((width < height ? width : height) / factor < LEAST_CELLS) continue;
        status = reduce(world, factor, &grid);
        if (!status && before.factor > 0) refine(&before, &grid);
        if (!status) status = run_grid(scene, world, &grid, threads);
        free_grid(&before);
        before = grid;
    }
    if (!status && before.factor > 0) status = refine_world(&before, world);
    free_grid(&before);
    return status;
}
