// SPDX-License-Identifier: MIT
/// All that is needed to say what a ray sees.
#ifndef STAGE_H
#define STAGE_H

#include "drape.h"
#include "horizon.h"
#include "land.h"
#include "sky.h"

typedef struct Stage {
    Land* land;
    Drape drape;
    Daylight daylight;
    Sky sky;
    unsigned overlays;
    double size;  ///< of the land, its diagonal [m]
    bool outside; ///< floor and sky around the land are drawn
} Stage;

GullyStatus stage_create(const GullyScenery* scenery, const GullyRenderDef* def, Pool* pool,
                         Stage* out);
void stage_destroy(Stage* stage);

/// Light that comes from where the surface is met, seen along a direction (a unit vector [m]).
Rgb stage_surface(const Stage* stage, Vec at, Vec direction);

/// The ground of a place with the light on it, without water.
Rgb stage_ground(const Stage* stage, Place place);

/// Water over lit ground. `depth` [m], not exaggerated; `at` is on its surface.
Rgb stage_water(const Stage* stage, Place place, Vec at, Vec direction, float depth, Rgb ground);

/// The earth that shows where the land is cut.
Rgb stage_wall(const Stage* stage, const Hit* hit, Vec direction);

/// What is seen along a ray, with the air in between.
Rgb stage_look(const Stage* stage, Vec from, Vec direction);

#endif
