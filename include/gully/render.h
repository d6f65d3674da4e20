// SPDX-License-Identifier: MIT
/// Pictures for people to look at: shaded relief and perspective views, with sun, sky and water.
///
/// A picture does not depend on the number of threads that draw it.
#ifndef GULLY_RENDER_H
#define GULLY_RENDER_H

#include <stdbool.h>
#include <stddef.h>

#include "gully/params.h"
#include "gully/status.h"
#include "gully/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The longest side of a picture [pixels].
#define GULLY_RENDER_SIDE 16384

// clang-format off
/// Where one looks from, where the sun stands, and how tall things are. Azimuths are degrees of the
/// compass: 0 = north, the first row; 90 = east.
#define GULLY_RENDER_PARAMS(X) \
    X(number, azimuth,       205, -360, 360, "deg", "where the camera stands, seen from the middle of the terrain") \
    X(number, elevation,     28,  1,    90,  "deg", "how high it stands above the horizon") \
    X(number, distance,      1,   0.02, 100, "",    "how far away it is; at 1 the whole terrain just fits the picture") \
    X(number, field_of_view, 30,  1,    120, "deg", "height of the view") \
    X(number, sun_azimuth,   300, -360, 360, "deg", "where the sun stands") \
    X(number, sun_elevation, 30,  1,    90,  "deg", "how high it stands") \
    X(number, exaggerate,    1,   0.01, 100, "",    "multiplies heights") \
    X(number, haze,          1,   0,    100, "",    "how much air lies between the camera and what is far away")
// clang-format on

typedef enum GullyRenderView {
    GULLY_VIEW_RELIEF,      ///< from straight above, north up, without perspective
    GULLY_VIEW_PERSPECTIVE, ///< a block of land, cut at its sides
} GullyRenderView;

/// What is painted over the ground, as bits.
typedef enum GullyOverlay {
    GULLY_OVERLAY_SEDIMENT = 1 << 0,  ///< suspended sediment: green
    GULLY_OVERLAY_DEPOSIT = 1 << 1,   ///< what water left, where that is more than it took: red
    GULLY_OVERLAY_FLOW = 1 << 2,      ///< mean discharge: blue
    GULLY_OVERLAY_WEAR = 1 << 3,      ///< what water took: orange
    GULLY_OVERLAY_MATERIALS = 1 << 4, ///< the ground in the colours of its materials
    GULLY_OVERLAY_SLOPE = 1 << 5,     ///< the ground by its steepness, from green to red
} GullyOverlay;

typedef struct GullyRenderDef {
    int made;          ///< GULLY_DEF_MADE: set by gully_render_def()
    int width, height; ///< of the picture [pixels], 1 to GULLY_RENDER_SIDE
    GullyRenderView view;
    unsigned overlays; ///< bits of GullyOverlay; none by default
    int palette;       ///< place of a palette in the list: gully_palette_name; 0 by default
    int threads;       ///< 0 = one per processor. Never changes a picture
    GULLY_RENDER_PARAMS(GULLY_PARAM_MEMBER)
} GullyRenderDef;

/// A perspective view with every member at its default.
GULLY_API GullyRenderDef gully_render_def(int width, int height);

/// The numbers of a definition, as rows.
GULLY_API const GullyParamTable* gully_render_table(void);

/// The name of an overlay ("sediment", ...) by its place, from 0; NULL after the last.
GULLY_API const char* gully_overlay_name(int index);

enum { GULLY_PALETTE_BELTS = 8, GULLY_PALETTE_STRATA = 12 };

/// The colours of a kind of land: what grows where, what rock and water are like. Colours are
/// 0xRRGGBB; heights are shares of the relief, from the lowest (0) to the highest (1).
typedef struct GullyPalette {
    const char* name;    ///< "alpine"
    const char* summary; ///< one line
    struct {
        float height;
        unsigned color;
    } belts[GULLY_PALETTE_BELTS]; ///< plants and soil by height; the last one is at height 1
    unsigned rock, dark_rock, soil, gravel, meadow, snow;
    float moist;     ///< how much water colours its banks, 0..1
    float river;     ///< how much beds of rivers look like water where they are dry, 0..1
    float bare;      ///< steepness from which rock shows, over that of one slope in ten
    float gravelled; ///< how much deposits show, 0..1
    float snow_line; ///< where snow begins; above 1.2 = nowhere
    unsigned strata[GULLY_PALETTE_STRATA]; ///< level layers of rock, from the lowest up; 0 ends it
    float layered;          ///< how much of them shows where it is level; 1 where it is steep
    unsigned shallow, deep; ///< colours of water
} GullyPalette;

/// By its place in the list; NULL after the last one. The first is the default.
GULLY_API const GullyPalette* gully_palette_info(int index);

/// The name of a palette, the colours of a kind of land ("alpine", ...), by its place, from 0, and
/// what it is for; NULL after the last.
GULLY_API const char* gully_palette_name(int index);
GULLY_API const char* gully_palette_summary(int index);

/// What a picture shows, as arrays. All but the terrain may be NULL: then there is none of it.
typedef struct GullyRenderInput {
    int width, height;                      ///< in cells
    double cell_x, cell_y;                  ///< cell size [m]
    const float* fields[GULLY_FIELD_COUNT]; ///< as gully_world_read gives them; NaN = no ground.
                                            ///< Hardness and velocities are not looked at
    const GullyMaterial* materials;         ///< of the layers, bottom to top
    int material_count;
} GullyRenderInput;

/// What a picture shows, taken at one moment, so that it can be drawn on another thread while the
/// world changes. Has as many cells as pictures of that size can show, at most.
typedef struct GullyScenery GullyScenery;
GULLY_API GullyStatus gully_scenery_create(const GullyRenderInput* input, const GullyRenderDef* def,
                                           GullyScenery** out);
GULLY_API GullyStatus gully_scenery_take(const GullyWorld* world, const GullyRenderDef* def,
                                         GullyScenery** out);
GULLY_API void gully_scenery_destroy(GullyScenery* scenery); ///< NULL is allowed

/// Lets the camera stand where it stands for another moment of the same world: for animations.
GULLY_API void gully_scenery_match(GullyScenery* scenery, const GullyScenery* first);

/// Draws it: width * height * 3 bytes of RGB. Fails for a number that is out of range and for lack
/// of memory. What has no ground is not drawn.
GULLY_API GullyStatus gully_render(const GullyScenery* scenery, const GullyRenderDef* def,
                                   unsigned char* rgb);

/// Draws it as PNG in memory; free(*bytes).
GULLY_API GullyStatus gully_render_encode(const GullyScenery* scenery, const GullyRenderDef* def,
                                          void** bytes, size_t* size);

/// Writes it as a scene for POV-Ray, seen as in the perspective view: `path`, and beside it, with
/// names that begin like its own, the heights as PGM of 16 bits and the colours as PNG.
GULLY_API GullyStatus gully_render_povray(const GullyScenery* scenery, const GullyRenderDef* def,
                                          const char* path);

#ifdef __cplusplus
}
#endif

#endif
