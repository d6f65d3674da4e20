// SPDX-License-Identifier: MIT
/// Hashing of bytes, and random numbers that are a function of their key.
#ifndef HASH_H
#define HASH_H

#include <stddef.h>
#include <stdint.h>

/// 64-bit hash of bytes, started from another hash (0 at first) so that rows can be chained.
uint64_t hash_bytes(const void* bytes, size_t size, uint64_t seed);

/// A uniform number in [0, 1), a function of its key alone: the same whatever the threads or tiles.
double random_at(uint64_t seed, uint64_t step, uint64_t index, uint64_t dimension);

#endif
