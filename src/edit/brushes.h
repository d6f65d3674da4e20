// SPDX-License-Identifier: MIT
/// Brushes: what each does to the cells under it.
#ifndef BRUSHES_H
#define BRUSHES_H

#include "edit_cells.h"
#include "gully/edit.h"

typedef struct Stroke Stroke;

/// One touch of a brush.
typedef struct Dab {
    const Stroke* stroke;
    const GullyBrush* brush;
    GullyPoint at; // [m]
} Dab;

typedef struct BrushKind {
    GullyBrushInfo info;
    int field; // that it changes
    /// How it changes a cell there, if that is all it looks at; else NULL.
    double (*change)(const Dab* dab, double value, double weight, GullyPoint at);
    /// The law that acts under it, if one does (plots.h).
    const char* law;
    bool levels; // wants to know the height under the first point
} BrushKind;

/// Finds a brush and checks its parameters for a world.
GullyStatus brush_check(const GullyWorld* world, const char* kind, const GullyBrush* brush,
                        const BrushKind** out);

/// The cells that a dab may reach; of a width or height of 0 if there are none.
GullyRect dab_rect(const GullyWorld* world, const GullyBrush* brush, GullyPoint at);

/// The cells of a row that a dab reaches, and their weights: as many as the world is wide, at most.
Run dab_row(const GullyWorld* world, const GullyBrush* brush, GullyPoint at, int y,
            double* weights);

#endif
