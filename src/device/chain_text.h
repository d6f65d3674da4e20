// SPDX-License-Identifier: MIT
/// Writes the source of a chain.
#ifndef CHAIN_TEXT_H
#define CHAIN_TEXT_H

#include "chains.h"
#include "text.h"

/// Writes the program of one chain of a step: a kernel of the chain's name. Its arguments are those
/// of other kernels (kernel_text.h) up to the place of each pass's constants; then the buffer of
/// each field, followed by its second one if it has two.
GullyStatus write_chain(Text* text, const KernelPlan* plan, const Chain* chain);

#endif
