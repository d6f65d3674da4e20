// SPDX-License-Identifier: MIT
/// Options of commands that read rasters: the rows of GULLY_READ_TABLE.
#ifndef GULLY_CLI_READ_OPTIONS_H
#define GULLY_CLI_READ_OPTIONS_H

#include "command.h"

/// Rows of a command's table, each with its comma, for the member `read` of its values, a
/// GullyReadDef. READ_VALUES is the type of the values: a file defines it before it uses the rows.
// clang-format off
#define READ_ROWS GULLY_READ_TABLE(READ_NUMBERS_ROW, READ_CHOICE_ROW)
#define READ_NUMBERS_ROW(member, option, arguments, fewest, most, low, high, help) \
    {OPTION_NUMBERS, 0, option, arguments, help, offsetof(READ_VALUES, read.member), false, low, high},
#define READ_CHOICE_ROW(member, option, names, help) \
    {OPTION_CHOICE, 0, option, names, help, offsetof(READ_VALUES, read.member), false, 0, 0},
// clang-format on

/// Prints what reading a raster has to say, a line each, to stderr.
void read_notes_print(const char* path, const char* notes);

/// Writes what is told as --set of a scene's terrain: "terrain.range=[0,600]". Returns how many.
enum { READ_SETS = 8, READ_SET_SIZE = 96 };
int read_sets(const GullyReadDef* def, char sets[READ_SETS][READ_SET_SIZE]);

#endif
