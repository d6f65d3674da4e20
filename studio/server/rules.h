// SPDX-License-Identifier: MIT
/// The rules of an example, its laws and phases, for other ground.
#ifndef STUDIO_RULES_H
#define STUDIO_RULES_H

#include <jansson.h>
#include <stdbool.h>

/// The phases of a scene with all that holds in them, as a program that another scene may have. Free
/// it with json_decref().
json_t* rules_program(const json_t* scene);

/// "fill, cut: 1100 steps of stream; storm: 200 steps of pipe".
json_t* rules_text(const json_t* scene);

#endif
