/* PAGE: what the tiles of a page cost beside each other, by ink and paper, in place of what
 * COMPATIBILITY makes of colors. */
#include <stdlib.h>

#include "stages/unscramble/compatibility.h"
#include "stages/unscramble/unscramble.h"

/* The partners of an edge of a page among all tiles, each with its cost. */
static int page_partners(
    const struct page *page, const uint8_t *present, int edge, struct partner *all)
{
    const int tile = edge >> 2, side = edge & 3;
    const int64_t unit = page->white > 0 ? page->white : 1;
    int count = 0;
    for (int other = 0; other < page->tiles; other++) {
        const int a = side >= SIDE_RIGHT ? tile : other, b = side >= SIDE_RIGHT ? other : tile;
        if (other == tile || (present && !(present[tile] && present[other])))
            continue;
        const int64_t cost =
            TIE_COST * (int64_t)page->cost[side & 1][(size_t)a * (size_t)page->tiles + (size_t)b] /
            unit;
        all[count++] =
            (struct partner){4 * other + (side ^ 2), cost < FAR_COST ? (int32_t)cost : FAR_COST};
    }
    partners_sort(all, count);
    return count;
}

/* Makes the costs for a page, whose tiles stand as they are; `present` says which are there, NULL:
 * all. Lists `width` partners of each edge. TIE_COST is that of a joint of white and white.
 * Returns 0, or ERROR_INPUT when memory is short. compatibility_free frees. */
static int make_compatibility(const struct page *page, const uint8_t *present, int width,
    struct compatibility *c, struct error *error)
{
    struct partner *all = malloc((size_t)page->tiles * sizeof(*all));
    *c = (struct compatibility){.tiles = page->tiles, .width = width};
    c->list = malloc((size_t)c->tiles * 4 * (size_t)width * sizeof(*c->list));
    c->unlisted = malloc((size_t)c->tiles * 4 * sizeof(*c->unlisted));
    const int ok = all && c->list && c->unlisted;
    for (int e = 0; ok && e < 4 * c->tiles; e++) {
        const int count = page_partners(page, present, e, all);
        for (int i = 0; i < width; i++)
            c->list[(size_t)e * (size_t)width + (size_t)i] =
                i < count ? all[i] : (struct partner){NOTHING, FAR_COST};
        const int32_t last = c->list[(size_t)(e + 1) * (size_t)width - 1].cost;
        c->unlisted[e] = (struct unlisted){(int16_t)last, {NO_COLOR}};
    }
    free(all);
    if (ok)
        return 0;
    compatibility_free(c);
    return error_set(error, ERROR_INPUT, "not enough memory to compare the tiles");
}

static int page_run(struct run *run, struct unscramble *u)
{
    run_notice(run, 0, "a page: its tiles are compared by ink and paper");
    const struct tiling tiling = unscramble_tiling(u);
    const int rc = page_compare(&tiling, &u->page, &run->error);
    return rc ? rc
              : make_compatibility(
                    &u->page, u->present, LISTED_PARTNERS, &u->compatibility, &run->error);
}

const struct unscramble_stage PAGE = {
    .stage = {"page", "compare the tiles of a page, by ink and paper"},
    .run = page_run,
};
