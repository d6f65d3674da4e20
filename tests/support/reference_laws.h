// SPDX-License-Identifier: MIT
/// The references of all laws, to be driven alike.
#ifndef REFERENCE_LAWS_H
#define REFERENCE_LAWS_H

#include "reference_compare.h"

typedef struct ReferenceLaw {
    const char* name;
    /// `params` are the law's own; `cycle` is what a step is made of, NULL = the default.
    void* (*create)(const ReferenceDef* def, const void* params, const char* cycle);
    void (*step)(void* ref, int steps);
    void (*destroy)(void* ref);
    Reference* (*grid)(void* ref);
    /// Compares how the water flows; NULL = the law does not say.
    void (*compare_flow)(void* ref, const GullyWorld* world, ReferenceGap* gap);
} ReferenceLaw;

/// The law of that name, or NULL.
const ReferenceLaw* reference_law(const char* name);

#endif
