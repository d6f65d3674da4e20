// SPDX-License-Identifier: MIT
#include "level_picture.h"

#include <math.h>
#include <stdlib.h>

#include "lease.h"

// ---- sheets -------------------------------------------------------------------------------------

GullyStatus sheet_fit(Sheet* sheet, GullyRect rect, const LevelFields* fields) {
    const size_t cells = (size_t)rect.width * (size_t)rect.height;
    if (cells > sheet->room) {
        sheet_free(sheet);
        sheet->room = cells;
    }
    for (; sheet->made < fields->count; sheet->made++) {
        double* made = malloc(sheet->room * sizeof *made);
        if (!made)
            return gully_fail(GULLY_NO_MEMORY, "no memory for a level of %d x %d cells", rect.width,
                              rect.height);
        sheet->cells[sheet->made] = made;
    }
    sheet->x = rect.x;
    sheet->y = rect.y;
    sheet->width = rect.width;
    sheet->height = rect.height;
    sheet->count = fields->count;
    for (int f = 0; f < fields->count; f++)
        sheet->kinds[f] = fields->list[f].kind;
    return GULLY_OK;
}

void sheet_free(Sheet* sheet) {
    for (int f = 0; f < sheet->made; f++)
        free(sheet->cells[f]);
    *sheet = (Sheet){0};
}

/// Gives some cells of a sheet one value of a field.
static void fill_part(Sheet* sheet, int f, GullyRect part, double value) {
    for (int y = part.y; y < part.y + part.height; y++) {
        double* row = sheet->cells[f] + sheet_at(sheet, part.x, y);
        for (int i = 0; i < part.width; i++)
            row[i] = value;
    }
}

static GullyRect inside_of(GullyRect part, const GullyWorld* world) {
    const int columns = world->width - part.x, rows = world->height - part.y;
    part.width = part.width < columns ? part.width : columns;
    part.height = part.height < rows ? part.height : rows;
    return part;
}

/// Copies a run of a field, whose place in the run it is; zeros of one that is not stored. Cells without
/// ground are none.
static void load_run(const Runs* runs, int field, double unit, bool is_ground, double* to) {
    const float *high = runs->cells[field], *low = runs->cells[field + 1];
    const double most = (double)GROUND_MAX;
    if (!high)
        for (int i = 0; i < runs->count; i++)
            to[i] = 0;
    else if (!low)
        for (int i = 0; i < runs->count; i++)
            to[i] = (double)high[i] * unit;
    else
        for (int i = 0; i < runs->count; i++)
            to[i] = ((double)high[i] + (double)low[i]) * unit;
    for (int i = 0; i < runs->count && is_ground; i++)
        to[i] = to[i] > most ? NAN : to[i];
}

/// Copies fields first .. end-1, in one walk.
static GullyStatus load_fields(Sheet* sheet, GullyRect part, const GullyWorld* world,
                               const LevelFields* fields, int first, int end) {
    int slots[RUN_FIELDS];
    Runs runs;
    for (int f = first; f < end; f++) {
        slots[2 * (f - first)] = fields->list[f].slot;
        slots[2 * (f - first) + 1] = fields->list[f].low;
    }
    runs_begin_read(&runs, world, part, slots, 2 * (end - first));
    while (runs_next(&runs)) {
        const size_t at = sheet_at(sheet, runs.x, runs.y);
        for (int f = first; f < end; f++)
            load_run(&runs, 2 * (f - first), fields->list[f].unit, f == LEVEL_B,
                     sheet->cells[f] + at);
    }
    return runs_end(&runs);
}

GullyStatus sheet_load(Sheet* sheet, GullyRect part, const GullyWorld* world,
                       const LevelFields* fields) {
    const GullyRect inside = inside_of(part, world);
    GullyStatus status = GULLY_OK;
    if (inside.width < part.width || inside.height < part.height)
        fill_part(sheet, LEVEL_B, part, NAN);
    for (int f = 0, end; f < fields->count && !status; f = end) {
        end = f + RUN_FIELDS / 2 < fields->count ? f + RUN_FIELDS / 2 : fields->count;
        status = load_fields(sheet, inside, world, fields, f, end);
    }
    return status;
}

/// Writes the values of a field to the cells of a run; in the first field, which is the ground, also
/// that there are none.
static void store_run(Runs* runs, const LevelFields* fields, int f, const Sheet* sheet,
                      const unsigned char* marks, bool removes) {
    const size_t at = sheet_at(sheet, runs->x, runs->y);
    const double *ground = sheet->cells[LEVEL_B] + at, *values = sheet->cells[f] + at;
    const double* s = fields->count > LEVEL_S ? sheet->cells[LEVEL_S] + at : values;
    for (int i = 0; i < runs->count; i++) {
        if (marks && marks[at + (size_t)i] != 1) continue;
        if (isnan(ground[i])) {
            if (removes && f == LEVEL_B && runs->cells[0][i] <= GROUND_MAX)
                runs_remove_cell(runs, i);
            continue;
        }
        const LevelNumber number = level_number(fields, f, values[i], s[i]);
        runs_put(runs, 0, i, number.high);
        if (runs->cells[1] && bits_of(number.low) != bits_of(runs->cells[1][i]))
            runs_put(runs, 1, i, number.low);
    }
}

GullyStatus sheet_store(const Sheet* sheet, GullyWorld* world, const LevelFields* fields,
                        const unsigned char* marks, bool removes) {
    const GullyRect all = {sheet->x, sheet->y, sheet->width, sheet->height};
    GullyStatus status = GULLY_OK;
    for (int f = 0; f < fields->count && !status; f++) {
        const int slots[2] = {fields->list[f].slot, fields->list[f].low};
        if (slots[0] < 0) continue;
        Runs runs;
        runs_begin(&runs, world, inside_of(all, world), slots, 2, ACCESS_READ_WRITE);
        while (runs_next(&runs))
            store_run(&runs, fields, f, sheet, marks, removes);
        status = runs_end(&runs);
    }
    return status;
}

// ---- fine to coarse -----------------------------------------------------------------------------

/// Sum over columns x .. x + columns - 1 of `rows` rows.
static double sum_of(const Sheet* sheet, int f, int x, int y, int columns, int rows) {
    double sum = 0;
    for (int j = 0; j < rows; j++) {
        const double* row = sheet->cells[f] + sheet_at(sheet, x, y + j);
        for (int i = 0; i < columns; i++)
            sum += row[i];
    }
    return sum;
}

static double mean_of(const Sheet* sheet, int f, Square s) {
    return sum_of(sheet, f, s.x, s.y, s.side, s.side) / ((double)s.side * s.side);
}

/// What a field of a square looks like in one cell, water's cap aside. The outflows of the cells
/// along a side leave together; of the pipes to a corner a cross-section has as many as a side has
/// cells.
static double seen(const Sheet* fine, int f, Square s) {
    const int last = s.side - 1;
    switch (fine->kinds[f]) {
    case LEVEL_WEST:
        return sum_of(fine, f, s.x, s.y, 1, s.side);
    case LEVEL_EAST:
        return sum_of(fine, f, s.x + last, s.y, 1, s.side);
    case LEVEL_NORTH:
        return sum_of(fine, f, s.x, s.y, s.side, 1);
    case LEVEL_SOUTH:
        return sum_of(fine, f, s.x, s.y + last, s.side, 1);
    case LEVEL_CORNER:
        return mean_of(fine, f, s) * s.side;
    case LEVEL_SUM:
    case LEVEL_NONE:
        return 0;
    default:
        return mean_of(fine, f, s);
    }
}

/// Whether all cells of a square are cells.
static bool is_whole(const Sheet* fine, Square s) {
    for (int y = s.y; y < s.y + s.side; y++) {
        for (int x = s.x; x < s.x + s.side; x++) {
            if (!sheet_has(fine, x, y)) return false;
        }
    }
    return true;
}

void picture_means(const Sheet* fine, Square from, Sheet* coarse, int x, int y) {
    const size_t at = sheet_at(coarse, x, y);
    if (!is_whole(fine, from)) {
        coarse->cells[LEVEL_B][at] = NAN;
        return;
    }
    for (int f = 0; f < coarse->count; f++)
        coarse->cells[f][at] = seen(fine, f, from);
}

/// The highest water of a square; below everything where it is dry.
static double highest_water(const Sheet* fine, Square s) {
    double top = -INFINITY;
    for (int y = s.y; y < s.y + s.side; y++) {
        for (int x = s.x; x < s.x + s.side; x++) {
            const size_t at = sheet_at(fine, x, y);
            const double d = fine->cells[LEVEL_D][at];
            if (d > 0) top = fmax(top, fine->cells[LEVEL_B][at] + d);
        }
    }
    return top;
}

void picture_restrict(const Sheet* fine, Square from, Sheet* coarse, int x, int y) {
    const size_t at = sheet_at(coarse, x, y);
    picture_means(fine, from, coarse, x, y);
    const double b = coarse->cells[LEVEL_B][at], mean = coarse->cells[LEVEL_D][at];
    if (isnan(b) || mean <= 0 || from.side == 1) return;
    const double most = highest_water(fine, from) - b;
    if (most >= mean) return;
    coarse->cells[LEVEL_D][at] = fmax(0, most);
    coarse->cells[LEVEL_S][at] *= fmax(0, most) / mean;
}

// ---- many cells at once -------------------------------------------------------------------------

/// The part of a square that a field's picture is a sum of.
typedef struct SumOver {
    int x, y, columns, rows; // in the square
    double part;             // that the sum is divided by, and then multiplied with
    double times;
} SumOver;

static SumOver sum_over(LevelKind kind, int side) {
    const double cells = (double)side * side;
    switch (kind) {
    case LEVEL_WEST:
        return (SumOver){0, 0, 1, side, 1, 1};
    case LEVEL_EAST:
        return (SumOver){side - 1, 0, 1, side, 1, 1};
    case LEVEL_NORTH:
        return (SumOver){0, 0, side, 1, 1, 1};
    case LEVEL_SOUTH:
        return (SumOver){0, side - 1, side, 1, 1, 1};
    case LEVEL_CORNER:
        return (SumOver){0, 0, side, side, cells, side};
    case LEVEL_SUM:
    case LEVEL_NONE:
        return (SumOver){0, 0, 0, 0, 1, 1};
    default:
        return (SumOver){0, 0, side, side, cells, 1};
    }
}

/// A row of a field: of each square, sums of rows one after another.
static void sum_row(const Sheet* fine, int f, SumOver over, int side, int x, int y, int count,
                    double* out) {
    for (int i = 0; i < count; i++)
        out[i] = 0;
    for (int j = over.y; j < over.y + over.rows; j++) {
        const double* row = fine->cells[f] + sheet_at(fine, x * side + over.x, y * side + j);
        for (int i = 0; i < count; i++) {
            double sum = out[i];
            for (int k = 0; k < over.columns; k++)
                sum += row[i * side + k];
            out[i] = sum;
        }
    }
    for (int i = 0; i < count; i++)
        out[i] = out[i] / over.part * over.times;
}

/// Lets the water of a cell stand no higher than the highest among the finer ones.
static void cap_water(const Sheet* fine, int side, Sheet* coarse, int x, int y) {
    const size_t at = sheet_at(coarse, x, y);
    const double b = coarse->cells[LEVEL_B][at], mean = coarse->cells[LEVEL_D][at];
    double top = -INFINITY;
    if (isnan(b) || mean <= 0) return;
    for (int j = 0; j < side; j++) {
        const size_t row = sheet_at(fine, x * side, y * side + j);
        const double *ground = fine->cells[LEVEL_B] + row, *d = fine->cells[LEVEL_D] + row;
        for (int i = 0; i < side; i++)
            top = d[i] > 0 && ground[i] + d[i] > top ? ground[i] + d[i] : top;
    }
    if (top - b >= mean) return;
    coarse->cells[LEVEL_D][at] = fmax(0, top - b);
    coarse->cells[LEVEL_S][at] *= fmax(0, top - b) / mean;
}

/// A row of means.
static void means_row(const Sheet* fine, int side, Sheet* coarse, GullyRect cells, int y) {
    for (int f = 0; f < coarse->count; f++)
        sum_row(fine, f, sum_over(fine->kinds[f], side), side, cells.x, y, cells.width,
                coarse->cells[f] + sheet_at(coarse, cells.x, y));
}

void picture_means_all(const Sheet* fine, int side, Sheet* coarse, GullyRect cells) {
    for (int y = cells.y; y < cells.y + cells.height; y++)
        means_row(fine, side, coarse, cells, y);
}

void picture_restrict_all(const Sheet* fine, int side, Sheet* coarse, GullyRect cells) {
    for (int y = cells.y; y < cells.y + cells.height; y++) {
        means_row(fine, side, coarse, cells, y);
        for (int x = cells.x; x < cells.x + cells.width; x++)
            cap_water(fine, side, coarse, x, y);
    }
}

// ---- coarse to fine -----------------------------------------------------------------------------

static double minmod(double a, double b) {
    if (a * b <= 0) return 0;
    return fabs(a) < fabs(b) ? a : b;
}

/// Slopes of a cell along one axis, per cell: of the surface and of the depth.
typedef struct Slopes {
    double surface, depth;
} Slopes;

static double surface_at(const Sheet* sheet, size_t at) {
    return sheet->cells[LEVEL_B][at] + sheet->cells[LEVEL_D][at];
}

/// (I) The slopes along (dx, dy), 0 beside what is no cell.
static Slopes slopes_of(const Sheet* flat, int x, int y, int dx, int dy) {
    if (!sheet_has(flat, x - dx, y - dy) || !sheet_has(flat, x + dx, y + dy)) return (Slopes){0};
    const size_t here = sheet_at(flat, x, y);
    const size_t before = sheet_at(flat, x - dx, y - dy), after = sheet_at(flat, x + dx, y + dy);
    const double* b = flat->cells[LEVEL_B];
    const double h = surface_at(flat, here);
    const double surface = minmod(h - surface_at(flat, before), surface_at(flat, after) - h);
    const double ground = minmod(b[here] - b[before], b[after] - b[here]);
    return (Slopes){surface, surface - ground};
}

/// Where the middle of finer cell i lies in a cell, from -1/2 to 1/2.
static double offset_of(int i, int side) {
    return (i + 0.5) / side - 0.5;
}

/// (I) The outflows of finer cells: from one side of the cell to the other they go over into that of
/// the neighbour at (dx, dy).
static void prolong_outflow(const Sheet* flat, int f, int x, int y, int dx, int dy, Sheet* fine,
                            Square to) {
    const bool joined = sheet_has(flat, x + dx, y + dy), by_rows = dy != 0;
    const double here = flat->cells[f][sheet_at(flat, x, y)], r = to.side;
    const double there = joined ? flat->cells[f][sheet_at(flat, x + dx, y + dy)] : 0;
    const size_t start = sheet_at(fine, to.x, to.y), row = (size_t)fine->width;
    for (int k = 0; k < to.side; k++) {
        const double beyond = dx + dy > 0 ? k / r : 1 - (k + 1) / r;
        const double value = ((1 - beyond) * here + beyond * there) / to.side;
        double* cells = fine->cells[f] + start + (size_t)k * (by_rows ? row : 1);
        for (int i = 0; i < to.side; i++)
            cells[(size_t)i * (by_rows ? 1 : row)] = value;
    }
}

/// Fills all fields of a square but ground, water and sediment.
static void prolong_others(const Sheet* flat, int x, int y, Sheet* fine, Square to) {
    static const int dx[] = {[LEVEL_WEST] = 1, [LEVEL_EAST] = -1, [LEVEL_CORNER] = 0};
    static const int dy[] = {[LEVEL_NORTH] = 1, [LEVEL_SOUTH] = -1, [LEVEL_CORNER] = 0};
    const GullyRect square = {to.x, to.y, to.side, to.side};
    for (int f = LEVEL_S + 1; f < fine->count; f++) {
        const LevelKind kind = flat->kinds[f];
        const double here = flat->cells[f][sheet_at(flat, x, y)];
        if (kind >= LEVEL_WEST && kind <= LEVEL_SOUTH)
            prolong_outflow(flat, f, x, y, dx[kind], dy[kind], fine, to);
        else
            fill_part(fine, f, square,
                      kind == LEVEL_SUM      ? 0
                      : kind == LEVEL_CORNER ? here / to.side
                                             : here);
    }
}

void picture_prolong(const Sheet* flat, int x, int y, Sheet* fine, Square to) {
    const size_t here = sheet_at(flat, x, y);
    const double d = flat->cells[LEVEL_D][here], s = flat->cells[LEVEL_S][here];
    const double h = surface_at(flat, here);
    const Slopes sx = slopes_of(flat, x, y, 1, 0), sy = slopes_of(flat, x, y, 0, 1);
    const double rho = 0.5 - 0.5 / to.side, steep = rho * (fabs(sx.depth) + fabs(sy.depth));
    const double theta = steep > 0 ? fmin(1, d / steep) : 1;
    for (int j = 0; j < to.side; j++) {
        const size_t row = sheet_at(fine, to.x, to.y + j);
        const double eta = offset_of(j, to.side);
        for (int i = 0; i < to.side; i++) {
            const double xi = offset_of(i, to.side);
            const double depth = fmax(0, d + theta * (sx.depth * xi + sy.depth * eta));
            const double surface = h + sx.surface * xi + sy.surface * eta;
            fine->cells[LEVEL_D][row + (size_t)i] = depth;
            fine->cells[LEVEL_B][row + (size_t)i] = surface - depth;
            fine->cells[LEVEL_S][row + (size_t)i] = d > 0 ? s * depth / d : s;
        }
    }
    prolong_others(flat, x, y, fine, to);
}

// ---- remembered relief --------------------------------------------------------------------------

/// How much the ground of a cell is above what it was; 0 if that is rounding.
static double rise_of(const Sheet* flat, const Sheet* before, int x, int y) {
    const size_t at = sheet_at(flat, x, y);
    const double b = flat->cells[LEVEL_B][at], rise = b - before->cells[LEVEL_B][at];
    return fabs(rise) <= 1e-14 * fabs(b) ? 0 : rise;
}

/// The slope of that along (dx, dy), per cell; 0 beside what is no cell.
static double rise_slope(const Sheet* flat, const Sheet* before, int x, int y, int dx, int dy) {
    if (!sheet_has(flat, x - dx, y - dy) || !sheet_has(flat, x + dx, y + dy)) return 0;
    const double slope =
        (rise_of(flat, before, x + dx, y + dy) - rise_of(flat, before, x - dx, y - dy)) / 2;
    return isnan(slope) ? 0 : slope; // beside a cell that another level remembers
}

static void refine_ground(const Sheet* flat, const Sheet* flat_before, int x, int y,
                          const Sheet* before, Sheet* fine, Square to, ReliefChange change) {
    const bool lines = change == CHANGE_LINES;
    const double rise = rise_of(flat, flat_before, x, y);
    const double along_x = lines ? rise_slope(flat, flat_before, x, y, 1, 0) : 0;
    const double along_y = lines ? rise_slope(flat, flat_before, x, y, 0, 1) : 0;
    for (int j = 0; j < to.side; j++) {
        const size_t at = sheet_at(fine, to.x, to.y + j);
        const double* was = before->cells[LEVEL_B] + sheet_at(before, to.x, to.y + j);
        const double eta = along_y * offset_of(j, to.side);
        for (int i = 0; i < to.side; i++)
            fine->cells[LEVEL_B][at + (size_t)i] =
                was[i] + (rise + (along_x * offset_of(i, to.side) + eta));
    }
}

/// How much a surface over a square must be shifted for a volume of water to stand under it: found
/// from above, leaving out cells that would be dry, until none is left to leave out. `dry` has the
/// ground above the surface in each of `count` cells. A volume that rounding swallows leaves all dry.
static double shift_for(const double* dry, int count, double volume) {
    double shift = INFINITY;
    for (;;) {
        double sum = volume;
        int wet = 0, more = 0;
        for (int i = 0; i < count; i++) {
            if (!(dry[i] < shift)) continue;
            sum += dry[i];
            wet++;
        }
        if (wet == 0) return shift;
        const double next = sum / wet;
        for (int i = 0; i < count; i++)
            more += dry[i] < shift && !(dry[i] < next);
        shift = next;
        if (more == 0) return shift;
    }
}

/// Lets the water of a cell stand on the ground of its finer cells, under the surface that (I) gave
/// them. Then `wet` has the depths, whose sum is right.
static void pour(double d, int count, const double* ground, const double* surface, double* wet) {
    int lowest = 0;
    for (int i = 0; i < count; i++) {
        wet[i] = ground[i] - surface[i];
        if (wet[i] < wet[lowest]) lowest = i;
    }
    const double shift = shift_for(wet, count, d * count);
    double sum = 0;
    for (int i = 0; i < count; i++) {
        wet[i] = fmax(0, shift - wet[i]);
        sum += wet[i];
    }
    for (int i = 0; i < count && sum > 0; i++)
        wet[i] *= d * count / sum;
    if (!(sum > 0)) wet[lowest] = d * count;
}

/// Amounts shrink in proportion and grow by the same everywhere: never below 0, and the sum is kept.
static double changed_part(LevelKind kind, double was, double mean, double now) {
    const bool same = kind == LEVEL_FACTOR ? (float)mean == (float)now : mean == now;
    if (same || (kind == LEVEL_FACTOR && was == 0)) return was;
    const double part = now < mean ? was * (now / mean) : was + (now - mean);
    return kind == LEVEL_FACTOR ? fmin(1, part) : part;
}

/// The fields that a level remembers as it does the ground.
static void refine_others(const Sheet* flat, int x, int y, const Sheet* before, Sheet* fine,
                          Square to) {
    for (int f = LEVEL_S + 1; f < fine->count; f++) {
        const LevelKind kind = flat->kinds[f];
        const double now = flat->cells[f][sheet_at(flat, x, y)];
        if (kind != LEVEL_AMOUNT && kind != LEVEL_FACTOR && kind != LEVEL_SUM) continue;
        const double mean = kind == LEVEL_SUM ? 0 : mean_of(before, f, to);
        for (int j = 0; j < to.side; j++) {
            double* row = fine->cells[f] + sheet_at(fine, to.x, to.y + j);
            const double* was = before->cells[f] + sheet_at(before, to.x, to.y + j);
            for (int i = 0; i < to.side; i++)
                row[i] = changed_part(kind, was[i], mean, now);
        }
    }
}

/// Puts the water of a cell on the ground that its finer cells have now. `ground` and `wet` are room.
static void refine_water(const Sheet* flat, int x, int y, Sheet* fine, Square to,
                         const double* surface, double* ground, double* wet) {
    const size_t here = sheet_at(flat, x, y);
    const double d = flat->cells[LEVEL_D][here], s = flat->cells[LEVEL_S][here];
    const int count = to.side * to.side;
    for (int n = 0; n < count; n++)
        ground[n] = fine->cells[LEVEL_B][sheet_at(fine, to.x + n % to.side, to.y + n / to.side)];
    if (d > 0) pour(d, count, ground, surface, wet);
    for (int n = 0; n < count; n++) {
        const size_t at = sheet_at(fine, to.x + n % to.side, to.y + n / to.side);
        fine->cells[LEVEL_D][at] = d > 0 ? wet[n] : 0;
        fine->cells[LEVEL_S][at] = d > 0 ? s * wet[n] / d : s;
    }
}

void picture_refine(const Sheet* flat, const Sheet* flat_before, int x, int y, const Sheet* before,
                    Sheet* fine, Square to, ReliefChange change, double* room) {
    const int count = to.side * to.side;
    double *surface = room, *ground = room + count, *wet = room + 2 * (size_t)count;
    picture_prolong(flat, x, y, fine, to);
    for (int n = 0; n < count; n++)
        surface[n] = surface_at(fine, sheet_at(fine, to.x + n % to.side, to.y + n / to.side));
    refine_ground(flat, flat_before, x, y, before, fine, to, change);
    refine_water(flat, x, y, fine, to, surface, ground, wet);
    refine_others(flat, x, y, before, fine, to);
}

void picture_copy(const Sheet* from, int x, int y, const Sheet* before, Sheet* to) {
    for (int f = 0; f < from->count; f++) {
        const double was =
            from->kinds[f] == LEVEL_SUM ? before->cells[f][sheet_at(before, x, y)] : 0;
        to->cells[f][sheet_at(to, x, y)] = was + from->cells[f][sheet_at(from, x, y)];
    }
}
