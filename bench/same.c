// SPDX-License-Identifier: MIT
/// same BEFORE.so NOW.so JOBS [CASE...]: whether two versions of the library come to the same bits.
///
/// Runs every case of cases.c (or those named) with both and compares every number that they note:
/// the fields, the budget, whether calls worked. Says which case, which number and which step
/// differ. Ends with 1 if any does.
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"
#include "sides.h"

enum { LONGEST = 300 }; // of a case [s]: it hangs

typedef struct Side {
    int (*count)(void);
    void (*describe)(int index, char* text, size_t size);
    void (*run)(int index, CaseNote* note, void* to);
} Side;

typedef struct Number {
    char what[40];
    int64_t step;
    uint64_t bits;
} Number;

typedef struct NumberList {
    Number* rows;
    int count, room;
} NumberList;

/// What a process leaves of its case.
typedef struct Outcome {
    int numbers; ///< compared
    int refused; ///< calls that failed on both sides
    int running; ///< the side that runs
} Outcome;

static Side load(const char* path) {
    void* library = side_open(path);
    Side side = {0};
    *(void**)&side.count = side_find(library, "case_count");
    *(void**)&side.describe = side_find(library, "case_describe");
    *(void**)&side.run = side_find(library, "case_run");
    return side;
}

static void note(void* to, const char* what, int64_t step, uint64_t bits) {
    NumberList* list = to;
    if (list->count == list->room) {
        list->room = 2 * list->room + 256;
        list->rows = realloc(list->rows, sizeof(Number) * (size_t)list->room);
        if (!list->rows) abort();
    }
    Number* row = &list->rows[list->count++];
    *row = (Number){.step = step, .bits = bits};
    snprintf(row->what, sizeof row->what, "%s", what);
}

static bool is_same(const Number* a, const Number* b) {
    return strcmp(a->what, b->what) == 0 && a->step == b->step && a->bits == b->bits;
}

/// The names of all numbers that differ at the step of the first one that does.
static void name_different(const NumberList lists[SIDES], int first, char* text, size_t size) {
    const Number *before = lists[BEFORE].rows, *now = lists[NOW].rows;
    size_t used = 0;
    for (int i = first; i < lists[BEFORE].count && i < lists[NOW].count && used < size; i++) {
        if (before[i].step != before[first].step || strcmp(before[i].what, now[i].what) != 0) break;
        if (i > first && strcmp(before[i].what, before[first].what) == 0) break; // a later moment
        if (before[i].bits == now[i].bits) continue;
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", before[i].what);
    }
}

/// Prints how two lists differ, in one piece; false if they do.
static bool compare_lists(const NumberList lists[SIDES], int index, const char* description) {
    const Number *before = lists[BEFORE].rows, *now = lists[NOW].rows;
    const int count = lists[lists[NOW].count < lists[BEFORE].count ? NOW : BEFORE].count;
    int first = 0;
    while (first < count && is_same(&before[first], &now[first]))
        first++;
    if (first == lists[BEFORE].count && first == lists[NOW].count) return true;
    char names[512] = "";
    if (first < count && strcmp(before[first].what, now[first].what) == 0) {
        name_different(lists, first, names, sizeof names);
        printf("case %d differs at step %lld: %s\n    %s\n", index, (long long)before[first].step,
               names, description);
    } else {
        printf("case %d goes another way: before \"%s\", now \"%s\"\n    %s\n", index,
               first < lists[BEFORE].count ? before[first].what : "the end",
               first < lists[NOW].count ? now[first].what : "the end", description);
    }
    fflush(stdout);
    return false;
}

static void show(const char* description, const NumberList* list) {
    printf("%s\n", description);
    for (int i = 0; i < list->count; i++) {
        const Number* row = &list->rows[i];
        printf("%6lld %-24s %016llx\n", (long long)row->step, row->what,
               (unsigned long long)row->bits);
    }
}

/// In a process of its own. True if both sides come to the same.
static bool run_case(const Side sides[SIDES], int index, Outcome* outcome) {
    NumberList lists[SIDES] = {0};
    char text[SIDES][512];
    alarm(LONGEST);
    for (int s = 0; s < SIDES; s++) {
        outcome->running = s;
        sides[s].describe(index, text[s], sizeof text[s]);
        sides[s].run(index, note, &lists[s]);
    }
    outcome->numbers = lists[NOW].count;
    for (int i = 0; i < lists[NOW].count; i++) {
        const Number* row = &lists[NOW].rows[i];
        if (strncmp(row->what, CASE_CALL, strlen(CASE_CALL)) == 0 && !row->bits) outcome->refused++;
    }
    if (getenv("SAME_SHOW")) show(text[NOW], &lists[NOW]);
    if (strcmp(text[BEFORE], text[NOW]) != 0) {
        printf("case %d is another one: \"%s\", now \"%s\"\n", index, text[BEFORE], text[NOW]);
        return false;
    }
    return compare_lists(lists, index, text[NOW]);
}

/// Waits for one process to end and says if it died; true if its case was the same.
static bool wait_for_one(const pid_t* children, int count, const Outcome* outcomes) {
    int status = 0;
    pid_t child = wait(&status);
    int index = 0;
    while (index < count && children[index] != child)
        index++;
    if (WIFSIGNALED(status) && index < count)
        printf("case %d: %s died of signal %d (%s)\n", index,
               outcomes[index].running == NOW ? "what is here" : "the commit", WTERMSIG(status),
               strsignal(WTERMSIG(status)));
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Runs the cases that are wanted, so many processes at a time; the number that differ.
static int run_all(const Side sides[SIDES], int count, const bool* wanted, int jobs,
                   Outcome* outcomes) {
    pid_t* children = calloc((size_t)count, sizeof *children);
    int running = 0, different = 0;
    if (!children) exit(2);
    for (int i = 0; i < count; i++) {
        if (!wanted[i]) continue;
        if (running == jobs) {
            different += !wait_for_one(children, count, outcomes);
            running--;
        }
        fflush(stdout);
        children[i] = fork();
        if (children[i] < 0) exit(2);
        if (children[i] == 0) {
            bool same = run_case(sides, i, &outcomes[i]);
            fflush(stdout);
            _exit(same ? 0 : 1);
        }
        running++;
    }
    for (; running > 0; running--)
        different += !wait_for_one(children, count, outcomes);
    free(children);
    return different;
}

int main(int words_count, char** words) {
    if (words_count < 4) {
        fprintf(stderr, "usage: same BEFORE.so NOW.so JOBS [CASE...]\n");
        return 2;
    }
    const Side sides[SIDES] = {load(words[1]), load(words[2])};
    const int count = sides[NOW].count();
    if (sides[BEFORE].count() != count)
        printf("the versions have other laws, brushes or choices\n");
    bool* wanted = calloc((size_t)count, sizeof *wanted);
    Outcome* outcomes = mmap(NULL, sizeof *outcomes * (size_t)count, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!wanted || outcomes == MAP_FAILED) return 2;
    for (int i = 0; i < count; i++)
        wanted[i] = words_count == 4;
    for (int i = 4; i < words_count; i++) {
        int index = atoi(words[i]);
        if (index < 0 || index >= count) {
            fprintf(stderr, "there is no case %s, the last is %d\n", words[i], count - 1);
            return 2;
        }
        wanted[index] = true;
    }
    const int different = run_all(sides, count, wanted, atoi(words[3]), outcomes);
    int cases = 0, numbers = 0, refused = 0;
    for (int i = 0; i < count; i++) {
        cases += wanted[i];
        numbers += outcomes[i].numbers;
        refused += outcomes[i].refused;
    }
    printf("%d cases, %d numbers, %d calls refused: %d cases differ\n", cases, numbers, refused,
           different);
    return different || sides[BEFORE].count() != count ? 1 : 0;
}
