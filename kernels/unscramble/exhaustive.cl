/* Evaluates permutations one by one: item i of the launch takes number first + i, decodes it in the
 * factorial number system (number 0 is 0 1 2 ..., in lexicographic order) and sums the costs of all
 * neighbors. Each group gives its two best as cost << 32 | number, the smaller number first
 * where costs are equal.
 *
 * Must move: 16 bytes out a group. Must do, a permutation of n tiles: n decoding steps (a division
 * each) and about 2 n table look-ups. The table is copied from constant to local memory, since
 * items look up different places and constant memory serves one place at a time. */
#include "kernels/dialect.h"
#include "kernels/unscramble/unscramble_args.h"

#define NONE (~(ulong)0)

struct two_best {
    ulong best, runner_up;
};

#define KEEP_TWO_BEST(values, i, j) \
    { \
        const struct two_best a_ = values[i], b_ = values[j]; \
        const ulong worse_ = a_.best > b_.best ? a_.best : b_.best; \
        const ulong next_ = a_.runner_up < b_.runner_up ? a_.runner_up : b_.runner_up; \
        values[i].best = a_.best < b_.best ? a_.best : b_.best; \
        values[i].runner_up = worse_ < next_ ? worse_ : next_; \
    }

KERNEL_CONSTANT2(exhaustive, uint, cost_table, PAIR_COSTS(1), GLOBAL ulong *, best_orders,
    struct exhaustive_args, args)
{
    LOCAL uint pair_cost[PAIR_COSTS(1)];
    LOCAL struct two_best found[GROUP];
    const uint tiles = args.columns * args.rows;
    uint factorial = 1; /* (tiles - 1)! */
    for (uint i = 2; i < tiles; i++)
        factorial *= i;

    ITEMS
    {
        for (uint i = ITEM; i < PAIR_COSTS(1); i += GROUP)
            pair_cost[i] = cost_table[i];
    }
    SYNC;
    ITEMS
    {
        const uint i = GROUP_X * GROUP + ITEM;
        ulong key = NONE;
        if (i < args.count) {
            ulong unused = 0xba9876543210, order = 0; /* 4 bits a tile, the first lowest */
            uint rest = args.first + i, base = factorial, cost = 0, left = 0;
            for (uint place = 0; place < tiles; place++) {
                const uint shift = 4 * (rest / base);
                const uint tile = (uint)(unused >> shift) & 15;
                const ulong below = ((ulong)1 << shift) - 1;
                unused = (unused & below) | (unused >> 4 & ~below);
                if (place % args.columns != 0)
                    cost += pair_cost[BESIDE * TILE_PAIRS(1) + left * SEARCH_TILES + tile];
                if (place >= args.columns) {
                    const uint above = (uint)(order >> 4 * (place - args.columns)) & 15;
                    cost += pair_cost[BELOW * TILE_PAIRS(1) + above * SEARCH_TILES + tile];
                }
                order |= (ulong)tile << 4 * place;
                left = tile;
                rest %= base;
                base /= place + 1 < tiles ? tiles - 1 - place : 1;
            }
            key = (ulong)cost << 32 | (args.first + i);
        }
        found[ITEM].best = key;
        found[ITEM].runner_up = NONE;
    }
    GROUP_REDUCE(found, GROUP, KEEP_TWO_BEST);
    ITEMS_TO(1) {
        best_orders[2 * GROUP_X] = found[0].best;
        best_orders[2 * GROUP_X + 1] = found[0].runner_up;
    }
}
