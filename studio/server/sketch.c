#include "sketch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gully/generate.h"
#include "inspect.h"

/// Cells along a side of the first one and of the others: a kind and a seed are one terrain at any
/// resolution.
enum { SKETCH_SIDE = 128, VARIANT_SIDE = 64 };

/// The size is not a matter of taste: the page asks for it apart.
static bool is_size(const GullyParam* row) {
    return strcmp(row->name, "width") == 0 || strcmp(row->name, "height") == 0;
}

json_t* sketch_rows(void) {
    static const char* const kinds[] = {"number", "integer", "flag", "choice", "number"};
    const GullyParamTable* table = gully_generate_table();
    json_t* list = json_array();
    for (int i = 0; i < table->count; i++) {
        const GullyParam* row = &table->rows[i];
        if (is_size(row)) continue;
        json_array_append_new(list, json_pack("{s:s, s:s, s:f, s:f, s:f, s:s, s:s}", "name",
                                              row->name, "kind", kinds[row->kind], "default",
                                              row->fallback, "low", row->low, "high", row->high,
                                              "unit", row->unit, "help", row->help));
    }
    return list;
}

static GullyStatus read_params(const json_t* object, GullyGenerateParams* out) {
    const GullyParamTable* table = gully_generate_table();
    const char* key;
    json_t* value;
    gully_params_default(table, out);
    json_object_foreach((json_t*)object, key, value) {
        const GullyParam* row = gully_params_find(table, key);
        const double number = json_is_number(value) ? json_number_value(value) : NAN;
        if (!row || is_size(row))
            return gully_fail(GULLY_BAD_INPUT,
                              "params: unknown key '%.32s'; allowed: seed, relief, offset, scale, "
                              "octaves",
                              key);
        GullyStatus status = gully_param_set_number(row, out, number);
        if (status != GULLY_OK) return status;
    }
    return GULLY_OK;
}

/// One terrain: its seed and its picture; NULL with a message if there is no such kind.
static json_t* sketch_json(const char* kind, const GullyGenerateParams* params, float* heights) {
    if (gully_generate(kind, params, heights) != GULLY_OK) return NULL;
    const float low = (float)params->offset, high = low + (float)params->relief;
    return json_pack("{s:I, s:o}", "seed", (json_int_t)params->seed, "preview",
                     preview_json(heights, params->width, params->height, low, high));
}

void sketch_terrain(void* context) {
    Command* command = context;
    const Message* message = &command->message;
    const int64_t count = message->variants > 0 ? message->variants : 1;
    GullyGenerateParams params;
    json_t* list = json_array();
    float* heights = malloc(sizeof *heights * SKETCH_SIDE * SKETCH_SIDE);
    GullyStatus status = heights ? read_params(message->params, &params)
                                 : gully_fail(GULLY_NO_MEMORY, "no memory for a sketch");
    for (int64_t i = 0; i < count && status == GULLY_OK; i++) {
        params.width = params.height = i == 0 ? SKETCH_SIDE : VARIANT_SIDE;
        json_t* sketch = sketch_json(message->generate, &params, heights);
        status = sketch ? GULLY_OK : GULLY_BAD_INPUT;
        if (sketch) json_array_append_new(list, sketch);
        params.seed = params.seed < 2147483647 ? params.seed + 1 : 0;
    }
    reply(command->engine, command, status, json_pack("{s:o}", "sketches", list));
    free(heights);
    command_free(command);
}
