// SPDX-License-Identifier: MIT
/// What a law is: parameters, fields, and passes over rows. The stepper does the rest.
#ifndef LAW_H
#define LAW_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "gully/params.h"
#include "gully/world.h"
#include "level_kind.h"
#include "row.h"

/// A set of accounts, as bits.
typedef uint32_t AccountSet;
#define ACCOUNT_BIT(account) (UINT32_C(1) << (account))

typedef void RowFunction(const PassRow* row);

/// A pass must not write a field that it reads beside the cell: then the order of cells cannot
/// matter. What it reads to one side only is worth saying: more passes then fit into a sweep.
/// What it adds to, and what it writes only in some cells, it also reads. A device gives the row
/// function nothing but what is declared here.
typedef struct Pass {
    const char* name;
    FieldSet reads;        // at the cell itself
    FieldSet reads_before; // also in the row and the column before, to the north and the west
    FieldSet reads_after;  // also in the row and the column after
    FieldSet reads_around; // also at the eight neighbours
    FieldSet writes;
    FieldSet output_only; // of those: no pass reads them and every step overwrites them, so only
                          // the last step of a sweep writes them; out[] is NULL in the others
    FieldSet sums;        // of both reads and writes: it only adds to them, and nothing that it
                          // computes depends on them
    AccountSet counts;    // accounts that it adds to
    RowFunction* row;
} Pass;

/// Name and row function of a pass: the function of the pass `faces` is faces_row.
#define PASS(pass) .name = #pass, .row = pass##_row

static inline FieldSet pass_reads_before(const Pass* pass) {
    return pass->reads_before | pass->reads_around;
}

static inline FieldSet pass_reads_after(const Pass* pass) {
    return pass->reads_after | pass->reads_around;
}

static inline FieldSet pass_reads(const Pass* pass) {
    return pass->reads | pass->reads_before | pass->reads_after | pass->reads_around;
}

/// Fields that the results of a pass depend on, other than its sums.
static inline FieldSet pass_depends_on(const Pass* pass) {
    return pass_reads(pass) & ~pass->sums;
}

typedef struct LawField {
    const char* name;
    float outside;   // its value there
    float fresh;     // its value before anything was computed
    bool scratch;    // needed only within a step
    bool per_step;   // an amount per time step: scaled when dt changes
    bool full;       // never kept in half precision
    bool suspended;  // solid on its way [m], which the budget counts as suspended
    bool optional;   // kept only where the law's `needs` asks for it; else passes must not touch it
    LevelKind level; // what becomes of it at another level (level_picture.h)
} LawField;

/// Whether a field holds halves in a world of half precision.
static inline bool law_keeps_halves(const LawField* field) {
    return !field->scratch && !field->full;
}

/// What a law's constants depend on, beside its parameters.
typedef struct StepInfo {
    double dt;                      // [s]
    double cell_x, cell_y;          // [m]
    const GullyMaterial* materials; // bottom to top
    int material_count;             // 0 = one material, without a name
    // In a coarser level of a world (docs/levels.md); 0 is as good as 1.
    int parts; // finest steps that this one stands for
    int scale; // finest cells along one of these
} StepInfo;

/// The length of a finest step [s].
static inline double finest_dt(const StepInfo* info) {
    return info->parts > 1 ? info->dt / info->parts : info->dt;
}

/// (Z) The share of something that a step takes which stands for several, each of which takes `share`
/// of what the one before has left.
static inline double composed_share(const StepInfo* info, double share) {
    return info->parts > 1 ? 1 - pow(1 - share, info->parts) : share;
}

/// A decision that a law's rows make by an int of its constants (KNOWN in target.h).
typedef struct KnownValue {
    const char* name;
    size_t offset; // of the int
} KnownValue;

#define KNOWN_VALUE(name, Struct, member)                                                          \
    { #name, offsetof(Struct, member) }

/// Passes that run together, where a step is a list of them that users choose. No passes: the water
/// supply.
typedef struct Operator {
    const char* name;
    int first, count; // passes
} Operator;

/// A rectangle of cells.
typedef struct CellRect {
    int first_row, end_row, first_column, end_column;
} CellRect;

/// Wakes the cells of a rectangle, which may extend beyond the sides of the world.
typedef void (*WakeCells)(void* context, CellRect cells);

typedef struct Law {
    const char* name;
    const char* summary;
    const char* source;
    bool add_on; // runs after the model, in a section of its own
    const GullyParamTable* params;
    const LawField* fields; // its own
    int field_count;
    const Pass* passes;
    int pass_count;
    /// Registers what crosses the borders of tiles, where levels meet (level_registers.h): listed
    /// before one of the passes, with EdgeConsts as constants; NULL = the law moves nothing.
    const Pass* edges;
    int edges_before;
    const Operator* operators; // in the order of the default cycle; NULL: supply, then all passes
    int operator_count;
    bool layers;             // knows materials
    bool still_water_erodes; // also where nothing flows, by its parameter `dissolve`
    bool counts_steps;       // depends on the number of steps, not on their length alone
    bool dry_only;           // takes nothing from ground under water
    bool sediment_flows;     // sediment is a flow through the world, which outlasts no phase
    double dt;               // its time step if none is chosen; 0 = 1, or what max_dt gives
    const char* time_unit;   // of time steps and of all times; NULL = "s"
    /// Where the law does nothing, which then costs nothing: in cells where all of these fields are
    /// 0, there and at all neighbours; or where its passes do not call mark_moving. Neither said:
    /// it works everywhere.
    FieldSet rest;
    bool marks_moving;
    /// Fields that a step may also change in cells at rest, once, unless they hold their default:
    /// a hardness that was written and is out of range. Such cells are awake after they were written.
    FieldSet settles;
    /// Calls `wake` for the cells that a step with these constants changes wherever it rests, such
    /// as a source of water; returns true if those are all cells. NULL = none.
    bool (*wakes)(const void* consts, WakeCells wake, void* context);
    size_t consts_size;
    /// Bytes of constants that end with tables; NULL = consts_size.
    size_t (*consts_bytes)(const void* consts);
    /// Own scratch fields that no pass touches with these constants in a world that has `common`;
    /// NULL = none.
    FieldSet (*unused)(const void* consts, FieldSet common);
    /// Accounts that passes declare and do not count with these constants; NULL = none.
    AccountSet (*uncounted)(const void* consts);
    const KnownValue* known; // the names of all KNOWN in its rows
    int known_count;
    /// Fills the constants for the parameters.
    void (*prepare)(const void* params, const StepInfo* info, void* consts);
    /// Common fields that these parameters need beyond those that are always there, and those of
    /// its own that are optional; NULL = none.
    FieldSet (*needs)(const void* params);
    /// Largest stable time step [s] (info->dt is not set); NULL = no limit.
    double (*max_dt)(const void* params, const StepInfo* info);
    /// How often its passes run, per second of simulated time; NULL = once in every step.
    double (*turns_per_second)(const void* params);
    /// Whether a step with these parameters can stand for several on coarser cells, by its
    /// constants (Z); the message says why not. NULL = never.
    GullyStatus (*coarsens)(const void* params);
    /// Whether a world has what the law works on, asked when a run begins with it; NULL = any has.
    GullyStatus (*check)(const void* params, const GullyWorld* world);
    /// Changes the world before the first step; NULL = nothing to do.
    GullyStatus (*start)(const void* params, GullyWorld* world);
    /// Passes, the first ones, that run alone before a step: how often, in a world that is at the
    /// start or goes on. NULL = never. `start` makes the fields that they write what they were.
    int round_passes;
    GullyStatus (*rounds)(const void* params, const GullyWorld* world, int64_t* out);
} Law;

static inline const char* law_time_unit(const Law* law) {
    return law->time_unit ? law->time_unit : "s";
}

/// Defines a law's descriptor: `DEFINE_LAW(pipe) = {...}`. A law's file is compiled once for each
/// of the processor's vector widths (cmake/module.cmake), which gives LAW_WIDTH; all give the same
/// bits.
#ifndef LAW_WIDTH
#define LAW_WIDTH baseline
#endif
#define LAW_NAME_(name, width) law_##name##_##width
#define LAW_NAME(name, width) LAW_NAME_(name, width)
#define DEFINE_LAW(name)                                                                           \
    extern const Law LAW_NAME(name, LAW_WIDTH);                                                    \
    const Law LAW_NAME(name, LAW_WIDTH)

/// Most laws that the table may have.
enum { MAX_LAWS = 32 };

/// The table of laws, from models.inc, for this processor.
int law_count(void);
const Law* law_at(int index);
const Law* law_find(const char* name);

/// The water supply, which runs before the model of every step, and rounding to half precision,
/// which ends a step in a world that wants it: in no table.
const Law* law_supply(void);
const Law* law_half(void);

/// The same law, compiled for one cell at a time, on any processor of the family.
const Law* law_plain(const Law* law);

/// The widths that were compiled and that this processor has, widest last: "plain", "baseline", ...
/// law_use_width takes one of them for laws that are looked up from then on; for tests.
int law_width_count(void);
const char* law_width_name(int width);
void law_use_width(int width);

#define LAW_TABLE(Struct, rows_)                                                                   \
    { "params", rows_, (int)(sizeof(rows_) / sizeof *(rows_)), sizeof(Struct) }

#endif
