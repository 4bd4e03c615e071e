/* Which of two dissimilarities makes more squares, in a grid of which so many columns fit. */
#include <stdlib.h>

#include "cli/tap.h"
#include "stages/unscramble/squares.h"

enum { COLUMNS = 10, ROWS = 2, TILES = COLUMNS * ROWS, EDGES = 4 * TILES };

/* Tiles in their order, row by row; in the first `fitting` columns the best partner of each edge is
 * its neighbor, of all other edges one that has a better partner. Each two columns make a square,
 * of four corners. */
static void make(
    enum dissimilarity dissimilarity, int fitting, struct partner *list, struct compatibility *c)
{
    static const int steps[4] = {-1, -COLUMNS, 1, COLUMNS};
    *c = (struct compatibility){
        .tiles = TILES, .width = 1, .dissimilarity = dissimilarity, .list = list};
    for (int edge = 0; edge < EDGES; edge++) {
        const int tile = edge / 4, side = edge % 4, x = tile % COLUMNS, y = tile / COLUMNS;
        const int to_x = x + (side == 2) - (side == 0), to_y = y + (side == 3) - (side == 1);
        const int fits = x < fitting && to_x >= 0 && to_x < fitting && to_y >= 0 && to_y < ROWS;
        const int other = fits ? tile + steps[side] : (tile + 3) % TILES;
        list[edge] = (struct partner){4 * other + (side ^ 2), 0};
    }
}

/* Whether one dissimilarity, by which so many columns fit, is taken instead of the one before. */
static int is_taken(
    enum dissimilarity dissimilarity, int fitting, enum dissimilarity before, int fitting_before)
{
    struct partner lists[2][EDGES];
    struct compatibility c, former;
    make(dissimilarity, fitting, lists[0], &c);
    make(before, fitting_before, lists[1], &former);
    return squares_are_more(&c, &former);
}

int main(void)
{
    const enum dissimilarity blend = DISSIMILARITY_BLEND, both = DISSIMILARITY_BOTH,
                             learned = DISSIMILARITY_LEARNED, gap = DISSIMILARITY_LEARNED_GAP;
    tap_check(is_taken(both, 10, blend, 9) && is_taken(gap, 10, blend, 9) &&
                  is_taken(gap, 10, both, 9) && is_taken(gap, 10, learned, 9),
        "one square more is enough for both, and across a gap");
    tap_check(!is_taken(both, 9, blend, 9) && !is_taken(gap, 9, both, 9) &&
                  !is_taken(gap, 9, learned, 9) && !is_taken(gap, 8, learned, 9),
        "as many squares, or fewer, are not");
    tap_check(!is_taken(learned, 6, blend, 4) && is_taken(learned, 7, blend, 4) &&
                  !is_taken(learned, 6, both, 4) && is_taken(learned, 7, both, 4),
        "learned leads blend and both by more than two of three squares and a tenth");
    tap_check(!is_taken(learned, 3, blend, 1) && is_taken(learned, 4, blend, 1),
        "of no squares by more than two");
    struct partner list[EDGES];
    struct compatibility c;
    make(blend, COLUMNS, list, &c);
    tap_check(squares_are_enough(&c, COLUMNS, ROWS) && !buddies_are_lost(&c, COLUMNS, ROWS),
        "all squares are enough");
    list[4 * (COLUMNS / 2) + 3].edge = list[3].edge; /* the one below the first tile has another */
    tap_check(!squares_are_enough(&c, COLUMNS, ROWS) && !buddies_are_lost(&c, COLUMNS, ROWS),
        "all but two of nine are not");
    make(blend, 0, list, &c);
    tap_check(buddies_are_lost(&c, COLUMNS, ROWS), "without buddies nothing is told");
    return tap_finish();
}
