// SPDX-License-Identifier: MIT
/// The studio's engine in a worker of the browser: the same commands, answers and frames as the
/// server's (docs/protocol.md), carried by the worker's messages. JavaScript calls what is here, in
/// turns; src/engine of the page has the other end.
#include "worker.h"

#include <emscripten.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "intake.h"
#include "line.h"

static Engine engine;
static Client* page;

// ---- to the page --------------------------------------------------------------------------------

// clang-format off
EM_JS(void, page_send, (int is_text, const void* bytes, size_t size), {
    Module["send"](is_text, bytes, size);
});
// clang-format on

bool line_write(void* line, LineKind kind, const void* bytes, size_t size) {
    (void)line;
    if (kind != LINE_CLOSE) page_send(kind == LINE_TEXT, bytes, size);
    return true;
}

void line_drop(void* line) {
    (void)line;
}

// ---- from the page ------------------------------------------------------------------------------

static bool never(void) {
    return false;
}

const char* worker_open(int threads) {
    const StudioDef def = {.threads = threads, .in_turns = true, .stop = never};
    if (engine_create(&engine, &def) != GULLY_OK) return gully_message();
    page = clients_add(&engine.clients, NULL);
    if (!page || !intake_hello(&engine, page)) return "not enough memory";
    clients_serve(&engine.clients);
    return NULL;
}

void worker_take(char* text) {
    size_t size = strlen(text);
    if (size <= MESSAGE_BYTES)
        intake_text(&engine, page, text, size);
    else
        clients_send(&engine.clients, client_number(page),
                     "{\"error\": \"a message may have 1 MiB\"}");
    free(text);
    clients_serve(&engine.clients);
}

double worker_turn(void) {
    double idle = engine_turn(&engine);
    clients_serve(&engine.clients);
    return idle;
}

bool worker_file_name(char* name) {
    return file_name_clean(name);
}
