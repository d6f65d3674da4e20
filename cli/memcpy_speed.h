// SPDX-License-Identifier: MIT
/// How fast this machine copies memory: what the speed of a step is measured against.
#ifndef GULLY_CLI_MEMCPY_SPEED_H
#define GULLY_CLI_MEMCPY_SPEED_H

#include "gully/status.h"

/// Copies a buffer of 1 GiB; takes 2 GiB.
typedef struct Copier Copier;

GullyStatus copier_create(Copier** out);
void copier_destroy(Copier* copier);

/// Copies once with so many threads, up to 1024.
GullyStatus copier_run(Copier* copier, int threads);

/// The best so far, in bytes copied per second; 0 if there was none.
double copier_best(const Copier* copier, int threads);

/// As if it had never run.
void copier_forget(Copier* copier);

#endif
