// SPDX-License-Identifier: MIT
// The same land in cells of 5, 10 and 20 m, for the same time: laws whose result does not know the
// size of cells.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>

#include "gully/sim.h"
#include "ok.h"
#include "terrains.h"

static const double side = 1280; // [m]

/// A hill far steeper than its talus, 500 m high, its means over cells [m].
static float* hill(int cells) {
    float* heights = terrain_make(NULL, cells, cells);
    const double cell = side / cells;
    for (int c = 0; c < cells * cells; c++) {
        double x = (c % cells + 0.5) * cell - side / 2,
               y = ((int)(c / cells) + 0.5) * cell - side / 2;
        heights[c] = (float)(500 * exp(-(x * x + 1.5 * y * y) / (180.0 * 180.0)));
    }
    return heights;
}

/// What has slid off the hill after 100 s [m3].
static double slid(int cells, double grain) {
    const double cell = side / cells;
    float* start = hill(cells);
    GullyWorld* world = terrain_world(start, cells, cells, cell, cell, 0);
    GullySettings* settings = NULL;
    GullySim* sim = NULL;
    OK(gully_settings_create("thermal", &settings));
    OK(gully_settings_set_number(settings, "params.talus", 38));
    OK(gully_settings_set_number(settings, "params.rate", 0.2));
    OK(gully_settings_set_number(settings, "params.grain", grain));
    OK(gully_settings_set_number(settings, "dt", 0.25));
    GullySimDef def = gully_sim_def();
    def.threads = 1;
    if (gully_sim_create(world, settings, &def, &sim)) fail_msg("%s", gully_message());
    OK(gully_sim_step(sim, 400));
    float* end = terrain_read(world, GULLY_TERRAIN);
    double volume = 0;
    for (int c = 0; c < cells * cells; c++)
        volume += fmax(0, (double)(start[c] - end[c])) * cell * cell;
    gully_sim_destroy(sim);
    gully_settings_destroy(settings);
    gully_world_destroy(world);
    free(start);
    free(end);
    return volume;
}

static void slides_know_no_cells(void** state) {
    (void)state;
    const double finest = slid(256, 10), fine = slid(128, 10), coarse = slid(64, 10);
    const double plain_finest = slid(256, 0), plain_coarse = slid(64, 0);
    print_message("    slid in cells of 5 m %.3g m3, of 10 m %+.2f %%, of 20 m %+.2f %%; without "
                  "grain %+.0f %%\n",
                  finest, 100 * (fine / finest - 1), 100 * (coarse / finest - 1),
                  100 * (plain_coarse / plain_finest - 1));
    assert_true(fabs(fine / finest - 1) < 0.025);
    assert_true(fabs(coarse / finest - 1) < 0.075);
    assert_true(slid(128, 0) == fine); // in cells of the grain it changes nothing
    assert_true(plain_coarse > 1.3 * plain_finest);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(slides_know_no_cells)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
