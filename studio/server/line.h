// SPDX-License-Identifier: MIT
/// The line to a page, whoever carries it: a WebSocket, or the messages of a worker in the browser.
#ifndef STUDIO_LINE_H
#define STUDIO_LINE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum LineKind {
    LINE_TEXT,
    LINE_BYTES,
    LINE_CLOSE, ///< the last message
} LineKind;

/// Sends a message; false if that cannot be done any more.
bool line_write(void* line, LineKind kind, const void* bytes, size_t size);

/// The line is to end.
void line_drop(void* line);

#endif
