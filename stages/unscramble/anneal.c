/* Simulated annealing: blocks of tiles change places, at first also where that costs more. */
#include "stages/unscramble/anneal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "stages/unscramble/agree.h"
#include "stages/unscramble/board.h"
#include "stages/unscramble/segments.h"

/* CHAINS run side by side. They anneal TIMES times, each time for ROUNDS rounds; all times but
 * the first begin at what their best boards agree on. A round makes MOVES moves for each place that
 * is not settled, but for no more places than tiles are likely wrong, and than MOST_PLACES, which
 * bounds how long it takes. */
enum { CHAINS = 4, TIMES = 4, ROUNDS = 64, MOVES = 200, MOST_PLACES = 300 };

/* What is added to the scores of all chains but the first while parts are put together. */
static const float NOISE = 200;

/* A change that costs `heat` more is accepted half of the time. Much above HEAT even a large part
 * that is right falls apart, and below 100 nothing large moves any more. So most rounds before the
 * last SETTLING_ROUNDS are between these, where right parts grow at the expense of others; the last
 * ones settle what is left. Heat is kept in 1 / 256, and a round multiplies it by COOLING or
 * SETTLING / 1024. */
enum { HEAT = 165, HEAT_AGAIN = 150, COOLING = 1011, HEAT_BITS = 8 };
enum { SETTLING_ROUNDS = 24, SETTLING = 922 };

/* A segment of this share of the board is settled. */
enum { SETTLED_SHARE = 8 };

/* Blocks have sides of up to MAX_SIDE, each further place with one chance in MORE. One move in
 * ANYWHERE exchanges any two blocks, and one in TRANSLATION moves the whole board. */
enum { MAX_SIDE = 8, MORE = 4, ANYWHERE = 10, TRANSLATION = 1024 };

/* The costs of all pairs of edges are kept in a table if that takes at most so many bytes: much
 * faster to look up than `cost_of`, as long as the caches of a processor hold most of it. */
static const size_t MAX_TABLE = (size_t)32 << 20;

/* Chains of two threads that share a line of the cache take it from each other with every move.
 * Processors fetch lines in pairs of 64 bytes, and Apple's have lines of 128. */
enum { CACHE_LINES = 128 };

/* Shared by all chains. */
struct costs {
    const struct compatibility *c;
    uint16_t *table; /* [edge][width], or NULL */
    int shift; /* the column of an edge is edge >> shift: one for each tile if none is turned */
    size_t width;
};

struct annealing {
    _Alignas(CACHE_LINES) const struct problem *p;
    const struct costs *costs;
    int32_t *board;  /* [place] */
    int32_t *copy;   /* [place] of the board, while all of it moves */
    int32_t *best;   /* [place] of the board, when the cost was least at the end of a round */
    int32_t *place;  /* [tile], NOTHING where it is not on the board */
    int32_t *active; /* places that are not settled */
    int active_count;
    int most_places; /* for which a round has moves */
    struct segments segments;
    struct fill fill;
    int64_t cost, best_cost;
    int heat;
    uint64_t random;
};

struct block {
    int x, y, width, height;
};

/* Two blocks of the same size change places. What comes to `to` is turned clockwise by `quarters`,
 * what comes to `from` back by as many; with `to` and `from` the same, the block is turned. */
struct move {
    struct block to, from;
    int quarters;
};

/* The cost of two oriented tiles, b in the given direction from a. */
static inline int pair_cost(const struct costs *costs, int32_t a, int32_t b, int direction)
{
    const int32_t edge = oriented_edge(a, direction), other = oriented_edge(b, direction ^ 2);
    if (!costs->table)
        return cost_of(costs->c, edge, other);
    return costs->table[(size_t)edge * costs->width + (size_t)(other >> costs->shift)];
}

/* Makes the table, if it is not too large. Returns 0, or -1 when memory is short. */
static int costs_make(const struct compatibility *c, struct costs *costs)
{
    const int32_t edges = 4 * c->tiles;
    const int shift = c->turns == TURNS_NONE ? 2 : 0;
    const size_t width = (size_t)(edges >> shift);
    *costs = (struct costs){c, NULL, shift, width};
    if ((size_t)edges * width * sizeof(*costs->table) > MAX_TABLE)
        return 0;
    uint16_t *table = malloc((size_t)edges * width * sizeof(*table));
    if (!table)
        return -1;
#pragma omp parallel for
    for (int32_t edge = 0; edge < edges; edge++)
        for (int32_t i = 0; i < (int32_t)width; i++) {
            const int32_t other = shift ? 4 * i + ((edge & 3) ^ 2) : i;
            table[(size_t)edge * width + (size_t)i] = (uint16_t)cost_of(c, edge, other);
        }
    costs->table = table;
    return 0;
}

static int is_inside(const struct block *block, int x, int y)
{
    return x >= block->x && x < block->x + block->width && y >= block->y &&
           y < block->y + block->height;
}

/* The cost of the joints around a block, but for those with the places of `other`. */
static int border_cost(
    const struct annealing *s, const struct block *block, const struct block *other)
{
    const int columns = s->p->columns, rows = s->p->rows;
    const int right = block->x + block->width, bottom = block->y + block->height;
    int sum = 0;
    for (int y = block->y; y < bottom; y++) {
        const int32_t *row = s->board + (ptrdiff_t)y * columns;
        if (block->x > 0 && !is_inside(other, block->x - 1, y))
            sum += pair_cost(s->costs, row[block->x], row[block->x - 1], 0);
        if (right < columns && !is_inside(other, right, y))
            sum += pair_cost(s->costs, row[right - 1], row[right], 2);
    }
    for (int x = block->x; x < right; x++) {
        const int32_t *top = s->board + (ptrdiff_t)block->y * columns + x;
        const int32_t *last = s->board + (ptrdiff_t)(bottom - 1) * columns + x;
        if (block->y > 0 && !is_inside(other, x, block->y - 1))
            sum += pair_cost(s->costs, *top, *(top - columns), 1);
        if (bottom < rows && !is_inside(other, x, bottom))
            sum += pair_cost(s->costs, *last, last[columns], 3);
    }
    return sum;
}

/* Where in `from` the tile lies that a move brings to (x, y) of `to`. */
static void source_of(const struct move *m, int x, int y, int *from_x, int *from_y)
{
    const int right = m->to.width - 1 - x, bottom = m->to.height - 1 - y;
    *from_x = m->quarters == 0 ? x : m->quarters == 1 ? y : m->quarters == 2 ? right : bottom;
    *from_y = m->quarters == 0 ? y : m->quarters == 1 ? right : m->quarters == 2 ? bottom : x;
}

static void put(struct annealing *s, int place, int32_t oriented)
{
    s->board[place] = oriented;
    s->place[oriented / 4] = place;
}

/* Makes a move, whose blocks are apart or the same. Made again with the quarters turned back and
 * the blocks exchanged, it is undone. */
static void make_move(struct annealing *s, const struct move *m)
{
    int32_t tile[MAX_SIDE * MAX_SIDE][2];
    int place[MAX_SIDE * MAX_SIDE][2], count = 0;
    for (int y = 0; y < m->to.height; y++)
        for (int x = 0; x < m->to.width; x++, count++) {
            int from_x, from_y;
            source_of(m, x, y, &from_x, &from_y);
            place[count][0] = (m->to.y + y) * s->p->columns + m->to.x + x;
            place[count][1] = (m->from.y + from_y) * s->p->columns + m->from.x + from_x;
            tile[count][0] = s->board[place[count][0]];
            tile[count][1] = s->board[place[count][1]];
        }
    const int turns_in_place = m->to.x == m->from.x && m->to.y == m->from.y;
    for (int i = 0; i < count; i++) {
        put(s, place[i][0], oriented_turned(tile[i][1], m->quarters));
        if (!turns_in_place)
            put(s, place[i][1], oriented_turned(tile[i][0], -m->quarters));
    }
}

/* Whether a change of cost is accepted: -log2 of a random number, nearly, by integers alone, so
 * that it is the same everywhere. */
static int is_accepted(struct annealing *s, int64_t change)
{
    if (change <= 0)
        return 1;
    const uint64_t bits = random_bits(&s->random), units = bits >> 40;
    const uint64_t halvings = (uint64_t)__builtin_ctzll(bits | (uint64_t)1 << 39);
    return (uint64_t)change << (24 + HEAT_BITS) < (uint64_t)s->heat * (halvings << 24 | units);
}

static int lies_on_board(const struct problem *p, const struct block *block)
{
    return block->x >= 0 && block->y >= 0 && block->x + block->width <= p->columns &&
           block->y + block->height <= p->rows;
}

static void try_move(struct annealing *s, const struct move *m)
{
    static const struct block none = {0};
    const struct block *to = &m->to, *from = &m->from;
    const int is_same = to->x == from->x && to->y == from->y;
    if (!lies_on_board(s->p, to) || !lies_on_board(s->p, from) || (is_same && !m->quarters) ||
        (!is_same && abs(to->x - from->x) < to->width && abs(to->y - from->y) < to->height))
        return;
    const int before = border_cost(s, to, &none) + (is_same ? 0 : border_cost(s, from, to));
    make_move(s, m);
    const int after = border_cost(s, to, &none) + (is_same ? 0 : border_cost(s, from, to));
    if (is_accepted(s, after - before)) {
        s->cost += after - before;
        return;
    }
    const struct move undo = {m->from, m->to, -m->quarters & 3};
    make_move(s, &undo);
}

static int random_side(struct annealing *s)
{
    int side = 1;
    for (uint64_t bits = random_bits(&s->random); side < MAX_SIDE && bits % MORE == 0; bits /= MORE)
        side++;
    return side;
}

/* A move that brings the tile at `from` to `to`, turned, within a block of random size. */
static struct move random_move(struct annealing *s, int to, int from, int quarters)
{
    const int columns = s->p->columns, width = random_side(s);
    const int height = quarters & 1 ? width : random_side(s);
    const int x = random_index(&s->random, width), y = random_index(&s->random, height);
    struct move m = {
        .to = {to % columns - x, to / columns - y, width, height}, .quarters = quarters};
    int from_x, from_y;
    source_of(&m, x, y, &from_x, &from_y);
    m.from = (struct block){from % columns - from_x, from / columns - from_y, width, height};
    return m;
}

/* Exchanges the blocks of two places. */
static void try_anywhere(struct annealing *s)
{
    const int to = s->active[random_index(&s->random, s->active_count)];
    const int from = s->active[random_index(&s->random, s->active_count)];
    const struct move m = random_move(s, to, from, 0);
    try_move(s, &m);
}

/* Brings to the worse of two joints a partner of the edge at its one side, mostly the best one. */
static void try_partner(struct annealing *s)
{
    const struct problem *p = s->p;
    int at = NOTHING, to = NOTHING, direction = 0, worst = -1;
    for (int i = 0; i < 2; i++) {
        const int place = s->active[random_index(&s->random, s->active_count)];
        const int toward = random_index(&s->random, 4), beside = place_beside(p, place, toward);
        if (beside == NOTHING)
            continue;
        const int cost = pair_cost(s->costs, s->board[place], s->board[beside], toward);
        if (cost > worst) {
            worst = cost;
            at = place;
            to = beside;
            direction = toward;
        }
    }
    if (at == NOTHING)
        return;
    const int last = p->c->width - 1,
              skipped = __builtin_ctzll(random_bits(&s->random) | 1ull << 63);
    const int32_t edge = oriented_edge(s->board[at], direction);
    const int32_t partner = candidates_of(p->c, edge)[skipped < last ? skipped : last].edge;
    if (partner == NOTHING || s->place[partner / 4] == NOTHING)
        return;
    const int from = s->place[partner / 4];
    const int quarters = (oriented_by_edge(partner, direction ^ 2) - s->board[from]) & 3;
    const struct move m = random_move(s, to, from, quarters);
    try_move(s, &m);
}

/* The cost of the joints between a column and another to its right, or a row and another below. */
static int64_t lines_cost(const struct annealing *s, int direction, int line, int next)
{
    const int columns = s->p->columns, step = direction == 2 ? columns : 1;
    const int stride = direction == 2 ? 1 : columns;
    int64_t sum = 0;
    for (int i = 0; i < (direction == 2 ? s->p->rows : columns); i++)
        sum += pair_cost(s->costs, s->board[i * step + line * stride],
            s->board[i * step + next * stride], direction);
    return sum;
}

/* Moves the whole board so that a random seam comes to its border, and what was its border inside:
 * nearly all of a board may be right but beside its place. */
static void try_translation(struct annealing *s)
{
    const int columns = s->p->columns, rows = s->p->rows, places = columns * rows;
    const int direction = 2 + random_index(&s->random, 2), lines = direction == 2 ? columns : rows;
    const int line = random_index(&s->random, lines);
    if (line + 1 == lines)
        return;
    const int64_t change =
        lines_cost(s, direction, lines - 1, 0) - lines_cost(s, direction, line, line + 1);
    if (!is_accepted(s, change))
        return;
    s->cost += change;
    memcpy(s->copy, s->board, (size_t)places * sizeof(*s->copy));
    const int dx = direction == 2 ? line + 1 : 0, dy = direction == 2 ? 0 : line + 1;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++)
            put(s, y * columns + x, s->copy[(y + dy) % rows * columns + (x + dx) % columns]);
}

/* Lists the places that are not inside of a segment that is large enough to be settled. */
static void find_active(struct annealing *s)
{
    const struct problem *p = s->p;
    const int places = p->columns * p->rows;
    s->active_count = 0;
    segments_find(p, s->board, TIE_COST, &s->segments);
    for (int i = 0; i < places; i++)
        if (s->segments.size[s->segments.number[i]] < places / SETTLED_SHARE ||
            !segment_surrounds(p, &s->segments, i))
            s->active[s->active_count++] = i;
}

static void run_moves(struct annealing *s, int cooling)
{
    find_active(s);
    for (int left = MOVES * (s->active_count < s->most_places ? s->active_count : s->most_places);
         left > 0; left--)
        if (random_index(&s->random, TRANSLATION) == 0)
            try_translation(s);
        else if (random_index(&s->random, ANYWHERE) == 0)
            try_anywhere(s);
        else
            try_partner(s);
    s->heat = s->heat * cooling / 1024;
    if (s->cost < s->best_cost) {
        s->best_cost = s->cost;
        memcpy(s->best, s->board, (size_t)(s->p->columns * s->p->rows) * sizeof(*s->best));
    }
}

/* Begins at s->board. */
static void annealing_begin(struct annealing *s, int heat)
{
    const struct problem *p = s->p;
    const int places = p->columns * p->rows;
    s->cost = s->best_cost = board_cost(p->c, s->board, p->columns, p->rows);
    s->heat = heat << HEAT_BITS;
    memcpy(s->best, s->board, (size_t)places * sizeof(*s->best));
    for (int tile = 0; tile < p->c->tiles; tile++)
        s->place[tile] = NOTHING;
    for (int i = 0; i < places; i++)
        put(s, i, s->board[i]);
}

/* Begins at a board of the tiles that are `present`. Returns 0, or ERROR_INPUT when memory is
 * short. annealing_free frees, after a failure too. */
static int annealing_make(const struct problem *p, const struct costs *costs, const int32_t *board,
    const uint8_t *present, uint64_t seed, struct annealing *s, struct error *error)
{
    const int places = p->columns * p->rows, tiles = p->c->tiles;
    const size_t bytes = (size_t)places * sizeof(int32_t);
    *s = (struct annealing){
        .p = p,
        .costs = costs,
        .board = malloc(bytes),
        .copy = malloc(bytes),
        .best = malloc(bytes),
        .place = malloc((size_t)tiles * sizeof(*s->place)),
        .active = malloc(bytes),
        .random = seed,
    };
    const int rc = fill_make(p->c, p->buddy, present, p->columns, p->rows, &s->fill, error);
    if (segments_make(places, &s->segments) || !s->board || !s->copy || !s->best || !s->place ||
        !s->active)
        return error_set(error, ERROR_INPUT, "not enough memory to search");
    if (rc)
        return rc;
    s->fill.random = ~seed;
    memcpy(s->board, board, bytes);
    annealing_begin(s, HEAT);
    return 0;
}

static void annealing_free(struct annealing *s)
{
    segments_free(&s->segments);
    fill_free(&s->fill);
    free(s->board);
    free(s->copy);
    free(s->best);
    free(s->place);
    free(s->active);
}

/* Lets all chains begin anew at what their best boards agree on. Returns 0, or -1 when memory is
 * short. */
static int begin_again(struct annealing *chains)
{
    const int32_t *boards[CHAINS];
    int best = 0, failed = 0;
    for (int i = 0; i < CHAINS; i++) {
        boards[i] = chains[i].best;
        if (chains[i].best_cost < chains[best].best_cost)
            best = i;
    }
    boards[best] = chains[0].best;
    boards[0] = chains[best].best;
#pragma omp parallel for schedule(dynamic) reduction(| : failed)
    for (int i = 0; i < CHAINS; i++) {
        struct annealing *s = &chains[i];
        s->fill.noise = i ? NOISE : 0;
        failed |= boards_agree(s->p, boards, CHAINS, &s->fill, s->board) != 0;
    }
    for (int i = 0; !failed && i < CHAINS; i++)
        annealing_begin(&chains[i], HEAT_AGAIN);
    return failed ? -1 : 0;
}

/* Runs a round of all chains, and takes over what costs less than the board. */
static void run_chains(struct annealing *chains, int round, int32_t *board, int64_t *cost)
{
    const struct problem *p = chains[0].p;
    const int cooling = round % ROUNDS < ROUNDS - SETTLING_ROUNDS ? COOLING : SETTLING;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < CHAINS; i++)
        run_moves(&chains[i], cooling);
    for (int i = 0; i < CHAINS; i++)
        if (chains[i].best_cost < *cost) {
            *cost = chains[i].best_cost;
            memcpy(board, chains[i].best, (size_t)(p->columns * p->rows) * sizeof(*board));
        }
}

int anneal_places(double wrong)
{
    return wrong < MOST_PLACES ? (int)ceil(wrong) : MOST_PLACES;
}

int anneal(const struct compatibility *compatibility, const struct refine_options *options,
    double wrong, int32_t *board, int64_t *cost, struct error *error)
{
    const int places = options->columns * options->rows, tiles = compatibility->tiles;
    int32_t *buddy = malloc((size_t)tiles * 4 * sizeof(*buddy));
    uint8_t *present = calloc((size_t)tiles, 1);
    const struct problem p = {
        .c = compatibility, .buddy = buddy, .columns = options->columns, .rows = options->rows};
    struct annealing chains[CHAINS] = {0};
    struct costs costs = {0};
    int rc = 0;
    uint64_t random = options->seed;
    *cost = board_cost(compatibility, board, p.columns, p.rows);
    if (!buddy || !present || costs_make(compatibility, &costs))
        rc = error_set(error, ERROR_INPUT, "not enough memory to search");
    if (rc == 0) {
        buddies_find(compatibility, buddy);
        for (int i = 0; i < places; i++)
            present[board[i] >> 2] = 1;
    }
    for (int i = 0; rc == 0 && i < CHAINS; i++)
        rc = annealing_make(&p, &costs, board, present, random_bits(&random), &chains[i], error);
    for (int i = 0; i < CHAINS; i++)
        chains[i].most_places = anneal_places(wrong);
    for (int round = 0; rc == 0 && round < TIMES * ROUNDS; round++) {
        if (round > 0 && round % ROUNDS == 0 && begin_again(chains))
            rc = error_set(error, ERROR_INPUT, "not enough memory to search");
        if (rc)
            break;
        run_chains(chains, round, board, cost);
        const double done = (round + 1.0) / (TIMES * ROUNDS);
        if (options->progress && options->progress(options->context, done, *cost))
            break;
    }
    if (rc == 0 && compatibility->turns != TURNS_NONE)
        *cost -= board_turn_blocks(&p, board);
    for (int i = 0; i < CHAINS; i++)
        annealing_free(&chains[i]);
    free(costs.table);
    free(present);
    free(buddy);
    return rc;
}
