#include "sweep.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEP_PASSES = 32, MAX_RINGS = MAX_BLOCK * MAX_LAW_FIELDS };

/// Columns that a panel computes for itself beside its own; one of the halo stays for the outside.
enum { HALO_COLUMNS = HALO - 1 };

/// Where a pass finds one of its fields.
typedef struct Access {
    int id;
    int slot; // in the world; -1: in a ring, or nowhere
    int ring; // -1: not in a ring
    bool before, after, write;
} Access;

/// A pass of one of the steps of a sweep.
typedef struct Stage {
    SweepPass what;
    int step;
    int lag;  // rows behind the front
    bool halo; // whether columns beyond the panel must be right
    Access access[FIELD_IDS];
    int access_count;
} Stage;

/// Rows of a scratch field in one of the steps.
typedef struct Ring {
    const Law* law;
    int id, step;
    float outside; // its value there
} Ring;

typedef struct Plan {
    Stage* stages; // of all steps, in order
    int stages_per_step;
    int block; // steps
    Ring rings[MAX_RINGS];
    int ring_count, ring_rows;
} Plan;

struct Sweep {
    GullyWorld* world;
    Pool* pool;
    Exact (*accounts)[ACCOUNTS]; // of each panel
    Plan plan;
    int fill[MAX_FIELDS]; // slots whose halo must be filled before a sweep
    int fill_count;
    // A thread's own rows: rings, each with a row for the outside, then the spare rows.
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

/// Rows by which a stage must stay behind an earlier one; -1 = it need not know of it. What it reads
/// in the row after must be there; what the earlier one reads in the row before must still be.
static int rows_behind(const Stage* earlier, const Stage* later) {
    const Pass *a = earlier->what.pass, *b = later->what.pass;
    if (shares(earlier, a->writes, later, pass_reads_after(b)) ||
        shares(earlier, pass_reads_before(a), later, b->writes))
        return 1;
    bool touches = shares(earlier, a->writes, later, pass_reads(b) | b->writes) ||
                   shares(earlier, pass_reads(a), later, b->writes);
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

/// Columns by which the passes of a step reach further to one side than what they compute.
static int reach_of(const SweepPass* passes, int count) {
    int before = 0, after = 0;
    for (int i = 0; i < count; i++) {
        before += pass_reads_before(passes[i].pass) != 0;
        after += pass_reads_after(passes[i].pass) != 0;
    }
    return before > after ? before : after;
}

/// The number of a scratch field's ring in one of the steps, which it gets when first asked for.
static int ring_of(Plan* plan, const SweepPass* pass, int id, int step) {
    for (int i = 0; i < plan->ring_count; i++) {
        const Ring* ring = &plan->rings[i];
        if (ring->law == pass->law && ring->id == id && ring->step == step) return i;
    }
    assert(plan->ring_count < MAX_RINGS);
    float outside = pass->law->fields[id - LAW_FIELDS].outside;
    plan->rings[plan->ring_count] = (Ring){pass->law, id, step, outside};
    return plan->ring_count++;
}

static void list_accesses(Plan* plan, Stage* stage) {
    const Pass* pass = stage->what.pass;
    stage->access_count = 0;
    for (int id = 0; id < FIELD_IDS; id++) {
        if (!((pass_reads(pass) | pass->writes) & FIELD_BIT(id))) continue;
        bool scratch = is_scratch(&stage->what, id);
        stage->access[stage->access_count++] = (Access){
            .id = id,
            .slot = -1, // sweep_bind looks
            .ring = scratch ? ring_of(plan, &stage->what, id, stage->step) : -1,
            .before = (pass_reads_before(pass) & FIELD_BIT(id)) != 0,
            .after = (pass_reads_after(pass) & FIELD_BIT(id)) != 0,
            .write = (pass->writes & FIELD_BIT(id)) != 0,
        };
    }
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
        FieldSet read = pass_reads(stages[k].what.pass);
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

/// Floats of a thread's own rows.
static size_t own_floats(const Plan* plan, size_t pitch) {
    return ((size_t)plan->ring_count * (size_t)(plan->ring_rows + 1) + SPARE_ROWS) * pitch;
}

static GullyStatus reserve_rows(Sweep* sweep, const Plan* plan) {
    size_t threads = (size_t)pool_threads(sweep->pool);
    size_t wanted = own_floats(plan, sweep->pitch) * threads + 2 * MARGIN;
    if (wanted <= sweep->rows_capacity) return GULLY_OK;
    float* rows = aligned_alloc(64, wanted * sizeof *rows);
    if (!rows) return gully_fail(GULLY_FAILED, "no memory for %d rings of rows", plan->ring_count);
    free(sweep->rows);
    sweep->rows = rows;
    sweep->rows_capacity = wanted;
    return GULLY_OK;
}

/// A thread's own rows, where column 0 of the first is.
static float* rows_of(const Sweep* sweep, int worker) {
    return sweep->rows + MARGIN + HALO + own_floats(&sweep->plan, sweep->pitch) * (size_t)worker;
}

/// Makes all rows of the rings what lies outside the world, where only those stay that do.
static void clear_rings(Sweep* sweep) {
    memset(sweep->rows, 0, sweep->rows_capacity * sizeof *sweep->rows);
    for (int worker = 0; worker < pool_threads(sweep->pool); worker++) {
        float* row = rows_of(sweep, worker) - HALO;
        for (int i = 0; i < sweep->plan.ring_count * (sweep->plan.ring_rows + 1); i++) {
            float outside = sweep->plan.rings[i / (sweep->plan.ring_rows + 1)].outside;
            for (size_t x = 0; x < sweep->pitch; x++)
                *row++ = outside;
        }
    }
}

GullyStatus sweep_plan(Sweep* sweep, const SweepPass* passes, int count) {
    assert(count > 0 && count <= MAX_STEP_PASSES);
    int reach = reach_of(passes, count);
    assert(reach <= HALO_COLUMNS);
    int block = reach > 0 ? HALO_COLUMNS / reach : MAX_BLOCK;
    Plan plan = {.stages_per_step = count, .block = block < MAX_BLOCK ? block : MAX_BLOCK};
    int stages = plan.block * count;
    plan.stages = calloc((size_t)stages, sizeof *plan.stages);
    if (!plan.stages) return gully_fail(GULLY_FAILED, "no memory for %d passes", stages);
    bool halo = false; // whether a later stage reads beside the panel
    for (int k = stages - 1; k >= 0; k--) {
        Stage* stage = &plan.stages[k];
        *stage = (Stage){.what = passes[k % count], .step = k / count, .halo = halo};
        halo |= pass_reads_before(stage->what.pass) || pass_reads_after(stage->what.pass);
        list_accesses(&plan, stage);
    }
    set_lags(plan.stages, stages);
    plan.ring_rows = count_ring_rows(plan.stages, stages);
    GullyStatus status = reserve_rows(sweep, &plan);
    if (status) {
        free(plan.stages);
        return status;
    }
    free(sweep->plan.stages);
    sweep->plan = plan;
    clear_rings(sweep);
    return GULLY_OK;
}

void sweep_bind(Sweep* sweep) {
    int count = sweep->plan.block * sweep->plan.stages_per_step;
    for (int k = 0; k < count; k++) {
        Stage* stage = &sweep->plan.stages[k];
        for (int i = 0; i < stage->access_count; i++) {
            Access* access = &stage->access[i];
            if (access->ring < 0) access->slot = stage->what.slots[access->id];
        }
    }
    list_fills(sweep, sweep->plan.stages, count);
}

int sweep_block(const Sweep* sweep) {
    return sweep->plan.block;
}

// ---- a sweep ------------------------------------------------------------------------------------

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

/// A row of a ring. The last one is what lies above and below the world.
static float* ring_row(const Walk* walk, int ring, int y) {
    int rows = walk->sweep->plan.ring_rows, height = walk->world->height;
    int index = y < 0 || y >= height ? rows : y % rows;
    return walk->rings + (size_t)(ring * (rows + 1) + index) * walk->sweep->pitch;
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
        for (int side = NORTH_ROW; side <= SOUTH_ROW; side += SOUTH_ROW - NORTH_ROW) {
            if (side == NORTH_ROW ? !access->before : !access->after) continue;
            if (access->ring >= 0)
                in[side] = ring_row(walk, access->ring, y + side - HERE);
            else if (!here)
                in[side] = in[HERE];
            else if (!at[side])
                in[side] = world_outside_row(world, access->slot);
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
    row->open[NORTH] = y == 0 && world->open[NORTH];
    row->open[SOUTH] = y == world->height - 1 && world->open[SOUTH];
    // Whole vectors: what is computed beyond the halo that must be right is not looked at.
    int halo = stage->halo ? HALO : 0;
    row->from = halo < row->x ? -halo : -row->x;
    row->to = row->n + (halo < beyond ? halo : beyond);
    row->open[WEST] = row->from == -row->x && world->open[WEST];
    row->open[EAST] = row->to == row->n + beyond && world->open[EAST];
    stage->what.pass->row(row);
}

/// The constants of a stage in this sweep; NULL if it has nothing to do.
static const void* consts_of(const Sweep* sweep, const Stage* stage) {
    return stage->what.law ? stage->what.consts : sweep->supplies[stage->step];
}

/// Marks the columns outside the world, which another panel of this thread may have overwritten.
static void mark_outside(const Walk* walk) {
    const Plan* plan = &walk->sweep->plan;
    int west = -walk->row.x - 1, east = walk->world->width - walk->row.x;
    for (int i = 0; i < plan->ring_count * (plan->ring_rows + 1); i++) {
        float* row = walk->rings + (size_t)i * walk->sweep->pitch;
        if (west >= -HALO) row[west] = plan->rings[i / (plan->ring_rows + 1)].outside;
        if (east < walk->row.n + HALO) row[east] = plan->rings[i / (plan->ring_rows + 1)].outside;
    }
}

static void walk_panel(void* context, int tx, int worker) {
    const Sweep* sweep = context;
    const GullyWorld* world = sweep->world;
    const Tile* top = &world->tiles[tx];
    Walk walk = {.sweep = sweep, .world = world, .tx = tx, .rings = rows_of(sweep, worker)};
    walk.row = (PassRow){
        .n = top->width,
        .x = top->x,
        .accounts = sweep->accounts[tx],
    };
    float* spare = walk.rings + own_floats(&sweep->plan, sweep->pitch) - SPARE_ROWS * sweep->pitch;
    for (int i = 0; i < SPARE_ROWS; i++)
        walk.row.spare[i] = spare + (size_t)i * sweep->pitch;
    mark_outside(&walk);
    const int stages = sweep->steps * sweep->plan.stages_per_step;
    for (int front = 0; front < world->height + sweep->deepest; front++) {
        for (int k = 0; k < stages; k++) {
            const Stage* stage = &sweep->plan.stages[k];
            int y = front - stage->lag;
            walk.row.consts = consts_of(sweep, stage);
            if (y >= 0 && y < world->height && walk.row.consts) run_stage(&walk, stage, y);
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
    assert(steps >= 1 && steps <= sweep->plan.block);
    sweep->steps = steps;
    memcpy(sweep->supplies, supplies, (size_t)steps * sizeof *supplies);
    sweep->deepest = 0;
    for (int k = 0; k < steps * sweep->plan.stages_per_step; k++) {
        int lag = sweep->plan.stages[k].lag;
        if (lag > sweep->deepest) sweep->deepest = lag;
    }
    const GullyWorld* world = sweep->world;
    if (world->tiles_x > 1)
        pool_run(sweep->pool, world->tiles_x * world->tiles_y, fill_halos, sweep);
    pool_run(sweep->pool, world->tiles_x, walk_panel, sweep);
}

// ---- making one ---------------------------------------------------------------------------------

Exact sweep_account(const Sweep* sweep, Account account) {
    Exact sum = 0;
    for (int tx = 0; tx < sweep->world->tiles_x; tx++)
        sum += sweep->accounts[tx][account];
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
    free(sweep->plan.stages);
    free(sweep->rows);
    free(sweep);
}
