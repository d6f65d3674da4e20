// SPDX-License-Identifier: MIT
/// gully compare: how far two rasters are apart, cell by cell or apart from their details.
#include <math.h>
#include <stdio.h>

#include "command.h"
#include "console.h"
#include "likeness_words.h"
#include "read_options.h"
#include "run_folder.h"

typedef struct CompareOptions {
    const char *first, *second;
    double tolerance; ///< < 0 = not given
    LikenessOptions likeness;
    GullyReadDef read;
    bool json, quiet;
} CompareOptions;

typedef struct Difference {
    int64_t cells;                   ///< valid in both
    int64_t only_first, only_second; ///< valid in one
    double max, mean, rms;           ///< of the absolute difference
    int max_x, max_y;                ///< first cell with the largest one
} Difference;

static Difference difference(const GullyRaster* a, const GullyRaster* b) {
    Difference result = {0};
    double sum = 0, squares = 0;
    for (int y = 0; y < a->height; y++) {
        for (int x = 0; x < a->width; x++) {
            size_t i = (size_t)y * (size_t)a->width + (size_t)x;
            bool in_a = !isnan(a->values[i]), in_b = !isnan(b->values[i]);
            result.only_first += in_a && !in_b;
            result.only_second += in_b && !in_a;
            if (!in_a || !in_b) continue;
            double apart = fabs((double)a->values[i] - (double)b->values[i]);
            result.cells++;
            sum += apart;
            squares += apart * apart;
            if (apart > result.max) {
                result.max = apart;
                result.max_x = x;
                result.max_y = y;
            }
        }
    }
    if (result.cells > 0) {
        result.mean = sum / (double)result.cells;
        result.rms = sqrt(squares / (double)result.cells);
    }
    return result;
}

static void print_difference(const CompareOptions* options, const Difference* d, bool same) {
    printf("max        %.9g", d->max);
    if (d->max > 0) printf("  at column %d, row %d", d->max_x, d->max_y);
    printf("\nmean       %.9g\n", d->mean);
    printf("RMS        %.9g\n", d->rms);
    printf("cells      %lld valid in both\n", (long long)d->cells);
    if (d->only_first || d->only_second)
        printf("nodata     %lld cells valid only in %s, %lld only in %s\n",
               (long long)d->only_first, options->first, (long long)d->only_second,
               options->second);
    printf("%s\n", same ? "within the tolerance" : "different");
}

static json_t* json_difference(const CompareOptions* options, const GullyRaster* raster,
                               const Difference* d, bool same) {
    return json_pack("{s:s, s:s, s:[i, i], s:I, s:I, s:I, s:f, s:f, s:f, s:[i, i], s:f, s:b}", //
                     "a", options->first, "b", options->second,                                //
                     "size", raster->width, raster->height,                                    //
                     "cells", (json_int_t)d->cells,                                            //
                     "only_in_a", (json_int_t)d->only_first,                                   //
                     "only_in_b", (json_int_t)d->only_second,                                  //
                     "max", d->max, "mean", d->mean, "rms", d->rms,                            //
                     "max_at", d->max_x, d->max_y,                                             //
                     "tolerance", fmax(0, options->tolerance), "within", same);
}

static int compare(const CompareOptions* options, const GullyRaster* a, const GullyRaster* b) {
    if (a->width != b->width || a->height != b->height) {
        console_error("compare: the sizes differ: %s has %d x %d cells, %s has %d x %d; "
                      "--low-pass METRES compares them",
                      options->first, a->width, a->height, options->second, b->width, b->height);
        return EXIT_USAGE;
    }
    Difference d = difference(a, b);
    bool same = d.max <= fmax(0, options->tolerance) && d.only_first == 0 && d.only_second == 0;
    if (options->json)
        console_json(json_difference(options, a, &d, same));
    else if (!options->quiet)
        print_difference(options, &d, same);
    return same ? EXIT_DONE : EXIT_FAILED;
}

static GullyStatus read_one(const CompareOptions* options, const char* path, GullyRaster* out) {
    GullyStatus status = terrain_read(path, &options->read, out);
    if (status == GULLY_OK) read_notes_print(path, out->notes);
    return status;
}

static int compare_details_aside(const CompareOptions* options, const GullyRaster* a,
                                 const GullyRaster* b) {
    LikenessTask task = {.options = &options->likeness,
                         .read = &options->read,
                         .paths = {options->first, options->second},
                         .rasters = {a, b},
                         .tolerance = options->tolerance,
                         .json = options->json};
    return likeness_run(&task);
}

static int run(const void* values) {
    const CompareOptions* options = values;
    if (!likeness_check(&options->likeness)) return EXIT_USAGE;
    GullyRaster a = {0}, b = {0};
    GullyStatus status = read_one(options, options->first, &a);
    if (status == GULLY_OK) status = read_one(options, options->second, &b);
    int code = status != GULLY_OK                ? console_fail(status)
               : options->likeness.low_pass >= 0 ? compare_details_aside(options, &a, &b)
                                                 : compare(options, &a, &b);
    gully_raster_free(&a);
    gully_raster_free(&b);
    return code;
}

#define AT(member) .offset = offsetof(CompareOptions, member)

#define READ_VALUES CompareOptions

static const Option compare_options[] = {
    {OPTION_OPERAND, .name = "A", .help = "a raster, the folder of a run, or - for standard input",
     AT(first), .required = true},
    {OPTION_OPERAND, .name = "B",
     .help = "another of the same size; of the same extent with --low-pass", AT(second),
     .required = true},
    {OPTION_NUMBER, 't', "tolerance", "T",
     "largest difference that is still equal (default: 0; with --low-pass any)", AT(tolerance),
     .low = 0, .high = 1e30},
    {OPTION_NUMBER, .name = "low-pass", .argument = "METRES",
     .help = "compare what is left of them after a low-pass: correlation, ratio of volumes",
     AT(likeness.low_pass), .low = 0, .high = 1e9},
    {OPTION_TEXTS, .name = "start", .argument = "FILE",
     .help =
         "with --low-pass: compare the changes since then; once for both, or twice, for A and B",
     AT(likeness.starts)},
    {OPTION_NUMBER, .name = "correlation", .argument = "R",
     .help = "with --low-pass: the least that is still alike (default: any)",
     AT(likeness.correlation), .low = -1, .high = 1},
    {OPTION_FLAG, .name = "json", .help = "print JSON", AT(json)},
    QUIET_ROW(CompareOptions, quiet, "print nothing: the exit code says it"),
    READ_ROWS{0},
};

static const CompareOptions compare_defaults = {
    .tolerance = -1,
    .likeness = {.low_pass = -1, .correlation = -2},
};

const Command compare_command = {
    .name = "compare",
    .summary = "how far two rasters are apart",
    .description =
        "Prints the largest, the mean and the root mean square absolute difference of "
        "the cells that are valid in both. Returns 1 if the largest is beyond the "
        "tolerance or if some cells are nodata in one of them only.\n\n"
        "With --low-pass the details do not count, and the rasters may have other cells "
        "if they cover the same extent: they are brought to the coarser grid by means "
        "over its cells, then smoothed by a Gaussian with the standard deviation of a "
        "mean over METRES (0 = not at all). Prints their correlation, the differences, and "
        "the ratio of the volumes: above the lowest point, or, with --start, eroded and "
        "deposited since then, each on its own cells. Returns 1 only if --tolerance or "
        "--correlation says so.",
    .options = compare_options,
    .defaults = &compare_defaults,
    .size = sizeof(CompareOptions),
    .run = run,
};
