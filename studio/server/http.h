// SPDX-License-Identifier: MIT
/// What comes over the network, through CivetWeb: requests for files, and WebSockets.
#ifndef STUDIO_HTTP_H
#define STUDIO_HTTP_H

#include "engine.h"

typedef struct Http Http;

/// Listens; `page` is the folder of the page, without links. Port 0 = the first free one from 8420.
GullyStatus http_start(Engine* engine, const char* page, const char* address, int port, Http** out);

/// When the engine has ended. NULL is allowed.
void http_stop(Http* http);

#endif
