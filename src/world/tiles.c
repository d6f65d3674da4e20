// SPDX-License-Identifier: MIT
#include "lease.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bits.h"
#include "store.h"

enum { ALIGNMENT = 64 };

/// Rows of a tile that move into new memory before their old memory is given back.
enum { MOVED_ROWS = 32 };

/// Rows of an odd number of cache lines: those that a pass reads together then lie in different
/// parts of the cache. Halves take half a row, and what comes next begins with a line, too.
static size_t row_pitch(int width, bool half) {
    const size_t line = ALIGNMENT / sizeof(float);
    size_t lines = ((size_t)(STRIP + width + STRIP) + line - 1) / line;
    return (half ? (lines + 1) / 2 * 2 : lines | 1) * line;
}

static float* allocate_floats(size_t count) {
    size_t bytes = (count * sizeof(float) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return aligned_alloc(ALIGNMENT, bytes);
}

/// Whether the memory of a tile comes from the system and goes back to it at once: a world grows by
/// moving into new tiles one by one, and the old ones must not stay with the allocator. Small ones
/// would use up the system's list of mappings.
static bool is_mapped(size_t count) {
    return count * sizeof(float) >= (size_t)1 << 18;
}

/// Zeros.
static float* allocate_cells(size_t count) {
    if (!is_mapped(count)) {
        float* small = allocate_floats(count);
        if (small) memset(small, 0, count * sizeof *small);
        return small;
    }
    void* cells = mmap(NULL, count * sizeof(float), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return cells == MAP_FAILED ? NULL : cells;
}

static void free_cells(float* cells, size_t count) {
    if (!cells || !is_mapped(count))
        free(cells);
    else
        munmap(cells, count * sizeof(float));
}

static size_t tile_floats(const Tile* tile, int row_size) {
    return (size_t)tile->height * (size_t)row_size * (tile->pitch / 2) + 2 * MARGIN;
}

static void fill(float* from, size_t count, float value) {
    for (size_t i = 0; i < count; i++)
        from[i] = value;
}

static int widest_tile(const GullyWorld* world) {
    return world->width < world->tile_width ? world->width : world->tile_width;
}

static float* create_value_row(int width, float value) {
    size_t floats = row_pitch(width, false) + 2 * MARGIN;
    float* row = allocate_floats(floats);
    if (row) fill(row, floats, value);
    return row;
}

// ---- cells one by one ---------------------------------------------------------------------------

/// Whether numbers are 0 or -0.
static bool are_zero(const float* numbers, int count) {
    uint32_t any = 0;
    for (int i = 0; i < count; i++)
        any |= bits_of(numbers[i]);
    return any << 1 == 0;
}

static bool are_zero_halves(const Half* halves, int count) {
    uint32_t any = 0;
    for (int i = 0; i < count; i++)
        any |= halves[i];
    return any == 0;
}

bool tile_is_zero(const GullyWorld* world, const Tile* tile, int slot, GullyRect cells) {
    const int end = cells.y + cells.height, count = cells.width;
    if (is_packed(world, slot)) {
        for (int y = cells.y; y < end; y++)
            if (!are_zero_halves(tile_half_row(world, tile, slot, y) + cells.x, count))
                return false;
    } else {
        for (int y = cells.y; y < end; y++)
            if (!are_zero(tile_row(world, tile, slot, y) + cells.x, count)) return false;
    }
    return true;
}

void tile_set(GullyWorld* world, const Tile* tile, int slot, int row, int x, float value) {
    float kept = world->fields[slot].half ? half_round(value) : value;
    if (is_packed(world, slot))
        tile_half_row(world, tile, slot, row)[x] = half_pack(kept);
    else
        tile_row(world, tile, slot, row)[x] = kept;
}

// ---- cells of a row -----------------------------------------------------------------------------

float tile_kept(float value) {
    return half_round(value);
}

float* tile_in_place(GullyWorld* world, const Tile* tile, int slot, int row, int x) {
    return is_packed(world, slot) ? NULL : tile_row(world, tile, slot, row) + x;
}

void tile_load(const GullyWorld* world, const Tile* tile, int slot, int row, int x, int count,
               float* out) {
    if (is_packed(world, slot)) {
        const Half* halves = tile_half_row(world, tile, slot, row) + x;
        for (int i = 0; i < count; i++)
            out[i] = half_unpack(halves[i]);
    } else {
        memcpy(out, tile_row(world, tile, slot, row) + x, (size_t)count * sizeof *out);
    }
}

void tile_store(GullyWorld* world, const Tile* tile, int slot, int row, int x, int count,
                const float* in) {
    if (is_packed(world, slot)) {
        Half* halves = tile_half_row(world, tile, slot, row) + x;
        for (int i = 0; i < count; i++)
            halves[i] = half_pack(half_round(in[i]));
        return;
    }
    float* cells = tile_row(world, tile, slot, row) + x;
    if (world->fields[slot].half) {
        for (int i = 0; i < count; i++)
            cells[i] = half_round(in[i]);
    } else if (cells != in) {
        memcpy(cells, in, (size_t)count * sizeof *cells);
    }
}

size_t world_number(const GullyWorld* world, int slot) {
    return tile_number_bytes(world, slot);
}

void tile_copy_out(const GullyWorld* world, const Tile* tile, int slot, int row, int x, int count,
                   void* out) {
    const size_t number = world_number(world, slot);
    const char* cells = (const char*)(tile_row_start(world, tile, slot, row));
    memcpy(out, cells + (size_t)(STRIP + x) * number, (size_t)count * number);
}

void tile_copy_in(GullyWorld* world, const Tile* tile, int slot, int row, int x, int count,
                  const void* in, size_t number) {
    if (number == world_number(world, slot)) {
        char* cells = (char*)tile_row_start(world, tile, slot, row);
        memcpy(cells + (size_t)(STRIP + x) * number, in, (size_t)count * number);
        return;
    }
    for (int i = 0; i < count; i++) {
        Half half;
        float value;
        memcpy(&half, (const char*)in + (size_t)i * number, sizeof half);
        memcpy(&value, (const char*)in + (size_t)i * number, number);
        if (number == sizeof(Half)) value = half_unpack(half);
        tile_set(world, tile, slot, row, x + i, value);
    }
}

// ---- fields -------------------------------------------------------------------------------------

/// How the fields of a row lie: the part of a world that changes when one is added or packed.
typedef struct Layout {
    int count, row_size;
    int start[MAX_FIELDS];
    bool packed;
} Layout;

static Layout layout_of(const GullyWorld* world, int count, bool packed) {
    Layout layout = {.count = count, .packed = packed};
    for (int slot = 0; slot < count; slot++) {
        layout.start[slot] = layout.row_size;
        layout.row_size += packed && world->fields[slot].half ? 1 : 2;
    }
    return layout;
}

static void use_layout(GullyWorld* world, const Layout* layout) {
    world->field_count = layout->count;
    world->row_size = layout->row_size;
    world->packed = layout->packed;
    world->layout++;
    memcpy(world->start, layout->start, sizeof world->start);
}

/// Whether all numbers of a row are 0, by their bits.
static bool is_blank(const float* row, size_t pitch) {
    uint32_t any = 0;
    for (size_t i = 0; i < pitch; i++)
        any |= bits_of(row[i]);
    return any == 0;
}

/// A row of a field becomes one in other memory, as wide as that is. Without an old one it gets its
/// value.
static void move_row(const FieldInfo* field, const float* from, bool from_packed, float* to,
                     bool to_packed, size_t pitch) {
    for (size_t i = 0; i < pitch; i++) {
        float value = !from         ? field->value
                      : from_packed ? half_unpack(((const Half*)from)[i])
                                    : from[i];
        if (to_packed)
            ((Half*)to)[i] = half_pack(half_round(value));
        else
            to[i] = value;
    }
}

/// Gives the memory of rows first .. end-1 of a tile back to the system. The tile itself is freed
/// when all rows have moved: until then both its old and its new memory would count.
static void discard_rows(const GullyWorld* world, const Tile* tile, int first, int end) {
    if (!tile->cells || !is_mapped(tile_floats(tile, world->row_size))) return;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const size_t row = (size_t)world->row_size * (tile->pitch / 2);
    uintptr_t from = (uintptr_t)(tile->cells + MARGIN + (size_t)first * row);
    uintptr_t to = (uintptr_t)(tile->cells + MARGIN + (size_t)end * row);
    from = (from + page - 1) / page * page;
    to = to / page * page;
    if (from < to) madvise((void*)from, to - from, MADV_DONTNEED);
}

/// Moves a tile's rows into new memory, all zeros, with another layout. The old rows are gone then.
/// Rows of zeros stay untouched: the system then has no page for them.
static void move_rows(const GullyWorld* world, const Tile* tile, float* to, const Layout* layout) {
    const size_t half_pitch = tile->pitch / 2;
    for (int row = 0; row < tile->height; row++) {
        float* new_row = to + MARGIN + (size_t)row * (size_t)layout->row_size * half_pitch;
        for (int slot = 0; slot < layout->count; slot++) {
            const FieldInfo* field = &world->fields[slot];
            bool is_old = slot < world->field_count, from_packed = world->packed && field->half;
            const float* from = is_old ? tile_row_start(world, tile, slot, row) : NULL;
            float* place = new_row + (size_t)layout->start[slot] * half_pitch;
            const size_t from_floats = from_packed ? half_pitch : tile->pitch;
            if (from ? is_blank(from, from_floats) : bits_of(field->value) == 0) continue;
            if (from && !from_packed && !(layout->packed && field->half))
                memcpy(place, from, tile->pitch * sizeof *place);
            else
                move_row(field, from, from_packed, place, layout->packed && field->half,
                         tile->pitch);
        }
        if ((row + 1) % MOVED_ROWS == 0) discard_rows(world, tile, row + 1 - MOVED_ROWS, row + 1);
    }
}

/// New memory for the tiles that are in memory; NULL if there is not enough.
static float** allocate_tiles(const GullyWorld* world, int row_size) {
    const int tiles = world->tiles_x * world->tiles_y;
    float** cells = calloc((size_t)tiles, sizeof *cells);
    for (int i = 0; cells && i < tiles; i++) {
        if (!world->tiles[i].cells) continue;
        cells[i] = allocate_cells(tile_floats(&world->tiles[i], row_size));
        if (cells[i]) continue;
        while (i-- > 0)
            free_cells(cells[i], tile_floats(&world->tiles[i], row_size));
        free(cells);
        cells = NULL;
    }
    return cells;
}

/// Gives all tiles another layout.
static GullyStatus lay_out(GullyWorld* world, const Layout* layout) {
    assert(world_is_free(world));
    GullyStatus status = world_come_home(world);
    if (!status) status = store_make_way(world, layout->row_size);
    if (status) return status;
    float** grown = allocate_tiles(world, layout->row_size);
    if (!grown) {
        return gully_fail(GULLY_NO_MEMORY, "no memory for %d fields of %d x %d cells",
                          layout->count, world->width, world->height);
    }
    for (int i = 0; i < world->tiles_x * world->tiles_y; i++) {
        if (!grown[i]) continue;
        move_rows(world, &world->tiles[i], grown[i], layout);
        tile_free(world, &world->tiles[i]);
        world->tiles[i].cells = grown[i];
        world->tiles[i].is_marked = false;
    }
    free(grown);
    const int first_new = world->field_count;
    use_layout(world, layout);
    store_count_again(world, first_new);
    return GULLY_OK;
}

static int find_field(const GullyWorld* world, int count, const char* name) {
    for (int slot = 0; slot < count; slot++) {
        if (strcmp(world->fields[slot].name, name) == 0) return slot;
    }
    return -1;
}

/// Finds the slots of some fields; those that the world lacks get the next free ones.
static int assign_slots(GullyWorld* world, int taken, const FieldInfo* fields, int count,
                        int* slots) {
    for (int i = 0; i < count; i++) {
        slots[i] = find_field(world, taken, fields[i].name);
        if (slots[i] >= 0) continue;
        assert(taken < MAX_FIELDS);
        slots[i] = taken;
        world->fields[taken++] = fields[i];
    }
    return taken;
}

static const FieldInfo common_fields[COMMON_FIELDS] = {
#define FIELD(id, text, number)                                                                    \
    [id] = {.name = text, .value = number, .outside = id == GROUND ? GROUND_OUTSIDE : (number)},
    COMMON_FIELD_TABLE(FIELD)
#undef FIELD
};

GullyStatus world_lay_out(GullyWorld* world, const FieldRequest* request) {
    int ids[COMMON_FIELDS], common_slots[COMMON_FIELDS], count = 0;
    FieldInfo common[COMMON_FIELDS];
    for (int id = 0; id < COMMON_FIELDS; id++) {
        if (!(request->common & FIELD_BIT(id))) continue;
        ids[count] = id;
        common[count] = common_fields[id];
        common[count++].half = world->half && (HALF_FIELDS & FIELD_BIT(id));
    }
    int taken = assign_slots(world, world->field_count, common, count, common_slots);
    taken = assign_slots(world, taken, request->own, request->own_count, request->slots);
    const Layout layout = layout_of(world, taken, request->packed);
    if (taken != world->field_count || request->packed != world->packed) {
        GullyStatus status = lay_out(world, &layout);
        if (status) return status;
    }
    for (int i = 0; i < count; i++)
        world->common[ids[i]] = common_slots[i];
    return GULLY_OK;
}

GullyStatus world_add_fields(GullyWorld* world, const FieldInfo* fields, int count, int* slots) {
    return world_lay_out(
        world, &(FieldRequest){
                   .own = fields, .own_count = count, .slots = slots, .packed = world->packed});
}

GullyStatus world_add_common(GullyWorld* world, FieldSet set) {
    return world_lay_out(world, &(FieldRequest){.common = set, .packed = world->packed});
}

FieldSet world_common_fields(const GullyWorld* world) {
    FieldSet set = 0;
    for (int id = 0; id < COMMON_FIELDS; id++)
        set |= world->common[id] >= 0 ? FIELD_BIT(id) : 0;
    return set;
}

float world_default(int id) {
    return common_fields[id].value;
}

const float* world_value_row(const GullyWorld* world, int id) {
    const bool one = id < COMMON_FIELDS && common_fields[id].value == 1; // a law's own: 0
    return (one ? world->one_row : world->zero_row) + MARGIN + STRIP;
}

size_t world_bytes(const GullyWorld* world) {
    size_t floats = 0;
    for (int i = 0; i < world->tiles_x * world->tiles_y; i++)
        if (world->tiles[i].cells) floats += tile_floats(&world->tiles[i], world->row_size);
    return floats * sizeof(float);
}

GullyStatus tile_allocate(const GullyWorld* world, Tile* tile) {
    tile->cells = allocate_cells(tile_floats(tile, world->row_size));
    tile->is_marked = false;
    if (tile->cells) return GULLY_OK;
    return gully_fail(GULLY_NO_MEMORY, "no memory for a tile of %d x %d cells", tile->width,
                      tile->height);
}

void tile_free(const GullyWorld* world, Tile* tile) {
    free_cells(tile->cells, tile_floats(tile, world->row_size));
    tile->cells = NULL;
}

GullyStatus world_tiles_create(GullyWorld* world, size_t memory, const char* scratch) {
    const int width = world->tile_width, height = world->tile_height;
    world->tiles_x = (world->width - 1) / width + 1;
    world->tiles_y = (world->height - 1) / height + 1;
    int widest = widest_tile(world);
    world->tiles = calloc((size_t)world->tiles_x * (size_t)world->tiles_y, sizeof *world->tiles);
    world->zero_row = create_value_row(widest, 0);
    world->one_row = create_value_row(widest, 1);
    if (!world->tiles || !world->zero_row || !world->one_row) {
        return gully_fail(GULLY_NO_MEMORY, "no memory for a world of %d x %d cells", world->width,
                          world->height);
    }
    for (int ty = 0; ty < world->tiles_y; ty++) {
        for (int tx = 0; tx < world->tiles_x; tx++) {
            Tile* tile = &world->tiles[ty * world->tiles_x + tx];
            tile->x = tx * width;
            tile->y = ty * height;
            tile->width = world->width - tile->x < width ? world->width - tile->x : width;
            tile->height = world->height - tile->y < height ? world->height - tile->y : height;
            tile->pitch = row_pitch(tile->width, world->half);
            tile->holes = calloc((size_t)tile->height, sizeof *tile->holes);
            if (!tile->holes)
                return gully_fail(GULLY_NO_MEMORY, "no memory for %d tiles",
                                  world->tiles_x * world->tiles_y);
        }
    }
    return store_create(world, memory, scratch);
}

void world_tiles_destroy(GullyWorld* world) {
    assert(!world->tiles || world_is_free(world));
    for (int i = 0; world->tiles && i < world->tiles_x * world->tiles_y; i++) {
        tile_free(world, &world->tiles[i]);
        free(world->tiles[i].holes);
    }
    store_destroy(world);
    free(world->tiles);
    free(world->zero_row);
    free(world->one_row);
}
