// SPDX-License-Identifier: MIT
#include "reference_compare.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ok.h"
#include "reference_layers.h"
#include "terrains.h"

double reference_largest(const Reference* ref, const double* field) {
    double most = 0;
    REFERENCE_CELLS(ref) {
        most = fmax(most, fabs(field[c]));
    }
    return most;
}

/// A difference in units of the scale; NaN is as far as can be.
static double in_scale(double difference, double scale) {
    if (isnan(difference)) return INFINITY;
    return difference > 0 ? difference / fmax(scale, 1e-30) : 0;
}

void reference_note(Reference* ref, ReferenceGap* gap, const char* what, int c, double difference,
                    double scale, double got, double wanted) {
    double error = in_scale(difference, scale);
    ref->off[c] = fmax(ref->off[c], error);
    if (error <= gap->error) return;
    gap->error = error;
    snprintf(gap->where, sizeof gap->where, "%s at (%d, %d): %.9g, reference %.9g", what,
             c % ref->def.width, c / ref->def.width, got, wanted);
}

double reference_beyond(const Reference* ref, double tolerance) {
    int cells = ref->def.width * ref->def.height, count = 0;
    for (int c = 0; c < cells; c++) {
        if (isinf(ref->off[c])) return 1; // NaN in the domain, or a number outside
        if (ref->off[c] > tolerance) count++;
    }
    return (double)count / cells;
}

/// What reading a number as a float may cost: half a unit in the last place.
static double read_error(double value) {
    float near = (float)fabs(value);
    return (double)(nextafterf(near, INFINITY) - near) / 2;
}

void reference_compare_field(Reference* ref, const GullyWorld* world, GullyField field,
                             const double* values, double scale, ReferenceGap* gap) {
    bool height = field == GULLY_TERRAIN || field >= GULLY_LAYER_0; // large beside its changes
    float* got = terrain_read(world, field);
    for (int c = 0; c < ref->def.width * ref->def.height; c++) {
        double difference = fabs((double)got[c] - values[c]);
        if (height) difference -= read_error(values[c]);
        if (!ref->inside[c]) difference = isnan(got[c]) ? 0 : INFINITY;
        reference_note(ref, gap, gully_field_name(field), c, difference, scale, (double)got[c],
                       values[c]);
    }
    free(got);
}

static void compare_layers(Reference* ref, const GullyWorld* world, double moved,
                           ReferenceGap* gap) {
    if (ref->def.material_count == 0) return;
    double* bedrock = reference_field(ref);
    REFERENCE_CELLS(ref) {
        bedrock[c] = reference_bedrock(ref, c);
    }
    for (int m = 0; m < ref->def.material_count; m++) {
        const double* wanted = m > 0 ? ref->layer[m] : bedrock;
        reference_compare_field(ref, world, GULLY_LAYER(m), wanted, moved, gap);
    }
    free(bedrock);
}

static void compare_fields(Reference* ref, const GullyWorld* world, ReferenceScale scale,
                           ReferenceGap* gap) {
    double moved = fmax(reference_largest(ref, ref->wear), reference_largest(ref, ref->deposit));
    REFERENCE_CELLS(ref) {
        moved = fmax(moved, fabs(ref->b[c] - ref->start[c]));
    }
    double depth = fmax(reference_largest(ref, ref->d), reference_largest(ref, ref->d1));
    double carried = reference_largest(ref, ref->s);
    if (scale == REFERENCE_WHOLE) moved = fmax(moved, carried);
    if (ref->def.material_count > 0) moved = fmax(moved, reference_reach(ref));
    reference_compare_field(ref, world, GULLY_TERRAIN, ref->b, moved, gap);
    reference_compare_field(ref, world, GULLY_WATER, ref->d, depth, gap);
    reference_compare_field(ref, world, GULLY_SEDIMENT, ref->s, fmax(carried, moved), gap);
    reference_compare_field(ref, world, GULLY_HARDNESS, ref->k, 1, gap);
    reference_compare_field(ref, world, GULLY_WEAR, ref->wear, moved, gap);
    reference_compare_field(ref, world, GULLY_DEPOSIT, ref->deposit, moved, gap);
    compare_layers(ref, world, moved, gap);
}

/// A term to its own size or, if it comes of a difference, to the size of what it is the difference
/// of: erosion and deposition are two sides of C - s.
static void compare_term(ReferenceGap* gap, const char* name, double got, double wanted,
                         double scale) {
    double error = in_scale(fabs(got - wanted), fmax(fabs(wanted), scale));
    if (error <= gap->ledger) return;
    gap->ledger = error;
    snprintf(gap->term, sizeof gap->term, "%s: %.9g, reference %.9g", name, got, wanted);
}

static void compare_ledger(const Reference* ref, const GullySim* sim, ReferenceScale scale,
                           ReferenceGap* gap) {
    const ReferenceLedger* wanted = &ref->ledger;
    GullyBudget got;
    OK(gully_sim_budget(sim, &got));
    double carried = wanted->eroded + wanted->deposited + wanted->solid_sources;
    double water = reference_volume(ref, ref->d);
    bool whole = scale == REFERENCE_WHOLE;
    if (whole) carried += wanted->solid_left;
    compare_term(gap, "rain", got.water.rain, wanted->rain, 0);
    compare_term(gap, "water sources", got.water.sources, wanted->water_sources, 0);
    compare_term(gap, "exchanged", got.water.exchanged, wanted->exchanged, carried);
    compare_term(gap, "evaporated", got.water.evaporated, wanted->evaporated, whole ? water : 0);
    compare_term(gap, "water left", got.water.left, wanted->water_left, 0);
    compare_term(gap, "water present", got.water.present, water, got.water.moved);
    compare_term(gap, "solid sources", got.solid.sources, wanted->solid_sources, 0);
    compare_term(gap, "solid left", got.solid.left, wanted->solid_left, 0);
    compare_term(gap, "transport loss", got.solid.transport_loss, wanted->transport_loss, carried);
    compare_term(gap, "suspended", got.solid.suspended,
                 reference_volume(ref, ref->s) + reference_volume(ref, ref->air), carried);
    compare_term(gap, "eroded", got.solid.eroded, wanted->eroded, carried);
    compare_term(gap, "deposited", got.solid.deposited, wanted->deposited, carried);
    compare_term(gap, "slid", got.solid.slid, wanted->slid, 0);
}

ReferenceGap reference_compare(Reference* ref, const GullySim* sim, ReferenceScale scale) {
    ReferenceGap gap = {0};
    memset(ref->off, 0, (size_t)(ref->def.width * ref->def.height) * sizeof *ref->off);
    compare_fields(ref, gully_sim_world(sim), scale, &gap);
    compare_ledger(ref, sim, scale, &gap);
    return gap;
}
