// SPDX-License-Identifier: MIT
/// Pictures: what cells of one level look like at another (docs/levels.md).
///
/// A sheet is a rectangle of cells in double precision, pairs added up, with the outflows in units of
/// the finest level: metres of a finest cell in a finest step. A ground of NaN is no cell.
///
///   (R)  r x r cells seen as one: means; water stands no higher than the highest water among them
///   (I)  a cell seen as r x r cells: the surface of the water is a line, limited by minmod, and the
///        ground gives way where the line would run dry; sums are kept
#ifndef LEVEL_PICTURE_H
#define LEVEL_PICTURE_H

#include "level_kind.h"
#include "tiles.h"

/// Levels that a world may have beside the finest.
enum { MAX_LEVEL = 8 };

/// A field of a world that its levels share. The first three of a list are ground, water, sediment.
typedef struct LevelField {
    LevelKind kind;
    int slot, low; // of the field and its remainder (-1: none)
    double unit;   // of a stored number
} LevelField;

enum { LEVEL_B, LEVEL_D, LEVEL_S, MAX_LEVEL_FIELDS = 32 };

typedef struct LevelFields {
    LevelField list[MAX_LEVEL_FIELDS];
    int count;
} LevelFields;

typedef struct Sheet {
    int x, y; // its first cell, in the world
    int width, height;
    int count;
    LevelKind kinds[MAX_LEVEL_FIELDS];
    double* cells[MAX_LEVEL_FIELDS];
    int made;    // of these, with memory
    size_t room; // cells that each has memory for
} Sheet;

/// Makes a sheet show a rectangle, with these fields, whose numbers are not set. It grows if it must: one
/// of zeros is a sheet without memory. Free it also after a failure.
GullyStatus sheet_fit(Sheet* sheet, GullyRect rect, const LevelFields* fields);
void sheet_free(Sheet* sheet);

static inline size_t sheet_at(const Sheet* sheet, int x, int y) {
    return (size_t)(y - sheet->y) * (size_t)sheet->width + (size_t)(x - sheet->x);
}

/// Whether there is a cell at that place.
static inline bool sheet_has(const Sheet* sheet, int x, int y) {
    const bool inside = x >= sheet->x && x < sheet->x + sheet->width && y >= sheet->y &&
                        y < sheet->y + sheet->height;
    if (!inside) return false;
    const double b = sheet->cells[LEVEL_B][sheet_at(sheet, x, y)];
    return b == b;
}

/// Copies a part of a world into the sheet, which covers it; parts of it outside the world are no cells.
GullyStatus sheet_load(Sheet* sheet, GullyRect part, const GullyWorld* world,
                       const LevelFields* fields);

/// Copies the sheet into a world: the cells whose mark is 1, or all where `marks` is NULL. A ground
/// of NaN takes a cell out of the domain if `removes`; else such cells are left alone.
GullyStatus sheet_store(const Sheet* sheet, GullyWorld* world, const LevelFields* fields,
                        const unsigned char* marks, bool removes);

/// The number of a field in a cell, as it is stored: the nearest float, and what that leaves over.
typedef struct LevelNumber {
    float high, low;
} LevelNumber;

/// Turns a value of a field into its number. For the ground, `s` is the sediment of the cell: where that
/// is stored as a float, what it has no room for settles, so that no solid is lost.
static inline LevelNumber level_number(const LevelFields* fields, int f, double value, double s) {
    const LevelField* sediment = &fields->list[LEVEL_S];
    if (f == LEVEL_B && sediment->slot >= 0 && sediment->low < 0) value += s - (double)(float)s;
    value *= 1 / fields->list[f].unit; // a power of two
    LevelNumber number = {(float)value, 0};
    if (fields->list[f].low < 0) return number;
    const float sum = number.high + (float)(value - (double)number.high);
    number.high = sum; // where what is left over is half a place, it moves the place
    number.low = (float)(value - (double)sum);
    return number;
}

/// A square of finer cells: the first, and how many along a side.
typedef struct Square {
    int x, y, side;
} Square;

/// Sees a square of finer cells as one: by means, as when a level changes, or by (R). No cell if one
/// of the finer ones is none.
void picture_means(const Sheet* fine, Square from, Sheet* coarse, int x, int y);
void picture_restrict(const Sheet* fine, Square from, Sheet* coarse, int x, int y);

/// The same for many cells of the coarse sheet, with the same bits.
void picture_means_all(const Sheet* fine, int side, Sheet* coarse, GullyRect cells);
void picture_restrict_all(const Sheet* fine, int side, Sheet* coarse, GullyRect cells);

/// (I) Sees a cell as a square of finer ones. `flat` has its neighbours.
void picture_prolong(const Sheet* flat, int x, int y, Sheet* fine, Square to);

/// Copies a cell of the finest level; what is counted since the start goes on from `before`.
void picture_copy(const Sheet* from, int x, int y, const Sheet* before, Sheet* to);

/// How the ground of a cell changed since it was left behind.
typedef enum ReliefChange {
    CHANGE_STEPS, // by the same in all of its finer cells
    CHANGE_LINES, // by a line with the slopes of the neighbours' change: for looking at
} ReliefChange;

/// Gives a cell its finer cells back: the ground that was remembered, changed by what happened since,
/// with the water on it. `before` has the finer cells as they were left, `flat_before` their means.
/// `room` is for three times as many numbers as the square has cells.
void picture_refine(const Sheet* flat, const Sheet* flat_before, int x, int y, const Sheet* before,
                    Sheet* fine, Square to, ReliefChange change, double* room);

#endif
