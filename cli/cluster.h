// SPDX-License-Identifier: MIT
/// The ranks of a run that was started by mpirun; one process alone without it. Only rank 0 speaks.
#ifndef GULLY_CLI_CLUSTER_H
#define GULLY_CLI_CLUSTER_H

#include "gully/ranks.h"

/// Joins the other ranks, if mpirun has started this process; once in a process.
GullyStatus cluster_open(const GullyRanks** out);

/// Waits for the other ranks and leaves them.
void cluster_close(void);

/// Threads for this rank, if nobody has said how many; 0 = one per processor.
int cluster_threads(void);

/// Fails if the ranks are not the same program, or do not have the same text.
GullyStatus cluster_compare(const GullyRanks* ranks, const char* text);

#endif
