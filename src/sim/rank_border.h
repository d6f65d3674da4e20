// SPDX-License-Identifier: MIT
/// Borders between ranks: what a sweep has to know of the rows that its neighbours keep, by message.
///
///     rank 0   ┌──────────────────┐
///              │                  │
///              │ - - - - - - - -  │  its last rows ──> the rows beyond, to the north of rank 1
///     ─────────┼──────────────────┼─────────
///              │ - - - - - - - -  │  its first rows ──> the rows beyond, to the south of rank 0
///     rank 1   │                  │
///              └──────────────────┘
///
/// Before a visit both send as many rows as information travels in it. So there is one exchange of cells
/// for each visit, and none within. A sweep goes from north to south: while it does, the rows from the
/// south are still on their way, and are waited for only when it comes to them.
#ifndef RANK_BORDER_H
#define RANK_BORDER_H

#include <pthread.h>
#include <stdatomic.h>

#include "border.h"

/// Messages on their way.
typedef struct RankBorder {
    char *sent[SIDES], *received[SIDES]; // only north and south
    size_t room;                         // bytes of each
    pthread_mutex_t lock;                // of what follows
    atomic_bool awaits[SIDES];           // rows are not here yet
    GullyStatus status;                  // of taking them
    char message[512];                   // that belongs to it
} RankBorder;

void rank_border_init(RankBorder* border);
void rank_border_free(RankBorder* border);

/// Makes room for the messages of a band; keeps what is there if that is enough.
GullyStatus rank_border_reserve(RankBorder* border, const Band* band, const Plan* plan);

/// Lets neighbours know which cells are nodata and which tiles are missing, near their borders. True in
/// `changed` if something was not known.
GullyStatus rank_border_tell(GullyWorld* world, const Plan* plan, int depth, bool* changed);

/// Lets neighbours know what is active near their borders.
GullyStatus rank_border_wake(Activity* activity, const GullyWorld* world, int reach, int fringe);

/// Begins to exchange the rows of a visit. A rank that fails here sends all the same, so that nobody
/// waits.
GullyStatus rank_border_begin(RankBorder* border, const Band* band, const Plan* plan,
                              const Activity* activity);

/// Waits for the rows beyond a side of the band that is visited, if they are not here yet, and fills
/// their strips. Any thread may call it.
void rank_border_take(RankBorder* border, Borders* borders, const Band* band, const Plan* plan,
                      const Activity* activity, Side side);

/// Lets messages go on; any thread may call it, now and then.
void rank_border_progress(RankBorder* border, const GullyWorld* world);

/// Ends the exchange: all messages are through. The status of all of it.
GullyStatus rank_border_end(RankBorder* border, const GullyWorld* world);

#endif
