// SPDX-License-Identifier: MIT
/// Tiles of different levels: against a plain reading of their definition in double, and what has to
/// hold for any map of levels.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gully/gully.h"
#include "ok.h"
#include "reference.h"
#include "reference_layers.h"
#include "terrains.h"

enum { TILE = 16, SIDE = 64, TILES = SIDE / TILE, CELLS = SIDE * SIDE, LEVELS = 4, BLOCK = 4 };

static unsigned char map[TILES * TILES];

/// A map of levels that no rule made: 0 to `most`.
static void random_map(uint32_t seed, int most) {
    for (int i = 0; i < TILES * TILES; i++) {
        seed = seed * 1664525u + 1013904223u;
        map[i] = (unsigned char)((seed >> 16) % (uint32_t)(most + 1));
    }
}

static int level_of(int x, int y, int scale) {
    return map[y * scale / TILE * TILES + x * scale / TILE];
}

// ---- the definition, in double ------------------------------------------------------------------

/// What pictures are made of: ground, water, sediment, then outflows to -x, +x, -y, +y [m3/s].
enum { B, D, S, F, VALUES = F + 4 };

typedef struct Cell {
    double v[VALUES];
} Cell;

/// A level of the oracle: the cells of its own tiles, and the law on its picture.
typedef struct Plane {
    int scale, side, parts; // cells along the world
    Cell* cells;
    double* owed;
    Reference* ref;
    double (*edge)[4][TILE][3]; // [tile][side][place]: water, sediment, ground [m3], inwards
    double (*corner)[4][1];     // [tile][corner]: ground
    bool used;
} Plane;

static Plane planes[LEVELS];
static const double CELL = 10; // [m]

static Cell* at(int level, int x, int y) {
    return &planes[level].cells[y * planes[level].side + x];
}

/// (R)
static Cell seen(int fine, int x, int y, int r) {
    Cell out = {{0}};
    double top = -INFINITY;
    for (int j = 0; j < r; j++) {
        for (int i = 0; i < r; i++) {
            const Cell* c = at(fine, x * r + i, y * r + j);
            for (int k = B; k <= S; k++)
                out.v[k] += c->v[k] / (r * r);
            if (c->v[D] > 0) top = fmax(top, c->v[B] + c->v[D]);
            out.v[F + 0] += i == 0 ? c->v[F + 0] : 0;
            out.v[F + 1] += i == r - 1 ? c->v[F + 1] : 0;
            out.v[F + 2] += j == 0 ? c->v[F + 2] : 0;
            out.v[F + 3] += j == r - 1 ? c->v[F + 3] : 0;
        }
    }
    if (top > -INFINITY && top - out.v[B] < out.v[D]) {
        const double d = fmax(0, top - out.v[B]);
        out.v[S] *= d / out.v[D];
        out.v[D] = d;
    }
    return out;
}

/// The flat view of a level; false outside.
static bool flat(int level, int x, int y, Cell* out) {
    const int side = planes[level].side, scale = planes[level].scale;
    if (x < 0 || y < 0 || x >= side || y >= side) return false;
    const int owner = level_of(x, y, scale);
    if (owner <= level) {
        *out = seen(owner, x, y, scale / planes[owner].scale);
    } else {
        const int r = planes[owner].scale / scale;
        *out = *at(owner, x / r, y / r);
        for (int k = F; k < VALUES; k++)
            out->v[k] /= r;
    }
    return true;
}

static double minmod(double a, double b) {
    return a > 0 && b > 0 ? fmin(a, b) : a < 0 && b < 0 ? fmax(a, b) : 0;
}

/// Depths are interpolated instead of the surface, as in Vanek's paper: to see that lakes notice.
static bool linear_depths;

/// (I) Cell (i, j) of r x r in cell (x, y) of a level.
static Cell between(int level, int x, int y, int i, int j, int r) {
    Cell c, w = {{0}}, e = {{0}}, n = {{0}}, s = {{0}}, out;
    flat(level, x, y, &c);
    const bool has_w = flat(level, x - 1, y, &w), has_e = flat(level, x + 1, y, &e);
    const bool has_n = flat(level, x, y - 1, &n), has_s = flat(level, x, y + 1, &s);
#define SURFACE(cell) ((cell).v[B] + (cell).v[D])
    const double h = SURFACE(c);
    const bool in_x = has_w && has_e, in_y = has_n && has_s;
    const double shx = in_x ? minmod(h - SURFACE(w), SURFACE(e) - h) : 0;
    const double shy = in_y ? minmod(h - SURFACE(n), SURFACE(s) - h) : 0;
    const double sdx = in_x ? shx - minmod(c.v[B] - w.v[B], e.v[B] - c.v[B]) : 0;
    const double sdy = in_y ? shy - minmod(c.v[B] - n.v[B], s.v[B] - c.v[B]) : 0;
    const double sum = (0.5 - 0.5 / r) * (fabs(sdx) + fabs(sdy));
    const double theta = sum > 0 ? fmin(1, c.v[D] / sum) : 1;
    const double xi = (i + 0.5) / r - 0.5, eta = (j + 0.5) / r - 0.5;
    out.v[D] = fmax(0, c.v[D] + theta * (sdx * xi + sdy * eta));
    out.v[B] = h + shx * xi + shy * eta - out.v[D];
    out.v[S] = c.v[D] > 0 ? c.v[S] * out.v[D] / c.v[D] : c.v[S];
    out.v[F + 0] = ((1 - (double)i / r) * c.v[F + 0] + (double)i / r * e.v[F + 0]) / r;
    out.v[F + 1] = ((1 - (i + 1.0) / r) * w.v[F + 1] + (i + 1.0) / r * c.v[F + 1]) / r;
    out.v[F + 2] = ((1 - (double)j / r) * c.v[F + 2] + (double)j / r * s.v[F + 2]) / r;
    out.v[F + 3] = ((1 - (j + 1.0) / r) * n.v[F + 3] + (j + 1.0) / r * c.v[F + 3]) / r;
    if (linear_depths) {
        const double along_x = in_x ? minmod(c.v[D] - w.v[D], e.v[D] - c.v[D]) : 0;
        const double along_y = in_y ? minmod(c.v[D] - n.v[D], s.v[D] - c.v[D]) : 0;
        out.v[D] = fmax(0, c.v[D] + along_x * xi + along_y * eta);
        out.v[B] = c.v[B] + (shx - sdx) * xi + (shy - sdy) * eta;
    }
    return out;
}

/// A level's picture.
static Cell picture(int level, int x, int y) {
    const int scale = planes[level].scale, owner = level_of(x, y, scale);
    if (owner <= level) return seen(owner, x, y, scale / planes[owner].scale);
    const int r = planes[owner].scale / scale;
    return between(owner, x / r, y / r, x % r, y % r, r);
}

static const int DX[8] = {-1, 1, 0, 0, -1, 1, 1, -1}, DY[8] = {0, 0, -1, 1, -1, 1, -1, 1};
static const int BACK[8] = {1, 0, 3, 2, 5, 4, 7, 6};

/// Adds what crosses the sides of a level's tiles in the step that its law has just made. The ground
/// is that before the last pass.
static void add_to_registers(Plane* plane, const double* ground) {
    const Reference* ref = plane->ref;
    const int n = TILE / plane->scale;
    const double area = ref->def.lx * ref->def.ly, dt = ref->def.dt;
    const double tangent = tan(ref->def.thermal.talus * acos(-1.0) / 180);
    for (int c = 0; c < plane->side * plane->side; c++) {
        const int x = c % plane->side, y = c / plane->side, tile = y / n * TILES + x / n;
        for (int q = 0; q < 8; q++) {
            const int to_x = x + DX[q], to_y = y + DY[q];
            if (to_x < 0 || to_y < 0 || to_x >= plane->side || to_y >= plane->side) continue;
            const int across = to_x / n - x / n, down = to_y / n - y / n;
            const int o = to_y * plane->side + to_x;
            if (!across && !down) continue;
            const double way = hypot(DX[q], DY[q]) * ref->def.lx;
            const double out = fmax(0, ground[c] - ground[o] - way * tangent);
            const double in = fmax(0, ground[o] - ground[c] - way * tangent);
            double slides = 0;
            if (ref->excess[o] > 0) slides += ref->slide[o] * in / ref->excess[o];
            if (ref->excess[c] > 0) slides -= ref->slide[c] * out / ref->excess[c];
            if (across && down) {
                plane->corner[tile][q - 4][0] += area * slides;
                continue;
            }
            const int side = across ? (across > 0) : 2 + (down > 0), k = across ? y % n : x % n;
            double* sums = plane->edge[tile][side][k];
            sums[2] += area * slides;
            if (q >= 4) continue;
            const double away = dt * ref->f[q][c], back = dt * ref->f[BACK[q]][o];
            sums[0] += back - away;
            if (ref->d1[o] > 0) sums[1] += back * ref->s7[o] / ref->d1[o];
            if (ref->d1[c] > 0) sums[1] -= away * ref->s7[c] / ref->d1[c];
        }
    }
}

/// Runs a level's steps of a block on its picture, and takes the cells of its own tiles.
static void run_plane(int level) {
    Plane* plane = &planes[level];
    Reference* ref = plane->ref;
    static double ground[CELLS];
    memset(plane->edge, 0, TILES * TILES * sizeof *plane->edge);
    memset(plane->corner, 0, TILES * TILES * sizeof *plane->corner);
    for (int step = 0; step < BLOCK / plane->parts; step++) {
        ref->def.run_thermal = false;
        reference_step(ref, 1);
        memcpy(ground, ref->b, sizeof *ground * (size_t)(plane->side * plane->side));
        reference_thermal(ref);
        add_to_registers(plane, ground);
    }
}

static void take_own(int level) {
    Plane* plane = &planes[level];
    for (int c = 0; c < plane->side * plane->side; c++) {
        const Reference* ref = plane->ref;
        if (level_of(c % plane->side, c / plane->side, plane->scale) != level) continue;
        plane->cells[c] = (Cell){{ref->b[c], ref->d[c], ref->s[c], ref->f[0][c], ref->f[1][c],
                                  ref->f[2][c], ref->f[3][c]}};
    }
}

/// (S) for the cells along the sides of one coarse tile.
static void settle_tile(int level, int tile) {
    Plane* plane = &planes[level];
    const int n = TILE / plane->scale, tx = tile % TILES, ty = tile / TILES;
    const double area = CELL * CELL * plane->scale * plane->scale;
    static double take[TILE][TILE][3];
    memset(take, 0, sizeof take);
    for (int q = 0; q < 8; q++) {
        const int ox = tx + DX[q], oy = ty + DY[q];
        if (ox < 0 || oy < 0 || ox >= TILES || oy >= TILES) continue;
        const int other = oy * TILES + ox, finer = map[other];
        if (finer >= level) continue;
        const int r = plane->scale / planes[finer].scale;
        for (int k = 0; k < (q < 4 ? n : 1); k++) {
            const int x = DX[q] > 0 ? n - 1 : DX[q] < 0 ? 0 : k;
            const int y = DY[q] > 0 ? n - 1 : DY[q] < 0 ? 0 : k;
            if (q >= 4)
                take[y][x][2] +=
                    plane->corner[tile][q - 4][0] + planes[finer].corner[other][BACK[q] - 4][0];
            for (int a = 0; a < 3 && q < 4; a++) {
                take[y][x][a] += plane->edge[tile][q][k][a];
                for (int j = 0; j < r; j++)
                    take[y][x][a] += planes[finer].edge[other][BACK[q]][k * r + j][a];
            }
        }
    }
    for (int i = 0; i < n * n; i++) {
        const double* give = take[i / n][i % n];
        const int c = (ty * n + i / n) * plane->side + tx * n + i % n;
        Cell* cell = &plane->cells[c];
        const double d = cell->v[D] - plane->owed[c] - give[0] / area;
        const double s = cell->v[S] - give[1] / area;
        cell->v[D] = fmax(0, d);
        plane->owed[c] = fmax(0, -d);
        cell->v[S] = fmax(0, s);
        cell->v[B] += fmin(0, s) - give[2] / area;
    }
}

static void run_block(void) {
    for (int q = 0; q < LEVELS; q++) {
        Reference* ref = planes[q].ref;
        for (int c = 0; planes[q].used && c < planes[q].side * planes[q].side; c++) {
            const Cell cell = picture(q, c % planes[q].side, c / planes[q].side);
            ref->b[c] = cell.v[B], ref->d[c] = cell.v[D], ref->s[c] = cell.v[S];
            for (int k = 0; k < 4; k++)
                ref->f[k][c] = cell.v[F + k];
        }
    }
    for (int q = 0; q < LEVELS; q++) {
        if (planes[q].used) run_plane(q);
    }
    for (int q = 0; q < LEVELS; q++) {
        if (planes[q].used) take_own(q);
    }
    for (int tile = 0; tile < TILES * TILES; tile++)
        settle_tile(map[tile], tile);
}

static double composed(double share, int parts) {
    return 1 - pow(1 - share, parts);
}

/// The law of a level: parameters that make its one step what (Z) says.
static void open_plane(int level, const ReferenceDef* finest, const float* heights,
                       const float* water) {
    Plane* plane = &planes[level];
    const int scale = 1 << level, parts = scale < BLOCK ? scale : BLOCK, side = SIDE / scale;
    ReferenceDef def = *finest;
    const double dt = finest->dt;
    def.width = def.height = side;
    def.lx = def.ly = CELL * scale;
    def.dt = dt * parts;
    def.pipe.pipe_area = CELL * CELL * scale;
    def.pipe.dissolve = composed(fmin(1, dt * finest->pipe.dissolve), parts) / def.dt;
    def.pipe.deposit = composed(fmin(1, dt * finest->pipe.deposit), parts) / def.dt;
    def.pipe.evaporation = composed(fmin(1, dt * finest->pipe.evaporation), parts) / def.dt;
    def.thermal.rate = fmin(0.25, composed(fmin(0.25, dt * finest->thermal.rate), parts)) / def.dt;
    *plane = (Plane){.scale = scale,
                     .side = side,
                     .parts = parts,
                     .cells = calloc(CELLS, sizeof(Cell)),
                     .owed = calloc(CELLS, sizeof(double)),
                     .edge = calloc(TILES * TILES, sizeof *plane->edge),
                     .corner = calloc(TILES * TILES, sizeof *plane->corner),
                     .ref = reference_create(&def),
                     .used = memchr(map, level, sizeof map) != NULL};
    for (int i = 0; i < CELLS; i++) {
        Cell* cell = at(level, i % SIDE / scale, i / SIDE / scale);
        cell->v[B] += (double)heights[i] / (scale * scale);
        cell->v[D] += (double)water[i] / (scale * scale);
    }
}

static void close_planes(void) {
    for (int q = 0; q < LEVELS; q++) {
        free(planes[q].cells);
        free(planes[q].owed);
        free(planes[q].edge);
        free(planes[q].corner);
        reference_destroy(planes[q].ref);
        planes[q] = (Plane){0};
    }
}

// ---- the engine ---------------------------------------------------------------------------------

typedef struct Run {
    GullyWorld* world;
    GullySettings* settings;
    GullySim* sim;
} Run;

static void set(Run* run, const char* key, double value) {
    OK(gully_settings_set_number(run->settings, key, value));
}

static Run open_run(const float* heights, const float* water, int threads, bool plain) {
    Run run = {.world = terrain_world(heights, SIDE, SIDE, CELL, CELL, 0)};
    OK(gully_world_write(run.world, GULLY_WATER, gully_world_all(run.world), water));
    OK(gully_world_set_levels(run.world, TILES, TILES, map));
    OK(gully_settings_create("pipe", &run.settings));
    set(&run, "levels.map", 1);
    set(&run, "levels.tile", TILE);
    GullySimDef def = gully_sim_def();
    def.threads = threads;
    def.plain = plain;
    OK(gully_sim_create(run.world, run.settings, &def, &run.sim));
    return run;
}

static void close_run(Run* run) {
    gully_sim_destroy(run->sim);
    gully_settings_destroy(run->settings);
    gully_world_destroy(run->world);
}

static void apply(Run* run) {
    OK(gully_sim_apply(run->sim, run->settings));
}

/// How far a field is from the oracle at most, as a share of its range, over all tiles.
static double distance_of(const Run* run, GullyField field, int value) {
    double most = 0, low = INFINITY, high = -INFINITY;
    for (int q = 0; q < LEVELS; q++) {
        const int side = planes[q].side;
        float* got = malloc(sizeof(float) * (size_t)(side * side));
        OK(gully_world_read_level(run->world, field, q, (GullyRect){0, 0, side, side}, got));
        for (int c = 0; c < side * side; c++) {
            if (level_of(c % side, c / side, planes[q].scale) != q) continue;
            const double want = planes[q].cells[c].v[value];
            most = fmax(most, fabs((double)got[c] - want));
            low = fmin(low, want), high = fmax(high, want);
        }
        free(got);
    }
    return most / fmax(high - low, 1e-9);
}

// ---- tests --------------------------------------------------------------------------------------

static void compare_with_definition(uint32_t seed, int most) {
    random_map(seed, most);
    float* heights = terrain_make(terrain_rough, SIDE, SIDE);
    float* water = terrain_constant(0.02f, SIDE, SIDE);
    Run run = open_run(heights, water, 1, false);
    set(&run, "rain.rate", 5e-4);
    set(&run, "thermal.talus", 12);
    OK(gully_settings_set_text(run.settings, "boundary.east", "open"));
    OK(gully_settings_switch(run.settings, "thermal", true));
    apply(&run);
    ReferenceDef def = {.dt = gully_sim_dt(run.sim), .run_pipe = true, .rain = 5e-4};
    def.pipe = *(const GullyPipeParams*)gully_settings_section(run.settings, "params", NULL);
    def.thermal = *(const GullyThermalParams*)gully_settings_section(run.settings, "thermal", NULL);
    def.boundary =
        *(const GullyBoundaryParams*)gully_settings_section(run.settings, "boundary", NULL);
    for (int q = 0; q < LEVELS; q++)
        open_plane(q, &def, heights, water);
    for (int block = 0; block < 50; block++) {
        run_block();
        OK(gully_sim_step(run.sim, BLOCK));
        const double b = distance_of(&run, GULLY_TERRAIN, B), d = distance_of(&run, GULLY_WATER, D);
        const double s = distance_of(&run, GULLY_SEDIMENT, S);
        if (!(b < 1e-5 && d < 1e-5 && s < 1e-5))
            fail_msg("seed %u, block %d: %g, %g, %g of the scale", seed, block, b, d, s);
    }
    close_planes();
    close_run(&run);
    free(heights);
    free(water);
}

static void test_follows_the_definition(void** state) {
    (void)state;
    compare_with_definition(1, 1);
    compare_with_definition(2, 3);
    compare_with_definition(3, 3);
}

/// Ground that every tile's level can hold, and a lake on it with dry islands.
static void fill_lake(float* heights, float* water, double level) {
    for (int i = 0; i < CELLS; i++) {
        const int x = i % SIDE, y = i / SIDE, scale = 1 << level_of(x, y, 1);
        heights[i] = heights[y / scale * scale * SIDE + x / scale * scale];
        water[i] = (float)fmax(0, level - (double)heights[i]);
    }
}

/// How far wet cells of the world are from the level of a lake at most [m], and how deep the water is
/// on what was dry.
static double unrest_of(const GullyWorld* world, const float* water, double level) {
    float *b = terrain_read(world, GULLY_TERRAIN), *d = terrain_read(world, GULLY_WATER);
    double most = 0;
    for (int i = 0; i < CELLS; i++) {
        const double off = water[i] > 0 ? fabs((double)b[i] + (double)d[i] - level) : (double)d[i];
        most = fmax(most, off);
    }
    free(b);
    free(d);
    return most;
}

static void test_a_lake_rests_on_any_levels(void** state) {
    (void)state;
    const double level = 11;
    for (uint32_t seed = 5; seed < 8; seed++) {
        float* heights = terrain_make(terrain_rough, SIDE, SIDE);
        float* water = terrain_constant(0, SIDE, SIDE);
        random_map(seed, 3);
        fill_lake(heights, water, level);
        Run run = open_run(heights, water, 2, false);
        set(&run, "params.friction", 0);
        set(&run, "params.evaporation", 0);
        apply(&run);
        OK(gully_sim_step(run.sim, 400));
        GullyBudget budget;
        OK(gully_sim_budget(run.sim, &budget));
        const double off = unrest_of(run.world, water, level);
        if (!(off < 1e-4 && budget.solid.eroded < 1))
            fail_msg("%g m off, %g m3 eroded by a lake", off, budget.solid.eroded);
        close_run(&run);
        free(heights);
        free(water);
    }
}

/// How far the oracle's lake is off after some blocks [m].
static double oracle_unrest(const float* heights, const float* water, double level) {
    ReferenceDef def = {.dt = 0.4, .run_pipe = true};
    GullySettings* settings;
    OK(gully_settings_create("pipe", &settings));
    def.pipe = *(const GullyPipeParams*)gully_settings_section(settings, "params", NULL);
    def.pipe.evaporation = 0;
    def.thermal = *(const GullyThermalParams*)gully_settings_section(settings, "thermal", NULL);
    def.thermal.rate = 0;
    gully_settings_destroy(settings);
    for (int q = 0; q < LEVELS; q++)
        open_plane(q, &def, heights, water);
    for (int block = 0; block < 5; block++)
        run_block();
    double most = 0;
    for (int i = 0; i < CELLS; i++) {
        const int q = level_of(i % SIDE, i / SIDE, 1);
        const Cell* cell = at(q, i % SIDE / planes[q].scale, i / SIDE / planes[q].scale);
        if (water[i] > 0) most = fmax(most, fabs(cell->v[B] + cell->v[D] - level));
    }
    close_planes();
    return most;
}

static void test_a_lake_does_not_rest_on_linear_depths(void** state) {
    (void)state;
    float* heights = terrain_make(terrain_rough, SIDE, SIDE);
    float* water = terrain_constant(0, SIDE, SIDE);
    random_map(5, 3);
    fill_lake(heights, water, 11);
    assert_true(oracle_unrest(heights, water, 11) < 1e-5); // what floats leave of the depths
    linear_depths = true;
    assert_true(oracle_unrest(heights, water, 11) > 1e-2);
    linear_depths = false;
    free(heights);
    free(water);
}

static void test_nothing_is_lost(void** state) {
    (void)state;
    float* heights = terrain_make(terrain_rough, SIDE, SIDE);
    float* water = terrain_constant(0.02f, SIDE, SIDE);
    for (int variant = 0; variant < 2; variant++) {
        random_map(7, 3);
        for (int i = 0; variant && i < CELLS; i++) // a missing tile, and single cells
            if (i % SIDE / TILE == 1 && i / SIDE / TILE == 2) heights[i] = NAN;
        if (variant) heights[5 * SIDE + 7] = NAN;
        Run run = open_run(heights, water, 2, false);
        set(&run, "rain.rate", 5e-4);
        set(&run, "params.pipes", variant ? 8 : 4);
        set(&run, "thermal.talus", 12);
        OK(gully_settings_set_text(run.settings, "boundary.east", "open"));
        OK(gully_settings_switch(run.settings, "thermal", true));
        for (uint32_t i = 0; i < 6; i++) {
            random_map(20 + i, 3);
            OK(gully_world_set_levels(run.world, TILES, TILES, map));
            apply(&run);
            OK(gully_sim_step(run.sim, 40));
            GullyBudget budget;
            GullyLevels levels;
            OK(gully_sim_budget(run.sim, &budget));
            OK(gully_sim_levels(run.sim, &levels));
            const double w = fabs(budget.water.residual) / budget.water.moved;
            const double s = fabs(budget.solid.residual) / budget.solid.moved;
            if (!(w < 1e-7 && s < 1e-7 && levels.owed <= 1e-4 * budget.water.present))
                fail_msg("residuals %g, %g; owed %g of %g m3", w, s, levels.owed,
                         budget.water.present);
        }
        close_run(&run);
    }
    free(heights);
    free(water);
}

static const GullyField HASHED[] = {GULLY_TERRAIN, GULLY_WATER, GULLY_SEDIMENT, GULLY_WEAR};

static void test_same_bits_on_any_threads(void** state) {
    (void)state;
    uint64_t first[4] = {0};
    float* heights = terrain_make(terrain_rough, SIDE, SIDE);
    float* water = terrain_constant(0.1f, SIDE, SIDE);
    random_map(9, 2);
    for (int variant = 0; variant < 4; variant++) {
        Run run = open_run(heights, water, 1 + variant, variant == 2);
        OK(gully_settings_switch(run.settings, "thermal", true));
        apply(&run);
        OK(gully_sim_step(run.sim, 20));
        GullyBudget budget;
        if (variant == 1) OK(gully_sim_budget(run.sim, &budget)); // looking changes nothing
        OK(gully_sim_step(run.sim, 20));
        for (int i = 0; i < 4; i++) {
            const uint64_t hash = gully_world_hash(run.world, HASHED[i]);
            if (variant == 0) first[i] = hash;
            assert_true(hash == first[i]);
        }
        close_run(&run);
    }
    free(heights);
    free(water);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_follows_the_definition),
        cmocka_unit_test(test_a_lake_rests_on_any_levels),
        cmocka_unit_test(test_a_lake_does_not_rest_on_linear_depths),
        cmocka_unit_test(test_nothing_is_lost),
        cmocka_unit_test(test_same_bits_on_any_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
