// SPDX-License-Identifier: MIT
/// What engines want of a terrain, as a table.
#ifndef PRESETS_H
#define PRESETS_H

#include <jansson.h>

#include "gully/export.h"

typedef struct Preset {
    GullyPresetInfo info;
    const char* extension; ///< of its first format, if not the format's own
    bool flip;             ///< rows from south to north
    bool centred;          ///< 32768 is height 0 if there are heights below and above it
    bool from_south; ///< tiles are NAME_X_Z, Z from the south; else NAME_xX_yY, Y from the north
    void (*describe)(const GullySidecar* sidecar, json_t* json); ///< adds to the sidecar; or NULL
} Preset;

/// The preset of that name; NULL after a message.
const Preset* preset_named(const char* name);

/// Writes the sides that a preset takes: "127, 253, 505".
void preset_list_sides(const Preset* preset, char* buffer, size_t size);

/// Whether a preset takes a side of that many cells.
bool preset_takes_side(const Preset* preset, int side);

/// The side nearest to `side` that the preset takes; of two the larger.
int preset_nearest_side(const Preset* preset, int side);

#endif
