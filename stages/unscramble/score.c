#include "stages/unscramble/score.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX /* stands for no solution */

/* Where a tile lies. */
struct spot {
    uint32_t solution; /* NOWHERE: in none */
    int x, y, turn;
};

struct scoring {
    const struct permutation *answer, *truth;
    uint32_t tiles;
    struct spot *found, *right; /* [tile] in the answer, in the truth */
    int32_t *parent;            /* [tile] components that are right */
    uint32_t *size;             /* [tile] of these, at their roots */
    uint64_t *votes;            /* [tile] */
};

static void find_spots(const struct permutation *permutation, uint32_t tiles, struct spot *spots)
{
    const struct placed *placed = permutation->placed;
    for (uint32_t tile = 0; tile < tiles; tile++)
        spots[tile].solution = NOWHERE;
    for (uint32_t solution = 0; solution < permutation->solutions; solution++) {
        const struct grid grid = permutation->grids[solution];
        for (uint32_t place = 0; place < grid_tiles(grid); place++, placed++) {
            assert(placed->tile == NO_TILE || placed->tile < tiles);
            if (placed->tile != NO_TILE)
                spots[placed->tile] = (struct spot){solution, (int)(place % grid.columns),
                    (int)(place / grid.columns), (int)placed->turn};
        }
    }
}

/* match[solution of the answer]: the true one, or NOWHERE. */
static void match_solutions(const struct scoring *c, uint32_t match[MAX_SOLUTIONS])
{
    uint32_t shared[MAX_SOLUTIONS][MAX_SOLUTIONS], most;
    for (int i = 0; i < MAX_SOLUTIONS; i++) {
        memset(shared[i], 0, sizeof(shared[i]));
        match[i] = NOWHERE;
    }
    for (uint32_t tile = 0; tile < c->tiles; tile++)
        if (c->found[tile].solution != NOWHERE && c->right[tile].solution != NOWHERE)
            shared[c->found[tile].solution][c->right[tile].solution]++;
    do {
        int a = 0, b = 0;
        for (int i = 0; i < MAX_SOLUTIONS; i++)
            for (int j = 0; j < MAX_SOLUTIONS; j++)
                if (shared[i][j] > shared[a][b]) {
                    a = i;
                    b = j;
                }
        most = shared[a][b];
        if (most)
            match[a] = (uint32_t)b;
        for (int i = 0; i < MAX_SOLUTIONS; i++)
            shared[a][i] = shared[i][b] = 0;
    } while (most);
}

/* Whether a solution may be turned by some quarters to be compared. Where a turn makes it as large
 * as the true one, only such turns are allowed, and *has_size is set. */
static int turn_counts(
    struct grid mine, struct grid true_one, enum turns turns, int turn, int *has_size)
{
    const int same[2] = {mine.columns == true_one.columns && mine.rows == true_one.rows,
        mine.rows == true_one.columns && mine.columns == true_one.rows};
    *has_size = same[0] || (turns == TURNS_ANY && same[1]);
    return (turn == 0 || turns == TURNS_ANY || (turns == TURNS_HALF && turn == 2)) &&
           (!*has_size || same[turn & 1]);
}

/* How the solution that a tile lies in has to be turned and translated for the tile to be right:
 * bits from the highest on for the solution, the turn, and y and x of the translation. Returns
 * whether that is allowed. */
static int tile_vote(
    const struct scoring *c, enum turns turns, struct spot found, struct spot right, uint64_t *vote)
{
    const struct grid mine = c->answer->grids[found.solution];
    const int turn = (right.turn - found.turn) & 3;
    const int w = (int)mine.columns, h = (int)mine.rows;
    const int corner_x[4] = {0, h - 1, w - 1, 0}, corner_y[4] = {0, 0, h - 1, w - 1};
    int x, y, has_size;
    step_turned(turn, found.x, found.y, &x, &y);
    x = right.x - x - corner_x[turn];
    y = right.y - y - corner_y[turn];
    *vote = (uint64_t)found.solution << 48 | (uint64_t)turn << 46 |
            (uint64_t)(y + MAX_TILES) << 23 | (uint64_t)(x + MAX_TILES);
    return turn_counts(mine, c->truth->grids[right.solution], turns, turn, &has_size) &&
           (!has_size || (x == 0 && y == 0));
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* How many tiles are at their place when each solution is turned and translated as most of its
 * tiles say. */
static uint32_t count_direct(const struct scoring *c, enum turns turns)
{
    uint32_t match[MAX_SOLUTIONS], best[MAX_SOLUTIONS] = {0}, count = 0, direct = 0;
    match_solutions(c, match);
    for (uint32_t tile = 0; tile < c->tiles; tile++) {
        const struct spot found = c->found[tile], right = c->right[tile];
        if (found.solution != NOWHERE && right.solution != NOWHERE &&
            match[found.solution] == right.solution)
            count += (uint32_t)tile_vote(c, turns, found, right, &c->votes[count]);
    }
    qsort(c->votes, count, sizeof(*c->votes), by_value);
    for (uint32_t i = 0, first = 0; i < count; i++) {
        const uint32_t solution = (uint32_t)(c->votes[i] >> 48);
        if (c->votes[i] != c->votes[first])
            first = i;
        if (i - first + 1 > best[solution])
            best[solution] = i - first + 1;
    }
    for (int solution = 0; solution < MAX_SOLUTIONS; solution++)
        direct += best[solution];
    return direct;
}

/* Whether tile b lies in the answer as in the truth: one step (x, y) from a, and turned as a is. */
static int is_beside(const struct scoring *c, uint32_t a, uint32_t b, int x, int y)
{
    const struct spot *from = &c->found[a], *to = &c->found[b];
    const int turn = (from->turn - c->right[a].turn) & 3;
    step_turned(turn, x, y, &x, &y);
    return from->solution != NOWHERE && from->solution == to->solution &&
           ((to->turn - c->right[b].turn) & 3) == turn && to->x == from->x + x &&
           to->y == from->y + y;
}

/* Counts the true pairs of neighbors, and those of them that are in the answer; joins the latter to
 * components. */
static void count_pairs(const struct scoring *c, uint32_t *pairs, uint32_t *together)
{
    const struct placed *placed = c->truth->placed;
    for (uint32_t solution = 0; solution < c->truth->solutions; solution++) {
        const struct grid grid = c->truth->grids[solution];
        for (uint32_t place = 0; place < grid_tiles(grid); place++, placed++)
            for (int below = 0; below < 2; below++) {
                if (below ? place + grid.columns >= grid_tiles(grid)
                          : (place + 1) % grid.columns == 0)
                    continue;
                const uint32_t a = placed->tile, b = placed[below ? grid.columns : 1].tile;
                if (a == NO_TILE || b == NO_TILE)
                    continue;
                (*pairs)++;
                if (is_beside(c, a, b, !below, below)) {
                    (*together)++;
                    sets_join(c->parent, (int32_t)a, (int32_t)b);
                }
            }
    }
}

static uint32_t count_largest(const struct scoring *c)
{
    uint32_t largest = 0;
    for (uint32_t tile = 0; tile < c->tiles; tile++)
        if (c->found[tile].solution != NOWHERE && c->right[tile].solution != NOWHERE) {
            const uint32_t size = ++c->size[root_of(c->parent, (int32_t)tile)];
            largest = size > largest ? size : largest;
        }
    return largest;
}

/* The turns that are allowed, extended to those that the truth has. */
static enum turns turns_of(const struct permutation *truth, enum turns turns)
{
    for (uint32_t i = 0; i < permutation_first(truth, truth->solutions); i++) {
        const uint32_t turn = truth->placed[i].turn;
        const enum turns needed = turn & 1 ? TURNS_ANY : turn ? TURNS_HALF : TURNS_NONE;
        turns = needed > turns ? needed : turns;
    }
    return turns;
}

static double share(uint32_t part, uint32_t all)
{
    return all ? (double)part / all : 1;
}

int score_check(
    struct grid puzzle, const struct permutation *truth, const char *name, struct error *error)
{
    const struct grid own = truth->puzzle;
    if (own.columns == puzzle.columns && own.rows == puzzle.rows)
        return 0;
    return error_set(error, ERROR_INPUT,
        "truth '%s' is of a puzzle of %u x %u tiles, not of %u x %u; name the one of this puzzle",
        name, own.columns, own.rows, puzzle.columns, puzzle.rows);
}

int score_answer(const struct permutation *answer, const struct permutation *truth,
    const char *name, enum turns turns, struct score *score, struct error *error)
{
    const uint32_t tiles = grid_tiles(answer->puzzle);
    uint32_t there = 0, placed = 0, pairs = 0, together = 0;
    struct scoring c = {
        .answer = answer,
        .truth = truth,
        .tiles = tiles,
        .found = malloc(tiles * sizeof(*c.found)),
        .right = malloc(tiles * sizeof(*c.right)),
        .parent = malloc(tiles * sizeof(*c.parent)),
        .size = calloc(tiles, sizeof(*c.size)),
        .votes = malloc(tiles * sizeof(*c.votes)),
    };
    int rc = score_check(answer->puzzle, truth, name, error);
    if (rc == 0 && (!c.found || !c.right || !c.parent || !c.size || !c.votes)) {
        rc = error_set(error, ERROR_INPUT, "not enough memory to compare with '%s'", name);
    } else if (rc == 0) {
        find_spots(answer, tiles, c.found);
        find_spots(truth, tiles, c.right);
        for (uint32_t tile = 0; tile < tiles; tile++) {
            c.parent[tile] = (int32_t)tile;
            there += c.right[tile].solution != NOWHERE;
            placed += c.found[tile].solution != NOWHERE;
        }
        *score = (struct score){0};
        const uint32_t direct = count_direct(&c, turns_of(truth, turns));
        count_pairs(&c, &pairs, &together);
        score->direct = share(direct, there);
        score->neighbor = share(together, pairs);
        score->largest = share(count_largest(&c), there);
        score->perfect = direct == there && placed == there;
    }
    free(c.found);
    free(c.right);
    free(c.parent);
    free(c.size);
    free(c.votes);
    return rc;
}
