// SPDX-License-Identifier: MIT
/// OpenCL, loaded when the first device is asked for: the library links nothing for it.
#ifndef OPENCL_H
#define OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "gully/status.h"

/// The functions that we call, each once: OPENCL(name without "cl").
#define OPENCL_FUNCTIONS(OPENCL)                                                                   \
    OPENCL(GetPlatformIDs)                                                                         \
    OPENCL(GetPlatformInfo)                                                                        \
    OPENCL(GetDeviceIDs)                                                                           \
    OPENCL(GetDeviceInfo)                                                                          \
    OPENCL(CreateContext)                                                                          \
    OPENCL(ReleaseContext)                                                                         \
    OPENCL(CreateCommandQueue)                                                                     \
    OPENCL(ReleaseCommandQueue)                                                                    \
    OPENCL(CreateBuffer)                                                                           \
    OPENCL(ReleaseMemObject)                                                                       \
    OPENCL(EnqueueWriteBuffer)                                                                     \
    OPENCL(EnqueueReadBuffer)                                                                      \
    OPENCL(EnqueueWriteBufferRect)                                                                 \
    OPENCL(EnqueueReadBufferRect)                                                                  \
    OPENCL(EnqueueCopyBuffer)                                                                      \
    OPENCL(EnqueueFillBuffer)                                                                      \
    OPENCL(EnqueueMapBuffer)                                                                       \
    OPENCL(EnqueueUnmapMemObject)                                                                  \
    OPENCL(EnqueueNDRangeKernel)                                                                   \
    OPENCL(CreateProgramWithSource)                                                                \
    OPENCL(CreateProgramWithBinary)                                                                \
    OPENCL(BuildProgram)                                                                           \
    OPENCL(GetProgramInfo)                                                                         \
    OPENCL(GetProgramBuildInfo)                                                                    \
    OPENCL(ReleaseProgram)                                                                         \
    OPENCL(CreateKernel)                                                                           \
    OPENCL(ReleaseKernel)                                                                          \
    OPENCL(SetKernelArg)                                                                           \
    OPENCL(Flush)                                                                                  \
    OPENCL(Finish)                                                                                 \
    OPENCL(WaitForEvents)                                                                          \
    OPENCL(GetEventInfo)                                                                           \
    OPENCL(ReleaseEvent)

typedef struct OpenCl {
#define OPENCL(name) __typeof__(cl##name)* name;
    OPENCL_FUNCTIONS(OPENCL)
#undef OPENCL
} OpenCl;

/// Loads the library, once. The environment variable GULLY_OPENCL names another one than the
/// system's.
GullyStatus opencl_load(const OpenCl** out);

/// What an error code means: "CL_OUT_OF_RESOURCES".
const char* opencl_error(cl_int code);

/// Fails with GULLY_DEVICE and a message that names what was tried; GULLY_OK for CL_SUCCESS.
GullyStatus opencl_check(cl_int code, const char* tried, const char* device);

#endif
