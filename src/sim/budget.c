// SPDX-License-Identifier: MIT
/// The budget: where all water and all solid is and went.
#include <string.h>

#include "gully/sim.h"
#include "lease.h"
#include "levels.h"
#include "simulation.h"

GullyStatus sim_total(const GullyWorld* world, int id, int low_id, Exact* sum) {
    const int low = world->common[low_id];
    Exact rest = 0;
    GullyStatus status = world_sum(world, world->common[id], sum);
    if (!status && low >= 0) status = world_sum(world, low, &rest);
    *sum += rest;
    return status;
}

GullyStatus sim_suspended(const GullyWorld* world, Exact* sum) {
    GullyStatus status = sim_total(world, SEDIMENT, SEDIMENT_LOW, sum);
    for (int slot = 0; slot < world->field_count && !status; slot++) {
        Exact more = 0;
        if (!world->fields[slot].suspended) continue;
        status = world_sum(world, slot, &more);
        *sum += more;
    }
    return status;
}

/// What ranks have counted in their own cells: the accounts, and edits since the start.
typedef struct Counted {
    Exact accounts[ACCOUNTS], water, solid;
} Counted;

/// Adds up what all ranks have counted.
static GullyStatus count_all(const GullySim* sim, Counted* out) {
    const GullyWorld* world = sim->world;
    GullyStatus status = sim_settle(sim);
    memcpy(out->accounts, sim->accounts, sizeof out->accounts);
    out->water = world->edited_water - sim->edited_water;
    out->solid = world->edited_solid - sim->edited_solid;
    return ranks_add(world->ranks, status, out, sizeof *out / sizeof(Exact));
}

/// Adds up a budget: every entry counts towards the residual as what came in or what is out or
/// present. The residual is rounded once, at the very end, since it is a small difference of large
/// sums.
typedef struct Balance {
    Exact residual;
    double area; // entries are in metres times cells [m2]
} Balance;

static double enter(Balance* balance, Exact amount, int sign) {
    balance->residual += amount * sign;
    return exact_value(amount) * balance->area;
}

/// The water of the world now is `present`, in metres times cells.
static void add_up_water(const GullySim* sim, const Counted* all, Exact present, GullyBudget* out) {
    const GullyWorld* world = sim->world;
    const Exact* counted = all->accounts;
    Balance balance = {.area = world->cell_x * world->cell_y};
    out->water.initial = enter(&balance, sim->initial_water, 1);
    out->water.rain = enter(&balance, counted[WATER_RAIN], 1);
    out->water.sources = enter(&balance, counted[WATER_SOURCES], 1);
    out->water.exchanged = enter(&balance, counted[WATER_EXCHANGED], 1);
    out->water.edits = enter(&balance, all->water, 1);
    out->water.evaporated = enter(&balance, counted[WATER_EVAPORATED], -1);
    out->water.left = enter(&balance, counted[WATER_LEFT], -1);
    out->water.rounded = enter(&balance, counted[WATER_ROUNDED], -1);
    out->water.present = enter(&balance, present, -1);
    out->water.residual = exact_value(balance.residual) * balance.area;
    out->water.moved = out->water.initial + out->water.rain + out->water.sources;
}

/// The same for the solid: ground and suspended.
static void add_up_solid(const GullySim* sim, const Counted* all, Exact ground, Exact suspended,
                         GullyBudget* out) {
    const GullyWorld* world = sim->world;
    const Exact* counted = all->accounts;
    Balance balance = {.area = world->cell_x * world->cell_y};
    out->solid.initial = enter(&balance, sim->initial_solid, 1);
    out->solid.sources = enter(&balance, counted[SOLID_SOURCES], 1);
    out->solid.uplifted = enter(&balance, counted[SOLID_UPLIFTED], 1);
    out->solid.edits = enter(&balance, all->solid, 1);
    out->solid.left = enter(&balance, counted[SOLID_LEFT], -1);
    out->solid.transport_loss = enter(&balance, counted[SOLID_TRANSPORT_LOSS], -1);
    out->solid.rounded = enter(&balance, counted[SOLID_ROUNDED], -1);
    out->solid.ground = enter(&balance, ground, -1);
    out->solid.suspended = enter(&balance, suspended, -1);
    out->solid.residual = exact_value(balance.residual) * balance.area;
    out->solid.eroded = exact_value(counted[SOLID_ERODED]) * balance.area;
    out->solid.deposited = exact_value(counted[SOLID_DEPOSITED]) * balance.area;
    out->solid.slid = exact_value(counted[SOLID_SLID]) * balance.area;
    out->solid.moved = out->solid.sources + out->solid.uplifted + out->solid.eroded +
                       out->solid.deposited + out->solid.slid;
}

GullyStatus gully_sim_budget(const GullySim* sim, GullyBudget* out) {
    Exact water = 0, ground = 0, suspended = 0;
    Counted all;
    *out = (GullyBudget){0};
    GullyStatus status = count_all(sim, &all);
    if (!status) status = sim_total(sim->world, WATER, WATER_LOW, &water);
    if (!status) status = sim_total(sim->world, GROUND, GROUND_LOW, &ground);
    if (!status) status = sim_suspended(sim->world, &suspended);
    if (status) return status;
    exact_add(&water, -sim_owed(sim), 1);
    add_up_water(sim, &all, water, out);
    add_up_solid(sim, &all, ground, suspended, out);
    return GULLY_OK;
}

// ---- books --------------------------------------------------------------------------------------

GullyStatus sim_get_books(const GullySim* sim, Books* books) {
    Counted all;
    GullyStatus status = count_all(sim, &all);
    if (status) return status;
    const GullyWorld* world = sim->world;
    *books = (Books){
        .seed = sim->def.seed,
        .steps = sim->steps,
        .dt_since = sim->clock.since,
        .time_since = sim->clock.time_since,
        .dt = sim->clock.dt,
        .flow_steps = world->flow_steps,
        .rounds = sim->rounds_left,
        .initial_water = sim->initial_water,
        .initial_solid = sim->initial_solid,
        .edited_water = all.water,
        .edited_solid = all.solid,
    };
    memcpy(books->accounts, all.accounts, sizeof books->accounts);
    return GULLY_OK;
}

GullyStatus sim_set_books(GullySim* sim, const Books* books) {
    GullyStatus status = sim_settle(sim); // what was counted since belongs to the old books
    if (status) return status;
    levels_restart(sim);
    GullyWorld* world = sim->world;
    sim->steps = books->steps;
    sim->may_need_rounds = true;
    sim->is_torn = false;
    sim->rounds_left = books->rounds;
    sim->clock.since = books->dt_since;
    sim->clock.time_since = books->time_since;
    world->flow_steps = books->flow_steps;
    sim->initial_water = books->initial_water;
    sim->initial_solid = books->initial_solid;
    // What was counted before belongs to one rank, whichever cells it was in.
    const bool keeps = world->ranks->rank == 0;
    sim->edited_water = world->edited_water - (keeps ? books->edited_water : 0);
    sim->edited_solid = world->edited_solid - (keeps ? books->edited_solid : 0);
    for (int account = 0; account < ACCOUNTS; account++)
        sim->accounts[account] = keeps ? books->accounts[account] : 0;
    sim->rounds_edits = ++world->edits;
    return GULLY_OK;
}

const char* gully_sim_model(const GullySim* sim) {
    return sim_model(sim);
}

bool sim_has_settings(const GullySim* sim, const GullySettings* settings) {
    return settings_equal(sim->list->settings, settings);
}

const char* sim_model(const GullySim* sim) {
    return sim->list->settings->model->name;
}
