// SPDX-License-Identifier: MIT
/// Exact sums: right, and the same in any order and any pieces.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "exact.h"

enum { COUNT = 10000 };

/// Numbers of every size from 1e-12 to 1e6, of both signs.
static void fill(float* numbers) {
    uint64_t state = 1;
    for (int i = 0; i < COUNT; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double mantissa = (double)(state >> 40) / (1 << 24) - 0.5;
        numbers[i] = (float)(mantissa * pow(10, (double)((state >> 20) % 19) - 12));
    }
}

static void test_any_pieces_and_order(void** test) {
    (void)test;
    static float numbers[COUNT], backwards[COUNT];
    fill(numbers);
    for (int i = 0; i < COUNT; i++)
        backwards[i] = numbers[COUNT - 1 - i];
    Exact whole = 0, reversed = 0, pieces = 0, singles = 0;
    exact_add_row(&whole, numbers, COUNT);
    exact_add_row(&reversed, backwards, COUNT);
    for (int from = 0; from < COUNT; from += 97) {
        Exact piece = 0;
        exact_add_row(&piece, numbers + from, COUNT - from < 97 ? COUNT - from : 97);
        pieces += piece;
    }
    for (int i = 0; i < COUNT; i++)
        exact_add_row(&singles, &numbers[i], 1);
    assert_true(whole == reversed);
    assert_true(whole == pieces);
    assert_true(whole == singles);
}

static void test_value(void** test) {
    (void)test;
    static float numbers[COUNT];
    fill(numbers);
    long double expected = 0; // 64 bits of mantissa
    for (int i = 0; i < COUNT; i++)
        expected += (long double)numbers[i];
    Exact sum = 0;
    exact_add_row(&sum, numbers, COUNT);
    assert_true(fabs(exact_value(sum) - (double)expected) <= 1e-9 * fabs((double)expected) + 1e-9);

    // Cancelling leaves the small one, to the last place.
    Exact small = 0;
    exact_add(&small, 3.4e6, 1);
    exact_add(&small, 1.25e-9, 1);
    exact_add(&small, -3.4e6, 1);
    assert_true(fabs(exact_value(small) - 1.25e-9) <= 0x1p-72);
}

static void test_times(void** test) {
    (void)test;
    const double numbers[] = {0.1, -0.1, 1e-12, 123.456, -1e6};
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        Exact once = 0, times = 0;
        for (int i = 0; i < 12345; i++)
            exact_add(&once, numbers[n], 1);
        exact_add(&times, numbers[n], 12345);
        assert_true(once == times);
    }
}

/// A world of 65536 x 65536 cells at 10 km, and the grain that fell on it.
static void test_large_sums(void** test) {
    (void)test;
    Exact sum = 0;
    exact_add(&sum, 1e4, INT64_C(1) << 32);
    assert_true(exact_value(sum) == 1e4 * 0x1p32);
    exact_add(&sum, 1e-6, 1);
    Exact before = 0;
    exact_add(&before, 1e4, INT64_C(1) << 32);
    sum -= before;
    assert_true(fabs(exact_value(sum) - 1e-6) <= 0x1p-72);
}

// ---- rows of both signs -------------------------------------------------------------------------

/// Sums of what is above and below 0.
typedef struct Signed {
    Exact above, below;
} Signed;

static void add_signed_row(Signed* sums, const float* row, int count) {
    exact_add_signed_row(&sums->above, &sums->below, row, count);
}

/// The same, of two rows without the others' numbers.
static Signed sums_apart(const float* row, int count) {
    static float above[COUNT], below[COUNT];
    for (int i = 0; i < count; i++) {
        above[i] = row[i] > 0 ? row[i] : 0;
        below[i] = row[i] < 0 ? -row[i] : 0;
    }
    Signed sums = {0, 0};
    exact_add_row(&sums.above, above, count);
    exact_add_row(&sums.below, below, count);
    return sums;
}

static void check_signed_row(const float* row, int count) {
    const Signed expected = sums_apart(row, count);
    Signed whole = {0, 0};
    add_signed_row(&whole, row, count);
    assert_true(whole.above == expected.above && whole.below == expected.below);
    static const int lengths[] = {1, 97, EXACT_PIECE - 1, EXACT_PIECE, EXACT_PIECE + 1};
    for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++) {
        Signed pieces = {0, 0}; // each with a largest number of its own
        for (int from = 0; from < count; from += lengths[n])
            add_signed_row(&pieces, row + from,
                           count - from < lengths[n] ? count - from : lengths[n]);
        assert_true(pieces.above == expected.above && pieces.below == expected.below);
    }
}

/// Numbers of both signs, below `most` in size, some of them exactly between two multiples of
/// 2^-54.
static void fill_below(float* numbers, float most) {
    fill(numbers);
    for (int i = 0; i < COUNT; i++) {
        while (fabsf(numbers[i]) >= most)
            numbers[i] *= 0x1p-5f;
        if (i % 37 == 0) numbers[i] = ldexpf(i % 2 ? 3 : -1, -55 + i % 3);
        if (i % 41 == 0) numbers[i] = i % 2 ? 0.0f : -0.0f;
    }
}

static void test_signed_rows(void** test) {
    (void)test;
    static float numbers[COUNT];
    static const int counts[] = {1, 2, 100, EXACT_PIECE, EXACT_PIECE + 1, COUNT};
    static const float mosts[] = {1e7f, EXACT_SMALL, 1e-9f}; // mixed, all small, all tiny
    for (size_t m = 0; m < sizeof mosts / sizeof *mosts; m++) {
        fill_below(numbers, mosts[m]);
        for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
            check_signed_row(numbers, counts[n]);
    }
    for (int i = 0; i < COUNT; i++)
        numbers[i] = i % 3 ? 1e-7f : -2e-7f; // small ones, and one large in the last piece
    numbers[COUNT - 1] = -12345.678f;
    check_signed_row(numbers, COUNT);
}

/// The sums are numbers that a person can check, and a sum that was there stays.
static void test_signed_value(void** test) {
    (void)test;
    static float row[2 * EXACT_PIECE + 5];
    enum { LENGTH = sizeof row / sizeof *row };
    for (int i = 0; i < LENGTH; i++)
        row[i] = i % 2 ? 0.25f : -0x1p-10f;
    Signed sums = {0, 0};
    exact_add(&sums.above, 1, 1);
    exact_add(&sums.below, 2, 1);
    add_signed_row(&sums, row, LENGTH);
    assert_true(exact_value(sums.above) == 1 + 0.25 * (LENGTH / 2));
    assert_true(exact_value(sums.below) == 2 + 0x1p-10 * (LENGTH - LENGTH / 2));
    for (int i = 0; i < LENGTH; i++)
        row[i] = 0;
    const Signed before = sums;
    add_signed_row(&sums, row, LENGTH);
    assert_true(sums.above == before.above && sums.below == before.below);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_pieces_and_order),
        cmocka_unit_test(test_value),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_large_sums),
        cmocka_unit_test(test_signed_rows),
        cmocka_unit_test(test_signed_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
