// SPDX-License-Identifier: MIT
#include "kernel_text.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_sources.h"
#include "kernel_words.h"

// ---- files --------------------------------------------------------------------------------------

static const DeviceSource* more_sources;

void device_more_sources(const DeviceSource* sources) {
    more_sources = sources;
}

static const DeviceSource* find_in(const DeviceSource* sources, const char* name, size_t length) {
    for (; sources && sources->name; sources++) {
        if (strlen(sources->name) == length && memcmp(sources->name, name, length) == 0)
            return sources;
    }
    return NULL;
}

static const DeviceSource* find_source(const char* name, size_t length) {
    const DeviceSource* found = find_in(device_sources, name, length);
    return found ? found : find_in(more_sources, name, length);
}

static bool is_done(Includes* includes, const DeviceSource* source) {
    for (int i = 0; i < includes->count; i++) {
        if (includes->done[i] == source) return true;
    }
    assert(includes->count < (int)(sizeof includes->done / sizeof *includes->done));
    includes->done[includes->count++] = source;
    return false;
}

static void add_file(Text* text, Includes* includes, const DeviceSource* source) {
    static const char include[] = "#include \"";
    if (is_done(includes, source)) return;
    for (const char* line = source->text; *line;) {
        const char* end = strchr(line, '\n');
        const size_t length = end ? (size_t)(end - line) : strlen(line);
        if (strncmp(line, include, sizeof include - 1) == 0) {
            const char* name = line + sizeof include - 1;
            // What is not in the table belongs to the C form: the prelude stands for it.
            const DeviceSource* other = find_source(name, strcspn(name, "\""));
            if (other) add_file(text, includes, other);
        } else {
            text_add(text, "%.*s\n", (int)length, line);
        }
        line += length + (end != NULL);
    }
}

GullyStatus write_source(Text* text, Includes* includes, const char* name) {
    const DeviceSource* source = find_source(name, strlen(name));
    if (!source)
        return gully_fail(GULLY_DEVICE, "the library has no source of %s for a device", name);
    add_file(text, includes, source);
    return text->failed ? gully_fail(GULLY_NO_MEMORY, "no memory for a program") : GULLY_OK;
}

// ---- names --------------------------------------------------------------------------------------

static const char* const common_names[COMMON_FIELDS] = {
#define FIELD(id, name, value) [id] = name,
    COMMON_FIELD_TABLE(FIELD)
#undef FIELD
};

static const float common_values[COMMON_FIELDS] = {
#define FIELD(id, name, value) [id] = (value),
    COMMON_FIELD_TABLE(FIELD)
#undef FIELD
};

FieldName field_name(int id, const Law* law) {
    const bool is_own = id >= LAW_FIELDS;
    FieldName name;
    snprintf(name.text, sizeof name.text, "%s%s", is_own ? "own_" : "",
             is_own ? law->fields[id - LAW_FIELDS].name : common_names[id]);
    return name;
}

void add_number(Text* text, float number) {
    if (isnan(number))
        text_add(text, "NAN");
    else if (isinf(number))
        text_add(text, number < 0 ? "-INFINITY" : "INFINITY");
    else
        text_add(text, "%af", (double)number);
}

// ---- rows of one cell ---------------------------------------------------------------------------

void bind_fields(Text* text, const DevicePass* pass) {
    for (int id = 0; id < FIELD_IDS; id++) {
        const FieldSet bit = FIELD_BIT(id);
        if (!((pass_reads(pass->pass) | pass->pass->writes) & bit)) continue;
        const bool is_there = (pass->present & bit) != 0;
        if (!is_there && id >= LAW_FIELDS) continue; // one that the law does not use
        const FieldName own = field_name(id, pass->law);
        const bool is_one = id < COMMON_FIELDS && common_values[id] == 1;
        const char* absent = is_one ? "absent_one" : "absent_zero";
        const char* name = is_there ? own.text : absent;
        text_add(text, "        row.in[%d][NORTH_ROW] = &w_%s[0][1];\n", id, name);
        text_add(text, "        row.in[%d][HERE] = &w_%s[1][1];\n", id, name);
        text_add(text, "        row.in[%d][SOUTH_ROW] = &w_%s[2][1];\n", id, name);
        if (is_there && (pass->pass->writes & bit))
            text_add(text, "        row.out[%d] = &w_%s[1][1];\n", id, name);
    }
}

// Set one by one: of an initialiser, some compilers keep what nobody reads in memory.
const char absent_windows[] =
    "    float w_absent_zero[3][3], w_absent_one[3][3];\n"
    "    UNROLLED for (int n = 0; n < 9; n++) w_absent_zero[n / 3][n % 3] = 0.0f;\n"
    "    UNROLLED for (int n = 0; n < 9; n++) w_absent_one[n / 3][n % 3] = 1.0f;\n";

/// Loads the cells of a window that a pass looks at.
static void load_window(Text* text, const char* name, int top, int bottom, int left, int right) {
    for (int y = top; y <= bottom; y++) {
        for (int x = left; x <= right; x++) {
            text_add(text, "    w_%s[%d][%d] = in_%s[at", name, y + 1, x + 1, name);
            if (y) text_add(text, " %c (size_t)pitch", y < 0 ? '-' : '+');
            if (x) text_add(text, " %c 1", x < 0 ? '-' : '+');
            text_add(text, "];\n");
        }
    }
}

// ---- the recomputed pass ------------------------------------------------------------------------

/// Writes a function that computes a pass in any cell and gives what it writes.
static void add_recomputed(Text* text, const KernelPlan* plan, const Kernel* kernel) {
    const DevicePass* pass = &plan->passes[kernel->recomputed];
    text_add(text,
             "INLINE void %s_at(const int width, const int height, const int pitch,\n"
             "        const int open_sides, const int x, const int y, const size_t at,\n"
             "        const SHARED void* consts",
             kernel->name);
    for (int i = 0; i < kernel->field_count; i++) {
        const KernelField* field = &kernel->fields[i];
        const FieldName name = field_name(field->id, pass->law);
        if (field->feeds) text_add(text, ",\n        global const float* in_%s", name.text);
        if (field->is_recomputed) text_add(text, ",\n        float* out_%s", name.text);
    }
    text_add(text, ") {\n    if (x < 0 || y < 0 || x >= width || y >= height) {\n");
    for (int i = 0; i < kernel->field_count; i++) {
        const KernelField* field = &kernel->fields[i];
        if (!field->is_recomputed) continue;
        text_add(text, "        *out_%s = ", field_name(field->id, pass->law).text);
        add_number(text, pass->law->fields[field->id - LAW_FIELDS].outside);
        text_add(text, ";\n");
    }
    text_add(text, "        return;\n    }\n%s", absent_windows);
    for (int i = 0; i < kernel->field_count; i++) {
        const KernelField* field = &kernel->fields[i];
        if (!field->feeds && !field->is_recomputed) continue;
        const FieldName name = field_name(field->id, pass->law);
        text_add(text, "    float w_%s[3][3];\n", name.text);
        if (!field->feeds) continue;
        const bool before = (pass_reads_before(pass->pass) & FIELD_BIT(field->id)) != 0;
        const bool after = (pass_reads_after(pass->pass) & FIELD_BIT(field->id)) != 0;
        load_window(text, name.text, before ? -1 : 0, after ? 1 : 0, before ? -1 : 0,
                    after ? 1 : 0);
    }
    text_add(text, "    float scratch[SCRATCH_ROWS][2];\n"
                   "    Tally accounts[ACCOUNTS];\n    {\n"
                   "        START_ROW(row, x, y, accounts, 0, scratch, consts);\n");
    bind_fields(text, pass);
    text_add(text, "        %s_row(&row);\n    }\n", pass->pass->name);
    for (int i = 0; i < kernel->field_count; i++) {
        const KernelField* field = &kernel->fields[i];
        const FieldName name = field_name(field->id, pass->law);
        if (field->is_recomputed)
            text_add(text, "    *out_%s = w_%s[1][1];\n", name.text, name.text);
    }
    text_add(text, "}\n\n");
}

/// Calls that function for every cell that the kernel's first pass looks at.
static void call_recomputed(Text* text, const KernelPlan* plan, const Kernel* kernel) {
    const DevicePass* pass = &plan->passes[kernel->recomputed];
    int top = 0, bottom = 0, left = 0, right = 0;
    for (int i = 0; i < kernel->field_count; i++) {
        const KernelField* field = &kernel->fields[i];
        if (!field->is_recomputed) continue;
        top = field->top < top ? field->top : top;
        bottom = field->bottom > bottom ? field->bottom : bottom;
        left = field->left < left ? field->left : left;
        right = field->right > right ? field->right : right;
    }
    for (int y = top; y <= bottom; y++) {
        for (int x = left; x <= right; x++) {
            text_add(text,
                     "    %s_at(width, height, pitch, open_sides, place.x + %d, place.y + %d,\n"
                     "        at + (size_t)(%d * pitch + %d), consts + at_%d",
                     kernel->name, x, y, y, x, KERNEL_PASSES);
            for (int i = 0; i < kernel->field_count; i++) {
                const KernelField* field = &kernel->fields[i];
                const FieldName name = field_name(field->id, pass->law);
                if (field->feeds) text_add(text, ", in_%s", name.text);
                if (field->is_recomputed)
                    text_add(text, ", &w_%s[%d][%d]", name.text, y + 1, x + 1);
            }
            text_add(text, ");\n");
        }
    }
}

// ---- a kernel -----------------------------------------------------------------------------------

static FieldName name_of(const KernelField* field) {
    return field_name(field->id, field->law);
}

static void add_arguments(Text* text, const Kernel* kernel) {
    text_add(text, "kernel void %s(FRAME_ARGUMENTS, global const char* consts, const int parts",
             kernel->name);
    for (int i = 0; i < kernel->pass_count; i++)
        text_add(text, ", const int at_%d", i);
    if (kernel->recomputed >= 0) text_add(text, ", const int at_%d", KERNEL_PASSES);
    for (int i = 0; i < kernel->field_count; i++) {
        const KernelField* field = &kernel->fields[i];
        if (has_buffer(field))
            text_add(text, ",\n        global %sfloat* in_%s", field->stores ? "" : "const ",
                     name_of(field).text);
    }
    text_add(text, ") {\n");
}

static void load_fields(Text* text, const KernelPlan* plan, const Kernel* kernel) {
    for (int i = 0; i < kernel->field_count; i++) {
        const KernelField* field = &kernel->fields[i];
        if (!field->loads && !field->stores && !field->is_recomputed) continue;
        const FieldName name = name_of(field);
        text_add(text, "    float w_%s[3][3];\n", name.text);
        if (field->loads && !field->is_recomputed)
            load_window(text, name.text, field->top, field->bottom, field->left, field->right);
    }
    if (kernel->recomputed >= 0) call_recomputed(text, plan, kernel);
}

static void run_passes(Text* text, const KernelPlan* plan, const Kernel* kernel) {
    for (int i = 0; i < kernel->pass_count; i++) {
        const DevicePass* pass = &plan->passes[kernel->passes[i]];
        if (kernel->pass_count > 1) text_add(text, "    if (parts & %d)", 1 << i);
        text_add(text,
                 "    {\n        START_ROW(row, place.x, place.y, accounts, &moves, scratch, "
                 "consts + at_%d);\n",
                 i);
        bind_fields(text, pass);
        text_add(text, "        %s_row(&row);\n    }\n", pass->pass->name);
    }
}

static void store_fields(Text* text, const Kernel* kernel) {
    for (int i = 0; i < kernel->field_count; i++) {
        const KernelField* field = &kernel->fields[i];
        if (field->stores && !field->is_recomputed)
            text_add(text, "    in_%s[at] = w_%s[1][1];\n", name_of(field).text,
                     name_of(field).text);
    }
}

void write_sums(Text* text, AccountSet counts, int at_once, const char* patch) {
    while (counts) {
        unsigned long long accounts = 0;
        int count = 0;
        for (; counts && count < at_once; counts &= counts - 1, count++) {
            const int account = __builtin_ctz(counts);
            accounts |= (unsigned long long)account << (8 * count);
            text_add(text, "    share(&shares[%d][ITEM], accounts[%d]);\n", count, account);
        }
        text_add(text, "    sum_up(shares, %d, 0x%llxUL, tallies + (size_t)%s * ACCOUNTS);\n",
                 count, accounts, patch);
    }
}

/// Adds up what the work-items of a patch have counted. A patch has a sum for every account.
static void add_up(Text* text, const Kernel* kernel, int most) {
    const int count = __builtin_popcount(kernel->counts), at_once = count < most ? count : most;
    if (count > 0) text_add(text, "    local Tally shares[%d][PATCH_CELLS];\n", at_once);
    write_sums(text, kernel->counts, at_once, "place.patch");
    if (kernel->marks) text_add(text, "    if (moves) active[place.patch] = 1;\n");
}

static void add_kernel(Text* text, const KernelPlan* plan, const Kernel* kernel) {
    if (kernel->recomputed >= 0) add_recomputed(text, plan, kernel);
    add_arguments(text, kernel);
    text_add(text,
             "    const Place place = find_place(width, height, pitch, columns, patches);\n"
             "    const size_t at = place.at;\n"
             "    Tally accounts[ACCOUNTS] = {{0, 0}};\n"
             "    uchar moves = 0;\n"
             "    if (place.inside) {\n%s"
             "    float scratch[SCRATCH_ROWS][2];\n",
             absent_windows);
    load_fields(text, plan, kernel);
    run_passes(text, plan, kernel);
    store_fields(text, kernel);
    text_add(text, "    }\n");
    add_up(text, kernel, plan->style.sums_at_once);
    text_add(text, "}\n\n");
}

// ---- programs -----------------------------------------------------------------------------------

/// Defines the known values of a law as macros (KNOWN in prelude.h).
static void define_known(Text* text, const DevicePass* pass) {
    for (int i = 0; i < pass->rows->known_count && pass->consts; i++) {
        int value;
        memcpy(&value, (const char*)pass->consts + pass->rows->known[i].offset, sizeof value);
        text_add(text, "#define KNOWN_%s %d\n", pass->rows->known[i].name, value);
    }
}

/// Says which fields exist (IS_STORED in prelude.h): for all passes of a program the same.
static void define_stored(Text* text, const KernelPlan* plan, const int* passes, int count) {
    FieldSet stored = 0;
    for (int i = 0; i < count; i++)
        stored |= plan->passes[passes[i]].present;
    text_add(text, "#define STORED_FIELDS 0x%llxUL\n", (unsigned long long)stored);
}

GullyStatus add_rows(Text* text, const KernelPlan* plan, const int* passes, int count) {
    Includes includes = {.count = 0};
    define_stored(text, plan, passes, count);
    GullyStatus status = write_source(text, &includes, "prelude.h");
    for (int i = 0; i < count && !status; i++) {
        const DevicePass* pass = &plan->passes[passes[i]];
        bool is_new = true;
        for (int n = 0; n < i; n++)
            is_new &= plan->passes[passes[n]].rows != pass->rows;
        if (!is_new) continue;
        define_known(text, pass);
        char name[64];
        snprintf(name, sizeof name, "%s.rows.h", pass->rows->name);
        status = write_source(text, &includes, name);
    }
    return status ? status : write_source(text, &includes, "kernel_frame.h");
}

/// The passes of a program, in the order of its kernels; recomputed ones are their readers' law's.
static int list_passes(const KernelPlan* plan, const Law* law, int* passes) {
    int count = 0;
    for (int k = 0; k < plan->count + plan->has_bridge; k++) {
        const Kernel* kernel = &plan->kernels[k];
        for (int i = 0; i < kernel->pass_count && kernel->law == law; i++)
            passes[count++] = kernel->passes[i];
    }
    return count;
}

GullyStatus write_program(Text* text, const KernelPlan* plan, const Law* law) {
    int* passes = malloc(2 * (size_t)plan->pass_count * sizeof *passes); // a bridge's stand twice
    if (!passes) return gully_fail(GULLY_NO_MEMORY, "no memory for a program");
    const int count = list_passes(plan, law, passes);
    GullyStatus status = add_rows(text, plan, passes, count);
    free(passes);
    for (int k = 0; k < plan->count + plan->has_bridge && !status; k++) {
        if (plan->kernels[k].law == law) add_kernel(text, plan, &plan->kernels[k]);
    }
    if (!status && text->failed) status = gully_fail(GULLY_NO_MEMORY, "no memory for a program");
    return status;
}

GullyStatus write_rest_program(Text* text, int count, uint64_t any_bit) {
    Includes includes = {.count = 0};
    GullyStatus status = write_source(text, &includes, "prelude.h");
    if (!status) status = write_source(text, &includes, "row.h");
    if (!status) status = write_source(text, &includes, "kernel_frame.h");
    if (status) return status;
    text_add(text, "kernel void rest(FRAME_ARGUMENTS");
    for (int i = 0; i < count; i++)
        text_add(text, ", global const uint* field_%d", i);
    text_add(text, ") {\n"
                   "    const Place place = find_place(width, height, pitch, columns, patches);\n"
                   "    uint found = 0;\n    if (place.inside) {\n");
    for (int i = 0; i < count; i++)
        text_add(text, "        found |= field_%d[place.at]%s;\n", i,
                 any_bit >> i & 1 ? "" : " & 0x7fffffffu");
    text_add(text, "    }\n    if (found) active[place.patch] = 1;\n}\n");
    return text->failed ? gully_fail(GULLY_NO_MEMORY, "no memory for a program") : GULLY_OK;
}
