// One file: which size it gets, how it is called, and the writing of it.

#include "export_plan.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool is_folder(const char* path) {
    struct stat info;
    size_t length = strlen(path);
    if (length > 0 && path[length - 1] == '/') return true;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/// The size of the file: as asked for, or what the preset takes of the raster's.
static GullyStatus choose_size(const char* path, const GullyRaster* raster,
                               const GullyExportDef* def, const Preset* preset, int* width,
                               int* height) {
    bool given = plan_size(raster, def, preset, width, height);
    if (!given) *width = preset_nearest_side(preset, raster->width);
    if (!given) *height = preset_nearest_side(preset, raster->height);
    bool square = preset != NULL && preset->info.square;
    if (square && !given) *width = *height = *width > *height ? *width : *height;
    if (preset_takes_side(preset, *width) && preset_takes_side(preset, *height) &&
        (!square || *width == *height))
        return GULLY_OK;
    char list[128];
    preset_list_sides(preset, list, sizeof list);
    return gully_fail(GULLY_BAD_INPUT, "%s: preset %s does not take %d x %d cells; it takes %s%s",
                      path, preset->info.name, *width, *height, list,
                      square ? ", width and height alike" : "");
}

static GullyStatus choose_path(const char* path, const char* name, bool folder,
                               const ExportPlan* plan, char* buffer, size_t size) {
    char extension[16];
    plan_extension(plan, extension, sizeof extension);
    size_t length = strlen(path);
    const char* slash = length > 0 && path[length - 1] == '/' ? "" : "/";
    int used = folder ? snprintf(buffer, size, "%s%s%s.%s", path, slash, name, extension)
                      : snprintf(buffer, size, "%s", path);
    if (used >= 0 && (size_t)used < size) return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT, "%s: the name is too long", path);
}

GullyStatus gully_export(const char* path, const char* name, const GullyRaster* raster,
                         const GullyExportDef* def, GullyExported* exported) {
    GullyExported unused;
    if (exported == NULL) exported = &unused;
    *exported = (GullyExported){0};
    ExportPlan plan;
    int width, height;
    bool folder = is_folder(path);
    GullyStatus status = plan_format(path, folder, def, &plan);
    if (!status) status = choose_size(path, raster, def, plan.preset, &width, &height);
    if (!status) status = plan_numbers(path, raster, width, height, def, &plan);
    if (!status && folder && !def->dry_run) status = gully_folder_make(path);
    if (!status)
        status = choose_path(path, name, folder, &plan, exported->path, sizeof exported->path);
    if (!status) status = plan_write(&plan, exported->path, &plan.raster);
    exported->format = plan.format != NULL ? &plan.format->info : NULL;
    exported->width = plan.raster.width;
    exported->height = plan.raster.height;
    exported->low = plan.sidecar.min;
    exported->high = plan.sidecar.max;
    exported->columns = exported->rows = 1;
    exported->nodata = plan.nodata;
    exported->filled = plan.filled;
    plan_free(&plan);
    return status;
}
