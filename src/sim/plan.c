#include "plan.h"

#include <assert.h>
#include <stdlib.h>

/// Columns that a panel computes for itself beside its own; one of the halo stays for the outside.
enum { HALO_COLUMNS = HALO - 1 };

static bool is_scratch(const SweepPass* pass, int id) {
    return id >= LAW_FIELDS && pass->law->fields[id - LAW_FIELDS].scratch;
}

static FieldSet reads_beside(const Pass* pass) {
    return pass_reads_before(pass) | pass_reads_after(pass);
}

// ---- lags ---------------------------------------------------------------------------------------

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

/// Rows by which a stage must stay behind an earlier one; -1 = it need not know of it. What it
/// reads in the row after must be there; what the earlier one reads in the row before must still
/// be.
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

// ---- how far stages reach -----------------------------------------------------------------------

/// Columns by which the passes of a step reach further to one side than what they compute.
static int reach_of(const SweepPass* passes, int count) {
    int before = 0, after = 0;
    for (int i = 0; i < count; i++) {
        before += pass_reads_before(passes[i].pass) != 0;
        after += pass_reads_after(passes[i].pass) != 0;
    }
    return before > after ? before : after;
}

static int whole_vectors(int columns) {
    return (columns + VECTOR - 1) / VECTOR * VECTOR;
}

static FieldSet scratch_fields(const SweepPass* pass) {
    FieldSet set = 0;
    for (int id = LAW_FIELDS; pass->law && id < LAW_FIELDS + pass->law->field_count; id++) {
        if (is_scratch(pass, id)) set |= FIELD_BIT(id);
    }
    return set;
}

/// Where a part of the world sleeps, its fields stay right but its scratch fields are not computed:
/// a stage that writes those goes on around what is awake as far as later stages will read.
static void set_fringes(Stage* stages, int count) {
    for (int k = count - 1; k >= 0; k--) {
        Stage* stage = &stages[k];
        FieldSet made = stage->what.pass->writes & scratch_fields(&stage->what);
        for (int j = k + 1; j < count && stages[j].step == stage->step; j++) {
            const Pass* later = stages[j].what.pass;
            if (stages[j].what.law != stage->what.law || !(made & pass_reads(later))) continue;
            int fringe = stages[j].fringe + ((made & reads_beside(later)) != 0);
            if (fringe > stage->fringe) stage->fringe = fringe;
        }
    }
}

// ---- where fields are ---------------------------------------------------------------------------

static int power_of_two(int least) {
    int power = 1;
    while (power < least)
        power *= 2;
    return power;
}

/// Rows that the ring of a scratch field must hold: from the first that a stage of the step still
/// reads to the last that one writes.
static int rows_of_ring(const Plan* plan, const Stage* of, int id) {
    int newest = of->lag, oldest = of->lag; // rows behind the front
    for (int k = 0; k < plan->stages_per_step; k++) {
        const Stage* stage = &plan->stages[of->step * plan->stages_per_step + k];
        const Pass* pass = stage->what.pass;
        bool touches = ((pass_reads(pass) | pass->writes) & FIELD_BIT(id)) != 0;
        if (stage->what.law != of->what.law || !touches) continue;
        int last = stage->lag + ((pass_reads_before(pass) & FIELD_BIT(id)) != 0);
        newest = stage->lag < newest ? stage->lag : newest;
        oldest = last > oldest ? last : oldest;
    }
    return power_of_two(oldest - newest + 1);
}

/// The ring of a scratch field in one of the steps, which it gets when first asked for.
static const Ring* ring_of(Plan* plan, const Stage* stage, int id) {
    const Law* law = stage->what.law;
    for (int i = 0; i < plan->ring_count; i++) {
        const Ring* ring = &plan->rings[i];
        if (ring->law == law && ring->id == id && ring->step == stage->step) return ring;
    }
    assert(plan->ring_count < MAX_RINGS);
    Ring* ring = &plan->rings[plan->ring_count++];
    *ring = (Ring){.law = law,
                   .id = id,
                   .step = stage->step,
                   .place = plan->ring_rows,
                   .rows = rows_of_ring(plan, stage, id),
                   .outside = law->fields[id - LAW_FIELDS].outside};
    plan->ring_rows += ring->rows + 1;
    return ring;
}

static void list_rings(Plan* plan, Stage* stage) {
    FieldSet all = pass_reads(stage->what.pass) | stage->what.pass->writes;
    for (int id = LAW_FIELDS; id < FIELD_IDS; id++) {
        if (!(all & FIELD_BIT(id)) || !is_scratch(&stage->what, id)) continue;
        const Ring* ring = ring_of(plan, stage, id);
        stage->rings[stage->ring_count++] =
            (Access){.id = id, .place = ring->place, .rows = ring->rows};
    }
}

/// The window of a narrow field, which it gets when first asked for.
static int window_of(Plan* plan, int slot) {
    for (int i = 0; i < plan->window_count; i++) {
        if (plan->windows[i] == slot) return i;
    }
    plan->windows[plan->window_count] = slot;
    return plan->window_count++;
}

void plan_bind(Plan* plan, const GullyWorld* world) {
    bool wanted[MAX_FIELDS] = {false};
    plan->window_count = 0;
    for (int k = 0; k < plan->block * plan->stages_per_step; k++) {
        Stage* stage = &plan->stages[k];
        FieldSet reads = pass_reads(stage->what.pass), all = reads | stage->what.pass->writes;
        stage->field_count = stage->window_count = 0;
        for (int id = 0; id < FIELD_IDS; id++) {
            if (!(all & FIELD_BIT(id)) || is_scratch(&stage->what, id)) continue;
            int slot = stage->what.slots[id];
            if (slot < 0) continue;
            Access access = {
                .id = id,
                .shown = (stage->what.pass->output_only & FIELD_BIT(id)) != 0,
            };
            wanted[slot] |= (reads & FIELD_BIT(id)) != 0;
            if (is_narrow(world, slot)) {
                access.place = window_of(plan, slot) * (plan->window_rows + 1);
                access.rows = plan->window_rows;
                stage->windows[stage->window_count++] = access;
            } else {
                access.place = world->start[slot];
                stage->fields[stage->field_count++] = access;
            }
        }
    }
    plan->fill_count = 0;
    for (int slot = 0; slot < MAX_FIELDS; slot++) {
        if (wanted[slot]) plan->fill[plan->fill_count++] = slot;
    }
}

int plan_deepest(const Plan* plan, int stages) {
    int deepest = 0;
    for (int k = 0; k < stages; k++)
        deepest = plan->stages[k].lag > deepest ? plan->stages[k].lag : deepest;
    return deepest;
}

// ---- the plan -----------------------------------------------------------------------------------

bool plan_fits(const SweepPass* passes, int count) {
    return count <= MAX_STEP_PASSES && reach_of(passes, count) <= HALO_COLUMNS;
}

GullyStatus plan_create(const SweepPass* passes, int count, Plan* out) {
    assert(plan_fits(passes, count));
    int reach = reach_of(passes, count), block = reach > 0 ? HALO_COLUMNS / reach : MAX_BLOCK;
    Plan plan = {.stages_per_step = count, .block = block < MAX_BLOCK ? block : MAX_BLOCK};
    plan.reach = plan.block * reach;
    plan.halo = whole_vectors(plan.reach);
    int stages = plan.block * count;
    plan.stages = calloc((size_t)stages, sizeof *plan.stages);
    if (!plan.stages) return gully_fail(GULLY_FAILED, "no memory for %d passes", stages);
    int before = 0, after = 0;
    for (int k = stages - 1; k >= 0; k--) {
        Stage* stage = &plan.stages[k];
        *stage = (Stage){.what = passes[k % count],
                         .step = k / count,
                         .before = before,
                         .after = after,
                         .halo = whole_vectors(before > after ? before : after)};
        before += pass_reads_before(stage->what.pass) != 0;
        after += pass_reads_after(stage->what.pass) != 0;
    }
    set_lags(plan.stages, stages);
    set_fringes(plan.stages, stages);
    for (int k = 0; k < stages; k++)
        plan.fringe = plan.stages[k].fringe > plan.fringe ? plan.stages[k].fringe : plan.fringe;
    for (int k = 0; k < stages; k++)
        list_rings(&plan, &plan.stages[k]);
    // From the row before the last stage's to the row after the first's.
    plan.window_rows = power_of_two(plan_deepest(&plan, stages) + 2 * BAND + 2);
    *out = plan;
    return GULLY_OK;
}

void plan_destroy(Plan* plan) {
    free(plan->stages);
    plan->stages = NULL;
}
