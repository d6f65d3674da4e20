// SPDX-License-Identifier: MIT
#include "report.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console.h"
#include "memory_options.h"

// ---- budget -------------------------------------------------------------------------------------

typedef struct BudgetRow {
    const char* name;
    size_t offset; ///< of a double in GullyBudget
} BudgetRow;

#define WATER(name)                                                                                \
    { #name, offsetof(GullyBudget, water.name) }
static const BudgetRow water_rows[] = {
    WATER(initial), WATER(rain),       WATER(sources), WATER(exchanged),
    WATER(edits),   WATER(evaporated), WATER(left),    WATER(rounded),
    WATER(present), WATER(residual),   WATER(moved),
};

#define SOLID(name)                                                                                \
    { #name, offsetof(GullyBudget, solid.name) }
static const BudgetRow solid_rows[] = {
    SOLID(initial), SOLID(sources),   SOLID(uplifted),  SOLID(edits),    SOLID(left),
    SOLID(rounded), SOLID(ground),    SOLID(suspended), SOLID(residual), SOLID(transport_loss),
    SOLID(eroded),  SOLID(deposited), SOLID(slid),      SOLID(moved),
};

#define COUNT(rows) ((int)(sizeof rows / sizeof rows[0]))
static_assert((sizeof water_rows / sizeof water_rows[0] +
               sizeof solid_rows / sizeof solid_rows[0]) *
                      sizeof(double) ==
                  sizeof(GullyBudget),
              "a member of GullyBudget is missing in the report");

static double share_of(double residual, double moved) {
    return moved > 0 ? fabs(residual) / moved : 0;
}

static json_t* ledger(const GullyBudget* budget, const BudgetRow* rows, int count,
                      double residual_share) {
    json_t* object = json_object();
    for (int i = 0; i < count; i++) {
        double value = *(const double*)((const char*)budget + rows[i].offset);
        json_object_set_new(object, rows[i].name, json_number_or_null(value));
    }
    json_object_set_new(object, "relative_residual", json_number_or_null(residual_share));
    return object;
}

static json_t* budget_object(const GullyBudget* budget) {
    return json_pack("{s:o, s:o}", "water",
                     ledger(budget, water_rows, COUNT(water_rows),
                            share_of(budget->water.residual, budget->water.moved)),
                     "solid",
                     ledger(budget, solid_rows, COUNT(solid_rows),
                            share_of(budget->solid.residual, budget->solid.moved)));
}

// ---- materials ----------------------------------------------------------------------------------

/// What became of a material.
typedef struct MaterialRow {
    const char* name;
    bool bottomless;      ///< the bedrock: there is no saying how much of it there is
    double before, after; ///< [m3]
    double change;        ///< [m3]
    double mass;          ///< of the change [kg]
} MaterialRow;

static MaterialRow material_row(const Session* session, int index) {
    const GullyMaterial* material = gully_world_material(session->world, index);
    double before = session->materials_before[index], after = session->materials_after[index];
    return (MaterialRow){
        .name = material->name,
        .bottomless = index == 0,
        .before = before,
        .after = after,
        .change = after - before,
        .mass = (after - before) * material->density,
    };
}

/// NULL if the scene has none.
static json_t* material_list(const Session* session) {
    int count = gully_world_material_count(session->world);
    json_t* list = count > 0 ? json_array() : NULL;
    for (int i = 0; i < count; i++) {
        MaterialRow row = material_row(session, i);
        json_t* object = json_pack("{s:s}", "name", row.name);
        if (!row.bottomless) {
            json_object_set_new(object, "initial", json_number_or_null(row.before));
            json_object_set_new(object, "present", json_number_or_null(row.after));
        }
        json_object_set_new(object, "change", json_number_or_null(row.change));
        json_object_set_new(object, "mass_change", json_number_or_null(row.mass));
        json_array_append_new(list, object);
    }
    return list;
}

// ---- the report ---------------------------------------------------------------------------------

static json_t* scene_object(const Session* session) {
    char* text = gully_scene_text(session->scene);
    json_t* scene = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    return scene ? scene : json_null();
}

static json_t* phase_list(const Session* session) {
    json_t* list = json_array();
    for (int i = 0; i < gully_scene_phase_count(session->scene); i++) {
        const GullyPhase* phase = gully_scene_phase(session->scene, i);
        json_array_append_new(list, json_pack("{s:s, s:s, s:I}", "name", phase->name, "model",
                                              gully_settings_model(phase->settings), "steps",
                                              (json_int_t)session->phase_steps[i]));
    }
    return list;
}

/// The unit of the run's time: that of the model in force.
static const char* time_unit(const Session* session) {
    return gully_law_find(gully_sim_model(session->sim))->time_unit;
}

static json_t* hash_object(const Session* session) {
    json_t* hashes = json_object();
    for (int i = 0; i < session->field_count; i++)
        json_object_set_new(hashes, session->fields[i].name,
                            json_sprintf("%016" PRIx64, session->fields[i].hash));
    return hashes;
}

static json_t* file_list(const Session* session) {
    json_t* files = json_array();
    for (int i = 0; i < session->field_count; i++)
        json_array_append_new(files, json_sprintf("%s.tif", session->fields[i].name));
    for (int i = 0; i < session->picture_count; i++)
        json_array_append_new(files, json_string(session->pictures[i].file));
    json_array_append_new(files, json_string("report.json"));
    return files;
}

static json_t* times_object(const SessionTimes* times) {
    return json_pack("{s:f, s:f, s:f}", "start", times->start, "simulate", times->simulate, "write",
                     times->write);
}

/// NULL if the run was not resumed.
static json_t* resumed_from(const Session* session) {
    return session->resumed ? json_integer(session->resumed_from) : NULL;
}

/// Speed over the steps alone [Mcell-steps/s].
static double speed(const Session* session) {
    double work = (double)gully_sim_steps(session->sim) * (double)session->valid_cells;
    return session->wall_time > 0 ? 1e-6 * work / session->wall_time : 0;
}

/// How fine the world was stepped: the share of the area at each level in use, up to the coarsest.
static json_t* levels_object(const Session* session) {
    const GullyLevels* levels = &session->levels;
    json_t* shares = json_array();
    int count = GULLY_LEVELS;
    while (count > 1 && levels->share[count - 1] == 0)
        count--;
    for (int i = 0; i < count; i++)
        json_array_append_new(shares, json_number_or_null(levels->share[i]));
    json_t* json = json_pack("{s:o, s:f, s:f, s:f}", "share", shares, "cell_steps",
                             levels->cell_steps, "settled", levels->settled, "owed", levels->owed);
    if (!json || levels->error == 0) return json;
    json_object_set_new(json, "error", json_real(levels->error));
    json_object_set_new(json, "expected_error", json_real(levels->expected));
    json_object_set_new(json, "changes", json_integer(levels->changes));
    return json;
}

/// Says how coarse the world was, if it was.
static void print_levels(const Session* session) {
    const GullyLevels* levels = &session->levels;
    if (levels->cell_steps == 0 || (levels->share[0] == 1 && levels->error == 0)) return;
    const double all = (double)session->valid_cells * (double)gully_sim_steps(session->sim);
    printf("Levels: ");
    for (int i = 0; i < GULLY_LEVELS; i++) {
        if (levels->share[i] > 0) printf("%.3g %% at %d, ", 100 * levels->share[i], i);
    }
    printf("%.3g times fewer cell-steps than at level 0", all / levels->cell_steps);
    if (levels->error > 0) printf(", expected error %.3g of the change", levels->expected);
    printf("\n");
}

/// Says how tiles came and went, if they did.
static void print_memory(const Session* session) {
    GullyMemory memory;
    gully_world_memory(session->world, &memory);
    if (memory.bytes_written == 0) return;
    printf("Of %.2f GB of memory %.2f GB were used at most; %lld tiles read and %lld written, "
           "%.1f GB in all\n",
           (double)memory.budget / 1e9, (double)memory.peak / 1e9, (long long)memory.tiles_read,
           (long long)memory.tiles_written,
           (double)(memory.bytes_read + memory.bytes_written) / 1e9);
}

json_t* report_make(const Session* session) {
    const GullyWorld* world = session->world;
    return json_pack(
        "{s:o, s:s, s:I, s:o, s:o, s:s, s:o, s:o, s:o, s:i, s:i, s:I, s:[i, i], s:[f, f], s:b, "
        "s:o*, s:o, s:o, s:o, s:o*, s:o, s:o, s:o, s:s, s:o*}",
        "scene", scene_object(session),                                    //
        "version", gully_version(),                                        //
        "steps", (json_int_t)gully_sim_steps(session->sim),                //
        "time", json_number_or_null(gully_sim_time(session->sim)),         //
        "dt", json_number_or_null(gully_sim_dt(session->sim)),             //
        "time_unit", time_unit(session),                                   //
        "wall_time", json_number_or_null(session->wall_time),              //
        "times", times_object(&session->times),                            //
        "mcell_steps_per_s", json_number_or_null(speed(session)),          //
        "threads", gully_sim_threads(session->sim),                        //
        "ranks", session->ranks->count,                                    //
        "cells", (json_int_t)session->valid_cells,                         //
        "size", gully_world_width(world), gully_world_height(world),       //
        "cell_size", gully_world_cell_x(world), gully_world_cell_y(world), //
        "interrupted", session->interrupted,                               //
        "resumed_from", resumed_from(session),                             //
        "phases", phase_list(session),                                     //
        "levels", levels_object(session),                                  //
        "budget", budget_object(&session->budget),                         //
        "materials", material_list(session),                               //
        "hashes", hash_object(session),                                    //
        "files", file_list(session),                                       //
        "memory", memory_json(world, gully_sim_steps(session->sim)),       //
        "backend", backend_name(&session->device),                         //
        "device", backend_json(&session->device));
}

// ---- for a person -------------------------------------------------------------------------------

static void print_amount(const char* label, double volume) {
    printf("  %-12s %12.6g m3\n", label, volume);
}

/// An amount that most runs do not have.
static void print_if_any(const char* label, double volume) {
    if (volume != 0) print_amount(label, volume);
}

static void print_residual(double residual, double moved) {
    printf("  %-12s %12.3g m3  (%.1e of what moved)\n", "residual", residual,
           share_of(residual, moved));
}

static void print_ledger(const GullyBudget* budget) {
    printf("Water\n");
    print_if_any("at first", budget->water.initial);
    print_amount("rain in", budget->water.rain);
    print_if_any("sources in", budget->water.sources);
    print_if_any("from ground", budget->water.exchanged);
    print_amount("evaporated", budget->water.evaporated);
    print_amount("left", budget->water.left);
    print_amount("present", budget->water.present);
    print_residual(budget->water.residual, budget->water.moved);
    printf("Solid\n");
    print_amount("eroded", budget->solid.eroded);
    print_amount("deposited", budget->solid.deposited);
    print_if_any("slid", budget->solid.slid);
    print_if_any("sources in", budget->solid.sources);
    print_if_any("uplifted", budget->solid.uplifted);
    print_amount("suspended", budget->solid.suspended);
    print_amount("left", budget->solid.left);
    print_if_any("lost on way", budget->solid.transport_loss);
    print_if_any("rounded", budget->solid.rounded);
    print_residual(budget->solid.residual, budget->solid.moved);
}

static void print_materials(const Session* session) {
    int count = gully_world_material_count(session->world), width = 12;
    for (int i = 0; i < count; i++) {
        int columns = text_columns(gully_world_material(session->world, i)->name);
        if (columns > width) width = columns;
    }
    if (count > 0)
        printf("%-*s %13s %15s %15s %15s\n", width + 2, "Materials", "at first [m3]",
               "at the end [m3]", "change [m3]", "change [kg]");
    for (int i = 0; i < count; i++) {
        MaterialRow row = material_row(session, i);
        printf("  %-*s ", width, row.name);
        if (row.bottomless)
            printf("%13s %15s", "", "");
        else
            printf("%13.6g %15.6g", row.before, row.after);
        printf(" %15.6g %15.6g\n", row.change, row.mass);
    }
}

static void print_files(const Session* session) {
    char list[512] = "";
    size_t used = 0, index;
    json_t* files = file_list(session);
    const json_t* file;
    json_array_foreach(files, index, file) {
        const char* name = json_string_value(file);
        if (used < sizeof list)
            used +=
                (size_t)snprintf(list + used, sizeof list - used, "%s%s", index ? " " : "", name);
    }
    json_decref(files);
    printf("In %s: ", session->request->folder);
    console_wrap(stdout, list, text_columns(session->request->folder) + 5, console_width(stdout));
}

void report_print(const Session* session) {
    char simulated[48], taken[48], start[48], write[48];
    if (strcmp(time_unit(session), "s") == 0)
        duration_text(gully_sim_time(session->sim), simulated, sizeof simulated);
    else
        snprintf(simulated, sizeof simulated, "%.9g %s", gully_sim_time(session->sim),
                 time_unit(session));
    duration_text(session->wall_time, taken, sizeof taken);
    int threads = gully_sim_threads(session->sim);
    printf("%d x %d cells of %g x %g m, %lld steps (%s) in %s: %.1f Mcell-steps/s, %d thread%s\n",
           gully_world_width(session->world), gully_world_height(session->world),
           gully_world_cell_x(session->world), gully_world_cell_y(session->world),
           (long long)gully_sim_steps(session->sim), simulated, taken, speed(session), threads,
           threads == 1 ? "" : "s");
    backend_print(&session->device);
    print_memory(session);
    print_levels(session);
    duration_text(session->times.start, start, sizeof start);
    duration_text(session->times.write, write, sizeof write);
    printf("Before the first step %s, writing %s\n", start, write);
    print_files(session);
    print_ledger(&session->budget);
    print_materials(session);
}
