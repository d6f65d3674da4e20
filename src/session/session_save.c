// SPDX-License-Identifier: MIT
// Saving: a whole folder of its own, made beside its place and then put there.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // renameat2
#endif
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session_inside.h"

static GullyStatus write_journal(const GullySession* session, const char* folder) {
    size_t size;
    json_t* hashes = session_hashes(session);
    char* path = session_path(folder, JOURNAL_FILE);
    char* text = journal_lines(session, -1, 0, hashes, true, &size);
    GullyStatus status = path && text
                             ? gully_file_write(path, text, size)
                             : gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", folder);
    json_decref(hashes);
    free(path);
    free(text);
    return status;
}

static GullyStatus write_all(GullySession* session, const char* folder) {
    GullyStatus status = gully_folder_make(folder);
    if (!status) status = session_start_write(session, folder, false);
    if (!status) status = session_file_write(session, folder);
    if (!status) status = stock_write_used(&session->stock, folder);
    if (!status) status = session_checkpoint_write(session, folder, 1);
    if (!status) status = write_journal(session, folder);
    return status;
}

static void remove_folder(const char* folder) {
    gully_folder_tidy(folder);
    session_folder_clear(folder);
    rmdir(folder);
}

/// Whether there is something in the way that is no session.
static GullyStatus check_place(const char* folder) {
    struct stat info;
    char* head = session_path(folder, SESSION_FILE);
    GullyStatus status = head ? GULLY_OK : GULLY_NO_MEMORY;
    bool there = stat(folder, &info) == 0;
    if (!status && there && !S_ISDIR(info.st_mode))
        status = gully_fail(GULLY_IO, "%s: cannot be written: it is a file", folder);
    else if (!status && there && access(head, F_OK) != 0 && rmdir(folder) != 0)
        status = gully_fail(GULLY_IO,
                            "%s: there is a folder that holds no session; allowed: an empty one, "
                            "or one that holds a session, which is replaced",
                            folder);
    free(head);
    return status;
}

/// Puts a folder in its place; the one that is there goes away.
static GullyStatus put(const char* whole, const char* folder) {
    if (rename(whole, folder) == 0) return GULLY_OK;
#ifdef RENAME_EXCHANGE
    if (renameat2(AT_FDCWD, whole, AT_FDCWD, folder, RENAME_EXCHANGE) == 0) {
        remove_folder(whole);
        return GULLY_OK;
    }
#endif
    // A file system that cannot exchange them.
    session_folder_clear(folder);
    if (rmdir(folder) == 0 && rename(whole, folder) == 0) return GULLY_OK;
    return gully_fail(GULLY_IO, "%s: cannot be written: %s", folder, strerror(errno));
}

/// "PARENT/.NAME.PROCESS.NUMBER.tmp", and the parent; NULL without memory.
static char* temporary_folder(const char* folder, char** parent) {
    static atomic_uint counter;
    const char* slash = strrchr(folder, '/');
    const char* name = slash ? slash + 1 : folder;
    size_t size = strlen(folder) + 64;
    char* path = malloc(size);
    *parent = slash ? strndup(folder, slash == folder ? 1 : (size_t)(slash - folder)) : strdup(".");
    if (path)
        snprintf(path, size, "%.*s.%.200s.%ld.%u.tmp", (int)(name - folder), folder, name,
                 (long)getpid(), atomic_fetch_add(&counter, 1));
    if (path && *parent) return path;
    free(path);
    free(*parent);
    *parent = NULL;
    gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", folder);
    return NULL;
}

/// Without slashes at its end.
static char* plain_path(const char* folder) {
    char* path = strdup(folder);
    size_t length = path ? strlen(path) : 0;
    while (length > 1 && path[length - 1] == '/')
        path[--length] = '\0';
    return path;
}

/// Removes what processes that are gone have left of saving under the same name.
static void tidy(const char* parent, const char* name) {
    char beginning[216];
    size_t common = (size_t)snprintf(beginning, sizeof beginning, ".%.200s.", name);
    DIR* entries = opendir(parent);
    const struct dirent* entry;
    while (entries && (entry = readdir(entries))) {
        const char* rest = entry->d_name + common;
        long process = 0;
        int used = 0;
        if (strncmp(entry->d_name, beginning, common) != 0) continue;
        if (sscanf(rest, "%ld.%*u.tmp%n", &process, &used) != 1 || used == 0 || rest[used])
            continue;
        if (kill((pid_t)process, 0) == 0 || errno != ESRCH) continue;
        char* left = session_path(parent, entry->d_name);
        if (left) remove_folder(left);
        free(left);
    }
    if (entries) closedir(entries);
}

static GullyStatus save(GullySession* session, const char* folder) {
    char *parent, *whole = temporary_folder(folder, &parent);
    if (!whole) return GULLY_NO_MEMORY;
    GullyStatus status = check_place(folder);
    if (!status) status = gully_folder_make(parent);
    if (!status) {
        tidy(parent, strrchr(folder, '/') ? strrchr(folder, '/') + 1 : folder);
        status = write_all(session, whole);
        if (!status) status = put(whole, folder);
        if (status) {
            char message[1024];
            snprintf(message, sizeof message, "%s", gully_message());
            remove_folder(whole);
            gully_fail(status, "%s", message);
        }
    }
    free(parent);
    free(whole);
    return status;
}

GullyStatus gully_session_save(GullySession* session, const char* folder) {
    if (session->keeper && keeper_is_at(session, folder)) return keeper_save(session);
    char* path = plain_path(folder);
    GullyStatus status = path && *path ? save(session, path)
                                       : gully_fail(GULLY_BAD_INPUT, "a session needs a folder");
    free(path);
    return status;
}
