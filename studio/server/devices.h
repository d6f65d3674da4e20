// SPDX-License-Identifier: MIT
/// What steps the session: the processor, or a device. No bit depends on it, so it is a setting of
/// the server and no record of the session.
#ifndef STUDIO_DEVICES_H
#define STUDIO_DEVICES_H

#include "engine.h"

/// Takes what the server was started with.
GullyStatus devices_begin(Engine* engine, const StudioDef* def);

/// What a session that begins now is stepped by. If a world does not fit onto the device that was
/// chosen, only the first session is refused; later ones are stepped by the processor.
void devices_choose(const Engine* engine, GullySessionDef* def);

/// Does what `use` says.
GullyStatus devices_use(Engine* engine, const Message* message);

/// Whether a device steps at the moment.
bool devices_step(const Engine* engine);

/// What steps, as the status has it.
json_t* devices_status(const Engine* engine);

/// Answers `devices`, on the clerk's thread: looking at devices takes a while.
void devices_list(void* command);

#endif
