// SPDX-License-Identifier: MIT
/// A hash of what the library reads out of a world. The library has one of its own, which may
/// differ between two versions; this one is the same code on both sides of a comparison.
#ifndef FIELD_HASH_H
#define FIELD_HASH_H

#include <stdint.h>

#include "gully/gully.h"

/// Of every bit of a field, row by row.
uint64_t field_hash(const GullyWorld* world, GullyField field);

#endif
