// SPDX-License-Identifier: MIT
/// Bands: how a sweep covers a world that memory does not hold.
///
/// A band is some rows of the world, of all panels. Its tiles are in memory while a visit steps it,
/// several runs in a row. The rows beyond its two sides are copies of the state before the visit, as
/// deep as the visit reaches. A run computes those it can still get right, and they become fewer:
///
///        run 0    run 1    run 2
///          .
///          │        .                   rows to the north, as before the visit
///          │        │
///     ─────┼────────┼────────┼─────
///          │        │        │          the band's own rows, in its tiles
///     ─────┼────────┼────────┼─────
///          │        │
///          │        '                   rows to the south
///          '
///
/// Bands are visited from north to south. Before a band steps, its last rows are saved for the next
/// one. So results do not depend on bands. A world that fits into memory is one band, and a visit is
/// one run.
#ifndef BAND_H
#define BAND_H

#include "activity.h"

/// Runs of a visit, at most: beyond it, computing what lies beyond a band costs more than the saved
/// reading and writing brings.
enum { MAX_VISIT_RUNS = 8 };

/// How the rows of a world are divided.
typedef struct Bands {
    int rows;  // of a band; the last one may have fewer
    int runs;  // of a visit, at most
    int depth; // rows beyond a band that a visit reads
} Bands;

/// Chooses bands for a world with its layout, for visits of as many runs as there is room for; with
/// `most_runs`, which is not 0, of no more than those, also where the world fits into memory. A world
/// that memory has no room to visit is refused.
GullyStatus bands_choose(const GullyWorld* world, const Plan* plan, int most_runs, Bands* out);

/// The band that is being visited, and the rows beyond it.
typedef struct Band {
    const GullyWorld* world;
    int first, end;   // own rows
    int depth;        // rows beyond either side that there is room for
    float* memory[3]; // of the rows: north, south, and those saved for the next band
} Band;

/// Makes room for rows beyond a band; keeps what is there if that is enough.
GullyStatus band_reserve(Band* band, GullyWorld* world, int depth);
void band_free(Band* band);

/// The rows beyond the first and the last band of a rank come by messages. Bytes of one, at most.
size_t band_message_bytes(const Band* band, const Plan* plan);

/// Writes a message of `depth` own rows from `first` on, where something is awake. If it fails, the
/// message is an empty one.
GullyStatus band_pack(const Band* band, const Plan* plan, const Activity* activity, int first,
                      char* message, size_t* size);

/// Takes the rows beyond a side of the band that is visited out of a message.
void band_unpack(const Band* band, const Plan* plan, Side side, char* message);

/// Begins a visit of rows first .. end-1. Pins the tiles in which something is awake, or near it,
/// `around` rows; copies the rows beyond.
GullyStatus band_begin(Band* band, const Plan* plan, const Activity* activity, int first, int end,
                       int around);

/// Ends a visit; `around` as before.
void band_end(const Band* band, const Activity* activity, int around);

/// Where row y of a panel begins, strip included: in its tile or beyond the band. NULL if its tile
/// sleeps, out of memory.
float* band_row(const Band* band, int panel, int y);

/// Floats of a row of all fields, strips included.
size_t band_row_floats(const GullyWorld* world, int panel);

#endif
