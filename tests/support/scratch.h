// SPDX-License-Identifier: MIT
/// A folder for a test's files, which goes away with the test.
#ifndef SCRATCH_H
#define SCRATCH_H

#include <stddef.h>

/// For cmocka: makes the folder, under TMPDIR if that is set; removes it with all it holds.
int scratch_make(void** state);
int scratch_remove(void** state);

const char* scratch_folder(void);

/// The path of a file in the folder; eight of them stay valid.
const char* in_scratch(const char* name);

void write_plain(const char* name, const void* bytes, size_t size);
void write_text(const char* name, const char* text);
void assert_text(const char* name, const char* expected);

/// Asserts that a folder holds these names (in order, with a space after each) and nothing else,
/// hidden files included.
void assert_holds(const char* path, const char* expected);

#endif
