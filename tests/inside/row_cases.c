// SPDX-License-Identifier: MIT
#include "row_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "half_pass.h"
#include "sanitized.h"
#include "supply.h"

/// A NaN that no arithmetic makes: what a pass may not read, and what it has not written.
#define UNKNOWN float_of(0x7fc0dead)

// ---- chance -------------------------------------------------------------------------------------

static uint64_t dice = 1;

static double chance(void) {
    dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(dice >> 11) * 0x1p-53;
}

static int roll(int sides) {
    return (int)(chance() * sides);
}

// ---- grids --------------------------------------------------------------------------------------

static float* cell_at(const Grid* grid, int id, int x, int y) {
    return &grid->fields[id][(y + 1) * (grid->width + 2) + x + 1];
}

static size_t field_size(const Grid* grid) {
    return (size_t)(grid->width + 2) * (size_t)(grid->height + 2) * sizeof(float);
}

static float* copy_field(const Grid* grid, const float* cells) {
    float* copy = malloc(field_size(grid));
    assert_non_null(copy);
    return cells ? memcpy(copy, cells, field_size(grid)) : copy;
}

static void add_field(Grid* grid, int id) {
    grid->fields[id] = copy_field(grid, NULL);
    for (int i = 0; i < (grid->width + 2) * (grid->height + 2); i++)
        grid->fields[id][i] = grid->outside[id];
}

static void free_grid(Grid* grid) {
    for (int id = 0; id < FIELD_IDS; id++)
        free(grid->fields[id]);
}

static bool is_low(int id) {
    return id == GROUND_LOW || id == WATER_LOW || id == SEDIMENT_LOW ||
           (id >= LAYER_LOW_1 && id <= LAYER_LOW_7);
}

/// The field whose remainder a field is.
static int value_of_low(int id) {
    return id >= LAYER_LOW_1 && id <= LAYER_LOW_7 ? id - LAYER_LOW_1 + LAYER_1 : id - 1;
}

/// Some value that a cell may have; `rough` is the relief.
static float random_value(const Grid* grid, int id, int x, int y, double rough) {
    const double u = chance();
    const float ground = *cell_at(grid, GROUND, x, y);
    if (id == GROUND) return (float)(100 + rough * (u + 0.1 * x));
    if (!is_cell(ground)) return id == HARDNESS ? 1 : 0;
    if (is_low(id)) {
        const int value = value_of_low(id);
        const float* of = grid->fields[value] ? cell_at(grid, value, x, y) : &grid->outside[value];
        return *of * (float)(u - 0.5) * 0x1p-24f + 0.0f; // laws leave no -0
    }
    if (id == HARDNESS) return u < 0.1 ? 0 : (float)u;
    if (id == VELOCITY_X || id == VELOCITY_Y) return (float)(2 * u - 1);
    if (id == SEDIMENT) return *cell_at(grid, WATER, x, y) > 0 ? (float)(0.02 * u) : 0;
    if (id == WATER && chance() < 0.3) return 0;
    if (id >= LAYER_1 && id <= LAYER_7 && chance() < 0.7) return 0;
    return (float)(id >= LAW_FIELDS ? 0.01 * u : u); // a law's own: such as outflows [m]
}

static void fill_grid(Grid* grid, bool holes, double rough) {
    for (int id = 0; id < FIELD_IDS; id++) {
        for (int y = 0; grid->fields[id] && y < grid->height; y++) {
            for (int x = 0; x < grid->width; x++) {
                const bool hole = id == GROUND && holes && chance() < 0.15;
                *cell_at(grid, id, x, y) =
                    hole ? GROUND_NODATA : random_value(grid, id, x, y, rough);
            }
        }
    }
}

// ---- whole rows ---------------------------------------------------------------------------------

static bool has_boundary(const Grid* grid, int y) {
    if (grid->ask_all || y == 0 || y == grid->height - 1) return true;
    for (int row = y - 1; row <= y + 1; row++) {
        for (int x = 0; x < grid->width; x++)
            if (!is_cell(*cell_at(grid, GROUND, x, row))) return true;
    }
    return false;
}

/// Says where cells x .. x + count - 1 of row y are in the world.
static PassRow place_row(const Grid* grid, int x, int y, int count) {
    PassRow row = {.to = count, .end = count, .x = x, .y = y};
    row.has_boundary = has_boundary(grid, y);
    const bool side[SIDES] = {[WEST] = x == 0,
                              [EAST] = x + count == grid->width,
                              [NORTH] = y == 0,
                              [SOUTH] = y == grid->height - 1};
    for (int i = 0; i < SIDES; i++) {
        row.side[i] = side[i];
        row.open[i] = side[i] && grid->open[i];
    }
    return row;
}

/// Runs a pass on all rows. It sees all fields.
static void run_rows(const RowCase* c, const Pass* pass, Exact counted[ACCOUNTS], uint8_t* moving) {
    const Grid* grid = &c->grid;
    const int width = grid->width, blocks = (width + MOVING_BLOCK - 1) / MOVING_BLOCK;
    float* memory = malloc((size_t)(SCRATCH_ROWS * (width + 1)) * sizeof *memory);
    float* values[FIELD_IDS] = {NULL};
    assert_non_null(memory);
    for (int y = 0; y < grid->height; y++) {
        PassRow row = place_row(grid, 0, y, width);
        for (int id = 0; id < FIELD_IDS; id++) {
            if (!grid->fields[id] && !values[id]) {
                values[id] = malloc((size_t)(width + 2) * sizeof(float));
                assert_non_null(values[id]);
                for (int x = 0; x < width + 2; x++)
                    values[id][x] = grid->outside[id];
            }
            for (int n = 0; n < ROWS; n++)
                row.in[id][n] =
                    grid->fields[id] ? cell_at(grid, id, 0, y + n - HERE) : values[id] + 1;
            row.out[id] = grid->fields[id] ? cell_at(grid, id, 0, y) : NULL;
        }
        for (int i = 0; i < SCRATCH_ROWS; i++)
            row.scratch[i] = memory + i * (width + 1);
        row.accounts = counted;
        row.moving = moving + y * blocks;
        row.consts = c->consts;
        pass->row(&row);
    }
    for (int id = 0; id < FIELD_IDS; id++)
        free(values[id]);
    free(memory);
}

// ---- rows of one cell ---------------------------------------------------------------------------

/// What a pass may read of a field: rows and columns around the cell.
typedef struct Window {
    int top, bottom, left, right; // -1 .. 1
    bool any;
} Window;

static Window window_of(const Pass* pass, int id) {
    const FieldSet bit = FIELD_BIT(id);
    if (!((pass_reads(pass) | pass->writes) & bit)) return (Window){0};
    const int before = (pass_reads_before(pass) & bit) != 0;
    const int after = (pass_reads_after(pass) & bit) != 0;
    return (Window){-before, after, -before, after, true};
}

/// The memory of a row of one cell: a row of each field is exactly as wide as declared, which a
/// sanitizer watches. Without one there is a NaN on either side.
typedef struct CellMemory {
    float* rows[FIELD_IDS][ROWS];
    float* scratch[SCRATCH_ROWS];
} CellMemory;

static float* unknown_floats(int count) {
    float* floats = malloc((size_t)count * sizeof *floats);
    assert_non_null(floats);
    for (int i = 0; i < count; i++)
        floats[i] = UNKNOWN;
    return floats;
}

static void create_memory(CellMemory* memory, const Pass* pass) {
    for (int id = 0; id < FIELD_IDS; id++) {
        const Window window = window_of(pass, id);
        for (int n = 0; n < ROWS; n++) {
            const bool declared = window.any && n - HERE >= window.top && n - HERE <= window.bottom;
            const int columns = declared ? window.right - window.left + 1 : 0;
            memory->rows[id][n] = unknown_floats(SANITIZED ? columns : ROWS);
        }
    }
    for (int i = 0; i < SCRATCH_ROWS; i++)
        memory->scratch[i] = unknown_floats(2);
}

static void free_memory(CellMemory* memory) {
    for (int id = 0; id < FIELD_IDS; id++) {
        for (int n = 0; n < ROWS; n++)
            free(memory->rows[id][n]);
    }
    for (int i = 0; i < SCRATCH_ROWS; i++)
        free(memory->scratch[i]);
}

/// Where column 0 of a row is.
static float* column_0(const CellMemory* memory, const Window* window, int id, int n) {
    return memory->rows[id][n] + (SANITIZED ? -window->left : 1);
}

/// Gathers what a pass declares to read around a cell, and points a row at it.
static void gather(const RowCase* c, const Pass* pass, float* const before[FIELD_IDS], int x, int y,
                   CellMemory* memory, PassRow* row) {
    const Grid* grid = &c->grid;
    for (int id = 0; id < FIELD_IDS; id++) {
        const Window window = window_of(pass, id);
        const bool reads = (pass_reads(pass) & FIELD_BIT(id)) != 0;
        for (int n = 0; n < ROWS; n++) {
            float* cells = column_0(memory, &window, id, n);
            const int dy = n - HERE;
            for (int dx = window.left; window.any && dx <= window.right; dx++) {
                if (dy < window.top || dy > window.bottom) continue;
                const int at = (y + dy + 1) * (grid->width + 2) + x + dx + 1;
                const float value = before[id] ? before[id][at] : grid->outside[id];
                cells[dx] = reads ? value : UNKNOWN;
            }
            row->in[id][n] = cells;
        }
        const bool writes = (pass->writes & FIELD_BIT(id)) && before[id];
        row->out[id] = writes ? column_0(memory, &window, id, HERE) : NULL;
    }
    for (int i = 0; i < SCRATCH_ROWS; i++)
        row->scratch[i] = memory->scratch[i];
    row->consts = c->consts;
}

// ---- comparing ----------------------------------------------------------------------------------

static bool same(float a, float b) {
    return bits_of(a) == bits_of(b) || (isnan(a) && isnan(b));
}

static void check_cell(const RowCase* c, const Pass* pass, const PassRow* row, int x, int y) {
    const Grid* grid = &c->grid;
    for (int id = 0; id < FIELD_IDS; id++) {
        if (!row->out[id]) continue;
        const float whole = *cell_at(grid, id, x, y), cell = row->out[id][0];
        if (!same(whole, cell))
            fail_msg("%s, %s: field %d of cell %d, %d is %.9g in a row, %.9g alone", c->name,
                     pass->name, id, x, y, (double)whole, (double)cell);
        if (!grid->scratch[id] && bits_of(cell) == bits_of(UNKNOWN))
            fail_msg("%s, %s: field %d is not written in cell %d, %d, and not declared as read",
                     c->name, pass->name, id, x, y);
    }
}

/// Whole rows must have changed nothing but what the pass declares to write.
static void check_undeclared(const RowCase* c, const Pass* pass, float* const before[FIELD_IDS]) {
    for (int id = 0; id < FIELD_IDS; id++) {
        if (!before[id]) continue;
        const bool writes = (pass->writes & FIELD_BIT(id)) != 0;
        for (int y = -1; y <= c->grid.height; y++) {
            for (int x = -1; x <= c->grid.width; x++) {
                const bool inside = x >= 0 && y >= 0 && x < c->grid.width && y < c->grid.height;
                if (writes && inside) continue;
                const int at = (y + 1) * (c->grid.width + 2) + x + 1;
                if (bits_of(before[id][at]) != bits_of(c->grid.fields[id][at]))
                    fail_msg("%s, %s: wrote field %d at %d, %d without saying so", c->name,
                             pass->name, id, x, y);
            }
        }
    }
}

static void check_counted(const RowCase* c, const Pass* pass, const Exact whole[ACCOUNTS],
                          const Exact alone[ACCOUNTS]) {
    for (int i = 0; i < ACCOUNTS; i++) {
        if (whole[i] != alone[i])
            fail_msg("%s, %s: account %d is %.17g in rows, %.17g cell by cell", c->name, pass->name,
                     i, exact_value(whole[i]), exact_value(alone[i]));
        if (whole[i] != 0 && !(pass->counts & ACCOUNT_BIT(i)))
            fail_msg("%s, %s: counts account %d without saying so", c->name, pass->name, i);
        const AccountSet uncounted = c->law->uncounted ? c->law->uncounted(c->consts) : 0;
        if (whole[i] != 0 && (uncounted & ACCOUNT_BIT(i)))
            fail_msg("%s, %s: counts account %d and says that it does not", c->name, pass->name, i);
    }
}

/// Runs a pass on every cell by itself, from the fields before, and compares with whole rows.
static void check_cells(const RowCase* c, const Pass* pass, float* const before[FIELD_IDS],
                        RunCell* run, void* context, Exact counted[ACCOUNTS], uint8_t* moving) {
    const Grid* grid = &c->grid;
    const int blocks = (grid->width + MOVING_BLOCK - 1) / MOVING_BLOCK;
    CellMemory memory;
    create_memory(&memory, pass);
    for (int y = 0; y < grid->height; y++) {
        for (int x = 0; x < grid->width; x++) {
            PassRow row = place_row(grid, x, y, 1);
            row.has_boundary = true; // a question more must not change the answer
            uint8_t moves = 0;
            Exact of_cell[ACCOUNTS] = {0};
            gather(c, pass, before, x, y, &memory, &row);
            row.moving = &moves;
            run(context, c, pass, &row, of_cell);
            check_cell(c, pass, &row, x, y);
            for (int i = 0; i < ACCOUNTS; i++)
                counted[i] += of_cell[i];
            moving[y * blocks + x / MOVING_BLOCK] |= moves;
        }
    }
    free_memory(&memory);
}

static void check_pass(RowCase* c, const Pass* pass, RunCell* run, void* context,
                       RowResult* result) {
    Grid* grid = &c->grid;
    float* before[FIELD_IDS] = {NULL};
    for (int id = 0; id < FIELD_IDS; id++) {
        const bool unread = pass->writes & ~pass_reads(pass) & FIELD_BIT(id);
        for (int y = 0; grid->fields[id] && unread && y < grid->height; y++) {
            for (int x = 0; x < grid->width; x++)
                *cell_at(grid, id, x, y) = UNKNOWN;
        }
        if (grid->fields[id]) before[id] = copy_field(grid, grid->fields[id]);
    }
    const int blocks = grid->height * ((grid->width + MOVING_BLOCK - 1) / MOVING_BLOCK);
    uint8_t *moving = calloc((size_t)blocks, 1), *alone_moving = calloc((size_t)blocks, 1);
    Exact whole[ACCOUNTS] = {0}, alone[ACCOUNTS] = {0};
    assert_true(moving && alone_moving);
    run_rows(c, pass, whole, moving);
    check_undeclared(c, pass, before);
    check_cells(c, pass, before, run, context, alone, alone_moving);
    check_counted(c, pass, whole, alone);
    if (memcmp(moving, alone_moving, (size_t)blocks) != 0)
        fail_msg("%s, %s: marks other cells as moving", c->name, pass->name);
    result->cells += grid->width * grid->height;
    for (int i = 0; i < ACCOUNTS; i++)
        result->counted |= whole[i] != 0 ? ACCOUNT_BIT(i) : 0;
    for (int id = 0; id < FIELD_IDS; id++) {
        const bool wrote = before[id] && memcmp(before[id], grid->fields[id], field_size(grid));
        result->written |= wrote ? FIELD_BIT(id) : 0;
        free(before[id]);
    }
    free(moving);
    free(alone_moving);
}

void check_row_case(RowCase* c, int steps, RunCell* run, void* context, RowResult* result) {
    for (int i = 0; i < steps * c->law->pass_count; i++)
        check_pass(c, &c->passes[i % c->law->pass_count], run, context, result);
}

// ---- cases --------------------------------------------------------------------------------------

static const struct {
    int width, height;
} shapes[] = {{75, 4}, {66, 3}, {1, 1}, {1, 5}, {2, 3}, {9, 1}, {17, 6}};

enum { SHAPES = sizeof shapes / sizeof *shapes, VARIANTS = 42 };

/// Sets a parameter: choices and flags take all values in turn, numbers some.
static void vary(const GullyParam* param, void* params, int* bits) {
    char* at = (char*)params + param->offset;
    const double u = chance();
    const double most = fmin(param->high, fmax(1, 2 * param->fallback));
    const double other = u < 0.65 ? param->low : param->low + chance() * (most - param->low);
    const double number = u < 0.5 ? param->fallback : other;
    const int choice = *bits % ((int)param->high + 1);
    switch (param->kind) {
    case GULLY_KIND_number:
        memcpy(at, &number, sizeof number);
        return;
    case GULLY_KIND_map:
        memcpy(at, &(double){roll(2) ? GULLY_MAPPED : number}, sizeof number);
        return;
    case GULLY_KIND_integer:
        memcpy(at, &(int){(int)number}, sizeof(int));
        return;
    case GULLY_KIND_choice:
        memcpy(at, &choice, sizeof choice);
        break;
    case GULLY_KIND_flag:
        memcpy(at, &(bool){choice != 0}, sizeof(bool));
        break;
    }
    *bits /= (int)param->high + 1;
}

/// Constants of a law of the table, and the common fields that they need.
static void* prepare_law(const Law* law, int variant, const StepInfo* info, FieldSet* needs) {
    void* params = malloc(law->params->size);
    void* consts = malloc(law->consts_size);
    assert_true(params && consts);
    int bits = variant;
    gully_params_default(law->params, params);
    for (int i = 0; i < law->params->count; i++)
        vary(&law->params->rows[i], params, &bits);
    law->prepare(params, info, consts);
    if (law->needs) *needs |= law->needs(params);
    free(params);
    return consts;
}

/// A step of rain, season, drops and sources, each of them on or off.
static void* prepare_supply(int variant, const Grid* grid) {
    GullyWorldDef def = gully_world_def(grid->width, grid->height);
    GullyWorld* world;
    GullySettings* settings;
    assert_int_equal(gully_world_create(&def, &world), GULLY_OK);
    assert_int_equal(gully_settings_create("pipe", &settings), GULLY_OK);
    if (variant & 1) gully_settings_set_number(settings, "rain.rate", 0.3);
    if (variant & 2) gully_settings_set_number(settings, "rain.season.rate", 0.2);
    if (variant & 4) {
        gully_settings_set_number(settings, "rain.drops.drops_per_second", 200);
        gully_settings_set_number(settings, "rain.drops.radius", variant & 1 ? 0 : 2.3);
    }
    for (int i = 0; i < (variant & 8 ? 3 : 0); i++) {
        const double u = chance(), v = chance(), w = chance();
        GullySource source = {.x = u * (grid->width + 10) - 5,
                              .y = v * (grid->height + 4) - 2,
                              .radius = i ? 5 * w : 0,
                              .rate = 0.1,
                              .concentration = 0.05 * i,
                              .until = GULLY_FOREVER};
        assert_int_equal(gully_settings_add_source(settings, &source), GULLY_OK);
    }
    Supply supply = {.seed = (uint64_t)variant};
    const StepPace pace = {0};
    const StepClock clock = {.since = variant, .time_since = 3, .dt = 0.1};
    assert_int_equal(supply_prepare(&supply, world, settings, 0.1, &pace), GULLY_OK);
    supply_begin_step(&supply, &clock, variant);
    void* step = supply.step;
    supply.step = NULL; // ours
    supply_free(&supply);
    gully_settings_destroy(settings);
    gully_world_destroy(world);
    return step;
}

/// Rounding of the common fields, of own fields, or of both.
static void* prepare_half(int variant, Pass* pass) {
    HalfConsts* consts = malloc(sizeof *consts);
    assert_non_null(consts);
    const FieldSet own = variant % 3 == 1 ? 0 : OWN_FIELDS & ~FIELD_BIT(LAW_FIELDS + variant % 2);
    const FieldSet fields = variant % 3 == 2 ? own : own | HALF_FIELDS;
    pass->reads = pass->writes = fields;
    *consts = half_consts(fields);
    return consts;
}

static void add_fields(RowCase* c, FieldSet common) {
    static const float values[COMMON_FIELDS] = {
#define FIELD(id, name, value) [id] = id == GROUND ? GROUND_OUTSIDE : (value),
        COMMON_FIELD_TABLE(FIELD)
#undef FIELD
    };
    FieldSet declared = common;
    for (int i = 0; i < c->law->pass_count; i++)
        declared |= (pass_reads(&c->passes[i]) | c->passes[i].writes) & OWN_FIELDS;
    for (int id = 0; id < FIELD_IDS; id++) {
        const int own = id - LAW_FIELDS;
        const bool known = own >= 0 && own < c->law->field_count;
        if (id < COMMON_FIELDS) c->grid.outside[id] = values[id];
        if (known) c->grid.outside[id] = c->law->fields[own].outside;
        if (known) c->grid.scratch[id] = c->law->fields[own].scratch;
        if (declared & FIELD_BIT(id)) add_field(&c->grid, id);
    }
}

static FieldSet some_fields(int materials) {
    FieldSet fields = FIELD_BIT(GROUND) | FIELD_BIT(GROUND_LOW) | FIELD_BIT(WATER) |
                      FIELD_BIT(WATER_LOW) | FIELD_BIT(SEDIMENT);
    if (roll(2)) fields |= FIELD_BIT(FLOW) | FIELD_BIT(WEAR) | FIELD_BIT(DEPOSIT);
    if (roll(2)) fields |= FIELD_BIT(VELOCITY_X) | FIELD_BIT(VELOCITY_Y);
    if (roll(2)) fields |= FIELD_BIT(HARDNESS) | FIELD_BIT(RAIN_PATTERN);
    if (roll(2)) fields |= FIELD_BIT(SEDIMENT_LOW);
    for (int m = 1; m < materials; m++)
        fields |= FIELD_BIT(LAYER_1 + m - 1) | FIELD_BIT(LAYER_LOW_1 + m - 1);
    return fields;
}

static void run_case(const Law* law, int variant, void (*each)(void* context, RowCase* c),
                     void* context) {
    static const int counts[] = {0, 2, 8};
    const int materials = law->layers ? counts[variant % 3] : 0;
    GullyMaterial stack[MAX_LAYERS + 1];
    for (int m = 0; m < materials; m++) {
        stack[m] = gully_material("rock", m);
        stack[m].erodibility = roll(3) ? 2 * chance() : 0;
        stack[m].critical_shear = roll(2) ? chance() : 0;
        stack[m].talus = roll(2) ? 20 + 30 * chance() : -1;
    }
    const StepInfo info = {
        .dt = 0.02, .cell_x = 1.5, .cell_y = 2, .materials = stack, .material_count = materials};
    RowCase c = {.law = law};
    c.grid.width = shapes[variant % SHAPES].width;
    c.grid.height = shapes[variant % SHAPES].height;
    c.grid.ask_all = roll(3) == 0;
    for (int side = 0; side < SIDES; side++)
        c.grid.open[side] = roll(2);
    snprintf(c.name, sizeof c.name, "%s %d (%d x %d, %d materials)", law->name, variant,
             c.grid.width, c.grid.height, materials);
    memcpy(c.passes, law->passes, (size_t)law->pass_count * sizeof *law->passes);
    FieldSet fields = some_fields(materials);
    void* consts = law == law_supply() ? prepare_supply(variant, &c.grid)
                   : law == law_half() ? prepare_half(variant, c.passes)
                                       : prepare_law(law, variant, &info, &fields);
    c.consts = consts;
    add_fields(&c, fields);
    fill_grid(&c.grid, roll(2), roll(2) ? 0.5 : 20);
    each(context, &c);
    free(consts);
    free_grid(&c.grid);
}

void each_row_case(void (*each)(void* context, RowCase* c), void* context) {
    dice = 1;
    for (int i = 0; i < law_count() + 2; i++) {
        const Law* law = i < law_count() ? law_at(i) : i == law_count() ? law_supply() : law_half();
        for (int variant = 0; variant < VARIANTS; variant++)
            run_case(law, variant, each, context);
    }
}
