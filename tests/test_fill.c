/* Fills boards with costs made up, beside a search that looks at every cell of the field each time.
 * Most edges have few partners or none, so that many places are filled with what is left over. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "random.h"
#include "stages/unscramble/fill.h"

enum { WIDTH = 3, TRIED = 6, FORCED = 256, BUDDY = 150, FURTHER = 200 };

struct puzzle {
    struct compatibility c;
    int32_t *buddy;
    uint8_t *present;
    int columns, rows;
};

/* The reference: the field, and for each of its cells the best that was found when a neighbor came
 * last, or NOTHING. */
struct field {
    const struct puzzle *p;
    int width, height, box[4], placed, tiles, next_cell, next_tile;
    int32_t *cell, *best;
    float *score;
    uint8_t *used;
};

static void *allocate(size_t size)
{
    void *memory = calloc(size, 1);
    if (!memory)
        abort();
    return memory;
}

static void puzzle_make(
    int columns, int rows, int absent, enum turns turns, uint64_t random, struct puzzle *p)
{
    const int tiles = columns * rows, edges = 4 * tiles;
    *p = (struct puzzle){.columns = columns, .rows = rows};
    p->c = (struct compatibility){.tiles = tiles,
        .width = WIDTH,
        .turns = turns,
        .list = allocate((size_t)edges * WIDTH * sizeof(struct partner)),
        .unlisted = allocate((size_t)edges * sizeof(struct unlisted))};
    p->buddy = allocate((size_t)edges * sizeof(int32_t));
    p->present = allocate((size_t)tiles);
    for (int tile = 0; tile < tiles; tile++)
        p->present[tile] = !absent || random_index(&random, absent) > 0;
    for (int e = 0; e < edges; e++) {
        struct partner *list = p->c.list + e * WIDTH;
        const int count = random_index(&random, 2) * random_index(&random, WIDTH + 1);
        p->c.unlisted[e] =
            (struct unlisted){(int16_t)(1000 + random_index(&random, 500)), {NO_COLOR}};
        p->buddy[e] = NOTHING;
        for (int i = 0; i < WIDTH; i++) {
            const int side = turns == TURNS_ANY ? random_index(&random, 4) : (e & 3) ^ 2;
            const int32_t other = 4 * random_index(&random, tiles) + side;
            const int is_other = i < count && other >> 2 != e >> 2 && p->present[other >> 2] &&
                                 (i == 0 || list[i - 1].edge != other);
            list[i] = is_other ? (struct partner){other, random_index(&random, 900)}
                               : (struct partner){NOTHING, FAR_COST};
        }
        partners_sort(list, WIDTH);
        if (random_index(&random, 3) == 0)
            p->buddy[e] = list[0].edge;
    }
    if (compatibility_index(&p->c))
        abort();
}

static void puzzle_free(struct puzzle *p)
{
    compatibility_free(&p->c);
    free(p->buddy);
    free(p->present);
}

static const struct partner *find_partner(const struct compatibility *c, int32_t a, int32_t b)
{
    for (int i = 0; i < WIDTH; i++)
        if (partners_of(c, a)[i].edge == b)
            return &partners_of(c, a)[i];
    return NULL;
}

/* The cost of two edges by the lists alone: that in the list of the lesser edge first. */
static int pair_of(const struct compatibility *c, int32_t a, int32_t b)
{
    const struct partner *of_less = find_partner(c, a < b ? a : b, a < b ? b : a);
    const struct partner *of_more = find_partner(c, a < b ? b : a, a < b ? a : b);
    const int of_a = c->unlisted[a].cost, of_b = c->unlisted[b].cost;
    return of_less ? of_less->cost : of_more ? of_more->cost : of_a > of_b ? of_a : of_b;
}

static int is_inside(const struct field *f, int x, int y)
{
    int box[4];
    memcpy(box, f->box, sizeof(box));
    box_extend(box, x, y);
    return x > 0 && y > 0 && x < f->width - 1 && y < f->height - 1 &&
           box_fits(box, f->p->columns, f->p->rows, f->p->c.turns);
}

/* The edges that face a cell; returns how many. */
static int find_edges(const struct field *f, int cell, int32_t *edge)
{
    const int beside[4] = {cell - 1, cell - f->width, cell + 1, cell + f->width};
    int count = 0;
    for (int d = 0; d < 4; d++) {
        const int32_t other = f->cell[beside[d]];
        edge[d] = other == NOTHING ? NOTHING : oriented_edge(other, d ^ 2);
        count += other != NOTHING;
    }
    return count;
}

/* Its cost toward direction `known` is `cost`. */
static float score_of(
    const struct field *f, int32_t oriented, const int32_t *edge, int count, int known, int cost)
{
    int buddies = 0;
    for (int d = 0; d < 4; d++)
        if (edge[d] != NOTHING) {
            const int32_t mine = oriented_edge(oriented, d);
            cost += d == known ? 0 : pair_of(&f->p->c, mine, edge[d]);
            buddies += f->p->buddy[mine] == edge[d];
        }
    return (float)cost / (float)count - (float)(BUDDY * buddies + FURTHER * (count - 1));
}

static void offer(struct field *f, int cell)
{
    int32_t edge[4];
    const int x = cell % f->width, y = cell / f->width;
    f->best[cell] = NOTHING;
    if (f->cell[cell] != NOTHING || !is_inside(f, x, y))
        return;
    const int count = find_edges(f, cell, edge);
    for (int d = 0; d < 4; d++)
        for (int i = 0, tried = 0; edge[d] != NOTHING && i < WIDTH && tried < TRIED; i++) {
            const struct partner *partner = &partners_of(&f->p->c, edge[d])[i];
            if (partner->edge == NOTHING || f->used[partner->edge >> 2])
                continue;
            tried++;
            const int32_t oriented = oriented_by_edge(partner->edge, d);
            const float score = score_of(f, oriented, edge, count, d, partner->cost);
            if (f->best[cell] == NOTHING || score < f->score[cell]) {
                f->best[cell] = oriented;
                f->score[cell] = score;
            }
        }
}

static void put(struct field *f, int cell, int32_t oriented)
{
    f->cell[cell] = oriented;
    f->used[oriented >> 2] = 1;
    f->placed++;
    box_extend(f->box, cell % f->width, cell / f->width);
}

static void put_and_offer(struct field *f, int cell, int32_t oriented)
{
    put(f, cell, oriented);
    offer(f, cell - 1);
    offer(f, cell - f->width);
    offer(f, cell + 1);
    offer(f, cell + f->width);
}

/* What a tile adds to the cost of the board. */
static int added_cost(const struct field *f, int cell, int32_t oriented)
{
    const int step_x[4] = {-1, 0, 1, 0}, step_y[4] = {0, -1, 0, 1};
    int32_t edge[4];
    int cost = 0;
    find_edges(f, cell, edge);
    for (int d = 0; d < 4; d++)
        if (edge[d] != NOTHING)
            cost += pair_of(&f->p->c, oriented_edge(oriented, d), edge[d]) - OPEN_COST;
        else if (is_inside(f, cell % f->width + step_x[d], cell / f->width + step_y[d]))
            cost += OPEN_COST;
    return cost;
}

/* Where no list has a tile left: on a full board the cell with the most neighbors among the first
 * FORCED from the cursor on takes the best of the next FORCED tiles; else the next tile goes where
 * it adds least. Returns 0 where there is no cell. */
static int force(struct field *f, int is_full)
{
    const int left = f->box[0] - 1, top = f->box[1] - 1;
    const int w = f->box[2] + 2 - left, area = w * (f->box[3] + 2 - top);
    const int turn_step = 4 / turns_count(f->p->c.turns);
    const int begin = area <= FORCED || f->next_cell >= area ? 0 : f->next_cell;
    int most = 0, least = INT_MAX, found = 0, cell = NOTHING;
    int32_t edge[4], oriented = NOTHING;
    while (f->used[f->next_tile])
        f->next_tile++;
    for (int i = 0; i < area && found < FORCED && most < 4; i++) {
        const int x = left + (begin + i) % area % w, y = top + (begin + i) % area / w;
        const int at = y * f->width + x;
        if (!is_inside(f, x, y) || f->cell[at] != NOTHING)
            continue;
        const int count = find_edges(f, at, edge);
        found += count > 0;
        if (is_full && count > most) {
            most = count;
            cell = at;
        }
        for (int turn = 0; !is_full && count > 0 && turn < 4; turn += turn_step) {
            const int cost = added_cost(f, at, 4 * f->next_tile + turn);
            if (cost < least) {
                least = cost;
                cell = at;
                oriented = 4 * f->next_tile + turn;
            }
        }
    }
    if (cell == NOTHING)
        return 0;
    f->next_cell = (cell / f->width - top) * w + cell % f->width - left;
    float best = 0;
    if (is_full)
        find_edges(f, cell, edge);
    for (int tile = f->next_tile, tried = 0; is_full && tile < f->p->c.tiles && tried < FORCED;
         tile++)
        for (int turn = 0; !f->used[tile] && turn < 4; turn += turn_step) {
            const float score = score_of(f, 4 * tile + turn, edge, most, NOTHING, 0);
            tried += turn == 0;
            if (oriented == NOTHING || score < best) {
                best = score;
                oriented = 4 * tile + turn;
            }
        }
    put_and_offer(f, cell, oriented);
    return 1;
}

/* Fills the field; begins at some cells or, where `open` is NULL, at all. */
static void run(struct field *f, const int32_t *open, int count)
{
    const int cells = f->width * f->height;
    f->next_cell = f->next_tile = 0;
    for (int i = 0; i < cells; i++)
        f->best[i] = NOTHING;
    for (int i = 0; i < (open ? count : cells); i++)
        offer(f, open ? open[i] : i);
    while (f->placed < f->tiles) {
        int cell = NOTHING;
        for (int i = 0; i < cells; i++)
            if (f->best[i] != NOTHING && (cell == NOTHING || f->score[i] < f->score[cell]))
                cell = i;
        if (cell == NOTHING) {
            if (!force(f, f->tiles == f->p->columns * f->p->rows))
                return;
            continue;
        }
        const int32_t oriented = f->best[cell];
        f->best[cell] = NOTHING;
        if (!is_inside(f, cell % f->width, cell / f->width))
            continue;
        if (f->used[oriented >> 2])
            offer(f, cell);
        else
            put_and_offer(f, cell, oriented);
    }
}

/* Empties the field, locked or not, and puts tile `first` into both. */
static void begin(struct fill *fill, struct field *f, int locked, int32_t first)
{
    const int cells = f->width * f->height;
    const int x = locked ? (f->p->columns + 1) / 2 : f->width / 2;
    const int y = locked ? (f->p->rows + 1) / 2 : f->height / 2;
    const int locked_box[4] = {1, 1, f->p->columns, f->p->rows};
    const int open_box[4] = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    while (!f->p->present[first])
        first = (first + 1) % f->p->c.tiles;
    for (int i = 0; i < cells; i++)
        f->cell[i] = NOTHING;
    for (int i = 0; i < f->p->c.tiles; i++)
        f->used[i] = !f->p->present[i];
    memcpy(f->box, locked ? locked_box : open_box, sizeof(f->box));
    f->placed = 0;
    fill_begin(fill, locked);
    fill_put(fill, y * fill->width + x, 4 * first);
    put(f, y * f->width + x, 4 * first);
}

static int count_wrong(const struct fill *fill, const struct field *f)
{
    int wrong = fill->placed != f->placed;
    for (int i = 0; i < f->width * f->height; i++)
        wrong += fill->cell[i] != f->cell[i];
    return wrong;
}

/* Takes a rectangle of tiles out of both, and fills it again. */
static int refill(struct fill *fill, struct field *f)
{
    static int32_t open[64];
    int count = 0;
    for (int y = f->box[1] + 1; y <= f->box[3] && y < f->box[1] + 7; y++)
        for (int x = f->box[0] + 2; x <= f->box[2] && x < f->box[0] + 9; x++) {
            const int cell = y * f->width + x;
            if (f->cell[cell] == NOTHING)
                continue;
            f->used[f->cell[cell] >> 2] = 0;
            f->cell[cell] = NOTHING;
            f->placed--;
            fill_take(fill, cell);
            open[count++] = cell;
        }
    run(f, open, count);
    return fill_run(fill, open, count) ? -1 : count_wrong(fill, f);
}

static void check(int columns, int rows, int absent, enum turns turns, uint64_t seed)
{
    struct puzzle p;
    struct fill fill;
    struct error error;
    puzzle_make(columns, rows, absent, turns, seed, &p);
    if (fill_make(&p.c, p.buddy, p.present, columns, rows, &fill, &error))
        abort();
    struct field f = {.p = &p, .width = fill.width, .height = fill.height, .tiles = fill.tiles};
    const size_t cells = (size_t)f.width * (size_t)f.height;
    f.cell = allocate(cells * sizeof(*f.cell));
    f.best = allocate(cells * sizeof(*f.best));
    f.score = allocate(cells * sizeof(*f.score));
    f.used = allocate((size_t)p.c.tiles);
    int wrong = 0;
    for (int times = 0; times < 3; times++) {
        begin(&fill, &f, times == 1, times % p.c.tiles);
        run(&f, NULL, 0);
        wrong += fill_run(&fill, NULL, 0) ? 1 : count_wrong(&fill, &f);
        wrong += refill(&fill, &f) != 0;
    }
    tap_check(wrong == 0, "%d x %d tiles, one of %d absent, turns %d: %d wrong", columns, rows,
        absent, turns, wrong);
    free(f.cell);
    free(f.best);
    free(f.score);
    free(f.used);
    fill_free(&fill);
    puzzle_free(&p);
}

int main(void)
{
    /* Fields are 2 n + 3 cells wide; a word of bits holds 64 of them. */
    static const int SIZES[][2] = {
        {1, 1}, {1, 7}, {29, 2}, {30, 20}, {31, 21}, {32, 3}, {61, 5}, {62, 9}, {63, 4}, {94, 3}};
    for (size_t i = 0; i < sizeof(SIZES) / sizeof(SIZES[0]); i++)
        for (int turned = 0; turned < 2; turned++) {
            const int columns = SIZES[i][0], rows = SIZES[i][1];
            const enum turns turns = turned ? TURNS_ANY : TURNS_NONE;
            check(columns, rows, 0, turns, i);
            if (columns * rows > 1)
                check(columns, rows, 9, turns, i + 100);
        }
    return tap_finish();
}
