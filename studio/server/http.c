// SPDX-License-Identifier: MIT
/// Every request goes through begin_request, which lets in or refuses, and serves all but
/// WebSockets. CivetWeb calls from threads of its own.
#include "http.h"

#include <arpa/inet.h>
#include <civetweb.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http_files.h"
#include "socket.h"

enum { FIRST_PORT = 8420, PORTS = 100 };

struct Http {
    Engine* engine;
    struct mg_context* server;
    char page[PATH_MAX];
};

// ---- who comes in -------------------------------------------------------------------------------

static int refuse(struct mg_connection* connection, Engine* engine, Refusal refusal, int code,
                  const char* message) {
    gate_count(&engine->gate, refusal);
    return http_say(connection, code, message);
}

/// 0 if a request may go on, else the code that it was refused with.
static int check_request(struct mg_connection* connection, Engine* engine, bool needs_origin,
                         bool needs_token) {
    const struct mg_request_info* request = mg_get_request_info(connection);
    const Gate* gate = &engine->gate;
    const char* origin = mg_get_header(connection, "Origin");
    if (!gate_host_fits(gate, mg_get_header(connection, "Host")))
        return refuse(connection, engine, REFUSED_HOST, 403, "this is not the host you asked for");
    if ((origin || needs_origin) && !gate_origin_fits(gate, origin))
        return refuse(connection, engine, REFUSED_ORIGIN, 403, "another page may not ask");
    if (!path_is_plain(request->request_uri) || !path_is_plain(request->local_uri_raw))
        return refuse(connection, engine, REFUSED_PATH, 403, "there is no such path");
    if (needs_token && !gate_token_fits(gate, request->query_string))
        return refuse(
            connection, engine, REFUSED_TOKEN, 403,
            "the token is wrong or missing; use the address that gully studio has printed");
    return 0;
}

static bool begins_with(const char* text, const char* beginning) {
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static int begin_request(struct mg_connection* connection) {
    const struct mg_request_info* request = mg_get_request_info(connection);
    const Http* http = request->user_data;
    Engine* engine = http->engine;
    const char* path = request->local_uri ? request->local_uri : "";
    bool upload = strcmp(path, "/upload") == 0, socket = strcmp(path, "/socket") == 0;
    bool download = begins_with(path, "/download/");
    bool index = strcmp(path, "/") == 0 || strcmp(path, "/index.html") == 0;
    int refused =
        check_request(connection, engine, upload || socket, upload || socket || download || index);
    if (refused) return refused;
    bool get = strcmp(request->request_method, "GET") == 0;
    if (upload && strcmp(request->request_method, "POST") == 0)
        return http_upload(connection, engine);
    if (!get && strcmp(request->request_method, "HEAD") != 0)
        return http_say(connection, 405, "GET and HEAD are answered, and POST of /upload");
    if (socket) {
        if (!get || !mg_get_header(connection, "Sec-WebSocket-Key"))
            return http_say(connection, 400, "this is a WebSocket");
        if (clients_count(&engine->clients) >= CLIENTS)
            return refuse(connection, engine, REFUSED_BUSY, 503, "too many pages are open");
        return 0; // the handlers of socket.c
    }
    if (index && get) engine_welcome(engine, true);
    if (download) return http_download(connection, engine, path + strlen("/download/"));
    return http_page_file(connection, engine, http->page, index ? "/index.html" : path);
}

static int keep_silent(const struct mg_connection* connection, const char* message) {
    (void)connection, (void)message;
    return 1;
}

// ---- starting -----------------------------------------------------------------------------------

static struct mg_context* listen_at(Http* http, const char* address, int port) {
    char place[64];
    snprintf(place, sizeof place, "%s:%d", address, port);
    const char* options[] = {
        "listening_ports",
        place,
        "num_threads",
        "40", // each WebSocket has one
        "request_timeout_ms",
        "5000",
        "websocket_timeout_ms",
        "1000", // how often a reader looks whether it is to end
        "enable_websocket_ping_pong",
        "yes", // who does not answer is gone
        "enable_keep_alive",
        "yes",
        "keep_alive_timeout_ms",
        "500",
        "tcp_nodelay",
        "1",
        "max_request_size",
        "16384",
        "connection_queue",
        "128",
        "listen_backlog",
        "256",
        "enable_directory_listing",
        "no",
        "enable_auth_domain_check",
        "no",
        "access_control_allow_origin",
        "",
        "access_control_allow_methods",
        "",
        NULL,
    };
    struct mg_callbacks callbacks = {
        .begin_request = begin_request,
        .log_message = keep_silent,
    };
    return mg_start(&callbacks, http, options);
}

/// Fails for what is not an address of four numbers.
static GullyStatus check_address(const char* address) {
    struct in_addr numbers;
    if (inet_pton(AF_INET, address, &numbers) == 1 && numbers.s_addr != 0) return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT,
                      "%.64s: an address of this machine is wanted, such as 192.168.1.20", address);
}

GullyStatus http_start(Engine* engine, const char* page, const char* address, int port,
                       Http** out) {
    GullyStatus status = check_address(address);
    if (status != GULLY_OK) return status;
    Http* http = calloc(1, sizeof *http);
    if (!http) return gully_fail(GULLY_NO_MEMORY, "no memory");
    http->engine = engine;
    strcpy(http->page, page);
    mg_init_library(MG_FEATURES_WEBSOCKET);
    int first = port ? port : FIRST_PORT, last = port ? port : FIRST_PORT + PORTS - 1;
    for (int at = first; at <= last && !http->server; at++) {
        gate_set_address(&engine->gate, address, at); // before the first request
        http->server = listen_at(http, address, at);
    }
    *out = http;
    if (http->server) {
        socket_serve(http->server, engine);
        return GULLY_OK;
    }
    http_stop(http);
    *out = NULL;
    return port ? gully_fail(GULLY_IO, "cannot listen at %s:%d; is the port in use?", address, port)
                : gully_fail(GULLY_IO, "cannot listen at %s, at none of the ports %d to %d",
                             address, first, last);
}

void http_stop(Http* http) {
    if (!http) return;
    if (http->server) mg_stop(http->server);
    mg_exit_library();
    free(http);
}
