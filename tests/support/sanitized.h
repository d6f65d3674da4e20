// SPDX-License-Identifier: MIT
/// Whether a test runs under a sanitizer, where it is ten times as slow and looks for other things.
#ifndef SANITIZED_H
#define SANITIZED_H

#ifndef __has_feature // clang's way of saying it
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                               \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

/// Fewer steps, under a sanitizer.
static inline int fewer(int steps) {
    return SANITIZED && steps > 10 ? 10 : steps;
}

#endif
