// SPDX-License-Identifier: MIT
#include "scene_difference.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMED = 4, MOST_PATH = 256, MOST_VALUE = 60 };

typedef struct Difference {
    char* buffer;
    size_t size, used;
    int count;
} Difference;

/// A value as it stands in a scene, cut if it is long.
static void value_text(const json_t* value, char text[MOST_VALUE + 4]) {
    const size_t flags = JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(15);
    char* whole = value ? json_dumps(value, flags) : NULL;
    snprintf(text, MOST_VALUE, "%s", whole ? whole : "not set");
    if (whole && strlen(whole) >= MOST_VALUE) strcat(text, "...");
    free(whole);
}

static void name_one(Difference* difference, const char* path, const json_t* now,
                     const json_t* then) {
    char now_text[MOST_VALUE + 4], then_text[MOST_VALUE + 4];
    if (difference->count++ >= MOST_NAMED || difference->used >= difference->size) return;
    value_text(now, now_text);
    value_text(then, then_text);
    difference->used +=
        (size_t)snprintf(difference->buffer + difference->used, difference->size - difference->used,
                         "%s%s: %s, in the checkpoint %s", difference->count > 1 ? "; " : "", path,
                         now_text, then_text);
}

static void compare(Difference* difference, const char* path, const json_t* now,
                    const json_t* then);

static void compare_entry(Difference* difference, const char* path, const char* key,
                          const json_t* now, const json_t* then) {
    static const char* const left_out[] = {"steps", "seed"};
    char longer[MOST_PATH];
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out && !path[0]; i++) {
        if (strcmp(key, left_out[i]) == 0) return;
    }
    snprintf(longer, sizeof longer, "%s%s%s", path, path[0] ? "." : "", key);
    compare(difference, longer, now, then);
}

static void compare_objects(Difference* difference, const char* path, const json_t* now,
                            const json_t* then) {
    const char* key;
    json_t* value;
    json_object_foreach((json_t*)now, key, value)
        compare_entry(difference, path, key, value, json_object_get(then, key));
    json_object_foreach((json_t*)then, key, value) {
        if (!json_object_get(now, key)) compare_entry(difference, path, key, NULL, value);
    }
}

static void compare_arrays(Difference* difference, const char* path, const json_t* now,
                           const json_t* then) {
    for (size_t i = 0; i < json_array_size(now); i++) {
        char index[24];
        snprintf(index, sizeof index, "%zu", i);
        compare_entry(difference, path, index, json_array_get(now, i), json_array_get(then, i));
    }
}

static bool is_same_number(const json_t* now, const json_t* then) {
    return json_is_number(now) && json_is_number(then) &&
           json_number_value(now) == json_number_value(then);
}

/// Both, or one that has something in it where the other has nothing.
static bool are_objects(const json_t* now, const json_t* then) {
    size_t entries = json_object_size(now) + json_object_size(then);
    return json_is_object(now) ? json_is_object(then) || (!then && entries > 0)
                               : !now && json_is_object(then) && entries > 0;
}

static void compare(Difference* difference, const char* path, const json_t* now,
                    const json_t* then) {
    if (are_objects(now, then))
        compare_objects(difference, path, now, then);
    else if (json_is_array(now) && json_is_array(then) &&
             json_array_size(now) == json_array_size(then))
        compare_arrays(difference, path, now, then);
    else if (!is_same_number(now, then) && !json_equal(now, then))
        name_one(difference, path, now, then);
}

void scene_difference(const json_t* now, const json_t* then, char* buffer, size_t size) {
    Difference difference = {.buffer = buffer, .size = size};
    buffer[0] = 0;
    compare(&difference, "", now, then);
}
