#include "stages/unscramble/exchange.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"

/* A board seen along one of its two directions: x runs along `size[0]` cells that are `step[0]`
 * from each other, y along the others. */
struct board {
    int32_t *order, *before; /* [cell]; `before` is work space */
    int size[2], step[2];
    const int32_t *cost[2]; /* of neighbors along x, along y */
    int tiles;
};

/* Two blocks of `height` lines that change places: one from (x, y) of `width`, the other from
 * (to_x, to_y) of `to_width`. Unless their widths are equal the second begins where the first
 * ends. */
struct move {
    int x, y, width, to_x, to_y, to_width, height;
    int is_across; /* x and y are exchanged */
};

static struct board across(const struct board *b)
{
    struct board turned = *b;
    for (int i = 0; i < 2; i++) {
        turned.size[i] = b->size[1 - i];
        turned.step[i] = b->step[1 - i];
        turned.cost[i] = b->cost[1 - i];
    }
    return turned;
}

static inline int is_adjacent(const struct move *m)
{
    return m->y == m->to_y && m->x + m->width == m->to_x;
}

static inline int is_in(int x, int y, int left, int top, int width, int height)
{
    return x >= left && x < left + width && y >= top && y < top + height;
}

/* The tile at (x, y), before the move or after it. */
static inline int32_t tile_at(const struct board *b, const struct move *m, int after, int x, int y)
{
    const int is_first = after && is_in(x, y, m->x, m->y, m->width, m->height);
    const int is_second = after && is_in(x, y, m->to_x, m->to_y, m->to_width, m->height);
    if (is_adjacent(m) && (is_first || is_second)) {
        x += x < m->x + m->to_width ? m->width : -m->to_width;
    } else if (is_first || is_second) {
        x += is_first ? m->to_x - m->x : m->x - m->to_x;
        y += is_first ? m->to_y - m->y : m->y - m->to_y;
    }
    return b->order[x * b->step[0] + y * b->step[1]];
}

/* The cost of (x, y) and the next cell along x or y; 0 where either lies outside. */
static inline int64_t joint(
    const struct board *b, const struct move *m, int after, int x, int y, int along_y)
{
    const int next_x = x + !along_y, next_y = y + along_y;
    if (x < 0 || y < 0 || next_x >= b->size[0] || next_y >= b->size[1])
        return 0;
    return b->cost[along_y][(size_t)tile_at(b, m, after, x, y) * (size_t)b->tiles +
                            (size_t)tile_at(b, m, after, next_x, next_y)];
}

/* The cost of the joints around a block, but for those to the other block where that is counted. */
static int64_t around(
    const struct board *b, const struct move *m, int after, int x, int y, int width, int other)
{
    int64_t sum = 0;
    for (int i = 0; i < width; i++) {
        if (!(other && is_in(x + i, y - 1, m->x, m->y, width, m->height)))
            sum += joint(b, m, after, x + i, y - 1, 1);
        if (!(other && is_in(x + i, y + m->height, m->x, m->y, width, m->height)))
            sum += joint(b, m, after, x + i, y + m->height - 1, 1);
    }
    for (int i = 0; i < m->height; i++) {
        if (!(other && is_in(x - 1, y + i, m->x, m->y, width, m->height)))
            sum += joint(b, m, after, x - 1, y + i, 0);
        if (!(other && is_in(x + width, y + i, m->x, m->y, width, m->height)))
            sum += joint(b, m, after, x + width - 1, y + i, 0);
    }
    return sum;
}

static int64_t seam(const struct board *b, const struct move *m, int after, int x)
{
    int64_t sum = 0;
    for (int i = 0; i < m->height; i++)
        sum += joint(b, m, after, x - 1, m->y + i, 0);
    return sum;
}

/* What a move adds to the cost of the board. */
static int64_t change_of(const struct board *b, const struct move *m)
{
    int64_t change = 0;
    for (int after = 0; after < 2; after++) {
        int64_t sum;
        if (is_adjacent(m))
            sum = around(b, m, after, m->x, m->y, m->width + m->to_width, 0) +
                  seam(b, m, after, m->x + (after ? m->to_width : m->width));
        else
            sum = around(b, m, after, m->x, m->y, m->width, 0) +
                  around(b, m, after, m->to_x, m->to_y, m->width, 1);
        change += after ? sum : -sum;
    }
    return change;
}

static void move_make(struct board *b, const struct move *m)
{
    const struct board seen = m->is_across ? across(b) : *b;
    struct board old = seen;
    old.order = b->before;
    memcpy(b->before, b->order, (size_t)b->tiles * sizeof(*b->order));
    for (int y = 0; y < seen.size[1]; y++)
        for (int x = 0; x < seen.size[0]; x++)
            b->order[x * seen.step[0] + y * seen.step[1]] = tile_at(&old, m, 1, x, y);
}

struct best {
    struct move move;
    int64_t change;
};

static void try_move(const struct board *b, const struct move *m, struct best *best)
{
    const int64_t change = change_of(b, m);
    if (change < best->change)
        *best = (struct best){*m, change};
}

/* Tries to exchange a block with all that lie beside it in the same lines. */
static void try_adjacent(const struct board *b, struct move m, struct best *best)
{
    m.to_x = m.x + m.width;
    m.to_y = m.y;
    for (m.to_width = 1; m.to_x + m.to_width <= b->size[0]; m.to_width++)
        try_move(b, &m, best);
}

/* Tries to exchange a block with all equal ones behind it. */
static void try_equal(const struct board *b, struct move m, struct best *best)
{
    m.to_width = m.width;
    for (m.to_y = m.y; m.to_y + m.height <= b->size[1]; m.to_y++)
        for (m.to_x = 0; m.to_x + m.width <= b->size[0]; m.to_x++)
            if (m.to_y >= m.y + m.height || m.to_x > m.x + m.width ||
                (m.to_y > m.y && abs(m.to_x - m.x) >= m.width))
                try_move(b, &m, best);
}

/* Makes the move that saves most, as long as one saves anything. Returns the change of the cost. */
static int64_t improve(struct board *b)
{
    const struct board seen[2] = {*b, across(b)};
    int64_t sum = 0;
    for (;;) {
        struct best best = {.change = 0};
        for (int i = 0; i < 2; i++) {
            struct move m = {.is_across = i};
            const int w = seen[i].size[0], h = seen[i].size[1];
            for (m.y = 0; m.y < h; m.y++)
                for (m.x = 0; m.x < w; m.x++)
                    for (m.height = 1; m.y + m.height <= h; m.height++)
                        for (m.width = 1; m.x + m.width <= w; m.width++) {
                            try_adjacent(&seen[i], m, &best);
                            if (!i)
                                try_equal(&seen[i], m, &best);
                        }
        }
        if (best.change == 0)
            return sum;
        move_make(b, &best.move);
        sum += best.change;
    }
}

static int below(int bound, uint64_t *random)
{
    return (int)(random_bits(random) % (uint64_t)bound);
}

/* Exchanges two adjacent blocks that chance chooses. Returns the change of the cost. */
static int64_t kick(struct board *b, uint64_t *random)
{
    const int is_across = b->size[0] < 2 || (b->size[1] > 1 && below(2, random));
    const struct board seen = is_across ? across(b) : *b;
    struct move m = {.is_across = is_across};
    m.y = m.to_y = below(seen.size[1], random);
    m.height = 1 + below(seen.size[1] - m.y, random);
    m.x = below(seen.size[0] - 1, random);
    m.width = 1 + below(seen.size[0] - m.x - 1, random);
    m.to_x = m.x + m.width;
    m.to_width = 1 + below(seen.size[0] - m.to_x, random);
    const int64_t change = change_of(&seen, &m);
    move_make(b, &m);
    return change;
}

static int is_blank_column(const struct page *page, const struct board *b, int x)
{
    for (int y = 0; y < b->size[1]; y++)
        if (!page->is_blank[b->order[x * b->step[0] + y * b->step[1]]])
            return 0;
    return 1;
}

/* Shares out the blank columns at both ends: `first` of 2 of them come to the first end. */
static void set_margins(const struct page *page, struct board *b, int first, int is_across)
{
    const struct board seen = is_across ? across(b) : *b;
    const int columns = seen.size[0];
    int left = 0, right = 0;
    while (left < columns && is_blank_column(page, &seen, left))
        left++;
    while (left + right < columns && is_blank_column(page, &seen, columns - 1 - right))
        right++;
    const int surplus = (left + right) * first / 2 - left;
    struct move m = {.height = seen.size[1], .is_across = is_across};
    m.to_x = m.width = surplus > 0 ? columns - right : -surplus;
    m.to_width = surplus > 0 ? surplus : columns + surplus;
    if (surplus && left < columns && change_of(&seen, &m) <= 0)
        move_make(b, &m);
}

int exchange_tiles(const struct page *page, int columns, int rows, uint64_t seed, int32_t *order)
{
    enum { KICKS = 100, WORK = 20000000 };
    const int tiles = columns * rows;
    const size_t bytes = (size_t)tiles * sizeof(*order);
    int32_t *room = malloc(2 * bytes);
    if (!room)
        return -1;
    struct board b = {
        order, room, {columns, rows}, {1, columns}, {page->cost[0], page->cost[1]}, tiles};
    int32_t *best = room + tiles;
    improve(&b);
    const int64_t work = WORK / ((int64_t)tiles * tiles * tiles);
    for (int kicks = tiles < 3 ? 0 : work < KICKS ? (int)work : KICKS; kicks > 0; kicks--) {
        memcpy(best, order, bytes);
        int64_t change = kick(&b, &seed);
        change += improve(&b);
        if (change >= 0)
            memcpy(order, best, bytes);
    }
    set_margins(page, &b, 1, 0);
    set_margins(page, &b, 0, 1);
    free(room);
    return 0;
}
