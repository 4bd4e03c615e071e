/* PNM texts written by hand, with the pixels worked out by hand. */
#include <string.h>

#include "cli/tap.h"
#include "images/image.h"

#define GRAY(g) g, g, g, 255
#define GRAY16(g) g, g, g, 65535
#define TEXT(literal) literal, sizeof(literal) - 1
#define PIXELS(...) ((const unsigned[]){__VA_ARGS__})

static void check_pixels(const char *what, const char *text, size_t size, int width, int height,
    int channels, int depth, const unsigned *rgba)
{
    struct error error = {""};
    struct image image;
    int passed = image_decode(text, size, "x", 100, &image, &error) == 0 && image.width == width &&
                 image.height == height && image.channels == channels && image.depth == depth;
    for (int i = 0; passed && i < 4 * width * height; i++)
        passed = rgba[i] == (depth == 16 ? ((const uint16_t *)image.pixels)[i]
                                         : ((const uint8_t *)image.pixels)[i]);
    tap_check(passed, "%s", what);
    if (error.text[0])
        printf("# %s\n", error.text);
    image_free(&image);
}

static void check_refused(const char *what, const char *text, size_t size, const char *message)
{
    struct error error = {""};
    struct image image;
    tap_check(image_decode(text, size, "x", 100, &image, &error) == ERROR_INPUT && !image.pixels &&
                  strncmp(error.text, "cannot read 'x': ", 17) == 0 &&
                  strncmp(error.text + 17, message, strlen(message)) == 0,
        "refused: %s", what);
}

static void check_kinds(void)
{
    check_pixels("P1, digits with and without blanks, comments",
        TEXT("P1 # a\n#b\n3 2\n1 0 1\n010\n"), 3, 2, 1, 8,
        PIXELS(GRAY(0), GRAY(255), GRAY(0), GRAY(255), GRAY(0), GRAY(255)));
    check_pixels("P2", TEXT("P2\n2 2\n255\n0 1\n254 255\n"), 2, 2, 1, 8,
        PIXELS(GRAY(0), GRAY(1), GRAY(254), GRAY(255)));
    check_pixels(
        "P3", TEXT("P3 2 1 255 1 2 3\t4 5 6"), 2, 1, 3, 8, PIXELS(1, 2, 3, 255, 4, 5, 6, 255));
    /* 9 columns take two bytes a row, of which the last 7 bits are padding (set here). */
    check_pixels("P4, rows padded to bytes", TEXT("P4\n9 2\n\xaa\xff\x0f\x7f"), 9, 2, 1, 8,
        PIXELS(GRAY(0), GRAY(255), GRAY(0), GRAY(255), GRAY(0), GRAY(255), GRAY(0), GRAY(255),
            GRAY(0), GRAY(255), GRAY(255), GRAY(255), GRAY(255), GRAY(0), GRAY(0), GRAY(0), GRAY(0),
            GRAY(255)));
    check_pixels("P5, a sample may look like a blank", TEXT("P5#c\n 3\r\n1 255\n\n #"), 3, 1, 1, 8,
        PIXELS(GRAY('\n'), GRAY(' '), GRAY('#')));
    check_pixels("P6", TEXT("P6\n1 2\n255\n\x01\x02\x03\xff\xfe\xfd"), 1, 2, 3, 8,
        PIXELS(1, 2, 3, 255, 255, 254, 253, 255));
    check_pixels("bytes after the first image are left", TEXT("P5 1 1 255 \x07P5 1 1 255 \x08"), 1,
        1, 1, 8, PIXELS(GRAY(7)));
    check_pixels("P5, 16 bits, high byte first", TEXT("P5 2 1 65535\n\x12\x34\xff\xfe"), 2, 1, 1,
        16, PIXELS(GRAY16(0x1234), GRAY16(0xfffe)));
    check_pixels("P6, 16 bits", TEXT("P6 1 1 65535\n\x01\x02\x03\x04\x05\x06"), 1, 1, 3, 16,
        PIXELS(0x102, 0x304, 0x506, 65535));
    check_pixels("P2, 16 bits", TEXT("P2 1 1 65535 4660"), 1, 1, 1, 16, PIXELS(GRAY16(4660)));
}

/* round(255 s / m), or round(65535 s / m) above 255. */
static void check_maxima(void)
{
    check_pixels("maximum 1", TEXT("P2 2 1 1 0 1"), 2, 1, 1, 8, PIXELS(GRAY(0), GRAY(255)));
    check_pixels("maximum 4: 63.75, 127.5, 191.25 are rounded", TEXT("P2 5 1 4 0 1 2 3 4"), 5, 1, 1,
        8, PIXELS(GRAY(0), GRAY(64), GRAY(128), GRAY(191), GRAY(255)));
    check_pixels("maximum 15", TEXT("P5 3 1 15\n\x00\x07\x0f"), 3, 1, 1, 8,
        PIXELS(GRAY(0), GRAY(119), GRAY(255)));
    check_pixels(
        "maximum 254: 127.5 is rounded", TEXT("P2 1 1 254 127"), 1, 1, 1, 8, PIXELS(GRAY(128)));
    /* 255.996, 511.992 and 65279.004 */
    check_pixels("maximum 256 takes two bytes", TEXT("P5 4 1 256\n\0\1\0\2\0\xff\1\0"), 4, 1, 1, 16,
        PIXELS(GRAY16(256), GRAY16(512), GRAY16(65279), GRAY16(65535)));
    check_pixels("maximum 1023: 32799.53 is rounded", TEXT("P3 1 1 1023 0 512 1023"), 1, 1, 3, 16,
        PIXELS(0, 32800, 65535, 65535));
}

static void check_refusals(void)
{
    static const char HEADER[] = "its PNM header has a bad width, height or maximum";
    static const char DATA[] = "its data is cut short or has a sample above the maximum";
    check_refused("no width", TEXT("P5\n"), HEADER);
    check_refused("no height", TEXT("P5 1"), HEADER);
    check_refused("no maximum", TEXT("P5 1 1"), HEADER);
    check_refused("width 0", TEXT("P5 0 1 255\n\x01"), HEADER);
    check_refused("height 0", TEXT("P4 1 0\n\x01"), HEADER);
    check_refused("maximum 0", TEXT("P5 1 1 0\n\x01"), HEADER);
    check_refused("maximum 65536", TEXT("P5 1 1 65536\n\1\1"), HEADER);
    check_refused("width 2^31", TEXT("P5 2147483648 1 255\n\x01"), HEADER);
    check_refused("a negative width", TEXT("P5 -1 1 255\n\x01"), HEADER);
    check_refused("a word for a width", TEXT("P5 one 1 255\n\x01"), HEADER);
    check_refused("101 pixels of 100", TEXT("P5 101 1 255\n"),
        "101 x 1 pixels are more than 100; raise max-pixels");
    check_refused("the largest size", TEXT("P5 2147483647 2147483647 255\n"),
        "2147483647 x 2147483647 pixels are more than 100; ");
    check_refused("a plain sample above the maximum", TEXT("P2 1 1 9 10"), DATA);
    check_refused("a raw sample above the maximum", TEXT("P5 1 1 9 \x0a"), DATA);
    check_refused("a 16-bit sample above the maximum", TEXT("P5 1 1 256 \1\1"), DATA);
    check_refused("a 2 in a bitmap", TEXT("P1 1 1 2"), DATA);
    check_refused("a letter for a sample", TEXT("P2 2 1 9 1 x"), DATA);
    check_refused("more pixels than bits", TEXT("P4 96 1\n"), DATA);
    check_refused("P7", TEXT("P7 1 1 255\n\x01"), "");
}

/* What a plain file may lose: the blank after its last sample, which has one digit here. */
static void check_cut_short(const char *text, size_t size, size_t droppable)
{
    size_t accepted = 0;
    for (size_t length = 1; length < size; length++) {
        struct error error;
        struct image image;
        accepted += image_decode(text, length, "x", 100, &image, &error) == 0;
        image_free(&image);
    }
    tap_check(accepted == droppable, "%.2s: all but %zu of the proper prefixes are refused (%zu)",
        text, droppable, accepted);
}

int main(void)
{
    check_kinds();
    check_maxima();
    check_refusals();
    check_cut_short(TEXT("P1\n3 2\n1 0 1\n0 1 0\n"), 1);
    check_cut_short(TEXT("P2\n3 2\n255\n10 20 30\n40 50 6\n"), 1);
    check_cut_short(TEXT("P3\n1 2\n255\n10 20 30\n40 50 6\n"), 1);
    check_cut_short(TEXT("P4\n9 2\n\xaa\xff\x0f\x7f"), 0);
    check_cut_short(TEXT("P5\n2 2\n255\n1234"), 0);
    check_cut_short(TEXT("P6\n2 1\n65535\n123456789abc"), 0);
    return tap_finish();
}
