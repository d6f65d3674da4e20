// SPDX-License-Identifier: MIT
/// Flushing denormal numbers to zero: drying water makes them, and they make a step several times
/// slower.
#ifndef DENORMALS_H
#define DENORMALS_H

#include <stdint.h>

#if defined(__wasm__)
#define DENORMALS_ARE_KEPT // a test says so too, to see what becomes of it on other processors
#endif

#if defined(DENORMALS_ARE_KEPT)

/// WebAssembly has no such mode: the rows of laws have a second form (src/flushed).
static inline uint64_t denormals_flush(void) {
    return 0;
}

static inline void denormals_restore(uint64_t before) {
    (void)before;
}

#elif defined(__SSE2__)
#include <xmmintrin.h>

enum { FLUSH_BITS = 0x8040 }; // FTZ and DAZ of MXCSR

static inline uint64_t denormals_flush(void) {
    unsigned before = _mm_getcsr();
    _mm_setcsr(before | FLUSH_BITS);
    return before;
}

static inline void denormals_restore(uint64_t before) {
    _mm_setcsr((unsigned)before);
}

#elif defined(__aarch64__)

static inline uint64_t denormals_flush(void) {
    uint64_t before;
    __asm__ volatile("mrs %0, fpcr" : "=r"(before));
    __asm__ volatile("msr fpcr, %0" : : "r"(before | (UINT64_C(1) << 24))); // FZ
    return before;
}

static inline void denormals_restore(uint64_t before) {
    __asm__ volatile("msr fpcr, %0" : : "r"(before));
}

#else
#error "say here how this processor flushes denormals, so that results stay the same everywhere"
#endif

#endif
