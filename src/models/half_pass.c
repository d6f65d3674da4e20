// SPDX-License-Identifier: MIT
/// Half precision: the last pass of a step, in a world that wants it. What rounding takes away is
/// counted.
#include "half_pass.h"

#include "half.rows.h"

#define ALL_FIELDS (HALF_FIELDS | OWN_FIELDS)

/// It may round all of these; a simulation declares those that its law has.
static const Pass passes[] = {
    {PASS(half), .reads = ALL_FIELDS, .writes = ALL_FIELDS,
     .counts = ACCOUNT_BIT(WATER_ROUNDED) | ACCOUNT_BIT(SOLID_ROUNDED)},
};

static const KnownValue known[] = {
    KNOWN_VALUE(COMMON, HalfConsts, common),
    KNOWN_VALUE(OWN, HalfConsts, own),
};

DEFINE_LAW(half) = {
    .name = "half",
    .summary = "rounds to half precision",
    .passes = passes,
    .pass_count = 1,
    .consts_size = sizeof(HalfConsts),
    .known = known,
    .known_count = sizeof known / sizeof *known,
};
