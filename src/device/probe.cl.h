// SPDX-License-Identifier: MIT
/// What a device is asked before it is used: the kernel of probe.c, in OpenCL C 1.2.
#ifndef PROBE_CL_H
#define PROBE_CL_H

#include "probe.cell.h"

kernel void probe(global const float* numbers, global float* answers) {
    const int i = (int)get_global_id(0);
    float found[PROBE_ANSWERS];
    probe_answers(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2], found);
    for (int n = 0; n < PROBE_ANSWERS; n++)
        answers[i * PROBE_ANSWERS + n] = found[n];
}

#endif
