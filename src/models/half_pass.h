// SPDX-License-Identifier: MIT
/// Half precision (half.h): at the end of every step, fields that a world keeps as halves are
/// rounded.
#ifndef HALF_PASS_H
#define HALF_PASS_H

#include "half.cell.h"
#include "law.h"

/// The own fields of a law.
#define OWN_FIELDS (FIELD_BIT(FIELD_IDS) - FIELD_BIT(LAW_FIELDS))

/// The constants of the pass for a set of fields: all of HALF_FIELDS or none of them, and some of
/// a law's own. A remainder gets what its value loses.
static inline HalfConsts half_consts(FieldSet fields) {
    const FieldSet own = (fields & OWN_FIELDS) >> LAW_FIELDS;
    return (HalfConsts){.common = (fields & HALF_FIELDS) != 0, .own = (int)own};
}

#endif
