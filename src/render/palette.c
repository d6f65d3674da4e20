// SPDX-License-Identifier: MIT
#include "palette.h"

// clang-format off
static const GullyPalette palettes[] = {
    {"alpine", "meadows, rock and snow: mountains of a mild climate",
     {{0.00f, 0x59633a}, {0.18f, 0x4d5a32}, {0.40f, 0x5f6238}, {0.60f, 0x7b7350},
      {0.78f, 0x877b66}, {0.90f, 0x8f877b}, {1.00f, 0x98928a}},
     .rock = 0x857a6d, .dark_rock = 0x5b534b, .soil = 0x6e5a40, .gravel = 0x9c8c6c,
     .meadow = 0x465c2e, .snow = 0xf4f6f8, .moist = 0.5f, .bare = 0.62f, .gravelled = 0.75f,
     .snow_line = 0.86f, .shallow = 0x2f6f84, .deep = 0x0a2a48},
    {"highland", "forests below, grey walls and much snow above: a high range",
     {{0.00f, 0x3d4a2c}, {0.20f, 0x36442a}, {0.38f, 0x465031}, {0.52f, 0x666448},
      {0.66f, 0x7c7768}, {1.00f, 0x8f8d88}},
     .rock = 0x7d7a76, .dark_rock = 0x4c4a49, .soil = 0x6a604f, .gravel = 0x9a968c,
     .meadow = 0x47592f, .snow = 0xf6f8fb, .moist = 0.4f, .river = 0.4f,
     .bare = 0.6f, .gravelled = 0.35f,
     .snow_line = 0.7f, .shallow = 0x3f727c, .deep = 0x123a50},
    {"valley", "fields and woods: a river's valley",
     {{0.00f, 0x6e7148}, {0.12f, 0x656b42}, {0.30f, 0x515b36}, {0.60f, 0x434f30},
      {0.85f, 0x51563a}, {1.00f, 0x66664a}},
     .rock = 0x8a8069, .dark_rock = 0x625a48, .soil = 0x77653f, .gravel = 0xb0a276,
     .meadow = 0x5f7040, .snow = 0xf4f6f8, .moist = 0.6f, .river = 0.95f,
     .bare = 0.95f, .gravelled = 0.3f,
     .snow_line = 2, .shallow = 0x3d7280, .deep = 0x14384c},
    {"badlands", "striped clay in grey, rose and ochre, hardly a plant",
     {{0.00f, 0xa39a84}, {0.40f, 0xa0947c}, {1.00f, 0x9c917a}},
     .rock = 0xb59c7e, .dark_rock = 0x8d6f58, .soil = 0x8e7c66, .gravel = 0xaea48c,
     .meadow = 0x8f8a60, .snow = 0xf4f6f8, .moist = 0.25f, .river = 0.3f,
     .bare = 0.5f, .gravelled = 0.45f,
     .snow_line = 2,
     .strata = {0x948674, 0x80685a, 0xa39884, 0x785a50, 0x9a8e7c, 0xaba18e, 0x866758, 0x9f9480,
                0x7d6a5e, 0xa89d88},
     .layered = 0.8f, .shallow = 0x8a7a58, .deep = 0x5d5138},
    {"canyon", "red and cream rock in level layers, scrub on the benches",
     {{0.00f, 0x8c7557}, {0.30f, 0x8a6f51}, {0.70f, 0x7d6a4b}, {1.00f, 0x66633f}},
     .rock = 0x8c5d46, .dark_rock = 0x5e3a2c, .soil = 0x86644b, .gravel = 0xa58c6c,
     .meadow = 0x6b7040, .snow = 0xf4f6f8, .moist = 0.35f, .river = 0.9f,
     .bare = 0.45f, .gravelled = 0.4f,
     .snow_line = 2,
     .strata = {0x5f463a, 0x7a5140, 0x8d5a41, 0xa57c5e, 0x7f4a38, 0x966447, 0xb59b7c, 0x87513b,
                0xa67f60, 0xb8a488},
     .layered = 0.25f, .shallow = 0x6f7f62, .deep = 0x3c4f42},
    {"volcanic", "green flanks, black lava and ash above, a blue sea around",
     {{0.00f, 0xb8a884}, {0.03f, 0x6a7a3c}, {0.10f, 0x3e5a2c}, {0.35f, 0x35502a},
      {0.58f, 0x4f5534}, {0.76f, 0x5a4f44}, {1.00f, 0x4e4540}},
     .rock = 0x5d5148, .dark_rock = 0x37312d, .soil = 0x6a4a38, .gravel = 0x857a68,
     .meadow = 0x3a6430, .snow = 0xf4f6f8, .moist = 0.5f, .river = 0.6f,
     .bare = 0.72f, .gravelled = 0.25f,
     .snow_line = 2, .shallow = 0x2f8a9a, .deep = 0x083058},
    {"desert", "ochre sand and brown, varnished rock",
     {{0.00f, 0xcfae7c}, {0.40f, 0xcbA674}, {1.00f, 0xb8906a}},
     .rock = 0x9a7356, .dark_rock = 0x6a4b3a, .soil = 0xb08c63, .gravel = 0xd4b989,
     .meadow = 0x9a8f5a, .snow = 0xf4f6f8, .moist = 0.3f, .bare = 0.8f, .gravelled = 0.5f,
     .snow_line = 2, .shallow = 0x5f8a80, .deep = 0x2f5250},
    {"tundra", "moss and lichen on bare ground, snow that stays in the heights",
     {{0.00f, 0x6b6a4a}, {0.15f, 0x6d6442}, {0.35f, 0x77694c}, {0.55f, 0x7c746a},
      {1.00f, 0x86827e}},
     .rock = 0x77736f, .dark_rock = 0x4d4a49, .soil = 0x5f5444, .gravel = 0x8d887e,
     .meadow = 0x5e6638, .snow = 0xf3f6fa, .moist = 0.6f, .river = 0.5f,
     .bare = 0.55f, .gravelled = 0.5f,
     .snow_line = 0.55f, .shallow = 0x4a7480, .deep = 0x16364a},
    {"tropic", "forest up to the summits, red earth where it is open, turquoise shallows",
     {{0.00f, 0xd8c89a}, {0.025f, 0x5b7a34}, {0.12f, 0x2f5a26}, {0.45f, 0x2a5226},
      {0.80f, 0x3c5c2e}, {1.00f, 0x566038}},
     .rock = 0x6a6058, .dark_rock = 0x40392f, .soil = 0x8a4a2c, .gravel = 0xb59a6e,
     .meadow = 0x3f7a2c, .snow = 0xf4f6f8, .moist = 0.5f, .river = 0.7f,
     .bare = 1.05f, .gravelled = 0.3f,
     .snow_line = 2, .shallow = 0x38b0a8, .deep = 0x06486a},
};
// clang-format on

const GullyPalette* gully_palette_info(int index) {
    return index >= 0 && index < (int)(sizeof palettes / sizeof palettes[0]) ? &palettes[index]
                                                                             : NULL;
}

const char* gully_palette_name(int index) {
    const GullyPalette* palette = gully_palette_info(index);
    return palette ? palette->name : NULL;
}

const char* gully_palette_summary(int index) {
    const GullyPalette* palette = gully_palette_info(index);
    return palette ? palette->summary : NULL;
}

Rgb palette_belt(const GullyPalette* palette, float height) {
    int k = 1;
    while (palette->belts[k].height < 1 && height > palette->belts[k].height)
        k++;
    float low = palette->belts[k - 1].height;
    float share = clampf((height - low) / (palette->belts[k].height - low), 0, 1);
    return rgb_mix(rgb_of(palette->belts[k - 1].color), rgb_of(palette->belts[k].color), share);
}

Rgb palette_stratum(const GullyPalette* palette, float height, float thin) {
    int count = 0;
    while (count < GULLY_PALETTE_STRATA && palette->strata[count])
        count++;
    float place = clampf(height, 0, 0.9999f) * (float)count;
    int k = (int)place, above = k + 1 < count ? k + 1 : k;
    float share = ramp(place - (float)k, 0.75f, 1); // most of a layer has one colour
    Rgb color = rgb_mix(rgb_of(palette->strata[k]), rgb_of(palette->strata[above]), share);
    return rgb_scale(color, 1 + 0.16f * thin);
}
