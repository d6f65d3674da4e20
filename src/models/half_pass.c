/// Half precision: the last pass of a step, in a world that wants it. What rounding takes away is
/// counted.
#include "half_pass.h"

#include "cell.h"
#include "half.h"

/// Rounds a row; gives what it lost in each cell.
static void round_row(const PassRow* row, float* numbers, float* lost) {
    EACH_CELL(i, row) {
        float kept = half_round(numbers[i]);
        lost[i] = numbers[i] - kept;
        numbers[i] = kept;
    }
}

/// Rounds a value; its remainder, if there is one, takes what it loses.
static void round_pair(const PassRow* row, int id, int low_id, Account account) {
    float *low = row->out[low_id], *lost = row->scratch[0];
    round_row(row, row->out[id], lost);
    if (low) {
        EACH_CELL(i, row) low[i] += lost[i];
        round_row(row, low, lost);
    }
    count_row(row, account, lost);
}

static void half_row(const PassRow* row) {
    const HalfConsts* consts = row->consts;
    const FieldSet pairs =
        FIELD_BIT(WATER) | FIELD_BIT(WATER_LOW) | FIELD_BIT(SEDIMENT) | FIELD_BIT(SEDIMENT_LOW);
    if (consts->fields & FIELD_BIT(WATER)) {
        round_pair(row, WATER, WATER_LOW, WATER_ROUNDED);
        round_pair(row, SEDIMENT, SEDIMENT_LOW, SOLID_ROUNDED);
    }
    for (int id = 0; id < FIELD_IDS; id++) {
        if ((consts->fields & ~pairs & FIELD_BIT(id)) && row->out[id])
            round_row(row, row->out[id], row->scratch[0]);
    }
}

static const Pass passes[] = {
    {.name = "half", .row = half_row}}; // its fields differ from law to law

DEFINE_LAW(half) = {
    .name = "half",
    .summary = "rounds to half precision",
    .passes = passes,
    .pass_count = 1,
};
