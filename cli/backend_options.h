// SPDX-License-Identifier: MIT
/// Options of commands that step: what computes. And what is said of it afterwards.
#ifndef GULLY_CLI_BACKEND_OPTIONS_H
#define GULLY_CLI_BACKEND_OPTIONS_H

#include <jansson.h>

#include "command.h"
#include "gully/sim.h"

/// The words of the options; NULL = not given.
typedef struct BackendWords {
    const char* backend; ///< "cpu", "gpu" or "auto"
    const char* device;
} BackendWords;

/// What they ask for.
typedef struct BackendChoice {
    GullyBackend backend;
    const char* device; ///< NULL = the first GPU that fits
} BackendChoice;

/// Rows of a command's table, each with its comma, for the member `backend` of its values, a
/// BackendWords. BACKEND_VALUES is the type of the values: a file defines it before it uses the
/// rows.
// clang-format off
#define BACKEND_ROWS \
    {OPTION_CHOICE, 0, "backend", "cpu|gpu|auto", \
     "what steps: the processor (default), a device, or a GPU if one fits; the result is the same", \
     offsetof(BACKEND_VALUES, backend.backend), false, 0, 0}, \
    {OPTION_TEXT, 0, "device", "NAME", \
     "part of the name of a device or its platform, see gully devices; means --backend gpu", \
     offsetof(BACKEND_VALUES, backend.device), false, 0, 0},
// clang-format on

/// What the words ask for; false after a message if they contradict each other.
bool backend_words(const char* command, const BackendWords* words, BackendChoice* out);

/// "cpu" or "gpu": what stepped.
const char* backend_name(const GullySimDevice* device);

/// The device as an object; NULL if none was asked for.
json_t* backend_json(const GullySimDevice* device);

/// "On NAME (driver 535.1): 400 steps, ...", with what went wrong; nothing if no device was asked
/// for.
void backend_print(const GullySimDevice* device);

/// A text of a driver's, which may be anything, as JSON.
json_t* driver_text(const char* text);

/// "7.6 GiB", "12 MiB".
void bytes_text(double bytes, char* buffer, size_t size);

#endif
