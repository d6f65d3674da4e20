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

/// Reads the file; `folder` is where relative paths start. A failure is blamed on the path's
/// `file`.
GullyStatus scene_raster_load(const SceneView* view, const ScenePath* path, const char* folder,
                              const SceneRaster* raster, GullyRaster* out);

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

/// The rasters of a combination; of a layer without one there are no values.
typedef struct SceneRasters {
    GullyRaster layers[SCENE_LAYERS];
    GullyRaster masks[SCENE_LAYERS];
} SceneRasters;

/// Reads all rasters. Free them, also if it fails.
GullyStatus scene_rasters_load(const SceneView* view, const ScenePath* path, const char* folder,
                               const SceneCombined* combined, SceneRasters* out);
void scene_rasters_free(SceneRasters* rasters);

/// Combines: `def` has the size, the cells and the ground. The rasters must be of that size.
GullyStatus scene_combined_make(const SceneView* view, const ScenePath* path,
                                const SceneCombined* combined, const SceneRasters* rasters,
                                GullyGenerateDef def, float* values);

#endif
