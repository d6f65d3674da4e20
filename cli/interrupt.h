// SPDX-License-Identifier: MIT
/// Ctrl-C and its like, answered in two stages.
#ifndef GULLY_CLI_INTERRUPT_H
#define GULLY_CLI_INTERRUPT_H

#include <stdbool.h>

/// From here on the first signal (SIGINT, SIGTERM, SIGHUP) asks for an orderly end, which
/// interrupt_asked() reports; the next one ends the program at once.
void interrupt_watch(void);

/// The same for ranks: SIGUSR1, which some launchers pass on, asks as well. SIGTERM comes from mpirun when
/// another rank has died or mpirun itself is to stop, and time may be short: `text` (it must stay; NULL =
/// none) is printed at once.
void interrupt_watch_rank(const char* text);

/// Number of signals so far.
int interrupt_asked(void);

/// While this is on there are temporary files: the second signal too only asks, the third ends.
void interrupt_hold(bool on);

#endif
