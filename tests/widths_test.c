/// Every vector width of the processor gives the same bits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gully/gully.h"
#include "law.h"

enum { WIDTH = 213, HEIGHT = 97 };

static uint64_t hash_of_run(const char* law, const char* transport) {
    static float heights[WIDTH * HEIGHT];
    GullyGenerateParams params;
    gully_params_default(gully_generate_table(), &params);
    params.width = WIDTH;
    params.height = HEIGHT;
    assert_int_equal(gully_generate("mountains", &params, heights), GULLY_OK);
    GullyWorldDef def = gully_world_def(WIDTH, HEIGHT);
    def.cell_x = 30;
    def.cell_y = 20;
    def.heights = heights;
    GullyWorld* world;
    GullySettings* settings;
    GullySim* sim;
    GullySimDef sim_def = gully_sim_def();
    assert_int_equal(gully_world_create(&def, &world), GULLY_OK);
    assert_int_equal(gully_settings_create(law, &settings), GULLY_OK);
    if (transport)
        assert_int_equal(gully_settings_set_text(settings, "params.transport", transport), 0);
    assert_int_equal(gully_settings_set_number(settings, "rain.rate", 1e-3), GULLY_OK);
    assert_int_equal(gully_settings_switch(settings, "thermal", true), GULLY_OK);
    assert_int_equal(gully_sim_create(world, settings, &sim_def, &sim), GULLY_OK);
    gully_sim_step(sim, 60);
    uint64_t hash = 0;
    for (GullyField field = 0; field < GULLY_FIELD_COUNT; field++)
        hash = hash * 31 + gully_world_hash(world, field);
    gully_sim_destroy(sim);
    gully_settings_destroy(settings);
    gully_world_destroy(world);
    return hash;
}

static void test_every_width(void** state) {
    (void)state;
    const char* const cases[][2] = {
        {"pipe", "flux"}, {"pipe", "semi_lagrangian"}, {"thermal", NULL}, {"creep", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        law_use_width(0);
        uint64_t baseline = hash_of_run(cases[i][0], cases[i][1]);
        for (int width = 1; width < law_width_count(); width++) {
            law_use_width(width);
            if (hash_of_run(cases[i][0], cases[i][1]) != baseline)
                fail_msg("%s differs with %s", cases[i][0], law_width_name(width));
        }
    }
    print_message("    %d widths, the last is %s\n", law_width_count(),
                  law_width_name(law_width_count() - 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_width)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
