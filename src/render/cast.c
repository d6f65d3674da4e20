// SPDX-License-Identifier: MIT
// Rays through the squares of the land, from the coarsest level to the finest and back.
#include "land.h"

/// A ray in the coordinates of the land, and where it is among the squares.
typedef struct Walk {
    const Land* land;
    Vec from, step; // step: per metre
    double inverse_x, inverse_y;
    double t, end; // [m]
    HitKind wall;  // that is met if the ray is below the surface here
    int level, x, y;
} Walk;

static double x_at(const Walk* walk, double t) {
    return walk->from.x + t * walk->step.x;
}
static double y_at(const Walk* walk, double t) {
    return walk->from.y + t * walk->step.y;
}
static double z_at(const Walk* walk, double t) {
    return walk->from.z + t * walk->step.z;
}

/// Cuts the ray to what lies between two planes; false if nothing does.
static bool cut(Walk* walk, double from, double step, double low, double high, HitKind wall) {
    if (step == 0) return from >= low && from <= high;
    double a = (low - from) / step, b = (high - from) / step;
    double enter = lesser(a, b), leave = greater(a, b);
    if (enter > walk->t) {
        walk->t = enter;
        walk->wall = wall;
    }
    walk->end = lesser(walk->end, leave);
    return walk->t < walk->end;
}

/// How far the ray is above the surface of its square [m].
static double above(const Walk* walk, double t) {
    const Land* land = walk->land;
    const float* north = land->surface + (size_t)walk->y * (size_t)land->width + walk->x;
    const float* south = north + land->width;
    double u = x_at(walk, t) - walk->x, v = y_at(walk, t) - walk->y;
    double a = (double)north[0] + u * (double)(north[1] - north[0]);
    double b = (double)south[0] + u * (double)(south[1] - south[0]);
    return z_at(walk, t) - (a + v * (b - a));
}

/// Along a ray a bilinear surface is a parabola: the first root of the one through three values at
/// 0, 1/2 and 1, the first of them positive; above 1 if there is none.
static double first_root(double start, double middle, double end) {
    double a = 2 * (start + end - 2 * middle), b = end - start - a, c = start;
    double inside = b * b - 4 * a * c;
    if (inside < 0) return 2;
    double q = -0.5 * (b + copysign(sqrt(inside), b));
    double first = a != 0 ? q / a : 2, second = q != 0 ? c / q : 2;
    if (first < 0) first = 2;
    if (second < 0) second = 2;
    return lesser(first, second);
}

static Hit hit_at(const Walk* walk, HitKind kind, double t) {
    return (Hit){kind, t, {x_at(walk, t), y_at(walk, t), z_at(walk, t)}};
}

/// Meets the surface in a square of the finest level, or the wall that stands before it.
static Hit meet(const Walk* walk, double leave) {
    const double touch = 1e-4 * (walk->land->cell_x + walk->land->cell_y);
    double start = above(walk, walk->t);
    if (start < -touch && walk->wall != HIT_NOTHING) return hit_at(walk, walk->wall, walk->t);
    if (start <= 0) return hit_at(walk, HIT_SURFACE, walk->t);
    double share = first_root(start, above(walk, 0.5 * (walk->t + leave)), above(walk, leave));
    if (share > 1) return (Hit){.kind = HIT_NOTHING};
    return hit_at(walk, HIT_SURFACE, walk->t + share * (leave - walk->t));
}

/// Into the part of the square where the ray is.
static void descend(Walk* walk) {
    walk->level--;
    double middle_x = (double)((2 * walk->x + 1) << walk->level);
    double middle_y = (double)((2 * walk->y + 1) << walk->level);
    int width = walk->land->level[walk->level].width,
        height = walk->land->level[walk->level].height;
    walk->x = 2 * walk->x + (x_at(walk, walk->t) >= middle_x);
    walk->y = 2 * walk->y + (y_at(walk, walk->t) >= middle_y);
    if (walk->x >= width) walk->x = width - 1;
    if (walk->y >= height) walk->y = height - 1;
}

/// To the next square, and to a coarser level when that begins there. False outside of the land.
static bool advance(Walk* walk, bool along_x) {
    bool forward = along_x ? walk->step.x > 0 : walk->step.y > 0;
    int* place = along_x ? &walk->x : &walk->y;
    int count =
        along_x ? walk->land->level[walk->level].width : walk->land->level[walk->level].height;
    *place += forward ? 1 : -1;
    if (*place < 0 || *place >= count) return false;
    walk->wall = along_x ? HIT_WALL_X : HIT_WALL_Y;
    bool new_parent = (*place & 1) == (forward ? 0 : 1);
    if (new_parent && walk->level + 1 < walk->land->levels) {
        walk->level++;
        walk->x >>= 1;
        walk->y >>= 1;
    }
    return true;
}

static double edge_time(double from, double step, double inverse, int square, int level) {
    if (step == 0) return INFINITY;
    int edge = (square + (step > 0)) << level;
    return ((double)edge - from) * inverse;
}

static Hit follow(Walk* walk) {
    for (;;) {
        double leave_x =
            edge_time(walk->from.x, walk->step.x, walk->inverse_x, walk->x, walk->level);
        double leave_y =
            edge_time(walk->from.y, walk->step.y, walk->inverse_y, walk->y, walk->level);
        double leave = greater(walk->t, lesser(lesser(leave_x, leave_y), walk->end));
        double lowest = lesser(z_at(walk, walk->t), z_at(walk, leave));
        size_t k = (size_t)walk->y * (size_t)walk->land->level[walk->level].width + (size_t)walk->x;
        if ((double)walk->land->level[walk->level].highest[k] >= lowest) {
            if (walk->level > 0) {
                descend(walk);
                continue;
            }
            Hit hit = meet(walk, leave);
            if (hit.kind != HIT_NOTHING) return hit;
        }
        walk->t = leave;
        if (leave >= walk->end || !advance(walk, leave_x <= leave_y)) break;
    }
    return (Hit){.kind = HIT_NOTHING};
}

Hit land_cast(const Land* land, Vec from, Vec direction, double reach) {
    Walk walk = {.land = land,
                 .from = from,
                 .step = {direction.x / land->cell_x, direction.y / land->cell_y, direction.z},
                 .end = reach,
                 .level = land->levels - 1};
    walk.inverse_x = 1 / walk.step.x;
    walk.inverse_y = 1 / walk.step.y;
    if (cut(&walk, from.x, walk.step.x, 0, land->width - 1, HIT_WALL_X) &&
        cut(&walk, from.y, walk.step.y, 0, land->height - 1, HIT_WALL_Y) &&
        cut(&walk, from.z, walk.step.z, land->base, (double)land->highest + 1e-3, HIT_NOTHING))
        return follow(&walk);
    return (Hit){.kind = HIT_NOTHING};
}
