// SPDX-License-Identifier: MIT
/// What same.c knows of a version of the library: a list of cases, and the numbers that each comes
/// to. Nothing that may change between versions.
#ifndef CASES_H
#define CASES_H

#include <stddef.h>
#include <stdint.h>

/// Takes a number of a case: what it is ("terrain", "water.left"), at which step, and its bits.
typedef void CaseNote(void* to, const char* what, int64_t step, uint64_t bits);

/// What a call is noted as: "did " and its name; the bits are 1 if it worked and 0 if not.
#define CASE_CALL "did "

int case_count(void);

/// A case in words, of one line.
void case_describe(int index, char* text, size_t size);

/// Runs a case from its beginning and notes every number that users can read, at several steps.
void case_run(int index, CaseNote* note, void* to);

#endif
