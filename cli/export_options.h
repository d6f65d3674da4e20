// SPDX-License-Identifier: MIT
/// Options of commands that write a terrain in any format.
#ifndef GULLY_CLI_EXPORT_OPTIONS_H
#define GULLY_CLI_EXPORT_OPTIONS_H

#include "command.h"
#include "gully/export.h"

typedef struct ExportOptions {
    const char *format, *preset, *size, *order, *fill;
    double range[2];
    double nodata;
    bool flip, json, quiet, dry_run;
} ExportOptions;

/// Nothing given.
#define EXPORT_NOTHING                                                                             \
    { .range = {NAN, NAN}, .nodata = NAN }

/// Rows of a command's table for the member `out` of its values.
// clang-format off
#define EXPORT_ROWS(Struct) \
    {OPTION_TEXT, 'f', "format", "NAME", "tif, cog, png16, exr, r16, r32, asc or hgt (default: by " \
     "the name of the file)", offsetof(Struct, out.format), false, 0, 0}, \
    {OPTION_TEXT, 'p', "preset", "NAME", "unity, unreal, godot or blender: size, range, rows and " \
     "names as the engine wants them", offsetof(Struct, out.preset), false, 0, 0}, \
    {OPTION_TEXT, 's', "size", "W[xH]", "cells; of W alone the height follows from the aspect (default: " \
     "as they are, or the nearest size that the preset takes)", offsetof(Struct, out.size), false, 0, 0}, \
    {OPTION_PAIR, 'r', "out-range", "LOW,HIGH", "metres that 0 and 65535 stand for (default: of the " \
     "terrain)", offsetof(Struct, out.range), false, -1e30, 1e30}, \
    {OPTION_NUMBER, 0, "nodata", "N", "number of cells without a height (default: the format's)", \
     offsetof(Struct, out.nodata), false, -3.4e38, 3.4e38}, \
    {OPTION_TEXT, 0, "fill", "METRES|lowest", "give cells without a height that one, or the lowest " \
     "that there is", offsetof(Struct, out.fill), false, 0, 0}, \
    {OPTION_FLAG, 0, "flip", NULL, "rows from south to north", offsetof(Struct, out.flip), false, 0, 0}, \
    {OPTION_CHOICE, 0, "order", "little|big", "byte order of raw numbers (default: little)", \
     offsetof(Struct, out.order), false, 0, 0}, \
    {OPTION_FLAG, 0, "json", NULL, "print JSON", offsetof(Struct, out.json), false, 0, 0}, \
    {OPTION_FLAG, 'n', "dry-run", NULL, "check everything and say what would be written, but write " \
     "nothing", offsetof(Struct, out.dry_run), false, 0, 0}, \
    {OPTION_FLAG, 'q', "quiet", NULL, "print nothing but errors", offsetof(Struct, out.quiet), false, 0, 0}
// clang-format on

/// Reads "W", of which the height is 0, or "WxH"; false after a message that names the option.
bool size_read(const char* command, const char* option, const char* text, int* width, int* height);

/// What the options ask for; false after a message.
bool export_def(const char* command, const ExportOptions* options, GullyExportDef* def);

/// The name of a file without its folder and extension.
void stem_of(const char* path, char* buffer, size_t size);

/// Writes a raster to a file, or as tiles if `tiles` is not NULL, all of it or nothing, and says
/// so. Unless `rows` is NULL, the values come from there (not for tiles). Returns the exit code.
int export_run(const char* path, const char* name, const GullyRaster* raster, const GullyRows* rows,
               const ExportOptions* options, const GullyExportDef* def, const GullyTilesDef* tiles);

#endif
