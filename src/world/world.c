#include "gully/world.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hash.h"
#include "pool.h"
#include "tiles.h"

/// What users can name, and where it is stored.
static const struct {
    const char* name;
    const char* unit;
    int id, low; // the field and its remainder (-1: none)
    bool writable;
    float least, most; // allowed values
} public_fields[GULLY_FIELD_COUNT] = {
    [GULLY_TERRAIN] = {"terrain", "m", GROUND, GROUND_LOW, true, -GROUND_MAX, GROUND_MAX},
    [GULLY_WATER] = {"water", "m", WATER, WATER_LOW, true, 0, GROUND_MAX},
    [GULLY_SEDIMENT] = {"sediment", "m", SEDIMENT, SEDIMENT_LOW, true, 0, GROUND_MAX},
    [GULLY_HARDNESS] = {"hardness", "", HARDNESS, -1, true, 0, 1},
    [GULLY_FLOW] = {"flow", "m2/s", FLOW, -1, false, 0, 0},
    [GULLY_WEAR] = {"wear", "m", WEAR, -1, false, 0, 0},
    [GULLY_DEPOSIT] = {"deposit", "m", DEPOSIT, -1, false, 0, 0},
    [GULLY_VELOCITY_X] = {"velocity_x", "m/s", VELOCITY_X, -1, false, 0, 0},
    [GULLY_VELOCITY_Y] = {"velocity_y", "m/s", VELOCITY_Y, -1, false, 0, 0},
    [GULLY_LAYER_0] = {"layer_0", "m", GROUND, GROUND_LOW, false, 0, 0},
#define LAYER(n)                                                                                   \
    [GULLY_LAYER_##n] = {"layer_" #n, "m", LAYER_##n, LAYER_LOW_##n, true, 0, GROUND_MAX}
    LAYER(1),
    LAYER(2),
    LAYER(3),
    LAYER(4),
    LAYER(5),
    LAYER(6),
    LAYER(7),
#undef LAYER
};

const char* gully_field_name(GullyField field) {
    return public_fields[field].name;
}

int gully_world_width(const GullyWorld* world) {
    return world->width;
}

int gully_world_height(const GullyWorld* world) {
    return world->height;
}

double gully_world_cell_x(const GullyWorld* world) {
    return world->cell_x;
}

double gully_world_cell_y(const GullyWorld* world) {
    return world->cell_y;
}

GullyRect gully_world_all(const GullyWorld* world) {
    return (GullyRect){0, 0, world->width, world->height};
}

static inline bool is_inside(const GullyWorld* world, GullyRect rect) {
    return rect.x >= 0 && rect.y >= 0 && rect.width >= 0 && rect.height >= 0 &&
           rect.width <= world->width - rect.x && rect.height <= world->height - rect.y;
}

static inline bool is_field(GullyField field) {
    return (int)field >= 0 && field < GULLY_FIELD_COUNT;
}

static GullyStatus refuse_field(GullyField field) {
    return gully_fail(GULLY_BAD_INPUT, "a world has no field number %d; allowed: 0 to %d",
                      (int)field, GULLY_FIELD_COUNT - 1);
}

static GullyStatus check_rect(const GullyWorld* world, GullyField field, GullyRect rect) {
    if (is_inside(world, rect)) return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT,
                      "%s: the rectangle of %d x %d cells at (%d, %d) is not inside the world of "
                      "%d x %d cells",
                      public_fields[field].name, rect.width, rect.height, rect.x, rect.y,
                      world->width, world->height);
}

/// A piece of a row of a rectangle that lies in one tile.
typedef struct Span {
    const Tile* tile;
    int row, from, count; // in the tile
    size_t offset;        // of its first cell in the rectangle's values
} Span;

typedef void (*SpanVisit)(GullyWorld* world, const Span* span, void* context);

static void visit_spans(GullyWorld* world, GullyRect rect, SpanVisit visit, void* context) {
    for (int y = 0; y < rect.height; y++) {
        for (int x = 0; x < rect.width;) {
            const Tile* tile = tile_of_cell(world, rect.x + x, rect.y + y);
            Span span = {.tile = tile, .row = rect.y + y - tile->y, .from = rect.x + x - tile->x};
            int left = rect.width - x;
            span.count = tile->width - span.from < left ? tile->width - span.from : left;
            span.offset = (size_t)y * (size_t)rect.width + (size_t)x;
            visit(world, &span, context);
            x += span.count;
        }
    }
}

typedef struct Reading {
    GullyField field;
    float* out;
} Reading;

static void read_span(GullyWorld* world, const Span* span, void* context) {
    const Reading* reading = context;
    int id = public_fields[reading->field].id;
    int slot = world->common[id];
    const float* ground = tile_row(world, span->tile, world->common[GROUND], span->row);
    float* out = reading->out + span->offset;
    if (slot >= 0 && is_narrow(world, slot)) {
        const Half* halves = tile_half_row(world, span->tile, slot, span->row);
        for (int i = 0; i < span->count; i++)
            out[i] = half_unpack(halves[span->from + i]);
    } else {
        const float* cells =
            slot < 0 ? world_value_row(world, id) : tile_row(world, span->tile, slot, span->row);
        memcpy(out, cells + span->from, (size_t)span->count * sizeof *out);
    }
    if (id == FLOW && world->flow_steps > 0) {
        double mean = 1.0 / (double)world->flow_steps;
        for (int i = 0; i < span->count; i++)
            out[i] = (float)((double)out[i] * mean);
    }
    for (int i = 0; i < span->count && span->tile->holes[span->row]; i++)
        out[i] = ground[span->from + i] > GROUND_MAX ? NAN : out[i];
}

/// The bedrock is what is left of the ground without the layers.
static void read_bedrock(GullyWorld* world, const Span* span, void* context) {
    const Reading* reading = context;
    const float* ground = tile_row(world, span->tile, world->common[GROUND], span->row);
    float* out = reading->out + span->offset;
    for (int i = 0; i < span->count; i++) {
        int x = span->from + i;
        const float* low = tile_row(world, span->tile, world->common[GROUND_LOW], span->row);
        double height = (double)ground[x] + (double)low[x];
        for (int m = 0; m < world->material_count - 1; m++) {
            int slot = world->common[LAYER_1 + m], low_slot = world->common[LAYER_LOW_1 + m];
            height -= (double)tile_row(world, span->tile, slot, span->row)[x] +
                      (double)tile_row(world, span->tile, low_slot, span->row)[x];
        }
        out[i] = ground[x] > GROUND_MAX ? NAN : (float)height;
    }
}

GullyStatus gully_world_read(const GullyWorld* world, GullyField field, GullyRect rect,
                             float* out) {
    if (!is_field(field)) return refuse_field(field);
    GullyStatus status = check_rect(world, field, rect);
    if (status) return status;
    Reading reading = {field, out};
    SpanVisit read = field == GULLY_LAYER_0 ? read_bedrock : read_span;
    visit_spans((GullyWorld*)world, rect, read, &reading); // reading changes nothing
    return GULLY_OK;
}

typedef struct Writing {
    GullyField field;
    const float* in;
} Writing;

/// The sum that counts what is written to a field, or NULL.
static Exact* edits_of(GullyWorld* world, int id) {
    if (id == WATER || id == WATER_LOW) return &world->edited_water;
    if (id == GROUND || id == GROUND_LOW || id == SEDIMENT || id == SEDIMENT_LOW)
        return &world->edited_solid;
    return NULL;
}

/// Adds what a span's cells hold of a field to a sum, or takes it away.
static void count_span(GullyWorld* world, const Span* span, int id, int sign) {
    Exact *edits = edits_of(world, id), sum = 0;
    if (!edits || world->common[id] < 0) return;
    exact_add_cells(&sum, world, span->tile, world->common[id], span->row, span->from, span->count);
    *edits += sum * sign;
}

static void count_all(GullyWorld* world, const Span* span, int sign) {
    static const int counted[] = {GROUND, GROUND_LOW, WATER, WATER_LOW, SEDIMENT, SEDIMENT_LOW};
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
        count_span(world, span, counted[i], sign);
}

/// Takes a cell out of the domain, with all it holds.
static void remove_cell(GullyWorld* world, const Span* span, int x) {
    for (int slot = 0; slot < world->field_count; slot++)
        tile_set(world, span->tile, slot, span->row, x, world->fields[slot].value);
    tile_row(world, span->tile, world->common[GROUND], span->row)[x] = GROUND_NODATA;
    span->tile->holes[span->row] = world->has_holes = true;
}

static void write_span(GullyWorld* world, const Span* span, void* context) {
    const Writing* writing = context;
    int id = public_fields[writing->field].id, low_id = public_fields[writing->field].low;
    const float* ground = tile_row(world, span->tile, world->common[GROUND], span->row);
    const int slots[2] = {world->common[id], low_id < 0 ? -1 : world->common[low_id]};
    const float* in = writing->in + span->offset;
    count_all(world, span, -1);
    for (int i = 0; i < span->count; i++) {
        int x = span->from + i;
        bool outside = ground[x] > GROUND_MAX;
        if (id == GROUND && isnan(in[i])) {
            if (!outside) remove_cell(world, span, x);
        } else if (id == GROUND || !outside) {
            if (slots[1] < 0)
                tile_set(world, span->tile, slots[0], span->row, x, in[i]);
            else
                tile_set_pair(world, span->tile, slots, span->row, x, (double)in[i]);
        }
    }
    count_all(world, span, 1);
}

static GullyStatus check_writable(const GullyWorld* world, GullyField field) {
    if (!public_fields[field].writable)
        return gully_fail(GULLY_BAD_INPUT, "%s: this field can only be read",
                          public_fields[field].name);
    if (field >= GULLY_LAYER_0 && (int)field - GULLY_LAYER_0 >= world->material_count)
        return gully_fail(GULLY_BAD_INPUT, "%s: the world has %d materials",
                          public_fields[field].name, world->material_count);
    return GULLY_OK;
}

/// Whether all values may be written; the message says which may not.
static GullyStatus check_values(GullyField field, GullyRect rect, const float* in) {
    float least = public_fields[field].least, most = public_fields[field].most;
    for (int y = 0; y < rect.height; y++) {
        for (int x = 0; x < rect.width; x++) {
            float value = in[(size_t)y * (size_t)rect.width + (size_t)x];
            if (value >= least && value <= most) continue;
            if (field == GULLY_TERRAIN && isnan(value)) continue;
            return gully_fail(
                GULLY_BAD_INPUT, "%s of cell (%d, %d) is %g; allowed: from %g to %g %s%s",
                public_fields[field].name, rect.x + x, rect.y + y, (double)value, (double)least,
                (double)most, public_fields[field].unit,
                field == GULLY_TERRAIN ? ", or NaN for a cell outside the domain" : "");
        }
    }
    return GULLY_OK;
}

GullyStatus gully_world_write(GullyWorld* world, GullyField field, GullyRect rect,
                              const float* in) {
    if (!is_field(field)) return refuse_field(field);
    GullyStatus status = check_rect(world, field, rect);
    if (!status) status = check_writable(world, field);
    if (!status) status = check_values(field, rect, in);
    if (!status) status = world_add_common(world, FIELD_BIT(public_fields[field].id));
    if (status) return status;
    world_will_change(world);
    world->edits++;
    Writing writing = {field, in};
    visit_spans(world, rect, write_span, &writing);
    return GULLY_OK;
}

GullyStatus gully_world_fill(GullyWorld* world, GullyField field, float value) {
    float* row = malloc((size_t)world->width * sizeof *row);
    if (!row) return gully_fail(GULLY_NO_MEMORY, "no memory for a row of %d cells", world->width);
    for (int x = 0; x < world->width; x++)
        row[x] = value;
    GullyStatus status = GULLY_OK;
    for (int y = 0; y < world->height && !status; y++)
        status = gully_world_write(world, field, (GullyRect){0, y, world->width, 1}, row);
    free(row);
    return status;
}

int64_t gully_world_cells(const GullyWorld* world) {
    int64_t cells = 0;
    for (int i = 0; i < world->tiles_x * world->tiles_y; i++) {
        const Tile* tile = &world->tiles[i];
        for (int row = 0; row < tile->height; row++) {
            const float* ground = tile_row(world, tile, world->common[GROUND], row);
            for (int x = 0; x < tile->width; x++)
                cells += ground[x] <= GROUND_MAX;
        }
    }
    return cells;
}

static Exact total_of(const GullyWorld* world, int id, int low_id) {
    int slot = world->common[id], low = low_id < 0 ? -1 : world->common[low_id];
    return (slot < 0 ? 0 : world_total(world, slot)) + (low < 0 ? 0 : world_total(world, low));
}

double gully_world_volume(const GullyWorld* world, GullyField field) {
    Exact total = total_of(world, public_fields[field].id, public_fields[field].low);
    for (int m = 0; field == GULLY_LAYER_0 && m < world->material_count - 1; m++)
        total -= total_of(world, LAYER_1 + m, LAYER_LOW_1 + m);
    return exact_value(total) * world->cell_x * world->cell_y;
}

uint64_t gully_world_hash(const GullyWorld* world, GullyField field) {
    // Row by row in pieces of fixed length, so that tiles do not show in the hash.
    enum { PIECE = 1024 };
    float values[PIECE];
    uint64_t hash = 0;
    for (int y = 0; y < world->height; y++) {
        for (int x = 0; x < world->width; x += PIECE) {
            int count = world->width - x < PIECE ? world->width - x : PIECE;
            GullyStatus status =
                gully_world_read(world, field, (GullyRect){x, y, count, 1}, values);
            assert(!status);
            (void)status;
            hash = hash_bytes(values, (size_t)count * sizeof *values, hash);
        }
    }
    return hash;
}

// ---- materials ----------------------------------------------------------------------------------

#define ROW(...) GULLY_PARAM_ROW(GullyMaterial, __VA_ARGS__)
static const GullyParam material_rows[] = {GULLY_MATERIAL_PARAMS(ROW)};
#undef ROW
static const GullyParamTable material_table = {"materials", material_rows,
                                               (int)(sizeof material_rows / sizeof *material_rows),
                                               sizeof(GullyMaterial)};

const GullyParamTable* gully_material_table(void) {
    return &material_table;
}

GullyMaterial gully_material(const char* name, int index) {
    static const unsigned colors[GULLY_MAX_MATERIALS] = {0x7d776f, 0x8c6a4a, 0xd9c38a, 0xa0522d,
                                                         0x9a9a60, 0xb8a9a0, 0x5f6b73, 0xe8dcc0};
    GullyMaterial material;
    gully_params_default(&material_table, &material);
    snprintf(material.name, sizeof material.name, "%s", name);
    material.color = colors[index % GULLY_MAX_MATERIALS];
    return material;
}

static GullyStatus check_materials(const GullyWorld* world, const GullyMaterial* materials,
                                   int count) {
    if (count < 1 || count > GULLY_MAX_MATERIALS) {
        return gully_fail(GULLY_BAD_INPUT, "%d materials; allowed: 1 to %d", count,
                          GULLY_MAX_MATERIALS);
    }
    if (world->material_count && count != world->material_count) {
        return gully_fail(GULLY_BAD_INPUT, "%d materials; the world has %d, which cannot change",
                          count, world->material_count);
    }
    for (int i = 0; i < count; i++) {
        GullyStatus status = gully_params_check(&material_table, &materials[i]);
        if (status) return gully_fail_in(status, "material %s", materials[i].name);
    }
    return GULLY_OK;
}

GullyStatus gully_world_set_materials(GullyWorld* world, const GullyMaterial* materials,
                                      int count) {
    GullyStatus status = check_materials(world, materials, count);
    FieldSet layers = 0;
    for (int m = 0; m < count - 1; m++)
        layers |= FIELD_BIT(LAYER_1 + m) | FIELD_BIT(LAYER_LOW_1 + m);
    if (!status) status = world_add_common(world, layers);
    if (status) return status;
    world_will_change(world);
    memcpy(world->materials, materials, (size_t)count * sizeof *materials);
    world->material_count = count;
    world->edits++;
    return GULLY_OK;
}

int gully_world_material_count(const GullyWorld* world) {
    return world->material_count;
}

const GullyMaterial* gully_world_material(const GullyWorld* world, int index) {
    assert(index >= 0 && index < world->material_count);
    return &world->materials[index];
}

// ---- making a world -----------------------------------------------------------------------------

GullyWorldDef gully_world_def(int width, int height) {
    return (GullyWorldDef){
        .made = GULLY_DEF_MADE, .width = width, .height = height, .cell_x = 1, .cell_y = 1};
}

static GullyStatus check_def(const GullyWorldDef* def) {
    if (def->width < 1 || def->height < 1) {
        return gully_fail(GULLY_BAD_INPUT, "a world of %d x %d cells; allowed: at least 1 x 1",
                          def->width, def->height);
    }
    bool x_good = isfinite(def->cell_x) && def->cell_x > 0;
    bool y_good = isfinite(def->cell_y) && def->cell_y > 0;
    if (!x_good || !y_good) {
        return gully_fail(GULLY_BAD_INPUT, "a cell size of %g x %g m; allowed: both above 0",
                          def->cell_x, def->cell_y);
    }
    if (def->tile_size < 0) {
        return gully_fail(GULLY_BAD_INPUT, "a tile size of %d; allowed: 1 or more, 0 = chosen",
                          def->tile_size);
    }
    return GULLY_OK;
}

/// The widest tile that is chosen without being asked for. If a processor's own cache holds the
/// rows of a panel, with all that the steps of a sweep need of them, a panel stays within it. If
/// not, they come from the cache that processors share whatever the width, as long as the panels of
/// all of them fit; and a wide panel has fewer halos to compute and fewer rows to begin.
static int widest_tile(void) {
    enum { WIDE = 1024, WIDEST = 4096, BYTES_OF_COLUMN = 1250 };
#ifdef _SC_LEVEL3_CACHE_SIZE
    const long own = sysconf(_SC_LEVEL2_CACHE_SIZE), shared = sysconf(_SC_LEVEL3_CACHE_SIZE);
#else
    const long own = 0, shared = 0; // unknown
#endif
    int width = WIDE;
    if (own <= 0 || own >= WIDE * BYTES_OF_COLUMN) return width;
    while (width < WIDEST && 2L * width * BYTES_OF_COLUMN * pool_processors() <= shared / 4 * 3)
        width *= 2;
    return width;
}

/// Sets the size of tiles: as asked for, or one that gives about equally wide columns of tiles. A
/// tile is not high then: when a field is added it is moved into new memory, with the old one still
/// there.
static void choose_tiles(GullyWorld* world, int asked) {
    enum { HIGH = 256 };
    const int columns = (world->width - 1) / widest_tile() + 1;
    const int width = ((world->width - 1) / columns / VECTOR + 1) * VECTOR;
    world->tile_width = asked ? asked : width;
    world->tile_height = asked ? asked : HIGH;
}

GullyStatus gully_world_create(const GullyWorldDef* def, GullyWorld** out) {
    *out = NULL;
    GullyStatus status = gully_def_check(def->made, "gully_world_def");
    if (!status) status = check_def(def);
    if (status) return status;
    GullyWorld* world = calloc(1, sizeof *world);
    if (!world) return gully_fail(GULLY_NO_MEMORY, "no memory for a world");
    world->width = def->width;
    world->height = def->height;
    world->cell_x = def->cell_x;
    world->cell_y = def->cell_y;
    world->half = world->narrow = def->half;
    choose_tiles(world, def->tile_size);
    for (int id = 0; id < COMMON_FIELDS; id++)
        world->common[id] = -1;

    status = world_tiles_create(world);
    if (!status) {
        status =
            world_add_common(world, FIELD_BIT(GROUND) | FIELD_BIT(GROUND_LOW) | FIELD_BIT(WATER) |
                                        FIELD_BIT(WATER_LOW) | FIELD_BIT(SEDIMENT));
    }
    if (!status && def->heights)
        status = gully_world_write(world, GULLY_TERRAIN, gully_world_all(world), def->heights);
    if (status) {
        gully_world_destroy(world);
        return status;
    }
    world->edited_solid = 0;
    *out = world;
    return GULLY_OK;
}

void gully_world_destroy(GullyWorld* world) {
    if (!world) return;
    world_tiles_destroy(world);
    free(world);
}
