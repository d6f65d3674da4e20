// SPDX-License-Identifier: MIT
/// Maps of a terrain: how steep, how curved, how wet; normals; weights for painting it.
///
/// Heights are metres, row by row from the north. NaN is nodata, and stays nodata in every map.
///
/// Derivatives are those of the quadratic through the cell and its neighbours (Zevenbergen & Thorne
/// 1987), exact for a quadratic surface, with x to the east and y to the north:
///
///     p = dz/dx = (z_e - z_w) / 2 dx        r = d2z/dx2 = (z_e - 2 z + z_w) / dx2
///     q = dz/dy = (z_n - z_s) / 2 dy        t = d2z/dy2 = (z_n - 2 z + z_s) / dy2
///     s = d2z/dxdy = ((z_ne - z_nw) - (z_se - z_sw)) / 4 dx dy
///
/// A neighbour that is not there, outside or nodata, lies on the straight line through the cell and
/// the neighbour opposite; without either the ground is level. A diagonal neighbour that is not
/// there lies in the plane of the three others.
#ifndef GULLY_MAPS_H
#define GULLY_MAPS_H

#include <stdbool.h>

#include "gully/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A height field to look at. Does not own its values.
typedef struct GullyHeights {
    const float* values;   ///< [m], row by row from the north; NaN = nodata
    int width, height;     ///< in cells, each >= 1
    double cell_x, cell_y; ///< [m], > 0
} GullyHeights;

// ---- numbers ------------------------------------------------------------------------------------

/// With g2 = p2 + q2. Curvature is positive where the ground bulges, as on a ridge, and negative in
/// a hollow. Where the ground is level, and has no direction, both sections have the mean
/// curvature.
typedef enum GullyMap {
    GULLY_MAP_SLOPE,   ///< atan sqrt(g2) [deg]
    GULLY_MAP_ASPECT,  ///< where the slope faces, down, clockwise from north [deg]; -1 = level
    GULLY_MAP_PROFILE, ///< curvature along the slope,
                       ///< -(p2 r + 2 p q s + q2 t) / (g2 (1 + g2)^1.5) [1/m]
    GULLY_MAP_PLAN,    ///< curvature across it, of the section normal to the surface,
                       ///< -(q2 r - 2 p q s + p2 t) / (g2 (1 + g2)^0.5) [1/m]
    GULLY_MAP_MEAN,    ///< mean curvature, half the sum of both [1/m]
    GULLY_MAP_WETNESS, ///< topographic wetness index, see gully_wetness
    GULLY_MAP_COUNT
} GullyMap;

/// The map's name in files, "curvature-mean", and its unit, "1/m".
GULLY_API const char* gully_map_name(GullyMap map);
GULLY_API const char* gully_map_unit(GullyMap map);

/// Fills width * height values. Fails for lack of memory only.
GULLY_API GullyStatus gully_map_make(GullyMap map, const GullyHeights* heights, float* out);

/// The slope of the ground [m/m] towards the east and the north, p and q above, of each cell.
GULLY_API void gully_map_gradient(const GullyHeights* heights, float* east, float* north);

/// The topographic wetness index ln(a / tan b) (Beven & Kirkby 1979): a is the area that drains
/// through a cell, itself included, per width [m], tan b its slope, at least 0.001.
///
/// The area flows to all lower neighbours by slope (Freeman 1991, power 1.1). Out of a hollow it
/// flows up the deepest way to where the hollow spills (Metz et al. 2011). It leaves at the sides
/// and beside nodata. The width of a cell is the square root of its area.
///
/// With `flow`, the discharge per width of a run [m2/s], that takes the place of a, scaled to have
/// the same mean and at least what falls on the cell itself; NULL = from the heights alone.
GULLY_API GullyStatus gully_wetness(const GullyHeights* heights, const float* flow, float* out);

// ---- normals ------------------------------------------------------------------------------------

/// A normal map in tangent space: red to the east, green to the north (OpenGL) or to the south
/// (`green_down`, DirectX), blue up: n = (-p, -q, 1) / sqrt(1 + g2), a component being
/// round(127.5 (n + 1)). Four bytes a cell; the last one 255, and 0 where there is no data, beside
/// a normal that points up.
GULLY_API void gully_normal_map(const GullyHeights* heights, bool green_down, unsigned char* rgba);

// ---- splat maps ---------------------------------------------------------------------------------

/// A splat map says how much of each of up to eight paints a cell shows. Weights are bytes, four
/// channels to a picture, RGBA; over all paints they add up to 255 in every cell that has data, and
/// are 0 where there is none. Paints cover each other: the first shows where it is, the second
/// through the rest, and so on; the last one is everywhere.
#define GULLY_MAX_PAINTS 8
#define GULLY_PAINT_NAME 32 ///< bytes, with the end

/// What a rule can look at.
typedef enum GullyQuantity {
    GULLY_QUANTITY_SLOPE,     ///< [deg]
    GULLY_QUANTITY_HEIGHT,    ///< [m]
    GULLY_QUANTITY_LEVEL,     ///< height between the lowest, 0, and the highest, 1
    GULLY_QUANTITY_WETNESS,   ///< index
    GULLY_QUANTITY_CURVATURE, ///< mean [1/m]
    GULLY_QUANTITY_ASPECT,    ///< [deg]
    GULLY_QUANTITY_WATER,     ///< [m]
    GULLY_QUANTITY_FLOW,      ///< [m2/s]
    GULLY_QUANTITY_WEAR,      ///< [m]
    GULLY_QUANTITY_DEPOSIT,   ///< [m]
    GULLY_QUANTITY_COUNT
} GullyQuantity;

GULLY_API const char* gully_quantity_name(GullyQuantity quantity); ///< "slope"

/// From low to high; over `soft`, half of it on each side of an edge, the weight goes from 0 to 1
/// as 3 u2 - 2 u3. An edge at an infinity is none.
typedef struct GullyRange {
    GullyQuantity quantity;
    double low, high, soft;
} GullyRange;

/// A paint is where all its ranges are: their weights are multiplied.
typedef struct GullyPaint {
    char name[GULLY_PAINT_NAME];
    int range_count;
    GullyRange ranges[GULLY_QUANTITY_COUNT];
} GullyPaint;

/// Paints for a terrain of which nothing else is known: rock, wet ground, meadow, scree.
GULLY_API const GullyPaint* gully_default_paints(int* count);

/// Weights by rules. `maps[quantity]` has a value for each cell; NULL if no rule asks for it.
/// `weights` gets `count` bytes a cell. A cell is nodata where the heights are.
GULLY_API void gully_splat_by_rules(const GullyPaint* paints, int count, const float* const* maps,
                                    const GullyHeights* heights, unsigned char* weights);

/// Weights by material: `layers[k]` is the thickness [m] of material k, counted from the bottom, of
/// which the first is not looked at. A material hides what is below it by min(1, thickness /
/// blend). Weights are in the order of the materials.
GULLY_API void gully_splat_by_layers(const float* const* layers, int count, double blend,
                                     const GullyHeights* heights, unsigned char* weights);

#ifdef __cplusplus
}
#endif

#endif
