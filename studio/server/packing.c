// SPDX-License-Identifier: MIT
#include "packing.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tar.h"

enum { MOST_FILES = 256 }; ///< that a scene names

// ---- packing ------------------------------------------------------------------------------------

typedef struct Packing {
    FILE* tar;
    char base[PATH_MAX]; ///< where relative paths of the scene start
    int count;           ///< files of the scene so far
} Packing;

/// Joins two parts of a path; false if it gets too long.
static bool join(char out[PATH_MAX], const char* folder, const char* name) {
    return snprintf(out, PATH_MAX, "%s/%s", folder, name) < PATH_MAX;
}

/// The file that a scene names and all beside it that have its name and something more: sidecars.
static GullyStatus pack_named(Packing* packing, const char* path, char name[160]) {
    char folder[PATH_MAX], one[160];
    const char* slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    const char* own = slash ? slash + 1 : path;
    const char* dot = strrchr(own, '.');
    const size_t stem = dot ? (size_t)(dot - own) : strlen(own);
    if (snprintf(name, 160, "files/%d/%s", packing->count, own) >= 100)
        return gully_fail(GULLY_BAD_INPUT, "%s: its name is too long to be packed", path);
    DIR* list = opendir(folder);
    if (!list) return gully_fail(GULLY_IO, "%s: %s", path, strerror(errno));
    GullyStatus status = GULLY_OK;
    for (const struct dirent* entry; status == GULLY_OK && (entry = readdir(list));) {
        char other[PATH_MAX];
        struct stat info;
        const bool beside = strncmp(entry->d_name, own, stem) == 0 &&
                            (entry->d_name[stem] == '.' || entry->d_name[stem] == '\0');
        if (!beside || !join(other, folder, entry->d_name) || stat(other, &info) != 0 ||
            !S_ISREG(info.st_mode))
            continue;
        snprintf(one, sizeof one, "files/%d/%.120s", packing->count, entry->d_name);
        status = tar_add(packing->tar, one, other);
    }
    closedir(list);
    packing->count++;
    return status;
}

/// Packs what a scene names, and makes it name what was packed.
static GullyStatus pack_scene(Packing* packing, json_t* scene) {
    const char* key;
    json_t* value;
    size_t index;
    void* next;
    GullyStatus status = GULLY_OK;
    json_object_foreach_safe(scene, next, key, value) {
        const char* text = json_string_value(value);
        if (status != GULLY_OK) break;
        if (!text || !folders_names_a_file(key)) {
            status = pack_scene(packing, value);
            continue;
        }
        char path[PATH_MAX], name[160];
        if (packing->count >= MOST_FILES)
            return gully_fail(GULLY_BAD_INPUT, "the scene names more than %d files", MOST_FILES);
        if (text[0] == '/' ? snprintf(path, sizeof path, "%s", text) >= PATH_MAX
                           : !join(path, packing->base, text))
            return gully_fail(GULLY_BAD_INPUT, "%s: this path is too long", text);
        status = pack_named(packing, path, name);
        if (status == GULLY_OK)
            json_object_set_new(scene, key, json_string(name + strlen("files/")));
    }
    json_array_foreach(scene, index, value) if (status == GULLY_OK) status =
        pack_scene(packing, value);
    return status;
}

/// The head, which then names the files as they are packed.
static GullyStatus pack_head(Packing* packing, const char* folder) {
    char path[PATH_MAX];
    if (!join(path, folder, "session.json")) return gully_fail(GULLY_IO, "a path is too long");
    json_t* head = json_load_file(path, 0, NULL);
    if (!head) return gully_fail(GULLY_IO, "%s: cannot be read", path);
    const char* base = json_string_value(json_object_get(head, "folder"));
    snprintf(packing->base, sizeof packing->base, "%s", base && *base ? base : ".");
    GullyStatus status = pack_scene(packing, json_object_get(head, "scene"));
    json_object_set_new(head, "folder", json_string("."));
    if (status == GULLY_OK && json_dump_file(head, path, JSON_INDENT(2)) != 0)
        status = gully_fail(GULLY_IO, "%s: cannot be written", path);
    json_decref(head);
    return status == GULLY_OK ? tar_add(packing->tar, "session.json", path) : status;
}

/// All other files of a folder: below it `name/` if that is not "".
static GullyStatus pack_folder(Packing* packing, const char* folder, const char* name) {
    char whole[PATH_MAX];
    if (!join(whole, folder, name)) return gully_fail(GULLY_IO, "a path is too long");
    DIR* list = opendir(whole);
    if (!list) return *name ? GULLY_OK : gully_fail(GULLY_IO, "%s: %s", whole, strerror(errno));
    GullyStatus status = GULLY_OK;
    for (const struct dirent* entry; status == GULLY_OK && (entry = readdir(list));) {
        char path[PATH_MAX], one[300];
        struct stat info;
        if (!join(path, whole, entry->d_name) || stat(path, &info) != 0 || !S_ISREG(info.st_mode) ||
            strcmp(entry->d_name, "session.json") == 0)
            continue;
        snprintf(one, sizeof one, "%s%s%s", name, *name ? "/" : "", entry->d_name);
        status = tar_add(packing->tar, one, path);
    }
    closedir(list);
    return status;
}

static GullyStatus pack_to(const char* file, const char* folder) {
    Packing packing = {.tar = fopen(file, "wb")};
    if (!packing.tar) return gully_fail(GULLY_IO, "%s: %s", file, strerror(errno));
    GullyStatus status = pack_head(&packing, folder);
    if (status == GULLY_OK) status = pack_folder(&packing, folder, "");
    if (status == GULLY_OK) status = pack_folder(&packing, folder, "rasters");
    if (status == GULLY_OK) status = pack_folder(&packing, folder, "clips");
    if (status == GULLY_OK) status = tar_finish(packing.tar, file);
    if (fclose(packing.tar) != 0 && status == GULLY_OK)
        status = gully_fail(GULLY_IO, "%s: cannot be written: %s", file, strerror(errno));
    return status;
}

GullyStatus packing_pack(Engine* engine, const Message* message, json_t** more) {
    const char* name = message->session ? message->session : engine->name;
    if (!*name) name = "landscape";
    char folder[PATH_MAX], part[PATH_MAX], file[PATH_MAX], last[SESSION_NAME + 16];
    if (!session_name_is_plain(name))
        return gully_fail(GULLY_BAD_INPUT, "session: a name of letters, digits, -, _ and spaces is "
                                           "wanted, up to 64");
    folders_clear_exports(&engine->folders, EXPORT_AGE);
    snprintf(last, sizeof last, "%s.gully.tar", name);
    GullyStatus status = folders_path(&engine->folders, ".gully/exports", ".pack", folder);
    if (status == GULLY_OK)
        status = folders_path(&engine->folders, ".gully/exports", ".pack.tar", part);
    if (status == GULLY_OK) status = folders_path(&engine->folders, ".gully/exports", last, file);
    if (status != GULLY_OK) return status;
    folders_remove_tree(folder);
    status = gully_session_save(engine->session, folder);
    if (status == GULLY_OK) status = pack_to(part, folder);
    if (status == GULLY_OK && rename(part, file) != 0)
        status = gully_fail(GULLY_IO, "%s: cannot be written: %s", file, strerror(errno));
    folders_remove_tree(folder);
    unlink(part);
    struct stat info;
    if (status == GULLY_OK && stat(file, &info) == 0)
        *more = json_pack("{s:s, s:I}", "name", last, "size", (json_int_t)info.st_size);
    return status;
}

// ---- unpacking ----------------------------------------------------------------------------------

typedef struct Unpacking {
    char session[PATH_MAX]; ///< where the session goes, for now
    char files[PATH_MAX];   ///< and what its scene names
} Unpacking;

/// Makes the folders of a path that lie below `root`.
static bool make_parents(const char* root, char* path) {
    for (char* slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        const bool made = mkdir(path, 0755) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made) return false;
    }
    return true;
}

/// Whether a path is of plain names, `most` at most.
static bool is_plain_path(const char* path, int most) {
    char name[128];
    for (int depth = 1; depth <= most; depth++) {
        const size_t length = strcspn(path, "/");
        if (length == 0 || length >= sizeof name) return false;
        memcpy(name, path, length);
        name[length] = '\0';
        if (!file_name_is_plain(name)) return false;
        path += length;
        if (*path++ == '\0') return true;
    }
    return false;
}

/// Only what docs/sessions.md has, each where it belongs.
static bool place_file(void* context, const char* name, char* path, size_t size) {
    const Unpacking* unpacking = context;
    static const char files[] = "files/";
    const bool of_scene = strncmp(name, files, strlen(files)) == 0;
    if (of_scene) name += strlen(files);
    const bool known = of_scene || strcmp(name, "session.json") == 0 ||
                       strcmp(name, "journal.jsonl") == 0 || strcmp(name, "start.gully") == 0 ||
                       strncmp(name, "rasters/", 8) == 0 || strncmp(name, "clips/", 6) == 0 ||
                       strncmp(name, "checkpoint-", 11) == 0;
    const char* root = of_scene ? unpacking->files : unpacking->session;
    return known && is_plain_path(name, 2) &&
           (size_t)snprintf(path, size, "%s/%s", root, name) < size && make_parents(root, path);
}

/// A name that no session and no folder of rasters has: "valley", "valley 2", ...
static GullyStatus free_name(const Folders* folders, const char* file,
                             char name[SESSION_NAME + 1]) {
    char stem[SESSION_NAME + 1] = "", path[PATH_MAX], rasters[PATH_MAX];
    const char* slash = strrchr(file, '/');
    const char* own = slash ? slash + 1 : file;
    size_t length = strcspn(own, ".");
    if (length > SESSION_NAME - 5) length = SESSION_NAME - 5;
    memcpy(stem, own, length);
    for (size_t i = 0; stem[i]; i++)
        if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_ ", stem[i]))
            stem[i] = '_';
    for (int number = 1; number < 1000; number++) {
        snprintf(name, SESSION_NAME + 1, number == 1 ? "%s" : "%s %d", stem, number);
        GullyStatus status = folders_path(folders, "sessions", name, path);
        if (status == GULLY_OK) status = folders_path(folders, "rasters", name, rasters);
        if (status != GULLY_OK) return status;
        if (session_name_is_plain(name) && access(path, F_OK) != 0 && access(rasters, F_OK) != 0)
            return GULLY_OK;
    }
    return gully_fail(GULLY_BAD_INPUT, "%s: there are too many sessions of this name", own);
}

/// The head then says where the files of the scene lie, and that it may name them is checked.
static GullyStatus settle_head(const Folders* folders, const Unpacking* unpacking) {
    char path[PATH_MAX];
    if (!join(path, unpacking->session, "session.json"))
        return gully_fail(GULLY_IO, "a path is too long");
    json_t* head = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    if (!json_is_object(head)) {
        json_decref(head);
        return gully_fail(GULLY_BAD_INPUT, "this is no session as one file: session.json is "
                                           "missing or damaged");
    }
    json_object_set_new(head, "folder", json_string(unpacking->files));
    GullyStatus status =
        folders_check_scene(folders, unpacking->files, json_object_get(head, "scene"));
    if (status == GULLY_OK && json_dump_file(head, path, JSON_INDENT(2)) != 0)
        status = gully_fail(GULLY_IO, "%s: cannot be written", path);
    json_decref(head);
    return status;
}

static GullyStatus unpack_to(Engine* engine, const char* file, Unpacking* unpacking) {
    folders_remove_tree(unpacking->session);
    GullyStatus status = gully_folder_make(unpacking->session);
    if (status == GULLY_OK) status = gully_folder_make(unpacking->files);
    if (status == GULLY_OK) status = tar_extract(file, place_file, unpacking);
    if (status == GULLY_OK) status = settle_head(&engine->folders, unpacking);
    return status;
}

GullyStatus packing_unpack(Engine* engine, const Message* message, json_t** more) {
    const Folders* folders = &engine->folders;
    char file[PATH_MAX], asked[PATH_MAX], place[PATH_MAX], name[SESSION_NAME + 1];
    Unpacking unpacking;
    if (!join(asked, folders->root, message->file) || !realpath(asked, file) ||
        !path_is_below(file, folders->root)) {
        gate_count(&engine->gate, REFUSED_PATH);
        return gully_fail(GULLY_BAD_INPUT, "%.200s: there is no such file", message->file);
    }
    GullyStatus status = folders_path(folders, "sessions", "", place);
    if (status == GULLY_OK) status = gully_folder_make(place);
    if (status == GULLY_OK) status = folders_path(folders, "rasters", "", place);
    if (status == GULLY_OK) status = gully_folder_make(place);
    if (status == GULLY_OK) status = free_name(folders, file, name);
    if (status == GULLY_OK)
        status = folders_path(folders, "sessions", ".unpacked", unpacking.session);
    if (status == GULLY_OK) status = folders_path(folders, "rasters", name, unpacking.files);
    if (status == GULLY_OK) status = folders_path(folders, "sessions", name, place);
    if (status != GULLY_OK) return status;
    status = unpack_to(engine, file, &unpacking);
    if (status == GULLY_OK && rename(unpacking.session, place) != 0)
        status = gully_fail(GULLY_IO, "%s: cannot be written: %s", place, strerror(errno));
    if (status == GULLY_OK) {
        rmdir(unpacking.files); // if the scene names nothing
        *more = json_pack("{s:s}", "session", name);
        return status;
    }
    char why[512];
    snprintf(why, sizeof why, "%s", gully_message());
    folders_remove_tree(unpacking.session);
    folders_remove_tree(unpacking.files);
    return gully_fail(status, "%s", why);
}
