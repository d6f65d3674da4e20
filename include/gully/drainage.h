// SPDX-License-Identifier: MIT
/// How a terrain drains, in ten numbers, beside the spread of real mountains.
///
/// Erosion by water over geological time leaves traces that noise does not have: channels that
/// flatten downstream, hardly any closed hollow, streams that join in fixed proportions. docs/realism.md
/// says how each number is computed and what it is on real land and on ours.
#ifndef GULLY_DRAINAGE_H
#define GULLY_DRAINAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "gully/maps.h"
#include "gully/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// clang-format off
/// The measures: X(member, unit, lowest, median, highest of real land, meaning); NAN = not known.
#define GULLY_DRAINAGE_MEASURES(X) \
    X(concavity,        "",      0.22, 0.40, 0.54, "how fast channels flatten downstream: slope ~ area^-concavity") \
    X(hack,             "",      0.39, 0.52, 0.57, "Hack's exponent: length of the longest way ~ area^hack") \
    X(hollows,          "share", 0,    0.004, 0.04, "share of the area that lies in closed hollows") \
    X(bifurcation,      "",      3.6,  NAN,  5,    "streams of an order over those of the next (Horton)") \
    X(length_ratio,     "",      1.7,  NAN,  2.8,  "mean length of streams of an order over that of the one before") \
    X(drainage_density, "km/km2", NAN, NAN,  NAN,  "length of channels over area") \
    X(hypsometric,      "",      0.36, NAN,  0.60, "hypsometric integral of basins: mean height between the lowest, 0, and the highest, 1") \
    X(spectrum,         "",      NAN,  NAN,  NAN,  "power of the heights ~ wave number^-spectrum") \
    X(rose4,            "",      0,    NAN,  0.15, "4-fold alignment of channels, |mean exp(4 i direction)|: 1 = all along two axes") \
    X(rose8,            "",      0,    NAN,  0.15, "8-fold alignment of channels, |mean exp(8 i direction)|: 1 = all along axes and diagonals")
// clang-format on

/// A number that a terrain does not have (too small, flat, without channels) is NAN.
typedef struct GullyDrainage {
#define GULLY_DRAINAGE_MEMBER(member, unit, low, median, high, meaning) double member;
    GULLY_DRAINAGE_MEASURES(GULLY_DRAINAGE_MEMBER)
#undef GULLY_DRAINAGE_MEMBER
    int64_t cells;    ///< that have data
    int64_t channels; ///< cells that are channels
    int orders;       ///< Strahler order of the largest stream
    /// Alignment of plain D8 ways, wherever they run: on smooth slopes these follow the grid.
    double rose4_d8, rose8_d8;
    double roughness; ///< root mean square of what a mean over 3 x 3 cells takes away [m]
} GullyDrainage;

/// A row of the table above.
typedef struct GullyDrainageMeasure {
    const char *name, *unit, *meaning;
    double low, median, high; ///< of real land; NAN = not known
} GullyDrainageMeasure;

/// The rows, in the order of the members; their number goes to `count`.
GULLY_API const GullyDrainageMeasure* gully_drainage_measures(int* count);

/// The number of a row. `index` is below the count.
GULLY_API double gully_drainage_value(const GullyDrainage* drainage, int index);

/// Whether that number lies within the spread of real land. False if one of them is not known.
GULLY_API bool gully_drainage_is_real(const GullyDrainage* drainage, int index);

typedef struct GullyDrainageDef {
    int made;       ///< GULLY_DEF_MADE: set by gully_drainage_default()
    double channel; ///< cells that must drain through one for it to be a channel, >= 2; 20
    double river;   ///< and for concavity and Hack's exponent, which hold further down, >= 2; 50
    /// Called now and then with the share that is done, 0..1, on the caller's thread. Cancels if it
    /// returns false. NULL = nobody wants to know.
    bool (*progress)(void* context, double share);
    void* context;
} GullyDrainageDef;

GULLY_API GullyDrainageDef gully_drainage_default(void);

/// Measures a terrain. Takes about 35 bytes a cell while it runs. Fails without memory, for a
/// definition or size that cannot be, and with GULLY_CANCELLED.
GULLY_API GullyStatus gully_drainage_measure(const GullyHeights* heights,
                                             const GullyDrainageDef* def, GullyDrainage* out);

#ifdef __cplusplus
}
#endif

#endif
