/// Rounds: the first passes of a model, alone, as often as it asks for before its first step.
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

GullyStatus sim_prepare_first_step(GullySim* sim) {
    const GullySettings* settings = sim->list->settings;
    const Law* model = settings->model;
    int64_t count = 0;
    if (!sim->may_need_rounds || !model->rounds) return GULLY_OK;
    GullyStatus status = model->rounds(settings_values(settings, "params"), sim->world, &count);
    if (!status && count > 0) status = sim_use_processor(sim); // it lays the world out in its way
    if (!status && count > 0) status = run_rounds(sim, count);
    if (!status) sim->may_need_rounds = false;
    return status;
}
