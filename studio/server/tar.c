// SPDX-License-Identifier: MIT
#include "tar.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { BLOCK = 512, PIECE = 1 << 16 };

/// The head of a file in a tar; numbers are octal texts.
typedef struct TarHead {
    char name[100], mode[8], uid[8], gid[8], size[12], time[12], sum[8], type, link[100], magic[6];
    char version[2], user[32], group[32], major[8], minor[8], prefix[155], unused[12];
} TarHead;

_Static_assert(sizeof(TarHead) == BLOCK, "a head is a block");

static unsigned sum_of(const TarHead* head) {
    const unsigned char* bytes = (const unsigned char*)head;
    const size_t from = offsetof(TarHead, sum), end = from + sizeof head->sum;
    unsigned sum = 0;
    for (size_t i = 0; i < BLOCK; i++)
        sum += i >= from && i < end ? ' ' : bytes[i];
    return sum;
}

// ---- writing ------------------------------------------------------------------------------------

static GullyStatus copy_bytes(FILE* from, FILE* to, long long size, const char* name) {
    char piece[PIECE];
    while (size > 0) {
        const size_t count = size < PIECE ? (size_t)size : PIECE;
        if (fread(piece, 1, count, from) != count)
            return gully_fail(GULLY_BAD_INPUT, "%s: it ends too early", name);
        if (fwrite(piece, 1, count, to) != count)
            return gully_fail(GULLY_IO, "%s: cannot be written: %s", name, strerror(errno));
        size -= (long long)count;
    }
    return GULLY_OK;
}

static GullyStatus add_open(FILE* tar, const char* name, FILE* file, long long size) {
    static const char zeros[BLOCK];
    TarHead head = {.type = '0', .magic = "ustar", .version = {'0', '0'}};
    snprintf(head.name, sizeof head.name, "%s", name);
    memcpy(head.mode, "0000644", 8);
    memcpy(head.uid, "0000000", 8);
    memcpy(head.gid, "0000000", 8);
    snprintf(head.size, sizeof head.size, "%011llo", (unsigned long long)size);
    memcpy(head.time, "00000000000", 12);
    snprintf(head.sum, sizeof head.sum, "%06o", sum_of(&head) & 0777777);
    head.sum[7] = ' ';
    const size_t rest = (size_t)(-size & (BLOCK - 1));
    if (fwrite(&head, 1, BLOCK, tar) != BLOCK)
        return gully_fail(GULLY_IO, "%s: cannot be written: %s", name, strerror(errno));
    GullyStatus status = copy_bytes(file, tar, size, name);
    if (status == GULLY_OK && fwrite(zeros, 1, rest, tar) != rest)
        status = gully_fail(GULLY_IO, "%s: cannot be written: %s", name, strerror(errno));
    return status;
}

GullyStatus tar_add(FILE* tar, const char* name, const char* path) {
    struct stat info;
    if (strlen(name) >= sizeof((TarHead*)NULL)->name)
        return gully_fail(GULLY_BAD_INPUT, "%s: the name is too long to be packed", name);
    FILE* file = fopen(path, "rb");
    if (!file || stat(path, &info) != 0 || info.st_size >= 1LL << 33) {
        if (file) fclose(file);
        return gully_fail(GULLY_IO, "%s: cannot be packed: %s", path,
                          file ? "a file of a tar has less than 8 GiB" : strerror(errno));
    }
    GullyStatus status = add_open(tar, name, file, info.st_size);
    fclose(file);
    return status;
}

GullyStatus tar_finish(FILE* tar, const char* path) {
    static const char zeros[2 * BLOCK];
    if (fwrite(zeros, 1, sizeof zeros, tar) == sizeof zeros && fflush(tar) == 0) return GULLY_OK;
    return gully_fail(GULLY_IO, "%s: cannot be written: %s", path, strerror(errno));
}

// ---- reading ------------------------------------------------------------------------------------

/// An octal text, ended by a space or nothing; -1 if it is none.
static long long octal(const char* text, size_t size) {
    long long value = 0;
    size_t i = 0;
    for (; i < size && text[i] >= '0' && text[i] <= '7'; i++)
        value = 8 * value + (text[i] - '0');
    return i > 0 && (i == size || text[i] == '\0' || text[i] == ' ') ? value : -1;
}

static bool is_end(const TarHead* head) {
    const char* bytes = (const char*)head;
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, BLOCK - 1) == 0;
}

static GullyStatus extract_one(FILE* tar, const TarHead* head, const char* where, TarPlace place,
                               void* context) {
    char name[sizeof head->name + 1] = "", path[4096];
    memcpy(name, head->name, sizeof head->name);
    const long long size = octal(head->size, sizeof head->size);
    if (memcmp(head->magic, "ustar", 5) != 0 || size < 0 ||
        octal(head->sum, sizeof head->sum) != (long long)sum_of(head))
        return gully_fail(GULLY_BAD_INPUT, "%s: this is no session as one file, or it is damaged",
                          where);
    if (head->type == '5') return GULLY_OK; // folders are made as they are needed
    if ((head->type != '0' && head->type != '\0') || head->prefix[0] ||
        !place(context, name, path, sizeof path))
        return gully_fail(GULLY_BAD_INPUT, "%s: '%.99s' is not what a session has", where, name);
    FILE* file = fopen(path, "wbx");
    if (!file) return gully_fail(GULLY_IO, "%s: cannot be written: %s", path, strerror(errno));
    GullyStatus status = copy_bytes(tar, file, size, name);
    if (fclose(file) != 0 && status == GULLY_OK)
        status = gully_fail(GULLY_IO, "%s: cannot be written: %s", path, strerror(errno));
    const long rest = (long)(-size & (BLOCK - 1));
    if (status == GULLY_OK && fseek(tar, rest, SEEK_CUR) != 0)
        status = gully_fail(GULLY_BAD_INPUT, "%s: it ends too early", where);
    return status;
}

GullyStatus tar_extract(const char* path, TarPlace place, void* context) {
    FILE* tar = fopen(path, "rb");
    if (!tar) return gully_fail(GULLY_IO, "%s: %s", path, strerror(errno));
    const char* slash = strrchr(path, '/');
    const char* where = slash ? slash + 1 : path;
    GullyStatus status = GULLY_OK;
    bool ended = false;
    while (status == GULLY_OK && !ended) {
        TarHead head;
        if (fread(&head, 1, BLOCK, tar) != BLOCK)
            status = gully_fail(GULLY_BAD_INPUT, "%s: it ends too early", where);
        else if (is_end(&head))
            ended = true;
        else
            status = extract_one(tar, &head, where, place, context);
    }
    fclose(tar);
    return status;
}
