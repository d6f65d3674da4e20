// SPDX-License-Identifier: MIT
/// What the ground is made of: the scene's `materials`, bottom to top.
#ifndef SCENE_MATERIALS_H
#define SCENE_MATERIALS_H

#include "gully/sim.h"
#include "gully/world.h"
#include "scene_view.h"

typedef struct SceneMaterials {
    GullyMaterial items[GULLY_MAX_MATERIALS];
    int count; // 0 = the scene has none: one material that has no name
} SceneMaterials;

GullyStatus scene_materials_read(const SceneView* view, SceneMaterials* out);

/// Refuses materials that the model of these settings, or an add-on that is on, does not know.
GullyStatus scene_materials_check(const SceneView* view, const SceneMaterials* materials,
                                  const GullySettings* settings);

/// Gives them to the world.
GullyStatus scene_materials_make(const SceneView* view, const SceneMaterials* materials,
                                 GullyWorld* world);

#endif
