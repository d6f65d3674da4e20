// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "cluster.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "console.h"
#include "mpi/mpi_ranks.h"

static const MpiRanks* joined; ///< NULL = alone

/// Whether mpirun, or what a cluster has in its place, has started this process with others.
static bool has_others(void) {
    static const char* const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (int i = 0; i < 2; i++) {
        const char* size = getenv(sizes[i]);
        if (size && *size) return atoi(size) > 1;
    }
    return getenv("PMIX_RANK") != NULL;
}

// ---- the module ---------------------------------------------------------------------------------

/// Path of the module beside the program, as `make` leaves it, or where it is installed.
static bool find_module(const char* beside, char* path, size_t size) {
    char program[4096];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) return false;
    program[length] = '\0';
    char* slash = strrchr(program, '/');
    if (slash) *slash = '\0';
    return snprintf(path, size, "%s/%s", program, beside) < (int)size && access(path, R_OK) == 0;
}

static void* load_module(void) {
    char path[8192];
    const bool found = find_module("libgully_mpi.so", path, sizeof path) ||
                       find_module(GULLY_MPI_MODULE, path, sizeof path);
    void* module = found ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
    if (module) return module;
    gully_fail(GULLY_FAILED,
               "started by mpirun, but %s: build Gully with MPI (libopenmpi-dev), or start it "
               "without mpirun",
               found ? dlerror() : "this program was built without MPI");
    return NULL;
}

GullyStatus cluster_open(const GullyRanks** out) {
    *out = gully_ranks_alone();
    if (joined) *out = &joined->ranks;
    if (joined || !has_others()) return GULLY_OK;
    void* module = load_module();
    if (!module) return GULLY_FAILED;
    MpiOpen* open;
    *(void**)&open = dlsym(module, "gully_mpi_open");
    joined = open ? open(gully_fail) : NULL;
    if (!joined || joined->version != MPI_RANKS_VERSION)
        return gully_fail(GULLY_FAILED, "libgully_mpi.so does not belong to this program");
    *out = &joined->ranks;
    console_mute(joined->ranks.rank > 0);
    return GULLY_OK;
}

void cluster_close(void) {
    if (!joined) return;
    fflush(stdout);
    fflush(stderr);
    (void)gully_ranks_agree(&joined->ranks, GULLY_OK); // rank 0 has said what there is to say
    joined->close();
    joined = NULL;
}

int cluster_threads(void) {
    cpu_set_t allowed;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (!joined || joined->ranks.count == 1 || processors < 1) return 0;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) < processors)
        return CPU_COUNT(&allowed);
    return processors > joined->ranks.local ? (int)(processors / joined->ranks.local) : 1;
}

// ---- the same program, the same scene -----------------------------------------------------------

typedef struct Prints {
    uint64_t program, text;
} Prints;

static uint64_t print_of(uint64_t print, const char* bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        print = (print ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3); // FNV-1a
    return print;
}

static uint64_t print_of_program(void) {
    static char piece[1 << 16];
    uint64_t print = UINT64_C(0xcbf29ce484222325);
    FILE* file = fopen("/proc/self/exe", "rb");
    size_t size;
    while (file && (size = fread(piece, 1, sizeof piece, file)) > 0)
        print = print_of(print, piece, size);
    if (file) fclose(file);
    return print;
}

GullyStatus cluster_compare(const GullyRanks* ranks, const char* text) {
    if (ranks->count == 1) return GULLY_OK;
    const Prints own = {print_of_program(),
                        print_of(UINT64_C(0xcbf29ce484222325), text, strlen(text))};
    Prints* all = malloc((size_t)ranks->count * sizeof *all);
    if (!all) return gully_fail(GULLY_NO_MEMORY, "no memory for %d ranks", ranks->count);
    GullyStatus status = ranks->gather(ranks->context, &own, sizeof own, all);
    for (int rank = 1; rank < ranks->count && !status; rank++) {
        if (all[rank].program != all[0].program)
            status = gully_fail(GULLY_BAD_INPUT,
                                "rank %d runs another program than rank 0: install the same "
                                "version of Gully on all machines",
                                rank);
        else if (all[rank].text != all[0].text)
            status = gully_fail(GULLY_BAD_INPUT,
                                "rank %d has another scene or other options than rank 0: all ranks "
                                "must read the same file",
                                rank);
    }
    free(all);
    return gully_ranks_agree(ranks, status);
}
