// SPDX-License-Identifier: MIT
/// What JavaScript calls of the studio's engine in a worker.
#ifndef STUDIO_WORKER_H
#define STUDIO_WORKER_H

#include <stdbool.h>

/// Begins with the demo, in the working folder. NULL, or why that is not possible.
const char* worker_open(int threads);

/// A text of the page, made by malloc; it is freed.
void worker_take(char* text);

/// A turn of the engine. Returns how long there is nothing more to do [s].
double worker_turn(void);

/// Makes the name of a file that a page has sent a plain one, in place; false if it cannot be.
bool worker_file_name(char* name);

#endif
