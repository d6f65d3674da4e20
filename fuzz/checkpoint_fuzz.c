// SPDX-License-Identifier: MIT
// A checkpoint: opened, and given to a simulation that it may or may not fit.
#include <stdint.h>
#include <stdlib.h>

#include "gully/checkpoint.h"
#include "gully/sim.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

enum { SIDE = 8 };

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    GullyCheckpoint* checkpoint = NULL;
    if (gully_checkpoint_parse(bytes, size, "fuzz", 1, &checkpoint)) return 0;
    GullyWorldDef def = gully_world_def(SIDE, SIDE);
    GullySimDef sim_def = gully_sim_def();
    sim_def.threads = 1;
    GullyWorld* world = NULL;
    GullySettings* settings = NULL;
    GullySim* sim = NULL;
    if (gully_world_create(&def, &world) || gully_settings_create("pipe", &settings) ||
        gully_sim_create(world, settings, &sim_def, &sim))
        abort();
    if (gully_checkpoint_restore(checkpoint, sim, 1) == GULLY_OK && gully_sim_step(sim, 1)) abort();
    gully_sim_destroy(sim);
    gully_settings_destroy(settings);
    gully_world_destroy(world);
    gully_checkpoint_close(checkpoint);
    return 0;
}
