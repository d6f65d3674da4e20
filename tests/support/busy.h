// SPDX-License-Identifier: MIT
/// Settings with everything on that a step can do, for tests of any law.
#ifndef BUSY_H
#define BUSY_H

#include "gully/sim.h"

/// Rain of all kinds, an open side, a source, every add-on but the law itself. Fails the test if
/// that fails.
GullySettings* busy_settings(const GullyLawInfo* law, const GullySource* source);

/// Lets a law that routes water before its first step do so only a few times, which is enough where
/// nothing but its arithmetic matters.
void spare_routing(const GullyLawInfo* law, GullySettings* settings);

/// Switches all add-ons on, at a pace that the law's time step allows.
void switch_add_ons_on(const GullyLawInfo* law, GullySettings* settings);

/// Sets a number; fails the test if that fails.
void set_number(GullySettings* settings, const char* key, double value);

#endif
