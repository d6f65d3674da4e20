// SPDX-License-Identifier: MIT
#include "stepper.h"

GullyStatus stepper_open(const StepperKind* kind, const StepperPlace* place,
                         const StepEntry* entries, int count, Stepper** out) {
    *out = NULL;
    Stepper* stepper;
    GullyStatus status = kind->open(place, &stepper);
    if (status) return status;
    status = kind->plan(stepper, entries, count);
    if (status) {
        kind->close(stepper);
        return status;
    }
    *out = stepper;
    return GULLY_OK;
}

void stepper_close(Stepper* stepper) {
    if (stepper) stepper->kind->close(stepper);
}
