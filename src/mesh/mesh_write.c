// SPDX-License-Identifier: MIT
// Mesh files: OBJ, PLY and STL, and the table of all formats.
#include "mesh_write.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "files.h"

enum { BLOCK = 4096 }; // vectors turned at once

// ---- numbers ------------------------------------------------------------------------------------

void put_words(FILE* stream, const void* words, size_t count) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    fwrite(words, 4, count, stream);
#else
    const unsigned char* bytes = words;
    for (size_t i = 0; i < count; i++, bytes += 4) {
        unsigned char turned[4] = {bytes[3], bytes[2], bytes[1], bytes[0]};
        fwrite(turned, 4, 1, stream);
    }
#endif
}

void turn_up(const float* vector, float out[3]) {
    out[0] = vector[0];
    out[1] = vector[2];
    out[2] = 0 - vector[1]; // no -0
}

void put_vectors(FILE* stream, const float* vectors, size_t count, bool y_up) {
    float block[3 * BLOCK];
    while (y_up && count > 0) {
        size_t now = count < BLOCK ? count : BLOCK;
        for (size_t i = 0; i < now; i++)
            turn_up(vectors + 3 * i, block + 3 * i);
        put_words(stream, block, 3 * now);
        vectors += 3 * now;
        count -= now;
    }
    put_words(stream, vectors, 3 * count);
}

static int pixel_at(float place, int size) {
    int pixel = (int)(place * (float)size);
    return pixel < size ? pixel : size - 1;
}

void vertex_color(const MeshFile* file, uint32_t vertex, unsigned char rgba[4]) {
    const GullyTexture* picture = file->colors;
    const float* place = file->mesh->places + 2 * (size_t)vertex;
    size_t x = (size_t)pixel_at(place[0], picture->width);
    size_t y = (size_t)pixel_at(place[1], picture->height);
    int channels = picture->channels;
    const unsigned char* pixel =
        picture->pixels + (y * (size_t)picture->width + x) * (size_t)channels;
    for (int k = 0; k < 3; k++)
        rgba[k] = channels < 3 ? pixel[0] : pixel[k];
    rgba[3] = channels % 2 == 0 ? pixel[channels - 1] : 255;
}

// ---- OBJ ----------------------------------------------------------------------------------------

// A number from -1 to 1 with six decimals: printf takes ten times as long.
static char* fixed(char* text, float value) {
    long millionths = lroundf(fabsf(value) * 1e6f);
    if (value < 0 && millionths > 0) *text++ = '-';
    *text++ = (char)('0' + millionths / 1000000 % 10);
    *text++ = '.';
    for (long unit = 100000; unit > 0; unit /= 10)
        *text++ = (char)('0' + millionths / unit % 10);
    return text;
}

static char* whole(char* text, uint32_t value) {
    char digits[10];
    int count = 0;
    do
        digits[count++] = (char)('0' + value % 10);
    while (value /= 10);
    while (count > 0)
        *text++ = digits[--count];
    return text;
}

static void obj_vertex(const MeshFile* file, uint32_t vertex) {
    const float* at = file->mesh->positions + 3 * (size_t)vertex;
    fprintf(file->stream, "v %.9g %.9g %.9g", (double)at[0], (double)at[2], 0 - (double)at[1]);
    if (file->colors) {
        unsigned char c[4];
        vertex_color(file, vertex, c);
        fprintf(file->stream, " %.4g %.4g %.4g", c[0] / 255.0, c[1] / 255.0, c[2] / 255.0);
    }
    putc('\n', file->stream);
}

static void obj_place_and_normal(const MeshFile* file, uint32_t vertex) {
    const float* place = file->mesh->places + 2 * (size_t)vertex;
    float normal[3];
    turn_up(file->mesh->normals + 3 * (size_t)vertex, normal);
    char line[96] = "vt ", *end = fixed(line + 3, place[0]);
    *end++ = ' ';
    end = fixed(end, 1 - place[1]);
    *end++ = '\n', *end++ = 'v', *end++ = 'n';
    for (int k = 0; k < 3; k++) {
        *end++ = ' ';
        end = fixed(end, normal[k]);
    }
    *end++ = '\n';
    fwrite(line, (size_t)(end - line), 1, file->stream);
}

static void obj_triangle(const MeshFile* file, const uint32_t* triangle) {
    char line[128] = "f", *end = line + 1;
    for (int k = 0; k < 3; k++) {
        for (int part = 0; part < 3; part++) {
            *end++ = part == 0 ? ' ' : '/';
            end = whole(end, triangle[k] + 1);
        }
    }
    *end++ = '\n';
    fwrite(line, (size_t)(end - line), 1, file->stream);
}

static GullyStatus obj_write(const MeshFile* file) {
    fprintf(file->stream, "# Gully %s: metres, y up, z south\n", GULLY_VERSION);
    for (uint32_t i = 0; i < file->mesh->vertex_count; i++)
        obj_vertex(file, i);
    for (uint32_t i = 0; i < file->mesh->vertex_count; i++)
        obj_place_and_normal(file, i);
    for (size_t i = 0; i < file->mesh->triangle_count; i++)
        obj_triangle(file, file->mesh->triangles + 3 * i);
    return GULLY_OK;
}

// ---- PLY ----------------------------------------------------------------------------------------

static GullyStatus ply_write(const MeshFile* file) {
    const GullyMesh* mesh = file->mesh;
    fprintf(file->stream,
            "ply\nformat binary_little_endian 1.0\ncomment Gully %s: z up\n"
            "element vertex %u\nproperty float x\nproperty float y\nproperty float z\n"
            "property float nx\nproperty float ny\nproperty float nz\n"
            "property float s\nproperty float t\n%s"
            "element face %u\nproperty list uchar uint vertex_indices\nend_header\n",
            GULLY_VERSION, mesh->vertex_count,
            file->colors ? "property uchar red\nproperty uchar green\nproperty uchar blue\n"
                           "property uchar alpha\n"
                         : "",
            mesh->triangle_count);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const float* place = mesh->places + 2 * (size_t)i;
        put_words(file->stream, mesh->positions + 3 * (size_t)i, 3);
        put_words(file->stream, mesh->normals + 3 * (size_t)i, 3);
        put_words(file->stream, (float[]){place[0], 1 - place[1]}, 2);
        unsigned char color[4];
        if (file->colors) vertex_color(file, i, color);
        if (file->colors) fwrite(color, 4, 1, file->stream);
    }
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        putc(3, file->stream);
        put_words(file->stream, mesh->triangles + 3 * i, 3);
    }
    return GULLY_OK;
}

// ---- STL ----------------------------------------------------------------------------------------

static void face_normal(const float* a, const float* b, const float* c, float out[3]) {
    double u[3], v[3], n[3];
    for (int k = 0; k < 3; k++) {
        u[k] = (double)b[k] - (double)a[k];
        v[k] = (double)c[k] - (double)a[k];
    }
    for (int k = 0; k < 3; k++)
        n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; k++)
        out[k] = length > 0 ? (float)(n[k] / length) : 0;
}

static GullyStatus stl_write(const MeshFile* file) {
    const GullyMesh* mesh = file->mesh;
    char header[80] = {0};
    snprintf(header, sizeof header, "Gully %s: z up", GULLY_VERSION);
    fwrite(header, sizeof header, 1, file->stream);
    put_words(file->stream, &mesh->triangle_count, 1);
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        float facet[12];
        for (int k = 0; k < 3; k++)
            memcpy(facet + 3 + 3 * k,
                   mesh->positions + 3 * (size_t)mesh->triangles[3 * i + (size_t)k],
                   3 * sizeof(float));
        face_normal(facet + 3, facet + 6, facet + 9, facet);
        put_words(file->stream, facet, 12);
        fwrite("\0", 2, 1, file->stream); // no attributes
    }
    return GULLY_OK;
}

// ---- formats ------------------------------------------------------------------------------------

static const struct {
    GullyMeshFormat info;
    GullyStatus (*write)(const MeshFile* file);
} formats[] = {
    {{"obj", "Wavefront OBJ, text", true, false}, obj_write},
    {{"ply", "Stanford PLY, binary", true, false}, ply_write},
    {{"stl", "STL, binary", false, false}, stl_write},
    {{"glb", "glTF 2.0, binary", true, true}, glb_write},
    {{"gltf", "glTF 2.0, text", true, true}, gltf_write},
};

int gully_mesh_format_count(void) {
    return (int)(sizeof formats / sizeof formats[0]);
}

const GullyMeshFormat* gully_mesh_format(int index) {
    assert(index >= 0 && index < gully_mesh_format_count());
    return &formats[index].info;
}

// The row of a path's extension, or -1.
static int format_of(const char* path) {
    const char* dot = strrchr(path, '.');
    for (int i = 0; dot && i < gully_mesh_format_count(); i++)
        if (strcasecmp(dot + 1, formats[i].info.name) == 0) return i;
    return -1;
}

GullyStatus gully_mesh_format_check(const char* path) {
    if (format_of(path) >= 0) return GULLY_OK;
    char list[128] = "";
    for (int i = 0, last = gully_mesh_format_count() - 1; i <= last; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s.%s",
                 i == 0     ? ""
                 : i < last ? ", "
                            : " or ",
                 formats[i].info.name);
    }
    return gully_fail(GULLY_BAD_INPUT,
                      "%s: the name of a mesh says its format, and must end with %s", path, list);
}

static GullyStatus check_look(const char* path, const GullyMeshFormat* info,
                              const GullyMeshLook* look) {
    if (!look || !look->picture || (look->as_texture ? info->texture : info->colors))
        return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT, "%s: %s cannot hold %s", path, info->summary,
                      look->as_texture ? "a texture; .glb and .gltf can"
                                       : "colours; .glb, .gltf, .ply and .obj can");
}

// Writes through a stream; returns 0 or an errno.
static int write_stream(MeshFile* file, int descriptor, int format, GullyStatus* status) {
    errno = 0;
    file->stream = fdopen(descriptor, "wb");
    if (!file->stream) {
        int error = errno;
        close(descriptor);
        return error;
    }
    setvbuf(file->stream, NULL, _IOFBF, 1 << 20);
    *status = formats[format].write(file);
    int error = 0;
    if (fflush(file->stream) != 0 || ferror(file->stream)) error = errno ? errno : EIO;
    if (error == 0) error = gully_descriptor_sync(descriptor);
    if (fclose(file->stream) != 0 && error == 0) error = errno;
    return error;
}

GullyStatus gully_mesh_write(const char* path, const GullyMesh* mesh, const GullyMeshLook* look) {
    assert(path && mesh && mesh->positions && mesh->triangles);
    GullyStatus status = gully_mesh_format_check(path);
    int format = format_of(path), descriptor;
    if (status == GULLY_OK) status = check_look(path, &formats[format].info, look);
    GullyStagedFile staged;
    if (status == GULLY_OK) status = gully_staged_begin(path, &staged, &descriptor);
    if (status != GULLY_OK) return status;
    MeshFile file = {.mesh = mesh};
    if (look && look->picture) *(look->as_texture ? &file.texture : &file.colors) = look->picture;
    int error = write_stream(&file, descriptor, format, &status);
    if (status == GULLY_OK && error == 0) return gully_staged_keep(&staged, NULL);
    gully_staged_drop(&staged);
    if (status != GULLY_OK) return gully_fail_in(status, "%s", path);
    return gully_fail(GULLY_IO, "%s: cannot be written: %s", path, strerror(error));
}
