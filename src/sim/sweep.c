// SPDX-License-Identifier: MIT
/// The sweep: the fast stepper. A row goes through all passes of several steps while it is in cache.
///
/// A worker walks down a block (blocks.h), a batch of rows at a time. Each pass follows the one
/// before it a few rows behind, as far as what they read and write beside a cell demands, and the
/// passes of the next step follow those of this one (plan.h):
///
///            columns ──>
///     rows   ┌──────────────────────────┐
///      │     │ step 2 is done           │   the last pass of the last step
///      v     │ - - - - - - - - - - - -  │
///            │ passes of step 2         │   lag rows behind the front
///            │ - - - - - - - - - - - -  │
///            │ passes of step 1         │
///            │ - - - - - - - - - - - -  │ ← front: the first pass of step 1
///            │ not begun                │
///            └──────────────────────────┘
///
/// Everything is updated in place. Cells beyond the block's borders are computed as well, as far as
/// later passes read them, on copies that the borders hold (border.h). So no worker waits for
/// another. Scratch fields are rings of a few rows (row_buffers.h). Patches at rest are skipped
/// (activity.h). The result is that of the plain stepper, bit for bit.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lease.h"
#include "rank_border.h"
#include "row_buffers.h"
#include "trace_rows.h"

/// How many rows lie between a row that shows another level's cells and the next one of this level's own,
/// to the south and to the north; 0, 0 for an own one.
typedef struct RowGap {
    int before, after;
} RowGap;

/// What a thread needs while it walks down a block. Copies of what every row asks for are kept here.
typedef struct SweepWorker {
    Block block;
    int first, end;       // rows that it sees: its own, and those of its borders at seams
    int width;            // of the panel
    int west, east;       // cells of the world beyond it
    size_t half_pitch;    // of its rows
    float** rows;         // [1 + height + 1]: where a row begins, also the one before and after
    const bool* boundary; // [height]: PassRow.has_boundary
    RowGap* gaps;         // [height], if some of its rows show another level's cells
    bool has_ghosts;
    RowBuffers buffers;
    TraceRows traces;
    Exact accounts[ACCOUNTS];
    Exact ignored[ACCOUNTS]; // of cells that are another level's
    PassRow row;
} SweepWorker;

typedef struct Sweep {
    Stepper stepper;
    GullyWorld* world;
    Pool* pool;
    Plan plan;
    Activity* activity;
    Borders* borders;
    Blocks blocks;
    SweepWorker* workers; // of each thread
    int64_t leases;       // of the world, that the activity map knows of
    bool divides;         // panels can be divided at seams
    int most_steps;       // of a run; 0 = as many as fit
    Bands bands;
    Band band; // the one that is visited
    RankBorder rank_border;
    // The run under way.
    int steps, deepest;
    bool is_last; // of the visit
    StepConsts consts;
} Sweep;

// ---- getting ready ------------------------------------------------------------------------------

/// Rows that a block has at least. With fewer, workers would compute more for each other than for
/// themselves.
static int least_rows(const Sweep* sweep) {
    return sweep->plan.reach > 0 ? 2 * sweep->plan.reach : 1;
}

/// Seams that a run can have at most.
static size_t most_seams(const Sweep* sweep) {
    const size_t wanted = (size_t)pool_threads(sweep->pool) - 1;
    const size_t fit =
        (size_t)(sweep->world->height / least_rows(sweep)) * (size_t)sweep->world->tiles_x;
    return wanted < fit ? wanted : fit;
}

/// Wakes what was written since the last run.
static GullyStatus look_around(Sweep* sweep) {
    GullyWorld* world = sweep->world;
    const int64_t now = atomic_load(&world->leases);
    if (sweep->leases < 0) activity_clear(sweep->activity);
    for (int i = first_tile(world); i < end_tile(world); i++) {
        if (atomic_load(&world->tiles[i].edited) <= sweep->leases) continue;
        GullyStatus status = activity_look(sweep->activity, &sweep->plan, i);
        if (status) return status;
    }
    sweep->leases = now;
    return GULLY_OK;
}

/// Chooses bands. Ranks have visits of as many runs, those that the one with the least room has: one, if
/// every rank has all of its rows in memory.
static GullyStatus choose_bands(Sweep* sweep) {
    const GullyWorld* world = sweep->world;
    GullyStatus status = bands_choose(world, &sweep->plan, 0, &sweep->bands);
    if (!ranks_share(world->ranks)) return status;
    const bool is_whole = sweep->bands.rows >= world->end_row - world->first_row;
    int64_t wanted = is_whole ? 1 : sweep->bands.runs, most;
    status = gully_ranks_most(world->ranks, status, &wanted);
    if (!status && wanted != sweep->bands.runs)
        status = bands_choose(world, &sweep->plan, (int)wanted, &sweep->bands);
    most = -(int64_t)sweep->bands.runs;
    status = gully_ranks_most(world->ranks, status, &most);
    if (!status && -most != sweep->bands.runs)
        status = bands_choose(world, &sweep->plan, (int)-most, &sweep->bands);
    return gully_ranks_agree(world->ranks, status);
}

/// Gets ready to exchange rows with other ranks. All of them must store the same fields.
static GullyStatus meet_neighbours(Sweep* sweep, GullyStatus status) {
    GullyWorld* world = sweep->world;
    double least = world->row_size, most = world->row_size;
    bool changed = false;
    if (!status) status = rank_border_reserve(&sweep->rank_border, &sweep->band, &sweep->plan);
    status = ranks_range(world->ranks, status, &least, &most);
    if (!status && least != most)
        status = gully_fail(GULLY_FAILED, "ranks do not have the same fields");
    if (!status) status = rank_border_tell(world, &sweep->plan, sweep->bands.depth, &changed);
    if (changed) borders_forget(sweep->borders);
    return status;
}

static GullyStatus bind(Stepper* stepper) {
    Sweep* sweep = (Sweep*)stepper;
    Plan* plan = &sweep->plan;
    GullyStatus status = world_come_home(sweep->world);
    plan_bind(plan, sweep->world);
    if (!status) status = choose_bands(sweep);
    if (!status) status = band_reserve(&sweep->band, sweep->world, sweep->bands.depth);
    if (!status) status = look_around(sweep);
    if (ranks_share(sweep->world->ranks)) status = meet_neighbours(sweep, status);
    if (status) return status;
    stepper->run_steps = sweep->bands.runs * plan->steps;
    sweep->divides = borders_reserve_seams(sweep->borders, most_seams(sweep), plan->reach);
    return borders_bind(sweep->borders);
}

/// Fields that the world does not store read as their value.
static void bind_absent(PassRow* row, const GullyWorld* world) {
    for (int id = 0; id < COMMON_FIELDS; id++) {
        if (world->common[id] >= 0) continue;
        for (int side = 0; side < ROWS; side++)
            row->in[id][side] = world_value_row(world, id);
        row->out[id] = NULL;
    }
}

/// Whether a panel has tiles that show another level's cells.
static bool has_ghosts(const GullyWorld* world, int panel) {
    for (int i = panel; i < world->tiles_x * world->tiles_y; i += world->tiles_x)
        if (world->tiles[i].is_ghost) return true;
    return false;
}

static void find_gaps(const GullyWorld* world, int panel, RowGap* gaps) {
    const int height = world->height;
    for (int y = 0, gap = height; y < height; y++) {
        gap = tile_of_row(world, panel, y)->is_ghost ? gap + 1 : 0;
        gaps[y].after = gap;
    }
    for (int y = height - 1, gap = height; y >= 0; y--) {
        gap = gaps[y].after > 0 ? gap + 1 : 0;
        gaps[y].before = gap;
    }
}

static void begin_block(SweepWorker* worker, const Sweep* sweep, const Block* block) {
    const int reach = sweep->plan.reach, height = sweep->world->height;
    const Tile* panel = &sweep->world->tiles[block->panel];
    worker->block = *block;
    worker->width = panel->width;
    worker->west = panel->x;
    worker->east = sweep->world->width - panel->x - panel->width;
    worker->half_pitch = panel->pitch / 2;
    worker->first = block->first > reach ? block->first - reach : 0;
    worker->end = block->end + reach < height ? block->end + reach : height;
    worker->boundary = border_boundary_rows(sweep->borders, block->panel);
    worker->has_ghosts = has_ghosts(sweep->world, block->panel);
    if (worker->has_ghosts) find_gaps(sweep->world, block->panel, worker->gaps);
    float** rows = worker->rows + 1;
    for (int y = worker->first; y < worker->end; y++)
        rows[y] = border_row(sweep->borders, block, y);
    // Passes point at these rows, but read them only at the sides of the world.
    rows[worker->first - 1] = border_row(sweep->borders, block, -1);
    rows[worker->end] = border_row(sweep->borders, block, height);
    row_buffers_begin(&worker->buffers, &sweep->plan, sweep->world, block->panel, worker->first);
    trace_rows_begin(&worker->traces, worker->first, worker->end);
    worker->row = (PassRow){.x = panel->x, .accounts = worker->accounts};
    for (int i = 0; i < SCRATCH_ROWS; i++)
        worker->row.scratch[i] = worker->buffers.scratch + (size_t)i * worker->buffers.pitch;
    bind_absent(&worker->row, sweep->world);
}

// ---- a pass on a row ----------------------------------------------------------------------------

/// Points the fields of a pass at row y. All of them also at the rows before and after, whether it
/// reads them or not: that costs less than asking.
static void bind_fields(SweepWorker* worker, const ScheduledPass* pass, int y) {
    PassRow* row = &worker->row;
    const size_t half_pitch = worker->half_pitch;
    float* const* at = worker->rows + y; // [ROWS], beginning with the row before
    for (int i = 0; i < pass->field_count; i++) {
        const int id = pass->fields[i].id;
        const size_t offset = (size_t)pass->fields[i].place * half_pitch + STRIP;
        row->in[id][NORTH_ROW] = at[NORTH_ROW] + offset;
        row->in[id][HERE] = row->out[id] = at[HERE] + offset;
        row->in[id][SOUTH_ROW] = at[SOUTH_ROW] + offset;
    }
}

/// Hides fields that only the last step of a run has to write.
static void hide_outputs(PassRow* row, const FieldAccess* fields, int count) {
    for (int i = 0; i < count; i++)
        if (fields[i].output_only) row->out[fields[i].id] = NULL;
}

/// Sets the columns that a pass computes in row y; false if there are none. Whole vectors: what is
/// computed beyond the columns that must be right is never read.
static bool set_columns(SweepWorker* worker, const Sweep* sweep, const ScheduledPass* pass, int y) {
    const Block* block = &worker->block;
    const int width = worker->width, west = worker->west, east = worker->east;
    const int fringe = pass->fringe;
    const ActiveSpan awake =
        activity_span(sweep->activity, block->panel, y - fringe, y + fringe + 1);
    if (awake.from >= awake.to) return false;
    PassRow* row = &worker->row;
    const int least = west < pass->strip ? -west : -pass->strip;
    const int most = width + (east < pass->strip ? east : pass->strip);
    row->from = awake.from > 0 ? awake.from - fringe * PATCH : least;
    row->to = awake.to < width ? awake.to + fringe * PATCH : most;
    if (row->from < least) row->from = least;
    if (row->to > most) row->to = most;
    const Band* band = &sweep->band;
    const bool is_own = y >= block->first && y < block->end && y >= band->first && y < band->end;
    row->first = row->from > 0 ? row->from : 0;
    row->end = !is_own ? row->first : row->to < width ? row->to : width;
    row->side[WEST] = row->from == -west;
    row->side[EAST] = row->to == width + east;
    return true;
}

/// Asks the columns of a row for traces that any pass may read, before the first one does.
static void ask_for_traces(SweepWorker* worker, const Sweep* sweep, int y) {
    if (y < worker->first || y >= worker->end || trace_rows_is_known(&worker->traces, y)) return;
    const int panel = worker->block.panel, fringe = sweep->plan.fringe;
    const ActiveSpan awake = activity_span(sweep->activity, panel, y - fringe - 1, y + fringe + 2);
    const int beside = fringe * PATCH + 1;
    trace_rows_ask(&worker->traces, &sweep->plan, sweep->world, panel, worker->rows[1 + y], y,
                   awake.from - beside, awake.to + beside);
}

static void run_pass(SweepWorker* worker, const Sweep* sweep, const ScheduledPass* pass, int y) {
    if (!set_columns(worker, sweep, pass, y)) return;
    PassRow* row = &worker->row;
    const RowBuffers* buffers = &worker->buffers;
    const int height = sweep->world->height;
    bind_fields(worker, pass, y);
    row_buffers_bind(buffers, buffers->rings, pass->rings, pass->ring_count, y, height, row);
    if (pass->window_count)
        row_buffers_bind(buffers, buffers->windows, pass->windows, pass->window_count, y, height,
                         row);
    if (pass->entry.pass->output_only && pass->step < sweep->steps - 1) {
        hide_outputs(row, pass->fields, pass->field_count);
        hide_outputs(row, pass->windows, pass->window_count);
    }
    row->y = y;
    const bool is_ghost = worker->has_ghosts && worker->gaps[y].before > 0;
    row->accounts = is_ghost ? worker->ignored : worker->accounts;
    row->has_boundary = worker->boundary[y];
    row->moving = pass->entry.law->marks_moving
                      ? activity_marks(sweep->activity, worker->block.panel, y)
                      : NULL;
    row->side[NORTH] = y == 0;
    row->side[SOUTH] = y == height - 1;
    for (int side = 0; side < SIDES; side++)
        row->open[side] = row->side[side] && sweep->world->open[side];
    for (int near = y - 1; near <= y + 1; near++)
        ask_for_traces(worker, sweep, near);
    trace_rows_run(&worker->traces, pass, row, worker->first, worker->end);
}

// ---- walking down a block -----------------------------------------------------------------------

/// Whether a pass has to compute a row: one of the block, or one that later passes read.
static bool is_needed(const SweepWorker* worker, const ScheduledPass* pass, int y) {
    if (y < worker->block.first - pass->before || y >= worker->block.end + pass->after ||
        y < worker->first || y >= worker->end)
        return false;
    if (!worker->has_ghosts) return true;
    const RowGap gap = worker->gaps[y];
    return gap.before <= pass->before || gap.after <= pass->after;
}

/// Advances a step by a batch of rows. A row goes through all passes before the next row does.
static void walk_batch(SweepWorker* worker, const Sweep* sweep, int step, int front) {
    const int count = sweep->plan.step_passes;
    const ScheduledPass* passes = &sweep->plan.passes[step * count];
    StepConsts consts = &sweep->consts[step * count];
    for (int i = 0; i < BATCH_ROWS; i++) {
        for (int k = 0; k < count; k++) {
            const int y = front + i - passes[k].lag;
            worker->row.consts = consts[k];
            if (consts[k] && is_needed(worker, &passes[k], y))
                run_pass(worker, sweep, &passes[k], y);
        }
    }
}

/// Whether nothing is awake wherever a pass may come to with the front at this row.
static bool batch_sleeps(const Sweep* sweep, int panel, int front) {
    ActiveSpan awake = activity_span(sweep->activity, panel, front - sweep->deepest - PATCH,
                                     front + BATCH_ROWS + PATCH);
    return awake.from >= awake.to;
}

static int least_of(int a, int b) {
    return a < b ? a : b;
}

/// Finds what is active in the band's own rows of a block.
static void find_active(const Sweep* sweep, const Block* block) {
    const Band* band = &sweep->band;
    const int first = block->first > band->first ? block->first : band->first;
    for (int y = first; y < block->end && y < band->end; y += PATCH)
        activity_end_rows(sweep->activity, &sweep->plan, block->panel, y);
}

/// Takes the rows of the rank beyond a side, if they have not come yet.
static void take_rows(Sweep* sweep, Side side) {
    rank_border_take(&sweep->rank_border, sweep->borders, &sweep->band, &sweep->plan,
                     sweep->activity, side);
}

/// Whether the walk of a block comes to rows of the rank in the south with the front at this row.
static bool comes_to_rank(const Sweep* sweep, const Block* block, int front) {
    return block->end == sweep->world->end_row && front + BATCH_ROWS >= block->end;
}

static void walk_block(void* context, int index, int thread) {
    Sweep* sweep = context;
    const Plan* plan = &sweep->plan;
    const Block* block = &sweep->blocks.list[index];
    SweepWorker* worker = &sweep->workers[thread];
    RowBuffers* buffers = &worker->buffers;
    float* const* rows = worker->rows + 1;
    const int deepest = sweep->deepest;
    begin_block(worker, sweep, block);
    for (int front = worker->first; front < block->end + deepest; front += BATCH_ROWS) {
        if (batch_sleeps(sweep, block->panel, front)) continue;
        if (comes_to_rank(sweep, block, front))
            take_rows(sweep, SOUTH);
        else
            rank_border_progress(&sweep->rank_border, sweep->world);
        const int loaded = least_of(front + BATCH_ROWS + 1, worker->end);
        const int done = least_of(front + BATCH_ROWS - deepest, worker->end);
        if (plan->window_count > 0)
            windows_load(buffers, plan, sweep->world, block->panel, rows, front - deepest - 1,
                         loaded);
        for (int step = 0; step < sweep->steps; step++)
            walk_batch(worker, sweep, step, front);
        if (plan->window_count > 0)
            windows_store(buffers, plan, sweep->world, block->panel, rows, done);
    }
    if (sweep->is_last) find_active(sweep, block);
}

/// Fills the rows beyond the band. Those of the rank in the south may come later, while it steps, unless
/// blocks lie among them.
static void fill_beyond(Sweep* sweep, int beyond) {
    const Band* band = &sweep->band;
    const GullyWorld* world = sweep->world;
    const bool is_first = band->first == world->first_row, is_last = band->end == world->end_row;
    for (Side side = NORTH; side <= SOUTH; side++) {
        const bool awaits = sweep->rank_border.awaits[side] && (side == NORTH ? is_first : is_last);
        if (!awaits)
            borders_fill_beyond(sweep->borders, &sweep->plan, sweep->activity, side);
        else if (side == NORTH || beyond > 0)
            take_rows(sweep, side);
    }
}

/// Runs steps of the band, after which rows are right that lie up to `beyond` rows beyond it.
static void run_band(Sweep* sweep, int steps, int beyond) {
    const Plan* plan = &sweep->plan;
    const Band* band = &sweep->band;
    const int height = sweep->world->height;
    const RowRange rows = {band->first > beyond ? band->first - beyond : 0,
                           band->end + beyond < height ? band->end + beyond : height};
    sweep->steps = steps;
    sweep->deepest = plan_deepest(plan, steps * plan->step_passes);
    blocks_divide(&sweep->blocks, sweep->world, sweep->activity, rows,
                  sweep->divides ? pool_threads(sweep->pool) : 1, least_rows(sweep));
    borders_fill_strips(sweep->borders, sweep->pool, &sweep->blocks, plan, sweep->activity, band);
    fill_beyond(sweep, beyond);
    borders_fill_seams(sweep->borders, sweep->pool, &sweep->blocks, plan, sweep->activity);
    pool_run(sweep->pool, sweep->blocks.count, walk_block, sweep);
}

/// Steps the rows of a band, as often as the visit says.
static GullyStatus visit(Sweep* sweep, int first, int end, int steps, StepConsts consts) {
    const Plan* plan = &sweep->plan;
    const int around = plan_deepest(plan, plan->steps * plan->step_passes) + 4 * PATCH;
    GullyStatus status = band_begin(&sweep->band, plan, sweep->activity, first, end, around);
    if (status) return status;
    for (int done = 0; done < steps; done += plan->steps) {
        const int left = steps - done, now = least_of(left, plan->steps);
        sweep->consts = consts + (size_t)done * (size_t)plan->step_passes;
        sweep->is_last = left == now;
        run_band(sweep, now, (left - now + plan->steps - 1) / plan->steps * plan->reach);
    }
    band_end(&sweep->band, sweep->activity, around);
    return GULLY_OK;
}

/// Tells who watches the world what is about to change: cells of awake patches, and no others.
static void tell_changes(const Sweep* sweep) {
    const GullyWorld* world = sweep->world;
    if (!world->watch) return;
    for (int y = world->first_row; y < world->end_row; y += PATCH) {
        const int end = least_of(y + PATCH, world->end_row);
        for (int panel = 0; panel < world->tiles_x; panel++) {
            const ActiveSpan awake = activity_span(sweep->activity, panel, y, end);
            const int x = world->tiles[panel].x + awake.from;
            if (awake.from < awake.to)
                world_will_change(world, (GullyRect){x, y, awake.to - awake.from, end - y});
        }
    }
}

/// Finds what is awake in a visit.
static GullyStatus wake(Sweep* sweep, int steps, StepConsts consts) {
    const Plan* plan = &sweep->plan;
    const int reach = plan_visit_reach(plan, steps);
    const bool all =
        activity_wake_laws(sweep->activity, plan->entries, plan->step_passes, steps, consts);
    GullyStatus status = GULLY_OK;
    if (!all && ranks_share(sweep->world->ranks))
        status = rank_border_wake(sweep->activity, sweep->world, reach, plan->fringe);
    activity_spread(sweep->activity, reach, plan->fringe);
    return status;
}

static GullyStatus run(Stepper* stepper, int steps, StepConsts consts) {
    Sweep* sweep = (Sweep*)stepper;
    const GullyWorld* world = sweep->world;
    const int end = world->end_row, rows = sweep->bands.rows;
    const bool shares = ranks_share(world->ranks);
    assert(steps >= 1 && steps <= stepper->run_steps);
    GullyStatus status = world_come_home(world);
    if (!status) status = wake(sweep, steps, consts);
    if (!status) tell_changes(sweep);
    GullyStatus ranks = GULLY_OK;
    if (shares)
        ranks = rank_border_begin(&sweep->rank_border, &sweep->band, &sweep->plan, sweep->activity);
    status = status ? status : ranks;
    for (int first = world->first_row; first < end && !status; first += rows)
        status = visit(sweep, first, least_of(first + rows, end), steps, consts);
    if (shares) ranks = rank_border_end(&sweep->rank_border, world);
    return gully_ranks_agree(world->ranks, status ? status : ranks);
}

static void wake_cells(Stepper* stepper, CellRect cells) {
    Sweep* sweep = (Sweep*)stepper;
    if (sweep->leases < 0) { // what was never written rests
        activity_clear(sweep->activity);
        sweep->leases = 0;
    }
    activity_wake_cells(sweep->activity, cells);
}

static GullyStatus accounts(Stepper* stepper, Exact sums[ACCOUNTS]) {
    Sweep* sweep = (Sweep*)stepper;
    for (int i = 0; i < pool_threads(sweep->pool); i++) {
        Exact* counted = sweep->workers[i].accounts;
        for (int account = 0; account < ACCOUNTS; account++)
            sums[account] += counted[account];
        memset(counted, 0, sizeof sweep->workers[i].accounts);
    }
    return GULLY_OK;
}

// ---- making one ---------------------------------------------------------------------------------

static bool fits(const StepEntry* entries, int count) {
    return plan_fits(entries, count);
}

static GullyStatus plan_step(Stepper* stepper, const StepEntry* entries, int count) {
    Sweep* sweep = (Sweep*)stepper;
    assert(!sweep->plan.passes);
    const size_t pitch = sweep->world->tiles[0].pitch; // the first tile is the widest
    GullyStatus status = plan_create(entries, count, sweep->most_steps, &sweep->plan);
    for (int i = 0; i < pool_threads(sweep->pool) && !status; i++)
        status = row_buffers_create(&sweep->plan, sweep->world, pitch, &sweep->workers[i].buffers);
    stepper->run_steps = sweep->plan.steps;
    return status;
}

static void close_sweep(Stepper* stepper) {
    Sweep* sweep = (Sweep*)stepper;
    for (int i = 0; sweep->workers && i < pool_threads(sweep->pool); i++) {
        free(sweep->workers[i].rows);
        free(sweep->workers[i].gaps);
        row_buffers_destroy(&sweep->workers[i].buffers);
        trace_rows_destroy(&sweep->workers[i].traces);
    }
    free(sweep->workers);
    activity_destroy(sweep->activity);
    borders_destroy(sweep->borders);
    blocks_destroy(&sweep->blocks);
    band_free(&sweep->band);
    rank_border_free(&sweep->rank_border);
    plan_destroy(&sweep->plan);
    free(sweep);
}

static GullyStatus create_workers(Sweep* sweep) {
    const int threads = pool_threads(sweep->pool), height = sweep->world->height;
    sweep->workers = calloc((size_t)threads, sizeof *sweep->workers);
    for (int i = 0; sweep->workers && i < threads; i++) {
        SweepWorker* worker = &sweep->workers[i];
        worker->rows = malloc(((size_t)height + 2) * sizeof *worker->rows);
        worker->gaps = malloc((size_t)height * sizeof *worker->gaps);
        if (!worker->rows || !worker->gaps)
            return gully_fail(GULLY_NO_MEMORY, "no memory for %d rows", height);
        const size_t pitch = sweep->world->tiles[0].pitch; // the first tile is the widest
        GullyStatus status = trace_rows_create(height, pitch, &worker->traces);
        if (status) return status;
    }
    return sweep->workers ? GULLY_OK
                          : gully_fail(GULLY_NO_MEMORY, "no memory for %d threads", threads);
}

static GullyStatus open_sweep(const StepperPlace* place, Stepper** out) {
    *out = NULL;
    Sweep* sweep = calloc(1, sizeof *sweep);
    if (!sweep) return gully_fail(GULLY_NO_MEMORY, "no memory for a stepper");
    sweep->stepper.kind = &sweep_stepper;
    sweep->world = place->world;
    sweep->pool = place->pool;
    sweep->most_steps = place->most_steps;
    sweep->leases = -1;
    rank_border_init(&sweep->rank_border);
    GullyStatus status = activity_create(place->world, &sweep->activity);
    if (!status) status = borders_create(place->world, &sweep->borders);
    if (!status) status = blocks_create(place->world, pool_threads(place->pool), &sweep->blocks);
    if (!status) status = create_workers(sweep);
    if (status) {
        close_sweep(&sweep->stepper);
        return status;
    }
    *out = &sweep->stepper;
    return GULLY_OK;
}

const StepperKind sweep_stepper = {
    .name = "sweep",
    .keeps_scratch = true,
    .has_windows = true,
    .tells = true,
    .fits = fits,
    .open = open_sweep,
    .plan = plan_step,
    .bind = bind,
    .run = run,
    .wake = wake_cells,
    .accounts = accounts,
    .close = close_sweep,
};
