// SPDX-License-Identifier: MIT
/// Water supply, for all models: what a row gets in one step.
///
///   d1 = d + dt r,  r the sum of
///   (W1) uniform rain, (W2) drops, (W3) sources, which may bring sediment,
///   (W4) rain over time and place: rate * bell((t - t_peak) / sigma) * fractal(x, y)
///
/// The amounts and the cells of drops and sources are decided before the step, in src/sim/supply.c.
/// Nodata cells get nothing.
#include "law.h"
#include "supply.rows.h"

#define WATER_PAIR (FIELD_BIT(WATER) | FIELD_BIT(WATER_LOW))
#define SEDIMENT_PAIR (FIELD_BIT(SEDIMENT) | FIELD_BIT(SEDIMENT_LOW))

static const Pass passes[] = {
    {PASS(supply),
     .reads = FIELD_BIT(GROUND) | FIELD_BIT(RAIN_PATTERN) | WATER_PAIR | SEDIMENT_PAIR,
     .writes = WATER_PAIR | SEDIMENT_PAIR,
     .counts = ACCOUNT_BIT(WATER_RAIN) | ACCOUNT_BIT(WATER_SOURCES) | ACCOUNT_BIT(SOLID_SOURCES)},
};

static bool wakes(const void* consts, WakeCells wake, void* context) {
    const SupplyStep* step = consts;
    if (step->rain > 0 || step->season > 0) return true;
    for (int i = 0; i < step->boxes; i++) {
        const SupplyBox box = supply_boxes(step)[i];
        wake(context, (CellRect){box.first_row, box.end_row, box.first_column, box.end_column});
    }
    return false;
}

static size_t consts_bytes(const void* consts) {
    const SupplyStep* step = consts;
    if (step->boxes == 0) return sizeof *step;
    return (size_t)((const char*)(supply_boxes(step) + step->boxes) - (const char*)consts);
}

DEFINE_LAW(supply) = {
    .name = "supply",
    .summary = "rain, drops and sources",
    .passes = passes,
    .pass_count = 1,
    .wakes = wakes,
    .consts_bytes = consts_bytes,
};
