// SPDX-License-Identifier: MIT
/// Units of length.
#ifndef UNITS_H
#define UNITS_H

#include <stdbool.h>
#include <stddef.h>

/// Metres of the unit of that name, as GDAL and the formats spell it; 0 if it is none of length.
double unit_of_length(const char* name);

/// Whether that many metres are a foot, the international or the US survey one.
bool unit_is_foot(double metres);

/// Whether a unit is one of those that our own files have beside lengths.
bool unit_is_of_ours(const char* name);

/// What people call it: "US survey feet", or "units of 0.2 m".
void unit_name(double metres, char* buffer, size_t size);

#endif
