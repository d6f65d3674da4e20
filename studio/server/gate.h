// SPDX-License-Identifier: MIT
/// Who may come in, and with what: hosts, origins, tokens, paths, names. All of it is decided from
/// bytes that someone else wrote.
#ifndef STUDIO_GATE_H
#define STUDIO_GATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "gully/status.h"

/// Why something was refused; counted, and shown in the status.
typedef enum Refusal {
    REFUSED_HOST,
    REFUSED_ORIGIN,
    REFUSED_TOKEN,
    REFUSED_PATH,
    REFUSED_SIZE,
    REFUSED_GARBAGE,
    REFUSED_BUSY,
    REFUSAL_COUNT
} Refusal;

/// "host", "origin", ...
const char* refusal_name(Refusal refusal);

enum { TOKEN_LENGTH = 32 }; ///< hexadecimal digits: 128 random bits

enum { SESSION_NAME = 64 }; ///< letters of a session's name, at most

typedef struct Gate {
    char host[64];       ///< what is served: "127.0.0.1:8420"
    char local_host[64]; ///< the same by name, "localhost:8420"; "" if it has none
    char token[TOKEN_LENGTH + 1];
    atomic_llong refused[REFUSAL_COUNT];
} Gate;

/// Takes the token that a file of this user's alone holds, or makes one and keeps it there. The
/// address is known later: gate_set_address.
GullyStatus gate_create(Gate* gate, const char* file);
void gate_set_address(Gate* gate, const char* address, int port);

void gate_count(Gate* gate, Refusal refusal);

/// A header's value; NULL = there is none.
bool gate_host_fits(const Gate* gate, const char* host);
bool gate_origin_fits(const Gate* gate, const char* origin);

/// Whether a query ("token=...&name=...", or NULL) has the token. Takes as long for any wrong one.
bool gate_token_fits(const Gate* gate, const char* query);

/// The decoded value of a key of a query; false if there is none, or it does not fit, or it is not
/// text.
bool query_value(const char* query, const char* key, char* out, size_t size);

/// A path of a request, decoded: begins with a slash, goes nowhere up, has nothing odd in it.
bool path_is_plain(const char* path);

/// The name of a file: letters, digits, "-_. " and nothing else, not beginning with a dot, and at
/// most 128 long.
bool file_name_is_plain(const char* name);

/// Makes a name from one that a user has given to a file, other letters becoming "_"; false if it
/// is a path, hidden, too long or no text.
bool file_name_clean(char* name);

/// The name of a session: letters, digits, "-_ ", 1 to 64 of them, no space at its ends.
bool session_name_is_plain(const char* name);

#endif
