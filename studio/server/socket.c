#include "socket.h"

#include <civetweb.h>
#include <stdlib.h>
#include <string.h>

#include "devices.h"
#include "gully/raster.h"

/// A page's connection, seen from the thread that reads from it.
typedef struct Link {
    Client* client;
    char* message; ///< of which only a part has come
    size_t size;
    bool is_text;
    int leaving; ///< frames that have come since it was told to go
} Link;

// ---- what a message asks for --------------------------------------------------------------------

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
    case VERB_SESSIONS:
        if (!clerk_post(&engine->clerk, list_sessions, command)) refuse_busy(engine, command);
        return;
    case VERB_DEVICES:
        if (!clerk_post(&engine->clerk, devices_list, command)) refuse_busy(engine, command);
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

static void take_text(Engine* engine, Client* client, const char* text, size_t size) {
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

// ---- frames of the WebSocket --------------------------------------------------------------------

/// Says why it is to go. What is still on its way is read, or else the code would be lost; but not
/// for long.
static int close_with(struct mg_connection* connection, Engine* engine, Refusal refusal, int code) {
    const char bytes[] = {(char)(code >> 8), (char)(code & 255)};
    Link* link = mg_get_user_connection_data(connection);
    gate_count(&engine->gate, refusal);
    if (link && link->client) client_hush(link->client);
    if (link) link->leaving = 1;
    mg_websocket_write(connection, MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE, bytes, sizeof bytes);
    return link != NULL;
}

/// Adds a part to the message; false if it gets too long.
static bool collect(Link* link, const char* bytes, size_t size) {
    if (size > MESSAGE_BYTES || link->size + size > MESSAGE_BYTES) return false;
    char* message = realloc(link->message, link->size + size + 1);
    if (!message) return false;
    memcpy(message + link->size, bytes, size);
    link->message = message;
    link->size += size;
    return true;
}

static int on_data(struct mg_connection* connection, int bits, char* bytes, size_t size,
                   void* context) {
    Engine* engine = context;
    Link* link = mg_get_user_connection_data(connection);
    int opcode = bits & 15;
    bool last = bits & 128;
    if (!link || !link->client) return 0;
    if (link->leaving)
        return opcode != MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE && link->leaving++ < 100;
    switch (opcode) {
    case MG_WEBSOCKET_OPCODE_PING:
        mg_websocket_write(connection, MG_WEBSOCKET_OPCODE_PONG, bytes, size);
        return 1;
    case MG_WEBSOCKET_OPCODE_PONG:
        return 1;
    case MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE:
        mg_websocket_write(connection, opcode, bytes, size < 2 ? 0 : 2);
        return 0;
    case MG_WEBSOCKET_OPCODE_TEXT:
        link->size = 0;
        link->is_text = true;
        break;
    case MG_WEBSOCKET_OPCODE_CONTINUATION:
        break;
    default:
        link->is_text = false;
        break;
    }
    if (!link->is_text) return close_with(connection, engine, REFUSED_GARBAGE, 1003);
    if (!collect(link, bytes, size)) return close_with(connection, engine, REFUSED_SIZE, 1009);
    if (!last) return 1;
    take_text(engine, link->client, link->message, link->size);
    free(link->message);
    *link = (Link){.client = link->client};
    return 1;
}

static void on_ready(struct mg_connection* connection, void* context) {
    Engine* engine = context;
    Link* link = calloc(1, sizeof *link);
    if (link) link->client = clients_add(&engine->clients, connection);
    mg_set_user_connection_data(connection, link);
    Command* command = link && link->client ? calloc(1, sizeof *command) : NULL;
    if (!command) {
        close_with(connection, engine, REFUSED_BUSY, 1013);
        mg_disable_connection_keep_alive(connection);
        return;
    }
    command->message.verb = VERB_HELLO;
    command->client = client_number(link->client);
    if (!engine_post(engine, command)) refuse_busy(engine, command);
}

static void on_close(const struct mg_connection* connection, void* context) {
    Engine* engine = context;
    Link* link = mg_get_user_connection_data(connection);
    if (!link) return;
    if (link->client) clients_remove(&engine->clients, link->client);
    free(link->message);
    free(link);
    mg_set_user_connection_data(connection, NULL);
}

void socket_serve(struct mg_context* server, Engine* engine) {
    mg_set_websocket_handler(server, "/socket", NULL, on_ready, on_data, on_close, engine);
}
