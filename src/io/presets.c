// SPDX-License-Identifier: MIT
#include "presets.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"

/// Unity's Terrain: its size in metres, and where its lowest step lies.
static void describe_unity(const GullySidecar* s, json_t* json) {
    json_object_set_new(json, "unity",
                        json_pack("{s:f, s:f, s:f, s:f}",                        //
                                  "terrain_width", (s->width - 1) * s->cell_x,   //
                                  "terrain_length", (s->height - 1) * s->cell_y, //
                                  "terrain_height", s->max - s->min, "position_y", s->min));
}

/// Unreal's Landscape: with scale 100 a step is 1/128 m and a cell 1 m; places are centimetres.
static void describe_unreal(const GullySidecar* s, json_t* json) {
    double step = (s->max - s->min) / 65535.0; // [m]
    json_object_set_new(json, "unreal",
                        json_pack("{s:f, s:f, s:f, s:f}",          //
                                  "scale_x", 100.0 * s->cell_x,    //
                                  "scale_y", 100.0 * s->cell_y,    //
                                  "scale_z", 100.0 * 128.0 * step, //
                                  "location_z", 100.0 * (s->min + 32768.0 * step)));
}

static const int unity_sizes[] = {33, 65, 129, 257, 513, 1025, 2049, 4097, 0};
static const int unreal_sizes[] = {127, 253, 505, 1009, 2017, 4033, 8129, 0};

static const Preset presets[] = {
    {.info = {"unity", "Unity: raw 16-bit, little endian, south first", "r16", unity_sizes, true},
     .extension = "raw",
     .flip = true,
     .from_south = true,
     .describe = describe_unity},
    {.info = {"unreal", "Unreal: 16-bit, 32768 is height 0 if the terrain goes below and above it",
              "png16|r16", unreal_sizes, false},
     .centred = true,
     .describe = describe_unreal},
    {.info = {"godot", "Godot: EXR (which Godot 3 loads as half), or raw numbers", "exr|r32|r16",
              NULL, false}},
    {.info = {"blender", "Blender: 32-bit float, metres", "exr|tif", NULL, false}},
};

enum { PRESETS = sizeof presets / sizeof presets[0] };

int gully_preset_count(void) {
    return PRESETS;
}

const GullyPresetInfo* gully_preset_info(int index) {
    assert(index >= 0 && index < PRESETS);
    return &presets[index].info;
}

const Preset* preset_named(const char* name) {
    char list[128] = "";
    for (int i = 0; i < PRESETS; ++i) {
        if (strcmp(presets[i].info.name, name) == 0) return &presets[i];
        names_append(list, sizeof list, presets[i].info.name);
    }
    gully_fail(GULLY_BAD_INPUT, "there is no preset '%s'; there are %s", name, list);
    return NULL;
}

void preset_list_sides(const Preset* preset, char* buffer, size_t size) {
    char text[16];
    buffer[0] = '\0';
    for (const int* side = preset->info.sizes; side != NULL && *side != 0; ++side) {
        snprintf(text, sizeof text, "%d", *side);
        names_append(buffer, size, text);
    }
}

bool preset_takes_side(const Preset* preset, int side) {
    if (preset == NULL || preset->info.sizes == NULL) return true;
    for (const int* size = preset->info.sizes; *size != 0; ++size)
        if (*size == side) return true;
    return false;
}

int preset_nearest_side(const Preset* preset, int side) {
    if (preset == NULL || preset->info.sizes == NULL) return side;
    int nearest = preset->info.sizes[0];
    for (const int* size = preset->info.sizes; *size != 0; ++size)
        if (abs(*size - side) <= abs(nearest - side)) nearest = *size;
    return nearest;
}
