// SPDX-License-Identifier: MIT
/// A task: one function on a thread of its own, in the background.
#ifndef TASK_H
#define TASK_H

#include <stdbool.h>

#include "gully/status.h"

typedef struct Task Task;

GullyStatus task_start(void (*run)(void* context), void* context, Task** out);

/// Whether the function has returned; does not wait.
bool task_is_done(const Task* task);

/// Waits for the function to return, and frees the task; NULL is allowed.
void task_end(Task* task);

#endif
