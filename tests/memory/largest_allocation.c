// SPDX-License-Identifier: MIT
// Preloaded into programs: appends the size of the largest malloc, calloc or realloc [bytes] to the
// file that LARGEST_ALLOCATION names when a program ends. The world's tiles are none of them: they
// are mapped or aligned.
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* old, size_t size);

#define EXPORTED __attribute__((visibility("default")))

static _Atomic size_t largest;

static void note(size_t size) {
    size_t known = atomic_load(&largest);
    while (size > known && !atomic_compare_exchange_weak(&largest, &known, size)) {
    }
}

EXPORTED void* malloc(size_t size) {
    note(size);
    return __libc_malloc(size);
}

EXPORTED void* calloc(size_t count, size_t size) {
    if (size == 0 || count <= SIZE_MAX / size) note(count * size);
    return __libc_calloc(count, size);
}

EXPORTED void* realloc(void* old, size_t size) {
    note(size);
    return __libc_realloc(old, size);
}

__attribute__((destructor)) static void tell(void) {
    const char* path = getenv("LARGEST_ALLOCATION");
    FILE* file = path ? fopen(path, "a") : NULL;
    if (!file) return;
    fprintf(file, "%zu\n", atomic_load(&largest));
    fclose(file);
}
