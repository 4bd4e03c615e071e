/* What signatures, compare, compare_list and compare_rank share. The edges that an edge may touch
 * are numbered: by the side that they are on, then by their tile, COMPARE_TILES of them a slice. A
 * split has some slices, and for each place in a slice a score: of the edges that stand there in
 * its slices, the best one's. A score is a signed number, better when it is larger, above 8 bits
 * with the number of the slice in its split. */
#ifndef PARTNERS_H
#define PARTNERS_H

#include "kernels/dialect.h"
#include "kernels/unscramble/unscramble_args.h"

#define NO_EDGE 0xffffffffu

DEVICE uint tile_blocks(struct compare_args args)
{
    return (args.tiles + COMPARE_TILES - 1) / COMPARE_TILES;
}

/* The first slice of a split; that of split args.splits is one behind the last. */
DEVICE uint first_slice(struct compare_args args, uint split)
{
    return (uint)((ulong)split * args.others * tile_blocks(args) / args.splits);
}

/* The side that the edges of a slice are on, of those that `side` may touch. */
DEVICE uint slice_side(struct compare_args args, uint side, uint slice)
{
    return side ^ 2 ^ slice / tile_blocks(args) * args.step;
}

/* Where the signatures of the edges of a block are. */
DEVICE ulong signatures_start(struct compare_args args, uint side, uint block)
{
    return ((ulong)side * tile_blocks(args) + block) * (args.rows + 1) * COMPARE_TILES;
}

/* Where the scores of the edges of a block are: [split][side][block][place][tile]. */
DEVICE ulong scores_start(struct compare_args args, uint split, uint side, uint block)
{
    return (((ulong)split * SIDES + side) * args.blocks + block) * COMPARE_TILES * COMPARE_TILES;
}

/* Where the list of an own edge begins: [side][tile of args.blocks][partner]. */
DEVICE ulong list_start(struct compare_args args, uint side, uint tile)
{
    return ((ulong)side * args.blocks * COMPARE_TILES + tile) * args.candidates;
}

/* The terms of edges: [2 * tile + (side >> 1)][is, expects][channel][pixel], of left and right
 * sides, and of top and bottom ones. */
struct edge_terms {
    GLOBAL const ushort *upright, *level;
    GLOBAL const int *tiles; /* those that are compared */
};

DEVICE GLOBAL const ushort *terms_of(
    struct compare_args args, const struct edge_terms *terms, uint edge)
{
    const uint side = edge & 3, length = args.length[side & 1];
    return (side & 1 ? terms->level : terms->upright) +
           (2 * (ulong)terms->tiles[edge >> 2] + (side >> 1)) * 2 * args.channels * length;
}

#endif
