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
/// for each visit, and none within.
#ifndef RANK_BORDER_H
#define RANK_BORDER_H

#include "band.h"

/// Messages on their way.
typedef struct RankBorder {
    char *sent[SIDES], *received[SIDES]; // only north and south
    size_t room;                         // bytes of each
} RankBorder;

void rank_border_free(RankBorder* border);

/// Makes room for the messages of a band; keeps what is there if that is enough.
GullyStatus rank_border_reserve(RankBorder* border, const Band* band, const Plan* plan);

/// Lets neighbours know which cells are nodata and which tiles are missing, near their borders. True in
/// `changed` if something was not known.
GullyStatus rank_border_tell(GullyWorld* world, const Plan* plan, int depth, bool* changed);

/// Lets neighbours know what is active near their borders.
GullyStatus rank_border_wake(Activity* activity, const GullyWorld* world, int reach, int fringe);

/// Begins to exchange the rows of a visit; and takes those that came, before its first band. `status`
/// is of what came before: a rank that has failed sends all the same, so that nobody waits.
GullyStatus rank_border_begin(RankBorder* border, const Band* band, const Plan* plan,
                              const Activity* activity);
GullyStatus rank_border_finish(RankBorder* border, const Band* band, const Plan* plan);

#endif
