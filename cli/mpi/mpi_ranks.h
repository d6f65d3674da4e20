// SPDX-License-Identifier: MIT
/// The module that the program loads when it was started by mpirun: ranks that talk by MPI. It links
/// MPI, so that the program itself need not.
#ifndef GULLY_MPI_RANKS_H
#define GULLY_MPI_RANKS_H

#include "gully/ranks.h"

enum { MPI_RANKS_VERSION = 2 };

typedef struct MpiRanks {
    int version;      ///< MPI_RANKS_VERSION
    GullyRanks ranks; ///<
    void (*close)(void);
    void (*abort)(int code); ///< ends all ranks
} MpiRanks;

/// The one function that it exports, "gully_mpi_open". `fail` is gully_fail. NULL if MPI cannot start.
typedef const MpiRanks* MpiOpen(GullyStatus (*fail)(GullyStatus, const char*, ...));

#endif
