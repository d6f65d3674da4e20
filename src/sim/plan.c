// SPDX-License-Identifier: MIT
#include "plan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/// Columns that a block can compute beside its own; the last column of a strip stays for the
/// outside.
enum { STRIP_COLUMNS = STRIP - 1 };

static bool is_scratch(const StepEntry* entry, int id) {
    return id >= LAW_FIELDS && entry->law->fields[id - LAW_FIELDS].scratch;
}

static FieldSet reads_beside(const Pass* pass) {
    return pass_reads_before(pass) | pass_reads_after(pass);
}

static FieldSet touches(const Pass* pass) {
    return pass_reads(pass) | pass->writes;
}

// ---- lags ---------------------------------------------------------------------------------------

/// Whether two sets of fields of two passes have one in common: laws share the common fields, a
/// law's own fields are its own, and its scratch fields are its own in each step.
static bool overlap(const ScheduledPass* a, FieldSet set_a, const ScheduledPass* b,
                    FieldSet set_b) {
    FieldSet both = set_a & set_b;
    if (both & (FIELD_BIT(COMMON_FIELDS) - 1)) return true;
    if (a->entry.law != b->entry.law) return false;
    for (int id = LAW_FIELDS; id < FIELD_IDS; id++) {
        if (!(both & FIELD_BIT(id))) continue;
        if (a->step == b->step || !is_scratch(&a->entry, id)) return true;
    }
    return false;
}

/// Rows by which a pass must stay behind an earlier one, -1: independent. 1 if `later` reads the
/// next row of something `earlier` writes, or writes what `earlier` still reads in the row before.
static int rows_behind(const ScheduledPass* earlier, const ScheduledPass* later) {
    const Pass *a = earlier->entry.pass, *b = later->entry.pass;
    if (overlap(earlier, a->writes, later, pass_reads_after(b)) ||
        overlap(earlier, pass_reads_before(a), later, b->writes))
        return 1;
    bool depends = overlap(earlier, a->writes, later, touches(b)) ||
                   overlap(earlier, pass_reads(a), later, b->writes);
    return depends ? 0 : -1;
}

static void set_lags(ScheduledPass* passes, int count) {
    for (int k = 0; k < count; k++) {
        passes[k].lag = 0;
        for (int j = 0; j < k; j++) {
            int behind = rows_behind(&passes[j], &passes[k]);
            if (behind >= 0 && passes[j].lag + behind > passes[k].lag)
                passes[k].lag = passes[j].lag + behind;
        }
    }
}

// ---- how far passes reach -----------------------------------------------------------------------

int plan_step_reach(const StepEntry* entries, int count) {
    int before = 0, after = 0;
    for (int i = 0; i < count; i++) {
        if (!entries[i].pass->writes) continue;
        before += pass_reads_before(entries[i].pass) != 0;
        after += pass_reads_after(entries[i].pass) != 0;
    }
    return before > after ? before : after;
}

static int whole_vectors(int columns) {
    return (columns + VECTOR - 1) / VECTOR * VECTOR;
}

static FieldSet scratch_fields(const StepEntry* entry) {
    FieldSet set = 0;
    for (int id = LAW_FIELDS; id < LAW_FIELDS + entry->law->field_count; id++) {
        if (is_scratch(entry, id)) set |= FIELD_BIT(id);
    }
    return set;
}

/// The fields of a sleeping patch stay right, but its scratch fields are not computed. A pass that
/// writes those therefore goes on around the awake patches, as far as later passes will read.
void plan_fringes(const StepEntry* entries, int count, int* fringes) {
    for (int k = count - 1; k >= 0; k--) {
        const FieldSet made = entries[k].pass->writes & scratch_fields(&entries[k]);
        fringes[k] = 0;
        for (int j = k + 1; j < count; j++) {
            const Pass* later = entries[j].pass;
            if (entries[j].law != entries[k].law || !(made & pass_reads(later))) continue;
            int fringe = fringes[j] + ((made & reads_beside(later)) != 0);
            if (fringe > fringes[k]) fringes[k] = fringe;
        }
    }
}

FieldSet plan_unused_fields(const StepEntry* entry, const GullyWorld* world) {
    const Law* law = entry->law;
    if (!law->unused || !entry->known || entry->rows != law) return 0;
    return law->unused(entry->known, world_common_fields(world));
}

// ---- rings --------------------------------------------------------------------------------------

static int power_of_two(int least) {
    int power = 1;
    while (power < least)
        power *= 2;
    return power;
}

/// Rows that the ring of a scratch field must hold: from the first that a pass of the step still
/// reads to the last that one writes.
static int rows_of_ring(const Plan* plan, const ScheduledPass* of, int id) {
    int newest = of->lag, oldest = of->lag; // rows behind the front
    for (int k = 0; k < plan->step_passes; k++) {
        const ScheduledPass* other = &plan->passes[of->step * plan->step_passes + k];
        const Pass* pass = other->entry.pass;
        if (other->entry.law != of->entry.law || !(touches(pass) & FIELD_BIT(id))) continue;
        int last = other->lag + ((pass_reads_before(pass) & FIELD_BIT(id)) != 0);
        newest = other->lag < newest ? other->lag : newest;
        oldest = last > oldest ? last : oldest;
    }
    return power_of_two(oldest - newest + 1);
}

/// The ring of a scratch field in one of the steps; made on first use.
static const Ring* ring_of(Plan* plan, const ScheduledPass* pass, int id) {
    const Law* law = pass->entry.law;
    for (int i = 0; i < plan->ring_count; i++) {
        const Ring* ring = &plan->rings[i];
        if (ring->law == law && ring->id == id && ring->step == pass->step) return ring;
    }
    Ring* ring = &plan->rings[plan->ring_count++];
    *ring = (Ring){.law = law,
                   .id = id,
                   .step = pass->step,
                   .place = plan->ring_rows,
                   .rows = rows_of_ring(plan, pass, id),
                   .outside = law->fields[id - LAW_FIELDS].outside};
    plan->ring_rows += ring->rows + 1;
    return ring;
}

/// Finds the rings of the scratch fields that a pass touches, but for those in `unused`.
static void list_rings(Plan* plan, ScheduledPass* pass, FieldSet unused) {
    const FieldSet touched = touches(pass->entry.pass) & scratch_fields(&pass->entry) & ~unused;
    pass->ring_count = 0;
    for (FieldSet left = touched; left; left &= left - 1) {
        const int id = __builtin_ctzll(left);
        const Ring* ring = ring_of(plan, pass, id);
        pass->rings[pass->ring_count++] =
            (FieldAccess){.id = id, .place = ring->place, .rows = ring->rows};
    }
}

// ---- where fields are stored --------------------------------------------------------------------

/// The window of a field; made on first use.
static int window_of(Plan* plan, int slot) {
    for (int i = 0; i < plan->window_count; i++) {
        if (plan->windows[i] == slot) return i;
    }
    assert(plan->window_count < plan->window_limit);
    plan->windows[plan->window_count] = slot;
    return plan->window_count++;
}

/// Most fields of a step that may need a window: common ones, and what laws keep.
static int count_windows(const StepEntry* entries, int count) {
    FieldSet common = 0;
    int own = 0;
    for (int i = 0; i < count; i++) {
        const Law* law = entries[i].law;
        common |= touches(entries[i].pass) & HALF_FIELDS;
        bool seen = false;
        for (int j = 0; j < i; j++)
            seen |= entries[j].law == law;
        for (int f = 0; f < law->field_count && !seen; f++)
            own += !law->fields[f].scratch;
    }
    return __builtin_popcountll(common) + own;
}

/// Finds where a pass's fields are stored, and marks the slots that its results depend on.
static void bind_pass(Plan* plan, ScheduledPass* pass, const GullyWorld* world, bool* read) {
    const StepEntry* entry = &pass->entry;
    pass->field_count = pass->window_count = 0;
    for (int id = 0; id < FIELD_IDS; id++) {
        if (!(touches(entry->pass) & FIELD_BIT(id)) || is_scratch(entry, id)) continue;
        const int slot = entry->slots[id];
        if (slot < 0) continue;
        FieldAccess access = {
            .id = id,
            .output_only = (entry->pass->output_only & FIELD_BIT(id)) != 0,
        };
        read[slot] |= (pass_depends_on(entry->pass) & FIELD_BIT(id)) != 0;
        if (is_in_place(world, slot)) {
            access.place = world->start[slot];
            pass->fields[pass->field_count++] = access;
        } else {
            access.place = window_of(plan, slot) * (plan->window_rows + 1);
            access.rows = plan->window_rows;
            pass->windows[pass->window_count++] = access;
        }
    }
}

void plan_bind(Plan* plan, const GullyWorld* world) {
    bool read[MAX_FIELDS] = {false};
    plan->window_count = 0;
    for (int k = 0; k < plan->steps * plan->step_passes; k++) {
        bind_pass(plan, &plan->passes[k], world, read);
        list_rings(plan, &plan->passes[k], plan_unused_fields(&plan->passes[k].entry, world));
    }
    plan->border_count = 0;
    for (int slot = 0; slot < MAX_FIELDS; slot++) {
        if (read[slot]) plan->border[plan->border_count++] = slot;
    }
}

int plan_visit_reach(const Plan* plan, int steps) {
    return ((steps - 1) / plan->steps + 1) * plan->reach;
}

int plan_deepest(const Plan* plan, int passes) {
    int deepest = 0;
    for (int k = 0; k < passes; k++)
        deepest = plan->passes[k].lag > deepest ? plan->passes[k].lag : deepest;
    return deepest;
}

// ---- the plan -----------------------------------------------------------------------------------

bool plan_fits(const StepEntry* entries, int count) {
    return count <= MAX_ENTRIES && plan_step_reach(entries, count) <= STRIP_COLUMNS;
}

/// How far beyond the block something has to be right that a pass reads, before another pass that has to be
/// right `beyond` the block: that one reads a cell further, or only for the block if it writes nothing.
static int reach_before(const Pass* pass, FieldSet beside, int beyond) {
    if (!beside) return beyond;
    return pass->writes ? beyond + 1 : beyond > 1 ? beyond : 1;
}

/// Lists the passes of all steps, and how far beyond the block each of them computes.
static void list_passes(Plan* plan) {
    const StepEntry* entries = plan->entries;
    const int count = plan->step_passes;
    int before = 0, after = 0, fringes[MAX_ENTRIES];
    plan_fringes(entries, count, fringes);
    for (int k = plan->steps * count - 1; k >= 0; k--) {
        const StepEntry* entry = &entries[k % count];
        const int north = entry->pass->writes ? before : 0, south = entry->pass->writes ? after : 0;
        plan->passes[k] = (ScheduledPass){.entry = *entry,
                                          .step = k / count,
                                          .before = north,
                                          .after = south,
                                          .fringe = fringes[k % count],
                                          .strip = whole_vectors(north > south ? north : south)};
        before = reach_before(entry->pass, pass_reads_before(entry->pass), before);
        after = reach_before(entry->pass, pass_reads_after(entry->pass), after);
    }
    plan->reach = before > after ? before : after;
    plan->strip = whole_vectors(plan->reach);
}

GullyStatus plan_create(const StepEntry* entries, int count, int most_steps, Plan* out) {
    assert(plan_fits(entries, count));
    const int reach = plan_step_reach(entries, count);
    const int fit = reach > 0 ? STRIP_COLUMNS / reach : MAX_RUN_STEPS;
    const int most = most_steps > 0 && most_steps < MAX_RUN_STEPS ? most_steps : MAX_RUN_STEPS;
    Plan plan = {.step_passes = count, .steps = fit < most ? fit : most};
    plan.window_limit = count_windows(entries, count);
    const int passes = plan.steps * count;
    plan.entries = malloc((size_t)count * sizeof *plan.entries);
    plan.passes = calloc((size_t)passes, sizeof *plan.passes);
    plan.rings = calloc((size_t)passes * MAX_LAW_FIELDS, sizeof *plan.rings);
    if (!plan.entries || !plan.passes || !plan.rings) {
        plan_destroy(&plan);
        return gully_fail(GULLY_NO_MEMORY, "no memory for %d passes", passes);
    }
    memcpy(plan.entries, entries, (size_t)count * sizeof *entries);
    list_passes(&plan);
    set_lags(plan.passes, passes);
    for (int k = 0; k < passes; k++) {
        plan.fringe = plan.passes[k].fringe > plan.fringe ? plan.passes[k].fringe : plan.fringe;
        list_rings(&plan, &plan.passes[k], 0);
    }
    // From the row before the last pass's to the row after the first's.
    plan.window_rows = power_of_two(plan_deepest(&plan, passes) + 2 * BATCH_ROWS + 2);
    *out = plan;
    return GULLY_OK;
}

void plan_destroy(Plan* plan) {
    free(plan->entries);
    free(plan->passes);
    free(plan->rings);
    plan->entries = NULL;
    plan->passes = NULL;
    plan->rings = NULL;
}
