// SPDX-License-Identifier: MIT
/// How a sweep divides a world: blocks of rows of one panel, each for one worker.
///
/// Panels are divided at seams so that every worker gets about equally many awake cells. A block
/// computes what it needs of the cells beyond its borders itself, on copies of them. So blocks never
/// wait for each other, and where the seams are shows in no result.
#ifndef BLOCKS_H
#define BLOCKS_H

#include "activity.h"

/// What lies beyond a side of a block. Only border.c knows what the kinds mean.
typedef enum BorderKind {
    BORDER_OUTSIDE, // the world ends: outside values
    BORDER_BLOCK,   // cells of the same level in this process
    BORDER_FINER,   // tiles of a finer level
    BORDER_COARSER, // tiles of a coarser level
    BORDER_RANK     // cells that another process owns
} BorderKind;

typedef struct Border {
    BorderKind kind;
    int seam;     // north, south: the seam at which the block ends; -1 = the side of the world
    int depth;    // rows or columns beyond the side that a run reads
    float* cells; // of a seam: the rows around it as they were before the run, northernmost first
} Border;

typedef struct Block {
    int level;          // of resolution; 0 = the finest
    int panel;          // its place among the columns of tiles
    int first, end;     // rows
    Border side[SIDES]; // filled in by border.c, but for their seams
    int64_t awake;      // cells
} Block;

/// Between row-1 and row of a panel.
typedef struct Seam {
    int panel, row;
} Seam;

typedef struct Blocks {
    Block* list; // the one with most awake cells first
    Seam* seams;
    int count, seam_count;
} Blocks;

GullyStatus blocks_create(const GullyWorld* world, int workers, Blocks* out);
void blocks_destroy(Blocks* blocks);

/// Rows first .. end-1.
typedef struct RowRange {
    int first, end;
} RowRange;

/// Divides the awake cells of some rows among up to as many workers as the blocks were created for. A seam keeps
/// `least` rows away from other seams and from the first and last of the rows. Panels that sleep get no
/// block.
void blocks_divide(Blocks* blocks, const GullyWorld* world, const Activity* activity, RowRange rows,
                   int workers, int least);

#endif
