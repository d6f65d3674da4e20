// SPDX-License-Identifier: MIT
// Replays files, or all files of folders, through a fuzz target: what fuzzing once found stays
// found.
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

static int replay_file(const char* path) {
    FILE* file = fopen(path, "rb");
    if (!file) return 0;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    uint8_t* bytes =
        size < 0 ? NULL : malloc((size_t)size); // of this size, so that ASan sees its end
    bool whole = bytes && fread(bytes, 1, (size_t)size, file) == (size_t)size;
    fclose(file);
    if (whole) LLVMFuzzerTestOneInput(bytes, (size_t)size);
    free(bytes);
    return whole;
}

static int replay(const char* path) {
    struct stat info;
    if (stat(path, &info) == 0 && S_ISREG(info.st_mode)) return replay_file(path);
    DIR* folder = opendir(path);
    int count = 0;
    for (const struct dirent* entry; folder && (entry = readdir(folder));) {
        char file[4096];
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.') count += replay(file);
    }
    if (folder) closedir(folder);
    return count;
}

int main(int argc, char** argv) {
    int count = LLVMFuzzerTestOneInput((const uint8_t*)"", 0);
    for (int i = 1; i < argc; i++)
        count += replay(argv[i]);
    printf("%d replayed\n", count);
    return count > 0 ? 0 : 1; // an empty corpus would prove nothing
}
