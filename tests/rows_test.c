// SPDX-License-Identifier: MIT
/// Every pass of every law gives the same bits on rows of one cell as on whole rows, with nothing
/// but what it declares around it. Under a sanitizer a look beyond is an error, without one a NaN.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "row_cases.h"

static void run_cell(void* context, const RowCase* c, const Pass* pass, PassRow* row,
                     Exact counted[ACCOUNTS]) {
    (void)context;
    (void)c;
    row->accounts = counted;
    pass->row(row);
}

static void check(void* result, RowCase* c) {
    check_row_case(c, 3, run_cell, NULL, result);
}

static void test_a_row_of_one_cell_is_enough(void** state) {
    (void)state;
    RowResult result = {0};
    each_row_case(check, &result);
    // All that passes write and count was seen to change.
    assert_true(result.counted == ACCOUNT_BIT(ACCOUNTS) - 1);
    const FieldSet maps = FIELD_BIT(RAIN_PATTERN) | FIELD_BIT(UPLIFT) | FIELD_BIT(RAINFALL);
    const FieldSet changed = result.written | maps; // which users give
    for (int id = 0; id < FIELD_IDS; id++)
        if (!(changed & FIELD_BIT(id))) fail_msg("no pass has changed field %d", id);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_row_of_one_cell_is_enough)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
