// SPDX-License-Identifier: MIT
/// Ranks: processes that share a world, each with some rows of it. How they send messages is a table
/// of functions, so that the library needs no message passing of its own: the program `gully` brings
/// MPI, another program can bring what it has.
///
/// Every rank makes the same calls with the same arguments in the same order. A rank keeps the cells
/// of its own rows (gully_world_own). What it computes is the same, to the bit, as that of one process
/// alone.
///
/// - Sums, hashes, counts, budgets and states are those of the whole world, on every rank.
/// - Writing takes the own rows of what is given. Reading other rows fails, except in gully_world_lead.
/// - A failure of one rank is the failure of all, with the message of that rank.
#ifndef GULLY_RANKS_H
#define GULLY_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gully/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A message to or from another rank.
typedef struct GullyMessage {
    int rank;    ///< the other one
    bool sends;  ///< or receives
    void* bytes; ///< stay until the message is through
    size_t size; ///< of what is sent; of one received the most, it may be shorter
} GullyMessage;

/// What ranks are and how they talk. Functions of one rank are called by one thread at a time.
typedef struct GullyRanks {
    int rank, count; ///< this one, from 0; all of them
    void* context;   ///< of the functions

    /// Begins to send and receive some messages; they are through when `finish` returns. Messages
    /// between two ranks arrive in the order in which they were begun.
    GullyStatus (*begin)(void* context, const GullyMessage* messages, int count);
    GullyStatus (*finish)(void* context);

    /// Waits for what a rank sends, and no longer; other messages may still be under way.
    GullyStatus (*receive)(void* context, int rank);
    /// Lets messages go on while the rank computes. Waits for nothing.
    void (*progress)(void* context);

    /// Gives every rank what each of them has: `size` bytes each, rank by rank.
    GullyStatus (*gather)(void* context, const void* bytes, size_t size, void* all);

    int local; ///< how many of them share this machine and its memory; 0 = not known
} GullyRanks;

/// One process alone.
GULLY_API const GullyRanks* gully_ranks_alone(void);

/// The first failure of any rank, for all of them; each has its message then.
GULLY_API GullyStatus gully_ranks_agree(const GullyRanks* ranks, GullyStatus status);

/// The largest number of any rank, for all of them; the same with a failure.
GULLY_API GullyStatus gully_ranks_most(const GullyRanks* ranks, GullyStatus status,
                                       int64_t* number) GULLY_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
