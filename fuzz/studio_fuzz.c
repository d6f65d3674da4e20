// SPDX-License-Identifier: MIT
// What a page sends to the studio: a line with a query, one with a host, one with an origin, one
// with a path, then a message. Whatever they are, nothing comes in that should not.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gate.h"
#include "message.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

/// The next line, as a text, which ends where a NUL is.
static char* take_line(const uint8_t** bytes, size_t* size) {
    const uint8_t* end = *size ? memchr(*bytes, '\n', *size) : NULL;
    size_t length = end ? (size_t)(end - *bytes) : *size;
    char* line = strndup((const char*)*bytes, length);
    *bytes += end ? length + 1 : length;
    *size -= end ? length + 1 : length;
    if (!line) abort();
    return line;
}

static void check_gate(const char* query, const char* host, const char* origin) {
    Gate gate = {.token = "0123456789abcdef0123456789abcdef"};
    gate_set_address(&gate, "127.0.0.1", 8420);
    if (gate_token_fits(&gate, query) && !strstr(query, "token=")) abort();
    if (gate_host_fits(&gate, host) && !strstr(host, ":8420")) abort();
    if (gate_origin_fits(&gate, origin) && !gate_host_fits(&gate, origin + strlen("http://")))
        abort();
    char value[16];
    if (query_value(query, "name", value, sizeof value) && strlen(value) >= sizeof value) abort();
}

static void check_path(char* path) {
    if (path_is_plain(path) && (path[0] != '/' || strstr(path, "/.."))) abort();
    if (file_name_is_plain(path) && (strchr(path, '/') || path[0] == '.')) abort();
    if (session_name_is_plain(path) && strpbrk(path, "/.\\")) abort();
    if (file_name_clean(path) && !file_name_is_plain(path)) abort();
}

/// A message that is read has what its verb needs, and a command for the session is one again.
static void check_message(const char* text, size_t size) {
    Message message, again;
    if (message_parse(text, size, &message) == GULLY_OK) {
        if (message.verb == VERB_HELLO) abort();
        if (message.verb == VERB_WANT && message.want->count > WANT_TILES) abort();
        if (message.verb == VERB_EXPORT && !message.field) abort();
        if (message.verb == VERB_SESSION) {
            if (message_parse(message.text, strlen(message.text), &again) != GULLY_OK ||
                strcmp(message.text, again.text) != 0)
                abort();
            message_free(&again);
        }
    }
    message_free(&message);
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    char* lines[4];
    for (int i = 0; i < 4; i++)
        lines[i] = take_line(&bytes, &size);
    check_gate(lines[0], lines[1], lines[2]);
    check_path(lines[3]);
    check_message((const char*)bytes, size);
    for (int i = 0; i < 4; i++)
        free(lines[i]);
    return 0;
}
