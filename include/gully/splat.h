// SPDX-License-Identifier: MIT
/// Rules of splat maps as files; what they mean is in maps.h.
#ifndef GULLY_SPLAT_H
#define GULLY_SPLAT_H

#include "gully/maps.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Reads a JSON list of rules into `paints`, which has room for GULLY_MAX_PAINTS (docs/maps.md).
GULLY_API GullyStatus gully_splat_rules_read(const char* path, GullyPaint* paints, int* count);

#ifdef __cplusplus
}
#endif

#endif
