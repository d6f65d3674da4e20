// SPDX-License-Identifier: MIT
// Worlds: making them, and what they are.
#include "gully/world.h"

#include <math.h>
#include <stdlib.h>

#include "tile_size.h"
#include "tiles.h"

GullyWorldDef gully_world_def(int width, int height) {
    return (GullyWorldDef){
        .made = GULLY_DEF_MADE, .width = width, .height = height, .cell_x = 1, .cell_y = 1};
}

static GullyStatus check_def(const GullyWorldDef* def) {
    if (def->width < 1 || def->height < 1) {
        return gully_fail(GULLY_BAD_INPUT, "a world of %d x %d cells; allowed: at least 1 x 1",
                          def->width, def->height);
    }
    // Sizes in bytes of all that is made of it must fit into a size_t, which can have 32 bits.
    const uint64_t cells = (uint64_t)def->width * (uint64_t)def->height, most = SIZE_MAX / 64;
    if (cells > most) {
        return gully_fail(GULLY_BAD_INPUT, "a world of %d x %d cells; allowed here: %.0f in all",
                          def->width, def->height, (double)most);
    }
    bool x_good = isfinite(def->cell_x) && def->cell_x > 0;
    bool y_good = isfinite(def->cell_y) && def->cell_y > 0;
    if (!x_good || !y_good) {
        return gully_fail(GULLY_BAD_INPUT, "a cell size of %g x %g m; allowed: both above 0",
                          def->cell_x, def->cell_y);
    }
    if (def->tile_size < 0) {
        return gully_fail(GULLY_BAD_INPUT, "a tile size of %d; allowed: 1 or more, 0 = chosen",
                          def->tile_size);
    }
    return GULLY_OK;
}

GullyStatus gully_world_create(const GullyWorldDef* def, GullyWorld** out) {
    *out = NULL;
    GullyStatus status = gully_def_check(def->made, "gully_world_def");
    if (!status) status = check_def(def);
    if (status) return status;
    GullyWorld* world = calloc(1, sizeof *world);
    if (!world) return gully_fail(GULLY_NO_MEMORY, "no memory for a world");
    world->width = def->width;
    world->height = def->height;
    world->cell_x = def->cell_x;
    world->cell_y = def->cell_y;
    world->half = world->packed = def->half;
    world->ranks = def->ranks ? def->ranks : gully_ranks_alone();
    tile_size_choose(world, def->tile_size, def->memory);
    for (int id = 0; id < COMMON_FIELDS; id++)
        world->common[id] = -1;

    const RankRows own = rank_rows(world, world->ranks->rank);
    world->first_row = own.first;
    world->end_row = own.end;
    status = rank_rows_check(world);
    if (!status) status = world_tiles_create(world, def->memory, def->scratch);
    if (!status) {
        status =
            world_add_common(world, FIELD_BIT(GROUND) | FIELD_BIT(GROUND_LOW) | FIELD_BIT(WATER) |
                                        FIELD_BIT(WATER_LOW) | FIELD_BIT(SEDIMENT));
    }
    if (!status && def->heights)
        status = gully_world_write(world, GULLY_TERRAIN, gully_world_all(world), def->heights);
    status = gully_ranks_agree(world->ranks, status);
    if (status) {
        gully_world_destroy(world);
        return status;
    }
    world->edited_solid = 0;
    *out = world;
    return GULLY_OK;
}

void gully_world_destroy(GullyWorld* world) {
    if (!world) return;
    world_tiles_destroy(world);
    free(world->level_map);
    free(world);
}

int gully_world_width(const GullyWorld* world) {
    return world->width;
}

int gully_world_height(const GullyWorld* world) {
    return world->height;
}

double gully_world_cell_x(const GullyWorld* world) {
    return world->cell_x;
}

double gully_world_cell_y(const GullyWorld* world) {
    return world->cell_y;
}

GullyRect gully_world_all(const GullyWorld* world) {
    return (GullyRect){0, 0, world->width, world->height};
}
