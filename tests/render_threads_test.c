// SPDX-License-Identifier: MIT
// A picture is the same on any number of threads, and of a world and of its arrays alike.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gully/generate.h"
#include "gully/render.h"
#include "ok.h"

enum { SIDE = 96, WIDTH = 100, HEIGHT = 70, BYTES = WIDTH * HEIGHT * 3 };

static GullyWorld* make_world(void) {
    GullyGenerateParams params;
    gully_params_default(gully_generate_table(), &params);
    params.width = params.height = SIDE;
    params.relief = 300;
    GullyWorldDef def = gully_world_def(SIDE, SIDE);
    float* heights = malloc(sizeof *heights * SIDE * SIDE);
    assert_non_null(heights);
    assert_int_equal(gully_generate("mountains", &params, heights), GULLY_OK);
    def.heights = heights;
    def.cell_x = def.cell_y = 10;
    GullyWorld* world;
    assert_int_equal(gully_world_create(&def, &world), GULLY_OK);
    for (int k = 0; k < SIDE * SIDE; k++)
        heights[k] = heights[k] < 100 ? 100 - heights[k] : 0; // a lake
    assert_int_equal(gully_world_write(world, GULLY_WATER, gully_world_all(world), heights),
                     GULLY_OK);
    free(heights);
    return world;
}

static void draw(const GullyScenery* scenery, GullyRenderDef def, int threads, unsigned char* rgb) {
    def.threads = threads;
    memset(rgb, 0, BYTES);
    assert_int_equal(gully_render(scenery, &def, rgb), GULLY_OK);
}

static void threads_do_not_show(void** state) {
    (void)state;
    GullyWorld* world = make_world();
    unsigned char *one = malloc(BYTES), *many = malloc(BYTES);
    for (int view = 0; view < 2; view++) {
        GullyRenderDef def = gully_render_def(WIDTH, HEIGHT);
        def.view = (GullyRenderView)view;
        GullyScenery* scenery;
        assert_int_equal(gully_scenery_take(world, &def, &scenery), GULLY_OK);
        draw(scenery, def, 1, one);
        for (int threads = 2; threads <= 7; threads += 5) {
            draw(scenery, def, threads, many);
            assert_memory_equal(one, many, BYTES);
        }
        gully_scenery_destroy(scenery);
    }
    free(one);
    free(many);
    gully_world_destroy(world);
}

static void arrays_and_worlds_look_alike(void** state) {
    (void)state;
    GullyWorld* world = make_world();
    float* fields = malloc(sizeof *fields * 2 * SIDE * SIDE);
    GullyRenderInput input = {.width = SIDE, .height = SIDE, .cell_x = 10, .cell_y = 10};
    for (int f = GULLY_TERRAIN; f <= GULLY_WATER; f++) {
        OK(gully_world_read(world, (GullyField)f, gully_world_all(world),
                            fields + f * SIDE * SIDE));
        input.fields[f] = fields + f * SIDE * SIDE;
    }
    GullyRenderDef def = gully_render_def(WIDTH, HEIGHT);
    GullyScenery *taken, *created;
    assert_int_equal(gully_scenery_take(world, &def, &taken), GULLY_OK);
    assert_int_equal(gully_scenery_create(&input, &def, &created), GULLY_OK);
    unsigned char *one = malloc(BYTES), *other = malloc(BYTES);
    draw(taken, def, 2, one);
    draw(created, def, 2, other);
    assert_memory_equal(one, other, BYTES);
    free(one);
    free(other);
    free(fields);
    gully_scenery_destroy(taken);
    gully_scenery_destroy(created);
    gully_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_show),
        cmocka_unit_test(arrays_and_worlds_look_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
