// SPDX-License-Identifier: MIT
/// gully compare --low-pass: how alike two terrains are apart from their details.
#ifndef GULLY_CLI_LIKENESS_WORDS_H
#define GULLY_CLI_LIKENESS_WORDS_H

#include "command.h"

typedef struct LikenessOptions {
    double low_pass;    ///< [m], < 0 = not asked for
    double correlation; ///< the least, < -1 = any
    TextList starts;    ///< none, one for both, or one for each
} LikenessOptions;

typedef struct LikenessTask {
    const LikenessOptions* options;
    const GullyReadDef* read;
    const char* paths[2];
    const GullyRaster* rasters[2];
    double tolerance; ///< < 0 = any
    bool json;
} LikenessTask;

/// False after a message if the options do not go together.
bool likeness_check(const LikenessOptions* options);

/// Compares and prints; returns an exit code.
int likeness_run(const LikenessTask* task);

#endif
