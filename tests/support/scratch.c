// SPDX-License-Identifier: MIT
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[512];

const char* scratch_folder(void) {
    return folder;
}

const char* in_scratch(const char* name) {
    static char paths[8][1024];
    static int next;
    next = (next + 1) % 8;
    snprintf(paths[next], sizeof paths[next], "%s/%s", folder, name);
    return paths[next];
}

int scratch_make(void** state) {
    (void)state;
    const char* root = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/gully-test-XXXXXX", root != NULL ? root : "/tmp");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static void remove_tree(const char* path) {
    DIR* entries = opendir(path);
    for (struct dirent* entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        char child[2048];
        snprintf(child, sizeof child, "%s/%s", path, entry->d_name);
        struct stat info;
        if (lstat(child, &info) == 0 && S_ISDIR(info.st_mode))
            remove_tree(child);
        else
            unlink(child);
    }
    if (entries != NULL) closedir(entries);
    rmdir(path);
}

int scratch_remove(void** state) {
    (void)state;
    remove_tree(folder);
    return 0;
}

static int compare_names(const void* a, const void* b) {
    return strcmp(*(const char* const*)a, *(const char* const*)b);
}

void assert_holds(const char* path, const char* expected) {
    char* names[64];
    int count = 0;
    char all[4096] = "";
    DIR* entries = opendir(path);
    assert_non_null(entries);
    for (struct dirent* entry; (entry = readdir(entries)) != NULL && count < 64;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            names[count++] = strdup(entry->d_name);
    closedir(entries);
    qsort(names, (size_t)count, sizeof *names, compare_names);
    for (int i = 0; i < count; ++i) {
        strncat(all, names[i], sizeof all - strlen(all) - 2);
        strcat(all, " ");
        free(names[i]);
    }
    assert_string_equal(all, expected);
}

void write_plain(const char* name, const void* bytes, size_t size) {
    FILE* file = fopen(in_scratch(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void write_text(const char* name, const char* text) {
    write_plain(name, text, strlen(text));
}

void assert_text(const char* name, const char* expected) {
    char text[256] = "";
    FILE* file = fopen(in_scratch(name), "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_int_equal(size, strlen(expected));
    assert_string_equal(text, expected);
}
