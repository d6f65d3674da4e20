// SPDX-License-Identifier: MIT
// The scenes of the gallery (docs/gallery.md): what the papers say of their figures, as facts that
// can fail. The same places as in scenes/, with fewer and larger cells.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gully/gully.h"
#include "gully/scene.h"
#include "ok.h"
#include "scene_files.h"
#include "terrains.h"

// ---- a scene, played ----------------------------------------------------------------------------

typedef struct Play {
    GullyScene* scene;
    GullyWorld* world;
    GullySim* sim;
    int side, cells;                        // along a side, and all
    double cell;                            // [m]
    int phase;                              // that is running
    int64_t left;                           // steps of it
    float low, relief;                      // of the ground at the start [m]
    float* start;                           // the ground at the start [m]
    float *ground, *water, *wear, *deposit; // now [m]
} Play;

static void forget(Play* play) {
    free(play->ground);
    free(play->water);
    free(play->wear);
    free(play->deposit);
}

static void look(Play* play) {
    forget(play);
    play->ground = terrain_read(play->world, GULLY_TERRAIN);
    play->water = terrain_read(play->world, GULLY_WATER);
    play->wear = terrain_read(play->world, GULLY_WEAR);
    play->deposit = terrain_read(play->world, GULLY_DEPOSIT);
}

/// The scene on side * side cells, so many metres wide in all; `more` settings as of --set, at most
/// four, NULL ends.
static Play open_play(const char* name, int side, double extent, const char* const* more) {
    Play play = {.side = side, .cells = side * side, .cell = extent / side};
    char width[48], height[48], size[48];
    snprintf(width, sizeof width, "terrain.width=%d", side);
    snprintf(height, sizeof height, "terrain.height=%d", side);
    snprintf(size, sizeof size, "cell_size=%.9g", play.cell);
    const char* sets[7] = {width, height, size};
    int count = 3;
    while (more && *more)
        sets[count++] = *more++;
    play.scene = load_scene(name, sets, count);
    GullyGeoreference place;
    if (gully_scene_world(play.scene, &play.world, &place)) fail_msg("%s", gully_message());
    free(place.projection);

    GullySimDef def = gully_sim_def();
    def.seed = gully_scene_seed(play.scene);
    def.threads = 1; // the worlds are small
    const GullyPhase* first = gully_scene_phase(play.scene, 0);
    if (gully_sim_create(play.world, first->settings, &def, &play.sim))
        fail_msg("%s", gully_message());
    play.left = first->steps;

    look(&play);
    play.start = terrain_read(play.world, GULLY_TERRAIN);
    float high = -INFINITY;
    play.low = INFINITY;
    for (int c = 0; c < play.cells; c++) {
        play.low = fminf(play.low, play.start[c]);
        high = fmaxf(high, play.start[c]);
    }
    play.relief = high - play.low;
    return play;
}

/// Goes on for so many steps, into the next phase if they last that long.
static void run_steps(Play* play, int64_t steps) {
    while (steps > 0) {
        if (play->left == 0) {
            const GullyPhase* next = gully_scene_phase(play->scene, ++play->phase);
            if (gully_sim_apply(play->sim, next->settings)) fail_msg("%s", gully_message());
            play->left = next->steps;
        }
        int64_t now = steps < play->left ? steps : play->left;
        OK(gully_sim_step(play->sim, now));
        play->left -= now;
        steps -= now;
    }
    look(play);
}

/// To the end of the phase that runs, or of the next one.
static void run_phase(Play* play) {
    if (play->left == 0)
        run_steps(play, gully_scene_phase(play->scene, play->phase + 1)->steps);
    else
        run_steps(play, play->left);
}

static void run_all(Play* play) {
    run_steps(play, gully_scene_steps(play->scene) - gully_sim_steps(play->sim));
}

/// Nothing is lost, nothing is out of hand; then it is over.
static void close_play(Play* play) {
    GullyBudget budget;
    OK(gully_sim_budget(play->sim, &budget));
    if (!(fabs(budget.water.residual) <= 1e-6 * budget.water.moved))
        fail_msg("%g m3 of water are missing", budget.water.residual);
    if (!(fabs(budget.solid.residual) <= 1e-6 * budget.solid.moved))
        fail_msg("%g m3 of solid are missing", budget.solid.residual);
    for (int field = GULLY_TERRAIN; field < GULLY_FIELD_COUNT; field++) {
        float* values = terrain_read(play->world, (GullyField)field);
        for (int c = 0; c < play->cells; c++) {
            if (!isfinite(values[c]))
                fail_msg("%s is not a number", gully_field_name((GullyField)field));
        }
        free(values);
    }
    forget(play);
    free(play->start);
    gully_sim_destroy(play->sim);
    gully_world_destroy(play->world);
    gully_scene_destroy(play->scene);
}

// ---- what is where ------------------------------------------------------------------------------

/// A part of the terrain.
typedef bool (*Where)(const Play* play, int c);

static bool everywhere(const Play* play, int c) {
    (void)play;
    (void)c;
    return true;
}

/// A cell's height at the start, 0..1.
static float altitude(const Play* play, int c) {
    return (play->start[c] - play->low) / play->relief;
}

/// Distance from the middle over half the side: along x, along y, and of the two.
static double off_x(const Play* play, int c) {
    return fabs((c % play->side + 0.5) / (0.5 * play->side) - 1);
}

static double off_y(const Play* play, int c) {
    return fabs((c / play->side + 0.5) / (0.5 * play->side) - 1);
}

static double off(const Play* play, int c) {
    return hypot(off_x(play, c), off_y(play, c));
}

static double mean(const Play* play, const float* values, Where where) {
    double sum = 0;
    int count = 0;
    for (int c = 0; c < play->cells; c++) {
        if (!where(play, c)) continue;
        sum += values[c];
        count++;
    }
    assert_true(count > 0);
    return sum / count;
}

/// What the part has won, or lost, through water [m].
static double gain(const Play* play, Where where) {
    return mean(play, play->deposit, where) - mean(play, play->wear, where);
}

static double deviation(const Play* play, const float* values, Where where) {
    double middle = mean(play, values, where), sum = 0;
    int count = 0;
    for (int c = 0; c < play->cells; c++) {
        if (!where(play, c)) continue;
        sum += (values[c] - middle) * (values[c] - middle);
        count++;
    }
    return sqrt(sum / count);
}

/// The share of the part's cells that have more than that.
static double share(const Play* play, const float* values, double more_than, Where where) {
    int more = 0, count = 0;
    for (int c = 0; c < play->cells; c++) {
        if (!where(play, c)) continue;
        more += values[c] > more_than;
        count++;
    }
    assert_true(count > 0);
    return (double)more / count;
}

/// The share of all of it that lies in the part.
static double share_of(const Play* play, const float* values, Where where) {
    double inside = 0, all = 0;
    for (int c = 0; c < play->cells; c++) {
        if (where(play, c)) inside += values[c];
        all += values[c];
    }
    return all > 0 ? inside / all : 0;
}

/// The altitude at the start of what the values weigh; 0..1.
static double altitude_of(const Play* play, const float* values) {
    double sum = 0, weight = 0;
    for (int c = 0; c < play->cells; c++) {
        sum += (double)values[c] * altitude(play, c);
        weight += values[c];
    }
    return weight > 0 ? sum / weight : NAN;
}

/// How steep the part is on the average: the gradient to the east and south.
static double steepness(const Play* play, const float* ground, Where where) {
    double sum = 0;
    int count = 0;
    for (int c = 0; c < play->cells - play->side; c++) {
        if (c % play->side == play->side - 1 || !where(play, c)) continue;
        sum += hypot(ground[c + 1] - ground[c], ground[c + play->side] - ground[c]) / play->cell;
        count++;
    }
    return sum / count;
}

/// The ground over its mean in the neighbourhood, 0 along the sides [m]; free() it.
static float* local_relief(const Play* play, const float* ground) {
    enum { REACH = 3, WINDOW = 2 * REACH + 1 };
    int side = play->side;
    float* out = terrain_make(NULL, side, side);
    for (int c = 0; c < play->cells; c++) {
        int i = c % side, j = c / side;
        if (i < REACH || i >= side - REACH || j < REACH || j >= side - REACH) continue;
        double sum = 0;
        for (int n = 0; n < WINDOW * WINDOW; n++)
            sum += (double)ground[c + (n / WINDOW - REACH) * side + n % WINDOW - REACH];
        out[c] = (float)((double)ground[c] - sum / (WINDOW * WINDOW));
    }
    return out;
}

// ---- Mei, Decaudin, Hu 2007 ---------------------------------------------------------------------

static bool on_the_letters(const Play* play, int c) {
    return altitude(play, c) > 0.3f;
}

static bool around_the_letters(const Play* play, int c) {
    return !on_the_letters(play, c);
}

static bool at_their_foot(const Play* play, int c) {
    return altitude(play, c) > 0.04f && altitude(play, c) < 0.2f;
}

// Figure 1: the letters are eroded, what they lose lies around them; at the end the rain is gone.
static void pg_mountain(void** state) {
    (void)state;
    Play play = open_play("pg-mountain", 112, 5120, NULL);
    run_phase(&play);
    double wet = mean(&play, play.water, everywhere);
    run_all(&play);
    double dry = mean(&play, play.water, everywhere);
    double letters = gain(&play, on_the_letters), foot = gain(&play, at_their_foot);
    double around = share_of(&play, play.deposit, around_the_letters);
    print_message("    letters %+.2f m, their foot %+.2f m, %.0f %% of the deposits around them; "
                  "water %.3f -> %.3f m\n",
                  letters, foot, 100 * around, wet, dry);
    assert_true(letters < -2);
    assert_true(foot > 1);
    assert_true(around > 0.6);
    assert_true(wet > 0.05 && dry < 0.2 * wet);
    close_play(&play);
}

/// The slope beside the bed, from the two sides of the row [m].
static float bank(const Play* play, int c) {
    const float* row = play->start + c / play->side * play->side;
    return 0.5f * (row[0] + row[play->side - 1]);
}

static bool in_the_bed(const Play* play, int c) {
    return play->start[c] < bank(play, c) - 2;
}

static bool above_the_bank(const Play* play, int c) {
    return play->start[c] > bank(play, c) - 0.3f;
}

// Figure 4: water follows the bed and wears it; some of it leaves the bed, wears the bank and makes
// a way of its own.
static void channel(void** state) {
    (void)state;
    Play play = open_play("channel", 96, 1024, NULL);
    run_steps(&play, 1200);
    double early_in = share(&play, play.water, 0.1, in_the_bed);
    double early_out = share(&play, play.water, 0.1, above_the_bank);
    run_phase(&play);
    double in = share(&play, play.water, 0.1, in_the_bed);
    double out = share(&play, play.water, 0.1, above_the_bank);
    double bed = share(&play, play.wear, 0.5, in_the_bed);
    double ways = share(&play, play.wear, 0.5, above_the_bank);
    print_message(
        "    water on %.0f %% of the bed and %.1f %% of the slope, then on %.0f and %.1f; "
        "0.5 m are worn off %.0f and %.1f %%\n",
        100 * early_in, 100 * early_out, 100 * in, 100 * out, 100 * bed, 100 * ways);
    assert_true(early_in > 0.15 && early_out < 0.01);
    assert_true(in > 0.6 && out > 0.05);
    assert_true(bed > 0.2 && ways > 0.05);
    close_play(&play);
}

// The same with a brook, which stays in the bed.
static void channel_of_a_brook(void** state) {
    (void)state;
    Play play = open_play("channel", 96, 1024, (const char*[]){"sources.0.rate=0.06", NULL});
    run_steps(&play, 2000);
    assert_true(share(&play, play.water, 0.1, in_the_bed) > 0.2);
    assert_true(share(&play, play.water, 0.1, above_the_bank) < 0.001);
    close_play(&play);
}

static bool in_the_middle(const Play* play, int c) {
    return off_x(play, c) < 0.2 && off_y(play, c) < 0.2;
}

/// With the foot of the slopes.
static bool near_the_middle(const Play* play, int c) {
    return off_x(play, c) < 0.28 && off_y(play, c) < 0.28;
}

static bool on_the_slopes(const Play* play, int c) {
    return off_x(play, c) > 0.5 || off_y(play, c) > 0.5;
}

// Figure 5: the slopes are eroded, the bottom is flattened by what came down.
static void basin(void** state) {
    (void)state;
    Play play = open_play("basin", 80, 1536, NULL);
    run_all(&play);
    double before = steepness(&play, play.start, in_the_middle);
    double after = steepness(&play, play.ground, in_the_middle);
    double rough = deviation(&play, play.start, near_the_middle);
    double even = deviation(&play, play.ground, near_the_middle);
    double bottom = gain(&play, in_the_middle), slopes = gain(&play, on_the_slopes);
    print_message(
        "    bottom: %+.1f m, slope %.3f -> %.3f, deviation %.2f -> %.2f m; slopes %+.1f m\n",
        bottom, before, after, rough, even, slopes);
    assert_true(slopes < -1 && bottom > 10);
    assert_true(after < 0.4 * before);
    assert_true(even < 0.6 * rough);
    close_play(&play);
}

/// Mean wear of one scene where another one has carved a stream, or has done nothing at all [m].
static double wear_of(const Play* play, const Play* source, bool stream) {
    double sum = 0;
    int count = 0;
    for (int c = 0; c < play->cells; c++) {
        bool carved = source->wear[c] > 1;
        bool untouched = source->wear[c] == 0 && source->deposit[c] == 0;
        if (stream ? !carved : !untouched) continue;
        sum += (double)play->wear[c];
        count++;
    }
    return count > 0 ? sum / count : 0;
}

static void check_that_it_gathers_below(const Play* play) {
    double wear = altitude_of(play, play->wear), deposit = altitude_of(play, play->deposit);
    double water = altitude_of(play, play->water);
    print_message("    altitudes: worn %.2f, deposited %.2f, water %.2f\n", wear, deposit, water);
    assert_true(deposit < wear - 0.1 && water < wear - 0.1);
}

// Figures 6 and 7: rain wears the mountains all over, a source carves a stream bed and nothing
// else, both together do both; water and sediment gather at the bottom.
static void mountain(void** state) {
    (void)state;
    Play rain = open_play("mountain-rain", 80, 5120, NULL);
    Play source = open_play("mountain-source", 80, 5120, NULL);
    Play both = open_play("mountain-both", 80, 5120, NULL);
    run_all(&rain);
    run_all(&source);
    run_all(&both);
    check_that_it_gathers_below(&rain);
    check_that_it_gathers_below(&source);
    check_that_it_gathers_below(&both);

    double all_over = share(&rain, rain.wear, 0.2, everywhere);
    double touched = share(&source, source.wear, 0, everywhere);
    double bed = share(&source, source.wear, 1, everywhere);
    print_message("    rain wears %.0f %%; the source touches %.1f %% and carves %.1f %%\n",
                  100 * all_over, 100 * touched, 100 * bed);
    assert_true(all_over > 0.7);
    assert_true(touched < 0.1 && bed > 0.005);

    double stream[3] = {wear_of(&rain, &source, true), wear_of(&source, &source, true),
                        wear_of(&both, &source, true)};
    double elsewhere[2] = {wear_of(&rain, &source, false), wear_of(&both, &source, false)};
    print_message("    where the stream is: rain %.2f, source %.2f, both %.2f m; elsewhere: rain "
                  "%.3f, both %.3f m\n",
                  stream[0], stream[1], stream[2], elsewhere[0], elsewhere[1]);
    assert_true(stream[1] > 4);
    assert_true(stream[2] > 1.5 * stream[0]);
    assert_true(elsewhere[0] > 1 && fabs(elsewhere[1] - elsewhere[0]) < 0.05 * elsewhere[0]);
    close_play(&rain);
    close_play(&source);
    close_play(&both);
}

// ---- Benes, Forsbach 2002 -----------------------------------------------------------------------

static bool on_the_floor(const Play* play, int c) {
    return off(play, c) < 0.48;
}

// Figure 2: the pool is full; then it is dry, and its floor is flat.
static void pool(void** state) {
    (void)state;
    Play play = open_play("pool", 112, 320, NULL);
    run_phase(&play);
    double covered = share(&play, play.water, 0.1, on_the_floor);
    run_all(&play);
    double wet = mean(&play, play.water, on_the_floor);
    double before = steepness(&play, play.start, on_the_floor);
    double after = steepness(&play, play.ground, on_the_floor);
    double rough = deviation(&play, play.start, on_the_floor);
    double even = deviation(&play, play.ground, on_the_floor);
    print_message(
        "    %.0f %% under water, then %.4f m of it; floor: slope %.3f -> %.3f, deviation "
        "%.2f -> %.2f m\n",
        100 * covered, wet, before, after, rough, even);
    assert_true(covered > 0.99);
    assert_true(wet < 0.005);
    assert_true(after < 0.1 * before);
    assert_true(even < 0.25 * rough);
    close_play(&play);
}

static bool above_the_sources(const Play* play, int c) {
    return c / play->side < 10;
}

static bool on_the_hill(const Play* play, int c) {
    return c / play->side >= 30 && c / play->side < 130;
}

static bool at_the_bottom(const Play* play, int c) {
    return c / play->side >= play->side - 4;
}

static float risen(const Play* play, int c) {
    return play->ground[c] - play->start[c];
}

/// Ridges that a walk along a row crosses: by so much [m] higher than what is beside them, and none
/// of it was there at the start.
static int ridges(const Play* play, int row, float height) {
    enum { REACH = 4 };
    int count = 0, first = row * play->side;
    for (int c = first + REACH; c < first + play->side - REACH; c++) {
        float top = risen(play, c), west = top, east = top;
        bool highest = true;
        for (int k = 1; k <= REACH; k++) {
            highest = highest && top >= risen(play, c - k) && top > risen(play, c + k);
            west = fminf(west, risen(play, c - k));
            east = fminf(east, risen(play, c + k));
        }
        count += highest && top > west + height && top > east + height;
    }
    return count;
}

// Figure 5: soil is deposited down the slope below the three sources, as ridges beside each of the
// streams, and at the bottom; nothing above them.
static void sources(void** state) {
    (void)state;
    enum { FIRST = 40, LAST = 120 };
    Play play = open_play("sources", 150, 300, NULL);
    run_steps(&play, 140);
    double crossed = 0;
    for (int row = FIRST; row < LAST; row++)
        crossed += (double)ridges(&play, row, 0.05f) / (LAST - FIRST);
    double above = mean(&play, play.deposit, above_the_sources);
    double hill = gain(&play, on_the_hill), bottom = gain(&play, at_the_bottom);
    print_message("    %.1f ridges in a row; above the sources %+.3f m, below %+.3f m, bottom "
                  "%+.3f m\n",
                  crossed, above, hill, bottom);
    assert_true(crossed > 5 && crossed < 8);
    assert_true(above == 0);
    assert_true(hill > 0.02 && bottom > 0.002);
    close_play(&play);
}

static bool on_the_flanks(const Play* play, int c) {
    return off(play, c) > 0.3 && altitude(play, c) > 0.2f;
}

static bool at_the_foot(const Play* play, int c) {
    return altitude(play, c) < 0.1f;
}

// Figure 6: all of the volcano is under water, which runs down and gathers at the foot. The ground
// stays what it was, to the bit.
static void volcano(void** state) {
    (void)state;
    Play play = open_play("volcano", 96, 614400, NULL);
    uint64_t ground = gully_world_hash(play.world, GULLY_TERRAIN);
    run_phase(&play);
    double covered = share(&play, play.water, 1, everywhere);
    double fallen = share_of(&play, play.water, at_the_foot);
    run_all(&play);
    double gathered = share_of(&play, play.water, at_the_foot);
    double flanks = share(&play, play.water, 1, on_the_flanks);
    print_message(
        "    %.0f %% under water; at the foot %.0f -> %.0f %% of it; %.1f %% of the flanks "
        "wet\n",
        100 * covered, 100 * fallen, 100 * gathered, 100 * flanks);
    assert_true(covered > 0.99);
    assert_true(gathered > fallen + 0.3);
    assert_true(flanks < 0.1);
    assert_true(gully_world_hash(play.world, GULLY_TERRAIN) == ground);
    close_play(&play);
}

static bool in_the_canyon(const Play* play, int c) {
    return altitude(play, c) < 0.25f;
}

static bool on_the_plateau(const Play* play, int c) {
    return altitude(play, c) > 0.7f;
}

// Figure 7: every wet season fills the land, in every dry one the water goes to the low places and
// from there into the air, and leaves its soil.
static void seasons(void** state) {
    (void)state;
    Play play = open_play("seasons", 80, 10240, NULL);
    double canyon = 0;
    for (int year = 0; year < 3; year++) {
        run_phase(&play);
        double covered = share(&play, play.water, 0.1, everywhere);
        double wet = mean(&play, play.water, everywhere);
        run_phase(&play);
        double puddles = share(&play, play.water, 0.1, everywhere);
        double dry = mean(&play, play.water, everywhere);
        double lower = gain(&play, in_the_canyon), upper = gain(&play, on_the_plateau);
        print_message(
            "    water on %.0f %%, %.2f m, then on %.1f %%, %.3f m; canyon %+.1f m, plateau "
            "%+.1f m\n",
            100 * covered, wet, 100 * puddles, dry, lower, upper);
        assert_true(covered > 0.4 && puddles < 0.05);
        assert_true(dry < 0.01 * wet);
        assert_true(lower > canyon + 3);
        assert_true(upper < 0);
        canyon = lower;
    }
    close_play(&play);
}

// ---- Anh, Sourin, Aswani 2007 -------------------------------------------------------------------

// Figure 4: ridges and valleys on the slopes, with the water in the valleys; deposits at the
// bottom.
static void anh(void** state) {
    (void)state;
    const char* const a_corner_of_it[] = {"terrain.scale=5", "terrain.relief=600", NULL};
    Play play = open_play("anh", 192, 1920, a_corner_of_it);
    float* before = local_relief(&play, play.start);
    run_all(&play);
    float* after = local_relief(&play, play.ground);
    double smooth = deviation(&play, before, everywhere);
    double carved = deviation(&play, after, everywhere);
    double water = 0, amount = 0;
    for (int c = 0; c < play.cells; c++) {
        water += (double)play.water[c] * (double)after[c];
        amount += (double)play.water[c];
    }
    double worn = altitude_of(&play, play.wear), deposited = altitude_of(&play, play.deposit);
    print_message(
        "    ridges and valleys of %.2f -> %.2f m, water in valleys of %.2f m; altitudes: "
        "worn %.2f, deposited %.2f\n",
        smooth, carved, water / amount, worn, deposited);
    assert_true(carved > 2 * smooth);
    assert_true(water / amount < -carved);
    assert_true(deposited < worn - 0.1);
    free(before);
    free(after);
    close_play(&play);
}

// ---- Vanek, Benes, Herout, Stava 2011 -----------------------------------------------------------

enum { ROCK, SOIL, SAND };

/// Where scenes/layers.json lets it rain.
static bool in_the_shower(const Play* play, int c) {
    double x = c % play->side * play->cell - 2400, y = c / play->side * play->cell - 2000;
    return hypot(x, y) <= 900;
}

static bool out_of_the_shower(const Play* play, int c) {
    return !in_the_shower(play, c);
}

/// The steepest way down from a cell with sand on it, over the tangent of the sand's talus.
static double steepest_sand(const Play* play, const float* sand) {
    double talus = tan(gully_world_material(play->world, SAND)->talus * acos(-1.0) / 180), most = 0;
    for (int c = 0; c < play->cells; c++) {
        if (!(sand[c] > 0.05f)) continue;
        for (int n = 0; n < 9; n++) {
            int di = n % 3 - 1, dj = n / 3 - 1, i = c % play->side + di, j = c / play->side + dj;
            if (n == 4 || i < 0 || j < 0 || i >= play->side || j >= play->side) continue;
            double drop = (double)play->ground[c] - (double)play->ground[j * play->side + i];
            most = fmax(most, drop / (play->cell * hypot(di, dj)));
        }
    }
    return most / talus;
}

// Figure 8: where it rains rock comes to light, and what was worn off lies below as sand, as steep
// as sand can be and no steeper.
static void layers(void** state) {
    (void)state;
    enum { UNTIL_IT_RESTS = 500 };
    Play play = open_play("layers", 80, 5120, NULL);
    run_all(&play);
    OK(gully_sim_step(play.sim, UNTIL_IT_RESTS));
    look(&play);
    float* sand = terrain_read(play.world, GULLY_LAYER(SAND));
    float* soil = terrain_read(play.world, GULLY_LAYER(SOIL));
    double bare = 1 - share(&play, soil, 0, in_the_shower);
    double bare_elsewhere = 1 - share(&play, soil, 0, out_of_the_shower);
    double beds = share(&play, sand, 0.05, everywhere), steepest = steepest_sand(&play, sand);
    double worn = altitude_of(&play, play.wear), piled = altitude_of(&play, sand);
    print_message(
        "    no soil on %.0f %%, elsewhere %.0f %%; sand on %.0f %%, steepest %.3f of its "
        "talus; altitudes: worn %.2f, sand %.2f\n",
        100 * bare, 100 * bare_elsewhere, 100 * beds, steepest, worn, piled);
    assert_true(bare > 0.3 && bare > 2 * bare_elsewhere);
    assert_true(beds > 0.03);
    assert_true(steepest > 0.9 && steepest < 1.05);
    assert_true(piled < worn - 0.1);
    free(sand);
    free(soil);
    close_play(&play);
}

// How fast water alone wears soil, and the bare rock.
static void soft_layers_wear_faster(void** state) {
    (void)state;
    double worn[2];
    for (int bare = 0; bare < 2; bare++) {
        const char* const sets[] = {bare ? "layers.soil=0" : "layers.soil=4", "thermal=null", NULL};
        Play play = open_play("layers", 80, 5120, sets);
        run_steps(&play, 100);
        worn[bare] = mean(&play, play.wear, in_the_shower);
        close_play(&play);
    }
    print_message("    soil -%.3f m, rock -%.3f m\n", worn[0], worn[1]);
    assert_true(worn[1] > 0.01);
    assert_true(worn[0] > 4 * worn[1]);
}

// ---- Werner 1995; Sauermann et al. 2001; Paris et al. 2019 --------------------------------------

/// The mean thickness of sand between two shares of the way from west to east [m].
static double sand_downwind(const Play* play, const float* sand, double from, double to) {
    double sum = 0, count = 0;
    for (int c = 0; c < play->cells; c++) {
        double x = (c % play->side + 0.5) / play->side;
        if (x < from || x >= to) continue;
        sum += (double)sand[c];
        count++;
    }
    return sum / count;
}

// Sand in heaps becomes dunes: the west is swept bare, and what is left stands higher than it lay,
// with slip faces.
static void dunes(void** state) {
    (void)state;
    enum { SANDY = 1 };
    Play play = open_play("dunes", 160, 240, NULL);
    float* before = terrain_read(play.world, GULLY_LAYER(SANDY));
    run_steps(&play, 4000);
    float* after = terrain_read(play.world, GULLY_LAYER(SANDY));
    double highest[2] = {0, 0}, covered[2] = {0, 0};
    for (int c = 0; c < play.cells; c++) {
        highest[0] = fmax(highest[0], (double)before[c]);
        highest[1] = fmax(highest[1], (double)after[c]);
        covered[0] += before[c] > 0.05f;
        covered[1] += after[c] > 0.05f;
    }
    double west = sand_downwind(&play, after, 0, 0.1) / sand_downwind(&play, before, 0, 0.1);
    print_message(
        "    sand up to %.2f -> %.2f m, on %.0f -> %.0f %%; in the west %.2f of it left\n",
        highest[0], highest[1], 100 * covered[0] / play.cells, 100 * covered[1] / play.cells, west);
    assert_true(highest[1] > highest[0] + 2);
    assert_true(west < 0.5);
    free(before);
    free(after);
    close_play(&play);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pg_mountain),
        cmocka_unit_test(channel),
        cmocka_unit_test(channel_of_a_brook),
        cmocka_unit_test(basin),
        cmocka_unit_test(mountain),
        cmocka_unit_test(pool),
        cmocka_unit_test(sources),
        cmocka_unit_test(volcano),
        cmocka_unit_test(seasons),
        cmocka_unit_test(anh),
        cmocka_unit_test(layers),
        cmocka_unit_test(soft_layers_wear_faster),
        cmocka_unit_test(dunes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
