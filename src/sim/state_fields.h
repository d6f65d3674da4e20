// SPDX-License-Identifier: MIT
/// Which of a world's fields are its state: all but scratch and what follows from the settings. For
/// those that keep it (state.c, edit/snapshots.c).
#ifndef STATE_FIELDS_H
#define STATE_FIELDS_H

#include "lease.h"

typedef struct StateField {
    char name[32];
    int number; // bytes of one: 4 a float, 2 a half
} StateField;

typedef struct StateFields {
    StateField list[MAX_FIELDS];
    int count;
} StateFields;

/// The fields of a world that are its state, sorted: in which order it got them does not show.
void state_fields_of(const GullyWorld* world, StateFields* out);

bool state_fields_have(const StateFields* fields, const char* name);

/// Whether a field of that name can be part of a state.
bool state_fields_know(const char* name);

/// Adds the fields that the world does not have yet.
GullyStatus state_fields_add(const StateFields* fields, GullyWorld* world);

/// Fields of the world that a state does not have become as new ones.
GullyStatus state_fields_reset_others(const StateFields* fields, GullyWorld* world);

/// The slot of a field, -1 = the world does not have it.
int state_slot(const GullyWorld* world, const char* name);

#endif
