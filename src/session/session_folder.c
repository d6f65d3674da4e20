// SPDX-License-Identifier: MIT
// The folder of a session: its head session.json, its checkpoints, and how it is cleared.
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gully/checkpoint.h"
#include "json_parts.h"
#include "session_inside.h"

enum { MOST_HEAD = 128 << 20 }; // bytes of session.json

char* session_path(const char* folder, const char* name) {
    size_t size = strlen(folder) + strlen(name) + 2;
    char* path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s", folder, name);
    else
        gully_fail(GULLY_NO_MEMORY, "%s/%s: not enough memory", folder, name);
    return path;
}

// ---- session.json -------------------------------------------------------------------------------

/// Where the scene's relative paths start, wherever the program will be started the next time.
static char* scene_folder(const GullyScene* scene) {
    const char* folder = gully_scene_folder(scene);
    char* whole = realpath(folder[0] ? folder : ".", NULL);
    return whole ? whole : strdup(folder);
}

GullyStatus session_file_write(const GullySession* session, const char* folder) {
    char *text = gully_scene_text(session->scene), *from = scene_folder(session->scene);
    char* path = session_path(folder, SESSION_FILE);
    json_t* scene = text ? json_loads(text, 0, NULL) : NULL;
    json_t* head =
        json_pack("{s:i, s:s, s:s, s:s, s:s, s:s?, s:O, s:O}", "gully_session", 1, "version",
                  gully_version(), "id", session->id, "created", session->created, "terrain",
                  session->terrain, "folder", from, START_HASHES, session->start, "scene", scene);
    GullyStatus status = GULLY_NO_MEMORY;
    if (head && session->doubled)
        json_object_set_new(head, "doubled", json_integer(session->doubled));
    if (head && path)
        status = json_file_write(path, head, NULL);
    else
        gully_fail(GULLY_NO_MEMORY, "%s/%s: not enough memory", folder, SESSION_FILE);
    json_decref(head);
    json_decref(scene);
    free(text);
    free(from);
    free(path);
    return status;
}

GullyStatus session_file_look(const char* folder, json_t** out) {
    char *path = session_path(folder, SESSION_FILE), *text;
    size_t size;
    *out = NULL;
    if (!path) return GULLY_NO_MEMORY;
    GullyStatus status = bytes_read(path, MOST_HEAD, &text, &size);
    if (!status) {
        *out = marked_json_parse(path, text, size, "gully_session");
        if (!*out) status = GULLY_BAD_INPUT;
        free(text);
    }
    free(path);
    return status;
}

/// The text of a key, or "".
static const char* text_of(const json_t* head, const char* key) {
    const char* text = json_string_value(json_object_get(head, key));
    return text ? text : "";
}

static GullyStatus parse_scene(const char* folder, const json_t* head, GullyScene** out) {
    json_t* object = json_object_get(head, "scene");
    char* path = session_path(folder, SESSION_FILE);
    char* text = json_dumps(object, JSON_INDENT(2));
    GullyStatus status = GULLY_NO_MEMORY;
    if (!json_is_object(object))
        status =
            gully_fail(GULLY_BAD_INPUT, "%s/%s: scene must be an object", folder, SESSION_FILE);
    else if (path && text)
        status = gully_scene_parse(text, strlen(text), path, text_of(head, "folder"), NULL, 0, out);
    else
        gully_fail(GULLY_NO_MEMORY, "%s/%s: not enough memory", folder, SESSION_FILE);
    free(text);
    free(path);
    return status;
}

/// How often the cells were doubled, and the file of the state that such a session starts from.
static GullyStatus read_doubled(GullySession* session, const json_t* head, const char* folder) {
    const json_t* doubled = json_object_get(head, "doubled");
    const json_int_t times = json_integer_value(doubled);
    if (!doubled) return GULLY_OK;
    if (times < 1 || times > MOST_DOUBLED)
        return gully_fail(GULLY_BAD_INPUT, "%s/%s: doubled: expected a number from 1 to %d", folder,
                          SESSION_FILE, MOST_DOUBLED);
    session->doubled = (int)times;
    session->begun = session_path(folder, START_FILE);
    return session->begun ? GULLY_OK : GULLY_NO_MEMORY;
}

GullyStatus session_file_read(const char* folder, const GullySessionDef* def, GullySession** out) {
    json_t* head;
    GullyScene* scene;
    *out = NULL;
    GullyStatus status = session_file_look(folder, &head);
    if (status) return status;
    status = parse_scene(folder, head, &scene);
    if (!status) status = session_allocate(scene, def, out);
    if (!status) {
        GullySession* session = *out;
        const json_t* start = json_object_get(head, START_HASHES);
        snprintf(session->id, sizeof session->id, "%s", text_of(head, "id"));
        snprintf(session->created, sizeof session->created, "%s", text_of(head, "created"));
        snprintf(session->terrain, sizeof session->terrain, "%s", text_of(head, "terrain"));
        if (json_is_object(start)) session->start = json_deep_copy(start);
        status = read_doubled(session, head, folder);
    }
    if (status && *out) {
        gully_session_destroy(*out);
        *out = NULL;
    }
    json_decref(head);
    return status;
}

// ---- checkpoints --------------------------------------------------------------------------------

char* session_note(const GullySession* session) {
    uint64_t hash = records_hash(&session->records, session->records.count);
    json_t* note =
        json_pack("{s:s, s:s, s:I, s:o, s:o}", "version", gully_version(), "session", session->id,
                  "records", (json_int_t)session->records.count, "hash",
                  json_sprintf("%016" PRIx64, hash), "state", session_state_json(&session->state));
    char* text = note ? json_dumps(note, JSON_COMPACT) : NULL;
    json_decref(note);
    if (!text) gully_fail(GULLY_NO_MEMORY, "no memory for a checkpoint");
    return text;
}

static bool is_checkpoint(const char* name, int64_t* number) {
    int used = 0;
    return sscanf(name, "checkpoint-%" SCNd64 ".gully%n", number, &used) == 1 && used > 0 &&
           !name[used] && *number >= 0;
}

int session_checkpoints(const char* folder, int64_t* numbers, int most) {
    DIR* entries = opendir(folder);
    const struct dirent* entry;
    int count = 0;
    while (entries && (entry = readdir(entries))) {
        int64_t number;
        if (!is_checkpoint(entry->d_name, &number)) continue;
        int place = count < most ? count++ : most; // the newest come first, the oldest are left out
        while (place > 0 && numbers[place - 1] < number) {
            if (place < most) numbers[place] = numbers[place - 1];
            place--;
        }
        if (place < most) numbers[place] = number;
    }
    if (entries) closedir(entries);
    return count;
}

char* session_checkpoint_path(const char* folder, int64_t number) {
    char name[64];
    snprintf(name, sizeof name, "checkpoint-%06" PRId64 ".gully", number);
    return session_path(folder, name);
}

GullyStatus session_checkpoint_write(const GullySession* session, const char* folder,
                                     int64_t number) {
    char *note = session_note(session), *path = session_checkpoint_path(folder, number);
    int threads = gully_sim_threads(session->sim);
    GullyCheckpoint* checkpoint = NULL;
    GullyStatus status = note && path ? GULLY_OK : GULLY_NO_MEMORY;
    if (!status) status = gully_checkpoint_borrow(session->sim, note, &checkpoint);
    if (!status) status = gully_checkpoint_write(checkpoint, path, threads, NULL);
    gully_checkpoint_close(checkpoint);
    free(note);
    free(path);
    return status;
}

// ---- clearing -----------------------------------------------------------------------------------

static void remove_file(const char* folder, const char* name) {
    char* path = session_path(folder, name);
    if (path) unlink(path);
    free(path);
}

/// Removes the files of a folder whose names begin so, and the folder if nothing else is in it.
static void clear_folder(const char* parent, const char* name, const char* beginning) {
    char* folder = session_path(parent, name);
    DIR* entries = folder ? opendir(folder) : NULL;
    const struct dirent* entry;
    while (entries && (entry = readdir(entries))) {
        if (strncmp(entry->d_name, beginning, strlen(beginning)) == 0)
            unlinkat(dirfd(entries), entry->d_name, 0);
    }
    if (entries) closedir(entries);
    if (folder) rmdir(folder);
    free(folder);
}

void session_folder_clear(const char* folder) {
    remove_file(folder, SESSION_FILE); // first: without it the rest is no session
    remove_file(folder, JOURNAL_FILE);
    remove_file(folder, START_FILE);
    DIR* entries = opendir(folder);
    const struct dirent* entry;
    int64_t number;
    while (entries && (entry = readdir(entries))) {
        if (is_checkpoint(entry->d_name, &number)) unlinkat(dirfd(entries), entry->d_name, 0);
    }
    if (entries) closedir(entries);
    clear_folder(folder, "rasters", "raster-");
    clear_folder(folder, "clips", "clip-");
}

// ---- looking ------------------------------------------------------------------------------------

GullyStatus gully_session_look(const char* folder, GullySessionInfo* out) {
    json_t* head;
    Journal journal;
    *out = (GullySessionInfo){0};
    GullyStatus status = session_file_look(folder, &head);
    if (status) return status;
    status = journal_read(folder, &journal);
    if (!status) {
        snprintf(out->terrain, sizeof out->terrain, "%s", text_of(head, "terrain"));
        out->steps = journal.step;
        out->records = (int64_t)journal.records.count;
        out->closed = journal.closed;
        journal_free(&journal);
    }
    json_decref(head);
    return status;
}

GullyStatus gully_session_look_hashes(const char* folder, char** out) {
    Journal journal;
    *out = NULL;
    GullyStatus status = journal_read(folder, &journal);
    if (status) return status;
    if (journal.hashes) *out = json_dumps(journal.hashes, JSON_COMPACT);
    if (journal.hashes && !*out)
        status = gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", folder);
    journal_free(&journal);
    return status;
}
