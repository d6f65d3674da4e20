// SPDX-License-Identifier: MIT
/// What the present is compared with, for the pages: tiles as they were.
#ifndef STUDIO_PAST_H
#define STUDIO_PAST_H

#include "engine.h"

/// Sends the tiles that a command wants, as they were in the session's reference, as frame 0.
GullyStatus past_send(Engine* engine, const Command* command);

#endif
