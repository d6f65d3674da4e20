// SPDX-License-Identifier: MIT
/// Which files a run writes beside its report.
#ifndef GULLY_CLI_OUTPUT_CHOICE_H
#define GULLY_CLI_OUTPUT_CHOICE_H

#include <stdbool.h>

#include "gully/status.h"

typedef struct Session Session;

/// A bit for each row of the table in output_choice.c; 0 = the usual ones.
typedef unsigned OutputChoice;

/// The names of --outputs, for its help.
#define OUTPUT_NAMES "terrain, water, sediment, flow, wear, deposit, velocity, layers, preview"

/// Reads "terrain,water"; NULL = the usual ones. False after a message.
bool output_choice_read(const char* command, const char* text, bool velocity, OutputChoice* out);

/// Whether an output of that name is written.
bool output_chosen(OutputChoice choice, const char* name);

/// Lists the fields that a session writes, whose world is there. Fails for layers of a scene without
/// materials, unless they are only among the usual ones.
GullyStatus output_choice_list(Session* session);

#endif
