// SPDX-License-Identifier: MIT
// Generators: the same bits everywhere, the range that was asked for, the same mountain at any
// resolution.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "generated.h"

/// FNV-1a of the heights' bits.
static uint64_t hash_of(const char* kind, const GullyGenerateParams* params) {
    float* heights = generated(kind, params);
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t k = 0; k < generated_cells(params); k++) {
        uint32_t bits;
        memcpy(&bits, &heights[k], sizeof bits);
        for (int shift = 0; shift < 32; shift += 8) {
            hash = (hash ^ ((bits >> shift) & 0xff)) * 0x100000001b3u;
        }
    }
    free(heights);
    return hash;
}

// ---- every generator ----------------------------------------------------------------------------

// The bits of these terrains on every machine, from every compiler. A change here changes every
// scene that generates its terrain.
static void test_golden(void** state) {
    (void)state;
    static const struct {
        const char* kind;
        uint64_t hash;
    } rows[] = {
        {"mountains", 0xaa9fc95c5726436du}, {"fbm", 0x2b0b82bdf4dfcb4au},
        {"ridged", 0xae24f84e976ab625u},    {"billowy", 0xb2d16549973d608cu},
        {"warped", 0x936990f0c107375du},    {"island", 0x3c46e8a8c7743560u},
        {"volcano", 0xf599828db3a50c1cu},   {"canyon", 0x6579152463012105u},
        {"dunes", 0x9369a030eeefeeeau},     {"plane", 0x5b252deebd6154c5u},
        {"slope", 0x0bb3e7c3c55c0066u},     {"basin", 0x2bec98943bbed01bu},
        {"channel", 0xdf562cf81bcfea88u},   {"pool", 0x3b5eb742e9576a1fu},
        {"letters", 0x83902927f0e056c1u},
    };
    assert_int_equal(sizeof rows / sizeof rows[0], gully_generator_count());
    for (int k = 0; k < gully_generator_count(); k++) {
        GullyGenerateParams params = generated_params(200, 131, 7);
        uint64_t hash = hash_of(rows[k].kind, &params);
        if (hash != rows[k].hash) {
            fail_msg("%s hashes to 0x%016llx", rows[k].kind, (unsigned long long)hash);
        }
    }
}

static void test_range_is_exact(void** state) {
    (void)state;
    static const int sizes[][2] = {{97, 61}, {61, 97}, {1, 7}, {7, 1}, {1, 1}, {2, 2}, {256, 256}};
    for (int g = 0; g < gully_generator_count(); g++) {
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            const char* kind = gully_generator_info(g)->name;
            GullyGenerateParams params = generated_params(sizes[s][0], sizes[s][1], 3);
            params.relief = 437.3;
            params.offset = -12.7;
            float* heights = generated(kind, &params);
            float low = INFINITY, high = -INFINITY;
            for (size_t k = 0; k < generated_cells(&params); k++) {
                assert_true(isfinite(heights[k]));
                low = fminf(low, heights[k]);
                high = fmaxf(high, heights[k]);
            }
            bool level =
                generated_cells(&params) == 1 || (strcmp(kind, "plane") == 0 && sizes[s][1] == 1);
            assert_true(low == (float)-12.7);
            assert_true(high == (level ? low : (float)(-12.7 + 437.3)));
            free(heights);
        }
    }
}

static void test_extreme_parameters(void** state) {
    (void)state;
    for (int g = 0; g < gully_generator_count(); g++) {
        for (int k = 0; k < 8; k++) {
            GullyGenerateParams params = generated_params(33, 20, 2147483647);
            params.scale = (k & 1) ? 100 : 0.001;
            params.octaves = (k & 2) ? 20 : 1;
            params.relief = (k & 4) ? 20000 : 0;
            float* heights = generated(gully_generator_info(g)->name, &params);
            for (size_t c = 0; c < generated_cells(&params); c++) {
                assert_true(heights[c] >= 0 && heights[c] <= (float)params.relief);
            }
            free(heights);
        }
    }
}

static void test_unknown_kind(void** state) {
    (void)state;
    GullyGenerateParams params = generated_params(2, 2, 1);
    float heights[4] = {1, 2, 3, 4};
    assert_int_equal(gully_generate("mountain", &params, heights), GULLY_BAD_INPUT);
    assert_true(heights[0] == 1 && heights[3] == 4);
    assert_non_null(strstr(gully_message(), "\"mountain\""));
    for (int g = 0; g < gully_generator_count(); g++) {
        assert_non_null(strstr(gully_message(), gully_generator_info(g)->name));
    }
}

static void test_table(void** state) {
    (void)state;
    const GullyParamTable* table = gully_generate_table();
    assert_string_equal(table->name, "terrain");
    assert_int_equal(table->size, sizeof(GullyGenerateParams));
    assert_string_equal(table->rows[0].name, "width");
    GullyGenerateParams params = generated_params(5, 6, 7);
    assert_true(params.relief == 600 && params.octaves == 9);
}

// ---- seeds and resolutions ----------------------------------------------------------------------

static bool is_plane(int generator) {
    return strcmp(gully_generator_info(generator)->name, "plane") == 0; // has no seed
}

static void test_seeds_differ(void** state) {
    (void)state;
    for (int g = 0; g < gully_generator_count(); g++) {
        const char* kind = gully_generator_info(g)->name;
        GullyGenerateParams params = generated_params(128, 96, 1);
        float* first = generated(kind, &params);
        params.seed = 2;
        float* second = generated(kind, &params);
        int differ = 0, cells = (int)generated_cells(&params);
        for (int c = 0; c < cells; c++)
            differ += fabs(first[c] - second[c]) > 1e-4 * params.relief;
        if (is_plane(g) ? differ != 0 : differ < cells / 3) fail_msg("%s: %d differ", kind, differ);
        free(first);
        free(second);
    }
}

static void test_seeds_of_noise_have_nothing_in_common(void** state) {
    (void)state;
    static const char* const kinds[] = {"mountains", "fbm", "ridged", "billowy", "warped", "dunes"};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        GullyGenerateParams params = generated_params(128, 128, 1);
        float* first = generated(kinds[k], &params);
        params.seed = 2;
        float* second = generated(kinds[k], &params);
        assert_true(fabs(correlation(first, second, generated_cells(&params))) < 0.7);
        free(first);
        free(second);
    }
}

/// Largest difference at the places that a grid shares with one three times as fine, over the
/// relief.
static double largest_difference(const float* coarse, const float* fine, int width, int height) {
    double largest = 0;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            float same_place = fine[(3 * y + 1) * 3 * width + 3 * x + 1];
            largest = fmax(largest, fabs(coarse[y * width + x] - same_place));
        }
    }
    return largest;
}

// With the same octaves, the same heights: what differs is where the lowest and the highest cell
// are found.
static void test_same_places_at_any_resolution(void** state) {
    (void)state;
    static const int sizes[][2] = {{130, 90}, {90, 130}};
    for (int g = 0; g < gully_generator_count(); g++) {
        for (int s = 0; s < 2; s++) {
            const char* kind = gully_generator_info(g)->name;
            int width = sizes[s][0], height = sizes[s][1];
            GullyGenerateParams params = generated_params(width, height, 5);
            params.relief = 1;
            params.octaves = 6; // 130 cells hold them
            float* coarse = generated(kind, &params);
            params.width = 3 * width;
            params.height = 3 * height;
            float* fine = generated(kind, &params);
            double largest = largest_difference(coarse, fine, width, height);
            if (largest > 0.03) fail_msg("%s: %g of the relief", kind, largest);
            free(coarse);
            free(fine);
        }
    }
}

// The finer grid, averaged down, is the coarser one but for the octaves that only it can hold.
static void test_same_mountain_at_any_resolution(void** state) {
    (void)state;
    enum { SIDE = 144, FINER = 3 };
    for (int g = 0; g < gully_generator_count(); g++) {
        const char* kind = gully_generator_info(g)->name;
        GullyGenerateParams params = generated_params(SIDE, SIDE / 2, 5);
        float* coarse = generated(kind, &params);
        params.width *= FINER;
        params.height *= FINER;
        float* fine = generated(kind, &params);
        float* averaged = calloc(SIDE * SIDE / 2, sizeof *averaged);
        assert_non_null(averaged);
        for (size_t c = 0; c < generated_cells(&params); c++) {
            size_t x = c % (SIDE * FINER) / FINER, y = c / (SIDE * FINER) / FINER;
            averaged[y * SIDE + x] += fine[c];
        }
        double alike = correlation(coarse, averaged, SIDE * SIDE / 2);
        if (!(alike > 0.99)) fail_msg("%s: correlation %g", kind, alike);
        free(coarse);
        free(fine);
        free(averaged);
    }
}

// 64 cells at scale 0.5 hold features of 32, 16, 8, 4 and 2 cells.
static void test_no_octave_finer_than_two_cells(void** state) {
    (void)state;
    for (int g = 0; g < gully_generator_count(); g++) {
        if (is_plane(g)) continue;
        const char* kind = gully_generator_info(g)->name;
        GullyGenerateParams params = generated_params(64, 64, 1);
        params.octaves = 20;
        uint64_t all = hash_of(kind, &params);
        params.octaves = 5;
        assert_true(hash_of(kind, &params) == all);
        params.octaves = 4;
        assert_true(hash_of(kind, &params) != all);
    }
}

// ---- the fractal --------------------------------------------------------------------------------

static void test_fractal_fills_its_range(void** state) {
    (void)state;
    for (int octaves = 1; octaves <= 16; octaves += 5) {
        double sum = 0;
        float low = 1, high = 0;
        int clamped = 0;
        for (int k = 0; k < 40000; k++) {
            float value = gully_fractal(9, (k % 200) * 0.317 - 30, (k / 200) * 0.293 - 30, octaves);
            assert_true(value >= 0 && value <= 1);
            sum += value;
            low = fminf(low, value);
            high = fmaxf(high, value);
            clamped += value == 0 || value == 1;
        }
        assert_true(fabs(sum / 40000 - 0.5) < 0.02);
        assert_true(low < 0.05f && high > 0.95f);
        assert_true(clamped < 40000 / 100);
    }
}

static void test_fractal_is_continuous(void** state) {
    (void)state;
    for (int k = 0; k < 20000; k++) {
        double x = -3 + k * 3e-4; // across lattice lines, and through 0
        float step = gully_fractal(4, x + 1e-6, 0.37 * x, 4) - gully_fractal(4, x, 0.37 * x, 4);
        assert_true(fabsf(step) < 3e-5f);
    }
}

static void test_fractal_far_away(void** state) {
    (void)state;
    static const double far[] = {1e9, 1e15, 1e300, INFINITY, NAN};
    for (size_t k = 0; k < sizeof far / sizeof far[0]; k++) {
        float value = gully_fractal(1, far[k], -far[k], 100);
        assert_true(value >= 0 && value <= 1);
    }
}

static void test_fractal_golden(void** state) {
    (void)state;
    assert_true(gully_fractal(1, 0.25, 0.75, 6) == 0.490237087f);
    assert_true(gully_fractal(0xffffffffffffffffu, -123.4, 56.7, 6) == 0.451842517f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_range_is_exact),
        cmocka_unit_test(test_extreme_parameters),
        cmocka_unit_test(test_unknown_kind),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_seeds_differ),
        cmocka_unit_test(test_seeds_of_noise_have_nothing_in_common),
        cmocka_unit_test(test_same_places_at_any_resolution),
        cmocka_unit_test(test_same_mountain_at_any_resolution),
        cmocka_unit_test(test_no_octave_finer_than_two_cells),
        cmocka_unit_test(test_fractal_fills_its_range),
        cmocka_unit_test(test_fractal_is_continuous),
        cmocka_unit_test(test_fractal_far_away),
        cmocka_unit_test(test_fractal_golden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
