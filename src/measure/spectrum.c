// SPDX-License-Identifier: MIT
// The slope of the power spectrum of a terrain (Welch's method).
//
// The raster is covered by square windows, half overlapping. In each the plane of least squares is
// taken away, a Hann window laid over it, and the squares of its Fourier transform are added up by
// wave number, in rings. The slope is that of the straight line through the logarithms of the mean
// power of the rings, from the longest to the shortest waves that a window shows well.
//
// Windows with cells without data are left out. The memory does not depend on the raster.
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "fit.h"
#include "measures.h"

enum { LARGEST = 256, SMALLEST = 16 }; // windows [cells], powers of two

static const double longest_share = 0.25; // of a window: the longest waves that count
static const double shortest_waves = 4;   // [cells]

typedef double complex Number;

typedef struct Window {
    const GullyHeights* heights;
    int size;         // cells along a side
    Number* numbers;  // size * size
    Number* column;   // scratch
    double* taper;    // Hann, along a side
    double* power;    // by ring: sums over windows
    int64_t* samples; // that went into them
} Window;

// ---- the transform ------------------------------------------------------------------------------

// In place, of `size` numbers, a power of two (Cooley & Tukey).
static void transform(Number* numbers, int size) {
    for (int i = 1, j = 0; i < size; i++) {
        int bit = size / 2;
        for (; j & bit; bit /= 2)
            j -= bit;
        j += bit;
        if (i >= j) continue;
        Number swap = numbers[i];
        numbers[i] = numbers[j];
        numbers[j] = swap;
    }
    for (int half = 1; half < size; half *= 2) {
        for (int k = 0; k < half; k++) {
            Number turn = cos(M_PI * k / half) - I * sin(M_PI * k / half);
            for (int i = k; i < size; i += 2 * half) {
                Number odd = turn * numbers[i + half];
                numbers[i + half] = numbers[i] - odd;
                numbers[i] += odd;
            }
        }
    }
}

static void transform_window(Window* w) {
    for (int y = 0; y < w->size; y++)
        transform(w->numbers + (size_t)y * (size_t)w->size, w->size);
    for (int x = 0; x < w->size; x++) {
        for (int y = 0; y < w->size; y++)
            w->column[y] = w->numbers[(size_t)y * (size_t)w->size + (size_t)x];
        transform(w->column, w->size);
        for (int y = 0; y < w->size; y++)
            w->numbers[(size_t)y * (size_t)w->size + (size_t)x] = w->column[y];
    }
}

// ---- windows ------------------------------------------------------------------------------------

// Copies the heights. False if one of them is nodata.
static bool load(Window* w, int left, int top) {
    for (int y = 0; y < w->size; y++) {
        size_t row = (size_t)(top + y) * (size_t)w->heights->width + (size_t)left;
        for (int x = 0; x < w->size; x++) {
            float height = w->heights->values[row + (size_t)x];
            if (!isfinite(height)) return false;
            w->numbers[y * w->size + x] = (double)height;
        }
    }
    return true;
}

// Takes the plane of least squares away and tapers the sides. On a whole grid the sums over x, y
// and 1 are independent.
static void detrend(Window* w) {
    double middle = 0.5 * (w->size - 1), mean = 0, along_x = 0, along_y = 0;
    double count = (double)w->size * w->size, squares = count * (count - 1) / 12;
    for (int y = 0; y < w->size; y++) {
        for (int x = 0; x < w->size; x++) {
            double height = creal(w->numbers[y * w->size + x]);
            mean += height / count;
            along_x += height * (x - middle) / squares;
            along_y += height * (y - middle) / squares;
        }
    }
    for (int y = 0; y < w->size; y++) {
        for (int x = 0; x < w->size; x++) {
            double plane = mean + along_x * (x - middle) + along_y * (y - middle);
            w->numbers[y * w->size + x] -= plane;
            w->numbers[y * w->size + x] *= w->taper[x] * w->taper[y];
        }
    }
}

// Waves to the cell in one direction as a signed number of waves to the window.
static int waves(int index, int size) {
    return index <= size / 2 ? index : index - size;
}

// Rings are one wave to the longer side of a window wide, in metres.
static void add_power(Window* w) {
    double cell_x = w->heights->cell_x, cell_y = w->heights->cell_y;
    double unit = fmax(cell_x, cell_y);
    for (int y = 0; y < w->size; y++) {
        for (int x = 0; x < w->size; x++) {
            double across = waves(x, w->size) * unit / cell_x;
            double down = waves(y, w->size) * unit / cell_y;
            int ring = (int)lround(hypot(across, down));
            if (ring >= w->size) continue;
            Number number = w->numbers[y * w->size + x];
            w->power[ring] += creal(number) * creal(number) + cimag(number) * cimag(number);
            w->samples[ring]++;
        }
    }
}

static GullyStatus add_windows(Window* w, const GullyDrainageDef* def) {
    int step = w->size / 2;
    for (int top = 0; top + w->size <= w->heights->height; top += step) {
        GullyStatus status = drainage_progress(def, 0.9 + 0.1 * top / w->heights->height);
        if (status != GULLY_OK) return status;
        for (int left = 0; left + w->size <= w->heights->width; left += step) {
            if (!load(w, left, top)) continue;
            detrend(w);
            transform_window(w);
            add_power(w);
        }
    }
    return GULLY_OK;
}

static double slope_of(const Window* w) {
    Fit fit = {0};
    int first = (int)ceil(1 / longest_share), last = (int)(w->size / shortest_waves);
    for (int ring = first; ring <= last; ring++) {
        if (w->samples[ring] == 0 || !(w->power[ring] > 0)) continue;
        double mean = w->power[ring] / (double)w->samples[ring];
        fit_add(&fit, log(ring), log(mean), 1.0 / ring); // octaves count alike
    }
    return -fit_slope(&fit);
}

// ---- the measure --------------------------------------------------------------------------------

static int window_size(const GullyHeights* heights) {
    int shorter = heights->width < heights->height ? heights->width : heights->height;
    int size = LARGEST;
    while (size > shorter)
        size /= 2;
    return size;
}

static bool window_make(Window* w) {
    size_t size = (size_t)w->size;
    w->numbers = malloc(size * size * sizeof(Number));
    w->column = malloc(size * sizeof(Number));
    w->taper = malloc(size * sizeof(double));
    w->power = calloc(size, sizeof(double));
    w->samples = calloc(size, sizeof(int64_t));
    if (!w->numbers || !w->column || !w->taper || !w->power || !w->samples) return false;
    for (int i = 0; i < w->size; i++)
        w->taper[i] = 0.5 - 0.5 * cos(2 * M_PI * (i + 0.5) / w->size);
    return true;
}

static void window_free(Window* w) {
    free(w->numbers);
    free(w->column);
    free(w->taper);
    free(w->power);
    free(w->samples);
}

GullyStatus measure_spectrum(const GullyHeights* heights, const GullyDrainageDef* def,
                             GullyDrainage* out) {
    Window window = {.heights = heights, .size = window_size(heights)};
    if (window.size < SMALLEST) return GULLY_OK;
    GullyStatus status = GULLY_NO_MEMORY;
    if (window_make(&window)) status = add_windows(&window, def);
    if (status == GULLY_OK) out->spectrum = slope_of(&window);
    window_free(&window);
    return status;
}
