/// One side of a comparison (pairs.c): the library of some version, linked with this file into a
/// shared object, so that two versions can run in one process.
#include "contestant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gully/gully.h"

struct Contestant {
    GullyWorld* world;
    GullySettings* settings;
    GullySim* sim;
    float* heights;
};

static bool worked(GullyStatus status) {
    if (status != GULLY_OK) fprintf(stderr, "%s\n", gully_message());
    return status == GULLY_OK;
}

/// Mountains under rain, with what the variant asks for.
static bool set_up(Contestant* c, int size, int threads, const char* variant) {
    const bool all = strcmp(variant, "all") == 0, semi = strcmp(variant, "semi_lagrangian") == 0;
    GullyGenerateParams params;
    gully_params_default(gully_generate_table(), &params);
    params.width = params.height = size;
    GullyWorldDef world = gully_world_def(size, size);
    GullySimDef sim = gully_sim_def();
    world.cell_x = world.cell_y = 10;
    world.heights = c->heights = malloc(sizeof(float) * (size_t)size * (size_t)size);
    sim.threads = threads;
    sim.masks = all;
    return c->heights && worked(gully_generate("mountains", &params, c->heights)) &&
           worked(gully_world_create(&world, &c->world)) &&
           worked(gully_settings_create("pipe", &c->settings)) &&
           worked(gully_settings_set_number(c->settings, "rain.rate", 1e-3)) &&
           (!semi || worked(gully_settings_set_text(c->settings, "params.transport", variant))) &&
           (!all || worked(gully_settings_switch(c->settings, "thermal", true))) &&
           (!all || worked(gully_settings_set_number(c->settings, "params.softening", 1))) &&
           worked(gully_sim_create(c->world, c->settings, &sim, &c->sim));
}

Contestant* contestant_open(int size, int threads, const char* variant) {
    Contestant* c = calloc(1, sizeof *c);
    if (c && set_up(c, size, threads, variant)) return c;
    if (c) contestant_close(c);
    return NULL;
}

void contestant_step(Contestant* c, int steps) {
    gully_sim_step(c->sim, steps);
}

uint64_t contestant_hash(const Contestant* c) {
    return gully_world_hash(c->world, GULLY_TERRAIN);
}

void contestant_close(Contestant* c) {
    gully_sim_destroy(c->sim);
    gully_settings_destroy(c->settings);
    gully_world_destroy(c->world);
    free(c->heights);
    free(c);
}
