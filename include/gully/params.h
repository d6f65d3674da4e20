// SPDX-License-Identifier: MIT
/// Parameters: declared once, as rows of a table.
///
/// From the rows come the struct, its defaults, the check of its ranges, the keys of the scene file,
/// `gully models`, `--set`, the studio's sliders and the tables in the documentation.
///
/// A row is X(kind, name, default, min, max, unit, help). Kinds: number (double), integer (int),
/// flag (bool, 0 or 1), choice (int, an index into the names that stand in the unit column, "a|b"),
/// map (double: a number, or GULLY_MAPPED where a field of the world has one for each cell).
#ifndef GULLY_PARAMS_H
#define GULLY_PARAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "gully/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A time later than any run [s]: the default end of a source.
#define GULLY_FOREVER 1e30

/// The value of a map that a field of the world gives.
#define GULLY_MAPPED (-1.0)

// clang-format off
/// MODELS P: virtual pipes.
#define GULLY_PIPE_PARAMS(X) \
    X(number, gravity,       9.81,  1e-3,  1e3,  "m/s2", "acceleration of gravity") \
    X(number, pipe_area,     0,     0,     1e12, "m2",   "cross-section A of a pipe; 0 = the area of a cell") \
    X(number, pipe_length,   0,     0,     1e6,  "m",    "length of a pipe; 0 = the cell size in its direction") \
    X(flag,   film,          1,     0,     1,    "",     "pipes narrow with the depth of the flow; off: constant area, as in Mei 2007") \
    X(number, friction,      1,     0,     1e3,  "1/s",  "how fast a flow that nothing drives dies out; 0 = never, as in Mei 2007") \
    X(choice, pipes,         0,     0,     1,    "4|8",  "pipes of a cell: to its sides, as in Mei 2007; or to its corners as well, so that furrows do not follow the grid") \
    X(number, capacity,      0.6,   0,     1e6,  "s",    "sediment that a flow can carry: metres of solid per m/s on a vertical slope") \
    X(number, dissolve,      0.05,  0,     1e6,  "1/s",  "how fast a flow takes up what it can still carry") \
    X(number, deposit,       0.1,   0,     1e6,  "1/s",  "how fast a flow drops what it can no longer carry") \
    X(number, min_tilt,      0.03,  0,     1,    "",     "lower bound of sin(slope): lets water erode on flat ground") \
    X(number, depth_limit,   0.1,   0,     1e6,  "m",    "water shallower than this carries proportionally less; 0 = off") \
    X(number, evaporation,   0.003, 0,     1e6,  "1/s",  "share of the water that evaporates per second") \
    X(number, softening,     0,     0,     1e6,  "1/m",  "how fast hardness gives way under erosion; 0 = off") \
    X(flag,   exchange_water,0,     0,     1,    "",     "dissolved ground adds to the water's depth, deposits take from it") \
    X(choice, transport,     1,     0,     1,    "semi_lagrangian|flux", "how sediment travels: flux conserves it, semi_lagrangian is Mei's") \
    X(number, dry_depth,     1e-6,  0,     1,    "m",    "shallower water is dry: it vanishes and its sediment settles") \
    X(number, drag,          0.01,  0,     1e3,  "",     "Cf: the water's force on the ground is 1000 Cf |v|^2 [Pa]; counts against a material's critical_shear; with 0 no material gives way")

/// MODELS B: independent operators.
#define GULLY_DIFFUSION_PARAMS(X) \
    X(number, dissolve,      0.5,  0, 1e6, "1/s", "metres of ground that a metre of water dissolves per second") \
    X(number, saturation,    0.5,  0, 1e6, "",    "metres of sediment that a metre of water can hold") \
    X(number, evaporation,   0.1,  0, 1e6, "1/s", "how fast water evaporates") \
    X(number, dry_threshold, 1e-3, 0, 1e3, "m",   "shallower water vanishes when it evaporates") \
    X(number, relax,         0.5,  0, 1,   "",    "how far one transport or mix goes towards level water or even concentration")

/// MODELS N: Newtonian water. The constants are per step, as in the paper.
#define GULLY_NEWTON_PARAMS(X) \
    X(number, w_min,       0.01, 0,  1e4, "m",    "water on every cell at the start") \
    X(number, w_0,         0.05, 0,  1e4, "m",    "more of it on the highest cell, in proportion to height") \
    X(number, gravity,     10,   0,  1e3, "m/s2", "acceleration of gravity") \
    X(number, friction,    0.1,  0,  1,   "",     "share of its velocity that moving water loses in a step") \
    X(number, evaporation, 0.99, 0,  1,   "",     "share of the water that is left after a step; 1 = nothing evaporates") \
    X(number, capacity,    5,    0,  1e9, "s/m",  "sediment that moving water can carry, per metre of it and m/s (Anh 2007: 250, in units of their own)") \
    X(number, deposit,     0.05, 0,  1,   "",     "share of what is too much that settles in a step") \
    X(number, dissolve,    0.04, 0,  1,   "",     "share of what can still be carried that is dissolved in a step") \
    X(number, pit_deposit, -1,   -1, 1,   "",     "share of the sediment that settles in a pit in a step; below 0 = as deposit") \
    X(choice, move,        1,    0,  1,   "all|level", "how much water moves: what levels it, or all, as in Anh 2007") \
    X(flag,   isotropic,   0,    0,  1,   "",     "water falls alike in all directions, not only along axes and diagonals: furrows that do not know the grid") \
    X(number, dry_depth,   1e-6, 0,  1,   "m",    "shallower water is dry: it vanishes and its sediment settles")

/// MODELS U: uplift and stream power. Times are in years.
#define GULLY_STREAM_PARAMS(X) \
    X(map,     uplift,        0,    0,   100, "m/year",        "U: how fast the ground rises; a number, or a raster") \
    X(number,  erodibility,   5e-5, 0,   1e3, "m^(1-2m)/year", "K: how fast streams cut; times hardness and the material's erodibility") \
    X(number,  area_exponent, 0.45, 0,   2,   "",              "m: how much more a larger stream cuts") \
    X(number,  head,          0,    0,   1e12, "m2",           "area at which channels begin: above it wear is the same in cells of any size; 0 = wear by area alone, faster in larger cells") \
    X(number,  grain,         10,   1e-3, 1e6, "m",            "size of the cells in which head changes nothing") \
    X(number,  spread,        1.1,  0.1, 8,   "",              "p: water goes to all lower neighbours by slope^p; the larger, the more to the steepest") \
    X(number,  creep,         0.01, 0,   1e6, "m2/year",       "kd: how fast slopes round off") \
    X(number,  deposition,    0,    0,   1e6, "",              "G: how much of its sediment a stream lays down on the way; 0 = none") \
    X(flag,    trap,          0,    0,   1,   "",              "hollows keep all sediment that reaches them, until they are full to where they spill") \
    X(number,  tilt,          1e-3, 0,   1,   "",              "slope of the water in hollows that are full to where they spill") \
    X(integer, route,         -1,   -1,  1e9, "",              "how often water finds its way before the first step; below 0 = twice the longer side in cells") \
    X(map,     rain,          1,    0,   1e6, "",              "factor for what falls on a cell; a number, or a raster")

/// MODELS T: thermal weathering.
#define GULLY_THERMAL_PARAMS(X) \
    X(number,  rate,           0.2, 0, 1e6, "1/s", "how fast a slope steeper than the talus slides (takes effect up to 1/4 per step)") \
    X(number,  talus,          32,  0, 89,  "deg", "angle at which the material stays") \
    X(number,  grain,          0,   0, 1e6, "m",   "size of the cells that rate is meant for: slopes then slide alike in cells of any size; 0 = rate as it is, larger cells slide faster") \
    X(number,  hardness_talus, 0,   0, 1e3, "",    "adds this times (1 - hardness) to the tangent of the talus angle") \
    X(choice,  neighbours,     1,   0, 1,   "4|8", "how many neighbours material can slide to")

/// MODELS E: wind that carries sand.
#define GULLY_WIND_PARAMS(X) \
    X(number, direction,  0,    -360, 360,  "deg", "where the wind blows to: 0 = east, 90 = south") \
    X(number, rate,       1,    0,    1e6,  "1/s", "hops of the sand per second: rate * dt in a step, or one in every 1/(rate * dt) steps") \
    X(number, shadow,     15,   0,    89,   "deg", "angle at which the calm behind a crest comes down") \
    X(number, reach,      15,   1e-3, 1e6,  "m",   "how far upwind the ground counts when the wind speeds up on a rise") \
    X(number, speedup,    3,    0,    1e3,  "",    "how much faster the wind is where the ground rises, per slope") \
    X(number, most,       0.6,  1e-3, 1e3,  "",    "bound of that: how much faster it can be at most") \
    X(number, threshold,  0.7,  0,    0.99, "",    "speed below which wind lifts no sand; over a plain it is 1") \
    X(number, capacity,   0.02, 0,    1e3,  "m",   "sand that the wind over a plain can carry") \
    X(number, saturation, 6,    1e-3, 1e6,  "m",   "way over which the wind takes up what it can carry") \
    X(number, settle,     4,    1e-3, 1e6,  "m",   "way over which it drops all in the calm") \
    X(number, calm,       0.2,  1e-3, 1e6,  "m",   "depth below the shadow's edge at which the air is calm") \
    X(number, reptation,  0.05, 0,    1e3,  "",    "share of what the wind can carry that rolls down each slope of 1") \
    X(number, bedrock,    0,    -1e7, 1e7,  "m",   "without materials: height above which the ground is sand")

/// MODELS L: one material of a layered ground.
#define GULLY_MATERIAL_PARAMS(X) \
    X(number, erodibility,    1,    0,  1e6, "",      "multiplies how fast water takes it up") \
    X(number, critical_shear, 0,    0,  1e9, "Pa",    "force of the water below which it stays") \
    X(number, talus,          -1,   -1, 89,  "deg",   "angle at which it stays; below 0 = as thermal.talus") \
    X(number, density,        2650, 1,  1e5, "kg/m3", "for its mass in the report")

/// MODELS W1: uniform rain.
#define GULLY_RAIN_PARAMS(X) \
    X(number, rate, 0, 0, 100, "m/s", "uniform rain")

/// MODELS W2: raindrops.
#define GULLY_DROPS_PARAMS(X) \
    X(number, drops_per_second, 0,    0, 1e7, "1/s", "drops on the whole terrain") \
    X(number, radius,           0,    0, 1e7, "m",   "radius of a drop; 0 = one cell") \
    X(number, depth,            1e-3, 0, 1e3, "m",   "water that a drop adds")

/// MODELS W4: Benes' rain over time and place.
#define GULLY_SEASON_PARAMS(X) \
    X(number,  rate,    0,    0,    100,  "m/s", "rain at the peak of the season where the pattern is 1") \
    X(number,  t_peak,  0,    -1e9, 1e9,  "s",   "time of the peak") \
    X(number,  sigma,   100,  1e-9, 1e9,  "s",   "length of the season: standard deviation of its bell") \
    X(number,  scale,   0,    0,    1e9,  "m",   "size of the pattern's largest features; 0 = a quarter of the terrain") \
    X(integer, octaves, 6,    1,    16,   "",    "octaves of the pattern")

/// MODELS W3: one source.
#define GULLY_SOURCE_PARAMS(X) \
    X(number, x,             0,             -1e9, 1e9,           "m",   "centre, from the centre of the first cell, to the right") \
    X(number, y,             0,             -1e9, 1e9,           "m",   "centre, from the centre of the first cell, down the file") \
    X(number, radius,        0,             0,    1e9,           "m",   "radius; the nearest cell is always part of it") \
    X(number, rate,          0,             0,    100,           "m/s", "water added") \
    X(number, concentration, 0,             0,    1e3,           "",    "sediment added per water added") \
    X(number, from,          0,             -1e9, GULLY_FOREVER, "s",   "first moment") \
    X(number, until,         GULLY_FOREVER, -1e9, GULLY_FOREVER, "s",   "end")

/// The four sides of the world; north is the first row.
#define GULLY_BOUNDARY_PARAMS(X) \
    X(choice, west,  0, 0, 1, "closed|open", "the first column's side") \
    X(choice, east,  0, 0, 1, "closed|open", "the last column's side") \
    X(choice, north, 0, 0, 1, "closed|open", "the first row's side") \
    X(choice, south, 0, 0, 1, "closed|open", "the last row's side")

/// Time stepping. In a scene these stand at the top level, and dt may be "auto".
#define GULLY_TIME_PARAMS(X) \
    X(number, dt,             0, 0, 1e5, "s", "time step; 0 = auto: 0.9 of the stable limit, or 1 s for a law without one") \
    X(flag,   allow_unstable, 0, 0, 1,   "",  "accept a dt beyond the stable limit")
/// Tiles of different resolution (docs/levels.md). Level q has cells 2^q as large; 0 is the world's own.
#define GULLY_LEVELS_PARAMS(X) \
    X(integer, fixed,  0, 0, 8,   "",      "level of the whole world") \
    X(flag,    map,    0, 0, 1,   "",      "levels as the world's map of them says; in a scene a raster with one cell per tile") \
    X(number,  detail, 0, 0, 1e6, "m",     "a tile is as coarse as keeps its ground within this; 0 = off") \
    X(number,  error,  0, 0, 1e3, "",      "levels that change while it runs: how large an error may be where it saves a lot, as a share of the change; 0 = off") \
    X(integer, tile,   0, 0, 65536, "cells", "side of a tile, a power of two; 0 = 256 in worlds below 4096 cells, else 512") \
    X(integer, max,    3, 0, 8,   "",      "coarsest level of map, detail and error")
// clang-format on

/// Makes a struct member, and (with GULLY_PARAM_ROW) a row of the table, out of an X row.
#define GULLY_PARAM_MEMBER(kind, name, fallback, low, high, unit, help) GULLY_C_##kind name;
typedef double GULLY_C_number;
typedef int GULLY_C_integer;
typedef bool GULLY_C_flag;
typedef int GULLY_C_choice;
typedef double GULLY_C_map;

typedef struct GullyPipeParams {
    GULLY_PIPE_PARAMS(GULLY_PARAM_MEMBER)
} GullyPipeParams;
typedef struct GullyDiffusionParams {
    GULLY_DIFFUSION_PARAMS(GULLY_PARAM_MEMBER)
} GullyDiffusionParams;
typedef struct GullyNewtonParams {
    GULLY_NEWTON_PARAMS(GULLY_PARAM_MEMBER)
} GullyNewtonParams;
typedef struct GullyStreamParams {
    GULLY_STREAM_PARAMS(GULLY_PARAM_MEMBER)
} GullyStreamParams;
typedef struct GullyThermalParams {
    GULLY_THERMAL_PARAMS(GULLY_PARAM_MEMBER)
} GullyThermalParams;
typedef struct GullyWindParams {
    GULLY_WIND_PARAMS(GULLY_PARAM_MEMBER)
} GullyWindParams;
typedef struct GullyRainParams {
    GULLY_RAIN_PARAMS(GULLY_PARAM_MEMBER)
} GullyRainParams;
typedef struct GullyDropsParams {
    GULLY_DROPS_PARAMS(GULLY_PARAM_MEMBER)
} GullyDropsParams;
typedef struct GullySeasonParams {
    GULLY_SEASON_PARAMS(GULLY_PARAM_MEMBER)
} GullySeasonParams;
typedef struct GullySource {
    GULLY_SOURCE_PARAMS(GULLY_PARAM_MEMBER)
} GullySource;
typedef struct GullyBoundaryParams {
    GULLY_BOUNDARY_PARAMS(GULLY_PARAM_MEMBER)
} GullyBoundaryParams;
typedef struct GullyTimeParams {
    GULLY_TIME_PARAMS(GULLY_PARAM_MEMBER)
} GullyTimeParams;

typedef struct GullyLevelsParams {
    GULLY_LEVELS_PARAMS(GULLY_PARAM_MEMBER)
} GullyLevelsParams;

typedef enum GullyParamKind {
    GULLY_KIND_number,
    GULLY_KIND_integer,
    GULLY_KIND_flag,
    GULLY_KIND_choice,
    GULLY_KIND_map,
} GullyParamKind;

typedef struct GullyParam {
    GullyParamKind kind;
    const char* name;
    double fallback;  ///< the default
    double low, high; ///< both allowed
    const char* unit; ///< of a choice: its names, "a|b"
    const char* help;
    size_t offset; ///< of the member in the struct
} GullyParam;

typedef struct GullyParamTable {
    const char* name; ///< as in a scene: "params", "thermal", "rain.drops", ...
    const GullyParam* rows;
    int count;
    size_t size; ///< of the struct
} GullyParamTable;

#define GULLY_PARAM_ROW(Struct, kind, name, fallback, low, high, unit, help)                       \
    {GULLY_KIND_##kind, #name, fallback, low, high, unit, help, offsetof(Struct, name)},

/// Fills a struct with its defaults.
GULLY_API void gully_params_default(const GullyParamTable* table, void* params);

/// The row of that name, or NULL.
GULLY_API const GullyParam* gully_params_find(const GullyParamTable* table, const char* name);

/// A value as a number: a flag is 0 or 1, a choice its index.
GULLY_API double gully_param_get(const GullyParam* row, const void* params);

/// Sets a value after checking it; the message names the parameter and what is allowed.
/// For a choice the number is the name ("8" for 8), not the index.
GULLY_API GullyStatus gully_param_set_number(const GullyParam* row, void* params, double value);

/// Lets a map be that of the world's field: GULLY_UPLIFT for "uplift", GULLY_RAINFALL for "rain".
GULLY_API void gully_param_set_mapped(const GullyParam* row, void* params);

/// The same from text: a number, true / false / on / off, or a choice's name.
GULLY_API GullyStatus gully_param_set_text(const GullyParam* row, void* params, const char* text);

/// Whether every value of a struct is within its range; the message names the first that is not.
GULLY_API GullyStatus gully_params_check(const GullyParamTable* table, const void* params);

/// Writes a value as a person would read it ("0.3", "on", "flux") into the buffer.
GULLY_API void gully_param_text(const GullyParam* row, double value, char* buffer, size_t size);

/// Writes what is allowed ("a number from 0 to 1000 [1/s]", "one of semi_lagrangian, flux").
GULLY_API void gully_param_allowed(const GullyParam* row, char* buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
