/* Finds the two best ways to finish a partial placement, for every placement of one length.
 *
 * Tiles are placed line by line along the grid's shorter side. The cost of what follows depends
 * only on which tiles are used and on the order of as many latest ones as a line has (the front).
 * Of all placements that agree in these, only the cheapest need be finished (dynamic programming
 * over subsets, as Held and Karp 1962 do for tours). So 12 tiles need at most 12^3 x 2^9 states
 * instead of 12! permutations. Where tiles may be turned, in TURNS ways, the front holds oriented
 * tiles, and 9 tiles have at most 36^3 x 2^6 states.
 *
 * A state's number is others * (TURNS * tiles)^line + front: the front's oriented tiles as digits,
 * the latest last, and the other used tiles as bits, counted among the tiles outside the front.
 * Each state keeps its two best extensions: their cost, and the oriented tiles of the places that
 * are still open as digits of DIGIT_BITS, place 0 of the grid the highest. Comparing (cost, digits)
 * breaks ties as the number of the whole permutation would, because extensions of one state fill
 * the same places.
 *
 * Group (x, others): a run of fronts. Must move, for a state of one length: 2 x 12 bytes in for
 * each oriented tile that can come next, and 24 bytes out. */
#include "kernels/dialect.h"
#include "kernels/unscramble/unscramble_args.h"

/* set_compress packs the bits of a set that lie outside `front`, and set_expand spreads them. */
DEVICE uint set_compress(uint set, uint front, uint tiles)
{
    uint bits = 0, count = 0;
    for (uint tile = 0; tile < tiles; tile++)
        if (!(front >> tile & 1))
            bits |= (set >> tile & 1) << count++;
    return bits;
}

DEVICE uint set_expand(uint bits, uint front, uint tiles)
{
    uint set = 0;
    for (uint tile = 0; tile < tiles; tile++)
        if (!(front >> tile & 1)) {
            set |= (bits & 1) << tile;
            bits >>= 1;
        }
    return set;
}

DEVICE uint bits_below(uint place)
{
    return (1u << place) - 1;
}

DEVICE int is_before(uint cost, ulong extension, uint other_cost, ulong other_extension)
{
    return cost < other_cost || (cost == other_cost && extension < other_extension);
}

/* The two best ways to place the tiles that are left: what each costs, and its tiles as digits. */
struct two_best {
    uint cost, next_cost;
    ulong extension, next_extension;
};

DEVICE struct two_best keep_two_best(struct two_best best, uint cost, ulong extension)
{
    if (is_before(cost, extension, best.cost, best.extension)) {
        best.next_cost = best.cost;
        best.next_extension = best.extension;
        best.cost = cost;
        best.extension = extension;
    } else if (is_before(cost, extension, best.next_cost, best.next_extension)) {
        best.next_cost = cost;
        best.next_extension = extension;
    }
    return best;
}

/* The others of the state in which a tile has joined the front, beside those that are kept there:
 * its bit, which is 0, is taken out. */
DEVICE uint leave_others(uint others, uint kept, uint tile)
{
    const uint bit = tile - (uint)BITS(kept & bits_below(tile));
    return (others & bits_below(bit)) | (others >> 1 & ~bits_below(bit));
}

#define PITCH ORIENTED_MAX(TURNS)

KERNEL_CONSTANT3(KERNEL_NAME, uint, cost_table, PAIR_COSTS(TURNS), GLOBAL uint *, costs,
    GLOBAL ulong *, extensions, struct pruned_args, a)
{
    LOCAL uint pair_cost[PAIR_COSTS(TURNS)];
    const uint across_rows = a.line == a.columns; /* lines are rows, else columns */
    const uint along = (across_rows ? BESIDE : BELOW) * PITCH * PITCH;
    const uint across = (across_rows ? BELOW : BESIDE) * PITCH * PITCH;
    const uint place = across_rows ? a.placed : a.placed % a.line * a.columns + a.placed / a.line;
    const uint digit = DIGIT_BITS(TURNS) * (a.tiles - 1 - place);
    const uint others = GROUP_Y, oriented = a.tiles * TURNS;
    uint later_fronts = 1; /* oriented^(line - 1) */
    for (uint i = 1; i < a.line; i++)
        later_fronts *= oriented;
    const uint fronts = later_fronts * oriented;

    if ((uint)BITS(others) == a.placed - a.line) {
        ITEMS
        {
            for (uint i = ITEM; i < PAIR_COSTS(TURNS); i += GROUP)
                pair_cost[i] = cost_table[i];
        }
        SYNC;
        ITEMS
        {
            const uint front = GROUP_X * GROUP + ITEM;
            uint front_set = 0, is_tried = 1;
            for (uint i = 0, digits = front; i < a.line; i++, digits /= oriented) {
                const uint member = digits % oriented;
                front_set |= 1u << member / TURNS;
                is_tried &= member >= TURNS || member < a.first_turns;
            }
            if (front < fronts && is_tried && (uint)BITS(front_set) == a.line) {
                const uint oldest = front / later_fronts, latest = front % oriented;
                const uint kept = front_set & ~(1u << oldest / TURNS);
                const uint used = set_expand(others, front_set, a.tiles) | front_set;
                const uint later_others = set_compress(used, kept, a.tiles);
                const int finished = a.placed == a.tiles;
                struct two_best best = {
                    finished ? 0 : NO_COST, NO_COST, finished ? 0 : ~(ulong)0, ~(ulong)0};
                for (uint member = 0; member < oriented; member++) {
                    const uint tile = member / TURNS;
                    if (used >> tile & 1 || (tile == 0 && member >= a.first_turns))
                        continue;
                    const uint step =
                        pair_cost[across + oldest * PITCH + member] +
                        (a.placed % a.line ? pair_cost[along + latest * PITCH + member] : 0);
                    const uint later = leave_others(later_others, kept, tile) * fronts +
                                       front % later_fronts * oriented + member;
                    for (uint i = 2 * later; i < 2 * later + 2; i++)
                        best = keep_two_best(best, costs[i] == NO_COST ? NO_COST : step + costs[i],
                            (ulong)member << digit | extensions[i]);
                }
                const uint state = others * fronts + front;
                costs[2 * state] = best.cost;
                extensions[2 * state] = best.extension;
                costs[2 * state + 1] = best.next_cost;
                extensions[2 * state + 1] = best.next_extension;
            }
        }
    }
}
