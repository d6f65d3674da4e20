// SPDX-License-Identifier: MIT
/// A plot: a piece of the ground with a simulation of its own, in which a brush lets a law act.
#ifndef PLOTS_H
#define PLOTS_H

#include "brushes.h"

typedef struct Plot Plot;

/// A plot for dabs of that size. The law is `pipe` or `thermal`; its parameters are those of the
/// settings if they have any of it.
GullyStatus plot_create(const GullySim* sim, const GullySettings* settings, const char* law,
                        const GullyBrush* brush, Plot** out);
void plot_destroy(Plot* plot);

/// Lets the law act on the ground around a dab, and takes over what it did by the dab's weights.
/// `weights` is a row.
GullyStatus plot_dab(Plot* plot, GullyWorld* world, const Dab* dab, double* weights);

#endif
