// SPDX-License-Identifier: MIT
// A scene for POV-Ray: the land and the water as height fields of 16 bits, the ground's colours
// draped over it, the sun, the sky and the camera of the perspective view.
//
// POV-Ray has x to the east, y up and z to the north; its height fields are cubes of side 1 whose
// first row of pixels is at z = 1. Heights are 1..65535; 0, below the water_level, is cut away.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "camera.h"
#include "gully/raster.h"
#include "stage.h"

typedef struct Export {
    const Stage* stage;
    Camera camera;
    const GullyRenderDef* def;
    const char* path;
    size_t stem; // bytes of the path without its ending
} Export;

static const char* file_name(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/// The path with another ending; the part after the last slash is `*name`. free() it.
static char* beside(const Export* export, const char* ending, const char** name) {
    size_t size = export->stem + strlen(ending) + 1;
    char* path = malloc(size);
    if (!path) {
        gully_fail(GULLY_NO_MEMORY, "no memory to write %s", export->path);
        return NULL;
    }
    snprintf(path, size, "%.*s%s", (int)export->stem, export->path, ending);
    *name = file_name(path);
    return path;
}

// ---- heights ------------------------------------------------------------------------------------

/// Where water is deep enough to be seen.
static bool is_wet(const Stage* stage, size_t k) {
    return field_at(stage->land->scenery, GULLY_WATER, k) > stage->drape.scale.water;
}

/// A height as 1..65535 between the lowest and the highest of the land; 0 where there is none.
/// Water goes on below the ground where it is dry, so that it has no walls at its shores.
static unsigned height_number(const Stage* stage, bool water, size_t k) {
    const Land* land = stage->land;
    float height = water ? land->surface[k] : land->ground[k];
    if (isnan(height)) return 0;
    float range = fmaxf(land->highest - land->lowest, 1e-6f);
    if (water && !is_wet(stage, k)) {
        float below = 2 * land->exaggerate * stage->drape.scale.water;
        height = land->ground[k] - fmaxf(below, 2 * range / 65534);
    }
    return 1 + (unsigned)(65534 * clampf((height - land->lowest) / range, 0, 1) + 0.5f);
}

static GullyStatus write_heights(const Export* export, bool water, const char* path) {
    const Land* land = export->stage->land;
    size_t cells = (size_t)land->width * (size_t)land->height;
    unsigned char* bytes = malloc(64 + 2 * cells);
    if (!bytes) return gully_fail(GULLY_NO_MEMORY, "no memory to write %s", path);
    int head = snprintf((char*)bytes, 64, "P5\n%d %d\n65535\n", land->width, land->height);
    unsigned char* out = bytes + head;
    for (size_t k = 0; k < cells; k++) {
        unsigned number = height_number(export->stage, water, k);
        *out++ = (unsigned char)(number >> 8);
        *out++ = (unsigned char)(number & 255);
    }
    GullyStatus status = gully_file_write(path, bytes, (size_t)(out - bytes));
    free(bytes);
    return status;
}

/// The drape as a picture.
static GullyStatus write_colors(const Export* export, const char* path) {
    const Land* land = export->stage->land;
    size_t cells = (size_t)land->width * (size_t)land->height;
    unsigned char* rgb = malloc(3 * cells);
    if (!rgb) return gully_fail(GULLY_NO_MEMORY, "no memory to write %s", path);
    for (size_t k = 0; k < cells; k++) {
        for (int c = 0; c < 3; c++) {
            float root = (float)export->stage->drape.bytes[k][c] / 255;
            rgb[3 * k + (size_t)c] = (unsigned char)(byte_of_light(root * root) + 0.5f);
        }
    }
    GullyStatus status = gully_picture_write(path, land->width, land->height, rgb);
    free(rgb);
    return status;
}

// ---- the scene ----------------------------------------------------------------------------------

static void write_camera(const Export* export, FILE* file) {
    const Camera* camera = &export->camera;
    Vec to = vec_add(camera->at, camera->forward, camera->distance);
    const double degree = 3.14159265358979323846 / 180;
    fprintf(file,
            "camera {\n"
            "  perspective\n"
            "  location <%.9g, %.9g, %.9g>\n"
            "  right x * %.9g\n"
            "  up y\n"
            "  sky <%.9g, %.9g, %.9g>\n"
            "  angle %.9g\n"
            "  look_at <%.9g, %.9g, %.9g>\n"
            "}\n\n",
            camera->at.x, camera->at.z, -camera->at.y, camera->wide / camera->high, camera->up.x,
            camera->up.z, -camera->up.y, 2 * atan(camera->wide) / degree, to.x, to.z, -to.y);
}

static void write_light(const Export* export, FILE* file) {
    const Sky* sky = &export->stage->sky;
    double far = 100 * export->stage->size;
    fprintf(file,
            "light_source {\n"
            "  <%.9g, %.9g, %.9g>\n"
            "  color rgb <2.3, 2.05, 1.68>\n"
            "  parallel point_at <0, 0, 0>\n"
            "}\n\n"
            "sky_sphere {\n"
            "  pigment {\n"
            "    gradient y\n"
            "    color_map {\n"
            "      [0 color rgb <0.62, 0.61, 0.59>] [0.5 color rgb <0.74, 0.79, 0.83>]\n"
            "      [0.8 color rgb <0.20, 0.38, 0.70>] [1 color rgb <0.20, 0.38, 0.70>]\n"
            "    }\n"
            "    scale 2 translate -y\n"
            "  }\n"
            "}\n\n",
            far * sky->sun.x, far * sky->sun.z, -far * sky->sun.y);
}

/// A height field in its place. The declaration of its look follows the opening brace.
static void write_field(const Export* export, FILE* file, const char* heights, const char* look) {
    const Land* land = export->stage->land;
    double width = (land->width - 1) * land->cell_x, depth = (land->height - 1) * land->cell_y;
    double range = fmax((double)land->highest - (double)land->lowest, 1e-6) * 65535 / 65534;
    fprintf(file,
            "height_field {\n"
            "  pgm \"%s\"\n"
            "  smooth\n"
            "  water_level 0.000008\n"
            "%s"
            "  scale <%.9g, %.9g, %.9g>\n"
            "  translate <0, %.9g, %.9g>\n"
            "}\n\n",
            heights, look, width, range, depth, (double)land->lowest, -depth);
}

static void write_scene(const Export* export, FILE* file, const char* heights, const char* colors,
                        const char* water) {
    char look[1024];
    fprintf(file,
            "// A terrain of Gully %s. Draw it with: povray +W%d +H%d +A %s\n"
            "#version 3.7;\n"
            "global_settings { assumed_gamma 1 }\n"
            "#default { finish { ambient rgb <0.2, 0.25, 0.33> diffuse 0.8 } }\n\n",
            GULLY_VERSION, export->def->width, export->def->height, file_name(export->path));
    write_camera(export, file);
    write_light(export, file);
    snprintf(look, sizeof look,
             "  pigment { image_map { png \"%s\" map_type 0 interpolate 2 } rotate x * 90 }\n",
             colors);
    write_field(export, file, heights, look);
    if (water)
        write_field(export, file, water,
                    "  pigment { color rgbt <0.03, 0.12, 0.20, 0.25> }\n"
                    "  finish { reflection { 0.02, 1 fresnel } conserve_energy specular 0.4 "
                    "roughness 0.003 }\n"
                    "  interior { ior 1.33 }\n");
}

static GullyStatus write_text(const Export* export, const char* heights, const char* colors,
                              const char* water) {
    char* text = NULL;
    size_t size = 0;
    FILE* file = open_memstream(&text, &size);
    if (!file) return gully_fail(GULLY_NO_MEMORY, "no memory to write %s", export->path);
    write_scene(export, file, heights, colors, water);
    bool written = fclose(file) == 0;
    GullyStatus status = written
                             ? gully_file_write(export->path, text, size)
                             : gully_fail(GULLY_NO_MEMORY, "no memory to write %s", export->path);
    free(text);
    return status;
}

static bool has_water(const Stage* stage) {
    size_t cells = (size_t)stage->land->width * (size_t)stage->land->height;
    for (size_t k = 0; k < cells; k++) {
        if (is_wet(stage, k)) return true;
    }
    return false;
}

static GullyStatus write_all(const Export* export) {
    const char *heights = NULL, *colors = NULL, *water = NULL;
    char* heights_path = beside(export, "-ground.pgm", &heights);
    char* colors_path = beside(export, "-ground.png", &colors);
    char* water_path = beside(export, "-water.pgm", &water);
    GullyStatus status = heights_path && colors_path && water_path ? GULLY_OK : GULLY_NO_MEMORY;
    bool wet = has_water(export->stage);
    if (status == GULLY_OK) status = write_heights(export, false, heights_path);
    if (status == GULLY_OK) status = write_colors(export, colors_path);
    if (status == GULLY_OK && wet) status = write_heights(export, true, water_path);
    if (status == GULLY_OK) status = write_text(export, heights, colors, wet ? water : NULL);
    free(heights_path);
    free(colors_path);
    free(water_path);
    return status;
}

GullyStatus gully_render_povray(const GullyScenery* scenery, const GullyRenderDef* def,
                                const char* path) {
    assert(scenery && def && path);
    GullyStatus status = gully_def_check(def->made, "gully_render_def");
    if (status == GULLY_OK) status = gully_params_check(gully_render_table(), def);
    if (status != GULLY_OK) return status;
    const char* name = file_name(path);
    if (strpbrk(name, "\"\\\n"))
        return gully_fail(GULLY_BAD_INPUT, "%s: POV-Ray cannot read names with \" and \\", path);
    Pool* pool;
    status = pool_create(def->threads, &pool);
    if (status != GULLY_OK) return status;
    Stage stage;
    status = stage_create(scenery, def, pool, &stage);
    if (status == GULLY_OK) {
        const char* dot = strrchr(name, '.');
        size_t stem = dot && dot > name ? (size_t)(dot - path) : strlen(path);
        Export export = {&stage, camera_create(stage.land, def), def, path, stem};
        status = write_all(&export);
        stage_destroy(&stage);
    }
    pool_destroy(pool);
    return status;
}
