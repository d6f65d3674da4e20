// SPDX-License-Identifier: MIT
/// Help for people: `--help`, `gully help` and the man page, all from the tables of commands.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "completion.h"
#include "console.h"
#include "gully/status.h"

#define WIDTH 80

static const char about[] = "carve terrain with water";

static const char introduction[] =
    "Gully erodes height fields with running water: it reads a scene (a JSON file that names a "
    "terrain, a law, its parameters, rain and phases), runs it, and writes the terrain, the water, "
    "masks and a picture as files.\n\n"
    "The result does not depend on the number of threads, to the bit. Water and solid are counted; "
    "every run reports where they went.";

static const struct {
    int code;
    const char* meaning;
} exit_codes[] = {
    {EXIT_DONE, "done"},
    {EXIT_FAILED, "failed: disk full, no memory, an unstable run, or rasters that differ"},
    {EXIT_USAGE, "wrong usage, a wrong scene, or a file that is no raster"},
    {EXIT_INTERRUPTED, "interrupted; what was done until then has been written"},
};

#define EXIT_CODES ((int)(sizeof exit_codes / sizeof exit_codes[0]))

// ---- what help and man page share ---------------------------------------------------------------

/// "SCENE", "-o DIR", "[--steps N]", "[--set KEY=VALUE]...": an option in the usage line.
static void usage_text(const Option* option, char* buffer, size_t size) {
    char name[48];
    if (option->kind == OPTION_OPERAND)
        snprintf(name, sizeof name, "%s", option->name);
    else if (option->required && option->letter)
        snprintf(name, sizeof name, "-%c", option->letter);
    else
        snprintf(name, sizeof name, "--%s", option->name);
    bool repeats = option->kind == OPTION_TEXTS || option->kind == OPTION_COUNTS;
    snprintf(buffer, size, "%s%s%s%s%s%s", option->required ? "" : "[", name,
             option->argument ? " " : "", option->argument ? option->argument : "",
             option->required ? "" : "]", repeats ? "..." : "");
}

/// "SCENE", "-o, --output DIR", "    --json": an option in the list.
static void list_text(const Option* option, char* buffer, size_t size) {
    if (option->kind == OPTION_OPERAND) {
        snprintf(buffer, size, "%s", option->name);
        return;
    }
    char letter[8] = "    ";
    if (option->letter) snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(buffer, size, "%s--%s%s%s", letter, option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
}

/// Calls `print` with each paragraph of a text.
static void each_paragraph(const char* text, void (*print)(const char*)) {
    while (*text) {
        const char* end = strstr(text, "\n\n");
        size_t length = end ? (size_t)(end - text) : strlen(text);
        char* paragraph = strndup(text, length);
        print(paragraph ? paragraph : text); // without memory: the rest at once
        free(paragraph);
        text += end ? length + 2 : length;
    }
}

// ---- help ---------------------------------------------------------------------------------------

static void print_paragraph(const char* text) {
    putchar('\n');
    console_wrap(stdout, text, 0, WIDTH);
}

static void print_row(const char* name, const char* help, int indent) {
    int columns = printf("  %s", name);
    if (columns > indent - 2) {
        printf("\n%*s", indent, "");
    } else {
        printf("%*s", indent - columns, "");
    }
    console_wrap(stdout, help, indent, WIDTH);
}

/// The usage line; an option is not torn apart where the line wraps.
static void print_usage(const Command* command) {
    char part[128];
    int indent = printf("Usage: gully %s", command->name);
    int column = indent;
    for (const Option* row = command->options; row->name; row++) {
        usage_text(row, part, sizeof part);
        int columns = (int)strlen(part);
        if (column + 1 + columns > WIDTH) column = printf("\n%*s", indent, "") - 1;
        column += printf(" %s", part);
    }
    putchar('\n');
}

static void print_command(const Command* command) {
    enum { INDENT = 26 };
    char name[128];
    print_usage(command);
    each_paragraph(command->description, print_paragraph);
    putchar('\n');
    for (const Option* row = command->options; row->name; row++) {
        list_text(row, name, sizeof name);
        print_row(name, row->help, INDENT);
    }
    print_row("-h, --help", "print this", INDENT);
}

static void print_program(void) {
    enum { INDENT = 12 };
    printf("Gully %s: %s.\n\nUsage: gully COMMAND ...\n\n", gully_version(), about);
    for (const Command* const* row = commands; *row; row++)
        print_row((*row)->name, (*row)->summary, INDENT);
    printf("\nStart with   gully demo\n"
           "Then         gully COMMAND --help   or   gully models\n");
}

void help_print(const Command* command) {
    if (command)
        print_command(command);
    else
        print_program();
}

// ---- man page -----------------------------------------------------------------------------------

/// Text in roff: dashes are minus signs, so that they can be copied, and no line starts a request.
static void man_text(const char* text) {
    if (*text == '.' || *text == '\'') fputs("\\&", stdout);
    for (; *text; text++) {
        if (*text == '-')
            fputs("\\-", stdout);
        else if (*text == '\\')
            fputs("\\e", stdout);
        else
            putchar(*text);
    }
}

static void man_paragraph(const char* text) {
    puts(".PP");
    man_text(text);
    putchar('\n');
}

static void man_row(const char* name, const char* help) {
    puts(".TP");
    fputs(".B ", stdout);
    man_text(name);
    putchar('\n');
    man_text(help);
    putchar('\n');
}

static void man_command(const Command* command) {
    char text[128];
    fputs(".SS gully ", stdout);
    man_text(command->name);
    for (const Option* row = command->options; row->name; row++) {
        usage_text(row, text, sizeof text);
        putchar(' ');
        man_text(text);
    }
    putchar('\n');
    each_paragraph(command->description, man_paragraph);
    for (const Option* row = command->options; row->name; row++) {
        list_text(row, text, sizeof text);
        man_row(text + strspn(text, " "), row->help);
    }
}

static void print_man_page(void) {
    printf(".TH GULLY 1 \"\" \"Gully %s\" \"User Commands\"\n", gully_version());
    printf(".SH NAME\ngully \\- %s\n", about);
    puts(".SH SYNOPSIS\n.B gully\n.I COMMAND\n[\\fIARGUMENTS\\fR]\n.br\n.B gully\n.I COMMAND\n"
         ".B \\-\\-help\n.br\n.B gully \\-\\-version");
    puts(".SH DESCRIPTION");
    each_paragraph(introduction, man_paragraph);
    puts(".SH COMMANDS");
    for (const Command* const* row = commands; *row; row++)
        man_command(*row);
    puts(".SH EXIT STATUS");
    for (int i = 0; i < EXIT_CODES; i++) {
        char code[16];
        snprintf(code, sizeof code, "%d", exit_codes[i].code);
        man_row(code, exit_codes[i].meaning);
    }
}

// ---- the commands -------------------------------------------------------------------------------

typedef struct HelpOptions {
    const char* command;
    const char* completion;
    bool man;
} HelpOptions;

static int run_help(const void* values) {
    const HelpOptions* options = values;
    const Command* command = options->command ? command_find(options->command) : NULL;
    if (options->command && !command) return EXIT_USAGE;
    if (options->completion)
        completion_print(options->completion);
    else if (options->man)
        print_man_page();
    else
        help_print(command);
    return EXIT_DONE;
}

static const Option help_options[] = {
    {OPTION_OPERAND, .name = "COMMAND", .help = "what to explain; absent: all of it in short",
     .offset = offsetof(HelpOptions, command)},
    {OPTION_FLAG, .name = "man", .help = "print the man page (roff)",
     .offset = offsetof(HelpOptions, man)},
    {OPTION_CHOICE, .name = "completion", .argument = COMPLETION_SHELLS,
     .help = "print what makes a shell complete commands and options; its first lines say where to "
             "put it",
     .offset = offsetof(HelpOptions, completion)},
    {0},
};

const Command help_command = {
    .name = "help",
    .summary = "explain a command",
    .description = "Prints what a command does and takes, like its --help.",
    .options = help_options,
    .size = sizeof(HelpOptions),
    .run = run_help,
};

static int run_version(const void* values) {
    (void)values;
    printf("gully %s\n", gully_version());
    return EXIT_DONE;
}

static const Option version_options[] = {{0}};

const Command version_command = {
    .name = "version",
    .summary = "print the version",
    .description = "Prints the version, like gully --version.",
    .options = version_options,
    .run = run_version,
};
