// SPDX-License-Identifier: MIT
/// Completion for shells, from the tables of commands: a script that a shell reads once.
#include "completion.h"

#include <stdio.h>
#include <string.h>

/// Prints text between single quotes of a shell; `escaped` are characters to put a backslash
/// before.
static void print_quoted(const char* text, const char* escaped) {
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (strchr(escaped, *text))
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

/// The names of a choice, "a|b", with spaces between them.
static void print_choices(const char* names) {
    for (; *names; names++)
        putchar(*names == '|' ? ' ' : *names);
}

static bool is_flag(const Option* option) {
    return !option->argument;
}

// ---- bash ---------------------------------------------------------------------------------------

static void bash_command(const Command* command) {
    printf("    %s)\n        case $before in\n", command->name);
    for (const Option* row = command->options; row->name; row++) {
        if (row->kind != OPTION_CHOICE) continue;
        printf("        --%s) COMPREPLY=($(compgen -W '", row->name);
        print_choices(row->argument);
        printf("' -- \"$word\")); return ;;\n");
    }
    printf("        esac\n        names='--help");
    for (const Option* row = command->options; row->name; row++)
        if (row->kind != OPTION_OPERAND) printf(" --%s", row->name);
    printf("' ;;\n");
}

static void print_bash(void) {
    printf("# bash: source <(gully help --completion bash)\n"
           "_gully() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} names=\n"
           "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
           "        COMPREPLY=($(compgen -W '");
    for (const Command* const* row = commands; *row; row++)
        printf("%s%s", row == commands ? "" : " ", (*row)->name);
    printf("' -- \"$word\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n");
    for (const Command* const* row = commands; *row; row++)
        bash_command(*row);
    printf("    esac\n"
           "    case $word in\n"
           "    -*) COMPREPLY=($(compgen -W \"$names\" -- \"$word\")) ;;\n"
           "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
           "    esac\n"
           "}\n"
           "complete -o filenames -F _gully gully\n");
}

// ---- zsh ----------------------------------------------------------------------------------------

static void zsh_option(const Option* option) {
    printf(" \\\n            '--%s%s[", option->name, is_flag(option) ? "" : "=");
    print_quoted(option->help, "[]:");
    putchar(']');
    if (option->kind == OPTION_CHOICE) {
        printf(":%s:(", option->name);
        print_choices(option->argument);
        putchar(')');
    } else if (!is_flag(option)) {
        printf(":%s:_files", option->name);
    }
    putchar('\'');
}

static void print_zsh(void) {
    printf("#compdef gully\n"
           "# zsh: gully help --completion zsh > DIR/_gully, in a folder of $fpath\n"
           "_gully() {\n"
           "    local -a names=(\n");
    for (const Command* const* row = commands; *row; row++) {
        printf("        '%s:", (*row)->name);
        print_quoted((*row)->summary, "");
        printf("'\n");
    }
    printf("    )\n"
           "    if (( CURRENT == 2 )); then\n"
           "        _describe command names\n"
           "        return\n"
           "    fi\n"
           "    case $words[2] in\n");
    for (const Command* const* row = commands; *row; row++) {
        printf("    %s)\n        _arguments", (*row)->name);
        for (const Option* option = (*row)->options; option->name; option++)
            if (option->kind != OPTION_OPERAND) zsh_option(option);
        printf(" \\\n            '--help[print help]' '*:file:_files' ;;\n");
    }
    printf("    esac\n}\n_gully \"$@\"\n");
}

// ---- fish ---------------------------------------------------------------------------------------

static void fish_option(const Command* command, const Option* option) {
    printf("complete -c gully -n '__fish_seen_subcommand_from %s' -l %s", command->name,
           option->name);
    if (option->letter) printf(" -s %c", option->letter);
    if (option->kind == OPTION_CHOICE) {
        printf(" -x -a '");
        print_choices(option->argument);
        putchar('\'');
    } else if (!is_flag(option)) {
        printf(" -r");
    }
    printf(" -d '");
    for (const char* c = option->help; *c; c++) {
        if (*c == '\'') putchar('\\'); // which escapes a quote in fish
        putchar(*c);
    }
    printf("'\n");
}

static void print_fish(void) {
    printf("# fish: gully help --completion fish > ~/.config/fish/completions/gully.fish\n");
    for (const Command* const* row = commands; *row; row++) {
        printf("complete -c gully -n __fish_use_subcommand -f -a %s -d '%s'\n", (*row)->name,
               (*row)->summary);
        for (const Option* option = (*row)->options; option->name; option++)
            if (option->kind != OPTION_OPERAND) fish_option(*row, option);
    }
}

void completion_print(const char* shell) {
    if (strcmp(shell, "bash") == 0)
        print_bash();
    else if (strcmp(shell, "zsh") == 0)
        print_zsh();
    else
        print_fish();
}
