// SPDX-License-Identifier: MIT
/// The stream law in one cell. Equations (U0) to (U5) are explained in stream.c.
#ifndef STREAM_CELL_H
#define STREAM_CELL_H

#include "cell.h"
#include "power.cell.h"

/// A rate that is the same in all cells, or that of a map: one of the two factors is 0.
CELL_STRUCT(StreamRate) {
    float same, mapped;
};

CELL_STRUCT(StreamConsts) {
    float rise_x, rise_y, rise_diagonal; // tilt * D: how far levels rise towards the divide [m]
    float per_x, per_y, per_diagonal;    // 1/D [1/m]
    Exponent spread;                     // p of (U1)
    Exponent area_exponent;              // m of (U3)
    float head;                          // A_c of (U3) [m2]; any above 0 if there is none
    float surplus;                       // A_c (1 - l_0^2 / a) [m2]
    StreamRate rain;                     // area that drains for each cell [m2]
    StreamRate uplift;                   // in a step [m]
    float strength;                      // dt K
    float creep_side, creep_corner;      // min(dt kd / a, 1/5) times 2/3 and 1/6
    float settling;                      // G a [m2]
    float flow;                          // discharge per width of a drained area [1/s * 1/m]
    int deposits;                        // bool: G > 0
    int traps;                           // bool: hollows keep all sediment
    int uplifts;                         // bool: there may be uplift
};

CELL float stream_rate(StreamRate rate, float mapped) {
    return rate.same + rate.mapped * mapped;
}

/// A level as a pair.
CELL Pair stream_level(float value, float low) {
    Pair level;
    level.value = value;
    level.low = low;
    return level;
}

/// Whether a pair is less than another. Values decide, as remainders are smaller than their last
/// places.
CELL bool is_lower(Pair a, Pair b) {
    return a.value < b.value || (a.value == b.value && a.low < b.low);
}

CELL Pair pair_lower(Pair a, Pair b) {
    bool first = is_lower(a, b);
    Pair lower;
    lower.value = first ? a.value : b.value;
    lower.low = first ? a.low : b.low;
    return lower;
}

/// (U1) The slope towards a neighbour to the power p, or less than 0 if that one is higher: then it
/// is the neighbour's slope towards here. `level` and `next` are w', `per` is 1/D [1/m]. 0 if one
/// of both is no cell.
CELL float stream_slope(float level, float low, float next, float next_low, float per, Exponent p) {
    float fall = ground_above(level, low, next, next_low);
    float steep = power((fall < 0.0f ? -fall : fall) * per, p);
    bool joined = are_cells(level, next);
    return joined ? (fall < 0.0f ? -steep : steep) : 0.0f;
}

/// 1/N of (U1), 0 where there is no receiver.
CELL float stream_per_slope(float sum) {
    return sum > 0.0f ? divide(1.0f, sum) : 0.0f;
}

/// (U3) The area that wears the ground [m2]: A (A + A_c l_0^2 / a) / (A + A_c), written so that
/// nothing is taken off where nothing should be.
CELL float stream_area(float area, StreamConsts c) {
    return area - divide(c.surplus * area, area + c.head);
}

/// (U3) What is taken from a cell [m], from the sums over its receivers of F_n and of F_n (b - b_n).
/// It is b + dt U - b1, without the difference of large numbers.
CELL float stream_taken(float sum, float sum_fall, float uplift) {
    return divide(sum_fall + sum * uplift, 1.0f + sum);
}

/// (U5) What of the sediment q [m] is laid down. `hollow` is w' - b [m].
CELL float stream_laid(float q, float area, float hollow, bool has_receiver, bool deposits,
                       bool traps, StreamConsts c) {
    float share = deposits ? least(divide(c.settling, area), cell_one) : 0.0f;
    float laid = share * q;
    laid = hollow > 0.0f ? least(traps ? q : laid, hollow) : laid;
    return has_receiver ? laid : q;
}

#endif
