// SPDX-License-Identifier: MIT
/// The pool: every item once, whatever the number of threads and items.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pool.h"

enum { MOST = 300 };

typedef struct Visits {
    int item[MOST];
    int bad_worker;
    int threads;
    volatile float tiny; // divided into a denormal
    int denormals;
} Visits;

static void visit(void* context, int item, int worker) {
    Visits* visits = context;
    visits->item[item]++; // its own: no other thread touches it
    if (worker < 0 || worker >= visits->threads) visits->bad_worker = 1;
    if (item == 0) visits->denormals = visits->tiny / 16 > 0;
}

static void test_every_item_once(void** test) {
    (void)test;
    const int threads[] = {1, 2, 3, 7};
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        Pool* pool;
        assert_int_equal(pool_create(threads[t], &pool), GULLY_OK);
        assert_int_equal(pool_threads(pool), threads[t]);
        for (int run = 0; run < 200; run++) {
            Visits visits = {.threads = threads[t], .tiny = 1.5e-38f};
            int count = run * 7 % MOST;
            pool_run(pool, count, visit, &visits);
            for (int i = 0; i < MOST; i++)
                assert_int_equal(visits.item[i], i < count);
            assert_false(visits.bad_worker);
            assert_false(visits.denormals);
        }
        volatile float tiny = 1.5e-38f; // the caller's mode is restored
        assert_true(tiny / 16 > 0);
        pool_destroy(pool);
    }
    pool_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_item_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
