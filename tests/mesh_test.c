// SPDX-License-Identifier: MIT
// Meshes: they cover the ground exactly once, stay within their error, and solids are watertight,
// for many sizes and holes; files say what the mesh says.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gully/generate.h"
#include "gully/mesh.h"
#include "scratch.h"

enum { MOST = 1100 * 540 };

typedef struct Case {
    float values[MOST];
    GullyHeights heights;
} Case;

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.9g instead of %.9g", value, expected);
}

static uint32_t random_state;

static int random_below(int count) {
    random_state = random_state * 1664525u + 1013904223u;
    return (int)((random_state >> 8) % (uint32_t)count);
}

// Hills with some noise; a share of the cells, in percent, has no data.
static void make_case(Case* c, int width, int height, int holes) {
    assert_true(width * height <= MOST);
    c->heights = (GullyHeights){c->values, width, height, 3, 2};
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float hill = 20 * sinf(0.2f * (float)x) * cosf(0.13f * (float)y);
            float noise = 0.01f * (float)random_below(100);
            c->values[y * width + x] = random_below(100) < holes ? NAN : hill + noise;
        }
}

static bool has_quad(const GullyHeights* h, int x, int y) {
    if (x < 0 || y < 0 || x + 1 >= h->width || y + 1 >= h->height) return false;
    const float* at = h->values + y * h->width + x;
    return isfinite(at[0]) && isfinite(at[1]) && isfinite(at[h->width]) &&
           isfinite(at[h->width + 1]);
}

static int quad_count(const GullyHeights* h) {
    int count = 0;
    for (int y = 0; y < h->height; y++)
        for (int x = 0; x < h->width; x++)
            count += has_quad(h, x, y);
    return count;
}

// ---- edges --------------------------------------------------------------------------------------

typedef struct Edge {
    uint32_t low, high;
    bool up; // from low to high
} Edge;

static int compare_edges(const void* a, const void* b) {
    const Edge *p = a, *q = b;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    if (p->high != q->high) return p->high < q->high ? -1 : 1;
    return (int)p->up - (int)q->up;
}

static const float* sort_positions; // of the vertices that are sorted

static int compare_vertices(const void* a, const void* b) {
    uint32_t i = *(const uint32_t*)a, j = *(const uint32_t*)b;
    int order = memcmp(sort_positions + 3 * i, sort_positions + 3 * j, 3 * sizeof(float));
    return order ? order : (i > j) - (i < j);
}

// For each vertex the first of those at its position: what a file without indices leaves of them.
static uint32_t* weld(const GullyMesh* mesh) {
    uint32_t* sorted = malloc(mesh->vertex_count * sizeof *sorted);
    uint32_t* same = malloc(mesh->vertex_count * sizeof *same);
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        sorted[i] = i;
    sort_positions = mesh->positions;
    qsort(sorted, mesh->vertex_count, sizeof *sorted, compare_vertices);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        bool again = i > 0 && memcmp(mesh->positions + 3 * sorted[i - 1],
                                     mesh->positions + 3 * sorted[i], 3 * sizeof(float)) == 0;
        same[sorted[i]] = again ? same[sorted[i - 1]] : sorted[i];
    }
    free(sorted);
    return same;
}

// Every edge belongs to two triangles, one each way. Returns how many belong to one only.
static int check_edges(const GullyMesh* mesh, const uint32_t* same) {
    size_t count = 3 * (size_t)mesh->triangle_count;
    Edge* edges = malloc(count * sizeof *edges);
    for (size_t i = 0; i < count; i++) {
        uint32_t from = same[mesh->triangles[i]];
        uint32_t to = same[mesh->triangles[i % 3 == 2 ? i - 2 : i + 1]];
        assert_true(from != to);
        edges[i] = from < to ? (Edge){from, to, true} : (Edge){to, from, false};
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    int open = 0;
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count; next++)
            if (edges[next].low != edges[i].low || edges[next].high != edges[i].high) break;
        assert_true(next - i <= 2);
        if (next - i == 2) assert_true(!edges[i].up && edges[i + 1].up);
        open += next - i == 1;
    }
    free(edges);
    return open;
}

static double volume_of(const GullyMesh* mesh) {
    double sum = 0;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t* t = mesh->triangles + 3 * i;
        const float *a = mesh->positions + 3 * t[0], *b = mesh->positions + 3 * t[1],
                    *c = mesh->positions + 3 * t[2];
        for (int k = 0; k < 3; k++) {
            int u = (k + 1) % 3, v = (k + 2) % 3;
            sum += (double)a[k] * ((double)b[u] * (double)c[v] - (double)b[v] * (double)c[u]) / 6;
        }
    }
    return sum;
}

// ---- cover and error ----------------------------------------------------------------------------

typedef struct Corner {
    int x, y;
    double z;
} Corner;

static Corner corner_of(const GullyHeights* h, const GullyMesh* mesh, uint32_t vertex) {
    const float *place = mesh->places + 2 * vertex, *at = mesh->positions + 3 * vertex;
    Corner c = {(int)(place[0] * (float)h->width), (int)(place[1] * (float)h->height),
                (double)at[2]};
    assert_near((double)at[0], (c.x - 0.5 * (h->width - 1)) * h->cell_x, 1e-4);
    assert_near((double)at[1], (0.5 * (h->height - 1) - c.y) * h->cell_y, 1e-4);
    assert_true(at[2] == h->values[c.y * h->width + c.x]);
    return c;
}

// Marks the samples in a triangle, which must be within the error. Returns twice its area [quads].
static int check_triangle(const GullyHeights* h, const Corner* c, double error, bool* seen) {
    int area = (c[2].x - c[0].x) * (c[1].y - c[0].y) - (c[1].x - c[0].x) * (c[2].y - c[0].y);
    assert_true(area > 0); // counter-clockwise from above
    int west = c[0].x, east = c[0].x, north = c[0].y, south = c[0].y;
    for (int k = 1; k < 3; k++) {
        west = c[k].x < west ? c[k].x : west;
        east = c[k].x > east ? c[k].x : east;
        north = c[k].y < north ? c[k].y : north;
        south = c[k].y > south ? c[k].y : south;
    }
    for (int y = north; y <= south; y++)
        for (int x = west; x <= east; x++) {
            int w[3];
            for (int k = 0; k < 3; k++) {
                const Corner *p = &c[(k + 1) % 3], *q = &c[(k + 2) % 3];
                w[k] = (x - p->x) * (q->y - p->y) - (q->x - p->x) * (y - p->y);
            }
            if (w[0] < 0 || w[1] < 0 || w[2] < 0) continue;
            double z = (w[0] * c[0].z + w[1] * c[1].z + w[2] * c[2].z) / area;
            float height = h->values[y * h->width + x];
            assert_true(isfinite(height));
            if (!(fabs(z - (double)height) <= error + 1e-5))
                fail_msg("%g m off at %d, %d", fabs(z - (double)height), x, y);
            seen[y * h->width + x] = true;
        }
    return area;
}

static int outline_length(const GullyHeights* h) {
    int length = 0;
    for (int y = 0; y < h->height; y++)
        for (int x = 0; x < h->width; x++) {
            length += has_quad(h, x, y) != has_quad(h, x - 1, y);
            length += has_quad(h, x, y) != has_quad(h, x, y - 1);
        }
    return length;
}

static void check_surface(const GullyHeights* h, double error) {
    static bool seen[MOST];
    memset(seen, 0, sizeof seen);
    GullyMeshDef def = gully_mesh_default();
    def.error = error;
    GullyMesh mesh;
    assert_int_equal(gully_mesh_create(h, &def, &mesh), GULLY_OK);
    int area = 0;
    for (size_t i = 0; i < mesh.triangle_count; i++) {
        Corner c[3];
        for (int k = 0; k < 3; k++)
            c[k] = corner_of(h, &mesh, mesh.triangles[3 * i + (size_t)k]);
        area += check_triangle(h, c, error < 0 ? 0 : error, seen);
    }
    assert_int_equal(area, 2 * quad_count(h)); // nothing twice, no holes in the ground
    for (int y = 0; y < h->height; y++)
        for (int x = 0; x < h->width; x++) {
            bool ground = has_quad(h, x, y) || has_quad(h, x - 1, y) || has_quad(h, x, y - 1) ||
                          has_quad(h, x - 1, y - 1);
            assert_int_equal(seen[y * h->width + x], ground);
        }
    uint32_t* same = weld(&mesh);
    int open = check_edges(&mesh, same);
    assert_true(error < 0 ? open == outline_length(h) : open <= outline_length(h));
    free(same);
    gully_mesh_free(&mesh);
}

static void check_solid(const GullyHeights* h, double error) {
    GullyMeshDef def = gully_mesh_default();
    def.error = error;
    def.scale = 2;
    def.base = 5;
    GullyMesh mesh;
    assert_int_equal(gully_mesh_create(h, &def, &mesh), GULLY_OK);
    uint32_t* same = weld(&mesh);
    assert_int_equal(check_edges(&mesh, same), 0);
    for (uint32_t i = 0; i < mesh.vertex_count; i++)
        assert_int_equal(same[i], i); // no two vertices at one place
    double least = 0.9 * quad_count(h) * h->cell_x * h->cell_y * (def.base - fmax(error, 0) * 2);
    assert_true(volume_of(&mesh) > least && volume_of(&mesh) > 0);
    free(same);
    gully_mesh_free(&mesh);
}

static void test_many_shapes(void** state) {
    (void)state;
    static const double errors[] = {-1, 0, 0.05, 0.6, 3, 100};
    static Case c;
    random_state = 7;
    for (int k = 0; k < 120; k++) {
        int width = 2 + random_below(k < 60 ? 12 : 60), height = 2 + random_below(k < 60 ? 12 : 60);
        make_case(&c, width, height, k % 4 == 0 ? 0 : k % 4 == 1 ? 2 : 15);
        if (quad_count(&c.heights) == 0) continue;
        for (size_t e = 0; e < sizeof errors / sizeof errors[0]; e++) {
            check_surface(&c.heights, errors[e]);
            check_solid(&c.heights, errors[e] > 2 ? 2 : errors[e]);
        }
    }
}

// Larger than one square of the network, which has at most 512 quads a side.
static void test_large(void** state) {
    (void)state;
    static Case c;
    random_state = 3;
    make_case(&c, 1100, 540, 0);
    check_surface(&c.heights, 3);
    check_solid(&c.heights, 2);
    for (int i = 0; i < 300; i++)
        c.values[random_below(1100 * 540)] = NAN;
    check_surface(&c.heights, 1.2);
    check_solid(&c.heights, 1.2);
}

static void test_counts(void** state) {
    (void)state;
    static float flat[513 * 513];
    GullyHeights h = {flat, 513, 513, 1, 1};
    GullyMeshDef def = gully_mesh_default();
    GullyMesh mesh;
    assert_int_equal(gully_mesh_create(&h, &def, &mesh), GULLY_OK);
    assert_int_equal(mesh.vertex_count, 513 * 513);
    assert_int_equal(mesh.triangle_count, 2 * 512 * 512);
    gully_mesh_free(&mesh);
    def.error = 0;
    assert_int_equal(gully_mesh_create(&h, &def, &mesh), GULLY_OK);
    assert_int_equal(mesh.triangle_count, 2);
    gully_mesh_free(&mesh);
    def.base = 2; // a block
    assert_int_equal(gully_mesh_create(&h, &def, &mesh), GULLY_OK);
    assert_int_equal(mesh.vertex_count, 8);
    assert_int_equal(mesh.triangle_count, 12);
    assert_near(volume_of(&mesh), 512.0 * 512 * 2, 1e-3);
    gully_mesh_free(&mesh);
    def.error = -1; // the bottom of a fine top is coarse inside
    assert_int_equal(gully_mesh_create(&h, &def, &mesh), GULLY_OK);
    assert_true(mesh.triangle_count < 2.1 * 512 * 512);
    assert_near(volume_of(&mesh), 512.0 * 512 * 2, 1e-3);
    gully_mesh_free(&mesh);
}

static void test_mountains_get_simpler(void** state) {
    (void)state;
    enum { SIDE = 300 };
    static float values[SIDE * SIDE];
    GullyGenerateParams params;
    gully_params_default(gully_generate_table(), &params);
    params.width = params.height = SIDE;
    assert_int_equal(gully_generate("mountains", &params, values), GULLY_OK);
    GullyHeights h = {values, SIDE, SIDE, 10, 10};
    uint32_t before = UINT32_MAX;
    for (double error = 0.5; error < 100; error *= 4) {
        GullyMeshDef def = gully_mesh_default();
        def.error = error;
        GullyMesh mesh;
        assert_int_equal(gully_mesh_create(&h, &def, &mesh), GULLY_OK);
        assert_true(mesh.triangle_count < before);
        before = mesh.triangle_count;
        gully_mesh_free(&mesh);
    }
    assert_true(before < SIDE * SIDE / 20);
}

static void test_nothing_to_cover(void** state) {
    (void)state;
    float values[] = {1, NAN, 1, NAN, 1, NAN};
    GullyHeights h = {values, 3, 2, 1, 1};
    GullyMeshDef def = gully_mesh_default();
    GullyMesh mesh;
    assert_int_equal(gully_mesh_create(&h, &def, &mesh), GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "nothing to cover"));
    assert_null(mesh.positions);
    h.height = 1;
    assert_int_equal(gully_mesh_create(&h, &def, &mesh), GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "at least 2 x 2"));
    h.height = 2;
    def = (GullyMeshDef){.scale = 1}; // without the defaults
    assert_int_equal(gully_mesh_create(&h, &def, &mesh), GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "gully_mesh_default()"));
}

// ---- files --------------------------------------------------------------------------------------

// Parts that share a column lie side by side: positions, normals and places of the whole.
static void test_parts(void** state) {
    (void)state;
    static Case c;
    make_case(&c, 41, 30, 0);
    GullyMeshDef def = gully_mesh_default();
    GullyMesh whole, part;
    assert_int_equal(gully_mesh_create(&c.heights, &def, &whole), GULLY_OK);
    def.x = 16, def.y = 8, def.width = 17, def.height = 22;
    assert_int_equal(gully_mesh_create(&c.heights, &def, &part), GULLY_OK);
    assert_int_equal(part.vertex_count, 17 * 22);
    for (uint32_t v = 0; v < part.vertex_count; v++) {
        int x = (int)(part.places[2 * v] * 41), y = (int)(part.places[2 * v + 1] * 30);
        uint32_t same = 0;
        while (whole.places[2 * same] != part.places[2 * v] ||
               whole.places[2 * same + 1] != part.places[2 * v + 1])
            assert_true(++same < whole.vertex_count);
        assert_true(x >= 16 && x < 33 && y >= 8);
        assert_memory_equal(part.positions + 3 * v, whole.positions + 3 * same, 12);
        assert_memory_equal(part.normals + 3 * v, whole.normals + 3 * same, 12);
    }
    gully_mesh_free(&whole);
    gully_mesh_free(&part);
    def.width = 26;
    assert_int_equal(gully_mesh_create(&c.heights, &def, &part), GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "16 to 41"));
}

// A skirt is a strip of walls around the outline and around holes, that far down.
static void test_skirts(void** state) {
    (void)state;
    static Case c;
    for (int holes = 0; holes <= 10; holes += 10) {
        make_case(&c, 20, 15, holes);
        GullyMeshDef def = gully_mesh_default();
        GullyMesh plain, mesh;
        assert_int_equal(gully_mesh_create(&c.heights, &def, &plain), GULLY_OK);
        def.skirt = 5, def.scale = 2;
        assert_int_equal(gully_mesh_create(&c.heights, &def, &mesh), GULLY_OK);
        int outline = outline_length(&c.heights);
        assert_int_equal(mesh.triangle_count - plain.triangle_count, 2 * outline);
        int hanging = 0;
        for (uint32_t v = 0; v < mesh.vertex_count; v++) {
            int x = (int)(mesh.places[2 * v] * 20), y = (int)(mesh.places[2 * v + 1] * 15);
            double above = (double)mesh.positions[3 * v + 2] - 2 * (double)c.values[y * 20 + x];
            hanging += above < -1;
            assert_near(above < -1 ? above + 5 : above, 0, 1e-4);
        }
        if (holes == 0) assert_int_equal(hanging, 2 * (20 + 15) - 4);
        uint32_t* same = weld(&mesh);
        if (holes == 0) // where parts touch in a corner four walls share an edge
            assert_int_equal(check_edges(&mesh, same), outline); // open below, and nowhere else
        free(same);
        gully_mesh_free(&plain);
        gully_mesh_free(&mesh);
    }
    GullyMeshDef both = gully_mesh_default();
    GullyMesh none;
    both.skirt = both.base = 1;
    assert_int_equal(gully_mesh_create(&c.heights, &both, &none), GULLY_BAD_INPUT);
}

static size_t read_bytes(const char* name, unsigned char* bytes, size_t room) {
    FILE* file = fopen(in_scratch(name), "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, room, file);
    fclose(file);
    return size;
}

static uint32_t word_at(const unsigned char* bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static float float_at(const unsigned char* bytes) {
    uint32_t word = word_at(bytes);
    float value;
    memcpy(&value, &word, 4);
    return value;
}

static void make_tile(GullyMesh* mesh) { // a square that rises to the east
    static const float values[] = {0, 3, 0, 3};
    GullyHeights h = {values, 2, 2, 4, 4};
    GullyMeshDef def = gully_mesh_default();
    assert_int_equal(gully_mesh_create(&h, &def, mesh), GULLY_OK);
    assert_int_equal(mesh->triangle_count, 2);
    for (int i = 0; i < 4; i++) { // 3 up on 4
        assert_near((double)mesh->normals[3 * i], -0.6, 1e-6);
        assert_near((double)mesh->normals[3 * i + 1], 0, 1e-6);
        assert_near((double)mesh->normals[3 * i + 2], 0.8, 1e-6);
    }
}

static void test_stl(void** state) {
    (void)state;
    GullyMesh mesh;
    make_tile(&mesh);
    assert_int_equal(gully_mesh_write(in_scratch("a.stl"), &mesh, NULL), GULLY_OK);
    unsigned char bytes[1000];
    assert_int_equal(read_bytes("a.stl", bytes, sizeof bytes), 84 + 2 * 50);
    assert_int_equal(word_at(bytes + 80), 2);
    for (int i = 0; i < 2; i++) {
        const unsigned char* facet = bytes + 84 + 50 * i;
        assert_near((double)float_at(facet), -0.6, 1e-6);
        assert_near((double)float_at(facet + 8), 0.8, 1e-6);
        for (int k = 0; k < 3; k++) // z = 3 in the east, 0 in the west
            assert_true(float_at(facet + 20 + 12 * k) ==
                        (float_at(facet + 12 + 12 * k) > 0 ? 3 : 0));
    }
    gully_mesh_free(&mesh);
}

static void test_ply_and_obj(void** state) {
    (void)state;
    GullyMesh mesh;
    make_tile(&mesh);
    unsigned char pixels[] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0};
    GullyTexture picture = {2, 2, 3, pixels};
    GullyMeshLook look = {&picture, false};
    assert_int_equal(gully_mesh_write(in_scratch("a.ply"), &mesh, &look), GULLY_OK);
    unsigned char bytes[2000] = {0};
    size_t size = read_bytes("a.ply", bytes, sizeof bytes - 1);
    unsigned char* data = (unsigned char*)strstr((char*)bytes, "end_header\n") + 11;
    assert_int_equal(bytes + size - data, 4 * 36 + 2 * 13);
    for (int i = 0; i < 4; i++) {
        const unsigned char* vertex = data + 36 * i;
        int east = float_at(vertex) > 0, south = float_at(vertex + 4) < 0;
        assert_memory_equal(vertex + 32, pixels + 3 * (2 * south + east), 3);
        assert_int_equal(vertex[35], 255);
    }
    assert_int_equal(gully_mesh_write(in_scratch("a.obj"), &mesh, NULL), GULLY_OK);
    size = read_bytes("a.obj", bytes, sizeof bytes - 1);
    bytes[size] = 0;
    assert_non_null(strstr((char*)bytes, "v 2 3 -2\n"));
    assert_non_null(strstr((char*)bytes, "vn -0.600000 0.800000 0.000000\n"));
    assert_non_null(strstr((char*)bytes, "vt 0.750000 0.750000\n"));
    gully_mesh_free(&mesh);
}

static uint32_t number_at(const unsigned char* bytes, int size) {
    uint32_t number = 0;
    for (int i = size - 1; i >= 0; i--)
        number = number << 8 | bytes[i];
    return number;
}

/// Colours at vertices are light in glTF: sRGB 188 is half of it. Every file has texture
/// coordinates.
static void test_glb_colors(void** state) {
    (void)state;
    GullyMesh mesh;
    make_tile(&mesh);
    unsigned char bytes[4096], pixel[4] = {188, 0, 255, 51};
    GullyTexture picture = {1, 1, 4, pixel};
    const GullyMeshLook look = {&picture, false};
    assert_int_equal(gully_mesh_write(in_scratch("c.glb"), &mesh, &look), GULLY_OK);
    read_bytes("c.glb", bytes, sizeof bytes);
    const unsigned char* data = bytes + 20 + number_at(bytes + 12, 4) + 8;
    const unsigned char* places = data + 24 * mesh.vertex_count; // after positions and normals
    const unsigned char* colors = places + 8 * mesh.vertex_count;
    for (uint32_t i = 0; i < mesh.vertex_count; i++) {
        assert_memory_equal(places + 8 * i, mesh.places + 2 * i, 8);
        assert_in_range(number_at(colors + 8 * i, 2), 32900, 33000);
        assert_int_equal(number_at(colors + 8 * i + 2, 2), 0);
        assert_int_equal(number_at(colors + 8 * i + 4, 2), 65535);
        assert_int_equal(number_at(colors + 8 * i + 6, 2), 13107); // a fifth: alpha is no light
    }
    assert_int_equal(gully_mesh_write(in_scratch("c.glb"), &mesh, NULL), GULLY_OK);
    size_t size = read_bytes("c.glb", bytes, sizeof bytes - 1);
    bytes[number_at(bytes + 12, 4) + 20] = 0; // after the JSON
    assert_true(size > 0 && strstr((char*)bytes + 20, "TEXCOORD_0") != NULL);
    assert_null(strstr((char*)bytes + 20, "COLOR_0"));
    remove(in_scratch("c.glb"));
    gully_mesh_free(&mesh);
}

static void test_wrong_files(void** state) {
    (void)state;
    GullyMesh mesh;
    make_tile(&mesh);
    unsigned char pixel = 0;
    GullyTexture picture = {1, 1, 1, &pixel};
    GullyMeshLook look = {&picture, true};
    assert_int_equal(gully_mesh_write(in_scratch("b.fbx"), &mesh, NULL), GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), ".glb"));
    assert_int_equal(gully_mesh_write(in_scratch("b.ply"), &mesh, &look), GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "texture"));
    look.as_texture = false;
    assert_int_equal(gully_mesh_write(in_scratch("b.stl"), &mesh, &look), GULLY_BAD_INPUT);
    assert_int_equal(gully_mesh_write(in_scratch("none/b.stl"), &mesh, NULL), GULLY_IO);
    gully_mesh_free(&mesh);
    assert_holds(scratch_folder(), "a.obj a.ply a.stl ");
}

static void test_pictures_come_back(void** state) {
    (void)state;
    unsigned char pixels[2 * 3 * 4];
    for (int channels = 1; channels <= 4; channels++) {
        for (int i = 0; i < 6 * channels; i++)
            pixels[i] = (unsigned char)(37 * i + 5);
        GullyTexture texture = {2, 3, channels, pixels}, back;
        assert_int_equal(gully_texture_write(in_scratch("p.png"), &texture), GULLY_OK);
        assert_int_equal(gully_texture_read(in_scratch("p.png"), &back), GULLY_OK);
        assert_int_equal(back.channels, channels);
        assert_int_equal(back.width, 2);
        assert_memory_equal(back.pixels, pixels, (size_t)(6 * channels));
        gully_texture_free(&back);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_shapes),      cmocka_unit_test(test_large),
        cmocka_unit_test(test_counts),           cmocka_unit_test(test_mountains_get_simpler),
        cmocka_unit_test(test_nothing_to_cover), cmocka_unit_test(test_parts),
        cmocka_unit_test(test_skirts),           cmocka_unit_test(test_stl),
        cmocka_unit_test(test_ply_and_obj),      cmocka_unit_test(test_glb_colors),
        cmocka_unit_test(test_wrong_files),      cmocka_unit_test(test_pictures_come_back),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
