// SPDX-License-Identifier: MIT
/// The working folder, and what the studio keeps in it:
///
///     sessions/NAME           saved sessions
///     .gully/autosave/0, 1    the session as it goes, in turns; autosave-2 of a second studio, ...
///     .gully/unsaved/N        what was not saved when a studio ended, or another session began
///     .gully/token            the key to the page, the same after a restart
///     .gully/uploads          files that a page has sent
///     .gully/exports          files that a page may have
///
/// Nothing that a page names lies outside of it.
#ifndef STUDIO_FOLDERS_H
#define STUDIO_FOLDERS_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>

#include "gully/session.h"

typedef struct Folders {
    char root[PATH_MAX];     ///< the working folder, without links
    char autosave[PATH_MAX]; ///< ours alone
    int lock;                ///< descriptor that says so
    int turn;                ///< the autosave that is in use, 0 or 1
    char unsaved[PATH_MAX];  ///< the newest session that was not saved; "" = none
    GullySessionInfo unsaved_info;
    bool replaced; ///< another session took its place in this studio
    long left;     ///< the highest number of an unsaved session when this studio began
} Folders;

/// Finds or makes all of it; sessions that earlier studios have left are set aside.
GullyStatus folders_open(Folders* folders);
void folders_close(Folders* folders);

/// Where the next session is to be kept: beside the present one, which may yet go on.
void folders_next_autosave(const Folders* folders, char out[PATH_MAX]);

/// The next session is the present one. The other is set aside if it has something unsaved, and else
/// removed.
void folders_turn(Folders* folders, bool unsaved);

/// Removes the present session: it has nothing unsaved.
void folders_discard(const Folders* folders);

/// An unsaved session has been dealt with: it is removed, and the newest of the others comes to
/// light.
void folders_drop_unsaved(Folders* folders, const char* path);

/// The path of a name below a folder of ours ("sessions", ".gully/exports").
GullyStatus folders_path(const Folders* folders, const char* folder, const char* name,
                         char out[PATH_MAX]);

enum { EXPORT_AGE = 60 * 60 }; ///< [s]; no download takes longer

/// Removes what was exported so many seconds ago or earlier. Another studio may have been at it just
/// now.
void folders_clear_exports(const Folders* folders, int age);

/// The saved sessions, as docs/protocol.md has them.
json_t* folders_sessions(const Folders* folders);

typedef enum FileKind {
    FILE_RASTER,
    FILE_SCENE, ///< JSON
} FileKind;

/// Where a file lies that a page has named, relative to `base` or not: a plain file below the
/// working folder, after all links, and none that sends its reader elsewhere.
GullyStatus folders_find(const Folders* folders, const char* base, const char* path, FileKind* kind,
                         char out[PATH_MAX]);
GullyStatus folders_find_raster(const Folders* folders, const char* base, const char* path,
                                char out[PATH_MAX]);

/// Checks all files that a scene names, relative to `base`.
GullyStatus folders_check_scene(const Folders* folders, const char* base, json_t* scene);

/// Whether a key of a scene names a file.
bool folders_names_a_file(const char* key);

/// Removes a folder of ours with all that is in it, if it is there.
void folders_remove_tree(const char* path);

/// Whether `path`, without links, lies below `root`, without links.
bool path_is_below(const char* path, const char* root);

#endif
