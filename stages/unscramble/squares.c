#include "stages/unscramble/squares.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    ENOUGH_BUDDIES = 96, /* percent of the edges that meet others */
    ENOUGH_CORNERS = 85, /* percent of the corners that meet others */
    GAP_PERCENT = 2,     /* by which steps are larger across a gap, at least */
    FEW_SQUARES = 6      /* if less than one in so many corners is one */
};

/* The edge that is an edge's best partner and has it as its own best, or NOTHING. */
static int32_t buddy_of(const struct compatibility *c, int32_t edge)
{
    const int32_t best = partners_of(c, edge)->edge;
    return best != NOTHING && partners_of(c, best)->edge == edge ? best : NOTHING;
}

/* Whether the corner of a tile at the end of an edge belongs to a square: whoever goes from an edge
 * to its buddy and to the edge before that one, clockwise, is back at the start after doing so four
 * times, and not before: two turned tiles that mirror each other are no square. */
static int is_corner(const struct compatibility *c, int32_t edge)
{
    int32_t at = edge;
    for (int i = 0; i < 4 && at != NOTHING; i++) {
        const int32_t buddy = buddy_of(c, at);
        at = buddy == NOTHING ? NOTHING : (buddy & ~3) | ((buddy - 1) & 3);
        if (i < 3 && at == edge)
            return 0;
    }
    return at == edge;
}

static int count_corners(const struct compatibility *c)
{
    int count = 0;
#pragma omp parallel for reduction(+ : count)
    for (int32_t e = 0; e < 4 * c->tiles; e++)
        count += is_corner(c, e);
    return count;
}

int squares_have_gap(const struct compatibility *c, const struct strips *strips, int is_jpeg)
{
    int64_t across = 0, inside = 0, corners = 0, listed = 0;
#pragma omp parallel for reduction(+ : across, inside, corners, listed)
    for (int32_t e = 0; e < 4 * c->tiles; e++) {
        listed += partners_of(c, e)->edge != NOTHING;
        if (!is_corner(c, e))
            continue;
        corners++;
        const int length = strips->length[e & 1];
        const int16_t *outer = strip_of(strips, e, 0), *inner = strip_of(strips, e, 1);
        const int16_t *other = strip_of(strips, buddy_of(c, e), 0);
        for (int i = 0; i < 3 * length; i++) {
            const int channel = i / length * length, pixel = i % length;
            across += abs(outer[i] - other[channel + length - 1 - pixel]);
            inside += abs(outer[i] - inner[i]);
        }
    }
    return 100 * across >= (100 + GAP_PERCENT) * inside &&
           (!is_jpeg || FEW_SQUARES * corners < listed);
}

/* The edges that meet others in a grid. */
static int64_t count_inner(int columns, int rows)
{
    return 2 * ((int64_t)2 * columns * rows - columns - rows);
}

int squares_are_enough(const struct compatibility *c, int columns, int rows)
{
    const int64_t inner = count_inner(columns, rows);
    const int64_t all_corners = 4 * (int64_t)(columns - 1) * (rows - 1), edges = 4 * c->tiles;
    int64_t listed = 0, buddies = 0;
#pragma omp parallel for reduction(+ : listed, buddies)
    for (int32_t e = 0; e < edges; e++) {
        listed += partners_of(c, e)->edge != NOTHING;
        buddies += buddy_of(c, e) != NOTHING;
    }
    return 100 * buddies * edges >= ENOUGH_BUDDIES * inner * listed &&
           100 * count_corners(c) * edges >= ENOUGH_CORNERS * all_corners * listed;
}

void squares_find_open(const struct compatibility *c, uint8_t *is_open)
{
#pragma omp parallel for
    for (int32_t tile = 0; tile < c->tiles; tile++) {
        int corners = 0;
        for (int side = 0; side < SIDES; side++)
            corners += is_corner(c, SIDES * tile + side);
        is_open[tile] = corners < SIDES;
    }
}

void squares_keep_settled(
    const struct compatibility *before, const uint8_t *is_open, struct compatibility *made)
{
    const size_t width = (size_t)made->width;
    assert(before->tiles == made->tiles && before->width == made->width);
#pragma omp parallel for
    for (int32_t e = 0; e < SIDES * made->tiles; e++) {
        const int32_t buddy = buddy_of(before, e);
        if (is_open[e / SIDES] && (buddy == NOTHING || is_open[buddy / SIDES]))
            continue;
        memcpy(made->list + (size_t)e * width, partners_of(before, e), width * sizeof(*made->list));
        made->unlisted[e] = before->unlisted[e];
    }
}

int squares_are_more(const struct compatibility *c, const struct compatibility *before)
{
    return count_corners(c) > count_corners(before);
}
