// SPDX-License-Identifier: MIT
/// What a simulation knows beside the cells of its world: where it is in time, and its accounts.
#ifndef BOOKS_H
#define BOOKS_H

#include "gully/sim.h"
#include "law.h"

typedef struct Books {
    uint64_t seed;
    int64_t steps, dt_since;            // done; since which dt holds
    double time_since, dt;              // [s]
    int64_t flow_steps;                 // that FLOW is a sum of
    int64_t rounds;                     // left before the next step, if some were run (rounds.c)
    Exact initial_water, initial_solid; // in metres times cells, as all that follow
    Exact edited_water, edited_solid;   // since the simulation was created
    Exact accounts[ACCOUNTS];           // with both steppers
} Books;

GullyStatus sim_get_books(const GullySim* sim, Books* books) GULLY_MUST_CHECK;

/// Takes over books that belong to the cells as they are now.
GullyStatus sim_set_books(GullySim* sim, const Books* books) GULLY_MUST_CHECK;

/// Refuses a simulation whose cells are not all at the same step, after a failure.
GullyStatus sim_check_whole(const GullySim* sim) GULLY_MUST_CHECK;

const char* sim_model(const GullySim* sim);

/// Whether a simulation steps with these settings already.
bool sim_has_settings(const GullySim* sim, const GullySettings* settings);

#endif
