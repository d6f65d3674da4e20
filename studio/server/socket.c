// SPDX-License-Identifier: MIT
#include "socket.h"

#include <civetweb.h>
#include <stdlib.h>
#include <string.h>

#include "intake.h"
#include "line.h"

/// A page's connection, seen from the thread that reads from it.
typedef struct Link {
    Client* client;
    char* message; ///< of which only a part has come
    size_t size;
    bool is_text;
    int leaving; ///< frames that have come since it was told to go
} Link;

// ---- the line -----------------------------------------------------------------------------------

bool line_write(void* line, LineKind kind, const void* bytes, size_t size) {
    static const int opcodes[] = {[LINE_TEXT] = MG_WEBSOCKET_OPCODE_TEXT,
                                  [LINE_BYTES] = MG_WEBSOCKET_OPCODE_BINARY,
                                  [LINE_CLOSE] = MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE};
    int written = mg_websocket_write(line, opcodes[kind], bytes, size);
    return written >= (int)size && written > 0;
}

void line_drop(void* line) {
    mg_disable_connection_keep_alive(line); // its reader ends when it next looks
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
    intake_text(engine, link->client, link->message, link->size);
    free(link->message);
    *link = (Link){.client = link->client};
    return 1;
}

static void on_ready(struct mg_connection* connection, void* context) {
    Engine* engine = context;
    Link* link = calloc(1, sizeof *link);
    if (link) link->client = clients_add(&engine->clients, connection);
    mg_set_user_connection_data(connection, link);
    if (link && link->client && intake_hello(engine, link->client)) return;
    close_with(connection, engine, REFUSED_BUSY, 1013);
    mg_disable_connection_keep_alive(connection);
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
