// SPDX-License-Identifier: MIT
/// A float whose arithmetic flushes denormal results to a zero of the same sign, for processors that
/// have no such mode. The rows of laws are compiled with it in place of `float`: then they come to
/// the bits of all other machines. Numbers that go in must be flushed already.
#ifndef FLUSHED_HPP
#define FLUSHED_HPP

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct Flushed {
    float value;

    Flushed() = default;
    constexpr Flushed(float x) : value(x) {}
    constexpr Flushed(double x) : value((float)x) {}
    constexpr Flushed(int x) : value((float)x) {}
    explicit constexpr operator int() const { return (int)value; }
    explicit constexpr operator double() const { return (double)value; }
};

static inline Flushed flushed(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= (bits & 0x7f800000u) ? 0xffffffffu : 0x80000000u;
    memcpy(&x, &bits, sizeof bits);
    return Flushed(x);
}

#define ARITHMETIC(op)                                                                             \
    static inline Flushed operator op(Flushed a, Flushed b) { return flushed(a.value op b.value); } \
    static inline Flushed& operator op##=(Flushed& a, Flushed b) { return a = a op b; }
ARITHMETIC(+)
ARITHMETIC(-)
ARITHMETIC(*)
ARITHMETIC(/)
#undef ARITHMETIC

#define COMPARISON(op)                                                                             \
    static inline bool operator op(Flushed a, Flushed b) { return a.value op b.value; }
COMPARISON(<)
COMPARISON(>)
COMPARISON(<=)
COMPARISON(>=)
COMPARISON(==)
COMPARISON(!=)
#undef COMPARISON

static inline Flushed operator-(Flushed a) {
    return Flushed(-a.value);
}

static inline Flushed sqrtf(Flushed x) {
    return Flushed(__builtin_sqrtf(x.value));
}

// From here on, for the rows of laws, which are C otherwise.
#define float Flushed
#define ALWAYS_INLINE static // one function for all choices: seldom used, it is to be small
#define _Alignas(bytes) alignas(bytes)
#define _Static_assert static_assert

#endif
