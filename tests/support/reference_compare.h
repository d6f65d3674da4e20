// SPDX-License-Identifier: MIT
/// How far an engine is from a reference: cell by cell and term by term of the ledger, in units of
/// the scale of each quantity.
#ifndef REFERENCE_COMPARE_H
#define REFERENCE_COMPARE_H

#include "reference.h"

/// What a difference is measured by.
typedef enum ReferenceScale {
    REFERENCE_OWN, // the quantity itself; of the ground, how much it changed
    // What it may be a part of, too: what settles is a part of what is carried, what evaporates of
    // the water there is, what is carried may leave. For laws that are not continuous.
    REFERENCE_WHOLE,
} ReferenceScale;

/// The worst differences, in units of the scale: of a cell, and of the ledger.
typedef struct ReferenceGap {
    double error, ledger;
    char where[160], term[160];
} ReferenceGap;

/// Compares ground, water, sediment, hardness, layers, what was worn and deposited, and the ledger.
/// How far each cell is off is in `off`.
ReferenceGap reference_compare(Reference* ref, const GullySim* sim, ReferenceScale scale);

/// Adds another field to the comparison, whose scale is the same everywhere.
void reference_compare_field(Reference* ref, const GullyWorld* world, GullyField field,
                             const double* values, double scale, ReferenceGap* gap);

/// Notes a difference in a cell.
void reference_note(Reference* ref, ReferenceGap* gap, const char* what, int c, double difference,
                    double scale, double got, double wanted);

/// The share of the cells that were off by more than that; 1 if any is off by no number.
double reference_beyond(const Reference* ref, double tolerance);

double reference_largest(const Reference* ref, const double* field);

#endif
