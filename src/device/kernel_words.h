// SPDX-License-Identifier: MIT
/// What the sources of kernels and of chains are made of.
#ifndef KERNEL_WORDS_H
#define KERNEL_WORDS_H

#include "kernels.h"
#include "text.h"

typedef struct FieldName {
    char text[64];
} FieldName;

/// The name of a field: "w_" and the name is its window, "in_" and the name its buffer.
FieldName field_name(int id, const Law* law);

/// A number as a literal.
void add_number(Text* text, float number);

/// Points a row at the windows of a pass's fields. A field that is not there reads as its value, in
/// a window that absent_windows declares.
void bind_fields(Text* text, const DevicePass* pass);
extern const char absent_windows[];

/// Writes the rows of the laws that some passes of a step need, each once, and what all kernels
/// have in common.
GullyStatus add_rows(Text* text, const KernelPlan* plan, const int* passes, int count);

/// Writes what adds up the accounts that a patch has counted, some at once: shares[at_once] is local
/// memory, `patch` the number of the patch.
void write_sums(Text* text, AccountSet counts, int at_once, const char* patch);

#endif
