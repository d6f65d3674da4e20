// SPDX-License-Identifier: MIT
#include "gully/params.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Copies the name at `index` of "a|b|c" into the buffer; false if there is none.
static bool choice_name(const GullyParam* row, int index, char* buffer, size_t size) {
    const char* start = row->unit;
    for (; index > 0; index--) {
        start = strchr(start, '|');
        if (!start) return false;
        start++;
    }
    size_t length = strcspn(start, "|");
    snprintf(buffer, size, "%.*s", (int)length, start);
    return true;
}

static int choice_index(const GullyParam* row, const char* text) {
    char name[64];
    for (int index = 0; choice_name(row, index, name, sizeof name); index++) {
        if (strcmp(name, text) == 0) return index;
    }
    return -1;
}

static GullyStatus refuse(const GullyParam* row, const char* value, const char* problem) {
    char allowed[256];
    gully_param_allowed(row, allowed, sizeof allowed);
    return gully_fail(GULLY_BAD_INPUT, "%s: %s %s; allowed: %s", row->name, value, problem,
                      allowed);
}

/// Stores a checked value: of a choice its index.
static void store(const GullyParam* row, void* params, double value) {
    void* member = (char*)params + row->offset;
    switch (row->kind) {
    case GULLY_KIND_number:
    case GULLY_KIND_map:
        *(GULLY_C_number*)member = value;
        break;
    case GULLY_KIND_integer:
        *(GULLY_C_integer*)member = (int)value;
        break;
    case GULLY_KIND_flag:
        *(GULLY_C_flag*)member = value != 0;
        break;
    case GULLY_KIND_choice:
        *(GULLY_C_choice*)member = (int)value;
        break;
    }
}

void gully_params_default(const GullyParamTable* table, void* params) {
    memset(params, 0, table->size);
    for (int i = 0; i < table->count; i++)
        store(&table->rows[i], params, table->rows[i].fallback);
}

const GullyParam* gully_params_find(const GullyParamTable* table, const char* name) {
    for (int i = 0; i < table->count; i++) {
        if (strcmp(table->rows[i].name, name) == 0) return &table->rows[i];
    }
    return NULL;
}

double gully_param_get(const GullyParam* row, const void* params) {
    const void* member = (const char*)params + row->offset;
    switch (row->kind) {
    case GULLY_KIND_number:
    case GULLY_KIND_map:
        return *(const GULLY_C_number*)member;
    case GULLY_KIND_integer:
        return *(const GULLY_C_integer*)member;
    case GULLY_KIND_flag:
        return *(const GULLY_C_flag*)member;
    case GULLY_KIND_choice:
        return *(const GULLY_C_choice*)member;
    }
    return 0;
}

GullyStatus gully_param_set_number(const GullyParam* row, void* params, double value) {
    char text[64];
    snprintf(text, sizeof text, "%.9g", value);
    if (row->kind == GULLY_KIND_choice) return gully_param_set_text(row, params, text);
    if (!isfinite(value) || value < row->low || value > row->high)
        return refuse(row, text, "is out of range");
    const bool whole = row->kind == GULLY_KIND_integer || row->kind == GULLY_KIND_flag;
    if (whole && value != floor(value)) return refuse(row, text, "is not a whole number");
    store(row, params, value);
    return GULLY_OK;
}

void gully_param_set_mapped(const GullyParam* row, void* params) {
    assert(row->kind == GULLY_KIND_map);
    store(row, params, GULLY_MAPPED);
}

GullyStatus gully_param_set_text(const GullyParam* row, void* params, const char* text) {
    char quoted[128];
    snprintf(quoted, sizeof quoted, "\"%.100s\"", text);
    if (row->kind == GULLY_KIND_choice) {
        int index = choice_index(row, text);
        if (index < 0) return refuse(row, quoted, "is unknown");
        store(row, params, index);
        return GULLY_OK;
    }
    if (row->kind == GULLY_KIND_flag) {
        bool on = strcmp(text, "true") == 0 || strcmp(text, "on") == 0 || strcmp(text, "1") == 0;
        bool off = strcmp(text, "false") == 0 || strcmp(text, "off") == 0 || strcmp(text, "0") == 0;
        if (!on && !off) return refuse(row, quoted, "is neither");
        store(row, params, on);
        return GULLY_OK;
    }
    char* end;
    double value = strtod(text, &end);
    if (end == text || *end) return refuse(row, quoted, "is not a number");
    return gully_param_set_number(row, params, value);
}

void gully_param_text(const GullyParam* row, double value, char* buffer, size_t size) {
    if (row->kind == GULLY_KIND_choice && choice_name(row, (int)value, buffer, size)) return;
    if (row->kind == GULLY_KIND_flag) {
        snprintf(buffer, size, "%s", value != 0 ? "on" : "off");
    } else if (row->kind == GULLY_KIND_integer) {
        snprintf(buffer, size, "%.0f", value);
    } else if (row->kind == GULLY_KIND_map && value == GULLY_MAPPED) {
        snprintf(buffer, size, "a raster");
    } else if (value >= GULLY_FOREVER) {
        snprintf(buffer, size, "forever");
    } else {
        snprintf(buffer, size, "%.9g", value);
    }
}

void gully_param_allowed(const GullyParam* row, char* buffer, size_t size) {
    if (row->kind == GULLY_KIND_flag) {
        snprintf(buffer, size, "true or false");
    } else if (row->kind == GULLY_KIND_choice) {
        int used = snprintf(buffer, size, "one of ");
        for (const char* from = row->unit; *from && used > 0 && (size_t)used < size;) {
            size_t length = strcspn(from, "|");
            const char* comma = from[length] ? ", " : "";
            used +=
                snprintf(buffer + used, size - (size_t)used, "%.*s%s", (int)length, from, comma);
            from += length + (from[length] == '|');
        }
    } else {
        char low[32], high[32];
        gully_param_text(row, row->low, low, sizeof low);
        gully_param_text(row, row->high, high, sizeof high);
        snprintf(buffer, size, "%s from %s to %s%s%s%s",
                 row->kind == GULLY_KIND_integer ? "a whole number" : "a number", low, high,
                 row->unit[0] ? " [" : "", row->unit, row->unit[0] ? "]" : "");
    }
    if (row->kind == GULLY_KIND_map) {
        size_t used = strlen(buffer);
        snprintf(buffer + used, size - used, ", or {\"file\": F}");
    }
}

GullyStatus gully_params_check(const GullyParamTable* table, const void* params) {
    for (int i = 0; i < table->count; i++) {
        const GullyParam* row = &table->rows[i];
        double value = gully_param_get(row, params);
        if (isfinite(value) && value >= row->low && value <= row->high) continue;
        if (row->kind == GULLY_KIND_map && value == GULLY_MAPPED) continue;
        char text[64];
        snprintf(text, sizeof text, "%g", value);
        return refuse(row, text, "is out of range");
    }
    return GULLY_OK;
}
