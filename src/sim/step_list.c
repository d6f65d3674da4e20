// SPDX-License-Identifier: MIT
#include "step_list.h"

#include <assert.h>
#include <stdlib.h>

#include "flush.h"
#include "half_pass.h"

struct Rounding {
    Pass pass;
    HalfConsts consts;
};

// ---- laws ---------------------------------------------------------------------------------------

/// (W): draws the supply of a step.
static const void* begin_supply(const BoundLaw* bound, int ahead, const StepClock* clock,
                                int64_t step) {
    Supply* supply = &bound->supplies[ahead];
    bool falls = supply_begin_step(supply, clock, step);
    return falls ? supply->step : NULL;
}

/// Lists the laws of a step: the supply, the model, and the add-ons that are on.
static GullyStatus list_laws(const StepListDef* def, StepList* list) {
    const GullySettings* settings = list->settings;
    const size_t most = (size_t)settings->section_count + FIRST_ADD_ON;
    list->laws = calloc(most, sizeof *list->laws);
    if (!list->laws) return gully_fail(GULLY_NO_MEMORY, "no memory for %zu laws", most);
    list->laws[SUPPLY] =
        (BoundLaw){.law = law_supply(), .begin = begin_supply, .supplies = list->supplies};
    list->laws[MODEL] = (BoundLaw){.law = settings->model, .section = "params"};
    list->law_count = FIRST_ADD_ON;
    for (int i = 0; i < settings->section_count; i++) {
        const Section* section = &settings->sections[i];
        if (section->on && section->add_on != settings->model)
            list->laws[list->law_count++] =
                (BoundLaw){.law = section->add_on, .section = section->name};
    }
    for (int i = 0; i < list->law_count && def->plain; i++)
        list->laws[i].law = law_plain(list->laws[i].law);
    return GULLY_OK;
}

/// Whether all laws of a step know the world's materials.
static GullyStatus check_materials(const StepListDef* def, const StepList* list) {
    for (int i = MODEL; i < list->law_count; i++) {
        const Law* law = list->laws[i].law;
        if (def->world->material_count == 0 || law->layers) continue;
        return gully_fail(GULLY_BAD_INPUT,
                          "materials: the law %s does not know any; leave them out, or choose a "
                          "model that does (see gully models)",
                          law->name);
    }
    return GULLY_OK;
}

/// Whether the world has the maps that laws are to read.
static GullyStatus check_maps(const StepListDef* def, const StepList* list) {
    const Law* model = list->laws[MODEL].law;
    const FieldSet needs =
        model->needs ? model->needs(settings_values(list->settings, "params")) : 0;
    const bool uplift = (needs & FIELD_BIT(UPLIFT)) && def->world->common[UPLIFT] < 0;
    const bool rain = (needs & FIELD_BIT(RAINFALL)) && def->world->common[RAINFALL] < 0;
    if (!uplift && !rain) return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT,
                      "params.%s: a raster is to give it, and the world has none; allowed: a "
                      "number, or a world with that field",
                      uplift ? "uplift" : "rain");
}

/// Computes the constants of the laws.
static GullyStatus prepare_laws(const StepListDef* def, StepList* list) {
    const GullyWorld* world = def->world;
    const StepInfo info = {.dt = list->dt,
                           .cell_x = world->cell_x,
                           .cell_y = world->cell_y,
                           .materials = world->materials,
                           .material_count = world->material_count,
                           .parts = list->pace.parts,
                           .scale = list->pace.scale};
    for (int i = MODEL; i < list->law_count; i++) {
        BoundLaw* bound = &list->laws[i];
        bound->consts = malloc(bound->law->consts_size);
        if (!bound->consts)
            return gully_fail(GULLY_NO_MEMORY, "no memory for the law %s", bound->law->name);
        const void* params = settings_values(list->settings, bound->section);
        bound->law->prepare(params, &info, bound->consts);
        bound->edges = (EdgeConsts){bound->consts, list->registers};
    }
    return GULLY_OK;
}

/// Makes the passes that round to half precision what laws keep: the model's also rounds the common
/// fields.
static GullyStatus prepare_rounding(const StepListDef* def, StepList* list) {
    const Law* half = def->plain ? law_plain(law_half()) : law_half();
    for (int i = MODEL; i < list->law_count && def->world->half; i++) {
        BoundLaw* bound = &list->laws[i];
        FieldSet fields = i == MODEL ? HALF_FIELDS : 0;
        const FieldSet needs = step_list_needs(list, i);
        for (int f = 0; f < bound->law->field_count; f++) {
            const LawField* field = &bound->law->fields[f];
            const FieldSet bit = FIELD_BIT(LAW_FIELDS + f);
            if (law_keeps_halves(field) && (!field->optional || (needs & bit))) fields |= bit;
        }
        if (!fields) continue;
        bound->rounding = malloc(sizeof *bound->rounding);
        if (!bound->rounding)
            return gully_fail(GULLY_NO_MEMORY, "no memory for the law %s", bound->law->name);
        *bound->rounding = (Rounding){half->passes[0], half_consts(fields)};
        bound->rounding->pass.reads = bound->rounding->pass.writes = fields;
    }
    return GULLY_OK;
}

/// Prepares the supplies. The pattern of rain in the world is still that of the previous list.
static GullyStatus prepare_supplies(const StepListDef* def, StepList* list) {
    for (int i = 0; i < MAX_VISIT_STEPS; i++)
        list->supplies[i].seed = def->seed;
    if (def->previous) {
        list->supplies[0].pattern_scale = def->previous->supplies[0].pattern_scale;
        list->supplies[0].pattern_octaves = def->previous->supplies[0].pattern_octaves;
    }
    return step_list_reserve(list, def->world, MAX_RUN_STEPS);
}

GullyStatus step_list_reserve(StepList* list, const GullyWorld* world, int steps) {
    assert(steps <= MAX_VISIT_STEPS);
    for (; list->run_steps < steps; list->run_steps++) {
        Supply* supply = &list->supplies[list->run_steps];
        GullyStatus status = supply_prepare(supply, world, list->settings, list->dt, &list->pace);
        if (status) return status;
    }
    return GULLY_OK;
}

// ---- entries ------------------------------------------------------------------------------------

/// Adds an entry to the step, which belongs to a turn of a law. Without memory yet, only counts.
static void add_entry(StepList* list, int law, int turn, StepEntry entry) {
    entry.flushed = flushed_row(entry.rows->name, entry.pass->name);
    if (list->entries) {
        list->entries[list->entry_count] = entry;
        list->entry_law[list->entry_count] = law;
        list->entry_turn[list->entry_count] = turn;
    }
    list->entry_count++;
}

/// Adds passes of a law.
static void add_passes(StepList* list, int law, int turn, int first, int count) {
    const BoundLaw* bound = &list->laws[law];
    for (int i = first; i < first + count; i++) {
        if (list->registers && bound->law->edges && i == bound->law->edges_before)
            add_entry(list, law, turn,
                      (StepEntry){bound->law->edges, bound->law, bound->slots, bound->law,
                                  &bound->edges, NULL});
        add_entry(list, law, turn,
                  (StepEntry){&bound->law->passes[i], bound->law, bound->slots, bound->law,
                              bound->consts, NULL});
    }
}

/// Adds the pass that rounds what a law keeps, if there is one.
static void add_rounding(StepList* list, int law) {
    const BoundLaw* bound = &list->laws[law];
    if (!bound->rounding) return;
    add_entry(list, law, 0,
              (StepEntry){&bound->rounding->pass, bound->law, bound->slots, law_half(),
                          &bound->rounding->consts, NULL});
}

/// Lists all passes of a law, as often as it can have its turn.
static void add_turns(StepList* list, int law) {
    for (int turn = 0; turn < list->laws[law].turns; turn++)
        add_passes(list, law, turn, 0, list->laws[law].law->pass_count);
}

/// Lists the passes of the model: its operators as often as the cycle says, or the supply and then
/// all of its passes. An operator without passes is the supply.
static void list_model(StepList* list) {
    const Law* model = list->laws[MODEL].law;
    if (!model->operators) {
        add_passes(list, SUPPLY, 0, 0, list->laws[SUPPLY].law->pass_count);
        add_turns(list, MODEL);
    }
    for (int i = 0; model->operators && i < list->settings->cycle_count; i++) {
        const CycleEntry* entry = &list->settings->cycle[i];
        const Operator* op = &model->operators[entry->operator];
        for (int n = 0; n < entry->times; n++) {
            if (op->count == 0) add_passes(list, SUPPLY, 0, 0, list->laws[SUPPLY].law->pass_count);
            add_passes(list, MODEL, 0, op->first, op->count);
        }
    }
}

static void list_step(StepList* list) {
    list->entry_count = 0;
    if (list->rounds) {
        add_passes(list, MODEL, 0, 0, list->laws[MODEL].law->round_passes);
        return;
    }
    list_model(list);
    for (int i = FIRST_ADD_ON; i < list->law_count; i++)
        add_turns(list, i);
    for (int i = MODEL; i < list->law_count; i++)
        add_rounding(list, i);
}

static GullyStatus create_entries(StepList* list) {
    list_step(list);
    const size_t count = (size_t)list->entry_count;
    list->entries = malloc(count * sizeof *list->entries);
    list->entry_law = malloc(count * sizeof *list->entry_law);
    list->entry_turn = malloc(count * sizeof *list->entry_turn);
    list->consts = malloc(MAX_VISIT_STEPS * count * sizeof *list->consts);
    if (!list->entries || !list->entry_law || !list->entry_turn || !list->consts)
        return gully_fail(GULLY_NO_MEMORY, "no memory for a step of %zu passes", count);
    list_step(list);
    return GULLY_OK;
}

// ---- the list -----------------------------------------------------------------------------------

static GullyStatus choose_dt(const StepListDef* def, const GullySettings* settings, double* dt) {
    const GullyWorld* world = def->world;
    if (def->pace.scale > 0) {
        *dt = def->pace.finest.dt * def->pace.parts;
        return GULLY_OK;
    }
    const GullyTimeParams* time = settings_values(settings, "");
    double limit = gully_settings_max_dt(settings, world->cell_x, world->cell_y);
    const double usual = settings->model->dt > 0 ? settings->model->dt : 1;
    *dt = time->dt > 0 ? time->dt : limit > 0 ? 0.9 * limit : usual;
    if (limit > 0 && *dt > limit && !time->allow_unstable) {
        return gully_fail(GULLY_BAD_INPUT,
                          "dt: %g s is unstable with these parameters and cells of %g x %g m; "
                          "allowed: up to %.6g s, or \"auto\", or set allow_unstable",
                          *dt, world->cell_x, world->cell_y, limit);
    }
    return GULLY_OK;
}

GullyStatus step_list_create(const StepListDef* def, const GullySettings* settings,
                             StepList** out) {
    *out = NULL;
    double dt = 0;
    GullyStatus status = settings_check(settings);
    if (!status) status = choose_dt(def, settings, &dt);
    if (status) return status;
    StepList* list = calloc(1, sizeof *list);
    if (!list) return gully_fail(GULLY_NO_MEMORY, "no memory for a step");
    list->dt = dt;
    list->pace = def->pace;
    list->registers = def->registers;
    list->rounds = def->rounds;
    status = gully_settings_copy(settings, &list->settings);
    if (!status) status = list_laws(def, list);
    if (!status) status = check_materials(def, list);
    if (!status) status = check_maps(def, list);
    if (!status) status = prepare_laws(def, list);
    if (!status) status = prepare_rounding(def, list);
    if (!status) status = prepare_supplies(def, list);
    if (!status) status = step_list_count_turns(list);
    if (!status) status = create_entries(list);
    if (status) {
        step_list_destroy(list);
        return status;
    }
    *out = list;
    return GULLY_OK;
}

void step_list_destroy(StepList* list) {
    if (!list) return;
    for (int i = 0; i < list->law_count; i++) {
        free(list->laws[i].consts);
        free(list->laws[i].rounding);
    }
    for (int i = 0; i < list->run_steps; i++)
        supply_free(&list->supplies[i]);
    free(list->laws);
    free(list->entries);
    free(list->entry_law);
    free(list->entry_turn);
    free(list->consts);
    gully_settings_destroy(list->settings);
    free(list);
}

StepConsts step_list_begin(StepList* list, const StepClock* clock, int64_t first, int steps) {
    assert(steps <= list->run_steps);
    for (int ahead = 0; ahead < steps; ahead++) {
        const void** consts = &list->consts[ahead * list->entry_count];
        for (int i = 0; i < list->law_count; i++) {
            BoundLaw* bound = &list->laws[i];
            bound->now =
                bound->begin ? bound->begin(bound, ahead, clock, first + ahead) : bound->consts;
            bound->turns_now = step_list_turns(bound, clock, first + ahead);
        }
        for (int k = 0; k < list->entry_count; k++) {
            const BoundLaw* bound = &list->laws[list->entry_law[k]];
            const bool rounds = bound->rounding && list->entries[k].pass == &bound->rounding->pass;
            const void* now = list->entry_turn[k] < bound->turns_now ? bound->now : NULL;
            const bool edges = list->entries[k].pass == bound->law->edges;
            consts[k] = rounds ? &bound->rounding->consts : edges ? &bound->edges : now;
        }
    }
    return list->consts;
}
