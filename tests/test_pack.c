/* Boards of so many places that they are packed, and refined in regions: puzzles of several images
 * whose borders fit nothing, with costs made up. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "random.h"
#include "stages/unscramble/board.h"
#include "stages/unscramble/refine.h"
#include "stages/unscramble/regions.h"

enum { SIDE = 42, COLUMNS = 3 * SIDE, ROWS = 2 * SIDE, TILES = COLUMNS * ROWS, WIDTH = 3 };
enum { WEAK_ROW = 50 };

enum kind {
    SIX_IMAGES, /* square ones */
    WEAK_SEAM, /* one image; above WEAK_ROW neighbors fit worse, and some tiles of the first row fit
                 * best of all to such of the last */
};

struct puzzle {
    struct compatibility c;
    int32_t partner[4 * TILES]; /* the edge that an edge belongs to, NOTHING at a border */
    int32_t buddy[4 * TILES];
};

/* The place that lies beside another in the image that it belongs to, or NOTHING at a border. */
static int place_in_image(enum kind kind, int place, int d)
{
    static const int step_x[4] = {-1, 0, 1, 0}, step_y[4] = {0, -1, 0, 1};
    const int x = place % COLUMNS, y = place / COLUMNS;
    const int width = kind == SIX_IMAGES ? SIDE : COLUMNS;
    const int height = kind == SIX_IMAGES ? SIDE : ROWS;
    const int in_x = x % width + step_x[d], in_y = y % height + step_y[d];
    return in_x < 0 || in_y < 0 || in_x == width || in_y == height
               ? NOTHING
               : place + step_y[d] * COLUMNS + step_x[d];
}

static int is_weak(enum kind kind, int place, int d)
{
    return kind == WEAK_SEAM && d & 1 && place / COLUMNS == (d == 1 ? WEAK_ROW : WEAK_ROW - 1);
}

/* The partner of each edge is its cheapest, and chance gives it others. */
static int puzzle_make(enum turns turns, enum kind kind, struct puzzle *p)
{
    static int32_t oriented[TILES]; /* [place] */
    uint64_t random = 3;
    for (int i = 0; i < TILES; i++)
        oriented[i] = 4 * i + (turns == TURNS_ANY ? random_index(&random, 4) : 0);
    for (int i = TILES - 1; i > 0; i--) {
        const int j = random_index(&random, i + 1), other = oriented[i];
        oriented[i] = oriented[j];
        oriented[j] = other;
    }
    p->c = (struct compatibility){.tiles = TILES,
        .width = WIDTH,
        .turns = turns,
        .list = malloc(4 * TILES * WIDTH * sizeof(struct partner)),
        .unlisted = malloc(4 * TILES * sizeof(struct unlisted))};
    if (!p->c.list || !p->c.unlisted)
        return -1;
    for (int e = 0; e < 4 * TILES; e++)
        for (int i = 0; i < WIDTH; i++) {
            const int side = turns == TURNS_ANY ? random_index(&random, 4) : (e & 3) ^ 2;
            p->c.list[e * WIDTH + i] = (struct partner){
                4 * ((e / 4 + 1 + random_index(&random, TILES - 1)) % TILES) + side,
                700 + random_index(&random, 600)};
        }
    for (int place = 0; place < TILES; place++)
        for (int d = 0; d < 4; d++) {
            const int other = place_in_image(kind, place, d);
            const int32_t e = oriented_edge(oriented[place], d);
            p->partner[e] = NOTHING;
            if (other == NOTHING)
                continue;
            p->partner[e] = oriented_edge(oriented[other], d ^ 2);
            p->c.list[e * WIDTH] = (struct partner){p->partner[e],
                is_weak(kind, place, d)
                    ? 350
                    : (int32_t)(pair_hash(e, e) ^ pair_hash(p->partner[e], p->partner[e])) & 255};
        }
    for (int x = 0; kind == WEAK_SEAM && x < COLUMNS; x += 2) {
        const int32_t top = oriented_edge(oriented[x], 1);
        const int32_t bottom = oriented_edge(oriented[TILES - COLUMNS + x], 3);
        p->c.list[top * WIDTH] = (struct partner){bottom, 300};
        p->c.list[bottom * WIDTH] = (struct partner){top, 300};
    }
    for (int e = 0; e < 4 * TILES; e++) {
        partners_sort(p->c.list + e * WIDTH, WIDTH);
        const int32_t last = p->c.list[e * WIDTH + WIDTH - 1].cost;
        p->c.unlisted[e] = (struct unlisted){(int16_t)last, {NO_COLOR}};
    }
    buddies_find(&p->c, p->buddy);
    return compatibility_index(&p->c);
}

/* How many edges have a partner that they do not touch. */
static int count_parted(const struct puzzle *p, const int32_t *board)
{
    int parted = 0;
    for (int place = 0; place < TILES; place++)
        for (int d = 0; d < 4; d++) {
            const int x = place % COLUMNS, y = place / COLUMNS;
            const int is_inside[4] = {x > 0, y > 0, x + 1 < COLUMNS, y + 1 < ROWS};
            const int step[4] = {-1, -COLUMNS, 1, COLUMNS};
            const int32_t partner = p->partner[oriented_edge(board[place], d)];
            parted += partner != NOTHING &&
                      (!is_inside[d] || oriented_edge(board[place + step[d]], d ^ 2) != partner);
        }
    return parted;
}

/* Whether each tile lies at one place. */
static int is_board(const int32_t *board)
{
    static uint8_t seen[TILES];
    memset(seen, 0, sizeof(seen));
    int right = 1;
    for (int i = 0; right && i < TILES; i++)
        right = board[i] >= 0 && board[i] < 4 * TILES && !seen[board[i] >> 2]++;
    return right;
}

static int refine_by(int threads, const struct puzzle *p, int32_t *board, int64_t *cost)
{
    const struct refine_options options = {
        .columns = COLUMNS, .rows = ROWS, .effort = 16, .seed = 1};
    struct error error;
    const int most = omp_get_max_threads();
    omp_set_num_threads(threads);
    const int rc = refine(&p->c, p->buddy, NULL, &options, board, cost, &error);
    omp_set_num_threads(most);
    return rc;
}

/* Lets tiles near each other change places. */
static void spoil(int32_t *board)
{
    uint64_t random = 9;
    for (int i = 0; i < 500; i++) {
        const int a = random_index(&random, TILES - 4 * COLUMNS - 4),
                  b = a + random_index(&random, 5) + COLUMNS;
        const int32_t tile = board[a];
        board[a] = board[b];
        board[b] = tile;
    }
}

/* Regions alone, without the chains that go over the whole board: they mend what is wrong, and
 * leave a board with an empty place as it is. */
static void check_regions(const struct puzzle *p, const int32_t *whole)
{
    static int32_t board[TILES], gap[TILES];
    const struct problem problem = {&p->c, p->buddy, COLUMNS, ROWS, NULL};
    memcpy(board, whole, sizeof(board));
    spoil(board);
    const int before = count_parted(p, board);
    struct run run = {0};
    int rc = 0;
    for (uint64_t seed = 1; rc == 0 && seed <= 2; seed++)
        rc = regions_refine(&run, &problem, 256, seed, 0, board);
    tap_check(rc == 0 && is_board(board) && count_parted(p, board) * 10 < before,
        "regions mend most of %d parted edges, %d are left, turns %d", before,
        is_board(board) ? count_parted(p, board) : -1, (int)p->c.turns);
    board[TILES / 2] = NOTHING;
    memcpy(gap, board, sizeof(gap));
    rc = regions_refine(&run, &problem, 8, 1, 0, gap);
    tap_check(rc == 0 && memcmp(gap, board, sizeof(gap)) == 0,
        "regions leave a board with a gap as it is, turns %d", (int)p->c.turns);
}

/* The first board, by the buddies that the puzzle has. Returns 0 or another number. */
static int make_board(const struct puzzle *p, int32_t *board)
{
    const struct problem problem = {&p->c, p->buddy, COLUMNS, ROWS, NULL};
    struct forest forest = {0};
    struct error error;
    int rc = tree_make(&p->c, p->buddy, COLUMNS, ROWS, &forest, &error);
    if (rc == 0)
        rc = board_from_forest(&problem, NULL, &forest, board, &error);
    forest_free(&forest);
    return rc;
}

/* No tiles belong together for certain, as in an image of one color: there is no part to pack. */
static void check_without_parts(struct puzzle *p)
{
    static int32_t board[TILES];
    memset(p->buddy, 0xff, sizeof(p->buddy));
    tap_check(make_board(p, board) == 0 && is_board(board),
        "all tiles are put down where there is no part to pack");
}

/* The false pairs, which come first, bring the lower part of the image above the upper one; many
 * more pairs at the weak row bring it back. */
static void check_weak_seam(enum turns turns)
{
    static struct puzzle p;
    static int32_t board[TILES];
    int rc = puzzle_make(turns, WEAK_SEAM, &p);
    if (rc == 0)
        rc = make_board(&p, board);
    tap_check(rc == 0 && is_board(board) && count_parted(&p, board) == 0,
        "many pairs that fit less well count for more than few false ones, turns %d", (int)turns);
    compatibility_free(&p.c);
}

static void check(enum turns turns)
{
    static struct puzzle p;
    static int32_t board[TILES], other[TILES];
    int64_t cost = 0, other_cost = 0;
    int rc = puzzle_make(turns, SIX_IMAGES, &p);
    if (rc == 0)
        rc = make_board(&p, board);
    tap_check(rc == 0 && is_board(board) && count_parted(&p, board) == 0,
        "six images are packed whole, turns %d", (int)turns);
    if (rc == 0) {
        check_regions(&p, board);
        spoil(board);
    }
    memcpy(other, board, sizeof(other));
    const int64_t before = rc ? 0 : board_cost(&p.c, board, COLUMNS, ROWS);
    if (rc == 0)
        rc = refine_by(1, &p, board, &cost) | refine_by(3, &p, other, &other_cost);
    tap_check(rc == 0 && is_board(board) && cost < before &&
                  cost == board_cost(&p.c, board, COLUMNS, ROWS) && count_parted(&p, board) == 0,
        "tiles that have changed places come back, turns %d", (int)turns);
    tap_check(rc == 0 && other_cost == cost && memcmp(board, other, sizeof(board)) == 0,
        "the same with 1 and 3 threads, turns %d", (int)turns);
    if (turns == TURNS_NONE)
        check_without_parts(&p);
    compatibility_free(&p.c);
}

int main(void)
{
    check(TURNS_NONE);
    check(TURNS_ANY);
    check_weak_seam(TURNS_NONE);
    check_weak_seam(TURNS_ANY);
    return tap_finish();
}
