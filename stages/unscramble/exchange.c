#include "stages/unscramble/exchange.h"

#include <math.h>
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

/* Two areas of `height` lines that change places: one from (x, y) of `width`, the other from
 * (to_x, to_y) of `to_width`. Unless their widths are equal the second begins where the first
 * ends. */
struct block_move {
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

static inline int is_adjacent(const struct block_move *m)
{
    return m->y == m->to_y && m->x + m->width == m->to_x;
}

static inline int is_in(int x, int y, int left, int top, int width, int height)
{
    return x >= left && x < left + width && y >= top && y < top + height;
}

/* The tile at (x, y), before the move or after it. */
static inline int32_t tile_at(
    const struct board *b, const struct block_move *m, int after, int x, int y)
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
    const struct board *b, const struct block_move *m, int after, int x, int y, int along_y)
{
    const int next_x = x + !along_y, next_y = y + along_y;
    if (x < 0 || y < 0 || next_x >= b->size[0] || next_y >= b->size[1])
        return 0;
    return b->cost[along_y][(size_t)tile_at(b, m, after, x, y) * (size_t)b->tiles +
                            (size_t)tile_at(b, m, after, next_x, next_y)];
}

/* The cost of the joints around an area, but for those to the other area where that is counted. */
static int64_t around(const struct board *b, const struct block_move *m, int after, int x, int y,
    int width, int other)
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

static int64_t seam(const struct board *b, const struct block_move *m, int after, int x)
{
    int64_t sum = 0;
    for (int i = 0; i < m->height; i++)
        sum += joint(b, m, after, x - 1, m->y + i, 0);
    return sum;
}

/* What a move adds to the cost of the board. */
static int64_t change_of(const struct board *b, const struct block_move *m)
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

static void move_make(struct board *b, const struct block_move *m)
{
    const struct board seen = m->is_across ? across(b) : *b;
    struct board old = seen;
    old.order = b->before;
    memcpy(b->before, b->order, (size_t)b->tiles * sizeof(*b->order));
    for (int y = 0; y < seen.size[1]; y++)
        for (int x = 0; x < seen.size[0]; x++)
            b->order[x * seen.step[0] + y * seen.step[1]] = tile_at(&old, m, 1, x, y);
}

typedef void visit_move(const struct board *b, const struct block_move *m, void *context);

/* Visits the exchanges of an area with all of up to `most` tiles beside it in the same lines. */
static void visit_adjacent(
    const struct board *b, struct block_move m, int most, visit_move *visit, void *context)
{
    m.to_x = m.x + m.width;
    m.to_y = m.y;
    for (m.to_width = 1; m.to_x + m.to_width <= b->size[0] && m.to_width * m.height <= most;
         m.to_width++)
        visit(b, &m, context);
}

/* Visits the exchanges of an area with all equal ones behind it that are not adjacent. */
static void visit_equal(
    const struct board *b, struct block_move m, visit_move *visit, void *context)
{
    m.to_width = m.width;
    for (m.to_y = m.y; m.to_y + m.height <= b->size[1]; m.to_y++)
        for (m.to_x = 0; m.to_x + m.width <= b->size[0]; m.to_x++) {
            const int right = m.to_x - m.x, down = m.to_y - m.y;
            const int is_next = down ? down == m.height && right == 0 : right == m.width;
            if (!is_next && (down > 0 || right > 0) && (down >= m.height || abs(right) >= m.width))
                visit(b, &m, context);
        }
}

/* Visits all exchanges of adjacent areas of up to `adjacent` tiles, and of equal ones of up to
 * `equal` tiles. */
static void visit_moves(
    const struct board *b, int adjacent, int equal, visit_move *visit, void *context)
{
    const struct board seen[2] = {*b, across(b)};
    for (int i = 0; i < 2; i++) {
        struct block_move m = {.is_across = i};
        const int w = seen[i].size[0], h = seen[i].size[1];
        for (m.y = 0; m.y < h; m.y++)
            for (m.x = 0; m.x < w; m.x++)
                for (m.height = 1; m.y + m.height <= h; m.height++)
                    for (m.width = 1; m.x + m.width <= w; m.width++) {
                        if (m.width * m.height <= adjacent)
                            visit_adjacent(&seen[i], m, adjacent, visit, context);
                        if (!i && m.width * m.height <= equal)
                            visit_equal(&seen[i], m, visit, context);
                    }
    }
}

struct best {
    struct block_move move;
    int64_t change;
};

static void take_best(const struct board *b, const struct block_move *m, void *context)
{
    struct best *best = context;
    const int64_t change = change_of(b, m);
    if (change < best->change)
        *best = (struct best){*m, change};
}

/* Makes the move that saves most, as long as one saves anything. Returns the change of the cost. */
static int64_t improve(struct board *b)
{
    int64_t sum = 0;
    for (;;) {
        struct best best = {.change = 0};
        visit_moves(b, b->tiles, b->tiles, take_best, &best);
        if (best.change == 0)
            return sum;
        move_make(b, &best.move);
        sum += best.change;
    }
}

/* Exchanges two adjacent areas that chance chooses. Returns the change of the cost. */
static int64_t kick(struct board *b, uint64_t *random)
{
    const int is_across = b->size[0] < 2 || (b->size[1] > 1 && random_index(random, 2));
    const struct board seen = is_across ? across(b) : *b;
    struct block_move m = {.is_across = is_across};
    m.y = m.to_y = random_index(random, seen.size[1]);
    m.height = 1 + random_index(random, seen.size[1] - m.y);
    m.x = random_index(random, seen.size[0] - 1);
    m.width = 1 + random_index(random, seen.size[0] - m.x - 1);
    m.to_x = m.x + m.width;
    m.to_width = 1 + random_index(random, seen.size[0] - m.to_x);
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
static void share_out_blank_columns(
    const struct page *page, struct board *b, int first, int is_across)
{
    const struct board seen = is_across ? across(b) : *b;
    const int columns = seen.size[0];
    int left = 0, right = 0;
    while (left < columns && is_blank_column(page, &seen, left))
        left++;
    while (left + right < columns && is_blank_column(page, &seen, columns - 1 - right))
        right++;
    const int surplus = (left + right) * first / 2 - left;
    struct block_move m = {.height = seen.size[1], .is_across = is_across};
    m.to_x = m.width = surplus > 0 ? columns - right : -surplus;
    m.to_width = surplus > 0 ? surplus : columns + surplus;
    if (surplus && left < columns && change_of(&seen, &m) <= 0)
        move_make(b, &m);
}

static int64_t board_sum(const struct board *b)
{
    const struct block_move none = {0};
    int64_t sum = 0;
    for (int y = 0; y < b->size[1]; y++)
        for (int x = 0; x < b->size[0]; x++)
            sum += joint(b, &none, 0, x, y, 0) + joint(b, &none, 0, x, y, 1);
    return sum;
}

/* A board that grows: tiles stand in a field that has room for it in every direction. */
struct growth {
    int32_t *field; /* -1: none */
    uint8_t *used;  /* [tile] */
    int first[2], last[2];
};

/* What a tile adds to a cell beside others, where white beside white costs nothing. INT64_MAX
 * where the cell touches none. */
static int64_t cost_at(
    const struct page *page, const struct growth *g, int pitch, int cell, int32_t tile)
{
    int64_t sum = 0;
    int touches = 0;
    for (int below = 0; below < 2; below++) {
        const int step = below ? pitch : 1;
        const int32_t before = g->field[cell - step], after = g->field[cell + step];
        const int32_t *cost = page->cost[below];
        touches += (before >= 0) + (after >= 0);
        sum += before < 0 ? 0 : cost[(size_t)before * (size_t)page->tiles + (size_t)tile];
        sum += after < 0 ? 0 : cost[(size_t)tile * (size_t)page->tiles + (size_t)after];
    }
    return touches ? sum - (int64_t)touches * page->white : INT64_MAX;
}

/* Places the tile that adds least, where it does, so that the board keeps within its size. */
static void grow_once(const struct page *page, struct growth *g, const int *size, int pitch)
{
    int64_t least = INT64_MAX;
    int best[3] = {0};
    for (int y = g->last[1] - size[1] + 1; y < g->first[1] + size[1]; y++)
        for (int x = g->last[0] - size[0] + 1; x < g->first[0] + size[0]; x++) {
            const int cell = y * pitch + x;
            for (int32_t tile = 0; g->field[cell] < 0 && tile < page->tiles; tile++) {
                const int64_t cost =
                    g->used[tile] ? INT64_MAX : cost_at(page, g, pitch, cell, tile);
                if (!g->used[tile] && cost == INT64_MAX)
                    break; /* so with any tile */
                if (cost < least) {
                    least = cost;
                    best[0] = x;
                    best[1] = y;
                    best[2] = tile;
                }
            }
        }
    g->field[best[1] * pitch + best[0]] = best[2];
    g->used[best[2]] = 1;
    for (int i = 0; i < 2; i++) {
        g->first[i] = best[i] < g->first[i] ? best[i] : g->first[i];
        g->last[i] = best[i] > g->last[i] ? best[i] : g->last[i];
    }
}

/* Makes the order that grows from one tile. `room` holds 2 * size + 1 cells each way. */
static void grow(const struct page *page, const int *size, int32_t from, int32_t *room,
    uint8_t *used, int32_t *order)
{
    const int pitch = 2 * size[0] + 1, cells = pitch * (2 * size[1] + 1);
    struct growth g = {room, used, {size[0], size[1]}, {size[0], size[1]}};
    memset(room, 0xff, (size_t)cells * sizeof(*room));
    memset(used, 0, (size_t)page->tiles);
    room[size[1] * pitch + size[0]] = from;
    used[from] = 1;
    for (int placed = 1; placed < page->tiles; placed++)
        grow_once(page, &g, size, pitch);
    for (int i = 0; i < page->tiles; i++)
        order[i] = room[(g.first[1] + i / size[0]) * pitch + g.first[0] + i % size[0]];
}

/* Puts a cheaper order in place of that of the board, where one is found among those that grow from
 * each of the tiles: the cheapest `count` of different costs are improved. */
static int grow_all(const struct page *page, struct board *b, int count)
{
    const size_t tiles = (size_t)b->tiles;
    int32_t *room = malloc((size_t)((2 * b->size[0] + 1) * (2 * b->size[1] + 1)) * sizeof(*room));
    int32_t *orders = malloc(tiles * tiles * sizeof(*orders)), *best = b->order;
    int64_t *costs = malloc(tiles * sizeof(*costs)), cost = board_sum(b), done = -1;
    uint8_t *used = malloc(tiles);
    const int rc = room && orders && costs && used ? 0 : -1;
    for (int i = 0; rc == 0 && i < b->tiles; i++) {
        b->order = orders + (size_t)i * tiles;
        grow(page, b->size, i, room, used, b->order);
        costs[i] = board_sum(b);
    }
    for (int left = rc == 0 ? count : 0; left > 0; left--) {
        int next = -1;
        for (int i = 0; i < b->tiles; i++)
            if (costs[i] > done && (next < 0 || costs[i] < costs[next]))
                next = i;
        if (next < 0)
            break;
        done = costs[next];
        b->order = orders + (size_t)next * tiles;
        const int64_t now = done + improve(b);
        if (now < cost) {
            cost = now;
            memcpy(best, b->order, tiles * sizeof(*best));
        }
    }
    b->order = best;
    free(room);
    free(orders);
    free(costs);
    free(used);
    return rc;
}

struct weighing {
    const int32_t *alike;
    int64_t *weight; /* [cell] of exchanges that change it */
    int64_t all;     /* of all that change anything */
};

/* Adds the weight of a move to the cells of one of its areas whose look changes. Returns whether
 * any does. */
static int weigh_area(const struct board *b, const struct block_move *m, int left, int top,
    int width, int64_t weight, const struct weighing *w)
{
    int changes = 0;
    for (int y = top; y < top + m->height; y++)
        for (int x = left; x < left + width; x++) {
            const int32_t before = tile_at(b, m, 0, x, y), after = tile_at(b, m, 1, x, y);
            if (w->alike[4 * before] == w->alike[4 * after])
                continue;
            w->weight[x * b->step[0] + y * b->step[1]] += weight;
            changes = 1;
        }
    return changes;
}

static void weigh_move(const struct board *b, const struct block_move *m, void *context)
{
    struct weighing *w = context;
    const int64_t change = change_of(b, m);
    const double share = change > 0 ? exp(-(double)change / EXCHANGE_UNIT) : 1;
    const int64_t weight = (int64_t)(EXCHANGE_EQUAL * share);
    if (weight == 0)
        return;
    const int first = weigh_area(b, m, m->x, m->y, m->width, weight, w);
    const int second = weigh_area(b, m, m->to_x, m->to_y, m->to_width, weight, w);
    w->all += first || second ? weight : 0;
}

int64_t exchange_weigh(const struct page *page, int columns, int rows, int32_t *order,
    const int32_t *alike, int64_t *weight)
{
    enum { MOST_TILES = 16 };
    const int tiles = columns * rows;
    const struct board b = {
        order, NULL, {columns, rows}, {1, columns}, {page->cost[0], page->cost[1]}, tiles};
    struct weighing w = {alike, weight, 0};
    memset(weight, 0, (size_t)tiles * sizeof(*weight));
    visit_moves(&b, tiles <= EXCHANGE_MAX_TILES ? tiles : MOST_TILES, MOST_TILES, weigh_move, &w);
    return w.all;
}

int exchange_tiles(const struct page *page, int columns, int rows, uint64_t seed, int32_t *order)
{
    enum { KICKS = 100, WORK = 20000000, GROWN = 16, GROWN_WORK = 4500000 };
    const int tiles = columns * rows;
    const size_t bytes = (size_t)tiles * sizeof(*order);
    int32_t *room = malloc(2 * bytes);
    if (!room)
        return -1;
    struct board b = {
        order, room, {columns, rows}, {1, columns}, {page->cost[0], page->cost[1]}, tiles};
    int32_t *best = room + tiles;
    improve(&b);
    const int64_t cubed = (int64_t)tiles * tiles * tiles, work = WORK / cubed;
    const int64_t most = columns > 1 && rows > 1 ? GROWN : 1; /* strips do without many */
    if (grow_all(page, &b, (int)(GROWN_WORK / cubed < most ? GROWN_WORK / cubed : most))) {
        free(room);
        return -1;
    }
    for (int kicks = tiles < 3 ? 0 : work < KICKS ? (int)work : KICKS; kicks > 0; kicks--) {
        memcpy(best, order, bytes);
        int64_t change = kick(&b, &seed);
        change += improve(&b);
        if (change >= 0)
            memcpy(order, best, bytes);
    }
    share_out_blank_columns(page, &b, 1, 0);
    share_out_blank_columns(page, &b, columns == 1, 1);
    free(room);
    return 0;
}
