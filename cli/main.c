// SPDX-License-Identifier: MIT
/// gully: the table of commands, and the way from a command line to one of them.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "console.h"

const Command* const commands[] = {
    &run_command,     &render_command, &convert_command, &generate_command,
    &mesh_command,    &maps_command,   &demo_command,    &replay_command,
#ifdef GULLY_STUDIO
    &studio_command,
#endif
    &models_command,  &info_command,   &compare_command, &bench_command,
    &devices_command, &help_command,   &version_command, NULL,
};

const Command* command_find(const char* name) {
    const char* names[sizeof commands / sizeof commands[0]] = {0};
    for (int i = 0; commands[i]; i++) {
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
        names[i] = commands[i]->name;
    }
    unknown_name("unknown command", name, names);
    return NULL;
}

/// Whether the command has the option --quiet, and it was given.
static bool is_quiet(const Command* command, const char* values) {
    for (const Option* row = command->options; row->name; row++)
        if (row->kind == OPTION_FLAG && strcmp(row->name, "quiet") == 0)
            return *(const bool*)(values + row->offset);
    return false;
}

static int run_words(const Command* command, int count, char** words) {
    char* values = calloc(1, command->size + 1);
    if (!values) {
        console_error("out of memory");
        return EXIT_FAILED;
    }
    if (command->defaults) memcpy(values, command->defaults, command->size);
    int code = EXIT_DONE;
    switch (options_parse(command, count, words, values)) {
    case PARSED_RUN:
        console_quiet(is_quiet(command, values));
        code = command->run(values);
        break;
    case PARSED_HELP:
        help_print(command);
        break;
    case PARSED_WRONG:
        code = EXIT_USAGE;
        break;
    }
    options_free(command, values);
    free(values);
    return code;
}

static int run_program(int count, char** words) {
    const char* name = count > 1 ? words[1] : "--help";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        help_print(NULL);
        return EXIT_DONE;
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) name = "version";
    const Command* command = command_find(name);
    return command ? run_words(command, count - 2, words + 2) : EXIT_USAGE;
}

/// Makes sure that the three standard streams are open, so that no file of ours becomes one of
/// them. What stands in for a closed one cannot be written to: output to it is noticed as an error.
static void hold_standard_streams(void) {
    int descriptor;
    do {
        descriptor = open("/dev/null", O_RDONLY);
    } while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor >= 0) close(descriptor);
}

int main(int count, char** words) {
    hold_standard_streams();
    signal(SIGPIPE, SIG_IGN); // a closed pipe is an error of stdout, seen below
    int code = run_program(count, words);
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        console_error("standard output: %s", errno ? strerror(errno) : "cannot be written");
        if (code == EXIT_DONE) code = EXIT_FAILED;
    }
    return code;
}
