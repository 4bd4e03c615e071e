#include "images/text.h"

#include <assert.h>
#include <math.h>
#include <stb_truetype.h>

#include "embed.h"

#define CAPITALS 0.729 /* height of capitals in ems */

EMBED(images_font, "images/font/DejaVuSans.ttf")

static stbtt_fontinfo open_font(void)
{
    stbtt_fontinfo font;
    const int is_font = stbtt_InitFont(&font, (const unsigned char *)images_font, 0);
    assert(is_font);
    (void)is_font;
    return font;
}

/* The next character of a line in UTF-8, of up to three bytes. */
static int take_character(const char **text)
{
    const unsigned char *const byte = (const unsigned char *)*text;
    const int length = byte[0] < 0xc0 ? 1 : byte[0] < 0xe0 ? 2 : 3;
    int character = length == 1 ? byte[0] : byte[0] & (0xff >> (length + 1));
    for (int i = 1; i < length && byte[i]; i++)
        character = character << 6 | (byte[i] & 0x3f);
    for (int i = 0; i < length && **text; i++)
        (*text)++;
    return character;
}

static double advance(const stbtt_fontinfo *font, int glyph, double scale)
{
    int width;
    stbtt_GetGlyphHMetrics(font, glyph, &width, NULL);
    return scale * width;
}

double text_width(const char *text, double size)
{
    const stbtt_fontinfo font = open_font();
    const double scale = (double)stbtt_ScaleForMappingEmToPixels(&font, (float)size);
    double width = 0;
    while (*text)
        width += advance(&font, stbtt_FindGlyphIndex(&font, take_character(&text)), scale);
    return width;
}

/* Lays a color over a pixel, by the share of it that is covered ("over"; Porter and Duff 1984). */
static void mix_pixel(struct image *image, int x, int y, struct color color, int coverage)
{
    if (x < 0 || y < 0 || x >= image->width || y >= image->height)
        return;
    uint8_t *const pixel =
        (uint8_t *)image->pixels + 4 * ((size_t)y * (size_t)image->width + (size_t)x);
    const uint8_t above[3] = {color.red, color.green, color.blue};
    const int below = pixel[3] * (255 - coverage), whole = 255 * coverage + below;
    for (int i = 0; whole > 0 && i < 3; i++)
        pixel[i] = (uint8_t)((pixel[i] * below + 255 * above[i] * coverage + whole / 2) / whole);
    pixel[3] = (uint8_t)((whole + 255 / 2) / 255);
}

/* `along` and `across` say where its origin is in the direction of reading and that of the next
 * line. */
static void draw_glyph(struct image *image, const struct text_style *style,
    const stbtt_fontinfo *font, int glyph, double along, int across)
{
    const float scale = stbtt_ScaleForMappingEmToPixels(font, (float)style->size);
    const int first = (int)floor(along);
    int width = 0, height = 0, left, top;
    unsigned char *const coverage = stbtt_GetGlyphBitmapSubpixel(
        font, scale, scale, (float)(along - first), 0, glyph, &width, &height, &left, &top);
    for (int i = 0; coverage && i < width * height; i++) {
        const int column = first + left + i % width, row = across + top + i / width;
        mix_pixel(image, style->is_upward ? row : column, style->is_upward ? -1 - column : row,
            style->color, coverage[i]);
    }
    stbtt_FreeBitmap(coverage, NULL);
}

void draw_text(struct image *image, const struct text_style *style, const char *text)
{
    const stbtt_fontinfo font = open_font();
    const double scale = (double)stbtt_ScaleForMappingEmToPixels(&font, (float)style->size);
    const double middle = style->is_upward ? style->x : style->y;
    const int across = (int)floor(middle + CAPITALS / 2 * style->size + 0.5);
    double along =
        (style->is_upward ? -style->y : style->x) - style->before * text_width(text, style->size);
    while (*text) {
        const int glyph = stbtt_FindGlyphIndex(&font, take_character(&text));
        draw_glyph(image, style, &font, glyph, along, across);
        along += advance(&font, glyph, scale);
    }
}
