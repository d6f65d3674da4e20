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

/// Adds a row as a law does.
static void add_row(Exact* sum, const float* row, int count) {
    uint32_t largest = 0;
    for (int i = 0; i < count; i++)
        largest = exact_larger(largest, row[i]);
    exact_add_row(sum, row, count, largest);
}

static void test_any_pieces_and_order(void** test) {
    (void)test;
    static float numbers[COUNT], backwards[COUNT];
    fill(numbers);
    for (int i = 0; i < COUNT; i++)
        backwards[i] = numbers[COUNT - 1 - i];
    Exact whole = 0, reversed = 0, pieces = 0, singles = 0;
    add_row(&whole, numbers, COUNT);
    add_row(&reversed, backwards, COUNT);
    for (int from = 0; from < COUNT; from += 97) {
        Exact piece = 0;
        add_row(&piece, numbers + from, COUNT - from < 97 ? COUNT - from : 97);
        pieces += piece;
    }
    for (int i = 0; i < COUNT; i++)
        add_row(&singles, &numbers[i], 1);
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
    add_row(&sum, numbers, COUNT);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_pieces_and_order),
        cmocka_unit_test(test_value),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_large_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
