/* Pixel i of a tile, counted from the seam, differs from the one behind it. If it holds a share s
 * more of the tile beyond the seam, then by s times the difference of the two tiles, for all pixels
 * along the seam; if it holds nothing, by what has nothing to do with that tile. So s is fitted by
 * least squares to every side of a seam. Tiles that are neighbors in the image, too, go on across
 * the seam and seem to have taken something; so nearly all sides have to agree. */
#include "stages/unscramble/bleed.h"

#include <stdint.h>
#include <stdlib.h>

/* Percent of the other tile that a pixel holds more than the one behind it, by pixels from the
 * seam; and percent of the sides where it is so much. What makes an image sharper has it the other
 * way round, as nothing else does. */
static const int LEAST_SHARE[BLEED_MOST] = {6, 4, 4};
#define MIXED_SIDES 80
#define OPPOSED_SIDES 60
#define LEAST_SIDES 4
#define LEAST_STEP 20 /* between the two tiles, on average, in units of `lightness` */
#define MOST_SEAMS 4096
#define REACH (BLEED_MOST + 2) /* pixels that are looked at on either side of a seam */

/* The sides that tell something, and those of them that have taken something of the other tile, or
 * the opposite of it; by pixels from the seam. */
struct sides {
    int count[BLEED_MOST], mixed[BLEED_MOST], opposed[BLEED_MOST];
};

/* From 0 to 1020. */
static int lightness(const struct image *image, int x, int y)
{
    const size_t at = ((size_t)y * (size_t)image->width + (size_t)x) * 4;
    const uint8_t *bytes = (const uint8_t *)image->pixels + at;
    const uint16_t *words = (const uint16_t *)image->pixels + at;
    return image->depth == 16 ? (words[0] >> 8) + 2 * (words[1] >> 8) + (words[2] >> 8)
                              : bytes[0] + 2 * bytes[1] + bytes[2];
}

/* The seam right of a tile, or below it. */
static void look_at_seam(const struct tiling *t, int tile, int below, int most, struct sides *sides)
{
    const int x = tile % t->columns * t->width + (below ? 0 : t->width);
    const int y = tile / t->columns * t->height + (below ? t->height : 0);
    const int length = below ? t->width : t->height;
    int64_t together[2][BLEED_MOST] = {{0}}, square[BLEED_MOST] = {0};
    for (int k = 0; k < length; k++) {
        int pixel[2][REACH]; /* [tile][from the seam] */
        image_pass_row(t->image);
        for (int i = 0; i < most + 2; i++) {
            pixel[0][i] = lightness(t->image, below ? x + k : x - 1 - i, below ? y - 1 - i : y + k);
            pixel[1][i] = lightness(t->image, below ? x + k : x + i, below ? y + i : y + k);
        }
        for (int i = 0; i < most; i++) {
            const int difference = pixel[1][i + 2] - pixel[0][i + 2];
            square[i] += (int64_t)difference * difference;
            together[0][i] += (int64_t)(pixel[0][i] - pixel[0][i + 1]) * difference;
            together[1][i] -= (int64_t)(pixel[1][i] - pixel[1][i + 1]) * difference;
        }
    }
    for (int i = 0; i < most; i++)
        for (int side = 0; side < 2 && square[i] >= (int64_t)LEAST_STEP * LEAST_STEP * length;
             side++) {
            sides->count[i]++;
            sides->mixed[i] += 100 * together[side][i] >= LEAST_SHARE[i] * square[i];
            sides->opposed[i] += -100 * together[side][i] >= LEAST_SHARE[i] * square[i];
        }
}

int bleed_find(const struct tiling *t)
{
    const int shorter = t->width < t->height ? t->width : t->height;
    const int most = shorter / 8 < BLEED_MOST ? shorter / 8 : BLEED_MOST;
    const int tiles = t->columns * t->rows, step = ((2 * tiles - 1) / MOST_SEAMS + 1) | 1;
    int bleed = 0, count[BLEED_MOST] = {0}, mixed[BLEED_MOST] = {0}, opposed[BLEED_MOST] = {0};
#pragma omp parallel for reduction(+ : count, mixed, opposed)
    for (int i = 0; i < (most ? 2 * tiles : 0); i += step) {
        const int below = i % 2, tile = i / 2;
        struct sides sides = {0};
        if (below ? tile + t->columns < tiles : (tile + 1) % t->columns != 0)
            look_at_seam(t, tile, below, most, &sides);
        for (int k = 0; k < most; k++) {
            count[k] += sides.count[k];
            mixed[k] += sides.mixed[k];
            opposed[k] += sides.opposed[k];
        }
    }
    while (bleed < most && count[bleed] >= LEAST_SIDES &&
           (100 * mixed[bleed] >= MIXED_SIDES * count[bleed] ||
               100 * opposed[bleed] >= OPPOSED_SIDES * count[bleed]))
        bleed++;
    return bleed;
}
