// SPDX-License-Identifier: MIT
#include "gully/rows.h"

int gully_band_rows(int width) {
    enum { TILE_ROWS = 256, MOST_CELLS = 1 << 24 };
    int rows = MOST_CELLS / width;
    return rows < 1 ? 1 : rows < TILE_ROWS ? rows : TILE_ROWS;
}
