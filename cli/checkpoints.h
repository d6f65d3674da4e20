// SPDX-License-Identifier: MIT
/// Checkpoints of a run: two files in its folder, written in turn, so that one is always whole.
#ifndef GULLY_CLI_CHECKPOINTS_H
#define GULLY_CLI_CHECKPOINTS_H

#include "session.h"

/// Gets ready, before the first step: remembers what the world was.
GullyStatus checkpoints_open(Session* session);

/// Goes on from the newest whole checkpoint in the folder: the session's simulation, phase and
/// steps are then those of that moment. Without one it says so, and the run starts from the
/// beginning. Fails for one of another run, with a message that says what differs.
GullyStatus checkpoints_resume(Session* session);

/// Steps until the next checkpoint is due; at least 1.
int64_t checkpoints_until(const Session* session);

/// Writes a checkpoint if one is due, beside the simulation. If the one before is still being
/// written it comes later. Whether it could be written does not stop a run: a message says so.
void checkpoints_step(Session* session);

/// Whether one is being written.
bool checkpoints_busy(const Session* session);

/// Writes a last checkpoint, of a run that is interrupted; false with a message if it cannot.
bool checkpoints_last(Session* session);

/// Removes the checkpoints of a run that is done.
void checkpoints_remove(Session* session);

void checkpoints_close(Session* session);

#endif
