/* Borders around puzzles and lines between their tiles. */
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "random.h"
#include "stages/unscramble/gutters.h"

/* A puzzle: tiles of noise, which have no color of their own, in gutters of one color. */
struct sheet {
    int columns, rows, width, height;  /* tiles, and pixels of each */
    int left, top, right, bottom, gap; /* pixels of the border, and between tiles */
    int color, depth;                  /* of the gutters, in 8 bits; of the image */
    int noise;                         /* of all pixels, in 8 bits */
};

static void put(struct image *image, int x, int y, int value)
{
    const size_t at = 4 * ((size_t)y * (size_t)image->width + (size_t)x);
    for (size_t c = at; c < at + 4; c++)
        if (image->depth == 16)
            ((uint16_t *)image->pixels)[c] = (uint16_t)(257 * value);
        else
            ((uint8_t *)image->pixels)[c] = (uint8_t)value;
}

static int get(const struct image *image, int x, int y)
{
    return image_sample_8(image, 4 * ((size_t)y * (size_t)image->width + (size_t)x));
}

static int place_of(const int first, const int tile, const int gap, int at)
{
    return first + at / tile * (tile + gap) + at % tile;
}

/* Draws the sheet, and its tiles alone. */
static void draw(const struct sheet *s, struct image *image, struct image *tiles)
{
    struct error error;
    uint64_t seed = 5;
    const int width = s->left + s->columns * (s->width + s->gap) - s->gap + s->right;
    const int height = s->top + s->rows * (s->height + s->gap) - s->gap + s->bottom;
    if (image_new(width, height, 3, s->depth, image, &error) ||
        image_new(s->columns * s->width, s->rows * s->height, 3, s->depth, tiles, &error))
        abort();
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            put(image, x, y,
                s->color + (s->noise ? (int)(random_bits(&seed) % (uint64_t)s->noise) : 0));
    for (int y = 0; y < tiles->height; y++)
        for (int x = 0; x < tiles->width; x++) {
            const int value = (int)(random_bits(&seed) >> 56);
            put(tiles, x, y, value);
            put(image, place_of(s->left, s->width, s->gap, x),
                place_of(s->top, s->height, s->gap, y), value);
        }
}

static int are_equal(const struct image *a, const struct image *b)
{
    return a->width == b->width && a->height == b->height && a->depth == b->depth &&
           memcmp(a->pixels, b->pixels,
               (size_t)a->width * (size_t)a->height * image_pixel_size(a)) == 0;
}

/* Leaves what the strictest tolerance has found, or zeros. */
static int find(const struct image *image, uint32_t columns, uint32_t rows, struct gutters *found)
{
    struct gutters ways[GUTTERS_WAYS];
    struct error error;
    int count;
    const int rc = gutters_find(image, (struct grid){columns, rows}, ways, &count, &error);
    *found = count ? ways[0] : (struct gutters){0};
    for (int i = 1; i < count; i++)
        gutters_free(&ways[i]);
    return rc;
}

/* Whether the tiles that are found are those that were drawn, or none. */
static void check(const char *what, struct sheet s, int is_found)
{
    struct image image, tiles, without = {0};
    struct gutters found;
    struct error error;
    draw(&s, &image, &tiles);
    int rc = find(&image, 0, 0, &found);
    const int columns = found.axis[0].count, rows = found.axis[1].count;
    if (rc == 0 && columns)
        rc = gutters_leave_out(&image, &found, &without, &error);
    tap_check(
        rc == 0 && (is_found ? columns == s.columns && rows == s.rows && are_equal(&without, &tiles)
                             : columns == 0),
        "%s, %d x %d tiles of %d x %d pixels, %d bits: found %d x %d", what, s.columns, s.rows,
        s.width, s.height, s.depth, columns, rows);
    gutters_free(&found);
    image_free(&image);
    image_free(&tiles);
    image_free(&without);
}

/* With a grid that is told gaps may be as the image has them. */
static void check_told(struct sheet s, uint32_t columns, uint32_t rows, int is_found)
{
    struct image image, tiles;
    struct gutters found;
    draw(&s, &image, &tiles);
    const int rc = find(&image, columns, rows, &found);
    tap_check(rc == 0 && found.axis[0].count == (is_found ? s.columns : 0),
        "%d x %d tiles, told %u x %u: found %d x %d", s.columns, s.rows, columns, rows,
        found.axis[0].count, found.axis[1].count);
    gutters_free(&found);
    image_free(&image);
    image_free(&tiles);
}

/* Lines drawn over tiles: none of their pixels is left, and all tiles are equally large. */
static void check_drawn_over(int wide)
{
    struct sheet s = {5, 4, 40, 30, 0, 0, 0, 0, 0, 0, 8, 0};
    struct image image, tiles;
    struct gutters found;
    draw(&s, &image, &tiles);
    const int before = wide / 2;
    for (int y = 0; y < image.height; y++)
        for (int x = 0; x < image.width; x++) {
            const int column = (x + before) / s.width, row = (y + before) / s.height;
            if ((column > 0 && column < s.columns && x - column * s.width < wide - before) ||
                (row > 0 && row < s.rows && y - row * s.height < wide - before))
                put(&image, x, y, 200);
        }
    const int rc = find(&image, 0, 0, &found);
    int is_right = rc == 0 && found.axis[0].count == s.columns && found.axis[1].count == s.rows &&
                   found.axis[0].tile == s.width - wide && found.axis[1].tile == s.height - wide &&
                   found.axis[0].widest == wide;
    for (int i = 0; is_right && i < s.columns; i++)
        is_right = found.axis[0].first[i] == i * s.width + wide - before;
    tap_check(is_right, "lines of %d pixels drawn over tiles: %d x %d tiles of %d x %d", wide,
        found.axis[0].count, found.axis[1].count, found.axis[0].tile, found.axis[1].tile);
    gutters_free(&found);
    image_free(&image);
    image_free(&tiles);
}

/* Every second line half mixed with what is below, as where thin lines were scaled, and the pixels
 * beside each a little: still all lines are found, and the mixed pixels left out. */
static void check_mixed(void)
{
    struct sheet s = {6, 4, 40, 30, 0, 0, 0, 0, 1, 250, 8, 0};
    struct image image, tiles;
    struct gutters found;
    uint64_t seed = 9;
    draw(&s, &image, &tiles);
    for (int y = 0; y < image.height; y++)
        for (int x = 0; x < image.width; x++) {
            const int to_x = (x + 1) % (s.width + 1), to_y = (y + 1) % (s.height + 1);
            const int odd = to_x == 0 ? x / (s.width + 1) % 2 : y / (s.height + 1) % 2;
            if ((to_x == 0 || to_y == 0) && odd)
                put(&image, x, y, (250 + (int)(random_bits(&seed) >> 56)) / 2);
            else if (to_x == 1 || to_x == s.width || to_y == 1 || to_y == s.height)
                put(&image, x, y, (250 + 4 * get(&image, x, y)) / 5);
        }
    const int rc = find(&image, 0, 0, &found);
    tap_check(rc == 0 && found.axis[0].count == s.columns && found.axis[1].count == s.rows &&
                  found.axis[0].tile == s.width - 2 && found.axis[1].tile == s.height - 2,
        "lines that are mixed with tiles: %d x %d tiles of %d x %d", found.axis[0].count,
        found.axis[1].count, found.axis[0].tile, found.axis[1].tile);
    gutters_free(&found);
    image_free(&image);
    image_free(&tiles);
}

/* A shadow beside and below each tile is no part of it; plain pixels inside of tiles are, also if
 * all tiles have them. */
static void check_plain(int columns, int rows, int is_shadow)
{
    enum { GAP = 10, PLAIN = 6 };
    struct sheet s = {columns, rows, 60, 60, GAP, GAP, GAP, GAP, GAP, 250, 8, 0};
    struct image image, tiles;
    struct gutters found;
    draw(&s, &image, &tiles);
    for (int y = 0; y < image.height; y++)
        for (int x = 0; x < image.width; x++) {
            const int tile_x = (x - GAP + 70) % 70, tile_y = (y - GAP + 70) % 70;
            const int right = tile_x - s.width, below = tile_y - s.height;
            if (is_shadow && x >= GAP && y >= GAP && right < PLAIN && below < PLAIN &&
                (right >= 0 || below >= 0) && tile_x >= 2 && tile_y >= 2)
                put(&image, x, y, 130 + 20 * (right > below ? right : below));
            else if (!is_shadow && right < 0 && below < 0 && tile_y < PLAIN)
                put(&image, x, y, 100);
        }
    const int rc = find(&image, 0, 0, &found);
    tap_check(rc == 0 && found.axis[0].count == columns && found.axis[1].count == rows &&
                  found.axis[0].tile == s.width && found.axis[1].tile == s.height,
        "%d x %d tiles with %s: tiles of %d x %d", columns, rows,
        is_shadow ? "shadows" : "plain pixels", found.axis[0].tile, found.axis[1].tile);
    gutters_free(&found);
    image_free(&image);
    image_free(&tiles);
}

/* What is left over behind the tiles, which is less than a tile, belongs to none. */
static void check_left_over(int left_over, int is_found)
{
    struct sheet s = {4, 3, 30, 30, 0, 0, 0, 0, 2, 0, 8, 0},
                 wide = {1, 3, 94, 30, 0, 0, 0, 0, 2, 0, 8, 0};
    struct image image, tiles, longer, unused;
    struct gutters found;
    wide.width = s.columns * (s.width + s.gap) - s.gap + left_over;
    draw(&wide, &longer, &unused);
    draw(&s, &image, &tiles);
    for (int y = 0; y < image.height; y++)
        for (int x = 0; x < image.width; x++)
            put(&longer, x, y, get(&image, x, y));
    const int rc = find(&longer, 0, 0, &found);
    tap_check(rc == 0 && found.axis[0].count == (is_found ? s.columns : 0) &&
                  found.axis[0].left_over == (is_found ? left_over : 0),
        "%d pixels left over: found %d x %d, %d left over", left_over, found.axis[0].count,
        found.axis[1].count, found.axis[0].left_over);
    gutters_free(&found);
    image_free(&image);
    image_free(&tiles);
    image_free(&longer);
    image_free(&unused);
}

/* A line of one color where no tile ends, as a picture may have. */
static void check_line_inside(void)
{
    struct sheet s = {4, 3, 30, 30, 0, 0, 0, 0, 0, 0, 8, 0};
    struct image image, tiles;
    struct gutters found;
    draw(&s, &image, &tiles);
    for (int x = 0; x < image.width; x++)
        put(&image, x, 20, 128);
    for (int y = 0; y < image.height; y++)
        put(&image, 50, y, 128);
    const int rc = find(&image, 0, 0, &found);
    tap_check(rc == 0 && found.axis[0].count == 0, "lines that leave unlike parts: found %d x %d",
        found.axis[0].count, found.axis[1].count);
    gutters_free(&found);
    image_free(&image);
    image_free(&tiles);
}

int main(void)
{
    for (int depth = 8; depth <= 16; depth += 8) {
        check("a border", (struct sheet){1, 1, 61, 47, 5, 5, 5, 5, 0, 255, depth, 0}, 1);
        check("an uneven border", (struct sheet){1, 1, 300, 47, 1, 13, 2, 7, 0, 0, depth, 0}, 1);
        check(
            "a border at three sides", (struct sheet){1, 1, 61, 47, 5, 5, 0, 5, 0, 0, depth, 0}, 0);
        check("no gutters", (struct sheet){3, 3, 40, 40, 0, 0, 0, 0, 0, 0, depth, 0}, 0);
        check("gaps of 1", (struct sheet){7, 5, 13, 8, 0, 0, 0, 0, 1, 128, depth, 0}, 1);
        check("gaps of 4", (struct sheet){2, 2, 40, 30, 0, 0, 0, 0, 4, 255, depth, 0}, 1);
        check("gaps and a border", (struct sheet){5, 3, 40, 300, 3, 9, 0, 2, 6, 70, depth, 0}, 1);
        check("strips in a border", (struct sheet){5, 1, 20, 90, 2, 2, 2, 2, 2, 0, depth, 0}, 1);
        check("strips alone", (struct sheet){5, 1, 20, 90, 0, 0, 0, 0, 2, 0, depth, 0}, 0);
        check(
            "two strips in a border", (struct sheet){2, 1, 20, 90, 2, 2, 2, 2, 2, 0, depth, 0}, 0);
        check("three strips in a border", (struct sheet){1, 3, 80, 10, 2, 2, 2, 2, 2, 0, depth, 0},
            1);
        check("gaps of a quarter", (struct sheet){2, 2, 40, 40, 0, 0, 0, 0, 10, 9, depth, 0}, 1);
        check("wider gaps", (struct sheet){2, 2, 40, 40, 0, 0, 0, 0, 11, 9, depth, 0}, 0);
        check("tiles of 7 pixels", (struct sheet){5, 4, 7, 40, 2, 2, 2, 2, 2, 0, depth, 0}, 0);
        check("gaps with noise", (struct sheet){4, 4, 40, 40, 0, 0, 0, 0, 3, 100, depth, 16}, 1);
        check("noise", (struct sheet){4, 4, 40, 40, 9, 9, 9, 9, 9, 0, depth, 256}, 0);
        check("one pixel", (struct sheet){1, 1, 1, 1, 0, 0, 0, 0, 0, 0, depth, 0}, 0);
        check("one pixel in a border", (struct sheet){1, 1, 1, 1, 1, 1, 1, 1, 0, 255, depth, 0}, 0);
        check("one color", (struct sheet){1, 1, 1, 1, 30, 30, 30, 30, 0, 255, depth, 256}, 0);
    }
    for (int wide = 1; wide < 5; wide++)
        check_drawn_over(wide);
    check_told((struct sheet){5, 1, 20, 90, 0, 0, 0, 0, 2, 0, 8, 0}, 5, 1, 1);
    check_told((struct sheet){2, 1, 20, 90, 2, 2, 2, 2, 2, 0, 8, 0}, 2, 1, 1);
    check_told((struct sheet){5, 1, 20, 90, 0, 0, 0, 0, 2, 0, 8, 0}, 5, 2, 0);
    check_mixed();
    check_plain(4, 3, 1);
    check_plain(4, 3, 0);
    check_left_over(29, 1);
    check_left_over(30, 0);
    check_line_inside();
    return tap_finish();
}
