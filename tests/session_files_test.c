// SPDX-License-Identifier: MIT
/// Sessions in files: saved, kept, killed, damaged; each comes back as it was, to the bit.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sanitized.h"
#include "scratch.h"
#include "session_cases.h"

static GullySession* reopen(const char* folder, int threads, bool from_start, const char* keep) {
    GullySessionDef def = gully_session_def();
    GullySession* session = NULL;
    def.threads = threads;
    def.folder = keep;
    def.velocity = threads == 2; // changes nothing else
    GullyStatus status = from_start ? gully_session_replay(folder, &def, &session)
                                    : gully_session_open(folder, &def, &session);
    if (status) fail_msg("%s", gully_message());
    return session;
}

static void expect_refused(const char* folder, const char* expected) {
    GullySessionDef def = gully_session_def();
    GullySession* session = (GullySession*)&def;
    def.threads = 1;
    assert_int_equal(gully_session_open(folder, &def, &session), GULLY_BAD_INPUT);
    assert_null(session);
    if (!strstr(gully_message(), expected))
        fail_msg("expected \"%s\", got \"%s\"", expected, gully_message());
}

static void save(GullySession* session, const char* folder) {
    if (gully_session_save(session, folder)) fail_msg("%s", gully_message());
}

// ---- random sessions ----------------------------------------------------------------------------

typedef struct Chance {
    uint64_t state;
} Chance;

static unsigned draw(Chance* chance, unsigned below) {
    chance->state = chance->state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(chance->state >> 33) % below;
}

static double between(Chance* chance, double low, double high) {
    return low + (high - low) * draw(chance, 100000) / 100000;
}

typedef struct Player {
    GullySession* session;
    bool pipe; // its law
    Chance chance;
    char clip[64], raster[64];
} Player;

static void play_stroke(Player* player) {
    Chance* chance = &player->chance;
    const GullyBrushInfo* brush;
    do
        brush = gully_brush_info((int)draw(chance, (unsigned)gully_brush_count()));
    while (brush->held);
    act(player->session,
        "{\"do\": \"stroke\", \"brush\": \"%s\", \"radius\": %.17g, \"points\": [[%.17g, %.17g]]}",
        brush->name, between(chance, 10, 90), between(chance, 0, 900), between(chance, 0, 560));
    for (unsigned i = draw(chance, 4); i > 0; i--) {
        OK(gully_session_step(player->session, draw(chance, 3)));
        act(player->session, "{\"do\": \"more\", \"points\": [[%.17g, %.17g], [%.17g, %.17g]]}",
            between(chance, 0, 900), between(chance, 0, 560), between(chance, 0, 900),
            between(chance, 0, 560));
    }
    if (draw(chance, 4)) act(player->session, "{\"do\": \"end\"}");
}

static void play_hold(Player* player) {
    Chance* chance = &player->chance;
    for (int i = 0; i < 3; i++) {
        act(player->session,
            "{\"do\": \"hold\", \"brush\": \"rain\", \"radius\": 70, \"at\": [%.17g, %.17g], "
            "\"begin\": %s}",
            between(chance, 0, 900), between(chance, 0, 560), i ? "false" : "true");
        OK(gully_session_step(player->session, draw(chance, 5)));
    }
    if (draw(chance, 3)) act(player->session, "{\"do\": \"release\"}");
}

/// Only where the scene has materials.
static void play_material(Player* player) {
    Chance* chance = &player->chance;
    if (gully_world_material_count(gully_sim_world(gully_session_sim(player->session))) == 0)
        return;
    act(player->session, "{\"do\": \"material\", \"index\": %u, \"key\": \"%s\", \"value\": %.17g}",
        draw(chance, 3), draw(chance, 2) ? "talus" : "erodibility", between(chance, 1, 40));
}

static void play_set(Player* player) {
    static const struct {
        const char* key;
        double low, high;
    } keys[] = {{"rain.rate", 0, 0.005},    {"thermal.talus", 10, 50},
                {"dt", 0.01, 0.1},          {"rain.season.sigma", 1, 9},
                {"params.capacity", 0, 1},  {"params.gravity", 5, 15},
                {"params.softening", 0, 1}, {"params.evaporation", 0, 0.1}};
    enum { PLAIN_KEYS = 4 }; // that every law has
    Chance* chance = &player->chance;
    unsigned i = draw(chance, player->pipe ? COUNT(keys) : PLAIN_KEYS);
    for (unsigned times = 1 + draw(chance, 3); times > 0; times--) {
        act(player->session, "{\"do\": \"set\", \"key\": \"%s\", \"value\": %.17g}", keys[i].key,
            between(chance, keys[i].low, keys[i].high));
        OK(gully_session_step(player->session, draw(chance, 2)));
    }
    if (draw(chance, 3) == 0)
        act(player->session, "{\"do\": \"reset\", \"key\": \"%s\"}", keys[i].key);
}

static void play_source(Player* player) {
    Chance* chance = &player->chance;
    act(player->session,
        "{\"do\": \"add_source\", \"x\": %.17g, \"y\": %.17g, \"radius\": 30, "
        "\"rate\": 0.02, \"concentration\": 0.1}",
        between(chance, 0, 900), between(chance, 0, 560));
    if (draw(chance, 2)) act(player->session, "{\"do\": \"move_source\", \"index\": 0, \"x\": 77}");
    if (draw(chance, 3) == 0) act(player->session, "{\"do\": \"remove_source\", \"index\": 0}");
}

static void play_stamp(Player* player) {
    Chance* chance = &player->chance;
    if (!player->raster[0] || draw(chance, 4) == 0) {
        float values[20 * 10];
        for (int i = 0; i < COUNT(values); i++)
            values[i] = i % 37 ? (float)between(chance, 0, 5) : NAN;
        GullyRaster raster = {.width = 20, .height = 10, .values = values};
        assert_int_equal(gully_session_add_raster(player->session, &raster, player->raster),
                         GULLY_OK);
    }
    act(player->session,
        "{\"do\": \"stamp\", \"raster\": \"%s\", \"x\": %.17g, \"y\": %.17g, \"width\": 200, "
        "\"height\": 150, \"angle\": %.17g, \"field\": \"%s\", \"falloff\": 0.3}",
        player->raster, between(chance, 0, 900), between(chance, 0, 560), between(chance, 0, 360),
        draw(chance, 2) ? "terrain" : "water");
}

static void play_paste(Player* player) {
    Chance* chance = &player->chance;
    char text[128];
    snprintf(text, sizeof text, "{\"do\": \"copy\", \"rect\": [%u, %u, 30, 20]}", draw(chance, 60),
             draw(chance, 50));
    json_t* copy = ask(player->session, text);
    act(player->session,
        "{\"do\": \"paste\", \"clip\": \"%s\", \"x\": %.17g, \"y\": %.17g, \"fit\": true, "
        "\"falloff\": 0.5, \"angle\": 20}",
        json_string_value(json_object_get(copy, "clip")), between(chance, 0, 900),
        between(chance, 0, 560));
    json_decref(copy);
}

static void play_switch(Player* player) {
    act(player->session, "{\"do\": \"switch\", \"add_on\": \"thermal\", \"on\": %s}",
        draw(&player->chance, 2) ? "true" : "false");
}

static void play_phase(Player* player) {
    act(player->session, "{\"do\": \"phase\", \"index\": %u, \"hold\": %s}",
        draw(&player->chance, 3), draw(&player->chance, 3) ? "false" : "true");
}

/// May have nothing to go back to.
static void play_travel(Player* player) {
    for (unsigned i = 1 + draw(&player->chance, 3); i > 0; i--) {
        char* reply = NULL;
        const char* text = draw(&player->chance, 3) ? "{\"do\": \"undo\"}" : "{\"do\": \"redo\"}";
        GullyStatus status = gully_session_do(player->session, text, strlen(text), &reply);
        if (status && status != GULLY_BAD_INPUT) fail_msg("%s", gully_message());
        free(reply);
        OK(gully_session_step(player->session, draw(&player->chance, 2)));
    }
}

static void play(Player* player, int moves) {
    static void (*const all[])(Player*) = {
        play_stroke, play_hold,     play_set,    play_source, play_stamp,  play_paste, play_set,
        play_stroke, play_material, play_switch, play_phase,  play_travel, play_travel};
    for (int i = 0; i < moves; i++) {
        all[draw(&player->chance, COUNT(all))](player);
        OK(gully_session_step(player->session, draw(&player->chance, 6)));
    }
}

/// Whatever is done: saved and opened, or played again from the beginning, on any threads, it is
/// the same; and it goes on as the same.
/// Saved, and played again from the start, it is the same.
static void assert_replays(GullySession* session, const char* folder, int threads) {
    char* path = strdup(folder);
    save(session, path);
    GullySession* again = reopen(path, threads, true, NULL);
    assert_same_session(session, again);
    gully_session_destroy(again);
    free(path);
}

static void play_and_compare(const char* scene, bool pipe, int seeds) {
    for (int seed = 1; seed <= seeds; seed++) {
        Player player = {
            .session = begin(scene, 1 + seed % 3, NULL), .pipe = pipe, .chance = {(uint64_t)seed}};
        play(&player, 30);
        save(player.session, in_scratch("random"));
        GullySession* opened = reopen(in_scratch("random"), 2, false, NULL);
        GullySession* replayed = reopen(in_scratch("random"), 1, true, NULL);
        assert_same_session(player.session, opened);
        assert_same_session(player.session, replayed);
        act(player.session, "{\"do\": \"end\"}"); // what the others have let go of
        act(player.session, "{\"do\": \"release\"}");
        GullySession* all[] = {player.session, opened, replayed};
        for (int i = 0; i < 3; i++) {
            OK(gully_session_step(all[i], 7));
            act(all[i], "{\"do\": \"stroke\", \"brush\": \"raise\", \"points\": [[200, 200]]}");
            OK(gully_session_step(all[i], 20));
        }
        assert_same_session(player.session, opened);
        assert_same_session(player.session, replayed);
        assert_replays(opened, in_scratch("random"), 3); // over the one that is there
        for (int i = 0; i < 3; i++)
            gully_session_destroy(all[i]);
    }
}

static void test_random_sessions(void** state) {
    (void)state;
    play_and_compare(RICH_SCENE, true, SANITIZED ? 2 : 6);
    play_and_compare(BARE_SCENE("newton"), false, SANITIZED ? 1 : 5);
    play_and_compare(BARE_SCENE("diffusion"), false, SANITIZED ? 1 : 5);
}

static GullySession* doubled(const GullySession* of, int threads, const char* keep) {
    GullySessionDef def = gully_session_def();
    GullySession* session = NULL;
    def.threads = threads;
    def.folder = keep;
    if (gully_session_double(of, &def, &session)) fail_msg("%s", gully_message());
    return session;
}

/// A session that starts from another one's state in smaller cells is saved, opened, played again and
/// doubled as any other; the other one does not notice.
static void double_and_compare(const char* scene, bool pipe, int seeds) {
    for (int seed = 1; seed <= seeds; seed++) {
        Player player = {
            .session = begin(scene, 2, NULL), .pipe = pipe, .chance = {(uint64_t)seed + 50}};
        play(&player, 20);
        const int64_t steps = gully_sim_steps(gully_session_sim(player.session));
        Player fine = {
            .session = doubled(player.session, 1 + seed % 3, seed % 2 ? in_scratch("finer") : NULL),
            .pipe = pipe,
            .chance = player.chance};
        const GullySim* sim = gully_session_sim(fine.session);
        assert_int_equal(gully_sim_steps(sim), steps);
        assert_int_equal(gully_world_width(gully_sim_world(sim)), 180);
        assert_true(gully_sim_time(sim) == gully_sim_time(gully_session_sim(player.session)));
        play(&fine, 12);
        save(fine.session, in_scratch("random"));
        GullySession* opened = reopen(in_scratch("random"), 2, false, in_scratch("opened"));
        GullySession* replayed = reopen(in_scratch("random"), 1, true, NULL);
        assert_same_session(fine.session, opened);
        assert_same_session(fine.session, replayed);
        assert_replays(replayed, in_scratch("again"), 3); // with what it starts from
        GullySession* twice = doubled(opened, 2, NULL);
        OK(gully_session_step(twice, 3));
        assert_replays(twice, in_scratch("twice"), 1);
        GullySession* all[] = {player.session, fine.session, opened, replayed, twice};
        for (int i = 0; i < COUNT(all); i++)
            gully_session_destroy(all[i]);
    }
}

static void test_doubled_sessions(void** state) {
    (void)state;
    double_and_compare(RICH_SCENE, true, SANITIZED ? 1 : 4);
    double_and_compare(BARE_SCENE("newton"), false, SANITIZED ? 1 : 2);
    double_and_compare(BARE_SCENE("diffusion"), false, SANITIZED ? 1 : 2);
}

/// Undo lets go of a brush that the records before hold: a replay must let go at the same step.
static void test_undo_under_a_held_brush(void** state) {
    (void)state;
    GullySession* session = begin(RICH_SCENE, 2, NULL);
    act(session, "{\"do\": \"hold\", \"brush\": \"rain\", \"radius\": 90, \"at\": [400, 300], "
                 "\"begin\": true}");
    OK(gully_session_step(session, 6));
    act(session, "{\"do\": \"set\", \"key\": \"params.capacity\", \"value\": 0.2}");
    OK(gully_session_step(session, 6));
    act(session, "{\"do\": \"undo\"}");
    assert_int_equal(status_number(session, "records"), 2); // it, and its release
    OK(gully_session_step(session, 30));
    save(session, in_scratch("held"));
    GullySession* replayed = reopen(in_scratch("held"), 1, true, NULL);
    assert_same_session(session, replayed);
    gully_session_destroy(replayed);
    gully_session_destroy(session);
}

// ---- folders ------------------------------------------------------------------------------------

static void test_save_and_look(void** state) {
    (void)state;
    GullySessionInfo info;
    assert_int_equal(gully_session_look(in_scratch("nothing"), &info), GULLY_BAD_INPUT);
    GullySessionDef by_hand = {.threads = 1};
    GullySession* none;
    assert_int_equal(gully_session_open(in_scratch("nothing"), &by_hand, &none), GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "gully_session_def()"));
    GullySession* session = begin(PLAIN_SCENE, 1, NULL);
    act(session, "{\"do\": \"stroke\", \"brush\": \"raise\", \"points\": [[200, 200]]}");
    OK(gully_session_step(session, 12));
    save(session, in_scratch("a/b/saved/"));
    assert_holds(in_scratch("a/b"), "saved ");
    assert_holds(in_scratch("a/b/saved"), "checkpoint-000001.gully journal.jsonl session.json ");
    assert_int_equal(gully_session_look(in_scratch("a/b/saved"), &info), GULLY_OK);
    assert_string_equal(info.terrain, "mountains, 64 x 48");
    assert_int_equal(info.steps, 12);
    assert_int_equal(info.records, 1);
    assert_true(info.closed);
    // What a process that is gone has left goes away.
    assert_int_equal(gully_folder_make(in_scratch("a/b/.saved.999999999.0.tmp/clips")), GULLY_OK);
    write_text("a/b/.saved.999999999.0.tmp/session.json", "{}");
    write_text("a/b/.saved.999999999.0.tmp/.checkpoint-000001.gully.999999999.3.tmp", "x");
    // Another one in its place; and nothing else is ever replaced.
    OK(gully_session_step(session, 1));
    save(session, in_scratch("a/b/saved"));
    assert_holds(in_scratch("a/b"), "saved ");
    assert_int_equal(gully_session_look(in_scratch("a/b/saved"), &info), GULLY_OK);
    assert_int_equal(info.steps, 13);
    assert_int_equal(gully_folder_make(in_scratch("mine")), GULLY_OK);
    write_text("mine/letter", "dear");
    assert_int_equal(gully_session_save(session, in_scratch("mine")), GULLY_IO);
    assert_non_null(strstr(gully_message(), "holds no session"));
    assert_int_equal(gully_session_save(session, in_scratch("mine/letter")), GULLY_IO);
    assert_text("mine/letter", "dear");
    assert_holds(in_scratch("mine"), "letter ");
    // Moved, it is still the same.
    assert_int_equal(rename(in_scratch("a/b/saved"), in_scratch("moved")), 0);
    GullySession* moved = reopen(in_scratch("moved"), 1, false, NULL);
    assert_same_session(session, moved);
    gully_session_destroy(moved);
    gully_session_destroy(session);
}

/// A scene of a file, whose path is relative; the file may not become another.
static void test_terrain_of_a_file(void** state) {
    (void)state;
    float values[30 * 20];
    for (int i = 0; i < COUNT(values); i++)
        values[i] = (float)(i % 30) + 0.1f * (float)(i / 30);
    GullyRaster raster = {.width = 30, .height = 20, .cell_x = 5, .cell_y = 5, .values = values};
    raster.georeference = gully_georeference_plain(20, 5, 5);
    assert_int_equal(gully_folder_make(in_scratch("scene")), GULLY_OK);
    assert_int_equal(gully_raster_write(in_scratch("scene/dem.tif"), &raster), GULLY_OK);
    write_text("scene/s.json", "{\"gully\": 1, \"terrain\": {\"file\": \"dem.tif\"}, \"rain\": "
                               "{\"rate\": 1e-3}, \"steps\": 9}");
    GullyScene* scene;
    GullySession* session;
    GullySessionDef def = gully_session_def();
    assert_int_equal(gully_scene_load(in_scratch("scene/s.json"), NULL, 0, &scene), GULLY_OK);
    assert_int_equal(gully_session_create(scene, &def, &session), GULLY_OK);
    OK(gully_session_step(session, 5));
    save(session, in_scratch("of_file"));
    GullySession* opened = reopen(in_scratch("of_file"), 1, false, NULL);
    assert_same_session(session, opened);
    gully_session_destroy(opened);
    values[7] += 1;
    assert_int_equal(gully_raster_write(in_scratch("scene/dem.tif"), &raster), GULLY_OK);
    expect_refused(in_scratch("of_file"),
                   "terrain: its values at the start of the session were others");
    unlink(in_scratch("scene/dem.tif"));
    expect_refused(in_scratch("of_file"), "dem.tif");
    free(raster.georeference.projection);
    gully_session_destroy(session);
}

// ---- kept ---------------------------------------------------------------------------------------

static void keep(GullySession* session) {
    if (gully_session_keep(session)) fail_msg("%s", gully_message());
}

/// What a file holds; free() it.
static char* read_whole(const char* path, size_t* size) {
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    char* bytes = malloc(1 << 24);
    *size = fread(bytes, 1, (1 << 24) - 1, file);
    bytes[*size] = '\0';
    fclose(file);
    return bytes;
}

static void write_whole(const char* path, const char* bytes, size_t size) {
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

/// The state that a session starts from is its own, and must be there.
static void test_foreign_starts(void** state) {
    (void)state;
    GullySession* session = begin(RICH_SCENE, 1, NULL);
    GullySession *one = doubled(session, 1, NULL), *other = doubled(session, 1, NULL);
    save(one, in_scratch("one"));
    save(other, in_scratch("other"));
    assert_int_equal(rename(in_scratch("other/start.gully"), in_scratch("one/start.gully")), 0);
    expect_refused(in_scratch("one"), "the start of another session");
    GullySessionDef def = gully_session_def();
    GullySession* none;
    assert_int_equal(gully_session_open(in_scratch("other"), &def, &none), GULLY_IO);
    assert_non_null(strstr(gully_message(), "start.gully"));
    // How often cells were doubled may be anything too.
    static const struct {
        const char *times, *message;
        GullyStatus status;
    } heads[] = {{"99", "expected a number from 1 to 16", GULLY_BAD_INPUT},
                 {"0", "expected a number from 1 to 16", GULLY_BAD_INPUT},
                 {"13", "more than the", GULLY_NO_MEMORY},
                 {"15", "allowed are 1048576 along a side", GULLY_BAD_INPUT}};
    save(one, in_scratch("one"));
    for (int i = 0; i < COUNT(heads); i++) {
        size_t size;
        char *text = read_whole(in_scratch("one/session.json"), &size), changed[8192];
        const char* key = strstr(text, "\"doubled\": 1");
        assert_non_null(key);
        const int head = (int)(key - text) + 11;
        snprintf(changed, sizeof changed, "%.*s%s%.*s", head, text, heads[i].times,
                 (int)size - head - 1, text + head + 1);
        write_whole(in_scratch("one/session.json"), changed, strlen(changed));
        assert_int_equal(gully_session_open(in_scratch("one"), &def, &none), heads[i].status);
        assert_non_null(strstr(gully_message(), heads[i].message));
        write_whole(in_scratch("one/session.json"), text, size);
        free(text);
    }
    gully_session_destroy(session);
    gully_session_destroy(one);
    gully_session_destroy(other);
}

static void test_kept_session_goes_on(void** state) {
    (void)state;
    char* folder = strdup(in_scratch("kept"));
    Player player = {.session = begin(RICH_SCENE, 1, folder), .chance = {99}};
    for (int i = 0; i < 15; i++) {
        play(&player, 2);
        keep(player.session);
    }
    act(player.session, "{\"do\": \"end\"}");
    act(player.session, "{\"do\": \"release\"}");
    GullySessionInfo info;
    assert_int_equal(gully_session_look(folder, &info), GULLY_OK);
    assert_false(info.closed);
    assert_int_equal(info.steps, status_number(player.session, "step"));
    assert_int_equal(info.records, status_number(player.session, "records"));
    GullySession* copy = reopen(folder, 2, false, in_scratch("copy")); // while the other lives
    assert_same_session(player.session, copy);
    save(player.session, in_scratch("beside"));
    gully_session_destroy(player.session);
    assert_int_equal(gully_session_look(folder, &info), GULLY_OK);
    assert_true(info.closed);
    // Both go on, each in its folder.
    GullySession* session = reopen(folder, 1, false, folder);
    assert_same_session(session, copy);
    GullySession* all[] = {session, copy};
    for (int i = 0; i < 2; i++) {
        act(all[i], "{\"do\": \"stroke\", \"brush\": \"raise\", \"points\": [[200, 200]]}");
        OK(gully_session_step(all[i], 20));
        gully_session_destroy(all[i]);
    }
    session = reopen(folder, 2, true, NULL);
    copy = reopen(in_scratch("copy"), 1, false, NULL);
    assert_same_session(session, copy);
    gully_session_destroy(session);
    gully_session_destroy(copy);
    // A new session in the same folder replaces the old one.
    session = begin(PLAIN_SCENE, 1, folder);
    assert_holds(folder, "journal.jsonl session.json ");
    gully_session_destroy(session);
    free(folder);
}

/// Saving a session into the folder that it is kept in.
static void test_saved_where_it_is_kept(void** state) {
    (void)state;
    char* folder = strdup(in_scratch("own"));
    GullySession* session = begin(RICH_SCENE, 1, folder);
    for (int i = 0; i < 5; i++) {
        OK(gully_session_step(session, 5));
        save(session, folder);
    }
    assert_holds(folder, "checkpoint-000003.gully checkpoint-000004.gully checkpoint-000005.gully "
                         "journal.jsonl session.json ");
    act(session, "{\"do\": \"stroke\", \"brush\": \"raise\", \"points\": [[200, 200]]}");
    OK(gully_session_step(session, 5));
    keep(session);
    GullySession* opened = reopen(folder, 1, false, NULL);
    assert_same_session(session, opened);
    gully_session_destroy(opened);
    gully_session_destroy(session);
    free(folder);
}

/// Says from which step a session was opened: the first share of the way is 0.
static bool first_step(void* context, double share) {
    *(double*)context = share == 0 ? *(double*)context : share;
    return true;
}

static bool give_up(void* context, double share) {
    (void)context;
    return share < 0.5;
}

static void test_opening_is_given_up(void** state) {
    (void)state;
    GullySession* session = begin(PLAIN_SCENE, 1, in_scratch("given_up"));
    OK(gully_session_step(session, 200));
    gully_session_destroy(session);
    GullySessionDef def = gully_session_def();
    def.threads = 1;
    def.progress = give_up;
    assert_int_equal(gully_session_open(in_scratch("given_up"), &def, &session), GULLY_CANCELLED);
    assert_null(session);
    assert_non_null(strstr(gully_message(), "given up"));
    double share = -1;
    def.progress = first_step;
    def.context = &share;
    assert_int_equal(gully_session_open(in_scratch("given_up"), &def, &session), GULLY_OK);
    assert_true(share == 1);
    gully_session_destroy(session);
}

/// The newest checkpoint is damaged: the one before it is taken; no checkpoint at all: the
/// beginning.
static void test_damaged_checkpoints(void** state) {
    (void)state;
    char* folder = strdup(in_scratch("damaged"));
    GullySession* session = begin(RICH_SCENE, 1, folder);
    for (int i = 0; i < 3; i++) {
        act(session, "{\"do\": \"stroke\", \"brush\": \"raise\", \"points\": [[%d, 200]]}",
            100 * i + 100);
        OK(gully_session_step(session, 10));
        save(session, folder);
    }
    OK(gully_session_step(session, 10));
    keep(session);
    for (int i = 3; i >= 0; i--) {
        GullySession* opened = reopen(folder, 1, false, NULL);
        assert_same_session(session, opened);
        gully_session_destroy(opened);
        char name[64];
        snprintf(name, sizeof name, "damaged/checkpoint-%06d.gully", i);
        if (i == 0) break;
        size_t size;
        char* bytes = read_whole(in_scratch(name), &size);
        bytes[size / 2] ^= 1;
        write_whole(in_scratch(name), bytes, i == 2 ? size / 3 : size);
        free(bytes);
    }
    gully_session_destroy(session);
    free(folder);
}

/// A checkpoint of what was undone, or of another session, is not taken.
static void test_foreign_checkpoints(void** state) {
    (void)state;
    char* folder = strdup(in_scratch("foreign"));
    char* scene = strdup(RICH_SCENE); // of the same size, but lower
    memcpy(strstr(scene, "80}"), "70}", 3);
    GullySession *session = begin(RICH_SCENE, 1, folder), *other = begin(scene, 1, NULL);
    free(scene);
    OK(gully_session_step(session, 5));
    act(session, "{\"do\": \"stroke\", \"brush\": \"raise\", \"points\": [[300, 200]]}");
    OK(gully_session_step(session, 5));
    save(session, folder); // with the stroke
    act(session, "{\"do\": \"undo\"}");
    act(session, "{\"do\": \"stroke\", \"brush\": \"lower\", \"points\": [[300, 200]]}");
    OK(gully_session_step(session, 8));
    keep(session);
    GullySession* opened = reopen(folder, 1, false, NULL);
    assert_same_session(session, opened);
    gully_session_destroy(opened);
    OK(gully_session_step(other, 3));
    save(other, in_scratch("other"));
    assert_int_equal(rename(in_scratch("other/checkpoint-000001.gully"),
                            in_scratch("foreign/checkpoint-000099.gully")),
                     0);
    opened = reopen(folder, 1, false, NULL);
    assert_same_session(session, opened);
    gully_session_destroy(opened);
    gully_session_destroy(session);
    gully_session_destroy(other);
    free(folder);
}

/// Of a stroke that goes on a checkpoint does not have all: one from before it is taken.
static void test_saved_within_a_stroke(void** state) {
    (void)state;
    char* folder = strdup(in_scratch("within"));
    GullySession* session = begin(RICH_SCENE, 1, folder);
    OK(gully_session_step(session, 5));
    save(session, folder);
    act(session, "{\"do\": \"stroke\", \"brush\": \"raise\", \"points\": [[300, 200]]}");
    OK(gully_session_step(session, 5));
    save(session, folder);
    save(session, in_scratch("elsewhere"));
    GullySession* opened = reopen(in_scratch("elsewhere"), 1, false, NULL);
    assert_same_session(session, opened);
    gully_session_destroy(opened);
    act(session, "{\"do\": \"more\", \"points\": [[500, 300]]}");
    OK(gully_session_step(session, 5));
    keep(session);
    opened = reopen(folder, 1, false, NULL);
    assert_same_session(session, opened);
    gully_session_destroy(opened);
    gully_session_destroy(session);
    free(folder);
}

/// A journal cut at any byte opens as what its whole lines say, or is refused; nothing crashes.
static void test_torn_journal(void** state) {
    (void)state;
    char* folder = strdup(in_scratch("torn"));
    GullySession* session = begin(PLAIN_SCENE, 1, folder);
    for (int i = 0; i < 4; i++) {
        act(session, "{\"do\": \"switch\", \"add_on\": \"thermal\", \"on\": %s}",
            i % 2 ? "false" : "true");
        OK(gully_session_step(session, 3));
        if (i == 2) act(session, "{\"do\": \"undo\"}");
        keep(session);
    }
    gully_session_destroy(session);
    size_t size;
    char* bytes = read_whole(in_scratch("torn/journal.jsonl"), &size);
    int64_t records = 0;
    for (size_t length = 0; length <= size; length++) {
        GullySessionInfo info;
        write_whole(in_scratch("torn/journal.jsonl"), bytes, length);
        assert_int_equal(gully_session_look(folder, &info), GULLY_OK);
        assert_int_equal(info.closed, length == size);
        if (info.records == records) continue;
        records = info.records; // each list of records once
        session = reopen(folder, 1, false, NULL);
        assert_int_equal(status_number(session, "records"), records);
        assert_int_equal(status_number(session, "step"), info.steps);
        gully_session_destroy(session);
    }
    assert_int_equal(records, 3);
    // Going on after a torn line: the line is gone.
    write_whole(in_scratch("torn/journal.jsonl"), bytes, size - 20);
    session = reopen(folder, 1, false, folder);
    act(session, "{\"do\": \"stroke\", \"brush\": \"lower\", \"points\": [[100, 100]]}");
    GullySession* opened = reopen(folder, 1, true, NULL);
    act(session, "{\"do\": \"end\"}");
    assert_same_session(session, opened);
    gully_session_destroy(opened);
    gully_session_destroy(session);
    free(bytes);
    GullySessionInfo info;
    static const char spoiled[] = "{\"step\":3}\n\0\0x\n"; // a line at the end that is none
    write_whole(in_scratch("torn/journal.jsonl"), spoiled, sizeof spoiled - 1);
    assert_int_equal(gully_session_look(folder, &info), GULLY_OK);
    assert_int_equal(info.steps, 3);
    static const char* const wrong[][2] = {
        {"{\"step\":1}\nx\n{\"step\":2}\n", "journal.jsonl:2: the line is damaged"},
        {"{\"cut\":1}\n", "journal.jsonl:1: the line is damaged: cut is more"},
        {"{\"step\":-1}\n", "step is no whole number"},
        {"{\"do\":\"end\",\"step\":5}\n{\"do\":\"end\",\"step\":4}\n",
         ":2: the line is damaged: its step"},
        {"{\"do\":\"fly\",\"step\":0}\n", "record 1, at step 0: command: do: unknown command"},
        {"{\"do\":\"stamp\",\"raster\":\"../../x\",\"step\":0}\n", "is no name of a raster"},
        {"{\"do\":\"stamp\",\"raster\":\"raster-0123456789abcdef\",\"step\":0}\n",
         "raster-0123456789abcdef.tif"},
    };
    for (int i = 0; i < COUNT(wrong); i++) {
        write_whole(in_scratch("torn/journal.jsonl"), wrong[i][0], strlen(wrong[i][0]));
        expect_refused(folder, wrong[i][1]);
    }
    free(folder);
}

/// A disk that is full for a while: the session goes on, and is whole when there is room again.
static void test_full_disk(void** state) {
    (void)state;
    char* folder = strdup(in_scratch("full"));
    GullySession* session = begin(PLAIN_SCENE, 1, folder);
    struct rlimit before, none;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    none = before;
    none.rlim_cur = 10;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    act(session, "{\"do\": \"stroke\", \"brush\": \"raise\", \"points\": [[300, 200]]}");
    GullyStatus status = gully_session_keep(session),
                saved = gully_session_save(session, in_scratch("too"));
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(status, GULLY_IO);
    assert_int_equal(saved, GULLY_IO);
    struct stat info;
    assert_true(stat(in_scratch("too"), &info) != 0);
    act(session, "{\"do\": \"end\"}");
    keep(session);
    GullySession* opened = reopen(folder, 1, false, NULL);
    assert_same_session(session, opened);
    gully_session_destroy(opened);
    gully_session_destroy(session);
    free(folder);
}

/// Plays for ever; says on a pipe what it has kept.
static void live_until_killed(const char* folder, int seed, int out) {
    Player player = {.session = begin(RICH_SCENE, 2, folder), .chance = {(uint64_t)seed}};
    for (;;) {
        play(&player, 1);
        keep(player.session);
        int64_t kept[2] = {status_number(player.session, "step"),
                           status_number(player.session, "records")};
        if (write(out, kept, sizeof kept) != sizeof kept) _exit(1);
    }
}

static void test_killed(void** state) {
    (void)state;
    for (int seed = 1; seed <= (SANITIZED ? 2 : 6); seed++) {
        char* folder = strdup(in_scratch("killed"));
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) live_until_killed(folder, seed, ends[1]);
        close(ends[1]);
        int64_t kept[2] = {0, 0}, next[2];
        for (int i = 0; i < 10 + 7 * seed; i++)
            if (read(ends[0], kept, sizeof kept) != sizeof kept) break;
        struct timespec moment = {0, 1000000L * seed};
        nanosleep(&moment, NULL);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        while (read(ends[0], next, sizeof next) == sizeof next)
            memcpy(kept, next, sizeof kept);
        close(ends[0]);
        GullySessionInfo info;
        assert_int_equal(gully_session_look(folder, &info), GULLY_OK);
        assert_false(info.closed);
        print_message("    kept %lld steps, %lld records; found %lld, %lld\n", (long long)kept[0],
                      (long long)kept[1], (long long)info.steps, (long long)info.records);
        GullySession* opened = reopen(folder, 2, false, NULL);
        GullySession* replayed = reopen(folder, 1, true, NULL);
        assert_same_session(opened, replayed);
        assert_int_equal(status_number(opened, "step"), info.steps);
        // All that was kept is there, unless it was undone after that: the same player knows.
        Player again = {.session = begin(RICH_SCENE, 1, NULL), .chance = {(uint64_t)seed}};
        bool met = false;
        for (int i = 0; i < 500 && !met; i++) {
            play(&again, 1);
            met = status_number(again.session, "step") == kept[0] &&
                  status_number(again.session, "records") == kept[1];
        }
        assert_true(met);
        if (kept[0] == info.steps && kept[1] == info.records) {
            act(again.session, "{\"do\": \"end\"}");
            act(again.session, "{\"do\": \"release\"}");
            assert_same_session(again.session, opened);
        }
        gully_session_destroy(again.session);
        gully_session_destroy(opened);
        gully_session_destroy(replayed);
        free(folder);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_killed), // first: a child of one thread
        cmocka_unit_test(test_random_sessions),
        cmocka_unit_test(test_doubled_sessions),
        cmocka_unit_test(test_foreign_starts),
        cmocka_unit_test(test_undo_under_a_held_brush),
        cmocka_unit_test(test_save_and_look),
        cmocka_unit_test(test_terrain_of_a_file),
        cmocka_unit_test(test_kept_session_goes_on),
        cmocka_unit_test(test_saved_where_it_is_kept),
        cmocka_unit_test(test_opening_is_given_up),
        cmocka_unit_test(test_damaged_checkpoints),
        cmocka_unit_test(test_foreign_checkpoints),
        cmocka_unit_test(test_saved_within_a_stroke),
        cmocka_unit_test(test_torn_journal),
        cmocka_unit_test(test_full_disk),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
