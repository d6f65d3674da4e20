// SPDX-License-Identifier: MIT
/// What the program says: errors and progress on stderr, results on stdout.
#ifndef GULLY_CLI_CONSOLE_H
#define GULLY_CLI_CONSOLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "gully/status.h"

/// "gully: MESSAGE" on stderr.
void console_error(const char* format, ...) GULLY_PRINTF(1, 2);

/// Prints the library's last message; returns the exit code that goes with the status.
int console_fail(GullyStatus status);

/// With --quiet nothing is said but errors: no summaries, no notes.
void console_quiet(bool quiet);
bool console_is_quiet(void);

/// Ranks other than the first say nothing at all, unless one is on its own.
void console_mute(bool mute);
bool console_is_mute(void);

/// Columns of the terminal behind a stream, 0 if it is none.
int console_width(FILE* stream);

/// Prints text that starts at column `indent`, its further lines indented as much, and a newline.
/// `width` 0 = do not wrap.
void console_wrap(FILE* stream, const char* text, int indent, int width);

/// Columns that UTF-8 text takes.
int text_columns(const char* text);

/// Copies text for one line of a terminal: without control characters, and cut to so many columns.
void line_text(const char* text, int columns, char* buffer, size_t size);

/// "12.3 s", "4 min 10 s", "3 h 05 min".
void duration_text(double seconds, char* buffer, size_t size);

/// A bar of `columns` columns filled to `share` (0..1), in eighths of a column. The buffer needs
/// 3 bytes a column and one more.
void bar_text(double share, int columns, char* buffer);

/// A JSON number, or null for NaN and the infinities, which JSON does not have.
json_t* json_number_or_null(double value);

/// Prints a JSON value and drops it; returns an exit code.
int console_json(json_t* value);

/// Wall clock of no particular origin [s].
double clock_seconds(void);

// ---- progress: one line on stderr, rewritten; only if that is a terminal ------------------------

typedef struct Progress {
    const char* label; ///< of what is going on: a phase's name
    long long done, total;
    double speed;        ///< [Mcell-steps/s]
    double seconds_left; ///< < 0 = not known
} Progress;

void progress_enable(bool on);
void progress_say(const char* format, ...) GULLY_PRINTF(1, 2);
void progress_show(const Progress* progress);
void progress_clear(void);

#endif
