// SPDX-License-Identifier: MIT
#include "plots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "settings.h"
#include "state_fields.h"
#include "strokes.h"

/// Water is poured in portions, each of which runs on before the next comes: the same work for
/// every dab, on any ground.
enum { POURS = 5, STEPS_PER_POUR = 8, SLIDES = 16 };

/// Ground around the disc that takes part, so that water runs into it [cells].
enum { AROUND = 8 };

/// Cells along a side of a plot that is worth several threads.
enum { LARGE_PLOT = 512 };

struct Plot {
    GullyWorld* world;
    GullySim* sim;
    bool is_wet;
    double *ours, *theirs; // rows: of the plot, of the world
};

// ---- making one ---------------------------------------------------------------------------------

/// The parameters of a law in some settings: those of the model, or of an add-on; else NULL.
static const void* find_params(const GullySettings* settings, const char* law) {
    if (strcmp(settings->model->name, law) == 0) return settings_values(settings, "params");
    for (int i = 0; i < settings->section_count; i++) {
        if (strcmp(settings->sections[i].name, law) == 0) return settings->sections[i].values;
    }
    return NULL;
}

/// The water of a dab runs for a few steps only, from rest. Friction that suits a long rain would
/// hardly let it start.
static void hurry_water(GullyPipeParams* params) {
    const double most = 0.3; // [1/s]
    if (params->friction > most) params->friction = most;
}

/// Settings under which a law acts as fast as it is stable, with open sides.
static GullyStatus make_settings(const GullySettings* from, const char* law, GullySettings** out) {
    GullyStatus status = gully_settings_create(law, out);
    if (status) return status;
    const GullyParamTable* table;
    void* params = gully_settings_section(*out, "params", &table);
    const void* wanted = find_params(from, law);
    if (wanted) memcpy(params, wanted, table->size);
    if (strcmp(law, "thermal") == 0) ((GullyThermalParams*)params)->rate = 1;
    if (strcmp(law, "pipe") == 0) hurry_water(params);
    GullyBoundaryParams* sides = gully_settings_section(*out, "boundary", NULL);
    *sides = (GullyBoundaryParams){.west = 1, .east = 1, .north = 1, .south = 1};
    return GULLY_OK;
}

/// Cells along a side of the plot, for a world of `count`.
static int plot_size(double radius, double cell, int count) {
    double size = 2 * (ceil(radius / cell) + AROUND) + 1;
    return size > count ? count : (int)size;
}

static GullyStatus create_world(Plot* plot, const GullyWorld* world, const GullyBrush* brush) {
    GullyWorldDef def = gully_world_def(plot_size(brush->radius, world->cell_x, world->width),
                                        plot_size(brush->radius, world->cell_y, world->height));
    def.cell_x = world->cell_x;
    def.cell_y = world->cell_y;
    if (def.width <= LARGE_PLOT && def.height <= LARGE_PLOT)
        def.tile_size = def.width > def.height ? def.width : def.height;
    GullyStatus status = gully_world_create(&def, &plot->world);
    if (!status && world->material_count > 0)
        status = gully_world_set_materials(plot->world, world->materials, world->material_count);
    return status ? status : world_add_common(plot->world, FIELD_BIT(HARDNESS));
}

static GullyStatus create_sim(Plot* plot, const GullySim* sim, const GullySettings* settings,
                              const char* law) {
    const GullyWorld* world = plot->world;
    GullySimDef def = gully_sim_def();
    def.masks = false;
    // Threads are worth their start only where there is much to do.
    def.threads = world->width > LARGE_PLOT ? gully_sim_threads(sim) : 1;
    GullySettings* own = NULL;
    GullyStatus status = make_settings(settings, law, &own);
    if (!status) status = gully_sim_create(plot->world, own, &def, &plot->sim);
    gully_settings_destroy(own);
    return status;
}

GullyStatus plot_create(const GullySim* sim, const GullySettings* settings, const char* law,
                        const GullyBrush* brush, Plot** out) {
    *out = NULL;
    Plot* plot = calloc(1, sizeof *plot);
    if (!plot) return gully_fail(GULLY_NO_MEMORY, "no memory for a plot of land");
    plot->is_wet = strcmp(law, "thermal") != 0;
    GullyStatus status = create_world(plot, gully_sim_world(sim), brush);
    if (!status) status = create_sim(plot, sim, settings, law);
    if (!status) {
        plot->ours = malloc((size_t)plot->world->width * sizeof *plot->ours);
        plot->theirs = malloc((size_t)plot->world->width * sizeof *plot->theirs);
        if (!plot->ours || !plot->theirs)
            status = gully_fail(GULLY_NO_MEMORY, "no memory for a plot of land");
    }
    if (status) {
        plot_destroy(plot);
        return status;
    }
    *out = plot;
    return GULLY_OK;
}

void plot_destroy(Plot* plot) {
    if (!plot) return;
    gully_sim_destroy(plot->sim);
    gully_world_destroy(plot->world);
    free(plot->ours);
    free(plot->theirs);
    free(plot);
}

// ---- a dab --------------------------------------------------------------------------------------

/// The fields that a plot has in common with the world: the ground, its layers and its hardness.
static int shared_fields(const GullyWorld* world, int fields[MAX_LAYERS + 2]) {
    int count = 0;
    fields[count++] = GROUND;
    for (int layer = 1; layer < world->material_count; layer++)
        fields[count++] = layer_field(layer);
    fields[count++] = HARDNESS;
    return count;
}

/// Makes all of a plot as new: dry and at rest.
static GullyStatus clear(GullyWorld* world) {
    GullyStatus status = GULLY_OK;
    for (int slot = 0; slot < world->field_count && !status; slot++)
        status = world_set_all(world, slot, world->fields[slot].value);
    world->edits++;
    return status;
}

/// Lays the ground of the world from cell (x, y) on into the plot.
static GullyStatus lay_ground(Plot* plot, const GullyWorld* world, int x, int y) {
    int fields[MAX_LAYERS + 2], count = shared_fields(world, fields);
    GullyStatus status = clear(plot->world);
    for (int n = 0; n < count; n++) {
        for (int row = 0; row < plot->world->height && !status; row++)
            status = cells_copy(plot->world, fields[n], (Run){0, row, plot->world->width}, world, x,
                                y + row);
    }
    return status ? status : world_find_holes(plot->world, gully_world_all(plot->world));
}

static GullyStatus pour(Plot* plot, double depth) {
    GullyStatus status = GULLY_OK;
    for (int y = 0; y < plot->world->height && !status; y++) {
        Run run = {0, y, plot->world->width};
        status = cells_read(plot->world, WATER, run, plot->ours);
        for (int x = 0; x < run.count; x++)
            plot->ours[x] += depth;
        if (!status) status = cells_write(plot->world, WATER, run, plot->ours);
    }
    plot->world->edits++;
    return status;
}

/// Suspended sediment settles where it is, as the last material.
static GullyStatus settle(Plot* plot) {
    GullyStatus status = GULLY_OK;
    for (int y = 0; y < plot->world->height && !status; y++) {
        Run run = {0, y, plot->world->width};
        status = cells_read(plot->world, SEDIMENT, run, plot->ours);
        if (!status)
            status = cells_raise(plot->world, plot->world->material_count - 1, run, plot->ours);
    }
    return status;
}

/// Lets the law act on the plot.
static GullyStatus act(Plot* plot, const GullyBrush* brush) {
    if (!plot->is_wet) return gully_sim_step(plot->sim, SLIDES);
    GullyStatus status = GULLY_OK;
    for (int n = 0; n < POURS && !status; n++) {
        status = pour(plot, brush->strength / POURS);
        if (!status) status = gully_sim_step(plot->sim, STEPS_PER_POUR);
    }
    return status ? status : settle(plot);
}

/// Mixes what the plot has become into a row of the world.
static GullyStatus give_row(const Plot* plot, GullyWorld* world, int field, Run run, int x, int y,
                            const double* weights) {
    double *ours = plot->ours, *theirs = plot->theirs;
    GullyStatus status =
        cells_read(plot->world, field, (Run){run.x - x, run.y - y, run.count}, ours);
    if (!status) status = cells_read(world, field, run, theirs);
    if (status) return status;
    for (int i = 0; i < run.count; i++) {
        double mixed = theirs[i] + weights[i] * (ours[i] - theirs[i]);
        theirs[i] = isfinite(ours[i]) ? mixed : NAN;
    }
    return cells_write(world, field, run, theirs);
}

/// The first cell of a plot around a cell, so that it lies in the world.
static int plot_start(double at, double cell, int size, int count) {
    double start = floor(at / cell + 0.5) - size / 2;
    return start < 0 ? 0 : start > count - size ? count - size : (int)start;
}

GullyStatus plot_dab(Plot* plot, GullyWorld* world, const Dab* dab, double* weights) {
    const int width = plot->world->width, height = plot->world->height;
    const int x = plot_start(dab->at.x, world->cell_x, width, world->width);
    const int y = plot_start(dab->at.y, world->cell_y, height, world->height);
    GullyStatus status = lay_ground(plot, world, x, y);
    if (!status) status = act(plot, dab->brush);
    if (status) return status;

    int fields[MAX_LAYERS + 2], count = shared_fields(world, fields) - 1; // hardness stays
    const double share = plot->is_wet ? 1 : dab->brush->strength;
    const GullyRect rect = dab_rect(world, dab->brush, dab->at);
    for (int row = rect.y; row < rect.y + rect.height; row++) {
        Run run = dab_run(world, dab, row, weights);
        for (int i = 0; i < run.count; i++)
            weights[i] *= share;
        for (int n = 0; n < count && !status; n++)
            status = give_row(plot, world, fields[n], run, x, y, weights);
    }
    return status;
}
