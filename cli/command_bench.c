// SPDX-License-Identifier: MIT
/// gully bench: how fast every law steps, by size and threads, against the speed of memory.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend_options.h"
#include "bench_levels.h"
#include "bench_memory.h"
#include "bench_variants.h"
#include "command.h"
#include "console.h"
#include "gully/gully.h"
#include "memcpy_speed.h"

typedef struct BenchOptions {
    const char* law;
    CountList sizes, threads;
    int64_t milliseconds; ///< least time of a run
    int64_t memory;       ///< [percent] of what worlds take; 0 = not measured
    double levels;        ///< error of levels that change; 0 = not measured
    int64_t steps;        ///< with levels
    bool alone;           ///< levels without the finest one beside them
    BackendWords backend;
    bool json;
} BenchOptions;

/// Every row of a size is measured in several rounds, the rows in turn, with several runs in each.
enum { ROUNDS = 2, RUNS = 4, WARM_UP_STEPS = 15, MOST_COUNTS = 16, MOST_ROWS = 1024 };
enum { GROWTH_SIZE = 8192 }; // measured only to see how the cost grows, unless asked for

// ---- one measurement ----------------------------------------------------------------------------

typedef struct Row {
    Variant variant;
    int size, threads;
    const BackendChoice* device; ///< that steps; NULL = the processor
    double step_seconds;
    double plain_seconds; ///< of a step with the plain stepper
    double copy_seconds;  ///< to copy the fields of a step once
    double state_bytes;   ///< of those fields
    double mib;           ///< of memory that the world took, at most
    double run_seconds;   ///< least time of a run
    double build_seconds; ///< that the device's kernels took, at most
    int traffic;          ///< of the device [bytes per cell and step]
} Row;

/// One stepper at work: how long its runs are, and how quick the quickest was.
typedef struct Runner {
    Trial trial;
    int64_t steps;
    double step_seconds;
} Runner;

/// Runs once. If that was too short for the clock, it does not count and the next is longer.
static GullyStatus run_once(Runner* runner, double run_seconds) {
    double start = clock_seconds();
    GullyStatus status = gully_sim_step(runner->trial.sim, runner->steps);
    double taken = clock_seconds() - start;
    if (status != GULLY_OK) return status;
    if (taken >= run_seconds) {
        runner->step_seconds = fmin(runner->step_seconds, taken / (double)runner->steps);
        return GULLY_OK;
    }
    const int64_t block = gully_sim_block(runner->trial.sim);
    double steps = (double)runner->steps, fit = 1.2 * run_seconds / fmax(taken, 1e-7) * steps;
    int64_t more = (int64_t)fmin(fmax(fit, steps + 1), 10 * steps + 1);
    runner->steps = (more + block - 1) / block * block;
    return GULLY_OK;
}

/// Lets the row's device step from now on, and waits until it can.
static GullyStatus use_device(const Runner* runner, const BackendChoice* choice) {
    GullySimDevice device;
    GullySim* sim = runner->trial.sim;
    GullyStatus status = gully_sim_use(sim, GULLY_GPU, choice->device);
    if (status != GULLY_OK) return status;
    gully_sim_wait(sim);
    gully_sim_device(sim, &device);
    if (device.state != GULLY_DEVICE_FAILED) return GULLY_OK;
    return gully_fail(GULLY_DEVICE, "%s", device.message);
}

/// Notes what the device has to say. Fails if it is not the one that stepped.
static GullyStatus note_device(Row* row, const Runner* runner) {
    GullySimDevice device;
    gully_sim_device(runner->trial.sim, &device);
    row->build_seconds = fmax(row->build_seconds, device.build_seconds);
    row->traffic = device.bytes_per_cell_step;
    if (device.state == GULLY_STEPS_ON_DEVICE) return GULLY_OK;
    return gully_fail(GULLY_DEVICE, "%s: the processor stepped instead: %s", device.name,
                      device.message[0] ? device.message : "its kernels were not ready");
}

static GullyStatus open_runner(Runner* runner, const Row* row, const float* heights, bool plain) {
    TrialDef def = {.variant = &row->variant,
                    .heights = heights,
                    .size = row->size,
                    .threads = row->threads,
                    .plain = plain};
    GullyStatus status = trial_open(&runner->trial, &def);
    if (status == GULLY_OK && row->device && !plain) status = use_device(runner, row->device);
    if (status != GULLY_OK) return status;
    status = gully_sim_step(runner->trial.sim, WARM_UP_STEPS); // water everywhere, memory touched
    runner->steps = gully_sim_block(runner->trial.sim);
    runner->step_seconds = INFINITY; // until a run was long enough
    while (status == GULLY_OK && isinf(runner->step_seconds))
        status = run_once(runner, row->run_seconds);
    return status;
}

/// A line of /proc/self/status, in MiB; 0 where there is no such thing.
static double memory_line(const char* name) {
    char line[256];
    double mib = 0;
    FILE* file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, name, strlen(name)) == 0) mib = atof(line + strlen(name)) / 1024;
    }
    if (file) fclose(file);
    return mib;
}

/// Memory in use now; the highest is counted anew from here.
static double begin_memory(void) {
    FILE* file = fopen("/proc/self/clear_refs", "w");
    if (file) {
        fputs("5", file);
        fclose(file);
    }
    return memory_line("VmRSS:");
}

/// Measures a row once more: the stepper of a run, the plain one and memcpy in turn, so that what
/// else the machine does meets all of them. Keeps the quickest of each.
static GullyStatus measure(Row* row, const float* heights, Copier* copier) {
    Runner runner = {0}, plain = {0};
    double mib_before = begin_memory();
    GullyStatus status = open_runner(&runner, row, heights, false);
    if (status == GULLY_OK) {
        double allocated = (double)gully_sim_allocated_bytes(runner.trial.sim) / (1024 * 1024);
        row->mib = fmax(row->mib, fmax(memory_line("VmHWM:") - mib_before, allocated));
        row->state_bytes = (double)gully_sim_state_bytes(runner.trial.sim);
        status = open_runner(&plain, row, heights, true);
    }
    for (int i = 0; i < RUNS && status == GULLY_OK; i++) {
        status = run_once(&runner, row->run_seconds);
        if (status == GULLY_OK) status = run_once(&plain, row->run_seconds);
        status = copier_run(copier, row->threads);
    }
    if (status == GULLY_OK && row->device) status = note_device(row, &runner);
    if (status == GULLY_OK) {
        row->step_seconds = fmin(row->step_seconds, runner.step_seconds);
        row->plain_seconds = fmin(row->plain_seconds, plain.step_seconds);
    }
    trial_close(&runner.trial);
    trial_close(&plain.trial);
    return status;
}

// ---- rows out -----------------------------------------------------------------------------------

static double cells_of(const Row* row) {
    return (double)row->size * (double)row->size;
}

static double ns_per_cell(const Row* row) {
    return 1e9 * row->step_seconds / cells_of(row);
}

static const char* backend_of(const Row* row) {
    return row->device ? "gpu" : "cpu";
}

static void print_header(bool device) {
    printf("%-10s %-18s %6s %8s %14s %13s %10s %10s %13s %8s%s\n", "law", "variant", "size",
           "threads", "Mcell-steps/s", "ns/cell-step", "memcpy ns", "vs memcpy", "vs reference",
           "MiB", device ? " backend  bytes compiling" : "");
}

static void print_row(const Row* row) {
    printf("%-10s %-18s %6d %8d %14.1f %13.2f %10.2f %10.2f %13.2f %8.0f", row->variant.law->name,
           row->variant.name, row->size, row->threads, 1e3 / ns_per_cell(row), ns_per_cell(row),
           1e9 * row->copy_seconds / cells_of(row), row->step_seconds / row->copy_seconds,
           row->plain_seconds / row->step_seconds, row->mib);
    if (row->device) printf(" %7s %6d %7.2f s", backend_of(row), row->traffic, row->build_seconds);
    printf("\n");
    fflush(stdout);
}

static json_t* json_row(const Row* row) {
    json_t* json = json_pack("{s:s, s:s, s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:s}",        //
                             "law", row->variant.law->name, "variant", row->variant.name, //
                             "size", row->size, "threads", row->threads,                  //
                             "mcell_steps_per_s", 1e3 / ns_per_cell(row),                 //
                             "ns_per_cell_step", ns_per_cell(row),                        //
                             "vs_memcpy", row->step_seconds / row->copy_seconds,          //
                             "vs_reference", row->plain_seconds / row->step_seconds,      //
                             "peak_mib", row->mib, "backend", backend_of(row));
    if (!json || !row->device) return json;
    json_object_set_new(json, "bytes_per_cell_step", json_integer(row->traffic));
    json_object_set_new(json, "build_seconds", json_real(row->build_seconds));
    return json;
}

/// What others have published: how long some steps took.
typedef struct Published {
    const char* who;
    const char* law; ///< ours that does the same
    int size;        ///< cells along a side
    int steps;
    double seconds;
} Published;

static const Published published[] = {
    {"Mei et al. 2007, GeForce 8800 GTX", "pipe", 1024, 1, 6.65e-3},
    {"Mei et al. 2007, GeForce 8800 GTX", "pipe", 4096, 1, 91.22e-3},
    {"Vanek et al. 2011, GeForce GTX 480", "pipe", 4096, 1, 34e-3},
    {"the fastest known, GeForce RTX 3070", "pipe", 2048, 1, 6e-3},
    {"the fastest known, GeForce RTX 3070", "pipe", 4096, 1, 23e-3},
    {"TinyErode, C++ and OpenMP, 2 cores", "pipe", 1024, 1, 18.4e-3},
    {"TinyErode, C++ and OpenMP, 2 cores", "pipe", 2048, 1, 89.2e-3},
    {"Anh et al. 2007, Pentium D", "newton", 1024, 100, 82},
    {"Anh et al. 2007, GeForce 7900 GS", "newton", 1024, 100, 17.2},
    {"Anh et al. 2007, Pentium D", "newton", 2048, 100, 342},
    {"Anh et al. 2007, GeForce 7900 GS", "newton", 2048, 100, 44.3},
    {"Benes & Forsbach 2002, their PC", "diffusion", 400, 500, 120},
};

/// Whether a row is the law at its defaults with the most threads.
static bool is_main(const Row* row, const GullyLawInfo* law, int threads) {
    const Variant* v = &row->variant;
    return v->law == law && !row->device && row->threads == threads && !v->choice && !v->masks &&
           !v->all && !v->pond && !v->layers && !v->half;
}

/// How the cost of a law grows with the world, against 1024 x 1024 or the first that is larger or,
/// if none is, the last.
static void print_growth(const Row* rows, int count, const GullyLawInfo* law, int threads) {
    const Row* base = NULL;
    for (int i = 0; i < count && !(base && base->size >= 1024); i++) {
        if (is_main(&rows[i], law, threads)) base = &rows[i];
    }
    if (!base) return;
    printf("\n%s %s, threads %d, cost of a cell and step against %d x %d:\n", law->name,
           base->variant.name, threads, base->size, base->size);
    for (int i = 0; i < count; i++) {
        if (is_main(&rows[i], law, threads))
            printf("%8d %6.2f\n", rows[i].size, ns_per_cell(&rows[i]) / ns_per_cell(base));
    }
}

/// Figures of others for the laws that were measured, with ours beside them where we have one.
static void print_published(const Row* rows, int count, int threads, const char* law) {
    printf("\n%-38s %-10s %6s %6s %10s %13s %10s %8s\n", "published", "law", "size", "steps",
           "seconds", "ns/cell-step", "here s", "times");
    for (size_t p = 0; p < sizeof published / sizeof *published; p++) {
        const Published* other = &published[p];
        if (law && strcmp(law, other->law) != 0) continue;
        double cells = (double)other->size * (double)other->size;
        printf("%-38s %-10s %6d %6d %10.3g %13.1f", other->who, other->law, other->size,
               other->steps, other->seconds, 1e9 * other->seconds / other->steps / cells);
        for (int i = 0; i < count; i++) {
            if (rows[i].size != other->size) continue;
            if (!is_main(&rows[i], gully_law_find(other->law), threads)) continue;
            double here = rows[i].step_seconds * other->steps;
            printf(" %10.3g %8.3g", here, other->seconds / here);
        }
        printf("\n");
    }
}

// ---- half precision -----------------------------------------------------------------------------

enum { HALF_SIZE = 256, HALF_STEPS = 100 };

/// The terrain after some steps.
static GullyStatus erode_for(const GullyLawInfo* law, const float* heights, bool half, float* out) {
    Variant variant = {.law = law, .half = half};
    Trial trial;
    GullyStatus status =
        trial_open(&trial, &(TrialDef){.variant = &variant, .heights = heights, .size = HALF_SIZE});
    if (status == GULLY_OK) status = gully_sim_step(trial.sim, HALF_STEPS);
    if (status == GULLY_OK)
        status = gully_world_read(trial.world, GULLY_TERRAIN, gully_world_all(trial.world), out);
    trial_close(&trial);
    return status;
}

/// Root of the mean square of the difference of two terrains, and the largest.
typedef struct Difference {
    double rms, most;
} Difference;

static Difference compare_terrains(const float* a, const float* b) {
    Difference difference = {0};
    for (int i = 0; i < HALF_SIZE * HALF_SIZE; i++) {
        double d = fabs((double)a[i] - (double)b[i]);
        difference.rms += d * d / (HALF_SIZE * HALF_SIZE);
        difference.most = fmax(difference.most, d);
    }
    difference.rms = sqrt(difference.rms);
    return difference;
}

/// Says how far half precision is from single precision, for every model that was measured.
static GullyStatus print_half(const char* only) {
    const size_t bytes = sizeof(float) * HALF_SIZE * HALF_SIZE;
    float *heights = malloc(bytes), *whole = malloc(bytes), *half = malloc(bytes);
    GullyGenerateParams params;
    gully_params_default(gully_generate_table(), &params);
    params.width = params.height = HALF_SIZE;
    GullyStatus status = heights && whole && half
                             ? gully_generate("mountains", &params, heights)
                             : gully_fail(GULLY_NO_MEMORY, "bench: no memory for half precision");
    if (status == GULLY_OK)
        printf("\nhalf precision against single, %d steps on %d x %d cells: root of the mean "
               "square, largest [m]\n",
               HALF_STEPS, HALF_SIZE, HALF_SIZE);
    for (int i = 0; i < gully_law_count() && status == GULLY_OK; i++) {
        const GullyLawInfo* law = gully_law_info(i);
        if (law->add_on || (only && strcmp(only, law->name) != 0)) continue;
        status = erode_for(law, heights, false, whole);
        if (status == GULLY_OK) status = erode_for(law, heights, true, half);
        if (status != GULLY_OK) break;
        Difference off = compare_terrains(whole, half), change = compare_terrains(whole, heights);
        printf("%-10s off by %.2e, %.2e; the terrain changed by %.2e, %.2e\n", law->name, off.rms,
               off.most, change.rms, change.most);
    }
    free(heights);
    free(whole);
    free(half);
    return status;
}

// ---- the machine --------------------------------------------------------------------------------

static int processors(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
}

static void print_machine(void) {
    char line[256], model[200] = "unknown processor";
    FILE* file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        const char* colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        snprintf(model, sizeof model, "%s", colon + 1 + strspn(colon + 1, " "));
        model[strcspn(model, "\n")] = 0;
        break;
    }
    if (file) fclose(file);
    printf("%s, %d processors\n", model, processors());
}

// ---- the whole bench ----------------------------------------------------------------------------

typedef struct Bench {
    const BenchOptions* options;
    CountList sizes, threads;
    BackendChoice device; ///< whose rows come after those of the processor
    bool has_device;
    Copier* copier;
    Row rows[MOST_ROWS];
    int count;
} Bench;

static int most_threads(const Bench* bench) {
    int64_t most = 1;
    for (int i = 0; i < bench->threads.count; i++)
        most = bench->threads.items[i] > most ? bench->threads.items[i] : most;
    return (int)most;
}

static void add_row(Bench* bench, const Variant* variant, int size, int threads,
                    const BackendChoice* device) {
    if (bench->count == MOST_ROWS) return;
    bench->rows[bench->count++] = (Row){.variant = *variant,
                                        .size = size,
                                        .threads = threads,
                                        .device = device,
                                        .step_seconds = INFINITY,
                                        .plain_seconds = INFINITY,
                                        .run_seconds = 1e-3 * (double)bench->options->milliseconds};
}

/// Lists what there is to measure of a law.
static void list_rows(Bench* bench, const GullyLawInfo* law, int size) {
    VariantList variants = variants_of(law);
    bool growth = bench->options->sizes.count == 0 && size >= GROWTH_SIZE;
    if (growth) variants.count = law->add_on ? 0 : 1;
    for (int i = 0; i < variants.count * bench->threads.count; i++)
        add_row(bench, &variants.rows[i / bench->threads.count], size,
                (int)bench->threads.items[i % bench->threads.count], NULL);
    for (int i = 0; i < variants.count && bench->has_device; i++)
        add_row(bench, &variants.rows[i], size, most_threads(bench), &bench->device);
}

static GullyStatus bench_row(Bench* bench, Row* row, const float* heights, int round) {
    const char *law = row->variant.law->name, *variant = row->variant.name;
    progress_say("%s %s, %d x %d, %s, threads %d, round %d of %d", law, variant, row->size,
                 row->size, backend_of(row), row->threads, round + 1, ROUNDS);
    GullyStatus status = measure(row, heights, bench->copier);
    if (status == GULLY_OK) return GULLY_OK;
    return gully_fail_in(status, "bench: %s %s, size %d", law, variant, row->size);
}

/// Measures the rows of a size, from `first` on, and prints them.
static GullyStatus bench_rows(Bench* bench, int first, const float* heights) {
    GullyStatus status = GULLY_OK;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = first; i < bench->count && status == GULLY_OK; i++)
            status = bench_row(bench, &bench->rows[i], heights, round);
    }
    progress_clear();
    for (int i = first; i < bench->count && status == GULLY_OK; i++) {
        Row* row = &bench->rows[i];
        row->copy_seconds = row->state_bytes / copier_best(bench->copier, row->threads);
        if (!bench->options->json) print_row(row);
    }
    copier_forget(bench->copier);
    return status;
}

static GullyStatus bench_size(Bench* bench, int size) {
    float* heights;
    progress_say("generating %d x %d", size, size);
    GullyStatus status = trial_heights(size, &heights);
    const int first = bench->count;
    for (int i = 0; i < gully_law_count(); i++) {
        const GullyLawInfo* law = gully_law_info(i);
        if (bench->options->law && strcmp(bench->options->law, law->name) != 0) continue;
        list_rows(bench, law, size);
    }
    if (status == GULLY_OK) status = bench_rows(bench, first, heights);
    free(heights);
    return status;
}

static bool law_is_known(const char* name) {
    enum { MOST_LAWS = 32 };
    const char* names[MOST_LAWS + 1] = {0};
    if (!name || gully_law_find(name)) return true;
    for (int i = 0; i < gully_law_count() && i < MOST_LAWS; i++)
        names[i] = gully_law_info(i)->name;
    unknown_name("bench: there is no law", name, names);
    return false;
}

static GullyStatus print_summaries(const Bench* bench) {
    const int threads = most_threads(bench);
    for (int i = 0; i < gully_law_count(); i++)
        print_growth(bench->rows, bench->count, gully_law_info(i), threads);
    print_published(bench->rows, bench->count, threads, bench->options->law);
    return print_half(bench->options->law);
}

static int print_json(const Bench* bench) {
    json_t* rows = json_array();
    for (int i = 0; i < bench->count; i++) {
        if (json_array_append_new(rows, json_row(&bench->rows[i])) == 0) continue;
        json_decref(rows);
        return console_fail(gully_fail(GULLY_NO_MEMORY, "bench: no memory for row %d", i));
    }
    return console_json(rows);
}

/// Finds out on a small world whether the device that is asked for can be had. None that fits is no
/// failure if it was only to be tried.
static GullyStatus find_device(Bench* bench) {
    enum { TRIAL_SIZE = 32 };
    static const float heights[TRIAL_SIZE * TRIAL_SIZE];
    if (bench->device.backend == GULLY_CPU) return GULLY_OK;
    const Variant variant = {.law = gully_law_info(0)};
    Runner runner = {0};
    GullyStatus status = trial_open(
        &runner.trial,
        &(TrialDef){.variant = &variant, .heights = heights, .size = TRIAL_SIZE, .threads = 1});
    if (status == GULLY_OK) status = use_device(&runner, &bench->device);
    bench->has_device = status == GULLY_OK;
    trial_close(&runner.trial);
    return status == GULLY_DEVICE && bench->device.backend == GULLY_AUTO ? GULLY_OK : status;
}

static int run_levels(const Bench* bench) {
    static int64_t default_size = 4096;
    const BenchOptions* options = bench->options;
    const BenchLevels levels = {.sizes = options->sizes.count ? options->sizes
                                                              : (CountList){&default_size, 1},
                                .threads = bench->threads,
                                .error = options->levels,
                                .steps = options->steps,
                                .alone = options->alone,
                                .json = options->json};
    return bench_levels(&levels);
}

static int run(const void* values) {
    const BenchOptions* options = values;
    static Bench bench;
    static int64_t default_sizes[] = {512, 1024, 2048, 4096, GROWTH_SIZE}, default_threads[2];
    default_threads[0] = 1;
    default_threads[1] = processors();
    bench = (Bench){.options = options, .sizes = options->sizes, .threads = options->threads};
    if (!backend_words("bench", &options->backend, &bench.device)) return EXIT_USAGE;
    if (!law_is_known(options->law)) return EXIT_USAGE;
    if (bench.threads.count > MOST_COUNTS) {
        console_error("bench: --threads at most %d times", MOST_COUNTS);
        return EXIT_USAGE;
    }
    if (!bench.sizes.count) bench.sizes = (CountList){default_sizes, 5};
    if (!bench.threads.count)
        bench.threads = (CountList){default_threads, processors() > 1 ? 2 : 1};
    progress_enable(true);
    if (options->memory)
        return bench_memory(options->law, bench.sizes, (int)options->memory, options->json);
    if (options->levels > 0) return run_levels(&bench);
    GullyStatus status = find_device(&bench);
    if (status != GULLY_OK) return console_fail(status);
    if (!options->json) {
        print_machine();
        print_header(bench.has_device);
    }
    status = copier_create(&bench.copier);
    for (int i = 0; i < bench.sizes.count && status == GULLY_OK; i++)
        status = bench_size(&bench, (int)bench.sizes.items[i]);
    copier_destroy(bench.copier);
    progress_clear();
    if (status != GULLY_OK) return console_fail(status);
    if (options->json) return print_json(&bench);
    status = print_summaries(&bench);
    return status == GULLY_OK ? EXIT_DONE : console_fail(status);
}

static const BenchOptions bench_defaults = {.milliseconds = 200, .steps = 600};

#define AT(member) .offset = offsetof(BenchOptions, member)

#define BACKEND_VALUES BenchOptions

static const Option bench_options[] = {
    {OPTION_TEXT, 0, "law", "NAME", "only this law (default: all)", AT(law)},
    {OPTION_COUNTS, 0, "size", "N",
     "cells along a side (default: 512 1024 2048 4096, and 8192 for the growth)", AT(sizes),
     .low = 16, .high = 32768},
    {OPTION_COUNTS, 't', "threads", "N", "threads (default: 1 and one per processor)", AT(threads),
     .low = 1, .high = 1024},
    {OPTION_COUNT, 0, "milliseconds", "N", "least time of a run (default: 200)", AT(milliseconds),
     .low = 1, .high = 1e6},
    {OPTION_COUNT, 0, "memory", "PERCENT",
     "measure one law (default: pipe) in memory and, in turn, with this part of the memory it "
     "takes",
     AT(memory), .low = 1, .high = 99},
    {OPTION_NUMBER, 0, "levels", "ERROR",
     "step an island in a sea with levels.error ERROR and, in turn, at the finest level (default "
     "size: 4096)",
     AT(levels), .low = 1e-6, .high = 1e3},
    {OPTION_COUNT, 0, "steps", "N", "with --levels: steps of each (default: 600)", AT(steps),
     .low = 1, .high = 1e9},
    {OPTION_FLAG, .name = "alone", .help = "with --levels: leave out the finest level", AT(alone)},
    BACKEND_ROWS{OPTION_FLAG, .name = "json", .help = "print an array of rows as JSON", AT(json)},
    {0},
};

const Command bench_command = {
    .name = "bench",
    .summary = "measure how fast the laws step on this machine",
    .description =
        "Times steps on generated mountains with rain and water everywhere. All rows of a size are "
        "measured in turn, in two rounds of five runs each, and the quickest counts: "
        "what else the machine does then meets all of them alike.\n\n"
        "Variants: a law at its defaults, with each of its other choices, with masks, in layers of "
        "rock, soil and sand, with all (masks, every add-on, hardness that changes), in half "
        "precision, and with a pond on a hundredth of a world that is dry otherwise. \"memcpy ns\" "
        "is the time to copy the fields that a step reads or "
        "writes once, per cell, at the bandwidth of copying 1 GiB with the same threads, the best "
        "of "
        "copies between the runs; \"vs memcpy\" is the time of a step over it. \"vs reference\" is "
        "how many times faster that is than the plain stepper, which sends the whole world through "
        "one pass after another, one cell at a time. \"MiB\" (peak_mib in JSON) is the most "
        "memory that world and stepper took. Then: how the cost grows with the world, and what "
        "others have published, and how far half precision is off.\n\n"
        "With a device (--backend, --device) its rows follow those of the processor, measured when "
        "its kernels are compiled: \"bytes\" (bytes_per_cell_step) is what they load and store, "
        "\"compiling\" (build_seconds) how long that took.\n\n"
        "With --memory each size is stepped in memory and with a part of it, in turn, in runs of "
        "40 "
        "steps: \"times\" is how much longer a step takes, \"bytes/cell/step\" what is read from "
        "and "
        "written to the scratch file.",
    .options = bench_options,
    .defaults = &bench_defaults,
    .size = sizeof(BenchOptions),
    .run = run,
};
