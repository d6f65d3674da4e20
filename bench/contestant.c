/// One side of a comparison (pairs.c): the library of some version, linked with this file and the
/// variants of `gully bench` into a shared object, so that two versions can run in one process.
#include "contestant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_variants.h"

struct Contestant {
    Trial trial;
    float* heights;
};

static const Variant* find_variant(const VariantList* list, const char* name) {
    for (int i = 0; i < list->count; i++) {
        if (strcmp(list->rows[i].name, name) == 0) return &list->rows[i];
    }
    return NULL;
}

static GullyStatus set_up(Contestant* c, int size, int threads, const char* name) {
    const VariantList variants = variants_of(gully_law_find("pipe"));
    const Variant* variant = find_variant(&variants, name);
    GullyGenerateParams params;
    gully_params_default(gully_generate_table(), &params);
    params.width = params.height = size;
    c->heights = malloc(sizeof(float) * (size_t)size * (size_t)size);
    if (!variant) return gully_fail(GULLY_BAD_INPUT, "there is no variant '%s'", name);
    if (!c->heights) return gully_fail(GULLY_NO_MEMORY, "no memory for %d x %d", size, size);
    GullyStatus status = gully_generate("mountains", &params, c->heights);
    if (status != GULLY_OK) return status;
    return trial_open(&c->trial, &(TrialDef){variant, c->heights, size, threads, false});
}

Contestant* contestant_open(int size, int threads, const char* variant) {
    Contestant* c = calloc(1, sizeof *c);
    if (c && set_up(c, size, threads, variant) == GULLY_OK) return c;
    fprintf(stderr, "%s\n", c ? gully_message() : "no memory");
    if (c) contestant_close(c);
    return NULL;
}

void contestant_step(Contestant* c, int steps) {
    if (gully_sim_step(c->trial.sim, steps) == GULLY_OK) return;
    fprintf(stderr, "%s\n", gully_message());
    exit(1); // a time that means nothing must not be compared
}

uint64_t contestant_hash(const Contestant* c) {
    return gully_world_hash(c->trial.world, GULLY_TERRAIN);
}

void contestant_close(Contestant* c) {
    trial_close(&c->trial);
    free(c->heights);
    free(c);
}
