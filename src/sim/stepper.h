/// The stepper: runs passes over the rows of a world, on all threads.
///
/// The plain one: a pass goes over all rows before the next begins. The unit of work is a band of
/// rows of a tile, which follows from the grid alone.
#ifndef STEPPER_H
#define STEPPER_H

#include "law.h"
#include "pool.h"
#include "tiles.h"

typedef struct Stepper Stepper;

GullyStatus stepper_create(GullyWorld* world, int threads, Stepper** out);
void stepper_destroy(Stepper* stepper);
Pool* stepper_pool(const Stepper* stepper);

/// Runs one pass. `slots[id]` says where the pass's field `id` is stored, -1 = nowhere.
void stepper_run(Stepper* stepper, const Pass* pass, const int slots[FIELD_IDS],
                 const void* consts);

/// What passes have counted so far, in metres times cells.
Exact stepper_account(const Stepper* stepper, Account account);

/// Makes this what they have counted.
void stepper_set_accounts(Stepper* stepper, const Exact accounts[ACCOUNTS]);

#endif
