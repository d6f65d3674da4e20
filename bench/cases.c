// SPDX-License-Identifier: MIT
/// The list of cases: some for each thing that a user can choose, then many at random.
///
/// Laws, their choices, brushes and generators come from the library's tables: a new one has cases
/// by itself.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"

enum { RANDOM_CASES = 240 };

/// Small ones, some with an awkward rest in tiles and blocks, some wide or high enough that threads
/// and panels share them.
static const int sizes[][2] = {{1, 1},     {1, 7},     {37, 53},   {200, 130},
                               {300, 257}, {1500, 40}, {40, 1500}, {2100, 24}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const struct Way { int threads, tile_size; } ways[] = {{1, 0}, {2, 17}, {3, 64}, {7, 1}};
enum { WAYS = sizeof ways / sizeof *ways };

static const int material_counts[] = {0, 2, 3, 8};
enum { MATERIAL_COUNTS = sizeof material_counts / sizeof *material_counts };

typedef struct CaseList {
    Case* rows;
    int count, room;
} CaseList;

/// Adds a case and gives it a seed.
static void add(CaseList* list, Case row) {
    row.tile_size = case_tile_size(&row, row.tile_size);
    if (list->count == list->room) {
        list->room = 2 * list->room + 64;
        list->rows = realloc(list->rows, sizeof(Case) * (size_t)list->room);
        if (!list->rows) abort();
    }
    row.seed = (uint64_t)list->count + 1;
    list->rows[list->count++] = row;
}

/// A law with everything that makes it busy, which the groups below change.
static Case busy(const char* group, const GullyLawInfo* law) {
    return (Case){.group = group,
                  .law = law,
                  .width = 37,
                  .height = 53,
                  .tile_size = 17,
                  .threads = 2,
                  .masks = true,
                  .velocity = true,
                  .holes = true,
                  .add_ons = true,
                  .supply = SUPPLY_ALL,
                  .open_sides = 5,
                  .brush = -1};
}

// ---- one for each choice ------------------------------------------------------------------------

/// Every law in every size, on every number of threads and size of tiles.
static void add_sizes(CaseList* list, const GullyLawInfo* law) {
    for (int s = 0; s < SIZES; s++) {
        for (int w = 0; w < WAYS; w++) {
            Case row = busy("size", law);
            row.width = sizes[s][0];
            row.height = sizes[s][1];
            row.threads = ways[w].threads;
            row.tile_size = ways[w].tile_size;
            row.holes = w % 2;
            row.open_sides = (unsigned)(3 * s + w) % 16;
            add(list, row);
        }
    }
}

/// Every value of every choice and flag of a section, and numbers that are off by default.
static void add_params(CaseList* list, const GullyLawInfo* law, const char* section,
                       const GullyParamTable* table) {
    for (int p = 0; p < table->count; p++) {
        const GullyParam* param = &table->rows[p];
        const bool is_number = param->kind == GULLY_KIND_number;
        if (is_number && param->fallback != 0) continue;
        for (double value = is_number ? 1 : param->low; value <= (is_number ? 1 : param->high);
             value++) {
            for (int half = 0; half < 2; half++) {
                Case row = busy("parameter", law);
                row.section = section;
                row.param = param;
                row.value = value;
                row.half = half;
                row.hard = true;
                row.materials = law->layers && half ? 3 : 0;
                add(list, row);
            }
        }
    }
}

/// Materials, half precision and the plain stepper.
static void add_stores(CaseList* list, const GullyLawInfo* law) {
    for (int m = 0; m < (law->layers ? MATERIAL_COUNTS : 1); m++) {
        for (int bits = 0; bits < 8; bits++) {
            Case row = busy("store", law);
            row.width = 200;
            row.height = 130;
            row.threads = 3;
            row.tile_size = 64;
            row.materials = material_counts[m];
            row.half = bits & 1;
            row.plain = bits & 2;
            row.masks = row.velocity = bits & 4;
            row.hard = bits & 1;
            add(list, row);
        }
    }
}

/// Each kind of supply alone, and a pond on a dry world.
static void add_supplies(CaseList* list, const GullyLawInfo* law) {
    for (unsigned supply = 1; supply < SUPPLY_ALL; supply *= 2) {
        Case row = busy("supply", law);
        row.supply = supply;
        add(list, row);
    }
    for (int half = 0; half < 2; half++) {
        Case row = busy("pond", law);
        row.width = 300;
        row.height = 257;
        row.tile_size = 0;
        row.supply = 0;
        row.pond = true;
        row.half = half;
        add(list, row);
    }
}

/// Lists of operators, of a law that has them.
static void add_cycles(CaseList* list, const GullyLawInfo* law) {
    for (int length = 1; law->operators && length <= 6; length++) {
        for (int half = 0; half < 2; half++) {
            Case row = busy("cycle", law);
            row.cycle = length;
            row.half = half;
            add(list, row);
        }
    }
}

/// Everything that can happen between steps.
static void add_events(CaseList* list, const GullyLawInfo* law) {
    for (CaseEvent event = EVENT_APPLY; event < EVENT_COUNT; event++) {
        for (int bits = 0; bits < 4; bits++) {
            Case row = busy("event", law);
            row.width = bits & 1 ? 200 : 37;
            row.height = bits & 1 ? 130 : 53;
            row.half = bits & 2;
            row.materials = law->layers && bits & 2 ? 3 : 0;
            for (int i = 0; i < CASE_EVENTS; i++)
                row.events[i] = event == EVENT_UNDO && i % 2 == 0 ? EVENT_EDIT : event;
            add(list, row);
        }
    }
}

static void add_brushes(CaseList* list, const GullyLawInfo* law) {
    for (int brush = 0; brush < gully_brush_count(); brush++) {
        for (int bits = 0; bits < 2; bits++) {
            Case row = busy("brush", law);
            row.width = 200;
            row.height = 130;
            row.half = bits;
            row.materials = law->layers && bits ? 3 : 0;
            row.brush = brush;
            row.events[0] = row.events[1] = EVENT_EDIT;
            row.events[2] = EVENT_UNDO;
            add(list, row);
        }
    }
}

// ---- at random ----------------------------------------------------------------------------------

static void add_random(CaseList* list) {
    uint64_t state = 20261118;
    for (int n = 0; n < RANDOM_CASES; n++) {
        const GullyLawInfo* law = gully_law_info(random_below(&state, gully_law_count()));
        const int size = random_below(&state, SIZES);
        Case row = busy("random", law);
        row.width = sizes[size][0];
        row.height = sizes[size][1];
        row.threads = ways[random_below(&state, WAYS)].threads;
        row.tile_size = ways[random_below(&state, WAYS)].tile_size;
        if (law->layers) row.materials = material_counts[random_below(&state, MATERIAL_COUNTS)];
        row.half = random_below(&state, 3) == 0;
        row.masks = random_below(&state, 2);
        row.velocity = random_below(&state, 2);
        row.plain = random_below(&state, 6) == 0;
        row.holes = random_below(&state, 2);
        row.hard = random_below(&state, 2);
        row.pond = random_below(&state, 6) == 0;
        row.mixed = random_below(&state, 3) > 0;
        row.add_ons = random_below(&state, 2);
        row.supply = (unsigned)random_below(&state, SUPPLY_ALL + 1);
        row.open_sides = (unsigned)random_below(&state, 16);
        if (law->operators) row.cycle = random_below(&state, 7);
        for (int i = 0; i < CASE_EVENTS; i++)
            row.events[i] = (CaseEvent)random_below(&state, EVENT_COUNT);
        add(list, row);
    }
}

// ---- the list -----------------------------------------------------------------------------------

static const CaseList* all_cases(void) {
    static CaseList list;
    if (list.count) return &list;
    for (int i = 0; i < gully_law_count(); i++) {
        const GullyLawInfo* law = gully_law_info(i);
        add_sizes(&list, law);
        add_params(&list, law, "params", law->params);
        for (int other = 0; other < gully_law_count(); other++) {
            const GullyLawInfo* add_on = gully_law_info(other);
            if (add_on->add_on) add_params(&list, law, add_on->name, add_on->params);
        }
        add_stores(&list, law);
        add_supplies(&list, law);
        add_cycles(&list, law);
        add_events(&list, law);
        add_brushes(&list, law);
    }
    add_random(&list);
    return &list;
}

int case_tile_size(const Case* c, int wanted) {
    return wanted == 1 && c->width * c->height > 2500 ? 9 : wanted;
}

int case_count(void) {
    return all_cases()->count;
}

Case case_make(int index) {
    return all_cases()->rows[index];
}

void case_describe(int index, char* text, size_t size) {
    static const char* const events[] = {"none", "apply", "write", "edit", "undo", "state"};
    const Case c = case_make(index);
    char value[48] = "";
    if (c.param) {
        char number[32];
        gully_param_text(c.param, c.value, number, sizeof number);
        snprintf(value, sizeof value, " %s=%s", c.param->name, number);
    }
    snprintf(
        text, size,
        "%s: %s %dx%d threads %d tiles %d materials %d%s%s%s%s%s%s%s%s%s supply %u open %u cycle "
        "%d brush %d%s events %s %s %s %s",
        c.group, c.law->name, c.width, c.height, c.threads, c.tile_size, c.materials,
        c.half ? " half" : "", c.masks ? " masks" : "", c.velocity ? " velocity" : "",
        c.plain ? " plain" : "", c.holes ? " holes" : "", c.hard ? " hard" : "",
        c.pond ? " pond" : "", c.mixed ? " mixed" : "", c.add_ons ? " add-ons" : "", c.supply,
        c.open_sides, c.cycle, c.brush, value, events[c.events[0]], events[c.events[1]],
        events[c.events[2]], events[c.events[3]]);
}
