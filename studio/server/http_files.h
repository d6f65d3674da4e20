// SPDX-License-Identifier: MIT
/// Files over HTTP: those of the page, uploads and downloads. Each returns the code that was sent.
#ifndef STUDIO_HTTP_FILES_H
#define STUDIO_HTTP_FILES_H

#include "engine.h"

struct mg_connection;

/// Answers with a line of text.
int http_say(struct mg_connection* connection, int code, const char* message);

/// `path` begins with a slash and is below the folder.
int http_page_file(struct mg_connection* connection, Engine* engine, const char* folder,
                   const char* path);
int http_download(struct mg_connection* connection, Engine* engine, const char* name);
int http_upload(struct mg_connection* connection, Engine* engine);

#endif
