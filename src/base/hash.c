// SPDX-License-Identifier: MIT
#include "hash.h"

#define XXH_INLINE_ALL
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include <xxhash.h>
#pragma GCC diagnostic pop

uint64_t hash_bytes(const void* bytes, size_t size, uint64_t seed) {
    return XXH3_64bits_withSeed(bytes, size, seed);
}

double random_at(uint64_t seed, uint64_t step, uint64_t index, uint64_t dimension) {
    const uint64_t key[4] = {seed, step, index, dimension};
    return (double)(hash_bytes(key, sizeof key, 0) >> 11) * 0x1p-53;
}
