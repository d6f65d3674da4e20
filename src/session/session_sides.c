// SPDX-License-Identifier: MIT
// The layers along the sides of the world, for whoever draws it as a block.
#include <math.h>

#include "session_commands.h"

enum { MOST_SAMPLES = 1024 };

/// The cell of a sample along a side of so many cells.
static int cell_of(int sample, int samples, int cells) {
    return (int)((double)sample * (cells - 1) / (samples - 1) + 0.5);
}

/// Thicknesses of a layer along a side, as a list [m]; NULL with a message if they cannot be read.
static json_t* thickness_json(const GullyWorld* world, GullyField layer, GullyRect side,
                              int samples) {
    const bool across = side.width > 1;
    json_t* list = json_array();
    for (int i = 0; i < samples; i++) {
        GullyRect cell = {side.x, side.y, 1, 1};
        if (across)
            cell.x += cell_of(i, samples, side.width);
        else
            cell.y += cell_of(i, samples, side.height);
        float value;
        if (gully_world_read(world, layer, cell, &value)) {
            json_decref(list);
            return NULL;
        }
        // A millimetre is more than a picture shows.
        json_array_append_new(list, json_real(value > 0 ? round((double)value * 1e3) * 1e-3 : 0));
    }
    return list;
}

/// The cell at a place along so many cells, the nearest one of the world.
static int cell_at(double place, double size, int cells) {
    return (int)fmin(fmax(floor(place / size + 0.5), 0), cells - 1);
}

GullyStatus do_sides(Command* command) {
    const GullyWorld* world = command->session->world;
    const int width = gully_world_width(world), height = gully_world_height(world);
    const double cell_x = gully_world_cell_x(world), cell_y = gully_world_cell_y(world);
    GullyPoint end = {(width - 1) * cell_x, (height - 1) * cell_y};
    if (json_object_get(command->object, "end")) {
        GullyStatus status = command_point(command, "end", &end);
        if (status) return status;
    }
    const int east = cell_at(end.x, cell_x, width), south = cell_at(end.y, cell_y, height);
    const struct {
        const char* name;
        GullyRect cells;
    } sides[] = {{"west", {0, 0, 1, height}},
                 {"east", {east, 0, 1, height}},
                 {"north", {0, 0, width, 1}},
                 {"south", {0, south, width, 1}}};
    int64_t samples;
    GullyStatus status = command_integer(command, "samples", 2, MOST_SAMPLES, &samples);
    for (size_t i = 0; i < sizeof sides / sizeof sides[0] && !status; i++) {
        json_t* layers = json_array();
        for (int m = 1; m < gully_world_material_count(world) && !status; m++) {
            json_t* list = thickness_json(world, GULLY_LAYER(m), sides[i].cells, (int)samples);
            status = list ? GULLY_OK : GULLY_NO_MEMORY;
            if (list) json_array_append_new(layers, list);
        }
        json_object_set_new(command->reply, sides[i].name, layers);
    }
    return status;
}
