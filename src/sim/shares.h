/// How the threads of a sweep share a world: each share is some rows of one panel.
///
/// Panels are cut where that gives every thread about as many cells that are awake. A share
/// computes what it needs of the rows beyond a cut itself, in copies of them, as a panel does with
/// columns. So shares never wait for each other, and where the cuts are shows in no result.
#ifndef SHARES_H
#define SHARES_H

#include "rest.h"

/// Between row-1 and row of panel tx.
typedef struct Cut {
    int tx, row;
} Cut;

typedef struct Share {
    int tx;
    int first, end;   // rows
    int north, south; // the cuts that it begins and ends with, -1 = none: the side of the world
    int64_t awake;    // cells
} Share;

typedef struct Shares {
    Share* list; // the largest first
    Cut* cuts;
    int count, cut_count;
} Shares;

GullyStatus shares_create(const GullyWorld* world, int threads, Shares* out);
void shares_destroy(Shares* shares);

/// Shares what is awake among up to as many threads as it was made for. A cut keeps `least` rows
/// away from others and from the sides of the world.
void shares_find(Shares* shares, const GullyWorld* world, const Rest* rest, int threads, int least);

#endif
