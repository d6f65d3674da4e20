// SPDX-License-Identifier: MIT
/// A session as one file, to be shared: a tar of its folder, with the rasters that its scene names.
///
///     session.json, journal.jsonl, checkpoint-N.gully, rasters/NAME, clips/NAME   as docs/sessions.md has them
///     files/N/NAME                                                             what the scene names, and what lies
///                                                                              beside it (sidecars)
///
/// Who opens one may have got it from anybody: names, sizes and paths in it are checked.
#ifndef STUDIO_PACKING_H
#define STUDIO_PACKING_H

#include "engine.h"

/// `pack`: the present session as a file among the exports.
GullyStatus packing_pack(Engine* engine, const Message* message, json_t** more);

/// `unpack`: such a file becomes a saved session.
GullyStatus packing_unpack(Engine* engine, const Message* message, json_t** more);

#endif
