// SPDX-License-Identifier: MIT
/// What chains have in common (chains.h). Stands after kernel_frame.h, in OpenCL C 1.2.
#ifndef CHAIN_FRAME_H
#define CHAIN_FRAME_H

/// The patch of a work-group, and where it begins.
typedef struct Patch {
    int number, x, y, item;
} Patch;

INLINE Patch find_patch(int columns, global const int* patches) {
    Patch patch;
    patch.number = patches[get_group_id(1)];
    patch.x = patch.number % columns * PATCH;
    patch.y = patch.number / columns * PATCH;
    patch.item = (int)(get_local_id(1) * PATCH + get_local_id(0));
    return patch;
}

/// Cells of a square around the patch: those of a work-item are PATCH_CELLS apart.
#define SQUARE_SIDE(before, after) (PATCH + (before) + (after))
#define SQUARE_CELLS(n, before, after)                                                             \
    for (int n = patch.item; n < SQUARE_SIDE(before, after) * SQUARE_SIDE(before, after);          \
         n += PATCH_CELLS)

/// A cell in or around a patch.
typedef struct PatchCell {
    int i, j; // in the patch
    int x, y; // in the world
    bool inside, own;
    size_t at; // in a buffer, if it is inside
} PatchCell;

/// The n-th cell of a square.
INLINE PatchCell patch_cell(Patch patch, int n, int before, int after, int width, int height,
                            int pitch) {
    PatchCell cell;
    cell.i = n % SQUARE_SIDE(before, after) - before;
    cell.j = n / SQUARE_SIDE(before, after) - before;
    cell.x = patch.x + cell.i;
    cell.y = patch.y + cell.j;
    cell.inside = cell.x >= 0 && cell.y >= 0 && cell.x < width && cell.y < height;
    cell.own = cell.inside && cell.i >= 0 && cell.j >= 0 && cell.i < PATCH && cell.j < PATCH;
    cell.at = (size_t)(cell.y + 1) * (size_t)pitch + (size_t)(cell.x + FIRST_COLUMN);
    return cell;
}

INLINE bool is_in_square(PatchCell cell, int before, int after) {
    return cell.i >= -before && cell.j >= -before && cell.i < PATCH + after &&
           cell.j < PATCH + after;
}

/// Where a cell, or one beside it, is in a local array that holds a square.
#define IN_SQUARE(cell, before, after, dx, dy)                                                     \
    (((cell).j + (before) + (dy)) * SQUARE_SIDE(before, after) + (cell).i + (before) + (dx))

/// Loads a square of a field. The border of a buffer has the value of all cells outside.
INLINE void load_square(local float* cells, global const float* field, Patch patch, int before,
                        int after, int width, int height, int pitch) {
    SQUARE_CELLS(n, before, after) {
        const int i = patch.x - before + n % SQUARE_SIDE(before, after);
        const int j = patch.y - before + n / SQUARE_SIDE(before, after);
        const int x = i < -1 ? -1 : i > width ? width : i;
        const int y = j < -1 ? -1 : j > height ? height : j;
        cells[n] = field[(size_t)(y + 1) * (size_t)pitch + (size_t)(x + FIRST_COLUMN)];
    }
}

/// Sums that begin at 0, set one by one: of an initialiser, some compilers keep what nobody reads
/// in memory.
#define CLEAR_TALLIES(sums)                                                                        \
    Tally sums[ACCOUNTS];                                                                          \
    UNROLLED for (int n_ = 0; n_ < ACCOUNTS; n_++) sums[n_].coarse = sums[n_].fine = 0

/// Adds what a pass has counted in a cell of its own. Values are chosen, not addresses: see
/// tally_add.
INLINE void tally_add_own(Tally* sum, Tally counted, bool own) {
    sum->coarse += own ? counted.coarse : 0;
    sum->fine += own ? counted.fine : 0;
}

#endif
