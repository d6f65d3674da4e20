#include "tile_size.h"

#include <unistd.h>

#include "pool.h"

/// The widest tile that is chosen without being asked for. If a processor's own cache holds the
/// rows of a panel, with all that the steps of a sweep need of them, a panel stays within it. If
/// not, they come from the cache that processors share whatever the width, as long as the panels of
/// all of them fit; and a wide panel has fewer strips to compute and fewer rows to begin.
static int widest_chosen(void) {
    enum { WIDE = 1024, WIDEST = 4096 };
#ifdef _SC_LEVEL3_CACHE_SIZE
    const long own = sysconf(_SC_LEVEL2_CACHE_SIZE), shared = sysconf(_SC_LEVEL3_CACHE_SIZE);
#else
    const long own = 0, shared = 0; // unknown
#endif
    int width = WIDE;
    if (own <= 0 || own >= WIDE * TILE_COLUMN_BYTES) return width;
    while (width < WIDEST && 2L * width * TILE_COLUMN_BYTES * pool_processors() <= shared / 4 * 3)
        width *= 2;
    return width;
}

/// The height of a tile that is chosen without being asked for. A small budget must hold some rows
/// of tiles, with all the fields that laws may ask for.
static int chosen_height(int width, size_t budget) {
    enum { HIGH = 256, LOW = VECTOR, TILE_ROWS = 4, CELL_BYTES = 80 };
    const size_t rows = budget / TILE_ROWS / CELL_BYTES / (size_t)width;
    return budget == 0 || rows >= HIGH ? HIGH : rows <= LOW ? LOW : (int)rows / LOW * LOW;
}

void tile_size_choose(GullyWorld* world, int asked, size_t budget) {
    const int columns = (world->width - 1) / widest_chosen() + 1;
    const int width = ((world->width - 1) / columns / VECTOR + 1) * VECTOR;
    world->tile_width = asked ? asked : width;
    world->tile_height = asked ? asked : chosen_height(world->width, budget);
}
