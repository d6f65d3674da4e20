#include "sweep.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "rest.h"
#include "shares.h"

/// What a thread needs while it walks down its share.
typedef struct Walk {
    Share share;
    int first, end; // rows that it sees: those of the share and those beyond its cuts
    float** rows;   // [1 + height + 1]: where a row's fields begin, also above and below those
    float* outside; // the fields of the row above and below, side by side like any other row's
    bool* walls;    // [height]: PassRow.has_boundary
    float* rings;   // column 0 of the first row
    float* spare;
    float* windows;        // column 0 of the first row
    float* memory;         // of rings, spare rows and windows
    int next_in, next_out; // rows that come into the windows next, and that go out
    Exact accounts[ACCOUNTS];
    PassRow row;
} Walk;

struct Sweep {
    GullyWorld* world;
    Pool* pool;
    Plan plan;
    Rest* rest;
    int64_t edits; // of the world, that the rest knows of
    Walk* walks;   // of each thread
    size_t pitch;  // of rings and spare rows
    Shares shares;
    float* cut_rows;   // copies of the rows around each cut: as many as a sweep can reach, twice
    size_t cut_floats; // of each cut
    size_t cut_room;   // cuts that there is room for
    // The sweep under way.
    int steps, deepest;
    const void* supplies[MAX_BLOCK];
};

// ---- the plan -----------------------------------------------------------------------------------

/// Rows of the windows of all fields that a world of half precision may have.
static int count_window_rows(const Sweep* sweep, const Plan* plan) {
    enum { MOST_WINDOWS = 5 + MAX_LAW_FIELDS }; // HALF_FIELDS, and the model's own
    return sweep->world->half ? MOST_WINDOWS * (plan->window_rows + 1) : 0;
}

/// Memory for the rings, the spare rows and the windows of a thread, the rings filled with what
/// lies outside.
static float* create_rows(const Sweep* sweep, const Plan* plan) {
    const size_t pitch = sweep->pitch;
    int rows = plan->ring_rows + SCRATCH_ROWS + count_window_rows(sweep, plan);
    size_t floats = (size_t)rows * pitch + 2 * MARGIN;
    float* memory = aligned_alloc(64, floats * sizeof *memory);
    if (!memory) return NULL;
    memset(memory, 0, floats * sizeof *memory);
    for (int i = 0; i < plan->ring_count; i++) {
        const Ring* ring = &plan->rings[i];
        float* first = memory + MARGIN + (size_t)ring->place * pitch;
        for (size_t x = 0; x < (size_t)(ring->rows + 1) * pitch; x++)
            first[x] = ring->outside;
    }
    return memory;
}

static GullyStatus create_all_rows(const Sweep* sweep, const Plan* plan, float** memory) {
    for (int i = 0; i < pool_threads(sweep->pool); i++) {
        memory[i] = create_rows(sweep, plan);
        if (memory[i]) continue;
        while (i-- > 0)
            free(memory[i]);
        return gully_fail(GULLY_FAILED, "no memory for %d rows", plan->ring_rows);
    }
    return GULLY_OK;
}

GullyStatus sweep_plan(Sweep* sweep, const SweepPass* passes, int count) {
    int threads = pool_threads(sweep->pool);
    Plan plan;
    GullyStatus status = plan_create(passes, count, &plan);
    if (status) return status;
    float** memory = malloc((size_t)threads * sizeof *memory);
    status = memory ? create_all_rows(sweep, &plan, memory)
                    : gully_fail(GULLY_FAILED, "no memory for %d threads", threads);
    if (status) {
        free(memory);
        plan_destroy(&plan);
        return status;
    }
    for (int i = 0; i < threads; i++) {
        Walk* walk = &sweep->walks[i];
        free(walk->memory);
        walk->memory = memory[i];
        walk->rings = walk->memory + MARGIN + HALO;
        walk->spare = walk->rings + (size_t)plan.ring_rows * sweep->pitch;
        walk->windows = walk->spare + SCRATCH_ROWS * sweep->pitch;
    }
    free(memory);
    plan_destroy(&sweep->plan);
    sweep->plan = plan;
    rest_wake(sweep->rest);
    return GULLY_OK;
}

/// Rows that a share has at least. With fewer, threads would compute more for each other than for
/// themselves.
static int least_rows(const Sweep* sweep) {
    return 2 * sweep->plan.reach;
}

/// Makes room for the rows around all cuts that there can be. If there is none, nothing is cut.
static void make_cut_rows(Sweep* sweep) {
    const int least = least_rows(sweep) > 0 ? least_rows(sweep) : 1;
    const size_t wanted = (size_t)pool_threads(sweep->pool) - 1;
    const size_t fit = (size_t)(sweep->world->height / least) * (size_t)sweep->world->tiles_x;
    const size_t cuts = wanted < fit ? wanted : fit;
    const size_t rows = 2 * (size_t)sweep->plan.reach * (size_t)sweep->world->row_size;
    const size_t floats = (rows * (sweep->pitch / 2) + VECTOR - 1) / VECTOR * VECTOR + 2 * MARGIN;
    if (cuts == sweep->cut_room && floats == sweep->cut_floats) return;
    free(sweep->cut_rows);
    sweep->cut_rows = cuts ? aligned_alloc(64, cuts * floats * sizeof *sweep->cut_rows) : NULL;
    if (sweep->cut_rows) memset(sweep->cut_rows, 0, cuts * floats * sizeof *sweep->cut_rows);
    sweep->cut_floats = floats;
    sweep->cut_room = cuts;
}

void sweep_bind(Sweep* sweep) {
    plan_bind(&sweep->plan, sweep->world);
    make_cut_rows(sweep);
    if (sweep->world->edits != sweep->edits) rest_wake(sweep->rest);
    sweep->edits = sweep->world->edits;
}

int sweep_block(const Sweep* sweep) {
    return sweep->plan.block;
}

// ---- cuts ---------------------------------------------------------------------------------------

/// The copy of a row near a cut, halo included.
static float* cut_row(const Sweep* sweep, int index, int y) {
    const Cut* cut = &sweep->shares.cuts[index];
    const size_t row_floats =
        (size_t)sweep->world->row_size * (sweep->world->tiles[cut->tx].pitch / 2);
    return sweep->cut_rows + (size_t)index * sweep->cut_floats + MARGIN +
           (size_t)(y - cut->row + sweep->plan.reach) * row_floats;
}

/// Copies what is awake of a row near a cut, and what stages may read beside it.
static void copy_row(const Sweep* sweep, int cut, int y) {
    const GullyWorld* world = sweep->world;
    const Tile* tile = tile_of_row(world, sweep->shares.cuts[cut].tx, y);
    const int around = sweep->plan.fringe + 2, margin = around * REST_BLOCK;
    const Columns awake =
        rest_awake(sweep->rest, sweep->shares.cuts[cut].tx, y - around, y + around);
    if (awake.from >= awake.to) return;
    const int from = awake.from > margin ? awake.from - margin : -HALO;
    const int to = awake.to + margin < tile->width ? awake.to + margin : tile->width + HALO;
    for (int slot = 0; slot < world->field_count; slot++) {
        const size_t size = is_narrow(world, slot) ? sizeof(Half) : sizeof(float);
        const size_t offset = (size_t)world->start[slot] * (tile->pitch / 2) * sizeof(float) +
                              (size_t)(HALO + from) * size;
        memcpy((char*)cut_row(sweep, cut, y) + offset,
               (const char*)tile_row_start(world, tile, 0, y - tile->y) + offset,
               (size_t)(to - from) * size);
    }
}

/// Copies the rows around a cut before shares change them.
static void copy_cut(void* context, int index, int worker) {
    (void)worker;
    const Sweep* sweep = context;
    const int row = sweep->shares.cuts[index].row, reach = sweep->plan.reach;
    for (int y = row > reach ? row - reach : 0; y < row + reach && y < sweep->world->height; y++)
        copy_row(sweep, index, y);
}

// ---- getting ready to walk down a share ---------------------------------------------------------

static bool is_own(const Walk* walk, int y) {
    return y >= walk->share.first && y < walk->share.end;
}

/// Lists where the rows of a share are, and those beyond its cuts.
static void list_rows(Walk* walk, const Sweep* sweep) {
    const GullyWorld* world = sweep->world;
    const Share* share = &walk->share;
    const size_t pitch = world->tiles[share->tx].pitch;
    for (int slot = 0; slot < world->field_count; slot++) {
        float* row = walk->outside + MARGIN + (size_t)world->start[slot] * (pitch / 2);
        for (size_t i = 0; i < pitch && !is_narrow(world, slot); i++)
            row[i] = world->fields[slot].outside;
    }
    walk->rows[walk->first] = walk->rows[walk->end + 1] = walk->outside + MARGIN + HALO;
    for (int y = walk->first; y < walk->end; y++) {
        const Tile* tile = tile_of_row(world, share->tx, y);
        float* row = y < share->first  ? cut_row(sweep, share->north, y)
                     : y >= share->end ? cut_row(sweep, share->south, y)
                                       : tile_row_start(world, tile, 0, y - tile->y);
        walk->rows[1 + y] = row + HALO;
    }
}

/// Finds the rows that see a nodata cell, or the first or last row of the world.
static void find_walls(Walk* walk, const GullyWorld* world) {
    memset(walk->walls, 0, (size_t)world->height * sizeof *walk->walls);
    walk->walls[0] = walk->walls[world->height - 1] = true;
    if (!world->has_holes) return;
    const Tile* panel = &world->tiles[walk->share.tx];
    for (int i = 0; i < world->tiles_x * world->tiles_y; i++) {
        const Tile* tile = &world->tiles[i];
        bool near =
            tile->x <= panel->x + panel->width + HALO && tile->x + tile->width >= panel->x - HALO;
        for (int row = 0; near && row < tile->height; row++) {
            if (!tile->holes[row]) continue;
            int y = tile->y + row;
            if (y > 0) walk->walls[y - 1] = true;
            walk->walls[y] = true;
            if (y < world->height - 1) walk->walls[y + 1] = true;
        }
    }
}

/// Fields that the world does not have read as their value.
static void bind_absent(PassRow* row, const GullyWorld* world) {
    for (int id = 0; id < COMMON_FIELDS; id++) {
        if (world->common[id] >= 0) continue;
        for (int side = 0; side < ROWS; side++)
            row->in[id][side] = world_value_row(world, id);
        row->out[id] = NULL;
    }
}

/// Marks the columns outside the world in the rings, which another panel of this thread may have
/// overwritten.
static void mark_outside(const Walk* walk, const Sweep* sweep) {
    const Plan* plan = &sweep->plan;
    const Tile* panel = &sweep->world->tiles[walk->share.tx];
    int west = -panel->x - 1, east = sweep->world->width - panel->x;
    for (int i = 0; i < plan->ring_count; i++) {
        const Ring* ring = &plan->rings[i];
        for (int y = 0; y <= ring->rows; y++) {
            float* row = walk->rings + (size_t)(ring->place + y) * sweep->pitch;
            if (west >= -HALO) row[west] = ring->outside;
            if (east < panel->width + HALO) row[east] = ring->outside;
        }
    }
}

static void begin_walk(Walk* walk, const Sweep* sweep, const Share* share) {
    const int reach = sweep->plan.reach, height = sweep->world->height;
    walk->share = *share;
    walk->first = share->first > reach ? share->first - reach : 0;
    walk->end = share->end + reach < height ? share->end + reach : height;
    walk->row = (PassRow){.x = sweep->world->tiles[share->tx].x, .accounts = walk->accounts};
    for (int i = 0; i < SCRATCH_ROWS; i++)
        walk->row.scratch[i] = walk->spare + (size_t)i * sweep->pitch;
    list_rows(walk, sweep);
    find_walls(walk, sweep->world);
    bind_absent(&walk->row, sweep->world);
    mark_outside(walk, sweep);
}

// ---- a stage on a row ---------------------------------------------------------------------------

/// Points the fields of a stage at row y. All of them also at the rows before and after, whether it
/// reads them or not: that costs less than asking.
static void bind_fields(Walk* walk, const Sweep* sweep, const Stage* stage, int y) {
    PassRow* row = &walk->row;
    const size_t half_pitch = sweep->world->tiles[walk->share.tx].pitch / 2;
    float* const* at = walk->rows + y; // [ROWS], beginning with the row before
    for (int i = 0; i < stage->field_count; i++) {
        const int id = stage->fields[i].id;
        const size_t offset = (size_t)stage->fields[i].place * half_pitch;
        row->in[id][NORTH_ROW] = at[NORTH_ROW] + offset;
        row->in[id][HERE] = row->out[id] = at[HERE] + offset;
        row->in[id][SOUTH_ROW] = at[SOUTH_ROW] + offset;
    }
}

/// The same for fields in rings or windows.
static void bind_ring_rows(PassRow* row, const Sweep* sweep, const Access* fields, int count,
                           float* first, int y) {
    const size_t pitch = sweep->pitch;
    const bool top = y == 0, bottom = y == sweep->world->height - 1;
    for (int i = 0; i < count; i++) {
        const int id = fields[i].id, rows = fields[i].rows;
        float* ring = first + (size_t)fields[i].place * pitch;
        const int north = top ? rows : (y - 1) & (rows - 1);
        const int south = bottom ? rows : (y + 1) & (rows - 1);
        row->in[id][NORTH_ROW] = ring + (size_t)north * pitch;
        row->in[id][HERE] = row->out[id] = ring + (size_t)(y & (rows - 1)) * pitch;
        row->in[id][SOUTH_ROW] = ring + (size_t)south * pitch;
    }
}

/// Hides what only the last step of the sweep has to write.
static void hide_shown(PassRow* row, const Access* fields, int count) {
    for (int i = 0; i < count; i++)
        if (fields[i].shown) row->out[fields[i].id] = NULL;
}

/// Sets the columns that a stage computes in row y; false if there are none. Whole vectors: what is
/// computed beyond the halo that must be right is not looked at.
static bool set_columns(Walk* walk, const Sweep* sweep, const Stage* stage, int y) {
    const GullyWorld* world = sweep->world;
    const int tx = walk->share.tx, width = world->tiles[tx].width, fringe = stage->fringe;
    Columns awake = rest_awake(sweep->rest, tx, y - fringe, y + fringe + 1);
    if (awake.from >= awake.to) return false;
    PassRow* row = &walk->row;
    int west = row->x, east = world->width - row->x - width; // cells beyond the panel
    int least = west < stage->halo ? -west : -stage->halo;
    int most = width + (east < stage->halo ? east : stage->halo);
    row->from = awake.from > 0 ? awake.from - fringe * REST_BLOCK : least;
    row->to = awake.to < width ? awake.to + fringe * REST_BLOCK : most;
    if (row->from < least) row->from = least;
    if (row->to > most) row->to = most;
    row->first = row->from > 0 ? row->from : 0;
    row->end = !is_own(walk, y) ? row->first : row->to < width ? row->to : width;
    row->side[WEST] = row->from == -west;
    row->side[EAST] = row->to == width + east;
    return true;
}

static void run_stage(Walk* walk, const Sweep* sweep, const Stage* stage, int y) {
    if (!set_columns(walk, sweep, stage, y)) return;
    PassRow* row = &walk->row;
    bind_fields(walk, sweep, stage, y);
    bind_ring_rows(row, sweep, stage->rings, stage->ring_count, walk->rings, y);
    if (stage->window_count)
        bind_ring_rows(row, sweep, stage->windows, stage->window_count, walk->windows, y);
    if (stage->what.pass->output_only && stage->step < sweep->steps - 1) {
        hide_shown(row, stage->fields, stage->field_count);
        hide_shown(row, stage->windows, stage->window_count);
    }
    row->y = y;
    row->has_boundary = walk->walls[y];
    const bool marks = stage->what.law && stage->what.law->marks_moving; // in its own columns
    row->moving = marks ? rest_marks(sweep->rest, walk->share.tx, y) : NULL;
    row->side[NORTH] = y == 0;
    row->side[SOUTH] = y == sweep->world->height - 1;
    for (int side = 0; side < SIDES; side++)
        row->open[side] = row->side[side] && sweep->world->open[side];
    stage->what.pass->row(row);
}

// ---- windows of narrow fields -------------------------------------------------------------------

static size_t window_floats(const Sweep* sweep) {
    return (size_t)(sweep->plan.window_rows + 1) * sweep->pitch;
}

/// Where a row of a window begins, halo included.
static float* window_row(const Walk* walk, const Sweep* sweep, int window, int y) {
    const int rows = sweep->plan.window_rows;
    return walk->windows - HALO + (size_t)window * window_floats(sweep) +
           (size_t)(y & (rows - 1)) * sweep->pitch;
}

/// Where a row of the narrow field of a window begins, halo included.
static Half* narrow_row_start(const Walk* walk, const Sweep* sweep, int window, int y) {
    const GullyWorld* world = sweep->world;
    const int start = world->start[sweep->plan.windows[window]];
    return (Half*)(walk->rows[1 + y] - HALO +
                   (size_t)start * (world->tiles[walk->share.tx].pitch / 2));
}

/// Makes floats of a row.
static void widen_row(Walk* walk, const Sweep* sweep, int y) {
    const size_t pitch = sweep->world->tiles[walk->share.tx].pitch;
    for (int i = 0; i < sweep->plan.window_count; i++) {
        const Half* from = narrow_row_start(walk, sweep, i, y);
        float* to = window_row(walk, sweep, i, y);
        for (size_t x = 0; x < pitch; x++)
            to[x] = half_unpack(from[x]);
    }
}

/// Makes halves of a row that the last pass of the last step has rounded.
static void narrow_row(const Walk* walk, const Sweep* sweep, int y) {
    const int width = sweep->world->tiles[walk->share.tx].width;
    for (int i = 0; i < sweep->plan.window_count; i++) {
        Half* to = narrow_row_start(walk, sweep, i, y) + HALO;
        const float* from = window_row(walk, sweep, i, y) + HALO;
        for (int x = 0; x < width; x++)
            to[x] = half_pack(from[x]);
    }
}

/// Gets the rows into the windows that stages may read with the front at this row. After rows that
/// slept it begins anew: what was under way then slept too.
static void move_in(Walk* walk, const Sweep* sweep, int front) {
    int first = front - sweep->deepest - 1, last = front + BAND;
    if (walk->next_in < first) walk->next_in = walk->next_out = first;
    for (; walk->next_in <= last && walk->next_in < walk->end; walk->next_in++)
        widen_row(walk, sweep, walk->next_in);
}

/// Stores the rows that all stages have done.
static void move_out(Walk* walk, const Sweep* sweep, int front) {
    int end = front + BAND - sweep->deepest;
    for (; walk->next_out < end && walk->next_out < walk->end; walk->next_out++)
        narrow_row(walk, sweep, walk->next_out);
}

/// What lies outside: above, below and beside the world.
static void mark_windows(const Walk* walk, const Sweep* sweep) {
    for (int i = 0; i < sweep->plan.window_count; i++) {
        float* outside = walk->windows - HALO + (size_t)i * window_floats(sweep) +
                         (size_t)sweep->plan.window_rows * sweep->pitch;
        for (size_t x = 0; x < sweep->pitch; x++)
            outside[x] = sweep->world->fields[sweep->plan.windows[i]].outside;
    }
}

// ---- a sweep ------------------------------------------------------------------------------------

/// Asks for a share of the rows that the sweep comes to next, so that they are in cache by then.
static void prefetch_rows(const Walk* walk, const Sweep* sweep, int first, int share, int shares) {
    enum { LINE = 16 }; // floats of a cache line
    const GullyWorld* world = sweep->world;
    const size_t half_pitch = world->tiles[walk->share.tx].pitch / 2;
    const int lines = (int)((size_t)world->row_size * half_pitch / LINE);
    const int from = lines * share / shares, to = lines * (share + 1) / shares;
    for (int y = first; y < first + BAND && y < walk->end; y++) {
        const float* row = walk->rows[1 + y] - HALO;
        for (int i = from; i < to; i++)
            __builtin_prefetch(row + (size_t)i * LINE, 0, 2);
    }
}

/// The constants of a stage in this sweep; NULL if it has nothing to do.
static const void* consts_of(const Sweep* sweep, const Stage* stage) {
    return stage->what.law ? stage->what.consts : sweep->supplies[stage->step];
}

/// Whether a stage has to compute a row: one of the share, or one that later stages read.
static bool is_seen(const Walk* walk, const Stage* stage, int y) {
    return y >= walk->share.first - stage->before && y < walk->share.end + stage->after &&
           y >= walk->first && y < walk->end;
}

/// Whether nothing is awake where any stage may come to with the front at this row.
static bool band_sleeps(const Sweep* sweep, int tx, int front) {
    Columns awake =
        rest_awake(sweep->rest, tx, front - sweep->deepest - REST_BLOCK, front + BAND + REST_BLOCK);
    return awake.from >= awake.to;
}

/// Takes a step on with the front at this row: every stage comes to as many rows as the front has
/// gone on. A row goes through all stages before the next row does.
static void walk_band(Walk* walk, const Sweep* sweep, int step, int front) {
    const int count = sweep->plan.stages_per_step, turns = sweep->steps * BAND;
    const Stage* stages = &sweep->plan.stages[step * count];
    for (int row = 0; row < BAND; row++) {
        prefetch_rows(walk, sweep, front + BAND, step * BAND + row, turns);
        for (int k = 0; k < count; k++) {
            const Stage* stage = &stages[k];
            const int y = front + row - stage->lag;
            walk->row.consts = consts_of(sweep, stage);
            if (walk->row.consts && is_seen(walk, stage, y)) run_stage(walk, sweep, stage, y);
        }
    }
}

static void walk_share(void* context, int index, int worker) {
    const Sweep* sweep = context;
    const Share* share = &sweep->shares.list[index];
    Walk* walk = &sweep->walks[worker];
    begin_walk(walk, sweep, share);
    mark_windows(walk, sweep);
    walk->next_in = walk->next_out = walk->first;
    const bool windows = sweep->plan.window_count > 0;
    for (int front = walk->first; front < share->end + sweep->deepest; front += BAND) {
        if (band_sleeps(sweep, share->tx, front)) continue;
        if (windows) move_in(walk, sweep, front);
        for (int step = 0; step < sweep->steps; step++)
            walk_band(walk, sweep, step, front);
        if (windows) move_out(walk, sweep, front);
    }
    for (int y = share->first; y < share->end; y += REST_BLOCK)
        rest_end_rows(sweep->rest, &sweep->plan, share->tx, y);
}

/// Fills the halo of a tile, in rows that are awake.
static void fill_halos(void* context, int index, int worker) {
    (void)worker;
    const Sweep* sweep = context;
    const Tile* tile = &sweep->world->tiles[index];
    for (int first = 0, end; first < tile->height; first = end) {
        end = first + REST_BLOCK < tile->height ? first + REST_BLOCK : tile->height;
        // Stages at the fringe of what is awake read further rows.
        Columns awake = rest_awake(sweep->rest, index % sweep->world->tiles_x,
                                   tile->y + first - REST_BLOCK, tile->y + end + REST_BLOCK);
        if (awake.from >= awake.to) continue;
        for (int i = 0; i < sweep->plan.fill_count; i++)
            world_fill_halo(sweep->world, index, sweep->plan.fill[i], first, end, sweep->plan.halo);
    }
}

void sweep_run(Sweep* sweep, int steps, const void* const* supplies) {
    assert(steps >= 1 && steps <= sweep->plan.block);
    sweep->steps = steps;
    memcpy(sweep->supplies, supplies, (size_t)steps * sizeof *supplies);
    sweep->deepest = plan_deepest(&sweep->plan, steps * sweep->plan.stages_per_step);
    rest_begin(sweep->rest, &sweep->plan, steps, supplies);
    const GullyWorld* world = sweep->world;
    Shares* shares = &sweep->shares;
    shares_find(shares, world, sweep->rest, sweep->cut_rows ? pool_threads(sweep->pool) : 1,
                least_rows(sweep));
    if (world->tiles_x > 1)
        pool_run(sweep->pool, world->tiles_x * world->tiles_y, fill_halos, sweep);
    if (shares->cut_count > 0) pool_run(sweep->pool, shares->cut_count, copy_cut, sweep);
    pool_run(sweep->pool, shares->count, walk_share, sweep);
}

// ---- making one ---------------------------------------------------------------------------------

Exact sweep_account(const Sweep* sweep, Account account) {
    Exact sum = 0;
    for (int i = 0; i < pool_threads(sweep->pool); i++)
        sum += sweep->walks[i].accounts[account];
    return sum;
}

void sweep_clear_accounts(Sweep* sweep) {
    for (int i = 0; i < pool_threads(sweep->pool); i++)
        memset(sweep->walks[i].accounts, 0, sizeof sweep->walks[i].accounts);
}

static bool create_walks(Sweep* sweep) {
    const size_t threads = (size_t)pool_threads(sweep->pool), height = (size_t)sweep->world->height;
    sweep->walks = calloc(threads, sizeof *sweep->walks);
    for (size_t i = 0; sweep->walks && i < threads; i++) {
        Walk* walk = &sweep->walks[i];
        size_t floats = MAX_FIELDS * sweep->pitch + 2 * MARGIN;
        walk->rows = malloc((height + 2) * sizeof *walk->rows);
        walk->walls = malloc(height * sizeof *walk->walls);
        walk->outside = aligned_alloc(64, floats * sizeof *walk->outside);
        if (!walk->rows || !walk->walls || !walk->outside) return false;
        memset(walk->outside, 0, floats * sizeof *walk->outside);
    }
    return sweep->walks != NULL;
}

GullyStatus sweep_create(GullyWorld* world, Pool* pool, Sweep** out) {
    *out = NULL;
    Sweep* sweep = calloc(1, sizeof *sweep);
    if (!sweep) return gully_fail(GULLY_FAILED, "no memory for a stepper");
    sweep->world = world;
    sweep->pool = pool;
    sweep->pitch = world->tiles[0].pitch; // the first tile is the widest
    GullyStatus status = rest_create(world, &sweep->rest);
    if (!status) status = shares_create(world, pool_threads(pool), &sweep->shares);
    if (!status && !create_walks(sweep))
        status = gully_fail(GULLY_FAILED, "no memory for a stepper");
    if (status) {
        sweep_destroy(sweep);
        return status;
    }
    *out = sweep;
    return GULLY_OK;
}

void sweep_destroy(Sweep* sweep) {
    if (!sweep) return;
    for (int i = 0; sweep->walks && i < pool_threads(sweep->pool); i++) {
        free(sweep->walks[i].rows);
        free(sweep->walks[i].walls);
        free(sweep->walks[i].outside);
        free(sweep->walks[i].memory);
    }
    free(sweep->walks);
    rest_destroy(sweep->rest);
    plan_destroy(&sweep->plan);
    shares_destroy(&sweep->shares);
    free(sweep->cut_rows);
    free(sweep);
}
