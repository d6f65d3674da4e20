// SPDX-License-Identifier: MIT
/// Two versions of the library in one process: a shared object each, built by scripts/versions.sh.
#ifndef SIDES_H
#define SIDES_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { BEFORE, NOW, SIDES };

/// Opens a shared object; its names stay its own. Ends the program if it cannot.
static inline void* side_open(const char* path) {
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library) return library;
    fprintf(stderr, "%s\n", dlerror());
    exit(2);
}

/// A function of a shared object. Ends the program if it has none of that name.
static inline void* side_find(void* library, const char* name) {
    void* found = dlsym(library, name);
    if (found) return found;
    fprintf(stderr, "%s\n", dlerror());
    exit(2);
}

#endif
