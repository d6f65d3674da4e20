// SPDX-License-Identifier: MIT
/// What the ground of a reference is made of (MODELS.md L1-L3) and how it slides (T1-T3). A ground
/// of one material is a stack with nothing above the bedrock.
#ifndef REFERENCE_LAYERS_H
#define REFERENCE_LAYERS_H

#include "reference.h"

/// The topmost material of a cell with a thickness > 0; 0 = the bedrock.
int reference_top(const Reference* ref, int c);

/// What water takes from a cell in a step if it could take `hunger` = k * (C - s) more (P7, L1,
/// L2), in the speed that P4 found. It is gone from the ground when this returns. [m]
double reference_dig(Reference* ref, int c, double hunger);

/// Lays sediment on a cell [m]: more of the last material.
void reference_lay(Reference* ref, int c, double amount);

/// T1-T3 with the materials of L3.
void reference_thermal(Reference* ref);

/// The largest height [m] that water or a slide would move in a step if no threshold and no end of
/// a layer stopped it: the numbers whose differences decide what moves.
double reference_reach(const Reference* ref);

/// The height of the bedrock [m].
double reference_bedrock(const Reference* ref, int c);

#endif
