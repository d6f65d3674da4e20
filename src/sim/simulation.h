/// A simulation from the inside.
#ifndef SIMULATION_H
#define SIMULATION_H

#include "books.h"
#include "step_list.h"

struct GullySim {
    GullyWorld* world;
    GullySimDef def;
    Pool* pool;
    StepList* list;   // of the settings in force
    Stepper* stepper; // that runs it
    StepClock clock;
    int64_t steps;            // done
    bool may_need_rounds;     // the model may have to run some of its passes alone (Law.rounds)
    Exact accounts[ACCOUNTS]; // what passes have counted, in metres times cells
    // At the start, in metres times cells.
    Exact initial_water, initial_solid, edited_water, edited_solid;
};

/// Sums up a pair of common fields, in metres times cells. The remainder may be missing.
GullyStatus sim_total(const GullyWorld* world, int id, int low_id, Exact* sum);

#endif
