/* Each region becomes a small puzzle of its own: its tiles are numbered by their places, and of the
 * candidates only those stay that lie in it. So a step costs what it costs in a small puzzle. */
#include "stages/unscramble/regions.h"

#include <assert.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/board.h"

enum { SIDE = 40 }; /* places along each side of a region, without those around it */

/* A rectangle of places with those around it, as far as the board reaches. */
struct region {
    struct problem part;
    struct compatibility c;
    int left, top;
    int32_t *buddy, *board;
    uint8_t *fixed;
};

static void region_free(struct region *region)
{
    compatibility_free(&region->c);
    free(region->buddy);
    free(region->board);
    free(region->fixed);
}

/* The place in the whole board of one in the region. */
static int whole_place(const struct problem *p, const struct region *region, int place)
{
    const int x = place % region->part.columns, y = place / region->part.columns;
    return (region->top + y) * p->columns + region->left + x;
}

/* The region's number for an edge, or NOTHING if its tile lies elsewhere. `at` has the places of
 * all tiles. */
static int32_t local_edge(
    const struct problem *p, const struct region *region, const int32_t *at, int32_t edge)
{
    if (edge == NOTHING || at[edge >> 2] == NOTHING)
        return NOTHING;
    const int x = at[edge >> 2] % p->columns - region->left;
    const int y = at[edge >> 2] / p->columns - region->top;
    if (x < 0 || y < 0 || x >= region->part.columns || y >= region->part.rows)
        return NOTHING;
    return 4 * (y * region->part.columns + x) + (edge & 3);
}

/* Takes what is known of the edges of the region's tiles. */
static void take_edges(
    const struct problem *p, const int32_t *board, const int32_t *at, struct region *region)
{
    const int width = p->c->width;
    for (int32_t e = 0; e < 4 * region->c.tiles; e++) {
        const int32_t edge = (board[whole_place(p, region, e >> 2)] & ~3) | (e & 3);
        struct partner *to = region->c.list + (size_t)e * (size_t)width;
        const struct partner *from = candidates_of(p->c, edge), *end = to + width;
        for (int i = 0; i < width && from[i].edge != NOTHING; i++) {
            const int32_t other = local_edge(p, region, at, from[i].edge);
            if (other != NOTHING)
                *to++ = (struct partner){other, from[i].cost};
        }
        while (to < end)
            *to++ = (struct partner){NOTHING, FAR_COST};
        region->c.far[e] = p->c->far[edge];
        region->buddy[e] = local_edge(p, region, at, p->buddy[edge]);
    }
}

/* Makes the region of the rectangle from (x0, y0) to before (x1, y1). Returns 0, or -1 when memory
 * is short; region_free frees. */
static int region_make(const struct problem *p, const int32_t *board, const int32_t *at, int x0,
    int y0, int x1, int y1, struct region *region)
{
    *region = (struct region){.left = x0 ? x0 - 1 : 0, .top = y0 ? y0 - 1 : 0};
    const int right = x1 < p->columns ? x1 + 1 : x1, bottom = y1 < p->rows ? y1 + 1 : y1;
    const int w = right - region->left, h = bottom - region->top;
    const size_t places = (size_t)w * (size_t)h;
    assert(w > 0 && h > 0);
    region->c = (struct compatibility){.tiles = (int)places,
        .width = p->c->width,
        .turns = p->c->turns,
        .dissimilarity = p->c->dissimilarity,
        .list = calloc(4 * places * (size_t)p->c->width, sizeof(*region->c.list)),
        .far = calloc(4 * places, sizeof(*region->c.far))};
    region->buddy = calloc(4 * places, sizeof(*region->buddy));
    region->board = calloc(places, sizeof(*region->board));
    region->fixed = calloc(places, 1);
    region->part = (struct problem){&region->c, region->buddy, w, h, 1, region->fixed};
    if (!region->c.list || !region->c.far || !region->buddy || !region->board || !region->fixed)
        return -1;
    for (int i = 0; i < w * h; i++) {
        const int x = region->left + i % w, y = region->top + i / w;
        region->fixed[i] = x < x0 || y < y0 || x >= x1 || y >= y1;
        region->board[i] = 4 * i + (board[y * p->columns + x] & 3);
    }
    take_edges(p, board, at, region);
    return compatibility_index(&region->c);
}

/* Refines a region, and puts the result into `next`. */
static int region_refine(const struct problem *p, struct region *region, const int32_t *board,
    int steps, uint64_t seed, double end, int32_t *next)
{
    struct chain chain;
    struct error error;
    const int64_t cost =
        board_cost(&region->c, region->board, region->part.columns, region->part.rows);
    int rc = chain_make(&region->part, NULL, region->board, cost, seed, &chain, &error);
    for (int i = 0; rc == 0 && i < steps && !(end > 0 && omp_get_wtime() > end); i++)
        rc = chain_step(&region->part, &chain);
    for (int i = 0; rc == 0 && i < region->c.tiles; i++) {
        const int32_t now = chain.board[i];
        const int32_t before = board[whole_place(p, region, now >> 2)];
        if (!region->fixed[i])
            next[whole_place(p, region, i)] = (before & ~3) | (now & 3);
    }
    chain_free(&chain);
    return rc;
}

static int limited(int value, int most)
{
    return value < 0 ? 0 : value < most ? value : most;
}

int regions_refine(const struct problem *p, int steps, uint64_t seed, double end, int32_t *board)
{
    const int places = p->columns * p->rows;
    uint64_t random = seed;
    const int dx = (int)(random_bits(&random) % (uint64_t)SIDE),
              dy = (int)(random_bits(&random) % (uint64_t)SIDE);
    const int across = (p->columns + dx + SIDE - 1) / SIDE, down = (p->rows + dy + SIDE - 1) / SIDE;
    int32_t *at = malloc((size_t)p->c->tiles * sizeof(*at));
    int32_t *next = malloc((size_t)places * sizeof(*next));
    int failed = !at || !next;
    for (int i = 0; !failed && i < p->c->tiles; i++)
        at[i] = NOTHING;
    int empty = 0;
    for (int i = 0; !failed && i < places; i++) {
        next[i] = board[i];
        if (board[i] == NOTHING)
            empty++;
        else
            at[board[i] >> 2] = i;
    }
    const int regions = failed || empty ? 0 : across * down;
#pragma omp parallel for schedule(dynamic) reduction(| : failed)
    for (int i = 0; i < regions; i++) {
        const int x = i % across * SIDE - dx, y = i / across * SIDE - dy;
        struct region region;
        int rc = region_make(p, board, at, limited(x, p->columns), limited(y, p->rows),
            limited(x + SIDE, p->columns), limited(y + SIDE, p->rows), &region);
        if (rc == 0)
            rc = region_refine(
                p, &region, board, steps, seed + (uint64_t)i * 0x632be59bd9b4e019, end, next);
        failed |= rc != 0;
        region_free(&region);
    }
    if (!failed)
        memcpy(board, next, (size_t)places * sizeof(*board));
    free(at);
    free(next);
    return failed ? -1 : 0;
}
