// SPDX-License-Identifier: MIT
/// Devices of a library that was built without OpenCL: none.
#ifndef GULLY_OPENCL

#include "gully/device.h"

static GullyStatus refuse(void) {
    return gully_fail(GULLY_DEVICE, "this library was built without OpenCL (GULLY_OPENCL)");
}

GullyStatus gully_device_count(int* count) {
    *count = 0;
    return refuse();
}

GullyStatus gully_device_info(int index, GullyDeviceInfo* out) {
    (void)index;
    *out = (GullyDeviceInfo){0};
    return refuse();
}

#endif
