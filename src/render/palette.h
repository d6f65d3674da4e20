/// The colours of kinds of land, as a table: what grows where, what rock and water are like.
#ifndef PALETTE_H
#define PALETTE_H

#include "vector.h"

enum { PALETTE_BELTS = 8, PALETTE_STRATA = 12 };

/// Colours are 0xRRGGBB; heights are shares of the relief, from the lowest (0) to the highest (1).
typedef struct Palette {
    const char* name;
    const char* summary;
    struct {
        float height;
        unsigned color;
    } belts[PALETTE_BELTS]; ///< plants and soil by height; the last one is at height 1
    unsigned rock, dark_rock, soil, gravel, meadow, snow;
    float moist;     ///< how much water colours its banks, 0..1
    float river;     ///< how much beds of rivers look like water where they are dry, 0..1
    float bare;      ///< steepness from which rock shows, over that of one slope in ten
    float gravelled; ///< how much deposits show, 0..1
    float snow_line; ///< where snow begins; above 1.2 = nowhere
    unsigned strata[PALETTE_STRATA]; ///< level layers of rock, from the lowest up; 0 ends the list
    float layered;          ///< how much of them shows where it is level; 1 where it is steep
    unsigned shallow, deep; ///< colours of water
} Palette;

/// By its place in the list; NULL after the last one. The first is the default.
const Palette* palette_at(int index);

/// Colour of plants and soil at a height.
Rgb palette_belt(const Palette* palette, float height);

/// Colour of the layer of rock at a height; `thin` (-1..1) is a layer within it.
Rgb palette_stratum(const Palette* palette, float height, float thin);

#endif
