// SPDX-License-Identifier: MIT
/// Text that grows: sources of programs are written into it.
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Text {
    char* bytes; // ends with 0; NULL while empty
    size_t length, capacity;
    bool failed; // out of memory: what was added since is missing
} Text;

void text_add(Text* text, const char* format, ...) __attribute__((format(printf, 2, 3)));
void text_free(Text* text);

#endif
