// SPDX-License-Identifier: MIT
/// A run with everything on that a step can do, in as much memory and on as many ranks as a test wants.
/// What it ends with must not depend on either.
#ifndef SIZE_CASE_H
#define SIZE_CASE_H

#include <stdio.h>
#include <stdlib.h>

#include "gully/ranks.h"
#include "gully/sim.h"

enum { SIZE_WIDTH = 90, SIZE_FIELDS = 11 };

/// Ends the program with the library's message if a call fails. Ranks are threads, where cmocka
/// cannot fail.
#define MUST(call)                                                                                 \
    do {                                                                                           \
        if (call) {                                                                                \
            fprintf(stderr, "%s: %s\n", #call, gully_message());                                   \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

typedef struct SizeWay {
    const GullyLawInfo* law;
    int width, height; // 0 = SIZE_WIDTH
    int tile_size, ranks, threads;
    bool half, sleeps; // half precision; dry but for a source
    size_t memory;     // of each rank; 0 = all that there is
    GullyRect edit;    // where a hole is dug and filled, beside the source
} SizeWay;

typedef struct SizeOutcome {
    uint64_t hashes[SIZE_FIELDS];
    GullyBudget budget;
    GullyMemory memory; // of this rank
    int64_t cells;
    double volume; // of the lowest layer
    int block;
} SizeOutcome;

/// A world of rough land with holes of nodata and, if the law knows them, three materials.
GullyWorld* size_world(const SizeWay* way, const GullyRanks* ranks);

GullySettings* size_settings(const SizeWay* way);

/// A simulation of both; `size_end` destroys it and its world.
GullySim* size_begin(const SizeWay* way, const GullyRanks* ranks);
void size_end(GullySim* sim);

/// Raises the ground and the water of `edit` to 5 m.
void size_edit(const SizeWay* way, GullyWorld* world);

/// A state: the head is that of any rank, and of the cells each rank writes its own.
typedef struct SizeState {
    unsigned char *head, *cells;
    size_t head_size;
} SizeState;

SizeState size_state(int width, int height);
void size_state_free(SizeState* state);
void size_keep(SizeState* state, const GullySim* sim);
void size_restore(const SizeState* state, GullySim* sim);

SizeOutcome size_outcome(const GullySim* sim);

/// Fails the test if hashes, budgets or volumes differ.
void size_check_same(const SizeWay* way, const SizeOutcome* got, const SizeOutcome* wanted);

#endif
