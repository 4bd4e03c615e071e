/* A few colors that stand for those of many pixels, as GIF stores them. */
#ifndef PALETTE_H
#define PALETTE_H

#include <stdint.h>

#define PALETTE_MAX 256 /* colors */

struct palette {
    int count;
    uint8_t colors[PALETTE_MAX][3]; /* red, green, blue */
    struct palette_work *work;
};

/* Returns 0, or -1 where memory is short. The caller frees. */
int palette_new(struct palette *palette);
void palette_free(struct palette *palette); /* a zeroed one is fine */

/* Forgets the colors and pixels of earlier calls. */
void palette_clear(struct palette *palette);

/* Takes the color of a pixel, three bytes, for one to be stood for. */
void palette_take(struct palette *palette, const uint8_t *pixel);

/* Whether the color of a pixel is among those taken, as long as there are no more than
 * PALETTE_MAX. */
int palette_has(const struct palette *palette, const uint8_t *pixel);

/* Chooses at most `most` colors for those taken: these themselves where there are no more. `most`
 * is at most PALETTE_MAX. */
void palette_choose(struct palette *palette, int most);

/* The number of the color for a pixel at that place, whose color was taken. Where more were taken
 * than the palette holds, those that it does not hold are dithered: neighbors get one color or the
 * other, in a pattern that stays in its place. A rare one that it holds may become one close to
 * it. */
int palette_find(struct palette *palette, const uint8_t *pixel, int x, int y);

#endif
