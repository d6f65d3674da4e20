// SPDX-License-Identifier: MIT
/// What pages say, on its way to the engine, whoever carried it.
#ifndef STUDIO_INTAKE_H
#define STUDIO_INTAKE_H

#include "engine.h"

/// A page has come; false without memory.
bool intake_hello(Engine* engine, Client* client);

/// A text of a page, which may be anything.
void intake_text(Engine* engine, Client* client, const char* text, size_t size);

#endif
