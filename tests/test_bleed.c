/* Pixels that tiles have taken from those beside them, and grids whose seams are blurred. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "random.h"
#include "stages/unscramble/bleed.h"
#include "stages/unscramble/scaled_grid.h"

static void put_gray(const struct image *image, int x, int y, int value)
{
    const size_t at = 4 * ((size_t)y * (size_t)image->width + (size_t)x);
    for (size_t c = 0; c < 4; c++)
        if (image->depth == 16)
            ((uint16_t *)image->pixels)[at + c] = (uint16_t)(257 * value);
        else
            ((uint8_t *)image->pixels)[at + c] = (uint8_t)value;
}

/* Tiles with a slope of their own, so that none goes on in another, with noise. */
static void draw_tiles(int columns, int rows, int width, int height, int depth, struct image *image)
{
    struct error error;
    uint64_t seed = 7;
    if (image_new(columns * width, rows * height, depth == 16 ? 1 : 3, depth, image, &error))
        abort();
    for (int tile = 0; tile < columns * rows; tile++) {
        const int base = 60 + (int)(random_bits(&seed) >> 57);
        const int across = (int)(random_bits(&seed) >> 58) - 32;
        const int down = (int)(random_bits(&seed) >> 58) - 32;
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                const int value =
                    base + across * x / width + down * y / height + (int)(random_bits(&seed) >> 62);
                put_gray(image, tile % columns * width + x, tile / columns * height + y, value);
            }
    }
}

static int sample(const struct image *image, int x, int y, int c)
{
    x = x < 0 ? 0 : x >= image->width ? image->width - 1 : x;
    y = y < 0 ? 0 : y >= image->height ? image->height - 1 : y;
    const size_t at = 4 * ((size_t)y * (size_t)image->width + (size_t)x) + (size_t)c;
    return image->depth == 16 ? ((uint16_t *)image->pixels)[at] : ((uint8_t *)image->pixels)[at];
}

/* Mixes each pixel with `share` percent of those beside it, or makes it differ from them more where
 * that is negative. */
static void mix(struct image *image, int share)
{
    struct image was = *image;
    struct error error;
    if (image_new(was.width, was.height, was.channels, was.depth, image, &error))
        abort();
    for (int y = 0; y < was.height; y++)
        for (int x = 0; x < was.width; x++)
            for (int c = 0; c < 4; c++) {
                const int beside = sample(&was, x - 1, y, c) + sample(&was, x + 1, y, c) +
                                   sample(&was, x, y - 1, c) + sample(&was, x, y + 1, c);
                const int mixed =
                    (sample(&was, x, y, c) * (100 - 4 * share) + beside * share) / 100;
                const int most = was.depth == 16 ? 65535 : 255;
                const int kept = mixed < 0 ? 0 : mixed > most ? most : mixed;
                const size_t at = 4 * ((size_t)y * (size_t)was.width + (size_t)x) + (size_t)c;
                if (was.depth == 16)
                    ((uint16_t *)image->pixels)[at] = (uint16_t)kept;
                else
                    ((uint8_t *)image->pixels)[at] = (uint8_t)kept;
            }
    image_free(&was);
}

static void check_bleed(
    int columns, int rows, int width, int height, int depth, int share, int times, int expected)
{
    struct image image;
    draw_tiles(columns, rows, width, height, depth, &image);
    for (int i = 0; i < times; i++)
        mix(&image, share);
    const struct tiling tiling = {&image, columns, rows, width, height, 0};
    const int bleed = bleed_find(&tiling);
    tap_check(bleed == expected,
        "%d x %d tiles of %d x %d pixels, %d bits, mixed by %d %% %d times: %d pixels, found %d",
        columns, rows, width, height, depth, share, times, expected, bleed);
    image_free(&image);
}

/* Noise that was blurred before it was cut: pixels inside of tiles are as much like their neighbors
 * as those at seams. */
static void check_texture(int depth, int share)
{
    struct image image;
    uint64_t seed = 5;
    draw_tiles(8, 6, 24, 24, depth, &image);
    for (size_t i = 0; i < 4 * 192 * 144; i++)
        if (depth == 16)
            ((uint16_t *)image.pixels)[i] = (uint16_t)(random_bits(&seed) >> 48);
        else
            ((uint8_t *)image.pixels)[i] = (uint8_t)(random_bits(&seed) >> 56);
    mix(&image, share);
    const struct tiling tiling = {&image, 8, 6, 24, 24, 0};
    const int bleed = bleed_find(&tiling);
    tap_check(bleed == 0, "texture, %d bits, mixed by %d %%: found %d", depth, share, bleed);
    image_free(&image);
}

/* Waves in tiles of 24 x 24 pixels, which are in order but that one row in `moved_rows` (none if 0)
 * is moved around by five tiles; then mixed. Where the waves go on across seams, these tell nothing. */
static void check_order(int depth, int moved_rows, int share, int expected)
{
    struct image image;
    draw_tiles(8, 6, 24, 24, depth, &image);
    for (int y = 0; y < 144; y++)
        for (int x = 0; x < 192; x++) {
            const int from = moved_rows && y / 24 % moved_rows == 0 ? (x + 120) % 192 : x;
            const int value = (int)(128 + 60 * sin(from / 9.0) + 60 * sin((from + 2 * y) / 13.0));
            put_gray(&image, x, y, value);
        }
    if (share)
        mix(&image, share);
    const struct tiling tiling = {&image, 8, 6, 24, 24, 0};
    const int bleed = bleed_find(&tiling);
    tap_check(bleed == expected,
        "waves, one row in %d moved, %d bits, mixed by %d %%: %d pixels, found %d", moved_rows,
        depth, share, expected, bleed);
    image_free(&image);
}

static void check_grid(
    const struct image *image, struct grid given, struct scaled_grid expected, const char *what)
{
    struct scaled_grid found;
    struct error error;
    const int rc = scaled_grid_find(image, given, &found, &error);
    tap_check(rc == 0 && found.grid.columns == expected.grid.columns &&
                  found.grid.rows == expected.grid.rows &&
                  found.whole_width == expected.whole_width &&
                  found.whole_height == expected.whole_height,
        "%s, %d x %d pixels: found %u x %u tiles, whole at %u x %u", what, image->width,
        image->height, found.grid.columns, found.grid.rows, found.whole_width, found.whole_height);
}

static void check_grids(int depth)
{
    static const int SIZES[][2] = {{487, 324}, {366, 244}, {481, 320}, {620, 411}, {1000, 640}};
    const struct grid any = {0, 0}, cut = {6, 4};
    const struct scaled_grid none = {{0, 0}, 0, 0, 0};
    struct image image, scaled;
    struct error error;
    draw_tiles(6, 4, 80, 80, depth, &image);
    check_grid(&image, any, (struct scaled_grid){cut, 0, 480, 320}, "as it was cut");
    check_grid(&image, (struct grid){5, 4}, none, "another grid");
    for (size_t i = 0; i < sizeof(SIZES) / sizeof(SIZES[0]); i++) {
        const int width = SIZES[i][0], height = SIZES[i][1];
        const struct scaled_grid expected = {
            cut, 0, (uint32_t)((width + 3) / 6 * 6), (uint32_t)((height + 2) / 4 * 4)};
        if (image_resize(&image, width, height, &scaled, &error))
            abort();
        check_grid(&scaled, any, expected, "scaled");
        check_grid(&scaled, cut, expected, "scaled, with its grid");
        image_free(&scaled);
    }
    mix(&image, 10);
    check_grid(&image, any, (struct scaled_grid){cut, 0, 480, 320}, "blurred");
    image_free(&image);
    /* What is left over of a puzzle that was not scaled stays. */
    draw_tiles(7, 5, 71, 64, depth, &image);
    image.height -= 3;
    check_grid(&image, (struct grid){7, 5}, none, "with a last row that is cut off");
    image_free(&image);
    draw_tiles(1, 1, 300, 200, depth, &image);
    check_grid(&image, any, none, "a single tile");
    image_free(&image);
    /* Large pixels, as of a small image that was enlarged, are no tiles. */
    draw_tiles(6, 4, 1, 1, depth, &scaled);
    draw_tiles(1, 1, 487, 322, depth, &image);
    for (int y = 0; y < 322; y++)
        for (int x = 0; x < 487; x++)
            memcpy(
                (uint8_t *)image.pixels + image_pixel_size(&image) * ((size_t)y * 487 + (size_t)x),
                (uint8_t *)scaled.pixels +
                    image_pixel_size(&image) * (size_t)(y * 4 / 322 * 6 + x * 6 / 487),
                image_pixel_size(&image));
    check_grid(&image, any, none, "large pixels");
    image_free(&scaled);
    image_free(&image);
    for (int size = 1; size < 8; size++) {
        draw_tiles(1, 1, size, 8 - size, depth, &image);
        check_grid(&image, any, none, "few pixels");
        image_free(&image);
    }
}

/* A size that is not changed changes nothing, and gray stays in its range. */
static void check_resize(int depth)
{
    struct image image, same, other;
    struct error error;
    draw_tiles(3, 2, 17, 13, depth, &image);
    if (image_resize(&image, image.width, image.height, &same, &error) ||
        image_resize(&image, 7, 201, &other, &error))
        abort();
    const size_t bytes = (size_t)image.width * (size_t)image.height * image_pixel_size(&image);
    tap_check(memcmp(image.pixels, same.pixels, bytes) == 0, "%d bits, the same size", depth);
    int least = 1 << 16, most = 0;
    for (int y = 0; y < other.height; y++)
        for (int x = 0; x < other.width; x++) {
            least = sample(&other, x, y, 1) < least ? sample(&other, x, y, 1) : least;
            most = sample(&other, x, y, 1) > most ? sample(&other, x, y, 1) : most;
        }
    tap_check(other.channels == image.channels && least > 0 && least < most,
        "%d bits, 7 x 201 pixels from %d to %d", depth, least, most);
    image_free(&image);
    image_free(&same);
    image_free(&other);
}

int main(void)
{
    for (int depth = 8; depth <= 16; depth += 8) {
        check_bleed(5, 4, 30, 40, depth, 0, 0, 0);
        check_bleed(5, 4, 30, 40, depth, 20, 1, 1);
        check_bleed(5, 4, 30, 40, depth, 20, 5, 2);
        check_bleed(5, 4, 30, 40, depth, -15, 1, 1);
        check_bleed(2, 2, 31, 17, depth, 20, 1, 1);
        check_bleed(1, 9, 8, 50, depth, 20, 5, 1);
        check_bleed(9, 1, 7, 50, depth, 20, 5, 0);
        check_bleed(2, 1, 50, 50, depth, 20, 1, 0);
        check_bleed(1, 1, 50, 50, depth, 20, 1, 0);
        check_bleed(40, 1, 1, 1, depth, 20, 1, 0);
        check_bleed(90, 70, 9, 11, depth, 20, 1, 1);
        check_texture(depth, 0);
        check_texture(depth, 15);
        check_texture(depth, -15);
        check_order(depth, 0, 0, 0);
        check_order(depth, 0, 20, 0);
        check_order(depth, 6, 0, 0);
        check_order(depth, 2, 20, 1);
        check_grids(depth);
        check_resize(depth);
    }
    return tap_finish();
}
