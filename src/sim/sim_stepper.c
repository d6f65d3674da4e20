// SPDX-License-Identifier: MIT
/// Which stepper runs a simulation: the processor's fastest, or the device's while it is ready.
#include <string.h>

#include "levels.h"
#include "simulation.h"

StepListDef sim_list_def(const GullySim* sim) {
    return (StepListDef){.world = sim->world,
                         .seed = sim->def.seed,
                         .masks = sim->def.masks,
                         .velocity = sim->def.velocity,
                         .plain = sim->def.plain,
                         .pace = sim->pace,
                         .registers = sim->registers,
                         .previous = sim->list};
}

/// The first stepper of the processor, the fastest first, that can run a step.
static const StepperKind* processor_stepper(const GullySim* sim, const StepList* list) {
    static const StepperKind* const kinds[] = {&sweep_stepper, &plain_stepper};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !sim->def.plain; i++) {
        if (kinds[i]->fits(list->entries, list->entry_count)) return kinds[i];
    }
    return &plain_stepper;
}

#ifdef GULLY_OPENCL

static const StepperKind* const device_kind = &device_stepper;

#else

static const StepperKind* const device_kind = NULL;

#endif

bool sim_is_on_device(const GullySim* sim) {
    return sim->stepper && sim->stepper->kind == device_kind;
}

static GullyStatus open_kind(const GullySim* sim, const StepList* list, const StepperKind* kind,
                             Stepper** out) {
    const int most = sim->registers ? LEVEL_BLOCK / sim->pace.parts : 0;
    const StepperPlace place = {sim->world, sim->pool, backend_world(sim->backend), most};
    return stepper_open(kind, &place, list->entries, list->entry_count, out);
}

GullyStatus sim_open_processor(const GullySim* sim, const StepList* list, Stepper** out) {
    *out = NULL;
    if (ranks_share(sim->world->ranks) && processor_stepper(sim, list) == &plain_stepper)
        return gully_fail(GULLY_BAD_INPUT,
                          "these steps reach further than ranks exchange rows (a cycle with many "
                          "transports, or the plain stepper): run them in one process");
    return open_kind(sim, list, processor_stepper(sim, list), out);
}

GullyStatus sim_open_stepper(GullySim* sim, const StepList* list, Stepper** out) {
    if (sim_is_on_device(sim) && device_kind->fits(list->entries, list->entry_count)) {
        if (!open_kind(sim, list, device_kind, out)) return GULLY_OK;
        backend_fail(sim->backend, gully_message());
    }
    return sim_open_processor(sim, list, out);
}

/// Goes on with another stepper.
static GullyStatus change_stepper(GullySim* sim, const StepperKind* kind) {
    const StepListDef def = sim_list_def(sim);
    Stepper* stepper;
    GullyStatus status = sim_settle(sim);
    if (!status) status = open_kind(sim, sim->list, kind, &stepper);
    if (status) return status;
    stepper_close(sim->stepper);
    sim->stepper = stepper;
    return step_list_lay_out(sim->list, &def, kind, sim->world);
}

GullyStatus sim_use_processor(GullySim* sim) {
    return sim_is_on_device(sim) ? change_stepper(sim, processor_stepper(sim, sim->list))
                                 : GULLY_OK;
}

GullyStatus sim_choose_stepper(GullySim* sim) {
    step_list_bind(sim->list, sim->world); // a write may have added a field
    const bool is_ready = backend_is_ready(sim->backend, sim->list);
    if (is_ready == sim_is_on_device(sim)) return GULLY_OK;
    if (!is_ready) return sim_use_processor(sim);
    GullyStatus status = change_stepper(sim, device_kind);
    if (status != GULLY_DEVICE) return status;
    backend_fail(sim->backend, gully_message());
    return sim_use_processor(sim);
}

bool sim_device_waits(const GullySim* sim) {
    return !sim_is_on_device(sim) && backend_is_built(sim->backend);
}

GullyStatus sim_bind_stepper(GullySim* sim) {
    step_list_bind(sim->list, sim->world);
    GullyStatus status = sim->stepper->kind->bind(sim->stepper);
    return status ? status : step_list_reserve(sim->list, sim->world, sim->stepper->run_steps);
}

GullyStatus sim_finish_steps(GullySim* sim) {
    const StepperKind* kind = sim->stepper->kind;
    return kind->finish ? kind->finish(sim->stepper) : GULLY_OK;
}

GullyStatus sim_recover(GullySim* sim, GullyStatus status) {
    if (status != GULLY_DEVICE || !sim->stepper->kind->abandon) return status;
    backend_fail(sim->backend, gully_message());
    const int64_t lost = sim->stepper->kind->abandon(sim->stepper, sim->accounts);
    sim->steps -= lost;
    sim->device_steps -= lost;
    if (sim->def.masks) sim->world->flow_steps -= lost;
    return sim_use_processor(sim);
}

GullyStatus sim_settle(const GullySim* sim) {
    if (!sim->stepper) return GULLY_OK;
    GullyStatus status = levels_settle((GullySim*)sim);
    if (status) return status;
    return sim->stepper->kind->accounts(sim->stepper, ((GullySim*)sim)->accounts);
}

// ---- the backend --------------------------------------------------------------------------------

GullyStatus sim_check_backend(GullySim* sim) {
    GullySimDevice device;
    if (sim->def.backend != GULLY_GPU) return GULLY_OK;
    backend_is_ready(sim->backend, sim->list);
    backend_describe(sim->backend, &device);
    return device.state == GULLY_DEVICE_FAILED ? gully_fail(GULLY_DEVICE, "%s", device.message)
                                               : GULLY_OK;
}

GullyStatus gully_sim_use(GullySim* sim, GullyBackend wanted, const char* device) {
    Backend* other;
    const GullyBackend wanted_before = sim->def.backend;
    GullyStatus status = backend_open(wanted, device, sim->world, &other);
    if (!status) status = sim_use_processor(sim);
    if (!status) {
        Backend* before = sim->backend;
        sim->backend = other;
        sim->def.backend = wanted;
        status = sim_check_backend(sim);
        if (status) { // go on as before
            sim->backend = before;
            sim->def.backend = wanted_before;
        } else {
            other = before;
        }
    }
    if (other) backend_close(other);
    return status;
}

/// Whether the device is ahead of the world.
static bool is_ahead(const GullySim* sim) {
    return sim_is_on_device(sim) && atomic_load(&sim->world->is_away);
}

bool gully_sim_view_begin(GullySim* sim, const GullyField* fields, int count) {
    const GullyWorld* world = sim->world;
    SlotSet slots = SLOT_BIT(world->common[GROUND]); // it says where nodata cells are
    if (!is_ahead(sim)) return false;
    for (int i = 0; i < count; i++) {
        const int id = world_field_id(fields[i]), slot = id < 0 ? -1 : world->common[id];
        slots |= slot < 0 ? 0 : SLOT_BIT(slot);
    }
    return backend_view_begin(sim->backend, slots, sim->steps, gully_sim_time(sim));
}

const GullyView* gully_sim_view(GullySim* sim) {
    return is_ahead(sim) ? backend_view(sim->backend) : NULL;
}

void gully_sim_wait(GullySim* sim) {
    if (!backend_is_ready(sim->backend, sim->list)) backend_wait(sim->backend);
}

void gully_sim_device(const GullySim* sim, GullySimDevice* out) {
    backend_describe(sim->backend, out);
    out->steps = sim->device_steps;
    if (sim_is_on_device(sim)) out->state = GULLY_STEPS_ON_DEVICE;
}
