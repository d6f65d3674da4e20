// SPDX-License-Identifier: MIT
/// What is there at the start beside the terrain: `initial` and `layers`, each of them a number, a
/// raster of the terrain's size, or what generators make.
#ifndef SCENE_START_H
#define SCENE_START_H

#include "gully/world.h"
#include "scene_generate.h"
#include "scene_materials.h"
#include "scene_view.h"

enum { SCENE_MAPS = 2 }; // uplift, rain

/// Water, sediment, hardness; layers; maps.
enum { SCENE_STARTS = 3 + GULLY_MAX_MATERIALS - 1 + SCENE_MAPS };

/// A field that can be given. The strings are those of the document and of the materials.
typedef struct SceneStartField {
    const char* section; // "initial", "params", "layers"
    const char* name;    // its key there
    GullyField field;
    double fallback;  // what a new world has
    double low, high; // both allowed
    const char* unit;
    double value;
    const char* file; // instead of the value; NULL = none
} SceneStartField;

typedef struct SceneStart {
    SceneStartField fields[SCENE_STARTS];
    SceneCombined combined[SCENE_STARTS]; // instead of the field's value, unless it has no layers
    int count, first_map;
    char* maps[SCENE_MAPS]; // names of files, our own
} SceneStart;

GullyStatus scene_start_read(const SceneView* view, const SceneMaterials* materials,
                             SceneStart* out);

/// Adds the rasters that give parameters of a scene or of one of its phases: those of `root`. There is
/// one of each in a run.
GullyStatus scene_start_add_maps(const SceneView* view, const json_t* root, SceneStart* out);

/// Frees what they took.
void scene_start_free(SceneStart* start);

/// Puts all of it into the world, which has its materials.
GullyStatus scene_start_make(const SceneView* view, const SceneStart* start, const char* folder,
                             GullyWorld* world);

#endif
