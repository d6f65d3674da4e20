#include "sweep.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEP_PASSES = 32, MAX_STAGES = MAX_BLOCK * MAX_STEP_PASSES };

/// Columns that a panel computes for itself beside its own; one of the halo stays for the outside.
enum { HALO_COLUMNS = HALO - 1 };

/// Where a pass finds one of its fields.
typedef struct Access {
    int id;
    int slot; // in the world; -1: in a ring, or nowhere
    int ring; // -1: not in a ring
    bool around, write;
} Access;

/// A pass of one of the steps of a sweep.
typedef struct Stage {
    SweepPass what;
    int step;
    int lag;  // rows behind the front
    int halo; // columns beyond the panel that must be right
    Access access[FIELD_IDS];
    int access_count;
} Stage;

struct Sweep {
    GullyWorld* world;
    Pool* pool;
    Exact (*accounts)[ACCOUNTS]; // of each panel
    Stage* stages;               // of all steps, in order
    int stages_per_step;
    int block;
    int fill[MAX_FIELDS]; // slots whose halo must be filled before a sweep
    int fill_count;
    // A thread's own rows: rings of scratch fields, then the spare rows.
    int ring_count, ring_rows;
    size_t pitch;
    float* rows;
    size_t rows_capacity; // floats
    // The sweep under way.
    int steps, deepest;
    const void* supplies[MAX_BLOCK];
};

// ---- the plan -----------------------------------------------------------------------------------

static bool is_scratch(const SweepPass* pass, int id) {
    return id >= LAW_FIELDS && pass->law->fields[id - LAW_FIELDS].scratch;
}

/// Whether two sets of fields of two stages share one: laws share the common fields, a law's own
/// fields are its own, and its scratch fields are its own in each step.
static bool shares(const Stage* a, FieldSet set_a, const Stage* b, FieldSet set_b) {
    FieldSet both = set_a & set_b;
    if (both & (FIELD_BIT(COMMON_FIELDS) - 1)) return true;
    if (a->what.law != b->what.law) return false;
    for (int id = LAW_FIELDS; id < FIELD_IDS; id++) {
        if (!(both & FIELD_BIT(id))) continue;
        if (a->step == b->step || !is_scratch(&a->what, id)) return true;
    }
    return false;
}

/// Rows by which a stage must stay behind an earlier one; -1 = it need not know of it. What one
/// writes and the other reads around must be a row further.
static int rows_behind(const Stage* earlier, const Stage* later) {
    const Pass *a = earlier->what.pass, *b = later->what.pass;
    if (shares(earlier, a->writes, later, b->reads_around) ||
        shares(earlier, a->reads_around, later, b->writes))
        return 1;
    bool touches = shares(earlier, a->writes, later, b->reads | b->writes) ||
                   shares(earlier, a->reads, later, b->writes);
    return touches ? 0 : -1;
}

static void set_lags(Stage* stages, int count) {
    for (int k = 0; k < count; k++) {
        stages[k].lag = 0;
        for (int j = 0; j < k; j++) {
            int behind = rows_behind(&stages[j], &stages[k]);
            if (behind >= 0 && stages[j].lag + behind > stages[k].lag)
                stages[k].lag = stages[j].lag + behind;
        }
    }
}

static int count_around(const SweepPass* passes, int count) {
    int around = 0;
    for (int i = 0; i < count; i++)
        around += passes[i].pass->reads_around != 0;
    return around;
}

/// The number of a scratch field's ring: all fields of all laws of a step, then those of the next.
static int ring_of(const SweepPass* passes, int count, const SweepPass* pass, int id, int step) {
    int before = 0, per_step = 0;
    const Law* last = NULL;
    for (int i = 0; i < count; i++) {
        if (!passes[i].law || passes[i].law == last) continue;
        last = passes[i].law;
        if (last == pass->law) before = per_step;
        per_step += last->field_count;
    }
    return step * per_step + before + (id - LAW_FIELDS);
}

static void list_accesses(Stage* stage, const SweepPass* passes, int count) {
    const Pass* pass = stage->what.pass;
    stage->access_count = 0;
    for (int id = 0; id < FIELD_IDS; id++) {
        if (!((pass->reads | pass->reads_around | pass->writes) & FIELD_BIT(id))) continue;
        bool scratch = is_scratch(&stage->what, id);
        stage->access[stage->access_count++] = (Access){
            .id = id,
            .slot = -1, // sweep_bind looks
            .ring = scratch ? ring_of(passes, count, &stage->what, id, stage->step) : -1,
            .around = (pass->reads_around & FIELD_BIT(id)) != 0,
            .write = (pass->writes & FIELD_BIT(id)) != 0,
        };
    }
}

static int count_rings(const Stage* stages, int count) {
    int rings = 0;
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < stages[k].access_count; i++) {
            if (stages[k].access[i].ring >= rings) rings = stages[k].access[i].ring + 1;
        }
    }
    return rings;
}

/// Rows that a ring must hold: from the row before the last reader's to the first writer's.
static int count_ring_rows(const Stage* stages, int count) {
    int rows = 1;
    for (int j = 0; j < count; j++) {
        for (int k = j; k < count; k++) {
            int span = stages[k].lag - stages[j].lag + 3;
            if (stages[j].step == stages[k].step && span > rows) rows = span;
        }
    }
    return rows;
}

static void list_fills(Sweep* sweep, const Stage* stages, int count) {
    bool wanted[MAX_FIELDS] = {false};
    for (int k = 0; k < count; k++) {
        FieldSet read = stages[k].what.pass->reads | stages[k].what.pass->reads_around;
        for (int i = 0; i < stages[k].access_count; i++) {
            const Access* access = &stages[k].access[i];
            if (access->slot >= 0 && (read & FIELD_BIT(access->id))) wanted[access->slot] = true;
        }
    }
    sweep->fill_count = 0;
    for (int slot = 0; slot < MAX_FIELDS; slot++) {
        if (wanted[slot]) sweep->fill[sweep->fill_count++] = slot;
    }
}

static GullyStatus reserve_rows(Sweep* sweep, int rings, int ring_rows) {
    size_t per_thread = ((size_t)rings * (size_t)ring_rows + SPARE_ROWS) * sweep->pitch;
    size_t wanted = per_thread * (size_t)pool_threads(sweep->pool) + 2 * MARGIN;
    if (wanted <= sweep->rows_capacity) return GULLY_OK;
    float* rows = aligned_alloc(64, wanted * sizeof *rows);
    if (rows) memset(rows, 0, wanted * sizeof *rows);
    if (!rows) return gully_fail(GULLY_FAILED, "no memory for %d rings of rows", rings);
    free(sweep->rows);
    sweep->rows = rows;
    sweep->rows_capacity = wanted;
    return GULLY_OK;
}

GullyStatus sweep_plan(Sweep* sweep, const SweepPass* passes, int count) {
    assert(count > 0 && count <= MAX_STEP_PASSES);
    int around = count_around(passes, count);
    int block = around > 0 ? HALO_COLUMNS / around : MAX_BLOCK;
    block = block < 1 ? 1 : block > MAX_BLOCK ? MAX_BLOCK : block;
    assert(around <= HALO_COLUMNS);
    int stage_count = block * count;
    Stage* stages = calloc(MAX_STAGES, sizeof *stages);
    if (!stages) return gully_fail(GULLY_FAILED, "no memory for %d passes", stage_count);
    int halo = block * around;
    for (int k = 0; k < stage_count; k++) {
        stages[k].what = passes[k % count];
        stages[k].step = k / count;
        halo -= stages[k].what.pass->reads_around != 0;
        stages[k].halo = halo;
        list_accesses(&stages[k], passes, count);
    }
    set_lags(stages, stage_count);
    int rings = count_rings(stages, stage_count), ring_rows = count_ring_rows(stages, stage_count);
    GullyStatus status = reserve_rows(sweep, rings, ring_rows);
    if (status) {
        free(stages);
        return status;
    }
    free(sweep->stages);
    sweep->stages = stages;
    sweep->stages_per_step = count;
    sweep->block = block;
    sweep->ring_count = rings;
    sweep->ring_rows = ring_rows;
    return GULLY_OK;
}

void sweep_bind(Sweep* sweep) {
    int count = sweep->block * sweep->stages_per_step;
    for (int k = 0; k < count; k++) {
        Stage* stage = &sweep->stages[k];
        for (int i = 0; i < stage->access_count; i++) {
            Access* access = &stage->access[i];
            if (access->ring < 0) access->slot = stage->what.slots[access->id];
        }
    }
    list_fills(sweep, sweep->stages, count);
}

int sweep_block(const Sweep* sweep) {
    return sweep->block;
}

// ---- a sweep ------------------------------------------------------------------------------------

/// The first of a thread's own rows.
static float* rows_of(const Sweep* sweep, int worker) {
    size_t rings = (size_t)sweep->ring_count * (size_t)sweep->ring_rows;
    return sweep->rows + MARGIN + HALO + (rings + SPARE_ROWS) * sweep->pitch * (size_t)worker;
}

/// What a thread needs while it walks down a panel.
typedef struct Walk {
    const Sweep* sweep;
    const GullyWorld* world;
    int tx;
    float* rings;
    PassRow row;
} Walk;

/// A row's memory in the world, where slot 0 begins; NULL outside.
static float* find_row(const Walk* walk, int y) {
    const GullyWorld* world = walk->world;
    if (y < 0 || y >= world->height) return NULL;
    int ty = y / world->tile_size;
    const Tile* tile = &world->tiles[ty * world->tiles_x + walk->tx];
    return tile_row(world, tile, 0, y - tile->y);
}

static float* ring_row(const Walk* walk, int ring, int y) {
    int rows = walk->sweep->ring_rows;
    return walk->rings + (size_t)(ring * rows + y % rows) * walk->sweep->pitch;
}

/// Points the fields of a stage at row y.
static void bind(Walk* walk, const Stage* stage, int y) {
    const GullyWorld* world = walk->world;
    PassRow* row = &walk->row;
    float* const at[ROWS] = {find_row(walk, y - 1), find_row(walk, y), find_row(walk, y + 1)};
    const size_t pitch = world->tiles[walk->tx].pitch;
    for (int i = 0; i < stage->access_count; i++) {
        const Access* access = &stage->access[i];
        const float** in = row->in[access->id];
        float* here = access->ring >= 0   ? ring_row(walk, access->ring, y)
                      : access->slot >= 0 ? at[HERE] + (size_t)access->slot * pitch
                                          : NULL;
        row->out[access->id] = access->write ? here : NULL;
        in[HERE] = here ? here : world_value_row(world, access->id);
        if (!access->around) continue;
        for (int side = NORTH_ROW; side <= SOUTH_ROW; side += SOUTH_ROW - NORTH_ROW) {
            int beside = y + side - HERE;
            if (!here)
                in[side] = in[HERE];
            else if (!at[side])
                in[side] = world_outside_row(world, access->slot, side == NORTH_ROW);
            else if (access->ring >= 0)
                in[side] = ring_row(walk, access->ring, beside);
            else
                in[side] = at[side] + (size_t)access->slot * pitch;
        }
    }
}

static void run_stage(Walk* walk, const Stage* stage, int y) {
    const GullyWorld* world = walk->world;
    PassRow* row = &walk->row;
    int beyond = world->width - row->x - row->n;
    bind(walk, stage, y);
    row->y = y;
    row->north = y == 0;
    row->south = y == world->height - 1;
    // Whole vectors: what is computed beyond the halo that must be right is not looked at.
    int halo = stage->halo > 0 ? HALO : 0;
    row->from = halo < row->x ? -halo : -row->x;
    row->to = row->n + (halo < beyond ? halo : beyond);
    stage->what.pass->row(row);
}

/// The constants of a stage in this sweep; NULL if it has nothing to do.
static const void* consts_of(const Sweep* sweep, const Stage* stage) {
    return stage->what.law ? stage->what.consts : sweep->supplies[stage->step];
}

static void walk_panel(void* context, int tx, int worker) {
    const Sweep* sweep = context;
    const Tile* top = &sweep->world->tiles[tx];
    Walk walk = {.sweep = sweep, .world = sweep->world, .tx = tx, .rings = rows_of(sweep, worker)};
    size_t ring_floats = (size_t)sweep->ring_count * (size_t)sweep->ring_rows * sweep->pitch;
    memset(walk.rings - HALO, 0, ring_floats * sizeof(float)); // the outside of scratch fields is 0
    walk.row = (PassRow){
        .n = top->width,
        .x = top->x,
        .west = tx == 0,
        .east = tx == sweep->world->tiles_x - 1,
        .accounts = sweep->accounts[tx],
    };
    for (int i = 0; i < SPARE_ROWS; i++)
        walk.row.spare[i] = walk.rings + ring_floats + (size_t)i * sweep->pitch;
    int stages = sweep->steps * sweep->stages_per_step;
    for (int front = 0; front < sweep->world->height + sweep->deepest; front++) {
        for (int k = 0; k < stages; k++) {
            const Stage* stage = &sweep->stages[k];
            int y = front - stage->lag;
            walk.row.consts = consts_of(sweep, stage);
            if (y >= 0 && y < sweep->world->height && walk.row.consts) run_stage(&walk, stage, y);
        }
    }
}

static void fill_halos(void* context, int tile, int worker) {
    (void)worker;
    const Sweep* sweep = context;
    for (int i = 0; i < sweep->fill_count; i++) {
        world_fill_halo(sweep->world, tile, sweep->fill[i], 0, sweep->world->tiles[tile].height,
                        HALO_COLUMNS);
    }
}

void sweep_run(Sweep* sweep, int steps, const void* const* supplies) {
    assert(steps >= 1 && steps <= sweep->block);
    sweep->steps = steps;
    memcpy(sweep->supplies, supplies, (size_t)steps * sizeof *supplies);
    sweep->deepest = 0;
    for (int k = 0; k < steps * sweep->stages_per_step; k++) {
        if (sweep->stages[k].lag > sweep->deepest) sweep->deepest = sweep->stages[k].lag;
    }
    const GullyWorld* world = sweep->world;
    if (world->tiles_x > 1)
        pool_run(sweep->pool, world->tiles_x * world->tiles_y, fill_halos, sweep);
    pool_run(sweep->pool, world->tiles_x, walk_panel, sweep);
}

// ---- making one ---------------------------------------------------------------------------------

Exact sweep_account(const Sweep* sweep, Account account) {
    Exact sum = {0};
    for (int tx = 0; tx < sweep->world->tiles_x; tx++)
        exact_merge(&sum, &sweep->accounts[tx][account], 1);
    return sum;
}

GullyStatus sweep_create(GullyWorld* world, Pool* pool, Sweep** out) {
    *out = NULL;
    Sweep* sweep = calloc(1, sizeof *sweep);
    if (sweep) sweep->accounts = calloc((size_t)world->tiles_x, sizeof *sweep->accounts);
    if (!sweep || !sweep->accounts) {
        free(sweep);
        return gully_fail(GULLY_FAILED, "no memory for a stepper");
    }
    sweep->world = world;
    sweep->pool = pool;
    sweep->pitch = world->tiles[0].pitch; // the first tile is the widest
    *out = sweep;
    return GULLY_OK;
}

void sweep_destroy(Sweep* sweep) {
    if (!sweep) return;
    free(sweep->accounts);
    free(sweep->stages);
    free(sweep->rows);
    free(sweep);
}
