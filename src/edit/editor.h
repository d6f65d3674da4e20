// SPDX-License-Identifier: MIT
/// The editor from the inside.
#ifndef EDITOR_H
#define EDITOR_H

#include "gully/edit.h"
#include "history.h"
#include "strokes.h"

struct GullyEditor {
    GullySim* sim;
    GullyWorld* world;
    GullySettings*
        settings; // as the user gave them; those of the simulation also have what is held
    bool holds;
    GullySource held;
    Stroke stroke;
    History history;
};

/// Every edit that has passed its checks calls these before it changes anything. The first takes
/// the snapshot that a mark asked for, which may fail; the second makes it an entry of the history.
GullyStatus editor_prepare(GullyEditor* editor);
void editor_commit(GullyEditor* editor);

/// Says that cells of a rectangle of the world are about to be changed.
void editor_touch(GullyEditor* editor, GullyRect rect);

/// Gives the simulation these settings and, if there is one, a source that is held.
GullyStatus editor_apply_held(GullyEditor* editor, const GullySettings* settings,
                              const GullySource* held);

#endif
