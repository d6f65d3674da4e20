// SPDX-License-Identifier: MIT
/// What two scenes differ in, for a person.
#ifndef GULLY_CLI_SCENE_DIFFERENCE_H
#define GULLY_CLI_SCENE_DIFFERENCE_H

#include <jansson.h>

/// Writes "rain.rate: 0.002, in the checkpoint 0.001; ..." or, if a run of one can go on as one of
/// the other, "". How many steps there are makes no difference, and `seed` is for the caller to
/// compare.
void scene_difference(const json_t* now, const json_t* then, char* buffer, size_t size);

#endif
