// SPDX-License-Identifier: MIT
/// pairs BEFORE.so NOW.so THREADS VARIANTS SIZE...: how fast one version of the library steps
/// against another, and the memory each takes. VARIANTS is a list of names with spaces; "" = all.
///
/// On a shared machine everything may take half as long again a minute later. So the two run in one
/// process, in turn, for a fraction of a second each, and what counts is the median of the ratios
/// of neighbouring runs. Where memory happens to lie also counts, so there are several rounds, each
/// in a process of its own and opened in the other order. Says also if the two do not come to the
/// same bits in every field.
///
/// Memory is the peak of a process of its own for each version, which opens the simulation and
/// steps, less what that process had before.
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "contestant.h"
#include "sides.h"

enum { ROUNDS = 4, MOST_PAIRS = 10, FEWEST_PAIRS = 3, WARM_UP_STEPS = 10 }; // pairs: of a round
static const double cells_of_run = 4e7; // cells and steps; a tenth of a second or so
static const double longest = 5;        // no further pair in a round after so long [s]

/// The rows of the comparison.
static const struct Row {
    const char *name, *law;
    const char* variant; // as `gully bench` calls it
} rows[] = {
    {"flux", "pipe", "flux"},
    {"semi_lagrangian", "pipe", "semi_lagrangian"},
    {"all", "pipe", "flux+all"},
    {"layers", "pipe", "flux+layers"},
    {"half", "pipe", "flux+half"},
    {"pond", "pipe", "flux+pond"},
    {"eight", "pipe", "pipes=8"},
    {"newton", "newton", "level"},
    {"diffusion", "diffusion", "default"},
};
enum { ROWS = sizeof rows / sizeof *rows };

typedef struct Side {
    bool (*heights)(int size, float* heights);
    bool (*has)(const char* law, const char* variant);
    Contestant* (*open)(const float* heights, int size, int threads, const char* law,
                        const char* variant);
    void (*step)(Contestant* c, int steps);
    uint64_t (*hash)(const Contestant* c);
    void (*close)(Contestant* c);
} Side;

/// What the processes find out about a row.
typedef struct Findings {
    double mib[SIDES];
    double ns[SIDES][ROUNDS * MOST_PAIRS]; // per cell and step
    int pairs;
    bool differ;
} Findings;

typedef struct Comparison {
    Side sides[SIDES];
    int threads, size;
    const struct Row* row;
    float* heights;     // shared by all processes
    Findings* findings; // the same
} Comparison;

static Side load(const char* path) {
    void* library = side_open(path);
    Side side = {0};
    *(void**)&side.heights = side_find(library, "contestant_heights");
    *(void**)&side.has = side_find(library, "contestant_has");
    *(void**)&side.open = side_find(library, "contestant_open");
    *(void**)&side.step = side_find(library, "contestant_step");
    *(void**)&side.hash = side_find(library, "contestant_hash");
    *(void**)&side.close = side_find(library, "contestant_close");
    return side;
}

/// A contestant that has warmed up; ends the process if it cannot.
static Contestant* open_warm(const Comparison* comparison, int s) {
    const Side* side = &comparison->sides[s];
    const struct Row* row = comparison->row;
    Contestant* contestant = side->open(comparison->heights, comparison->size, comparison->threads,
                                        row->law, row->variant);
    if (!contestant) exit(1);
    side->step(contestant, WARM_UP_STEPS);
    return contestant;
}

// ---- memory -------------------------------------------------------------------------------------

/// The most memory that this process has had at one time [MiB].
static double peak_mib(void) {
    FILE* status = fopen("/proc/self/status", "r");
    char line[256];
    long kib = -1;
    while (status && fgets(line, sizeof line, status) && sscanf(line, "VmHWM: %ld", &kib) != 1) {
    }
    if (status) fclose(status);
    if (kib < 0) {
        fprintf(stderr, "/proc/self/status: no VmHWM\n");
        exit(1);
    }
    return (double)kib / 1024;
}

static size_t heights_bytes(int size) {
    return sizeof(float) * (size_t)size * (size_t)size;
}

/// By how much a contestant raises the peak of memory. The heights are not the contestant's: all of
/// their pages are made to count before.
static void measure_memory(const Comparison* comparison, int s) {
    volatile const char* bytes = (const char*)comparison->heights;
    for (size_t i = 0; i < heights_bytes(comparison->size); i += 4096)
        (void)bytes[i];
    double before = peak_mib();
    Contestant* contestant = open_warm(comparison, s);
    comparison->findings->mib[s] = peak_mib() - before;
    comparison->sides[s].close(contestant);
}

// ---- time ---------------------------------------------------------------------------------------

static double clock_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare_doubles(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

/// Sorts the numbers: the least is then the first.
static double median(double* numbers, int count) {
    qsort(numbers, (size_t)count, sizeof *numbers, compare_doubles);
    return numbers[count / 2];
}

/// A round of pairs of runs; `first` is the side that is opened and runs first.
static void run_pairs(const Comparison* comparison, int first) {
    const Side* sides = comparison->sides;
    Findings* found = comparison->findings;
    Contestant* contestants[SIDES];
    for (int turn = 0; turn < SIDES; turn++)
        contestants[first ^ turn] = open_warm(comparison, first ^ turn);
    const double cells = (double)comparison->size * comparison->size, begin = clock_seconds();
    const int blocks = (int)(cells_of_run / cells / 5), steps = 5 * (blocks > 1 ? blocks : 1);
    for (int pair = 0; pair < MOST_PAIRS; pair++) {
        if (pair >= FEWEST_PAIRS && clock_seconds() - begin > longest) break;
        for (int turn = 0; turn < SIDES; turn++) {
            int s = (first + pair + turn) % SIDES;
            double start = clock_seconds();
            sides[s].step(contestants[s], steps);
            found->ns[s][found->pairs] = 1e9 * (clock_seconds() - start) / steps / cells;
        }
        found->pairs++;
    }
    if (sides[BEFORE].hash(contestants[BEFORE]) != sides[NOW].hash(contestants[NOW]))
        found->differ = true;
    for (int s = 0; s < SIDES; s++)
        sides[s].close(contestants[s]);
}

static void print_row(const Comparison* comparison) {
    Findings* found = comparison->findings;
    double ratios[ROUNDS * MOST_PAIRS];
    for (int i = 0; i < found->pairs; i++)
        ratios[i] = found->ns[NOW][i] / found->ns[BEFORE][i];
    double before = median(found->ns[BEFORE], found->pairs);
    double now = median(found->ns[NOW], found->pairs);
    printf("%-16s %5d %9.2f %7.2f %9.2f %7.2f %7.3f %5d %10.1f %9.1f  %s\n", comparison->row->name,
           comparison->size, before, found->ns[BEFORE][0], now, found->ns[NOW][0],
           median(ratios, found->pairs), found->pairs, found->mib[BEFORE], found->mib[NOW],
           found->differ ? "OTHER BITS" : "the same bits");
    fflush(stdout);
}

// ---- rows and sizes -----------------------------------------------------------------------------

/// Marks the rows that are named; "" marks all.
static void choose_rows(const char* names, bool chosen[ROWS]) {
    char text[512];
    snprintf(text, sizeof text, "%s", names);
    char* word = strtok(text, " ");
    for (int r = 0; r < ROWS; r++)
        chosen[r] = !word;
    for (; word; word = strtok(NULL, " ")) {
        int r = 0;
        while (r < ROWS && strcmp(word, rows[r].name) != 0)
            r++;
        if (r == ROWS) {
            fprintf(stderr, "no variant '%s'; there are:", word);
            for (r = 0; r < ROWS; r++)
                fprintf(stderr, " %s", rows[r].name);
            fprintf(stderr, "\n");
            exit(2);
        }
        chosen[r] = true;
    }
}

/// Runs a measurement in a process of its own. This one stays small: the others start from it.
static void run_apart(void measure(const Comparison*, int), const Comparison* comparison, int s) {
    int status = 1;
    pid_t child = fork();
    if (child == 0) {
        measure(comparison, s);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        fprintf(stderr, "%s %d: failed\n", comparison->row->name, comparison->size);
        exit(1);
    }
}

/// Memory that processes share.
static void* allocate_shared(size_t bytes) {
    void* memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) return memory;
    fprintf(stderr, "no memory\n");
    exit(1);
}

/// Whether both versions have the variant of the row; says so if one does not.
static bool both_have(const Comparison* comparison) {
    const struct Row* row = comparison->row;
    bool both = true;
    for (int s = 0; s < SIDES; s++)
        both &= comparison->sides[s].has(row->law, row->variant);
    if (!both) printf("%-16s %5d not in both\n", row->name, comparison->size);
    return both;
}

static void compare_size(Comparison* comparison, const bool chosen[ROWS]) {
    const size_t bytes = heights_bytes(comparison->size);
    comparison->heights = allocate_shared(bytes);
    if (!comparison->sides[BEFORE].heights(comparison->size, comparison->heights)) exit(1);
    for (int r = 0; r < ROWS; r++) {
        if (!chosen[r]) continue;
        comparison->row = &rows[r];
        if (!both_have(comparison)) continue;
        *comparison->findings = (Findings){0};
        for (int s = 0; s < SIDES; s++)
            run_apart(measure_memory, comparison, s);
        for (int round = 0; round < ROUNDS; round++)
            run_apart(run_pairs, comparison, round % SIDES);
        print_row(comparison);
    }
    munmap(comparison->heights, bytes);
}

int main(int count, char** words) {
    bool chosen[ROWS];
    if (count < 6) {
        fprintf(stderr, "usage: pairs BEFORE.so NOW.so THREADS VARIANTS SIZE...\n");
        return 2;
    }
    Comparison comparison = {.sides = {load(words[1]), load(words[2])}, .threads = atoi(words[3])};
    comparison.findings = allocate_shared(sizeof *comparison.findings);
    choose_rows(words[4], chosen);
    printf("%-16s %5s %9s %7s %9s %7s %7s %5s %10s %9s\n", "variant", "size", "before ns", "least",
           "now ns", "least", "ratio", "pairs", "before MiB", "now MiB");
    fflush(stdout);
    for (int i = 5; i < count; i++) {
        comparison.size = atoi(words[i]);
        if (comparison.size < 10) {
            fprintf(stderr, "'%s' is no size\n", words[i]);
            return 2;
        }
        compare_size(&comparison, chosen);
    }
    return 0;
}
