// SPDX-License-Identifier: MIT
/// Cases in which an engine is compared with the reference of its law: a table of them is a test.
///
/// What may differ is float32. A quantity that takes some ten operations a step is right to about
/// 16 * 2^-24 = 1e-6 of its scale after one step; the roundings of n steps are independent and the
/// schemes are stable, so they add up like a random walk, to 1e-6 * sqrt(n). After the first step
/// this holds in every cell; at the end in all but the few that a suite allows for.
#ifndef REFERENCE_CASES_H
#define REFERENCE_CASES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reference_compare.h"
#include "terrains.h"

/// Materials, bottom to top. The thickness [m] is that of the thickest places; a third of the
/// ground has none of it.
typedef struct ReferenceStack {
    int count;
    struct {
        double erodibility, critical_shear, talus;
        double thickness;
    } material[GULLY_MAX_MATERIALS];
} ReferenceStack;

typedef struct ReferenceCase {
    // Every row has these, in order,
    const char* name;
    int width, height; // [cells]
    double lx, ly;     // [m]
    int tile_size;     // [cells]
    TerrainMaker terrain;
    int steps;
    // and names what it has of these.
    const char* model;           // NULL = the suite's
    const char* set;             // "key=value key=value ..."; a key of an add-on switches it on
    const char* cycle;           // "rain transport*3 ..."; NULL = the default
    float water, sediment;       // at the start [m]
    bool hardness;               // a pattern of 0..1, else 1
    const ReferenceStack* stack; // NULL = one material
    const GullySource* sources;  // SPRING, SPRINGS, MUDDY_SPRINGS
    int source_count;
    bool wild; // small differences grow: a tenth of the cells may be off at the end
} ReferenceCase;

extern const GullySource reference_spring[1], reference_springs[4], reference_muddy_springs[4];

#define SPRING .sources = reference_spring, .source_count = 1
#define SPRINGS .sources = reference_springs, .source_count = 4
#define MUDDY_SPRINGS .sources = reference_muddy_springs, .source_count = 4
#define ALL_OPEN "boundary.west=open boundary.east=open boundary.north=open boundary.south=open"

typedef struct ReferenceSuite {
    const char* name;
    const char* model; // of the cases that name no other
    const ReferenceCase* cases;
    int case_count;
    bool flow; // flow and velocities are compared, too
    ReferenceScale scale;
    double few;    // the share of the cells that may be off at the end
    double ledger; // how many times the tolerance the ledger may be off at the end
} ReferenceSuite;

/// A parameter of the reference that is made a little different: 1 % more, the other choice.
typedef struct ReferenceChange {
    const char* section; // of the settings; NULL = of a material
    int material;
    const char* parameter;
} ReferenceChange;

/// Fails the test unless the comparison after some steps of a case, with ten times the tolerance,
/// notices the change.
void reference_wants_notice(const ReferenceSuite* suite, const char* name, int steps,
                            ReferenceChange change);

/// The same for each parameter of a section, `except` (may be NULL) that one.
void reference_wants_notice_of_all(const ReferenceSuite* suite, const char* name, int steps,
                                   const char* section, const char* except);

/// Runs a suite: tests of its own, then its cases. Returns what main does.
int reference_run(const ReferenceSuite* suite, const struct CMUnitTest* own, int own_count);

/// To 1e-12: for what is computed by hand.
void assert_close(double got, double wanted);

#endif
