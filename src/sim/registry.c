// SPDX-License-Identifier: MIT
/// The laws as users see them.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "gully/sim.h"
#include "law.h"

static GullyLawInfo infos[MAX_LAWS];
static char operators[MAX_LAWS][128]; // "a|b|c"
static pthread_once_t described = PTHREAD_ONCE_INIT;

/// The operators of a law as "a|b|c"; NULL if it has none.
static const char* join_operators(const Law* law, char* buffer, size_t size) {
    int used = 0;
    for (int i = 0; i < law->operator_count && used < (int)size; i++)
        used += snprintf(buffer + used, size - (size_t)used, "%s%s", i ? "|" : "",
                         law->operators[i].name);
    assert(used < (int)size);
    return law->operators ? buffer : NULL;
}

static void describe_laws(void) {
    for (int i = 0; i < law_count(); i++) {
        const Law* law = law_at(i);
        infos[i] = (GullyLawInfo){
            .name = law->name,
            .summary = law->summary,
            .source = law->source,
            .add_on = law->add_on,
            .layers = law->layers,
            .still_water_erodes = law->still_water_erodes,
            .counts_steps = law->counts_steps,
            .dry_only = law->dry_only,
            .operators = join_operators(law, operators[i], sizeof operators[i]),
            .time_unit = law_time_unit(law),
            .dt = law->max_dt   ? 0
                  : law->dt > 0 ? law->dt
                                : 1,
            .params = law->params,
        };
    }
}

int gully_law_count(void) {
    return law_count();
}

const GullyLawInfo* gully_law_info(int index) {
    if (index < 0 || index >= law_count()) return NULL;
    pthread_once(&described, describe_laws);
    return &infos[index];
}

const GullyLawInfo* gully_law_find(const char* name) {
    for (int i = 0; i < law_count(); i++) {
        if (strcmp(law_at(i)->name, name) == 0) return gully_law_info(i);
    }
    return NULL;
}
