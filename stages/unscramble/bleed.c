/* Let pixel i of a tile, counted from the seam, hold a share s more of the tile beyond the seam
 * than pixel i + 1 does. Then pixel i - pixel i+1 = s x (the other tile - its own), all along the
 * seam. So s is fitted to each side of a seam by least squares, where the tiles are what their
 * pixels i + 2 are. In a texture, and where tiles are neighbors in the image, too, s is not 0
 * either, but as large farther in: what counts is how much larger it is at the seam. */
#include "stages/unscramble/bleed.h"

#include <stdint.h>

/* Percent by which s is larger than farther in, by pixels from the seam, and percent of the sides
 * where it is. What makes an image sharper does the opposite. */
static const int LEAST_SHARE[BLEED_MOST] = {5, 4, 4};
#define AGREEING_SIDES 65
#define LEAST_SIDES 4
#define LEAST_STEP 20 /* between the two tiles, on average, in units of `lightness` */
#define MOST_SEAMS 4096
#define FARTHER_IN 5           /* pixels from the seam; less in small tiles */
#define REACH (FARTHER_IN + 3) /* pixels that are looked at on either side of a seam */

/* From 0 to 1020. */
static int lightness(const struct image *image, int x, int y)
{
    const size_t at = ((size_t)y * (size_t)image->width + (size_t)x) * 4;
    return image_sample_8(image, at) + 2 * image_sample_8(image, at + 1) +
           image_sample_8(image, at + 2);
}

/* Looks at the seam right of a tile, or below it, as deep as `most` pixels, against `inner` pixels
 * from it. Counts, for each depth, the sides that tell something, and those of them that have taken
 * something of the other tile, or the opposite of it. */
static void look_at_seam(const struct tiling *t, int tile, int below, int most, int inner,
    int *count, int *mixed, int *opposed)
{
    const int x = tile % t->columns * t->width + (below ? 0 : t->width);
    const int y = tile / t->columns * t->height + (below ? t->height : 0);
    const int length = below ? t->width : t->height;
    int64_t products[2][FARTHER_IN + 1] = {{0}}, square[FARTHER_IN + 1] = {0};
    for (int k = 0; k < length; k++) {
        int pixel[2][REACH]; /* [tile][from the seam] */
        image_pass_row(t->image);
        for (int i = 0; i < inner + 3; i++) {
            pixel[0][i] = lightness(t->image, below ? x + k : x - 1 - i, below ? y - 1 - i : y + k);
            pixel[1][i] = lightness(t->image, below ? x + k : x + i, below ? y + i : y + k);
        }
        for (int i = 0; i <= inner; i++) {
            const int difference = pixel[1][i + 2] - pixel[0][i + 2];
            square[i] += (int64_t)difference * difference;
            products[0][i] += (int64_t)(pixel[0][i] - pixel[0][i + 1]) * difference;
            products[1][i] -= (int64_t)(pixel[1][i] - pixel[1][i + 1]) * difference;
        }
    }
    const int64_t least = (int64_t)LEAST_STEP * LEAST_STEP * length;
    for (int i = 0; i < most && square[inner] >= least; i++)
        for (int side = 0; side < 2 && square[i] >= least; side++) {
            const double share = 100.0 * (double)products[side][i] / (double)square[i];
            const double usual = 100.0 * (double)products[side][inner] / (double)square[inner];
            count[i]++;
            mixed[i] += share - usual >= LEAST_SHARE[i];
            opposed[i] += usual - share >= LEAST_SHARE[i];
        }
}

int bleed_find(const struct tiling *t)
{
    const int shorter = t->width < t->height ? t->width : t->height;
    const int most = shorter / 8 < BLEED_MOST ? shorter / 8 : BLEED_MOST;
    const int inner = shorter / 2 - 3 < FARTHER_IN ? shorter / 2 - 3 : FARTHER_IN;
    /* An odd step meets seams of both directions. */
    const int tiles = t->columns * t->rows, step = ((2 * tiles - 1) / MOST_SEAMS + 1) | 1;
    int bleed = 0, count[BLEED_MOST] = {0}, mixed[BLEED_MOST] = {0}, opposed[BLEED_MOST] = {0};
    if (!most)
        return 0;
#pragma omp parallel for reduction(+ : count, mixed, opposed)
    for (int i = 0; i < 2 * tiles; i += step) {
        const int below = i % 2, tile = i / 2;
        if (below ? tile + t->columns < tiles : (tile + 1) % t->columns != 0)
            look_at_seam(t, tile, below, most, inner, count, mixed, opposed);
    }
    while (bleed < most && count[bleed] >= LEAST_SIDES &&
           (100 * mixed[bleed] >= AGREEING_SIDES * count[bleed] ||
               100 * opposed[bleed] >= AGREEING_SIDES * count[bleed]))
        bleed++;
    return bleed;
}
