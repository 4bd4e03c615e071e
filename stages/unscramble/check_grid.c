/* Seams that a shuffle makes go through the whole image. A line of the image does so only where all
 * tiles along it happen to go on with it. */
#include "stages/unscramble/check_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/page.h"

#define PAIRS 16384     /* of sides that meet by chance */
#define SPANS 8         /* equal parts of a boundary, */
#define SEEN_SPANS 7    /* of which at least so many look like a seam */
#define NEAR 3          /* pixels up to which seams may be blurred */
#define LEAST_TILES 3   /* along a seam, and beside each other */
#define LEAST_CROSSED 6 /* tiles of a grid with seams inside along both axes */
#define LEAST_PARTS 2   /* ends of tiles that are elsewhere where these have a fractional size */

/* Evidence for each pixel: */
#define SEAM_LEAST 0.15       /* that a seam has at least, */
#define SPAN_LEAST 0.0        /* and each span of one */
#define LEAD 0.3              /* more than nine tenths of the boundaries, or than the grid's own */
#define FRACTIONAL_LEAST 0.05 /* on average, where tiles of a fractional size would end */

/* Whether a boundary has so much evidence and looks like a seam from end to end. */
static int is_seam(const struct boundaries *b, int axis, int boundary, double least_evidence)
{
    const int across = b->size[!axis], width = b->size[X];
    double evidence[SPANS] = {0};
    int seen = 0;
    if (b->evidence[axis][boundary] < least_evidence)
        return 0;
    for (int i = 0; i < across; i++) {
        if (axis == X)
            scratch_pass(b->scratch, (size_t)width * sizeof(**b->looks));
        const size_t place = axis == X ? (size_t)i * (size_t)width + (size_t)boundary
                                       : (size_t)boundary * (size_t)width + (size_t)i;
        evidence[(int64_t)i * SPANS / across] +=
            b->odds[axis][kind_of(boundary)][b->looks[axis][place]];
    }
    for (int i = 0; i < SPANS; i++)
        seen += evidence[i] * SPANS >= SPAN_LEAST * across;
    return seen >= SEEN_SPANS;
}

/* Whether a boundary is none of the grid's, nor the blur of one of these. */
static int is_inside(const struct boundaries *b, int axis, int tile, int boundary)
{
    const int seam = (boundary + tile / 2) / tile * tile, distance = abs(boundary - seam);
    if (distance == 0 || distance >= NEAR)
        return distance > 0;
    return !can_be_judged(b, axis, seam) ||
           b->evidence[axis][boundary] - b->evidence[axis][seam] > LEAD * b->size[!axis];
}

/* The evidence that a seam has at least: in images that were enlarged without mixing pixels many
 * boundaries look like seams. */
static int find_least(
    const struct boundaries *b, int axis, double *least_evidence, struct error *error)
{
    const size_t size = (size_t)b->size[axis];
    double *sorted = malloc((size + 1) * sizeof(*sorted));
    if (!sorted)
        return error_set(error, ERROR_INPUT, "not enough memory to check the grid");
    memcpy(sorted, b->evidence[axis], size * sizeof(*sorted));
    qsort(sorted, size, sizeof(*sorted), compare_doubles);
    *least_evidence =
        fmax(SEAM_LEAST * b->size[!axis], sorted[size * 9 / 10] + LEAD * b->size[!axis]);
    free(sorted);
    return 0;
}

int seams_inside(const struct boundaries *b, int axis, int tile, int count, struct seams *seams,
    struct error *error)
{
    double least_evidence;
    int last_tile = -1;
    *seams = (struct seams){0};
    if (b->is_blocky[axis])
        return 0;
    if (find_least(b, axis, &least_evidence, error))
        return ERROR_INPUT;
    for (int i = 2; i < tile * count && can_be_judged(b, axis, i); i++) {
        if (!is_inside(b, axis, tile, i) || !is_seam(b, axis, i, least_evidence))
            continue;
        seams->first = seams->count ? seams->first : i;
        seams->last = i;
        seams->count++;
        seams->tiles += i / tile != last_tile;
        last_tile = i / tile;
    }
    return 0;
}

/* Ends of tiles that are elsewhere if tiles have a fractional number of pixels, and how many of
 * them are rather seams there. */
struct fractions {
    int count, better;
    double evidence; /* a pixel, there, in all */
};

/* What speaks against a grid along an axis. */
struct doubts {
    struct seams inside;
    struct fractions fractions;
};

static void add_fractions(
    const struct boundaries *b, int axis, int tile, int count, struct fractions *fractions)
{
    const double across = b->size[!axis];
    for (int k = 1; k < count && !b->is_blocky[axis]; k++) {
        const int whole = k * tile;
        const int part = (int)((2 * (int64_t)k * b->size[axis] + count) / (2 * count));
        double most = -INFINITY;
        if (part == whole || !can_be_judged(b, axis, whole))
            continue;
        for (int i = part - 1; i <= part + 1; i++)
            if (i != whole && can_be_judged(b, axis, i) && b->evidence[axis][i] > most)
                most = b->evidence[axis][i];
        fractions->evidence += most / across;
        fractions->better += most - b->evidence[axis][whole] > LEAD * across;
        fractions->count++;
    }
}

static int look(const struct image *image, int axis, int tile, int count, struct doubts *doubts,
    struct error *error)
{
    struct image lines = {0};
    struct boundaries b = {0};
    int rc = lines_take(image, axis, &lines, error);
    if (rc == 0)
        rc = boundaries_measure(&lines, 1 << axis, PAIRS, &b, error);
    if (rc == 0) {
        add_fractions(&b, axis, tile, count, &doubts->fractions);
        rc = seams_inside(&b, axis, tile, count, &doubts->inside, error);
    }
    boundaries_free(&b);
    image_free(&lines);
    return rc;
}

static int are_fractional(struct fractions f)
{
    return f.count >= LEAST_PARTS && 3 * f.better >= 2 * f.count &&
           f.evidence > FRACTIONAL_LEAST * f.count;
}

/* A line of the image is like a seam where the shuffle leaves all tiles along it in one row. That
 * is unlikely where three tiles or more lie there, and it would have to be so in most rows. */
static int are_in_most(const struct doubts *doubts, int count, int across)
{
    const int spared = count / 4 > 1 ? count / 4 : 1;
    return count >= LEAST_TILES && across >= LEAST_TILES && doubts->inside.tiles >= count - spared;
}

int grid_check(const struct image *image, struct grid grid, int tile_width, int tile_height,
    struct grid_check *check, struct error *error)
{
    const int columns = (int)grid.columns, rows = (int)grid.rows;
    struct doubts x = {0}, y = {0};
    *check = (struct grid_check){.fault = GRID_FITS};
    if (page_is(image))
        return 0;
    int rc = look(image, X, tile_width, columns, &x, error);
    if (rc == 0)
        rc = look(image, Y, tile_height, rows, &y, error);
    const struct fractions both = {x.fractions.count + y.fractions.count,
        x.fractions.better + y.fractions.better, x.fractions.evidence + y.fractions.evidence};
    /* Rows and columns are hardly ever left together at once. */
    const int are_crossing =
        x.inside.tiles > 1 && y.inside.tiles > 1 && grid_tiles(grid) >= LEAST_CROSSED;
    if (are_fractional(x.fractions) || are_fractional(y.fractions) || are_fractional(both))
        check->fault = GRID_IS_FRACTIONAL;
    else if (are_crossing || are_in_most(&x, columns, rows))
        *check =
            (struct grid_check){GRID_CUTS_TILES, X, x.inside.first, x.inside.last, 0, {0, 0}, 0};
    else if (are_in_most(&y, rows, columns))
        *check =
            (struct grid_check){GRID_CUTS_TILES, Y, y.inside.first, y.inside.last, 0, {0, 0}, 0};
    return rc;
}
