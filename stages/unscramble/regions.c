/* Each region becomes a small puzzle of its own: its tiles are numbered by their places, and of the
 * partners only those stay that lie in it. So a step costs what it costs in a small puzzle, and
 * another rank than 0, which knows nothing of the board, can do it. */
#include "stages/unscramble/regions.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/board.h"
#include "stages/unscramble/shared_work.h"

enum {
    SIDE = 40, /* places along each side of a region, without those around it */
    ROOM = (SIDE + 2) * (SIDE + 2), /* for its places, with those around it */
};

/* A rectangle of places with those around it, as far as the board reaches. One block of memory,
 * which goes to another rank as it is: the struct, then what region_arrays finds. */
struct region {
    int left, top; /* in the board */
    int columns, rows;
    int width; /* partners of an edge */
    enum turns turns;
    uint64_t seed;
    size_t size; /* of the block, bytes */
};

struct region_arrays {
    struct partner *list;      /* [4 * places][width] */
    struct unlisted *unlisted; /* [4 * places] */
    int32_t *buddy;            /* [4 * places] */
    int32_t *board;            /* [places] */
    uint8_t *fixed;            /* [places] those around it */
};

/* The regions of a board. */
struct regions {
    /* What only rank 0 has: the run, the board, and [tile] where each lies in it, or NOTHING. */
    struct run *run;
    const struct problem *p;
    const int32_t *board, *at;
    int dx, dy; /* how far the first column and row of regions reach beyond the board */
    int across; /* regions in a row */
    uint64_t seed;
    uint32_t count, in_part; /* regions; those of a part of the work that ranks share */
    int steps;
    double end;     /* omp_get_wtime() at which to stop; 0: never */
    double seconds; /* until then, for other ranks, whose clocks differ */
    int32_t *found; /* [region][ROOM] their boards, by their own numbers */
    int holds_part; /* only those of the part at work, as in ranks other than 0 */
    int is_ending;  /* the run is asked to stop */
};

static struct region_arrays region_arrays(const struct region *region)
{
    const size_t places = (size_t)region->columns * (size_t)region->rows;
    struct region_arrays a = {.list = (struct partner *)(region + 1)};
    a.unlisted = (struct unlisted *)(a.list + 4 * places * (size_t)region->width);
    a.buddy = (int32_t *)(a.unlisted + 4 * places);
    a.board = a.buddy + 4 * places;
    a.fixed = (uint8_t *)(a.board + places);
    return a;
}

/* A size after which another region may begin. */
static size_t aligned(size_t size)
{
    return (size + 15) / 16 * 16;
}

static size_t region_size(const struct region *region)
{
    const size_t places = (size_t)region->columns * (size_t)region->rows;
    return aligned((size_t)(region_arrays(region).fixed - (uint8_t *)region) + places);
}

/* The place in the whole board of one in the region. */
static int whole_place(const struct regions *r, const struct region *region, int place)
{
    const int x = place % region->columns, y = place / region->columns;
    return (region->top + y) * r->p->columns + region->left + x;
}

/* The edge of the board that one of the region is. */
static int32_t whole_edge(const struct regions *r, const struct region *region, int32_t edge)
{
    return (r->board[whole_place(r, region, edge >> 2)] & ~3) | (edge & 3);
}

/* The region's number for an edge, or NOTHING if its tile lies elsewhere. */
static int32_t local_edge(const struct regions *r, const struct region *region, int32_t edge)
{
    if (edge == NOTHING || r->at[edge >> 2] == NOTHING)
        return NOTHING;
    const int x = r->at[edge >> 2] % r->p->columns - region->left;
    const int y = r->at[edge >> 2] / r->p->columns - region->top;
    if (x < 0 || y < 0 || x >= region->columns || y >= region->rows)
        return NOTHING;
    return 4 * (y * region->columns + x) + (edge & 3);
}

/* Finds the partners of an edge of the region that lie in it, and puts them down unless `to` is
 * NULL. Returns how many. */
static int find_partners(
    const struct regions *r, const struct region *region, int32_t edge, struct partner *to)
{
    const struct partner *from = partners_of(r->p->c, whole_edge(r, region, edge));
    int found = 0;
    for (int i = 0; i < r->p->c->width && from[i].edge != NOTHING; i++) {
        const int32_t other = local_edge(r, region, from[i].edge);
        if (other == NOTHING)
            continue;
        if (to)
            to[found] = (struct partner){other, from[i].cost};
        found++;
    }
    return found;
}

/* Takes what is known of the edges of the region's tiles. */
static void take_edges(const struct regions *r, const struct region *region)
{
    const struct region_arrays a = region_arrays(region);
    for (int32_t e = 0; e < 4 * region->columns * region->rows; e++) {
        const int32_t edge = whole_edge(r, region, e);
        struct partner *list = a.list + (size_t)e * (size_t)region->width;
        for (int i = find_partners(r, region, e, list); i < region->width; i++)
            list[i] = (struct partner){NOTHING, FAR_COST};
        a.unlisted[e] = r->p->c->unlisted[edge];
        a.buddy[e] = local_edge(r, region, r->p->buddy[edge]);
    }
}

static int clamp(int value, int most)
{
    return value < 0 ? 0 : value < most ? value : most;
}

/* The rectangle of a region, without the places around it: from (x0, y0) to before (x1, y1). */
struct rectangle {
    int x0, y0, x1, y1;
};

static struct rectangle find_rectangle(const struct regions *r, uint32_t number)
{
    const int x = (int)number % r->across * SIDE - r->dx;
    const int y = (int)number / r->across * SIDE - r->dy;
    return (struct rectangle){.x0 = clamp(x, r->p->columns),
        .y0 = clamp(y, r->p->rows),
        .x1 = clamp(x + SIDE, r->p->columns),
        .y1 = clamp(y + SIDE, r->p->rows)};
}

/* Where a region lies. */
static struct region region_of(const struct regions *r, const struct rectangle *inner)
{
    struct region region = {
        .left = inner->x0 ? inner->x0 - 1 : 0, .top = inner->y0 ? inner->y0 - 1 : 0};
    region.columns = clamp(inner->x1 + 1, r->p->columns) - region.left;
    region.rows = clamp(inner->y1 + 1, r->p->rows) - region.top;
    return region;
}

/* Makes a region of the board; free() frees. Returns NULL when memory is short. */
static struct region *make_region(const struct regions *r, uint32_t number)
{
    const struct rectangle inner = find_rectangle(r, number);
    struct region region = region_of(r, &inner);
    region.width = 1;
    region.turns = r->p->c->turns;
    region.seed = r->seed + (uint64_t)number * 0x632be59bd9b4e019;
    for (int32_t e = 0; e < 4 * region.columns * region.rows; e++) {
        const int found = find_partners(r, &region, e, NULL);
        region.width = found > region.width ? found : region.width;
    }
    region.size = region_size(&region);
    struct region *made = calloc(1, region.size);
    if (!made)
        return NULL;
    *made = region;
    const struct region_arrays a = region_arrays(made);
    for (int i = 0; i < region.columns * region.rows; i++) {
        const int x = region.left + i % region.columns, y = region.top + i / region.columns;
        a.fixed[i] = x < inner.x0 || y < inner.y0 || x >= inner.x1 || y >= inner.y1;
        a.board[i] = 4 * i + (r->board[y * r->p->columns + x] & 3);
    }
    take_edges(r, made);
    return made;
}

static int has_ended(const struct regions *r)
{
    int is_ending;
#pragma omp atomic read
    is_ending = r->is_ending;
    return is_ending || (r->end > 0 && omp_get_wtime() > r->end);
}

/* Refines a region, and puts its board into `found`. Returns 0, or -1 when memory is short. */
static int refine_region(const struct regions *r, const struct region *region, int32_t *found)
{
    const struct region_arrays a = region_arrays(region);
    struct compatibility c = {.tiles = region->columns * region->rows,
        .width = region->width,
        .turns = region->turns,
        .list = a.list,
        .unlisted = a.unlisted};
    const struct problem p = {&c, a.buddy, region->columns, region->rows, a.fixed};
    struct chain chain = {0};
    struct error error;
    int rc = compatibility_index(&c);
    if (rc == 0)
        rc = chain_make(&p, NULL, a.board, board_cost(&c, a.board, p.columns, p.rows), region->seed,
            &chain, &error);
    for (int i = 0; rc == 0 && i < r->steps && !has_ended(r); i++)
        rc = chain_step(&p, &chain);
    if (rc == 0)
        memcpy(found, chain.board, (size_t)c.tiles * sizeof(*found));
    chain_free(&chain);
    c.list = NULL; /* the region's */
    c.unlisted = NULL;
    compatibility_free(&c);
    return rc ? -1 : 0;
}

static uint32_t regions_of_part(const struct regions *r, uint32_t part)
{
    const uint32_t left = r->count - part * r->in_part;
    return left < r->in_part ? left : r->in_part;
}

/* What another rank needs of a part, as struct share asks: where each region begins, and the
 * regions. */
static void *part_regions(void *context, uint32_t part, size_t *size)
{
    const struct regions *r = context;
    const uint32_t count = regions_of_part(r, part);
    const size_t begin = aligned(count * sizeof(size_t));
    struct region **made = calloc(count, sizeof(*made));
    int failed = 0;
    if (!made)
        return NULL;
#pragma omp parallel for schedule(dynamic) reduction(| : failed)
    for (uint32_t i = 0; i < count; i++) {
        made[i] = make_region(r, part * r->in_part + i);
        failed |= !made[i];
    }
    *size = begin;
    for (uint32_t i = 0; i < count; i++)
        *size += failed ? 0 : made[i]->size;
    uint8_t *all = failed ? NULL : calloc(1, *size);
    size_t at = begin;
    for (uint32_t i = 0; i < count; i++) {
        if (all) {
            ((size_t *)all)[i] = at;
            memcpy(all + at, made[i], made[i]->size);
            at += made[i]->size;
        }
        free(made[i]);
    }
    free(made);
    return all;
}

/* Where the boards of a part's regions lie, as struct share asks. */
static void *part_found(void *context, uint32_t part, size_t *size)
{
    const struct regions *r = context;
    *size = (size_t)regions_of_part(r, part) * ROOM * sizeof(*r->found);
    return r->found + (r->holds_part ? 0 : (size_t)part * r->in_part * ROOM);
}

/* Refines the regions of a part: those of the board, or those that rank 0 has sent (`sent`). */
static int refine_part(struct run *run, struct regions *r, uint32_t part, const uint8_t *sent)
{
    size_t size;
    int32_t *found = part_found(r, part, &size);
    int failed = 0, rc = 0;
#pragma omp parallel for schedule(dynamic) reduction(| : failed)
    for (uint32_t i = 0; i < regions_of_part(r, part); i++) {
        struct region *made = sent ? NULL : make_region(r, part * r->in_part + i);
        const struct region *region =
            sent ? (const struct region *)(sent + ((const size_t *)sent)[i]) : made;
        failed |= !region || refine_region(r, region, found + (size_t)i * ROOM) != 0;
        free(made);
        if (omp_get_thread_num() == 0 && !has_ended(r)) {
            rc = run_progress(run, run->done);
#pragma omp atomic write
            r->is_ending = rc || run->is_finishing;
        }
    }
    return rc       ? rc
           : failed ? error_set(&run->error, ERROR_INPUT, "not enough memory to search")
                    : 0;
}

/* Refines the parts that this rank takes. */
static int refine_parts(struct run *run, struct regions *r)
{
    uint32_t part;
    int rc = 0;
    while (rc == 0 && run_take(run, &part)) {
        size_t size;
        const uint8_t *sent = r->holds_part ? run_part_input(run, part, &size) : NULL;
        if (r->holds_part && !sent)
            rc = error_set(&run->error, ERROR_INPUT, "not enough memory to search");
        if (rc == 0)
            rc = refine_part(run, r, part, sent);
        if (rc == 0)
            run_give(run, part);
    }
    return run_join(run, rc);
}

/* Puts what was found for a region into the board. */
static void take_found(const struct regions *r, uint32_t number, int32_t *board)
{
    const struct rectangle inner = find_rectangle(r, number);
    const struct region region = region_of(r, &inner);
    const int32_t *found = r->found + (size_t)number * ROOM;
    for (int y = inner.y0; y < inner.y1; y++)
        for (int x = inner.x0; x < inner.x1; x++) {
            const int32_t now = found[(y - region.top) * region.columns + x - region.left];
            board[y * r->p->columns + x] = whole_edge(r, &region, now);
        }
}

/* How many regions a side of that many places has. */
static int regions_along(int places)
{
    return (places + SIDE - 1) / SIDE;
}

/* How many regions a part has: as many for each thread of a rank, but some for each rank. */
static uint32_t find_part_size(const struct run *run, uint32_t count)
{
    const uint32_t ranks = (uint32_t)run_ranks(run), threads = (uint32_t)run->threads;
    if (ranks == 1)
        return count;
    const uint32_t least = (count + PARTS_A_RANK * ranks - 1) / (PARTS_A_RANK * ranks);
    const uint32_t even = (count + ranks - 1) / ranks;
    const uint32_t filled = (least + threads - 1) / threads * threads;
    return filled < even ? filled : even;
}

/* Shares the regions out. */
static int share_regions(void *context)
{
    struct regions *r = context;
    struct run *run = r->run;
    enum shared_work work = SHARED_REGIONS;
    r->in_part = find_part_size(run, r->count);
    /* The struct goes as it is; its pointers mean nothing to others. */
    const struct share share = {.parts = (r->count + r->in_part - 1) / r->in_part,
        .input = {&work, r},
        .input_size = {sizeof(work), sizeof(*r)},
        .part_input = part_regions,
        .result = part_found,
        .context = r};
    const int rc = run_share(run, &share);
    return rc ? rc : refine_parts(run, r);
}

/* Refines all regions, and puts the results into the board. */
static int refine_all(struct run *run, struct regions *r, int32_t *board)
{
    r->found = calloc((size_t)r->count * ROOM, sizeof(*r->found));
    if (!r->found)
        return error_set(&run->error, ERROR_INPUT, "not enough memory to search");
    const int rc = run_is_spread(run) ? share_regions(r) : run_alone(run, share_regions, r);
    for (uint32_t i = 0; rc == 0 && i < r->count; i++)
        take_found(r, i, board);
    free(r->found);
    return rc;
}

/* [tile] where each lies, or NOTHING; free() frees. Returns NULL when memory is short. */
static int32_t *find_places(const int32_t *board, int places, int tiles)
{
    int32_t *at = malloc((size_t)tiles * sizeof(*at));
    for (int i = 0; at && i < tiles; i++)
        at[i] = NOTHING;
    for (int i = 0; at && i < places; i++)
        at[board[i] >> 2] = i;
    return at;
}

int regions_refine(
    struct run *run, const struct problem *p, int steps, uint64_t seed, double end, int32_t *board)
{
    const int places = p->columns * p->rows;
    uint64_t random = seed;
    for (int i = 0; i < places; i++)
        if (board[i] == NOTHING)
            return 0;
    int32_t *before = malloc((size_t)places * sizeof(*before));
    int32_t *at = find_places(board, places, p->c->tiles);
    struct regions r = {.run = run,
        .p = p,
        .board = before,
        .at = at,
        .dx = (int)(random_bits(&random) % (uint64_t)SIDE),
        .seed = seed,
        .steps = steps,
        .end = end,
        .seconds = end > 0 ? end - omp_get_wtime() : 0};
    r.dy = (int)(random_bits(&random) % (uint64_t)SIDE);
    r.across = regions_along(p->columns + r.dx);
    r.count = (uint32_t)(r.across * regions_along(p->rows + r.dy));
    int rc = before && at ? 0 : error_set(&run->error, ERROR_INPUT, "not enough memory to search");
    if (rc == 0) {
        memcpy(before, board, (size_t)places * sizeof(*before));
        rc = refine_all(run, &r, board);
    }
    free(at);
    free(before);
    return rc;
}

int regions_serve(struct run *run)
{
    struct regions r;
    memcpy(&r, run->shared.input[1], sizeof(r));
    r.end = r.end > 0 ? omp_get_wtime() + r.seconds : 0;
    r.holds_part = 1;
    r.found = calloc((size_t)r.in_part * ROOM, sizeof(*r.found));
    if (!r.found)
        return error_set(&run->error, ERROR_INPUT, "not enough memory to search");
    run->shared.result = part_found;
    run->shared.context = &r;
    const int rc = refine_parts(run, &r);
    free(r.found);
    return rc;
}
