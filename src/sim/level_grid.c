#include "level_grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "levels.h"
#include "state_fields.h"

// ---- fields -------------------------------------------------------------------------------------

/// Fields of every law that levels share. The first three are in the order of LevelFields.
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
            if (kind == LEVEL_NONE) continue;
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

bool levels_see_all = false;

/// Cells around a level's tiles that its steps of a block read: five for each, and one more.
static int halo_of(const LevelGrid* grid) {
    return 5 * (LEVEL_BLOCK / grid->parts) + 1;
}

/// Marks the cells around a tile that steps need.
static void mark_around(LevelGrid* grid, int tile_x, int tile_y, int side) {
    const int width = grid->world->width, height = grid->world->height, halo = halo_of(grid);
    const int x0 = tile_x * side - halo, y0 = tile_y * side - halo;
    for (int y = y0 < 0 ? 0 : y0; y < y0 + side + 2 * halo && y < height; y++) {
        for (int x = x0 < 0 ? 0 : x0; x < x0 + side + 2 * halo && x < width; x++) {
            unsigned char* mark = &grid->marks[(size_t)y * (size_t)width + (size_t)x];
            if (*mark == MARK_FAR) *mark = MARK_GHOST;
        }
    }
}

/// Marks which cells are this level's own, which its steps need beside them, and which not.
static void mark_cells(LevelGrid* grid, const LevelMap* map) {
    const int width = grid->world->width, height = grid->world->height;
    const unsigned char other = levels_see_all ? MARK_GHOST : MARK_FAR;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++)
            grid->marks[(size_t)y * (size_t)width + (size_t)x] =
                level_owns(grid, map, x, y) ? MARK_OWN : other;
    }
    for (int i = 0; i < map->tiles_x * map->tiles_y; i++) {
        if (map->levels[i] == grid->level)
            mark_around(grid, i % map->tiles_x, i / map->tiles_x, map->tile / grid->scale);
    }
}

/// Marks which cells and tiles are of this level, and makes registers.
static GullyStatus open_borders(LevelGrid* grid, const LevelMap* map) {
    const int width = grid->world->width, height = grid->world->height;
    const size_t cells = (size_t)width * (size_t)height;
    const size_t tiles = (size_t)map->tiles_x * (size_t)map->tiles_y;
    grid->registers = (Registers){.width = width,
                                  .height = height,
                                  .tile = map->tile / grid->scale,
                                  .tiles_x = map->tiles_x,
                                  .tiles_y = map->tiles_y,
                                  .area = (double)grid->scale * grid->scale};
    const size_t sums = tiles * REGISTER_AMOUNTS * (size_t)register_places(&grid->registers);
    grid->marks = malloc(cells);
    grid->owed = calloc(cells, sizeof *grid->owed);
    grid->own = malloc(tiles);
    grid->registers.sums = calloc(sums, sizeof *grid->registers.sums);
    if (!grid->marks || !grid->owed || !grid->own || !grid->registers.sums)
        return gully_fail(GULLY_NO_MEMORY, "no memory for the borders of level %d", grid->level);
    mark_cells(grid, map);
    grid->world->keeps_missing = true; // tiles that no step needs come and go with the map alone
    for (size_t i = 0; i < tiles; i++)
        grid->own[i] = map->levels[i] == grid->level;
    grid->registers.own = grid->own;
    for (int i = 0; i < grid->world->tiles_x * grid->world->tiles_y; i++) {
        Tile* tile = &grid->world->tiles[i];
        tile->is_ghost = grid->marks[(size_t)tile->y * (size_t)width + (size_t)tile->x] != MARK_OWN;
    }
    return sheet_create(width, height, &grid->fields, &grid->flat);
}

static GullyStatus open_sheets(LevelGrid* grid) {
    const LevelFields ground = {{{.kind = LEVEL_HEIGHT}}, 1};
    const int width = grid->world->width, height = grid->world->height;
    GullyStatus status = sheet_create(width, height, &grid->fields, &grid->now);
    return status ? status : sheet_create(width, height, &ground, &grid->before);
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
    GullySimDef def = outer->def;
    def.backend = GULLY_CPU;
    *grid = (LevelGrid){.level = level, .scale = scale, .parts = parts};
    GullyStatus status =
        create_world(world, world->width / scale, world->height / scale, scale,
                     map->levels ? map->tile / scale : 0, ~FIELD_BIT(RAIN_PATTERN), &grid->world);
    if (!status)
        status = sim_create_level(grid->world, outer->list->settings, &def, &pace,
                                  map->levels ? &grid->registers : NULL, &grid->sim);
    if (status) return status;
    level_fields_list(outer, grid->world, scale, parts, &grid->fields);
    status = open_sheets(grid);
    return !status && map->levels ? open_borders(grid, map) : status;
}

void level_grid_close(LevelGrid* grid) {
    gully_sim_destroy(grid->sim);
    gully_world_destroy(grid->world);
    sheet_free(&grid->now);
    sheet_free(&grid->before);
    sheet_free(&grid->flat);
    free(grid->marks);
    free(grid->own);
    free(grid->owed);
    free(grid->registers.sums);
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
