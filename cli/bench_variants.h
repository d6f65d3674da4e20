// SPDX-License-Identifier: MIT
/// What `gully bench` measures: ways to run a law that cost differently.
#ifndef GULLY_CLI_BENCH_VARIANTS_H
#define GULLY_CLI_BENCH_VARIANTS_H

#include "gully/gully.h"

typedef struct Variant {
    const GullyLawInfo* law;
    char name[64];
    const GullyParam* choice; ///< parameter that is not at its default, or NULL
    char value[32];           ///< its value
    bool masks;
    bool all;    ///< also every add-on, and hardness that changes
    bool pond;   ///< water only on a hundredth of the world, and no rain
    bool layers; ///< rock under soil, which becomes sand
    bool half;   ///< a world of half precision
} Variant;

enum { MOST_VARIANTS = 24 };

typedef struct VariantList {
    Variant rows[MOST_VARIANTS];
    int count;
} VariantList;

/// A law at its defaults, with every other choice, with masks, in layers, with all there is, in
/// half precision, and where it has little to do. An add-on runs alone.
VariantList variants_of(const GullyLawInfo* law);

/// The land that is measured, generated; free() it in any case.
GullyStatus trial_heights(int size, float** heights);

/// A world and a simulation in it.
typedef struct Trial {
    GullyWorld* world;
    GullySettings* settings;
    GullySim* sim;
} Trial;

typedef struct TrialDef {
    const Variant* variant;
    const float* heights;
    int size;
    int threads;   ///< 0: one per processor
    bool plain;    ///< with the plain stepper
    size_t memory; ///< [bytes] for the cells; 0: all that they take
} TrialDef;

/// To be closed in any case.
GullyStatus trial_open(Trial* trial, const TrialDef* def);
void trial_close(Trial* trial);

#endif
