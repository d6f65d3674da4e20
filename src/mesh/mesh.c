// SPDX-License-Identifier: MIT
// Meshes from heights: the triangles of a network, and for a solid its bottom and walls.
//
// The triangles are gone through twice: first vertices get their numbers and triangles are counted,
// then both are filled in.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gully/mesh.h"
#include "mesh_split.h"

static const double apart = 0.01; // of a cell: how far corners that only touch are moved

enum { TOP, BOTTOM, SURFACES };

typedef struct Builder {
    const GullyHeights* whole;
    const GullyHeights* heights; // the part that is covered
    Point corner;                // of the part in the whole
    const GullyMeshDef* def;
    Region region;
    Network networks[SURFACES];
    int surfaces;                 // with triangles: 1, or both of a solid
    int levels;                   // with vertices: 2 also of one with skirts
    int surface;                  // the one that is gone through
    uint32_t* numbers[SURFACES];  // of the vertex at a sample, counted from 1; 0 = none
    uint32_t* southern[SURFACES]; // of the second one at samples where two parts touch
    float *east, *north;          // slopes [m/m]
    double floor;                 // z of the bottom [m]
    uint64_t vertices, triangles;
    GullyMesh* mesh; // NULL while counting
} Builder;

static bool is_solid(const Builder* b) {
    return b->surfaces == SURFACES;
}

static size_t sample(const Builder* b, Point p) {
    return (size_t)p.y * (size_t)b->heights->width + (size_t)p.x;
}

// ---- vertices -----------------------------------------------------------------------------------

// Whether two parts of the ground touch at a sample: 1 = north-west and south-east, 2 = the others.
static int touching(const Region* region, Point p) {
    bool nw = region_has(region, p.x - 1, p.y - 1), ne = region_has(region, p.x, p.y - 1);
    bool sw = region_has(region, p.x - 1, p.y), se = region_has(region, p.x, p.y);
    if (nw && se && !ne && !sw) return 1;
    if (ne && sw && !nw && !se) return 2;
    return 0;
}

static void fill_vertex(Builder* b, uint32_t vertex, Point p, double shift_x, double shift_y) {
    const GullyHeights* heights = b->whole;
    size_t i = sample(b, p);
    bool skirt = b->surface == BOTTOM && !is_solid(b), top = b->surface == TOP || skirt;
    double scale = b->def->scale;
    int column = b->corner.x + p.x, row = b->corner.y + p.y;
    double x = (column + shift_x - 0.5 * (heights->width - 1)) * heights->cell_x;
    double y = (0.5 * (heights->height - 1) - row - shift_y) * heights->cell_y;
    double z = top ? (double)b->heights->values[i] * scale : b->floor;
    if (skirt) z -= b->def->skirt; // lit as the ground that it hangs from
    double nx = top ? -scale * (double)b->east[i] : 0, ny = top ? -scale * (double)b->north[i] : 0;
    double length = sqrt(1 + nx * nx + ny * ny);
    float* position = b->mesh->positions + 3 * (size_t)vertex;
    float* normal = b->mesh->normals + 3 * (size_t)vertex;
    float* place = b->mesh->places + 2 * (size_t)vertex;
    position[0] = (float)x, position[1] = (float)y, position[2] = (float)z;
    normal[0] = (float)(nx / length), normal[1] = (float)(ny / length);
    normal[2] = (float)((top ? 1 : -1) / length);
    place[0] = (float)((column + 0.5) / heights->width);
    place[1] = (float)((row + 0.5) / heights->height);
}

// The number of a triangle's vertex at a sample, from 0; `south` says on which side of the sample
// the triangle is. It has its own vertex there if the ground only touches.
static uint32_t vertex_at(Builder* b, Point p, bool south) {
    int touch = is_solid(b) ? touching(&b->region, p) : 0;
    uint32_t* numbers = touch && south ? b->southern[b->surface] : b->numbers[b->surface];
    uint32_t* number = &numbers[sample(b, p)];
    if (!*number) *number = (uint32_t)++b->vertices;
    return *number - 1;
}

// Both vertices that a sample may have.
static void fill_sample(Builder* b, Point p) {
    size_t i = sample(b, p);
    const uint32_t* southern = b->southern[b->surface];
    uint32_t first = b->numbers[b->surface][i], second = southern ? southern[i] : 0;
    int touch = (first || second) && is_solid(b) ? touching(&b->region, p) : 0;
    double down = touch ? apart : 0, right = touch == 1 ? down : -down;
    if (first) fill_vertex(b, first - 1, p, -right, -down);
    if (second) fill_vertex(b, second - 1, p, right, down);
}

static void fill_vertices(Builder* b) {
    for (b->surface = TOP; b->surface < b->levels; b->surface++)
        for (int y = 0; y < b->heights->height; y++)
            for (int x = 0; x < b->heights->width; x++)
                fill_sample(b, (Point){x, y});
}

// ---- triangles ----------------------------------------------------------------------------------

static void add_triangle(Builder* b, uint32_t u, uint32_t v, uint32_t w) {
    if (b->mesh) {
        uint32_t* triangle = b->mesh->triangles + 3 * b->triangles;
        triangle[0] = u, triangle[1] = v, triangle[2] = w;
    }
    b->triangles++;
}

// Whether there is no ground on the right of the way from p to q, a side of a triangle whose ground
// is on the left. Such a side runs along the quads.
static bool is_outline(const Region* region, Point p, Point q) {
    if (p.y == q.y) // to the east, south is on the right
        return q.x > p.x ? !region_has(region, p.x, p.y) : !region_has(region, q.x, p.y - 1);
    if (p.x == q.x) // to the south, west is on the right
        return q.y > p.y ? !region_has(region, p.x - 1, p.y) : !region_has(region, p.x, q.y);
    return false;
}

// The wall below a side of the top.
static void add_wall(Builder* b, const uint32_t top[2], const uint32_t bottom[2]) {
    add_triangle(b, top[1], top[0], bottom[0]);
    add_triangle(b, top[1], bottom[0], bottom[1]);
}

static void take_triangle(void* context, Point p, Point q, Point r) {
    Builder* b = context;
    Point at[3] = {p, q, r};
    bool south[3];
    uint32_t here[3], below[3] = {0};
    for (int k = 0; k < 3; k++) {
        south[k] = p.y + q.y + r.y > 3 * at[k].y;
        here[k] = vertex_at(b, at[k], south[k]);
    }
    if (b->surface == BOTTOM) {
        add_triangle(b, here[2], here[1], here[0]);
        return;
    }
    add_triangle(b, here[0], here[1], here[2]);
    if (b->levels == 1) return;
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        if (!is_outline(&b->region, at[k], at[next])) continue;
        b->surface = BOTTOM;
        below[k] = vertex_at(b, at[k], south[k]);
        below[next] = vertex_at(b, at[next], south[next]);
        b->surface = TOP;
        add_wall(b, (uint32_t[]){here[k], here[next]}, (uint32_t[]){below[k], below[next]});
    }
}

static void take_all(Builder* b) {
    b->triangles = 0;
    for (b->surface = TOP; b->surface < b->surfaces; b->surface++)
        network_each(&b->networks[b->surface], take_triangle, b);
}

// ---- making -------------------------------------------------------------------------------------

static double lowest(const GullyHeights* heights) {
    double low = INFINITY;
    size_t count = (size_t)heights->width * (size_t)heights->height;
    for (size_t i = 0; i < count; i++)
        if (isfinite(heights->values[i])) low = fmin(low, (double)heights->values[i]);
    return low;
}

// A part of heights, whose values are a copy; without values if there is no memory.
static GullyHeights part_of(const GullyHeights* whole, int x, int y, int width, int height) {
    GullyHeights part = *whole;
    float* values = malloc((size_t)width * (size_t)height * sizeof(float));
    part.width = width;
    part.height = height;
    part.values = values;
    for (int row = 0; row < height && values; row++)
        memcpy(values + (size_t)row * (size_t)width,
               whole->values + (size_t)(y + row) * (size_t)whole->width + (size_t)x,
               (size_t)width * sizeof(float));
    return part;
}

// The slopes of the part, with what lies around it: one cell further to each side.
static bool find_slopes(Builder* b) {
    const GullyHeights *whole = b->whole, *part = b->heights;
    int x = b->corner.x - (b->corner.x > 0), y = b->corner.y - (b->corner.y > 0);
    int right = b->corner.x + part->width, bottom = b->corner.y + part->height;
    int width = right + (right < whole->width) - x, height = bottom + (bottom < whole->height) - y;
    GullyHeights around = part_of(whole, x, y, width, height);
    size_t count = (size_t)width * (size_t)height;
    b->east = malloc(count * sizeof(float));
    b->north = malloc(count * sizeof(float));
    bool done = around.values && b->east && b->north;
    if (done) gully_map_gradient(&around, b->east, b->north);
    size_t first = (size_t)(b->corner.y - y) * (size_t)width + (size_t)(b->corner.x - x);
    for (int row = 0; row < part->height && done; row++) { // to the front of the same arrays
        size_t to = (size_t)row * (size_t)part->width, from = first + (size_t)row * (size_t)width;
        memmove(b->east + to, b->east + from, (size_t)part->width * sizeof(float));
        memmove(b->north + to, b->north + from, (size_t)part->width * sizeof(float));
    }
    free((float*)around.values);
    return done;
}

static bool prepare(Builder* b) {
    size_t count = (size_t)b->heights->width * (size_t)b->heights->height;
    if (!find_slopes(b) || !network_make(&b->region, b->def->error, &b->networks[TOP]))
        return false;
    if (is_solid(b) && !network_outline(&b->networks[TOP], &b->networks[BOTTOM])) return false;
    b->floor = lowest(b->heights) * b->def->scale - b->def->base;
    for (int k = 0; k < b->levels; k++) {
        b->numbers[k] = calloc(count, sizeof(uint32_t));
        b->southern[k] = is_solid(b) ? calloc(count, sizeof(uint32_t)) : NULL;
        if (!b->numbers[k] || (is_solid(b) && !b->southern[k])) return false;
    }
    return true;
}

static bool allocate(GullyMesh* mesh, uint64_t vertices, uint64_t triangles) {
    if (vertices > SIZE_MAX / 12 || triangles > SIZE_MAX / 12) return false;
    *mesh = (GullyMesh){
        .vertex_count = (uint32_t)vertices,
        .triangle_count = (uint32_t)triangles,
        .positions = malloc((size_t)vertices * 3 * sizeof(float)),
        .normals = malloc((size_t)vertices * 3 * sizeof(float)),
        .places = malloc((size_t)vertices * 2 * sizeof(float)),
        .triangles = malloc((size_t)triangles * 3 * sizeof(uint32_t)),
    };
    return mesh->positions && mesh->normals && mesh->places && mesh->triangles;
}

static GullyStatus build(Builder* b, GullyMesh* out) {
    if (!region_make(b->heights, &b->region) || !prepare(b))
        return gully_fail(GULLY_NO_MEMORY, "not enough memory for a mesh of %d x %d cells",
                          b->heights->width, b->heights->height);
    if (b->region.count == 0)
        return gully_fail(GULLY_BAD_INPUT, "there is nothing to cover: no four cells around a "
                                           "corner have data");
    take_all(b);
    if (b->vertices > UINT32_MAX || b->triangles > UINT32_MAX)
        return gully_fail(GULLY_BAD_INPUT,
                          "a mesh of %llu triangles is too large; at most 4294967295 are allowed: "
                          "simplify it",
                          (unsigned long long)b->triangles);
    if (!allocate(out, b->vertices, b->triangles))
        return gully_fail(GULLY_NO_MEMORY, "not enough memory for a mesh of %llu triangles",
                          (unsigned long long)b->triangles);
    b->mesh = out;
    take_all(b);
    fill_vertices(b);
    return GULLY_OK;
}

GullyMeshDef gully_mesh_default(void) {
    return (GullyMeshDef){.made = GULLY_DEF_MADE, .error = -1, .scale = 1};
}

static void builder_free(Builder* b) {
    for (int k = 0; k < SURFACES; k++) {
        network_free(&b->networks[k]);
        free(b->numbers[k]);
        free(b->southern[k]);
    }
    region_free(&b->region);
    free(b->east);
    free(b->north);
}

static GullyStatus check_part(const GullyHeights* heights, const GullyMeshDef* def) {
    if (def->x < 0 || def->y < 0 || def->width > heights->width - def->x ||
        def->height > heights->height - def->y)
        return gully_fail(GULLY_BAD_INPUT, "a mesh of cells %d to %d, %d to %d: there are %d x %d",
                          def->x, def->x + def->width - 1, def->y, def->y + def->height - 1,
                          heights->width, heights->height);
    if (def->width < 2 || def->height < 2)
        return gully_fail(GULLY_BAD_INPUT, "a mesh needs at least 2 x 2 cells; there are %d x %d",
                          def->width, def->height);
    if (def->skirt > 0 && def->base > 0)
        return gully_fail(GULLY_BAD_INPUT, "a mesh has a base or a skirt, not both");
    return GULLY_OK;
}

GullyStatus gully_mesh_create(const GullyHeights* heights, const GullyMeshDef* given,
                              GullyMesh* out) {
    assert(heights && heights->values && heights->width >= 1 && heights->height >= 1);
    assert(heights->cell_x > 0 && heights->cell_y > 0 && given && out);
    *out = (GullyMesh){0};
    GullyStatus status = gully_def_check(given->made, "gully_mesh_default");
    if (status != GULLY_OK) return status;
    assert(given->scale > 0);
    GullyMeshDef def = *given;
    if (def.width == 0) def.x = def.y = 0, def.width = heights->width, def.height = heights->height;
    status = check_part(heights, &def);
    if (status != GULLY_OK) return status;
    GullyHeights part = part_of(heights, def.x, def.y, def.width, def.height);
    if (!part.values) return gully_fail(GULLY_NO_MEMORY, "not enough memory for a mesh");
    Builder b = {.whole = heights,
                 .heights = &part,
                 .corner = {def.x, def.y},
                 .def = &def,
                 .surfaces = def.base > 0 ? SURFACES : 1,
                 .levels = def.base > 0 || def.skirt > 0 ? SURFACES : 1};
    status = build(&b, out);
    if (status != GULLY_OK) gully_mesh_free(out);
    builder_free(&b);
    free((float*)part.values);
    return status;
}

void gully_mesh_free(GullyMesh* mesh) {
    if (!mesh) return;
    free(mesh->positions);
    free(mesh->normals);
    free(mesh->places);
    free(mesh->triangles);
    *mesh = (GullyMesh){0};
}
