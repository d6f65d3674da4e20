// SPDX-License-Identifier: MIT
/// What a run would do, for `gully run --dry-run`.
#ifndef GULLY_CLI_RUN_PLAN_H
#define GULLY_CLI_RUN_PLAN_H

#include <jansson.h>

#include "session.h"

/// As an object; NULL if there is no memory.
json_t* plan_make(const Session* session);

/// On stdout, for a person.
void plan_print(const Session* session);

#endif
