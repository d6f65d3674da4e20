// SPDX-License-Identifier: MIT
#include "movie.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gully/raster.h"

/// Whether a folder of the search path has the program.
static bool is_there(const char* program) {
    const char* search = getenv("PATH");
    while (search && *search) {
        size_t length = strcspn(search, ":");
        char path[4096];
        snprintf(path, sizeof path, "%.*s/%s", (int)length, search, program);
        if (access(path, X_OK) == 0) return true;
        search += length + (search[length] == ':');
    }
    return false;
}

GullyStatus movie_check(const char* path) {
    size_t length = strlen(path);
    if (length < 5 || strcmp(path + length - 4, ".mp4") != 0)
        return gully_fail(GULLY_BAD_INPUT, "--movie wants a name that ends in .mp4, not '%s'",
                          path);
    if (is_there("ffmpeg")) return GULLY_OK;
    return gully_fail(GULLY_FAILED,
                      "--movie needs ffmpeg, which is not there; install it, or leave out --movie: "
                      "the frames are written without it");
}

/// In the folder of the frames, so that no letter of its path means something to ffmpeg.
static int run_ffmpeg(const char* folder, const char* output) {
    char* words[] = {"ffmpeg",
                     "-nostdin",
                     "-y",
                     "-loglevel",
                     "error",
                     "-framerate",
                     "25",
                     "-start_number_range",
                     "1000000",
                     "-i",
                     "%06d.png",
                     "-vf",
                     "scale=trunc(iw/2)*2:trunc(ih/2)*2",
                     "-c:v",
                     "libx264",
                     "-crf",
                     "18",
                     "-pix_fmt",
                     "yuv420p",
                     "-movflags",
                     "+faststart",
                     "-f",
                     "mp4",
                     NULL,
                     NULL};
    words[sizeof words / sizeof words[0] - 2] = (char*)output;
    pid_t child = fork();
    if (child == 0) {
        if (chdir(folder) == 0) execvp(words[0], words);
        _exit(127);
    }
    int state = -1;
    while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR)
        continue;
    return child > 0 && WIFEXITED(state) ? WEXITSTATUS(state) : 127;
}

/// The path from the root; NULL without memory. free() it.
static char* absolute(const char* path, const char* ending) {
    char here[4096] = "";
    if (path[0] != '/' && !getcwd(here, sizeof here - 1)) here[0] = 0;
    size_t size = strlen(here) + strlen(path) + strlen(ending) + 2;
    char* whole = malloc(size);
    if (whole) snprintf(whole, size, "%s%s%s%s", here, here[0] ? "/" : "", path, ending);
    return whole;
}

GullyStatus movie_write(const char* folder, const char* path) {
    char* temporary = absolute(path, ".tmp");
    if (!temporary) return gully_fail(GULLY_NO_MEMORY, "no memory to write %s", path);
    int code = run_ffmpeg(folder, temporary);
    GullyStatus status = GULLY_OK;
    if (code != 0)
        status =
            gully_fail(GULLY_FAILED, "%s: ffmpeg could not make it (exit %d); the frames are in %s",
                       path, code, folder);
    else if (rename(temporary, path) != 0)
        status = gully_fail(GULLY_IO, "%s: %s", path, strerror(errno));
    if (status != GULLY_OK) unlink(temporary);
    free(temporary);
    return status;
}
