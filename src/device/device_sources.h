// SPDX-License-Identifier: MIT
/// The files that a device compiles, as text inside the library (cmake/device_sources.cmake).
#ifndef DEVICE_SOURCES_H
#define DEVICE_SOURCES_H

#include "kernel_text.h"

extern const DeviceSource device_sources[]; // a name of NULL ends

#endif
