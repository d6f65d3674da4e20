// SPDX-License-Identifier: MIT
#include "http_files.h"

#include <civetweb.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const long long UPLOAD_BYTES = 1LL << 30;

enum { PIECE = 1 << 14 }; ///< CivetWeb's threads have stacks of 100 KB

// ---- answers ------------------------------------------------------------------------------------

/// What every answer says: nothing is kept, framed, guessed or told to others (the token is in the
/// address), and a page runs only what comes from here.
static void send_head(struct mg_connection* connection, const Gate* gate, int code,
                      const char* type, long long size, const char* more) {
    mg_printf(connection,
              "HTTP/1.1 %d %s\r\n"
              "Content-Type: %s\r\n"
              "Content-Length: %lld\r\n"
              "Cache-Control: no-cache\r\n"
              "X-Content-Type-Options: nosniff\r\n"
              "X-Frame-Options: DENY\r\n"
              "Referrer-Policy: no-referrer\r\n"
              "Cross-Origin-Opener-Policy: same-origin\r\n"
              "Cross-Origin-Resource-Policy: same-origin\r\n"
              "%s",
              code, mg_get_response_code_text(connection, code), type, size, more);
    if (gate)
        mg_printf(connection,
                  "Content-Security-Policy: default-src 'self'; img-src 'self' blob: data:; "
                  "worker-src 'self' blob:; style-src 'self' 'unsafe-inline'; connect-src 'self' "
                  "ws://%s%s%s; object-src 'none'; base-uri 'none'; form-action 'none'; "
                  "frame-ancestors 'none'\r\n",
                  gate->host, gate->local_host[0] ? " ws://" : "", gate->local_host);
    mg_printf(connection, "\r\n");
}

int http_say(struct mg_connection* connection, int code, const char* message) {
    const struct mg_request_info* request = mg_get_request_info(connection);
    char text[512];
    int length = snprintf(text, sizeof text, "%s\n", message);
    mg_disable_connection_keep_alive(connection); // what follows of a refused request is not read
    send_head(connection, NULL, code, "text/plain; charset=utf-8", length, "Connection: close\r\n");
    if (strcmp(request->request_method, "HEAD") != 0) mg_write(connection, text, (size_t)length);
    return code;
}

static const char* type_of(const char* path) {
    static const struct {
        const char *extension, *type;
    } types[] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".mjs", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".json", "application/json"},
        {".map", "application/json"},
        {".webmanifest", "application/manifest+json"},
        {".wasm", "application/wasm"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".jpg", "image/jpeg"},
        {".webp", "image/webp"},
        {".ico", "image/x-icon"},
        {".woff2", "font/woff2"},
        {".txt", "text/plain; charset=utf-8"},
    };
    const char* extension = strrchr(path, '.');
    for (size_t i = 0; extension && i < sizeof types / sizeof *types; i++)
        if (strcasecmp(extension, types[i].extension) == 0) return types[i].type;
    return "application/octet-stream";
}

/// Sends a plain file below a folder, both without links.
static int send_file(struct mg_connection* connection, Engine* engine, const char* folder,
                     const char* path, const char* more) {
    char joined[PATH_MAX], real[PATH_MAX];
    struct stat info;
    int length = snprintf(joined, sizeof joined, "%s/%s", folder, path);
    if (length >= PATH_MAX || !realpath(joined, real))
        return http_say(connection, 404, "there is no such file");
    if (!path_is_below(real, folder)) {
        gate_count(&engine->gate, REFUSED_PATH);
        return http_say(connection, 403, "there is no such path");
    }
    int file = open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0 || fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
        if (file >= 0) close(file);
        return http_say(connection, 404, "there is no such file");
    }
    send_head(connection, &engine->gate, 200, type_of(real), info.st_size, more);
    bool body = strcmp(mg_get_request_info(connection)->request_method, "HEAD") != 0;
    char piece[PIECE];
    long long left = body ? info.st_size : 0;
    while (left > 0) {
        ssize_t size = read(file, piece, left < PIECE ? (size_t)left : PIECE);
        if (size <= 0 || mg_write(connection, piece, (size_t)size) != size) {
            mg_disable_connection_keep_alive(connection);
            break;
        }
        left -= size;
    }
    close(file);
    return 200;
}

int http_page_file(struct mg_connection* connection, Engine* engine, const char* folder,
                   const char* path) {
    return send_file(connection, engine, folder, path + 1, "");
}

int http_download(struct mg_connection* connection, Engine* engine, const char* name) {
    char folder[PATH_MAX], more[256];
    if (!file_name_is_plain(name)) {
        gate_count(&engine->gate, REFUSED_PATH);
        return http_say(connection, 403, "there is no such path");
    }
    if (folders_path(&engine->folders, ".gully/exports", "", folder) != GULLY_OK)
        return http_say(connection, 404, "there is no such file");
    snprintf(more, sizeof more, "Content-Disposition: attachment; filename=\"%s\"\r\n", name);
    return send_file(connection, engine, folder, name, more);
}

// ---- uploads ------------------------------------------------------------------------------------

/// Reads the body into a file; 0 or the code of what went wrong.
static int receive(struct mg_connection* connection, const char* path, long long size) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (file < 0) return 500;
    char piece[PIECE];
    int code = 0;
    while (size > 0 && !code) {
        int count = mg_read(connection, piece, size < PIECE ? (size_t)size : PIECE);
        if (count <= 0)
            code = 400;
        else if (write(file, piece, (size_t)count) != count)
            code = 507;
        size -= count;
    }
    if (close(file) != 0 && !code) code = 507;
    return code;
}

int http_upload(struct mg_connection* connection, Engine* engine) {
    const struct mg_request_info* request = mg_get_request_info(connection);
    char name[256], path[PATH_MAX], temporary[PATH_MAX + 32];
    static atomic_int counter;
    if (!query_value(request->query_string, "name", name, sizeof name) || !file_name_clean(name) ||
        folders_path(&engine->folders, ".gully/uploads", name, path) != GULLY_OK) {
        gate_count(&engine->gate, REFUSED_PATH);
        return http_say(connection, 403, "name: the name of a file is wanted");
    }
    if (request->content_length < 0) return http_say(connection, 411, "the length is missing");
    if (request->content_length > UPLOAD_BYTES) {
        gate_count(&engine->gate, REFUSED_SIZE);
        return http_say(connection, 413, "a file may have 1 GiB");
    }
    snprintf(temporary, sizeof temporary, "%s.%d.tmp", path, atomic_fetch_add(&counter, 1));
    int code = receive(connection, temporary, request->content_length);
    if (!code && rename(temporary, path) != 0) code = 500;
    if (code) {
        unlink(temporary);
        return http_say(connection, code, code == 507 ? "no room for the file" : "not received");
    }
    char text[512];
    int length = snprintf(text, sizeof text, "{\"file\": \".gully/uploads/%s\"}\n", name);
    send_head(connection, NULL, 200, "application/json", length, "");
    mg_write(connection, text, (size_t)length);
    return 200;
}
