// SPDX-License-Identifier: MIT
/// Turns: laws whose passes run as often as a parameter says, and not once in a step.
#include <math.h>

#include "step_list.h"

/// Turns of a law that are due before a moment, if they are at the times 0, 1/rate, 2/rate ... A
/// turn that rounding puts just before the moment counts as one after it, and belongs to the step
/// that begins then.
static double turns_before(double rate, double time) {
    return ceil(rate * time - 1e-6);
}

/// How often a law's passes run in a step.
int step_list_turns(const BoundLaw* bound, const StepClock* clock, int64_t step) {
    if (bound->turn_rate < 0) return 1;
    const double due = turns_before(bound->turn_rate, clock_time(clock, step + 1)) -
                       turns_before(bound->turn_rate, clock_time(clock, step));
    return due < bound->turns ? (int)due : bound->turns;
}

/// Finds how often the laws of a step have their turn.
GullyStatus step_list_count_turns(StepList* list) {
    for (int i = 0; i < list->law_count; i++) {
        BoundLaw* bound = &list->laws[i];
        const Law* law = bound->law;
        bound->turns = 1;
        bound->turn_rate = -1;
        if (!law->turns_per_second) continue;
        bound->turn_rate = law->turns_per_second(settings_values(list->settings, bound->section));
        const double most = ceil(bound->turn_rate * list->dt - 1e-6);
        if (most > MOST_TURNS)
            return gully_fail(GULLY_BAD_INPUT,
                              "%s.rate: %g per %s are %g in a step of %g; allowed: up to %d in a "
                              "step, by a lower rate or a shorter dt",
                              bound->section, bound->turn_rate,
                              law_time_unit(list->settings->model), most, list->dt, MOST_TURNS);
        bound->turns = (int)most;
    }
    return GULLY_OK;
}
