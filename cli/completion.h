// SPDX-License-Identifier: MIT
/// Completion for shells.
#ifndef GULLY_CLI_COMPLETION_H
#define GULLY_CLI_COMPLETION_H

#include "command.h"

/// The shells that `completion_print` knows, as an option's choice.
#define COMPLETION_SHELLS "bash|zsh|fish"

/// Prints the script that completes commands and options in a shell.
void completion_print(const char* shell);

#endif
