// SPDX-License-Identifier: MIT
/// The simulation: settings applied to a world, and its steps.
#include "gully/sim.h"

#include <stdlib.h>
#include <string.h>

#include "lease.h"
#include "levels.h"
#include "simulation.h"

enum { MAX_THREADS = 1024 };

// ---- applying settings --------------------------------------------------------------------------

static void apply_sides(const GullySim* sim) {
    const GullyBoundaryParams* sides = settings_values(sim->list->settings, "boundary");
    const bool open[SIDES] = {[WEST] = sides->west == 1,
                              [EAST] = sides->east == 1,
                              [NORTH] = sides->north == 1,
                              [SOUTH] = sides->south == 1};
    memcpy(sim->world->open, open, sizeof open);
}

/// Changes the world as a new list wants it: fields and their storage, the pattern of rain, amounts
/// per step.
static GullyStatus prepare_world(GullySim* sim, StepList* list, const StepperKind* kind) {
    const StepListDef def = sim_list_def(sim);
    GullyStatus status = step_list_lay_out(list, &def, kind, sim->world);
    if (!status) status = supply_fill_pattern(&list->supplies[0], sim->world);
    const bool longer = sim->list && list->dt != sim->clock.dt;
    if (!status && longer && !sim_changes_model(sim, list))
        status = step_list_scale(sim->list, sim->world, list->dt / sim->clock.dt);
    return status;
}

/// Makes a list and its stepper those of the simulation.
static void commit(GullySim* sim, StepList* list, Stepper* stepper) {
    // Models count time in units of their own, and each from its beginning.
    sim->clock.time_since = sim_changes_model(sim, list) ? 0 : clock_time(&sim->clock, sim->steps);
    sim->clock.since = sim->steps;
    sim->clock.dt = list->dt;
    stepper_close(sim->stepper);
    backend_forget(sim->backend);
    step_list_destroy(sim->list);
    sim->list = list;
    sim->stepper = stepper;
    sim->may_need_rounds = true;
    sim->rounds_edits = -1; // what has begun begins anew, with these settings
    apply_sides(sim);
    if (!levels_wanted(sim)) levels_forget_map(sim);
}

/// Lists the step of settings that this simulation could go on with.
static GullyStatus make_list(const GullySim* sim, const GullySettings* settings, StepList** out) {
    *out = NULL;
    const StepListDef def = sim_list_def(sim);
    GullyStatus status = sim->is_level ? GULLY_OK : levels_check(sim, settings);
    return status ? status : step_list_create(&def, settings, out);
}

GullyStatus gully_sim_check(const GullySim* sim, const GullySettings* settings) {
    StepList* list;
    GullyStatus status = make_list(sim, settings, &list);
    step_list_destroy(list);
    return status;
}

GullyStatus gully_sim_apply(GullySim* sim, const GullySettings* settings) {
    StepList* list;
    Stepper* stepper = NULL;
    GullyStatus status = make_list(sim, settings, &list);
    if (status) return status;
    status = levels_leave(sim); // the next step enters those of the new settings
    if (!status) status = sim_settle(sim);
    if (!status) status = sim_open_stepper(sim, list, &stepper);
    if (!status) status = prepare_world(sim, list, stepper->kind);
    if (!status && sim_changes_model(sim, list)) status = sim_hand_over(sim, list);
    if (status) {
        stepper_close(stepper);
        step_list_destroy(list);
        return status;
    }
    commit(sim, list, stepper);
    return GULLY_OK;
}

// ---- the simulation -----------------------------------------------------------------------------

GullySimDef gully_sim_def(void) {
    return (GullySimDef){.made = GULLY_DEF_MADE, .seed = 1, .masks = true};
}

/// Notes what there is before the first step, for the budget.
static GullyStatus weigh_start(GullySim* sim) {
    Exact suspended = 0;
    GullyStatus status = sim_total(sim->world, WATER, WATER_LOW, &sim->initial_water);
    if (!status) status = sim_total(sim->world, GROUND, GROUND_LOW, &sim->initial_solid);
    if (!status) status = sim_suspended(sim->world, &suspended);
    sim->initial_solid += suspended;
    sim->edited_water = sim->world->edited_water;
    sim->edited_solid = sim->world->edited_solid;
    return status;
}

/// Whether the world has what the laws of a run work on.
static GullyStatus check_start(const GullySim* sim) {
    const StepList* list = sim->list;
    GullyStatus status = GULLY_OK;
    for (int i = MODEL; i < list->law_count && !status; i++) {
        const BoundLaw* bound = &list->laws[i];
        if (bound->law->check)
            status = bound->law->check(settings_values(list->settings, bound->section), sim->world);
    }
    return status;
}

/// Makes a simulation, which has its pool, that of the settings.
static GullyStatus begin(GullySim* sim, const GullySettings* settings) {
    GullyWorld* world = sim->world;
    GullyStatus status = backend_open(sim->def.backend, sim->def.device, world, &sim->backend);
    if (!status) status = gully_sim_apply(sim, settings);
    status = gully_ranks_agree(world->ranks, status);
    if (!status) status = check_start(sim);
    if (!status) status = sim_start_model(sim->list, world);
    if (!status && !sim->is_level) status = weigh_start(sim);
    if (!status) status = sim_check_backend(sim);
    return status;
}

static GullyStatus finish(GullyStatus status, GullySim* sim, GullySim** out) {
    if (status)
        gully_sim_destroy(sim);
    else
        *out = sim;
    return status;
}

GullyStatus gully_sim_create(GullyWorld* world, const GullySettings* settings,
                             const GullySimDef* def, GullySim** out) {
    *out = NULL;
    GullyStatus status = gully_def_check(def->made, "gully_sim_def");
    if (status) return status;
    if (def->threads < 0 || def->threads > MAX_THREADS) {
        return gully_fail(GULLY_BAD_INPUT, "threads: %d is out of range; allowed: 1 to %d, 0 = all",
                          def->threads, MAX_THREADS);
    }
    if (ranks_share(world->ranks) && def->backend != GULLY_CPU)
        return gully_fail(GULLY_BAD_INPUT,
                          "backend: ranks step on processors; allowed: cpu, or one process");
    GullySim* sim = calloc(1, sizeof *sim);
    if (!sim) return gully_fail(GULLY_NO_MEMORY, "no memory for a simulation");
    sim->world = world;
    sim->def = *def;
    status = pool_create(def->threads, &sim->pool);
    if (!status) status = begin(sim, settings);
    return finish(status, sim, out);
}

GullyStatus sim_create_level(GullyWorld* world, const GullySim* outer, const StepPace* pace,
                             Registers* registers, GullySim** out) {
    *out = NULL;
    GullySim* sim = calloc(1, sizeof *sim);
    if (!sim) return gully_fail(GULLY_NO_MEMORY, "no memory for a level");
    sim->world = world;
    sim->def = outer->def;
    sim->def.backend = GULLY_CPU;
    sim->is_level = true;
    sim->pace = *pace;
    sim->registers = registers;
    sim->pool = outer->pool;
    return finish(begin(sim, outer->list->settings), sim, out);
}

void gully_sim_destroy(GullySim* sim) {
    if (!sim) return;
    levels_drop(sim);
    level_map_free(&sim->level_map);
    stepper_close(sim->stepper);
    backend_close(sim->backend);
    step_list_destroy(sim->list);
    if (!sim->is_level) pool_destroy(sim->pool);
    free(sim);
}

/// Runs up to `most` steps at once; says how many.
static GullyStatus advance(GullySim* sim, int64_t most, int64_t* done) {
    const int run_steps = sim->stepper->run_steps, steps = most < run_steps ? (int)most : run_steps;
    StepConsts consts = step_list_begin(sim->list, &sim->clock, sim->steps, steps);
    *done = steps;
    return sim->stepper->kind->run(sim->stepper, steps, consts);
}

/// Runs steps up to a number with the stepper that there is, or until a device that was waited for
/// is ready.
static GullyStatus run_until(GullySim* sim, int64_t end) {
    GullyStatus status = sim_bind_stepper(sim);
    if (!status && !sim->stepper->kind->tells) world_will_change_all(sim->world);
    while (sim->steps < end && !status) {
        int64_t done = 0;
        status = advance(sim, end - sim->steps, &done);
        sim->is_torn = status && status != GULLY_DEVICE;
        if (status) break;
        sim->steps += done;
        if (sim_is_on_device(sim)) sim->device_steps += done;
        if (sim->def.masks) sim->world->flow_steps += done;
        if (sim_device_waits(sim)) break;
    }
    return status ? status : sim_finish_steps(sim);
}

GullyStatus sim_check_whole(const GullySim* sim) {
    if (!sim->is_torn) return GULLY_OK;
    return gully_fail(GULLY_FAILED, "a step failed half way, so the simulation cannot go on: go "
                                    "back to a state that was kept before");
}

GullyStatus gully_sim_step(GullySim* sim, int64_t steps) {
    if (steps <= 0) return GULLY_OK;
    GullyStatus status = sim_check_whole(sim);
    if (status) return status;
    return levels_wanted(sim) ? levels_step(sim, steps) : sim_step_finest(sim, steps);
}

GullyStatus sim_step_finest(GullySim* sim, int64_t steps) {
    const int64_t end = sim->steps + steps;
    int64_t rounds;
    GullyStatus status = gully_sim_prepare(sim, INT64_MAX, &rounds);
    while (sim->steps < end && !status) {
        status = sim_choose_stepper(sim);
        if (!status) status = run_until(sim, end);
        if (status) status = sim_recover(sim, status);
    }
    return status;
}

int gully_sim_block(const GullySim* sim) {
    return levels_wanted(sim) ? LEVEL_BLOCK : sim->stepper->run_steps;
}

int64_t gully_sim_steps(const GullySim* sim) {
    return sim->steps;
}

double gully_sim_time(const GullySim* sim) {
    return clock_time(&sim->clock, sim->steps);
}

double gully_sim_dt(const GullySim* sim) {
    return sim->clock.dt;
}

int gully_sim_threads(const GullySim* sim) {
    return pool_threads(sim->pool);
}

GullyWorld* gully_sim_world(const GullySim* sim) {
    return sim->world;
}

size_t gully_sim_state_bytes(const GullySim* sim) {
    const GullyWorld* world = sim->world;
    bool touched[MAX_FIELDS] = {false};
    size_t bytes = 0;
    for (int k = 0; k < sim->list->entry_count; k++) {
        const StepEntry* entry = &sim->list->entries[k];
        for (FieldSet left = pass_reads(entry->pass) | entry->pass->writes; left;
             left &= left - 1) {
            const int id = __builtin_ctzll(left), slot = entry->slots[id];
            const bool scratch = id >= LAW_FIELDS && entry->law->fields[id - LAW_FIELDS].scratch;
            if (slot < 0 || scratch || touched[slot]) continue;
            touched[slot] = true;
            bytes += tile_number_bytes(world, slot);
        }
    }
    return bytes * (size_t)world->width * (size_t)world->height;
}

size_t gully_sim_allocated_bytes(const GullySim* sim) {
    return world_bytes(sim->world);
}
