// SPDX-License-Identifier: MIT
/// Rows of cells that a scene asks for, made a band at a time: of a raster, or combined out of
/// generators and rasters.
#ifndef SCENE_ROWS_H
#define SCENE_ROWS_H

#include "gully/world.h"
#include "raster_ahead.h"
#include "scene_generate.h"

// ---- a raster -----------------------------------------------------------------------------------

/// An open raster; all zero is none.
typedef struct SceneFile {
    const SceneView* view;
    ScenePath place; // what failures are blamed on
    RasterAhead* ahead;
    bool fill;   // nodata counts as 0
    bool failed; // a failure has been blamed already
} SceneFile;

/// Opens a raster; `folder` is where relative paths start. Failures are blamed on the path's `file`.
GullyStatus scene_file_open(const SceneView* view, const ScenePath* path, const char* folder,
                            const SceneRaster* raster, SceneFile* out);
void scene_file_close(SceneFile* file);
GullyRows scene_file_rows(SceneFile* file);

/// Fails if it is not of that size.
GullyStatus scene_file_check(const SceneFile* file, const char* name, int width, int height);

// ---- a combination ------------------------------------------------------------------------------

typedef struct SceneCombining {
    const SceneView* view;
    ScenePath path;
    SceneFile layers[SCENE_LAYERS], masks[SCENE_LAYERS];
    int width, height;
    GullyGeneration* generation;
} SceneCombining;

/// Opens the rasters of a combination; with `fill` nodata of its layers counts as 0. End it, also if
/// it fails.
GullyStatus scene_combining_open(const SceneView* view, const ScenePath* path, const char* folder,
                                 const SceneCombined* combined, bool fill, SceneCombining* out);

/// Begins to combine: `def` has the size, the cells, the ground and what may be kept. The rasters
/// must be of that size.
GullyStatus scene_combining_begin(SceneCombining* combining, const SceneCombined* combined,
                                  GullyGenerateDef def);
void scene_combining_end(SceneCombining* combining);
GullyRows scene_combining_rows(SceneCombining* combining);

// ---- a world ------------------------------------------------------------------------------------

/// The terrain of a world as rows.
GullyRows scene_world_rows(GullyWorld* world);

/// Lets a generation make the rows that this rank keeps of a world.
void scene_rows_share(GullyGenerateDef* def, const GullyWorld* world);

/// The terrain of a world as rows, with some that other ranks keep.
typedef struct SceneLand {
    GullyWorld* world;
    int reach;               // rows beyond the own ones, to either side
    float *north, *south;    // they
    GullyRect before, after; // where they are
} SceneLand;

/// Reads what lies beyond the own rows; all ranks do so together. Close it, also if it fails.
GullyStatus scene_land_open(GullyWorld* world, int reach, SceneLand* out);
void scene_land_close(SceneLand* land);
GullyRows scene_land_rows(SceneLand* land);

#endif
