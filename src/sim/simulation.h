// SPDX-License-Identifier: MIT
/// A simulation from the inside.
#ifndef SIMULATION_H
#define SIMULATION_H

#include "backend.h"
#include "books.h"
#include "level_map.h"
#include "level_rule.h"
#include "step_list.h"

typedef struct Levels Levels;

struct GullySim {
    GullyWorld* world;
    GullySimDef def;
    Pool* pool;
    StepList* list;   // of the settings in force
    Stepper* stepper; // that runs it
    Backend* backend;
    StepClock clock;
    int64_t steps;        // done
    int64_t device_steps; // of these, by a device
    bool is_level;        // it steps a level of another simulation's world, whose pool it borrows
    StepPace pace;        // of that
    Registers* registers; // of that, if it meets others; borrowed
    Levels* levels;       // where the cells live while levels step them; else NULL
    LevelMap level_map;   // that they follow, and the parameters that it was made for
    GullyLevelsParams level_params;
    int64_t level_age;        // blocks since it was made
    int64_t level_changes;    // of tiles, by the parameter `error`
    LevelErrors level_errors; // expected by it so far
    double settled, crossed;  // at borders between levels, before those that there are now
    double owed; // water that was not paid back when levels were left, in metres times cells
    int64_t coarse_steps;     // of the steps, those in levels since the simulation was created
    double coarse_cell_steps; // cells of the levels times steps of their own, in these
    bool is_torn;             // a failure left some cells a few steps ahead of others
    bool may_need_rounds;     // the model may have to run some of its passes alone (Law.rounds)
    int64_t rounds_left;      // of rounds that have begun
    int64_t rounds_edits;     // of the world since the last of them: others make them begin anew
    Exact accounts[ACCOUNTS]; // what passes have counted, in metres times cells
    // At the start, in metres times cells.
    Exact initial_water, initial_solid, edited_water, edited_solid;
};

/// What the simulation's lists depend on.
StepListDef sim_list_def(const GullySim* sim);

/// Creates a simulation of a level of another one's world.
GullyStatus sim_create_level(GullyWorld* world, const GullySim* outer, const StepPace* pace,
                             Registers* registers, GullySim** out);

/// Runs steps of the world as it is stored, all of it at the finest level.
GullyStatus sim_step_finest(GullySim* sim, int64_t steps);

// ---- its stepper (sim_stepper.c) ----------------------------------------------------------------

/// Opens the stepper that goes on with a new list.
GullyStatus sim_open_stepper(GullySim* sim, const StepList* list, Stepper** out);

/// Opens the processor's stepper for a list; and makes the processor step the simulation.
GullyStatus sim_open_processor(const GullySim* sim, const StepList* list, Stepper** out);
GullyStatus sim_use_processor(GullySim* sim);

/// Changes to the device when it is ready, and to the processor when it is not.
GullyStatus sim_choose_stepper(GullySim* sim);

/// Whether the device steps now.
bool sim_is_on_device(const GullySim* sim);

/// Whether the device has become ready while the processor steps.
bool sim_device_waits(const GullySim* sim);

/// Looks up the fields and sends what was written; waits for what was run.
GullyStatus sim_bind_stepper(GullySim* sim);
GullyStatus sim_finish_steps(GullySim* sim);

/// After a failure: if it was the device's, goes back to the last state that the world has, from
/// where the processor goes on. Else gives the failure back.
GullyStatus sim_recover(GullySim* sim, GullyStatus status);

/// Whether a device that was asked for by the definition can be used.
GullyStatus sim_check_backend(GullySim* sim);

/// Whether a list has another model than the one before.
bool sim_changes_model(const GullySim* sim, const StepList* list);

/// Lets a model change the world before its first step.
GullyStatus sim_start_model(const StepList* list, GullyWorld* world);

/// Hands the world over to the model of the next list.
GullyStatus sim_hand_over(GullySim* sim, const StepList* list);

/// Adds what the stepper has counted to the accounts. The cells are in the world's tiles then.
GullyStatus sim_settle(const GullySim* sim);

/// Sums up a pair of common fields, in metres times cells. The remainder may be missing.
GullyStatus sim_total(const GullyWorld* world, int id, int low_id, Exact* sum);

/// The same of all solid on its way: sediment in the water, and what laws carry themselves.
GullyStatus sim_suspended(const GullyWorld* world, Exact* sum);

#endif
