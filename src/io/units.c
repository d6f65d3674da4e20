// SPDX-License-Identifier: MIT
#include "units.h"

#include <math.h>
#include <stdio.h>

#include "names.h"

static const struct {
    const char* people; ///< call it so
    const char* names;
    double metres;
} units[] = {
    {"metres", "m|metre|metres|meter|meters|[m]", 1.0},
    {"feet", "ft|foot|feet|international foot|international feet|[ft]|'", 0.3048},
    {"US survey feet",
     "ftUS|us-ft|US survey foot|US survey feet|US_survey_foot|Foot_US|US foot|US feet|"
     "U.S. survey foot|survey foot|[us_ft]",
     1200.0 / 3937.0},
    {"centimetres", "cm|centimetre|centimetres|centimeter|centimeters", 0.01},
    {"decimetres", "dm|decimetre|decimetres|decimeter|decimeters", 0.1},
    {"millimetres", "mm|millimetre|millimetres|millimeter|millimeters", 0.001},
    {"kilometres", "km|kilometre|kilometres|kilometer|kilometers", 1000.0},
    {"inches", "in|inch|inches", 0.0254},
    {"yards", "yd|yard|yards", 0.9144},
    {"fathoms", "fathom|fathoms", 1.8288},
};
enum { UNITS = sizeof units / sizeof units[0] };

double unit_of_length(const char* name) {
    for (int i = 0; i < UNITS; ++i)
        if (names_have(units[i].names, name)) return units[i].metres;
    return 0.0;
}

bool unit_is_of_ours(const char* name) {
    return names_have("m/s|m2/s|1/m|degrees|index", name);
}

/// Both feet differ by two millionths: nearer than that it is the same unit.
static bool is_same(double a, double b) {
    return fabs(a - b) < 5e-7 * b;
}

bool unit_is_foot(double metres) {
    return is_same(metres, 0.3048) || is_same(metres, 1200.0 / 3937.0);
}

void unit_name(double metres, char* buffer, size_t size) {
    snprintf(buffer, size, "units of %g m", metres);
    for (int i = 0; i < UNITS; ++i)
        if (is_same(metres, units[i].metres)) snprintf(buffer, size, "%s", units[i].people);
}
