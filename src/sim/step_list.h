// SPDX-License-Identifier: MIT
/// The list of a step: everything that follows from settings. Which laws act, with which constants,
/// which of their passes make up a step, and what happens at the beginning of each step.
///
/// Water supply and rounding to half precision are laws like all others here. The supply's constants
/// change from step to step, so it has a begin-of-step hook.
#ifndef STEP_LIST_H
#define STEP_LIST_H

#include "band.h"
#include "level_registers.h"
#include "pace.h"
#include "settings.h"
#include "supply.h"

/// Rounds what a law keeps to half precision: a pass of its own for each law.
typedef struct Rounding Rounding;

/// A law at work on a world.
typedef struct BoundLaw BoundLaw;
struct BoundLaw {
    const Law* law;
    const char* section;  // of its parameters
    void* consts;         // of every step, unless there is a hook
    EdgeConsts edges;     // of its edges pass
    const void* now;      // constants of the step that is being begun
    int slots[FIELD_IDS]; // where its fields are stored
    Rounding* rounding;   // NULL = none
    int turns;            // most times that its passes run in a step
    double turn_rate;     // how often they do so [1/s]; below 0: once in every step
    int turns_now;        // times that they run in the step that is being begun
    /// Begin-of-step hook: the constants of a step, the `ahead`th of its run; NULL = nothing to do.
    const void* (*begin)(const BoundLaw* bound, int ahead, const StepClock* clock, int64_t step);
    Supply* supplies; // what the supply's hook draws: one for each step of a run
};

/// Steps that may be begun at once, at most.
enum { MAX_VISIT_STEPS = MAX_VISIT_RUNS * MAX_RUN_STEPS };

/// Most turns of a law in a step.
enum { MOST_TURNS = 100 };

/// The laws of every list begin with these; add-ons follow.
enum { SUPPLY, MODEL, FIRST_ADD_ON };

typedef struct StepList {
    GullySettings* settings; // our own copy
    double dt;               // [s]
    StepPace pace;           // as in StepListDef
    Registers* registers;    // likewise
    BoundLaw* laws;
    int law_count;
    StepEntry* entries; // of a step, in order
    int* entry_law;     // the law of each
    int* entry_turn;    // and its turn
    int entry_count;
    bool rounds;         // as in StepListDef
    int run_steps;       // that may be begun at once
    const void** consts; // [MAX_VISIT_STEPS][entries], of the steps under way
    Supply supplies[MAX_VISIT_STEPS];
} StepList;

/// What a list depends on beside settings.
typedef struct StepListDef {
    const GullyWorld* world;
    uint64_t seed;
    bool masks, velocity;     // whether those fields are kept
    bool plain;               // laws compiled for one cell at a time
    StepPace pace;            // of a level; else 0
    Registers* registers;     // of a level that meets others; else NULL
    bool rounds;              // only the passes that run alone before a step (Law.rounds)
    const StepList* previous; // the list that this one will replace, or NULL
} StepListDef;

/// Checks settings and lists their step. The world stays as it is.
GullyStatus step_list_create(const StepListDef* def, const GullySettings* settings, StepList** out);
void step_list_destroy(StepList* list);

/// Gives the world the fields that the step needs, stored as a stepper wants them.
GullyStatus step_list_lay_out(StepList* list, const StepListDef* def, const StepperKind* kind,
                              GullyWorld* world);

/// What a law of the list needs of the world with these settings (Law.needs).
FieldSet step_list_needs(const StepList* list, int index);

/// Looks up where common fields are stored: one may have been added since.
void step_list_bind(StepList* list, const GullyWorld* world);

/// Gets ready for beginning so many steps at once.
GullyStatus step_list_reserve(StepList* list, const GullyWorld* world, int steps);

/// Begins the steps of a run: calls the hooks and lists the constants of all entries.
StepConsts step_list_begin(StepList* list, const StepClock* clock, int64_t first, int steps);

/// Scales the fields that are amounts per step, for another length of the step.
GullyStatus step_list_scale(const StepList* list, GullyWorld* world, double ratio);

/// Finds how often the laws of a step have their turn at most; and how often one has it in a step
/// (turns.c).
GullyStatus step_list_count_turns(StepList* list);
int step_list_turns(const BoundLaw* bound, const StepClock* clock, int64_t step);

#endif
