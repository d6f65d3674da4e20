// SPDX-License-Identifier: MIT
/// A hill under the rain, with nothing but the engine: heights in an array in, heights out.
///
///     cc erode.c $(pkg-config --cflags --libs gully) -lm
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "gully/gully.h"

enum { SIDE = 128 };

/// Stops with the library's message if something failed.
static void check(GullyStatus status) {
    if (status == GULLY_OK) return;
    fprintf(stderr, "%s\n", gully_message());
    exit(1);
}

/// A cone of 200 m with a few bumps, on cells of 10 m.
static void make_hill(float* heights) {
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            double r = hypot(x - SIDE / 2.0, y - SIDE / 2.0) / (SIDE / 2.0);
            heights[y * SIDE + x] = (float)(200 * fmax(0, 1 - r) + 3 * sin(0.4 * x) * cos(0.3 * y));
        }
    }
}

int main(void) {
    static float heights[SIDE * SIDE];
    make_hill(heights);

    GullyWorldDef def = gully_world_def(SIDE, SIDE);
    def.cell_x = def.cell_y = 10;
    def.heights = heights; // copied
    GullyWorld* world;
    check(gully_world_create(&def, &world));

    GullySettings* settings;
    check(gully_settings_create("pipe", &settings));
    check(gully_settings_set_number(settings, "rain.rate", 1e-3)); // by name, checked
    check(gully_settings_set_text(settings, "boundary.east", "open"));
    GullyPipeParams* pipe = gully_settings_section(settings, "params", NULL); // by struct
    pipe->capacity = 0.8;

    GullySimDef sim_def = gully_sim_def();
    GullySim* sim;
    check(gully_sim_create(world, settings, &sim_def, &sim));
    check(gully_sim_step(sim, 300));

    // A patch of 8 x 8 cells halfway down the hill.
    float patch[8 * 8];
    GullyRect rect = {SIDE / 2 - 4, SIDE * 3 / 4, 8, 8};
    check(gully_world_read(world, GULLY_TERRAIN, rect, patch));
    double change = 0;
    for (int i = 0; i < 64; i++) {
        int x = rect.x + i % 8, y = rect.y + i / 8;
        change += (double)(patch[i] - heights[y * SIDE + x]) / 64;
    }
    printf("The patch sank by %.3f m on average.\n", -change);

    GullyBudget budget;
    check(gully_sim_budget(sim, &budget));
    printf("After %.0f s: %.0f m3 of rain, %.0f left, %.0f evaporated, %.0f present.\n",
           gully_sim_time(sim), budget.water.rain, budget.water.left, budget.water.evaporated,
           budget.water.present);
    printf("Eroded %.0f m3, deposited %.0f m3.\n", budget.solid.eroded, budget.solid.deposited);
    bool fine = change < 0 && budget.solid.eroded > 0 && budget.water.left > 0 &&
                fabs(budget.water.residual) < 1e-5 * budget.water.moved &&
                fabs(budget.solid.residual) < 1e-5 * budget.solid.moved;
    if (!fine) fprintf(stderr, "something is off: the ledger does not close\n");

    gully_sim_destroy(sim);
    gully_settings_destroy(settings);
    gully_world_destroy(world);
    return fine ? 0 : 1;
}
