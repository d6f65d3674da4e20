// SPDX-License-Identifier: MIT
/// The device stepper: kernels run the passes of a step on a graphics card. The cells live there
/// meanwhile; whoever leases a tile brings all of them back (lease.h).
///
/// A run is queued as a whole: constants of its steps, lists of the patches that are awake, the
/// kernels. Two runs may be queued at a time, so that the device need not wait for the host.
///
/// What the tiles hold is always the state of one step, as it was when the cells were brought last.
/// If the device fails, the simulation goes on from there with another stepper.
#include "device_stepper.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// Seconds of stepping that a failure of the device may cost.
static const double bring_seconds = 10;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int patch_total(const DeviceStepper* device) {
    return activity_rows(device->activity) * activity_columns(device->activity);
}

GullyStatus device_called(const DeviceStepper* device, cl_int code, const char* tried) {
    return device_check(device->device, code, tried);
}

// ---- bringing cells home ------------------------------------------------------------------------

static GullyStatus clear_tallies(DeviceStepper* device) {
    const cl_uint zero = 0;
    const size_t bytes = (size_t)patch_total(device) * ACCOUNTS * sizeof(DeviceTally);
    return device_called(device,
                         device->device->cl->EnqueueFillBuffer(device->device->queue,
                                                               device->tallies, &zero, sizeof zero,
                                                               0, bytes, 0, NULL, NULL),
                         "fill memory");
}

/// Adds what kernels have counted to the host's sums.
static GullyStatus bring_tallies(DeviceStepper* device) {
    const size_t count = (size_t)patch_total(device) * ACCOUNTS;
    DeviceTally* tallies = malloc(count * sizeof *tallies);
    if (!tallies) return gully_fail(GULLY_NO_MEMORY, "no memory for %zu sums", count);
    GullyStatus status = device_called(
        device,
        device->device->cl->EnqueueReadBuffer(device->device->queue, device->tallies, CL_TRUE, 0,
                                              count * sizeof *tallies, tallies, 0, NULL, NULL),
        "copy from it");
    for (size_t i = 0; i < count && !status; i++)
        device->counted[i % ACCOUNTS] +=
            (Exact)tallies[i].coarse * ((Exact)1 << 46) + tallies[i].fine;
    free(tallies);
    return status ? status : clear_tallies(device);
}

/// Brings all that steps change into the tiles, if they are behind.
static GullyStatus bring(void* home) {
    DeviceStepper* device = home;
    GullyStatus status = GULLY_OK;
    pthread_mutex_lock(&device->mutex);
    if (device->world->home == device && atomic_load(&device->world->is_away)) {
        status = device_world_bring(device->place, device->stored);
        if (!status) status = bring_tallies(device);
        if (!status) {
            device->behind = 0;
            device->brought = now();
            atomic_store(&device->world->is_away, false);
        }
    }
    pthread_mutex_unlock(&device->mutex);
    return status;
}

static GullyStatus accounts(Stepper* stepper, Exact sums[ACCOUNTS]) {
    DeviceStepper* device = (DeviceStepper*)stepper;
    GullyStatus status = bring(device);
    if (status) return status;
    for (int i = 0; i < ACCOUNTS; i++) {
        sums[i] += device->counted[i];
        device->counted[i] = 0;
    }
    return GULLY_OK;
}

static int64_t abandon(Stepper* stepper, Exact sums[ACCOUNTS]) {
    DeviceStepper* device = (DeviceStepper*)stepper;
    const int64_t behind = device->behind;
    for (int i = 0; i < ACCOUNTS; i++)
        sums[i] += device->counted[i];
    device->behind = 0;
    atomic_store(&device->world->is_away, false);
    return behind;
}

// ---- binding ------------------------------------------------------------------------------------

static GullyStatus bind(Stepper* stepper) {
    DeviceStepper* device = (DeviceStepper*)stepper;
    GullyStatus status = GULLY_OK;
    if (device->layout != device->world->layout) {
        status = world_come_home(device->world); // kernels may write fewer fields than before
        if (!status) status = device_create_kernels(device);
    }
    if (!status) status = device_world_send(device->place);
    if (device->world->edits != device->edits) activity_wake(device->activity);
    device->edits = device->world->edits;
    return status;
}

// ---- patches ------------------------------------------------------------------------------------

static bool is_near_awake(const Activity* activity, int row, int column, int fringe) {
    const int rows = activity_rows(activity), columns = activity_columns(activity);
    for (int y = row - fringe; y <= row + fringe; y++) {
        for (int x = column - fringe; x <= column + fringe; x++) {
            if (y < 0 || x < 0 || y >= rows || x >= columns) continue;
            if (activity_awake(activity, y)[x]) return true;
        }
    }
    return false;
}

/// Lists the patches that passes with a fringe compute.
static int list_patches(DeviceStepper* device, int fringe) {
    const Activity* activity = device->activity;
    const int columns = activity_columns(activity), total = patch_total(device);
    int count = 0;
    for (int i = 0; i < total; i++) {
        if (activity_is_all(activity) || is_near_awake(activity, i / columns, i % columns, fringe))
            device->list[count++] = i;
    }
    return count;
}

static GullyStatus send_lists(DeviceStepper* device) {
    if (activity_is_all(device->activity) && device->lists_all) return GULLY_OK;
    const OpenCl* cl = device->device->cl;
    for (int fringe = 0; fringe <= MOST_FRINGE; fringe++) {
        const int count = list_patches(device, fringe);
        device->patch_counts[fringe] = count;
        if (count == 0) continue;
        GullyStatus status = device_called(
            device,
            cl->EnqueueWriteBuffer(device->device->queue, device->patches[fringe], CL_TRUE, 0,
                                   (size_t)count * sizeof(int), device->list, 0, NULL, NULL),
            "copy to it");
        if (status) return status;
    }
    device->lists_all = activity_is_all(device->activity);
    return GULLY_OK;
}

GullyStatus device_launch(DeviceStepper* device, cl_kernel kernel, int fringe, cl_event* done) {
    const size_t items[2] = {PATCH, (size_t)PATCH * (size_t)device->patch_counts[fringe]};
    const size_t group[2] = {PATCH, PATCH};
    if (items[1] == 0) return GULLY_OK;
    int open = 0;
    for (int side = 0; side < SIDES; side++)
        open |= device->world->open[side] ? 1 << side : 0;
    cl_int code = device_set_buffer(device, kernel, ARG_PATCHES, device->patches[fringe]);
    if (!code) code = device_set_int(device, kernel, ARG_OPEN, open);
    if (!code)
        code = device->device->cl->EnqueueNDRangeKernel(device->device->queue, kernel, 2, NULL,
                                                        items, group, 0, NULL, done);
    return device_called(device, code, "run a kernel");
}

static GullyStatus clear_active(DeviceStepper* device) {
    const cl_uint zero = 0;
    if (activity_is_all(device->activity)) return GULLY_OK;
    return device_called(device,
                         device->device->cl->EnqueueFillBuffer(
                             device->device->queue, device->active, &zero, sizeof zero, 0,
                             (size_t)patch_total(device) * sizeof(int), 0, NULL, NULL),
                         "fill memory");
}

/// Finds the active patches after a run.
static GullyStatus read_active(DeviceStepper* device) {
    const int columns = activity_columns(device->activity), total = patch_total(device);
    if (activity_is_all(device->activity)) return GULLY_OK;
    GullyStatus status = GULLY_OK;
    if (device->step.rest_count > 0)
        status = device_launch(device, device->kernels[device->kernel_count - 1], 0, NULL);
    if (!status)
        status = device_called(device,
                               device->device->cl->EnqueueReadBuffer(
                                   device->device->queue, device->active, CL_TRUE, 0,
                                   (size_t)total * sizeof(int), device->flags, 0, NULL, NULL),
                               "copy from it");
    for (int i = 0; i < total && !status; i++) {
        if (device->flags[i]) activity_active(device->activity, i / columns)[i % columns] = 1;
    }
    return status;
}

// ---- runs ---------------------------------------------------------------------------------------

static size_t consts_bytes(const StepEntry* entry, const void* consts) {
    const Law* law = entry->rows;
    const size_t bytes = law->consts_bytes ? law->consts_bytes(consts) : law->consts_size;
    return (bytes + 15) / 16 * 16;
}

/// Waits until a run is done.
static GullyStatus wait_for(DeviceStepper* device, QueuedRun* run) {
    if (!run->done) return GULLY_OK;
    const cl_int code = device->device->cl->WaitForEvents(1, &run->done);
    device->device->cl->ReleaseEvent(run->done);
    run->done = NULL;
    return device_called(device, code, "finish a run");
}

static GullyStatus reserve_consts(DeviceStepper* device, QueuedRun* run, size_t bytes) {
    if (bytes <= run->capacity) return GULLY_OK;
    unsigned char* grown = realloc(run->consts, bytes);
    if (!grown) return gully_fail(GULLY_NO_MEMORY, "no memory for %zu bytes of constants", bytes);
    run->consts = grown;
    device_free(device->device, run->buffer);
    run->buffer = NULL;
    run->capacity = 0;
    GullyStatus status = device_buffer(device->device, bytes, &run->buffer);
    if (!status) run->capacity = bytes;
    return status;
}

/// Copies the constants of a run, each once, and queues their way to the device.
static GullyStatus send_consts(DeviceStepper* device, QueuedRun* run, int steps, StepConsts consts,
                               ConstPlaces* places) {
    const int count = device->entry_count;
    size_t used = 0;
    for (int pass = 0; pass < 2; pass++) { // how much, then what
        used = 0;
        for (int k = 0; k < steps * count; k++) {
            places->at[k] = -1;
            for (int j = k - 1; j >= 0 && places->at[k] < 0 && consts[k]; j--)
                if (consts[j] == consts[k]) places->at[k] = places->at[j];
            if (places->at[k] >= 0 || !consts[k]) continue;
            const StepEntry* entry = &device->entries[k % count];
            const size_t bytes = consts_bytes(entry, consts[k]);
            places->at[k] = (int)used;
            const Law* law = entry->rows;
            if (pass == 1)
                memcpy(run->consts + used, consts[k],
                       law->consts_bytes ? law->consts_bytes(consts[k]) : law->consts_size);
            used += bytes;
        }
        if (pass == 0) {
            GullyStatus status = reserve_consts(device, run, used > 0 ? used : 16);
            if (status) return status;
        }
    }
    if (used == 0) return GULLY_OK;
    return device_called(device,
                         device->device->cl->EnqueueWriteBuffer(device->device->queue, run->buffer,
                                                                CL_FALSE, 0, used, run->consts, 0,
                                                                NULL, NULL),
                         "copy to it");
}

/// Queues a kernel in a step. The passes of a bridge after the first `own` belong to the next step.
static GullyStatus run_kernel(DeviceStepper* device, int index, int step, int own,
                              const QueuedRun* run, const ConstPlaces* places) {
    const Kernel* plan = &device->step.plan.kernels[index];
    cl_kernel kernel = device->kernels[index];
    const int* at = &places->at[step * device->entry_count];
    int parts = 0;
    cl_int code = device_set_buffer(device, kernel, ARG_CONSTS, run->buffer);
    for (int i = 0; i < plan->pass_count && !code; i++) {
        const int ahead = i < own ? 0 : device->entry_count;
        const int place = at[ahead + plan->passes[i]];
        parts |= place >= 0 ? 1 << i : 0;
        code = device_set_int(device, kernel, ARG_FIRST_PASS + i, place >= 0 ? place : 0);
    }
    if (!code && plan->recomputed >= 0)
        code =
            device_set_int(device, kernel, ARG_FIRST_PASS + plan->pass_count, at[plan->recomputed]);
    if (!code) code = device_set_int(device, kernel, ARG_PARTS, parts);
    if (code || parts == 0) return device_called(device, code, "set a kernel's arguments");
    return device_launch(device, kernel, plan->fringe, NULL);
}

static GullyStatus run_steps(DeviceStepper* device, int steps, const QueuedRun* run,
                             const ConstPlaces* places) {
    const KernelPlan* plan = &device->step.plan;
    GullyStatus status = device->has_swapped ? device_bind_kernels(device) : GULLY_OK;
    for (int step = 0; step < steps; step++) {
        for (int k = step > 0 && plan->has_bridge ? 1 : 0; k < plan->count && !status; k++) {
            const bool bridges = plan->has_bridge && k == plan->count - 1 && step < steps - 1;
            status = run_kernel(device, bridges ? plan->count : k, step,
                                plan->kernels[k].pass_count, run, places);
        }
    }
    return status;
}

/// Queues a marker: an event that is done when all before it is.
static GullyStatus mark_done(DeviceStepper* device, QueuedRun* run) {
    cl_int code =
        device->device->cl->EnqueueReadBuffer(device->device->queue, device->tallies, CL_FALSE, 0,
                                              sizeof run->mark, &run->mark, 0, NULL, &run->done);
    if (!code) code = device->device->cl->Flush(device->device->queue);
    return device_called(device, code, "run a kernel");
}

static GullyStatus run(Stepper* stepper, int steps, StepConsts consts) {
    DeviceStepper* device = (DeviceStepper*)stepper;
    QueuedRun* queued = &device->runs[device->next_run];
    ConstPlaces places;
    device->next_run = (device->next_run + 1) % QUEUED_RUNS;
    const int reach = stepper->run_steps * plan_step_reach(device->entries, device->entry_count);
    GullyStatus status = wait_for(device, queued);
    activity_begin_step(device->activity, device->entries, device->entry_count, reach, steps,
                        consts);
    if (!status) status = send_lists(device);
    if (!status) status = clear_active(device);
    if (!status) status = send_consts(device, queued, steps, consts, &places);
    if (status) return status;
    device->world->fetch = bring;
    device->world->home = device;
    atomic_store(&device->world->is_away, true);
    status = device_chains_fit(device, steps, &places)
                 ? device_run_chains(device, steps, queued, &places)
                 : run_steps(device, steps, queued, &places);
    if (!status) status = read_active(device);
    if (!status) status = mark_done(device, queued);
    if (status) return status;
    device->behind += steps;
    return now() - device->brought > bring_seconds ? bring(device) : GULLY_OK;
}

/// Waits for all runs: a failure shows before the step is called done.
static GullyStatus finish(Stepper* stepper) {
    DeviceStepper* device = (DeviceStepper*)stepper;
    GullyStatus status = GULLY_OK;
    for (int i = 0; i < QUEUED_RUNS; i++) {
        GullyStatus other = wait_for(device, &device->runs[(device->next_run + i) % QUEUED_RUNS]);
        if (!status) status = other;
    }
    return status;
}

// ---- making one ---------------------------------------------------------------------------------

static bool fits(const StepEntry* entries, int count) {
    int fringes[MAX_ENTRIES];
    if (count <= 0 || count > MAX_ENTRIES) return false;
    plan_fringes(entries, count, fringes);
    for (int k = 0; k < count; k++) {
        if (fringes[k] > MOST_FRINGE) return false;
    }
    return true;
}

static GullyStatus plan_step(Stepper* stepper, const StepEntry* entries, int count) {
    DeviceStepper* device = (DeviceStepper*)stepper;
    device->entries = malloc((size_t)count * sizeof *device->entries);
    if (!device->entries) return gully_fail(GULLY_NO_MEMORY, "no memory for %d passes", count);
    memcpy(device->entries, entries, (size_t)count * sizeof *entries);
    device->entry_count = count;
    stepper->run_steps = MAX_RUN_STEPS;
    return GULLY_OK;
}

static GullyStatus create_buffers(DeviceStepper* device) {
    const size_t total = (size_t)patch_total(device);
    device->list = malloc(total * sizeof *device->list);
    device->flags = malloc(total * sizeof *device->flags);
    if (!device->list || !device->flags)
        return gully_fail(GULLY_NO_MEMORY, "no memory for %zu patches", total);
    GullyStatus status =
        device_buffer(device->device, total * ACCOUNTS * sizeof(DeviceTally), &device->tallies);
    if (!status) status = device_buffer(device->device, total * sizeof(int), &device->active);
    for (int i = 0; i <= MOST_FRINGE && !status; i++)
        status = device_buffer(device->device, total * sizeof(int), &device->patches[i]);
    return status ? status : clear_tallies(device);
}

static void close_device(Stepper* stepper) {
    DeviceStepper* device = (DeviceStepper*)stepper;
    GullyWorld* world = device->world;
    (void)!bring(device); // the best that can be done now
    (void)!finish(stepper);
    device->device->cl->Finish(device->device->queue); // commands may still use what is freed here
    if (world->home == device) {
        atomic_store(&world->is_away, false);
        world->fetch = NULL;
        world->home = NULL;
    }
    device_release_kernels(device);
    device_free(device->device, device->tallies);
    device_free(device->device, device->active);
    for (int i = 0; i <= MOST_FRINGE; i++)
        device_free(device->device, device->patches[i]);
    for (int i = 0; i < QUEUED_RUNS; i++) {
        free(device->runs[i].consts);
        device_free(device->device, device->runs[i].buffer);
    }
    activity_destroy(device->activity);
    pthread_mutex_destroy(&device->mutex);
    free(device->entries);
    free(device->list);
    free(device->flags);
    free(device);
}

static GullyStatus open_device(const StepperPlace* place, Stepper** out) {
    *out = NULL;
    assert(place->device);
    DeviceStepper* device = calloc(1, sizeof *device);
    if (!device) return gully_fail(GULLY_NO_MEMORY, "no memory for a stepper");
    device->stepper.kind = &device_stepper;
    device->world = place->world;
    device->place = place->device;
    device->device = place->device->device;
    device->edits = device->layout = -1;
    device->brought = now();
    pthread_mutex_init(&device->mutex, NULL);
    GullyStatus status = activity_create_whole(place->world, &device->activity);
    if (!status) status = create_buffers(device);
    if (status) {
        close_device(&device->stepper);
        return status;
    }
    *out = &device->stepper;
    return GULLY_OK;
}

const StepperKind device_stepper = {
    .name = "device",
    .keeps_scratch = true,
    .fits = fits,
    .open = open_device,
    .plan = plan_step,
    .bind = bind,
    .run = run,
    .finish = finish,
    .accounts = accounts,
    .abandon = abandon,
    .close = close_device,
};
