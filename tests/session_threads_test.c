// SPDX-License-Identifier: MIT
/// Checkpoints of a session that are written beside it: they are of one moment, however it goes on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <time.h>

#include "scratch.h"
#include "session_cases.h"

static int count_checkpoints(const char* folder, long* newest) {
    DIR* entries = opendir(folder);
    int count = 0;
    *newest = 0;
    assert_non_null(entries);
    for (const struct dirent* entry; (entry = readdir(entries));) {
        long number;
        if (sscanf(entry->d_name, "checkpoint-%ld.gully", &number) != 1) continue;
        if (number > *newest) *newest = number;
        count++;
    }
    closedir(entries);
    return count;
}

/// Steps and keeps until a checkpoint of that number is there.
static void keep_until(GullySession* session, const char* folder, long number) {
    long newest;
    for (int i = 0; i < 2000; i++) {
        if (gully_session_keep(session)) fail_msg("%s", gully_message());
        OK(gully_session_step(session, 1));
        count_checkpoints(folder, &newest);
        if (newest >= number) return;
        struct timespec moment = {0, 1000000};
        nanosleep(&moment, NULL);
    }
    fail_msg("no checkpoint %ld", number);
}

/// An undo asks for a checkpoint soon.
static void test_checkpoints_beside(void** state) {
    (void)state;
    char* folder = strdup(in_scratch("beside"));
    GullySession* session = begin(RICH_SCENE, 2, folder);
    for (int i = 1; i <= 5; i++) {
        act(session, "{\"do\": \"stroke\", \"brush\": \"raise\", \"points\": [[%d, 200]]}",
            100 * i);
        act(session, "{\"do\": \"end\"}");
        act(session, "{\"do\": \"switch\", \"add_on\": \"thermal\", \"on\": false}");
        act(session, "{\"do\": \"undo\"}");
        keep_until(session, folder, i);
    }
    act(session, "{\"do\": \"hold\", \"brush\": \"rain\", \"at\": [400, 300], \"begin\": true}");
    OK(gully_session_step(session, 3));
    act(session, "{\"do\": \"switch\", \"add_on\": \"thermal\", \"on\": false}");
    act(session, "{\"do\": \"undo\"}");
    act(session, "{\"do\": \"hold\", \"brush\": \"rain\", \"at\": [300, 300], \"begin\": true}");
    keep_until(session, folder, 6); // of a brush that is held
    OK(gully_session_step(session, 5));
    act(session, "{\"do\": \"hold\", \"brush\": \"rain\", \"at\": [500, 300]}");
    OK(gully_session_step(session, 5));
    if (gully_session_keep(session)) fail_msg("%s", gully_message());
    GullySessionDef def = gully_session_def();
    GullySession *opened, *replayed;
    def.threads = 1;
    if (gully_session_open(folder, &def, &opened)) fail_msg("%s", gully_message());
    if (gully_session_replay(folder, &def, &replayed)) fail_msg("%s", gully_message());
    assert_same_session(session, opened);
    assert_same_session(session, replayed);
    act(session, "{\"do\": \"release\"}");
    OK(gully_session_step(session, 12));
    OK(gully_session_step(opened, 12));
    assert_same_session(session, opened);
    long newest;
    gully_session_destroy(session); // waits for the last one
    int count = count_checkpoints(folder, &newest);
    assert_true(count >= 1 && count <= 3);
    gully_session_destroy(opened);
    gully_session_destroy(replayed);
    free(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_checkpoints_beside)};
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
