// SPDX-License-Identifier: MIT
/// Writes terrain as commands ask for it, and says what was written.
#include "export_options.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console.h"
#include "standard.h"

static bool read_side(const char* text, const char** end, int* side) {
    char* stop;
    errno = 0;
    long number = strtol(text, &stop, 10);
    *end = stop;
    *side = (int)number;
    return stop != text && !errno && text[0] >= '0' && text[0] <= '9' && number >= 1 &&
           number <= 1048576;
}

bool size_read(const char* command, const char* option, const char* text, int* width, int* height) {
    const char* end;
    bool right = read_side(text, &end, width);
    *height = 0;
    if (right && *end == 'x') right = read_side(end + 1, &end, height);
    if (right && !*end) return true;
    console_error("%s: --%s wants W or WxH, cells from 1 to 1048576, not '%s'", command, option,
                  text);
    return false;
}

static bool read_fill(const char* command, const char* text, GullyExportDef* def) {
    char* end;
    def->fill_lowest = strcmp(text, "lowest") == 0;
    if (def->fill_lowest) return true;
    def->fill = strtod(text, &end);
    if (end != text && !*end && fabs(def->fill) <= 1e30) return true;
    console_error("%s: --fill wants metres or the word lowest, not '%s'", command, text);
    return false;
}

bool export_def(const char* command, const ExportOptions* options, GullyExportDef* def) {
    *def = gully_export_default();
    def->format = options->format;
    def->preset = options->preset;
    def->low = options->range[0];
    def->high = options->range[1];
    def->nodata = options->nodata;
    def->flip = options->flip;
    def->dry_run = options->dry_run;
    def->big_endian = options->order && strcmp(options->order, "big") == 0;
    if (options->fill && !read_fill(command, options->fill, def)) return false;
    return !options->size || size_read(command, "size", options->size, &def->width, &def->height);
}

void stem_of(const char* path, char* buffer, size_t size) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    size_t start = length;
    while (start > 0 && path[start - 1] != '/')
        start--;
    size_t end = length;
    for (size_t i = length; i > start + 1; i--) {
        if (path[i - 1] != '.') continue;
        end = i - 1;
        break;
    }
    snprintf(buffer, size, "%.*s", (int)(end - start), path + start);
    if (!buffer[0] || strcmp(buffer, "/") == 0 || buffer[0] == '.')
        snprintf(buffer, size, "terrain");
}

// ---- saying it ----------------------------------------------------------------------------------

static void print_export(const GullyRaster* raster, const GullyExportDef* def,
                         const GullyTilesDef* tiles, const GullyExported* e) {
    printf("file        %s%s\n", e->path, def->dry_run ? " (not written: a dry run)" : "");
    printf("format      %s: %s\n", e->format->name, e->format->summary);
    if (tiles)
        printf("tiles       %d x %d of %d cells%s\n", e->columns, e->rows, tiles->side,
               tiles->overlap ? ", border rows and columns shared" : "");
    printf("size        %d x %d cells", e->width, e->height);
    if (e->width != raster->width || e->height != raster->height) {
        printf(", resampled from %d x %d", raster->width, raster->height);
        if (!def->width)
            printf(tiles ? ": so many that the tiles of %s are whole"
                         : ": the nearest size that %s takes",
                   def->preset);
    }
    printf("\nheights     %.9g to %.9g m\n", e->low, e->high);
    if (e->filled) printf("nodata      %zu cells, filled\n", e->filled);
    if (e->nodata) printf("nodata      %zu cells without a height\n", e->nodata);
    if (e->format->sidecar && !tiles) printf("sidecar     %s.json\n", e->path);
}

static int json_export(const GullyTilesDef* tiles, const GullyExported* e) {
    json_t* json = json_pack("{s:s, s:s, s:[i, i], s:f, s:f, s:b, s:I, s:I}", "file", e->path,
                             "format", e->format->name, "size", e->width, e->height, "min", e->low,
                             "max", e->high, "sidecar", e->format->sidecar, "nodata",
                             (json_int_t)e->nodata, "filled", (json_int_t)e->filled);
    if (tiles)
        json_object_set_new(json, "tiles",
                            json_pack("{s:i, s:i, s:i, s:b}", "columns", e->columns, "rows",
                                      e->rows, "side", tiles->side, "overlap", tiles->overlap));
    return console_json(json);
}

// ---- to standard output -------------------------------------------------------------------------

/// One file, of the raster's values or of rows.
static GullyStatus export_one(const char* path, const char* name, const GullyRaster* raster,
                              const GullyRows* rows, const GullyExportDef* def,
                              GullyExported* out) {
    return rows ? gully_export_rows(path, name, raster, rows, def, out)
                : gully_export(path, name, raster, def, out);
}

/// One file to standard output; what its sidecar would say goes to stderr.
static int export_standard(const char* name, const GullyRaster* raster, const GullyRows* rows,
                           const GullyExportDef* def) {
    if (!def->format && !def->preset) {
        console_error("-: standard output has no name that says a format; --format does");
        return EXIT_USAGE;
    }
    const char* folder;
    GullyExported e;
    GullyStatus status = standard_output_folder(&folder);
    if (status == GULLY_OK) status = export_one(folder, name, raster, rows, def, &e);
    if (status == GULLY_OK && !def->dry_run) status = standard_write_file(e.path);
    if (status != GULLY_OK) return console_fail(status);
    if (e.format->sidecar && !console_is_quiet())
        fprintf(stderr,
                "gully: %s: %d x %d cells, %.9g to %.9g m; standard output has no sidecar\n",
                e.format->name, e.width, e.height, e.low, e.high);
    return EXIT_DONE;
}

int export_run(const char* path, const char* name, const GullyRaster* raster, const GullyRows* rows,
               const ExportOptions* options, const GullyExportDef* def,
               const GullyTilesDef* tiles) {
    assert(!tiles || !rows);
    if (is_standard(path) && tiles) {
        console_error("-: tiles are many files; name a folder");
        return EXIT_USAGE;
    }
    if (is_standard(path)) return export_standard(name, raster, rows, def);
    GullyExported exported;
    GullyExportDef set = *def;
    GullyStatus status = gully_outputs_create(&set.outputs);
    if (status != GULLY_OK) return console_fail(status);
    status = tiles ? gully_export_tiles(path, name, raster, &set, tiles, &exported)
                   : export_one(path, name, raster, rows, &set, &exported);
    if (status == GULLY_OK)
        status = gully_outputs_commit(set.outputs);
    else
        gully_outputs_abandon(set.outputs);
    if (status != GULLY_OK) return console_fail(status);
    if (exported.nodata && def->preset && !options->quiet)
        fprintf(stderr,
                "gully: %s: %zu cells have no height, and %s knows no such cells: it shows them as "
                "pits or spikes; --fill METRES or --fill lowest gives them one\n",
                exported.path, exported.nodata, def->preset);
    if (options->json) return json_export(tiles, &exported);
    if (!options->quiet) print_export(raster, def, tiles, &exported);
    return EXIT_DONE;
}
