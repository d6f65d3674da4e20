/// Half precision: the last pass of a step, in a world that wants it. What rounding takes away is
/// counted.
#include "half_pass.h"

#include "cell.h"
#include "half.h"

/// Rounds a row; gives what it lost in each cell.
static uint32_t round_row(const PassRow* row, float* numbers, float* lost) {
    uint32_t largest = 0;
    EACH_CELL(i, row) {
        float kept = half_round(numbers[i]);
        lost[i] = numbers[i] - kept;
        numbers[i] = kept;
        largest = exact_larger(largest, lost[i]);
    }
    return largest;
}

/// The water's remainder takes what its value loses.
static void round_water(const PassRow* row) {
    float *d = row->out[WATER], *low = row->out[WATER_LOW], *lost = row->spare[0];
    round_row(row, d, lost);
    EACH_CELL(i, row) low[i] += lost[i];
    count_row(row, WATER_ROUNDED, lost, round_row(row, low, lost));
}

static void half_row(const PassRow* row) {
    const HalfConsts* consts = row->consts;
    float* lost = row->spare[0];
    for (int id = 0; id < FIELD_IDS; id++) {
        if (!(consts->fields & FIELD_BIT(id)) || !row->out[id] || id == WATER_LOW) continue;
        if (id == WATER) {
            round_water(row);
            continue;
        }
        uint32_t largest = round_row(row, row->out[id], lost);
        if (id == SEDIMENT) count_row(row, SOLID_ROUNDED, lost, largest);
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
