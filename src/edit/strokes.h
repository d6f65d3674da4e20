// SPDX-License-Identifier: MIT
/// A stroke: a brush that moves along a line of points and dabs at equal distances.
#ifndef STROKES_H
#define STROKES_H

#include "brushes.h"
#include "noise.h"
#include "plots.h"

/// All memory that the dabs need is allocated when a stroke begins.
struct Stroke {
    const BrushKind* kind; // NULL = there is no stroke
    GullyBrush brush;
    double spacing; // between dabs, along the way [m]
    // The way so far.
    bool begun;
    GullyPoint last; // the point it has come to
    double walked;   // up to there [m]
    int64_t dabs;    // done
    // What some brushes need.
    double level;       // height under the first point [m]; NaN = not known yet
    double noise_scale; // [m]
    Fractal noise;
    Plot* plot;
    double strength;          // without the pressure
    unsigned char* allowed;   // cells of a dab within the brush's limits; NULL = it has none
    GullyRect looked;         // where those cells are
    double *weights, *values; // rows
    double *heights, *sums;   // of what is smoothed: a window, and rows
};

/// Memory for the largest window that a dab which smooths can have: no larger than the world.
bool dab_create_window(Stroke* stroke, const GullyWorld* world);

/// The cells of a row that a dab may change, and their weights.
Run dab_run(const GullyWorld* world, const Dab* dab, int y, double* weights);

/// One touch of the editor's stroke.
GullyStatus dab_do(GullyEditor* editor, GullyPoint at);

/// Frees what a stroke has.
void stroke_end(Stroke* stroke);

#endif
