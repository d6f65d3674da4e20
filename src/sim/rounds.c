// SPDX-License-Identifier: MIT
/// Rounds: the first passes of a model, alone, as often as it asks for before its first step. They
/// can be run in pieces. What is left of them belongs to the state of a simulation; if settings or
/// cells are changed meanwhile, they begin anew, as if the change had come before them.
#include "lease.h"
#include "simulation.h"

static GullyStatus run_rounds(const GullySim* sim, int64_t count) {
    StepListDef def = sim_list_def(sim);
    StepList* list;
    Stepper* stepper = NULL;
    Exact nothing[ACCOUNTS] = {0};
    def.rounds = true;
    GullyStatus status = step_list_create(&def, sim->list->settings, &list);
    if (status) return status;
    status = sim_open_processor(sim, list, &stepper);
    if (!status) status = step_list_lay_out(list, &def, stepper->kind, sim->world);
    if (!status) status = stepper->kind->bind(stepper);
    if (!status) status = step_list_reserve(list, sim->world, stepper->run_steps);
    while (count > 0 && !status) {
        const int most = stepper->run_steps, rounds = count < most ? (int)count : most;
        StepConsts consts = step_list_begin(list, &sim->clock, sim->steps, rounds);
        status = stepper->kind->run(stepper, rounds, consts);
        count -= rounds;
    }
    if (!status) status = stepper->kind->accounts(stepper, nothing);
    stepper_close(stepper);
    step_list_destroy(list);
    return status;
}

/// Rounds that had begun before the world was changed begin anew.
static GullyStatus forget_stale(GullySim* sim) {
    if (sim->rounds_left == 0 || sim->rounds_edits == sim->world->edits) return GULLY_OK;
    sim->rounds_left = 0;
    sim->may_need_rounds = true;
    world_will_change_all(sim->world);
    return sim_start_model(sim->list, sim->world);
}

/// How many rounds are to be run.
static GullyStatus find_rounds(const GullySim* sim, int64_t* count) {
    const GullySettings* settings = sim->list->settings;
    const Law* model = settings->model;
    *count = sim->rounds_left;
    if (*count > 0 || !sim->may_need_rounds || !model->rounds) return GULLY_OK;
    return model->rounds(settings_values(settings, "params"), sim->world, count);
}

GullyStatus gully_sim_prepare(GullySim* sim, int64_t most, int64_t* left) {
    GullyStatus status = forget_stale(sim);
    if (!status) status = find_rounds(sim, left);
    const int64_t count = !status && most < *left ? most : *left;
    if (status || count <= 0) return status;
    world_will_change_all(sim->world);
    status = sim_use_processor(sim); // it lays the world out in its way
    if (!status) status = run_rounds(sim, count);
    sim->rounds_left = *left -= count;
    world_touch_all(sim->world); // cells have changed
    sim->rounds_edits = sim->world->edits;
    sim->may_need_rounds = *left > 0;
    return status;
}
