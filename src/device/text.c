// SPDX-License-Identifier: MIT
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool reserve(Text* text, size_t more) {
    const size_t wanted = text->length + more + 1;
    if (wanted <= text->capacity) return true;
    const size_t capacity = wanted < 2 * text->capacity ? 2 * text->capacity : wanted + 1024;
    char* bytes = realloc(text->bytes, capacity);
    if (!bytes) return false;
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

void text_add(Text* text, const char* format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || text->failed || !reserve(text, (size_t)length)) {
        text->failed = true;
    } else {
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

void text_free(Text* text) {
    free(text->bytes);
    *text = (Text){0};
}
