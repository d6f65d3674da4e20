// SPDX-License-Identifier: MIT
#include "settings.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- tables of what is not a law ----------------------------------------------------------------

#define TABLE(table, section, Struct, ROWS)                                                        \
    static const GullyParam table##_rows[] = {ROWS(ROW_OF_##Struct)};                              \
    static const GullyParamTable table = {                                                         \
        section, table##_rows, (int)(sizeof table##_rows / sizeof *table##_rows), sizeof(Struct)};
#define ROW_OF_GullyRainParams(...) GULLY_PARAM_ROW(GullyRainParams, __VA_ARGS__)
#define ROW_OF_GullyDropsParams(...) GULLY_PARAM_ROW(GullyDropsParams, __VA_ARGS__)
#define ROW_OF_GullySeasonParams(...) GULLY_PARAM_ROW(GullySeasonParams, __VA_ARGS__)
#define ROW_OF_GullySource(...) GULLY_PARAM_ROW(GullySource, __VA_ARGS__)
#define ROW_OF_GullyBoundaryParams(...) GULLY_PARAM_ROW(GullyBoundaryParams, __VA_ARGS__)
#define ROW_OF_GullyLevelsParams(...) GULLY_PARAM_ROW(GullyLevelsParams, __VA_ARGS__)
#define ROW_OF_GullyTimeParams(...) GULLY_PARAM_ROW(GullyTimeParams, __VA_ARGS__)

TABLE(rain_table, "rain", GullyRainParams, GULLY_RAIN_PARAMS)
TABLE(drops_table, "rain.drops", GullyDropsParams, GULLY_DROPS_PARAMS)
TABLE(season_table, "rain.season", GullySeasonParams, GULLY_SEASON_PARAMS)
TABLE(source_table, "sources", GullySource, GULLY_SOURCE_PARAMS)
TABLE(boundary_table, "boundary", GullyBoundaryParams, GULLY_BOUNDARY_PARAMS)
TABLE(levels_table, "levels", GullyLevelsParams, GULLY_LEVELS_PARAMS)
TABLE(time_table, "", GullyTimeParams, GULLY_TIME_PARAMS)

static const GullyParamTable* const common_tables[] = {
    &rain_table, &drops_table, &season_table, &boundary_table, &levels_table, &time_table};
_Static_assert(1 + sizeof common_tables / sizeof *common_tables + MAX_LAWS <= MAX_SECTIONS,
               "MAX_SECTIONS is too small for the tables of no law");

const GullyParamTable* gully_source_table(void) {
    return &source_table;
}

// ---- sections -----------------------------------------------------------------------------------

static Section* find_section(const GullySettings* settings, const char* name) {
    for (int i = 0; i < settings->section_count; i++) {
        const Section* section = &settings->sections[i];
        if (strcmp(section->name, name) == 0) return (Section*)section;
    }
    return NULL;
}

static GullyStatus add_section(GullySettings* settings, const char* name,
                               const GullyParamTable* table, const Law* add_on) {
    assert(settings->section_count < MAX_SECTIONS);
    void* values = malloc(table->size);
    if (!values) return gully_fail(GULLY_NO_MEMORY, "no memory for settings");
    gully_params_default(table, values);
    settings->sections[settings->section_count++] =
        (Section){.name = name, .table = table, .values = values, .add_on = add_on};
    return GULLY_OK;
}

static GullyStatus refuse_model(const char* model) {
    char names[512] = "";
    for (int i = 0, used = 0; i < law_count() && used < (int)sizeof names; i++)
        used += snprintf(names + used, sizeof names - (size_t)used, "%s%s", i ? ", " : "",
                         law_at(i)->name);
    return gully_fail(GULLY_BAD_INPUT, "model: \"%s\" is unknown; allowed: %s", model, names);
}

static void default_cycle(GullySettings* settings) {
    settings->cycle_count = settings->model->operator_count;
    for (int i = 0; i < settings->cycle_count; i++)
        settings->cycle[i] = (CycleEntry){i, 1};
}

GullyStatus gully_settings_create(const char* model, GullySettings** out) {
    *out = NULL;
    const Law* law = law_find(model);
    if (!law) return refuse_model(model);
    GullySettings* settings = calloc(1, sizeof *settings);
    if (!settings) return gully_fail(GULLY_NO_MEMORY, "no memory for settings");
    settings->model = law;
    default_cycle(settings);
    GullyStatus status = add_section(settings, "params", law->params, NULL);
    for (int i = 0; i < law_count() && !status; i++) {
        if (law_at(i)->add_on)
            status = add_section(settings, law_at(i)->name, law_at(i)->params, law_at(i));
    }
    for (size_t i = 0; i < sizeof common_tables / sizeof *common_tables && !status; i++)
        status = add_section(settings, common_tables[i]->name, common_tables[i], NULL);
    if (status) {
        gully_settings_destroy(settings);
        return status;
    }
    *out = settings;
    return GULLY_OK;
}

GullyStatus gully_settings_copy(const GullySettings* settings, GullySettings** out) {
    GullySettings* copy;
    *out = NULL;
    GullyStatus status = gully_settings_create(settings->model->name, &copy);
    if (status) return status;
    for (int i = 0; i < settings->section_count; i++) {
        const Section* section = &settings->sections[i];
        memcpy(copy->sections[i].values, section->values, section->table->size);
        copy->sections[i].on = section->on;
    }
    memcpy(copy->cycle, settings->cycle, sizeof copy->cycle);
    copy->cycle_count = settings->cycle_count;
    for (int i = 0; i < settings->source_count && !status; i++)
        status = gully_settings_add_source(copy, &settings->sources[i]);
    if (status) {
        gully_settings_destroy(copy);
        return status;
    }
    *out = copy;
    return GULLY_OK;
}

static bool sections_equal(const Section* a, const Section* b) {
    return a->table == b->table && a->on == b->on &&
           memcmp(a->values, b->values, a->table->size) == 0;
}

bool settings_equal(const GullySettings* a, const GullySettings* b) {
    if (a->model != b->model || a->cycle_count != b->cycle_count) return false;
    if (a->section_count != b->section_count || a->source_count != b->source_count) return false;
    for (int i = 0; i < a->section_count; i++)
        if (!sections_equal(&a->sections[i], &b->sections[i])) return false;
    const size_t sources = (size_t)a->source_count * sizeof *a->sources;
    return memcmp(a->cycle, b->cycle, (size_t)a->cycle_count * sizeof *a->cycle) == 0 &&
           (sources == 0 || memcmp(a->sources, b->sources, sources) == 0);
}

void gully_settings_destroy(GullySettings* settings) {
    if (!settings) return;
    for (int i = 0; i < settings->section_count; i++)
        free(settings->sections[i].values);
    free(settings->sources);
    free(settings);
}

const char* gully_settings_model(const GullySettings* settings) {
    return settings->model->name;
}

void* gully_settings_section(GullySettings* settings, const char* name,
                             const GullyParamTable** table) {
    Section* section = find_section(settings, name);
    if (table) *table = section ? section->table : NULL;
    return section ? section->values : NULL;
}

const char* gully_settings_section_name(const GullySettings* settings, int index) {
    return index < settings->section_count ? settings->sections[index].name : NULL;
}

const void* settings_values(const GullySettings* settings, const char* section) {
    return find_section(settings, section)->values;
}

// ---- values by key ------------------------------------------------------------------------------

static GullyStatus refuse_key(const GullySettings* settings, const char* key,
                              const Section* section) {
    char names[1024] = "";
    int used = 0;
    if (section) {
        for (int i = 0; i < section->table->count && used < (int)sizeof names; i++)
            used += snprintf(names + used, sizeof names - (size_t)used, "%s%s", i ? ", " : "",
                             section->table->rows[i].name);
    } else {
        for (int i = 0; i < settings->section_count && used < (int)sizeof names; i++) {
            const char* name = settings->sections[i].name;
            if (*name)
                used += snprintf(names + used, sizeof names - (size_t)used, "%s%s", i ? ", " : "",
                                 name);
        }
    }
    return gully_fail(GULLY_BAD_INPUT, "%s: unknown key; allowed: %s", key, names);
}

/// Finds section and row of "section.name".
static GullyStatus find_key(GullySettings* settings, const char* key, Section** section,
                            const GullyParam** row) {
    char prefix[128] = "";
    const char* dot = strrchr(key, '.');
    if (dot) snprintf(prefix, sizeof prefix, "%.*s", (int)(dot - key), key);
    *section = find_section(settings, prefix);
    if (!*section) return refuse_key(settings, key, NULL);
    *row = gully_params_find((*section)->table, dot ? dot + 1 : key);
    return *row ? GULLY_OK : refuse_key(settings, key, *section);
}

/// Puts the section's name before a message that begins with the parameter's.
static GullyStatus locate(GullyStatus status, const Section* section) {
    if (!status || !*section->name) return status;
    return gully_fail(status, "%s.%s", section->name, gully_message());
}

GullyStatus gully_settings_set_number(GullySettings* settings, const char* key, double value) {
    Section* section;
    const GullyParam* row;
    GullyStatus status = find_key(settings, key, &section, &row);
    if (status) return status;
    return locate(gully_param_set_number(row, section->values, value), section);
}

GullyStatus gully_settings_set_text(GullySettings* settings, const char* key, const char* text) {
    Section* section;
    const GullyParam* row;
    GullyStatus status = find_key(settings, key, &section, &row);
    if (status) return status;
    return locate(gully_param_set_text(row, section->values, text), section);
}

GullyStatus settings_check(const GullySettings* settings) {
    GullyStatus status = GULLY_OK;
    for (int i = 0; i < settings->section_count && !status; i++) {
        const Section* section = &settings->sections[i];
        status = locate(gully_params_check(section->table, section->values), section);
    }
    for (int i = 0; i < settings->source_count && !status; i++) {
        status = gully_params_check(&source_table, &settings->sources[i]);
        if (status) gully_fail(status, "sources[%d].%s", i, gully_message());
    }
    return status;
}

// ---- cycle --------------------------------------------------------------------------------------

static GullyStatus refuse_operator(const Law* law, const char* entry) {
    char names[256] = "";
    int used = 0;
    for (int i = 0; i < law->operator_count && used < (int)sizeof names; i++)
        used += snprintf(names + used, sizeof names - (size_t)used, "%s%s", i ? ", " : "",
                         law->operators[i].name);
    return gully_fail(GULLY_BAD_INPUT,
                      "cycle: \"%.60s\" is no operator of %s; allowed: %s, each also as NAME*COUNT "
                      "with a count from 1 to %d",
                      entry, law->name, names, MOST_TIMES);
}

/// Reads "NAME" or "NAME*COUNT".
static GullyStatus read_entry(const Law* law, const char* text, CycleEntry* out) {
    const char* star = strchr(text, '*');
    size_t length = star ? (size_t)(star - text) : strlen(text);
    char* end = NULL;
    long times = star ? strtol(star + 1, &end, 10) : 1;
    bool counted = !star || (star[1] >= '0' && star[1] <= '9' && !*end);
    for (int i = 0; i < law->operator_count; i++) {
        const char* name = law->operators[i].name;
        if (strlen(name) != length || strncmp(name, text, length) != 0) continue;
        if (!counted || times < 1 || times > MOST_TIMES) break;
        *out = (CycleEntry){i, (int)times};
        return GULLY_OK;
    }
    return refuse_operator(law, text);
}

GullyStatus gully_settings_set_cycle(GullySettings* settings, const char* const* entries,
                                     int count) {
    const Law* law = settings->model;
    if (!law->operators) {
        return gully_fail(GULLY_BAD_INPUT, "cycle: a step of %s is always the same; leave it out",
                          law->name);
    }
    if (count < 0 || count > MAX_CYCLE) {
        return gully_fail(GULLY_BAD_INPUT, "cycle: %d operators; allowed: up to %d", count,
                          MAX_CYCLE);
    }
    CycleEntry cycle[MAX_CYCLE];
    for (int i = 0; i < count; i++) {
        GullyStatus status = read_entry(law, entries[i], &cycle[i]);
        if (status) return status;
    }
    if (count == 0) {
        default_cycle(settings);
        return GULLY_OK;
    }
    memcpy(settings->cycle, cycle, (size_t)count * sizeof *cycle);
    settings->cycle_count = count;
    return GULLY_OK;
}

// ---- add-ons and sources ------------------------------------------------------------------------

GullyStatus gully_settings_switch(GullySettings* settings, const char* add_on, bool on) {
    Section* section = find_section(settings, add_on);
    if (!section || !section->add_on)
        return gully_fail(GULLY_BAD_INPUT, "%s: is no law that can be switched on", add_on);
    section->on = on;
    return GULLY_OK;
}

bool gully_settings_is_on(const GullySettings* settings, const char* add_on) {
    const Section* section = find_section(settings, add_on);
    return section && section->on;
}

GullyStatus gully_settings_add_source(GullySettings* settings, const GullySource* source) {
    size_t count = (size_t)settings->source_count + 1;
    GullySource* sources = realloc(settings->sources, count * sizeof *sources);
    if (!sources) return gully_fail(GULLY_NO_MEMORY, "no memory for %zu sources", count);
    sources[settings->source_count++] = *source;
    settings->sources = sources;
    return GULLY_OK;
}

void gully_settings_clear_sources(GullySettings* settings) {
    settings->source_count = 0;
}

int gully_settings_source_count(const GullySettings* settings) {
    return settings->source_count;
}

const GullySource* gully_settings_source(const GullySettings* settings, int index) {
    return &settings->sources[index];
}

double gully_settings_max_dt(const GullySettings* settings, double cell_x, double cell_y) {
    const StepInfo info = {.cell_x = cell_x, .cell_y = cell_y};
    const Law* law = settings->model;
    return law->max_dt ? law->max_dt(settings_values(settings, "params"), &info) : 0;
}
