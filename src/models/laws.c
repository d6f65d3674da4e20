#include <string.h>

#include "gully/sim.h"
#include "law.h"

// MORE_MODELS lets the tests add laws of their own in the same way.
#define LAW(name) extern const Law law_##name;
#include "models.inc"
#ifdef MORE_MODELS
#include MORE_MODELS
#endif
#undef LAW

static const Law* const laws[] = {
#define LAW(name) &law_##name,
#include "models.inc"
#ifdef MORE_MODELS
#include MORE_MODELS
#endif
#undef LAW
};

enum { LAW_COUNT = sizeof laws / sizeof *laws };

int law_count(void) {
    return LAW_COUNT;
}

const Law* law_at(int index) {
    return laws[index];
}

const Law* law_find(const char* name) {
    for (int i = 0; i < LAW_COUNT; i++) {
        if (strcmp(laws[i]->name, name) == 0) return laws[i];
    }
    return NULL;
}
