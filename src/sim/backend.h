// SPDX-License-Identifier: MIT
/// The backend of a simulation: the device that it may step on, and the programs being built for it.
///
/// Programs are built in the background. Until they are ready, and after a device has failed, the
/// simulation steps on the processor: all steppers give the same bits.
#ifndef BACKEND_H
#define BACKEND_H

#include "lease.h"
#include "step_list.h"

typedef struct Backend Backend;

/// Opens the device that is asked for; none for GULLY_CPU, and none that fits for GULLY_AUTO, is no
/// failure.
GullyStatus backend_open(GullyBackend wanted, const char* name, GullyWorld* world, Backend** out);
void backend_close(Backend* backend);

/// The world's fields on the device; NULL = the processor steps.
struct DeviceWorld* backend_world(const Backend* backend);

/// Whether the device can run a step now. If its programs are not built yet, that is begun.
bool backend_is_ready(Backend* backend, const StepList* list);

/// Whether the programs that were being built are ready, or have failed.
bool backend_is_built(const Backend* backend);

/// Waits until the programs that are being built are ready, or have failed.
void backend_wait(Backend* backend);

/// The list has changed: what was ready for it no longer is.
void backend_forget(Backend* backend);

/// Gives the device up: from now on the processor steps.
void backend_fail(Backend* backend, const char* message);

/// Views (gully/sim.h): begins one of some slots, and gives the newest; the clock is that of now.
bool backend_view_begin(Backend* backend, SlotSet slots, int64_t step, double time);
const GullyView* backend_view(Backend* backend);

void backend_describe(const Backend* backend, GullySimDevice* out);

#endif
