// SPDX-License-Identifier: MIT
/// Lists of names in text: "a|b" in tables, "a, b" for people.
#ifndef NAMES_H
#define NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/// Whether "a|b" has the name, in any case.
static inline bool names_have(const char* names, const char* name) {
    size_t length = strlen(name);
    while (length > 0 && *names != '\0') {
        size_t next = strcspn(names, "|");
        if (next == length && strncasecmp(name, names, length) == 0) return true;
        names += next + (names[next] == '|');
    }
    return false;
}

/// Adds a name to "a, b".
static inline void names_append(char* buffer, size_t size, const char* name) {
    size_t used = strlen(buffer);
    snprintf(buffer + used, size - used, "%s%s", used > 0 ? ", " : "", name);
}

#endif
