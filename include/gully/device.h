// SPDX-License-Identifier: MIT
/// Devices: graphics cards, and other processors that OpenCL 1.2 reaches. A simulation on a device
/// gives the same bits as on the processor (GullySimDef.backend).
///
///     int count;
///     if (gully_device_count(&count)) puts(gully_message()); // says what to install
///     for (int i = 0; i < count; i++) {
///         GullyDeviceInfo info;
///         gully_device_info(i, &info);
///         printf("%s: %s\n", info.name, info.fits ? "fits" : info.reason);
///     }
#ifndef GULLY_DEVICE_H
#define GULLY_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "gully/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct GullyDeviceInfo {
    char name[128];        ///< of the device, as its driver says: "NVIDIA GeForce RTX 3070"
    char platform[128];    ///< of the driver's platform: "NVIDIA CUDA"
    char driver[64];       ///< version of the driver
    char version[128];     ///< of OpenCL: "OpenCL 3.0 CUDA"
    size_t memory;         ///< [bytes]
    size_t largest_buffer; ///< a field of a world must fit into one [bytes]
    int units;             ///< compute units
    bool is_gpu;           ///< only these are chosen without being named
    bool fits;             ///< it computes as the processor does, to the bit
    char reason[256];      ///< why not, and what to do; "" if it fits
} GullyDeviceInfo;

/// How many devices there are. Fails with GULLY_DEVICE if there is no OpenCL library, or if this
/// library was built without.
GULLY_API GullyStatus gully_device_count(int* count) GULLY_MUST_CHECK;

/// What a device is. It is opened and probed, which takes a moment.
GULLY_API GullyStatus gully_device_info(int index, GullyDeviceInfo* out) GULLY_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
