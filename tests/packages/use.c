// SPDX-License-Identifier: MIT
/// The run of deb_test.sh from C, with both libraries: prints the hash of the terrain.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "gully/gully.h"
#include "gully/raster.h"

static void check(GullyStatus status) {
    if (status == GULLY_OK) return;
    fprintf(stderr, "%s\n", gully_message());
    exit(1);
}

int main(void) {
    GullyRaster raster;
    check(gully_raster_read("start.tif", NULL, NULL, &raster));
    GullyWorldDef def = gully_world_def(raster.width, raster.height);
    def.cell_x = def.cell_y = 10;
    def.heights = raster.values;
    GullyWorld* world;
    check(gully_world_create(&def, &world));
    GullySettings* settings;
    check(gully_settings_create("pipe", &settings));
    check(gully_settings_set_number(settings, "rain.rate", 1e-3));
    GullySimDef sim_def = gully_sim_def();
    GullySim* sim;
    check(gully_sim_create(world, settings, &sim_def, &sim));
    check(gully_sim_step(sim, 20));
    printf("%016" PRIx64 "\n", gully_world_hash(world, GULLY_TERRAIN));
    gully_sim_destroy(sim);
    gully_settings_destroy(settings);
    gully_world_destroy(world);
    gully_raster_free(&raster);
    return 0;
}
