/// The budget: where all water and all solid is and went.
#include "gully/sim.h"
#include "simulation.h"

Exact sim_total(const GullyWorld* world, int id, int low_id) {
    const int low = world->common[low_id];
    return world_total(world, world->common[id]) + (low < 0 ? 0 : world_total(world, low));
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

static void add_up_water(const GullySim* sim, GullyBudget* out) {
    const GullyWorld* world = sim->world;
    const Exact* counted = sim->accounts;
    Balance balance = {.area = world->cell_x * world->cell_y};
    out->water.initial = enter(&balance, sim->initial_water, 1);
    out->water.rain = enter(&balance, counted[WATER_RAIN], 1);
    out->water.sources = enter(&balance, counted[WATER_SOURCES], 1);
    out->water.exchanged = enter(&balance, counted[WATER_EXCHANGED], 1);
    out->water.edits = enter(&balance, world->edited_water - sim->edited_water, 1);
    out->water.evaporated = enter(&balance, counted[WATER_EVAPORATED], -1);
    out->water.left = enter(&balance, counted[WATER_LEFT], -1);
    out->water.rounded = enter(&balance, counted[WATER_ROUNDED], -1);
    out->water.present = enter(&balance, sim_total(world, WATER, WATER_LOW), -1);
    out->water.residual = exact_value(balance.residual) * balance.area;
    out->water.moved = out->water.initial + out->water.rain + out->water.sources;
}

static void add_up_solid(const GullySim* sim, GullyBudget* out) {
    const GullyWorld* world = sim->world;
    const Exact* counted = sim->accounts;
    Balance balance = {.area = world->cell_x * world->cell_y};
    out->solid.initial = enter(&balance, sim->initial_solid, 1);
    out->solid.sources = enter(&balance, counted[SOLID_SOURCES], 1);
    out->solid.edits = enter(&balance, world->edited_solid - sim->edited_solid, 1);
    out->solid.left = enter(&balance, counted[SOLID_LEFT], -1);
    out->solid.transport_loss = enter(&balance, counted[SOLID_TRANSPORT_LOSS], -1);
    out->solid.rounded = enter(&balance, counted[SOLID_ROUNDED], -1);
    out->solid.ground = enter(&balance, sim_total(world, GROUND, GROUND_LOW), -1);
    out->solid.suspended = enter(&balance, sim_total(world, SEDIMENT, SEDIMENT_LOW), -1);
    out->solid.residual = exact_value(balance.residual) * balance.area;
    out->solid.eroded = exact_value(counted[SOLID_ERODED]) * balance.area;
    out->solid.deposited = exact_value(counted[SOLID_DEPOSITED]) * balance.area;
    out->solid.slid = exact_value(counted[SOLID_SLID]) * balance.area;
    out->solid.moved =
        out->solid.sources + out->solid.eroded + out->solid.deposited + out->solid.slid;
}

void gully_sim_budget(const GullySim* sim, GullyBudget* out) {
    add_up_water(sim, out);
    add_up_solid(sim, out);
}

// ---- books --------------------------------------------------------------------------------------

void sim_get_books(const GullySim* sim, Books* books) {
    const GullyWorld* world = sim->world;
    *books = (Books){
        .seed = sim->def.seed,
        .steps = sim->steps,
        .dt_since = sim->clock.since,
        .time_since = sim->clock.time_since,
        .dt = sim->clock.dt,
        .flow_steps = world->flow_steps,
        .initial_water = sim->initial_water,
        .initial_solid = sim->initial_solid,
        .edited_water = world->edited_water - sim->edited_water,
        .edited_solid = world->edited_solid - sim->edited_solid,
    };
    for (int account = 0; account < ACCOUNTS; account++)
        books->accounts[account] = sim->accounts[account];
}

void sim_set_books(GullySim* sim, const Books* books) {
    GullyWorld* world = sim->world;
    sim->steps = books->steps;
    sim->clock.since = books->dt_since;
    sim->clock.time_since = books->time_since;
    world->flow_steps = books->flow_steps;
    sim->initial_water = books->initial_water;
    sim->initial_solid = books->initial_solid;
    sim->edited_water = world->edited_water - books->edited_water;
    sim->edited_solid = world->edited_solid - books->edited_solid;
    for (int account = 0; account < ACCOUNTS; account++)
        sim->accounts[account] = books->accounts[account];
    world->edits++;
}

const char* sim_model(const GullySim* sim) {
    return sim->list->settings->model->name;
}
