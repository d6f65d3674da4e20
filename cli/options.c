// SPDX-License-Identifier: MIT
/// Reads a command line by its tables.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "console.h"

static bool takes_argument(const Option* option) {
    return option->argument != NULL;
}

// ---- the nearest name ---------------------------------------------------------------------------

/// Number of letters to add, drop or change to make one word of the other.
static int distance(const char* a, const char* b) {
    enum { LONGEST = 64 };
    int row[LONGEST + 1];
    int columns = (int)strlen(b);
    if (columns > LONGEST || strlen(a) > LONGEST) return LONGEST;
    for (int j = 0; j <= columns; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= columns; j++) {
            int change = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            int step = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            row[j] = change < step ? change : step;
        }
    }
    return row[columns];
}

const char* nearest_name(const char* word, const char* const* names) {
    const char* nearest = NULL;
    int least = 3; // further away is another word
    for (; *names; names++) {
        int apart = distance(word, *names);
        bool begins = strlen(word) >= 3 && strncmp(word, *names, strlen(word)) == 0;
        if (begins) apart = 1;
        if (apart < least && (begins || apart < (int)strlen(*names) / 2 + 1)) {
            least = apart;
            nearest = *names;
        }
    }
    return nearest;
}

void list_names(const char* const* names, char* buffer, size_t size) {
    size_t used = 0;
    buffer[0] = 0;
    for (int i = 0; names[i] && used < size; i++)
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", i ? ", " : "", names[i]);
}

void unknown_name(const char* problem, const char* word, const char* const* names) {
    char list[1024];
    list_names(names, list, sizeof list);
    const char* near = nearest_name(word, names);
    if (near)
        console_error("%s '%s'; did you mean %s? There are %s", problem, word, near, list);
    else
        console_error("%s '%s'; there are %s", problem, word, list);
}

// ---- messages -----------------------------------------------------------------------------------

static Parsed wrong_option(const Command* command, const char* word) {
    enum { MOST = 32 };
    const char* names[MOST + 1];
    char list[1024] = "--help";
    size_t used = strlen(list);
    int count = 0;
    for (const Option* row = command->options; row->name && count < MOST; row++) {
        if (row->kind == OPTION_OPERAND) continue;
        names[count++] = row->name;
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, ", --%s", row->name);
    }
    names[count] = NULL;
    const char* bare = word + strspn(word, "-");
    char* name = strndup(bare, strcspn(bare, "="));
    const char* near = name ? nearest_name(name, names) : NULL;
    if (near)
        console_error("%s: unknown option '%s'; did you mean --%s? It takes %s", command->name,
                      word, near, list);
    else
        console_error("%s: unknown option '%s'; it takes %s", command->name, word, list);
    free(name);
    return PARSED_WRONG;
}

static void option_label(const Option* option, char* buffer, size_t size) {
    if (option->kind == OPTION_OPERAND)
        snprintf(buffer, size, "%s", option->name);
    else if (option->letter)
        snprintf(buffer, size, "-%c or --%s", option->letter, option->name);
    else
        snprintf(buffer, size, "--%s", option->name);
}

typedef struct Words {
    int count, next;
    char** words;
} Words;

// ---- values -------------------------------------------------------------------------------------

static void* member(const Option* option, void* values) {
    return (char*)values + option->offset;
}

static bool append(void** items, int* count, size_t size, const void* item) {
    void* grown = realloc(*items, size * (size_t)(*count + 1));
    if (!grown) {
        console_error("out of memory");
        return false;
    }
    memcpy((char*)grown + size * (size_t)*count, item, size);
    *items = grown;
    (*count)++;
    return true;
}

static bool read_count(const Command* command, const Option* option, const char* text,
                       int64_t* value) {
    char* end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (end == text || *end || errno || (double)number < option->low ||
        (double)number > option->high) {
        console_error("%s: --%s wants a whole number from %.0f to %.0f, not '%s'", command->name,
                      option->name, option->low, option->high, text);
        return false;
    }
    *value = number;
    return true;
}

/// Writes bytes as they are read: "512M".
static void bytes_text(double bytes, char* buffer, size_t size) {
    static const char* const units[] = {"", "K", "M", "G"};
    int unit = 0;
    for (; unit < 3 && bytes >= 1024; unit++)
        bytes /= 1024;
    snprintf(buffer, size, "%.10g%s", bytes, units[unit]);
}

static bool read_bytes(const Command* command, const Option* option, const char* text,
                       int64_t* value) {
    static const char units[] = "KMG";
    char *end, low[32], high[32];
    bool right = text[0] >= '0' && text[0] <= '9' && text[1] != 'x' && text[1] != 'X';
    double bytes = strtod(text, &end);
    const char* unit = *end ? strchr(units, *end) : NULL;
    for (const char* step = units; unit && step <= unit; step++)
        bytes *= 1024;
    right = right && (unit ? !end[1] : !*end);
    if (right && bytes >= option->low && bytes <= option->high) {
        *value = (int64_t)bytes;
        return true;
    }
    bytes_text(option->low, low, sizeof low);
    bytes_text(option->high, high, sizeof high);
    console_error("%s: --%s wants bytes from %s to %s, a number that may end with K, M or G (as "
                  "1.5G), not '%s'",
                  command->name, option->name, low, high, text);
    return false;
}

static bool read_number(const Command* command, const Option* option, const char* text,
                        double* value) {
    char* end;
    double number = strtod(text, &end);
    if (end == text || *end || !(number >= option->low && number <= option->high)) {
        console_error("%s: --%s wants a number from %g to %g, not '%s'", command->name,
                      option->name, option->low, option->high, text);
        return false;
    }
    *value = number;
    return true;
}

static bool read_pair(const Command* command, const Option* option, const char* text,
                      double* values) {
    char *first, *second = NULL;
    values[0] = strtod(text, &first);
    if (first != text && *first == ',') values[1] = strtod(first + 1, &second);
    bool right = second && second != first + 1 && !*second;
    for (int i = 0; i < 2; i++)
        right = right && values[i] >= option->low && values[i] <= option->high;
    if (!right)
        console_error("%s: --%s wants two numbers %s from %g to %g, not '%s'", command->name,
                      option->name, option->argument, option->low, option->high, text);
    return right;
}

/// A word that is nothing but a number.
static bool is_number(const char* word) {
    char* end;
    strtod(word, &end);
    return end != word && !*end;
}

/// How many numbers "X [Y]" stands for, and how many of them must be there.
static int count_arguments(const char* argument, int* fewest) {
    int most = 1;
    *fewest = 1;
    for (; (argument = strchr(argument, ' ')); argument++, most++)
        *fewest += argument[1] != '[';
    return most;
}

/// Adds the numbers of one word, "X" or "X,Y", to what was told.
static bool add_numbers(const Option* option, const char* text, int most, GullyTold* told) {
    while (told->count < most) {
        char* end;
        double number = strtod(text, &end);
        if (end == text || !(number >= option->low && number <= option->high)) return false;
        told->numbers[told->count++] = number;
        if (!*end) return true;
        if (*end != ',') return false;
        text = end + 1;
    }
    return false; // more than there may be
}

/// Takes a word and, as long as there is room, the numbers that follow it.
static bool take_numbers(const Command* command, const Option* option, const char* text,
                         Words* words, GullyTold* told) {
    int fewest, most = count_arguments(option->argument, &fewest);
    *told = (GullyTold){0};
    bool right = add_numbers(option, text, most, told);
    while (right && told->count < most && words->next < words->count &&
           is_number(words->words[words->next]))
        right = add_numbers(option, words->words[words->next++], most, told);
    if (right && told->count >= fewest) return true;
    console_error("%s: --%s wants %s, %s from %g to %g, not '%s'", command->name, option->name,
                  option->argument, most > 1 ? "numbers" : "a number", option->low, option->high,
                  text);
    return false;
}

static bool is_one_of(const char* word, const char* names) {
    size_t length = strlen(word);
    while (length) {
        size_t next = strcspn(names, "|");
        if (next == length && strncmp(word, names, length) == 0) return true;
        if (!names[next]) break;
        names += next + 1;
    }
    return false;
}

/// Stores an argument (NULL for a flag) in the option's member.
static bool store(const Command* command, const Option* option, const char* text, void* values) {
    void* target = member(option, values);
    switch (option->kind) {
    case OPTION_FLAG:
        *(bool*)target = true;
        return true;
    case OPTION_CHOICE:
        if (!is_one_of(text, option->argument)) {
            console_error("%s: --%s wants one of %s, not '%s'", command->name, option->name,
                          option->argument, text);
            return false;
        }
        *(const char**)target = text;
        return true;
    case OPTION_OPERAND:
    case OPTION_TEXT:
        *(const char**)target = text;
        return true;
    case OPTION_TEXTS: {
        TextList* list = target;
        void* items = list->items;
        if (!append(&items, &list->count, sizeof *list->items, &text)) return false;
        list->items = items;
        return true;
    }
    case OPTION_COUNT:
        return read_count(command, option, text, target);
    case OPTION_BYTES:
        return read_bytes(command, option, text, target);
    case OPTION_COUNTS: {
        CountList* list = target;
        void* items = list->items;
        int64_t value;
        if (!read_count(command, option, text, &value)) return false;
        if (!append(&items, &list->count, sizeof *list->items, &value)) return false;
        list->items = items;
        return true;
    }
    case OPTION_NUMBER:
        return read_number(command, option, text, target);
    case OPTION_PAIR:
        return read_pair(command, option, text, target);
    case OPTION_NUMBERS: // more than one word: see take_option
        break;
    }
    return false;
}

void options_free(const Command* command, void* values) {
    for (const Option* row = command->options; row->name; row++) {
        if (row->kind == OPTION_TEXTS) free(((TextList*)member(row, values))->items);
        if (row->kind == OPTION_COUNTS) free(((CountList*)member(row, values))->items);
    }
}

// ---- parsing ------------------------------------------------------------------------------------

/// The argument of an option: `attached` to it ("--name=ARGUMENT", "-oARGUMENT") or the next word,
/// unless that looks like an option itself. NULL if there is none.
static const char* argument_of(const char* attached, Words* words) {
    if (attached) return attached;
    if (words->next == words->count) return NULL;
    const char* word = words->words[words->next];
    bool negative = word[0] == '-' && strchr("0123456789.", word[1]); // no option is a digit
    if (word[0] == '-' && word[1] && !negative) return NULL;
    words->next++;
    return word;
}

static bool take_option(const Command* command, const Option* option, const char* attached,
                        Words* words, void* values) {
    if (!takes_argument(option)) {
        if (!attached) return store(command, option, NULL, values);
        console_error("%s: --%s takes no argument, not '%s'", command->name, option->name,
                      attached);
        return false;
    }
    const char* text = argument_of(attached, words);
    if (text && option->kind == OPTION_NUMBERS)
        return take_numbers(command, option, text, words, member(option, values));
    if (text) return store(command, option, text, values);
    char label[64];
    option_label(option, label, sizeof label);
    console_error("%s: %s wants an argument: %s, %s", command->name, label, option->argument,
                  option->help);
    return false;
}

static Parsed take_long(const Command* command, const char* word, Words* words, void* values) {
    const char* name = word + 2;
    size_t length = strcspn(name, "=");
    if (strcmp(name, "help") == 0) return PARSED_HELP;
    for (const Option* row = command->options; row->name; row++) {
        if (row->kind == OPTION_OPERAND || strlen(row->name) != length ||
            strncmp(row->name, name, length) != 0)
            continue;
        const char* attached = name[length] ? name + length + 1 : NULL;
        return take_option(command, row, attached, words, values) ? PARSED_RUN : PARSED_WRONG;
    }
    return wrong_option(command, word);
}

/// One word of short options: flags may stand together, an argument may follow without a space.
static Parsed take_short(const Command* command, const char* word, Words* words, void* values) {
    for (const char* letter = word + 1; *letter; letter++) {
        const Option* row = command->options;
        if (*letter == 'h') return PARSED_HELP;
        while (row->name && row->letter != *letter)
            row++;
        if (!row->name) return wrong_option(command, word);
        bool last = takes_argument(row);
        const char* attached = last && letter[1] ? letter + 1 : NULL;
        if (!take_option(command, row, attached, words, values)) return PARSED_WRONG;
        if (last) break;
    }
    return PARSED_RUN;
}

static Parsed take_operand(const Command* command, const char* word, int index, void* values) {
    for (const Option* row = command->options; row->name; row++) {
        if (row->kind != OPTION_OPERAND || index-- > 0) continue;
        return store(command, row, word, values) ? PARSED_RUN : PARSED_WRONG;
    }
    console_error("%s: '%s' is one word too many; see gully %s --help", command->name, word,
                  command->name);
    return PARSED_WRONG;
}

static Parsed check_required(const Command* command, void* values) {
    for (const Option* row = command->options; row->name; row++) {
        if (!row->required || *(const char**)member(row, values)) continue;
        char label[64];
        option_label(row, label, sizeof label);
        console_error("%s: %s is missing: %s; see gully %s --help", command->name, label, row->help,
                      command->name);
        return PARSED_WRONG;
    }
    return PARSED_RUN;
}

Parsed options_parse(const Command* command, int count, char** words, void* values) {
    Words rest = {.count = count, .words = words};
    int operands = 0;
    bool only_operands = false;
    while (rest.next < rest.count) {
        const char* word = rest.words[rest.next++];
        Parsed parsed;
        if (!only_operands && strcmp(word, "--") == 0) {
            only_operands = true;
            continue;
        }
        if (only_operands || word[0] != '-' || !word[1])
            parsed = take_operand(command, word, operands++, values);
        else if (word[1] == '-')
            parsed = take_long(command, word, &rest, values);
        else
            parsed = take_short(command, word, &rest, values);
        if (parsed != PARSED_RUN) return parsed;
    }
    return check_required(command, values);
}
