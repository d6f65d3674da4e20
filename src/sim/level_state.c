// SPDX-License-Identifier: MIT
#include "level_state.h"

#include <stdlib.h>
#include <string.h>

#include "lease.h"
#include "level_window.h"
#include "store.h"

/// What levels are, beside the cells.
typedef struct LevelHead {
    int64_t age, changes, coarse_steps;
    double settled, crossed, owed, coarse_cell_steps;
    LevelErrors errors;
    int32_t fixed, tile, tiles_x, tiles_y;
    int32_t has_list, has_cells,
        is_same; // a level for each tile; cells; no step since they were made
    int32_t version;
} LevelHead;

enum { VERSION = 1 };

/// Goes over the bytes: to count them, to write them or to read them.
typedef struct ByteWalk {
    unsigned char* bytes; // NULL = they are counted
    size_t at, size;
    bool writes;
} ByteWalk;

static GullyStatus walk_bytes(ByteWalk* walk, void* value, size_t size) {
    if (walk->bytes && size > walk->size - walk->at)
        return gully_fail(GULLY_BAD_INPUT, "levels: the state ends too early");
    if (walk->bytes && walk->writes) memcpy(walk->bytes + walk->at, value, size);
    if (walk->bytes && !walk->writes) memcpy(value, walk->bytes + walk->at, size);
    walk->at += size;
    return GULLY_OK;
}

void level_bytes_free(LevelBytes* bytes) {
    free(bytes->bytes);
    *bytes = (LevelBytes){0};
}

// ---- cells --------------------------------------------------------------------------------------

/// Walks over one field of a rectangle of a world.
static GullyStatus walk_field(ByteWalk* walk, GullyWorld* world, int slot, GullyRect rect) {
    const size_t row = (size_t)rect.width * sizeof(float);
    GullyStatus status = GULLY_OK;
    for (int y = rect.y; y < rect.y + rect.height && !status; y++) {
        unsigned char* at = walk->bytes ? walk->bytes + walk->at : NULL;
        if (at && row > walk->size - walk->at)
            return gully_fail(GULLY_BAD_INPUT, "levels: the state ends too early");
        if (at && walk->writes) status = world_copy_out(world, slot, rect.x, y, rect.width, at);
        if (at && !walk->writes)
            status = world_copy_in(world, slot, rect.x, y, rect.width, at, sizeof(float));
        walk->at += row;
    }
    return status;
}

/// Walks over all fields of a list, of a rectangle.
static GullyStatus walk_fields(ByteWalk* walk, GullyWorld* world, const LevelFields* fields,
                               GullyRect rect) {
    GullyStatus status = GULLY_OK;
    if (rect.width <= 0 || rect.height <= 0) return status;
    for (int f = 0; f < fields->count && !status; f++) {
        const LevelField* field = &fields->list[f];
        if (field->slot >= 0) status = walk_field(walk, world, field->slot, rect);
        if (field->low >= 0 && !status) status = walk_field(walk, world, field->low, rect);
    }
    if (!status && walk->bytes && !walk->writes) status = world_find_holes(world, rect);
    return status;
}

/// The finest cells of a tile, inside the world.
static GullyRect finest_cells(const Levels* levels, int tile) {
    const int side = levels->map.tile;
    const GullyRect all = {tile % levels->map.tiles_x * side, tile / levels->map.tiles_x * side,
                           side, side};
    return level_common(all, gully_world_all(levels->sim->world));
}

/// What cells along the sides of a tile owe.
static GullyStatus walk_owed(ByteWalk* walk, LevelGrid* grid, int tile) {
    const size_t ring = (size_t)level_ring_size(grid->tile);
    int32_t has = grid->owed && grid->owed[tile];
    GullyStatus status = walk_bytes(walk, &has, sizeof has);
    if (status || !has) return status;
    if (!grid->owed) return gully_fail(GULLY_BAD_INPUT, "levels: the state is damaged");
    if (!grid->owed[tile]) grid->owed[tile] = calloc(ring, sizeof(double));
    if (!grid->owed[tile]) return gully_fail(GULLY_NO_MEMORY, "no memory for levels");
    return walk_bytes(walk, grid->owed[tile], ring * sizeof(double));
}

static GullyStatus walk_tile(ByteWalk* walk, Levels* levels, int tile) {
    LevelGrid* grid = &levels->grids[level_of_tile(&levels->map, tile)];
    const GullyRect cells = level_around(grid, level_tile_cells(grid, &levels->map, tile), 0);
    int32_t count = (int32_t)levels->tile_cells[tile];
    GullyStatus status = walk_bytes(walk, &count, sizeof count);
    levels->tile_cells[tile] = count;
    if (!status) status = walk_fields(walk, grid->world, &grid->fields, cells);
    if (!status) status = walk_owed(walk, grid, tile);
    return status ? status
                  : walk_fields(walk, levels->memory, &levels->memory_fields,
                                finest_cells(levels, tile));
}

static GullyStatus walk_tiles(ByteWalk* walk, Levels* levels) {
    GullyStatus status = GULLY_OK;
    for (int tile = 0; tile < level_map_tiles(&levels->map) && !status; tile++)
        status = walk_tile(walk, levels, tile);
    return status;
}

// ---- keeping ------------------------------------------------------------------------------------

static LevelHead head_of(const GullySim* sim) {
    const LevelMap* map = &sim->level_map;
    const Levels* levels = sim->levels;
    const bool has_cells = levels_are_current(sim);
    return (LevelHead){.age = sim->level_age,
                       .changes = sim->level_changes,
                       .coarse_steps = sim->coarse_steps,
                       .settled = sim->settled + (levels ? levels->settled : 0),
                       .crossed = sim->crossed + (levels ? levels->crossed : 0),
                       .owed = sim->owed,
                       .coarse_cell_steps = sim->coarse_cell_steps,
                       .errors = sim->level_errors,
                       .fixed = map->fixed,
                       .tile = map->tile,
                       .tiles_x = map->tiles_x,
                       .tiles_y = map->tiles_y,
                       .has_list = map->levels != NULL,
                       .has_cells = has_cells,
                       .is_same = has_cells && levels->view == VIEW_SAME,
                       .version = VERSION};
}

/// The levels of tiles, in whole numbers of 4 bytes.
static GullyStatus walk_list(ByteWalk* walk, unsigned char* list, int tiles, int most) {
    GullyStatus status = GULLY_OK;
    for (int i = 0; i < tiles && !status; i++) {
        int32_t level = list[i];
        status = walk_bytes(walk, &level, sizeof level);
        if (!status && (level < 0 || level > most))
            status = gully_fail(GULLY_BAD_INPUT, "levels: the state has a tile at level %d", level);
        list[i] = (unsigned char)level;
    }
    return status;
}

static GullyStatus walk_all(ByteWalk* walk, GullySim* sim) {
    LevelHead head = head_of(sim);
    GullyStatus status = walk_bytes(walk, &head, sizeof head);
    if (!status && head.has_list)
        status = walk_list(walk, sim->level_map.levels, level_map_tiles(&sim->level_map),
                           sim->level_params.max);
    return status || !head.has_cells ? status : walk_tiles(walk, sim->levels);
}

GullyStatus levels_keep(const GullySim* sim, LevelBytes* out) {
    ByteWalk walk = {.writes = true};
    GullySim* mine = (GullySim*)sim; // a walk that counts or writes bytes changes nothing
    *out = (LevelBytes){0};
    if (sim->level_map.tile == 0 && sim->coarse_steps == 0) return GULLY_OK;
    GullyStatus status = walk_all(&walk, mine);
    if (status) return status;
    walk.size = out->size = walk.at;
    walk.bytes = out->bytes = malloc(out->size);
    if (!out->bytes) {
        *out = (LevelBytes){0};
        return gully_fail(GULLY_NO_MEMORY, "no memory to keep the levels of a world");
    }
    walk.at = 0;
    status = walk_all(&walk, mine);
    if (sim->levels) store_rest(sim->levels->memory);
    return status;
}

// ---- going on -----------------------------------------------------------------------------------

/// Whether a head goes with the settings of the simulation and its world.
static GullyStatus check_head(const LevelHead* head, const LevelMap* map) {
    const bool fits = head->version == VERSION && head->fixed == map->fixed &&
                      head->tile == map->tile && head->tiles_x == map->tiles_x &&
                      head->tiles_y == map->tiles_y && head->has_list == (map->levels != NULL) &&
                      head->age >= 0;
    return fits ? GULLY_OK
                : gully_fail(GULLY_BAD_INPUT, "levels: the state has others than the settings");
}

static void set_head(GullySim* sim, const LevelHead* head) {
    sim->level_changes = head->changes;
    sim->coarse_steps = head->coarse_steps;
    sim->settled = head->settled;
    sim->crossed = head->crossed;
    sim->owed = head->owed;
    sim->coarse_cell_steps = head->coarse_cell_steps;
    sim->level_errors = head->errors;
}

/// Takes the cells of all levels, whose outer world shows them.
static GullyStatus restore_cells(ByteWalk* walk, GullySim* sim, bool is_same) {
    GullyStatus status = sim_use_processor(sim);
    if (!status) status = levels_open(sim);
    if (!status) status = walk_tiles(walk, sim->levels);
    if (status) {
        levels_drop(sim);
        return status;
    }
    levels_count_cells(sim->levels);
    levels_rest(sim->levels);
    status = levels_begin(sim);
    if (!status && !is_same) sim->levels->view = VIEW_SHOWN;
    return status;
}

/// Which tile is at which level, and the cells.
static GullyStatus restore_map(ByteWalk* walk, GullySim* sim, const LevelHead* head) {
    if (!levels_wanted(sim))
        return gully_fail(GULLY_BAD_INPUT, "levels: the state has some, the settings none");
    GullyStatus status = levels_choose_map(sim);
    if (!status) status = check_head(head, &sim->level_map);
    if (!status && head->has_list)
        status = walk_list(walk, sim->level_map.levels, level_map_tiles(&sim->level_map),
                           sim->level_params.max);
    sim->level_age = head->age;
    return status || !head->has_cells ? status : restore_cells(walk, sim, head->is_same);
}

GullyStatus levels_restore(GullySim* sim, const LevelBytes* bytes) {
    ByteWalk walk = {.bytes = bytes->bytes, .size = bytes->size};
    LevelHead head = {0};
    levels_drop(sim);
    levels_forget_map(sim);
    GullyStatus status = bytes->size > 0 ? walk_bytes(&walk, &head, sizeof head) : GULLY_OK;
    if (!status && (head.coarse_steps < 0 || head.coarse_steps > sim->steps))
        status = gully_fail(GULLY_BAD_INPUT, "levels: the state is damaged");
    if (status) return status;
    set_head(sim, &head);
    if (head.tile > 0) status = restore_map(&walk, sim, &head);
    if (!status && walk.at != walk.size)
        status = gully_fail(GULLY_BAD_INPUT, "levels: the state has more bytes than levels");
    return status;
}
