#include "stages/unscramble/anneal_moves.h"

#include <stddef.h>

#include "random.h"

/* A random area has sides of up to MAX_SIDE, each further place with one chance in MORE. One move
 * in ANYWHERE exchanges areas at two active places, one in TRANSLATION moves the whole board, and
 * one in ACROSS exchanges what lies on both sides of a seam. */
enum { MAX_SIDE = 8, MORE = 4, ANYWHERE = 10, TRANSLATION = 1024, ACROSS = 64 };

/* One in PART of the moves that bring a tile to a partner takes with it the part that it belongs
 * to, an area up to seams that look wrong, unless that has more than LARGEST_PART places. */
enum { PART = 4, LARGEST_PART = 16 };

/* The next line beside a seam is taken too, and a wrong seam at an end is passed over, with one
 * chance in FURTHER. */
enum { FURTHER = 4 };

/* For functions of which much falls away where an argument is a constant. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

struct area {
    int x, y, width, height;
};

/* Two areas change places; where `quarters` is odd, the width of one is the height of the other.
 * What comes to `to` is turned clockwise by `quarters`, what comes to `from` back by as many; with
 * `to` and `from` the same, the area is turned. */
struct move {
    struct area to, from;
    int quarters;
};

/* The cost of two oriented tiles, b in the given direction from a. */
static inline int edges_cost(const struct costs *costs, int32_t a, int32_t b, int direction)
{
    const int32_t edge = oriented_edge(a, direction), other = oriented_edge(b, direction ^ 2);
    if (!costs->table)
        return cost_of(costs->c, edge, other);
    return costs->table[(size_t)edge * costs->width + (size_t)(other >> costs->shift)];
}

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
    return s->joint[direction & 1][place_of(s, direction, line, along - 1)];
}

/* The cost of the joint between a place and the one beside it in a direction. */
static inline int joint_toward(const struct annealing *s, int place, int beside, int direction)
{
    return s->joint[direction & 1][direction < 2 ? beside : place];
}

/* Finds the costs of the joints inside of an area and around it. */
static void joints_find(struct annealing *s, const struct area *area)
{
    const int columns = s->p->columns, rows = s->p->rows;
    const int left = area->x > 0 ? area->x - 1 : 0, top = area->y > 0 ? area->y - 1 : 0;
    for (int y = top; y < area->y + area->height; y++)
        for (int x = left; x < area->x + area->width; x++) {
            const int place = y * columns + x;
            const int32_t tile = s->board[place];
            if (x + 1 < columns)
                s->joint[0][place] = edges_cost(s->costs, tile, s->board[place + 1], 2);
            if (y + 1 < rows)
                s->joint[1][place] = edges_cost(s->costs, tile, s->board[place + columns], 3);
        }
}

/* Puts an oriented tile into a place. */
static inline void put(struct annealing *s, int place, int32_t oriented)
{
    s->board[place] = oriented;
    s->place[oriented / 4] = place;
}

void annealing_take_board(struct annealing *s)
{
    const struct area all = {0, 0, s->p->columns, s->p->rows};
    for (int tile = 0; tile < s->p->c->tiles; tile++)
        s->place[tile] = NOTHING;
    for (int i = 0; i < all.width * all.height; i++)
        put(s, i, s->board[i]);
    joints_find(s, &all);
}

/* Whether the joints before a place of all lines from `line` to `last_line` together cost as much
 * as ties, or more. */
static int is_wrong_seam(
    const struct annealing *s, int direction, int line, int last_line, int along)
{
    int64_t sum = 0;
    for (; line <= last_line; line++)
        sum += joint_before(s, direction, line, along) - TIE_COST;
    return sum >= 0;
}

static inline int is_inside(const struct area *area, int x, int y)
{
    return x >= area->x && x < area->x + area->width && y >= area->y && y < area->y + area->height;
}

/* Where, in the area that comes, the tile lies that comes to (x, y) of an area of width x height,
 * if it is turned clockwise by `quarters`. */
static inline void source_of(
    int quarters, int width, int height, int x, int y, int *from_x, int *from_y)
{
    const int right = width - 1 - x, bottom = height - 1 - y;
    *from_x = quarters == 0 ? x : quarters == 1 ? y : quarters == 2 ? right : bottom;
    *from_y = quarters == 0 ? y : quarters == 1 ? right : quarters == 2 ? bottom : x;
}

/* What comes to a place of one area from the other. */
static inline int32_t tile_from(const struct annealing *s, const struct area *to,
    const struct area *from, int quarters, int x, int y)
{
    int from_x, from_y;
    source_of(quarters, to->width, to->height, x - to->x, y - to->y, &from_x, &from_y);
    const int place = (from->y + from_y) * s->p->columns + from->x + from_x;
    return oriented_turned(s->board[place], quarters);
}

/* The tile at (x, y) after a move. */
ALWAYS_INLINE int32_t tile_after(const struct annealing *s, const struct move *m, int x, int y)
{
    if (is_inside(&m->to, x, y))
        return tile_from(s, &m->to, &m->from, m->quarters, x, y);
    if (is_inside(&m->from, x, y))
        return tile_from(s, &m->from, &m->to, -m->quarters & 3, x, y);
    return s->board[y * s->p->columns + x];
}

/* The cost of the joint between two places, the second in the direction from the first: before a
 * move (NULL) or after it. */
ALWAYS_INLINE int joint_at(
    const struct annealing *s, const struct move *m, int x, int y, int direction)
{
    const int next_x = x + (direction == 2), next_y = y + (direction == 3);
    return m ? edges_cost(
                   s->costs, tile_after(s, m, x, y), tile_after(s, m, next_x, next_y), direction)
             : s->joint[direction & 1][y * s->p->columns + x];
}

/* The cost of the joints around an area, but for those with the places of `other`, before the move
 * (NULL) or after it. Once above `most` it adds up no further. */
ALWAYS_INLINE int64_t border_cost(const struct annealing *s, const struct area *area,
    const struct area *other, const struct move *m, int64_t most)
{
    const int columns = s->p->columns, rows = s->p->rows;
    const int right = area->x + area->width, bottom = area->y + area->height;
    int64_t sum = 0;
    for (int y = area->y; y < bottom && sum <= most; y++) {
        if (area->x > 0 && !is_inside(other, area->x - 1, y))
            sum += joint_at(s, m, area->x - 1, y, 2);
        if (right < columns && !is_inside(other, right, y))
            sum += joint_at(s, m, right - 1, y, 2);
    }
    for (int x = area->x; x < right && sum <= most; x++) {
        if (area->y > 0 && !is_inside(other, x, area->y - 1))
            sum += joint_at(s, m, x, area->y - 1, 3);
        if (bottom < rows && !is_inside(other, x, bottom))
            sum += joint_at(s, m, x, bottom - 1, 3);
    }
    return sum;
}

/* Whether a move turns an area where it is, and exchanges none. */
static int turns_in_place(const struct move *m)
{
    return m->to.x == m->from.x && m->to.y == m->from.y && m->to.width == m->from.width &&
           m->to.height == m->from.height;
}

/* The cost of all joints that a move changes, before it (NULL) or after it. Once above `most` it
 * adds up no further. */
ALWAYS_INLINE int64_t move_cost(
    const struct annealing *s, const struct move *m, const struct move *after, int64_t most)
{
    static const struct area none = {0};
    const int64_t cost = border_cost(s, &m->to, &none, after, most);
    return cost > most || turns_in_place(m)
               ? cost
               : cost + border_cost(s, &m->from, &m->to, after, most - cost);
}

/* Leaves in `tiles` what comes to an area, row by row. */
static void lift(
    const struct annealing *s, const struct move *m, const struct area *area, int32_t *tiles)
{
    for (int y = area->y; y < area->y + area->height; y++)
        for (int x = area->x; x < area->x + area->width; x++)
            *tiles++ = tile_after(s, m, x, y);
}

static void put_down(struct annealing *s, const struct area *area, const int32_t *tiles)
{
    for (int y = area->y; y < area->y + area->height; y++)
        for (int x = area->x; x < area->x + area->width; x++)
            put(s, y * s->p->columns + x, *tiles++);
}

static void make_move(struct annealing *s, const struct move *m)
{
    int32_t *second = s->copy + (ptrdiff_t)m->to.width * m->to.height;
    lift(s, m, &m->to, s->copy);
    lift(s, m, &m->from, second);
    put_down(s, &m->to, s->copy);
    put_down(s, &m->from, second);
    joints_find(s, &m->to);
    joints_find(s, &m->from);
}

/* By how much the cost may rise in this move, drawn anew for each: less than the heat times -log2
 * of a random number, which integers approximate, so that it is the same everywhere. */
static int64_t most_change(struct annealing *s)
{
    const uint64_t bits = random_bits(&s->random), units = bits >> 40;
    const uint64_t halvings = (uint64_t)__builtin_ctzll(bits | (uint64_t)1 << 39);
    const uint64_t limit = (uint64_t)s->heat * (halvings << 24 | units);
    return limit ? (int64_t)((limit - 1) >> (24 + HEAT_BITS)) : 0;
}

static int lies_on_board(const struct problem *p, const struct area *area)
{
    return area->x >= 0 && area->y >= 0 && area->x + area->width <= p->columns &&
           area->y + area->height <= p->rows;
}

static int are_apart(const struct area *a, const struct area *b)
{
    return a->x >= b->x + b->width || b->x >= a->x + a->width || a->y >= b->y + b->height ||
           b->y >= a->y + a->height;
}

static void try_move(struct annealing *s, const struct move *m)
{
    const int is_turn = turns_in_place(m) && m->quarters;
    if (!lies_on_board(s->p, &m->to) || !lies_on_board(s->p, &m->from) ||
        (!is_turn && !are_apart(&m->to, &m->from)))
        return;
    const int64_t before = move_cost(s, m, NULL, INT64_MAX), most = before + most_change(s);
    const int64_t after = move_cost(s, m, m, most);
    if (after <= most) {
        make_move(s, m);
        s->cost += after - before;
    }
}

static int random_side(struct annealing *s)
{
    int side = 1;
    for (uint64_t bits = random_bits(&s->random); side < MAX_SIDE && bits % MORE == 0; bits /= MORE)
        side++;
    return side;
}

/* An area of random size with a place in it. */
static struct area random_area(struct annealing *s, int place)
{
    const int columns = s->p->columns, width = random_side(s), height = random_side(s);
    const int x = random_index(&s->random, width), y = random_index(&s->random, height);
    return (struct area){place % columns - x, place / columns - y, width, height};
}

/* The area around a place up to seams that look wrong; one of width 0 if it would be too large. It
 * depends on the side that it begins to grow at. */
static struct area find_part(struct annealing *s, int place)
{
    const int columns = s->p->columns, rows = s->p->rows;
    const int x = place % columns, y = place / columns;
    int box[4] = {x, y, x, y}; /* least x, y, greatest x, y: where the sides lie */
    for (int side = random_index(&s->random, 4), ended = 0; ended < 4; side = (side + 1) & 3) {
        const int is_row = side & 1, along = box[side] + (side >= 2);
        if (along == 0 || along == (is_row ? rows : columns) ||
            is_wrong_seam(s, 2 + is_row, box[!is_row], box[2 + !is_row], along)) {
            ended++;
            continue;
        }
        ended = 0;
        box[side] += side < 2 ? -1 : 1;
        if ((box[2] - box[0] + 1) * (box[3] - box[1] + 1) > LARGEST_PART)
            return (struct area){0};
    }
    return (struct area){box[0], box[1], box[2] - box[0] + 1, box[3] - box[1] + 1};
}

/* What would fit better: the tile at `place` comes to `target`, turned clockwise by `quarters`. */
struct fit {
    int target, place, quarters;
};

/* Tries that with the area that the tile lies in. */
static void try_fit(struct annealing *s, const struct fit *fit, const struct area *area)
{
    const int columns = s->p->columns;
    struct move m = {*area, *area, fit->quarters};
    int x, y;
    if (fit->quarters & 1) {
        m.to.width = area->height;
        m.to.height = area->width;
    }
    source_of(-fit->quarters & 3, area->width, area->height, fit->place % columns - area->x,
        fit->place / columns - area->y, &x, &y);
    m.to.x = fit->target % columns - x;
    m.to.y = fit->target / columns - y;
    try_move(s, &m);
}

/* Exchanges areas of random size at two active places. */
static void try_anywhere(struct annealing *s)
{
    struct fit fit = {.target = s->active[random_index(&s->random, s->active_count)]};
    fit.place = s->active[random_index(&s->random, s->active_count)];
    const struct area area = random_area(s, fit.place);
    try_fit(s, &fit, &area);
}

/* Finds a partner, mostly the best one, of the edge at one side of the worse of two joints. Which
 * of the two tiles comes to the other is left to chance. Returns 0 where chance found none. */
static int find_fit(struct annealing *s, struct fit *fit)
{
    const struct problem *p = s->p;
    int at = NOTHING, direction = 0, worst = -1;
    for (int i = 0; i < 2; i++) {
        const int place = s->active[random_index(&s->random, s->active_count)];
        const int toward = random_index(&s->random, 4), beside = place_beside(p, place, toward);
        if (beside == NOTHING)
            continue;
        const int cost = joint_toward(s, place, beside, toward);
        if (cost > worst) {
            worst = cost;
            at = place;
            direction = toward;
        }
    }
    if (at == NOTHING)
        return 0;
    const int last = p->c->width - 1,
              skipped = __builtin_ctzll(random_bits(&s->random) | 1ull << 63);
    const int32_t edge = oriented_edge(s->board[at], direction);
    const int32_t partner = candidates_of(p->c, edge)[skipped < last ? skipped : last].edge;
    if (partner == NOTHING || s->place[partner / 4] == NOTHING)
        return 0;
    const int place = s->place[partner / 4];
    const int quarters = (oriented_by_edge(partner, direction ^ 2) - s->board[place]) & 3;
    if (random_index(&s->random, 2) == 0)
        *fit = (struct fit){place_beside(p, at, direction), place, quarters};
    else
        *fit =
            (struct fit){place_beside(p, place, (direction + 2 - quarters) & 3), at, -quarters & 3};
    return fit->target != NOTHING;
}

static void try_partner(struct annealing *s)
{
    struct fit fit;
    if (!find_fit(s, &fit))
        return;
    const struct area area =
        random_index(&s->random, PART) ? random_area(s, fit.place) : find_part(s, fit.place);
    if (area.width)
        try_fit(s, &fit, &area);
}

/* Two areas that touch each other at a seam and change places, of any width: both lie in the rows,
 * where direction is 2, or columns, where it is 3, from `line` to `last_line`. The one takes the
 * places along them from `first` to before `seam`, the other from there to before `end`. */
struct neighbors {
    int direction, line, last_line, first, seam, end;
};

/* Where along a line the tile lies that comes to a place when the areas change places. */
static inline int source_along(const struct neighbors *n, int along)
{
    const int second = n->end - n->seam;
    return along < n->first + second ? along + n->seam - n->first : along - second;
}

/* The cost of all joints that change, before the areas change places or after it. */
static int64_t neighbors_cost(const struct annealing *s, const struct neighbors *n, int after)
{
    const int d = n->direction, lines = d == 2 ? s->p->rows : s->p->columns;
    const int length = d == 2 ? s->p->columns : s->p->rows;
    /* Where the outermost tiles lie of what comes first, and of what comes then. */
    const int ends[4] = {after ? n->seam : n->first, after ? n->end - 1 : n->seam - 1,
        after ? n->first : n->seam, after ? n->seam - 1 : n->end - 1};
    int64_t sum = 0;
    for (int line = n->line; line <= n->last_line; line++) {
        sum += edges_cost(s->costs, tile_of(s, d, line, ends[1]), tile_of(s, d, line, ends[2]), d);
        if (n->first > 0)
            sum += edges_cost(
                s->costs, tile_of(s, d, line, n->first - 1), tile_of(s, d, line, ends[0]), d);
        if (n->end < length)
            sum +=
                edges_cost(s->costs, tile_of(s, d, line, ends[3]), tile_of(s, d, line, n->end), d);
    }
    for (int along = n->first; along < n->end; along++) {
        const int from = after ? source_along(n, along) : along;
        if (n->line > 0)
            sum += edges_cost(
                s->costs, tile_of(s, d, n->line - 1, along), tile_of(s, d, n->line, from), d ^ 1);
        if (n->last_line + 1 < lines)
            sum += edges_cost(s->costs, tile_of(s, d, n->last_line, from),
                tile_of(s, d, n->last_line + 1, along), d ^ 1);
    }
    return sum;
}

static void exchange_neighbors(struct annealing *s, const struct neighbors *n)
{
    const int lines = n->last_line + 1 - n->line, length = n->end - n->first;
    for (int line = n->line; line <= n->last_line; line++) {
        for (int along = n->first; along < n->end; along++)
            s->copy[along] = tile_of(s, n->direction, line, along);
        for (int along = n->first; along < n->end; along++)
            put(s, place_of(s, n->direction, line, along), s->copy[source_along(n, along)]);
    }
    const struct area area = n->direction == 2 ? (struct area){n->first, n->line, length, lines}
                                               : (struct area){n->line, n->first, lines, length};
    joints_find(s, &area);
}

static void try_exchange(struct annealing *s, const struct neighbors *n)
{
    const int64_t change = neighbors_cost(s, n, 1) - neighbors_cost(s, n, 0);
    if (change <= most_change(s)) {
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
    while (n.first > 0 && !(is_wrong_seam(s, n.direction, n.line, n.last_line, n.first) &&
                              random_index(&s->random, FURTHER)))
        n.first--;
    n.end = n.seam + 1;
    while (n.end < length && !(is_wrong_seam(s, n.direction, n.line, n.last_line, n.end) &&
                                 random_index(&s->random, FURTHER)))
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
