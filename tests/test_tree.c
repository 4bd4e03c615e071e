/* The components that TREE joins, beside the same rules with a search of all tiles for each place:
 * random pairs of buddies, most of which collide, or bring bad neighbors together. */
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "random.h"
#include "stages/unscramble/tree.h"

enum { MOST_TILES = 150, WIDTH = 3 };

static const int STEP_X[4] = {-1, 0, 1, 0}, STEP_Y[4] = {0, -1, 0, 1};

struct puzzle {
    struct compatibility c;
    int32_t buddy[4 * MOST_TILES];
    int columns, rows;
};

/* Each edge has a buddy by chance or none. Few pairs are in lists; others cost what `far` says. */
static int puzzle_make(enum turns turns, int columns, int rows, uint64_t seed, struct puzzle *p)
{
    const int tiles = columns * rows, edges = 4 * tiles;
    uint64_t random = seed;
    *p = (struct puzzle){.columns = columns, .rows = rows};
    p->c = (struct compatibility){.tiles = tiles,
        .width = WIDTH,
        .turns = turns,
        .list = malloc((size_t)(edges * WIDTH) * sizeof(struct partner)),
        .unlisted = malloc((size_t)edges * sizeof(struct unlisted))};
    if (!p->c.list || !p->c.unlisted)
        return -1;
    for (int e = 0; e < edges; e++) {
        p->buddy[e] = NOTHING;
        p->c.unlisted[e] =
            (struct unlisted){random_index(&random, 3) ? POOR_COST - 1 : POOR_COST, {NO_COLOR}};
        for (int i = 0; i < WIDTH; i++) {
            const int side = turns == TURNS_ANY ? random_index(&random, 4) : (e & 3) ^ 2;
            p->c.list[e * WIDTH + i] = (struct partner){
                4 * random_index(&random, tiles) + side, random_index(&random, 1500)};
        }
        partners_sort(p->c.list + e * WIDTH, WIDTH);
    }
    for (int i = 0; i < 3 * edges; i++) {
        const int32_t e = random_index(&random, edges);
        const int side = turns == TURNS_ANY ? random_index(&random, 4) : (e & 3) ^ 2;
        const int32_t other = 4 * random_index(&random, tiles) + side;
        if (p->buddy[e] == NOTHING && p->buddy[other] == NOTHING && e >> 2 != other >> 2) {
            p->buddy[e] = other;
            p->buddy[other] = e;
        }
    }
    return compatibility_index(&p->c);
}

/* The tile of a component at a place, or NOTHING. */
static int32_t find_tile(const struct forest *f, int32_t root, int x, int y)
{
    for (int32_t t = 0; t < f->tiles; t++)
        if (f->root[t] == root && f->x[t] == x && f->y[t] == y)
            return t;
    return NOTHING;
}

static int is_in_frame(const struct puzzle *p, const struct forest *f)
{
    for (int32_t root = 0; root < f->tiles; root++) {
        int x0 = 1000, y0 = 1000, x1 = -1000, y1 = -1000;
        for (int32_t t = 0; t < f->tiles; t++)
            if (f->root[t] == root) {
                x0 = f->x[t] < x0 ? f->x[t] : x0;
                y0 = f->y[t] < y0 ? f->y[t] : y0;
                x1 = f->x[t] > x1 ? f->x[t] : x1;
                y1 = f->y[t] > y1 ? f->y[t] : y1;
            }
        const int w = x1 - x0 + 1, h = y1 - y0 + 1;
        if (!(w <= p->columns && h <= p->rows) &&
            !(p->c.turns == TURNS_ANY && w <= p->rows && h <= p->columns))
            return 0;
    }
    return 1;
}

/* Joins the components of a and b in `f`, or leaves it as it is. */
static void join(const struct puzzle *p, struct forest *f, int32_t a, int32_t b)
{
    static int32_t x[MOST_TILES], y[MOST_TILES], oriented[MOST_TILES], old_root[MOST_TILES];
    if (f->root[a >> 2] == f->root[b >> 2])
        return;
    if (f->size[f->root[a >> 2]] < f->size[f->root[b >> 2]]) {
        const int32_t other = a;
        a = b;
        b = other;
    }
    const int32_t large = f->root[a >> 2], small = f->root[b >> 2];
    const int toward = ((a & 3) + f->oriented[a >> 2]) & 3;
    int turn = 0, good = 0, bad = 0;
    while (oriented_edge(oriented_turned(f->oriented[b >> 2], turn), toward ^ 2) != b)
        turn++;
    memcpy(old_root, f->root, sizeof(old_root));
    memcpy(x, f->x, (size_t)f->tiles * sizeof(*x));
    memcpy(y, f->y, (size_t)f->tiles * sizeof(*y));
    memcpy(oriented, f->oriented, (size_t)f->tiles * sizeof(*oriented));
    for (int32_t t = 0; t < f->tiles; t++)
        if (old_root[t] == small) {
            int dx, dy;
            step_turned(turn, x[t] - x[b >> 2], y[t] - y[b >> 2], &dx, &dy);
            f->x[t] = x[a >> 2] + STEP_X[toward] + dx;
            f->y[t] = y[a >> 2] + STEP_Y[toward] + dy;
            f->oriented[t] = oriented_turned(oriented[t], turn);
        }
    int fits = 1;
    for (int32_t t = 0; t < f->tiles; t++)
        for (int d = 0; old_root[t] == small && d < 4; d++) {
            const int32_t other = find_tile(f, large, f->x[t] + STEP_X[d], f->y[t] + STEP_Y[d]);
            fits &= find_tile(f, large, f->x[t], f->y[t]) == NOTHING;
            if (other == NOTHING)
                continue;
            if (cost_of(&p->c, oriented_edge(f->oriented[t], d),
                    oriented_edge(f->oriented[other], d ^ 2)) < POOR_COST)
                good++;
            else
                bad++;
        }
    for (int32_t t = 0; t < f->tiles; t++)
        f->root[t] = f->root[t] == small ? large : f->root[t];
    if (fits && bad <= good && is_in_frame(p, f)) {
        f->size[large] += f->size[small];
        return;
    }
    memcpy(f->root, old_root, (size_t)f->tiles * sizeof(*old_root));
    memcpy(f->x, x, (size_t)f->tiles * sizeof(*x));
    memcpy(f->y, y, (size_t)f->tiles * sizeof(*y));
    memcpy(f->oriented, oriented, (size_t)f->tiles * sizeof(*oriented));
}

static void check(enum turns turns, int columns, int rows)
{
    static int32_t root[MOST_TILES], size[MOST_TILES], x[MOST_TILES], y[MOST_TILES];
    static int32_t oriented[MOST_TILES];
    struct forest expected = {columns * rows, root, size, x, y, oriented};
    int same = 0, joined = 0, refused = 0;
    enum { SEEDS = 20 };
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct puzzle p;
        struct forest forest = {0};
        struct error error;
        struct pair_cost links[2 * MOST_TILES];
        size_t count = 0;
        int rc = puzzle_make(turns, columns, rows, seed, &p);
        if (rc == 0)
            rc = tree_make(&p.c, p.buddy, columns, rows, &forest, &error);
        for (int32_t t = 0; t < columns * rows; t++) {
            root[t] = t;
            size[t] = 1;
            x[t] = y[t] = 0;
            oriented[t] = 4 * t;
        }
        for (int32_t e = 0; rc == 0 && e < 4 * columns * rows; e++)
            if (p.buddy[e] > e)
                links[count++] = (struct pair_cost){e, p.buddy[e], cost_of(&p.c, e, p.buddy[e])};
        qsort(links, count, sizeof(*links), pair_order);
        for (size_t i = 0; i < count; i++) {
            const int apart = root[links[i].a >> 2] != root[links[i].b >> 2];
            join(&p, &expected, links[i].a, links[i].b);
            const int is_joined = root[links[i].a >> 2] == root[links[i].b >> 2];
            joined += apart && is_joined;
            refused += !is_joined;
        }
        const size_t bytes = (size_t)(columns * rows) * sizeof(int32_t);
        same += rc == 0 && memcmp(forest.root, root, bytes) == 0 &&
                memcmp(forest.x, x, bytes) == 0 && memcmp(forest.y, y, bytes) == 0 &&
                memcmp(forest.oriented, oriented, bytes) == 0;
        forest_free(&forest);
        compatibility_free(&p.c);
    }
    tap_check(same == SEEDS, "%d x %d tiles, turns %d: %d of %d forests are the same", columns,
        rows, (int)turns, same, SEEDS);
    tap_check(joined > columns * rows && refused > columns * rows,
        "%d x %d tiles, turns %d: %d links join, %d are refused", columns, rows, (int)turns, joined,
        refused);
}

enum { COLUMNS = 12, ROWS = 10, LEFT = 6, TILES = COLUMNS * ROWS };

/* An image of COLUMNS x ROWS tiles, tile by tile, all of whose pairs are sure, but between its left
 * and right half only the first `wishes` of them. */
static int image_make(enum turns turns, int wishes, struct puzzle *p)
{
    if (puzzle_make(turns, COLUMNS, ROWS, 1, p))
        return -1;
    for (int32_t e = 0; e < 4 * TILES; e++) {
        const int x = e / 4 % COLUMNS + STEP_X[e & 3], y = e / 4 / COLUMNS + STEP_Y[e & 3];
        const int is_between = !(e & 1) && (e & 2 ? x == LEFT : x == LEFT - 1);
        p->buddy[e] = NOTHING;
        if (x < 0 || y < 0 || x == COLUMNS || y == ROWS)
            continue;
        p->c.list[e * WIDTH] = (struct partner){
            4 * (y * COLUMNS + x) + ((e & 3) ^ 2), is_between && y >= wishes ? SURE_COST : 100};
        p->buddy[e] = p->c.list[e * WIDTH].edge;
        partners_sort(p->c.list + e * WIDTH, WIDTH);
    }
    free(p->c.table);
    free(p->c.filter);
    return compatibility_index(&p->c);
}

/* The left half, with three tiles of the right one where they do not belong: two at its right, and
 * one that sticks out at its left; and the rest of the right half, elsewhere and, where tiles may
 * be turned, turned by a quarter. */
static int halves_make(enum turns turns, struct forest *f)
{
    static const int32_t wrong[3][3] = {
        {LEFT + 1, LEFT, 0}, {COLUMNS + LEFT + 1, LEFT, 1}, {LEFT + 2, -1, 4}};
    if (forest_make(TILES, f))
        return -1;
    f->size[0] = f->size[LEFT] = 0;
    for (int32_t t = 0; t < TILES; t++) {
        const int x = t % COLUMNS, y = t / COLUMNS, turn = x >= LEFT && turns == TURNS_ANY;
        step_turned(turn, x, y, &f->x[t], &f->y[t]);
        f->oriented[t] = oriented_turned(4 * t, turn);
        f->x[t] += x >= LEFT ? 40 : 0;
        f->root[t] = x >= LEFT ? LEFT : 0;
    }
    for (int i = 0; i < 3; i++) {
        const int32_t t = wrong[i][0];
        f->x[t] = wrong[i][1];
        f->y[t] = wrong[i][2];
        f->oriented[t] = 4 * t;
        f->root[t] = 0;
    }
    for (int32_t t = 0; t < TILES; t++)
        f->size[f->root[t]]++;
    return 0;
}

/* How many tiles of a tile's component lie toward it as in the image. */
static int count_right(const struct forest *f, int32_t tile)
{
    int right = 0;
    for (int32_t t = 0; t < TILES; t++) {
        int x, y;
        step_turned(f->oriented[tile] & 3, t % COLUMNS - tile % COLUMNS,
            t / COLUMNS - tile / COLUMNS, &x, &y);
        right += f->root[t] == f->root[tile] &&
                 f->oriented[t] - 4 * t == f->oriented[tile] - 4 * tile &&
                 f->x[t] - f->x[tile] == x && f->y[t] - f->y[tile] == y;
    }
    return right;
}

/* The halves are joined if two pairs want that, and no fewer than tiles lose their places by it. */
static void check_join(enum turns turns, int wishes, int is_joined)
{
    enum { LOST = 2, WRONG = 3 };
    struct puzzle p;
    struct forest f = {0};
    int rc = image_make(turns, wishes, &p);
    if (rc == 0)
        rc = halves_make(turns, &f);
    if (rc == 0)
        rc = forest_join(&p.c, p.buddy, COLUMNS, ROWS, &f);
    const int32_t tile = 1, sticking_out = LEFT + 2;
    const int expected = is_joined ? TILES - WRONG - LOST : TILES / 2;
    tap_check(rc == 0 && count_right(&f, tile) == expected &&
                  f.size[f.root[tile]] == expected + LOST && is_in_frame(&p, &f),
        "two halves that %d pairs want together, turns %d: %d of %d tiles are right", wishes,
        (int)turns, rc ? -1 : count_right(&f, tile), expected);
    tap_check(rc == 0 && f.root[sticking_out] == sticking_out && f.size[sticking_out] == 1,
        "a tile that sticks out is taken away, turns %d", (int)turns);
    forest_free(&f);
    compatibility_free(&p.c);
}

int main(void)
{
    for (int turns = TURNS_NONE; turns <= TURNS_ANY; turns += TURNS_ANY) {
        check((enum turns)turns, 12, 7);
        check((enum turns)turns, 15, 10);
        check((enum turns)turns, 1, 31);
        check_join((enum turns)turns, ROWS, 1);
        check_join((enum turns)turns, 2, 1);
        check_join((enum turns)turns, 1, 0);
    }
    return tap_finish();
}
