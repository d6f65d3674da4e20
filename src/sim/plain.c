// SPDX-License-Identifier: MIT
/// The plain stepper: a pass goes over all rows of the world before the next begins. It is the
/// reference that the sweep is compared with, and runs steps that reach too far for a sweep. Nothing
/// is skipped, and every row counts as one that may see a boundary.
///
/// The unit of work is a band of rows of a tile, which follows from the grid alone.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "border.h"
#include "flush.h"
#include "lease.h"

/// Rows of a tile that one item covers.
enum { BAND_ROWS = 32 };

typedef struct TileBand {
    int tile;
    int first, end;           // rows of the tile
    Exact accounts[ACCOUNTS]; // what passes have counted here
} TileBand;

typedef struct Plain {
    Stepper stepper;
    GullyWorld* world;
    Pool* pool;
    Borders* borders;
    TileBand* bands;
    int band_count;
    float* scratch; // SCRATCH_ROWS rows for each thread
    size_t scratch_pitch;
    StepEntry* entries;
    int entry_count;
} Plain;

/// What all items of one pass share.
typedef struct PassRun {
    Plain* plain;
    const StepEntry* entry;
    const void* consts;
} PassRun;

static FieldSet reads_beside(const Pass* pass) {
    return pass_reads_before(pass) | pass_reads_after(pass);
}

static void fill_borders(void* context, int index, int worker) {
    (void)worker;
    const PassRun* run = context;
    GullyWorld* world = run->plain->world;
    const TileBand* band = &run->plain->bands[index];
    for (FieldSet left = reads_beside(run->entry->pass); left; left &= left - 1) {
        const int slot = run->entry->slots[__builtin_ctzll(left)];
        if (slot >= 0) border_fill_strips(world, band->tile, slot, band->first, band->end, 1);
    }
}

/// Points a row's field at row `y` of the band's tile.
static void bind_field(const PassRun* run, const TileBand* band, int id, int y, PassRow* row) {
    const GullyWorld* world = run->plain->world;
    const Borders* borders = run->plain->borders;
    const Pass* pass = run->entry->pass;
    const int slot = run->entry->slots[id];
    if (slot < 0) {
        const float* value = world_value_row(world, id);
        row->in[id][NORTH_ROW] = row->in[id][HERE] = row->in[id][SOUTH_ROW] = value;
        row->out[id] = NULL;
        return;
    }
    float* here = tile_row(world, &world->tiles[band->tile], slot, y);
    row->in[id][HERE] = here;
    row->out[id] = pass->writes & FIELD_BIT(id) ? here : NULL;
    if (pass_reads_before(pass) & FIELD_BIT(id))
        row->in[id][NORTH_ROW] = border_field_row(borders, band->tile, slot, y - 1);
    if (pass_reads_after(pass) & FIELD_BIT(id))
        row->in[id][SOUTH_ROW] = border_field_row(borders, band->tile, slot, y + 1);
}

static void bind_row(const PassRun* run, const TileBand* band, int y, PassRow* row) {
    const GullyWorld* world = run->plain->world;
    const Pass* pass = run->entry->pass;
    for (FieldSet left = pass_reads(pass) | pass->writes; left; left &= left - 1)
        bind_field(run, band, __builtin_ctzll(left), y, row);
    row->y = world->tiles[band->tile].y + y;
    row->side[NORTH] = row->y == 0;
    row->side[SOUTH] = row->y == world->height - 1;
    for (int side = 0; side < SIDES; side++)
        row->open[side] = row->side[side] && world->open[side];
}

static void run_band(void* context, int index, int worker) {
    const PassRun* run = context;
    Plain* plain = run->plain;
    TileBand* band = &plain->bands[index];
    const GullyWorld* world = plain->world;
    const Tile* tile = &world->tiles[band->tile];
    Exact ignored[ACCOUNTS] = {0}; // of cells that are another level's
    PassRow row = {
        .to = tile->width,
        .end = tile->width,
        .x = tile->x,
        .has_boundary = true,
        .side = {[WEST] = tile->x == 0, [EAST] = tile->x + tile->width == world->width},
        .accounts = tile->is_ghost ? ignored : band->accounts,
        .consts = run->consts,
    };
    for (int i = 0; i < SCRATCH_ROWS; i++)
        row.scratch[i] =
            plain->scratch + (size_t)(worker * SCRATCH_ROWS + i) * plain->scratch_pitch;
    for (int y = band->first; y < band->end; y++) {
        bind_row(run, band, y, &row);
        run_row(run->entry, &row);
    }
}

static GullyStatus run(Stepper* stepper, int steps, StepConsts consts) {
    Plain* plain = (Plain*)stepper;
    GullyStatus status = world_pin_all(plain->world);
    if (status) return status;
    for (int i = 0; i < plain->world->tiles_x * plain->world->tiles_y; i++)
        borders_mark_tile(plain->world, i);
    for (int k = 0; k < steps * plain->entry_count; k++) {
        if (!consts[k]) continue;
        PassRun pass = {plain, &plain->entries[k % plain->entry_count], consts[k]};
        if (reads_beside(pass.entry->pass) && plain->world->tiles_x > 1)
            pool_run(plain->pool, plain->band_count, fill_borders, &pass);
        pool_run(plain->pool, plain->band_count, run_band, &pass);
    }
    world_unpin_all(plain->world);
    return GULLY_OK;
}

static GullyStatus accounts(Stepper* stepper, Exact sums[ACCOUNTS]) {
    Plain* plain = (Plain*)stepper;
    for (int i = 0; i < plain->band_count; i++) {
        for (int account = 0; account < ACCOUNTS; account++)
            sums[account] += plain->bands[i].accounts[account];
        memset(plain->bands[i].accounts, 0, sizeof plain->bands[i].accounts);
    }
    return GULLY_OK;
}

// ---- making one ---------------------------------------------------------------------------------

static bool fits(const StepEntry* entries, int count) {
    (void)entries;
    return count > 0;
}

static GullyStatus plan_step(Stepper* stepper, const StepEntry* entries, int count) {
    Plain* plain = (Plain*)stepper;
    for (int i = 0; i < count; i++) // else the order of cells would show
        assert(!(reads_beside(entries[i].pass) & entries[i].pass->writes));
    plain->entries = malloc((size_t)count * sizeof *plain->entries);
    if (!plain->entries) return gully_fail(GULLY_NO_MEMORY, "no memory for %d passes", count);
    memcpy(plain->entries, entries, (size_t)count * sizeof *entries);
    plain->entry_count = count;
    stepper->run_steps = 1;
    return GULLY_OK;
}

static GullyStatus bind(Stepper* stepper) {
    return borders_bind(((Plain*)stepper)->borders);
}

static GullyStatus create_bands(Plain* plain) {
    const GullyWorld* world = plain->world;
    size_t capacity = 0;
    for (int i = 0; i < world->tiles_x * world->tiles_y; i++)
        capacity += (size_t)(world->tiles[i].height + BAND_ROWS - 1) / BAND_ROWS;
    plain->bands = calloc(capacity, sizeof *plain->bands);
    if (!plain->bands) return gully_fail(GULLY_NO_MEMORY, "no memory for %zu bands", capacity);
    for (int i = 0; i < world->tiles_x * world->tiles_y; i++) {
        const int height = world->tiles[i].height;
        for (int first = 0; first < height; first += BAND_ROWS) {
            const int end = first + BAND_ROWS < height ? first + BAND_ROWS : height;
            plain->bands[plain->band_count++] = (TileBand){.tile = i, .first = first, .end = end};
        }
    }
    return GULLY_OK;
}

static GullyStatus create_scratch(Plain* plain) {
    const size_t width = (size_t)plain->world->tiles[0].width; // the first tile is the widest
    plain->scratch_pitch = (width + VECTOR - 1) / VECTOR * VECTOR + VECTOR;
    const size_t rows = (size_t)pool_threads(plain->pool) * SCRATCH_ROWS;
    plain->scratch = aligned_alloc(64, rows * plain->scratch_pitch * sizeof *plain->scratch);
    return plain->scratch ? GULLY_OK : gully_fail(GULLY_NO_MEMORY, "no memory for %zu rows", rows);
}

static void close_plain(Stepper* stepper) {
    Plain* plain = (Plain*)stepper;
    borders_destroy(plain->borders);
    free(plain->bands);
    free(plain->scratch);
    free(plain->entries);
    free(plain);
}

static GullyStatus open_plain(const StepperPlace* place, Stepper** out) {
    *out = NULL;
    Plain* plain = calloc(1, sizeof *plain);
    if (!plain) return gully_fail(GULLY_NO_MEMORY, "no memory for a stepper");
    plain->stepper.kind = &plain_stepper;
    plain->world = place->world;
    plain->pool = place->pool;
    GullyStatus status = borders_create(place->world, &plain->borders);
    if (!status) status = create_bands(plain);
    if (!status) status = create_scratch(plain);
    if (status) {
        close_plain(&plain->stepper);
        return status;
    }
    *out = &plain->stepper;
    return GULLY_OK;
}

const StepperKind plain_stepper = {
    .name = "plain",
    .fits = fits,
    .open = open_plain,
    .plan = plan_step,
    .bind = bind,
    .run = run,
    .accounts = accounts,
    .close = close_plain,
};
