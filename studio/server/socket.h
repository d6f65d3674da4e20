// SPDX-License-Identifier: MIT
/// WebSockets: messages of pages become commands.
#ifndef STUDIO_SOCKET_H
#define STUDIO_SOCKET_H

#include "engine.h"

struct mg_context;

/// Serves /socket.
void socket_serve(struct mg_context* server, Engine* engine);

#endif
