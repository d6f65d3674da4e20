// SPDX-License-Identifier: MIT
#include "scene_levels.h"

#include <math.h>
#include <stdlib.h>

#include "gully/raster.h"

// ---- the section --------------------------------------------------------------------------------

// A map is {"file": F}. There is one in a run: that of the scene.
static GullyStatus check_map(const SceneView* view, const ScenePath* path, const json_t* map) {
    SceneNames names = {{"file"}, 1};
    const char* file;
    if (!json_is_object(map))
        return scene_fail_type(view, path, map, "{\"file\": F}, a raster with one cell per tile");
    GullyStatus status = scene_check_keys(view, path, map, &names);
    if (!status) status = scene_file(view, path, json_object_get(map, "file"), &file);
    const json_t* whole = json_object_get(json_object_get(view->document->root, "levels"), "map");
    if (status || json_equal(whole, map)) return status;
    return scene_fail(view, path,
                      "a run has one map of levels, which stands in the scene itself; "
                      "allowed in a phase: the same, or other levels");
}

// Of the ways to choose levels a scene has one.
static GullyStatus check_ways(const SceneView* view, const ScenePath* path, const json_t* object) {
    static const char* const WAYS[] = {"fixed", "map", "detail", "error"};
    const char* found = NULL;
    for (size_t n = 0; n < sizeof WAYS / sizeof WAYS[0]; n++) {
        if (!json_object_get(object, WAYS[n])) continue;
        ScenePath place = scene_path_key(path, WAYS[n]);
        if (found)
            return scene_fail(
                view, &place,
                "levels are chosen by %s already; allowed: one of fixed, map, detail, "
                "error",
                found);
        found = WAYS[n];
    }
    if (found) return GULLY_OK;
    return scene_fail(view, path, "does not say which; expected one of fixed, map, detail, error");
}

GullyStatus scene_levels_read(const SceneView* view, const json_t* object,
                              GullySettings* settings) {
    ScenePath path = scene_path_key(NULL, "levels");
    const GullyParamTable* table;
    void* params = gully_settings_section(settings, "levels", &table);
    if (!json_is_object(object))
        return scene_fail_type(view, &path, object, "an object, as in {\"fixed\": 1}");
    const json_t* map = json_object_get(object, "map");
    ScenePath place = scene_path_key(&path, "map");
    GullyStatus status = map ? check_map(view, &place, map) : GULLY_OK;
    if (!status) status = check_ways(view, &path, object);
    if (status) return status;
    json_t* copy = json_copy((json_t*)object); // the table knows a map as a switch
    if (!copy || (map && json_object_set_new(copy, "map", json_true()))) {
        json_decref(copy);
        return scene_no_memory();
    }
    status = scene_table(view, &path, copy, table, NULL, params);
    json_decref(copy);
    return status;
}

// ---- the map ------------------------------------------------------------------------------------

// The levels of a raster; NULL after a failure.
static unsigned char* levels_of(const SceneView* view, const ScenePath* path,
                                const GullyRaster* raster, GullyStatus* status) {
    const size_t count = (size_t)raster->width * (size_t)raster->height;
    unsigned char* levels = malloc(count);
    *status = levels ? GULLY_OK : scene_no_memory();
    for (size_t i = 0; i < count && !*status; i++) {
        const double value = (double)raster->values[i];
        const bool good = value >= 0 && value < GULLY_LEVELS && floor(value) == value;
        if (!good)
            *status = scene_fail(
                view, path,
                "the level in column %zu of row %zu is %g; allowed: 0 to %d, whole "
                "numbers",
                i % (size_t)raster->width, i / (size_t)raster->width, value, GULLY_LEVELS - 1);
        else
            levels[i] = (unsigned char)value;
    }
    return levels;
}

GullyStatus scene_levels_make(const SceneView* view, const char* folder, GullyWorld* world) {
    const json_t* map = json_object_get(json_object_get(view->root, "levels"), "map");
    if (!map) return GULLY_OK;
    ScenePath path = scene_path_key(NULL, "levels");
    path = scene_path_key(&path, "map");
    char* file = scene_file_path(folder, json_string_value(json_object_get(map, "file")));
    if (!file) return scene_no_memory();
    const GullyReadDef def = {.plain = true};
    GullyRaster raster = {0};
    GullyStatus status = gully_raster_read_as(file, &def, &raster);
    free(file);
    if (status) return scene_fail_in(view, &path, status, NULL);
    unsigned char* levels = levels_of(view, &path, &raster, &status);
    if (!status) {
        status = gully_world_set_levels(world, raster.width, raster.height, levels);
        if (status) status = scene_fail_in(view, &path, status, NULL);
    }
    free(levels);
    gully_raster_free(&raster);
    return status;
}
