// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // nftw, flock
#include "folders.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "gate.h"

enum { STUDIOS = 16 }; ///< in one folder, at most

// ---- trees --------------------------------------------------------------------------------------

static int remove_entry(const char* path, const struct stat* info, int kind, struct FTW* walk) {
    (void)info, (void)kind, (void)walk;
    remove(path);
    return 0;
}

void folders_remove_tree(const char* path) {
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

GullyStatus folders_path(const Folders* folders, const char* folder, const char* name,
                         char out[PATH_MAX]) {
    int length =
        snprintf(out, PATH_MAX, "%s/%s%s%s", folders->root, folder, *name ? "/" : "", name);
    return length < PATH_MAX
               ? GULLY_OK
               : gully_fail(GULLY_BAD_INPUT, "%s/%s: this path is too long", folder, name);
}

/// Makes a folder of ours.
static GullyStatus make(const Folders* folders, const char* folder) {
    char path[PATH_MAX];
    GullyStatus status = folders_path(folders, folder, "", path);
    return status == GULLY_OK ? gully_folder_make(path) : status;
}

// ---- unsaved sessions ---------------------------------------------------------------------------

/// The number of the newest unsaved session, 0 if there is none.
static long newest_unsaved(const Folders* folders) {
    char path[PATH_MAX];
    long newest = 0;
    DIR* list =
        folders_path(folders, ".gully/unsaved", "", path) == GULLY_OK ? opendir(path) : NULL;
    for (const struct dirent* entry; list && (entry = readdir(list));) {
        long number = strtol(entry->d_name, NULL, 10);
        if (number > newest) newest = number;
    }
    if (list) closedir(list);
    return newest;
}

static void look_at_unsaved(Folders* folders) {
    for (long number = newest_unsaved(folders); number > 0; number--) {
        char name[32];
        snprintf(name, sizeof name, "%ld", number);
        if (folders_path(folders, ".gully/unsaved", name, folders->unsaved) == GULLY_OK &&
            gully_session_look(folders->unsaved, &folders->unsaved_info) == GULLY_OK) {
            folders->replaced = number > folders->left;
            return;
        }
    }
    folders->unsaved[0] = '\0';
}

void folders_drop_unsaved(Folders* folders, const char* path) {
    if (path[0]) folders_remove_tree(path);
    look_at_unsaved(folders);
}

/// Puts a session with the unsaved ones if something was done in it, and else removes it.
static bool set_aside(const Folders* folders, const char* from) {
    char to[PATH_MAX], name[32];
    GullySessionInfo info;
    const long newest = newest_unsaved(folders);
    snprintf(name, sizeof name, "%ld", (newest > folders->left ? newest : folders->left) + 1);
    const bool worked =
        gully_session_look(from, &info) == GULLY_OK && (info.records > 0 || info.steps > 0);
    const bool moved = worked && folders_path(folders, ".gully/unsaved", name, to) == GULLY_OK &&
                       rename(from, to) == 0;
    if (!moved) folders_remove_tree(from);
    return moved;
}

/// Sets aside what an earlier studio has left in an autosave, which nobody uses now.
static void clear_autosave(const Folders* folders, const char* autosave, int turn) {
    char from[PATH_MAX];
    int length = snprintf(from, sizeof from, "%s/%d", autosave, turn);
    if (length < PATH_MAX && access(from, F_OK) == 0) set_aside(folders, from);
}

// ---- autosaves ----------------------------------------------------------------------------------

/// The descriptor that locks an autosave, -1 if another studio has it.
static int lock_autosave(const char* autosave) {
    char path[PATH_MAX + 8];
    snprintf(path, sizeof path, "%s.lock", autosave);
    int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0) return lock;
    if (lock >= 0) close(lock);
    return -1;
}

/// Takes the first free autosave, and looks into all others that nobody uses.
static GullyStatus take_autosave(Folders* folders) {
    folders->lock = -1;
    for (int number = 1; number <= STUDIOS; number++) {
        char name[32], path[PATH_MAX];
        snprintf(name, sizeof name, number == 1 ? "autosave" : "autosave-%d", number);
        GullyStatus status = folders_path(folders, ".gully", name, path);
        if (status != GULLY_OK) return status;
        if (folders->lock >= 0 && access(path, F_OK) != 0) continue;
        int lock = lock_autosave(path);
        if (lock < 0) continue;
        for (int turn = 0; turn < 2; turn++)
            clear_autosave(folders, path, turn);
        if (folders->lock < 0) {
            folders->lock = lock;
            strcpy(folders->autosave, path);
        } else {
            close(lock);
        }
    }
    if (folders->lock >= 0) return gully_folder_make(folders->autosave);
    return gully_fail(GULLY_IO,
                      "%d studios run in this folder already, or %s/.gully cannot be "
                      "written",
                      STUDIOS, folders->root);
}

void folders_clear_exports(const Folders* folders, int age) {
    const time_t oldest = time(NULL) - age;
    char path[PATH_MAX];
    DIR* list =
        folders_path(folders, ".gully/exports", "", path) == GULLY_OK ? opendir(path) : NULL;
    for (const struct dirent* entry; list && (entry = readdir(list));) {
        struct stat info;
        if (folders_path(folders, ".gully/exports", entry->d_name, path) == GULLY_OK &&
            lstat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_mtime <= oldest)
            unlink(path);
    }
    if (list) closedir(list);
}

GullyStatus folders_open(Folders* folders) {
    *folders = (Folders){.lock = -1};
    if (!realpath(".", folders->root))
        return gully_fail(GULLY_IO, "the working folder: %s", strerror(errno));
    static const char* const ours[] = {".gully", ".gully/unsaved", ".gully/uploads",
                                       ".gully/exports"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        GullyStatus status = make(folders, ours[i]);
        if (status != GULLY_OK)
            return gully_fail_in(status, "the studio keeps its sessions in the working folder");
    }
    folders_clear_exports(folders, EXPORT_AGE);
    GullyStatus status = take_autosave(folders);
    folders->left = newest_unsaved(folders);
    if (status == GULLY_OK) look_at_unsaved(folders);
    return status;
}

/// Whether another studio runs in this folder.
static bool has_company(const Folders* folders) {
    bool company = false;
    for (int number = 1; number <= STUDIOS && !company; number++) {
        char name[32], path[PATH_MAX];
        snprintf(name, sizeof name, number == 1 ? "autosave" : "autosave-%d", number);
        if (folders_path(folders, ".gully", name, path) != GULLY_OK || access(path, F_OK) != 0 ||
            strcmp(path, folders->autosave) == 0)
            continue;
        int lock = lock_autosave(path);
        company = lock < 0;
        if (lock >= 0) close(lock);
    }
    return company;
}

void folders_close(Folders* folders) {
    if (folders->lock >= 0) folders_clear_exports(folders, has_company(folders) ? EXPORT_AGE : 0);
    if (folders->lock >= 0) close(folders->lock);
    folders->lock = -1;
}

static void autosave_path(const Folders* folders, int turn, char out[PATH_MAX]) {
    if (snprintf(out, PATH_MAX, "%s/%d", folders->autosave, turn) >= PATH_MAX) out[0] = '\0';
}

void folders_next_autosave(const Folders* folders, char out[PATH_MAX]) {
    autosave_path(folders, !folders->turn, out);
    folders_remove_tree(out);
}

void folders_turn(Folders* folders, bool unsaved) {
    char before[PATH_MAX];
    autosave_path(folders, folders->turn, before);
    if (!unsaved) folders_remove_tree(before);
    if (unsaved && set_aside(folders, before)) look_at_unsaved(folders);
    folders->turn = !folders->turn;
}

void folders_discard(const Folders* folders) {
    char path[PATH_MAX];
    autosave_path(folders, folders->turn, path);
    folders_remove_tree(path);
}

// ---- saved sessions -----------------------------------------------------------------------------

json_t* folders_sessions(const Folders* folders) {
    json_t* sessions = json_array();
    char path[PATH_MAX];
    struct dirent** entries = NULL;
    int count = folders_path(folders, "sessions", "", path) == GULLY_OK
                    ? scandir(path, &entries, NULL, alphasort)
                    : 0;
    for (int i = 0; i < count; i++) {
        const char* name = entries[i]->d_name;
        GullySessionInfo info;
        if (session_name_is_plain(name) &&
            folders_path(folders, "sessions", name, path) == GULLY_OK &&
            gully_session_look(path, &info) == GULLY_OK)
            json_array_append_new(sessions, json_pack("{s:s, s:s, s:I}", "name", name, //
                                                      "terrain", info.terrain,         //
                                                      "steps", (json_int_t)info.steps));
        free(entries[i]);
    }
    free(entries);
    return sessions;
}

// ---- files that a page names --------------------------------------------------------------------

bool path_is_below(const char* path, const char* root) {
    size_t length = strlen(root);
    if (strcmp(root, "/") == 0) return path[0] == '/' && path[1];
    return strncmp(path, root, length) == 0 && path[length] == '/';
}

/// Looks at the first letter. GDAL takes descriptions of rasters, in XML or JSON, that name files
/// and servers of their own; of JSON we take scenes, which are checked.
static GullyStatus check_content(const char* path, FileKind* kind) {
    unsigned char head[64];
    FILE* file = fopen(path, "rb");
    if (!file) return gully_fail(GULLY_BAD_INPUT, "%s: %s", path, strerror(errno));
    size_t size = fread(head, 1, sizeof head, file), i = 0;
    fclose(file);
    if (size >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0) i = 3;
    while (i < size && strchr(" \t\r\n", head[i]) && head[i])
        i++;
    if (i < size && head[i] == '<')
        return gully_fail(GULLY_BAD_INPUT, "%s: is XML, which may lead to other files", path);
    *kind = i < size && head[i] == '{' ? FILE_SCENE : FILE_RASTER;
    return GULLY_OK;
}

GullyStatus folders_find(const Folders* folders, const char* base, const char* path, FileKind* kind,
                         char out[PATH_MAX]) {
    char joined[PATH_MAX];
    struct stat info;
    int length = path[0] == '/' ? snprintf(joined, sizeof joined, "%s", path)
                                : snprintf(joined, sizeof joined, "%s/%s", base, path);
    bool found = *path && length < PATH_MAX && realpath(joined, out);
    if (!found || !path_is_below(out, folders->root) || stat(out, &info) != 0 ||
        !S_ISREG(info.st_mode))
        return gully_fail(GULLY_BAD_INPUT, "%.256s: there is no such file in the working folder",
                          path);
    return check_content(out, kind);
}

GullyStatus folders_find_raster(const Folders* folders, const char* base, const char* path,
                                char out[PATH_MAX]) {
    FileKind kind;
    GullyStatus status = folders_find(folders, base, path, &kind, out);
    if (status == GULLY_OK && kind != FILE_RASTER)
        return gully_fail(GULLY_BAD_INPUT, "%.256s: a raster is wanted, this is JSON", path);
    return status;
}

bool folders_names_a_file(const char* key) {
    size_t length = strlen(key);
    return strcmp(key, "file") == 0 || (length > 5 && strcmp(key + length - 5, ".file") == 0);
}

GullyStatus folders_check_scene(const Folders* folders, const char* base, json_t* scene) {
    const char* key;
    json_t* value;
    size_t index;
    GullyStatus status = GULLY_OK;
    json_object_foreach(scene, key, value) {
        char path[PATH_MAX];
        if (status == GULLY_OK && folders_names_a_file(key) && json_is_string(value))
            status = folders_find_raster(folders, base, json_string_value(value), path);
        if (status == GULLY_OK) status = folders_check_scene(folders, base, value);
    }
    json_array_foreach(scene, index, value) if (status == GULLY_OK) status =
        folders_check_scene(folders, base, value);
    return status;
}
