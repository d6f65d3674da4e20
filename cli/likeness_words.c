// SPDX-License-Identifier: MIT
#include "likeness_words.h"

#include <math.h>
#include <stdio.h>

#include "console.h"
#include "gully/likeness.h"
#include "run_folder.h"

/// Rasters from before, as many as were given, and the heights of A's and of B's.
typedef struct Starts {
    GullyRaster rasters[2];
    GullyHeights heights[2];
} Starts;

bool likeness_check(const LikenessOptions* options) {
    bool more = options->starts.count > 0 || options->correlation >= -1;
    if (options->low_pass < 0 && more) {
        console_error("compare: --start and --correlation want --low-pass METRES (0 = none)");
        return false;
    }
    if (options->starts.count > 2) {
        console_error("compare: --start is given once for both, or twice, for A and B");
        return false;
    }
    return true;
}

// ---- measuring ----------------------------------------------------------------------------------

static GullyStatus read_starts(const LikenessTask* task, Starts* starts) {
    const TextList* names = &task->options->starts;
    GullyStatus status = GULLY_OK;
    for (int i = 0; i < names->count && status == GULLY_OK; i++)
        status = terrain_read(names->items[i], task->read, &starts->rasters[i]);
    if (status != GULLY_OK) return status;
    starts->heights[0] = ground_heights(&starts->rasters[0]);
    starts->heights[1] = ground_heights(&starts->rasters[names->count - 1]);
    return GULLY_OK;
}

static GullyStatus measure(const LikenessTask* task, Starts* starts, GullyLikeness* out) {
    GullyLikenessDef def = gully_likeness_default();
    def.low_pass = task->options->low_pass;
    if (task->options->starts.count > 0) {
        GullyStatus status = read_starts(task, starts);
        if (status != GULLY_OK) return status;
        def.start_a = &starts->heights[0];
        def.start_b = &starts->heights[1];
    }
    GullyHeights a = ground_heights(task->rasters[0]), b = ground_heights(task->rasters[1]);
    return gully_likeness_measure(&a, &b, &def, out);
}

// ---- printing -----------------------------------------------------------------------------------

static double ratio(double a, double b) {
    return b != 0 ? a / b : (double)NAN;
}

static void print_volumes(const char* name, double a, double b) {
    printf("%-12s %.6g m3 and %.6g m3, ratio %.4f\n", name, a, b, ratio(a, b));
}

static void print_likeness(const LikenessTask* task, const GullyLikeness* l, bool alike) {
    bool changes = task->options->starts.count > 0;
    printf("compared     %s on %d x %d cells, %lld of them valid in both\n",
           changes ? "changes" : "heights", l->width, l->height, (long long)l->cells);
    printf("low-pass     %g m\n", task->options->low_pass);
    printf("correlation  %.5f\n", l->correlation);
    printf("difference   max %.6g m, mean %.6g m, RMS %.6g m\n", l->max, l->mean, l->rms);
    if (changes) {
        print_volumes("eroded", l->a.eroded, l->b.eroded);
        print_volumes("deposited", l->a.deposited, l->b.deposited);
    } else {
        print_volumes("volume", l->a.above, l->b.above);
    }
    if (!alike) printf("different\n");
}

static void add_volumes(json_t* object, const char* name, double a, double b) {
    char key[40];
    snprintf(key, sizeof key, "%s_a", name);
    json_object_set_new(object, key, json_real(a));
    snprintf(key, sizeof key, "%s_b", name);
    json_object_set_new(object, key, json_real(b));
    snprintf(key, sizeof key, "%s_ratio", name);
    json_object_set_new(object, key, json_number_or_null(ratio(a, b)));
}

static json_t* json_likeness(const LikenessTask* task, const GullyLikeness* l, bool alike) {
    json_t* object = json_pack("{s:s, s:s, s:f, s:[i, i], s:I, s:o, s:f, s:f, s:f}",             //
                               "a", task->paths[0], "b", task->paths[1],                         //
                               "low_pass", task->options->low_pass, "size", l->width, l->height, //
                               "cells", (json_int_t)l->cells,                                    //
                               "correlation", json_number_or_null(l->correlation),               //
                               "max", l->max, "mean", l->mean, "rms", l->rms);
    if (task->options->starts.count > 0) {
        add_volumes(object, "eroded", l->a.eroded, l->b.eroded);
        add_volumes(object, "deposited", l->a.deposited, l->b.deposited);
    } else {
        add_volumes(object, "volume", l->a.above, l->b.above);
    }
    json_object_set_new(object, "within", json_boolean(alike));
    return object;
}

static bool is_alike(const LikenessTask* task, const GullyLikeness* l) {
    bool near = task->tolerance < 0 || l->max <= task->tolerance;
    bool like = task->options->correlation < -1 || l->correlation >= task->options->correlation;
    return near && like && l->cells > 0;
}

int likeness_run(const LikenessTask* task) {
    Starts starts = {0};
    GullyLikeness likeness;
    GullyStatus status = measure(task, &starts, &likeness);
    int code;
    if (status != GULLY_OK) {
        code = console_fail(status);
    } else {
        bool alike = is_alike(task, &likeness);
        if (task->json)
            console_json(json_likeness(task, &likeness, alike));
        else if (!console_is_quiet())
            print_likeness(task, &likeness, alike);
        code = alike ? EXIT_DONE : EXIT_FAILED;
    }
    gully_raster_free(&starts.rasters[0]);
    gully_raster_free(&starts.rasters[1]);
    return code;
}
