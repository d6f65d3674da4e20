// SPDX-License-Identifier: MIT
#include "chain_text.h"

#include "kernel_text.h"
#include "kernel_words.h"

static FieldName name_of(const ChainField* field) {
    return field_name(field->id, field->law);
}

/// The buffer that a field is stored in.
static const char* target_of(const ChainField* field) {
    return chain_has_second(field) ? "to" : "in";
}

// ---- arguments and local memory -----------------------------------------------------------------

static void add_arguments(Text* text, const Chain* chain) {
    text_add(text,
             "kernel __attribute__((reqd_work_group_size(PATCH, PATCH, 1)))\n"
             "void %s(FRAME_ARGUMENTS, global const char* consts, const int parts",
             chain->name);
    for (int k = 0; k < chain->pass_count; k++)
        text_add(text, ", const int at_%d", k);
    for (int i = 0; i < chain->field_count; i++) {
        const ChainField* field = &chain->fields[i];
        if (!chain_has_buffer(field)) continue;
        const FieldName name = name_of(field);
        const bool is_written = field->stores && !chain_has_second(field);
        text_add(text, ",\n        global %sfloat* in_%s", is_written ? "" : "const ", name.text);
        if (chain_has_second(field)) text_add(text, ", global float* to_%s", name.text);
    }
    text_add(text, ") {\n");
}

static void declare_arrays(Text* text, const Chain* chain) {
    for (int i = 0; i < chain->array_count; i++)
        text_add(text, "    local float cells_%d[%d];\n", i, chain->arrays[i]);
    if (chain->counts) text_add(text, "    local Tally shares[1][PATCH_CELLS];\n");
}

static void load_arrays(Text* text, const Chain* chain) {
    for (int i = 0; i < chain->field_count; i++) {
        const ChainField* field = &chain->fields[i];
        if (field->array < 0 || !field->loads) continue;
        text_add(text, "    load_square(cells_%d, in_%s, patch, %d, %d, width, height, pitch);\n",
                 field->array, name_of(field).text, field->around.before, field->around.after);
    }
    text_add(text, "    barrier(CLK_LOCAL_MEM_FENCE);\n");
}

static void store_arrays(Text* text, const Chain* chain) {
    text_add(text, "    const PatchCell own = patch_cell(patch, patch.item, 0, 0, width, height, "
                   "pitch);\n"
                   "    if (own.inside) {\n");
    for (int i = 0; i < chain->field_count; i++) {
        const ChainField* field = &chain->fields[i];
        if (field->array < 0 || !field->stores) continue;
        text_add(text, "        %s_%s[own.at] = cells_%d[IN_SQUARE(own, %d, %d, 0, 0)];\n",
                 target_of(field), name_of(field).text, field->array, field->around.before,
                 field->around.after);
    }
    text_add(text, "    }\n");
}

// ---- a pass -------------------------------------------------------------------------------------

/// Whether a field is kept wherever a pass is computed.
static bool covers(const ChainField* field, Around region) {
    return field->around.before >= region.before && field->around.after >= region.after;
}

/// Where cells of a pass's region must be looked for one by one.
static void add_condition(Text* text, const ChainField* field, Around region) {
    if (covers(field, region)) return;
    text_add(text, "if (is_in_square(cell, %d, %d)) ", field->around.before, field->around.after);
}

static void load_window(Text* text, const ChainField* field, const Pass* pass, Around region) {
    const FieldName name = name_of(field);
    const FieldSet bit = FIELD_BIT(field->id);
    text_add(text, "            float w_%s[3][3];\n", name.text);
    if (!(pass_reads(pass) & bit)) return;
    if (!covers(field, region)) text_add(text, "            w_%s[1][1] = 0.0f;\n", name.text);
    if (field->array < 0) {
        text_add(text, "            ");
        add_condition(text, field, region);
        text_add(text, "w_%s[1][1] = in_%s[cell.at];\n", name.text, name.text);
        return;
    }
    const int first = pass_reads_before(pass) & bit ? -1 : 0;
    const int last = pass_reads_after(pass) & bit ? 1 : 0;
    for (int y = first; y <= last; y++) {
        for (int x = first; x <= last; x++) {
            text_add(text, "            ");
            add_condition(text, field, region);
            text_add(text, "w_%s[%d][%d] = cells_%d[IN_SQUARE(cell, %d, %d, %d, %d)];\n", name.text,
                     y + 1, x + 1, field->array, field->around.before, field->around.after, x, y);
        }
    }
}

static void store_window(Text* text, const ChainField* field, Around region) {
    const FieldName name = name_of(field);
    if (field->array < 0 && !field->stores) return; // scratch that nobody reads
    text_add(text, "            ");
    if (field->array < 0) {
        text_add(text, "if (cell.own) %s_%s[cell.at] = w_%s[1][1];\n", target_of(field), name.text,
                 name.text);
        return;
    }
    add_condition(text, field, region);
    text_add(text, "cells_%d[IN_SQUARE(cell, %d, %d, 0, 0)] = w_%s[1][1];\n", field->array,
             field->around.before, field->around.after, name.text);
}

/// Scratch fields have their value outside the world too. Others were loaded with it.
static void store_outside(Text* text, const ChainField* field, Around region) {
    if (field->array < 0 || !field->is_scratch) return;
    text_add(text, "            ");
    add_condition(text, field, region);
    text_add(text, "cells_%d[IN_SQUARE(cell, %d, %d, 0, 0)] = ", field->array, field->around.before,
             field->around.after);
    add_number(text, field->law->fields[field->id - LAW_FIELDS].outside);
    text_add(text, ";\n");
}

/// The field of a chain that a pass touches, or NULL.
static const ChainField* touched(const Chain* chain, const DevicePass* pass, int index) {
    const ChainField* field = &chain->fields[index];
    if (field->law && field->law != pass->law) return NULL;
    return pass->present & FIELD_BIT(field->id) ? field : NULL;
}

static void compute_cell(Text* text, const Chain* chain, const DevicePass* pass, int index) {
    const Around region = chain->around[index];
    text_add(text,
             "%s            float scratch[SCRATCH_ROWS][2];\n"
             "            CLEAR_TALLIES(counted);\n"
             "            uchar moves = 0;\n",
             absent_windows);
    for (int i = 0; i < chain->field_count; i++) {
        const ChainField* field = touched(chain, pass, i);
        if (field) load_window(text, field, pass->pass, region);
    }
    text_add(text,
             "            {\n        START_ROW(row, cell.x, cell.y, counted, &moves, scratch, "
             "consts + at_%d);\n",
             index);
    bind_fields(text, pass);
    text_add(text, "        %s_row(&row);\n            }\n", pass->pass->name);
    for (int i = 0; i < chain->field_count; i++) {
        const ChainField* field = touched(chain, pass, i);
        if (field && (pass->pass->writes & FIELD_BIT(field->id))) store_window(text, field, region);
    }
    for (int account = 0; account < ACCOUNTS; account++) {
        if (pass->counts & ACCOUNT_BIT(account))
            text_add(text, "            tally_add_own(&accounts[%d], counted[%d], cell.own);\n",
                     account, account);
    }
    if (pass->rows->marks_moving)
        text_add(text, "            any_moves |= cell.own ? moves : 0;\n");
}

static void run_pass(Text* text, const KernelPlan* plan, const Chain* chain, int index) {
    const DevicePass* pass = &plan->passes[chain->first + index];
    const Around region = chain->around[index];
    text_add(text,
             "    if (parts & %d)\n    SQUARE_CELLS(n, %d, %d) {\n"
             "        const PatchCell cell =\n"
             "            patch_cell(patch, n, %d, %d, width, height, pitch);\n"
             "        if (cell.inside) {\n",
             1 << index, region.before, region.after, region.before, region.after);
    compute_cell(text, chain, pass, index);
    text_add(text, "        } else {\n");
    for (int i = 0; i < chain->field_count; i++) {
        const ChainField* field = touched(chain, pass, i);
        if (field && (pass->pass->writes & FIELD_BIT(field->id)))
            store_outside(text, field, region);
    }
    text_add(text, "        }\n    }\n    barrier(CLK_LOCAL_MEM_FENCE);\n");
}

// ---- a chain ------------------------------------------------------------------------------------

static void add_up(Text* text, const Chain* chain) {
    write_sums(text, chain->counts, 1, "patch.number"); // arrays need the local memory
    if (chain->marks) text_add(text, "    if (any_moves) active[patch.number] = 1;\n");
}

GullyStatus write_chain(Text* text, const KernelPlan* plan, const Chain* chain) {
    int passes[CHAIN_PASSES];
    for (int k = 0; k < chain->pass_count; k++)
        passes[k] = chain->first + k;
    Includes includes = {.count = 0};
    GullyStatus status = add_rows(text, plan, passes, chain->pass_count);
    if (!status) status = write_source(text, &includes, "chain_frame.h");
    if (status) return status;
    add_arguments(text, chain);
    declare_arrays(text, chain);
    text_add(text, "    const Patch patch = find_patch(columns, patches);\n"
                   "    CLEAR_TALLIES(accounts);\n");
    if (chain->marks) text_add(text, "    uchar any_moves = 0;\n");
    load_arrays(text, chain);
    for (int k = 0; k < chain->pass_count; k++)
        run_pass(text, plan, chain, k);
    store_arrays(text, chain);
    add_up(text, chain);
    text_add(text, "}\n");
    return text->failed ? gully_fail(GULLY_NO_MEMORY, "no memory for a program") : GULLY_OK;
}
