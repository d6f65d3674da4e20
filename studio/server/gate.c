// SPDX-License-Identifier: MIT
#include "gate.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

const char* refusal_name(Refusal refusal) {
    static const char* const names[REFUSAL_COUNT] = {
        "host", "origin", "token", "path", "size", "garbage", "busy",
    };
    return names[refusal];
}

/// Reads a token that nobody else can read or write.
static bool read_token(Gate* gate, const char* path) {
    struct stat info;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    bool fits = file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode) &&
                info.st_uid == geteuid() && (info.st_mode & 077) == 0 &&
                read(file, gate->token, TOKEN_LENGTH) == TOKEN_LENGTH;
    if (file >= 0) close(file);
    return fits && strspn(gate->token, "0123456789abcdef") == TOKEN_LENGTH;
}

static GullyStatus make_token(Gate* gate) {
    uint8_t bits[TOKEN_LENGTH / 2];
    if (getentropy(bits, sizeof bits) != 0)
        return gully_fail(GULLY_FAILED, "no random numbers for the token: %s", strerror(errno));
    for (size_t i = 0; i < sizeof bits; i++)
        snprintf(gate->token + 2 * i, 3, "%02x", bits[i]);
    return GULLY_OK;
}

/// Whole or not at all. A token that cannot be kept is good until the studio ends.
static void keep_token(const Gate* gate, const char* path) {
    char draft[PATH_MAX];
    if (snprintf(draft, sizeof draft, "%s.%ld", path, (long)getpid()) >= (int)sizeof draft) return;
    unlink(draft);
    const int file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return;
    const bool whole = write(file, gate->token, TOKEN_LENGTH) == TOKEN_LENGTH;
    if (close(file) != 0 || !whole || rename(draft, path) != 0) unlink(draft);
}

GullyStatus gate_create(Gate* gate, const char* file) {
    *gate = (Gate){0};
    if (read_token(gate, file)) return GULLY_OK;
    GullyStatus status = make_token(gate);
    if (status == GULLY_OK) keep_token(gate, file);
    return status;
}

void gate_set_address(Gate* gate, const char* address, int port) {
    snprintf(gate->host, sizeof gate->host, "%s:%d", address, port);
    if (strcmp(address, "127.0.0.1") == 0)
        snprintf(gate->local_host, sizeof gate->local_host, "localhost:%d", port);
}

void gate_count(Gate* gate, Refusal refusal) {
    atomic_fetch_add(&gate->refused[refusal], 1);
}

bool gate_host_fits(const Gate* gate, const char* host) {
    if (!host || !*host) return false;
    return strcasecmp(host, gate->host) == 0 || strcasecmp(host, gate->local_host) == 0;
}

bool gate_origin_fits(const Gate* gate, const char* origin) {
    static const char scheme[] = "http://";
    if (!origin || strncasecmp(origin, scheme, strlen(scheme)) != 0) return false;
    return gate_host_fits(gate, origin + strlen(scheme));
}

bool gate_token_fits(const Gate* gate, const char* query) {
    char given[TOKEN_LENGTH + 1] = "";
    bool there = query_value(query, "token", given, sizeof given);
    volatile unsigned difference = !there;
    for (int i = 0; i < TOKEN_LENGTH + 1; i++)
        difference |= (unsigned)(unsigned char)(given[i] ^ gate->token[i]);
    return difference == 0;
}

static int hex_digit(char letter) {
    if (letter >= '0' && letter <= '9') return letter - '0';
    if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
    if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
    return -1;
}

/// Decodes `length` bytes of a query into a text.
static bool decode(const char* in, size_t length, char* out, size_t size) {
    size_t count = 0;
    for (size_t i = 0; i < length; i++) {
        int byte = in[i] == '+' ? ' ' : (unsigned char)in[i];
        if (in[i] == '%') {
            int high = i + 2 < length ? hex_digit(in[i + 1]) : -1;
            int low = i + 2 < length ? hex_digit(in[i + 2]) : -1;
            if (high < 0 || low < 0) return false;
            byte = high * 16 + low;
            i += 2;
        }
        if (byte == 0 || count + 1 >= size) return false;
        out[count++] = (char)byte;
    }
    out[count] = '\0';
    return true;
}

bool query_value(const char* query, const char* key, char* out, size_t size) {
    size_t key_length = strlen(key);
    for (const char* at = query; at && *at;) {
        const char* end = strchr(at, '&');
        size_t length = end ? (size_t)(end - at) : strlen(at);
        if (length > key_length && strncmp(at, key, key_length) == 0 && at[key_length] == '=')
            return decode(at + key_length + 1, length - key_length - 1, out, size);
        at = end ? end + 1 : NULL;
    }
    return false;
}

bool path_is_plain(const char* path) {
    if (!path || path[0] != '/') return false;
    for (const char* at = path; *at; at++) {
        if ((unsigned char)*at < ' ' || *at == 127 || *at == '\\') return false;
        if (at[0] == '/' && at[1] == '.') return false; // no way up, nothing hidden
    }
    return true;
}

/// Letters and digits of ASCII only: isalnum would ask the locale.
static bool is_word(char letter) {
    return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
           (letter >= 'A' && letter <= 'Z') || letter == '-' || letter == '_' || letter == ' ';
}

static bool is_name(const char* name, bool dots, size_t longest) {
    size_t length = name ? strlen(name) : 0;
    if (length < 1 || length > longest) return false;
    if (name[0] == '.' || name[0] == ' ' || name[length - 1] == ' ') return false;
    for (size_t i = 0; i < length; i++)
        if (!is_word(name[i]) && !(dots && name[i] == '.')) return false;
    return true;
}

bool file_name_is_plain(const char* name) {
    return is_name(name, true, 128);
}

bool file_name_clean(char* name) {
    for (char* at = name; *at; at++) {
        if ((unsigned char)*at < ' ' || *at == 127 || *at == '/' || *at == '\\') return false;
        if (!is_word(*at) && *at != '.') *at = '_';
    }
    return file_name_is_plain(name);
}

bool session_name_is_plain(const char* name) {
    return is_name(name, false, SESSION_NAME);
}
