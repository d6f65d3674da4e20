// The generators, on threads that are there already.
#ifndef GENERATORS_H
#define GENERATORS_H

#include "gully/generate.h"
#include "pool.h"

// Fails for a kind that there is not; the message lists them.
GullyStatus generator_check(const char* kind);

// Fills the heights; the kind is one that there is.
void generator_run(Pool* pool, const char* kind, const GullyGenerateParams* params, float* heights);

#endif
