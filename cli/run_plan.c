// SPDX-License-Identifier: MIT
#include "run_plan.h"

#include <stdio.h>
#include <stdlib.h>

#include "console.h"

static json_t* phase_list(const Session* session) {
    json_t* list = json_array();
    for (int i = 0; i < gully_scene_phase_count(session->scene); i++) {
        const GullyPhase* phase = gully_scene_phase(session->scene, i);
        json_array_append_new(
            list, json_pack("{s:s, s:I}", "name", phase->name, "steps", (json_int_t)phase->steps));
    }
    return list;
}

static json_t* file_list(const Session* session) {
    json_t* files = json_array();
    for (int i = 0; i < session->field_count; i++)
        json_array_append_new(files, json_sprintf("%s.tif", session->fields[i].name));
    if (output_chosen(session->request->outputs, "preview"))
        json_array_append_new(files, json_string("preview.png"));
    json_array_append_new(files, json_string("report.json"));
    return files;
}

static json_t* scene_object(const Session* session) {
    char* text = gully_scene_text(session->scene);
    json_t* scene = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    return scene ? scene : json_null();
}

json_t* plan_make(const Session* session) {
    const GullyWorld* world = session->world;
    return json_pack("{s:b, s:o, s:I, s:o, s:i, s:I, s:[i, i], s:[f, f], s:o, s:I, s:s, s:o}", //
                     "dry_run", 1, "scene", scene_object(session),                             //
                     "steps", (json_int_t)gully_scene_steps(session->scene),                   //
                     "dt", json_number_or_null(gully_sim_dt(session->sim)),                    //
                     "threads", gully_sim_threads(session->sim),                               //
                     "cells", (json_int_t)session->valid_cells,                                //
                     "size", gully_world_width(world), gully_world_height(world),              //
                     "cell_size", gully_world_cell_x(world), gully_world_cell_y(world),        //
                     "phases", phase_list(session),                                            //
                     "bytes", (json_int_t)gully_sim_allocated_bytes(session->sim),             //
                     "folder", session->request->folder, "files", file_list(session));
}

void plan_print(const Session* session) {
    const GullyWorld* world = session->world;
    printf(
        "%d x %d cells of %g x %g m, %lld steps of %s, dt %g s, %d threads, %.1f MiB of memory\n",
        gully_world_width(world), gully_world_height(world), gully_world_cell_x(world),
        gully_world_cell_y(world), (long long)gully_scene_steps(session->scene),
        gully_settings_model(gully_scene_phase(session->scene, 0)->settings),
        gully_sim_dt(session->sim), gully_sim_threads(session->sim),
        (double)gully_sim_allocated_bytes(session->sim) / 1048576);
    for (int i = 0; i < gully_scene_phase_count(session->scene); i++) {
        const GullyPhase* phase = gully_scene_phase(session->scene, i);
        if (phase->name[0]) printf("  %-12s %lld steps\n", phase->name, (long long)phase->steps);
    }
    json_t* files = file_list(session);
    size_t index;
    const json_t* file;
    printf("Would write into %s:", session->request->folder);
    json_array_foreach(files, index, file) printf(" %s", json_string_value(file));
    printf("\nA dry run: nothing was run or written.\n");
    json_decref(files);
}
