// SPDX-License-Identifier: MIT
#include "gully/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_SIZE = 2048 };

static _Thread_local char message[MESSAGE_SIZE];

const char* gully_message(void) {
    return message;
}

const char* gully_version(void) {
    return GULLY_VERSION;
}

GullyStatus gully_def_check(int made, const char* function) {
    if (made == GULLY_DEF_MADE) return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT,
                      "a definition was made by hand; %s() makes one with all defaults, in which "
                      "members can then be changed",
                      function);
}

GullyStatus gully_fail(GullyStatus status, const char* format, ...) {
    // The arguments may contain the message itself, so it is written elsewhere first.
    char text[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    memcpy(message, text, sizeof message);
    return status;
}

GullyStatus gully_fail_in(GullyStatus status, const char* format, ...) {
    char prefix[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(prefix, sizeof prefix, format, arguments);
    va_end(arguments);
    return gully_fail(status, "%s: %s", prefix, message);
}
