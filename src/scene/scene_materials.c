// SPDX-License-Identifier: MIT
#include "scene_materials.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

// ---- reading ------------------------------------------------------------------------------------

// A name is part of a file's name and of the keys of --set, where a dot begins the next key.
static const char NAME_LETTERS[] = "abcdefghijklmnopqrstuvwxyz"
                                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "0123456789_- ";

static bool is_name(const char* text) {
    size_t length = strlen(text);
    if (length == 0 || length >= GULLY_MATERIAL_NAME) return false;
    return strspn(text, NAME_LETTERS) == length && text[0] != ' ' && text[length - 1] != ' ';
}

static GullyStatus read_name(const SceneView* view, const ScenePath* material, const json_t* object,
                             const char** out) {
    ScenePath path = scene_path_key(material, "name");
    const json_t* value = json_object_get(object, "name");
    char allowed[160];
    snprintf(allowed, sizeof allowed,
             "a name of 1 to %d letters (a-z, A-Z), digits, _, - and spaces that are not at its "
             "ends",
             GULLY_MATERIAL_NAME - 1);
    if (!value) return scene_fail(view, &path, "missing; expected %s", allowed);
    GullyStatus status = scene_string(view, &path, value, allowed, out);
    if (status || is_name(*out)) return status;
    char shown[64];
    scene_clip(*out, shown, sizeof shown);
    return scene_fail(view, &path, "\"%s\" cannot be part of a file's name; allowed: %s", shown,
                      allowed);
}

// Whether none of the materials before has the name. Not all systems tell files apart by case.
static GullyStatus check_new_name(const SceneView* view, const ScenePath* material,
                                  const SceneMaterials* before, const char* name) {
    ScenePath path = scene_path_key(material, "name");
    for (int n = 0; n < before->count; n++) {
        if (strcasecmp(before->items[n].name, name) != 0) continue;
        return scene_fail(view, &path,
                          "\"%s\" is the name of materials[%d] already; allowed: one that differs "
                          "in more than upper and lower case",
                          name, n);
    }
    return GULLY_OK;
}

static GullyStatus read_color(const SceneView* view, const ScenePath* material,
                              const json_t* object, unsigned* out) {
    static const char ALLOWED[] = "a colour \"#rrggbb\", as in \"#807870\"";
    ScenePath path = scene_path_key(material, "color");
    const json_t* value = json_object_get(object, "color");
    const char* text;
    if (!value) return GULLY_OK;
    GullyStatus status = scene_string(view, &path, value, ALLOWED, &text);
    if (status) return status;
    bool good = text[0] == '#' && strlen(text) == 7 &&
                strspn(text + 1, "0123456789abcdefABCDEF") == 6 && sscanf(text, "#%x", out) == 1;
    if (good) return GULLY_OK;
    char shown[64];
    scene_clip(text, shown, sizeof shown);
    return scene_fail(view, &path, "\"%s\" is no colour; allowed: %s", shown, ALLOWED);
}

static GullyStatus read_material(const SceneView* view, const ScenePath* path, const json_t* object,
                                 SceneMaterials* out) {
    SceneNames others = {{"name", "color"}, 2};
    const char* name;
    if (!json_is_object(object)) return scene_fail_type(view, path, object, "an object {...}");
    GullyStatus status = read_name(view, path, object, &name);
    if (!status) status = check_new_name(view, path, out, name);
    if (status) return status;
    GullyMaterial material = gully_material(name, out->count);
    status = scene_table(view, path, object, gully_material_table(), &others, &material);
    if (!status) status = read_color(view, path, object, &material.color);
    if (!status) out->items[out->count++] = material;
    return status;
}

GullyStatus scene_materials_read(const SceneView* view, SceneMaterials* out) {
    *out = (SceneMaterials){0};
    ScenePath path = scene_path_key(NULL, "materials");
    const json_t* list = json_object_get(view->root, "materials");
    if (!list) return GULLY_OK;
    if (!json_is_array(list))
        return scene_fail_type(view, &path, list,
                               "a list of materials, bottom to top, [{\"name\": ...}, ...]");
    size_t count = json_array_size(list);
    if (count < 1 || count > GULLY_MAX_MATERIALS)
        return scene_fail(view, &path, "has %zu materials; allowed: 1 to %d", count,
                          GULLY_MAX_MATERIALS);
    GullyStatus status = GULLY_OK;
    for (size_t n = 0; n < count && !status; n++) {
        ScenePath place = scene_path_index(&path, n);
        status = read_material(view, &place, json_array_get(list, n), out);
    }
    return status;
}

// ---- checking, making ---------------------------------------------------------------------------

GullyStatus scene_materials_check(const SceneView* view, const SceneMaterials* materials,
                                  const GullySettings* settings) {
    if (materials->count == 0) return GULLY_OK;
    const char* unaware = NULL; // a law of a step that does not know materials
    SceneNames aware = {0};
    for (int n = 0; n < gully_law_count(); n++) {
        const GullyLawInfo* law = gully_law_info(n);
        bool model = strcmp(law->name, gully_settings_model(settings)) == 0;
        if (law->layers)
            scene_names_add(&aware, law->name);
        else if (model || (law->add_on && gully_settings_is_on(settings, law->name)))
            unaware = law->name;
    }
    if (!unaware) return GULLY_OK;
    char phase[64] = "", problem[160];
    if (view->phase) snprintf(phase, sizeof phase, " of program[%zu]", view->index);
    snprintf(problem, sizeof problem,
             "the law %s%s does not know materials: leave them out, or take a law that does",
             unaware, phase);
    ScenePath path = scene_path_key(NULL, "materials");
    return scene_fail_name(view, &path, "", &aware, problem);
}

GullyStatus scene_materials_make(const SceneView* view, const SceneMaterials* materials,
                                 GullyWorld* world) {
    if (materials->count == 0) return GULLY_OK;
    GullyStatus status = gully_world_set_materials(world, materials->items, materials->count);
    ScenePath path = scene_path_key(NULL, "materials");
    return status ? scene_fail_in(view, &path, status, NULL) : GULLY_OK;
}
