// SPDX-License-Identifier: MIT
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference_layers.h"
#include "reference_wind.h"

enum { XM, XP, YM, YP, NW, SE, NE, SW, PIPES }; // Mei's L, R, B, T, and those to the corners

static const int step_x[PIPES] = {-1, 1, 0, 0, -1, 1, 1, -1};
static const int step_y[PIPES] = {0, 0, -1, 1, -1, 1, -1, 1};

typedef enum Beyond { WALL, OUTSIDE, CELL } Beyond;

static bool in_grid(const Reference* ref, int i, int j) {
    return i >= 0 && i < ref->def.width && j >= 0 && j < ref->def.height;
}

bool reference_in_domain(const Reference* ref, int i, int j) {
    return in_grid(ref, i, j) && ref->inside[reference_at(ref, i, j)];
}

/// How many pipes a cell has.
static int pipe_count(const Reference* ref) {
    return ref->def.pipe.pipes ? PIPES : NW;
}

/// Whether four cells meet at a cell's corner towards (di, dj).
static bool is_joined(const Reference* ref, int i, int j, int di, int dj) {
    return reference_in_domain(ref, i, j) && reference_in_domain(ref, i + di, j) &&
           reference_in_domain(ref, i, j + dj) && reference_in_domain(ref, i + di, j + dj);
}

/// What lies beyond the pipe q of a cell: a neighbour, a wall (a closed side or a nodata cell), or
/// the dry outside of an open side. For a pipe to a corner where not four cells meet: a wall.
static Beyond beyond(const Reference* ref, int i, int j, int q) {
    int ni = i + step_x[q];
    int nj = j + step_y[q];
    if (q >= NW) return is_joined(ref, i, j, step_x[q], step_y[q]) ? CELL : WALL;
    if (in_grid(ref, ni, nj)) return reference_in_domain(ref, ni, nj) ? CELL : WALL;
    const GullyBoundaryParams* sides = &ref->def.boundary;
    int open[4] = {sides->west, sides->east, sides->north, sides->south};
    return open[q] ? OUTSIDE : WALL;
}

static double cell_area(const Reference* ref) {
    return ref->def.lx * ref->def.ly;
}

static double pipe_area(const Reference* ref) {
    return ref->def.pipe.pipe_area > 0 ? ref->def.pipe.pipe_area : cell_area(ref);
}

static double pipe_length(const Reference* ref, int q) {
    if (ref->def.pipe.pipe_length > 0) return ref->def.pipe.pipe_length;
    if (q >= NW) return sqrt(cell_area(ref));
    return q == XM || q == XP ? ref->def.lx : ref->def.ly;
}

static double pipe_width(const Reference* ref, int q) {
    if (q >= NW) return sqrt(cell_area(ref));
    return q == XM || q == XP ? ref->def.ly : ref->def.lx;
}

/// The weight of a pipe: 1, or with eight of them what makes the flow alike in all directions.
static double pipe_weight(const Reference* ref, int i, int j, int q) {
    double lx = ref->def.lx, ly = ref->def.ly;
    double w = lx * ly / (3 * (lx * lx + ly * ly));
    if (!ref->def.pipe.pipes) return 1;
    if (q >= NW) return w;
    bool along_x = q == XM || q == XP;
    double weight = 1;
    for (int end = -1; end <= 1; end += 2) {
        int di = along_x ? step_x[q] : end, dj = along_x ? end : step_y[q];
        if (is_joined(ref, i, j, di, dj)) weight -= along_x ? w * lx / ly : w * ly / lx;
    }
    return weight;
}

// ---- W: water supply ----------------------------------------------------------------------------

static int nearest(double position, double size, int count) {
    double index = floor(position / size + 0.5);
    return (int)fmin(fmax(index, 0), count - 1);
}

/// Whether a source's disc covers the cell: its centre within the radius, or the nearest cell.
static bool covers(const Reference* ref, const GullySource* source, int i, int j) {
    double x = i * ref->def.lx - source->x;
    double y = j * ref->def.ly - source->y;
    if (x * x + y * y <= source->radius * source->radius) return true;
    return i == nearest(source->x, ref->def.lx, ref->def.width) &&
           j == nearest(source->y, ref->def.ly, ref->def.height);
}

void reference_supply(Reference* ref) {
    double dt = ref->def.dt;
    double a = cell_area(ref);
    double t = (double)ref->steps * dt;
    REFERENCE_CELLS(ref) {
        ref->d1[c] = ref->d[c] + dt * ref->def.rain; // (W1)
        ref->ledger.rain += a * dt * ref->def.rain;
    }
    for (int n = 0; n < ref->def.source_count; n++) {
        const GullySource* source = &ref->def.sources[n];
        if (t < source->from || t >= source->until) continue;
        REFERENCE_CELLS(ref) {
            if (!covers(ref, source, i, j)) continue;
            double water = dt * source->rate;
            ref->d1[c] += water;                        // (W3)
            ref->s[c] += source->concentration * water; // (W3)
            ref->ledger.water_sources += a * water;
            ref->ledger.solid_sources += a * source->concentration * water;
        }
    }
}

// ---- P: pipe ------------------------------------------------------------------------------------

static void accelerate(Reference* ref) {
    const GullyPipeParams* p = &ref->def.pipe;
    double dt = ref->def.dt, kf = p->friction;
    double T = kf > 0 ? (1 - exp(-kf * dt)) / kf : dt;
    REFERENCE_CELLS(ref) {
        double b = ref->b[c];
        double h = b + ref->d1[c];
        for (int q = 0; q < pipe_count(ref); q++) {
            Beyond there = beyond(ref, i, j, q);
            if (there == WALL) {
                ref->f[q][c] = 0;
                continue;
            }
            int n = reference_at(ref, i + step_x[q], j + step_y[q]);
            double b_n = there == CELL ? ref->b[n] : b;
            double h_n = there == CELL ? ref->b[n] + ref->d1[n] : b;
            double A = pipe_area(ref);
            if (p->film) A = fmin(A, pipe_width(ref, q) * fmax(0, fmax(h, h_n) - fmax(b, b_n)));
            double drive = T * p->gravity * A * (h - h_n) / pipe_length(ref, q);
            drive *= pipe_weight(ref, i, j, q);
            ref->f[q][c] = fmax(0, ref->f[q][c] * exp(-kf * dt) + drive); // (P1)
        }
    }
}

static void limit_outflow(Reference* ref) {
    REFERENCE_CELLS(ref) {
        double sum = 0;
        for (int q = 0; q < pipe_count(ref); q++)
            sum += ref->f[q][c];
        if (sum <= 0) continue;
        double K = fmin(1, ref->d1[c] * cell_area(ref) / (ref->def.dt * sum)); // (P2)
        for (int q = 0; q < pipe_count(ref); q++)
            ref->f[q][c] *= K;
    }
}

/// What flows into a cell through its face q [m3/s]: the neighbour's opposite pipe, 0 from outside.
static double inflow(const Reference* ref, int i, int j, int q) {
    int ni = i + step_x[q];
    int nj = j + step_y[q];
    return reference_in_domain(ref, ni, nj) ? ref->f[q ^ 1][reference_at(ref, ni, nj)] : 0;
}

static void move_water(Reference* ref) {
    double dt = ref->def.dt;
    double a = cell_area(ref);
    REFERENCE_CELLS(ref) {
        double in = 0, out = 0;
        for (int q = 0; q < pipe_count(ref); q++) {
            in += inflow(ref, i, j, q);
            out += ref->f[q][c];
            if (beyond(ref, i, j, q) == OUTSIDE) ref->ledger.water_left += dt * ref->f[q][c];
        }
        ref->d2[c] = fmax(0, ref->d1[c] + dt * (in - out) / a); // (P3)
    }
}

static double clamp(double value, double low, double high) {
    return fmin(fmax(value, low), high);
}

static void find_velocity(Reference* ref) {
    double lx = ref->def.lx, ly = ref->def.ly, dt = ref->def.dt;
    REFERENCE_CELLS(ref) {
        double Wx = 0, Wy = 0;
        for (int q = 0; q < pipe_count(ref); q++) {
            double out = (ref->f[q][c] - inflow(ref, i, j, q)) / 2;
            Wx += step_x[q] * out;
            Wy += step_y[q] * out;
        }
        double dbar = (ref->d1[c] + ref->d2[c]) / 2;
        double u = dbar > 1e-4 ? Wx / (ly * dbar) : 0; // (P4)
        double v = dbar > 1e-4 ? Wy / (lx * dbar) : 0; // (P4)
        ref->wx[c] = Wx;
        ref->wy[c] = Wy;
        ref->u[c] = clamp(u, -lx / dt, lx / dt);
        ref->v[c] = clamp(v, -ly / dt, ly / dt);
        ref->flow_sum[c] += hypot(Wx / ly, Wy / lx);
    }
}

/// The slope of the ground towards (di, dj): central, one-sided where a neighbour is missing, 0
/// where both are.
static double slope(const Reference* ref, int i, int j, int di, int dj, double size) {
    bool before = reference_in_domain(ref, i - di, j - dj);
    bool after = reference_in_domain(ref, i + di, j + dj);
    double low = ref->b[before ? reference_at(ref, i - di, j - dj) : reference_at(ref, i, j)];
    double high = ref->b[after ? reference_at(ref, i + di, j + dj) : reference_at(ref, i, j)];
    int spans = (int)before + (int)after;
    return spans ? (high - low) / (spans * size) : 0;
}

static void find_tilt(Reference* ref) {
    REFERENCE_CELLS(ref) {
        double gx = slope(ref, i, j, 1, 0, ref->def.lx);
        double gy = slope(ref, i, j, 0, 1, ref->def.ly);
        double steep = hypot(gx, gy);
        ref->sine[c] = fmax(steep / sqrt(1 + steep * steep), ref->def.pipe.min_tilt); // (P5)
    }
}

static void find_capacity(Reference* ref) {
    const GullyPipeParams* p = &ref->def.pipe;
    REFERENCE_CELLS(ref) {
        double ramp = p->depth_limit > 0 ? fmin(1, ref->d2[c] / p->depth_limit) : 1;
        double speed = hypot(ref->u[c], ref->v[c]);
        ref->capacity[c] = p->capacity * ref->sine[c] * speed * ramp; // (P6)
    }
}

void reference_count_wear(Reference* ref, int c, double taken) {
    ref->wear[c] += taken;
    ref->ledger.eroded += cell_area(ref) * taken;
}

void reference_count_deposit(Reference* ref, int c, double left) {
    ref->deposit[c] += left;
    ref->ledger.deposited += cell_area(ref) * left;
}

static void erode_and_deposit(Reference* ref) {
    const GullyPipeParams* p = &ref->def.pipe;
    REFERENCE_CELLS(ref) {
        double C = ref->capacity[c];
        double s = ref->s[c];
        double up = C > s ? reference_dig(ref, c, ref->k[c] * (C - s)) : 0;    // (P7)
        double down = C > s ? 0 : fmin(1, ref->def.dt * p->deposit) * (s - C); // (P7)
        reference_lay(ref, c, down);
        ref->s[c] += up - down;
        reference_count_wear(ref, c, up);
        reference_count_deposit(ref, c, down);
        if (!p->exchange_water) continue;
        double water = up - fmin(down, ref->d2[c]); // (P7)
        ref->d2[c] += water;
        ref->ledger.exchanged += cell_area(ref) * water;
    }
}

static void soften(Reference* ref) {
    const GullyPipeParams* p = &ref->def.pipe;
    if (p->softening <= 0) return;
    REFERENCE_CELLS(ref) {
        double k = ref->k[c];
        double change = -ref->def.dt * p->softening * p->dissolve * (ref->s[c] - ref->capacity[c]);
        if (k > 0) ref->k[c] = clamp(k + change, 0.1, 1); // (P8)
    }
}

/// The sediment at a place between the cells [cells]; walls have no weight.
static double sample_sediment(const Reference* ref, double x, double y, double own) {
    x = clamp(x, 0, ref->def.width - 1);
    y = clamp(y, 0, ref->def.height - 1);
    int i = (int)floor(x);
    int j = (int)floor(y);
    double weights = 0, sum = 0;
    for (int dj = 0; dj <= 1; dj++) {
        for (int di = 0; di <= 1; di++) {
            double weight = (di ? x - i : 1 - (x - i)) * (dj ? y - j : 1 - (y - j));
            if (weight <= 0 || !reference_in_domain(ref, i + di, j + dj)) continue;
            weights += weight;
            sum += weight * ref->s[reference_at(ref, i + di, j + dj)];
        }
    }
    return weights > 0 ? sum / weights : own;
}

static void transport_semi_lagrangian(Reference* ref) {
    double dt = ref->def.dt;
    REFERENCE_CELLS(ref) {
        double x = i - ref->u[c] * dt / ref->def.lx;
        double y = j - ref->v[c] * dt / ref->def.ly;
        ref->s1[c] = sample_sediment(ref, x, y, ref->s[c]); // (P9)
    }
    ref->ledger.transport_loss += reference_volume(ref, ref->s) - reference_volume(ref, ref->s1);
}

/// The share of a cell's sediment that goes with the flow f [m3/s] in this step.
static double carried(const Reference* ref, int c, double f) {
    return ref->d1[c] > 0 ? ref->s[c] * ref->def.dt * f / (cell_area(ref) * ref->d1[c]) : 0;
}

static void transport_flux(Reference* ref) {
    REFERENCE_CELLS(ref) {
        double in = 0, out = 0;
        for (int q = 0; q < pipe_count(ref); q++) {
            out += carried(ref, c, ref->f[q][c]);
            Beyond there = beyond(ref, i, j, q);
            if (there == CELL)
                in += carried(ref, reference_at(ref, i + step_x[q], j + step_y[q]),
                              inflow(ref, i, j, q));
            if (there == OUTSIDE)
                ref->ledger.solid_left += cell_area(ref) * carried(ref, c, ref->f[q][c]);
        }
        ref->s7[c] = ref->s[c];
        ref->s1[c] = fmax(0, ref->s[c] + in - out); // (P9)
    }
}

static void evaporate_and_dry(Reference* ref) {
    const GullyPipeParams* p = &ref->def.pipe;
    double a = cell_area(ref);
    REFERENCE_CELLS(ref) {
        ref->s[c] = ref->s1[c];
        ref->d[c] = ref->d2[c] * fmax(0, 1 - p->evaporation * ref->def.dt); // (P10)
        if (ref->d[c] < p->dry_depth) {                                     // (P10)
            reference_count_deposit(ref, c, ref->s[c]);
            reference_lay(ref, c, ref->s[c]);
            ref->s[c] = 0;
            ref->d[c] = 0;
        }
        ref->ledger.evaporated += a * (ref->d2[c] - ref->d[c]);
    }
}

static void step_pipe(Reference* ref) {
    accelerate(ref);
    limit_outflow(ref);
    move_water(ref);
    find_velocity(ref);
    find_tilt(ref);
    find_capacity(ref);
    erode_and_deposit(ref);
    soften(ref);
    if (ref->def.pipe.transport == 0) {
        transport_semi_lagrangian(ref);
    } else {
        transport_flux(ref);
    }
    evaporate_and_dry(ref);
}

// ---- B3, N2: downhill ---------------------------------------------------------------------------

/// The way from (0, 0) to one of the four neighbours; -1 for a diagonal and for the cell itself.
static int direction(int di, int dj) {
    for (int q = 0; q < 4; q++) {
        if (step_x[q] == di && step_y[q] == dj) return q;
    }
    return -1;
}

int reference_lower(const Reference* ref, int i, int j, ReferenceLower out[8]) {
    int c = reference_at(ref, i, j);
    double level = ref->b[c] + ref->d[c];
    int count = 0;
    for (int dj = -1; dj <= 1; dj++) {
        for (int di = -1; di <= 1; di++) {
            int n = reference_at(ref, i + di, j + dj);
            int q = direction(di, dj);
            bool cell = reference_in_domain(ref, i + di, j + dj);
            bool outside = !cell && q >= 0 && beyond(ref, i, j, q) == OUTSIDE;
            if (!cell && !outside) continue;
            double drop = level - (cell ? ref->b[n] + ref->d[n] : ref->b[c]);
            if (drop <= 0) continue; // the cell itself, too
            double along = hypot(di * ref->def.lx, dj * ref->def.ly);
            out[count++] = (ReferenceLower){cell ? n : -1, di, dj, drop, along};
        }
    }
    return count;
}

double reference_above_mean(const ReferenceLower* lower, int count) {
    double drops = 0;
    for (int n = 0; n < count; n++)
        drops += lower[n].drop;
    return drops / (count + 1);
}

// ---- the object ---------------------------------------------------------------------------------

enum { FIELD_COUNT = 37 + 2 * GULLY_MAX_MATERIALS };

/// Every array of the state: the one list that is allocated and freed.
static void list_fields(Reference* ref, double** out[FIELD_COUNT]) {
    double** fields[] = {
        &ref->b,        &ref->d,      &ref->s,       &ref->k,        &ref->d1,      &ref->d2,
        &ref->s1,       &ref->b1,     &ref->f[XM],   &ref->f[XP],    &ref->f[YM],   &ref->f[YP],
        &ref->f[NW],    &ref->f[SE],  &ref->f[NE],   &ref->f[SW],    &ref->wx,      &ref->wy,
        &ref->u,        &ref->v,      &ref->sine,    &ref->capacity, &ref->slide,   &ref->excess,
        &ref->flow_sum, &ref->wear,   &ref->deposit, &ref->start,    &ref->off,     &ref->air,
        &ref->shelter,  &ref->upwind, &ref->air1,    &ref->shelter1, &ref->upwind1, &ref->carries,
        &ref->s7,
    };
    memcpy(out, fields, sizeof fields);
    double*** next = out + sizeof fields / sizeof *fields;
    for (int m = 0; m < GULLY_MAX_MATERIALS; m++) {
        *next++ = &ref->layer[m];
        *next++ = &ref->layer1[m];
    }
}

double* reference_field(const Reference* ref) {
    double* field = calloc((size_t)(ref->def.width * ref->def.height), sizeof *field);
    if (!field) abort();
    return field;
}

static void load(const Reference* ref, double* field, const float* values, double fallback) {
    for (int c = 0; c < ref->def.width * ref->def.height; c++)
        field[c] = values ? (double)values[c] : fallback;
}

Reference* reference_create(const ReferenceDef* def) {
    size_t count = (size_t)def->width * (size_t)def->height;
    Reference* ref = calloc(1, sizeof *ref);
    if (!ref) abort();
    ref->def = *def;
    ref->inside = calloc(count, sizeof *ref->inside);
    ref->top = calloc(count, sizeof *ref->top);
    if (!ref->inside || !ref->top) abort();
    double** fields[FIELD_COUNT];
    list_fields(ref, fields);
    for (int n = 0; n < FIELD_COUNT; n++)
        *fields[n] = reference_field(ref);
    load(ref, ref->b, def->heights, 0);
    load(ref, ref->start, def->heights, 0);
    load(ref, ref->d, def->water, 0);
    load(ref, ref->s, def->sediment, 0);
    load(ref, ref->k, def->hardness, 1);
    for (int m = 1; m < def->material_count; m++)
        load(ref, ref->layer[m], def->thickness[m], 0);
    for (size_t c = 0; c < count; c++)
        ref->inside[c] = !isnan(ref->b[c]);
    return ref;
}

void reference_destroy(Reference* ref) {
    if (!ref) return;
    double** fields[FIELD_COUNT];
    list_fields(ref, fields);
    for (int n = 0; n < FIELD_COUNT; n++)
        free(*fields[n]);
    free(ref->inside);
    free(ref->top);
    free(ref);
}

void reference_step(Reference* ref, int steps) {
    for (int n = 0; n < steps; n++) {
        reference_supply(ref);
        if (ref->def.run_pipe) {
            step_pipe(ref);
        } else {
            memcpy(ref->d, ref->d1, (size_t)(ref->def.width * ref->def.height) * sizeof *ref->d);
        }
        if (ref->def.run_wind) reference_wind(ref);
        if (ref->def.run_thermal) reference_thermal(ref);
        ref->steps++;
    }
}

double reference_volume(const Reference* ref, const double* field) {
    double sum = 0;
    REFERENCE_CELLS(ref) {
        sum += field[c];
    }
    return sum * cell_area(ref);
}
