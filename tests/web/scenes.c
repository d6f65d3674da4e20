// SPDX-License-Identifier: MIT
/// Runs scenes and says what came of them: scenes [--threads N] [--width NAME] STEPS SCENE [KEY=VALUE...]
/// STEPS 0 = as many as the scene says. Compiled for this machine and for the web (node): both must say the same
/// hashes. A line of JSON: the seconds that the steps took, and a hash of each field.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gully/gully.h"
#include "gully/scene.h"
#include "law.h"

static double now(void) {
    struct timespec moment;
    clock_gettime(CLOCK_MONOTONIC, &moment);
    return (double)moment.tv_sec + (double)moment.tv_nsec * 1e-9;
}

static GullyStatus run_phases(const GullyScene* scene, GullySim* sim) {
    GullyStatus status = GULLY_OK;
    for (int i = 0; i < gully_scene_phase_count(scene) && !status; i++) {
        const GullyPhase* phase = gully_scene_phase(scene, i);
        if (i > 0) status = gully_sim_apply(sim, phase->settings);
        if (!status) status = gully_sim_step(sim, phase->steps);
    }
    return status;
}

static void print_hashes(const GullyWorld* world) {
    const char* between = "";
    for (int field = 0; field < GULLY_FIELD_COUNT; field++) {
        if (field == GULLY_VELOCITY_X || field == GULLY_VELOCITY_Y) continue;
        if (field >= (int)GULLY_LAYER(0) + gully_world_material_count(world)) continue;
        printf("%s\"%s\": \"%016" PRIx64 "\"", between, gully_field_name((GullyField)field),
               gully_world_hash(world, (GullyField)field));
        between = ", ";
    }
}

static GullyStatus run(const GullyScene* scene, int threads) {
    GullyWorld* world = NULL;
    GullyGeoreference georeference = {0};
    GullySim* sim = NULL;
    GullySimDef def = gully_sim_def();
    def.seed = gully_scene_seed(scene);
    def.threads = threads;
    GullyStatus status = gully_scene_world(scene, &world, &georeference);
    if (!status) fputs(gully_scene_notes(scene), stderr);
    if (!status) status = gully_scene_start(scene, world, threads);
    if (!status)
        status = gully_sim_create(world, gully_scene_phase(scene, 0)->settings, &def, &sim);
    double start = now();
    if (!status) status = run_phases(scene, sim);
    double seconds = now() - start;
    if (!status) {
        printf("{\"steps\": %" PRId64 ", \"seconds\": %.6f, \"hashes\": {", gully_sim_steps(sim),
               seconds);
        print_hashes(world);
        puts("}}");
    }
    gully_sim_destroy(sim);
    gully_world_destroy(world);
    free(georeference.projection);
    return status;
}

static void use_width(const char* name) {
    for (int width = 0; width < law_width_count(); width++)
        if (strcmp(law_width_name(width), name) == 0) law_use_width(width);
}

int main(int count, char** words) {
    int threads = 1, at = 1;
    for (; at + 1 < count && words[at][0] == '-'; at += 2) {
        if (strcmp(words[at], "--threads") == 0) threads = atoi(words[at + 1]);
        if (strcmp(words[at], "--width") == 0) use_width(words[at + 1]);
    }
    if (count < at + 2) return 2;
    GullyScene* scene = NULL;
    GullyStatus status =
        gully_scene_load(words[at + 1], (const char* const*)words + at + 2, count - at - 2, &scene);
    if (!status && atoi(words[at]) > 0) status = gully_scene_set_steps(scene, atoi(words[at]));
    if (!status) status = run(scene, threads);
    if (status) fprintf(stderr, "%s\n", gully_message());
    gully_scene_destroy(scene);
    return status ? 1 : 0;
}
