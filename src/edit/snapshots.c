#include "snapshots.h"

#include <stdlib.h>
#include <string.h>

/// Cells that are all the same, to the bit, are kept as one.
struct Patch {
    int references;
    int number; // bytes of one
    bool constant;
    size_t size;           // of the cells
    unsigned char cells[]; // row by row
};

enum { PATCH_BYTES = PATCH_SIDE * PATCH_SIDE * (int)sizeof(float) };

// ---- patches ------------------------------------------------------------------------------------

static Patch* create_patch(const void* cells, size_t size, int number, size_t* bytes) {
    const unsigned char* first = cells;
    bool constant = memcmp(first, first + number, size - (size_t)number) == 0;
    if (constant) size = (size_t)number;
    Patch* patch = malloc(sizeof *patch + size);
    if (!patch) return NULL;
    *patch = (Patch){.references = 1, .number = number, .constant = constant, .size = size};
    memcpy(patch->cells, cells, size);
    *bytes += sizeof *patch + size;
    return patch;
}

static void release_patch(Patch* patch, size_t* bytes) {
    if (!patch || --patch->references > 0) return;
    *bytes -= sizeof *patch + patch->size;
    free(patch);
}

static bool is_same(const Patch* patch, const unsigned char* cells, size_t size, int number) {
    if (!patch || patch->number != number) return false;
    if (!patch->constant) return memcmp(patch->cells, cells, size) == 0;
    return memcmp(patch->cells, cells, (size_t)number) == 0 &&
           memcmp(cells, cells + number, size - (size_t)number) == 0;
}

/// The cells of a patch's place.
static GullyRect patch_rect(const GullyWorld* world, int place) {
    int columns = patches_along(world->width);
    int x = place % columns * PATCH_SIDE, y = place / columns * PATCH_SIDE;
    int width = world->width - x < PATCH_SIDE ? world->width - x : PATCH_SIDE;
    int height = world->height - y < PATCH_SIDE ? world->height - y : PATCH_SIDE;
    return (GullyRect){x, y, width, height};
}

/// Reads the cells of a place; returns their size in bytes.
static size_t read_cells(const GullyWorld* world, GullyRect rect, int slot, unsigned char* out) {
    const size_t number = state_number(world, slot);
    unsigned char* to = out;
    for (int y = 0; y < rect.height; y++) {
        for (int x = 0; x < rect.width;) {
            StateSpan span = state_span(world, rect.x + x, rect.y + y, rect.width - x);
            state_read_span(world, &span, slot, to);
            to += (size_t)span.count * number;
            x += span.count;
        }
    }
    return (size_t)(to - out);
}

static void write_cells(GullyWorld* world, GullyRect rect, int slot, const Patch* patch) {
    const size_t number = (size_t)patch->number;
    unsigned char row[PATCH_SIDE * sizeof(float)];
    for (int i = 0; i < rect.width; i++)
        memcpy(row + (size_t)i * number, patch->cells, number);
    for (int y = 0; y < rect.height; y++) {
        const size_t before = (size_t)y * (size_t)rect.width * number;
        const unsigned char* from = patch->constant ? row : patch->cells + before;
        for (int x = 0; x < rect.width;) {
            StateSpan span = state_span(world, rect.x + x, rect.y + y, rect.width - x);
            state_write_span(world, &span, slot, from + (size_t)x * number, number);
            x += span.count;
        }
    }
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
    return sizeof *snapshot + patch_count(snapshot) * sizeof *snapshot->patches;
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
    sim_get_books(sim, &snapshot->books);
    memcpy(snapshot->materials, world->materials, sizeof world->materials);
    snapshot->material_count = world->material_count;
    snapshot->patches = calloc(patch_count(snapshot), sizeof *snapshot->patches);
    *bytes += own_bytes(snapshot);
    if (snapshot->patches && !gully_settings_copy(settings, &snapshot->settings)) return snapshot;
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
    free(snapshot->patches);
    free(snapshot);
}

/// A patch of what is there now: an older one if it is the same. NULL = no memory.
static Patch* take_patch(const GullyWorld* world, int place, int slot, Patch* older,
                         size_t* bytes) {
    unsigned char cells[PATCH_BYTES];
    const int number = (int)state_number(world, slot);
    const size_t size = read_cells(world, patch_rect(world, place), slot, cells);
    if (!is_same(older, cells, size, number)) return create_patch(cells, size, number, bytes);
    older->references++;
    return older;
}

GullyStatus snapshot_take(const GullySim* sim, const GullySettings* settings, const Snapshot* since,
                          const bool* changed, size_t* bytes, Snapshot** out) {
    const GullyWorld* world = gully_sim_world(sim);
    Snapshot* snapshot = *out = create_snapshot(sim, settings, bytes);
    bool good = snapshot;
    for (int i = 0; good && i < snapshot->fields.count; i++) {
        const StateField* field = &snapshot->fields.list[i];
        const int slot = state_slot(world, field->name);
        Patch** olds = patches_of(since, field->name);
        Patch** news = snapshot->patches + (size_t)i * (size_t)snapshot->places;
        for (int place = 0; good && place < snapshot->places; place++) {
            Patch* older = olds ? olds[place] : NULL;
            if (older && changed && !changed[place]) {
                older->references++;
                news[place] = older;
            } else {
                news[place] = take_patch(world, place, slot, older, bytes);
                good = news[place];
            }
        }
    }
    if (good) return GULLY_OK;
    snapshot_release(snapshot);
    *out = NULL;
    return gully_fail(GULLY_FAILED, "no memory to keep what undo goes back to");
}

void snapshot_write(const Snapshot* snapshot, const Snapshot* present, GullySim* sim) {
    GullyWorld* world = gully_sim_world(sim);
    for (int i = 0; i < snapshot->fields.count; i++) {
        const StateField* field = &snapshot->fields.list[i];
        const int slot = state_slot(world, field->name);
        Patch** olds = patches_of(present, field->name);
        Patch** news = patches_of(snapshot, field->name);
        for (int place = 0; place < snapshot->places; place++) {
            if (!olds || olds[place] != news[place])
                write_cells(world, patch_rect(world, place), slot, news[place]);
        }
    }
    state_fields_reset_others(&snapshot->fields, world);
    state_find_holes(world);
    sim_set_books(sim, &snapshot->books);
}
