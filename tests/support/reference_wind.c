// SPDX-License-Identifier: MIT
#include "reference_wind.h"

#include <math.h>
#include <string.h>

/// What follows from the parameters.
typedef struct Blow {
    int up_x, up_y;      // the way to the neighbours upwind, -1 or 1
    double px, py;       // their shares
    double H;            // length of a hop [m]
    double tan_shadow;   //
    bool open_x, open_y; // the sides that it blows to
} Blow;

static double radians(double degrees) {
    return degrees * acos(-1) / 180;
}

static Blow blow_of(const Reference* ref) {
    const GullyWindParams* p = &ref->def.wind;
    const GullyBoundaryParams* sides = &ref->def.boundary;
    double cx = cos(radians(p->direction)), cy = sin(radians(p->direction));
    if (fabs(cx) < 1e-15) cx = 0;
    if (fabs(cy) < 1e-15) cy = 0;
    double sum = fabs(cx) + fabs(cy);
    Blow blow = {.up_x = cx >= 0 ? -1 : 1, .up_y = cy >= 0 ? -1 : 1};
    blow.px = fabs(cx) / sum;
    blow.py = 1 - blow.px;
    blow.H = blow.px * ref->def.lx / sum + blow.py * ref->def.ly / sum;
    blow.tan_shadow = tan(radians(p->shadow));
    blow.open_x = cx >= 0 ? sides->east : sides->west;
    blow.open_y = cy >= 0 ? sides->south : sides->north;
    return blow;
}

/// A field of the neighbour at (di, dj); the own ground of the cell if that is none.
static double beside(const Reference* ref, const double* f, int i, int j, int di, int dj) {
    if (!reference_in_domain(ref, i + di, j + dj)) return ref->b[reference_at(ref, i, j)];
    return f[reference_at(ref, i + di, j + dj)];
}

static double up(const Reference* ref, const Blow* blow, const double* f, int i, int j) {
    return blow->px * beside(ref, f, i, j, blow->up_x, 0) +
           blow->py * beside(ref, f, i, j, 0, blow->up_y);
}

static bool is_wet(const Reference* ref, int c) {
    return ref->d[c] > (ref->def.run_pipe ? ref->def.pipe.dry_depth : 0);
}

static double sand_of(const Reference* ref, int c) {
    int last = ref->def.material_count - 1;
    return last > 0 ? ref->layer[last][c] : fmax(0, ref->b[c] - ref->def.wind.bedrock);
}

static void lay(Reference* ref, int c, double amount) {
    int last = ref->def.material_count - 1;
    ref->b[c] += amount;
    if (last > 0) ref->layer[last][c] += amount;
}

/// (E1), (E2)
static void shade(Reference* ref, const Blow* blow) {
    const GullyWindParams* p = &ref->def.wind;
    REFERENCE_CELLS(ref) {
        double w = up(ref, blow, ref->shelter, i, j), m = up(ref, blow, ref->upwind, i, j);
        ref->shelter1[c] = fmax(ref->b[c], w - blow->H * blow->tan_shadow);
        ref->upwind1[c] = m + (ref->b[c] - m) * (1 - exp(-blow->H / p->reach));
    }
    size_t size = (size_t)(ref->def.width * ref->def.height) * sizeof *ref->shelter;
    memcpy(ref->shelter, ref->shelter1, size);
    memcpy(ref->upwind, ref->upwind1, size);
}

/// (E3), (E4)
static double carried(const Reference* ref, int c) {
    const GullyWindParams* p = &ref->def.wind;
    double q = p->speedup * (ref->b[c] - ref->upwind[c]) / p->reach;
    if (q > 0) q = q / (1 + q / p->most);
    double u = fmax(0, 1 + q) * fmax(0, 1 - (ref->shelter[c] - ref->b[c]) / p->calm);
    double t2 = p->threshold * p->threshold;
    return p->capacity * fmax(0, u * u - t2) * u / (1 - t2);
}

/// (E5)
static void lift(Reference* ref, const Blow* blow) {
    const GullyWindParams* p = &ref->def.wind;
    double area = ref->def.lx * ref->def.ly;
    double k_sat = 1 - exp(-blow->H / p->saturation), k_settle = 1 - exp(-blow->H / p->settle);
    REFERENCE_CELLS(ref) {
        double C = carried(ref, c), a = ref->air[c];
        double shelter = fmin(1, (ref->shelter[c] - ref->b[c]) / p->calm);
        double k = C < a ? k_sat + (k_settle - k_sat) * shelter : k_sat;
        double e = fmin((C - a) * k, is_wet(ref, c) ? 0 : sand_of(ref, c));
        lay(ref, c, -e);
        ref->air[c] += e;
        ref->carries[c] = C;
        ref->ledger.eroded += area * fmax(0, e);
        ref->ledger.deposited += area * fmax(0, -e);
    }
}

/// (E6) Sends a share of what a cell has in the air to (di, dj), or keeps it.
static void send(Reference* ref, int i, int j, int di, int dj, double amount, bool open) {
    bool inside = i + di >= 0 && i + di < ref->def.width && j + dj >= 0 && j + dj < ref->def.height;
    if (reference_in_domain(ref, i + di, j + dj)) {
        ref->air1[reference_at(ref, i + di, j + dj)] += amount;
    } else if (!inside && open) {
        ref->ledger.solid_left += ref->def.lx * ref->def.ly * amount;
    } else {
        ref->air1[reference_at(ref, i, j)] += amount;
    }
}

static void hop(Reference* ref, const Blow* blow) {
    size_t size = (size_t)(ref->def.width * ref->def.height) * sizeof *ref->air;
    memset(ref->air1, 0, size);
    REFERENCE_CELLS(ref) {
        if (is_wet(ref, c)) {
            ref->air1[c] += ref->air[c];
            continue;
        }
        send(ref, i, j, -blow->up_x, 0, blow->px * ref->air[c], blow->open_x);
        send(ref, i, j, 0, -blow->up_y, blow->py * ref->air[c], blow->open_y);
    }
    memcpy(ref->air, ref->air1, size);
}

/// (E7)
static void roll(Reference* ref) {
    static const int ways[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    double area = ref->def.lx * ref->def.ly;
    memset(ref->b1, 0, (size_t)(ref->def.width * ref->def.height) * sizeof *ref->b1);
    REFERENCE_CELLS(ref) {
        if (is_wet(ref, c)) continue;
        for (int q = 0; q < 4; q++) {
            int di = ways[q][0], dj = ways[q][1];
            if (!reference_in_domain(ref, i + di, j + dj)) continue;
            int n = reference_at(ref, i + di, j + dj);
            double drop = ref->b[c] - ref->b[n], l = di ? ref->def.lx : ref->def.ly;
            if (drop <= 0) continue;
            double rolls =
                fmin(ref->def.wind.reptation * ref->carries[c] * drop / l, sand_of(ref, c) / 8);
            ref->b1[c] -= rolls;
            ref->b1[n] += rolls;
            ref->ledger.slid += area * rolls;
        }
    }
    REFERENCE_CELLS(ref) {
        lay(ref, c, ref->b1[c]);
    }
}

void reference_wind(Reference* ref) {
    const Blow blow = blow_of(ref);
    double end = (double)(ref->steps + 1) * ref->def.dt;
    size_t size = (size_t)(ref->def.width * ref->def.height) * sizeof *ref->b;
    if (ref->hops == 0) memcpy(ref->shelter, ref->b, size); // w = m = b before the first
    if (ref->hops == 0) memcpy(ref->upwind, ref->b, size);
    for (; (double)ref->hops < ref->def.wind.rate * end - 1e-6; ref->hops++) {
        shade(ref, &blow);
        lift(ref, &blow);
        hop(ref, &blow);
        roll(ref);
    }
}
