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
    int64_t milliseconds; ///< least time of a run
    bool json;
} BenchOptions;

enum { RUNS = 5, WARM_UP_STEPS = 15, MOST_VARIANTS = 24, MOST_COUNTS = 16, MOST_ROWS = 1024 };
enum { GROWTH_SIZE = 8192 };        // measured only to see how the cost grows, unless asked for
static const double rain = 1e-3;    // [m/s]
static const double cell_size = 10; // [m]

// ---- variants -----------------------------------------------------------------------------------

/// A way to run a law that costs differently.
typedef struct Variant {
    const GullyLawInfo* law;
    char name[64];
    const GullyParam* choice; ///< parameter that is not at its default, or NULL
    char value[32];           ///< its value
    bool masks;
    bool all;    ///< also every add-on, and hardness that changes
    bool pond;   ///< water only on a hundredth of the world, and no rain
    bool layers; ///< rock under soil, which becomes sand
    bool half;   ///< a world of half precision
} Variant;

typedef struct VariantList {
    Variant rows[MOST_VARIANTS];
    int count;
} VariantList;

static void add_variant(VariantList* list, Variant variant) {
    assert(list->count < MOST_VARIANTS);
    list->rows[list->count++] = variant;
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

static void add_named(VariantList* list, Variant variant, const char* what) {
    char name[48];
    default_name(variant.law, name, sizeof name);
    snprintf(variant.name, sizeof variant.name, "%s%s", name, what);
    add_variant(list, variant);
}

/// A law at its defaults, with every other choice, with masks, in layers, with all there is, in
/// half precision, and where it has little to do. An add-on runs alone.
static VariantList variants_of(const GullyLawInfo* law) {
    VariantList list = {0};
    add_named(&list, (Variant){.law = law}, "");
    add_choices(&list, law);
    add_named(&list, (Variant){.law = law, .masks = true}, "+masks");
    if (law->layers) add_named(&list, (Variant){.law = law, .layers = true}, "+layers");
    if (law->add_on) return list;
    add_named(&list, (Variant){.law = law, .masks = true, .all = true}, "+all");
    add_named(&list, (Variant){.law = law, .half = true}, "+half");
    add_named(&list, (Variant){.law = law, .pond = true}, "+pond");
    return list;
}

// ---- one measurement ----------------------------------------------------------------------------

typedef struct Row {
    Variant variant;
    int size, threads;
    double step_seconds;
    double plain_seconds; ///< of a step with the plain stepper
    double copy_seconds;  ///< to copy the fields of a step once
    double mib;           ///< of memory that the world took, at most
    double run_seconds;   ///< least time of a run
} Row;

/// Switches on every add-on, with its defaults, and hardness that changes, if the law knows it.
static GullyStatus switch_all_on(const GullyLawInfo* law, GullySettings* settings) {
    GullyStatus status = GULLY_OK;
    for (int i = 0; i < gully_law_count() && status == GULLY_OK; i++) {
        const GullyLawInfo* other = gully_law_info(i);
        if (other->add_on) status = gully_settings_switch(settings, other->name, true);
    }
    for (int i = 0; i < law->params->count && status == GULLY_OK; i++) {
        if (strcmp(law->params->rows[i].name, "softening") == 0)
            status = gully_settings_set_number(settings, "params.softening", 1);
    }
    return status;
}

static GullyStatus make_settings(const Variant* variant, GullySettings** out) {
    GullyStatus status = gully_settings_create(variant->law->name, out);
    if (status != GULLY_OK) return status;
    status = gully_settings_set_number(*out, "rain.rate", variant->pond ? 0 : rain);
    if (status == GULLY_OK && variant->all) status = switch_all_on(variant->law, *out);
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
static double time_steps(GullySim* sim, double run_seconds) {
    gully_sim_step(sim, WARM_UP_STEPS); // water everywhere, memory touched
    const int64_t block = gully_sim_block(sim);
    int64_t steps = block;
    double taken = 0, best = INFINITY;
    for (int runs = 0; runs < RUNS;) {
        double start = clock_seconds();
        gully_sim_step(sim, steps);
        taken = clock_seconds() - start;
        if (taken < run_seconds) { // too short: more steps, and start over
            double fit = 1.2 * run_seconds / fmax(taken, 1e-7) * (double)steps;
            steps = (int64_t)fmin(fmax(fit, (double)steps + 1), 10 * (double)steps + 1);
            steps = (steps + block - 1) / block * block;
            runs = 0;
            best = INFINITY;
            continue;
        }
        best = fmin(best, taken / (double)steps);
        runs++;
    }
    return best;
}

/// Digs a square pit of a tenth of the side into flat ground, with waves on the water in it, and
/// dries all else, where a law may have put water at the start.
static GullyStatus dig_pond(GullyWorld* world, int size) {
    int side = size / 10, from = (size - side) / 2;
    float* row = malloc(sizeof(float) * (size_t)side);
    if (!row) return gully_fail(GULLY_FAILED, "bench: no memory for a row");
    GullyStatus status = gully_world_fill(world, GULLY_TERRAIN, 100);
    if (status == GULLY_OK) status = gully_world_fill(world, GULLY_WATER, 0);
    for (int y = from; y < from + side && status == GULLY_OK; y++) {
        GullyRect rect = {from, y, side, 1};
        for (int x = 0; x < side; x++)
            row[x] = 50;
        status = gully_world_write(world, GULLY_TERRAIN, rect, row);
        for (int x = 0; x < side; x++)
            row[x] = 10 + 2 * sinf(0.1f * (float)x) * cosf(0.13f * (float)y);
        if (status == GULLY_OK) status = gully_world_write(world, GULLY_WATER, rect, row);
    }
    free(row);
    return status;
}

/// Lays half a metre of soil on rock.
static GullyStatus lay_soil(GullyWorld* world) {
    GullyMaterial materials[] = {gully_material("rock", 0), gully_material("soil", 1),
                                 gully_material("sand", 2)};
    materials[0].erodibility = 0.2;
    materials[0].critical_shear = 5;
    GullyStatus status = gully_world_set_materials(world, materials, 3);
    return status == GULLY_OK ? gully_world_fill(world, GULLY_LAYER_1, 0.5f) : status;
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

/// Times one stepper, the plain one or the one that a run uses.
static GullyStatus measure_stepper(Row* row, const float* heights, double bytes_per_second,
                                   bool plain) {
    double mib_before = begin_memory();
    GullyWorldDef def = gully_world_def(row->size, row->size);
    def.cell_x = def.cell_y = cell_size;
    def.heights = row->variant.pond ? NULL : heights;
    def.half = row->variant.half;
    GullySimDef sim_def = gully_sim_def();
    sim_def.threads = row->threads;
    sim_def.masks = row->variant.masks;
    sim_def.plain = plain;
    GullyWorld* world = NULL;
    GullySettings* settings = NULL;
    GullySim* sim = NULL;
    GullyStatus status = gully_world_create(&def, &world);
    if (status == GULLY_OK && row->variant.layers) status = lay_soil(world);
    if (status == GULLY_OK) status = make_settings(&row->variant, &settings);
    if (status == GULLY_OK) status = gully_sim_create(world, settings, &sim_def, &sim);
    if (status == GULLY_OK && row->variant.pond) status = dig_pond(world, row->size);
    if (status == GULLY_OK && plain) row->plain_seconds = time_steps(sim, row->run_seconds);
    if (status == GULLY_OK && !plain) {
        row->step_seconds = time_steps(sim, row->run_seconds);
        row->copy_seconds = (double)gully_sim_state_bytes(sim) / bytes_per_second;
        double allocated = (double)gully_sim_allocated_bytes(sim) / (1024 * 1024);
        row->mib = fmax(memory_line("VmHWM:") - mib_before, allocated);
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

static double ns_per_cell(const Row* row) {
    return 1e9 * row->step_seconds / cells_of(row);
}

static void print_header(void) {
    printf("%-10s %-18s %6s %8s %14s %13s %10s %10s %13s %8s\n", "law", "variant", "size",
           "threads", "Mcell-steps/s", "ns/cell-step", "memcpy ns", "vs memcpy", "vs reference",
           "MiB");
}

static void print_row(const Row* row) {
    printf("%-10s %-18s %6d %8d %14.1f %13.2f %10.2f %10.2f %13.2f %8.0f\n", row->variant.law->name,
           row->variant.name, row->size, row->threads, 1e3 / ns_per_cell(row), ns_per_cell(row),
           1e9 * row->copy_seconds / cells_of(row), row->step_seconds / row->copy_seconds,
           row->plain_seconds / row->step_seconds, row->mib);
    fflush(stdout);
}

static json_t* json_row(const Row* row) {
    return json_pack("{s:s, s:s, s:i, s:i, s:f, s:f, s:f, s:f, s:f}",             //
                     "law", row->variant.law->name, "variant", row->variant.name, //
                     "size", row->size, "threads", row->threads,                  //
                     "mcell_steps_per_s", 1e3 / ns_per_cell(row),                 //
                     "ns_per_cell_step", ns_per_cell(row),                        //
                     "vs_memcpy", row->step_seconds / row->copy_seconds,          //
                     "vs_reference", row->plain_seconds / row->step_seconds,      //
                     "peak_mib", row->mib);
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
    return v->law == law && row->threads == threads && !v->choice && !v->masks && !v->all &&
           !v->pond && !v->layers && !v->half;
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
    Variant variant = {.law = law};
    GullyWorldDef def = gully_world_def(HALF_SIZE, HALF_SIZE);
    def.cell_x = def.cell_y = cell_size;
    def.heights = heights;
    def.half = half;
    GullySimDef sim_def = gully_sim_def();
    sim_def.masks = false;
    GullyWorld* world = NULL;
    GullySettings* settings = NULL;
    GullySim* sim = NULL;
    GullyStatus status = gully_world_create(&def, &world);
    if (status == GULLY_OK) status = make_settings(&variant, &settings);
    if (status == GULLY_OK) status = gully_sim_create(world, settings, &sim_def, &sim);
    if (status == GULLY_OK) {
        gully_sim_step(sim, HALF_STEPS);
        gully_world_read(world, GULLY_TERRAIN, gully_world_all(world), out);
    }
    gully_sim_destroy(sim);
    gully_settings_destroy(settings);
    gully_world_destroy(world);
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
                             : gully_fail(GULLY_FAILED, "bench: no memory for half precision");
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
    double speeds[MOST_COUNTS]; ///< of memcpy, for each number of threads [bytes/s]
    Row rows[MOST_ROWS];
    int count;
} Bench;

static GullyStatus measure_memcpy(Bench* bench) {
    for (int i = 0; i < bench->threads.count; i++) {
        int threads = (int)bench->threads.items[i];
        progress_say("memcpy, threads %d", threads);
        GullyStatus status = memcpy_speed(threads, &bench->speeds[i]);
        if (status != GULLY_OK) return status;
    }
    return GULLY_OK;
}

static GullyStatus bench_variant(Bench* bench, const Variant* variant, int size,
                                 const float* heights) {
    for (int t = 0; t < bench->threads.count; t++) {
        Row row = {.variant = *variant,
                   .size = size,
                   .threads = (int)bench->threads.items[t],
                   .run_seconds = 1e-3 * (double)bench->options->milliseconds};
        progress_say("%s %s, %d x %d, threads %d", variant->law->name, variant->name, size, size,
                     row.threads);
        GullyStatus status = measure(&row, heights, bench->speeds[t]);
        if (status != GULLY_OK)
            return gully_fail_in(status, "bench: %s %s, size %d", variant->law->name, variant->name,
                                 size);
        progress_clear();
        if (bench->count < MOST_ROWS) bench->rows[bench->count++] = row;
        if (!bench->options->json) print_row(&row);
    }
    return GULLY_OK;
}

static GullyStatus bench_law(Bench* bench, const GullyLawInfo* law, int size,
                             const float* heights) {
    VariantList variants = variants_of(law);
    bool growth = bench->options->sizes.count == 0 && size >= GROWTH_SIZE;
    if (growth) variants.count = law->add_on ? 0 : 1;
    GullyStatus status = GULLY_OK;
    for (int v = 0; v < variants.count && status == GULLY_OK; v++)
        status = bench_variant(bench, &variants.rows[v], size, heights);
    return status;
}

static GullyStatus bench_size(Bench* bench, int size) {
    GullyGenerateParams params;
    gully_params_default(gully_generate_table(), &params);
    params.width = params.height = size;
    float* heights = malloc(sizeof(float) * (size_t)size * (size_t)size);
    if (!heights) return gully_fail(GULLY_FAILED, "bench: no memory for %d x %d", size, size);
    progress_say("generating %d x %d", size, size);
    GullyStatus status = gully_generate("mountains", &params, heights);
    if (status == GULLY_OK) status = measure_memcpy(bench);
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

static GullyStatus print_summaries(const Bench* bench) {
    int threads = 0;
    for (int i = 0; i < bench->threads.count; i++)
        threads = bench->threads.items[i] > threads ? (int)bench->threads.items[i] : threads;
    for (int i = 0; i < gully_law_count(); i++)
        print_growth(bench->rows, bench->count, gully_law_info(i), threads);
    print_published(bench->rows, bench->count, threads, bench->options->law);
    return print_half(bench->options->law);
}

static int print_json(const Bench* bench) {
    json_t* rows = json_array();
    for (int i = 0; i < bench->count; i++)
        json_array_append_new(rows, json_row(&bench->rows[i]));
    return console_json(rows);
}

static int run(const void* values) {
    const BenchOptions* options = values;
    static Bench bench;
    static int64_t default_sizes[] = {512, 1024, 2048, 4096, GROWTH_SIZE}, default_threads[2];
    default_threads[0] = 1;
    default_threads[1] = processors();
    bench = (Bench){.options = options, .sizes = options->sizes, .threads = options->threads};
    if (!law_is_known(options->law)) return EXIT_USAGE;
    if (bench.threads.count > MOST_COUNTS) {
        console_error("bench: --threads at most %d times", MOST_COUNTS);
        return EXIT_USAGE;
    }
    if (!bench.sizes.count) bench.sizes = (CountList){default_sizes, 5};
    if (!bench.threads.count)
        bench.threads = (CountList){default_threads, processors() > 1 ? 2 : 1};
    progress_enable(true);
    if (!options->json) {
        print_machine();
        print_header();
    }
    GullyStatus status = GULLY_OK;
    for (int i = 0; i < bench.sizes.count && status == GULLY_OK; i++)
        status = bench_size(&bench, (int)bench.sizes.items[i]);
    progress_clear();
    if (status != GULLY_OK) return console_fail(status);
    if (options->json) return print_json(&bench);
    status = print_summaries(&bench);
    return status == GULLY_OK ? EXIT_DONE : console_fail(status);
}

static const BenchOptions bench_defaults = {.milliseconds = 200};

#define AT(member) .offset = offsetof(BenchOptions, member)

static const Option bench_options[] = {
    {OPTION_TEXT, 0, "law", "NAME", "only this law (default: all)", AT(law)},
    {OPTION_COUNTS, 0, "size", "N",
     "cells along a side (default: 512 1024 2048 4096, and 8192 for the growth)", AT(sizes),
     .low = 16, .high = 32768},
    {OPTION_COUNTS, 't', "threads", "N", "threads (default: 1 and one per processor)", AT(threads),
     .low = 1, .high = 1024},
    {OPTION_COUNT, 0, "milliseconds", "N", "least time of a run (default: 200)", AT(milliseconds),
     .low = 1, .high = 1e6},
    {OPTION_FLAG, .name = "json", .help = "print an array of rows as JSON", AT(json)},
    {0},
};

const Command bench_command = {
    .name = "bench",
    .summary = "measure how fast the laws step on this machine",
    .description =
        "Times steps on generated mountains with rain and water everywhere; the least of five "
        "runs. "
        "Variants: a law at its defaults, with each of its other choices, with masks, in layers of "
        "rock, soil and sand, with all (masks, every add-on, hardness that changes), in half "
        "precision, and with a pond on a hundredth of a world that is dry otherwise. \"memcpy ns\" "
        "is the time to copy the fields that a step reads or "
        "writes once, per cell, at the bandwidth of copying 1 GiB with the same threads, measured "
        "beside; \"vs memcpy\" is the time of a step over it. \"vs reference\" is how many times "
        "faster that is than the plain stepper, which sends the whole world through one pass after "
        "another, compiled for any processor of the family. \"MiB\" (peak_mib in JSON) is the most "
        "memory that world and stepper took. Then: how the cost grows with the world, and what "
        "others have published, and how far half precision is off.",
    .options = bench_options,
    .defaults = &bench_defaults,
    .size = sizeof(BenchOptions),
    .run = run,
};
