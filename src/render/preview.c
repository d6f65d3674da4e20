// SPDX-License-Identifier: MIT
// The preview: shaded relief, with what water did painted over it as in the figures of Mei et al.
// (2007): water blue, suspended sediment green, deposits red. Ground of several materials has their
// colours instead, which show the deposits too.
//
// Opacities follow the thickness of a layer over a reference. The references adapt to the world
// through a high quantile, so that a sandbox and a mountain range both show their rivers; one cell
// out of the ordinary does not change the picture.
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "gully/picture.h"
#include "gully/raster.h"
#include "quantile.h"

// ---- Colours ------------------------------------------------------------------------------------

typedef struct Color {
    float r, g, b; // 0..255
} Color;

static const Color outside = {128, 128, 128};
static const Color rock = {148, 138, 126};
static const Color shallow_water = {64, 140, 210};
static const Color deep_water = {14, 52, 138};
static const Color muddy_water = {46, 150, 62};
static const Color soil = {200, 48, 32};

// Ground by its height between the lowest (0) and the highest (1).
static const struct {
    float height;
    Color color;
} ground[] = {
    {0.00f, {150, 160, 124}}, {0.25f, {176, 175, 138}}, {0.50f, {196, 182, 148}},
    {0.75f, {190, 176, 158}}, {0.90f, {208, 202, 194}}, {1.00f, {240, 240, 238}},
};

// NaN gives the lower bound.
static float clamp(float value, float low, float high) {
    return fminf(fmaxf(value, low), high);
}

// A layer's opacity by its thickness over the one at which it is half: steeper with the power.
static float opacity(float thickness, float half, int power) {
    float t = clamp(thickness / half, 0, 1000);
    float strength = t;
    for (int k = 1; k < power; k++)
        strength *= t;
    return strength / (1 + strength);
}

static Color mix(Color a, Color b, float share) {
    return (Color){a.r + share * (b.r - a.r), a.g + share * (b.g - a.g), a.b + share * (b.b - a.b)};
}

static Color color_of(unsigned rgb) {
    return (Color){(float)(rgb >> 16 & 255), (float)(rgb >> 8 & 255), (float)(rgb & 255)};
}

static Color lit(Color color, float light) {
    return (Color){color.r * light, color.g * light, color.b * light};
}

static Color ground_color(float height) {
    int last = (int)(sizeof ground / sizeof ground[0]) - 1;
    int k = 1;
    while (k < last && height > ground[k].height)
        k++;
    float low = ground[k - 1].height;
    float share = clamp((height - low) / (ground[k].height - low), 0, 1);
    return mix(ground[k - 1].color, ground[k].color, share);
}

static unsigned char byte(float value) {
    return (unsigned char)(clamp(value, 0, 255) + 0.5f);
}

static void put(Color color, unsigned char* pixel) {
    pixel[0] = byte(color.r);
    pixel[1] = byte(color.g);
    pixel[2] = byte(color.b);
}

// ---- The world, averaged down -------------------------------------------------------------------

enum { RED, GREEN, BLUE, CHANNELS };

struct GullyPreview {
    int width, height;         // [pixels]
    double pixel_x, pixel_y;   // [m]
    float* terrain;            // [m]; NaN = no cell of the pixel is in the domain
    float* water;              // [m]
    float* sediment;           // [m]
    float* deposit;            // [m], what water left less what it took
    float* material[CHANNELS]; // colour of the materials on top, 0..255; NULL: the world has none
    Histogram histogram;
};

static int preview_factor(const GullyWorld* world) {
    int width = gully_world_width(world), height = gully_world_height(world);
    int side = width > height ? width : height;
    return (side + GULLY_PREVIEW_SIDE - 1) / GULLY_PREVIEW_SIDE;
}

// Layers of that world's preview, still empty; NULL without memory.
static GullyPreview* make_layers(const GullyWorld* world) {
    GullyPreview* layers = calloc(1, sizeof *layers);
    if (!layers) return NULL;
    int factor = preview_factor(world);
    gully_preview_size(world, &layers->width, &layers->height);
    layers->pixel_x = gully_world_cell_x(world) * factor;
    layers->pixel_y = gully_world_cell_y(world) * factor;
    size_t pixels = (size_t)layers->width * (size_t)layers->height;
    bool materials = gully_world_material_count(world) > 0;
    size_t kinds = materials ? 4 + CHANNELS : 4;
    layers->terrain = malloc(kinds * pixels * sizeof(float));
    if (!layers->terrain) {
        free(layers);
        return NULL;
    }
    layers->water = layers->terrain + pixels;
    layers->sediment = layers->water + pixels;
    layers->deposit = layers->sediment + pixels;
    for (int c = 0; c < CHANNELS && materials; c++)
        layers->material[c] = layers->deposit + (size_t)(1 + c) * pixels;
    return layers;
}

// Mean of the cells that have a value, NaN if none has.
static float mean(const float* cells, int stride, int width, int height) {
    double sum = 0;
    int known = 0;
    for (int j = 0; j < height; j++) {
        const float* row = cells + (size_t)j * (size_t)stride;
        for (int i = 0; i < width; i++) {
            bool is_known = isfinite(row[i]);
            sum += is_known ? (double)row[i] : 0;
            known += is_known;
        }
    }
    return known > 0 ? (float)(sum / known) : NAN;
}

// Averages a band of cells to a row of pixels.
static void reduce(const float* cells, GullyRect band, int factor, float* pixels) {
    for (int x = 0; x < band.width; x += factor) {
        int width = band.width - x < factor ? band.width - x : factor;
        *pixels++ = mean(cells + x, band.width, width, band.height);
    }
}

// Rows of cells that become one row of pixels, with room for what they hold.
typedef struct Band {
    GullyRect cells;
    size_t count; // of cells
    float *values, *others;
    float* colors[CHANNELS];
} Band;

// The bedrock's colour, where there is any.
static void lay_bare(const Band* band, const float* height, Color color) {
    for (size_t k = 0; k < band->count; k++) {
        bool inside = !isnan(height[k]);
        band->colors[RED][k] = inside ? color.r : NAN;
        band->colors[GREEN][k] = inside ? color.g : NAN;
        band->colors[BLUE][k] = inside ? color.b : NAN;
    }
}

// A layer hides what is below; a film of it does so in part, so that grains do not flicker.
static void cover(const Band* band, const float* thickness, Color color) {
    const float opaque = 0.01f; // [m]
    for (size_t k = 0; k < band->count; k++) {
        float share = clamp(thickness[k] / opaque, 0, 1);
        band->colors[RED][k] += share * (color.r - band->colors[RED][k]);
        band->colors[GREEN][k] += share * (color.g - band->colors[GREEN][k]);
        band->colors[BLUE][k] += share * (color.b - band->colors[BLUE][k]);
    }
}

// The colours of the materials as seen from above, averaged to a row of pixels.
static GullyStatus read_materials(const GullyWorld* world, const Band* band, int factor,
                                  size_t first, GullyPreview* layers) {
    for (int m = 0; m < gully_world_material_count(world); m++) {
        Color color = color_of(gully_world_material(world, m)->color);
        GullyStatus status = gully_world_read(world, GULLY_LAYER(m), band->cells, band->values);
        if (status) return status;
        if (m == 0)
            lay_bare(band, band->values, color);
        else
            cover(band, band->values, color);
    }
    for (int c = 0; c < CHANNELS; c++)
        reduce(band->colors[c], band->cells, factor, layers->material[c] + first);
    return GULLY_OK;
}

// Reads a field of a band of cells, averaged to a row of pixels.
static GullyStatus read_field(const GullyWorld* world, GullyField field, const Band* band,
                              int factor, float* pixels) {
    GullyStatus status = gully_world_read(world, field, band->cells, band->values);
    if (!status) reduce(band->values, band->cells, factor, pixels);
    return status;
}

// The same for what water left less what it took.
static GullyStatus read_deposit(const GullyWorld* world, const Band* band, int factor,
                                float* pixels) {
    GullyStatus status = gully_world_read(world, GULLY_DEPOSIT, band->cells, band->values);
    if (!status) status = gully_world_read(world, GULLY_WEAR, band->cells, band->others);
    if (status) return status;
    for (size_t k = 0; k < band->count; k++)
        band->values[k] -= band->others[k];
    reduce(band->values, band->cells, factor, pixels);
    return GULLY_OK;
}

// Reads all that a row of pixels shows.
static GullyStatus read_band(const GullyWorld* world, const Band* band, int factor, size_t first,
                             GullyPreview* layers) {
    GullyStatus status = read_field(world, GULLY_TERRAIN, band, factor, layers->terrain + first);
    if (!status) status = read_field(world, GULLY_WATER, band, factor, layers->water + first);
    if (!status) status = read_field(world, GULLY_SEDIMENT, band, factor, layers->sediment + first);
    if (!status) status = read_deposit(world, band, factor, layers->deposit + first);
    if (!status && layers->material[RED])
        status = read_materials(world, band, factor, first, layers);
    return status;
}

static GullyStatus no_memory(void) {
    return gully_fail(GULLY_NO_MEMORY, "not enough memory to draw the preview");
}

static GullyStatus read_layers(const GullyWorld* world, GullyPreview* layers) {
    int factor = preview_factor(world);
    int width = gully_world_width(world), height = gully_world_height(world);
    size_t most = (size_t)width * (size_t)factor;
    float* room = malloc((2 + CHANNELS) * most * sizeof *room);
    GullyStatus status = room ? GULLY_OK : no_memory();
    Band band = {.values = room};
    if (!status) band.others = room + most;
    for (int c = 0; c < CHANNELS && !status; c++)
        band.colors[c] = room + (size_t)(2 + c) * most;
    for (int y = 0; y < layers->height && !status; y++) {
        int rows = height - y * factor < factor ? height - y * factor : factor;
        band.cells = (GullyRect){0, y * factor, width, rows};
        band.count = (size_t)width * (size_t)rows;
        status = read_band(world, &band, factor, (size_t)y * (size_t)layers->width, layers);
    }
    free(room);
    return status;
}

// ---- Shading ------------------------------------------------------------------------------------

typedef struct Slope {
    float x, y; // to the east and to the south
} Slope;

// From the neighbours before and after, or the one that is there, or flat.
static float difference(float before, float here, float after, double distance) {
    if (isnan(before)) return isnan(after) ? 0 : (after - here) / (float)distance;
    if (isnan(after)) return (here - before) / (float)distance;
    return (after - before) / (float)(2 * distance);
}

static Slope slope_at(const GullyPreview* layers, int x, int y) {
    const float* here = layers->terrain + (size_t)y * (size_t)layers->width + x;
    float west = x > 0 ? here[-1] : NAN;
    float east = x + 1 < layers->width ? here[1] : NAN;
    float north = y > 0 ? here[-layers->width] : NAN;
    float south = y + 1 < layers->height ? here[layers->width] : NAN;
    return (Slope){difference(west, *here, east, layers->pixel_x),
                   difference(north, *here, south, layers->pixel_y)};
}

// Light on a slope over that on flat ground: a sun in the north-west, fainter ones in the west and
// north that open the shadows, all 45 degrees high, and a sky that reaches everything.
static float light_on(Slope slope) {
    const float diagonal = 0.70710678f;
    float up = 1 / sqrtf(1 + slope.x * slope.x + slope.y * slope.y);
    float west = up * (slope.x + 1) * diagonal;
    float north = up * (slope.y + 1) * diagonal;
    float north_west = up * ((slope.x + slope.y) * diagonal + 1) * diagonal;
    float suns = 0.6f * fmaxf(north_west, 0) + 0.2f * fmaxf(west, 0) + 0.2f * fmaxf(north, 0);
    float sky = 0.5f + 0.5f * up;
    return (0.75f * suns + 0.25f * sky) / (0.75f * diagonal + 0.25f);
}

// ---- Painting -----------------------------------------------------------------------------------

typedef struct Scale {
    float lowest, relief; // of the ground, without the extremes [m]
    float exaggeration;   // of the shading's slopes
    float water;          // depth of half-opaque water [m]
    float lake;           // depth of half-deep blue [m]
    float sediment;       // amount that turns water half green [m]
    float deposit;        // thickness of half-opaque deposits [m]
} Scale;

// Of the pixels where the layer is at least that thick (>= 0).
static float layer_quantile(GullyPreview* layers, const float* layer, float least, double share) {
    size_t pixels = (size_t)layers->width * (size_t)layers->height;
    histogram_clear(&layers->histogram);
    for (size_t k = 0; k < pixels; k++) {
        if (layer[k] >= least) histogram_count(&layers->histogram, layer[k]);
    }
    return histogram_quantile(&layers->histogram, share);
}

static void measure_ground(GullyPreview* layers, Scale* scale) {
    size_t pixels = (size_t)layers->width * (size_t)layers->height;
    float lowest = INFINITY;
    for (size_t k = 0; k < pixels; k++)
        lowest = fminf(lowest, layers->terrain[k]);

    Histogram* histogram = &layers->histogram;
    histogram_clear(histogram);
    for (size_t k = 0; k < pixels; k++) {
        if (!isnan(layers->terrain[k])) histogram_count(histogram, layers->terrain[k] - lowest);
    }
    float low = histogram_quantile(histogram, 0.005), high = histogram_quantile(histogram, 0.998);
    scale->lowest = lowest + low;
    double side = fmax(layers->width * layers->pixel_x, layers->height * layers->pixel_y);
    scale->relief = fmaxf(high - low, (float)(0.002 * side)); // a plain has no summits

    histogram_clear(histogram);
    for (int y = 0; y < layers->height; y++) {
        for (int x = 0; x < layers->width; x++) {
            if (isnan(layers->terrain[(size_t)y * (size_t)layers->width + (size_t)x])) continue;
            Slope slope = slope_at(layers, x, y);
            histogram_count(histogram, sqrtf(slope.x * slope.x + slope.y * slope.y));
        }
    }
    // One slope in ten is steeper than this after the exaggeration.
    const float steep = 0.8f;
    float typical = histogram_quantile(histogram, 0.9);
    scale->exaggeration = typical > 0 ? clamp(steep / typical, 0.5f, 5) : 1;
}

static Scale measure(GullyPreview* layers) {
    Scale scale;
    measure_ground(layers, &scale);
    // Decimetres are clear water, unless most of the land is that wet: then what is deeper is. A
    // metre always is.
    float sheet = layer_quantile(layers, layers->water, 0, 0.8);
    scale.water = clamp(layer_quantile(layers, layers->water, 0, 0.995), 0.02f, 0.1f);
    scale.water = fmaxf(scale.water, fminf(sheet, 0.5f));
    scale.lake = fmaxf(layer_quantile(layers, layers->water, 0.5f, 0.9), 2);
    scale.sediment = fmaxf(layer_quantile(layers, layers->sediment, 1e-6f, 0.98) / 2, 1e-4f);
    scale.deposit = fmaxf(layer_quantile(layers, layers->deposit, 1e-6f, 0.95) / 2, 1e-3f);
    return scale;
}

// The ground of a pixel without its light: the materials' colours, or by height and steepness.
static Color paint_ground(const GullyPreview* layers, const Scale* scale, size_t k, Slope slope) {
    if (layers->material[RED])
        return (Color){layers->material[RED][k], layers->material[GREEN][k],
                       layers->material[BLUE][k]};
    float height = (layers->terrain[k] - scale->lowest) / scale->relief;
    float steepness = slope.x * slope.x + slope.y * slope.y;
    Color color = mix(ground_color(height), rock, 0.6f * steepness / (1 + steepness));
    return mix(color, soil, 0.8f * opacity(layers->deposit[k], scale->deposit, 2));
}

static Color paint(const GullyPreview* layers, const Scale* scale, int x, int y) {
    size_t k = (size_t)y * (size_t)layers->width + (size_t)x;
    if (isnan(layers->terrain[k])) return outside;

    Slope slope = slope_at(layers, x, y);
    slope.x *= scale->exaggeration;
    slope.y *= scale->exaggeration;
    float light = light_on(slope);
    Color color = lit(paint_ground(layers, scale, k, slope), light);

    float depth = layers->water[k];
    Color water = mix(shallow_water, deep_water, opacity(depth, scale->lake, 1));
    water = mix(water, muddy_water, 0.9f * opacity(layers->sediment[k], scale->sediment, 1));
    water = lit(water, 0.7f + 0.3f * light);
    return mix(color, water, 0.95f * opacity(depth, scale->water, 3));
}

static void paint_all(GullyPreview* layers, unsigned char* rgb) {
    Scale scale = measure(layers);
    for (int y = 0; y < layers->height; y++) {
        for (int x = 0; x < layers->width; x++) {
            put(paint(layers, &scale, x, y), rgb);
            rgb += 3;
        }
    }
}

// ---- Public -------------------------------------------------------------------------------------

void gully_preview_size(const GullyWorld* world, int* width, int* height) {
    int factor = preview_factor(world);
    *width = (gully_world_width(world) + factor - 1) / factor;
    *height = (gully_world_height(world) + factor - 1) / factor;
}

GullyStatus gully_preview_create(const GullyWorld* world, GullyPreview** out) {
    *out = make_layers(world);
    GullyStatus status = *out ? read_layers(world, *out) : no_memory();
    if (!status) return GULLY_OK;
    gully_preview_destroy(*out);
    *out = NULL;
    return status;
}

void gully_preview_destroy(GullyPreview* preview) {
    if (!preview) return;
    free(preview->terrain);
    free(preview);
}

GullyStatus gully_preview_encode(GullyPreview* preview, void** bytes, size_t* size) {
    int width = preview->width, height = preview->height;
    unsigned char* rgb = malloc((size_t)width * (size_t)height * 3);
    if (!rgb) return no_memory();
    paint_all(preview, rgb);
    GullyStatus status = gully_picture_encode(width, height, rgb, bytes, size);
    free(rgb);
    return status;
}

GullyStatus gully_preview_draw(const GullyWorld* world, unsigned char* rgb) {
    GullyPreview* preview;
    GullyStatus status = gully_preview_create(world, &preview);
    if (status != GULLY_OK) return status;
    paint_all(preview, rgb);
    gully_preview_destroy(preview);
    return GULLY_OK;
}
