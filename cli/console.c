// SPDX-License-Identifier: MIT
#include "console.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "command.h"

/// Digits of JSON numbers: what a double holds for certain.
#define JSON_DIGITS 15

static bool progress_enabled;
static bool progress_visible;

static bool is_mute;

void console_mute(bool mute) {
    is_mute = mute;
}

bool console_is_mute(void) {
    return is_mute;
}

void console_error(const char* format, ...) {
    if (is_mute) return;
    progress_clear();
    va_list arguments;
    va_start(arguments, format);
    fputs("gully: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

static bool is_quiet;

void console_quiet(bool quiet) {
    is_quiet = quiet;
}

bool console_is_quiet(void) {
    return is_quiet;
}

int console_fail(GullyStatus status) {
    console_error("%s", gully_message());
    return status == GULLY_BAD_INPUT   ? EXIT_USAGE
           : status == GULLY_CANCELLED ? EXIT_INTERRUPTED
                                       : EXIT_FAILED;
}

int console_width(FILE* stream) {
    struct winsize size;
    int descriptor = fileno(stream);
    if (!isatty(descriptor)) return 0;
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return 80;
}

/// Whether the locale asks for nothing but ASCII. One that nobody has set does not.
static bool is_plain(void) {
    static const char* const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; i++) {
        const char* locale = getenv(names[i]);
        if (locale && *locale) return strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0;
    }
    return false;
}

int text_columns(const char* text) {
    int columns = 0;
    for (; *text; text++)
        columns += ((unsigned char)*text & 0xC0) != 0x80;
    return columns;
}

/// Whether a character, in UTF-8, tells a terminal what to do instead of being shown.
static bool is_control(const char* character) {
    unsigned char first = (unsigned char)character[0], second = (unsigned char)character[1];
    return first < 0x20 || first == 0x7F || (first == 0xC2 && second < 0xA0);
}

void line_text(const char* text, int columns, char* buffer, size_t size) {
    const char* mark = text_columns(text) <= columns ? "" : is_plain() ? "~" : "…";
    size_t used = 0;
    for (int room = *mark ? columns - 1 : columns; *text && room > 0; room--) {
        size_t length = 1;
        while (((unsigned char)text[length] & 0xC0) == 0x80)
            length++;
        if (used + length + strlen(mark) >= size) break;
        bool hidden = is_control(text);
        memcpy(buffer + used, hidden ? "?" : text, hidden ? 1 : length);
        used += hidden ? 1 : length;
        text += length;
    }
    strcpy(buffer + used, mark);
}

void console_wrap(FILE* stream, const char* text, int indent, int width) {
    const int least = 24; // narrower columns of text are worse than long lines
    if (width > 0 && width < indent + least) width = indent + least;
    int column = indent;
    bool first = true;
    while (*text) {
        size_t length = strcspn(text, " ");
        char* word = strndup(text, length);
        int columns = word ? text_columns(word) : (int)length;
        free(word);
        if (!first && width > 0 && column + 1 + columns > width) {
            fprintf(stream, "\n%*s", indent, "");
            column = indent;
        } else if (!first) {
            fputc(' ', stream);
            column++;
        }
        fwrite(text, 1, length, stream);
        column += columns;
        first = false;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', stream);
}

void duration_text(double seconds, char* buffer, size_t size) {
    if (!isfinite(seconds) || seconds > 1e12) {
        snprintf(buffer, size, "%g s", seconds);
    } else if (seconds < 60) {
        snprintf(buffer, size, "%.3g s", seconds);
    } else if (seconds < 3600) {
        long long whole = llround(seconds);
        snprintf(buffer, size, "%lld min %02lld s", whole / 60, whole % 60);
    } else {
        long long minutes = llround(seconds / 60);
        snprintf(buffer, size, "%lld h %02lld min", minutes / 60, minutes % 60);
    }
}

void bar_text(double share, int columns, char* buffer) {
    static const char* const blocks[] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
    static const char* const plain[] = {" ", " ", " ", " ", "#", "#", "#", "#", "#"};
    const char* const* eighths = is_plain() ? plain : blocks;
    int filled = (int)lround(fmin(fmax(share, 0), 1) * columns * 8);
    char* end = buffer;
    for (int column = 0; column < columns; column++) {
        int part = filled - column * 8;
        end = stpcpy(end, eighths[part < 0 ? 0 : part > 8 ? 8 : part]);
    }
    *end = 0;
}

json_t* json_number_or_null(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

int console_json(json_t* value) {
    int wrong = json_dumpf(value, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(JSON_DIGITS)) != 0 ||
                fputc('\n', stdout) == EOF;
    json_decref(value);
    return wrong ? EXIT_FAILED : EXIT_DONE; // main says what is wrong with stdout
}

double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---- progress -----------------------------------------------------------------------------------

void progress_enable(bool on) {
    const char* terminal = getenv("TERM"); // a dumb one cannot write a line anew
    progress_enabled =
        on && !is_mute && isatty(STDERR_FILENO) && !(terminal && strcmp(terminal, "dumb") == 0);
}

void progress_clear(void) {
    if (!progress_visible) return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    progress_visible = false;
}

static void progress_line(const char* line) {
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
    progress_visible = true;
}

void progress_say(const char* format, ...) {
    if (!progress_enabled) return;
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    progress_line(line);
}

void progress_show(const Progress* progress) {
    if (!progress_enabled) return;
    enum { BAR_MOST = 40, BAR_LEAST = 8, LABEL_LEAST = 4 }; // [columns]
    double share = progress->total > 0 ? (double)progress->done / (double)progress->total : 1;
    char left[64] = "", tail[224], bar[3 * BAR_MOST + 1];
    if (progress->seconds_left >= 0) {
        long long seconds = llround(progress->seconds_left), hours = seconds / 3600;
        if (hours > 0)
            snprintf(left, sizeof left, "  %lld h %02lld min left", hours, seconds / 60 % 60);
        else
            snprintf(left, sizeof left, "  %lld:%02lld left", seconds / 60, seconds % 60);
    }
    snprintf(tail, sizeof tail, " %3.0f %%  %lld/%lld steps  %.1f Mcell-steps/s%s",
             floor(100 * share), progress->done, progress->total, progress->speed, left);
    int room = console_width(stderr) - text_columns(tail) - 5; // for label and bar
    char line[512], label[128];
    if (room < LABEL_LEAST + BAR_LEAST) {
        snprintf(line, sizeof line, "%3.0f %%%s", floor(100 * share), left);
    } else {
        line_text(progress->label, room - BAR_LEAST, label, sizeof label);
        room -= text_columns(label);
        bar_text(share, room > BAR_MOST ? BAR_MOST : room, bar);
        snprintf(line, sizeof line, "%s %s%s%s", label, bar, is_plain() ? "|" : "▏", tail);
    }
    progress_line(line);
}
