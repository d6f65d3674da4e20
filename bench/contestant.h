/// What pairs.c knows of a version of the library: nothing that may change between versions.
#ifndef CONTESTANT_H
#define CONTESTANT_H

#include <stdint.h>

typedef struct Contestant Contestant;

/// A world with a simulation of `pipe`, ready to step; NULL on failure, which it has said. Variants
/// as `gully bench` names them.
Contestant* contestant_open(int size, int threads, const char* variant);
void contestant_step(Contestant* c, int steps);
uint64_t contestant_hash(const Contestant* c);
void contestant_close(Contestant* c);

#endif
