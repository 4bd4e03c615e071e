/* Let pixel i of a tile, counted from the seam, hold a share s more of the tile beyond the seam
 * than pixel i + 1 does. Then pixel i - pixel i+1 = s x (the other tile - its own), all along the
 * seam. So s is fitted to each side of a seam by least squares, where the tiles are what their
 * pixels i + 2 are. In a texture s is not 0 either, but as large farther in: what counts is how much
 * larger it is at the seam. Where tiles are neighbors in the image, too, as in one that is in order
 * or nearly so, s is large at the seam by nature: seams across which the image seems to go on tell
 * nothing. */
#include "stages/unscramble/bleed.h"

#include <stdint.h>

/* Percent by which s is larger than farther in, by pixels from the seam, and percent of the sides
 * where it is. What makes an image sharper does the opposite. */
static const int LEAST_SHARE[BLEED_MOST] = {5, 4, 4};
#define AGREEING_SIDES 65
#define LEAST_SIDES 4
#define LEAST_STEP 20 /* between the two tiles, on average, in units of `lightness` */
/* Squares of differences across a seam are so much larger than within its tiles, over the same
 * distance, where these do not belong together; and as percent, so are at least those of all seams.
 * In order, 27 of 28 photographs in tiles of 14 to 56 pixels have at most 113 percent, and pages in
 * tiles of 28 to 168 at most 129; shuffled and blurred, photographs have 180 and more, and most
 * pages 138. */
#define LARGER 2
#define LARGER_PERCENT 130
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

/* What the seams tell. Of each depth: the sides that tell something, and those of them that have
 * taken something of the other tile, or the opposite of it. */
struct seams {
    int64_t across, inside; /* squares of differences, over the same distance */
    int count[BLEED_MOST], mixed[BLEED_MOST], opposed[BLEED_MOST];
};

/* Looks at the seam right of a tile, or below it, as deep as `most` pixels, against `inner` pixels
 * from it. */
static void look_at_seam(
    const struct tiling *t, int tile, int below, int most, int inner, struct seams *seams)
{
    const int x = tile % t->columns * t->width + (below ? 0 : t->width);
    const int y = tile / t->columns * t->height + (below ? t->height : 0);
    const int length = below ? t->width : t->height;
    int64_t products[2][FARTHER_IN + 1] = {{0}}, square[FARTHER_IN + 1] = {0}, inside = 0;
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
        for (int side = 0; side < 2; side++) {
            const int difference = pixel[side][2] - pixel[side][inner + 2];
            inside += (int64_t)difference * difference;
        }
    }
    /* Pixels 2 are five apart across the seam; inside, those compared are `inner` apart, on two
     * sides. */
    const int64_t across = 2 * inner * square[0], within = 5 * inside;
    seams->across += across;
    seams->inside += within;
    const int64_t least = (int64_t)LEAST_STEP * LEAST_STEP * length;
    if (square[inner] < least || across < LARGER * within)
        return;
    for (int i = 0; i < most; i++)
        for (int side = 0; side < 2 && square[i] >= least; side++) {
            const double share = 100.0 * (double)products[side][i] / (double)square[i];
            const double usual = 100.0 * (double)products[side][inner] / (double)square[inner];
            seams->count[i]++;
            seams->mixed[i] += share - usual >= LEAST_SHARE[i];
            seams->opposed[i] += usual - share >= LEAST_SHARE[i];
        }
}

static void add_seams(const struct seams *seams, struct seams *all)
{
    all->across += seams->across;
    all->inside += seams->inside;
    for (int i = 0; i < BLEED_MOST; i++) {
        all->count[i] += seams->count[i];
        all->mixed[i] += seams->mixed[i];
        all->opposed[i] += seams->opposed[i];
    }
}

int bleed_find(const struct tiling *t)
{
    const int shorter = t->width < t->height ? t->width : t->height;
    const int most = shorter / 8 < BLEED_MOST ? shorter / 8 : BLEED_MOST;
    const int inner = shorter / 2 - 3 < FARTHER_IN ? shorter / 2 - 3 : FARTHER_IN;
    /* An odd step meets seams of both directions. */
    const int tiles = t->columns * t->rows, step = ((2 * tiles - 1) / MOST_SEAMS + 1) | 1;
    struct seams all = {0};
    if (!most)
        return 0;
#pragma omp parallel
    {
        struct seams seams = {0};
#pragma omp for
        for (int i = 0; i < 2 * tiles; i += step) {
            const int below = i % 2, tile = i / 2;
            if (below ? tile + t->columns < tiles : (tile + 1) % t->columns != 0)
                look_at_seam(t, tile, below, most, inner, &seams);
        }
#pragma omp critical
        add_seams(&seams, &all);
    }
    int bleed = 0;
    while (bleed < most && 100 * all.across >= LARGER_PERCENT * all.inside &&
           all.count[bleed] >= LEAST_SIDES &&
           (100 * all.mixed[bleed] >= AGREEING_SIDES * all.count[bleed] ||
               100 * all.opposed[bleed] >= AGREEING_SIDES * all.count[bleed]))
        bleed++;
    return bleed;
}
