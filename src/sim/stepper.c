#include "stepper.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/// Rows of a tile that one item covers.
enum { BAND = 32 };

typedef struct Item {
    int tile;
    int first, end;           // rows of the tile
    Exact accounts[ACCOUNTS]; // what passes counted here
} Item;

struct Stepper {
    GullyWorld* world;
    Pool* pool;
    Item* items;
    int item_count;
    float* spare; // SCRATCH_ROWS rows for each thread
    size_t spare_pitch;
};

/// What all items of one pass share.
typedef struct PassRun {
    Stepper* stepper;
    const Pass* pass;
    const int* slots;
    const void* consts;
} PassRun;

static void fill_halos(void* context, int index, int worker) {
    (void)worker;
    const PassRun* run = context;
    GullyWorld* world = run->stepper->world;
    const Item* item = &run->stepper->items[index];
    const FieldSet beside = pass_reads_before(run->pass) | pass_reads_after(run->pass);
    for (int id = 0; id < FIELD_IDS; id++) {
        if (!(beside & FIELD_BIT(id)) || run->slots[id] < 0) continue;
        world_fill_halo(world, item->tile, run->slots[id], item->first, item->end, 1);
    }
}

/// Points a row's fields at row `y` of the item's tile.
static void bind_row(const PassRun* run, const Item* item, int y, PassRow* row) {
    const GullyWorld* world = run->stepper->world;
    const Tile* tile = &world->tiles[item->tile];
    const FieldSet before = pass_reads_before(run->pass), after = pass_reads_after(run->pass);
    const FieldSet writes = run->pass->writes, any = pass_reads(run->pass) | writes;
    for (int id = 0; id < FIELD_IDS; id++) {
        if (!(any & FIELD_BIT(id))) continue;
        int slot = run->slots[id];
        if (slot < 0) {
            const float* value = world_value_row(world, id);
            row->in[id][NORTH_ROW] = row->in[id][HERE] = row->in[id][SOUTH_ROW] = value;
            row->out[id] = NULL;
            continue;
        }
        float* here = tile_row(world, tile, slot, y);
        row->in[id][HERE] = here;
        row->out[id] = writes & FIELD_BIT(id) ? here : NULL;
        if (before & FIELD_BIT(id))
            row->in[id][NORTH_ROW] = world_row(world, item->tile, slot, y - 1);
        if (after & FIELD_BIT(id))
            row->in[id][SOUTH_ROW] = world_row(world, item->tile, slot, y + 1);
    }
    row->y = tile->y + y;
    row->side[NORTH] = row->y == 0;
    row->side[SOUTH] = row->y == world->height - 1;
    for (int side = 0; side < SIDES; side++)
        row->open[side] = row->side[side] && world->open[side];
}

static void run_rows(void* context, int index, int worker) {
    const PassRun* run = context;
    Stepper* stepper = run->stepper;
    Item* item = &stepper->items[index];
    const GullyWorld* world = stepper->world;
    const Tile* tile = &world->tiles[item->tile];
    PassRow row = {
        .to = tile->width,
        .end = tile->width,
        .x = tile->x,
        .has_boundary = true,
        .side = {[WEST] = tile->x == 0, [EAST] = tile->x + tile->width == world->width},
        .accounts = item->accounts,
        .consts = run->consts,
    };
    for (int i = 0; i < SCRATCH_ROWS; i++)
        row.scratch[i] =
            stepper->spare + (size_t)(worker * SCRATCH_ROWS + i) * stepper->spare_pitch;
    for (int y = item->first; y < item->end; y++) {
        bind_row(run, item, y, &row);
        run->pass->row(&row);
    }
}

void stepper_run(Stepper* stepper, const Pass* pass, const int slots[FIELD_IDS],
                 const void* consts) {
    const FieldSet beside = pass_reads_before(pass) | pass_reads_after(pass);
    assert(!(beside & pass->writes)); // else the order of cells would show
    PassRun run = {stepper, pass, slots, consts};
    if (beside && stepper->world->tiles_x > 1)
        pool_run(stepper->pool, stepper->item_count, fill_halos, &run);
    pool_run(stepper->pool, stepper->item_count, run_rows, &run);
}

Pool* stepper_pool(const Stepper* stepper) {
    return stepper->pool;
}

Exact stepper_account(const Stepper* stepper, Account account) {
    Exact sum = 0;
    for (int i = 0; i < stepper->item_count; i++)
        sum += stepper->items[i].accounts[account];
    return sum;
}

void stepper_set_accounts(Stepper* stepper, const Exact accounts[ACCOUNTS]) {
    for (int i = 0; i < stepper->item_count; i++)
        memset(stepper->items[i].accounts, 0, sizeof stepper->items[i].accounts);
    memcpy(stepper->items[0].accounts, accounts, sizeof stepper->items[0].accounts);
}

static GullyStatus create_items(Stepper* stepper) {
    const GullyWorld* world = stepper->world;
    size_t capacity = 0;
    for (int i = 0; i < world->tiles_x * world->tiles_y; i++)
        capacity += (size_t)(world->tiles[i].height + BAND - 1) / BAND;
    stepper->items = calloc(capacity, sizeof *stepper->items);
    if (!stepper->items) return gully_fail(GULLY_FAILED, "no memory for %zu bands", capacity);
    for (int i = 0; i < world->tiles_x * world->tiles_y; i++) {
        int height = world->tiles[i].height;
        for (int first = 0; first < height; first += BAND) {
            int end = first + BAND < height ? first + BAND : height;
            stepper->items[stepper->item_count++] = (Item){.tile = i, .first = first, .end = end};
        }
    }
    return GULLY_OK;
}

static GullyStatus create_spare_rows(Stepper* stepper) {
    size_t width = (size_t)stepper->world->tiles[0].width; // the first tile is the widest
    stepper->spare_pitch = (width + 15) / 16 * 16 + 16;
    size_t rows = (size_t)pool_threads(stepper->pool) * SCRATCH_ROWS;
    stepper->spare = aligned_alloc(64, rows * stepper->spare_pitch * sizeof(float));
    if (!stepper->spare) return gully_fail(GULLY_FAILED, "no memory for %zu spare rows", rows);
    return GULLY_OK;
}

GullyStatus stepper_create(GullyWorld* world, int threads, Stepper** out) {
    *out = NULL;
    Stepper* stepper = calloc(1, sizeof *stepper);
    if (!stepper) return gully_fail(GULLY_FAILED, "no memory for a stepper");
    stepper->world = world;
    GullyStatus status = pool_create(threads, &stepper->pool);
    if (!status) status = create_items(stepper);
    if (!status) status = create_spare_rows(stepper);
    if (status) {
        stepper_destroy(stepper);
        return status;
    }
    *out = stepper;
    return GULLY_OK;
}

void stepper_destroy(Stepper* stepper) {
    if (!stepper) return;
    pool_destroy(stepper->pool);
    free(stepper->items);
    free(stepper->spare);
    free(stepper);
}
