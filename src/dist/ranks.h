// SPDX-License-Identifier: MIT
/// What all ranks find out together: each has the same answer.
#ifndef RANKS_H
#define RANKS_H

#include <stdint.h>

#include "gully/ranks.h"

static inline bool ranks_share(const GullyRanks* ranks) {
    return ranks->count > 1;
}

/// As gully_ranks_agree, also of a failure that all have agreed on before: for those that go on after
/// one.
GullyStatus ranks_agree_anew(const GullyRanks* ranks, GullyStatus status);

/// Adds up whole numbers of 128 bits, modulo 2^128; `status` is what came before, and a failure of any
/// rank is that of all.
__extension__ typedef unsigned __int128 RankSum;
GullyStatus ranks_add(const GullyRanks* ranks, GullyStatus status, void* sums,
                      int count) GULLY_MUST_CHECK;

/// The least and the largest number, each of a rank of its own.
GullyStatus ranks_range(const GullyRanks* ranks, GullyStatus status, double* low,
                        double* high) GULLY_MUST_CHECK;

/// Sends bytes to a rank, and receives some from one: up to `size`.
GullyStatus ranks_send(const GullyRanks* ranks, int to, const void* bytes, size_t size);
GullyStatus ranks_receive(const GullyRanks* ranks, int from, void* bytes, size_t size);

#endif
