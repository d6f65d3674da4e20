#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "books.h"
#include "gully/sim.h"
#include "half_pass.h"
#include "settings.h"
#include "stepper.h"
#include "supply.h"
#include "sweep.h"

enum { MAX_LAWS = 8, MAX_THREADS = 1024 };

/// Rounds to half precision what a law keeps.
typedef struct Rounding {
    Pass pass;
    HalfConsts consts;
} Rounding;

/// A law at work on the world: its constants, and where its fields are.
typedef struct BoundLaw {
    const Law* law;
    void* consts;
    int slots[FIELD_IDS];
    Rounding* rounding; // NULL = none
} BoundLaw;

/// One pass of a step.
typedef struct StepPass {
    const Pass* pass;
    int law; // of the simulation's; SUPPLY = the water supply
    bool rounds;
} StepPass;

enum { SUPPLY = -1 };

struct GullySim {
    GullyWorld* world;
    GullySettings* settings; // our own copy
    GullySimDef def;
    Stepper* stepper;           // the plain one; also has the threads
    Sweep* sweep;               // the fast one, if it can be used
    bool sweeps;                // whether it is, with these settings
    Supply supplies[MAX_BLOCK]; // one for each step of a sweep
    BoundLaw laws[MAX_LAWS];    // in the order of a step
    int law_count;
    StepPass* passes; // of a step, in order
    int pass_count;
    int supply_slots[FIELD_IDS];
    double dt;         // [s]
    int64_t steps;     // done
    int64_t dt_since;  // the step since which dt holds
    double time_since; // and the time then [s]
    // At the start, in metres times cells.
    Exact initial_water, initial_solid, edited_water, edited_solid;
};

// ---- laws as users see them ---------------------------------------------------------------------

int gully_law_count(void) {
    return law_count();
}

/// The operators of a law as "a|b|c"; NULL if it has none.
static const char* list_operators(const Law* law, char* buffer, size_t size) {
    int used = 0;
    for (int i = 0; i < law->operator_count && used < (int)size; i++)
        used += snprintf(buffer + used, size - (size_t)used, "%s%s", i ? "|" : "",
                         law->operators[i].name);
    return law->operators ? buffer : NULL;
}

const GullyLawInfo* gully_law_info(int index) {
    static _Thread_local GullyLawInfo infos[MAX_LAWS];
    static _Thread_local char operators[MAX_LAWS][128];
    const Law* law = law_at(index);
    infos[index] = (GullyLawInfo){
        .name = law->name,
        .summary = law->summary,
        .source = law->source,
        .add_on = law->add_on,
        .layers = law->layers,
        .still_water_erodes = law->still_water_erodes,
        .counts_steps = law->counts_steps,
        .operators = list_operators(law, operators[index], sizeof operators[index]),
        .params = law->params,
    };
    return &infos[index];
}

const GullyLawInfo* gully_law_find(const char* name) {
    for (int i = 0; i < law_count(); i++) {
        if (strcmp(law_at(i)->name, name) == 0) return gully_law_info(i);
    }
    return NULL;
}

// ---- binding laws to a world --------------------------------------------------------------------

/// Says where the common fields are, and that a law's own are nowhere.
static void bind_common(const GullyWorld* world, int slots[FIELD_IDS]) {
    for (int id = 0; id < FIELD_IDS; id++)
        slots[id] = id < COMMON_FIELDS ? world->common[id] : -1;
}

/// Adds a law's own fields to the world. A sweep keeps scratch fields itself.
static GullyStatus add_own_fields(GullySim* sim, const Law* law, bool sweeps,
                                  int slots[FIELD_IDS]) {
    FieldInfo fields[MAX_LAW_FIELDS];
    int ids[MAX_LAW_FIELDS], found[MAX_LAW_FIELDS], count = 0;
    for (int i = 0; i < law->field_count; i++) {
        if (sweeps && law->fields[i].scratch) continue;
        ids[count] = LAW_FIELDS + i;
        fields[count] = (FieldInfo){.outside = law->fields[i].outside,
                                    .half = sim->world->half && !law->fields[i].scratch};
        snprintf(fields[count].name, sizeof fields[count].name, "%s.%s", law->name,
                 law->fields[i].name);
        count++;
    }
    GullyStatus status = world_add_fields(sim->world, fields, count, found);
    for (int i = 0; i < count && !status; i++)
        slots[ids[i]] = found[i];
    return status;
}

static FieldSet common_needs(const GullySim* sim, const GullySettings* settings,
                             const BoundLaw* laws, int count) {
    const GullySeasonParams* season = settings_values(settings, "rain.season");
    FieldSet needs = season->rate > 0 ? FIELD_BIT(RAIN_PATTERN) : 0;
    if (sim->def.masks) needs |= FIELD_BIT(FLOW) | FIELD_BIT(WEAR) | FIELD_BIT(DEPOSIT);
    if (sim->def.velocity) needs |= FIELD_BIT(VELOCITY_X) | FIELD_BIT(VELOCITY_Y);
    for (int i = 0; i < count; i++) {
        const Law* law = laws[i].law;
        const char* section = i == 0 ? "params" : law->name;
        if (law->needs) needs |= law->needs(settings_values(settings, section));
    }
    return needs;
}

/// The laws of a step: the model, then the add-ons that are on. The plain stepper takes them as any
/// processor can run them.
static int list_laws(const GullySim* sim, const GullySettings* settings, BoundLaw laws[MAX_LAWS]) {
    int count = 0;
    laws[count++] = (BoundLaw){.law = settings->model};
    for (int i = 0; i < settings->section_count; i++) {
        const Section* section = &settings->sections[i];
        if (section->on && section->add_on != settings->model)
            laws[count++] = (BoundLaw){.law = section->add_on};
    }
    for (int i = 0; i < count && sim->def.plain; i++)
        laws[i].law = law_plain(laws[i].law);
    return count;
}

static const Pass* supply_pass(const GullySim* sim) {
    return (sim->def.plain ? law_plain(law_supply()) : law_supply())->passes;
}

static void free_laws(BoundLaw* laws, int count) {
    for (int i = 0; i < count; i++) {
        free(laws[i].consts);
        free(laws[i].rounding);
    }
}

/// Finds what the laws keep as halves, in a world of half precision: the first also what is common
/// to all.
static GullyStatus create_rounding(const GullySim* sim, BoundLaw* laws, int count) {
    const Law* half = sim->def.plain ? law_plain(law_half()) : law_half();
    for (int i = 0; i < count && sim->world->half; i++) {
        FieldSet fields = i == 0 ? HALF_FIELDS : 0;
        for (int f = 0; f < laws[i].law->field_count; f++)
            fields |= laws[i].law->fields[f].scratch ? 0 : FIELD_BIT(LAW_FIELDS + f);
        if (!fields) continue;
        laws[i].rounding = malloc(sizeof *laws[i].rounding);
        if (!laws[i].rounding)
            return gully_fail(GULLY_FAILED, "no memory for the law %s", laws[i].law->name);
        *laws[i].rounding = (Rounding){half->passes[0], {fields}};
        laws[i].rounding->pass.reads = laws[i].rounding->pass.writes = fields;
    }
    return GULLY_OK;
}

/// Gives every law its constants and its fields in the world.
static GullyStatus bind_laws(GullySim* sim, const GullySettings* settings, double dt, bool sweeps,
                             BoundLaw* laws, int count) {
    GullyWorld* world = sim->world;
    const StepInfo info = {.dt = dt,
                           .cell_x = world->cell_x,
                           .cell_y = world->cell_y,
                           .materials = world->materials,
                           .material_count = world->material_count};
    GullyStatus status = world_add_common(world, common_needs(sim, settings, laws, count));
    for (int i = 0; i < count && !status; i++) {
        const Law* law = laws[i].law;
        bind_common(world, laws[i].slots);
        status = add_own_fields(sim, law, sweeps, laws[i].slots);
        if (status) break;
        laws[i].consts = malloc(law->consts_size);
        if (!laws[i].consts) return gully_fail(GULLY_FAILED, "no memory for the law %s", law->name);
        const char* section = i == 0 ? "params" : law->name;
        law->prepare(settings_values(settings, section), &info, laws[i].consts);
    }
    return status;
}

// ---- applying settings --------------------------------------------------------------------------

static GullyStatus choose_dt(const GullyWorld* world, const GullySettings* settings, double* dt) {
    const GullyTimeParams* time = settings_values(settings, "");
    double limit = gully_settings_max_dt(settings, world->cell_x, world->cell_y);
    *dt = time->dt > 0 ? time->dt : limit > 0 ? 0.9 * limit : 1;
    if (limit > 0 && *dt > limit && !time->allow_unstable) {
        return gully_fail(GULLY_BAD_INPUT,
                          "dt: %g s is unstable with these parameters and cells of %g x %g m; "
                          "allowed: up to %.6g s, or \"auto\", or set allow_unstable",
                          *dt, world->cell_x, world->cell_y, limit);
    }
    return GULLY_OK;
}

static void scale_field(GullyWorld* world, const Tile* tile, int slot, double ratio) {
    for (int y = 0; y < tile->height; y++) {
        for (int x = 0; x < tile->width; x++) {
            double value = (double)tile_get(world, tile, slot, y, x);
            tile_set(world, tile, slot, y, x, (float)(value * ratio));
        }
    }
}

/// Amounts per step of the fields that are kept so, for another length of the step.
static void scale_per_step(GullySim* sim, double ratio) {
    GullyWorld* world = sim->world;
    world_will_change(world);
    for (int n = 0; n < sim->law_count; n++) {
        const Law* law = sim->laws[n].law;
        for (int f = 0; f < law->field_count; f++) {
            if (!law->fields[f].per_step) continue;
            int slot = sim->laws[n].slots[LAW_FIELDS + f];
            for (int i = 0; i < world->tiles_x * world->tiles_y; i++)
                scale_field(world, &world->tiles[i], slot, ratio);
        }
    }
}

static void apply_sides(GullySim* sim) {
    const GullyBoundaryParams* sides = settings_values(sim->settings, "boundary");
    const bool open[SIDES] = {[WEST] = sides->west == 1,
                              [EAST] = sides->east == 1,
                              [NORTH] = sides->north == 1,
                              [SOUTH] = sides->south == 1};
    memcpy(sim->world->open, open, sizeof open);
}

/// A supply for each step of a sweep.
static GullyStatus prepare_supplies(const GullySim* sim, const GullySettings* settings, double dt,
                                    Supply fresh[MAX_BLOCK]) {
    memcpy(fresh, sim->supplies, sizeof sim->supplies);
    for (int i = 0; i < MAX_BLOCK; i++) {
        fresh[i].discs = fresh[i].sorted = NULL;
        fresh[i].row_start = NULL;
    }
    GullyStatus status = GULLY_OK;
    for (int i = 0; i < (sim->sweep ? MAX_BLOCK : 1) && !status; i++)
        status = supply_prepare(&fresh[i], sim->world, settings, dt);
    return status;
}

static void free_supplies(Supply supplies[MAX_BLOCK]) {
    for (int i = 0; i < MAX_BLOCK; i++)
        supply_free(&supplies[i]);
}

/// The passes of some operators of the model, or all of them after the supply; returns how many.
/// `out` may be NULL.
static int list_model(const GullySim* sim, const GullySettings* settings, const Law* model,
                      StepPass* out) {
    static const Operator supply = {"rain", 0, 0};
    const Operator all = {"all", 0, model->pass_count};
    const Operator* fixed[] = {&supply, &all};
    int count = 0, entries = model->operators ? settings->cycle_count : 2;
    for (int i = 0; i < entries; i++) {
        const CycleEntry entry = model->operators ? settings->cycle[i] : (CycleEntry){i, 1};
        const Operator* op = model->operators ? &model->operators[entry.operator] : fixed[i];
        for (int n = 0; n < entry.times; n++) {
            if (op->count == 0 && out) out[count] = (StepPass){supply_pass(sim), SUPPLY, false};
            for (int pass = 0; pass < op->count && out; pass++)
                out[count + pass] = (StepPass){&model->passes[op->first + pass], 0, false};
            count += op->count ? op->count : 1;
        }
    }
    return count;
}

/// The passes of a step: those of the model, then those of the add-ons; returns how many.
static int list_step(const GullySim* sim, const GullySettings* settings, const BoundLaw* laws,
                     int law_count, StepPass* out) {
    int count = list_model(sim, settings, laws[0].law, out);
    for (int i = 1; i < law_count; i++) {
        for (int pass = 0; pass < laws[i].law->pass_count; pass++, count++) {
            if (out) out[count] = (StepPass){&laws[i].law->passes[pass], i, false};
        }
    }
    for (int i = 0; i < law_count; i++) {
        if (!laws[i].rounding) continue;
        if (out) out[count] = (StepPass){&laws[i].rounding->pass, i, true};
        count++;
    }
    return count;
}

static GullyStatus create_step(const GullySim* sim, const GullySettings* settings,
                               const BoundLaw* laws, int law_count, StepPass** out, int* count) {
    *count = list_step(sim, settings, laws, law_count, NULL);
    *out = malloc((size_t)*count * sizeof **out);
    if (!*out) return gully_fail(GULLY_FAILED, "no memory for a step of %d passes", *count);
    list_step(sim, settings, laws, law_count, *out);
    return GULLY_OK;
}

/// The passes of a step of laws that are about to become the simulation's, as a sweep wants them:
/// their slots will be where those of the present ones are.
static void list_sweep(const GullySim* sim, const BoundLaw* laws, const StepPass* step, int count,
                       SweepPass out[MAX_STEP_PASSES]) {
    for (int i = 0; i < count; i++) {
        int law = step[i].law;
        out[i] = (SweepPass){.pass = step[i].pass, .slots = sim->supply_slots};
        if (law == SUPPLY) continue;
        out[i].law = laws[law].law;
        out[i].slots = sim->laws[law].slots;
        out[i].consts = laws[law].consts;
        if (step[i].rounds) out[i].consts = &laws[law].rounding->consts;
    }
}

/// Whether a step of these passes can be swept.
static bool can_sweep(const GullySim* sim, const BoundLaw* laws, const StepPass* step, int count) {
    SweepPass passes[MAX_STEP_PASSES];
    if (!sim->sweep || count > MAX_STEP_PASSES) return false;
    list_sweep(sim, laws, step, count, passes);
    return plan_fits(passes, count);
}

static GullyStatus plan_sweep(GullySim* sim, const BoundLaw* laws, const StepPass* step,
                              int count) {
    SweepPass passes[MAX_STEP_PASSES];
    list_sweep(sim, laws, step, count, passes);
    return sweep_plan(sim->sweep, passes, count);
}

/// Whether all laws of a step know the world's materials.
static GullyStatus check_materials(const GullySim* sim, const BoundLaw* laws, int count) {
    for (int i = 0; i < count; i++) {
        if (sim->world->material_count == 0 || laws[i].law->layers) continue;
        return gully_fail(GULLY_BAD_INPUT,
                          "materials: the law %s does not know any; leave them out, or choose a "
                          "model that does (see gully models)",
                          laws[i].law->name);
    }
    return GULLY_OK;
}

GullyStatus gully_sim_apply(GullySim* sim, const GullySettings* settings) {
    if (sim->settings && strcmp(sim->settings->model->name, settings->model->name) != 0) {
        return gully_fail(GULLY_BAD_INPUT, "model: cannot change from %s to %s within a run",
                          sim->settings->model->name, settings->model->name);
    }
    double dt = 0;
    GullyStatus status = settings_check(settings);
    if (!status) status = choose_dt(sim->world, settings, &dt);
    if (status) return status;

    GullySettings* copy;
    status = gully_settings_copy(settings, &copy);
    if (status) return status;
    BoundLaw laws[MAX_LAWS] = {0};
    int count = list_laws(sim, copy, laws), pass_count = 0;
    StepPass* passes = NULL;
    status = check_materials(sim, laws, count);
    if (!status) status = create_rounding(sim, laws, count);
    if (!status) status = create_step(sim, copy, laws, count, &passes, &pass_count);
    bool sweeps = !status && can_sweep(sim, laws, passes, pass_count);
    if (!status) status = bind_laws(sim, copy, dt, sweeps, laws, count);
    if (!status) status = world_set_narrow(sim->world, sim->world->half && sweeps);
    Supply supplies[MAX_BLOCK] = {0};
    if (!status) status = prepare_supplies(sim, copy, dt, supplies);
    if (!status && sweeps) status = plan_sweep(sim, laws, passes, pass_count);
    if (status) {
        free_supplies(supplies);
        free_laws(laws, count);
        free(passes);
        gully_settings_destroy(copy);
        return status;
    }
    if (sim->dt > 0 && dt != sim->dt) scale_per_step(sim, dt / sim->dt);
    free_laws(sim->laws, sim->law_count);
    free_supplies(sim->supplies);
    free(sim->passes);
    gully_settings_destroy(sim->settings);
    sim->passes = passes;
    sim->pass_count = pass_count;
    memcpy(sim->laws, laws, sizeof laws);
    memcpy(sim->supplies, supplies, sizeof supplies);
    sim->law_count = count;
    sim->sweeps = sweeps;
    sim->settings = copy;
    sim->time_since = gully_sim_time(sim);
    sim->dt_since = sim->steps;
    sim->dt = dt;
    bind_common(sim->world, sim->supply_slots);
    apply_sides(sim);
    supply_fill_pattern(&sim->supplies[0], sim->world);
    return GULLY_OK;
}

// ---- the simulation -----------------------------------------------------------------------------

GullySimDef gully_sim_def(void) {
    return (GullySimDef){.made = GULLY_DEF_MADE, .seed = 1, .masks = true};
}

/// The total of a field and of its remainder, if the world has that.
static Exact total_of(const GullyWorld* world, int id, int low_id) {
    int low = world->common[low_id];
    return world_total(world, world->common[id]) + (low < 0 ? 0 : world_total(world, low));
}

GullyStatus gully_sim_create(GullyWorld* world, const GullySettings* settings,
                             const GullySimDef* def, GullySim** out) {
    *out = NULL;
    GullyStatus status = gully_def_check(def->made, "gully_sim_def");
    if (status) return status;
    if (def->threads < 0 || def->threads > MAX_THREADS) {
        return gully_fail(GULLY_BAD_INPUT, "threads: %d is out of range; allowed: 1 to %d, 0 = all",
                          def->threads, MAX_THREADS);
    }
    GullySim* sim = calloc(1, sizeof *sim);
    if (!sim) return gully_fail(GULLY_FAILED, "no memory for a simulation");
    sim->world = world;
    sim->def = *def;
    for (int i = 0; i < MAX_BLOCK; i++)
        sim->supplies[i].seed = def->seed;
    status = stepper_create(world, def->threads, &sim->stepper);
    if (!status && !def->plain)
        status = sweep_create(world, stepper_pool(sim->stepper), &sim->sweep);
    if (!status) status = gully_sim_apply(sim, settings);
    if (status) {
        gully_sim_destroy(sim);
        return status;
    }
    const Law* model = sim->settings->model;
    if (model->start) model->start(settings_values(sim->settings, "params"), world);
    Exact suspended = total_of(world, SEDIMENT, SEDIMENT_LOW);
    sim->initial_water = total_of(world, WATER, WATER_LOW);
    sim->initial_solid = total_of(world, GROUND, GROUND_LOW);
    sim->initial_solid += suspended;
    sim->edited_water = world->edited_water;
    sim->edited_solid = world->edited_solid;
    *out = sim;
    return GULLY_OK;
}

void gully_sim_destroy(GullySim* sim) {
    if (!sim) return;
    free_laws(sim->laws, sim->law_count);
    free_supplies(sim->supplies);
    free(sim->passes);
    sweep_destroy(sim->sweep);
    gully_settings_destroy(sim->settings);
    stepper_destroy(sim->stepper);
    free(sim);
}

/// When a step begins [s]: one product, so that it does not depend on how steps are put together.
static double time_of(const GullySim* sim, int64_t step) {
    return sim->time_since + (double)(step - sim->dt_since) * sim->dt;
}

/// Draws what falls in one of the next steps; NULL if nothing does.
static const void* begin_step(GullySim* sim, int ahead) {
    double time = time_of(sim, sim->steps + ahead);
    bool falls = supply_begin_step(&sim->supplies[ahead], sim->steps + ahead, time, sim->dt);
    return falls ? &sim->supplies[ahead].step : NULL;
}

static void step_plainly(GullySim* sim) {
    const void* falls = begin_step(sim, 0);
    for (int i = 0; i < sim->pass_count; i++) {
        const StepPass* step = &sim->passes[i];
        const BoundLaw* bound = step->law == SUPPLY ? NULL : &sim->laws[step->law];
        const void* consts = !bound         ? falls
                             : step->rounds ? &bound->rounding->consts
                                            : bound->consts;
        if (consts)
            stepper_run(sim->stepper, step->pass, bound ? bound->slots : sim->supply_slots, consts);
    }
}

/// Runs up to `most` steps at once; returns how many.
static int64_t advance(GullySim* sim, int64_t most) {
    if (!sim->sweeps) {
        step_plainly(sim);
        return 1;
    }
    int steps = most < sweep_block(sim->sweep) ? (int)most : sweep_block(sim->sweep);
    const void* falls[MAX_BLOCK];
    for (int i = 0; i < steps; i++)
        falls[i] = begin_step(sim, i);
    sweep_run(sim->sweep, steps, falls);
    return steps;
}

GullyStatus gully_sim_step(GullySim* sim, int64_t steps) {
    if (steps > 0) world_will_change(sim->world);
    // A field may have been added by a write since the last step.
    bind_common(sim->world, sim->supply_slots);
    for (int i = 0; i < sim->law_count; i++)
        memcpy(sim->laws[i].slots, sim->supply_slots, COMMON_FIELDS * sizeof(int));
    if (sim->sweeps) sweep_bind(sim->sweep);
    while (steps > 0) {
        int64_t done = advance(sim, steps);
        steps -= done;
        sim->steps += done;
        if (sim->def.masks) sim->world->flow_steps += done;
    }
    return GULLY_OK;
}

int gully_sim_block(const GullySim* sim) {
    return sim->sweeps ? sweep_block(sim->sweep) : 1;
}

int64_t gully_sim_steps(const GullySim* sim) {
    return sim->steps;
}

double gully_sim_time(const GullySim* sim) {
    return time_of(sim, sim->steps);
}

double gully_sim_dt(const GullySim* sim) {
    return sim->dt;
}

int gully_sim_threads(const GullySim* sim) {
    return pool_threads(stepper_pool(sim->stepper));
}

GullyWorld* gully_sim_world(const GullySim* sim) {
    return sim->world;
}

static FieldSet pass_fields(const Pass* pass) {
    return pass_reads(pass) | pass->writes;
}

/// Bytes of a number of a field that a step reads or writes.
static size_t number_bytes(const GullyWorld* world, int slot) {
    if (slot < 0) return 0;
    return is_narrow(world, slot) ? sizeof(Half) : sizeof(float);
}

size_t gully_sim_state_bytes(const GullySim* sim) {
    FieldSet common = pass_fields(law_supply()->passes);
    size_t bytes = 0;
    for (int i = 0; i < sim->law_count; i++) {
        const Law* law = sim->laws[i].law;
        for (int pass = 0; pass < law->pass_count; pass++)
            common |= pass_fields(&law->passes[pass]);
        for (int f = 0; f < law->field_count; f++) {
            if (!law->fields[f].scratch)
                bytes += number_bytes(sim->world, sim->laws[i].slots[LAW_FIELDS + f]);
        }
    }
    for (int id = 0; id < COMMON_FIELDS; id++) {
        if (common & FIELD_BIT(id)) bytes += number_bytes(sim->world, sim->world->common[id]);
    }
    return bytes * (size_t)sim->world->width * (size_t)sim->world->height;
}

size_t gully_sim_allocated_bytes(const GullySim* sim) {
    return world_bytes(sim->world);
}

// ---- budget -------------------------------------------------------------------------------------

/// Adds up a budget: every entry counts towards the residual as what came in or what is out or
/// present. The residual is rounded once, at the very end, since it is a small difference of large
/// sums.
typedef struct Balance {
    Exact residual;
    double area; // entries are in metres times cells [m2]
} Balance;

static double enter(Balance* balance, Exact amount, int sign) {
    balance->residual += amount * sign;
    return exact_value(amount) * balance->area;
}

/// What the passes counted, with both steppers.
static Exact counted(const GullySim* sim, Account account) {
    Exact swept = sim->sweep ? sweep_account(sim->sweep, account) : 0;
    return swept + stepper_account(sim->stepper, account);
}

static void add_up_water(const GullySim* sim, GullyBudget* out) {
    const GullyWorld* world = sim->world;
    Balance balance = {.area = world->cell_x * world->cell_y};
#define ACCOUNT(account) counted(sim, account)
    out->water.initial = enter(&balance, sim->initial_water, 1);
    out->water.rain = enter(&balance, ACCOUNT(WATER_RAIN), 1);
    out->water.sources = enter(&balance, ACCOUNT(WATER_SOURCES), 1);
    out->water.exchanged = enter(&balance, ACCOUNT(WATER_EXCHANGED), 1);
    out->water.edits = enter(&balance, world->edited_water - sim->edited_water, 1);
    out->water.evaporated = enter(&balance, ACCOUNT(WATER_EVAPORATED), -1);
    out->water.left = enter(&balance, ACCOUNT(WATER_LEFT), -1);
    out->water.rounded = enter(&balance, ACCOUNT(WATER_ROUNDED), -1);
    out->water.present = enter(&balance, total_of(world, WATER, WATER_LOW), -1);
    out->water.residual = exact_value(balance.residual) * balance.area;
    out->water.moved = out->water.initial + out->water.rain + out->water.sources;
}

static void add_up_solid(const GullySim* sim, GullyBudget* out) {
    const GullyWorld* world = sim->world;
    Balance balance = {.area = world->cell_x * world->cell_y};
    Exact suspended = total_of(world, SEDIMENT, SEDIMENT_LOW);
    out->solid.initial = enter(&balance, sim->initial_solid, 1);
    out->solid.sources = enter(&balance, ACCOUNT(SOLID_SOURCES), 1);
    out->solid.edits = enter(&balance, world->edited_solid - sim->edited_solid, 1);
    out->solid.left = enter(&balance, ACCOUNT(SOLID_LEFT), -1);
    out->solid.transport_loss = enter(&balance, ACCOUNT(SOLID_TRANSPORT_LOSS), -1);
    out->solid.rounded = enter(&balance, ACCOUNT(SOLID_ROUNDED), -1);
    out->solid.ground = enter(&balance, total_of(world, GROUND, GROUND_LOW), -1);
    out->solid.suspended = enter(&balance, suspended, -1);
    out->solid.residual = exact_value(balance.residual) * balance.area;
    out->solid.eroded = exact_value(ACCOUNT(SOLID_ERODED)) * balance.area;
    out->solid.deposited = exact_value(ACCOUNT(SOLID_DEPOSITED)) * balance.area;
    out->solid.slid = exact_value(ACCOUNT(SOLID_SLID)) * balance.area;
    out->solid.moved =
        out->solid.sources + out->solid.eroded + out->solid.deposited + out->solid.slid;
#undef ACCOUNT
}

void gully_sim_budget(const GullySim* sim, GullyBudget* out) {
    add_up_water(sim, out);
    add_up_solid(sim, out);
}

// ---- books --------------------------------------------------------------------------------------

void sim_get_books(const GullySim* sim, Books* books) {
    const GullyWorld* world = sim->world;
    *books = (Books){
        .seed = sim->def.seed,
        .steps = sim->steps,
        .dt_since = sim->dt_since,
        .time_since = sim->time_since,
        .dt = sim->dt,
        .flow_steps = world->flow_steps,
        .initial_water = sim->initial_water,
        .initial_solid = sim->initial_solid,
        .edited_water = world->edited_water - sim->edited_water,
        .edited_solid = world->edited_solid - sim->edited_solid,
    };
    for (int account = 0; account < ACCOUNTS; account++)
        books->accounts[account] = counted(sim, (Account)account);
}

void sim_set_books(GullySim* sim, const Books* books) {
    GullyWorld* world = sim->world;
    sim->steps = books->steps;
    sim->dt_since = books->dt_since;
    sim->time_since = books->time_since;
    world->flow_steps = books->flow_steps;
    sim->initial_water = books->initial_water;
    sim->initial_solid = books->initial_solid;
    sim->edited_water = world->edited_water - books->edited_water;
    sim->edited_solid = world->edited_solid - books->edited_solid;
    if (sim->sweep) sweep_clear_accounts(sim->sweep);
    stepper_set_accounts(sim->stepper, books->accounts);
    world->edits++;
}

const char* sim_model(const GullySim* sim) {
    return sim->settings->model->name;
}
