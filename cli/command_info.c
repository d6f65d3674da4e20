/// gully info: what is in a raster.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "console.h"
#include "gully/raster.h"

typedef struct InfoOptions {
    const char* file;
    bool json;
} InfoOptions;

enum { BINS = 16 };

typedef struct Statistics {
    int64_t valid, nodata;
    double min, max, mean;
    double slope_mean, slope_max; ///< [deg]
    int64_t bins[BINS];           ///< cells by value, from the lowest
} Statistics;

// ---- statistics ---------------------------------------------------------------------------------

static double value_at(const GullyRaster* raster, int x, int y) {
    if (x < 0 || y < 0 || x >= raster->width || y >= raster->height) return NAN;
    return (double)raster->values[(size_t)y * (size_t)raster->width + (size_t)x];
}

/// Central difference, one-sided beside nodata or the border, 0 if both neighbours are missing.
static double gradient(double before, double here, double after, double cell) {
    bool low = !isnan(before), high = !isnan(after);
    if (!low && !high) return 0;
    double rise = (high ? after : here) - (low ? before : here);
    return rise / (cell * (low && high ? 2 : 1));
}

static double slope_degrees(const GullyRaster* raster, int x, int y) {
    double here = value_at(raster, x, y);
    double gx =
        gradient(value_at(raster, x - 1, y), here, value_at(raster, x + 1, y), raster->cell_x);
    double gy =
        gradient(value_at(raster, x, y - 1), here, value_at(raster, x, y + 1), raster->cell_y);
    return atan(hypot(gx, gy)) * 180 / M_PI;
}

static int bin_of(const Statistics* s, double value) {
    if (s->max <= s->min) return 0;
    int bin = (int)((value - s->min) / (s->max - s->min) * BINS);
    return bin < BINS ? bin : BINS - 1;
}

static Statistics statistics(const GullyRaster* raster) {
    Statistics s = {.min = INFINITY, .max = -INFINITY};
    double sum = 0, slopes = 0;
    for (int y = 0; y < raster->height; y++) {
        for (int x = 0; x < raster->width; x++) {
            double value = value_at(raster, x, y);
            if (isnan(value)) continue;
            double slope = slope_degrees(raster, x, y);
            s.valid++;
            sum += value;
            slopes += slope;
            s.min = fmin(s.min, value);
            s.max = fmax(s.max, value);
            s.slope_max = fmax(s.slope_max, slope);
        }
    }
    s.nodata = (int64_t)raster->width * raster->height - s.valid;
    if (s.valid == 0) return s;
    s.mean = sum / (double)s.valid;
    s.slope_mean = slopes / (double)s.valid;
    for (int64_t i = 0; i < s.valid + s.nodata; i++)
        if (!isnan(raster->values[i])) s.bins[bin_of(&s, (double)raster->values[i])]++;
    return s;
}

/// The name of a projection: the first quoted text of its WKT. "" if there is none.
static void projection_name(const GullyRaster* raster, char* buffer, size_t size) {
    const char* wkt = raster->georeference.projection;
    const char* start = wkt ? strchr(wkt, '"') : NULL;
    const char* end = start ? strchr(start + 1, '"') : NULL;
    snprintf(buffer, size, "%.*s", end ? (int)(end - start - 1) : 0, end ? start + 1 : "");
}

// ---- printing -----------------------------------------------------------------------------------

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
    printf("valid       %lld cells, nodata %lld\n", (long long)s->valid, (long long)s->nodata);
    if (s->valid == 0) return;
    printf("values      %g to %g, mean %g\n", s->min, s->max, s->mean);
    printf("slope       mean %.1f, max %.1f degrees\n", s->slope_mean, s->slope_max);
    if (s->max > s->min) print_histogram(s);
}

static json_t* json_info(const char* file, const GullyRaster* raster, const Statistics* s) {
    char projection[160];
    projection_name(raster, projection, sizeof projection);
    json_t* bins = json_array();
    for (int i = 0; i < BINS; i++)
        json_array_append_new(bins, json_integer(s->bins[i]));
    return json_pack("{s:s, s:s, s:s, s:[i, i], s:[f, f], s:s?, s:b, s:I, s:I, s:o, s:o, s:f, s:f, "
                     "s:f, s:o}",                                                            //
                     "file", file, "format", raster->driver, "type", raster->type,           //
                     "size", raster->width, raster->height,                                  //
                     "cell_size", raster->cell_x, raster->cell_y,                            //
                     "projection", projection[0] ? projection : NULL,                        //
                     "geographic", raster->georeference.geographic,                          //
                     "valid", (json_int_t)s->valid, "nodata", (json_int_t)s->nodata,         //
                     "min", json_number_or_null(s->min), "max", json_number_or_null(s->max), //
                     "mean", s->mean, "slope_mean", s->slope_mean, "slope_max", s->slope_max,
                     "histogram", bins);
}

// ---- the command --------------------------------------------------------------------------------

static int run(const void* values) {
    const InfoOptions* options = values;
    GullyRaster raster = {0};
    GullyStatus status = gully_raster_read(options->file, NULL, NULL, &raster);
    if (status != GULLY_OK) return console_fail(status);
    Statistics s = statistics(&raster);
    int code = EXIT_DONE;
    if (options->json)
        code = console_json(json_info(options->file, &raster, &s));
    else
        print_info(options->file, &raster, &s);
    gully_raster_free(&raster);
    return code;
}

static const Option info_options[] = {
    {OPTION_OPERAND, .name = "FILE", .help = "a raster in any format that GDAL reads",
     .offset = offsetof(InfoOptions, file), .required = true},
    {OPTION_FLAG, .name = "json", .help = "print JSON", .offset = offsetof(InfoOptions, json)},
    {0},
};

const Command info_command = {
    .name = "info",
    .summary = "what is in a raster: size, heights, slopes",
    .description = "Prints size, cell size, format, projection, valid cells, range and mean of the "
                   "values, mean and largest slope, and a histogram. Reads the first band.",
    .options = info_options,
    .size = sizeof(InfoOptions),
    .run = run,
};
