// SPDX-License-Identifier: MIT
#include "json_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_PROJECTION = 1 << 16 }; // bytes of WKT

json_t* marked_json_parse(const char* name, const char* text, size_t size, const char* mark) {
    json_error_t error;
    json_t* root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL) {
        gully_fail(GULLY_BAD_INPUT, "%s:%d: is not JSON: %s", name, error.line, error.text);
        return NULL;
    }
    const json_t* version = json_object_get(root, mark);
    if (json_is_integer(version) && json_integer_value(version) == 1) return root;
    json_decref(root);
    gully_fail(GULLY_BAD_INPUT, "%s: must be an object with \"%s\": 1", name, mark);
    return NULL;
}

GullyStatus whole_parse(const char* name, const json_t* object, const char* key, int low, int high,
                        int* out) {
    const json_t* value = json_object_get(object, key);
    json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < low || number > high)
        return gully_fail(GULLY_BAD_INPUT, "%s: %s must be a whole number from %d to %d", name, key,
                          low, high);
    *out = (int)number;
    return GULLY_OK;
}

GullyStatus size_parse(const char* name, const json_t* object, int* width, int* height) {
    GullyStatus status = whole_parse(name, object, "width", 1, INT_MAX, width);
    if (!status) status = whole_parse(name, object, "height", 1, INT_MAX, height);
    if (!status && *width > INT_MAX / *height)
        status = gully_fail(GULLY_BAD_INPUT, "%s: has %d x %d cells; at most %d in all", name,
                            *width, *height, INT_MAX);
    return status;
}

static bool is_cell(double size) {
    return size >= 1e-6 && size <= 1e9;
}

GullyStatus cell_size_parse(const char* name, const json_t* object, double* cell_x,
                            double* cell_y) {
    const json_t* value = json_object_get(object, "cell_size");
    const json_t *x = json_array_get(value, 0), *y = json_array_get(value, 1);
    *cell_x = json_number_value(x);
    *cell_y = json_number_value(y);
    if (json_array_size(value) == 2 && is_cell(*cell_x) && is_cell(*cell_y)) return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT,
                      "%s: cell_size must be [x, y] in metres, both from 1e-6 to 1e9", name);
}

json_t* georeference_json(const GullyGeoreference* georeference) {
    if (!georeference->known) return json_null();
    const double* t = georeference->transform;
    return json_pack("{s:[f, f, f, f, f, f], s:s?, s:b}", "transform", t[0], t[1], t[2], t[3], t[4],
                     t[5], "projection", georeference->projection, "geographic",
                     georeference->geographic);
}

static bool transform_parse(const json_t* list, double* transform) {
    if (json_array_size(list) != 6) return false;
    for (size_t i = 0; i < 6; ++i) {
        const json_t* value = json_array_get(list, i);
        transform[i] = json_number_value(value);
        if (!json_is_number(value) || !isfinite(transform[i])) return false;
    }
    return transform[1] * transform[5] - transform[2] * transform[4] != 0.0;
}

GullyStatus georeference_parse(const char* name, const json_t* json, int height, double cell_x,
                               double cell_y, GullyGeoreference* out) {
    *out = gully_georeference_plain(height, cell_x, cell_y);
    if (json == NULL || json_is_null(json)) return GULLY_OK;
    const json_t* text = json_object_get(json, "projection");
    bool projected = text != NULL && !json_is_null(text);
    if (!transform_parse(json_object_get(json, "transform"), out->transform) ||
        (projected && (!json_is_string(text) || json_string_length(text) > MOST_PROJECTION)))
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: georeference must be null or have a transform of 6 numbers that "
                          "spans an area, and a projection as WKT or null",
                          name);
    out->known = true;
    out->geographic = json_is_true(json_object_get(json, "geographic"));
    out->projection = projected ? strdup(json_string_value(text)) : NULL;
    if (projected && out->projection == NULL)
        return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", name);
    return GULLY_OK;
}

GullyStatus georeference_copy(const GullyGeoreference* from, GullyGeoreference* to) {
    char* projection = from->projection != NULL ? strdup(from->projection) : NULL;
    if (from->projection != NULL && projection == NULL)
        return gully_fail(GULLY_NO_MEMORY, "not enough memory");
    free(to->projection);
    *to = *from;
    to->projection = projection;
    return GULLY_OK;
}

GullyStatus json_file_write(const char* path, const json_t* json, GullyOutputs* outputs) {
    char* text = json != NULL ? json_dumps(json, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
    if (text == NULL) return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
    size_t length = strlen(text);
    text[length] = '\n'; // in place of the end, which nobody needs any more
    GullyStatus status = gully_outputs_file(outputs, path, text, length + 1);
    free(text);
    return status;
}

/// Reads all of a file whose size is known.
static bool read_all(int descriptor, char* bytes, size_t size) {
    while (size > 0) {
        ssize_t count = read(descriptor, bytes, size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        bytes += count;
        size -= (size_t)count;
    }
    return true;
}

GullyStatus file_open(const char* path, int* descriptor, unsigned long long* size) {
    *descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // does not wait at a pipe
    if (*descriptor < 0)
        return gully_fail(GULLY_BAD_INPUT, "%s: %s", path,
                          errno == ENOENT ? "no such file" : strerror(errno));
    struct stat info;
    bool plain = fstat(*descriptor, &info) == 0 && S_ISREG(info.st_mode);
    if (plain) *size = (unsigned long long)info.st_size;
    return plain ? GULLY_OK : gully_fail(GULLY_BAD_INPUT, "%s: is not a plain file", path);
}

GullyStatus bytes_read(const char* path, size_t most, char** bytes, size_t* size) {
    *bytes = NULL;
    int descriptor;
    unsigned long long all = 0;
    GullyStatus status = file_open(path, &descriptor, &all);
    if (status == GULLY_OK && all > most)
        status = gully_fail(GULLY_BAD_INPUT, "%s: has %llu bytes; at most %zu are expected", path,
                            all, most);
    if (status == GULLY_OK) {
        *size = (size_t)all;
        *bytes = malloc(*size + 1);
        if (*bytes == NULL)
            status = gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
        else if (!read_all(descriptor, *bytes, *size))
            status = gully_fail(GULLY_BAD_INPUT, "%s: cannot be read", path);
    }
    if (descriptor >= 0) close(descriptor);
    if (status == GULLY_OK) return GULLY_OK;
    free(*bytes);
    *bytes = NULL;
    return status;
}
