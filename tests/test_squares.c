/* Squares, in a grid of which so many columns fit. */
#include <stdlib.h>

#include "cli/tap.h"
#include "stages/unscramble/squares.h"

enum { COLUMNS = 10, ROWS = 2, TILES = COLUMNS * ROWS, EDGES = 4 * TILES };

/* Tiles in their order, row by row; in the first `fitting` columns the best partner of each edge is
 * its neighbor, of all other edges one that has a better partner. Each two columns make a square,
 * of four corners. */
static void make(int fitting, struct partner *list, struct compatibility *c)
{
    static const int steps[4] = {-1, -COLUMNS, 1, COLUMNS};
    *c = (struct compatibility){.tiles = TILES, .width = 1, .list = list};
    for (int edge = 0; edge < EDGES; edge++) {
        const int tile = edge / 4, side = edge % 4, x = tile % COLUMNS, y = tile / COLUMNS;
        const int to_x = x + (side == 2) - (side == 0), to_y = y + (side == 3) - (side == 1);
        const int fits = x < fitting && to_x >= 0 && to_x < fitting && to_y >= 0 && to_y < ROWS;
        const int other = fits ? tile + steps[side] : (tile + 3) % TILES;
        list[edge] = (struct partner){4 * other + (side ^ 2), 0};
    }
}

/* Whether a dissimilarity by which so many columns fit makes more squares than the one before. */
static int is_more(int fitting, int fitting_before)
{
    struct partner lists[2][EDGES];
    struct compatibility c, before;
    make(fitting, lists[0], &c);
    make(fitting_before, lists[1], &before);
    return squares_are_more(&c, &before);
}

int main(void)
{
    tap_check(is_more(10, 9) && is_more(2, 1), "one square more is enough");
    tap_check(!is_more(9, 9) && !is_more(8, 9), "as many squares, or fewer, are not");
    struct partner list[EDGES];
    struct compatibility c;
    make(COLUMNS, list, &c);
    tap_check(squares_are_enough(&c, COLUMNS, ROWS), "all squares are enough");
    list[4 * (COLUMNS / 2) + 3].edge = list[3].edge; /* the one below the first tile has another */
    tap_check(!squares_are_enough(&c, COLUMNS, ROWS), "all but two of nine are not");
    return tap_finish();
}
