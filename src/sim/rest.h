/// Which parts of a world are at rest, so that a sweep can leave them out without changing a bit.
///
/// The world is looked at in blocks of REST_BLOCK x REST_BLOCK cells. A block is active if one of
/// the laws found something to do in it: cells where a field of the law's `rest` set is not 0, or
/// cells that the law has marked. What a sweep can carry from block to block goes less than one
/// block far. So a block sleeps through a sweep if neither it nor anything within a block's size
/// of it was active at the end of the last one, and nothing falls there.
#ifndef REST_H
#define REST_H

#include "plan.h"

enum { REST_BLOCK = MOVING_BLOCK };
_Static_assert((int)REST_BLOCK == (int)VECTOR, "the fringe of a stage is as many blocks as vectors");

/// Columns of a panel, in cells; none if from >= to.
typedef struct Columns {
    int from, to;
} Columns;

typedef struct Rest Rest;

GullyStatus rest_create(const GullyWorld* world, Rest** out);
void rest_destroy(Rest* rest);

/// All is active again: settings or cells have been changed.
void rest_wake(Rest* rest);

/// Finds what is awake in a sweep with these supplies.
void rest_begin(Rest* rest, const Plan* plan, int steps, const void* const* supplies);

/// The columns of panel tx that are awake in some of rows first .. end-1.
Columns rest_awake(const Rest* rest, int tx, int first, int end);

/// Where the passes of row y of panel tx mark that they are at work, for each block of columns; NULL
/// if everything is awake, whatever they mark.
uint8_t* rest_marks(Rest* rest, int tx, int y);

/// Looks which of the awake blocks that row y belongs to are active, after the sweep has done all
/// of their rows.
void rest_end_rows(Rest* rest, const Plan* plan, int tx, int y);

#endif
