// SPDX-License-Identifier: MIT
// Options of the command line that no command shows on its own.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "command.h"
#include "console.h"

static char said[512];

void console_error(const char* format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(said, sizeof said, format, values);
    va_end(values);
}

typedef struct Values {
    int64_t memory;
} Values;

static const Option rows[] = {
    {OPTION_BYTES, 0, "memory", "BYTES", "how much", offsetof(Values, memory), .low = 1 << 20,
     .high = 1e15},
    {0},
};
static const Command command = {.name = "run", .options = rows, .size = sizeof(Values)};

static bool parse(const char* text, int64_t* out) {
    Values values = {0};
    char word[64];
    snprintf(word, sizeof word, "--memory=%s", text);
    char* words[] = {word};
    said[0] = 0;
    Parsed parsed = options_parse(&command, 1, words, &values);
    *out = values.memory;
    return parsed == PARSED_RUN;
}

static void bytes_are_read(void** state) {
    (void)state;
    static const struct {
        const char* text;
        int64_t bytes;
    } cases[] = {{"1048576", 1 << 20},        {"1024K", 1 << 20}, {"1M", 1 << 20},
                 {"1.5G", 3ll << 29},         {"2G", 2ll << 30},  {"0.5G", 1 << 29},
                 {"900000G", 900000ll << 30}, {"2e6", 2000000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t bytes;
        assert_true(parse(cases[i].text, &bytes));
        assert_int_equal(bytes, cases[i].bytes);
    }
}

static void other_bytes_are_refused(void** state) {
    (void)state;
    static const char* const wrong[] = {"",      "G",    "2T",    "2g",  "2GB", "2 G", "-2G",
                                        "1023K", "1e16", "0x10M", "nan", "inf", "two", "1,5G"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        int64_t bytes;
        assert_false(parse(wrong[i], &bytes));
        assert_non_null(strstr(said, "run: --memory wants bytes from 1M to 931322.5746G"));
        assert_non_null(strstr(said, "K, M or G"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_read),
        cmocka_unit_test(other_bytes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
