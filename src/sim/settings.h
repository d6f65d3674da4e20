/// Settings from the inside: sections of parameters and a list of sources.
#ifndef SETTINGS_H
#define SETTINGS_H

#include "gully/sim.h"
#include "law.h"

enum { MAX_SECTIONS = 16 };

typedef struct Section {
    const char* name;
    const GullyParamTable* table;
    void* values;
    const Law* add_on; // the law whose section it is, if it is one
    bool on;           // of an add-on
} Section;

struct GullySettings {
    const Law* model;
    Section sections[MAX_SECTIONS];
    int section_count;
    GullySource* sources;
    int source_count;
};

/// The values of a section that is known to exist.
const void* settings_values(const GullySettings* settings, const char* section);

/// Checks every value against its table; the message names the key.
GullyStatus settings_check(const GullySettings* settings);

#endif
