// SPDX-License-Identifier: MIT
// glTF 2.0 in one binary file: a header, a chunk of JSON that says what lies where, a chunk of
// bytes. Vertices first, attribute by attribute, then the triangles, then the texture as PNG. Or in
// one text file: the JSON, with the bytes in it in base 64.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "mesh_write.h"

// Numbers of the glTF specification.
enum { UNSIGNED_SHORT = 5123, UNSIGNED_INT = 5125, FLOAT = 5126 };
enum { VERTICES = 34962, INDICES = 34963 };
enum { NEAREST = 9728, LINEAR = 9729, CLAMP_TO_EDGE = 33071 };

typedef struct Glb {
    const MeshFile* file;
    json_t *views, *accessors, *attributes;
    uint64_t size; // of the bytes that have views
    void* picture; // PNG
    size_t picture_size;
} Glb;

// ---- JSON ---------------------------------------------------------------------------------------

// Adds a view of the next bytes; target 0 = none. Returns its index.
static int add_view(Glb* glb, uint64_t size, int target) {
    json_t* view = json_pack("{s:i, s:I, s:I}", "buffer", 0, "byteOffset", (json_int_t)glb->size,
                             "byteLength", (json_int_t)size);
    if (target) json_object_set_new(view, "target", json_integer(target));
    json_array_append_new(glb->views, view);
    glb->size += (size + 3) / 4 * 4;
    return (int)json_array_size(glb->views) - 1;
}

static json_t* add_accessor(Glb* glb, int view, int type, const char* shape, uint64_t count) {
    json_t* accessor =
        json_pack("{s:i, s:i, s:I, s:s}", "bufferView", view, "componentType", type, //
                  "count", (json_int_t)count, "type", shape);
    json_array_append_new(glb->accessors, accessor);
    return accessor;
}

static json_t* add_attribute(Glb* glb, const char* name, int bytes, int type, const char* shape) {
    uint64_t count = glb->file->mesh->vertex_count;
    int view = add_view(glb, count * (uint64_t)bytes, VERTICES);
    json_object_set_new(glb->attributes, name,
                        json_integer((json_int_t)json_array_size(glb->accessors)));
    return add_accessor(glb, view, type, shape, count);
}

static json_t* corner(const float values[3]) {
    return json_pack("[f, f, f]", (double)values[0], (double)values[1], (double)values[2]);
}

static void add_bounds(const GullyMesh* mesh, json_t* accessor) {
    float low[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, high[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX}, at[3];
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        turn_up(mesh->positions + 3 * i, at);
        for (int k = 0; k < 3; k++) {
            low[k] = fminf(low[k], at[k]);
            high[k] = fmaxf(high[k], at[k]);
        }
    }
    json_object_set_new(accessor, "min", corner(low));
    json_object_set_new(accessor, "max", corner(high));
}

static void add_texture(Glb* glb, json_t* root, json_t* material) {
    int view = add_view(glb, glb->picture_size, 0);
    json_object_set_new(root, "images",
                        json_pack("[{s:i, s:s}]", "bufferView", view, //
                                  "mimeType", "image/png"));
    json_object_set_new(root, "samplers",
                        json_pack("[{s:i, s:i, s:i, s:i}]", "magFilter", LINEAR, "minFilter",
                                  LINEAR, "wrapS", CLAMP_TO_EDGE, "wrapT", CLAMP_TO_EDGE));
    json_object_set_new(root, "textures", json_pack("[{s:i, s:i}]", "source", 0, "sampler", 0));
    json_object_set_new(json_object_get(material, "pbrMetallicRoughness"), "baseColorTexture",
                        json_pack("{s:i}", "index", 0));
}

// The attributes, in the order in which put_bytes writes them.
static void add_attributes(Glb* glb) {
    add_bounds(glb->file->mesh, add_attribute(glb, "POSITION", 12, FLOAT, "VEC3"));
    add_attribute(glb, "NORMAL", 12, FLOAT, "VEC3");
    add_attribute(glb, "TEXCOORD_0", 8, FLOAT, "VEC2");
    if (glb->file->colors)
        json_object_set_new(add_attribute(glb, "COLOR_0", 8, UNSIGNED_SHORT, "VEC4"), "normalized",
                            json_true());
}

static json_t* describe(Glb* glb) {
    const GullyMesh* mesh = glb->file->mesh;
    add_attributes(glb);
    uint64_t indices = 3 * (uint64_t)mesh->triangle_count;
    int triangles = (int)json_array_size(glb->accessors);
    add_accessor(glb, add_view(glb, 4 * indices, INDICES), UNSIGNED_INT, "SCALAR", indices);
    json_t* material = json_pack("{s:s, s:{s:f, s:f}}", "name", "ground", "pbrMetallicRoughness",
                                 "metallicFactor", 0.0, "roughnessFactor", 1.0);
    json_t* root = json_pack("{s:{s:s, s:s}, s:i, s:[{s:[i]}], s:[{s:i, s:s}]}",             //
                             "asset", "version", "2.0", "generator", "Gully " GULLY_VERSION, //
                             "scene", 0, "scenes", "nodes", 0,                               //
                             "nodes", "mesh", 0, "name", "terrain");
    if (glb->file->texture) add_texture(glb, root, material);
    json_object_set_new(root, "materials", json_pack("[o]", material));
    json_object_set_new(root, "meshes",
                        json_pack("[{s:[{s:O, s:i, s:i}]}]", "primitives", "attributes",
                                  glb->attributes, "indices", triangles, "material", 0));
    json_object_set(root, "accessors", glb->accessors);
    json_object_set(root, "bufferViews", glb->views);
    json_object_set_new(root, "buffers", json_pack("[{s:I}]", "byteLength", (json_int_t)glb->size));
    return root;
}

// ---- bytes --------------------------------------------------------------------------------------

static void put_chunk_header(FILE* stream, uint64_t size, const char type[4]) {
    put_words(stream, &(uint32_t){(uint32_t)size}, 1);
    fwrite(type, 4, 1, stream);
}

// A channel of a picture (sRGB) as light, of which 65535 is all. Eight bits of light would be too
// few for dark colours.
static uint16_t linear(unsigned char channel) {
    double value = channel / 255.0;
    double light = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
    return (uint16_t)lround(65535.0 * light);
}

// Colours at vertices are linear in glTF, unlike those of textures. Alpha is a share anyway.
static void put_colors(const MeshFile* file) {
    uint16_t table[256];
    for (int i = 0; i < 256; i++)
        table[i] = linear((unsigned char)i);
    for (uint32_t i = 0; i < file->mesh->vertex_count; i++) {
        unsigned char color[4];
        vertex_color(file, i, color);
        uint32_t red = table[color[0]], green = table[color[1]], blue = table[color[2]];
        put_words(file->stream, (uint32_t[]){red | green << 16, blue | color[3] * 257u << 16}, 2);
    }
}

static void put_bytes(const Glb* glb) {
    const MeshFile* file = glb->file;
    const GullyMesh* mesh = file->mesh;
    put_vectors(file->stream, mesh->positions, mesh->vertex_count, true);
    put_vectors(file->stream, mesh->normals, mesh->vertex_count, true);
    put_words(file->stream, mesh->places, 2 * (size_t)mesh->vertex_count);
    if (file->colors) put_colors(file);
    put_words(file->stream, mesh->triangles, 3 * (size_t)mesh->triangle_count);
    if (glb->picture_size) fwrite(glb->picture, glb->picture_size, 1, file->stream);
    fwrite("\0\0\0", -glb->picture_size % 4, 1, file->stream);
}

static GullyStatus put_binary(const Glb* glb, const char* text) {
    FILE* stream = glb->file->stream;
    uint64_t length = strlen(text), padded = (length + 3) / 4 * 4;
    uint64_t total = 12 + 8 + padded + 8 + glb->size;
    if (total > UINT32_MAX)
        return gully_fail(GULLY_BAD_INPUT,
                          "glTF files have at most 4 GiB, and this would have %.1f: simplify the "
                          "mesh, or take .ply",
                          (double)total / 1073741824.0);
    fwrite("glTF", 4, 1, stream);
    put_words(stream, (uint32_t[]){2, (uint32_t)total}, 2);
    put_chunk_header(stream, padded, "JSON");
    fwrite(text, (size_t)length, 1, stream);
    fwrite("   ", (size_t)(padded - length), 1, stream);
    put_chunk_header(stream, glb->size, "BIN\0");
    put_bytes(glb);
    return GULLY_OK;
}

// ---- text ---------------------------------------------------------------------------------------

static const char BYTES_BEGIN[] = "data:application/octet-stream;base64,";

static void put_base64(FILE* stream, const unsigned char* bytes, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        unsigned b = i + 1 < size ? bytes[i + 1] : 0, c = i + 2 < size ? bytes[i + 2] : 0;
        unsigned word = (unsigned)bytes[i] << 16 | b << 8 | c;
        putc(digits[word >> 18], stream);
        putc(digits[word >> 12 & 63], stream);
        putc(i + 1 < size ? digits[word >> 6 & 63] : '=', stream);
        putc(i + 2 < size ? digits[word & 63] : '=', stream);
    }
}

// The text has BYTES_BEGIN where the bytes go.
static GullyStatus put_text(const Glb* glb, const char* text) {
    FILE* stream = glb->file->stream;
    char* bytes = NULL;
    size_t size = 0;
    MeshFile file = *glb->file;
    file.stream = open_memstream(&bytes, &size);
    if (!file.stream) return gully_fail(GULLY_NO_MEMORY, "not enough memory");
    Glb inside = *glb;
    inside.file = &file;
    put_bytes(&inside);
    bool failed = ferror(file.stream) != 0;
    failed = fclose(file.stream) != 0 || failed;
    if (!failed) {
        const char* rest = strstr(text, BYTES_BEGIN) + strlen(BYTES_BEGIN);
        fwrite(text, (size_t)(rest - text), 1, stream);
        put_base64(stream, (const unsigned char*)bytes, size);
        fputs(rest, stream);
        putc('\n', stream);
    }
    free(bytes);
    return failed ? gully_fail(GULLY_NO_MEMORY, "not enough memory") : GULLY_OK;
}

// ---- files --------------------------------------------------------------------------------------

static GullyStatus write_any(const MeshFile* file, bool as_text) {
    Glb glb = {.file = file,
               .views = json_array(),
               .accessors = json_array(),
               .attributes = json_object()};
    GullyStatus status = GULLY_OK;
    if (file->texture)
        status = gully_texture_encode(file->texture, &glb.picture, &glb.picture_size);
    json_t* root = status == GULLY_OK ? describe(&glb) : NULL;
    if (root && as_text)
        json_object_set_new(json_array_get(json_object_get(root, "buffers"), 0), "uri",
                            json_string(BYTES_BEGIN));
    char* text = root ? json_dumps(root, as_text ? JSON_INDENT(1) : JSON_COMPACT) : NULL;
    if (text)
        status = as_text ? put_text(&glb, text) : put_binary(&glb, text);
    else if (status == GULLY_OK)
        status = gully_fail(GULLY_NO_MEMORY, "not enough memory");
    free(text);
    json_decref(root);
    json_decref(glb.views);
    json_decref(glb.accessors);
    json_decref(glb.attributes);
    free(glb.picture);
    return status;
}

GullyStatus glb_write(const MeshFile* file) {
    return write_any(file, false);
}

GullyStatus gltf_write(const MeshFile* file) {
    return write_any(file, true);
}
