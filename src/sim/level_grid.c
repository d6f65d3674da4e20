// SPDX-License-Identifier: MIT
#include "level_grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "levels.h"
#include "state_fields.h"

// ---- fields -------------------------------------------------------------------------------------

/// Fields of every law that levels share, where the outer world has them. The first three are in the order of
/// LevelFields.
static const struct {
    LevelKind kind;
    int id, low;
} common_fields[] = {
    {LEVEL_HEIGHT, GROUND, GROUND_LOW},
    {LEVEL_DEPTH, WATER, WATER_LOW},
    {LEVEL_CARRIED, SEDIMENT, SEDIMENT_LOW},
    {LEVEL_FACTOR, HARDNESS, -1},
    {LEVEL_SUM, FLOW, -1},
    {LEVEL_SUM, WEAR, -1},
    {LEVEL_SUM, DEPOSIT, -1},
    {LEVEL_VALUE, VELOCITY_X, -1},
    {LEVEL_VALUE, VELOCITY_Y, -1},
};

static void add_field(LevelFields* fields, LevelField field) {
    fields->list[fields->count++] = field;
}

static bool is_outflow(LevelKind kind) {
    return kind >= LEVEL_WEST;
}

/// The laws' own fields. An outflow is kept as depth of a cell per step.
static void add_own_fields(const GullySim* outer, const GullyWorld* world, double outflow,
                           LevelFields* fields) {
    for (int i = MODEL; i < outer->list->law_count; i++) {
        const Law* law = outer->list->laws[i].law;
        for (int f = 0; f < law->field_count; f++) {
            const LevelKind kind = law->fields[f].level;
            char name[sizeof world->fields[0].name];
            snprintf(name, sizeof name, "%s.%s", law->name, law->fields[f].name);
            if (kind == LEVEL_NONE || state_slot(outer->world, name) < 0) continue;
            add_field(fields, (LevelField){.kind = kind,
                                           .slot = state_slot(world, name),
                                           .low = -1,
                                           .unit = is_outflow(kind) ? outflow : 1});
        }
    }
}

void level_fields_list(const GullySim* outer, const GullyWorld* world, int scale, int parts,
                       LevelFields* out) {
    *out = (LevelFields){0};
    for (size_t i = 0; i < sizeof common_fields / sizeof *common_fields; i++) {
        const int id = common_fields[i].id, low = common_fields[i].low;
        if (i > LEVEL_S && outer->world->common[id] < 0) continue;
        add_field(out, (LevelField){.kind = common_fields[i].kind,
                                    .slot = world->common[id],
                                    .low = low < 0 ? -1 : world->common[low],
                                    .unit = id == FLOW ? parts : 1});
    }
    for (int m = 0; m < outer->world->material_count - 1; m++)
        add_field(out, (LevelField){.kind = LEVEL_AMOUNT,
                                    .slot = world->common[LAYER_1 + m],
                                    .low = world->common[LAYER_LOW_1 + m],
                                    .unit = 1});
    add_own_fields(outer, world, (double)scale * scale / parts, out);
}

// ---- a level ------------------------------------------------------------------------------------

/// A world like the outer one, of another size, with these common fields of it.
static GullyStatus create_world(const GullyWorld* outer, int width, int height, int scale, int tile,
                                FieldSet wanted, GullyWorld** out) {
    GullyWorldDef def = gully_world_def(width, height);
    def.tile_size = tile;
    def.cell_x = outer->cell_x * scale;
    def.cell_y = outer->cell_y * scale;
    GullyStatus status = gully_world_create(&def, out);
    if (!status && outer->material_count > 0)
        status = gully_world_set_materials(*out, outer->materials, outer->material_count);
    return status ? status : world_add_common(*out, world_common_fields(outer) & wanted);
}

int level_world_tile(const LevelGrid* grid, const LevelMap* map, int tile) {
    const GullyRect cells = level_tile_cells(grid, map, tile);
    const GullyWorld* world = grid->world;
    if (cells.x >= world->width || cells.y >= world->height) return -1;
    return cells.y / grid->tile * world->tiles_x + cells.x / grid->tile;
}

/// Whether steps read a field beside a cell.
static bool is_read_beside(const LevelField* field) {
    return field->kind != LEVEL_SUM && field->kind != LEVEL_VALUE;
}

/// Makes room for what levels keep of each tile where they meet.
static GullyStatus open_borders(LevelGrid* grid, const LevelMap* map) {
    const size_t tiles = (size_t)level_map_tiles(map);
    grid->registers = (Registers){.width = grid->world->width,
                                  .height = grid->world->height,
                                  .tile = grid->tile,
                                  .shift = __builtin_ctz((unsigned)grid->tile),
                                  .tiles_x = map->tiles_x,
                                  .tiles_y = map->tiles_y,
                                  .area = (double)grid->scale * grid->scale};
    grid->owed = calloc(tiles, sizeof *grid->owed);
    grid->registers.sums = calloc(tiles, sizeof *grid->registers.sums);
    grid->world->keeps_missing = true; // its tiles come and go with the map alone
    if (grid->owed && grid->registers.sums) return GULLY_OK;
    return gully_fail(GULLY_NO_MEMORY, "no memory for the borders of level %d", grid->level);
}

static void list_fields(LevelGrid* grid, const GullySim* outer) {
    level_fields_list(outer, grid->world, grid->scale, grid->parts, &grid->fields);
    for (int f = 0; f < grid->fields.count; f++)
        if (is_read_beside(&grid->fields.list[f])) add_field(&grid->beside, grid->fields.list[f]);
}

void level_grid_borrow(LevelGrid* grid, const GullySim* outer, const LevelMap* map) {
    *grid = (LevelGrid){.scale = 1, .parts = 1, .tile = map->tile, .world = outer->world};
    list_fields(grid, outer);
}

GullyStatus level_grid_open(LevelGrid* grid, const GullySim* outer, const LevelMap* map,
                            int level) {
    const GullyWorld* world = outer->world;
    const int scale = 1 << level, parts = scale < LEVEL_BLOCK ? scale : LEVEL_BLOCK;
    const StepPace pace = {.scale = scale,
                           .parts = parts,
                           .width = world->width,
                           .height = world->height,
                           .origin = outer->steps,
                           .finest = outer->clock};
    *grid = (LevelGrid){.level = level, .scale = scale, .parts = parts, .tile = map->tile / scale};
    GullyStatus status =
        create_world(world, world->width / scale, world->height / scale, scale,
                     map->levels ? grid->tile : 0, ~FIELD_BIT(RAIN_PATTERN), &grid->world);
    if (!status)
        status = sim_create_level(grid->world, outer, &pace, map->levels ? &grid->registers : NULL,
                                  &grid->sim);
    if (status) return status;
    list_fields(grid, outer);
    return map->levels ? open_borders(grid, map) : GULLY_OK;
}

void level_grid_close(LevelGrid* grid, const LevelMap* map) {
    gully_sim_destroy(grid->sim);
    gully_world_destroy(grid->world);
    for (int tile = 0; tile < level_map_tiles(map); tile++) {
        if (grid->owed) free(grid->owed[tile]);
        if (grid->registers.sums) free(grid->registers.sums[tile]);
    }
    free(grid->owed);
    free(grid->registers.sums);
    free(grid->ghosts);
    free(grid->parts_seen);
    free(grid->settling);
    *grid = (LevelGrid){0};
}

// ---- memory -------------------------------------------------------------------------------------

GullyStatus level_memory_open(const GullySim* outer, GullyWorld** out, LevelFields* fields) {
    const GullyWorld* world = outer->world;
    const FieldSet kept =
        FIELD_BIT(HARDNESS) | FIELD_BIT(FLOW) | FIELD_BIT(WEAR) | FIELD_BIT(DEPOSIT) | LAYER_FIELDS;
    GullyStatus status = create_world(world, world->width, world->height, 1, 0, kept, out);
    if (status) return status;
    level_fields_list(outer, *out, 1, 1, fields);
    for (int f = 0; f < fields->count; f++) {
        const LevelKind kind = fields->list[f].kind;
        const bool remembered = kind == LEVEL_HEIGHT || kind == LEVEL_FACTOR ||
                                kind == LEVEL_AMOUNT || kind == LEVEL_SUM;
        if (!remembered) fields->list[f].slot = fields->list[f].low = -1;
    }
    return GULLY_OK;
}
