// SPDX-License-Identifier: MIT
#include "studio.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine.h"
#include "http.h"

static bool has_page(const char* folder) {
    char file[PATH_MAX];
    return snprintf(file, sizeof file, "%s/index.html", folder) < PATH_MAX &&
           access(file, R_OK) == 0;
}

/// Finds the page: where the user says, beside the program, or where `make install` puts it.
static GullyStatus find_page(const char* told, char out[PATH_MAX]) {
    if (told && !has_page(told))
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: has no index.html; the folder of the page is wanted", told);
    if (told && realpath(told, out)) return GULLY_OK;
    static const char* const places[] = {"studio", "../share/gully/studio"};
    char program[PATH_MAX] = "", folder[PATH_MAX];
    if (readlink("/proc/self/exe", program, sizeof program - 1) > 0) {
        char* name = strrchr(program, '/');
        if (name) *name = '\0';
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (snprintf(folder, sizeof folder, "%s/%s", program, places[i]) < PATH_MAX &&
            has_page(folder) && realpath(folder, out))
            return GULLY_OK;
    return gully_fail(GULLY_IO,
                      "the studio's page is not there, neither in %s/studio nor in "
                      "%s/../share/gully/studio; `make studio` builds it",
                      program, program);
}

GullyStatus studio_run(const StudioDef* def) {
    char page[PATH_MAX];
    GullyStatus status = find_page(def->page, page);
    if (status != GULLY_OK) return status;
    Engine* engine = malloc(sizeof *engine);
    if (!engine) return gully_fail(GULLY_NO_MEMORY, "no memory");
    status = engine_create(engine, def);
    Http* http = NULL;
    if (status == GULLY_OK)
        status =
            http_start(engine, page, def->address ? def->address : "127.0.0.1", def->port, &http);
    if (status == GULLY_OK) {
        char address[256];
        snprintf(address, sizeof address, "http://%s/?token=%s", engine->gate.host,
                 engine->gate.token);
        def->ready(address, def->context);
        engine_run(engine);
        engine_close(engine);
    }
    http_stop(http);
    engine_destroy(engine);
    free(engine);
    return status;
}
