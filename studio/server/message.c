// SPDX-License-Identifier: MIT
#include "message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the verbs and what they take ---------------------------------------------------------------

typedef enum KeyKind {
    KEY_FLAG,
    KEY_COUNT,
    KEY_NUMBER,
    KEY_TEXT,
    KEY_OBJECT,
    KEY_LIST,
    KEY_OTHER ///< read by a function of its own
} KeyKind;

typedef struct Key {
    const char* name; ///< NULL ends a list
    KeyKind kind;
    size_t offset; ///< of the member of Message
    bool required;
    double low, high; ///< of counts and numbers
} Key;

#define AT(member) .offset = offsetof(Message, member)

static const Key play_keys[] = {{"on", KEY_FLAG, AT(on), true}, {0}};
static const Key step_keys[] = {
    {"steps", KEY_COUNT, AT(steps), .low = 1, .high = 1e9}, {"cycle", KEY_FLAG, AT(cycle)}, {0}};
static const Key speed_keys[] = {
    {"steps_per_second", KEY_NUMBER, AT(steps_per_second), true, .low = 0, .high = 1e6}, {0}};
static const Key use_keys[] = {
    {"backend", KEY_TEXT, AT(backend), true}, {"device", KEY_TEXT, AT(device)}, {0}};
static const Key want_keys[] = {
    {"tiles", KEY_OTHER, .required = true}, {"planes", KEY_OTHER, .required = true}, {0}};
static const Key ack_keys[] = {
    {"frame", KEY_COUNT, AT(frame), true, .low = 0, .high = 4294967295.0}, {0}};
static const Key new_keys[] = {
    {"scene", KEY_OBJECT, AT(scene)},
    {"example", KEY_TEXT, AT(example)},
    {"generate", KEY_TEXT, AT(generate)},
    {"width", KEY_COUNT, AT(width), .low = 1, .high = 1048576},
    {"height", KEY_COUNT, AT(height), .low = 1, .high = 1048576},
    {"cell_size", KEY_NUMBER, AT(cell_size), .low = 1e-6, .high = 1e6},
    {"seed", KEY_COUNT, AT(seed), .low = 0, .high = 2147483647},
    {"relief", KEY_NUMBER, AT(relief), .low = 0, .high = 20000},
    {"params", KEY_OBJECT, AT(params)},
    {"combine", KEY_LIST, AT(combine)},
    {0},
};
static const Key sketch_keys[] = {
    {"generate", KEY_TEXT, AT(generate)},
    {"params", KEY_OBJECT, AT(params)},
    {"combine", KEY_LIST, AT(combine)},
    {"width", KEY_COUNT, AT(width), .low = 1, .high = 1048576},
    {"height", KEY_COUNT, AT(height), .low = 1, .high = 1048576},
    {"cell_size", KEY_NUMBER, AT(cell_size), .low = 1e-6, .high = 1e6},
    {"seed", KEY_COUNT, AT(seed), .low = 0, .high = 2147483647},
    {"variants", KEY_COUNT, AT(variants), .low = 1, .high = 8},
    {"vary", KEY_COUNT, AT(vary), .low = 0, .high = 31},
    {0},
};
static const Key open_keys[] = {{"session", KEY_TEXT, AT(session)},
                                {"file", KEY_TEXT, AT(file)},
                                {"read", KEY_OBJECT, AT(read)},
                                {"flip", KEY_FLAG, AT(flip)},
                                {0}};
static const Key inspect_keys[] = {
    {"file", KEY_TEXT, AT(file), true}, {"read", KEY_OBJECT, AT(read)}, {0}};
static const Key raster_keys[] = {{"file", KEY_TEXT, AT(file), true}, {0}};
static const Key save_keys[] = {
    {"session", KEY_TEXT, AT(session), true}, {"replace", KEY_FLAG, AT(replace), false}, {0}};
static const Key recover_keys[] = {{"take", KEY_FLAG, AT(take), true}, {0}};
static const Key export_keys[] = {
    {"field", KEY_TEXT, AT(field), true},
    {"format", KEY_TEXT, AT(format)},
    {"preset", KEY_TEXT, AT(preset)},
    {"width", KEY_COUNT, AT(width), .low = 1, .high = 1048576},
    {"height", KEY_COUNT, AT(height), .low = 1, .high = 1048576},
    {"flip", KEY_FLAG, AT(flip)},
    {"low", KEY_NUMBER, AT(low), .low = -1e9, .high = 1e9},
    {"high", KEY_NUMBER, AT(high), .low = -1e9, .high = 1e9},
    {"error", KEY_NUMBER, AT(error), .low = 0, .high = 1e6},
    {0},
};
static const Key rules_keys[] = {{"example", KEY_TEXT, AT(example), true}, {0}};
static const Key pack_keys[] = {{"session", KEY_TEXT, AT(session)}, {0}};
static const Key no_keys[] = {{0}};

static const struct {
    const char* name;
    const Key* keys;
} verbs[VERB_COUNT] = {
    [VERB_PLAY] = {"play", play_keys},
    [VERB_STEP] = {"step", step_keys},
    [VERB_SPEED] = {"speed", speed_keys},
    [VERB_REPEAT] = {"repeat", play_keys},
    [VERB_UNWATCHED] = {"unwatched", play_keys},
    [VERB_WATCH] = {"watch", play_keys},
    [VERB_CANCEL] = {"cancel", no_keys},
    [VERB_RULES] = {"rules", rules_keys},
    [VERB_USE] = {"use", use_keys},
    [VERB_DEVICES] = {"devices", no_keys},
    [VERB_WANT] = {"want", want_keys},
    [VERB_WAS] = {"was", want_keys},
    [VERB_ACK] = {"ack", ack_keys},
    [VERB_NEW] = {"new", new_keys},
    [VERB_OPEN] = {"open", open_keys},
    [VERB_DOUBLE] = {"double", no_keys},
    [VERB_INSPECT] = {"inspect", inspect_keys},
    [VERB_SKETCH] = {"sketch", sketch_keys},
    [VERB_ADD_RASTER] = {"add_raster", raster_keys},
    [VERB_SAVE] = {"save", save_keys},
    [VERB_SESSIONS] = {"sessions", no_keys},
    [VERB_RECOVER] = {"recover", recover_keys},
    [VERB_EXPORT] = {"export", export_keys},
    [VERB_PACK] = {"pack", pack_keys},
    [VERB_UNPACK] = {"unpack", raster_keys},
    [VERB_STATUS] = {"status", no_keys},
};

// ---- keys ---------------------------------------------------------------------------------------

static GullyStatus wrong(const Key* key, const char* wanted) {
    return gully_fail(GULLY_BAD_INPUT, "%s: %s is wanted", key->name, wanted);
}

static GullyStatus wrong_number(const Key* key, const char* kind) {
    return gully_fail(GULLY_BAD_INPUT, "%s: %s from %g to %g is wanted", key->name, kind, key->low,
                      key->high);
}

static GullyStatus read_key(const Key* key, json_t* value, Message* out) {
    void* member = (char*)out + key->offset;
    switch (key->kind) {
    case KEY_FLAG:
        if (!json_is_boolean(value)) return wrong(key, "true or false");
        *(bool*)member = json_is_true(value);
        break;
    case KEY_COUNT: {
        double number = json_is_number(value) ? json_number_value(value) : NAN;
        if (!(number >= key->low && number <= key->high) || floor(number) != number)
            return wrong_number(key, "a whole number");
        *(json_int_t*)member = (json_int_t)number;
        break;
    }
    case KEY_NUMBER: {
        double number = json_is_number(value) ? json_number_value(value) : NAN;
        if (!(number >= key->low && number <= key->high)) return wrong_number(key, "a number");
        *(double*)member = number;
        break;
    }
    case KEY_TEXT:
        if (!json_is_string(value)) return wrong(key, "a text");
        *(const char**)member = json_string_value(value);
        break;
    case KEY_OBJECT:
        if (!json_is_object(value)) return wrong(key, "an object");
        *(json_t**)member = value;
        break;
    case KEY_LIST:
        if (!json_is_array(value)) return wrong(key, "a list");
        *(json_t**)member = value;
        break;
    case KEY_OTHER:
        break;
    }
    return GULLY_OK;
}

static const Key* find_key(const Key* keys, const char* name) {
    for (const Key* key = keys; key->name; key++)
        if (strcmp(key->name, name) == 0) return key;
    return NULL;
}

static GullyStatus unknown_key(const Key* keys, const char* verb, const char* name) {
    char list[256] = "nothing";
    size_t length = 0;
    for (const Key* key = keys; key->name; key++)
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", length ? ", " : "",
                                   key->name);
    return gully_fail(GULLY_BAD_INPUT, "unknown key '%.64s'; %s takes %s", name, verb, list);
}

static GullyStatus read_keys(const Key* keys, const char* verb, json_t* body, Message* out) {
    const char* name;
    json_t* value;
    json_object_foreach(body, name, value) {
        const Key* key = find_key(keys, name);
        if (strcmp(name, "do") == 0) continue;
        if (!key) return unknown_key(keys, verb, name);
        if (json_is_null(value) && !key->required) continue;
        GullyStatus status = read_key(key, value, out);
        if (status != GULLY_OK) return status;
    }
    for (const Key* key = keys; key->name; key++)
        if (key->required && !json_object_get(body, key->name))
            return gully_fail(GULLY_BAD_INPUT, "%s: %s is missing", verb, key->name);
    return GULLY_OK;
}

// ---- want ---------------------------------------------------------------------------------------

static GullyStatus read_planes(const json_t* list, unsigned* planes) {
    if (!json_is_array(list)) return gully_fail(GULLY_BAD_INPUT, "planes: a list is wanted");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char* name = json_string_value(json_array_get(list, i));
        int plane = 0;
        while (plane < PLANE_COUNT && !(name && strcmp(name, plane_name((Plane)plane)) == 0))
            plane++;
        if (plane == PLANE_COUNT)
            return gully_fail(
                GULLY_BAD_INPUT,
                "planes: '%.64s' is none; there are height, water, velocity, sediment, "
                "deposit, flow, wear, hardness, material",
                name ? name : "?");
        *planes |= 1u << plane;
    }
    return GULLY_OK;
}

static bool read_tile(const json_t* item, TileKey* out) {
    static const json_int_t most[3] = {TILE_LEVELS - 1, TILE_PLACE, TILE_PLACE};
    int part[3];
    if (json_array_size(item) != 3) return false;
    for (size_t i = 0; i < 3; i++) {
        const json_t* number = json_array_get(item, i);
        json_int_t value = json_is_integer(number) ? json_integer_value(number) : -1;
        if (value < 0 || value > most[i]) return false;
        part[i] = (int)value;
    }
    *out = tile_key(part[0], part[1], part[2]);
    return true;
}

static GullyStatus read_want(const json_t* body, Want** out) {
    const json_t* tiles = json_object_get(body, "tiles");
    size_t count = json_array_size(tiles);
    if (!json_is_array(tiles) || count > WANT_TILES)
        return gully_fail(GULLY_BAD_INPUT, "tiles: a list of at most %d is wanted", WANT_TILES);
    Want* want = want_create((int)count);
    if (!want) return gully_fail(GULLY_NO_MEMORY, "no memory for a list of tiles");
    GullyStatus status = read_planes(json_object_get(body, "planes"), &want->planes);
    for (size_t i = 0; i < count && status == GULLY_OK; i++)
        if (!read_tile(json_array_get(tiles, i), &want->tiles[i]))
            status = gully_fail(GULLY_BAD_INPUT,
                                "tiles: each is [level, x, y], level 0 to %d, x "
                                "and y 0 to %d",
                                TILE_LEVELS - 1, TILE_PLACE);
    want_sort(want);
    if (status == GULLY_OK)
        *out = want;
    else
        want_drop(want);
    return status;
}

// ---- all of it ----------------------------------------------------------------------------------

/// Whether brackets are nested further than any command of ours: the reader of JSON calls itself,
/// and the stack of the thread that it runs on is small.
static bool is_deep(const char* text, size_t size) {
    int depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < size; i++) {
        char letter = text[i];
        if (quoted && letter == '\\')
            i++;
        else if (letter == '"')
            quoted = !quoted;
        else if (!quoted && (letter == '[' || letter == '{') && ++depth > MESSAGE_DEPTH)
            return true;
        else if (!quoted && (letter == ']' || letter == '}'))
            depth--;
    }
    return false;
}

static GullyStatus read_id(Message* out) {
    const json_t* id = json_object_get(out->body, "id");
    if (!id) return GULLY_OK;
    if (!json_is_integer(id)) return gully_fail(GULLY_BAD_INPUT, "id: a whole number is wanted");
    out->has_id = true;
    out->id = json_integer_value(id);
    json_object_del(out->body, "id");
    return GULLY_OK;
}

GullyStatus message_parse(const char* text, size_t size, Message* out) {
    *out = (Message){.verb = VERB_SESSION,
                     .steps = 1,
                     .seed = -1,
                     .vary = -1,
                     .cell_size = NAN,
                     .relief = NAN,
                     .low = NAN,
                     .high = NAN,
                     .error = NAN};
    if (size > MESSAGE_BYTES)
        return gully_fail(GULLY_BAD_INPUT, "a message of %zu bytes; at most %d are read", size,
                          MESSAGE_BYTES);
    if (is_deep(text, size))
        return gully_fail(GULLY_BAD_INPUT, "a message may nest %d brackets", MESSAGE_DEPTH);
    json_error_t error;
    out->body = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(out->body))
        return gully_fail(GULLY_BAD_INPUT, "a message is a JSON object: %s",
                          out->body ? "this is none" : error.text);
    GullyStatus status = read_id(out);
    if (status != GULLY_OK) return status;
    const char* name = json_string_value(json_object_get(out->body, "do"));
    if (!name) return gully_fail(GULLY_BAD_INPUT, "do is missing: the name of a command");
    for (int verb = 0; verb < VERB_COUNT; verb++)
        if (verbs[verb].name && strcmp(verbs[verb].name, name) == 0) out->verb = (Verb)verb;
    if (out->verb == VERB_SESSION) {
        out->text = json_dumps(out->body, JSON_COMPACT);
        return out->text ? GULLY_OK : gully_fail(GULLY_NO_MEMORY, "no memory for a command");
    }
    status = read_keys(verbs[out->verb].keys, name, out->body, out);
    if (status == GULLY_OK && (out->verb == VERB_WANT || out->verb == VERB_WAS))
        status = read_want(out->body, &out->want);
    return status;
}

void message_free(Message* message) {
    want_drop(message->want);
    free(message->text);
    json_decref(message->body);
    *message = (Message){0};
}
