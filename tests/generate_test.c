// Generators: the same bits everywhere, the range that was asked for, the same mountain at any
// resolution.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "gully/generate.h"

static GullyGenerateParams params_of(int width, int height, int seed) {
    GullyGenerateParams params;
    gully_params_default(gully_generate_table(), &params);
    params.width = width;
    params.height = height;
    params.seed = seed;
    return params;
}

static size_t cells_of(const GullyGenerateParams* params) {
    return (size_t)params->width * (size_t)params->height;
}

/// The heights; free() them.
static float* make(const char* kind, const GullyGenerateParams* params) {
    float* heights = malloc(cells_of(params) * sizeof *heights);
    assert_non_null(heights);
    if (gully_generate(kind, params, heights)) fail_msg("%s", gully_message());
    return heights;
}

/// FNV-1a of the heights' bits.
static uint64_t hash_of(const char* kind, const GullyGenerateParams* params) {
    float* heights = make(kind, params);
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t k = 0; k < cells_of(params); k++) {
        uint32_t bits;
        memcpy(&bits, &heights[k], sizeof bits);
        for (int shift = 0; shift < 32; shift += 8) {
            hash = (hash ^ ((bits >> shift) & 0xff)) * 0x100000001b3u;
        }
    }
    free(heights);
    return hash;
}

static double correlation(const float* a, const float* b, size_t count) {
    double mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0;
    for (size_t k = 0; k < count; k++) {
        mean_a += a[k];
        mean_b += b[k];
    }
    mean_a /= (double)count;
    mean_b /= (double)count;
    for (size_t k = 0; k < count; k++) {
        aa += (a[k] - mean_a) * (a[k] - mean_a);
        bb += (b[k] - mean_b) * (b[k] - mean_b);
        ab += (a[k] - mean_a) * (b[k] - mean_b);
    }
    return ab / sqrt(aa * bb);
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
        {"mountains", 0xaa9fc95c5726436du},
        {"fbm", 0x2b0b82bdf4dfcb4au},
        {"slope", 0x5b252deebd6154c5u},
    };
    assert_int_equal(sizeof rows / sizeof rows[0], gully_generator_count());
    for (int k = 0; k < gully_generator_count(); k++) {
        GullyGenerateParams params = params_of(200, 131, 7);
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
            GullyGenerateParams params = params_of(sizes[s][0], sizes[s][1], 3);
            params.relief = 437.3;
            params.offset = -12.7;
            float* heights = make(kind, &params);
            float low = INFINITY, high = -INFINITY;
            for (size_t k = 0; k < cells_of(&params); k++) {
                assert_true(isfinite(heights[k]));
                low = fminf(low, heights[k]);
                high = fmaxf(high, heights[k]);
            }
            bool level = cells_of(&params) == 1 || (strcmp(kind, "slope") == 0 && sizes[s][1] == 1);
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
            GullyGenerateParams params = params_of(33, 20, 2147483647);
            params.scale = (k & 1) ? 100 : 0.001;
            params.octaves = (k & 2) ? 20 : 1;
            params.relief = (k & 4) ? 20000 : 0;
            float* heights = make(gully_generator_info(g)->name, &params);
            for (size_t c = 0; c < cells_of(&params); c++) {
                assert_true(heights[c] >= 0 && heights[c] <= (float)params.relief);
            }
            free(heights);
        }
    }
}

static void test_unknown_kind(void** state) {
    (void)state;
    GullyGenerateParams params = params_of(2, 2, 1);
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
    GullyGenerateParams params = params_of(5, 6, 7);
    assert_true(params.relief == 600 && params.octaves == 9);
}

// ---- what each is for ---------------------------------------------------------------------------

static void test_seeds_differ(void** state) {
    (void)state;
    static const char* const kinds[] = {"mountains", "fbm"};
    for (int k = 0; k < 2; k++) {
        GullyGenerateParams params = params_of(128, 128, 1);
        float* first = make(kinds[k], &params);
        params.seed = 2;
        float* second = make(kinds[k], &params);
        assert_true(fabs(correlation(first, second, cells_of(&params))) < 0.7);
        free(first);
        free(second);
    }
}

// The finer grid, averaged down, is the coarser one but for the octaves that only it can hold.
static void test_same_mountain_at_any_resolution(void** state) {
    (void)state;
    enum { SIDE = 256, FINER = 4 };
    static const char* const kinds[] = {"mountains", "fbm"};
    for (int k = 0; k < 2; k++) {
        GullyGenerateParams params = params_of(SIDE, SIDE / 2, 5);
        float* coarse = make(kinds[k], &params);
        params.width *= FINER;
        params.height *= FINER;
        float* fine = make(kinds[k], &params);
        float* averaged = calloc(SIDE * SIDE / 2, sizeof *averaged);
        assert_non_null(averaged);
        for (size_t c = 0; c < cells_of(&params); c++) {
            size_t x = c % (SIDE * FINER) / FINER, y = c / (SIDE * FINER) / FINER;
            averaged[y * SIDE + x] += fine[c];
        }
        assert_true(correlation(coarse, averaged, SIDE * SIDE / 2) > 0.99);
        free(coarse);
        free(fine);
        free(averaged);
    }
}

// 64 cells at scale 0.5 hold features of 32, 16, 8, 4 and 2 cells.
static void test_no_octave_finer_than_two_cells(void** state) {
    (void)state;
    static const char* const kinds[] = {"mountains", "fbm"};
    for (int k = 0; k < 2; k++) {
        GullyGenerateParams params = params_of(64, 64, 1);
        params.octaves = 20;
        uint64_t all = hash_of(kinds[k], &params);
        params.octaves = 5;
        assert_true(hash_of(kinds[k], &params) == all);
        params.octaves = 4;
        assert_true(hash_of(kinds[k], &params) != all);
    }
}

static void test_valleys_are_smoother_than_peaks(void** state) {
    (void)state;
    enum { SIDE = 256 };
    GullyGenerateParams params = params_of(SIDE, SIDE, 1);
    float* heights = make("mountains", &params);
    double rough[2] = {0}, count[2] = {0};
    for (int y = 1; y < SIDE - 1; y++) {
        for (int x = 1; x < SIDE - 1; x++) {
            const float* h = heights + y * SIDE + x;
            int high = *h > 0.5 * params.relief;
            rough[high] += fabsf(h[-1] + h[1] + h[-SIDE] + h[SIDE] - 4 * h[0]);
            count[high]++;
        }
    }
    assert_true(rough[1] / count[1] > 1.5 * rough[0] / count[0]);
    free(heights);
}

static void test_slope_is_a_plane(void** state) {
    (void)state;
    GullyGenerateParams params = params_of(40, 81, 1);
    params.relief = 80;
    params.offset = 100;
    float* heights = make("slope", &params);
    for (int y = 0; y < params.height; y++) {
        for (int x = 0; x < params.width; x++) {
            float height = heights[y * params.width + x];
            assert_true(fabsf(height - (float)(180 - y)) < 2e-5f);
            assert_true(height == heights[y * params.width]);
        }
    }
    free(heights);
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
        cmocka_unit_test(test_same_mountain_at_any_resolution),
        cmocka_unit_test(test_no_octave_finer_than_two_cells),
        cmocka_unit_test(test_valleys_are_smoother_than_peaks),
        cmocka_unit_test(test_slope_is_a_plane),
        cmocka_unit_test(test_fractal_fills_its_range),
        cmocka_unit_test(test_fractal_is_continuous),
        cmocka_unit_test(test_fractal_far_away),
        cmocka_unit_test(test_fractal_golden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
