// SPDX-License-Identifier: MIT
#include "terrains.h"

#include <math.h>
#include <stdlib.h>

/// A number in 0..1 for a lattice point.
static double lattice(int x, int y, uint32_t seed) {
    uint32_t h = (uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca77u ^ seed * 0xc2b2ae3du;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (h ^ h >> 15) / 4294967295.0;
}

static double ease(double t) {
    return t * t * (3 - 2 * t);
}

static double value_noise(double x, double y, uint32_t seed) {
    int i = (int)floor(x);
    int j = (int)floor(y);
    double tx = ease(x - i);
    double ty = ease(y - j);
    double top = lattice(i, j, seed) * (1 - tx) + lattice(i + 1, j, seed) * tx;
    double bottom = lattice(i, j + 1, seed) * (1 - tx) + lattice(i + 1, j + 1, seed) * tx;
    return top * (1 - ty) + bottom * ty;
}

double terrain_noise(double x, double y, double scale, uint32_t seed) {
    double sum = 0, most = 0, weight = 1;
    for (uint32_t octave = 0; octave < 4; octave++) {
        sum += weight * value_noise(x / scale, y / scale, seed + octave);
        most += weight;
        weight /= 2;
        scale /= 2;
    }
    return sum / most;
}

void terrain_flat(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++)
        out[c] = 0;
}

void terrain_plane(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++) {
        out[c] = (float)(0.2 * (width - c % width) + 0.1 * (height - c / width));
    }
}

void terrain_rough(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++) {
        out[c] = (float)(20 * terrain_noise(c % width, c / width, 24, 7));
    }
}

void terrain_alpine(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++) {
        out[c] = (float)(3400 + 600 * terrain_noise(c % width, c / width, 96, 11));
    }
}

void terrain_basin(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++) {
        double x = 2.0 * (c % width) / width - 1;
        double y = 2.0 * (c / width) / height - 1;
        double bowl = 10 * fmin(1, x * x + y * y);
        out[c] = (float)(bowl + 0.5 * terrain_noise(c % width, c / width, 16, 3));
    }
}

void terrain_punch(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++) {
        int i = c % width, j = c / width;
        bool block = i >= width / 3 && i < width / 3 + 5 && j >= height / 2 && j < height / 2 + 4;
        bool far_block = i >= 4 * width / 5 && i < 4 * width / 5 + 3 && j < height / 4;
        bool line = j == 3 * height / 4 && i > width / 8 && i < width / 2;
        bool single = i % 23 == 11 && j % 17 == 9;
        bool corner = i + j < 4;
        if (block || far_block || line || single || corner) out[c] = NAN;
    }
}

void terrain_holes(float* out, int width, int height) {
    terrain_rough(out, width, height);
    terrain_punch(out, width, height);
}

float* terrain_make(TerrainMaker maker, int width, int height) {
    float* out = calloc((size_t)width * (size_t)height, sizeof *out);
    if (!out) abort();
    if (maker) maker(out, width, height);
    return out;
}

float* terrain_constant(float value, int width, int height) {
    float* out = terrain_make(NULL, width, height);
    for (int c = 0; c < width * height; c++)
        out[c] = value;
    return out;
}

GullyWorld* terrain_world(const float* heights, int width, int height, double lx, double ly,
                          int tile_size) {
    GullyWorldDef def = gully_world_def(width, height);
    def.cell_x = lx;
    def.cell_y = ly;
    def.tile_size = tile_size;
    def.heights = heights;
    GullyWorld* world = NULL;
    if (gully_world_create(&def, &world) != GULLY_OK) abort();
    return world;
}

float* terrain_read(const GullyWorld* world, GullyField field) {
    float* out = terrain_make(NULL, gully_world_width(world), gully_world_height(world));
    if (gully_world_read(world, field, gully_world_all(world), out)) abort();
    return out;
}

double terrain_volume(const GullyWorld* world, GullyField field) {
    float* values = terrain_read(world, field);
    int count = gully_world_width(world) * gully_world_height(world);
    double sum = 0;
    for (int c = 0; c < count; c++) {
        if (!isnan(values[c])) sum += values[c];
    }
    free(values);
    return sum * gully_world_cell_x(world) * gully_world_cell_y(world);
}
