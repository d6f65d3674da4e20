// SPDX-License-Identifier: MIT
#include "intake.h"

#include <stdlib.h>

#include "devices.h"
#include "gully/raster.h"
#include "inspect.h"
#include "sketch.h"

static void refuse_busy(Engine* engine, Command* command) {
    gate_count(&engine->gate, REFUSED_BUSY);
    reply_error(engine, command, "too much waits to be done already");
    command_free(command);
}

static void list_sessions(void* context) {
    Command* command = context;
    Engine* engine = command->engine;
    reply_ok(engine, command, json_pack("{s:o}", "sessions", folders_sessions(&engine->folders)));
    command_free(command);
}

/// Reads the raster; then the engine adds it.
static void read_raster(void* context) {
    Command* command = context;
    Engine* engine = command->engine;
    char path[PATH_MAX];
    GullyStatus status =
        folders_find_raster(&engine->folders, engine->folders.root, command->message.file, path);
    if (status != GULLY_OK) gate_count(&engine->gate, REFUSED_PATH);
    if (status == GULLY_OK) status = gully_raster_read(path, NULL, NULL, &command->raster);
    if (status != GULLY_OK) {
        reply(engine, command, status, NULL);
        command_free(command);
    } else if (!engine_post(engine, command)) {
        refuse_busy(engine, command);
    }
}

/// Does what can be done at once, and hands over the rest: to the clerk what looks at files (the
/// stacks of CivetWeb's threads are small), else to the engine.
static void dispatch(Engine* engine, Client* client, Command* command) {
    const Message* message = &command->message;
    switch (message->verb) {
    case VERB_ACK:
        client_ack(client, (uint32_t)message->frame);
        engine_welcome(engine, false);
        reply_ok(engine, command, NULL);
        break;
    case VERB_WANT:
        client_want(client, message->want);
        reply_ok(engine, command, NULL);
        break;
    case VERB_WATCH:
        client_watch(client, message->on);
        reply_ok(engine, command, NULL);
        break;
    case VERB_CANCEL:
        atomic_store(&engine->cancelled, true);
        reply_ok(engine, command, NULL);
        break;
    case VERB_SESSIONS:
        if (!clerk_post(&engine->clerk, list_sessions, command)) refuse_busy(engine, command);
        return;
    case VERB_DEVICES:
        if (!clerk_post(&engine->clerk, devices_list, command)) refuse_busy(engine, command);
        return;
    case VERB_INSPECT:
        if (!clerk_post(&engine->clerk, inspect_raster, command)) refuse_busy(engine, command);
        return;
    case VERB_SKETCH:
        if (!clerk_post(&engine->clerk, sketch_terrain, command)) refuse_busy(engine, command);
        return;
    case VERB_ADD_RASTER:
        if (!clerk_post(&engine->clerk, read_raster, command)) refuse_busy(engine, command);
        return;
    default:
        if (!engine_post(engine, command)) refuse_busy(engine, command);
        return;
    }
    command_free(command);
    engine_wake(engine);
}

void intake_text(Engine* engine, Client* client, const char* text, size_t size) {
    Command* command = calloc(1, sizeof *command);
    if (!command) return;
    command->engine = engine;
    command->client = client_number(client);
    if (message_parse(text, size, &command->message) == GULLY_OK) {
        dispatch(engine, client, command);
        return;
    }
    gate_count(&engine->gate, REFUSED_GARBAGE);
    reply_error(engine, command, gully_message());
    command_free(command);
}

bool intake_hello(Engine* engine, Client* client) {
    Command* command = calloc(1, sizeof *command);
    if (!command) return false;
    command->message.verb = VERB_HELLO;
    command->client = client_number(client);
    if (!engine_post(engine, command)) refuse_busy(engine, command);
    return true;
}
