// SPDX-License-Identifier: MIT
/// The world: a grid of cells with ground, water and sediment, stored as tiles.
///
/// Cells (i, j): i to the right (+x), j down in memory (+y); row 0 is north. All heights in metres.
/// A cell whose height is NaN is outside the domain: a wall, never a height.
/// Users read and write rectangles; how cells are stored is the world's own business.
#ifndef GULLY_WORLD_H
#define GULLY_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gully/params.h"
#include "gully/ranks.h"
#include "gully/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct GullyWorld GullyWorld;

/// What can be read from a world, and for most of them written.
typedef enum GullyField {
    GULLY_TERRAIN,    ///< height of the solid surface [m]; NaN = outside the domain
    GULLY_WATER,      ///< water depth [m]
    GULLY_SEDIMENT,   ///< suspended sediment, as solid height [m]
    GULLY_HARDNESS,   ///< 1 = soft as the material says, 0 = cannot be eroded
    GULLY_FLOW,       ///< mean discharge over the steps so far [m2/s]; read only
    GULLY_WEAR,       ///< what water took away so far [m]; read only
    GULLY_DEPOSIT,    ///< what water left so far [m]; read only
    GULLY_VELOCITY_X, ///< water velocity to the right in the last step [m/s]; read only
    GULLY_VELOCITY_Y, ///< water velocity down in the last step [m/s]; read only
    GULLY_LAYER_0,    ///< height of the bedrock [m]: the terrain less all layers; read only
    GULLY_LAYER_1,    ///< thickness of the second material [m], and so on; see GULLY_LAYER
    GULLY_LAYER_2,
    GULLY_LAYER_3,
    GULLY_LAYER_4,
    GULLY_LAYER_5,
    GULLY_LAYER_6,
    GULLY_LAYER_7,
    GULLY_UPLIFT,   ///< how fast the ground rises [m/year], where a setting is mapped; else 0
    GULLY_RAINFALL, ///< a factor for what falls on a cell, where a setting is mapped; else 1
    GULLY_FIELD_COUNT
} GullyField;

/// The layer of a world's material `index`, counted from the bottom. They add up to the terrain.
#define GULLY_LAYER(index) ((GullyField)(GULLY_LAYER_0 + (index)))
#define GULLY_MAX_MATERIALS 8
#define GULLY_MATERIAL_NAME 32 ///< bytes of a material's name, with its end

typedef struct GullyRect {
    int x, y;          ///< first cell
    int width, height; ///< in cells
} GullyRect;

typedef struct GullyWorldDef {
    int made;              ///< GULLY_DEF_MADE: set by gully_world_def()
    int width, height;     ///< in cells, each >= 1
    double cell_x, cell_y; ///< cell size [m], > 0
    int tile_size;         ///< cells along a tile's side; 0 = chosen. Never changes a result
    bool half;             ///< half precision: water, sediment and what laws keep of them have 11
                           ///< significant bits, in 16 bits. Saves memory; default off
    size_t memory;         ///< bytes that the cells may take; tiles that do not fit are kept in a
                           ///< file. 0 = three quarters of the machine's. Never changes a result
    const char* scratch;   ///< folder of that file; NULL = TMPDIR, or /tmp
    const GullyRanks*
        ranks;            ///< processes that share the world; they stay while it does. NULL = this
                          ///< one alone. Never changes a result
    const float* heights; ///< width * height values [m], row by row from the north; NaN = outside.
                          ///< NULL = flat ground at 0
} GullyWorldDef;

/// A definition with every member at its default (1 m cells); fill in the size and the heights.
GULLY_API GullyWorldDef gully_world_def(int width, int height);

/// Makes a world, dry and without sediment. The heights are copied.
GULLY_API GullyStatus gully_world_create(const GullyWorldDef* def, GullyWorld** out);

/// Frees a world; NULL is allowed. Destroy its simulation first.
GULLY_API void gully_world_destroy(GullyWorld* world);

GULLY_API int gully_world_width(const GullyWorld* world);
GULLY_API int gully_world_height(const GullyWorld* world);
GULLY_API double gully_world_cell_x(const GullyWorld* world);
GULLY_API double gully_world_cell_y(const GullyWorld* world);

/// What a world's cells take, and how its tiles came and went.
typedef struct GullyMemory {
    size_t budget;                     ///< bytes that they may take
    size_t used, peak;                 ///< bytes that they take, and took at most
    int tiles, tiles_in_memory;        ///<
    int64_t tiles_read, tiles_written; ///< from and to the scratch file
    int64_t bytes_read, bytes_written; ///<
} GullyMemory;

GULLY_API void gully_world_memory(const GullyWorld* world, GullyMemory* out);

/// The rectangle of all cells.
GULLY_API GullyRect gully_world_all(const GullyWorld* world);

/// The rows that a rank keeps, and those that this one keeps: all of them without ranks.
GULLY_API GullyRect gully_world_part(const GullyWorld* world, int rank);
GULLY_API GullyRect gully_world_own(const GullyWorld* world);
GULLY_API const GullyRanks* gully_world_ranks(const GullyWorld* world);

/// Lets one rank work alone on the whole world: it may read and write any cells meanwhile, and the
/// other ranks answer. Returns when the work is done, with its status, on all of them.
GULLY_API GullyStatus gully_world_lead(GullyWorld* world, int rank,
                                       GullyStatus (*work)(void* context),
                                       void* context) GULLY_MUST_CHECK;

/// Copies a field of a rectangle into `out`, row by row. NaN in every field for a cell outside the
/// domain. A field that the world does not have reads as its value everywhere (0, hardness 1).
/// GULLY_BAD_INPUT for a rectangle that is not inside the world and for what is no field.
/// Not while the simulation is stepping.
GULLY_API GullyStatus gully_world_read(const GullyWorld* world, GullyField field, GullyRect rect,
                                       float* out) GULLY_MUST_CHECK;

/// The same at a coarser level: `rect` counts cells 2^level as large from the first one on, and a value
/// is the mean over the cells in it, NaN if one of them is outside the domain. Cells at the east and
/// the south that are not whole are none.
GULLY_API GullyStatus gully_world_read_level(const GullyWorld* world, GullyField field, int level,
                                             GullyRect rect, float* out) GULLY_MUST_CHECK;

/// Copies values into a field. Water, sediment and hardness of cells outside the domain are left
/// alone; a terrain value of NaN takes the cell out of the domain, with its water and sediment.
/// What a write adds or takes is counted in the budget as edits. Fails, with nothing written, for a
/// value that is out of range (below 0, hardness above 1, beyond 10,000 km), a rectangle that is not
/// inside the world, a field that is read only or a layer without material, and for lack of memory.
/// Not while the simulation is stepping.
GULLY_API GullyStatus gully_world_write(GullyWorld* world, GullyField field, GullyRect rect,
                                        const float* in);

/// Sets a field to one value everywhere.
GULLY_API GullyStatus gully_world_fill(GullyWorld* world, GullyField field, float value);

/// Gives a world a map of levels, a number from 0 to 8 for each of its tiles, row by row: for settings
/// with levels.map, whose levels.tile says how large tiles are. The levels are copied.
GULLY_API GullyStatus gully_world_set_levels(GullyWorld* world, int tiles_x, int tiles_y,
                                             const unsigned char* levels) GULLY_MUST_CHECK;

// ---- materials ----------------------------------------------------------------------------------

/// A material of a layered ground (MODELS L).
typedef struct GullyMaterial {
    char name[GULLY_MATERIAL_NAME];
    unsigned color; ///< 0xRRGGBB
    GULLY_MATERIAL_PARAMS(GULLY_PARAM_MEMBER)
} GullyMaterial;

/// A material with every parameter at its default, and a colour that goes with its place in the
/// stack.
GULLY_API GullyMaterial gully_material(const char* name, int index);

/// The numbers of a material, as rows.
GULLY_API const GullyParamTable* gully_material_table(void);

/// Says what the ground is made of, bottom to top: the first is the bedrock without end, the last is
/// what sediment becomes. Without it the ground is one material that everything erodes alike. Once a
/// world has materials their number stays; their parameters may change, which takes effect with the
/// next gully_sim_create or gully_sim_apply.
/// New layers have thickness 0. Writing a layer with gully_world_write leaves the terrain as it is:
/// the bedrock under it gives way. Writing the terrain leaves the layers and moves the bedrock.
GULLY_API GullyStatus gully_world_set_materials(GullyWorld* world, const GullyMaterial* materials,
                                                int count);
GULLY_API int gully_world_material_count(const GullyWorld* world); ///< 0 = none were said
GULLY_API const GullyMaterial* gully_world_material(const GullyWorld* world, int index);

// ---- all of a world -----------------------------------------------------------------------------

/// How many cells the domain has; < 0 if they cannot be read (gully_message).
GULLY_API int64_t gully_world_cells(const GullyWorld* world);

/// The volume under a field [m3]: its sum over the cells of the domain, with all the bits that the
/// world has of it, times the area of a cell. The layers add up to the terrain. NaN if the cells
/// cannot be read (gully_message).
GULLY_API double gully_world_volume(const GullyWorld* world, GullyField field);

/// A hash of a field's bits: the same on every machine, for any tile size and thread count. It is the
/// sum, modulo 2^64, of the XXH3-64 of every 64 cells of a row, from column 64 i on, with the seed
/// 2^32 y + i; cells outside the domain count as NaN of the bits 7fc00000. 0 if the cells cannot be
/// read (gully_message).
GULLY_API uint64_t gully_world_hash(const GullyWorld* world, GullyField field);

/// The field's name in files and reports: "terrain", "water", ...
GULLY_API const char* gully_field_name(GullyField field);

/// Its unit: "m", "m/s", ...
GULLY_API const char* gully_field_unit(GullyField field);

#ifdef __cplusplus
}
#endif

#endif
