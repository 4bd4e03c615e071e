/* PAGE: what the tiles of a page cost beside each other, by ink and paper, in place of what
 * COMPATIBILITY makes of colors. */
#include <stdlib.h>

#include "stages/unscramble/compatibility.h"
#include "stages/unscramble/unscramble.h"

/* The least costs that an edge of a page has with two tiles; NOTHING where there are none. */
struct best_two {
    int32_t tile[2], cost[2];
};

static int32_t pair_cost_of(const struct page *page, int edge, int32_t other)
{
    const int tile = edge >> 2, side = edge & 3;
    const int a = side >= SIDE_RIGHT ? tile : other, b = side >= SIDE_RIGHT ? other : tile;
    return page->cost[side & 1][(size_t)a * (size_t)page->tiles + (size_t)b];
}

static int may_meet(const uint8_t *present, int32_t tile, int32_t other)
{
    return tile != other && !(present && !(present[tile] && present[other]));
}

static struct best_two find_best_two(const struct page *page, const uint8_t *present, int edge)
{
    struct best_two best = {{NOTHING, NOTHING}, {0, 0}};
    for (int32_t other = 0; other < page->tiles; other++) {
        if (!may_meet(present, edge >> 2, other))
            continue;
        const int32_t cost = pair_cost_of(page, edge, other);
        const int is_best = best.tile[0] == NOTHING || cost < best.cost[0];
        if (!is_best && best.tile[1] != NOTHING && cost >= best.cost[1])
            continue;
        best.tile[1] = is_best ? best.tile[0] : other;
        best.cost[1] = is_best ? best.cost[0] : cost;
        best.tile[0] = is_best ? other : best.tile[0];
        best.cost[0] = is_best ? cost : best.cost[0];
    }
    return best;
}

/* What the best partner of an edge costs but for one tile; `none` where there is no other. */
static int64_t rival_cost(const struct best_two *best, int32_t tile, int32_t none)
{
    const int i = best->tile[0] == tile;
    return best->tile[i] != NOTHING ? best->cost[i] : none;
}

/* A tie, less by how much more likely two edges belong together than their best other partners:
 * natural logarithms, the mean of both edges. Less than one of these is a tie, too. */
static int32_t relative_cost(
    const struct page *page, const struct best_two *best, int edge, int32_t other)
{
    const int32_t own = pair_cost_of(page, edge, other);
    const int64_t rivals = rival_cost(&best[edge], other, own) +
                           rival_cost(&best[4 * other + ((edge & 3) ^ 2)], edge >> 2, own);
    const int64_t cost = TIE_COST + (2 * (int64_t)own - rivals) / (2 * PAGE_NAT);
    return cost < 0 ? 0 : cost < FAR_COST ? (int32_t)cost : FAR_COST;
}

/* Lists `width` partners of each edge, by their relative costs. Returns 0, or -1 when memory is
 * short. compatibility_free frees, in either case. */
static int make_compatibility(const struct page *page, const uint8_t *present,
    const struct best_two *best, int width, struct compatibility *c)
{
    const int edges = 4 * page->tiles;
    struct partner *all = malloc((size_t)page->tiles * sizeof(*all));
    *c = (struct compatibility){.tiles = page->tiles, .width = width};
    c->list = malloc((size_t)edges * (size_t)width * sizeof(*c->list));
    c->unlisted = malloc((size_t)edges * sizeof(*c->unlisted));
    const int ok = all && c->list && c->unlisted;
    for (int e = 0; ok && e < edges; e++) {
        int count = 0;
        for (int32_t other = 0; other < page->tiles; other++)
            if (may_meet(present, e >> 2, other))
                all[count++] = (struct partner){
                    4 * other + ((e & 3) ^ 2), relative_cost(page, best, e, other)};
        partners_sort(all, count);
        for (int i = 0; i < width; i++)
            c->list[(size_t)e * (size_t)width + (size_t)i] =
                i < count ? all[i] : (struct partner){NOTHING, FAR_COST};
        const int32_t last = c->list[(size_t)(e + 1) * (size_t)width - 1].cost;
        c->unlisted[e] = (struct unlisted){(int16_t)last, {NO_COLOR}};
    }
    free(all);
    return ok ? 0 : -1;
}

/* Whether hardly any edges of many tiles fit each other best, as in a photograph of a thing before
 * a white wall, which looks like a page, too. */
static int is_lost(const struct best_two *best, struct grid grid)
{
    enum { LOST_BUDDIES = 5 }; /* percent of the edges that meet others */
    const int64_t columns = grid.columns, rows = grid.rows, tiles = columns * rows;
    const int64_t inner = 2 * (2 * tiles - columns - rows);
    int64_t buddies = 0;
    if (tiles <= SEARCH_TILES || columns == 1 || rows == 1)
        return 0;
    for (int e = 0; e < 4 * tiles; e++) {
        const int32_t first = best[e].tile[0];
        buddies += first != NOTHING && best[4 * first + ((e & 3) ^ 2)].tile[0] == e >> 2;
    }
    return 100 * buddies < LOST_BUDDIES * inner;
}

static int page_run(struct run *run, struct unscramble *u)
{
    run_notice(run, 0, "a page: its tiles are compared by ink and paper");
    const struct tiling tiling = unscramble_tiling(u);
    const int edges = 4 * (int)grid_tiles(u->grid);
    struct best_two *best = malloc((size_t)edges * sizeof(*best));
    int rc = page_compare(&tiling, &u->page, &run->error);
    for (int e = 0; rc == 0 && best && e < edges; e++)
        best[e] = find_best_two(&u->page, u->present, e);
    if (rc == 0 && best && is_lost(best, u->grid)) {
        run_notice(run, 0, "no page: ink and paper tell nothing");
        page_free(&u->page);
        rc = unscramble_undo_turns(run, u);
    } else if (rc == 0 && (!best || make_compatibility(&u->page, u->present, best, LISTED_PARTNERS,
                                        &u->compatibility))) {
        compatibility_free(&u->compatibility);
        rc = error_set(&run->error, ERROR_INPUT, "not enough memory to compare the tiles");
    }
    free(best);
    return rc;
}

const struct unscramble_stage PAGE = {
    .stage = {"page", "compare the tiles of a page, by ink and paper"},
    .run = page_run,
};
