// SPDX-License-Identifier: MIT
/// Settings from the inside: sections of parameters and a list of sources.
#ifndef SETTINGS_H
#define SETTINGS_H

#include "gully/sim.h"
#include "law.h"

/// Most sections: the model's, one for each add-on, and those of no law.
enum { MAX_SECTIONS = MAX_LAWS + 8, MAX_CYCLE = 64, MOST_TIMES = 1000 };

typedef struct Section {
    const char* name;
    const GullyParamTable* table;
    void* values;
    const Law* add_on; // the law whose section it is, if it is one
    bool on;           // of an add-on
} Section;

/// An operator of the model, a few times in a row.
typedef struct CycleEntry {
    int operator; // of the law's
    int times;
} CycleEntry;

struct GullySettings {
    const Law* model;
    CycleEntry cycle[MAX_CYCLE]; // what a step is made of, if the model has operators
    int cycle_count;
    Section sections[MAX_SECTIONS];
    int section_count;
    GullySource* sources;
    int source_count;
};

/// The values of a section that is known to exist.
const void* settings_values(const GullySettings* settings, const char* section);

bool settings_equal(const GullySettings* a, const GullySettings* b);

/// Checks every value against its table; the message names the key.
GullyStatus settings_check(const GullySettings* settings);

#endif
