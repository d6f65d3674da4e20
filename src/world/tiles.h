/// How a world is stored: tiles of rows, a row being its fields side by side.
///
/// A field's row has room for HALO columns left and right, which hold copies of the neighbour
/// tiles' columns, or what lies outside the world. Rows above and below are the neighbour tiles'
/// own rows. The functions here are the one place that knows where a cell lives.
#ifndef TILES_H
#define TILES_H

#include <stdbool.h>
#include <stddef.h>

#include "exact.h"
#include "fields.h"
#include "gully/world.h"

/// HALO floats before column 0 keep it aligned; MARGIN floats lie before and after any block of
/// rows, since a pass that computes the whole halo looks one column further.
enum { HALO = 16, MARGIN = 16 };

/// The largest tile that is chosen without being asked for: rows of a panel of that width, with all
/// that the steps of a sweep need of them, fit into a processor's own cache.
enum { WIDEST_TILE = 512 };

typedef struct Tile {
    int x, y;          // first cell
    int width, height; // in cells; smaller than the tile size at the east and south edge
    size_t pitch;      // floats from one field's row to the next field's
    float* cells;      // MARGIN, [height][fields][pitch], MARGIN
    bool* holes;       // for each row, whether there is, or once was, a nodata cell
} Tile;

typedef struct FieldInfo {
    char name[32];
    float value;   // where nothing is known, and of a new field
    float outside; // beyond the sides
} FieldInfo;

struct GullyWorld {
    int width, height;
    double cell_x, cell_y; // [m]
    int tile_size;
    int tiles_x, tiles_y;
    Tile* tiles; // row by row
    FieldInfo fields[MAX_FIELDS];
    int field_count;
    int common[COMMON_FIELDS]; // where each common field is stored, -1 = nowhere
    bool open[SIDES];
    float* outside_rows[MAX_FIELDS]; // what lies above and below the world
    float* zero_row;                 // rows of one value, as wide as the widest tile with its halo
    float* one_row;
    bool has_holes;                   // in some row
    int64_t edits;                    // how often users wrote
    int64_t flow_steps;               // how many steps FLOW is a sum of
    Exact edited_water, edited_solid; // what users added by writing, in metres times cells
    GullyMaterial materials[GULLY_MAX_MATERIALS]; // bottom to top
    int material_count;                           // 0 = none were said
};

/// Adds the fields that are not there yet and gives the slot of each. Keeps every value.
GullyStatus world_add_fields(GullyWorld* world, const FieldInfo* fields, int count, int* slots);

/// The same for common fields.
GullyStatus world_add_common(GullyWorld* world, FieldSet set);

/// Column 0 of a tile's row of a field.
static inline float* tile_row(const GullyWorld* world, const Tile* tile, int slot, int row) {
    return tile->cells + MARGIN + HALO +
           ((size_t)row * (size_t)world->field_count + (size_t)slot) * tile->pitch;
}

/// The same for a row that may lie above or below the tile, or outside the world. `tile_index`
/// counts tiles row by row.
const float* world_row(const GullyWorld* world, int tile_index, int slot, int row);

/// The row above and below the world.
const float* world_outside_row(const GullyWorld* world, int slot);

/// A row of a field that is stored nowhere: its value.
const float* world_value_row(const GullyWorld* world, int id);

/// Copies `columns` (up to HALO) halo columns of rows first .. end-1 of a tile from its neighbours.
void world_fill_halo(GullyWorld* world, int tile_index, int slot, int first, int end, int columns);

size_t world_bytes(const GullyWorld* world);

GullyStatus world_tiles_create(GullyWorld* world);
void world_tiles_destroy(GullyWorld* world);

/// Adds a field's values in a part of a row, where there are cells of the domain.
void exact_add_cells(Exact* sum, const float* ground, const float* cells, int count);

/// Sum of a field over all cells of the domain.
Exact world_total(const GullyWorld* world, int slot);

#endif
