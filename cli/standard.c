// SPDX-License-Identifier: MIT
#include "standard.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gully/raster.h"

enum { PATH_SIZE = 512 };

static char folder[PATH_SIZE]; ///< of temporary files, with a slash at its end; "" = none yet
static char input[PATH_SIZE + 32];

bool is_standard(const char* path) {
    return path && strcmp(path, "-") == 0;
}

// ---- the folder ---------------------------------------------------------------------------------

static void remove_folder(void) {
    char path[PATH_SIZE + 256];
    DIR* list = opendir(folder);
    for (const struct dirent* row; list && (row = readdir(list));)
        if (snprintf(path, sizeof path, "%s%s", folder, row->d_name) < (int)sizeof path)
            unlink(path);
    if (list) closedir(list);
    rmdir(folder);
}

GullyStatus standard_output_folder(const char** path) {
    *path = folder;
    if (folder[0]) return GULLY_OK;
    const char* place = getenv("TMPDIR");
    if (!place || !place[0]) place = "/tmp";
    int used = snprintf(folder, sizeof folder, "%s/gully-XXXXXX", place);
    if (used + 1 >= PATH_SIZE || !mkdtemp(folder)) {
        folder[0] = 0;
        return gully_fail(GULLY_IO, "%s: no folder for temporary files can be made: %s", place,
                          strerror(errno));
    }
    strcat(folder, "/");
    atexit(remove_folder);
    return GULLY_OK;
}

// ---- in -----------------------------------------------------------------------------------------

GullyStatus standard_read(char** bytes, size_t* size) {
    size_t room = 1 << 16;
    *size = 0;
    *bytes = malloc(room + 1);
    while (*bytes) {
        size_t got = fread(*bytes + *size, 1, room - *size, stdin);
        *size += got;
        if (*size < room) break;
        char* grown = realloc(*bytes, 2 * room + 1);
        if (!grown) free(*bytes);
        *bytes = grown;
        room *= 2;
    }
    if (!*bytes) return gully_fail(GULLY_NO_MEMORY, "standard input: not enough memory");
    (*bytes)[*size] = 0;
    if (!ferror(stdin)) return GULLY_OK;
    free(*bytes);
    *bytes = NULL;
    return gully_fail(GULLY_IO, "standard input: %s", strerror(errno));
}

/// GDAL knows a format by its content; ours of EXR by the name.
static const char* extension_of(const char* bytes, size_t size) {
    return size >= 4 && memcmp(bytes, "\x76\x2f\x31\x01", 4) == 0 ? ".exr" : "";
}

GullyStatus standard_input_file(const char** path) {
    *path = input;
    if (input[0]) return GULLY_OK; // read already
    char* bytes;
    size_t size;
    const char* place;
    GullyStatus status = standard_read(&bytes, &size);
    if (status != GULLY_OK) return status;
    status = standard_output_folder(&place);
    if (status == GULLY_OK) {
        snprintf(input, sizeof input, "%sstandard-input%s", place, extension_of(bytes, size));
        status = gully_file_write(input, bytes, size);
    }
    free(bytes);
    return status;
}

// ---- out ----------------------------------------------------------------------------------------

GullyStatus standard_write(const void* bytes, size_t size) {
    if (fwrite(bytes, 1, size, stdout) == size && fflush(stdout) == 0) return GULLY_OK;
    return gully_fail(GULLY_IO, "standard output: %s", strerror(errno));
}

GullyStatus standard_write_file(const char* path) {
    FILE* file = fopen(path, "rb");
    char buffer[1 << 16];
    GullyStatus status = GULLY_OK;
    for (size_t got; file && status == GULLY_OK && (got = fread(buffer, 1, sizeof buffer, file));)
        status = standard_write(buffer, got);
    if (!file || ferror(file)) status = gully_fail(GULLY_IO, "%s: %s", path, strerror(errno));
    if (file) fclose(file);
    return status;
}
