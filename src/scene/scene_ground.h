// SPDX-License-Identifier: MIT
/// The part of a scene that makes the world: terrain, cell size, materials, what is there at the
/// start.
#ifndef SCENE_GROUND_H
#define SCENE_GROUND_H

#include "gully/world.h"
#include "scene_generate.h"
#include "scene_materials.h"
#include "scene_start.h"

/// The strings belong to the document. It stays where it was read.
typedef struct SceneGround {
    SceneRaster raster;           // the terrain is one of: a raster,
    SceneCombined combined;       // layers,
    const char* kind;             // a generator
    GullyGenerateParams generate; // of that; of layers the size, which is 0 if it is not given
    bool has_cell;                // or what the file says
    double cell_x, cell_y;        // [m]; known if given or generated
    bool half;                    // precision
    size_t memory;                // that the world may take [bytes]; 0 = as usual
    const char* scratch;          // folder for the rest of it; NULL = as usual
    const GullyRanks* ranks;      // that share it; NULL = none
    SceneMaterials materials;
    SceneStart start; // with names that are the materials'
} SceneGround;

GullyStatus scene_ground_read(const SceneView* view, SceneGround* out);

enum { SCENE_NOTES = sizeof((GullyRaster){0}.notes) }; // bytes

/// Makes the world. `folder` is where relative paths start; the georeference is the caller's. What
/// reading the terrain has to say goes to `notes`, SCENE_NOTES bytes.
GullyStatus scene_ground_make(const SceneView* view, const SceneGround* ground, const char* folder,
                              GullyWorld** world, GullyGeoreference* georeference, char* notes);

#endif
