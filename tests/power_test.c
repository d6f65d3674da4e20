// SPDX-License-Identifier: MIT
// Powers of our own against those of the C library in double precision.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "power.h"
#include "sanitized.h"

static const double allowed = 2; // units in the last place

/// How far a result is from the exact one, in units of its last place.
static double units_off(float got, double wanted) {
    int exponent;
    frexp(wanted, &exponent);
    return fabs((double)got - wanted) / ldexp(1, exponent - 24);
}

/// The largest error for `count` numbers whose bits are `step` apart.
static double worst_of(double p, uint32_t first, uint32_t step, uint32_t count) {
    const Exponent exponent = exponent_of(p);
    double worst = 0;
    for (uint32_t i = 0; i < count; i++) {
        const float x = float_of(first + i * step);
        const double wanted = pow((double)x, p);
        if (wanted < 0x1p-126 || wanted >= 0x1p128) continue;
        const double off = units_off(power(x, exponent), wanted);
        worst = off > worst || isnan(off) ? off : worst;
    }
    return worst;
}

static void check(double p, uint32_t first, uint32_t step, uint32_t count) {
    const double worst = worst_of(p, first, step, count);
    if (!(worst <= allowed)) fail_msg("to the power %g: %.2f units off", p, worst);
}

/// Every number from 1 to 4: all significands, with an odd and an even exponent.
static void test_every_significand(void** state) {
    (void)state;
    static const double powers[] = {1.1, 0.45};
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++)
        check(powers[i], 0x3f800000u, SANITIZED ? 61 : 1, (1u << 24) / (SANITIZED ? 61 : 1));
}

/// Numbers over the whole range, for powers over the whole range that laws allow.
static void test_whole_range(void** state) {
    (void)state;
    static const double powers[] = {0.1, 1.0 / 3, 0.4, 0.5, 0.55, 1, 1.0001, 1.3, 1.7,
                                    2,   2.5,     3,   3.9, 5,    7, 7.99,   8,   0.01};
    const uint32_t smallest = 0x00800000u, largest = 0x7f7fffffu, count = SANITIZED ? 5000 : 200000;
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++)
        check(powers[i], smallest, (largest - smallest) / count, count);
}

/// Where a step of the exponent meets a step of the reduction, and around 1.
static void test_edges(void** state) {
    (void)state;
    for (uint32_t exponent = 1; exponent < 255; exponent++) {
        check(1.1, (exponent << 23) - (exponent > 1 ? 100 : 0), 1, 200);
        check(0.45, (exponent << 23) + 0x3504f3u - 100, 1, 200);
    }
}

static void test_what_has_no_power(void** state) {
    (void)state;
    const Exponent p = exponent_of(1.1), tenth = exponent_of(10);
    assert_true(power(0, p) == 0);
    assert_true(power(-1, p) == 0);
    assert_true(power(NAN, p) == 0);
    assert_true(power(0x1p-130f, p) == 0);
    assert_true(power(0x1p-126f, p) == 0);  // the result would be denormal
    assert_true(power(1e-10f, tenth) == 0); // far below
    assert_true(isinf(power(1e10f, tenth)));
    assert_true(isinf(power(0x1.fffffep127f, p)));
    assert_true(power(1, p) == 1 && power(1, tenth) == 1);
    assert_true(power(4, exponent_of(0.5)) == 2 && power(3, exponent_of(1)) == 3);
    assert_true(power(5, exponent_of(0)) == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_significand),
        cmocka_unit_test(test_whole_range),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_what_has_no_power),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
