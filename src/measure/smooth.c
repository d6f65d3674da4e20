// SPDX-License-Identifier: MIT
#include "smooth.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double reach = 4; // standard deviations: beyond, a Gaussian is 3e-4 of its height

// Sums with their weights, of one line of cells.
typedef struct Line {
    double* sums;
    double* weights;
} Line;

static bool line_make(Line* line, size_t count) {
    *line = (Line){calloc(count, sizeof(double)), calloc(count, sizeof(double))};
    return line->sums && line->weights;
}

static void line_free(Line* line) {
    free(line->sums);
    free(line->weights);
}

// ---- a coarser grid -----------------------------------------------------------------------------

// The part of a cell [from, from + 1] that lies in [low, high], all in cells of the finer grid.
static double overlap(int from, double low, double high) {
    return fmax(0, fmin(from + 1, high) - fmax(from, low));
}

// Adds a row of the finer grid, of which `share` lies in the coarser row.
static void add_row(Line* line, const float* row, int width, int coarse, double share) {
    double step = (double)width / coarse;
    for (int i = 0; i < coarse; i++) {
        double low = i * step, high = low + step;
        int last = (int)fmin(width - 1, ceil(high) - 1);
        for (int x = (int)low; x <= last; x++) {
            if (!isfinite(row[x])) continue;
            double weight = share * overlap(x, low, high);
            line->sums[i] += weight * (double)row[x];
            line->weights[i] += weight;
        }
    }
}

static void put_row(const Line* line, float* row, int width) {
    for (int i = 0; i < width; i++)
        row[i] = line->weights[i] > 0 ? (float)(line->sums[i] / line->weights[i]) : NAN;
}

static void coarsen_rows(const float* values, int width, int height, Line* line, Grid* out) {
    double step = (double)height / out->height;
    size_t size = (size_t)out->width * sizeof(double);
    for (int j = 0; j < out->height; j++) {
        double low = j * step, high = low + step;
        int last = (int)fmin(height - 1, ceil(high) - 1);
        memset(line->sums, 0, size);
        memset(line->weights, 0, size);
        for (int y = (int)low; y <= last; y++)
            add_row(line, values + (size_t)y * (size_t)width, width, out->width,
                    overlap(y, low, high));
        put_row(line, out->values + (size_t)j * (size_t)out->width, out->width);
    }
}

bool smooth_coarsen(const float* values, int width, int height, Grid* out) {
    Line line;
    out->values = malloc((size_t)out->width * (size_t)out->height * sizeof(float));
    bool made = line_make(&line, (size_t)out->width) && out->values;
    if (made) coarsen_rows(values, width, height, &line, out);
    line_free(&line);
    return made;
}

// ---- the low-pass -------------------------------------------------------------------------------

// One line of `count` cells that lie `stride` apart. A cell spreads to those around it.
static void smooth_line(float* values, int count, size_t stride, const double* kernel, int radius,
                        Line* line) {
    for (int i = 0; i < count; i++)
        line->sums[i] = line->weights[i] = 0;
    for (int i = 0; i < count; i++) {
        double value = (double)values[(size_t)i * stride];
        if (!isfinite(value)) continue;
        int first = i > radius ? i - radius : 0;
        int last = i < count - 1 - radius ? i + radius : count - 1;
        for (int k = first; k <= last; k++) {
            line->sums[k] += kernel[abs(k - i)] * value;
            line->weights[k] += kernel[abs(k - i)];
        }
    }
    for (int i = 0; i < count; i++)
        if (isfinite(values[(size_t)i * stride]))
            values[(size_t)i * stride] = (float)(line->sums[i] / line->weights[i]);
}

// `count` lines of `length` cells: the next line is `next` further on, the next cell `stride`.
static bool smooth_lines(float* values, int count, size_t next, int length, size_t stride,
                         double deviation) {
    if (!(deviation > 0)) return true;
    int radius = (int)ceil(fmin(reach * deviation, length));
    double* kernel = malloc(((size_t)radius + 1) * sizeof(double));
    Line line;
    bool made = line_make(&line, (size_t)length) && kernel;
    for (int k = 0; made && k <= radius; k++)
        kernel[k] = exp(-0.5 * k * k / (deviation * deviation));
    for (int i = 0; made && i < count; i++)
        smooth_line(values + (size_t)i * next, length, stride, kernel, radius, &line);
    line_free(&line);
    free(kernel);
    return made;
}

bool smooth_low_pass(Grid* grid, double deviation_x, double deviation_y) {
    size_t width = (size_t)grid->width;
    return smooth_lines(grid->values, grid->height, width, grid->width, 1, deviation_x) &&
           smooth_lines(grid->values, grid->width, 1, grid->height, width, deviation_y);
}
