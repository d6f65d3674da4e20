/// Denormal numbers where the processor cannot flush them (WebAssembly): the rows of laws in a
/// second form, in which every operation flushes (flushed.hpp). It is slower, so only columns that
/// hold traces are computed by it: numbers so small that their products may be denormal.
#ifndef FLUSHED_H
#define FLUSHED_H

#include "law.h"

/// The second form of a pass.
typedef struct FlushedPass {
    const char *law, *pass;
    RowFunction* row;
} FlushedPass;

/// All of them; cmake/flushed.cmake writes the table.
extern const FlushedPass flushed_passes[];
extern const int flushed_pass_count;

/// The second form of a law's pass. Every pass has one.
RowFunction* flushed_find(const char* law, const char* pass);

/// Runs a pass on a row: to the bits that it would come to if the processor flushed denormals.
void flushed_run(const Pass* pass, RowFunction* flushed, const PassRow* row);

#endif
