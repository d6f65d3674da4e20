// SPDX-License-Identifier: MIT
/// Values that a scene combines out of generators and rasters: the heights of a terrain, the
/// thickness of a layer, what is there at the start.
#ifndef SCENE_GENERATE_H
#define SCENE_GENERATE_H

#include "gully/generate.h"
#include "gully/raster.h"
#include "scene_view.h"

enum { SCENE_LAYERS = 32 }; // of a combination, at most

// ---- a raster -----------------------------------------------------------------------------------

typedef struct SceneRaster {
    const char* file;           // NULL = none
    bool has_scale, has_offset; // or what the file says
    double scale, offset;       // of the file's values
    GullyReadDef read;          // what else the scene says of them
} SceneRaster;

/// Adds the keys of a raster of heights beside `file`: `scale`, `offset`, and what a reader can be
/// told (GULLY_READ_TABLE).
void scene_raster_names(SceneNames* names);

/// These keys and `file` of an object, whose keys have been checked.
GullyStatus scene_raster_read(const SceneView* view, const ScenePath* path, const json_t* object,
                              SceneRaster* out);

// ---- a generator --------------------------------------------------------------------------------

/// The kind that stands as `generate` in the object.
GullyStatus scene_kind_read(const SceneView* view, const ScenePath* path, const json_t* object,
                            const char** out);

// ---- a combination ------------------------------------------------------------------------------

/// Layers of generators and rasters; the strings belong to the document.
typedef struct SceneCombined {
    GullyGenerateLayer layers[SCENE_LAYERS]; // without the values of rasters
    SceneRaster files[SCENE_LAYERS];         // of the layers
    SceneRaster masks[SCENE_LAYERS];         // of their masks
    int count;                               // 0 = none
    bool list;                               // "combine": [...]; else one layer, the object itself
} SceneCombined;

/// What a layer has if it does not say. The layers' seeds count up from this one.
typedef struct SceneLayerDefaults {
    int seed;
    double relief; // of factors it is 1
} SceneLayerDefaults;

/// The list that stands as `combine` in an object, whose keys have been checked.
GullyStatus scene_combined_read(const SceneView* view, const ScenePath* path, const json_t* object,
                                SceneLayerDefaults defaults, SceneCombined* out);

/// An object that is one generator, with or without a mask.
GullyStatus scene_combined_read_one(const SceneView* view, const ScenePath* path,
                                    const json_t* object, SceneLayerDefaults defaults,
                                    SceneCombined* out);

/// Whether one of its masks looks at heights or slopes.
bool scene_combined_looks(const SceneCombined* combined);

/// Where a layer stands in a combination that stands at `path`.
ScenePath scene_layer_path(const SceneCombined* combined, const ScenePath* path, int index);

#endif
