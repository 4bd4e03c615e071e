/* The evidence of whole lines chooses sizes of tiles; grids of these are tried with each other. */
#include "stages/unscramble/find_grid.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/boundaries.h"
#include "stages/unscramble/check_grid.h"
#include "stages/unscramble/page.h"
#include "stages/unscramble/scaled_grid.h"

#define SIZES 4 /* tile sizes of each axis that are tried with each other */
#define TRIALS (2 * SIZES * SIZES)

/* A guess is sure if each axis has SEAM_SHARE of evidence per pixel of its seams, and if every
 * other grid is behind by SURE_MARGIN per pixel of the seams that only one of the two has; these
 * must lie along SURE_EDGES edges of tiles, where one that is seen counts for EDGE_SEEN that are
 * not. */
#define SURE_MARGIN 0.25
#define SURE_EDGES 4
#define EDGE_SEEN 6

/* A guess is likely from these values on, in evidence per pixel of seams, if it has several columns
 * and rows: where seams are seen along one axis only, JPEG may have hidden those of the other. It
 * may also hide seams within its blocks, so grids with further seams must be farther behind
 * (docs/bench/grid.md). */
#define LIKELY_SHARE 0.1
#define LIKELY_MARGIN 0.1
#define LIKELY_MARGIN_FURTHER 0.2

/* A candidate, with its evidence along each axis. */
struct trial {
    struct grid_candidate candidate;
    double evidence[AXES];
};

/* The sizes of tiles along an axis with the most evidence in whole lines, the best first, the whole
 * image first of equals. Returns how many. */
static int choose_sizes(const struct boundaries *b, int axis, int *sizes)
{
    const int size = b->size[axis];
    double evidence[SIZES + 1];
    int found[SIZES + 1] = {size}, count = 1;
    evidence[0] = 0;
    for (int tile = size / 2; tile >= GRID_MIN_TILE; tile--) {
        double sum = 0, most = -INFINITY;
        for (int k = 1; k * tile <= size; k++) {
            sum += can_be_judged(b, axis, k * tile) ? b->evidence[axis][k * tile] : 0;
            most = size / k == tile && sum > most ? sum : most;
        }
        if (most == -INFINITY) /* no count of tiles gives this size */
            continue;
        int place = count;
        for (; place > 0 && most > evidence[place - 1]; place--) {
            evidence[place] = evidence[place - 1];
            found[place] = found[place - 1];
        }
        evidence[place] = most;
        found[place] = tile;
        count += count < SIZES;
    }
    memcpy(sizes, found, (size_t)count * sizeof(*sizes));
    return count;
}

/* The two best grids of a size of tiles; of equals that with more tiles. sums has room for a row of
 * tiles, at least two, and half as much again: the evidence of the seams right of and below each
 * tile, up to there, and of single seams. */
static void try_grids(const struct boundaries *b, int tile_width, int tile_height,
    double (*sums)[AXES], struct trial *best)
{
    const int width = b->size[X], height = b->size[Y];
    const int columns = width / tile_width, rows = height / tile_height;
    double *right = sums[columns]; /* of each tile of the row, the seam right of it */
    best[0] = best[1] = (struct trial){.candidate.evidence = -INFINITY};
    memset(sums, 0, (size_t)columns * sizeof(*sums));
    for (int row = 1; row <= rows; row++) {
        double so_far[AXES] = {0};
        memset(right, 0, (size_t)columns * sizeof(*right));
        for (int i = (row - 1) * tile_height; i < row * tile_height; i++) {
            const uint16_t *looks = b->looks[X] + (size_t)i * (size_t)width;
            scratch_pass(b->scratch, (size_t)width * sizeof(*looks));
            for (int k = 0, x = tile_width; can_be_judged(b, X, x); k++, x += tile_width)
                right[k] += b->odds[X][kind_of(x)][looks[x]];
        }
        for (int column = 1; column <= columns; column++) {
            const int x = column * tile_width, y = row * tile_height;
            so_far[X] += right[column - 1];
            if (can_be_judged(b, Y, y))
                for (int i = x - tile_width; i < x; i++)
                    so_far[Y] +=
                        b->odds[Y][kind_of(y)][b->looks[Y][(size_t)y * (size_t)width + (size_t)i]];
            double *sum = sums[column - 1];
            sum[X] += so_far[X];
            sum[Y] += so_far[Y];
            if (width / column != tile_width || height / row != tile_height)
                continue;
            const struct trial trial = {{{(uint32_t)column, (uint32_t)row}, (uint32_t)tile_width,
                                            (uint32_t)tile_height, sum[X] + sum[Y]},
                {sum[X], sum[Y]}};
            if (trial.candidate.evidence >= best[0].candidate.evidence) {
                best[1] = best[0];
                best[0] = trial;
            } else if (trial.candidate.evidence >= best[1].candidate.evidence) {
                best[1] = trial;
            }
        }
    }
}

static int compare_trials(const void *a, const void *b)
{
    const struct grid_candidate *p = &((const struct trial *)a)->candidate;
    const struct grid_candidate *q = &((const struct trial *)b)->candidate;
    if (p->evidence != q->evidence)
        return p->evidence > q->evidence ? -1 : 1;
    const uint64_t m = (uint64_t)p->tile_width * p->tile_height,
                   n = (uint64_t)q->tile_width * q->tile_height;
    if (m != n)
        return m > n ? -1 : 1;
    return (grid_tiles(p->grid) < grid_tiles(q->grid)) -
           (grid_tiles(p->grid) > grid_tiles(q->grid));
}

static int64_t common_multiple(int64_t a, int64_t b)
{
    int64_t divisor = a, rest = b;
    while (rest) {
        const int64_t next = divisor % rest;
        divisor = rest;
        rest = next;
    }
    return a / divisor * b;
}

static int tile_size(const struct grid_candidate *c, int axis)
{
    return (int)(axis == X ? c->tile_width : c->tile_height);
}

/* The pixels of that part of an axis that is tiles. */
static int tiled(const struct grid_candidate *c, int axis)
{
    return (int)(axis == X ? c->grid.columns : c->grid.rows) * tile_size(c, axis);
}

/* The pixels of the seams between the tiles of an axis that two grids share, or one with itself. */
static double seams_shared(const struct boundaries *b, int axis, const struct grid_candidate *p,
    const struct grid_candidate *q)
{
    const int end = least(least(tiled(p, axis), tiled(q, axis)), b->size[axis] - 2);
    const int64_t lines = end / common_multiple(tile_size(p, axis), tile_size(q, axis));
    return (double)lines * least(tiled(p, !axis), tiled(q, !axis));
}

/* How clearly the best grid is seen, and how far it leads. */
struct lead {
    double share[AXES];    /* evidence per pixel of its seams along an axis; 1 where it has none */
    double share_of_all;   /* the same of both axes together */
    double margin;         /* its least lead, per pixel of the seams that only one grid has */
    double margin_further; /* its least lead over grids with seams that it has not, likewise */
    double edges;          /* the fewest edges of tiles along seams that only one grid has. Its own
                            * count EDGE_SEEN times: a seam that is not seen tells little, since
                            * some tiles fit by chance */
};

static struct lead measure_lead(const struct boundaries *b, const struct trial *trials, int count)
{
    const struct grid_candidate *first = &trials->candidate;
    struct lead lead = {.margin = INFINITY, .margin_further = INFINITY, .edges = INFINITY};
    double all = 0;
    for (int axis = 0; axis < AXES; axis++) {
        const double pixels = seams_shared(b, axis, first, first);
        lead.share[axis] = pixels > 0 ? trials->evidence[axis] / pixels : 1;
        all += pixels;
    }
    lead.share_of_all = all > 0 ? first->evidence / all : 0;
    for (int i = 1; i < count; i++) {
        const struct grid_candidate *other = &trials[i].candidate;
        double own = 0, further = 0, edges = 0; /* pixels of seams that only one of the two has */
        for (int axis = 0; axis < AXES; axis++) {
            const double both = seams_shared(b, axis, first, other);
            const double only_first = seams_shared(b, axis, first, first) - both;
            const double only_other = seams_shared(b, axis, other, other) - both;
            own += only_first;
            further += only_other;
            edges += only_first / tile_size(first, !axis) * EDGE_SEEN +
                     only_other / tile_size(other, !axis);
        }
        const double pixels = own + further;
        const double margin = pixels > 0 ? (first->evidence - other->evidence) / pixels : 0;
        lead.margin = fmin(margin, lead.margin);
        lead.margin_further = further > 0 ? fmin(margin, lead.margin_further) : lead.margin_further;
        lead.edges = fmin(edges, lead.edges);
    }
    return lead;
}

/* Of strips, seams that are not seen at the end may be those of further tiles, where there is room
 * for some. */
static int leads_surely(
    const struct boundaries *b, const struct grid_candidate *first, const struct lead *lead)
{
    int sure = grid_tiles(first->grid) > 1 && lead->edges >= SURE_EDGES;
    for (int axis = 0; axis < AXES; axis++)
        sure &= (tiled(first, !axis) > tile_size(first, !axis) ||
                    b->size[axis] - tiled(first, axis) < tile_size(first, axis)) &&
                !b->is_blocky[axis] && lead->share[axis] >= SEAM_SHARE;
    return sure && lead->margin >= SURE_MARGIN;
}

static int leads_likely(const struct grid_candidate *first, const struct lead *lead)
{
    return first->grid.columns > 1 && first->grid.rows > 1 && lead->share_of_all >= LIKELY_SHARE &&
           lead->margin >= LIKELY_MARGIN && lead->margin_further >= LIKELY_MARGIN_FURTHER;
}

/* Whether other boundaries than the grid's look like seams, too, as lines of pages do. */
static int has_other_seams(
    const struct boundaries *b, const struct grid_candidate *c, int *has, struct error *error)
{
    int rc = 0, count = 0;
    for (int axis = 0; rc == 0 && axis < AXES; axis++) {
        const int size = tile_size(c, axis), tiles = tiled(c, axis) / size;
        struct seams seams = {0};
        if (tiles > 1)
            rc = seams_inside(b, axis, size, tiles, &seams, error);
        count += seams.count;
    }
    *has = count > 1;
    return rc;
}

/* Tries all sizes of tiles with each other. Returns how many grids there are, or 0 when memory is
 * short. */
static int make_trials(const struct boundaries *b, struct trial trials[TRIALS], struct error *error)
{
    const int rooms = least(omp_get_max_threads(), SIZES * SIZES);
    const size_t room = (size_t)(b->size[X] > b->size[Y] ? b->size[X] : b->size[Y]) + 1;
    double(*sums)[AXES] = scratch_new(b->scratch, (size_t)rooms * room * sizeof(*sums), error);
    int sizes[AXES][SIZES], size_count[AXES], count = 0;
    for (int axis = 0; axis < AXES; axis++)
        size_count[axis] = choose_sizes(b, axis, sizes[axis]);
    const int pairs = sums ? size_count[X] * size_count[Y] : 0;
#pragma omp parallel for num_threads(rooms) schedule(dynamic)
    for (int i = 0; i < pairs; i++)
        try_grids(b, sizes[X][i / size_count[Y]], sizes[Y][i % size_count[Y]],
            sums + (size_t)omp_get_thread_num() * room, trials + 2 * i);
    for (int i = 0; i < 2 * pairs; i++)
        if (trials[i].candidate.grid.columns)
            trials[count++] = trials[i];
    scratch_free(b->scratch, sums);
    return count;
}

/* Blurred seams are seen in part or not at all where pixels are taken alone. What they tell comes
 * first. */
static int add_scaled(const struct image *image, struct grid_guess *guess, struct error *error)
{
    struct scaled_grid scaled;
    const int rc = scaled_grid_find(image, (struct grid){0}, &scaled, error);
    uint32_t place = 0;
    if (rc || !grid_tiles(scaled.grid))
        return rc;
    while (place < guess->count && (guess->candidates[place].grid.columns != scaled.grid.columns ||
                                       guess->candidates[place].grid.rows != scaled.grid.rows))
        place++;
    guess->is_sure = guess->is_likely = 1;
    if (place == 0)
        return 0;
    guess->count += place == guess->count && guess->count < GRID_CANDIDATES;
    memmove(guess->candidates + 1, guess->candidates,
        (size_t)least((int)place, (int)guess->count - 1) * sizeof(*guess->candidates));
    guess->candidates[0] =
        (struct grid_candidate){scaled.grid, (uint32_t)image->width / scaled.grid.columns,
            (uint32_t)image->height / scaled.grid.rows, scaled.evidence};
    return 0;
}

int grid_find(const struct image *image, struct grid_guess *guess, struct error *error)
{
    struct boundaries b;
    struct trial trials[TRIALS];
    int has_others = 0, rc = boundaries_measure(image, 1 << X | 1 << Y, MOST_PAIRS, &b, error);
    const int count = rc ? 0 : make_trials(&b, trials, error);
    if (rc == 0 && !count)
        rc = ERROR_INPUT;
    if (rc == 0) {
        qsort(trials, (size_t)count, sizeof(*trials), compare_trials);
        memset(guess, 0, sizeof(*guess));
        const struct lead lead = measure_lead(&b, trials, count);
        const int is_sure = leads_surely(&b, &trials->candidate, &lead);
        const int is_likely = is_sure || leads_likely(&trials->candidate, &lead);
        if (is_likely)
            rc = has_other_seams(&b, &trials->candidate, &has_others, error);
        guess->is_likely = is_likely && (!has_others || page_is(image));
        guess->is_sure = is_sure && guess->is_likely;
        guess->count = (uint32_t)least(count, GRID_CANDIDATES);
        for (uint32_t i = 0; i < guess->count; i++)
            guess->candidates[i] = trials[i].candidate;
    }
    boundaries_free(&b);
    return rc ? rc : add_scaled(image, guess, error);
}
