// SPDX-License-Identifier: MIT
/// A step as a device runs it: the kernels of its entries and the programs that they stand in.
#ifndef DEVICE_STEP_H
#define DEVICE_STEP_H

#include "chain_text.h"
#include "device_world.h"
#include "kernel_text.h"
#include "kernels.h"
#include "stepper.h"

/// A field that is 0 where a law rests.
typedef struct RestField {
    int slot;
    bool any_bit; // -0 counts too: it was rounded in the last step
} RestField;

typedef struct DeviceStep {
    DevicePass* passes;
    KernelPlan plan;
    ChainPlan chains;    // where they pay: for runs in which every patch is awake
    Text* chain_sources; // a program for each
    Text* sources;       // of the programs
    const Law** laws;    // that they belong to; NULL: the program that finds active patches
    int source_count;
    RestField rest[MAX_FIELDS];
    int rest_count;
} DeviceStep;

/// Plans the kernels of a step for the fields that a world has, and writes their programs.
GullyStatus device_step_create(const StepEntry* entries, int count, const GullyWorld* world,
                               KernelStyle style, DeviceStep* out);

/// The same for a world's device: with chains where it has memory for their second buffers. Fails
/// if it has too little for the fields.
GullyStatus device_step_plan(const StepEntry* entries, int count, const DeviceWorld* place,
                             DeviceStep* out);
void device_step_free(DeviceStep* step);

/// Whether all programs are built; and builds them, which takes seconds the first time.
bool device_step_is_built(const DeviceStep* step, Device* device);
GullyStatus device_step_build(const DeviceStep* step, Device* device);

/// Bytes that a step loads and stores per cell while every patch is awake.
size_t device_step_bytes(const DeviceStep* step);

/// The source of the program that a kernel belongs to.
const char* device_step_source(const DeviceStep* step, const Law* law);

#endif
