// SPDX-License-Identifier: MIT
/// Standard input and output in the place of files: the name "-".
#ifndef GULLY_CLI_STANDARD_H
#define GULLY_CLI_STANDARD_H

#include <stdbool.h>
#include <stddef.h>

#include "gully/status.h"

/// Whether a path is "-".
bool is_standard(const char* path);

/// All of standard input, ended by a 0 that does not count. Free it with free().
GullyStatus standard_read(char** bytes, size_t* size);

/// A file with all of standard input, for readers that want one; it goes away with the program.
/// `path` belongs to this module.
GullyStatus standard_input_file(const char** path);

/// A new folder for what goes to standard output; it goes away with the program, and so does what
/// is in it. `path` belongs to this module and ends with a slash.
GullyStatus standard_output_folder(const char** path);

/// Copies a file, or bytes, to standard output.
GullyStatus standard_write_file(const char* path);
GullyStatus standard_write(const void* bytes, size_t size);

#endif
