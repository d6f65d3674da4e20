// SPDX-License-Identifier: MIT
/// What becomes of a world when another model takes it over.
#include <string.h>

#include "lease.h"
#include "simulation.h"

bool sim_changes_model(const GullySim* sim, const StepList* list) {
    return sim->list && strcmp(sim_model(sim), list->settings->model->name) != 0;
}

GullyStatus sim_start_model(const StepList* list, GullyWorld* world) {
    const GullySettings* settings = list->settings;
    const Law* model = settings->model;
    return model->start ? model->start(settings_values(settings, "params"), world) : GULLY_OK;
}

// ---- solid on its way ---------------------------------------------------------------------------

/// Whether an add-on of the list goes on with a field as it is. The model begins anew.
static bool goes_on(const StepList* list, int slot) {
    for (int i = MODEL + 1; i < list->law_count; i++) {
        const BoundLaw* bound = &list->laws[i];
        for (int f = 0; f < bound->law->field_count; f++) {
            if (bound->slots[LAW_FIELDS + f] == slot) return true;
        }
    }
    return false;
}

/// Adds a number to a pair of fields of a cell.
static void add_to_pair(const Runs* runs, int high, int i, double more) {
    double value = (double)runs->cells[high][i] + (double)runs->cells[high + 1][i] + more;
    runs_put_pair(runs, high, high + 1, i, value);
}

/// Lets all that a field holds settle on the ground, as the last material.
static GullyStatus settle_field(GullyWorld* world, int slot, Exact* deposited) {
    enum { MOVING, SURFACE, SURFACE_LOW, LAYER_HIGH, LAYER_REST, SLOTS };
    const int layer = world->material_count - 2; // the place of the last one in the stack
    const int slots[SLOTS] = {slot, world->common[GROUND], world->common[GROUND_LOW],
                              layer >= 0 ? world->common[LAYER_1 + layer] : -1,
                              layer >= 0 ? world->common[LAYER_LOW_1 + layer] : -1};
    Runs runs;
    runs_begin(&runs, world, gully_world_all(world), slots, SLOTS, ACCESS_READ_WRITE);
    while (runs_next(&runs)) {
        runs_add(&runs, SURFACE, MOVING, deposited);
        for (int i = 0; i < runs.count; i++) {
            const double amount = (double)runs.cells[MOVING][i];
            if (!(amount > 0)) continue;
            add_to_pair(&runs, SURFACE, i, amount);
            if (runs.cells[LAYER_HIGH]) add_to_pair(&runs, LAYER_HIGH, i, amount);
            runs.cells[MOVING][i] = 0;
        }
    }
    return runs_end(&runs);
}

/// Solid that laws carry in fields of their own settles if they do not go on.
static GullyStatus settle_suspended(GullySim* sim, const StepList* list) {
    GullyWorld* world = sim->world;
    GullyStatus status = GULLY_OK;
    for (int slot = 0; slot < world->field_count && !status; slot++) {
        if (!world->fields[slot].suspended || goes_on(list, slot)) continue;
        status = settle_field(world, slot, &sim->accounts[SOLID_DEPOSITED]);
    }
    return status;
}

/// Sediment that is a flow has left the world by the time that another model begins.
static GullyStatus release_sediment(GullySim* sim) {
    GullyWorld* world = sim->world;
    if (!sim->list->settings->model->sediment_flows) return GULLY_OK;
    Exact leaves = 0;
    GullyStatus status = sim_total(world, SEDIMENT, SEDIMENT_LOW, &leaves);
    if (!status) status = world_set_all(world, world->common[SEDIMENT], 0);
    const int low = world->common[SEDIMENT_LOW];
    if (!status && low >= 0) status = world_set_all(world, low, 0);
    if (!status && world->ranks->rank == 0) sim->accounts[SOLID_LEFT] += leaves; // of all ranks
    return status;
}

// ---- another model ------------------------------------------------------------------------------

/// What the next model may have kept for itself before is forgotten, and so is the mean flow, which
/// means something else in every model.
static GullyStatus forget_model(GullyWorld* world, const StepList* list) {
    const BoundLaw* bound = &list->laws[MODEL];
    GullyStatus status = GULLY_OK;
    for (int f = 0; f < bound->law->field_count && !status; f++) {
        const int slot = bound->slots[LAW_FIELDS + f];
        if (slot >= 0) status = world_set_all(world, slot, world->fields[slot].value);
    }
    if (!status && world->common[FLOW] >= 0) status = world_set_all(world, world->common[FLOW], 0);
    world->flow_steps = 0;
    return status;
}

/// Ground, water, layers, wear and deposit go on, and so does suspended sediment. What a model adds
/// to the world before its first step counts as if it had been there at the start.
GullyStatus sim_hand_over(GullySim* sim, const StepList* list) {
    GullyWorld* world = sim->world;
    Exact before = 0, after = 0;
    world_will_change_all(world);
    GullyStatus status = settle_suspended(sim, list);
    if (!status) status = release_sediment(sim);
    if (!status) status = forget_model(world, list);
    if (!status) status = sim_total(world, WATER, WATER_LOW, &before);
    if (!status) status = sim_start_model(list, world);
    if (!status) status = sim_total(world, WATER, WATER_LOW, &after);
    sim->initial_water += after - before;
    return status;
}
