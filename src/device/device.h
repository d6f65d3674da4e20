// SPDX-License-Identifier: MIT
/// A device that is open: its context, its queues, and the programs that were built for it.
#ifndef DEVICE_H
#define DEVICE_H

#include <pthread.h>

#include "gully/device.h"
#include "kernels.h"
#include "opencl.h"

/// A program that was built, by the hash of its source.
typedef struct BuiltProgram {
    uint64_t key;
    cl_program program;
} BuiltProgram;

typedef struct Device {
    const OpenCl* cl;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;  // of steps
    cl_command_queue copies; // of what is read while steps go on
    GullyDeviceInfo info;
    KernelStyle style;
    bool rounds_correctly; // divisions and roots, if asked to
    bool repairs;          // they are computed with integers instead
    pthread_mutex_t mutex; // guards what follows
    BuiltProgram* programs;
    int program_count;
    double build_seconds; // of all programs together
    int built, cached;    // programs that were compiled, and those taken from the cache
} Device;

/// Opens the device whose name or platform contains `name`, in upper or lower case; NULL or "" = the
/// first GPU that fits. Fails with a message that says what to do.
GullyStatus device_open(const char* name, Device** out);
void device_close(Device* device);

/// Checks a call.
GullyStatus device_check(const Device* device, cl_int code, const char* tried);

/// The program of a source: built before, taken from the cache of the machine, or compiled now,
/// which may take seconds. Any thread may call this. The device owns it.
GullyStatus device_program(Device* device, const char* source, cl_program* out);

/// Whether device_program would not have to build.
bool device_has_program(Device* device, const char* source);

/// Whether devices that are opened from now on get kernels like a GPU's even if they are none; for
/// tests.
void device_style_of_gpus(bool everywhere);

/// Makes a buffer of some bytes.
GullyStatus device_buffer(Device* device, size_t bytes, cl_mem* out);
void device_free(const Device* device, cl_mem buffer);

/// Whether a device computes as the processor does (probe.c).
GullyStatus device_probe(Device* device);

#endif
