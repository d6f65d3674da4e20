// SPDX-License-Identifier: MIT
/// gully models: laws, sections of a scene and generators, with all their parameters.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "console.h"
#include "gully/gully.h"

typedef struct ModelsOptions {
    const char* name;
    bool json, markdown;
} ModelsOptions;

/// Something with a table of parameters that a person can ask for.
typedef struct Topic {
    const char* name;
    const char* summary;
    const char* source; ///< or NULL
    const GullyParamTable* table;
    const char* where;       ///< key of a scene under which the parameters stand
    const GullyLawInfo* law; ///< of a model or an add-on; else NULL
} Topic;

/// What there is of one kind. Topics stand kind after kind in one array.
typedef struct Kind {
    const char* key;   ///< in JSON
    const char* title; ///< for a person
    int first, count;
} Kind;

enum { KIND_MODEL, KIND_ADD_ON, KIND_SECTION, KIND_GENERATOR, KIND_COUNT };
enum { MOST_TOPICS = 64 };

typedef struct Catalogue {
    Kind kinds[KIND_COUNT];
    Topic topics[MOST_TOPICS];
    int count;
} Catalogue;

/// Sections have tables but no text of their own.
static const struct {
    const char *name, *summary;
} section_summaries[] = {
    {"rain", "uniform rain"},
    {"rain.drops", "single raindrops, at random"},
    {"rain.season", "rain that comes and goes, in a pattern"},
    {"sources", "places where water comes out, a list"},
    {"materials", "what the ground is made of, bottom to top, a list; each also has a name and may "
                  "have a color \"#rrggbb\""},
    {"boundary", "the four sides of the terrain; north is the first row"},
    {"levels",
     "coarser cells, in the whole world or tile by tile; one of fixed, map, detail, error"},
    {"time", "the time step, at the top level of a scene"},
};

static const char* section_summary(const char* name) {
    for (size_t i = 0; i < sizeof section_summaries / sizeof section_summaries[0]; i++)
        if (strcmp(section_summaries[i].name, name) == 0) return section_summaries[i].summary;
    return "";
}

// ---- the catalogue ------------------------------------------------------------------------------

static void add_topic(Catalogue* all, int kind, Topic topic) {
    if (all->count == MOST_TOPICS) return;
    if (all->kinds[kind].count++ == 0) all->kinds[kind].first = all->count;
    all->topics[all->count++] = topic;
}

static void add_laws(Catalogue* all, bool add_on) {
    for (int i = 0; i < gully_law_count(); i++) {
        const GullyLawInfo* law = gully_law_info(i);
        if (law->add_on != add_on) continue;
        add_topic(all, add_on ? KIND_ADD_ON : KIND_MODEL,
                  (Topic){law->name, law->summary, law->source, law->params,
                          add_on ? law->name : "params", law});
    }
}

static void add_section(Catalogue* all, const char* name, const GullyParamTable* table,
                        const char* where) {
    add_topic(all, KIND_SECTION, (Topic){name, section_summary(name), NULL, table, where, NULL});
}

/// Sections that every model has: those of any settings, without the laws' own.
static GullyStatus add_sections(Catalogue* all) {
    GullySettings* settings;
    GullyStatus status = gully_settings_create(all->topics[0].name, &settings);
    if (status != GULLY_OK) return status;
    const char* key;
    for (int i = 0; (key = gully_settings_section_name(settings, i)); i++) {
        const GullyParamTable* table = NULL;
        if (strcmp(key, "params") == 0 || gully_law_find(key)) continue;
        if (!gully_settings_section(settings, key, &table)) continue;
        const char* name = key[0] ? key : "time";
        add_section(all, name, table, key);
    }
    gully_settings_destroy(settings);
    add_section(all, "sources", gully_source_table(), "sources");
    add_section(all, "materials", gully_material_table(), "materials");
    return GULLY_OK;
}

static GullyStatus make_catalogue(Catalogue* all) {
    *all = (Catalogue){.kinds = {
                           [KIND_MODEL] = {"models", "Models", 0, 0},
                           [KIND_ADD_ON] = {"add_ons", "Add-ons, to any model", 0, 0},
                           [KIND_SECTION] = {"sections", "Sections of every scene", 0, 0},
                           [KIND_GENERATOR] = {"generators", "Generated terrains", 0, 0},
                       }};
    add_laws(all, false);
    add_laws(all, true);
    GullyStatus status = add_sections(all);
    for (int i = 0; i < gully_generator_count(); i++) {
        const GullyGeneratorInfo* info = gully_generator_info(i);
        add_topic(
            all, KIND_GENERATOR,
            (Topic){info->name, info->summary, NULL, gully_generate_table(), "terrain", NULL});
    }
    return status;
}

static const Topic* find_topic(const Catalogue* all, const char* name) {
    const char* names[MOST_TOPICS + 1] = {0};
    for (int i = 0; i < all->count; i++) {
        if (strcmp(all->topics[i].name, name) == 0) return &all->topics[i];
        names[i] = all->topics[i].name;
    }
    unknown_name("models: there is no", name, names);
    return NULL;
}

// ---- laws as text -------------------------------------------------------------------------------

/// What a scene's other keys mean to a law, as sentences.
static void law_text(const GullyLawInfo* law, char* buffer, size_t size) {
    size_t used =
        (size_t)snprintf(buffer, size, "%s materials.", law->layers ? "Knows" : "Does not know");
    if (law->counts_steps && used < size)
        used += (size_t)snprintf(buffer + used, size - used,
                                 " Counts steps: half the time step, twice as often, is something "
                                 "else.");
    if (strcmp(law->time_unit, "s") != 0 && used < size)
        used += (size_t)snprintf(buffer + used, size - used, " Time is in %s; a step takes %g.",
                                 law->time_unit, law->dt);
    const char* word =
        " A step is a cycle of operators, which a scene can choose; if it does not: ";
    for (const char* name = law->operators; name && *name && used < size;) {
        size_t length = strcspn(name, "|");
        used += (size_t)snprintf(buffer + used, size - used, "%s%.*s%s", word, (int)length, name,
                                 name[length] ? "" : ".");
        name += length + (name[length] == '|');
        word = ", ";
    }
}

// ---- parameters as text -------------------------------------------------------------------------

enum { COLUMN_NAME, COLUMN_DEFAULT, COLUMN_RANGE, COLUMN_UNIT, COLUMN_COUNT };

static const char* const column_titles[COLUMN_COUNT] = {"name", "default", "range", "unit"};

typedef struct ParamText {
    char columns[COLUMN_COUNT][96];
} ParamText;

static ParamText param_text(const GullyParam* row) {
    ParamText text = {0};
    snprintf(text.columns[COLUMN_NAME], sizeof text.columns[0], "%s", row->name);
    gully_param_text(row, row->fallback, text.columns[COLUMN_DEFAULT], sizeof text.columns[0]);
    if (row->kind == GULLY_KIND_flag) {
        snprintf(text.columns[COLUMN_RANGE], sizeof text.columns[0], "on, off");
    } else if (row->kind == GULLY_KIND_choice) {
        char* end = text.columns[COLUMN_RANGE];
        const char* last = end + sizeof text.columns[0] - 3;
        for (const char* c = row->unit; *c && end < last; c++)
            end = *c == '|' ? stpcpy(end, ", ") : (*end = *c, end + 1);
    } else {
        char low[40], high[40];
        gully_param_text(row, row->low, low, sizeof low);
        gully_param_text(row, row->high, high, sizeof high);
        snprintf(text.columns[COLUMN_RANGE], sizeof text.columns[0], "%s to %s", low, high);
        snprintf(text.columns[COLUMN_UNIT], sizeof text.columns[0], "%s", row->unit);
    }
    return text;
}

static void print_table(const GullyParamTable* table) {
    int widths[COLUMN_COUNT], indent = 2;
    for (int c = 0; c < COLUMN_COUNT; c++) {
        widths[c] = (int)strlen(column_titles[c]);
        for (int i = 0; i < table->count; i++) {
            int columns = text_columns(param_text(&table->rows[i]).columns[c]);
            if (columns > widths[c]) widths[c] = columns;
        }
        indent += widths[c] + 2;
    }
    printf("  ");
    for (int c = 0; c < COLUMN_COUNT; c++)
        printf("%-*s  ", widths[c], column_titles[c]);
    printf("meaning\n");
    for (int i = 0; i < table->count; i++) {
        ParamText text = param_text(&table->rows[i]);
        printf("  ");
        for (int c = 0; c < COLUMN_COUNT; c++)
            printf("%-*s  ", widths[c], text.columns[c]);
        console_wrap(stdout, table->rows[i].help, indent, console_width(stdout));
    }
}

static void print_topic(const Topic* topic) {
    printf("%s: %s\n", topic->name, topic->summary);
    if (topic->source) printf("Source: %s\n", topic->source);
    if (topic->where[0])
        printf("In a scene under \"%s\".\n", topic->where);
    else
        printf("In a scene at the top level.\n");
    if (topic->law) {
        char text[512];
        law_text(topic->law, text, sizeof text);
        console_wrap(stdout, text, 0, console_width(stdout));
    }
    printf("\n");
    print_table(topic->table);
}

static void print_list(const Catalogue* all) {
    int width = 0;
    for (int i = 0; i < all->count; i++) {
        int columns = text_columns(all->topics[i].name);
        if (columns > width) width = columns;
    }
    for (int k = 0; k < KIND_COUNT; k++) {
        const Kind* kind = &all->kinds[k];
        printf("%s\n", kind->title);
        for (int i = kind->first; i < kind->first + kind->count; i++) {
            printf("  %-*s  ", width, all->topics[i].name);
            console_wrap(stdout, all->topics[i].summary, width + 4, console_width(stdout));
        }
        printf("\n");
    }
    printf("gully models NAME lists the parameters.\n");
}

// ---- Markdown -----------------------------------------------------------------------------------

static void markdown_table(const GullyParamTable* table) {
    printf("\n| parameter | default | range | unit | meaning |\n|---|---|---|---|---|\n");
    for (int i = 0; i < table->count; i++) {
        ParamText text = param_text(&table->rows[i]);
        printf("| `%s` | %s | %s | %s | %s |\n", text.columns[COLUMN_NAME],
               text.columns[COLUMN_DEFAULT], text.columns[COLUMN_RANGE], text.columns[COLUMN_UNIT],
               table->rows[i].help);
    }
}

static void markdown_topic(const Topic* topic, bool with_table) {
    printf("\n### `%s`\n\n%s", topic->name, topic->summary);
    if (topic->source) printf(" (%s)", topic->source);
    printf(".%s%s%s\n", with_table && topic->where[0] ? " In a scene under `" : "",
           with_table ? topic->where : "", with_table && topic->where[0] ? "`." : "");
    if (topic->law) {
        char text[512];
        law_text(topic->law, text, sizeof text);
        printf("%s\n", text);
    }
    if (with_table) markdown_table(topic->table);
}

/// Generators share a table: it stands once, after the list of them.
static void markdown_all(const Catalogue* all) {
    printf("# Parameters\n\nMade by `gully models --markdown`; not to be edited.\n");
    for (int k = 0; k < KIND_COUNT; k++) {
        const Kind* kind = &all->kinds[k];
        printf("\n## %s\n", kind->title);
        for (int i = kind->first; i < kind->first + kind->count; i++)
            markdown_topic(&all->topics[i], k != KIND_GENERATOR);
        if (k == KIND_GENERATOR) markdown_table(gully_generate_table());
    }
}

// ---- JSON ---------------------------------------------------------------------------------------

static json_t* json_choices(const char* names) {
    json_t* list = json_array();
    for (;;) {
        size_t length = strcspn(names, "|");
        json_array_append_new(list, json_stringn(names, length));
        if (!names[length]) return list;
        names += length + 1;
    }
}

static json_t* json_param(const GullyParam* row) {
    static const char* const kinds[] = {
        [GULLY_KIND_number] = "number", [GULLY_KIND_integer] = "integer",
        [GULLY_KIND_flag] = "flag",     [GULLY_KIND_choice] = "choice",
        [GULLY_KIND_map] = "map",
    };
    json_t* param = json_pack("{s:s, s:s, s:s}", "name", row->name, "kind", kinds[row->kind],
                              "help", row->help);
    char text[96];
    gully_param_text(row, row->fallback, text, sizeof text);
    switch (row->kind) {
    case GULLY_KIND_flag:
        json_object_set_new(param, "default", json_boolean(row->fallback != 0));
        break;
    case GULLY_KIND_choice:
        json_object_set_new(param, "default", json_string(text));
        json_object_set_new(param, "choices", json_choices(row->unit));
        break;
    case GULLY_KIND_number:
    case GULLY_KIND_map:
    case GULLY_KIND_integer: {
        json_t* (*number)(double) = json_number_or_null;
        bool whole = row->kind == GULLY_KIND_integer;
        json_object_set_new(param, "default",
                            whole ? json_integer((json_int_t)row->fallback)
                                  : number(row->fallback));
        json_object_set_new(param, "min",
                            whole ? json_integer((json_int_t)row->low) : number(row->low));
        json_object_set_new(param, "max",
                            whole ? json_integer((json_int_t)row->high) : number(row->high));
        json_object_set_new(param, "unit", json_string(row->unit));
        break;
    }
    }
    return param;
}

static json_t* json_topic(const Topic* topic) {
    json_t* params = json_array();
    for (int i = 0; i < topic->table->count; i++)
        json_array_append_new(params, json_param(&topic->table->rows[i]));
    json_t* object = json_pack("{s:s, s:s, s:s?, s:s}", "name", topic->name, "summary",
                               topic->summary, "source", topic->source, "section", topic->where);
    const GullyLawInfo* law = topic->law;
    if (law) {
        json_object_set_new(object, "materials", json_boolean(law->layers));
        json_object_set_new(object, "counts_steps", json_boolean(law->counts_steps));
        json_object_set_new(object, "operators",
                            law->operators ? json_choices(law->operators) : json_null());
    }
    json_object_set_new(object, "params", params);
    return object;
}

static json_t* json_all(const Catalogue* all) {
    json_t* object = json_object();
    for (int k = 0; k < KIND_COUNT; k++) {
        const Kind* kind = &all->kinds[k];
        json_t* list = json_array();
        for (int i = kind->first; i < kind->first + kind->count; i++)
            json_array_append_new(list, json_topic(&all->topics[i]));
        json_object_set_new(object, kind->key, list);
    }
    return object;
}

// ---- the command --------------------------------------------------------------------------------

static int run(const void* values) {
    const ModelsOptions* options = values;
    Catalogue all;
    GullyStatus status = make_catalogue(&all);
    if (status != GULLY_OK) return console_fail(status);
    const Topic* topic = options->name ? find_topic(&all, options->name) : NULL;
    if (options->name && !topic) return EXIT_USAGE;
    if (options->json) return console_json(topic ? json_topic(topic) : json_all(&all));
    if (options->markdown && topic)
        markdown_topic(topic, true);
    else if (options->markdown)
        markdown_all(&all);
    else if (topic)
        print_topic(topic);
    else
        print_list(&all);
    return EXIT_DONE;
}

#define AT(member) .offset = offsetof(ModelsOptions, member)

static const Option models_options[] = {
    {OPTION_OPERAND, .name = "NAME",
     .help = "a model, an add-on, a section of a scene (rain, materials, ...) or a generator",
     AT(name)},
    {OPTION_FLAG, .name = "json", .help = "print JSON", AT(json)},
    {OPTION_FLAG, .name = "markdown", .help = "print Markdown, for the documentation",
     AT(markdown)},
    {0},
};

const Command models_command = {
    .name = "models",
    .summary = "list models, scene sections and generators, and all their parameters",
    .description = "Without NAME: what there is. With NAME: its parameters with default, range, "
                   "unit and meaning. These are the keys of a scene file and of --set.",
    .options = models_options,
    .size = sizeof(ModelsOptions),
    .run = run,
};
