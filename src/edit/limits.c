// SPDX-License-Identifier: MIT
#include "limits.h"

#include <math.h>
#include <string.h>

#include "gully/world.h"

enum { PIECE = 256 }; // cells that are looked at together, in memory on the stack

static const double COVERS = 0.01; // thickness from which a material hides what is below it [m]

bool limits_there(const GullyBrush* brush) {
    GullyBrush none;
    gully_params_default(gully_brush_table(), &none);
    return brush->slope_low != none.slope_low || brush->slope_high != none.slope_high ||
           brush->height_low != none.height_low || brush->height_high != none.height_high ||
           brush->flow_low != none.flow_low || brush->flow_high != none.flow_high ||
           brush->wear_low != none.wear_low || brush->wear_high != none.wear_high ||
           brush->hardness_low != none.hardness_low || brush->hardness_high != none.hardness_high ||
           brush->material != none.material;
}

/// Takes away the cells whose value is not within a range; NaN is in none.
static void keep_within(const double* values, double low, double high, int count,
                        unsigned char* allowed) {
    for (int i = 0; i < count; i++)
        allowed[i] &= values[i] >= low && values[i] <= high;
}

/// The slope along one axis [m/m]: a neighbour that is no cell lies on the straight line through the
/// other one.
static double rise(double before, double here, double after, double cell) {
    if (isnan(before)) before = isnan(after) ? here : 2 * here - after;
    if (isnan(after)) after = 2 * here - before;
    return (after - before) / (2 * cell);
}

/// Heights of a run and of a cell at either end of it; NaN beside the world.
static GullyStatus read_wide(const GullyWorld* world, Run run, double out[PIECE + 2]) {
    for (int i = 0; i < run.count + 2; i++)
        out[i] = NAN;
    if (run.y < 0 || run.y >= world->height) return GULLY_OK;
    const int from = run.x > 0 ? run.x - 1 : 0;
    const int end = run.x + run.count < world->width ? run.x + run.count + 1 : world->width;
    return cells_read(world, GROUND, (Run){from, run.y, end - from}, out + (from - (run.x - 1)));
}

static GullyStatus keep_slopes(const GullyWorld* world, const GullyBrush* brush, Run run,
                               unsigned char* allowed) {
    double rows[3][PIECE + 2], slopes[PIECE];
    for (int k = 0; k < 3; k++) {
        GullyStatus status = read_wide(world, (Run){run.x, run.y + k - 1, run.count}, rows[k]);
        if (status) return status;
    }
    for (int i = 0; i < run.count; i++) {
        const double* row = rows[1] + i;
        double along = rise(row[0], row[1], row[2], world->cell_x);
        double down = rise(rows[0][i + 1], row[1], rows[2][i + 1], world->cell_y);
        slopes[i] = atan(sqrt(along * along + down * down)) * (180 / 3.14159265358979323846);
    }
    keep_within(slopes, brush->slope_low, brush->slope_high, run.count, allowed);
    return GULLY_OK;
}

static GullyStatus keep_field(const GullyWorld* world, int field, double low, double high, Run run,
                              double scale, unsigned char* allowed) {
    double values[PIECE];
    GullyStatus status = cells_read(world, field, run, values);
    if (status) return status;
    for (int i = 0; i < run.count; i++)
        values[i] *= scale;
    keep_within(values, low, high, run.count, allowed);
    return GULLY_OK;
}

/// The cells where a material lies on top.
static GullyStatus keep_material(const GullyWorld* world, int material, Run run,
                                 unsigned char* allowed) {
    bool hidden[PIECE] = {false};
    double thickness[PIECE];
    for (int layer = world->material_count - 1; layer > material; layer--) {
        GullyStatus status = cells_read(world, layer_field(layer), run, thickness);
        if (status) return status;
        for (int i = 0; i < run.count; i++)
            hidden[i] = hidden[i] || thickness[i] >= COVERS;
    }
    if (material > 0) {
        GullyStatus status = cells_read(world, layer_field(material), run, thickness);
        if (status) return status;
    }
    for (int i = 0; i < run.count; i++)
        allowed[i] &= !hidden[i] && (material == 0 || thickness[i] >= COVERS);
    return GULLY_OK;
}

static GullyStatus look_at_piece(const GullyWorld* world, const GullyBrush* brush, Run run,
                                 unsigned char* allowed) {
    const double mean = world->flow_steps > 0 ? 1.0 / (double)world->flow_steps : 1;
    const struct {
        int field;
        double low, high, scale;
    } fields[] = {{GROUND, brush->height_low, brush->height_high, 1},
                  {FLOW, brush->flow_low, brush->flow_high, mean},
                  {WEAR, brush->wear_low, brush->wear_high, 1},
                  {HARDNESS, brush->hardness_low, brush->hardness_high, 1}};
    memset(allowed, 1, (size_t)run.count);
    GullyStatus status = keep_slopes(world, brush, run, allowed);
    for (size_t k = 0; k < sizeof fields / sizeof *fields && !status; k++)
        status = keep_field(world, fields[k].field, fields[k].low, fields[k].high, run,
                            fields[k].scale, allowed);
    if (!status && brush->material >= 0)
        status = keep_material(world, brush->material, run, allowed);
    return status;
}

GullyStatus limits_look(const GullyWorld* world, const GullyBrush* brush, GullyRect rect,
                        unsigned char* allowed) {
    GullyStatus status = GULLY_OK;
    for (int y = 0; y < rect.height && !status; y++) {
        for (int x = 0; x < rect.width && !status; x += PIECE) {
            const int count = rect.width - x < PIECE ? rect.width - x : PIECE;
            status = look_at_piece(world, brush, (Run){rect.x + x, rect.y + y, count},
                                   allowed + (size_t)y * (size_t)rect.width + x);
        }
    }
    return status;
}
