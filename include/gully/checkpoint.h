// SPDX-License-Identifier: MIT
/// Checkpoints: the state of a simulation in a file, compressed and with checksums. A file appears
/// whole or not at all. docs/checkpoints.md has the format.
///
///     gully_checkpoint_take(sim, note, threads, &checkpoint);  // a copy: the simulation may go on
///     gully_checkpoint_write(checkpoint, path, threads, NULL);
///
///     gully_checkpoint_open(path, threads, &checkpoint);       // checks every byte
///     gully_checkpoint_restore(checkpoint, sim, threads);
#ifndef GULLY_CHECKPOINT_H
#define GULLY_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>

#include "gully/state.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct GullyCheckpoint GullyCheckpoint;

/// Copies the state of a simulation. `note` is a text that is kept with it, up to 16 MiB.
GULLY_API GullyStatus gully_checkpoint_take(const GullySim* sim, const char* note, int threads,
                                            GullyCheckpoint** out);

/// The same without copying the cells: the simulation must not step until the checkpoint has been
/// written. Ranks must borrow: each writes the cells that it keeps, all into the same file.
GULLY_API GullyStatus gully_checkpoint_borrow(const GullySim* sim, const char* note,
                                              GullyCheckpoint** out);

/// Whether this machine has the memory for a copy, with as much again to spare.
GULLY_API bool gully_checkpoint_fits(const GullySim* sim);

/// Writes a checkpoint that was taken or borrowed. `stop` (or NULL) is asked now and then: if it
/// says so, the writing fails and no file is left.
GULLY_API GullyStatus gully_checkpoint_write(const GullyCheckpoint* checkpoint, const char* path,
                                             int threads, bool (*stop)(void));

/// Opens a file and checks all of it. Fails with a message that says what is wrong with it:
/// GULLY_BAD_INPUT if it is no checkpoint or a damaged one.
GULLY_API GullyStatus gully_checkpoint_open(const char* path, int threads, GullyCheckpoint** out);

/// The same for ranks: each of them checks a part, and all of them open the file or none does.
GULLY_API GullyStatus gully_checkpoint_open_shared(const GullyRanks* ranks, const char* path,
                                                   int threads, GullyCheckpoint** out);

/// The same with bytes in memory, which may be anything and must stay while it is open; `name`
/// stands for the file in messages.
GULLY_API GullyStatus gully_checkpoint_parse(const void* bytes, size_t size, const char* name,
                                             int threads, GullyCheckpoint** out);

/// Of any checkpoint; NULL is allowed.
GULLY_API void gully_checkpoint_close(GullyCheckpoint* checkpoint);

GULLY_API const GullyStateInfo* gully_checkpoint_info(const GullyCheckpoint* checkpoint);
GULLY_API const char* gully_checkpoint_note(const GullyCheckpoint* checkpoint);

/// Makes a simulation that of an opened checkpoint; see gully_state_begin for what must fit. If it
/// is refused, nothing has changed.
GULLY_API GullyStatus gully_checkpoint_restore(const GullyCheckpoint* checkpoint, GullySim* sim,
                                               int threads);

#ifdef __cplusplus
}
#endif

#endif
