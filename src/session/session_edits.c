// SPDX-License-Identifier: MIT
// Commands that edit the ground: strokes, what is held, stamps, copies.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session_commands.h"

// ---- brushes ------------------------------------------------------------------------------------

static GullyStatus find_brush(const Command* command, bool held, const GullyBrushInfo** out) {
    const char* name;
    SceneNames names = {0};
    GullyStatus status = command_text(command, "brush", "a brush's name", &name);
    if (status) return status;
    *out = gully_brush_find(name);
    if (*out && (*out)->held == held) return GULLY_OK;
    for (int i = 0; i < gully_brush_count(); i++)
        if (gully_brush_info(i)->held == held) scene_names_add(&names, gully_brush_info(i)->name);
    ScenePath path = scene_path_key(NULL, "brush");
    const char* problem = !*out  ? "no such brush"
                          : held ? "this brush makes strokes, it cannot be held"
                                 : "this brush is held, it makes no strokes";
    return scene_fail_name(&command->view, &path, name, &names, problem);
}

static GullyStatus read_brush(const Command* command, bool held, const GullyBrushInfo** info,
                              GullyBrush* out) {
    GullyStatus status = find_brush(command, held, info);
    if (status) return status;
    gully_params_default(gully_brush_table(), out);
    out->strength = (*info)->strength;
    status = command_rows(command, gully_brush_table(), out);
    if (status || out->strength <= (*info)->most) return status;
    ScenePath path = scene_path_key(NULL, "strength");
    return scene_fail(&command->view, &path, "%.9g is out of range; allowed: up to %.9g [%s]",
                      out->strength, (*info)->most, (*info)->unit);
}

/// How hard a pen is pressed, if the command says so: 0 to 1.
static GullyStatus read_pressure(const Command* command, double* out) {
    const json_t* value = json_object_get(command->object, "pressure");
    ScenePath path = scene_path_key(NULL, "pressure");
    if (!value) return GULLY_OK;
    if (!json_is_number(value))
        return scene_fail_type(&command->view, &path, value, "a number from 0 to 1");
    *out = json_number_value(value);
    if (*out >= 0 && *out <= 1) return GULLY_OK;
    return scene_fail(&command->view, &path, "%.9g is out of range; allowed: 0 to 1", *out);
}

GullyStatus do_stroke(Command* command) {
    GullySession* session = command->session;
    const GullyBrushInfo* info;
    GullyBrush brush;
    GullyPoint* points;
    int count;
    double pressure = 1;
    GullyStatus status = read_brush(command, false, &info, &brush);
    if (!status) status = read_pressure(command, &pressure);
    if (!status) status = command_points(command, &points, &count);
    if (status) return status;
    status = gully_editor_begin_stroke(session->editor, info->name, &brush);
    if (!status) status = gully_editor_press(session->editor, pressure);
    if (!status) { // the one before it is over
        session->state.stroke = false;
        session_mark(session, info->name);
        status = gully_editor_stroke_to(session->editor, points, count);
        if (status) gully_editor_end_stroke(session->editor);
    }
    if (!status) session->state.stroke = true;
    free(points);
    return status;
}

GullyStatus do_more(Command* command) {
    GullySession* session = command->session;
    GullyPoint* points;
    int count;
    if (!session->state.stroke)
        return gully_fail(GULLY_BAD_INPUT, "there is no stroke to go on with; allowed: after "
                                           "\"stroke\", until it is ended or undone");
    double pressure = NAN;
    GullyStatus status = read_pressure(command, &pressure);
    if (!status) status = command_points(command, &points, &count);
    if (status) return status;
    if (!isnan(pressure)) status = gully_editor_press(session->editor, pressure);
    if (!status) status = gully_editor_stroke_to(session->editor, points, count);
    free(points);
    return status;
}

GullyStatus do_end(Command* command) {
    GullySession* session = command->session;
    command->records = session->state.stroke;
    gully_editor_end_stroke(session->editor);
    session->state.stroke = false;
    return GULLY_OK;
}

GullyStatus do_hold(Command* command) {
    GullySession* session = command->session;
    const GullyBrushInfo* info;
    GullyBrush brush;
    GullyPoint at;
    bool begins = false;
    GullyStatus status = read_brush(command, true, &info, &brush);
    if (!status) status = command_point(command, "at", &at);
    if (!status) status = command_flag(command, "begin", &begins);
    if (status) return status;
    if (!begins && !session->state.held)
        return command_fail(command, "begin",
                            "nothing is held that could be moved; allowed: true, to hold it anew");
    json_t* held = json_copy(command->object);
    if (!held) return gully_fail(GULLY_NO_MEMORY, "no memory for a brush");
    json_object_del(held, "id");
    if (begins) session_mark(session, info->name);
    status = gully_editor_hold(session->editor, info->name, &brush, at);
    if (status) {
        json_decref(held);
        return status;
    }
    json_decref(session->state.held);
    session->state.held = held;
    return GULLY_OK;
}

GullyStatus do_release(Command* command) {
    GullySession* session = command->session;
    command->records = session->state.held != NULL;
    GullyStatus status = gully_editor_release(session->editor);
    if (status) return status;
    json_decref(session->state.held);
    session->state.held = NULL;
    return GULLY_OK;
}

// ---- stamps and copies --------------------------------------------------------------------------

/// Finds what a stamp is made of, by the name under a key.
static GullyStatus find_item(const Command* command, const char* key, bool clip,
                             const StockItem** out) {
    const Stock* stock = &command->session->stock;
    const char* name;
    SceneNames names = {0};
    GullyStatus status = command_text(command, key, "a name", &name);
    if (status) return status;
    *out = stock_find(stock, name, clip);
    if (*out) return GULLY_OK;
    for (int i = stock->count - 1; i >= 0 && names.count < 8; i--)
        if ((stock->items[i].clip != NULL) == clip) scene_names_add(&names, stock->items[i].name);
    ScenePath path = scene_path_key(NULL, key);
    return scene_fail_name(&command->view, &path, name, &names,
                           clip ? "there is no such copy" : "there is no such raster");
}

static GullyStatus read_stamp(const Command* command, GullyStamp* out) {
    const GullyParam* field = gully_params_find(gully_stamp_table(), "field");
    const int top = gully_world_material_count(command->session->world) - 1;
    char name[32];
    gully_params_default(gully_stamp_table(), out);
    GullyStatus status = command_rows(command, gully_stamp_table(), out);
    if (status) return status;
    gully_param_text(field, out->field, name, sizeof name);
    if (strcmp(name, "layer") != 0 || out->layer <= top) return GULLY_OK;
    ScenePath path = scene_path_key(NULL, top > 0 ? "layer" : "field");
    if (top <= 0) return scene_fail(&command->view, &path, "this world has no layers");
    return scene_fail(&command->view, &path, "there is no layer %d; allowed: 1 to %d", out->layer,
                      top);
}

/// A record uses the item from now on.
static void use_item(GullySession* session, const StockItem* item) {
    if (item->used) return;
    stock_use(&session->stock, item->name);
    if (!session->replays) keeper_use(session, item);
}

GullyStatus do_stamp(Command* command) {
    GullySession* session = command->session;
    const StockItem* item;
    GullyStamp stamp;
    GullyStatus status = find_item(command, "raster", false, &item);
    if (!status) status = read_stamp(command, &stamp);
    if (status) return status;
    session_mark(session, "stamp");
    status = gully_editor_stamp(session->editor, &stamp, item->values, item->width, item->height);
    if (!status) use_item(session, item);
    return status;
}

GullyStatus do_paste(Command* command) {
    GullySession* session = command->session;
    const StockItem* item;
    GullyStamp stamp;
    GullyStatus status = find_item(command, "clip", true, &item);
    if (!status) status = read_stamp(command, &stamp);
    if (status) return status;
    session_mark(session, "paste");
    status = gully_editor_paste(session->editor, item->clip, &stamp);
    if (!status) use_item(session, item);
    return status;
}

static GullyStatus read_rect(const Command* command, GullyRect* out) {
    static const char expected[] = "[x, y, width, height] in cells";
    const GullyWorld* world = command->session->world;
    const json_t* list = command_value(command, "rect", expected);
    ScenePath path = scene_path_key(NULL, "rect");
    int64_t values[4];
    if (!list) return GULLY_BAD_INPUT;
    if (!json_is_array(list)) return scene_fail_type(&command->view, &path, list, expected);
    if (json_array_size(list) != 4)
        return scene_fail(&command->view, &path, "has %zu numbers; expected %s",
                          json_array_size(list), expected);
    const int size[2] = {gully_world_width(world), gully_world_height(world)};
    GullyStatus status = GULLY_OK;
    for (size_t i = 0; i < 4 && !status; i++) {
        ScenePath place = scene_path_index(&path, i);
        int64_t low = i < 2 ? 0 : 1, high = i < 2 ? size[i] - 1 : size[i - 2] - values[i - 2];
        status =
            scene_integer(&command->view, &place, json_array_get(list, i), low, high, &values[i]);
    }
    if (status) return status;
    *out = (GullyRect){(int)values[0], (int)values[1], (int)values[2], (int)values[3]};
    return GULLY_OK;
}

/// Only what lies within the points [m], if there are any, is part of the copy.
static GullyStatus crop(const Command* command, GullyRect rect, GullyClip* clip) {
    const GullyWorld* world = command->session->world;
    GullyPoint* corners;
    int count;
    if (!json_object_get(command->object, "points")) return GULLY_OK;
    GullyStatus status = command_points(command, &corners, &count);
    if (status) return status;
    for (int i = 0; i < count; i++)
        corners[i] = (GullyPoint){corners[i].x / gully_world_cell_x(world) - rect.x,
                                  corners[i].y / gully_world_cell_y(world) - rect.y};
    status = gully_clip_crop(clip, corners, count);
    free(corners);
    return status;
}

GullyStatus do_copy(Command* command) {
    GullySession* session = command->session;
    GullyRect rect;
    GullyClip* clip = NULL;
    char name[64];
    GullyStatus status = read_rect(command, &rect);
    if (!status) status = gully_editor_copy(session->editor, rect, &clip);
    if (!status) status = crop(command, rect, clip);
    if (status && clip) gully_clip_destroy(clip);
    if (!status) status = stock_add_clip(&session->stock, clip, name);
    if (status) return status;
    json_object_set_new(command->reply, "clip", json_string(name));
    json_object_set_new(command->reply, "width", json_integer(rect.width));
    json_object_set_new(command->reply, "height", json_integer(rect.height));
    return GULLY_OK;
}
