#include "stages/unscramble/anneal_board.h"

#include <stddef.h>
#include <stdlib.h>

#include "random.h"

/* For functions of which much falls away where an argument is a constant. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

static inline int32_t tile_of(const struct annealing *s, int direction, int line, int along)
{
    return s->board[place_of(s, direction, line, along)];
}

void annealing_find_joints(struct annealing *s, const struct area *area)
{
    const int columns = s->p->columns, rows = s->p->rows;
    const int left = area->x > 0 ? area->x - 1 : 0, top = area->y > 0 ? area->y - 1 : 0;
    for (int y = top; y < area->y + area->height; y++)
        for (int x = left; x < area->x + area->width; x++) {
            const int place = y * columns + x;
            const int32_t tile = s->board[place];
            if (x + 1 < columns)
                s->joint[0][place] = edges_cost(s->costs, tile, s->board[place + 1], SIDE_RIGHT);
            if (y + 1 < rows)
                s->joint[1][place] =
                    edges_cost(s->costs, tile, s->board[place + columns], SIDE_BOTTOM);
        }
}

void annealing_take_board(struct annealing *s)
{
    const int columns = s->p->columns, rows = s->p->rows;
    const struct area all = {0, 0, columns, rows};
    s->tiles = 0;
    for (int tile = 0; tile <= s->p->c->tiles; tile++)
        s->place[tile] = NOTHING;
    for (int i = 0; i < columns * rows; i++) {
        annealing_put(s, i, s->board[i]);
        s->tiles += s->board[i] < s->costs->empty;
    }
    annealing_find_joints(s, &all);
    s->cost = 0;
    for (int i = 0; i < columns * rows; i++)
        s->cost += (i % columns + 1 < columns ? s->joint[0][i] : 0) +
                   (i / columns + 1 < rows ? s->joint[1][i] : 0);
}

static inline int is_inside(const struct area *area, int x, int y)
{
    return x >= area->x && x < area->x + area->width && y >= area->y && y < area->y + area->height;
}

/* Where the tiles that come to an area lie now: the first of them, and the steps from one to the
 * next of a row and of a column of the area they come to. */
struct source {
    int first, row_step, column_step, quarters;
};

static inline struct source find_source(
    const struct annealing *s, const struct area *to, const struct area *from, int quarters)
{
    const int columns = s->p->columns;
    const int steps[4] = {1, -columns, -1, columns}; /* to the right, up, to the left, down */
    int x, y;
    source_of(quarters, to->width, to->height, 0, 0, &x, &y);
    return (struct source){(from->y + y) * columns + from->x + x, steps[quarters],
        steps[(quarters + 3) & 3], quarters};
}

/* What comes to the place in a column and row of the area. */
static inline int32_t tile_from(
    const struct annealing *s, const struct source *source, int column, int row)
{
    const int place = source->first + column * source->row_step + row * source->column_step;
    return oriented_turned(s->board[place], source->quarters);
}

/* The cost of the joints around an area, but for those with the places of `other`. */
static int64_t border_cost(
    const struct annealing *s, const struct area *area, const struct area *other)
{
    const int columns = s->p->columns, rows = s->p->rows;
    const int right = area->x + area->width, bottom = area->y + area->height;
    int64_t sum = 0;
    for (int y = area->y; y < bottom; y++) {
        if (area->x > 0 && !is_inside(other, area->x - 1, y))
            sum += s->joint[0][y * columns + area->x - 1];
        if (right < columns && !is_inside(other, right, y))
            sum += s->joint[0][y * columns + right - 1];
    }
    for (int x = area->x; x < right; x++) {
        if (area->y > 0 && !is_inside(other, x, area->y - 1))
            sum += s->joint[1][(area->y - 1) * columns + x];
        if (bottom < rows && !is_inside(other, x, bottom))
            sum += s->joint[1][(bottom - 1) * columns + x];
    }
    return sum;
}

/* What the joint of a tile with what lies at (x, y) will cost after a move: nothing outside of the
 * board; in `other` what it costs with the tile that comes there from `back`, or nothing without
 * `back`, where these joints are counted already. */
static inline int new_joint(const struct annealing *s, int32_t tile, int direction, int x, int y,
    const struct area *other, const struct source *back)
{
    if (x < 0 || y < 0 || x >= s->p->columns || y >= s->p->rows)
        return 0;
    if (!is_inside(other, x, y))
        return edges_cost(s->costs, tile, s->board[y * s->p->columns + x], direction);
    return back ? edges_cost(
                      s->costs, tile, tile_from(s, back, x - other->x, y - other->y), direction)
                : 0;
}

/* What the joints around an area will cost after a move that brings tiles there from `source`, and
 * from `back` to `other`; without `back` joints with `other` are left out. Once above `most` it
 * adds up no further. */
ALWAYS_INLINE int64_t new_border(const struct annealing *s, const struct area *area,
    const struct source *source, const struct area *other, const struct source *back, int64_t most)
{
    const int right = area->x + area->width, bottom = area->y + area->height;
    int64_t sum = 0;
    for (int y = 0; y < area->height && sum <= most; y++)
        sum += new_joint(s, tile_from(s, source, 0, y), SIDE_LEFT, area->x - 1, area->y + y, other,
                   back) +
               new_joint(s, tile_from(s, source, area->width - 1, y), SIDE_RIGHT, right,
                   area->y + y, other, back);
    for (int x = 0; x < area->width && sum <= most; x++)
        sum += new_joint(
                   s, tile_from(s, source, x, 0), SIDE_TOP, area->x + x, area->y - 1, other, back) +
               new_joint(s, tile_from(s, source, x, area->height - 1), SIDE_BOTTOM, area->x + x,
                   bottom, other, back);
    return sum;
}

/* Whether a move turns an area where it is, and exchanges none. */
static int turns_in_place(const struct move *m)
{
    return m->to.x == m->from.x && m->to.y == m->from.y && m->to.width == m->from.width &&
           m->to.height == m->from.height;
}

/* The cost of all joints that a move changes. */
static int64_t move_cost(const struct annealing *s, const struct move *m)
{
    static const struct area none = {0};
    return border_cost(s, &m->to, &none) +
           (turns_in_place(m) ? 0 : border_cost(s, &m->from, &m->to));
}

/* What the joints that a move changes will cost after it. Once above `most` it adds up no
 * further. */
static int64_t new_move_cost(const struct annealing *s, const struct move *m, int64_t most)
{
    static const struct area none = {0};
    const struct source there = find_source(s, &m->to, &m->from, m->quarters);
    if (turns_in_place(m))
        return new_border(s, &m->to, &there, &none, NULL, most);
    const struct source back = find_source(s, &m->from, &m->to, -m->quarters & 3);
    const int64_t cost = new_border(s, &m->to, &there, &m->from, &back, most);
    return cost > most ? cost : cost + new_border(s, &m->from, &back, &m->to, NULL, most - cost);
}

/* Leaves in `tiles` what comes to an area, row by row. */
static void lift(const struct annealing *s, const struct area *to, const struct area *from,
    int quarters, int32_t *tiles)
{
    const struct source source = find_source(s, to, from, quarters);
    for (int y = 0; y < to->height; y++)
        for (int x = 0; x < to->width; x++)
            *tiles++ = tile_from(s, &source, x, y);
}

static void put_down(struct annealing *s, const struct area *area, const int32_t *tiles)
{
    for (int y = area->y; y < area->y + area->height; y++)
        for (int x = area->x; x < area->x + area->width; x++)
            annealing_put(s, y * s->p->columns + x, *tiles++);
}

static void make_move(struct annealing *s, const struct move *m)
{
    int32_t *second = s->work + (ptrdiff_t)m->to.width * m->to.height;
    lift(s, &m->to, &m->from, m->quarters, s->work);
    lift(s, &m->from, &m->to, -m->quarters & 3, second);
    put_down(s, &m->from, second);
    put_down(s, &m->to, s->work);
    annealing_find_joints(s, &m->to);
    annealing_find_joints(s, &m->from);
}

int64_t annealing_most_change(struct annealing *s)
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

/* The cost of the joints around a place. */
static int64_t place_cost(const struct annealing *s, int place)
{
    const int32_t *const beside = &s->costs->beside[4 * place];
    int64_t sum = 0;
    for (int d = 0; d < 4; d++)
        sum += beside[d] == NOTHING ? 0 : joint_toward(s, place, beside[d], d);
    return sum;
}

/* What the joints around a place will cost with an oriented tile there. */
static int64_t new_place_cost(const struct annealing *s, int place, int32_t oriented)
{
    const int32_t *const beside = &s->costs->beside[4 * place];
    int64_t sum = 0;
    for (int d = 0; d < 4; d++)
        sum += beside[d] == NOTHING ? 0 : edges_cost(s->costs, oriented, s->board[beside[d]], d);
    return sum;
}

/* Whether two single tiles change places that have no joint in common. */
static int exchanges_tiles(const struct move *m)
{
    return m->to.width == 1 && m->to.height == 1 &&
           abs(m->to.x - m->from.x) + abs(m->to.y - m->from.y) > 1;
}

static void try_tiles(struct annealing *s, const struct move *m)
{
    const int to = m->to.y * s->p->columns + m->to.x, from = m->from.y * s->p->columns + m->from.x;
    const int64_t before = place_cost(s, to) + place_cost(s, from);
    const int64_t most = before + annealing_most_change(s);
    int64_t after = new_place_cost(s, to, oriented_turned(s->board[from], m->quarters));
    if (after <= most)
        after += new_place_cost(s, from, oriented_turned(s->board[to], -m->quarters));
    if (after <= most) {
        make_move(s, m);
        s->cost += after - before;
    }
}

static void try_areas(struct annealing *s, const struct move *m)
{
    const int is_turn = turns_in_place(m) && m->quarters;
    if (!lies_on_board(s->p, &m->to) || !lies_on_board(s->p, &m->from) ||
        (!is_turn && !are_apart(&m->to, &m->from)))
        return;
    const int64_t before = move_cost(s, m), most = before + annealing_most_change(s);
    const int64_t after = new_move_cost(s, m, most);
    if (after <= most) {
        make_move(s, m);
        s->cost += after - before;
    }
}

void annealing_try_move(struct annealing *s, const struct move *m)
{
    if (exchanges_tiles(m))
        try_tiles(s, m);
    else
        try_areas(s, m);
}

/* Where along a line the tile lies that comes to a place when the areas change places. */
static inline int source_along(const struct slide *n, int along)
{
    const int second = n->end - n->seam;
    return along < n->first + second ? along + n->seam - n->first : along - second;
}

/* The cost of all joints that change, before the areas change places or after it. */
static int64_t slide_cost(const struct annealing *s, const struct slide *n, int is_new)
{
    const int d = n->direction, lines = d == SIDE_RIGHT ? s->p->rows : s->p->columns;
    const int length = d == SIDE_RIGHT ? s->p->columns : s->p->rows;
    /* Where along a line the first and the last tile lie of the area that comes first, and of the
     * other one. */
    const int a[2] = {is_new ? n->seam : n->first, is_new ? n->end - 1 : n->seam - 1};
    const int b[2] = {is_new ? n->first : n->seam, is_new ? n->seam - 1 : n->end - 1};
    int64_t sum = 0;
    for (int line = n->line; line <= n->last_line; line++) {
        sum += edges_cost(s->costs, tile_of(s, d, line, a[1]), tile_of(s, d, line, b[0]), d);
        if (n->first > 0)
            sum += edges_cost(
                s->costs, tile_of(s, d, line, n->first - 1), tile_of(s, d, line, a[0]), d);
        if (n->end < length)
            sum += edges_cost(s->costs, tile_of(s, d, line, b[1]), tile_of(s, d, line, n->end), d);
    }
    for (int along = n->first; along < n->end; along++) {
        const int from = is_new ? source_along(n, along) : along;
        if (n->line > 0)
            sum += edges_cost(
                s->costs, tile_of(s, d, n->line - 1, along), tile_of(s, d, n->line, from), d ^ 1);
        if (n->last_line + 1 < lines)
            sum += edges_cost(s->costs, tile_of(s, d, n->last_line, from),
                tile_of(s, d, n->last_line + 1, along), d ^ 1);
    }
    return sum;
}

static void make_slide(struct annealing *s, const struct slide *n)
{
    const int lines = n->last_line + 1 - n->line, length = n->end - n->first;
    for (int line = n->line; line <= n->last_line; line++) {
        for (int along = n->first; along < n->end; along++)
            s->work[along] = tile_of(s, n->direction, line, along);
        for (int along = n->first; along < n->end; along++)
            annealing_put(
                s, place_of(s, n->direction, line, along), s->work[source_along(n, along)]);
    }
    const struct area area = n->direction == SIDE_RIGHT
                                 ? (struct area){n->first, n->line, length, lines}
                                 : (struct area){n->line, n->first, lines, length};
    annealing_find_joints(s, &area);
}

void annealing_try_slide(struct annealing *s, const struct slide *n)
{
    const int64_t change = slide_cost(s, n, 1) - slide_cost(s, n, 0);
    if (change <= annealing_most_change(s)) {
        make_slide(s, n);
        s->cost += change;
    }
}
