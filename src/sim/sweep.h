/// The fast stepper: a row goes through all passes of several steps while it is in cache.
///
/// A column of tiles is a panel. One thread walks down a panel row by row; each pass follows the
/// one before it a few rows behind, as far as what they read and write around demands, and the
/// passes of the next step follow those of this one. Everything is updated in place. Columns at the
/// edge of a panel need what the neighbour panel would compute: a panel computes those columns
/// itself, in its halo, fewer with each pass, so that panels never wait for each other. Scratch
/// fields are a few rows in a ring.
///
/// The result is that of the plain stepper (stepper.h), bit for bit.
#ifndef SWEEP_H
#define SWEEP_H

#include "law.h"
#include "pool.h"
#include "tiles.h"

/// Most steps in one sweep.
enum { MAX_BLOCK = 8 };

typedef struct Sweep Sweep;

/// One pass of a step. A pass without a law is the water supply.
typedef struct SweepPass {
    const Pass* pass;
    const Law* law;
    const int* slots; // where its fields are; those of its scratch fields are not looked at
    const void* consts;
} SweepPass;

GullyStatus sweep_create(GullyWorld* world, Pool* pool, Sweep** out);
void sweep_destroy(Sweep* sweep);

/// Sets the passes of a step; they are copied, what they point to must stay. The slots are looked
/// at only by sweep_bind. On failure nothing has changed.
GullyStatus sweep_plan(Sweep* sweep, const SweepPass* passes, int count);

/// Looks where the fields are. To be called after a plan and whenever fields may have been added.
void sweep_bind(Sweep* sweep);

/// How many steps one sweep can do.
int sweep_block(const Sweep* sweep);

/// Runs up to sweep_block steps. `supplies[i]` are the constants of the water supply in step i,
/// NULL if nothing falls.
void sweep_run(Sweep* sweep, int steps, const void* const* supplies);

/// What passes have counted so far, in metres times cells.
Exact sweep_account(const Sweep* sweep, Account account);

#endif
