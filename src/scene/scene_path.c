// SPDX-License-Identifier: MIT
#include "scene_path.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

// ---- paths --------------------------------------------------------------------------------------

static ScenePath path_with(const ScenePath* parent, ScenePart part) {
    ScenePath path = {0};
    if (parent) path = *parent;
    assert(path.count < SCENE_DEPTH);
    path.parts[path.count++] = part;
    return path;
}

ScenePath scene_path_key(const ScenePath* parent, const char* key) {
    return path_with(parent, (ScenePart){.key = key});
}

ScenePath scene_path_index(const ScenePath* parent, size_t index) {
    return path_with(parent, (ScenePart){.index = index});
}

void scene_clip(const char* text, char* buffer, size_t size) {
    size_t length = strlen(text), kept = length;
    if (length >= size) {
        kept = size - 4; // for "..." and the end
        while (kept > 0 && ((unsigned char)text[kept] & 0xC0) == 0x80)
            kept--;
    }
    for (size_t n = 0; n < kept; n++) {
        unsigned char c = (unsigned char)text[n];
        buffer[n] = c < 0x20 || c == 0x7F ? '?' : text[n];
    }
    strcpy(buffer + kept, kept < length ? "..." : "");
}

void scene_path_text(const ScenePath* path, char* buffer, size_t size) {
    size_t used = 0;
    buffer[0] = '\0';
    for (int n = 0; n < path->count && used < size; n++) {
        const ScenePart* part = &path->parts[n];
        char key[64] = "";
        if (part->key) scene_clip(part->key, key, sizeof key);
        int more = part->key ? snprintf(buffer + used, size - used, "%s%s", n ? "." : "", key)
                             : snprintf(buffer + used, size - used, "[%zu]", part->index);
        used += (size_t)more;
    }
}

bool scene_path_meets(const ScenePath* path, const char* dotted, int* used) {
    for (int n = 0; n < path->count; n++) {
        char number[24];
        const char* word = path->parts[n].key;
        if (!word) {
            snprintf(number, sizeof number, "%zu", path->parts[n].index);
            word = number;
        }
        size_t length = strlen(word);
        if (strncmp(dotted, word, length) != 0) return false;
        if (dotted[length] != '.' && dotted[length] != '\0') return false;
        *used = n + 1;
        if (dotted[length] == '\0') return true;
        dotted += length + 1;
    }
    return path->count > 0;
}

// ---- lines --------------------------------------------------------------------------------------
// The text has been parsed before, so it is known to be valid; the walk below only has to find its
// way, in one pass, with a counter for the nesting.

typedef struct Walk {
    const char* at;
    const char* end;
} Walk;

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void skip_between(Walk* walk) {
    while (walk->at < walk->end && (is_space(*walk->at) || *walk->at == ',' || *walk->at == ':'))
        walk->at++;
}

// From the opening quote to behind the closing one.
static void skip_string(Walk* walk) {
    for (walk->at++; walk->at < walk->end && *walk->at != '"'; walk->at++)
        if (*walk->at == '\\' && walk->at + 1 < walk->end) walk->at++;
    if (walk->at < walk->end) walk->at++;
}

static bool ends_value(char c) {
    return is_space(c) || c == ',' || c == ']' || c == '}';
}

static void skip_value(Walk* walk) {
    size_t depth = 0;
    do {
        char c = *walk->at;
        if (c == '"') {
            skip_string(walk);
            continue;
        }
        if (c == '{' || c == '[') depth++;
        if ((c == '}' || c == ']') && depth > 0) depth--;
        walk->at++;
    } while (walk->at < walk->end && (depth > 0 || !ends_value(*walk->at)));
}

// `token` is a string of the text with its quotes.
static bool same_key(const char* token, size_t length, const char* key) {
    if (!memchr(token, '\\', length))
        return strlen(key) == length - 2 && memcmp(token + 1, key, length - 2) == 0;
    json_t* string = json_loadb(token, length, JSON_DECODE_ANY, NULL);
    bool same = json_is_string(string) && strcmp(json_string_value(string), key) == 0;
    json_decref(string);
    return same;
}

// Walks from an object to the value of a key; NULL if there is none, else where the key stands.
static const char* enter_key(Walk* walk, const char* key) {
    if (walk->at >= walk->end || *walk->at != '{') return NULL;
    walk->at++;
    for (;;) {
        skip_between(walk);
        if (walk->at >= walk->end || *walk->at != '"') return NULL;
        const char* token = walk->at;
        skip_string(walk);
        bool same = same_key(token, (size_t)(walk->at - token), key);
        skip_between(walk);
        if (walk->at >= walk->end) return NULL;
        if (same) return token;
        skip_value(walk);
    }
}

// Walks from a list to one of its elements; NULL if there is none, else where it stands.
static const char* enter_index(Walk* walk, size_t index) {
    if (walk->at >= walk->end || *walk->at != '[') return NULL;
    walk->at++;
    for (size_t n = 0;; n++) {
        skip_between(walk);
        if (walk->at >= walk->end || *walk->at == ']') return NULL;
        if (n == index) return walk->at;
        skip_value(walk);
    }
}

int scene_path_line(const ScenePath* path, const char* text, size_t length) {
    Walk walk = {text, text + length};
    skip_between(&walk);
    const char* place = walk.at;
    for (int n = 0; n < path->count; n++) {
        const ScenePart* part = &path->parts[n];
        const char* found =
            part->key ? enter_key(&walk, part->key) : enter_index(&walk, part->index);
        if (!found) break;
        place = found;
    }
    int line = 1;
    for (const char* c = text; c < place; c++)
        line += *c == '\n';
    return line;
}
