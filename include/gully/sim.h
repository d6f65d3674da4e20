// SPDX-License-Identifier: MIT
/// The simulation: laws that act on a world, step by step.
///
///     GullySettings* settings;            // which law, its parameters, rain, sources, sides, dt
///     gully_settings_create("pipe", &settings);
///     gully_settings_set_number(settings, "params.capacity", 0.6);
///     gully_settings_set_number(settings, "rain.rate", 1e-3);
///     GullySim* sim;
///     GullySimDef def = gully_sim_def();
///     gully_sim_create(world, settings, &def, &sim);
///     gully_sim_step(sim, 500);
///
/// The result does not depend on the number of threads or on the tile size, to the bit.
#ifndef GULLY_SIM_H
#define GULLY_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "gully/params.h"
#include "gully/world.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- laws ---------------------------------------------------------------------------------------

/// What a person should know of a law; the list comes from the table of laws.
typedef struct GullyLawInfo {
    const char* name;    ///< as in a scene: "pipe"
    const char* summary; ///< one line
    const char* source;  ///< where it comes from
    bool add_on; ///< runs after the model in each step, has a section of its own ("thermal")
    bool layers; ///< knows materials (gully_world_set_materials)
    bool still_water_erodes; ///< also where nothing flows
    /// Depends on the number of steps, not on their length alone: half the time step, twice as
    /// often, is something else.
    bool counts_steps;
    bool dry_only; ///< takes nothing from ground under water
    /// What a step is made of, if that can be chosen (gully_settings_set_cycle): "rain|erode|...",
    /// in the order of the default cycle; else NULL.
    const char* operators;
    const char* time_unit; ///< of dt and all times of a simulation with it: "s" or "years"
    double dt;             ///< time step if none is chosen, in that unit; 0 = by its stable limit
    const GullyParamTable* params;
} GullyLawInfo;

GULLY_API int gully_law_count(void);

/// The law of that number, NULL beyond the last; valid for the life of the program.
GULLY_API const GullyLawInfo* gully_law_info(int index);

/// The law of that name, or NULL.
GULLY_API const GullyLawInfo* gully_law_find(const char* name);

// ---- settings -----------------------------------------------------------------------------------

/// Everything that may change between two phases of a run, in sections with a table each:
/// "params" (of the model), "thermal", "rain", "rain.drops", "rain.season", "boundary", and ""
/// (dt, allow_unstable); and a list of sources.
typedef struct GullySettings GullySettings;

/// Settings at their defaults: dry, closed sides, thermal off. `model` is a law's name.
GULLY_API GullyStatus gully_settings_create(const char* model, GullySettings** out);
GULLY_API GullyStatus gully_settings_copy(const GullySettings* settings, GullySettings** out);
GULLY_API void gully_settings_destroy(GullySettings* settings);

GULLY_API const char* gully_settings_model(const GullySettings* settings);

/// Sets one value by its key: "params.capacity", "rain.drops.radius", "boundary.west", "dt".
/// Setting a key of an add-on's section ("thermal.rate") does not switch it on.
GULLY_API GullyStatus gully_settings_set_number(GullySettings* settings, const char* key,
                                                double value);
GULLY_API GullyStatus gully_settings_set_text(GullySettings* settings, const char* key,
                                              const char* text);

/// The struct of a section, to be cast to its type (GullyPipeParams for "params" of `pipe`, ...),
/// and its table if wanted; NULL for an unknown section. Values written directly are checked when
/// the settings are applied. Sections are enumerated by gully_settings_section_name(index), NULL
/// ends.
GULLY_API void* gully_settings_section(GullySettings* settings, const char* section,
                                       const GullyParamTable** table);
GULLY_API const char* gully_settings_section_name(const GullySettings* settings, int index);

/// Switches an add-on ("thermal") on or off.
GULLY_API GullyStatus gully_settings_switch(GullySettings* settings, const char* add_on, bool on);
GULLY_API bool gully_settings_is_on(const GullySettings* settings, const char* add_on);

/// The table of a source's parameters.
GULLY_API const GullyParamTable* gully_source_table(void);
GULLY_API GullyStatus gully_settings_add_source(GullySettings* settings, const GullySource* source);
GULLY_API void gully_settings_clear_sources(GullySettings* settings);
GULLY_API int gully_settings_source_count(const GullySettings* settings);
GULLY_API const GullySource* gully_settings_source(const GullySettings* settings, int index);

/// Says what a step of a law with operators is made of, in order: each entry is "NAME" or
/// "NAME*COUNT". `count` 0 = the default: each operator once.
GULLY_API GullyStatus gully_settings_set_cycle(GullySettings* settings, const char* const* entries,
                                               int count);

/// The largest stable time step of these settings on that grid [s]; 0 if the law has no limit.
GULLY_API double gully_settings_max_dt(const GullySettings* settings, double cell_x, double cell_y);

// ---- simulation ---------------------------------------------------------------------------------

typedef struct GullySim GullySim;

/// What steps a simulation: the processor, or a device (gully/device.h). Both give the same bits.
typedef enum GullyBackend {
    GULLY_CPU,  ///< the processor
    GULLY_GPU,  ///< a device; none that fits is an error
    GULLY_AUTO, ///< a GPU if there is one that fits, else the processor
} GullyBackend;

typedef struct GullySimDef {
    int made;             ///< GULLY_DEF_MADE: set by gully_sim_def()
    uint64_t seed;        ///< of raindrops and rain patterns
    GullyBackend backend; ///< default GULLY_CPU
    const char* device;   ///< part of a device's or platform's name; NULL = the first GPU that fits
    int threads;          ///< 0 = one per processor
    bool masks;           ///< keep GULLY_FLOW, GULLY_WEAR, GULLY_DEPOSIT; default on
    bool velocity;        ///< keep GULLY_VELOCITY_X and _Y; default off
    bool plain; ///< use the plain stepper, one cell at a time: slow, the same bits; for comparison
} GullySimDef;

GULLY_API GullySimDef gully_sim_def(void);

/// Starts a simulation on a world, which must outlive it; the settings are copied. One simulation
/// at a time on a world.
GULLY_API GullyStatus gully_sim_create(GullyWorld* world, const GullySettings* settings,
                                       const GullySimDef* def, GullySim** out);
GULLY_API void gully_sim_destroy(GullySim* sim);

/// Changes the settings between two steps: a new phase, a slider, another model. Another model takes
/// the world over as it is: ground, water, sediment, layers, wear and deposit. What it keeps for itself
/// begins anew, time counts from 0 in its unit, and the mean flow is that of its own steps.
/// If it fails, the simulation goes on as before, unless a disk fails while another model takes over.
GULLY_API GullyStatus gully_sim_apply(GullySim* sim, const GullySettings* settings);

/// Whether gully_sim_apply would accept these settings, as far as they and the world decide: nothing
/// is changed. For checking all phases of a run before the first.
GULLY_API GullyStatus gully_sim_check(const GullySim* sim,
                                      const GullySettings* settings) GULLY_MUST_CHECK;

/// Runs steps. Memory is allocated before, so that in a world that lies in memory a step does not
/// fail. If a device fails, the processor goes on from the last state that was brought back from
/// it. After a failure the fields are undefined: go back to a checkpoint.
GULLY_API GullyStatus gully_sim_step(GullySim* sim, int64_t steps) GULLY_MUST_CHECK;

/// Some models have work to do before their first step: `stream` finds ways for its water, which can
/// take as long as many steps. This runs at most `most` rounds of it, 0 for none, and says how many are left:
/// a caller that shows progress or can be stopped does it in pieces. gully_sim_step runs what is left. Results
/// do not depend on the pieces. A state taken in between goes on from there; changed settings or cells make
/// the rounds begin anew.
GULLY_API GullyStatus gully_sim_prepare(GullySim* sim, int64_t most,
                                        int64_t* left) GULLY_MUST_CHECK;

/// How many steps are computed together: multiples of it are fastest. Results do not depend on it,
/// except with levels: then gully_sim_step rounds numbers of steps up to multiples of it.
GULLY_API int gully_sim_block(const GullySim* sim);

/// Changes what steps, between any two steps: no bit of the results depends on it. On failure the
/// simulation goes on as before.
GULLY_API GullyStatus gully_sim_use(GullySim* sim, GullyBackend backend,
                                    const char* device) GULLY_MUST_CHECK;

/// Waits until programs that are being built for a device are ready; meanwhile the processor would
/// step.
GULLY_API void gully_sim_wait(GullySim* sim);

typedef enum GullyDeviceState {
    GULLY_STEPS_ON_CPU,    ///< no device was asked for, or none fits (message)
    GULLY_BUILDS_PROGRAMS, ///< the processor steps until the device's programs are built
    GULLY_STEPS_ON_DEVICE,
    GULLY_DEVICE_FAILED, ///< the processor has taken over (message)
} GullyDeviceState;

/// The device of a simulation, and what it does.
typedef struct GullySimDevice {
    GullyDeviceState state;
    char name[128];       ///< "" = none
    char driver[64];      ///< version of its driver
    char message[512];    ///< why no device steps, and what to do
    double build_seconds; ///< that compiling or loading its programs took
    int programs_built, programs_cached;
    size_t memory;           ///< of the world's fields on the device [bytes]
    int bytes_per_cell_step; ///< that kernels load and store in a step; 0 = not known yet
    int64_t steps;           ///< that devices have made; all others were the processor's
} GullySimDevice;

GULLY_API void gully_sim_device(const GullySim* sim, GullySimDevice* out);

GULLY_API int64_t gully_sim_steps(const GullySim* sim); ///< done so far
/// Simulated time since the model began, and the time step, in the unit of the model
/// (GullyLawInfo.time_unit).
GULLY_API double gully_sim_time(const GullySim* sim);
GULLY_API double gully_sim_dt(const GullySim* sim);
GULLY_API const char* gully_sim_model(const GullySim* sim); ///< in force
GULLY_API int gully_sim_threads(const GullySim* sim);
GULLY_API GullyWorld* gully_sim_world(const GullySim* sim);

/// Bytes of the fields that a step reads or writes once, and of all that the world has allocated.
GULLY_API size_t gully_sim_state_bytes(const GullySim* sim);
GULLY_API size_t gully_sim_allocated_bytes(const GullySim* sim);

// ---- levels -------------------------------------------------------------------------------------

enum { GULLY_LEVELS = 9 }; ///< the finest, 0, and 8 coarser ones

/// How fine a world was stepped (settings "levels.fixed" and others, docs/levels.md).
typedef struct GullyLevels {
    double share[GULLY_LEVELS]; ///< of the area, at each level now
    double cell_steps;          ///< cells times steps, each of its own level, so far
    double settled;  ///< what edges between levels had to settle, as a share of what crossed them
    double owed;     ///< water that was given twice there and is not paid back yet [m3]
    double error;    ///< that was asked for (levels.error)
    double expected; ///< error that the levels chosen for it make, by comparison of blocks
    int64_t changes; ///< tiles that went to another level for it
} GullyLevels;

GULLY_API GullyStatus gully_sim_levels(const GullySim* sim, GullyLevels* out) GULLY_MUST_CHECK;

/// The level of each tile, row by row, valid until the next step; tiles are squares of `tile` cells. NULL
/// and 0 if tiles have no levels of their own.
GULLY_API const unsigned char* gully_sim_tile_levels(const GullySim* sim, int* tile, int* tiles_x,
                                                     int* tiles_y);

/// Whether settings ask for levels, and whether their laws know them; the message says which does
/// not.
GULLY_API bool gully_settings_have_levels(const GullySettings* settings);
GULLY_API GullyStatus gully_settings_check_levels(const GullySettings* settings) GULLY_MUST_CHECK;

// ---- views --------------------------------------------------------------------------------------

/// Looking at a simulation while a device steps. Reading the world brings all cells back, and steps
/// wait for it. A view is a copy of some fields at one step that arrives while steps go on:
///
///     if (!gully_sim_view_begin(sim, fields, count)) ... // read the world: nothing waits for it
///     ... steps ...
///     const GullyView* view = gully_sim_view(sim); // NULL: not there yet
///     if (view) gully_view_read(view, GULLY_WATER, rect, water);
typedef struct GullyView GullyView;

/// Begins to copy fields as they are now, unless a copy is under way. False: no device is ahead of
/// the world, which can be read without waiting.
GULLY_API bool gully_sim_view_begin(GullySim* sim, const GullyField* fields, int count);

/// The newest view that has arrived, if the world itself cannot be read without waiting; else NULL.
/// It stays as it is until two more have been begun.
GULLY_API const GullyView* gully_sim_view(GullySim* sim);

GULLY_API int64_t gully_view_step(const GullyView* view); ///< that it is of
GULLY_API double gully_view_time(const GullyView* view);  ///< simulated time then [s]

/// Reads a rectangle of a field that the view was begun with, as gully_world_read does. Any thread
/// may.
GULLY_API GullyStatus gully_view_read(const GullyView* view, GullyField field, GullyRect rect,
                                      float* out) GULLY_MUST_CHECK;

// ---- budget -------------------------------------------------------------------------------------

/// Where all water and all solid is and went, in m3, in double precision, since the simulation was
/// created. residual = initial + everything in - everything out - present: what rounding lost.
typedef struct GullyBudget {
    struct {
        double initial, rain, sources, exchanged,
            edits;               ///< in (exchanged: with the ground, signed)
        double evaporated, left; ///< out (left: through open sides)
        double rounded;          ///< out, signed: by half precision
        double present, residual;
        double moved; ///< initial + rain + sources: what the residual is measured against
    } water;
    struct {
        double initial, sources, uplifted, edits; ///< in
        double left, transport_loss; ///< out (transport_loss: of semi_lagrangian, signed)
        double rounded;              ///< out, signed: by half precision
        double ground, suspended;    ///< present
        double residual;
        double eroded, deposited; ///< by water, summed over the steps
        double slid; ///< by thermal weathering: all that left a cell, summed over the steps
        /// sources + uplifted + eroded + deposited + slid: what the residual is measured against
        double moved;
    } solid;
} GullyBudget;

/// Adds it up, which walks over the world.
GULLY_API GullyStatus gully_sim_budget(const GullySim* sim, GullyBudget* out) GULLY_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
