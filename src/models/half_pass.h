/// Half precision (half.h): rounds what a world keeps as halves at the end of every step.
#ifndef HALF_PASS_H
#define HALF_PASS_H

#include "law.h"

/// The constants of the pass: what it rounds. A remainder gets what its value loses.
typedef struct HalfConsts {
    FieldSet fields;
} HalfConsts;

#endif
