// SPDX-License-Identifier: MIT
/// A text from a page becomes a command. The text may be anything.
#ifndef STUDIO_MESSAGE_H
#define STUDIO_MESSAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gully/status.h"
#include "want.h"

enum {
    MESSAGE_BYTES = 1 << 20, ///< the longest text
    MESSAGE_DEPTH = 32,      ///< of brackets in brackets
};

typedef enum Verb {
    VERB_SESSION, ///< one of docs/sessions.md: the session knows it
    VERB_PLAY,
    VERB_STEP,
    VERB_SPEED,
    VERB_REPEAT,
    VERB_UNWATCHED,
    VERB_WATCH,
    VERB_CANCEL,
    VERB_RULES,
    VERB_USE,
    VERB_DEVICES,
    VERB_WANT,
    VERB_WAS,
    VERB_ACK,
    VERB_NEW,
    VERB_OPEN,
    VERB_DOUBLE,
    VERB_INSPECT,
    VERB_SKETCH,
    VERB_ADD_RASTER,
    VERB_SAVE,
    VERB_SESSIONS,
    VERB_RECOVER,
    VERB_EXPORT,
    VERB_PACK,
    VERB_UNPACK,
    VERB_STATUS,
    VERB_HELLO, ///< a page has come; never from a text
    VERB_COUNT
} Verb;

/// A checked message. What a verb does not take, or was not given, is zero, NULL or NaN.
typedef struct Message {
    Verb verb;
    bool has_id;
    json_int_t id;
    json_t* body; ///< the object, which the texts belong to
    char* text;   ///< VERB_SESSION: the command for the session
    Want* want;   ///< VERB_WANT, VERB_WAS

    bool on, take, replace, flip, cycle;
    json_int_t steps, frame, width, height, seed;
    double steps_per_second, cell_size, relief, low, high, error;
    const char *example, *generate, *session, *file, *field, *format, *preset, *backend, *device;
    json_t* scene;
    json_t* read;    ///< what a reader is told about a raster
    json_t* params;  ///< of a generator
    json_t* combine; ///< layers, as a scene's terrain has them
    json_int_t variants, vary;
} Message;

/// Fails with a message for whoever wrote the text; `out` then still says the id, if there is one.
/// Free it in any case.
GullyStatus message_parse(const char* text, size_t size, Message* out);
void message_free(Message* message);

#endif
