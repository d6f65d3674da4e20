// SPDX-License-Identifier: MIT
/// A scene file: terrain, law, parameters, phases. SCENE.md is its contract.
#ifndef GULLY_SCENE_H
#define GULLY_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include "gully/raster.h"
#include "gully/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct GullyScene GullyScene;

/// One phase of a run: `steps` steps with these settings.
typedef struct GullyPhase {
    const char* name; ///< "" if it has none
    int64_t steps;
    const GullySettings* settings;
} GullyPhase;

/// Reads and checks a scene file; nothing else is touched, not even the terrain it names.
/// `sets` are `count` texts KEY=VALUE that change the scene before it is checked, as of `--set`:
/// the key is a path with dots, the value JSON or else a plain string.
/// Every message names file, line, key and what is allowed.
GULLY_API GullyStatus gully_scene_load(const char* path, const char* const* sets, int count,
                                       GullyScene** out);

/// The same from text; `name` stands for the file in messages, `folder` is where relative paths start.
GULLY_API GullyStatus gully_scene_parse(const char* text, size_t length, const char* name,
                                        const char* folder, const char* const* sets, int count,
                                        GullyScene** out);

GULLY_API void gully_scene_destroy(GullyScene* scene);

GULLY_API uint64_t gully_scene_seed(const GullyScene* scene);

/// Where its relative paths start; "" = where the program was started.
GULLY_API const char* gully_scene_folder(const GullyScene* scene);

/// The phases with `repeat` already multiplied out, so that running them in order is all there is
/// to do. A scene with plain `steps` is one phase.
GULLY_API int gully_scene_phase_count(const GullyScene* scene);
GULLY_API const GullyPhase* gully_scene_phase(const GullyScene* scene, int index);
GULLY_API int64_t gully_scene_steps(const GullyScene* scene);

/// Makes all of it `steps` long: later phases are cut or dropped, the last one lengthened.
GULLY_API GullyStatus gully_scene_set_steps(GullyScene* scene, int64_t steps);

/// The scene as it will be run, with every --set in it, as JSON. Free the text with free().
GULLY_API char* gully_scene_text(const GullyScene* scene);

/// Says how much memory the world of a scene may take, in bytes (0 = as the scene says, or as usual),
/// and which folder keeps what does not fit (NULL = the system's; it must stay). To be called before
/// gully_scene_world. Never changes a result.
GULLY_API void gully_scene_set_memory(GullyScene* scene, size_t memory, const char* scratch);

/// The processes that share the world; each of them makes its own rows. They stay while the scene does.
GULLY_API void gully_scene_set_ranks(GullyScene* scene, const GullyRanks* ranks);

/// Reads or generates the terrain and makes the world with its materials and layers, its initial
/// water, sediment and hardness. The georeference to give to outputs goes to `georeference`; its projection belongs to
/// the caller (free()).
GULLY_API GullyStatus gully_scene_world(const GullyScene* scene, GullyWorld** world,
                                        GullyGeoreference* georeference);

/// Does what the scene wants done to its world before the run, and before a simulation is created: with
/// "start": "coarse" the phases of the first model run on grids 8, 4 and 2 times coarser, each result
/// being the start of the next, and the last one that of the world. Without it, nothing. The result
/// does not depend on the number of threads (0 = one per processor).
GULLY_API GullyStatus gully_scene_start(const GullyScene* scene, GullyWorld* world, int threads);

/// Whether that does anything.
GULLY_API bool gully_scene_starts_coarse(const GullyScene* scene);

/// What reading the terrain did to its numbers or took for granted, a line each; "" before
/// `gully_scene_world`, and if there is nothing to say.
GULLY_API const char* gully_scene_notes(const GullyScene* scene);

#ifdef __cplusplus
}
#endif

#endif
