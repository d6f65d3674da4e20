// SPDX-License-Identifier: MIT
/// One run of a scene, from its file to its outputs: what `run` and `demo` share.
#ifndef GULLY_CLI_SESSION_H
#define GULLY_CLI_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "backend_options.h"
#include "background.h"
#include "frames.h"
#include "gully/picture.h"
#include "gully/raster.h"
#include "gully/scene.h"
#include "gully/sim.h"
#include "gully/world.h"
#include "output_choice.h"

/// A picture to take on the way.
typedef struct Snapshot {
    const char* file; ///< its name in the output folder; NULL ends a list
    const char*
        phase; ///< taken when the first phase of this name ends; NULL = before the first step
} Snapshot;

typedef struct SessionRequest {
    const char* scene;    ///< path of the scene file; of a built-in scene its name in messages
    const char* built_in; ///< text of a built-in scene; NULL = read the file
    bool standard;        ///< that text came from standard input
    const char* const* sets;
    int set_count;
    int64_t steps;              ///< < 0 = as the scene says
    int threads;                ///< 0 = one per processor
    BackendChoice backend;      ///< what steps
    const char* folder;         ///< of the outputs
    const Snapshot* snapshots;  ///< or NULL
    const FrameRequest* frames; ///< or NULL
    bool checkpoints;           ///< Ctrl-C writes one, and a run that is done removes them
    int64_t checkpoint_every;   ///< steps; 0 = only then
    bool resume;                ///< from the newest in the folder
    OutputChoice outputs;       ///< what is written
    size_t memory;              ///< of the world [bytes]; 0 = as the scene says
    const char* scratch;        ///< folder for what does not fit; NULL = that of the outputs
    bool outputs_named;         ///< by the user
    bool quiet;
    bool dry_run; ///< check everything, say what would be run, and run and write nothing
    bool json;    ///< the report on stdout instead of the summary
} SessionRequest;

typedef struct Picture {
    const char* file;
    GullyPreview* preview; ///< what it shows; NULL when it is drawn
    void* bytes;           ///< the PNG
    size_t size;
    Job job; ///< that draws it
} Picture;

/// A field that a run writes, as NAME.tif.
typedef struct SessionField {
    GullyField field;
    char name[16 + GULLY_MATERIAL_NAME]; ///< also in the report
    uint64_t hash;                       ///< at the end
} SessionField;

enum { SESSION_FIELDS = 8 + GULLY_MAX_MATERIALS, SESSION_PICTURES = 8 };

/// Where the time went, by the clock on the wall [s].
typedef struct SessionTimes {
    double start;    ///< until the first step: reading or generating, checking, allocating
    double simulate; ///< from the first step to the last, with taking what pictures show
    double write;    ///< all files but the report
} SessionTimes;

typedef struct Checkpoints Checkpoints;

struct Session {
    const SessionRequest* request;
    const GullyRanks* ranks; ///< that share the run
    char disk[4096];         ///< folder of the scratch file
    GullyScene* scene;
    GullyWorld* world;
    GullySim* sim;
    GullySimDevice device;  ///< as it was after the last steps
    Background* background; ///< draws and writes, with as many threads as the simulation has
    Frames* frames;         ///< NULL = none
    GullyGeoreference georeference;
    int phase;                ///< the present one
    int64_t* phase_steps;     ///< steps done in each phase
    Checkpoints* checkpoints; ///< NULL = none are kept
    bool resumed;             ///< from a checkpoint,
    int64_t resumed_from;     ///< of this step
    bool saved;               ///< in a last one, when it was interrupted
    int64_t valid_cells;
    int lock;         ///< descriptor of the folder, which no other run writes into meanwhile; -1
    double wall_time; ///< spent in steps [s], also before the run was resumed
    SessionTimes times;
    char last_words[512]; ///< when mpirun ends all ranks
    int asked;            ///< how often the user has asked to stop, on any rank
    bool interrupted;
    Picture pictures[SESSION_PICTURES];
    int picture_count;
    SessionField fields[SESSION_FIELDS];
    int field_count;
    GullyBudget budget; ///< at the end
    GullyLevels levels; ///< at the end
    /// Volumes of the materials, before the first step and at the end [m3]. The bedrock has no
    /// bottom: its volume is that above height 0, and only the change of it says anything.
    double materials_before[GULLY_MAX_MATERIALS], materials_after[GULLY_MAX_MATERIALS];
};

/// Does all of it and says so; returns an exit code.
int session_run(const SessionRequest* request);

/// Whether other processes share the run; and whether this one speaks and writes for all.
bool session_shares(const Session* session);
bool session_speaks(const Session* session);

/// Adds up how much there is of each material [m3].
void session_weigh(const Session* session, double volumes[GULLY_MAX_MATERIALS]);

#endif
