// SPDX-License-Identifier: MIT
/// The command line as tables.
///
/// A command is a row: name, what it does, its options and its function. From the rows come the
/// parsing, the messages about wrong use, `--help` and the man page.
#ifndef GULLY_CLI_COMMAND_H
#define GULLY_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gully/raster.h"

/// What the program returns; described to the user in help.c.
enum ExitCode {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_INTERRUPTED = 130,
};

/// The member of a command's values that an option fills has the type named here.
typedef enum OptionKind {
    OPTION_OPERAND, ///< const char*: a word without a dash, in the order of the table
    OPTION_FLAG,    ///< bool
    OPTION_TEXT,    ///< const char*
    OPTION_TEXTS,   ///< TextList: may be given several times
    OPTION_CHOICE,  ///< const char*: one of the names in `argument`, "a|b"
    OPTION_COUNT,   ///< int64_t from low to high
    OPTION_BYTES,   ///< int64_t from low to high: "500M", "1.5G"; K, M and G are powers of 1024
    OPTION_COUNTS,  ///< CountList: may be given several times
    OPTION_NUMBER,  ///< double from low to high
    OPTION_PAIR,    ///< double[2], "A,B", both from low to high
    OPTION_NUMBERS, ///< GullyTold: as many as `argument` has names, "X [Y]"; words, or "X,Y"
} OptionKind;

typedef struct TextList {
    const char** items;
    int count;
} TextList;

typedef struct CountList {
    int64_t* items;
    int count;
} CountList;

typedef struct Option {
    OptionKind kind;
    char letter;          ///< short name, 0 = none
    const char* name;     ///< long name without dashes, or an operand's; NULL ends the table
    const char* argument; ///< what stands for its argument in help; NULL for flags and operands
    const char* help;
    size_t offset; ///< of the member in the command's values
    bool required;
    double low, high; ///< of numbers, both allowed
} Option;

/// The row of a flag that main.c looks at (console_quiet).
#define QUIET_ROW(Struct, member, help_)                                                           \
    { OPTION_FLAG, 'q', "quiet", .help = help_, .offset = offsetof(Struct, member) }

typedef struct Command {
    const char* name; ///< NULL ends the table
    const char* summary;
    const char* description; ///< paragraphs, separated by empty lines
    const Option* options;
    size_t size;          ///< of the struct of its values
    const void* defaults; ///< such a struct, or NULL = all zero
    int (*run)(const void* values);
} Command;

/// All commands, in the order of the help. Stands in main.c.
extern const Command* const commands[];

extern const Command run_command;
extern const Command models_command;
extern const Command info_command;
extern const Command compare_command;
extern const Command render_command;
extern const Command convert_command;
extern const Command generate_command;
extern const Command mesh_command;
extern const Command maps_command;
extern const Command demo_command;
extern const Command replay_command;
extern const Command bench_command;
extern const Command devices_command;
extern const Command studio_command; ///< if it is built: GULLY_STUDIO
extern const Command version_command;
extern const Command help_command;

/// The command of that name, or NULL after a message that says what there is.
const Command* command_find(const char* name);

typedef enum Parsed {
    PARSED_RUN,
    PARSED_HELP,  ///< --help was asked for
    PARSED_WRONG, ///< a message has been printed
} Parsed;

/// Reads the words after the command's name into `values`, which has the command's defaults.
Parsed options_parse(const Command* command, int count, char** words, void* values);

/// Frees the lists in `values`.
void options_free(const Command* command, void* values);

/// The name among `names` (NULL ends) that was probably meant, or NULL.
const char* nearest_name(const char* word, const char* const* names);

/// Writes "a, b, c".
void list_names(const char* const* names, char* buffer, size_t size);

/// An error message: "PROBLEM 'WORD'; did you mean b? There are a, b, c".
void unknown_name(const char* problem, const char* word, const char* const* names);

/// Prints the help of a command; NULL = of the program.
void help_print(const Command* command);

#endif
