// SPDX-License-Identifier: MIT
// Commands of a session, one on each line, on a small world; a line "+N" makes N steps. What was
// done must come out the same when it is played again. And the same bytes as a journal.
#define _GNU_SOURCE // nftw
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gully/session.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

enum { MOST_STEPS = 64, MOST_LINES = 64 };

static const char scene_text[] =
    "{\"gully\": 1, \"terrain\": {\"generate\": \"slope\", \"width\": 20, \"height\": 16},"
    " \"materials\": [{\"name\": \"rock\"}, {\"name\": \"soil\"}], \"layers\": {\"soil\": 1},"
    " \"rain\": {\"rate\": 1e-3}, \"program\": [{\"steps\": 5}, {\"steps\": 3, \"set\": "
    "{\"rain.rate\": 0}}]}";

static char folder[64]; // of this process

static int remove_one(const char* path, const struct stat* info, int kind, struct FTW* place) {
    (void)info, (void)kind, (void)place;
    return remove(path);
}

static void remove_folder(void) {
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void name_folder(void) {
    if (folder[0]) return;
    const char* root = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.30s/gully-session-%ld", root ? root : "/tmp",
             (long)getpid());
    atexit(remove_folder);
}

static bool is_patient(void* context, double share) {
    (void)share;
    return --*(int*)context > 0;
}

static GullySession* begin(void) {
    GullyScene* scene;
    GullySession* session;
    GullySessionDef def = gully_session_def();
    def.threads = 1;
    if (gully_scene_parse(scene_text, strlen(scene_text), "fuzz", ".", NULL, 0, &scene) ||
        gully_session_create(scene, &def, &session))
        abort();
    return session;
}

static void do_line(GullySession* session, const char* line, size_t length, int* steps) {
    char* reply = NULL;
    if (length > 0 && line[0] == '+') {
        int more = length > 1 && line[1] >= '0' && line[1] <= '9' ? line[1] - '0' : 1;
        if (more > *steps) more = *steps;
        *steps -= more;
        if (gully_session_step(session, more)) abort();
        return;
    }
    int64_t before = gully_session_changes(session);
    GullyStatus status = gully_session_do(session, line, length, &reply);
    if ((status == GULLY_OK) != (reply != NULL)) abort();
    if (status && (gully_session_changes(session) != before || !gully_message()[0])) abort();
    free(reply);
}

static void do_lines(GullySession* session, const char* text, size_t size) {
    int steps = MOST_STEPS;
    for (int lines = 0; size > 0 && lines < MOST_LINES; lines++) {
        const char* end = memchr(text, '\n', size);
        size_t length = end ? (size_t)(end - text) : size;
        do_line(session, text, length, &steps);
        text += length + (end ? 1 : 0);
        size -= length + (end ? 1 : 0);
    }
}

static GullySession* again(bool patient) {
    int patience = 1000;
    GullySession* session;
    GullySessionDef def = gully_session_def();
    def.threads = 1;
    def.progress = patient ? NULL : is_patient;
    def.context = &patience;
    return gully_session_replay(folder, &def, &session) ? NULL : session;
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    char journal[96];
    GullySession *session = begin(), *played;
    name_folder();
    snprintf(journal, sizeof journal, "%s/journal.jsonl", folder);
    do_lines(session, (const char*)bytes, size);
    if (gully_session_save(session, folder)) abort();
    played = again(true);
    if (!played) abort();
    const GullyWorld* worlds[] = {gully_sim_world(gully_session_sim(session)),
                                  gully_sim_world(gully_session_sim(played))};
    for (GullyField field = 0; field < GULLY_FIELD_COUNT; field++)
        if (gully_world_hash(worlds[0], field) != gully_world_hash(worlds[1], field)) abort();
    free(gully_session_describe(played));
    gully_session_destroy(played);
    GullySessionInfo info;
    FILE* file = fopen(journal, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) abort();
    if (gully_session_look(folder, &info) == GULLY_OK && info.steps < 1000)
        gully_session_destroy(again(false));
    if (gully_session_save(session, folder)) abort(); // over it
    gully_session_destroy(session);
    return 0;
}
