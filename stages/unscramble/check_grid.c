/* Seams that a shuffle makes go through the whole image. A line of the image does so only where all
 * tiles along it happen to go on with it. */
#include "stages/unscramble/check_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/page.h"

#define SAMPLES 256    /* lines of pixels, at most, that are looked at each way */
#define PAIRS 16384    /* of sides that meet by chance */
#define SPANS 8        /* equal parts of a boundary, */
#define SEEN_SPANS 7   /* of which at least so many look like a seam */
#define NEAR 3         /* pixels up to which seams may be blurred */
#define LEAST_TILES 3  /* along a seam */
#define INSIDE_SEAMS 2 /* that speak against a grid */

/* Evidence for each pixel, at least, of a boundary that is a seam and of each span of it; of where
 * tiles of a fractional size would end; and by which these exceed a boundary of the grid. */
#define SEAM_LEAST 0.15
#define SPAN_LEAST 0.0
#define FRACTIONAL_LEAST 0.05
#define LEAD 0.3

/* Whether a boundary looks like a seam from end to end. */
static int is_seam(const struct boundaries *b, int axis, int boundary)
{
    const int across = b->size[!axis], width = b->size[X];
    double evidence[SPANS] = {0};
    int seen = 0;
    if (b->evidence[axis][boundary] < SEAM_LEAST * across)
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

int seams_inside(const struct boundaries *b, int axis, int tile, int count, int *first, int *last)
{
    int seams = 0;
    for (int i = 2; !b->is_blocky[axis] && i < tile * count && can_be_judged(b, axis, i); i++) {
        if (!is_inside(b, axis, tile, i) || !is_seam(b, axis, i))
            continue;
        *first = seams ? *first : i;
        *last = i;
        seams++;
    }
    return seams;
}

/* Whether seams are nearer to where tiles of a fractional number of pixels would end. */
static int is_fractional(const struct boundaries *b, int axis, int tile, int count)
{
    const double across = b->size[!axis];
    double found = 0, lead = 0;
    int differ = 0;
    for (int k = 1; k < count && !b->is_blocky[axis]; k++) {
        const int whole = k * tile;
        const int part = (int)((2 * (int64_t)k * b->size[axis] + count) / (2 * count));
        double most = -INFINITY;
        if (part == whole || !can_be_judged(b, axis, whole))
            continue;
        for (int i = part - 1; i <= part + 1; i++)
            if (i != whole && can_be_judged(b, axis, i) && b->evidence[axis][i] > most)
                most = b->evidence[axis][i];
        found += most / across;
        lead += (most - b->evidence[axis][whole]) / across;
        differ++;
    }
    return lead > LEAD * differ && found > FRACTIONAL_LEAST * differ;
}

/* Takes lines of pixels along an axis, evenly spread, at most SAMPLES of them. */
static int take_lines(const struct image *image, int axis, struct image *lines, struct error *error)
{
    const size_t pixel = image_pixel_size(image);
    const int across = axis == X ? image->height : image->width, count = least(across, SAMPLES);
    const int rc = image_new(axis == X ? image->width : count, axis == X ? count : image->height,
        image->channels, image->depth, lines, error);
    char *to = lines->pixels;
    for (int y = 0; rc == 0 && y < lines->height; y++) {
        const int row = axis == X ? (int)((int64_t)y * across / count) : y;
        const char *from = (const char *)image->pixels + (size_t)row * (size_t)image->width * pixel;
        image_pass_row(image);
        if (axis == X) {
            memcpy(to, from, (size_t)image->width * pixel);
            to += (size_t)image->width * pixel;
            continue;
        }
        for (int x = 0; x < count; x++, to += pixel)
            memcpy(to, from + (size_t)((int64_t)x * across / count) * pixel, pixel);
    }
    return rc;
}

static int check_axis(const struct image *image, int axis, int tile, int count, int across,
    struct grid_check *check, struct error *error)
{
    struct image lines = {0};
    struct boundaries b = {0};
    int rc = take_lines(image, axis, &lines, error), first = 0, last = 0;
    if (rc == 0)
        rc = boundaries_measure(&lines, 1 << axis, PAIRS, &b, error);
    if (rc == 0 && is_fractional(&b, axis, tile, count))
        check->fault = GRID_IS_FRACTIONAL;
    else if (rc == 0 && count > 1 && across >= LEAST_TILES &&
             seams_inside(&b, axis, tile, count, &first, &last) >= INSIDE_SEAMS)
        *check = (struct grid_check){GRID_CUTS_TILES, axis, first, last};
    boundaries_free(&b);
    image_free(&lines);
    return rc;
}

int grid_check(const struct image *image, struct grid grid, int tile_width, int tile_height,
    struct grid_check *check, struct error *error)
{
    const int columns = (int)grid.columns, rows = (int)grid.rows;
    *check = (struct grid_check){GRID_FITS, X, 0, 0};
    int rc = 0;
    if (page_is(image))
        return 0;
    rc = check_axis(image, X, tile_width, columns, rows, check, error);
    if (rc == 0 && check->fault == GRID_FITS)
        rc = check_axis(image, Y, tile_height, rows, columns, check, error);
    return rc;
}
