// SPDX-License-Identifier: MIT
// Files that appear whole or not at all, sets of them, and folders.

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "gully/raster.h"

struct GullyOutputs {
    pthread_mutex_t mutex;  // of the rest: several threads may write into a set
    GullyStagedFile* files; // in the order in which they were written
    size_t count, capacity;
};

static GullyStatus no_memory(const char* path) {
    return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
}

static GullyStatus cannot_write(const char* path, int error) {
    return gully_fail(GULLY_IO, "%s: cannot be written: %s", path, strerror(error));
}

static void release(GullyStagedFile* staged) {
    free(staged->path);
    free(staged->target);
    free(staged->temporary);
    *staged = (GullyStagedFile){0};
}

/// Names a file beside `target` that nobody else uses: hidden, with the name that it is for (cut,
/// so that it stays below the 255 bytes of a name), this process and a number. NULL without memory.
static char* temporary_name(const char* target) {
    static atomic_uint counter;
    const char* slash = strrchr(target, '/');
    const char* name = slash != NULL ? slash + 1 : target;
    int folder_length = (int)(name - target);
    size_t size = strlen(target) + 64;
    char* result = malloc(size);
    if (result == NULL) return NULL;
    snprintf(result, size, "%.*s.%.200s.%ld.%u.tmp", folder_length, target, name, (long)getpid(),
             atomic_fetch_add(&counter, 1));
    return result;
}

/// Creates an empty file beside `target`; returns 0 or an errno (ENOMEM included).
static int temporary_create(const char* target, char** name, int* descriptor) {
    // A file of that name can only be left from a process that died with our number.
    for (int attempt = 0; attempt < 1000; ++attempt) {
        *name = temporary_name(target);
        if (*name == NULL) return ENOMEM;
        *descriptor = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (*descriptor >= 0) return 0;
        int error = errno;
        free(*name);
        *name = NULL;
        if (error != EEXIST) return error;
    }
    return EEXIST;
}

GullyStatus gully_staged_begin(const char* path, GullyStagedFile* staged, int* descriptor) {
    *staged = (GullyStagedFile){0};
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return gully_fail(GULLY_IO, "%s: cannot be written: it is %s", path,
                          S_ISDIR(info.st_mode) ? "a folder" : "not a plain file");
    staged->path = strdup(path);
    staged->target = realpath(path, NULL);
    if (staged->target == NULL) staged->target = strdup(path); // not there yet
    if (staged->path == NULL || staged->target == NULL) {
        release(staged);
        return no_memory(path);
    }
    int error = temporary_create(staged->target, &staged->temporary, descriptor);
    if (error == 0) return GULLY_OK;
    release(staged);
    return cannot_write(path, error);
}

void gully_staged_drop(GullyStagedFile* staged) {
    unlink(staged->temporary);
    release(staged);
}

static GullyStatus staged_rename(GullyStagedFile* staged) {
    GullyStatus status = GULLY_OK;
    if (rename(staged->temporary, staged->target) != 0) {
        status = cannot_write(staged->path, errno);
        unlink(staged->temporary);
    }
    release(staged);
    return status;
}

/// Adds a file to a set, which takes it over; false without memory.
static bool outputs_add(GullyOutputs* outputs, const GullyStagedFile* staged) {
    if (outputs->count == outputs->capacity) {
        size_t capacity = outputs->capacity == 0 ? 16 : outputs->capacity * 2;
        GullyStagedFile* files = realloc(outputs->files, capacity * sizeof *files);
        if (files == NULL) return false;
        outputs->files = files;
        outputs->capacity = capacity;
    }
    outputs->files[outputs->count++] = *staged;
    return true;
}

GullyStatus gully_staged_keep(GullyStagedFile* staged, GullyOutputs* outputs) {
    if (outputs == NULL) return staged_rename(staged);
    pthread_mutex_lock(&outputs->mutex);
    bool added = outputs_add(outputs, staged);
    pthread_mutex_unlock(&outputs->mutex);
    if (!added) {
        GullyStatus status = no_memory(staged->path);
        gully_staged_drop(staged);
        return status;
    }
    *staged = (GullyStagedFile){0};
    return GULLY_OK;
}

int gully_descriptor_sync(int descriptor) {
    // Some file systems have no such call and say so.
    if (fsync(descriptor) == 0 || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP) return 0;
    return errno;
}

int gully_descriptor_write(int descriptor, const void* bytes, size_t size) {
    const char* from = bytes;
    while (size > 0) {
        ssize_t written = write(descriptor, from, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        from += written;
        size -= (size_t)written;
    }
    return 0;
}

GullyStatus gully_outputs_file(GullyOutputs* outputs, const char* path, const void* bytes,
                               size_t size) {
    assert(path != NULL && (bytes != NULL || size == 0));
    GullyStagedFile staged;
    int descriptor;
    GullyStatus status = gully_staged_begin(path, &staged, &descriptor);
    if (status != GULLY_OK) return status;
    int error = gully_descriptor_write(descriptor, bytes, size);
    if (error == 0) error = gully_descriptor_sync(descriptor);
    if (close(descriptor) != 0 && error == 0) error = errno;
    if (error == 0) return gully_staged_keep(&staged, outputs);
    gully_staged_drop(&staged);
    return cannot_write(path, error);
}

GullyStatus gully_file_write(const char* path, const void* bytes, size_t size) {
    return gully_outputs_file(NULL, path, bytes, size);
}

GullyStatus gully_outputs_create(GullyOutputs** out) {
    *out = calloc(1, sizeof **out);
    if (*out == NULL) return gully_fail(GULLY_NO_MEMORY, "not enough memory for a set of files");
    pthread_mutex_init(&(*out)->mutex, NULL);
    return GULLY_OK;
}

static void outputs_destroy(GullyOutputs* outputs) {
    free(outputs->files);
    pthread_mutex_destroy(&outputs->mutex);
    free(outputs);
}

GullyStatus gully_outputs_commit(GullyOutputs* outputs) {
    GullyStatus status = GULLY_OK;
    for (size_t i = 0; i < outputs->count; ++i) {
        if (status == GULLY_OK)
            status = staged_rename(&outputs->files[i]);
        else
            gully_staged_drop(&outputs->files[i]);
    }
    outputs_destroy(outputs);
    return status;
}

void gully_outputs_abandon(GullyOutputs* outputs) {
    if (outputs == NULL) return;
    for (size_t i = 0; i < outputs->count; ++i)
        gully_staged_drop(&outputs->files[i]);
    outputs_destroy(outputs);
}

/// Makes one folder whose parent is there; `path` is what the caller asked for.
static GullyStatus folder_make_one(const char* folder, const char* path) {
    struct stat info;
    if (stat(folder, &info) != 0) {
        // EEXIST: somebody else has just made it, or it is a link to nowhere.
        if (mkdir(folder, 0777) != 0 && errno != EEXIST)
            return gully_fail(GULLY_IO, "%s: the folder cannot be made: %s", path, strerror(errno));
        if (stat(folder, &info) != 0)
            return gully_fail(GULLY_IO, "%s: the folder cannot be made: %s: %s", path, folder,
                              strerror(errno));
    }
    if (!S_ISDIR(info.st_mode))
        return gully_fail(GULLY_IO, "%s: the folder cannot be made: %s is a file", path, folder);
    return GULLY_OK;
}

/// Tries to make a file in the folder: rights, a full or read-only disk all show there.
static GullyStatus folder_try(const char* folder) {
    size_t size = strlen(folder) + sizeof "/gully";
    char* target = malloc(size);
    if (target == NULL) return no_memory(folder);
    snprintf(target, size, "%s/gully", folder);
    char* temporary;
    int descriptor;
    int error = temporary_create(target, &temporary, &descriptor);
    free(target);
    if (error != 0)
        return gully_fail(GULLY_IO, "%s: the folder cannot be written to: %s", folder,
                          strerror(error));
    close(descriptor);
    unlink(temporary);
    free(temporary);
    return GULLY_OK;
}

/// Whether a file is a temporary one, and of which process: ".NAME.PROCESS.NUMBER.tmp".
static bool is_temporary(const char* name, long* process) {
    static const char suffix[] = ".tmp";
    size_t length = strlen(name), end = sizeof suffix - 1;
    if (name[0] != '.' || length <= end || strcmp(name + length - end, suffix) != 0) return false;
    const char* at = name + length - end;
    int dots = 0;
    while (at > name + 1 && dots < 2) {
        at--;
        if (*at == '.')
            dots++;
        else if (*at < '0' || *at > '9')
            return false;
    }
    *process = dots == 2 ? strtol(at + 1, NULL, 10) : 0;
    return *process > 0;
}

/// Whether a process has ended. One that nobody has asked about since is still listed: its parent may
/// have been killed with it.
static bool is_gone(long process) {
    char name[64], state = ' ';
    if (kill((pid_t)process, 0) != 0 && errno == ESRCH) return true;
    snprintf(name, sizeof name, "/proc/%ld/stat", process);
    FILE* file = fopen(name, "r");
    if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1) state = ' ';
    if (file) fclose(file);
    return state == 'Z';
}

void gully_folder_tidy(const char* path) {
    DIR* folder = opendir(path);
    const struct dirent* entry;
    while (folder && (entry = readdir(folder))) {
        long process;
        if (!is_temporary(entry->d_name, &process)) continue;
        if (is_gone(process) || process == (long)getpid())
            unlinkat(dirfd(folder), entry->d_name, 0);
    }
    if (folder) closedir(folder);
}

GullyStatus gully_folder_make(const char* path) {
    assert(path != NULL);
    char* folder = strdup(path);
    if (folder == NULL) return no_memory(path);
    GullyStatus status = GULLY_OK;
    for (char* c = folder; *c != '\0' && status == GULLY_OK; ++c) {
        if (*c != '/' || c == folder) continue;
        *c = '\0';
        status = folder_make_one(folder, path);
        *c = '/';
    }
    if (status == GULLY_OK) status = folder_make_one(folder, path);
    if (status == GULLY_OK) status = folder_try(folder);
    free(folder);
    return status;
}
