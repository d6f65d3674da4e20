// SPDX-License-Identifier: MIT
#include "snapshots.h"

#include <stdlib.h>
#include <string.h>

#include "half.h"

/// Numbers of a patch. All the same, to the bit, are kept as one.
typedef struct Cells {
    int references;
    int number; // bytes of one
    bool constant;
    size_t size;           // of all that follow
    unsigned char bytes[]; // row by row
} Cells;

struct Patch {
    int references;
    Cells* cells; // NULL = pending
    Cells* older; // that they may be the same as, or NULL
};

enum { PATCH_BYTES = PATCH_SIDE * PATCH_SIDE * (int)sizeof(float) };

// ---- patches ------------------------------------------------------------------------------------

static Cells* hold_cells(Cells* cells) {
    if (cells) cells->references++;
    return cells;
}

static void release_cells(Cells* cells, size_t* bytes) {
    if (!cells || --cells->references > 0) return;
    *bytes -= sizeof *cells + cells->size;
    free(cells);
}

static Cells* create_cells(const unsigned char* first, size_t size, int number, size_t* bytes) {
    bool constant = memcmp(first, first + number, size - (size_t)number) == 0;
    if (constant) size = (size_t)number;
    Cells* cells = malloc(sizeof *cells + size);
    if (!cells) return NULL;
    *cells = (Cells){.references = 1, .number = number, .constant = constant, .size = size};
    memcpy(cells->bytes, first, size);
    *bytes += sizeof *cells + size;
    return cells;
}

static bool is_same(const Cells* cells, const unsigned char* first, size_t size, int number) {
    if (!cells || cells->number != number) return false;
    if (!cells->constant) return memcmp(cells->bytes, first, size) == 0;
    return memcmp(cells->bytes, first, (size_t)number) == 0 &&
           memcmp(first, first + number, size - (size_t)number) == 0;
}

static Patch* create_patch(const Patch* older, size_t* bytes) {
    Patch* patch = malloc(sizeof *patch);
    if (!patch) return NULL;
    *patch = (Patch){.references = 1, .older = hold_cells(older ? older->cells : NULL)};
    *bytes += sizeof *patch;
    return patch;
}

static Patch* hold_patch(Patch* patch) {
    patch->references++;
    return patch;
}

static void release_patch(Patch* patch, size_t* bytes) {
    if (!patch || --patch->references > 0) return;
    release_cells(patch->cells, bytes);
    release_cells(patch->older, bytes);
    *bytes -= sizeof *patch;
    free(patch);
}

/// The cells of a patch's place.
static GullyRect patch_rect(const GullyWorld* world, int place) {
    int columns = patches_along(world->width);
    int x = place % columns * PATCH_SIDE, y = place / columns * PATCH_SIDE;
    int width = world->width - x < PATCH_SIDE ? world->width - x : PATCH_SIDE;
    int height = world->height - y < PATCH_SIDE ? world->height - y : PATCH_SIDE;
    return (GullyRect){x, y, width, height};
}

/// Reads the cells of a place, as they are stored.
static GullyStatus read_cells(const GullyWorld* world, GullyRect rect, int slot,
                              unsigned char* out) {
    const size_t row = (size_t)rect.width * world_number(world, slot);
    GullyStatus status = GULLY_OK;
    for (int y = 0; y < rect.height && !status; y++)
        status = world_copy_out(world, slot, rect.x, rect.y + y, rect.width, out + (size_t)y * row);
    return status;
}

static GullyStatus write_cells(GullyWorld* world, GullyRect rect, int slot, const Cells* cells) {
    const size_t number = (size_t)cells->number;
    unsigned char row[PATCH_SIDE * sizeof(float)];
    for (int i = 0; i < rect.width; i++)
        memcpy(row + (size_t)i * number, cells->bytes, number);
    GullyStatus status = GULLY_OK;
    for (int y = 0; y < rect.height && !status; y++) {
        const size_t before = (size_t)y * (size_t)rect.width * number;
        const unsigned char* from = cells->constant ? row : cells->bytes + before;
        status = world_copy_in(world, slot, rect.x, rect.y + y, rect.width, from, number);
    }
    return status;
}

// ---- snapshots ----------------------------------------------------------------------------------

/// The patches of a field in a snapshot, or NULL.
static Patch** patches_of(const Snapshot* snapshot, const char* name) {
    for (int i = 0; snapshot && i < snapshot->fields.count; i++) {
        if (strcmp(snapshot->fields.list[i].name, name) == 0)
            return snapshot->patches + (size_t)i * (size_t)snapshot->places;
    }
    return NULL;
}

static size_t patch_count(const Snapshot* snapshot) {
    return (size_t)snapshot->fields.count * (size_t)snapshot->places;
}

/// Its own memory, without that of the patches.
static size_t own_bytes(const Snapshot* snapshot) {
    return sizeof *snapshot + patch_count(snapshot) * sizeof *snapshot->patches +
           snapshot->levels.size;
}

static Snapshot* create_snapshot(const GullySim* sim, const GullySettings* settings,
                                 size_t* bytes) {
    const GullyWorld* world = gully_sim_world(sim);
    Snapshot* snapshot = calloc(1, sizeof *snapshot);
    if (!snapshot) return NULL;
    snapshot->references = 1;
    snapshot->bytes = bytes;
    snapshot->places = patches_along(world->width) * patches_along(world->height);
    state_fields_of(world, &snapshot->fields);
    memcpy(snapshot->materials, world->materials, sizeof world->materials);
    snapshot->material_count = world->material_count;
    snapshot->patches = calloc(patch_count(snapshot), sizeof *snapshot->patches);
    const bool has_levels = !levels_keep(sim, &snapshot->levels);
    *bytes += own_bytes(snapshot);
    if (has_levels && snapshot->patches && !sim_get_books(sim, &snapshot->books) &&
        !gully_settings_copy(settings, &snapshot->settings))
        return snapshot;
    snapshot_release(snapshot);
    return NULL;
}

Snapshot* snapshot_hold(Snapshot* snapshot) {
    if (snapshot) snapshot->references++;
    return snapshot;
}

void snapshot_release(Snapshot* snapshot) {
    if (!snapshot || --snapshot->references > 0) return;
    for (size_t i = 0; snapshot->patches && i < patch_count(snapshot); i++)
        release_patch(snapshot->patches[i], snapshot->bytes);
    *snapshot->bytes -= own_bytes(snapshot);
    gully_settings_destroy(snapshot->settings);
    level_bytes_free(&snapshot->levels);
    free(snapshot->patches);
    free(snapshot);
}

GullyStatus snapshot_take(const GullySim* sim, const GullySettings* settings, const Snapshot* since,
                          const bool* changed, size_t* bytes, Snapshot** out) {
    Snapshot* snapshot = *out = create_snapshot(sim, settings, bytes);
    bool good = snapshot;
    for (int i = 0; good && i < snapshot->fields.count; i++) {
        Patch** olds = patches_of(since, snapshot->fields.list[i].name);
        Patch** news = snapshot->patches + (size_t)i * (size_t)snapshot->places;
        for (int place = 0; good && place < snapshot->places; place++) {
            Patch* older = olds ? olds[place] : NULL;
            bool shared = older && changed && !changed[place];
            news[place] = shared ? hold_patch(older) : create_patch(older, bytes);
            good = news[place];
        }
    }
    if (good) return GULLY_OK;
    snapshot_release(snapshot);
    *out = NULL;
    return gully_fail(GULLY_NO_MEMORY, "no memory to keep what undo goes back to");
}

/// Keeps the cells of a patch: older ones if they are the same.
static bool keep_patch(Patch* patch, const GullyWorld* world, int place, int slot, size_t* bytes) {
    if (patch->cells) return true;
    unsigned char cells[PATCH_BYTES];
    const GullyRect rect = patch_rect(world, place);
    const size_t number = world_number(world, slot);
    const size_t size = (size_t)rect.width * (size_t)rect.height * number;
    if (read_cells(world, rect, slot, cells)) return false;
    patch->cells = is_same(patch->older, cells, size, (int)number)
                       ? hold_cells(patch->older)
                       : create_cells(cells, size, (int)number, bytes);
    if (!patch->cells) return false;
    release_cells(patch->older, bytes);
    patch->older = NULL;
    return true;
}

bool snapshot_keep(Snapshot* snapshot, const GullyWorld* world, int place) {
    bool good = true;
    for (int i = 0; good && i < snapshot->fields.count; i++) {
        Patch* patch = snapshot->patches[(size_t)i * (size_t)snapshot->places + (size_t)place];
        const int slot = state_slot(world, snapshot->fields.list[i].name);
        good = keep_patch(patch, world, place, slot, snapshot->bytes);
    }
    return good;
}

bool snapshot_is_kept(const Snapshot* snapshot, int place) {
    bool kept = true;
    for (int i = 0; kept && i < snapshot->fields.count; i++)
        kept = snapshot->patches[(size_t)i * (size_t)snapshot->places + (size_t)place]->cells;
    return kept;
}

/// Turns numbers as they are stored into floats.
static void widen(const unsigned char* numbers, int number, int count, float* out) {
    if (number == (int)sizeof(float)) {
        memcpy(out, numbers, (size_t)count * sizeof *out);
        return;
    }
    for (int i = 0; i < count; i++) {
        Half half;
        memcpy(&half, numbers + (size_t)i * sizeof half, sizeof half);
        out[i] = half_unpack(half);
    }
}

/// Cells of a row of one patch, which begins at `rect`; pending ones are the world's.
static GullyStatus read_patch(const Patch* patch, const GullyWorld* world, GullyRect rect, int slot,
                              int x, int y, int count, float* out) {
    unsigned char row[PATCH_SIDE * sizeof(float)];
    const Cells* cells = patch->cells;
    int number = cells ? cells->number : (int)world_number(world, slot);
    if (!cells) {
        GullyStatus status = world_copy_out(world, slot, x, y, count, row);
        if (status) return status;
    } else if (cells->constant) {
        for (int i = 0; i < count; i++)
            memcpy(row + i * number, cells->bytes, (size_t)number);
    } else {
        const int first = (y - rect.y) * rect.width + x - rect.x;
        memcpy(row, cells->bytes + (size_t)first * (size_t)number, (size_t)(count * number));
    }
    widen(row, number, count, out);
    return GULLY_OK;
}

GullyStatus snapshot_read(const Snapshot* snapshot, const GullyWorld* world, int slot, int x, int y,
                          int count, float* out, bool* has) {
    Patch** patches = NULL;
    for (int i = 0; slot >= 0 && i < snapshot->fields.count && !patches; i++)
        if (state_slot(world, snapshot->fields.list[i].name) == slot)
            patches = snapshot->patches + (size_t)i * (size_t)snapshot->places;
    *has = patches != NULL;
    const int columns = patches_along(world->width), end = x + count;
    GullyStatus status = GULLY_OK;
    while (patches && x < end && !status) {
        const int place = y / PATCH_SIDE * columns + x / PATCH_SIDE;
        const GullyRect rect = patch_rect(world, place);
        const int right = rect.x + rect.width < end ? rect.x + rect.width : end;
        status = read_patch(patches[place], world, rect, slot, x, y, right - x, out);
        out += right - x;
        x = right;
    }
    return status;
}

/// Keeps what is there wherever a snapshot is known to be different or the field will be reset.
static bool keep_present(Snapshot* present, const Snapshot* snapshot, const GullyWorld* world) {
    bool good = true;
    for (int i = 0; good && i < present->fields.count; i++) {
        const char* name = present->fields.list[i].name;
        const int slot = state_slot(world, name);
        Patch** news = patches_of(snapshot, name);
        Patch** olds = present->patches + (size_t)i * (size_t)present->places;
        for (int place = 0; good && place < present->places; place++) {
            if (!news || news[place] != olds[place])
                good = keep_patch(olds[place], world, place, slot, present->bytes);
        }
    }
    return good;
}

GullyStatus snapshot_write(const Snapshot* snapshot, Snapshot* present, GullySim* sim) {
    GullyWorld* world = gully_sim_world(sim);
    if (present && !keep_present(present, snapshot, world))
        return gully_fail(GULLY_NO_MEMORY, "no memory to keep what redo goes back to");
    GullyStatus status = GULLY_OK;
    for (int i = 0; i < snapshot->fields.count; i++) {
        const char* name = snapshot->fields.list[i].name;
        const int slot = state_slot(world, name);
        Patch** olds = patches_of(present, name);
        Patch** news = patches_of(snapshot, name);
        for (int place = 0; place < snapshot->places && !status; place++) {
            const Cells* cells = news[place]->cells; // pending: the world has them
            if (!cells || (olds && olds[place]->cells == cells)) continue;
            const GullyRect rect = patch_rect(world, place);
            status = write_cells(world, rect, slot, cells);
            if (!status && slot == world->common[GROUND]) status = world_find_holes(world, rect);
        }
    }
    if (!status) status = state_fields_reset_others(&snapshot->fields, world);
    if (!status) status = sim_set_books(sim, &snapshot->books);
    if (!status) status = levels_restore(sim, &snapshot->levels);
    return status;
}
