// SPDX-License-Identifier: MIT
/// What pairs.c knows of a version of the library: nothing that may change between versions.
#ifndef CONTESTANT_H
#define CONTESTANT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Contestant Contestant;

/// Fills size * size heights [m] of a mountain. A failure, here and below, has been printed.
bool contestant_heights(int size, float* heights);

/// Whether this version has a variant; as `gully bench` names them.
bool contestant_has(const char* law, const char* variant);

/// A world with a simulation, ready to step; NULL on failure.
Contestant* contestant_open(const float* heights, int size, int threads, const char* law,
                            const char* variant);
void contestant_step(Contestant* c, int steps);

/// Of every bit of every field that users can read.
uint64_t contestant_hash(const Contestant* c);
void contestant_close(Contestant* c);

#endif
