// SPDX-License-Identifier: MIT
/// One side of a comparison (pairs.c): the library of some version, linked with this file and the
/// version's own variants of `gully bench` into a shared object, so that two versions can run in one
/// process.
///
/// Compiled against the headers of either version, so it may use only what both have. Whether a
/// step returns a status differs: a step that failed shows in the hash.
#include "contestant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_variants.h"
#include "field_hash.h"

struct Contestant {
    Trial trial;
};

static const Variant* find_variant(const VariantList* list, const char* name) {
    for (int i = 0; i < list->count; i++) {
        if (strcmp(list->rows[i].name, name) == 0) return &list->rows[i];
    }
    return NULL;
}

bool contestant_has(const char* law, const char* name) {
    const GullyLawInfo* info = gully_law_find(law);
    const VariantList variants = info ? variants_of(info) : (VariantList){0};
    return find_variant(&variants, name) != NULL;
}

bool contestant_heights(int size, float* heights) {
    GullyGenerateParams params;
    gully_params_default(gully_generate_table(), &params);
    params.width = params.height = size;
    if (gully_generate("mountains", &params, heights) == GULLY_OK) return true;
    fprintf(stderr, "%s\n", gully_message());
    return false;
}

Contestant* contestant_open(const float* heights, int size, int threads, const char* law,
                            const char* name) {
    const GullyLawInfo* info = gully_law_find(law);
    const VariantList variants = info ? variants_of(info) : (VariantList){0};
    const Variant* variant = find_variant(&variants, name);
    Contestant* c = calloc(1, sizeof *c);
    if (!variant || !c) {
        fprintf(stderr, variant ? "no memory\n" : "%s has no variant '%s'\n", law, name);
        free(c);
        return NULL;
    }
    const TrialDef def = {variant, heights, size, threads, false};
    if (trial_open(&c->trial, &def) == GULLY_OK) return c;
    fprintf(stderr, "%s\n", gully_message());
    contestant_close(c);
    return NULL;
}

void contestant_step(Contestant* c, int steps) {
    (void)gully_sim_step(c->trial.sim, steps);
}

uint64_t contestant_hash(const Contestant* c) {
    uint64_t hash = 0;
    for (GullyField field = 0; field < GULLY_FIELD_COUNT; field++)
        hash = 31 * hash + field_hash(c->trial.world, field);
    return hash;
}

void contestant_close(Contestant* c) {
    trial_close(&c->trial);
    free(c);
}
