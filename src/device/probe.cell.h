// SPDX-License-Identifier: MIT
/// Formulas in which a device may differ from a processor, as C and as OpenCL C 1.2.
#ifndef PROBE_CELL_H
#define PROBE_CELL_H

#include "cell.h"

/// What each answer is about.
#define PROBE_TABLE(ANSWER)                                                                        \
    ANSWER(DIVISION, "divides otherwise")                                                          \
    ANSWER(ROOT, "takes square roots otherwise")                                                   \
    ANSWER(CONTRACTION, "contracts a product and a sum")                                           \
    ANSWER(DIFFERENCE, "contracts a product and a difference")                                     \
    ANSWER(REASSOCIATION, "adds in another order")                                                 \
    ANSWER(SMALL_RESULT, "keeps denormal results")                                                 \
    ANSWER(SMALL_INPUT, "keeps denormal numbers")                                                  \
    ANSWER(LEAST, "selects otherwise where a number is NaN")                                       \
    ANSWER(MOST, "selects otherwise where a number is NaN")                                        \
    ANSWER(WALLS, "does not know NaN")                                                             \
    ANSWER(ZEROS, "loses the sign of zero")

enum {
#define ANSWER(id, text) PROBE_##id,
    PROBE_TABLE(ANSWER)
#undef ANSWER
        PROBE_ANSWERS
};

INLINE void probe_answers(float a, float b, float c, float* answers) {
    answers[PROBE_DIVISION] = divide(a, b);
    answers[PROBE_ROOT] = square_root(a < 0.0f ? -a : a);
    answers[PROBE_CONTRACTION] = a * b + c;
    answers[PROBE_DIFFERENCE] = c - a * b;
    answers[PROBE_REASSOCIATION] = pair_add(a, b, c).low;
    answers[PROBE_SMALL_RESULT] = a * 1e-20f * (b * 1e-20f);
    answers[PROBE_SMALL_INPUT] = float_of(bits_of(c) & 0x807fffffu) * 1e30f;
    answers[PROBE_LEAST] = least(a, b);
    answers[PROBE_MOST] = most(a, b);
    answers[PROBE_WALLS] =
        (is_wall(a) ? 1.0f : 0.0f) + (a < b ? 2.0f : 0.0f) + (a >= b ? 4.0f : 0.0f);
    answers[PROBE_ZEROS] = divide(1.0f, (a < 0.0f ? -0.0f : 0.0f) * (c < 0.0f ? -1.0f : 1.0f));
}

#endif
