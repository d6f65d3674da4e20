// SPDX-License-Identifier: MIT
/// What sleeps and what is awake, seen from inside: that it is enough, and that it is not too much.
/// That nothing of it shows in a result is the business of activity_threads_test.c.
#include "activity.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cell.h"
#include "supply.cell.h"
#include "terrains.h"

enum { WIDTH = 230, HEIGHT = 170 };

static const int tile_sizes[] = {7, 16, 37, 64, 100, 256};
enum { TILE_SIZES = sizeof tile_sizes / sizeof *tile_sizes };

// ---- a sweep that can be watched ----------------------------------------------------------------

/// Stands in for the constants of a pass: runs it, and notes for which cells.
typedef struct Spy {
    const Pass* pass;
    const void* consts;
    int* visits; // [HEIGHT][WIDTH]
} Spy;

typedef struct Watch {
    GullyWorld* world;
    Pool* pool;
    Stepper* sweep;
    Plan plan; // the same as the sweep's own
    int slots[FIELD_IDS];
    Pass passes[MAX_ENTRIES];
    Spy spies[MAX_ENTRIES];
    void* consts;
    int* visits;
} Watch;

static void spy_row(const PassRow* row) {
    const Spy* spy = row->consts;
    for (int i = row->first; i < row->end; i++)
        spy->visits[row->y * WIDTH + row->x + i]++;
    PassRow real = *row;
    real.consts = spy->consts;
    spy->pass->row(&real);
}

/// Adds the law's own fields, as a simulation does.
static void add_fields(Watch* watch, const Law* law) {
    for (int id = 0; id < FIELD_IDS; id++)
        watch->slots[id] = id < COMMON_FIELDS ? watch->world->common[id] : -1;
    for (int i = 0; i < law->field_count; i++) {
        FieldInfo field = {.outside = law->fields[i].outside};
        snprintf(field.name, sizeof field.name, "%s.%s", law->name, law->fields[i].name);
        int* slot = &watch->slots[LAW_FIELDS + i];
        if (!law->fields[i].scratch)
            assert_int_equal(world_add_fields(watch->world, &field, 1, slot), GULLY_OK);
    }
}

/// A sweep over a world with one law, whose constants are given.
static Watch* begin_watch(const Law* law, void* consts, const float* heights, int tile_size) {
    Watch* watch = calloc(1, sizeof *watch);
    assert_non_null(watch);
    watch->world = terrain_world(heights, WIDTH, HEIGHT, 1, 1, tile_size);
    watch->visits = calloc(WIDTH * HEIGHT, sizeof *watch->visits);
    watch->consts = consts;
    assert_non_null(watch->visits);
    add_fields(watch, law);
    assert_int_equal(pool_create(1, &watch->pool), GULLY_OK);
    StepEntry passes[MAX_ENTRIES];
    int count = 0;
    passes[count++] =
        (StepEntry){law_supply()->passes, law_supply(), watch->slots, law_supply(), NULL, NULL};
    for (int i = 0; i < law->pass_count; i++, count++) {
        watch->passes[count] = law->passes[i];
        watch->passes[count].row = spy_row;
        watch->spies[count] = (Spy){&law->passes[i], consts, watch->visits};
        passes[count] = (StepEntry){&watch->passes[count], law, watch->slots, law, NULL, NULL};
    }
    assert_int_equal(stepper_open(&sweep_stepper,
                                  &(StepperPlace){watch->world, watch->pool, NULL, 0}, passes,
                                  count, &watch->sweep),
                     GULLY_OK);
    assert_int_equal(plan_create(passes, count, 0, &watch->plan), GULLY_OK);
    return watch;
}

static void end_watch(Watch* watch) {
    stepper_close(watch->sweep);
    pool_destroy(watch->pool);
    plan_destroy(&watch->plan);
    gully_world_destroy(watch->world);
    free(watch->visits);
    free(watch->consts);
    free(watch);
}

/// The constants of a run: supply[i] is what falls in step i, the others spy.
static void list_consts(const Watch* watch, const SupplyStep* const* supply, int steps,
                        const void** consts) {
    const int count = watch->plan.step_passes;
    for (int k = 0; k < steps * count; k++)
        consts[k] = k % count == 0 ? (const void*)supply[k / count] : &watch->spies[k % count];
}

/// Runs one sweep of as many steps as fit; returns how many cells a pass has worked on.
static int sweep_once(Watch* watch, const SupplyStep* falls) {
    const SupplyStep* supply[MAX_RUN_STEPS];
    const void* consts[MAX_RUN_STEPS * MAX_ENTRIES];
    for (int i = 0; i < MAX_RUN_STEPS; i++)
        supply[i] = falls;
    memset(watch->visits, 0, WIDTH * HEIGHT * sizeof *watch->visits);
    const int steps = watch->sweep->run_steps;
    list_consts(watch, supply, steps, consts);
    assert_int_equal(watch->sweep->kind->bind(watch->sweep), GULLY_OK);
    assert_int_equal(watch->sweep->kind->run(watch->sweep, steps, consts), GULLY_OK);
    int visited = 0;
    for (int c = 0; c < WIDTH * HEIGHT; c++)
        visited += watch->visits[c] > 0;
    return visited;
}

static Watch* watch_pipe(const float* heights, int tile_size, double evaporation) {
    const Law* law = law_find("pipe");
    const StepInfo info = {.dt = 0.1, .cell_x = 1, .cell_y = 1};
    GullyPipeParams params;
    gully_params_default(law->params, &params);
    params.evaporation = evaporation;
    void* consts = malloc(law->consts_size);
    assert_non_null(consts);
    law->prepare(&params, &info, consts);
    return begin_watch(law, consts, heights, tile_size);
}

/// One disc of water that falls in every step. The tables of the supply follow its constants.
typedef struct Shower {
    SupplyStep step;
    int starts[HEIGHT], ends[HEIGHT];
    SupplyKind kind;
    SupplySpan spans[HEIGHT];
    SupplyBox box;
    double x, y, radius;
    int near_x, near_y;
} Shower;

static void make_shower(Shower* shower, double x, double y, double radius) {
    *shower = (Shower){.step = {.rows = HEIGHT, .kinds = 1, .spans = HEIGHT, .boxes = 1},
                       .kind = {.water = 0.05f},
                       .x = x,
                       .y = y,
                       .radius = radius,
                       .near_x = (int)fmin(fmax(x, 0), WIDTH - 1),
                       .near_y = (int)fmin(fmax(y, 0), HEIGHT - 1)};
    SupplyBox box = {shower->near_y, shower->near_y + 1, shower->near_x, shower->near_x + 1};
    for (int row = 0; row < HEIGHT; row++) {
        SupplySpan span = {shower->near_x, shower->near_x + (row == shower->near_y), 0, 1};
        for (int column = 0; column < WIDTH; column++) {
            if (hypot(column - x, row - y) > radius) continue;
            span.first = column < span.first ? column : span.first;
            span.end = column >= span.end ? column + 1 : span.end;
        }
        shower->spans[row] = span;
        shower->starts[row] = row;
        shower->ends[row] = row + (span.first < span.end);
        if (span.first >= span.end) continue;
        box.first_row = row < box.first_row ? row : box.first_row;
        box.end_row = row >= box.end_row ? row + 1 : box.end_row;
        box.first_column = span.first < box.first_column ? span.first : box.first_column;
        box.end_column = span.end > box.end_column ? span.end : box.end_column;
    }
    shower->box = box;
}

// ---- sweeps leave out what is at rest -----------------------------------------------------------

static void test_dry_world_sleeps(void** state) {
    (void)state;
    float* heights = terrain_make(terrain_holes, WIDTH, HEIGHT);
    for (int n = 0; n < TILE_SIZES; n++) {
        Watch* watch = watch_pipe(heights, tile_sizes[n], 0);
        assert_int_equal(sweep_once(watch, NULL), 0);
        float depth = 0.5f; // a write wakes what is around it, and the water does not let it sleep
        GullyRect cell = {100, 80, 1, 1};
        assert_int_equal(gully_world_write(watch->world, GULLY_WATER, cell, &depth), GULLY_OK);
        for (int sweeps = 0; sweeps < 2; sweeps++) {
            int visited = sweep_once(watch, NULL);
            assert_true(visited > 0 && visited < WIDTH * HEIGHT);
        }
        end_watch(watch);
    }
    free(heights);
}

/// How far a cell is from a shower's edge, in cells.
static double distance_to(const Shower* shower, int c) {
    return fmax(0, hypot(c % WIDTH - shower->x, c / WIDTH - shower->y) - shower->radius);
}

static void test_only_a_source_is_awake(void** state) {
    (void)state;
    float* heights = terrain_make(terrain_flat, WIDTH, HEIGHT);
    Shower shower;
    make_shower(&shower, 47.5, 120, 2);
    for (int n = 0; n < TILE_SIZES; n++) {
        Watch* watch = watch_pipe(heights, tile_sizes[n], 0);
        sweep_once(watch, NULL);
        for (int sweeps = 1; sweeps <= 3; sweeps++) {
            int visited = sweep_once(watch, &shower.step);
            // Water comes a cell further in a step. Its block is active, the next is awake, and
            // what is read of scratch fields takes up to two vectors more.
            int steps = sweeps * watch->sweep->run_steps;
            double most = 1.5 * (steps + 4 * PATCH);
            float* water = terrain_read(watch->world, GULLY_WATER);
            for (int c = 0; c < WIDTH * HEIGHT; c++) {
                if (watch->visits[c]) assert_true(distance_to(&shower, c) < most);
                if (water[c] > 0) assert_true(watch->visits[c] > 0);
                if (water[c] > 0) assert_true(distance_to(&shower, c) <= steps + 1);
            }
            assert_true(water[120 * WIDTH + 47] > 0);
            free(water);
            assert_true(visited < WIDTH * HEIGHT / 2);
        }
        end_watch(watch);
    }
    free(heights);
}

/// When the water has evaporated, the world sleeps again; and wakes again.
static void test_sleeps_again(void** state) {
    (void)state;
    float* heights = terrain_make(terrain_rough, WIDTH, HEIGHT);
    Shower shower;
    make_shower(&shower, 160, 15.5, 3);
    Watch* watch = watch_pipe(heights, 64, 2);
    for (int times = 0; times < 2; times++) {
        assert_true(sweep_once(watch, &shower.step) > 0);
        assert_true(sweep_once(watch, NULL) > 0);
        int sweeps = 0;
        while (sweep_once(watch, NULL) > 0 && sweeps < 100)
            sweeps++;
        assert_true(sweeps > 2 && sweeps < 100);
    }
    Exact sums[ACCOUNTS] = {0}, again[ACCOUNTS] = {0};
    assert_int_equal(watch->sweep->kind->accounts(watch->sweep, sums), GULLY_OK);
    assert_int_equal(watch->sweep->kind->accounts(watch->sweep, again), GULLY_OK);
    assert_true(exact_value(sums[WATER_EVAPORATED]) > 1);
    assert_true(again[WATER_EVAPORATED] == 0); // they were handed over
    end_watch(watch);
    free(heights);
}

/// Rain wakes everything.
static void test_rain_wakes(void** state) {
    (void)state;
    float* heights = terrain_make(terrain_flat, WIDTH, HEIGHT);
    Watch* watch = watch_pipe(heights, 100, 0);
    sweep_once(watch, NULL);
    assert_int_equal(sweep_once(watch, NULL), 0);
    SupplyStep rain = {.rain = 1e-3f};
    assert_int_equal(sweep_once(watch, &rain), WIDTH * HEIGHT);
    assert_int_equal(sweep_once(watch, NULL), WIDTH * HEIGHT);
    end_watch(watch);
    free(heights);
}

// ---- what is awake around what is active --------------------------------------------------------

static uint64_t dice = 1;

static int roll(int sides) {
    dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((dice >> 33) % (uint64_t)sides);
}

/// Lets everything fall asleep: a first look at a dry world.
static void fall_asleep(Activity* activity, const Watch* watch) {
    const void* nothing[MAX_ENTRIES] = {NULL};
    activity_begin(activity, &watch->plan, 1, nothing);
    for (int tx = 0; tx < watch->world->tiles_x; tx++) {
        for (int y = 0; y < HEIGHT; y += PATCH)
            activity_end_rows(activity, &watch->plan, tx, y);
    }
}

/// Notes which cells are awake. The columns of a row are those of its panels.
static int find_awake(const Activity* activity, const GullyWorld* world, bool* awake) {
    int count = 0;
    for (int tx = 0; tx < world->tiles_x; tx++) {
        const Tile* panel = &world->tiles[tx];
        for (int y = 0; y < HEIGHT; y++) {
            ActiveSpan columns = activity_span(activity, tx, y, y + 1);
            for (int i = 0; i < panel->width; i++) {
                bool is = i >= columns.from && i < columns.to;
                awake[y * WIDTH + panel->x + i] = is;
                count += is;
            }
        }
    }
    return count;
}

/// How many active cells lie north and west of a corner of cells, [HEIGHT + 1][WIDTH + 1].
typedef int Sums[HEIGHT + 1][WIDTH + 1];

static void add_up(const bool* active, Sums sums) {
    memset(sums, 0, sizeof(Sums));
    for (int c = 0; c < WIDTH * HEIGHT; c++) {
        int x = c % WIDTH, y = c / WIDTH;
        sums[y + 1][x + 1] = sums[y][x + 1] + sums[y + 1][x] - sums[y][x] + active[c];
    }
}

/// Whether something is active in the square of cells around one.
static bool active_within(Sums sums, int c, int reach) {
    int x = c % WIDTH, y = c / WIDTH;
    int west = x > reach ? x - reach : 0, east = x + reach < WIDTH ? x + reach + 1 : WIDTH;
    int north = y > reach ? y - reach : 0, south = y + reach < HEIGHT ? y + reach + 1 : HEIGHT;
    return sums[south][east] - sums[north][east] - sums[south][west] + sums[north][west] > 0;
}

/// What can be reached in a sweep is awake. A panel is awake in one piece, but its first and last
/// columns are awake for a reason: less than three blocks away something is active.
static void check_awake(const Activity* activity, const GullyWorld* world, const bool* active) {
    static bool awake[WIDTH * HEIGHT];
    static Sums sums;
    find_awake(activity, world, awake);
    add_up(active, sums);
    for (int c = 0; c < WIDTH * HEIGHT; c++) {
        int x = c % WIDTH, panel = x / world->tile_width;
        bool reached = active_within(sums, c, PATCH - 1);
        if (reached && !awake[c]) fail_msg("(%d, %d) sleeps", x, c / WIDTH);
        bool first = awake[c] && (x == panel * world->tile_width || !awake[c - 1]);
        bool last = awake[c] &&
                    (x == WIDTH - 1 || x == (panel + 1) * world->tile_width - 1 || !awake[c + 1]);
        if ((first || last) && !active_within(sums, c, 3 * PATCH - 1))
            fail_msg("(%d, %d) is awake for no reason", x, c / WIDTH);
    }
}

/// Cells of the block of a panel that a mark stands for.
static void mark_cells(const GullyWorld* world, int tx, int x, int y, bool* active) {
    const Tile* panel = &world->tiles[tx];
    int first_x = x / PATCH * PATCH, first_y = y / PATCH * PATCH;
    for (int j = first_y; j < first_y + PATCH && j < HEIGHT; j++) {
        for (int i = first_x; i < first_x + PATCH && i < panel->width; i++)
            active[j * WIDTH + panel->x + i] = true;
    }
}

static void test_awake_around_marks(void** state) {
    (void)state;
    static bool active[WIDTH * HEIGHT];
    const void* nothing[MAX_ENTRIES] = {NULL};
    float* heights = terrain_make(terrain_flat, WIDTH, HEIGHT);
    for (int n = 0; n < 4 * TILE_SIZES; n++) {
        Watch* watch = watch_pipe(heights, tile_sizes[n % TILE_SIZES], 0);
        plan_bind(&watch->plan, watch->world);
        Activity* activity;
        assert_int_equal(activity_create(watch->world, &activity), GULLY_OK);
        fall_asleep(activity, watch);
        memset(active, 0, sizeof active);
        for (int marks = roll(4); marks > 0; marks--) {
            int tx = roll(watch->world->tiles_x), y = roll(HEIGHT);
            int x = roll(watch->world->tiles[tx].width);
            activity_marks(activity, tx, y)[x / PATCH] = 1;
            mark_cells(watch->world, tx, x, y, active);
        }
        activity_begin(activity, &watch->plan, 1, nothing);
        check_awake(activity, watch->world, active);
        activity_destroy(activity);
        end_watch(watch);
    }
    free(heights);
}

/// The same around cells in which one of the fields that a law names is not 0.
static void test_awake_around_fields(void** state) {
    (void)state;
    static bool active[WIDTH * HEIGHT], awake[WIDTH * HEIGHT];
    const void* nothing[MAX_ENTRIES] = {NULL};
    float* heights = terrain_make(terrain_flat, WIDTH, HEIGHT);
    const Law* law = law_find("pipe");
    for (int id = 0; id < FIELD_IDS; id++) {
        Watch* watch = watch_pipe(heights, tile_sizes[id % TILE_SIZES], 0);
        plan_bind(&watch->plan, watch->world);
        int slot = watch->slots[id];
        bool counts = (law->rest & FIELD_BIT(id)) != 0;
        if (slot >= 0) {
            int c = roll(WIDTH * HEIGHT), x = c % WIDTH, y = c / WIDTH;
            const GullyWorld* world = watch->world;
            const Tile* tile = tile_of_cell(world, x, y);
            tile_row(world, tile, slot, y - tile->y)[x - tile->x] = counts ? 1e-30f : 7;
            Activity* activity;
            assert_int_equal(activity_create(world, &activity), GULLY_OK);
            fall_asleep(activity, watch);
            activity_begin(activity, &watch->plan, 1, nothing);
            memset(active, 0, sizeof active);
            active[c] = counts;
            check_awake(activity, world, active);
            assert_true((find_awake(activity, world, awake) > 0) == counts);
            activity_destroy(activity);
        }
        end_watch(watch);
    }
    free(heights);
}

static void test_awake_around_discs(void** state) {
    (void)state;
    static bool active[WIDTH * HEIGHT], awake[WIDTH * HEIGHT];
    static Sums sums;
    float* heights = terrain_make(terrain_flat, WIDTH, HEIGHT);
    for (int n = 0; n < 6 * TILE_SIZES; n++) {
        Watch* watch = watch_pipe(heights, tile_sizes[n % TILE_SIZES], 0);
        plan_bind(&watch->plan, watch->world);
        Activity* activity;
        assert_int_equal(activity_create(watch->world, &activity), GULLY_OK);
        fall_asleep(activity, watch);
        Shower shower; // may lie outside, and then falls on the nearest cell
        make_shower(&shower, roll(WIDTH + 40) - 20, roll(HEIGHT + 40) - 20, roll(30) / 2.0);
        const int steps = watch->plan.steps;
        const SupplyStep* supply[MAX_RUN_STEPS] = {NULL};
        const void* consts[MAX_RUN_STEPS * MAX_ENTRIES];
        supply[roll(steps)] = &shower.step;
        list_consts(watch, supply, steps, consts);
        activity_begin(activity, &watch->plan, steps, consts);
        for (int c = 0; c < WIDTH * HEIGHT; c++)
            active[c] = distance_to(&shower, c) <= 0;
        active[shower.near_y * WIDTH + shower.near_x] = true;
        add_up(active, sums);
        find_awake(activity, watch->world, awake);
        for (int c = 0; c < WIDTH * HEIGHT; c++) {
            if (active_within(sums, c, PATCH - 1)) assert_true(awake[c]);
        }
        activity_destroy(activity);
        end_watch(watch);
    }
    free(heights);
}

// ---- scratch fields at the edge of what is awake ------------------------------------------------

/// A law that compares: its passes hand the ground on in scratch fields and add to the sediment
/// whatever comes back changed, from a neighbour or a neighbour's neighbour. So it does nothing,
/// unless a scratch field was not computed where it is read.
enum { FIRST_COPY = LAW_FIELDS, SECOND_COPY };

static const LawField compare_fields[] = {
    {.name = "first", .scratch = true},
    {.name = "second", .scratch = true},
};

static void copy_row(const PassRow* row) {
    EACH_CELL(i, row) row->out[FIRST_COPY][i] = row->in[GROUND][HERE][i];
}

/// By how much a copy differs from the ground, of a cell's neighbours that are cells.
static float difference(const PassRow* row, int copy, int i) {
    float sum = 0;
    for (int side = 0; side < ROWS; side++) {
        for (int x = i - 1; x <= i + 1; x++) {
            float ground = row->in[GROUND][side][x];
            if (is_cell(ground)) sum += fabsf(row->in[copy][side][x] - ground);
        }
    }
    return sum;
}

static void copy_again_row(const PassRow* row) {
    EACH_CELL(i, row) {
        row->out[SECOND_COPY][i] = row->in[GROUND][HERE][i] + difference(row, FIRST_COPY, i);
    }
}

static void compare_row(const PassRow* row) {
    EACH_CELL(i, row) row->out[SEDIMENT][i] += difference(row, SECOND_COPY, i);
}

#define BIT FIELD_BIT
static const Pass compare_passes[] = {
    {.name = "copy", .reads = BIT(GROUND), .writes = BIT(FIRST_COPY), .row = copy_row},
    {.name = "copy again",
     .reads_around = BIT(GROUND) | BIT(FIRST_COPY),
     .writes = BIT(SECOND_COPY),
     .row = copy_again_row},
    {.name = "compare",
     .reads = BIT(SEDIMENT),
     .reads_around = BIT(GROUND) | BIT(SECOND_COPY),
     .writes = BIT(SEDIMENT),
     .row = compare_row},
};

static const Law compare_law = {
    .name = "compare",
    .fields = compare_fields,
    .field_count = 2,
    .passes = compare_passes,
    .pass_count = 3,
    .rest = BIT(WATER),
};

static void different_heights(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++)
        out[c] = (float)c;
}

static void test_scratch_at_the_edge(void** state) {
    (void)state;
    float* heights = terrain_make(different_heights, WIDTH, HEIGHT);
    for (int n = 0; n < TILE_SIZES; n++) {
        Watch* watch = begin_watch(&compare_law, NULL, heights, tile_sizes[n]);
        float depth = 1;
        for (int drops = 0; drops < 3; drops++) {
            GullyRect cell = {roll(WIDTH), roll(HEIGHT), 1, 1};
            assert_int_equal(gully_world_write(watch->world, GULLY_WATER, cell, &depth), GULLY_OK);
        }
        for (int sweeps = 0; sweeps < 3; sweeps++) {
            int visited = sweep_once(watch, NULL);
            assert_true(visited > 0 && visited < WIDTH * HEIGHT);
            float* sediment = terrain_read(watch->world, GULLY_SEDIMENT);
            for (int c = 0; c < WIDTH * HEIGHT; c++) {
                if (sediment[c] != 0)
                    fail_msg("(%d, %d) with tiles of %d", c % WIDTH, c / WIDTH, tile_sizes[n]);
            }
            free(sediment);
        }
        end_watch(watch);
    }
    free(heights);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dry_world_sleeps),   cmocka_unit_test(test_only_a_source_is_awake),
        cmocka_unit_test(test_sleeps_again),       cmocka_unit_test(test_rain_wakes),
        cmocka_unit_test(test_awake_around_marks), cmocka_unit_test(test_awake_around_fields),
        cmocka_unit_test(test_awake_around_discs), cmocka_unit_test(test_scratch_at_the_edge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
