// SPDX-License-Identifier: MIT
#include "bench_levels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console.h"
#include "gully/gully.h"

/// Steps of one world before it is the other's turn.
enum { TURN = 32 };
static const float sea_level = 60; // [m], of an island of 700 m

/// One of the two worlds.
typedef struct Side {
    GullyWorld* world;
    GullySettings* settings;
    GullySim* sim;
    double seconds; ///< of all steps
    double least;   ///< of a step, in the quickest turn
} Side;

typedef struct LevelsRow {
    int size, threads;
    Side fine, coarse;
    float *start, *fine_end, *coarse_end;
    double fine_mib, coarse_mib;
    double error, change_4; ///< rms of the difference over rms of the change; correlation by 4 x 4
    double fine_steps;      ///< cell-steps at the finest level
    GullyLevels levels;
} LevelsRow;

// ---- memory -------------------------------------------------------------------------------------

/// Memory of the process now; 0 where the system does not say.
static double memory_now(void) {
    char line[256];
    double mib = 0;
    FILE* file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, "VmRSS:", 6) == 0) mib = atof(line + 6) / 1024;
    }
    if (file) fclose(file);
    return mib;
}

// ---- worlds -------------------------------------------------------------------------------------

/// An island that stands in a sea.
static GullyStatus make_world(const LevelsRow* row, GullyWorld** out) {
    const size_t cells = (size_t)row->size * (size_t)row->size;
    GullyWorldDef def = gully_world_def(row->size, row->size);
    def.cell_x = def.cell_y = 10;
    float* water = malloc(cells * sizeof *water);
    GullyStatus status =
        water ? GULLY_OK : gully_fail(GULLY_NO_MEMORY, "bench: no memory for a sea");
    for (size_t i = 0; i < cells && !status; i++)
        water[i] = fmaxf(0, sea_level - row->start[i]);
    if (!status) status = gully_world_create(&def, out);
    const GullyRect all = {0, 0, row->size, row->size};
    if (!status) status = gully_world_write(*out, GULLY_TERRAIN, all, row->start);
    if (!status) status = gully_world_write(*out, GULLY_WATER, all, water);
    free(water);
    return status;
}

/// Rain on it.
static GullyStatus open_side(const LevelsRow* row, double error, Side* side) {
    GullySimDef def = gully_sim_def();
    def.threads = row->threads;
    def.backend = GULLY_CPU;
    side->least = INFINITY;
    GullyStatus status = make_world(row, &side->world);
    if (!status) status = gully_settings_create("pipe", &side->settings);
    if (!status) status = gully_settings_set_number(side->settings, "rain.rate", 1e-3);
    if (!status) status = gully_settings_set_number(side->settings, "params.capacity", 1);
    if (!status) status = gully_settings_set_number(side->settings, "levels.error", error);
    return status ? status : gully_sim_create(side->world, side->settings, &def, &side->sim);
}

static void close_side(Side* side) {
    gully_sim_destroy(side->sim);
    gully_settings_destroy(side->settings);
    gully_world_destroy(side->world);
    side->sim = NULL;
    side->settings = NULL;
    side->world = NULL;
}

static GullyStatus run_turn(Side* side, int64_t steps) {
    const double start = clock_seconds();
    GullyStatus status = gully_sim_step(side->sim, steps);
    const double taken = clock_seconds() - start;
    side->seconds += taken;
    side->least = fmin(side->least, taken / (double)steps);
    return status;
}

// ---- a row --------------------------------------------------------------------------------------

/// The change of the mean of a square of cells.
static double change_of(const LevelsRow* row, const float* end, int x, int y, int side) {
    double sum = 0;
    for (int i = 0; i < side * side; i++) {
        const size_t at =
            (size_t)(y * side + i / side) * (size_t)row->size + (size_t)(x * side + i % side);
        sum += (double)end[at] - (double)row->start[at];
    }
    return sum / (side * side);
}

static void compare(LevelsRow* row) {
    enum { SIDE = 4 };
    double off = 0, change = 0, aa = 0, bb = 0, ab = 0, a = 0, b = 0;
    for (int i = 0; i < row->size * row->size; i++) {
        const int x = i % row->size, y = i / row->size;
        const double one = change_of(row, row->fine_end, x, y, 1);
        const double other = change_of(row, row->coarse_end, x, y, 1);
        off += (one - other) * (one - other);
        change += one * one;
    }
    const int count = row->size / SIDE;
    for (int i = 0; i < count * count; i++) {
        const double one = change_of(row, row->fine_end, i % count, i / count, SIDE);
        const double other = change_of(row, row->coarse_end, i % count, i / count, SIDE);
        a += one, b += other;
        aa += one * one, bb += other * other, ab += one * other;
    }
    const double n = (double)count * count;
    row->error = sqrt(off / change);
    row->change_4 = (ab - a * b / n) / sqrt((aa - a * a / n) * (bb - b * b / n));
}

/// Runs both in turn.
static GullyStatus run_both(const BenchLevels* bench, LevelsRow* row) {
    GullyStatus status = GULLY_OK;
    for (int64_t done = 0; done < bench->steps && !status; done += TURN) {
        const int64_t now = bench->steps - done < TURN ? bench->steps - done : TURN;
        progress_say("%d x %d, threads %d, step %lld of %lld", row->size, row->size, row->threads,
                     (long long)done, (long long)bench->steps);
        status = run_turn(&row->coarse, now);
        if (!status && !bench->alone) status = run_turn(&row->fine, now);
    }
    return status;
}

static GullyStatus read_end(const LevelsRow* row, const Side* side, float* out) {
    return gully_world_read(side->world, GULLY_TERRAIN, (GullyRect){0, 0, row->size, row->size},
                            out);
}

/// What is left of a row after its steps.
static GullyStatus finish(const BenchLevels* bench, double mib_before, LevelsRow* row) {
    GullyStatus status = GULLY_OK;
    if (!bench->alone) {
        GullyLevels levels;
        const double mib = memory_now();
        status = gully_sim_levels(row->fine.sim, &levels);
        row->fine_steps = levels.cell_steps;
        if (!status) status = read_end(row, &row->fine, row->fine_end);
        close_side(&row->fine);
        row->fine_mib = mib - memory_now();
    }
    row->coarse_mib = memory_now() - mib_before;
    if (!status) status = gully_sim_levels(row->coarse.sim, &row->levels);
    if (!status) status = read_end(row, &row->coarse, row->coarse_end);
    if (!status && !bench->alone) compare(row);
    return status;
}

static GullyStatus measure(const BenchLevels* bench, LevelsRow* row) {
    const size_t cells = (size_t)row->size * (size_t)row->size;
    GullyGenerateParams params;
    gully_params_default(gully_generate_table(), &params);
    params.width = params.height = row->size;
    params.relief = 700;
    row->start = malloc(cells * sizeof *row->start);
    row->fine_end = calloc(cells, sizeof *row->fine_end);
    row->coarse_end = calloc(cells, sizeof *row->coarse_end);
    GullyStatus status = row->start && row->fine_end && row->coarse_end
                             ? GULLY_OK
                             : gully_fail(GULLY_NO_MEMORY, "bench: no memory for an island");
    progress_say("generating %d x %d", row->size, row->size);
    if (!status) status = gully_generate("island", &params, row->start);
    const double mib_before = memory_now();
    if (!status) status = open_side(row, bench->error, &row->coarse);
    if (!status && !bench->alone) status = open_side(row, 0, &row->fine);
    if (!status) status = run_both(bench, row);
    if (!status) status = finish(bench, mib_before, row);
    close_side(&row->fine);
    close_side(&row->coarse);
    free(row->start);
    free(row->fine_end);
    free(row->coarse_end);
    return status;
}

// ---- rows out -----------------------------------------------------------------------------------

static void print_header(const BenchLevels* bench) {
    printf(
        "island in a sea, rain, %lld steps, levels.error %g; ms a step over all steps, and in the "
        "quickest %d\n",
        (long long)bench->steps, bench->error, TURN);
    printf("%6s %8s %18s %18s %8s %8s %8s %8s %8s %10s %10s %8s\n", "size", "threads", "finest ms",
           "levels ms", "quicker", "fewer", "error", "expected", "corr 4x4", "finest MiB",
           "levels MiB", "memory");
}

static void print_row(const BenchLevels* bench, const LevelsRow* row) {
    const double steps = (double)bench->steps, ms = 1e3;
    const Side *fine = &row->fine, *coarse = &row->coarse;
    char both[2][32];
    snprintf(both[0], sizeof both[0], "%.2f, %.2f", ms * fine->seconds / steps, ms * fine->least);
    snprintf(both[1], sizeof both[1], "%.2f, %.2f", ms * coarse->seconds / steps,
             ms * coarse->least);
    printf("%6d %8d %18s %18s", row->size, row->threads, bench->alone ? "" : both[0], both[1]);
    if (bench->alone)
        printf(" %8s %8.2f %8s %8.3f %8s %10s %10.0f\n", "",
               (double)row->size * row->size * steps / row->levels.cell_steps, "",
               row->levels.expected, "", "", row->coarse_mib);
    else
        printf(" %8.2f %8.2f %8.3f %8.3f %8.3f %10.0f %10.0f %8.2f\n",
               fine->seconds / coarse->seconds, row->fine_steps / row->levels.cell_steps,
               row->error, row->levels.expected, row->change_4, row->fine_mib, row->coarse_mib,
               row->coarse_mib / row->fine_mib);
    fflush(stdout);
}

static json_t* json_row(const BenchLevels* bench, const LevelsRow* row) {
    json_t* json =
        json_pack("{si, si, sI, sf, sf, sf, sf, sf, sf}", "size", row->size, "threads",
                  row->threads, "steps", (json_int_t)bench->steps, "levels_error", bench->error,
                  "levels_seconds", row->coarse.seconds, "levels_step_seconds", row->coarse.least,
                  "levels_mib", row->coarse_mib, "levels_cell_steps", row->levels.cell_steps,
                  "expected_error", row->levels.expected);
    if (!json || bench->alone) return json;
    json_object_set_new(json, "finest_seconds", json_real(row->fine.seconds));
    json_object_set_new(json, "finest_step_seconds", json_real(row->fine.least));
    json_object_set_new(json, "finest_mib", json_real(row->fine_mib));
    json_object_set_new(json, "finest_cell_steps", json_real(row->fine_steps));
    json_object_set_new(json, "error", json_real(row->error));
    json_object_set_new(json, "correlation_4x4", json_real(row->change_4));
    return json;
}

int bench_levels(const BenchLevels* bench) {
    json_t* rows = bench->json ? json_array() : NULL;
    GullyStatus status = GULLY_OK;
    if (!bench->json) print_header(bench);
    for (int i = 0; i < bench->sizes.count * bench->threads.count && !status; i++) {
        LevelsRow row = {.size = (int)bench->sizes.items[i / bench->threads.count],
                         .threads = (int)bench->threads.items[i % bench->threads.count]};
        status = measure(bench, &row);
        progress_clear();
        if (!status && !bench->json) print_row(bench, &row);
        if (!status && bench->json && json_array_append_new(rows, json_row(bench, &row)))
            status = gully_fail(GULLY_NO_MEMORY, "bench: no memory for row %d", i);
    }
    if (!status && bench->json) return console_json(rows);
    json_decref(rows);
    return status ? console_fail(status) : EXIT_DONE;
}
