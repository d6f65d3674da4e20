// SPDX-License-Identifier: MIT
/// The fields that every law knows. A law's own fields come after them (law.h).
#ifndef FIELDS_H
#define FIELDS_H

#ifndef __OPENCL_C_VERSION__ // which gets its integers from device/prelude.h
#include <stdint.h>
#endif

/// Heights and depths that must not lose a grain are pairs of floats: a value and the remainder
/// that did not fit into it (docs/design.md, Precision).
///
/// FIELD(id, name, value where nothing is known)
#define COMMON_FIELD_TABLE(FIELD)                                                                  \
    FIELD(GROUND, "ground", 0)             /* b: height of the solid surface [m] */                \
    FIELD(GROUND_LOW, "ground_low", 0)     /* its remainder [m] */                                 \
    FIELD(WATER, "water", 0)               /* d: water depth [m] */                                \
    FIELD(WATER_LOW, "water_low", 0)       /* its remainder [m] */                                 \
    FIELD(SEDIMENT, "sediment", 0)         /* s: suspended sediment, as solid height [m] */        \
    FIELD(SEDIMENT_LOW, "sediment_low", 0) /* its remainder [m], for laws that need it */          \
    FIELD(HARDNESS, "hardness", 1)         /* k: 1 = soft as the material says, 0 = not eroded */  \
    FIELD(FLOW, "flow", 0)                 /* sum over the steps of the discharge [m2/s] */        \
    FIELD(WEAR, "wear", 0)                 /* sum of what water took [m] */                        \
    FIELD(DEPOSIT, "deposit", 0)           /* sum of what water left [m] */                        \
    FIELD(VELOCITY_X, "velocity_x", 0)     /* u [m/s] */                                           \
    FIELD(VELOCITY_Y, "velocity_y", 0)     /* v [m/s] */                                           \
    FIELD(RAIN_PATTERN, "rain_pattern", 0) /* fractal(x, y) of (W4), 0..1 */                       \
    FIELD(UPLIFT, "uplift", 0)             /* a map of U of (U3) [m/year] */                       \
    FIELD(RAINFALL, "rainfall", 1)         /* a map of `rain` of (U2): factors */                  \
    LAYER_TABLE(FIELD, LAYER, "layer")     /* thickness of the materials above the bedrock [m] */  \
    LAYER_TABLE(FIELD, LAYER_LOW, "layer_low") /* their remainders [m] */

/// A field for each material but the first.
#define LAYER_TABLE(FIELD, id, name)                                                               \
    FIELD(id##_1, name "_1", 0)                                                                    \
    FIELD(id##_2, name "_2", 0)                                                                    \
    FIELD(id##_3, name "_3", 0)                                                                    \
    FIELD(id##_4, name "_4", 0)                                                                    \
    FIELD(id##_5, name "_5", 0)                                                                    \
    FIELD(id##_6, name "_6", 0)                                                                    \
    FIELD(id##_7, name "_7", 0)

enum {
#define FIELD(id, name, value) id,
    COMMON_FIELD_TABLE(FIELD)
#undef FIELD
        COMMON_FIELDS
};

enum { MAX_FIELDS = 96, MAX_LAYERS = 7 };

/// Fields that a world of half precision keeps as halves (half.h). Heights of solids need all the
/// bits they have, and sums over the steps as well.
#define HALF_FIELDS                                                                                \
    (FIELD_BIT(WATER) | FIELD_BIT(WATER_LOW) | FIELD_BIT(SEDIMENT) | FIELD_BIT(SEDIMENT_LOW) |     \
     FIELD_BIT(VELOCITY_X) | FIELD_BIT(VELOCITY_Y))

typedef enum Side { WEST, EAST, NORTH, SOUTH, SIDES } Side;

/// A set of fields, as bits.
typedef uint64_t FieldSet;
#define FIELD_BIT(id) (UINT64_C(1) << (id))

/// The fields of the layers, of a world that has any.
#define LAYER_FIELDS (FIELD_BIT(LAYER_LOW_7 + 1) - FIELD_BIT(LAYER_1))

/// A ground height above any real one marks what is no cell: a nodata cell inside the grid, or the
/// outside. Laws ask with is_cell (cell.h).
#define GROUND_NODATA 1e30f
#define GROUND_OUTSIDE 2e30f
/// The largest height that a cell may have [m].
#define GROUND_MAX 1e7f

#endif
