// SPDX-License-Identifier: MIT
/// The device stepper from inside.
///
///     device_stepper.c   runs, the patches that are awake, bringing cells home
///     device_kernels.c   the kernels of the passes and their arguments
///     device_chains.c    chains: runs in which every patch is awake
#ifndef DEVICE_STEPPER_H
#define DEVICE_STEPPER_H

#include <pthread.h>

#include "activity.h"
#include "device_step.h"
#include "plan.h"

/// Runs that may be queued at the same time.
enum { QUEUED_RUNS = 2 };

enum { MOST_FRINGE = 4 };

/// A sum of the budget, as kernels have it (prelude.h).
typedef struct DeviceTally {
    int64_t coarse, fine;
} DeviceTally;

/// What a run needs while it is queued.
typedef struct QueuedRun {
    unsigned char* consts; // of all its steps, one after the other
    size_t capacity;
    cl_mem buffer; // the same on the device
    cl_event done; // its last command; NULL = not in use
    int mark;      // which that reads
} QueuedRun;

typedef struct DeviceStepper {
    Stepper stepper;
    GullyWorld* world;
    DeviceWorld* place;
    Device* device;
    StepEntry* entries;
    int entry_count;
    Activity* activity;
    int64_t edits, layout; // of the world, that are known here
    // Kernels, for the fields that the world has.
    DeviceStep step;
    cl_kernel* kernels; // of the plan; the last one finds active patches, if there is one
    int kernel_count;
    SlotSet stored;    // fields that a step writes
    cl_kernel* chains; // of the step; NULL = none
    bool has_swapped;  // chains have exchanged buffers since the kernels were given them
    // Patches.
    cl_mem tallies, active, patches[MOST_FRINGE + 1];
    int patch_counts[MOST_FRINGE + 1];
    int* list;      // of patches, to be sent
    int* flags;     // of active patches, as received
    bool lists_all; // the lists have every patch
    QueuedRun runs[QUEUED_RUNS];
    int next_run;
    // Bringing cells home.
    pthread_mutex_t mutex;
    int64_t behind;          // steps that the tiles are behind
    double brought;          // when that was not so
    Exact counted[ACCOUNTS]; // up to then, since `accounts` was asked
} DeviceStepper;

/// Constants of the entries of a run: where they begin in the buffer, -1 = nothing to do.
typedef struct ConstPlaces {
    int at[MAX_RUN_STEPS * MAX_ENTRIES];
} ConstPlaces;

/// The arguments that all kernels begin with, in the order of kernel_frame.h; then the constants,
/// which passes run, and where the constants of each begin.
enum {
    ARG_WIDTH,
    ARG_HEIGHT,
    ARG_PITCH,
    ARG_COLUMNS,
    ARG_OPEN,
    ARG_PATCHES,
    ARG_TALLIES,
    ARG_ACTIVE,
    ARG_CONSTS,
    ARG_PARTS,
    ARG_FIRST_PASS,
    ARG_FIRST_REST = ARG_CONSTS
};

/// Makes the kernels for the fields that the world has now, and the chains.
GullyStatus device_create_kernels(DeviceStepper* device);
void device_release_kernels(DeviceStepper* device);

/// Gives the kernels the buffers that hold the fields now.
GullyStatus device_bind_kernels(DeviceStepper* device);

GullyStatus device_create_chains(DeviceStepper* device);
void device_release_chains(DeviceStepper* device);

/// Whether chains can run these steps: every patch is awake, and no pass is left out that must not
/// be.
bool device_chains_fit(const DeviceStepper* device, int steps, const ConstPlaces* places);
GullyStatus device_run_chains(DeviceStepper* device, int steps, const QueuedRun* run,
                              const ConstPlaces* places);

// ---- what they share ----------------------------------------------------------------------------

GullyStatus device_called(const DeviceStepper* device, cl_int code, const char* tried);
cl_int device_set_int(const DeviceStepper* device, cl_kernel kernel, int index, int value);
cl_int device_set_buffer(const DeviceStepper* device, cl_kernel kernel, int index, cl_mem buffer);

/// Makes a kernel of a source, and sets the arguments that stay.
GullyStatus device_create_kernel(const DeviceStepper* device, const char* source, const char* name,
                                 cl_kernel* out);

/// The slot of a field, or -1 for scratch; `law`: whose own it is, NULL = common.
int device_slot_of(const DeviceStepper* device, const Law* law, int id);

/// Queues a kernel over the patches of a fringe.
GullyStatus device_launch(DeviceStepper* device, cl_kernel kernel, int fringe, cl_event* done);

#endif
