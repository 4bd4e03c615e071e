#include "stages/unscramble/anneal_moves.h"

#include <stdlib.h>

#include "random.h"

/* Blocks that are exchanged have sides of up to MAX_SIDE, each further place with one chance in
 * MORE. One move in ANYWHERE exchanges blocks at two active places, one in TRANSLATION moves the
 * whole board, and one in ACROSS exchanges what lies on both sides of a seam. */
enum { MAX_SIDE = 8, MORE = 4, ANYWHERE = 10, TRANSLATION = 1024, ACROSS = 64 };

/* Of the lines beside a seam, and of the ends of what lies there, the next is taken too with one
 * chance in FURTHER. */
enum { FURTHER = 4 };

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
        annealing_put(s, place[i][0], oriented_turned(tile[i][1], m->quarters));
        if (!turns_in_place)
            annealing_put(s, place[i][1], oriented_turned(tile[i][0], -m->quarters));
    }
}

/* Accepts a change below the heat times -log2 of a random number, which integers approximate, so
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

/* Two blocks that touch each other at a seam and change places, of any width: both lie in the rows,
 * where direction is 2, or columns, where it is 3, from `line` to `last_line`. The one takes the
 * places along them from `first` to before `seam`, the other from there to before `end`. */
struct neighbors {
    int direction, line, last_line, first, seam, end;
};

/* A place by its line and by where it lies along it. */
static inline int place_of(const struct annealing *s, int direction, int line, int along)
{
    return direction == 2 ? line * s->p->columns + along : along * s->p->columns + line;
}

static inline int32_t tile_of(const struct annealing *s, int direction, int line, int along)
{
    return s->board[place_of(s, direction, line, along)];
}

/* The cost of the joint between a place of a line and the one before it. */
static inline int joint_before(const struct annealing *s, int direction, int line, int along)
{
    return pair_cost(s->costs, tile_of(s, direction, line, along - 1),
        tile_of(s, direction, line, along), direction);
}

/* Where along a line the tile lies that comes to a place when the blocks change places. */
static inline int source_along(const struct neighbors *n, int along)
{
    const int second = n->end - n->seam;
    return along < n->first + second ? along + n->seam - n->first : along - second;
}

/* The cost of all joints that change, before the blocks change places or after it. */
static int64_t neighbors_cost(const struct annealing *s, const struct neighbors *n, int after)
{
    const int d = n->direction, lines = d == 2 ? s->p->rows : s->p->columns;
    const int length = d == 2 ? s->p->columns : s->p->rows;
    /* Where the outermost tiles lie of what comes first, and of what comes then. */
    const int ends[4] = {after ? n->seam : n->first, after ? n->end - 1 : n->seam - 1,
        after ? n->first : n->seam, after ? n->seam - 1 : n->end - 1};
    int64_t sum = 0;
    for (int line = n->line; line <= n->last_line; line++) {
        sum += pair_cost(s->costs, tile_of(s, d, line, ends[1]), tile_of(s, d, line, ends[2]), d);
        if (n->first > 0)
            sum += pair_cost(
                s->costs, tile_of(s, d, line, n->first - 1), tile_of(s, d, line, ends[0]), d);
        if (n->end < length)
            sum +=
                pair_cost(s->costs, tile_of(s, d, line, ends[3]), tile_of(s, d, line, n->end), d);
    }
    for (int along = n->first; along < n->end; along++) {
        const int from = after ? source_along(n, along) : along;
        if (n->line > 0)
            sum += pair_cost(
                s->costs, tile_of(s, d, n->line - 1, along), tile_of(s, d, n->line, from), d ^ 1);
        if (n->last_line + 1 < lines)
            sum += pair_cost(s->costs, tile_of(s, d, n->last_line, from),
                tile_of(s, d, n->last_line + 1, along), d ^ 1);
    }
    return sum;
}

static void exchange_neighbors(struct annealing *s, const struct neighbors *n)
{
    for (int line = n->line; line <= n->last_line; line++) {
        for (int along = n->first; along < n->end; along++)
            s->copy[along] = tile_of(s, n->direction, line, along);
        for (int along = n->first; along < n->end; along++)
            annealing_put(
                s, place_of(s, n->direction, line, along), s->copy[source_along(n, along)]);
    }
}

static void try_exchange(struct annealing *s, const struct neighbors *n)
{
    const int64_t change = neighbors_cost(s, n, 1) - neighbors_cost(s, n, 0);
    if (is_accepted(s, change)) {
        exchange_neighbors(s, n);
        s->cost += change;
    }
}

/* Moves the whole board so that a random seam comes to its border, and what was its border inside:
 * nearly all of a board may be right but beside its place. */
static void try_translation(struct annealing *s)
{
    struct neighbors n = {.direction = 2 + random_index(&s->random, 2)};
    n.end = n.direction == 2 ? s->p->columns : s->p->rows;
    n.last_line = (n.direction == 2 ? s->p->rows : s->p->columns) - 1;
    n.seam = 1 + random_index(&s->random, n.end);
    if (n.seam < n.end)
        try_exchange(s, &n);
}

/* Whether the joints of all lines before a place together cost more than ties. */
static int is_wrong_seam(const struct annealing *s, const struct neighbors *n, int along)
{
    int64_t sum = 0;
    for (int line = n->line; line <= n->last_line; line++)
        sum += joint_before(s, n->direction, line, along) - TIE_COST;
    return sum >= 0;
}

/* Whether a seam goes on to a line: it looks wrong there too, or chance says so. */
static int goes_on(struct annealing *s, const struct neighbors *n, int line)
{
    return joint_before(s, n->direction, line, n->seam) >= TIE_COST ||
           random_index(&s->random, FURTHER) == 0;
}

/* Exchanges what lies on both sides of a seam that looks wrong, up to the next seams that do. Parts
 * that are right in themselves come past each other so, whatever their widths. */
static void try_neighbors(struct annealing *s)
{
    const int at = s->active[random_index(&s->random, s->active_count)];
    const int x = at % s->p->columns, y = at / s->p->columns;
    struct neighbors n = {.direction = 2 + random_index(&s->random, 2)};
    const int lines = n.direction == 2 ? s->p->rows : s->p->columns;
    const int length = n.direction == 2 ? s->p->columns : s->p->rows;
    n.line = n.last_line = n.direction == 2 ? y : x;
    n.seam = n.direction == 2 ? x : y;
    if (n.seam == 0 || joint_before(s, n.direction, n.line, n.seam) < TIE_COST)
        return;
    while (n.line > 0 && goes_on(s, &n, n.line - 1))
        n.line--;
    while (n.last_line + 1 < lines && goes_on(s, &n, n.last_line + 1))
        n.last_line++;
    n.first = n.seam - 1;
    while (n.first > 0 && !(is_wrong_seam(s, &n, n.first) && random_index(&s->random, FURTHER)))
        n.first--;
    n.end = n.seam + 1;
    while (n.end < length && !(is_wrong_seam(s, &n, n.end) && random_index(&s->random, FURTHER)))
        n.end++;
    try_exchange(s, &n);
}

void annealing_move(struct annealing *s)
{
    if (random_index(&s->random, TRANSLATION) == 0)
        try_translation(s);
    else if (random_index(&s->random, ACROSS) == 0)
        try_neighbors(s);
    else if (random_index(&s->random, ANYWHERE) == 0)
        try_anywhere(s);
    else
        try_partner(s);
}
