// SPDX-License-Identifier: MIT
#include "want.h"

#include <stdlib.h>

const char* plane_name(Plane plane) {
    static const char* const names[PLANE_COUNT] = {
        "height", "water", "velocity", "sediment", "deposit",
        "flow",   "wear",  "hardness", "material",
    };
    return names[plane];
}

Want* want_create(int count) {
    Want* want = calloc(1, sizeof *want + (size_t)count * sizeof want->tiles[0]);
    if (!want) return NULL;
    want->holders = 1;
    want->count = count;
    return want;
}

static int compare_keys(const void* a, const void* b) {
    TileKey first = *(const TileKey*)a, second = *(const TileKey*)b;
    return (first > second) - (first < second);
}

void want_sort(Want* want) {
    if (want->count == 0) return;
    qsort(want->tiles, (size_t)want->count, sizeof want->tiles[0], compare_keys);
    int count = 1;
    for (int i = 1; i < want->count; i++)
        if (want->tiles[i] != want->tiles[count - 1]) want->tiles[count++] = want->tiles[i];
    want->count = count;
}

Want* want_hold(Want* want) {
    atomic_fetch_add(&want->holders, 1);
    return want;
}

void want_drop(Want* want) {
    if (want && atomic_fetch_sub(&want->holders, 1) == 1) free(want);
}
