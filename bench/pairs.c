/// pairs BEFORE.so NOW.so THREADS SIZE...: how fast one version of the library steps against
/// another.
///
/// On a shared machine everything may take half as long again a minute later. So the two run in one
/// process, in turn, for a fraction of a second each, and what counts is the median of the ratios
/// of neighbouring runs. Says also if the two do not come to the same terrain.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "contestant.h"

enum { PAIRS = 31, WARM_UP_STEPS = 20, SIDES = 2 };
static const double cells_of_run = 4e7; // cells and steps; a tenth of a second or so
static const char* const variants[] = {"flux", "semi_lagrangian", "flux+all", "flux+pond"};

typedef struct Side {
    Contestant* (*open)(int size, int threads, const char* variant);
    void (*step)(Contestant* c, int steps);
    uint64_t (*hash)(const Contestant* c);
    void (*close)(Contestant* c);
    Contestant* contestant;
    double ns[PAIRS]; // per cell and step
} Side;

static double clock_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void* find(void* library, const char* name) {
    void* found = dlsym(library, name);
    if (found) return found;
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
}

static Side load(const char* path) {
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    Side side = {0};
    *(void**)&side.open = find(library, "contestant_open");
    *(void**)&side.step = find(library, "contestant_step");
    *(void**)&side.hash = find(library, "contestant_hash");
    *(void**)&side.close = find(library, "contestant_close");
    return side;
}

static int compare_doubles(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

/// Sorts the numbers: the least is then the first.
static double median(double* numbers) {
    qsort(numbers, PAIRS, sizeof *numbers, compare_doubles);
    return numbers[PAIRS / 2];
}

static void run_pairs(Side sides[SIDES], int size, const char* variant) {
    const double cells = (double)size * (double)size;
    const int blocks = (int)(cells_of_run / cells / 5), steps = 5 * (blocks > 1 ? blocks : 1);
    double ratios[PAIRS];
    for (int pair = 0; pair < PAIRS; pair++) {
        for (int turn = 0; turn < SIDES; turn++) {
            Side* side = &sides[(pair + turn) % SIDES];
            double start = clock_seconds();
            side->step(side->contestant, steps);
            side->ns[pair] = 1e9 * (clock_seconds() - start) / steps / cells;
        }
        ratios[pair] = sides[1].ns[pair] / sides[0].ns[pair];
    }
    int same = sides[0].hash(sides[0].contestant) == sides[1].hash(sides[1].contestant);
    double before = median(sides[0].ns), now = median(sides[1].ns), ratio = median(ratios);
    printf("%-16s %6d %10.2f %10.2f %10.2f %10.2f %8.3f  %s\n", variant, size, before,
           sides[0].ns[0], now, sides[1].ns[0], ratio, same ? "the same bits" : "OTHER BITS");
    fflush(stdout);
}

int main(int count, char** words) {
    if (count < 5) {
        fprintf(stderr, "usage: pairs BEFORE.so NOW.so THREADS SIZE...\n");
        return 2;
    }
    Side sides[SIDES] = {load(words[1]), load(words[2])};
    printf("%-16s %6s %10s %10s %10s %10s %8s\n", "variant", "size", "before ns", "least", "now ns",
           "least", "ratio");
    for (int i = 4; i < count; i++) {
        for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
            for (int s = 0; s < SIDES; s++) {
                Side* side = &sides[s];
                side->contestant = side->open(atoi(words[i]), atoi(words[3]), variants[v]);
                if (!side->contestant) return 1;
                side->step(side->contestant, WARM_UP_STEPS);
            }
            run_pairs(sides, atoi(words[i]), variants[v]);
            for (int s = 0; s < SIDES; s++)
                sides[s].close(sides[s].contestant);
        }
    }
    return 0;
}
