/* Squares, in a grid of which so many columns fit. */
#include <stdlib.h>

#include "cli/tap.h"
#include "stages/unscramble/squares.h"

enum { COLUMNS = 12, ROWS = 3, TILES = COLUMNS * ROWS, EDGES = 4 * TILES };

/* What the lists of a dissimilarity are made of. */
struct lists {
    struct partner partner[EDGES];
    struct unlisted unlisted[EDGES];
};

/* The neighbor of a tile at a side, where both lie in the first `fitting` columns, else NOTHING. */
static int beside(int tile, int side, int fitting)
{
    const int x = tile % COLUMNS + (side == 2) - (side == 0);
    const int y = tile / COLUMNS + (side == 3) - (side == 1);
    const int fits = tile % COLUMNS < fitting && x >= 0 && x < fitting && y >= 0 && y < ROWS;
    return fits ? y * COLUMNS + x : NOTHING;
}

/* Tiles in their order, row by row; in the first `fitting` columns the best partner of each edge is
 * its neighbor, of all other edges one that has a better partner. Each 2 x 2 tiles of these columns
 * make a square. All costs are `cost`. */
static void make(int fitting, int16_t cost, struct lists *lists, struct compatibility *c)
{
    *c = (struct compatibility){
        .tiles = TILES, .width = 1, .list = lists->partner, .unlisted = lists->unlisted};
    for (int edge = 0; edge < EDGES; edge++) {
        const int neighbor = beside(edge / 4, edge % 4, fitting);
        const int other = neighbor == NOTHING ? (edge / 4 + 3) % TILES : neighbor;
        lists->partner[edge] = (struct partner){4 * other + (edge % 4 ^ 2), cost};
        lists->unlisted[edge] = (struct unlisted){.cost = cost};
    }
}

/* Whether a dissimilarity by which so many columns fit makes more squares than the one before. */
static int is_more(int fitting, int fitting_before)
{
    struct lists lists[2];
    struct compatibility c, before;
    make(fitting, 0, &lists[0], &c);
    make(fitting_before, 0, &lists[1], &before);
    return squares_are_more(&c, &before);
}

static void check_enough(void)
{
    struct lists lists;
    struct compatibility c;
    make(COLUMNS, 0, &lists, &c);
    for (int row = 0; row + 1 < ROWS; row++) {
        tap_check(squares_are_enough(&c, COLUMNS, ROWS), "all squares but %d are enough", 2 * row);
        /* breaks the two squares on both sides of the joint below this tile */
        lists.partner[4 * (COLUMNS / 2 + row * COLUMNS) + 3].edge = lists.partner[3].edge;
    }
    tap_check(!squares_are_enough(&c, COLUMNS, ROWS), "all squares but 4 are not");
}

/* Whether all four corners of a tile belong to squares of the first `fitting` columns. */
static int is_settled(int tile, int fitting)
{
    const int x = tile % COLUMNS, y = tile / COLUMNS;
    return y > 0 && y + 1 < ROWS && x > 0 && x + 1 < fitting;
}

static void check_settled(int fitting)
{
    enum { COST_BEFORE = 1, COST_MADE = 2 };
    struct lists lists[3];
    struct compatibility before, made, made_alone;
    uint8_t is_open[TILES];
    int wrong_tiles = 0, wrong_edges = 0;
    make(fitting, COST_BEFORE, &lists[0], &before);
    make(0, COST_MADE, &lists[1], &made);
    make(0, COST_MADE, &lists[2], &made_alone);
    squares_find_open(&before, is_open);
    squares_keep_settled(&before, is_open, &made);
    for (int tile = 0; tile < TILES; tile++)
        wrong_tiles += is_open[tile] != !is_settled(tile, fitting);
    for (int edge = 0; edge < EDGES; edge++) {
        const int neighbor = beside(edge / 4, edge % 4, fitting);
        const int is_kept =
            is_settled(edge / 4, fitting) || (neighbor != NOTHING && is_settled(neighbor, fitting));
        const int32_t partner = (is_kept ? &before : &made_alone)->list[edge].edge;
        const int cost = is_kept ? COST_BEFORE : COST_MADE;
        wrong_edges += made.list[edge].edge != partner || made.list[edge].cost != cost ||
                       made.unlisted[edge].cost != cost;
    }
    tap_check(wrong_tiles == 0, "%d columns fit: which tiles are open", fitting);
    tap_check(wrong_edges == 0, "%d columns fit: lists of settled tiles and buddies", fitting);
}

/* Two tiles, turned, of which each edge has one of the other as its buddy. */
static void check_mirrored(void)
{
    struct partner list[8];
    const struct compatibility c = {.tiles = 2, .width = 1, .list = list};
    uint8_t is_open[2];
    for (int edge = 0; edge < 8; edge++)
        list[edge] = (struct partner){4 * !(edge / 4) + (4 - edge % 4) % 4, 0};
    squares_find_open(&c, is_open);
    tap_check(is_open[0] && is_open[1], "two tiles that mirror each other are open");
}

int main(void)
{
    tap_check(is_more(10, 9) && is_more(2, 1), "more squares are more");
    tap_check(!is_more(9, 9) && !is_more(8, 9), "as many squares, or fewer, are not more");
    check_enough();
    check_settled(0);
    check_settled(2);
    check_settled(7);
    check_settled(COLUMNS);
    check_mirrored();
    return tap_finish();
}
