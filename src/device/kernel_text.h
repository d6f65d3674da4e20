// SPDX-License-Identifier: MIT
/// Writes the source of a device's programs, from the kernels of a step.
#ifndef KERNEL_TEXT_H
#define KERNEL_TEXT_H

#include "kernels.h"
#include "text.h"

/// A file of the engine that a device compiles; the build makes the table.
typedef struct DeviceSource {
    const char *name, *text;
} DeviceSource;

/// More files than the engine's own, for laws that are not among them; NULL ends. For tests.
void device_more_sources(const DeviceSource* sources);

/// Writes a file and, before it, whatever it includes, each once.
typedef struct Includes {
    const DeviceSource* done[64];
    int count;
} Includes;

GullyStatus write_source(Text* text, Includes* includes, const char* name);

/// Writes the program of the kernels of a plan that belong to a law.
GullyStatus write_program(Text* text, const KernelPlan* plan, const Law* law);

/// Writes the program that finds active patches: a kernel `rest` that looks at fields of 0. The
/// kernel's arguments after the frame's are `count` buffers; `any_bit`: their -0 counts too.
GullyStatus write_rest_program(Text* text, int count, uint64_t any_bit);

#endif
