// SPDX-License-Identifier: MIT
/// Runs on a device: what the tests of devices have in common.
#ifndef DEVICE_CASES_H
#define DEVICE_CASES_H

#include <stdbool.h>

enum { DEVICE_CASE_KEYS = 12 };

typedef struct DeviceCase {
    const char *name, *model;
    const char* keys[DEVICE_CASE_KEYS]; // key, value, ...
    int width, height, materials;
    bool half, thermal, velocity, no_masks, holes, lake, hardness, sources;
} DeviceCase;

extern const DeviceCase device_cases[];
extern const int device_case_count;

/// Gives the device the sources of the tests' own laws.
void device_cases_begin(void);

#endif
