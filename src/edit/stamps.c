// SPDX-License-Identifier: MIT
#include "stamps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blend.h"
#include "editor.h"

#define ROW(...) GULLY_PARAM_ROW(GullyStamp, __VA_ARGS__)
static const GullyParam stamp_rows[] = {GULLY_STAMP_PARAMS(ROW)};
#undef ROW
static const GullyParamTable stamp_table = {
    "stamp", stamp_rows, (int)(sizeof stamp_rows / sizeof *stamp_rows), sizeof(GullyStamp)};

const GullyParamTable* gully_stamp_table(void) {
    return &stamp_table;
}

GullyStatus stamp_check(const GullyStamp* stamp) {
    GullyStatus status = gully_params_check(&stamp_table, stamp);
    return status ? gully_fail_in(status, "stamp") : GULLY_OK;
}

// ---- where it lies ------------------------------------------------------------------------------

/// Quarter turns are exact. Others are rounded to floats, which are the same everywhere.
static void turn(double angle, double* cosine, double* sine) {
    const double degree = 3.14159265358979323846 / 180;
    double rest = fmod(angle, 360), quarters = rest / 90;
    *cosine = (double)(float)cos(rest * degree);
    *sine = (double)(float)sin(rest * degree);
    if (quarters == floor(quarters)) {
        *cosine = round(*cosine);
        *sine = round(*sine);
    }
}

Placing stamp_place(const GullyWorld* world, const GullyStamp* stamp, int width, int height) {
    Placing placing = {.stamp = stamp, .width = width, .height = height};
    placing.size_x = stamp->width > 0 ? stamp->width / width : world->cell_x;
    placing.size_y = stamp->height > 0 ? stamp->height / height : world->cell_y;
    turn(stamp->angle, &placing.cosine, &placing.sine);
    return placing;
}

GullyRect stamp_rect(const GullyWorld* world, const Placing* placing) {
    const GullyStamp* stamp = placing->stamp;
    double half_x = placing->size_x * placing->width / 2;
    double half_y = placing->size_y * placing->height / 2;
    double c = fabs(placing->cosine), s = fabs(placing->sine);
    // A cell more: whether one at the very edge belongs to it is not decided here.
    Reach x = cells_within(stamp->x, c * half_x + s * half_y + world->cell_x, world->cell_x,
                           world->width);
    Reach y = cells_within(stamp->y, s * half_x + c * half_y + world->cell_y, world->cell_y,
                           world->height);
    return (GullyRect){x.from, y.from, x.end - x.from, y.end - y.from};
}

/// A place in the picture, in its cells; one that is a cell's centre but for rounding is exactly
/// it.
static double snap(double place) {
    double nearest = floor(place + 0.5);
    return fabs(place - nearest) < 1e-9 ? nearest : place;
}

/// Where a point of the ground lies in the picture, counted from the centre of its first cell.
static GullyPoint to_picture(const Placing* placing, GullyPoint at) {
    double dx = at.x - placing->stamp->x, dy = at.y - placing->stamp->y;
    double u = dx * placing->cosine + dy * placing->sine;
    double v = dy * placing->cosine - dx * placing->sine;
    return (GullyPoint){snap(u / placing->size_x + 0.5 * (placing->width - 1)),
                        snap(v / placing->size_y + 0.5 * (placing->height - 1))};
}

static GullyPoint to_ground(const Placing* placing, GullyPoint at) {
    double u = (at.x - 0.5 * (placing->width - 1)) * placing->size_x;
    double v = (at.y - 0.5 * (placing->height - 1)) * placing->size_y;
    return (GullyPoint){placing->stamp->x + u * placing->cosine - v * placing->sine,
                        placing->stamp->y + u * placing->sine + v * placing->cosine};
}

/// How much counts of a picture `count` cells wide at a place along it: 0 beyond its edges.
static double edge_weight(double place, int count, double falloff) {
    double half = 0.5 * count, left = half - fabs(place - 0.5 * (count - 1)); // to the edge
    if (!(left >= 0)) return 0;
    double fading = falloff * half;
    if (left >= fading) return 1;
    double t = left / fading;
    return t * t * (3 - 2 * t);
}

// ---- what it says -------------------------------------------------------------------------------

static double value_at(const Picture* picture, int x, int y) {
    size_t place = (size_t)y * (size_t)picture->width + (size_t)x;
    return picture->doubles ? picture->doubles[place] : (double)picture->floats[place];
}

static double mixed(double a, double b, double share) {
    return share == 0 ? a : a + share * (b - a); // what does not count may be NaN
}

static double clamped(double place, int count) {
    return place < 0 ? 0 : place > count - 1 ? count - 1 : place;
}

/// Between its cells, bilinearly; at the edge as the cell there.
static double sample(const Picture* picture, GullyPoint at) {
    double x = clamped(at.x, picture->width), y = clamped(at.y, picture->height);
    int i = (int)x, j = (int)y;
    int i1 = i + 1 < picture->width ? i + 1 : i, j1 = j + 1 < picture->height ? j + 1 : j;
    double top = mixed(value_at(picture, i, j), value_at(picture, i1, j), x - i);
    if (y == j) return top;
    return mixed(top, mixed(value_at(picture, i, j1), value_at(picture, i1, j1), x - i), y - j);
}

void stamp_blend(const GullyWorld* world, const Placing* placing, const Picture* picture, Run run,
                 int blend, double scale, double offset, double* values) {
    const GullyStamp* stamp = placing->stamp;
    for (int i = 0; i < run.count; i++) {
        GullyPoint ground = {(run.x + i) * world->cell_x, run.y * world->cell_y};
        GullyPoint at = to_picture(placing, ground);
        double weight = stamp->amount * edge_weight(at.x, placing->width, stamp->falloff) *
                        edge_weight(at.y, placing->height, stamp->falloff);
        if (weight == 0) {
            values[i] = NAN;
            continue;
        }
        double value = scale * sample(picture, at) + offset;
        double changed = values[i] + weight * blend_change(blend, values[i], value);
        bool replaced = weight == 1 && blend == GULLY_BLEND_MIX; // to the bit
        values[i] = isnan(value) || replaced ? value : changed;
    }
}

/// Adds how much higher the ground lies than a cell of the picture.
static GullyStatus compare_cell(const GullyWorld* world, const Placing* placing,
                                const Picture* picture, int i, int j, double* sum, int64_t* count) {
    GullyPoint at = to_ground(placing, (GullyPoint){i, j});
    double x = floor(at.x / world->cell_x + 0.5), y = floor(at.y / world->cell_y + 0.5), ground;
    if (!(x >= 0 && x < world->width && y >= 0 && y < world->height)) return GULLY_OK;
    GullyStatus status = cells_read(world, GROUND, (Run){(int)x, (int)y, 1}, &ground);
    if (status) return status;
    double value = placing->stamp->scale * value_at(picture, i, j) + placing->stamp->offset;
    if (isnan(ground) || isnan(value)) return GULLY_OK;
    *sum += ground - value;
    ++*count;
    return GULLY_OK;
}

/// Whether a cell of a picture lies on its outline: it has a value, and a neighbour has none.
static bool is_on_outline(const Picture* picture, int i, int j) {
    if (isnan(value_at(picture, i, j))) return false;
    return i == 0 || j == 0 || i == picture->width - 1 || j == picture->height - 1 ||
           isnan(value_at(picture, i - 1, j)) || isnan(value_at(picture, i + 1, j)) ||
           isnan(value_at(picture, i, j - 1)) || isnan(value_at(picture, i, j + 1));
}

GullyStatus stamp_fit(const GullyWorld* world, const Placing* placing, const Picture* picture,
                      double* shift) {
    double sum = 0;
    int64_t count = 0;
    GullyStatus status = GULLY_OK;
    for (int j = 0; j < picture->height; j++) {
        bool whole = picture->outlined || j == 0 || j == picture->height - 1;
        for (int i = 0; i < picture->width && !status;
             i += whole || picture->width == 1 ? 1 : picture->width - 1) {
            if (picture->outlined && !is_on_outline(picture, i, j)) continue;
            status = compare_cell(world, placing, picture, i, j, &sum, &count);
        }
    }
    *shift = count > 0 ? sum / (double)count : 0;
    return status;
}

// ---- stamping -----------------------------------------------------------------------------------

static int stamp_field(const GullyStamp* stamp) {
    static const int fields[] = {GROUND, WATER, HARDNESS}; // as the names of `field`
    return stamp->field < 3 ? fields[stamp->field] : layer_field(stamp->layer);
}

static GullyStatus stamp_row(GullyWorld* world, const Placing* placing, const Picture* picture,
                             Run run, double shift, double* rows) {
    const GullyStamp* stamp = placing->stamp;
    const int field = stamp_field(stamp);
    double *values = rows, *olds = rows + run.count;
    GullyStatus status = cells_read(world, field, run, values);
    if (status) return status;
    memcpy(olds, values, (size_t)run.count * sizeof *olds);
    stamp_blend(world, placing, picture, run, stamp->blend, stamp->scale, stamp->offset + shift,
                values);
    if (field < LAYER_1) return cells_write(world, field, run, values);
    for (int i = 0; i < run.count; i++)
        values[i] -= olds[i];
    return cells_raise(world, stamp->layer, run, values);
}

static GullyStatus check_stamp(const GullyWorld* world, const GullyStamp* stamp, int width,
                               int height) {
    GullyStatus status = stamp_check(stamp);
    if (status) return status;
    if (width < 1 || height < 1)
        return gully_fail(GULLY_BAD_INPUT, "a stamp of %d x %d values; allowed: at least 1 x 1",
                          width, height);
    if (stamp_field(stamp) >= LAYER_1 && stamp->layer >= world->material_count)
        return gully_fail(GULLY_BAD_INPUT, "stamp: layer: there is no layer %d above the bedrock",
                          stamp->layer);
    return GULLY_OK;
}

GullyStatus gully_editor_stamp(GullyEditor* editor, const GullyStamp* stamp, const float* values,
                               int width, int height) {
    GullyWorld* world = editor->world;
    GullyStatus status = check_stamp(world, stamp, width, height);
    if (!status) status = world_add_common(world, FIELD_BIT(stamp_field(stamp)));
    if (status) return status;
    const Picture picture = {.floats = values, .width = width, .height = height};
    const Placing placing = stamp_place(world, stamp, width, height);
    const GullyRect rect = stamp_rect(world, &placing);
    double* rows = malloc(2 * (size_t)(rect.width + 1) * sizeof *rows);
    status = rows ? editor_prepare(editor) : gully_fail(GULLY_NO_MEMORY, "no memory for a stamp");
    if (status) {
        free(rows);
        return status;
    }
    editor_commit(editor);
    editor_touch(editor, rect);
    const bool fits = stamp->fit && stamp_field(stamp) == GROUND;
    double shift = 0;
    if (fits) status = stamp_fit(world, &placing, &picture, &shift);
    for (int y = rect.y; y < rect.y + rect.height && !status; y++)
        status = stamp_row(world, &placing, &picture, (Run){rect.x, y, rect.width}, shift, rows);
    free(rows);
    return status;
}
