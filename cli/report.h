// SPDX-License-Identifier: MIT
/// What a run reports: report.json, and the same for a person.
#ifndef GULLY_CLI_REPORT_H
#define GULLY_CLI_REPORT_H

#include <jansson.h>

#include "session.h"

/// How JSON is written to files: 15 digits are what a double holds for certain.
#define REPORT_FORMAT (JSON_INDENT(2) | JSON_REAL_PRECISION(15))

/// The report as an object; NULL if there is no memory.
json_t* report_make(const Session* session);

/// A summary on stdout: what was run, where the files are, the ledger.
void report_print(const Session* session);

#endif
