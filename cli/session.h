/// One run of a scene, from its file to its outputs: what `run` and `demo` share.
#ifndef GULLY_CLI_SESSION_H
#define GULLY_CLI_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "gully/raster.h"
#include "gully/scene.h"
#include "gully/sim.h"
#include "gully/world.h"

/// A picture to take on the way.
typedef struct Snapshot {
    const char* file; ///< its name in the output folder; NULL ends a list
    const char*
        phase; ///< taken when the first phase of this name ends; NULL = before the first step
} Snapshot;

typedef struct SessionRequest {
    const char* scene;    ///< path of the scene file; of a built-in scene its name in messages
    const char* built_in; ///< text of a built-in scene; NULL = read the file
    const char* const* sets;
    int set_count;
    int64_t steps;             ///< < 0 = as the scene says
    int threads;               ///< 0 = one per processor
    const char* folder;        ///< of the outputs
    const Snapshot* snapshots; ///< or NULL
    bool quiet;
    bool json; ///< the report on stdout instead of the summary
} SessionRequest;

typedef struct Picture {
    const char* file;
    int width, height;
    unsigned char* rgb;
} Picture;

enum { SESSION_PICTURES = 8 };

typedef struct Session {
    const SessionRequest* request;
    GullyScene* scene;
    GullyWorld* world;
    GullySim* sim;
    GullyGeoreference georeference;
    int64_t* phase_steps; ///< steps done in each phase
    int64_t valid_cells;
    double wall_time; ///< spent in steps [s]
    bool interrupted;
    Picture pictures[SESSION_PICTURES];
    int picture_count;
} Session;

/// The fields that a run writes, as NAME.tif.
extern const GullyField session_fields[];
extern const int session_field_count;

/// Does all of it and says so; returns an exit code.
int session_run(const SessionRequest* request);

#endif
