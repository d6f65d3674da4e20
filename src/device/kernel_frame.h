// SPDX-License-Identifier: MIT
/// What every kernel has in common. Stands after the rows of the laws, in OpenCL C 1.2.
///
/// A work-group computes a patch of PATCH x PATCH cells, one cell per work-item. Fields lie in
/// buffers of their own, with a border around the world that holds their outside values.
#ifndef KERNEL_FRAME_H
#define KERNEL_FRAME_H

enum { PATCH = MOVING_BLOCK, PATCH_CELLS = PATCH * PATCH };

/// Where cells are in a buffer: column 0 of a row, so that rows begin at a cache line.
enum { FIRST_COLUMN = 16 };

/// The arguments that every kernel begins with: size of the world [cells], floats from row to row,
/// patches in a row of patches, a bit for each open side, the patches to compute, and what the host
/// reads.
#define FRAME_ARGUMENTS                                                                            \
    const int width, const int height, const int pitch, const int columns, const int open_sides,   \
        global const int *patches, global Tally *tallies, global int *active

/// The cell of a work-item.
typedef struct Place {
    int patch, x, y;
    bool inside;
    size_t at; // in a buffer
} Place;

INLINE Place find_place(int width, int height, int pitch, int columns, global const int* patches) {
    Place place;
    place.patch = patches[get_group_id(1)];
    place.x = place.patch % columns * PATCH + (int)get_local_id(0);
    place.y = place.patch / columns * PATCH + (int)get_local_id(1);
    place.inside = place.x < width && place.y < height;
    place.at = (size_t)(place.y + 1) * (size_t)pitch + (size_t)(place.x + FIRST_COLUMN);
    return place;
}

/// A row of one cell.
#define START_ROW(row, x_, y_, accounts_, moves, scratch_, consts_)                                \
    PassRow row = {.to = 1, .end = 1, .x = (x_), .y = (y_), .has_boundary = true};                 \
    row.accounts = (accounts_);                                                                    \
    row.moving = (moves);                                                                          \
    row.consts = (consts_);                                                                        \
    row.side[WEST] = (x_) == 0;                                                                    \
    row.side[EAST] = (x_) == width - 1;                                                            \
    row.side[NORTH] = (y_) == 0;                                                                   \
    row.side[SOUTH] = (y_) == height - 1;                                                          \
    UNROLLED for (int side_ = 0; side_ < SIDES; side_++) row.open[side_] =                         \
        row.side[side_] && (open_sides >> side_ & 1);                                              \
    UNROLLED for (int n_ = 0; n_ < SCRATCH_ROWS; n_++) row.scratch[n_] = (scratch_)[n_]

/// The number of a work-item in its group.
#define ITEM ((int)(get_local_id(1) * PATCH + get_local_id(0)))

/// Gives a number of a work-item to the others. By value: a copy of memory would keep it there.
INLINE void share(local Tally* to, Tally own) {
    to->coarse = own.coarse;
    to->fine = own.fine;
}

/// Adds up what the work-items of a patch have counted for some accounts, `count` of them. Work-item
/// n has put its number for the k-th of them into shares[k][n]; byte k of `accounts` says which
/// account that is.
INLINE void sum_up(local Tally shares[][PATCH_CELLS], const int count, const ulong accounts,
                   global Tally* sums) {
    const int item = ITEM;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < PATCH * count) { // columns
        const int k = item / PATCH, column = item % PATCH;
        Tally sum = shares[k][column];
        for (int n = column + PATCH; n < PATCH_CELLS; n += PATCH)
            tally_add(&sum, shares[k][n]);
        shares[k][column] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < count) {
        const int account = (int)(accounts >> (8 * item) & 255);
        Tally sum = sums[account];
        for (int n = 0; n < PATCH; n++)
            tally_add(&sum, shares[item][n]);
        tally_carry(&sum);
        sums[account] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

#endif
