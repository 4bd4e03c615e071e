/* Makes the signatures of edges (unscramble_args.h). An edge is cut into args.parts parts of the
 * same length, and the mean of a channel over a part, 0 to TERM_MAX before args.halvings, becomes
 * the byte mean / BYTE_STEP - 128, cut off at args.most so that scores have 24 bits. The first rows
 * hold what an edge is, channel by channel; the others hold backwards, with the parts backwards
 * too, what it expects. Places without a tile get the worst score. Group (block of COMPARE_TILES
 * tiles, side), an item a tile.
 *
 * Must move: 2 bytes a term in, a byte a part, channel and way out. Must do: an addition a term, a
 * division a byte. */
#include "kernels/unscramble/partners.h"

#define BYTE_STEP 32        /* of terms before halvings, for which TERM_MAX is below 256 */
#define WORST_HALF 0x7fffff /* what makes the worst score of 24 bits */
#define WORD_BYTES 4

/* A part of an edge: its pixels from `first` to `last`. A whole pixel weighs args.parts; these two
 * weigh what lies in the part, `last` nothing where it is the first. */
struct part {
    uint first, last, first_weight, last_weight;
};

DEVICE struct part part_of(const struct compare_args *args, uint length, uint number)
{
    const ulong begin = (ulong)number * length, end = begin + length;
    struct part part;
    part.first = (uint)(begin / args->parts);
    part.last = (uint)((end - 1) / args->parts);
    const ulong first_end = ((ulong)part.first + 1) * args->parts;
    part.first_weight = (uint)((first_end < end ? first_end : end) - begin);
    part.last_weight = part.last > part.first ? (uint)(end - (ulong)part.last * args->parts) : 0;
    return part;
}

DEVICE int part_byte(const struct compare_args *args, IN_LOCAL const struct part *part,
    GLOBAL const ushort *value, uint length)
{
    ulong between = 0;
    for (uint k = part->first + 1; k < part->last; k++)
        between += value[k];
    const ulong sum = (ulong)part->first_weight * value[part->first] + args->parts * between +
                      (ulong)part->last_weight * value[part->last];
    const ulong halved = sum << args->halvings;
    const ulong step = (ulong)length * BYTE_STEP;
    /* Nearly all sums fit 32 bits, which are divided faster. */
    const int mean =
        (halved | step) >> 32 ? (int)(halved / step) : (int)((uint)halved / (uint)step);
    const int most = (int)args->most;
    return CLAMP(mean - 128, -most, most);
}

/* Makes the signature of an edge; its words follow each other at a distance of COMPARE_TILES. */
DEVICE void make_signature(const struct compare_args *args, IN_LOCAL const struct part *parts,
    GLOBAL const ushort *value, uint length, GLOBAL uint *words)
{
    GLOBAL const ushort *expected = value + (ulong)args->channels * length;
    uint squares = 0, row = 0;
    for (uint channel = 0; channel < args->channels; channel++) {
        for (uint part = 0; part < args->parts; part += WORD_BYTES, row++) {
            uint is_word = 0, expects_word = 0;
            for (uint i = 0; i < WORD_BYTES; i++) {
                const uint backwards = args->parts - 1 - part - i;
                const int is = part_byte(args, &parts[part + i], value, length);
                const int expects = part_byte(args, &parts[backwards], expected, length);
                is_word |= (uint)(is & 255) << 8 * i;
                expects_word |= (uint)(expects & 255) << 8 * i;
                squares += (uint)(is * is + expects * expects);
            }
            words[row * COMPARE_TILES] = is_word;
            words[(args->rows - 1 - row) * COMPARE_TILES] = expects_word;
        }
        value += length;
        expected += length;
    }
    words[args->rows * COMPARE_TILES] = (squares + 1) / 2;
}

KERNEL5(signatures, GLOBAL const ushort *RESTRICT, upright, GLOBAL const ushort *RESTRICT, level,
    GLOBAL const int *RESTRICT, tiles, GLOBAL uint *RESTRICT, words, struct compare_args, args)
{
    LOCAL struct part parts[SIGNATURE_PARTS];
    const struct edge_terms terms = {upright, level, tiles};
    const uint length = args.length[GROUP_Y & 1];
    GLOBAL uint *const block = words + signatures_start(args, GROUP_Y, GROUP_X);
    ITEMS_TO(args.parts) {
        parts[ITEM] = part_of(&args, length, ITEM);
    }
    SYNC;
    ITEMS_ATOMIC
    {
        const uint tile = GROUP_X * COMPARE_TILES + ITEM;
        if (tile < args.tiles) {
            GLOBAL const ushort *const value = terms_of(args, &terms, 4 * tile + GROUP_Y);
            make_signature(&args, parts, value, length, block + ITEM);
        } else {
            for (uint row = 0; row < args.rows; row++)
                block[row * COMPARE_TILES + ITEM] = 0;
            block[args.rows * COMPARE_TILES + ITEM] = WORST_HALF;
        }
    }
}
