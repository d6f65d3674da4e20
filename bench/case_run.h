// SPDX-License-Identifier: MIT
/// A case while it runs: its world and simulation, and what the events do to them.
#ifndef CASE_RUN_H
#define CASE_RUN_H

#include "case.h"

typedef struct Run {
    const Case* c;
    uint64_t random; ///< the state of its random numbers
    GullyWorld* world;
    GullySettings* settings; ///< as the simulation has them
    GullySim* sim;
    GullyEditor* editor; ///< from the first edit on, or NULL
    GullyMaterial materials[GULLY_MAX_MATERIALS];
    CaseNote* note;
    void* to;
} Run;

/// Notes whether a call worked, and returns it.
bool run_did(Run* run, const char* name, GullyStatus status);

/// A way to compute that results must not depend on.
typedef struct RunWay {
    int tile_size, threads;
    bool plain;
} RunWay;

/// Opens the world and a simulation with the settings there are. A call that failed was noted.
bool run_open(Run* run, RunWay way);
void run_close(Run* run);

/// Destroys the editor; what it had applied stays in the settings.
void run_close_editor(Run* run);

/// Changes the settings at random: parameters, the operators of a step, the time step.
void run_mix_settings(Run* run);

/// Water from these (SUPPLY_*), sources anew at random places.
void run_set_supply(Run* run, unsigned supply);

/// Opens and closes the sides; bits: west, east, north, south.
void run_set_sides(Run* run, unsigned open);
void run_switch_add_ons(Run* run, bool on);

/// Values from low to high for every cell of a rectangle; to be freed.
float* run_pattern(Run* run, GullyRect rect, double low, double high);

/// Writes such values, and notes whether they were taken.
bool run_write_pattern(Run* run, GullyField field, GullyRect rect, double low, double high);

/// A rectangle of the world.
GullyRect run_rect(Run* run);

void run_event(Run* run, CaseEvent event);

#endif
