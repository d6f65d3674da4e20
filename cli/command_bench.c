/// gully bench: how fast every law steps, by size and threads, against the speed of memory.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "console.h"
#include "gully/gully.h"
#include "memcpy_speed.h"

typedef struct BenchOptions {
    const char* law;
    CountList sizes, threads;
    bool json;
} BenchOptions;

enum { RUNS = 3, WARM_UP_STEPS = 16, MOST_VARIANTS = 16, MOST_COUNTS = 16 };
static const double run_seconds = 0.3; // least time of a run
static const double rain = 1e-3;       // [m/s]
static const double cell_size = 10;    // [m]

// ---- variants -----------------------------------------------------------------------------------

/// A way to run a law that costs differently.
typedef struct Variant {
    const GullyLawInfo* law;
    char name[64];
    const GullyParam* choice; ///< parameter that is not at its default, or NULL
    char value[32];           ///< its value
    bool masks;
} Variant;

typedef struct VariantList {
    Variant rows[MOST_VARIANTS];
    int count;
} VariantList;

static Variant* add_variant(VariantList* list, Variant variant) {
    assert(list->count < MOST_VARIANTS);
    list->rows[list->count] = variant;
    return &list->rows[list->count++];
}

/// The name of a law at its defaults: what its choices are set to ("flux"), or "default".
static void default_name(const GullyLawInfo* law, char* buffer, size_t size) {
    size_t used = 0;
    snprintf(buffer, size, "default");
    for (int i = 0; i < law->params->count; i++) {
        const GullyParam* row = &law->params->rows[i];
        char value[32];
        if (row->kind != GULLY_KIND_choice || used >= size) continue;
        gully_param_text(row, row->fallback, value, sizeof value);
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", used ? "," : "", value);
    }
}

/// Adds a variant for each value of a choice that is not its default.
static void add_choices(VariantList* list, const GullyLawInfo* law) {
    for (int i = 0; i < law->params->count; i++) {
        const GullyParam* row = &law->params->rows[i];
        if (row->kind != GULLY_KIND_choice) continue;
        for (double value = row->low; value <= row->high; value++) {
            if (value == row->fallback) continue;
            Variant variant = {.law = law, .choice = row};
            gully_param_text(row, value, variant.value, sizeof variant.value);
            memcpy(variant.name, variant.value, sizeof variant.value);
            add_variant(list, variant);
        }
    }
}

/// A law at its defaults, with every other choice, and with masks. An add-on runs alone.
static VariantList variants_of(const GullyLawInfo* law) {
    VariantList list = {0};
    char name[48];
    default_name(law, name, sizeof name);
    Variant* plain = add_variant(&list, (Variant){law, "", NULL, "", false});
    snprintf(plain->name, sizeof plain->name, "%s", name);
    add_choices(&list, law);
    Variant* masked = add_variant(&list, (Variant){law, "", NULL, "", true});
    snprintf(masked->name, sizeof masked->name, "%s+masks", name);
    return list;
}

// ---- one measurement ----------------------------------------------------------------------------

typedef struct Row {
    const Variant* variant;
    int size, threads;
    double step_seconds;
    double plain_seconds; ///< of a step with the plain stepper
    double copy_seconds;  ///< to copy the fields of a step once
    double mib;           ///< that the world has allocated
} Row;

static GullyStatus make_settings(const Variant* variant, GullySettings** out) {
    GullyStatus status = gully_settings_create(variant->law->name, out);
    if (status != GULLY_OK) return status;
    status = gully_settings_set_number(*out, "rain.rate", rain);
    if (status == GULLY_OK && variant->choice) {
        char key[64];
        snprintf(key, sizeof key, "params.%s", variant->choice->name);
        status = gully_settings_set_text(*out, key, variant->value);
    }
    if (status == GULLY_OK) return GULLY_OK;
    gully_settings_destroy(*out);
    *out = NULL;
    return status;
}

/// Seconds per step: the least of several runs, each long enough for the clock.
static double time_steps(GullySim* sim) {
    gully_sim_step(sim, WARM_UP_STEPS); // water everywhere, memory touched
    int64_t steps = 1;
    double taken = 0, best = INFINITY;
    for (int runs = 0; runs < RUNS;) {
        double start = clock_seconds();
        gully_sim_step(sim, steps);
        taken = clock_seconds() - start;
        if (taken < run_seconds) { // too short: more steps, and start over
            double fit = 1.2 * run_seconds / fmax(taken, 1e-7) * (double)steps;
            steps = (int64_t)fmin(fmax(fit, (double)steps + 1), 10 * (double)steps + 1);
            runs = 0;
            best = INFINITY;
            continue;
        }
        best = fmin(best, taken / (double)steps);
        runs++;
    }
    return best;
}

/// Times one stepper, the plain one or the one that a run uses.
static GullyStatus measure_stepper(Row* row, const float* heights, double bytes_per_second,
                                   bool plain) {
    GullyWorldDef def = gully_world_def(row->size, row->size);
    def.cell_x = def.cell_y = cell_size;
    def.heights = heights;
    GullySimDef sim_def = gully_sim_def();
    sim_def.threads = row->threads;
    sim_def.masks = row->variant->masks;
    sim_def.plain = plain;
    GullyWorld* world = NULL;
    GullySettings* settings = NULL;
    GullySim* sim = NULL;
    GullyStatus status = gully_world_create(&def, &world);
    if (status == GULLY_OK) status = make_settings(row->variant, &settings);
    if (status == GULLY_OK) status = gully_sim_create(world, settings, &sim_def, &sim);
    if (status == GULLY_OK && plain) row->plain_seconds = time_steps(sim);
    if (status == GULLY_OK && !plain) {
        row->step_seconds = time_steps(sim);
        row->copy_seconds = (double)gully_sim_state_bytes(sim) / bytes_per_second;
        row->mib = (double)gully_sim_allocated_bytes(sim) / (1024 * 1024);
    }
    gully_sim_destroy(sim);
    gully_settings_destroy(settings);
    gully_world_destroy(world);
    return status;
}

static GullyStatus measure(Row* row, const float* heights, double bytes_per_second) {
    GullyStatus status = measure_stepper(row, heights, bytes_per_second, false);
    return status ? status : measure_stepper(row, heights, bytes_per_second, true);
}

// ---- rows out -----------------------------------------------------------------------------------

static double cells_of(const Row* row) {
    return (double)row->size * (double)row->size;
}

static void print_header(void) {
    printf("%-10s %-18s %6s %8s %14s %13s %10s %13s %10s\n", "law", "variant", "size", "threads",
           "Mcell-steps/s", "ns/cell-step", "vs memcpy", "vs reference", "world MiB");
}

static void print_row(const Row* row) {
    printf("%-10s %-18s %6d %8d %14.1f %13.2f %10.2f %13.2f %10.0f\n", row->variant->law->name,
           row->variant->name, row->size, row->threads, 1e-6 * cells_of(row) / row->step_seconds,
           1e9 * row->step_seconds / cells_of(row), row->step_seconds / row->copy_seconds,
           row->plain_seconds / row->step_seconds, row->mib);
    fflush(stdout);
}

static json_t* json_row(const Row* row) {
    return json_pack("{s:s, s:s, s:i, s:i, s:f, s:f, s:f, s:f, s:f}",               //
                     "law", row->variant->law->name, "variant", row->variant->name, //
                     "size", row->size, "threads", row->threads,                    //
                     "mcell_steps_per_s", 1e-6 * cells_of(row) / row->step_seconds, //
                     "ns_per_cell_step", 1e9 * row->step_seconds / cells_of(row),   //
                     "vs_memcpy", row->step_seconds / row->copy_seconds,            //
                     "vs_reference", row->plain_seconds / row->step_seconds,        //
                     "peak_mib", row->mib);
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
    double speeds[MOST_COUNTS]; ///< of memcpy, for each number of threads [bytes/s]
    json_t* rows;
} Bench;

static GullyStatus measure_memcpy(Bench* bench) {
    for (int i = 0; i < bench->threads.count; i++) {
        int threads = (int)bench->threads.items[i];
        progress_say("memcpy, threads %d", threads);
        GullyStatus status = memcpy_speed(threads, &bench->speeds[i]);
        if (status != GULLY_OK) return status;
        progress_clear();
        if (!bench->options->json)
            printf("memcpy of 1 GiB, threads %d: %.2f GB/s\n", threads, 1e-9 * bench->speeds[i]);
    }
    return GULLY_OK;
}

static GullyStatus bench_law(Bench* bench, const GullyLawInfo* law, int size,
                             const float* heights) {
    VariantList variants = variants_of(law);
    for (int v = 0; v < variants.count; v++) {
        for (int t = 0; t < bench->threads.count; t++) {
            Row row = {.variant = &variants.rows[v],
                       .size = size,
                       .threads = (int)bench->threads.items[t]};
            progress_say("%s %s, %d x %d, threads %d", law->name, variants.rows[v].name, size, size,
                         row.threads);
            GullyStatus status = measure(&row, heights, bench->speeds[t]);
            if (status != GULLY_OK)
                return gully_fail_in(status, "bench: %s %s, size %d", law->name,
                                     variants.rows[v].name, size);
            progress_clear();
            if (bench->options->json)
                json_array_append_new(bench->rows, json_row(&row));
            else
                print_row(&row);
        }
    }
    return GULLY_OK;
}

static GullyStatus bench_size(Bench* bench, int size) {
    GullyGenerateParams params;
    gully_params_default(gully_generate_table(), &params);
    params.width = params.height = size;
    float* heights = malloc(sizeof(float) * (size_t)size * (size_t)size);
    if (!heights) return gully_fail(GULLY_FAILED, "bench: no memory for %d x %d", size, size);
    progress_say("generating %d x %d", size, size);
    GullyStatus status = gully_generate("mountains", &params, heights);
    for (int i = 0; i < gully_law_count() && status == GULLY_OK; i++) {
        const GullyLawInfo* law = gully_law_info(i);
        if (bench->options->law && strcmp(bench->options->law, law->name) != 0) continue;
        status = bench_law(bench, law, size, heights);
    }
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

static int run(const void* values) {
    const BenchOptions* options = values;
    int64_t default_sizes[] = {512, 1024, 2048, 4096};
    int64_t default_threads[] = {1, processors()};
    Bench bench = {options, options->sizes, options->threads, {0}, NULL};
    if (!law_is_known(options->law)) return EXIT_USAGE;
    if (bench.threads.count > MOST_COUNTS) {
        console_error("bench: --threads at most %d times", MOST_COUNTS);
        return EXIT_USAGE;
    }
    if (!bench.sizes.count) bench.sizes = (CountList){default_sizes, 4};
    if (!bench.threads.count)
        bench.threads = (CountList){default_threads, processors() > 1 ? 2 : 1};
    bench.rows = json_array();
    progress_enable(true);
    if (!options->json) print_machine();
    GullyStatus status = measure_memcpy(&bench);
    if (status == GULLY_OK && !options->json) print_header();
    for (int i = 0; i < bench.sizes.count && status == GULLY_OK; i++)
        status = bench_size(&bench, (int)bench.sizes.items[i]);
    progress_clear();
    int code = status == GULLY_OK ? EXIT_DONE : console_fail(status);
    if (code == EXIT_DONE && options->json) return console_json(bench.rows);
    json_decref(bench.rows);
    return code;
}

#define AT(member) .offset = offsetof(BenchOptions, member)

static const Option bench_options[] = {
    {OPTION_TEXT, 0, "law", "NAME", "only this law (default: all)", AT(law)},
    {OPTION_COUNTS, 0, "size", "N", "cells along a side (default: 512 1024 2048 4096)", AT(sizes),
     .low = 16, .high = 32768},
    {OPTION_COUNTS, 't', "threads", "N", "threads (default: 1 and one per processor)", AT(threads),
     .low = 1, .high = 1024},
    {OPTION_FLAG, .name = "json", .help = "print an array of rows as JSON", AT(json)},
    {0},
};

const Command bench_command = {
    .name = "bench",
    .summary = "measure how fast the laws step on this machine",
    .description =
        "Times steps on generated mountains with rain and water everywhere; the least of three "
        "runs. \"vs memcpy\" is the time of a step over the time to copy the fields it reads or "
        "writes once, at the bandwidth of copying 1 GiB with the same threads in the same run. "
        "\"vs reference\" is how many times faster that is than the plain stepper, which sends the "
        "whole world through one pass after another. \"world MiB\" (peak_mib in JSON) is what the "
        "world has allocated.",
    .options = bench_options,
    .size = sizeof(BenchOptions),
    .run = run,
};
