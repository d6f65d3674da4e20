// SPDX-License-Identifier: MIT
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "cell.h"
#include "law.h"

const float cell_zero = 0, cell_one = 1;

// ---- the table: every law in every width --------------------------------------------------------

// WIDE_LAWS is defined where the laws are also compiled for one cell at a time, for AVX2 and for
// AVX-512; MORE_MODELS lets the tests add laws of their own.
enum { PLAIN, BASELINE, AVX2, AVX512, WIDTHS };
#ifdef WIDE_LAWS
#define DECLARE(name)                                                                              \
    extern const Law law_##name##_plain, law_##name##_baseline, law_##name##_avx2,                 \
        law_##name##_avx512;
#define ENTRY(name)                                                                                \
    {&law_##name##_plain, &law_##name##_baseline, &law_##name##_avx2, &law_##name##_avx512},
#else
#define DECLARE(name) extern const Law law_##name##_baseline;
#define ENTRY(name) {&law_##name##_baseline, &law_##name##_baseline},
#endif

DECLARE(supply)
DECLARE(half)
#define LAW(name) DECLARE(name)
#include "models.inc"
#ifdef MORE_MODELS
#include MORE_MODELS
#endif
#undef LAW

static const Law* const laws[][WIDTHS] = {
#define LAW(name) ENTRY(name)
#include "models.inc"
#ifdef MORE_MODELS
#include MORE_MODELS
#endif
#undef LAW
};

enum { LAW_COUNT = sizeof laws / sizeof *laws };
_Static_assert((int)LAW_COUNT <= (int)MAX_LAWS, "MAX_LAWS is too small for models.inc");

/// Laws that users do not see.
enum { SUPPLY_LAW, HALF_LAW, HIDDEN_LAWS };
static const Law* const hidden[HIDDEN_LAWS][WIDTHS] = {ENTRY(supply) ENTRY(half)};

// ---- widths -------------------------------------------------------------------------------------

int law_width_count(void) {
#ifdef WIDE_LAWS
    if (!__builtin_cpu_supports("avx2")) return AVX2;
    bool has_512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                   __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
    return has_512 ? WIDTHS : AVX512;
#else
    return AVX2;
#endif
}

const char* law_width_name(int width) {
    static const char* const names[WIDTHS] = {"plain", "baseline", "avx2", "avx512"};
    return names[width];
}

static atomic_int chosen_width = -1; // -1: the widest

void law_use_width(int width) {
    atomic_store(&chosen_width, width);
}

// ---- looking up ---------------------------------------------------------------------------------

int law_count(void) {
    return LAW_COUNT;
}

static int width_in_use(void) {
    int width = atomic_load(&chosen_width);
    return width < 0 ? law_width_count() - 1 : width;
}

const Law* law_at(int index) {
    return laws[index][width_in_use()];
}

const Law* law_supply(void) {
    return hidden[SUPPLY_LAW][width_in_use()];
}

const Law* law_half(void) {
    return hidden[HALF_LAW][width_in_use()];
}

const Law* law_find(const char* name) {
    for (int i = 0; i < LAW_COUNT; i++) {
        if (strcmp(laws[i][0]->name, name) == 0) return law_at(i);
    }
    return NULL;
}

const Law* law_plain(const Law* law) {
    for (int i = 0; i < LAW_COUNT; i++) {
        if (strcmp(laws[i][PLAIN]->name, law->name) == 0) return laws[i][PLAIN];
    }
    for (int i = 0; i < HIDDEN_LAWS; i++) {
        if (strcmp(hidden[i][PLAIN]->name, law->name) == 0) return hidden[i][PLAIN];
    }
    return law;
}
