/* Palettes of films in GIF. */
#include "images/palette.h"

#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"

#define SIDE 64

static uint8_t pixels[SIDE * SIDE][3];

/* How far the worst channel of a pixel is from the color that stands for it. */
static int worst_of(struct palette *palette, int most)
{
    int worst = 0;
    palette_clear(palette);
    for (int i = 0; i < SIDE * SIDE; i++)
        palette_take(palette, pixels[i]);
    palette_choose(palette, most);
    for (int i = 0; i < SIDE * SIDE; i++) {
        const int number = palette_find(palette, pixels[i], i % SIDE, i / SIDE);
        if (number < 0 || number >= palette->count)
            return 256;
        for (int c = 0; c < 3; c++) {
            const int far = abs(palette->colors[number][c] - pixels[i][c]);
            worst = far > worst ? far : worst;
        }
    }
    return worst;
}

/* So many colors that neighbors are as near as can be. */
static void paint(int colors)
{
    for (int i = 0; i < SIDE * SIDE; i++) {
        const int color = i % colors;
        pixels[i][0] = pixels[i][1] = (uint8_t)(color % 256);
        pixels[i][2] = (uint8_t)(color / 256);
    }
}

static void check_few(struct palette *palette, int colors)
{
    paint(colors);
    const int worst = worst_of(palette, PALETTE_MAX);
    tap_check(worst == 0 && palette->count == colors, "%d colors: exact, worst %d, palette of %d",
        colors, worst, palette->count);
}

int main(void)
{
    struct palette palette;
    if (palette_new(&palette) != 0)
        abort();
    check_few(&palette, 1);
    check_few(&palette, 2);
    check_few(&palette, PALETTE_MAX);
    paint(PALETTE_MAX + 1);
    int worst = worst_of(&palette, PALETTE_MAX);
    tap_check(worst > 0 && worst <= 4 && palette.count <= PALETTE_MAX,
        "257 colors: within 4, worst %d", worst);
    check_few(&palette, 3); /* after more */
    for (int i = 0; i < SIDE * SIDE; i++)
        memset(pixels[i], i % 256, 3);
    worst = worst_of(&palette, PALETTE_MAX - 1);
    tap_check(
        worst <= 2 && palette.count == PALETTE_MAX - 1, "256 grays, 255 colors: worst %d", worst);
    pixels[0][0] = 200;
    worst = worst_of(&palette, PALETTE_MAX);
    tap_check(worst <= 2 && palette.count == PALETTE_MAX, "256 grays and a color: worst %d", worst);
    for (int i = 0; i < SIDE * SIDE; i++) {
        pixels[i][0] = (uint8_t)(4 * (i % SIDE));
        pixels[i][1] = (uint8_t)(4 * (i / SIDE));
        pixels[i][2] = 255;
    }
    worst = worst_of(&palette, PALETTE_MAX);
    tap_check(
        worst <= 16 && palette.count == PALETTE_MAX, "4096 colors: within 16, worst %d", worst);
    palette_clear(&palette);
    palette_choose(&palette, PALETTE_MAX);
    tap_check(palette.count == 0, "no pixel: no color");
    palette_free(&palette);
    return tap_finish();
}
