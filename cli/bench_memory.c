// SPDX-License-Identifier: MIT
#include "bench_memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench_variants.h"
#include "console.h"

typedef struct MemoryRow {
    int size;
    size_t whole, memory;  ///< [bytes] that cells take, and may take
    double whole_seconds;  ///< of a step with all in memory
    double little_seconds; ///< of a step with `memory`
    double bytes;          ///< read and written, per cell and step
} MemoryRow;

/// Steps of a run: a visit of the sweep to each band of rows, or several.
enum { ROUNDS = 3, STEPS = 40 };

static GullyStatus open_little(Trial* trial, TrialDef def, size_t memory) {
    def.memory = memory;
    return trial_open(trial, &def);
}

/// Steps once, and keeps the least time of a step [s].
static GullyStatus step(const Trial* trial, double* least) {
    const double start = clock_seconds();
    GullyStatus status = gully_sim_step(trial->sim, STEPS);
    *least = fmin(*least, (clock_seconds() - start) / STEPS);
    return status;
}

static GullyMemory memory_of(const Trial* trial) {
    GullyMemory memory;
    gully_world_memory(trial->world, &memory);
    return memory;
}

static GullyStatus must_agree(uint64_t whole, uint64_t little) {
    return whole == little ? GULLY_OK
                           : gully_fail(GULLY_FAILED, "bench: with little memory another terrain");
}

/// Both worlds in turn: the first run of each does not count, since pages are new then.
static GullyStatus run_both(const Trial* whole, const Trial* little, MemoryRow* row) {
    GullyMemory before = {0};
    GullyStatus status = GULLY_OK;
    for (int round = 0; round <= ROUNDS && !status; round++) {
        double first = INFINITY;
        progress_say("%d x %d with %.0f MB, round %d of %d", row->size, row->size,
                     (double)row->memory / 1e6, round, ROUNDS);
        if (round == 1) before = memory_of(little);
        status = step(whole, round ? &row->whole_seconds : &first);
        if (!status) status = step(little, round ? &row->little_seconds : &first);
    }
    const GullyMemory after = memory_of(little);
    const double cells = (double)row->size * row->size;
    row->bytes = (double)(after.bytes_read - before.bytes_read + after.bytes_written -
                          before.bytes_written) /
                 (cells * STEPS * ROUNDS);
    if (status) return status;
    return must_agree(gully_world_hash(whole->world, GULLY_TERRAIN),
                      gully_world_hash(little->world, GULLY_TERRAIN));
}

/// Steps both in turn; the least times count. Fails if their terrains differ.
static GullyStatus measure(TrialDef def, int percent, MemoryRow* row) {
    Trial whole, little = {0};
    *row = (MemoryRow){.size = def.size, .whole_seconds = INFINITY, .little_seconds = INFINITY};
    GullyStatus status = trial_open(&whole, &def);
    if (!status) status = gully_sim_step(whole.sim, STEPS);
    if (!status) {
        row->whole = memory_of(&whole).peak;
        row->memory = row->whole / 100 * (size_t)percent;
        status = open_little(&little, def, row->memory);
    }
    if (!status) status = gully_sim_step(little.sim, STEPS);
    if (!status) status = run_both(&whole, &little, row);
    trial_close(&little);
    trial_close(&whole);
    return status;
}

static void print_header(void) {
    printf("%-8s %10s %10s %10s %10s %8s %16s\n", "size", "MB", "with MB", "ns", "ns with it",
           "times", "bytes/cell/step");
}

static void print_row(const MemoryRow* row) {
    const double cells = (double)row->size * row->size;
    printf("%-8d %10.0f %10.0f %10.2f %10.2f %8.2f %16.2f\n", row->size, (double)row->whole / 1e6,
           (double)row->memory / 1e6, 1e9 * row->whole_seconds / cells,
           1e9 * row->little_seconds / cells, row->little_seconds / row->whole_seconds, row->bytes);
}

static json_t* json_row(const MemoryRow* row) {
    return json_pack("{si, sI, sI, sf, sf, sf, sf}", "size", row->size, "bytes",
                     (json_int_t)row->whole, "memory", (json_int_t)row->memory, "step_seconds",
                     row->whole_seconds, "step_seconds_with_memory", row->little_seconds, "times",
                     row->little_seconds / row->whole_seconds, "bytes_per_cell_step", row->bytes);
}

int bench_memory(const char* law, CountList sizes, int percent, bool json) {
    const Variant variant = variants_of(gully_law_find(law ? law : "pipe")).rows[0];
    json_t* rows = json ? json_array() : NULL;
    GullyStatus status = GULLY_OK;
    if (!json) print_header();
    for (int i = 0; i < sizes.count && !status; i++) {
        const int size = (int)sizes.items[i];
        float* heights;
        MemoryRow row;
        progress_say("generating %d x %d", size, size);
        status = trial_heights(size, &heights);
        const TrialDef def = {.variant = &variant, .heights = heights, .size = size};
        if (!status) status = measure(def, percent, &row);
        free(heights);
        progress_clear();
        if (!status && !json) print_row(&row);
        if (!status && json && json_array_append_new(rows, json_row(&row)))
            status = gully_fail(GULLY_NO_MEMORY, "bench: no memory for row %d", i);
    }
    if (!status && json) return console_json(rows);
    json_decref(rows);
    return status ? console_fail(status) : EXIT_DONE;
}
