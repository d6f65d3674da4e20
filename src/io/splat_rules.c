// SPDX-License-Identifier: MIT
// The rules of a splat map, as JSON:
//
//     [{"name": "rock", "slope": [38, null], "soft": {"slope": 8}}, ..., {"name": "scree"}]
//
// from the one on top to the one that takes the rest.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "gully/splat.h"

typedef struct Reader {
    const char* path;
    int rule; // from 0
} Reader;

static GullyStatus wrong(const Reader* reader, const char* key, const char* wanted) {
    return gully_fail(GULLY_BAD_INPUT, "%s: rule %d: %s: must be %s", reader->path,
                      reader->rule + 1, key, wanted);
}

static int quantity_of(const char* name) {
    for (int i = 0; i < GULLY_QUANTITY_COUNT; i++)
        if (strcmp(name, gully_quantity_name((GullyQuantity)i)) == 0) return i;
    return -1;
}

static GullyStatus unknown_key(const Reader* reader, const char* key) {
    char list[256] = "name, soft";
    for (int i = 0; i < GULLY_QUANTITY_COUNT; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, ", %s", gully_quantity_name((GullyQuantity)i));
    }
    return gully_fail(GULLY_BAD_INPUT, "%s: rule %d: %s: unknown key; there are %s", reader->path,
                      reader->rule + 1, key, list);
}

// An end of a range: a number, or null for none. False for anything else.
static bool read_end(const json_t* value, double none, double* out) {
    *out = json_is_null(value) ? none : json_number_value(value);
    return json_is_null(value) || json_is_number(value);
}

static GullyStatus read_range(const Reader* reader, const char* key, const json_t* value,
                              GullyPaint* paint) {
    GullyRange* range = &paint->ranges[paint->range_count];
    *range = (GullyRange){.quantity = (GullyQuantity)quantity_of(key)};
    if (!json_is_array(value) || json_array_size(value) != 2 ||
        !read_end(json_array_get(value, 0), -INFINITY, &range->low) ||
        !read_end(json_array_get(value, 1), INFINITY, &range->high) || range->low > range->high)
        return wrong(reader, key, "[LOW, HIGH], numbers or null, LOW not above HIGH");
    paint->range_count++;
    return GULLY_OK;
}

// Gives the ranges of a paint their soft edges.
static GullyStatus read_soft(const Reader* reader, json_t* soft, GullyPaint* paint) {
    const char* wanted = "an object with a width, 0 or more, for quantities that the rule has";
    if (!json_is_object(soft)) return wrong(reader, "soft", wanted);
    const char* key;
    json_t* value;
    json_object_foreach(soft, key, value) {
        bool found = false;
        for (int i = 0; i < paint->range_count; i++) {
            if (strcmp(gully_quantity_name(paint->ranges[i].quantity), key) != 0) continue;
            paint->ranges[i].soft = json_number_value(value);
            found = true;
        }
        if (!found || !json_is_number(value) || json_number_value(value) < 0)
            return wrong(reader, "soft", wanted);
    }
    return GULLY_OK;
}

static GullyStatus read_rule(const Reader* reader, json_t* rule, GullyPaint* paint) {
    *paint = (GullyPaint){0};
    const char* name = json_string_value(json_object_get(rule, "name"));
    if (!json_is_object(rule))
        return gully_fail(GULLY_BAD_INPUT, "%s: rule %d: must be an object", reader->path,
                          reader->rule + 1);
    if (!name || !*name || strlen(name) >= GULLY_PAINT_NAME)
        return wrong(reader, "name", "a text of 1 to 31 bytes");
    snprintf(paint->name, sizeof paint->name, "%s", name);
    const char* key;
    json_t* value;
    json_object_foreach(rule, key, value) {
        if (strcmp(key, "name") == 0 || strcmp(key, "soft") == 0) continue;
        if (quantity_of(key) < 0) return unknown_key(reader, key);
        GullyStatus status = read_range(reader, key, value, paint);
        if (status != GULLY_OK) return status;
    }
    json_t* soft = json_object_get(rule, "soft");
    return soft ? read_soft(reader, soft, paint) : GULLY_OK;
}

static GullyStatus read_rules(const char* path, json_t* root, GullyPaint* paints, int* count) {
    size_t rules = json_array_size(root);
    if (!json_is_array(root) || rules < 1 || rules > GULLY_MAX_PAINTS)
        return gully_fail(GULLY_BAD_INPUT, "%s: must be a list of 1 to %d rules", path,
                          GULLY_MAX_PAINTS);
    *count = (int)rules;
    for (int i = 0; i < *count; i++) {
        Reader reader = {path, i};
        GullyStatus status = read_rule(&reader, json_array_get(root, (size_t)i), &paints[i]);
        if (status != GULLY_OK) return status;
    }
    if (paints[*count - 1].range_count > 0)
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: rule %d: the last rule takes what is left and has no ranges; add "
                          "one with a name alone",
                          path, *count);
    return GULLY_OK;
}

GullyStatus gully_splat_rules_read(const char* path, GullyPaint* paints, int* count) {
    assert(path && paints && count);
    json_error_t error;
    json_t* root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        return error.line > 0
                   ? gully_fail(GULLY_BAD_INPUT, "%s:%d: %s", path, error.line, error.text)
                   : gully_fail(GULLY_BAD_INPUT, "%s", error.text);
    GullyStatus status = read_rules(path, root, paints, count);
    json_decref(root);
    return status;
}
