// SPDX-License-Identifier: MIT
/// What is told about rasters, and what reading them has to say.
#include "read_options.h"

#include <stdio.h>
#include <string.h>

#include "console.h"

void read_notes_print(const char* path, const char* notes) {
    if (console_is_quiet()) return;
    for (const char* line = notes; *line; line += strcspn(line, "\n"), line += *line == '\n')
        fprintf(stderr, "gully: %s: %.*s\n", path, (int)strcspn(line, "\n"), line);
}

int read_sets(const GullyReadDef* def, char sets[READ_SETS][READ_SET_SIZE]) {
    int count, used = 0;
    const GullyReadRow* rows = gully_read_rows(&count);
    for (int i = 0; i < count && used < READ_SETS; i++) {
        const void* member = (const char*)def + rows[i].offset;
        const char* word = rows[i].choice ? *(const char* const*)member : NULL;
        const GullyTold* told = rows[i].choice ? NULL : member;
        if (word)
            snprintf(sets[used++], READ_SET_SIZE, "terrain.%s=\"%s\"", rows[i].name, word);
        else if (told && told->count == 1)
            snprintf(sets[used++], READ_SET_SIZE, "terrain.%s=%.17g", rows[i].name,
                     told->numbers[0]);
        else if (told && told->count == 2)
            snprintf(sets[used++], READ_SET_SIZE, "terrain.%s=[%.17g,%.17g]", rows[i].name,
                     told->numbers[0], told->numbers[1]);
    }
    return used;
}
