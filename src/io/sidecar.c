// SPDX-License-Identifier: MIT
// Sidecars: FILE.json beside FILE, and what it makes of the file's numbers.

#include "sidecar.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json_parts.h"

static const char MARK[] = "gully_raster"; // the key that makes JSON a sidecar; its version
static const char* const number_names[] = {
    [GULLY_UINT16] = "uint16",
    [GULLY_INT16] = "int16",
    [GULLY_FLOAT32] = "float32",
};
enum { NUMBERS = sizeof number_names / sizeof number_names[0] };
enum { MOST_BYTES = 1 << 20 }; // of a sidecar's text

// ---- writing ----

/// A number; NaN, which JSON does not have, as "nan".
static json_t* nodata_json(const GullySidecar* sidecar) {
    if (!sidecar->has_nodata) return json_null();
    return isnan(sidecar->nodata) ? json_string("nan") : json_real(sidecar->nodata);
}

json_t* sidecar_json(const GullySidecar* s, const char* format) {
    return json_pack("{s:i, s:s, s:s, s:i, s:i, s:f, s:f, s:[f, f], s:s, s:b, s:o, s:o}", //
                     MARK, 1, "format", format, "numbers", number_names[s->numbers],      //
                     "width", s->width, "height", s->height,                              //
                     "min", s->min, "max", s->max, "cell_size", s->cell_x, s->cell_y,     //
                     "byte_order", s->big_endian ? "big" : "little", "flip", s->flip,     //
                     "nodata", nodata_json(s),                                            //
                     "georeference", georeference_json(&s->georeference));
}

static char* sidecar_path(const char* path) {
    size_t size = strlen(path) + sizeof ".json";
    char* result = malloc(size);
    if (result != NULL) snprintf(result, size, "%s.json", path);
    return result;
}

GullyStatus sidecar_write(const char* path, json_t* json, GullyOutputs* outputs) {
    char* name = sidecar_path(path);
    GullyStatus status = name != NULL ? json_file_write(name, json, outputs)
                                      : gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
    json_decref(json);
    free(name);
    return status;
}

// ---- reading ----

static GullyStatus parse_numbers(const char* name, const json_t* root, GullySidecar* out) {
    const json_t* value = json_object_get(root, "numbers");
    const char* text = json_string_value(value);
    for (int i = 0; i < NUMBERS; ++i)
        if (text != NULL && strcmp(text, number_names[i]) == 0) {
            out->numbers = (GullyNumbers)i;
            return GULLY_OK;
        }
    return gully_fail(GULLY_BAD_INPUT, "%s: numbers must be one of uint16, int16, float32", name);
}

static GullyStatus parse_order(const char* name, const json_t* root, GullySidecar* out) {
    const json_t* flip = json_object_get(root, "flip");
    if (flip != NULL && !json_is_boolean(flip))
        return gully_fail(GULLY_BAD_INPUT, "%s: flip must be true or false", name);
    out->flip = json_is_true(flip);
    const json_t* order = json_object_get(root, "byte_order");
    const char* text = order != NULL ? json_string_value(order) : "little";
    if (text == NULL || (strcmp(text, "little") != 0 && strcmp(text, "big") != 0))
        return gully_fail(GULLY_BAD_INPUT, "%s: byte_order must be \"little\" or \"big\"", name);
    out->big_endian = *text == 'b';
    return GULLY_OK;
}

static GullyStatus parse_range(const char* name, const json_t* root, GullySidecar* out) {
    const json_t *min = json_object_get(root, "min"), *max = json_object_get(root, "max");
    out->min = json_number_value(min);
    out->max = json_number_value(max);
    if (json_is_number(min) && json_is_number(max) && fabs(out->min) <= 1e30 &&
        fabs(out->max) <= 1e30 && out->min <= out->max)
        return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT,
                      "%s: min and max must be metres from -1e30 to 1e30, min not above max", name);
}

static GullyStatus parse_nodata(const char* name, const json_t* root, GullySidecar* out) {
    const json_t* value = json_object_get(root, "nodata");
    if (value == NULL || json_is_null(value)) return GULLY_OK;
    out->has_nodata = true;
    out->nodata = json_is_number(value) ? json_number_value(value) : NAN;
    const char* text = json_string_value(value);
    if (json_is_number(value) || (text != NULL && strcmp(text, "nan") == 0)) return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT, "%s: nodata must be a number, \"nan\" or null", name);
}

GullyStatus gully_sidecar_parse(const char* name, const char* text, size_t size,
                                GullySidecar* out) {
    *out = (GullySidecar){0};
    json_t* root = marked_json_parse(name, text, size, MARK);
    if (root == NULL) return GULLY_BAD_INPUT;
    GullyStatus status = size_parse(name, root, &out->width, &out->height);
    if (!status) status = parse_numbers(name, root, out);
    if (!status) status = parse_order(name, root, out);
    if (!status) status = parse_range(name, root, out);
    if (!status) status = parse_nodata(name, root, out);
    if (!status) status = cell_size_parse(name, root, &out->cell_x, &out->cell_y);
    if (!status)
        status = georeference_parse(name, json_object_get(root, "georeference"), out->height,
                                    out->cell_x, out->cell_y, &out->georeference);
    json_decref(root);
    if (status) gully_sidecar_free(out);
    return status;
}

void gully_sidecar_free(GullySidecar* sidecar) {
    if (sidecar == NULL) return;
    free(sidecar->georeference.projection);
    *sidecar = (GullySidecar){0};
}

/// Whether JSON text is meant as a sidecar of ours, right or wrong.
static bool is_marked(const char* text, size_t size) {
    json_t* root = json_loadb(text, size, 0, NULL);
    bool marked = json_object_get(root, MARK) != NULL;
    json_decref(root);
    return marked;
}

GullyStatus sidecar_check_free(const char* path) {
    char* name = sidecar_path(path);
    if (name == NULL) return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
    char* text = NULL;
    size_t size;
    bool ours = access(name, F_OK) != 0 ||
                (bytes_read(name, MOST_BYTES, &text, &size) == GULLY_OK && is_marked(text, size));
    GullyStatus status = GULLY_OK;
    if (!ours)
        status = gully_fail(GULLY_BAD_INPUT,
                            "%s: is there and is no sidecar of Gully's, which %s would get; move "
                            "it, or choose another name",
                            name, path);
    free(text);
    free(name);
    return status;
}

GullyStatus sidecar_find(const char* path, GullySidecar* out, bool* found) {
    *found = false;
    char* name = sidecar_path(path);
    if (name == NULL) return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
    GullyStatus status = GULLY_OK;
    char* text = NULL;
    size_t size;
    if (access(name, F_OK) == 0) {
        status = bytes_read(name, MOST_BYTES, &text, &size);
        if (status == GULLY_OK && is_marked(text, size)) {
            status = gully_sidecar_parse(name, text, size, out);
            *found = status == GULLY_OK;
        } else {
            status = GULLY_OK; // somebody else's file
        }
    }
    free(text);
    free(name);
    return status;
}

// ---- numbers ----

void rows_flip(float* values, int width, int height) {
    size_t count = (size_t)width;
    for (int y = 0; y < height / 2; ++y) {
        float* north = values + (size_t)y * count;
        float* south = values + (size_t)(height - 1 - y) * count;
        for (size_t x = 0; x < count; ++x) {
            float number = north[x];
            north[x] = south[x];
            south[x] = number;
        }
    }
}

NumberMeaning sidecar_meaning(const GullySidecar* sidecar, const double* scale,
                              const double* offset) {
    bool steps = sidecar->numbers == GULLY_UINT16;
    double factor = steps ? (sidecar->max - sidecar->min) / 65535.0 : 1.0;
    double base = steps ? sidecar->min : 0.0;
    return (NumberMeaning){.scale = scale != NULL ? *scale : factor,
                           .offset = offset != NULL ? *offset : base,
                           .has_nodata = sidecar->has_nodata,
                           .nodata = (float)sidecar->nodata};
}

GullyStatus sidecar_place(const char* path, const GullySidecar* sidecar, GullyRaster* raster) {
    if (raster->width != sidecar->width || raster->height != sidecar->height)
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: has %d x %d cells, but its sidecar %s.json says %d x %d", path,
                          raster->width, raster->height, path, sidecar->width, sidecar->height);
    raster->cell_x = sidecar->cell_x;
    raster->cell_y = sidecar->cell_y;
    return georeference_copy(&sidecar->georeference, &raster->georeference);
}
