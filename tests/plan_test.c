// SPDX-License-Identifier: MIT
/// Plans of a sweep: what must hold for any passes follows from what they declare. The plan is
/// walked through as a sweep walks, on paper: for every row of every field it is written down which
/// stage wrote it last, and every stage must find what it would find if the passes ran one after
/// another over the whole world.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "plan.h"

enum { HEIGHT = 70, NOBODY = -1, MOST_LAWS = 3 };

/// The passes of a step, as a simulation would list them.
typedef struct Step {
    const char* name;
    StepEntry passes[MAX_ENTRIES];
    int count;
    const Law* laws[MOST_LAWS];
    int law_count;
    int slots[FIELD_IDS];
} Step;

static Step begin_step(const char* name) {
    Step step = {.name = name};
    for (int id = 0; id < FIELD_IDS; id++)
        step.slots[id] = id;
    return step;
}

static void add_law(Step* step, const Law* law) {
    step->laws[step->law_count++] = law;
    for (int i = 0; i < law->pass_count; i++)
        step->passes[step->count++] = (StepEntry){.pass = &law->passes[i], .law = law};
}

static Plan plan_of(Step* step) {
    for (int i = 0; i < step->count; i++)
        step->passes[i].slots = step->slots;
    assert_true(plan_fits(step->passes, step->count));
    Plan plan;
    assert_int_equal(plan_create(step->passes, step->count, 0, &plan), GULLY_OK);
    assert_true(plan.steps >= 1 && plan.steps <= MAX_RUN_STEPS);
    return plan;
}

// ---- fields, on paper ---------------------------------------------------------------------------

/// All fields of all laws get a number: the common ones, then those of each law.
enum { PAPER_FIELDS = COMMON_FIELDS + MOST_LAWS * MAX_LAW_FIELDS };

static int law_index(const Step* step, const Law* law) {
    for (int i = 0; i < step->law_count; i++) {
        if (step->laws[i] == law) return i;
    }
    return 0; // the water supply, which has no fields of its own
}

static int paper_field(const Step* step, const ScheduledPass* stage, int id) {
    int law = law_index(step, stage->entry.law);
    return id < LAW_FIELDS ? id : id + law * MAX_LAW_FIELDS;
}

static bool is_scratch(const ScheduledPass* stage, int id) {
    return id >= LAW_FIELDS && stage->entry.law->fields[id - LAW_FIELDS].scratch;
}

/// Whether a stage writes the field that another one knows as `id`. A scratch field is another one
/// in each step.
static bool writes(const ScheduledPass* writer, const ScheduledPass* reader, int id) {
    if (is_scratch(reader, id) && writer->step != reader->step) return false;
    if (id >= LAW_FIELDS && writer->entry.law != reader->entry.law) return false;
    return (writer->entry.pass->writes & FIELD_BIT(id)) != 0;
}

/// The stage whose values stage k must find in a field.
static int last_writer(const Plan* plan, int k, int id) {
    for (int j = k - 1; j >= 0; j--) {
        if (writes(&plan->passes[j], &plan->passes[k], id)) return j;
    }
    return NOBODY;
}

enum { MOST_RING_ROWS = MAX_RUN_STEPS * MOST_LAWS * MAX_LAW_FIELDS * 128 };

/// Who wrote what, and of the rings' rows which row of the world they are.
typedef struct Paper {
    int field[PAPER_FIELDS][HEIGHT];
    int ring[MOST_RING_ROWS];
    int ring_row[MOST_RING_ROWS];
} Paper;

/// Which of the rings' rows a stage finds row y in.
static int ring_row_of(const ScheduledPass* stage, int id, int y) {
    for (int i = 0; i < stage->ring_count; i++) {
        const FieldAccess* ring = &stage->rings[i];
        if (ring->id == id) return ring->place + (y & (ring->rows - 1));
    }
    fail_msg("%s has no ring for field %d", stage->entry.pass->name, id);
    return -1;
}

static void check_read(const Paper* paper, const Step* step, const Plan* plan, int k, int id,
                       int y) {
    if (y < 0 || y >= HEIGHT) return;
    const ScheduledPass* stage = &plan->passes[k];
    int wanted = last_writer(plan, k, id), found;
    if (is_scratch(stage, id)) {
        int at = ring_row_of(stage, id, y);
        found = paper->ring[at];
        if (paper->ring_row[at] != y)
            fail_msg("%s: %s of step %d wants row %d of field %d, its ring has row %d", step->name,
                     stage->entry.pass->name, stage->step, y, id, paper->ring_row[at]);
    } else {
        found = paper->field[paper_field(step, stage, id)][y];
    }
    if (found != wanted)
        fail_msg(
            "%s: %s of step %d (stage %d) finds field %d in row %d as stage %d left it, not %d",
            step->name, stage->entry.pass->name, stage->step, k, id, y, found, wanted);
}

static void run_row(Paper* paper, const Step* step, const Plan* plan, int k, int y) {
    const ScheduledPass* stage = &plan->passes[k];
    const Pass* pass = stage->entry.pass;
    for (int id = 0; id < FIELD_IDS; id++) {
        if (pass_reads(pass) & FIELD_BIT(id)) check_read(paper, step, plan, k, id, y);
        if (pass_reads_before(pass) & FIELD_BIT(id)) check_read(paper, step, plan, k, id, y - 1);
        if (pass_reads_after(pass) & FIELD_BIT(id)) check_read(paper, step, plan, k, id, y + 1);
    }
    for (int id = 0; id < FIELD_IDS; id++) {
        if (!(pass->writes & FIELD_BIT(id))) continue;
        if (is_scratch(stage, id)) {
            int at = ring_row_of(stage, id, y);
            paper->ring[at] = k;
            paper->ring_row[at] = y;
        } else {
            paper->field[paper_field(step, stage, id)][y] = k;
        }
    }
}

/// The stages of a step, the first of which is `first`, with the front at this row: as in sweep.c.
static void run_band(Paper* paper, const Step* step, const Plan* plan, int first, int front) {
    for (int row = 0; row < BATCH_ROWS; row++) {
        for (int k = first; k < first + plan->step_passes; k++) {
            int y = front + row - plan->passes[k].lag;
            if (y >= 0 && y < HEIGHT) run_row(paper, step, plan, k, y);
        }
    }
}

// ---- what must hold -----------------------------------------------------------------------------

/// A stage is never run on a row before what it reads is there, nor after it is gone.
static void check_order(const Step* step, const Plan* plan) {
    static Paper paper;
    for (int i = 0; i < PAPER_FIELDS * HEIGHT; i++)
        paper.field[i / HEIGHT][i % HEIGHT] = NOBODY;
    memset(paper.ring_row, -1, sizeof paper.ring_row);
    assert_true(plan->ring_rows <= MOST_RING_ROWS);
    int stages = plan->steps * plan->step_passes, deepest = 0;
    for (int k = 0; k < stages; k++)
        deepest = plan->passes[k].lag > deepest ? plan->passes[k].lag : deepest;
    for (int front = 0; front < HEIGHT + deepest; front += BATCH_ROWS) {
        for (int first = 0; first < stages; first += plan->step_passes)
            run_band(&paper, step, plan, first, front);
    }
    for (int k = 0; k < stages; k++) { // and every row was done
        for (int id = 0; id < FIELD_IDS; id++) {
            const ScheduledPass* stage = &plan->passes[k];
            if (!(stage->entry.pass->writes & FIELD_BIT(id)) || is_scratch(stage, id)) continue;
            const int* rows = paper.field[paper_field(step, stage, id)];
            for (int y = 0; y < HEIGHT; y++)
                assert_true(rows[y] >= k);
        }
    }
}

/// Where a part of the world sleeps, scratch fields are not computed. Whoever makes one goes on
/// around what is awake as far as any later stage of the step reads it.
static void check_fringes(const Step* step, const Plan* plan) {
    int stages = plan->steps * plan->step_passes;
    for (int j = 0; j < stages; j++) {
        for (int k = j + 1; k < stages; k++) {
            const ScheduledPass *maker = &plan->passes[j], *reader = &plan->passes[k];
            FieldSet beside =
                pass_reads_before(reader->entry.pass) | pass_reads_after(reader->entry.pass);
            for (int id = LAW_FIELDS; id < FIELD_IDS; id++) {
                if (!(pass_reads(reader->entry.pass) & FIELD_BIT(id))) continue;
                if (!is_scratch(reader, id) || !writes(maker, reader, id)) continue;
                int least = reader->fringe + ((beside & FIELD_BIT(id)) != 0);
                if (maker->fringe < least)
                    fail_msg("%s: %s goes %d rows around what is awake, %s reads %d", step->name,
                             maker->entry.pass->name, maker->fringe, reader->entry.pass->name,
                             least);
            }
        }
    }
}

/// A panel fills the plan's reach of columns on either side. Each stage is right as far as it
/// computes and as all that it reads is; what it leaves in the panel itself must be right after the
/// last step. So nothing can have come from further away either.
static void check_reach(const Step* step, const Plan* plan) {
    int right[2][PAPER_FIELDS]; // columns beyond the panel, west and east
    for (int field = 0; field < PAPER_FIELDS; field++)
        right[0][field] = right[1][field] = plan->reach;
    int stages = plan->steps * plan->step_passes;
    for (int k = 0; k < stages; k++) {
        const ScheduledPass* stage = &plan->passes[k];
        const Pass* pass = stage->entry.pass;
        const FieldSet beside[2] = {pass_reads_before(pass), pass_reads_after(pass)};
        assert_true(stage->strip <= plan->strip && stage->strip % VECTOR == 0);
        for (int side = 0; side < 2; side++) {
            int least = stage->strip;
            for (int id = 0; id < FIELD_IDS; id++) {
                if (!(pass_depends_on(pass) & FIELD_BIT(id))) continue;
                int left = right[side][paper_field(step, stage, id)];
                left -= (beside[side] & FIELD_BIT(id)) != 0;
                least = left < least ? left : least;
            }
            if (least < 0)
                fail_msg("%s: %s of step %d reads beyond the halo", step->name, pass->name,
                         stage->step);
            for (int id = 0; id < FIELD_IDS; id++) {
                if (pass->writes & FIELD_BIT(id)) right[side][paper_field(step, stage, id)] = least;
            }
        }
    }
}

static void check_fill(const Step* step, const Plan* plan) {
    for (int k = 0; k < plan->steps * plan->step_passes; k++) {
        const ScheduledPass* stage = &plan->passes[k];
        for (int id = 0; id < FIELD_IDS; id++) {
            if (!(pass_depends_on(stage->entry.pass) & FIELD_BIT(id)) || is_scratch(stage, id))
                continue;
            bool filled = false;
            for (int i = 0; i < plan->border_count; i++)
                filled |= plan->border[i] == step->slots[id];
            assert_true(filled);
        }
    }
}

static void check(Step* step) {
    Plan plan = plan_of(step);
    static const GullyWorld world; // only whether its fields are packed is looked at
    plan_bind(&plan, &world);
    assert_int_equal(plan.step_passes, step->count);
    check_order(step, &plan);
    check_fringes(step, &plan);
    check_reach(step, &plan);
    check_fill(step, &plan);
    plan_destroy(&plan);
}

// ---- the laws there are -------------------------------------------------------------------------

static void test_laws(void** state) {
    (void)state;
    static const char* const steps[][MOST_LAWS] = {{"pipe"},
                                                   {"thermal"},
                                                   {"pipe", "thermal"},
                                                   {"creep"},
                                                   {"pipe", "thermal", "creep"},
                                                   {"diffusion"},
                                                   {"newton"},
                                                   {"diffusion", "thermal"},
                                                   {"newton", "thermal"}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        for (int supply = 0; supply < 2; supply++) {
            Step step = begin_step(steps[i][0]);
            if (supply)
                step.passes[step.count++] =
                    (StepEntry){.pass = law_supply()->passes, .law = law_supply()};
            for (int n = 0; n < MOST_LAWS && steps[i][n]; n++) {
                assert_non_null(law_find(steps[i][n]));
                add_law(&step, law_find(steps[i][n]));
            }
            check(&step);
        }
    }
}

// ---- laws that nobody wrote ---------------------------------------------------------------------

static uint64_t dice = 1;

static int roll(int sides) {
    dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((dice >> 33) % (uint64_t)sides);
}

/// Each bit of a set with a chance of one in `sides`.
static FieldSet some_of(FieldSet set, int sides) {
    FieldSet some = 0;
    for (int id = 0; id < FIELD_IDS; id++) {
        if (set & FIELD_BIT(id) && roll(sides) == 0) some |= FIELD_BIT(id);
    }
    return some;
}

/// A pass that reads only scratch fields that were made before, and writes none that it reads
/// beside.
static Pass random_pass(FieldSet common, FieldSet own, FieldSet scratch, FieldSet made) {
    FieldSet readable = common | own | made;
    Pass pass = {.name = "random",
                 .reads = some_of(readable, 3),
                 .reads_before = some_of(readable, 6),
                 .reads_after = some_of(readable, 6),
                 .reads_around = some_of(readable, 8)};
    FieldSet beside = pass_reads_before(&pass) | pass_reads_after(&pass);
    pass.writes = some_of((common | own | scratch) & ~beside, 3);
    return pass;
}

static void test_random_laws(void** state) {
    (void)state;
    enum { FIELDS = 4, PASSES = 5, COMMON = 3 };
    static const LawField fields[FIELDS] = {{.name = "a"},
                                            {.name = "b"},
                                            {.name = "c", .scratch = true},
                                            {.name = "d", .scratch = true}};
    const FieldSet common = FIELD_BIT(COMMON) - 1, own = FIELD_BIT(LAW_FIELDS) * 3,
                   scratch = FIELD_BIT(LAW_FIELDS) * 12;
    for (int n = 0; n < 2000; n++) {
        char name[32];
        snprintf(name, sizeof name, "random step %d", n);
        Step step = begin_step(name);
        Pass passes[2][PASSES];
        Law laws[2];
        for (int i = 0; i < 2; i++) {
            FieldSet made = 0;
            int count = 1 + roll(PASSES);
            for (int k = 0; k < count; k++) {
                passes[i][k] = random_pass(common, own, scratch, made);
                made |= passes[i][k].writes & scratch;
            }
            laws[i] = (Law){.name = "random",
                            .fields = fields,
                            .field_count = FIELDS,
                            .passes = passes[i],
                            .pass_count = count};
            add_law(&step, &laws[i]);
        }
        check(&step);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laws),
        cmocka_unit_test(test_random_laws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
