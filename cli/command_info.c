// SPDX-License-Identifier: MIT
/// gully info: what is in a raster.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "console.h"
#include "drainage_words.h"
#include "gully/analysis.h"
#include "gully/raster.h"
#include "read_options.h"
#include "run_folder.h"

typedef struct InfoOptions {
    const char* file;
    GullyReadDef read;
    bool drainage, json, quiet;
} InfoOptions;

enum { BINS = 16 };

typedef struct Statistics {
    int64_t valid, nodata;
    double min, max, mean;
    int64_t bins[BINS]; ///< cells by value, from the lowest
    GullySlopeStatistics slopes;
} Statistics;

// ---- statistics ---------------------------------------------------------------------------------

static int bin_of(const Statistics* s, double value) {
    if (s->max <= s->min) return 0;
    int bin = (int)((value - s->min) / (s->max - s->min) * BINS);
    return bin < BINS ? bin : BINS - 1;
}

static Statistics statistics(const GullyRaster* raster) {
    Statistics s = {.min = INFINITY, .max = -INFINITY};
    int64_t cells = (int64_t)raster->width * raster->height;
    double sum = 0;
    for (int64_t i = 0; i < cells; i++) {
        double value = (double)raster->values[i];
        if (isnan(value)) continue;
        s.valid++;
        sum += value;
        s.min = fmin(s.min, value);
        s.max = fmax(s.max, value);
    }
    s.nodata = cells - s.valid;
    if (s.valid == 0) return s;
    s.mean = sum / (double)s.valid;
    for (int64_t i = 0; i < cells; i++)
        if (!isnan(raster->values[i])) s.bins[bin_of(&s, (double)raster->values[i])]++;
    gully_slope_statistics(raster->values, raster->width, raster->height, raster->cell_x,
                           raster->cell_y, &s.slopes);
    return s;
}

/// The name of a projection: the first quoted text of its WKT. "" if there is none.
static void projection_name(const GullyRaster* raster, char* buffer, size_t size) {
    const char* wkt = raster->georeference.projection;
    const char* start = wkt ? strchr(wkt, '"') : NULL;
    const char* end = start ? strchr(start + 1, '"') : NULL;
    snprintf(buffer, size, "%.*s", end ? (int)(end - start - 1) : 0, end ? start + 1 : "");
}

static json_t* json_notes(const char* notes) {
    json_t* lines = json_array();
    for (const char* line = notes; *line; line += strcspn(line, "\n"), line += *line == '\n')
        json_array_append_new(lines, json_stringn(line, strcspn(line, "\n")));
    return lines;
}

// ---- printing -----------------------------------------------------------------------------------

/// "0 to 5", "45 to 90": the degrees of a class.
static void class_text(int index, char* buffer, size_t size) {
    double end = index + 1 < GULLY_SLOPE_CLASSES ? gully_slope_class(index + 1) : 90;
    snprintf(buffer, size, "%g to %g", gully_slope_class(index), end);
}

static void print_slopes(const GullySlopeStatistics* slopes) {
    const GullySpread* degrees = &slopes->degrees;
    printf("slope       mean %.1f, deviation %.1f, max %.1f degrees\n", degrees->mean,
           degrees->deviation, degrees->max);
    printf("erosion     score %.3f (deviation of the gradient over its mean)\n",
           slopes->erosion_score);
    for (int i = 0; i < GULLY_SLOPE_CLASSES; i++) {
        char range[40];
        class_text(i, range, sizeof range);
        printf("%-11s %s degrees%*s %5.1f %%\n", i == 0 ? "steepness" : "", range,
               8 - (int)strlen(range), "", 100 * slopes->shares[i]);
    }
}

static void print_notes(const char* notes) {
    for (const char* line = notes; *line; line += strcspn(line, "\n"), line += *line == '\n')
        printf("note        %.*s\n", (int)strcspn(line, "\n"), line);
}

static void print_histogram(const Statistics* s) {
    enum { COLUMNS = 40 };
    char bar[3 * COLUMNS + 1];
    int64_t most = 1;
    for (int i = 0; i < BINS; i++)
        if (s->bins[i] > most) most = s->bins[i];
    printf("\n");
    for (int i = BINS - 1; i >= 0; i--) {
        double low = s->min + (s->max - s->min) * i / BINS;
        bar_text((double)s->bins[i] / (double)most, COLUMNS, bar);
        printf("%12.6g %s %5.1f %%\n", low, bar, 100 * (double)s->bins[i] / (double)s->valid);
    }
}

static void print_info(const char* file, const GullyRaster* raster, const Statistics* s) {
    char projection[160];
    projection_name(raster, projection, sizeof projection);
    printf("file        %s\n", file);
    printf("format      %s, %s\n", raster->driver, raster->type);
    printf("size        %d x %d cells\n", raster->width, raster->height);
    printf("cell size   %g x %g m%s\n", raster->cell_x, raster->cell_y,
           raster->georeference.geographic ? " (at the centre; the file is in degrees)" : "");
    printf("extent      %g x %g m\n", raster->width * raster->cell_x,
           raster->height * raster->cell_y);
    printf("projection  %s\n", projection[0] ? projection : "none");
    print_notes(raster->notes);
    printf("valid       %lld cells, nodata %lld\n", (long long)s->valid, (long long)s->nodata);
    if (s->valid == 0) return;
    printf("values      %g to %g, mean %g\n", s->min, s->max, s->mean);
    print_slopes(&s->slopes);
    if (s->max > s->min) print_histogram(s);
}

static void add_slopes(json_t* info, const GullySlopeStatistics* slopes) {
    json_t* classes = json_array();
    json_t* shares = json_array();
    for (int i = 0; i < GULLY_SLOPE_CLASSES; i++) {
        json_array_append_new(classes, json_real(gully_slope_class(i)));
        json_array_append_new(shares, json_real(slopes->shares[i]));
    }
    json_object_set_new(info, "slope_mean", json_real(slopes->degrees.mean));
    json_object_set_new(info, "slope_deviation", json_real(slopes->degrees.deviation));
    json_object_set_new(info, "slope_max", json_real(slopes->degrees.max));
    json_object_set_new(info, "slope_classes", classes);
    json_object_set_new(info, "slope_shares", shares);
    json_object_set_new(info, "erosion_score", json_real(slopes->erosion_score));
}

static json_t* json_info(const char* file, const GullyRaster* raster, const Statistics* s) {
    char projection[160];
    projection_name(raster, projection, sizeof projection);
    json_t* bins = json_array();
    for (int i = 0; i < BINS; i++)
        json_array_append_new(bins, json_integer(s->bins[i]));
    json_t* info =
        json_pack("{s:s, s:s, s:s, s:[i, i], s:[f, f], s:s?, s:b, s:I, s:I, s:o, s:o, s:f}", "file",
                  file, "format", raster->driver, "type", raster->type,                   //
                  "size", raster->width, raster->height,                                  //
                  "cell_size", raster->cell_x, raster->cell_y,                            //
                  "projection", projection[0] ? projection : NULL,                        //
                  "geographic", raster->georeference.geographic,                          //
                  "valid", (json_int_t)s->valid, "nodata", (json_int_t)s->nodata,         //
                  "min", json_number_or_null(s->min), "max", json_number_or_null(s->max), //
                  "mean", s->mean);
    add_slopes(info, &s->slopes);
    json_object_set_new(info, "histogram", bins);
    json_object_set_new(info, "notes", json_notes(raster->notes));
    return info;
}

// ---- the command --------------------------------------------------------------------------------

static int say(const InfoOptions* options, const GullyRaster* raster,
               const GullyDrainage* drainage) {
    Statistics s = statistics(raster);
    if (options->json) {
        json_t* info = json_info(options->file, raster, &s);
        if (drainage) drainage_add(info, drainage);
        return console_json(info);
    }
    if (options->quiet) return EXIT_DONE;
    print_info(options->file, raster, &s);
    if (drainage) drainage_print(drainage);
    return EXIT_DONE;
}

static int run(const void* values) {
    const InfoOptions* options = values;
    GullyRaster raster = {0};
    GullyDrainage drainage;
    GullyStatus status = terrain_read(options->file, &options->read, &raster);
    if (status == GULLY_OK && options->drainage) status = drainage_of(&raster, &drainage);
    int code = status == GULLY_OK ? say(options, &raster, options->drainage ? &drainage : NULL)
                                  : console_fail(status);
    gully_raster_free(&raster);
    return code;
}

#define READ_VALUES InfoOptions

static const Option info_options[] = {
    {OPTION_OPERAND, .name = "FILE",
     .help = "a raster in any format that GDAL reads, the folder of a run, or - for standard input",
     .offset = offsetof(InfoOptions, file), .required = true},
    {OPTION_FLAG, .name = "drainage", .help = "measure how it drains, beside real land",
     .offset = offsetof(InfoOptions, drainage)},
    {OPTION_FLAG, .name = "json", .help = "print JSON", .offset = offsetof(InfoOptions, json)},
    QUIET_ROW(InfoOptions, quiet, "print nothing: the exit code says whether it is a raster"),
    READ_ROWS{0},
};

const Command info_command = {
    .name = "info",
    .summary = "what is in a raster: size, heights, slopes",
    .description =
        "Prints size, cell size, format, projection, valid cells, range and mean of the "
        "values, slopes, and a histogram; and what reading did to the numbers or took for "
        "granted.\n\n"
        "A cell's slope is that to the steepest of its four direct neighbours. The "
        "erosion score is the standard deviation of the slopes, as gradients, over "
        "their mean (Olsen 2004): the higher, the more flat ground there is beside a "
        "few steep places.\n\n"
        "With --drainage: concavity of the channels, Hack's exponent, share of closed hollows, "
        "Horton's ratios of streams, density of channels, hypsometric integral, slope of the "
        "spectrum and alignment of channels with the grid, each beside the spread of real land. "
        "docs/realism.md says how they are computed.",
    .options = info_options,
    .size = sizeof(InfoOptions),
    .run = run,
};
