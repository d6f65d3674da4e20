/// How fast this machine copies memory: what the speed of a step is measured against.
#ifndef GULLY_CLI_MEMCPY_SPEED_H
#define GULLY_CLI_MEMCPY_SPEED_H

#include "gully/status.h"

/// Copies a buffer of 1 GiB with so many threads, several times; the best of them, in bytes copied
/// per second. Needs 2 GiB for the time of the call.
GullyStatus memcpy_speed(int threads, double* bytes_per_second);

#endif
