// SPDX-License-Identifier: MIT
#include "hole_files.h"

#include <cpl_vsi.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char prefix[] = "/vsigullyholes/";

/// A file that is open.
typedef struct HoleFile {
    int descriptor;
    off_t at;
} HoleFile;

static int stat_file(void* user, const char* path, VSIStatBufL* out, int flags) {
    (void)user;
    return VSIStatExL(path, out, flags);
}

static void* open_file(void* user, const char* path, const char* access) {
    (void)user;
    const bool writes = strpbrk(access, "wa+") != NULL;
    HoleFile* file = calloc(1, sizeof *file);
    if (!file) return NULL;
    file->descriptor = open(path, (writes ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    if (file->descriptor >= 0 && access[0] == 'w' && ftruncate(file->descriptor, 0) == 0)
        return file;
    if (file->descriptor >= 0 && access[0] != 'w') return file;
    if (file->descriptor >= 0) close(file->descriptor);
    free(file);
    return NULL;
}

static off_t size_of(const HoleFile* file) {
    struct stat info;
    return fstat(file->descriptor, &info) == 0 ? info.st_size : 0;
}

static vsi_l_offset tell(void* context) {
    return (vsi_l_offset)((const HoleFile*)context)->at;
}

static int seek(void* context, vsi_l_offset offset, int whence) {
    HoleFile* file = context;
    const off_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file->at : size_of(file);
    file->at = from + (off_t)offset;
    return 0;
}

static size_t read_file(void* context, void* bytes, size_t size, size_t count) {
    HoleFile* file = context;
    const ssize_t got = size > 0 ? pread(file->descriptor, bytes, size * count, file->at) : 0;
    if (got <= 0) return 0;
    file->at += got;
    return (size_t)got / size;
}

static bool is_zero(const char* bytes, size_t size) {
    return size > 0 && bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0;
}

/// Zeros beyond the end lengthen the file, and take no room on the disk.
static size_t write_file(void* context, const void* bytes, size_t size, size_t count) {
    HoleFile* file = context;
    const size_t all = size * count;
    const off_t end = file->at + (off_t)all;
    if (file->at >= size_of(file) && is_zero(bytes, all)) {
        if (ftruncate(file->descriptor, end) != 0) return 0;
    } else {
        for (size_t done = 0; done < all;) {
            const ssize_t written = pwrite(file->descriptor, (const char*)bytes + done, all - done,
                                           file->at + (off_t)done);
            if (written <= 0) return 0;
            done += (size_t)written;
        }
    }
    file->at = end;
    return count;
}

static int at_end(void* context) {
    const HoleFile* file = context;
    return file->at >= size_of(file);
}

static int flush(void* context) {
    (void)context;
    return 0;
}

static int cut(void* context, vsi_l_offset size) {
    return ftruncate(((const HoleFile*)context)->descriptor, (off_t)size);
}

static int close_file(void* context) {
    HoleFile* file = context;
    const int result = close(file->descriptor);
    free(file);
    return result;
}

static void install(void) {
    VSIFilesystemPluginCallbacksStruct* calls = VSIAllocFilesystemPluginCallbacksStruct();
    calls->stat = stat_file;
    calls->open = open_file;
    calls->tell = tell;
    calls->seek = seek;
    calls->read = read_file;
    calls->write = write_file;
    calls->eof = at_end;
    calls->flush = flush;
    calls->truncate = cut;
    calls->close = close_file;
    VSIInstallPluginHandler(prefix, calls);
    VSIFreeFilesystemPluginCallbacksStruct(calls);
}

const char* hole_files_prefix(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    return prefix;
}
