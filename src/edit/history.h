// SPDX-License-Identifier: MIT
/// The history of an editor: entries to undo and to redo, each a state to go to.
#ifndef HISTORY_H
#define HISTORY_H

#include "snapshots.h"

enum { MOST_NAME = 64 }; // bytes of an entry's name, with its end

/// A stack, newest first.
typedef struct Entry {
    char name[MOST_NAME];
    Snapshot* snapshot;
    struct Entry* below;
} Entry;

typedef struct History {
    Entry *undo, *redo;
    int64_t depth;     // entries that lead to the present, with those that were forgotten
    size_t most_bytes; // that all may take
    size_t bytes;      // that they take

    bool marked; // the next edit begins an entry of that name
    char name[MOST_NAME];
    Entry* prepared; // that entry, as long as the edit may still fail

    // The last state that is known patch by patch, and where the world may differ from it.
    Snapshot* known;
    bool* changed;     // for each place
    int places;        // for patches
    int changed_count; // of these
    int kept;          // of these, the first have no pending patch
    int64_t losses;    // how often moments lost cells
    bool lost;         // there was no memory to keep one: nothing leads back any more
} History;

/// A state that someone keeps.
struct GullyMoment {
    struct GullyEditor* editor;
    Snapshot* snapshot;
    int64_t losses; // of the history when it was taken: a later one may have been of its cells
};

/// Refuses a moment whose cells may have been lost.
GullyStatus moment_check(const struct GullyMoment* moment);

GullyStatus history_create(History* history, const GullySim* sim, size_t most_bytes);
void history_destroy(History* history);

/// Keeps the pending patches of a rectangle, whose cells are about to change.
void history_touch(History* history, const GullyWorld* world, GullyRect rect);

/// Keeps the pending patches of some places ahead; false if there are more. In a world that would
/// take most of the history's memory none are kept before they change.
bool history_keep(History* history, const GullyWorld* world, int places);

/// Forgets all entries if there was no memory to keep one of them.
void history_forget_lost(History* history);

/// A snapshot of the state as it is now, which is known from now on.
GullyStatus history_take(struct GullyEditor* editor, Snapshot** out);

#endif
