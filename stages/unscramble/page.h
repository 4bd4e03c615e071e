/* Pages: writing, print and drawings on paper of one color. What their seams cost. */
#ifndef PAGE_H
#define PAGE_H

#include "stages/unscramble/tiling.h"

/* Where there are more, the sums over all pairs would take long. */
#define PAGE_MAX_TILES 1024
#define PAGE_LEAST_SIDE 12 /* pixels of a tile, to learn what seams look like inside of it */
#define PAGE_NAT 256       /* what likelihood costs, for each natural logarithm of it */

/* The costs of all pairs; a zeroed one holds nothing. Only the differences of costs of one page
 * mean something: a joint of white and white costs as much as two white edges at the border. */
struct page {
    int tiles;
    int32_t *cost[2];  /* of b beside, and below, a: [a][b], from 0 on */
    uint8_t *is_blank; /* [tile] it has no ink */
    int32_t white;     /* the cost of a joint of white and white */
};

/* A page has two tones: Otsu's threshold leaves at most a quarter of its pixels as ink, the two
 * classes explain at least 78 percent of the variance of its gray values, and the deviation of the
 * paper is at most 15 percent of the contrast. And its ink is fine, as strokes of writing are: runs
 * of it along rows and columns are at most 0.5 percent of the side of a square of the page's area
 * long in the mean. So a bright photograph is hardly ever one. docs/bench/margins.md has how that
 * share was chosen. */
int page_is(const struct image *image);

/* The gray value of a pixel of an image of four channels, 0 to 255. */
static inline int page_gray(const struct image *image, size_t pixel)
{
    const size_t at = 4 * pixel;
    return (2 * image_sample(image, at) + 5 * image_sample(image, at + 1) +
               image_sample(image, at + 2)) >>
           (image->depth - 8 + 3);
}

/* Finds which gray values of an image are ink, the smaller class of Otsu's. Returns the mean length
 * in pixels of runs of ink along rows and along columns, INFINITY where there are none. */
double page_find_ink(const struct image *image, uint8_t is_ink[256]);

/* The natural logarithm of a positive number, the same everywhere. */
double page_logarithm(double x);

/* Compares the inner pixels of all tiles, at most PAGE_MAX_TILES.
 *
 * What a seam looks like, the page itself teaches. Each line of pixels that meets a seam has a
 * state on either side of it: the pixels next to the seam if there is ink among them, else how far
 * the next ink is; and how light the paper is there. Inside of tiles, at seams that are none, the
 * states that meet are counted; and so are those of different tiles, which do not belong together.
 * The logarithm of the ratio of their frequencies, summed over all lines, says how much more likely
 * two edges belong together than not; lines that meet no ink at the seam count little, since all of
 * them cross the same gap. White edges say nothing. Ink at the border of the image is unlikely,
 * unless it is only a detail of a page, cut through its lines: then more than one pixel in 200 at
 * the border is ink, whichever tiles lie there.
 *
 * Sums are of integers and logarithms of + - * /, so that costs are the same everywhere. Returns 0,
 * or ERROR_INPUT when memory is short. page_free frees. */
int page_compare(const struct tiling *tiling, struct page *page, struct error *error);
void page_free(struct page *page);

#endif
