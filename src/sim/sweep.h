/// The fast stepper: a row goes through all passes of several steps while it is in cache.
///
/// A column of tiles is a panel. One thread walks down a panel, or a share of it (shares.h), a few
/// rows at a time; each pass follows the one before it a few rows behind, as far as what they read
/// and write beside a cell demands, and the passes of the next step follow those of this one
/// (plan.h). Everything is updated in place. Columns at the edge of a panel need what the neighbour
/// panel would compute: a panel computes those columns itself, in its halo, and a share the rows
/// beyond its cuts, in copies of them. So nobody waits for anybody. Scratch fields are a few rows in
/// a ring. What is at rest is left out (rest.h).
///
/// The result is that of the plain stepper (stepper.h), bit for bit.
#ifndef SWEEP_H
#define SWEEP_H

#include "plan.h"
#include "pool.h"

typedef struct Sweep Sweep;

GullyStatus sweep_create(GullyWorld* world, Pool* pool, Sweep** out);
void sweep_destroy(Sweep* sweep);

/// Sets the passes of a step, which must fit (plan_fits); they are copied, what they point to must
/// stay. The slots are looked at only by sweep_bind. On failure nothing has changed.
GullyStatus sweep_plan(Sweep* sweep, const SweepPass* passes, int count);

/// Looks where the fields are. To be called after a plan and whenever fields may have been added or
/// cells written.
void sweep_bind(Sweep* sweep);

/// How many steps one sweep can do.
int sweep_block(const Sweep* sweep);

/// Runs up to sweep_block steps. `supplies[i]` are the constants of the water supply in step i,
/// NULL if nothing falls.
void sweep_run(Sweep* sweep, int steps, const void* const* supplies);

/// What passes have counted so far, in metres times cells.
Exact sweep_account(const Sweep* sweep, Account account);
void sweep_clear_accounts(Sweep* sweep);

#endif
