/* TIFF files: what is written, as libtiff reads it, with each reduced level computed here one pixel
 * after the other; and what libtiff writes of all kinds that are read. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tiffio.h>
#include <unistd.h>

#include "cli/tap.h"
#include "images/image.h"
#include "tests/test_levels.h"

static char path[] = "/tmp/test_tiff.XXXXXX";

static int refuse(TIFF *tiff, void *user, const char *module, const char *format, va_list list)
{
    char message[256];
    (void)tiff, (void)module;
    vsnprintf(message, sizeof(message), format, list);
    printf("# libtiff: %s\n", message);
    ++*(int *)user;
    return 1;
}

/* Opens the file with libtiff, which counts errors and warnings. */
static TIFF *open_file(const char *mode, int *complaints)
{
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    TIFFOpenOptionsSetErrorHandlerExtR(options, refuse, complaints);
    TIFFOpenOptionsSetWarningHandlerExtR(options, refuse, complaints);
    TIFF *tiff = TIFFOpenExt(path, mode, options);
    TIFFOpenOptionsFree(options);
    if (!tiff)
        abort();
    return tiff;
}

static unsigned tag(TIFF *tiff, uint32_t name)
{
    uint16_t value = 0;
    return TIFFGetFieldDefaulted(tiff, name, &value) ? value : 0;
}

/* Where the samples of a file's pixel stand in memory, by their number. */
static const size_t SOURCES[5][4] = {{0}, {0}, {0, 3}, {0, 1, 2}, {0, 1, 2, 3}};

static int has_tags(TIFF *tiff, const struct image *image, int level)
{
    uint32_t kind = 0, width = 0, height = 0, across = 0, down = 0;
    uint16_t extras = 0, *extra = NULL;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SUBFILETYPE, &kind);
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
    TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &across);
    TIFFGetField(tiff, TIFFTAG_TILELENGTH, &down);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &extras, &extra);
    return kind == (level ? FILETYPE_REDUCEDIMAGE : 0) && (int)width == image->width &&
           (int)height == image->height && across == 256 && down == 256 &&
           (int)tag(tiff, TIFFTAG_BITSPERSAMPLE) == image->depth &&
           (int)tag(tiff, TIFFTAG_SAMPLESPERPIXEL) == image->channels &&
           tag(tiff, TIFFTAG_COMPRESSION) == COMPRESSION_ADOBE_DEFLATE &&
           tag(tiff, TIFFTAG_PREDICTOR) == PREDICTOR_HORIZONTAL &&
           tag(tiff, TIFFTAG_PHOTOMETRIC) ==
               (image->channels <= 2 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB) &&
           extras == !(image->channels % 2) && (!extras || *extra == EXTRASAMPLE_UNASSALPHA);
}

/* Whether a tile holds the image's pixels from x, y on. */
static int holds_tile(const struct image *tile, const struct image *image, int x, int y)
{
    const size_t channels = (size_t)image->channels;
    for (int v = y; v < y + 256 && v < image->height; v++)
        for (int u = x; u < x + 256 && u < image->width; u++)
            for (size_t c = 0; c < channels; c++) {
                const size_t in_tile = (size_t)(256 * (v - y) + u - x) * channels + c;
                const size_t pixel = (size_t)v * (size_t)image->width + (size_t)u;
                if (get_sample(tile, in_tile) !=
                    get_sample(image, 4 * pixel + SOURCES[channels][c]))
                    return 0;
            }
    return 1;
}

/* Whether the current directory of a file holds the image in tiles, as level `level`. */
static int holds_level(TIFF *tiff, const struct image *image, int level)
{
    const tmsize_t size = (tmsize_t)256 * 256 * image->channels * image->depth / 8;
    struct image tile = make_empty(256, 256, 4, image->depth);
    int is_same = has_tags(tiff, image, level);
    for (int y = 0; is_same && y < image->height; y += 256)
        for (int x = 0; is_same && x < image->width; x += 256)
            is_same =
                TIFFReadEncodedTile(tiff, TIFFComputeTile(tiff, (uint32_t)x, (uint32_t)y, 0, 0),
                    tile.pixels, size) == size &&
                holds_tile(&tile, image, x, y);
    image_free(&tile);
    return is_same;
}

/* All levels that libtiff reads are as they are defined, and what is read back is the image. */
static void check_levels(int width, int height, int channels, int depth)
{
    struct error error = {""};
    struct image read, image = make_noise(width, height, channels, depth);
    int complaints = 0, levels = 0, is_same = 1, is_last = 0;
    if (image_write(path, "tiff", &image, NULL, &error))
        abort();
    const int rc = image_read(path, IMAGE_MAX_PIXELS, NULL, &read, &error);
    tap_check(rc == 0 && read.width == width && read.height == height &&
                  read.channels == channels && read.depth == depth &&
                  memcmp(read.pixels, image.pixels,
                      (size_t)width * (size_t)height * image_pixel_size(&image)) == 0,
        "%d x %d, %d channels of %d bits: the same pixels again%s", width, height, channels, depth,
        error.text);
    TIFF *tiff = open_file("r", &complaints);
    for (; is_same && !is_last; levels++) {
        is_same = holds_level(tiff, &image, levels);
        is_last = image.width <= 256 && image.height <= 256;
        is_same &= TIFFLastDirectory(tiff) == is_last;
        struct image half = halve(&image);
        image_free(&image);
        image = half;
        if (!is_last)
            is_same &= TIFFReadDirectory(tiff);
    }
    TIFFClose(tiff);
    tap_check(is_same && !complaints, "%d x %d, %d channels of %d bits: %d levels for libtiff",
        width, height, channels, depth, levels);
    image_free(&image);
    image_free(&read);
}

/* So many tiles that offsets may need more than 32 bits. */
static void check_big(void)
{
    struct error error = {""};
    struct image read, image = make_noise(1 << 20, 1, 4, 16);
    char version[5] = "";
    if (image_write(path, "tiff", &image, NULL, &error))
        abort();
    FILE *file = fopen(path, "rb");
    tap_check(file && fread(version, 1, 4, file) == 4 &&
                  (memcmp(version, "II+", 4) == 0 || memcmp(version, "MM\0+", 4) == 0),
        "4096 tiles of 512 KiB and half of that again make a BigTIFF");
    fclose(file);
    tap_check(image_read(path, 1 << 20, NULL, &read, &error) == 0 &&
                  memcmp(read.pixels, image.pixels, (size_t)8 << 20) == 0,
        "it is read%s", error.text);
    image_free(&image);
    image_free(&read);
}

/* What libtiff is to write: 37 x 29 random samples. */
struct kind {
    const char *name;
    const char *mode;
    uint16_t color, bits, samples, extra; /* the last: the kind of the last sample, or NONE */
    int is_separate, tile;                /* pixels a side; 0: strips of 8 rows */
    int compression, predictor;
    int channels;       /* that are read */
    const char *reason; /* of a refusal */
};
enum { WIDTH = 37, HEIGHT = 29, NONE = 9 /* no kind of extra sample */ };

static void write_kind(const struct kind *kind, const uint16_t *values)
{
    static uint16_t map[3][256];
    int complaints = 0;
    TIFF *tiff = open_file(kind->mode, &complaints);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, WIDTH);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, HEIGHT);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, kind->bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, kind->samples);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, kind->color);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, kind->compression);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG,
        kind->is_separate ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
    if (kind->predictor)
        TIFFSetField(tiff, TIFFTAG_PREDICTOR, kind->predictor);
    if (kind->extra != NONE)
        TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &kind->extra);
    if (kind->bits == 32)
        TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
    for (int i = 0; i < 3 * 256; i++)
        map[i / 256][i % 256] = (uint16_t)(257 * (i % 256 * (7 + i / 256) & 0xff));
    if (kind->color == PHOTOMETRIC_PALETTE)
        TIFFSetField(tiff, TIFFTAG_COLORMAP, map[0], map[1], map[2]);
    const int across = kind->tile ? kind->tile : WIDTH, down = kind->tile ? kind->tile : 8;
    if (kind->tile) {
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, across);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, down);
    } else {
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, down);
    }
    const int planes = kind->is_separate ? kind->samples : 1, samples = kind->samples / planes;
    for (int plane = 0; plane < planes; plane++)
        for (int y = 0; y < HEIGHT; y += down)
            for (int x = 0; x < WIDTH; x += across) {
                static unsigned char block[64 * 64 * 8];
                const int row = (across * samples * kind->bits + 7) / 8;
                const int rows = kind->tile || HEIGHT - y > down ? down : HEIGHT - y;
                memset(block, 0, sizeof(block));
                for (int i = 0; i < rows * across * samples; i++) {
                    const int v = y + i / samples / across, u = x + i / samples % across;
                    const int bit = i % (across * samples) * kind->bits;
                    const unsigned value =
                        u < WIDTH && v < HEIGHT
                            ? values[(v * WIDTH + u) * kind->samples + plane + i % samples]
                            : 0;
                    unsigned char *to = block + i / (across * samples) * row + bit / 8;
                    if (kind->bits == 16)
                        memcpy(to, &(uint16_t){(uint16_t)value}, 2);
                    else if (kind->bits < 16)
                        *to |= (unsigned char)(value << (8 - kind->bits - bit % 8));
                }
                if (kind->tile)
                    TIFFWriteEncodedTile(tiff,
                        TIFFComputeTile(tiff, (uint32_t)x, (uint32_t)y, 0, (uint16_t)plane), block,
                        row * rows);
                else
                    TIFFWriteEncodedStrip(tiff,
                        TIFFComputeStrip(tiff, (uint32_t)y, (uint16_t)plane), block, row * rows);
            }
    TIFFClose(tiff);
    if (complaints)
        abort();
}

/* What a pixel's samples mean. */
static void expect(const struct kind *kind, const uint16_t *samples, unsigned rgba[4])
{
    const unsigned full = kind->bits == 16 ? 65535 : 255, most = (1u << kind->bits) - 1;
    const int has_alpha = kind->extra != NONE;
    rgba[3] = has_alpha ? samples[kind->samples - 1] : full;
    for (int c = 0; c < 3; c++) {
        const unsigned sample = samples[kind->color == PHOTOMETRIC_RGB ? c : 0];
        rgba[c] = kind->color == PHOTOMETRIC_PALETTE      ? sample * (unsigned)(7 + c) & 0xff
                  : kind->color == PHOTOMETRIC_MINISWHITE ? (most - sample) * full / most
                                                          : sample * full / most;
        if (kind->extra == EXTRASAMPLE_ASSOCALPHA && rgba[3]) {
            const double whole = (double)rgba[c] * full / rgba[3];
            rgba[c] = whole < full ? (unsigned)(whole + 0.5) : full;
        }
    }
}

static void check_kind(const struct kind *kind)
{
    static uint16_t values[WIDTH * HEIGHT * 5];
    struct error error = {""};
    struct image image;
    char expected[256];
    for (int i = 0; i < WIDTH * HEIGHT * kind->samples; i++)
        values[i] =
            (uint16_t)(next_random() >> 9 & (kind->bits < 16 ? (1u << kind->bits) - 1 : 65535));
    write_kind(kind, values);
    const int rc = image_read(path, IMAGE_MAX_PIXELS, NULL, &image, &error);
    if (kind->reason) {
        snprintf(expected, sizeof(expected), "cannot read '%s': %s", path, kind->reason);
        tap_check(rc == ERROR_INPUT && !image.pixels && strcmp(error.text, expected) == 0,
            "%s: refused: %s", kind->name, error.text);
        return;
    }
    int is_same = rc == 0 && image.width == WIDTH && image.height == HEIGHT &&
                  image.channels == kind->channels && image.depth == (kind->bits == 16 ? 16 : 8);
    for (size_t i = 0; is_same && i < WIDTH * HEIGHT; i++) {
        unsigned rgba[4];
        expect(kind, values + i * kind->samples, rgba);
        for (size_t c = 0; c < 4; c++)
            is_same &= get_sample(&image, 4 * i + c) == rgba[c];
    }
    tap_check(is_same, "%s: the right values%s", kind->name, error.text);
    image_free(&image);
}

static void check_kinds(void)
{
    enum {
        GRAY = PHOTOMETRIC_MINISBLACK,
        WHITE = PHOTOMETRIC_MINISWHITE,
        RGB = PHOTOMETRIC_RGB,
        MAP = PHOTOMETRIC_PALETTE,
        LZW = COMPRESSION_LZW,
        ZIP = COMPRESSION_ADOBE_DEFLATE,
        RAW = COMPRESSION_NONE,
        PACK = COMPRESSION_PACKBITS,
        FAX = COMPRESSION_CCITTFAX4,
        ALPHA = EXTRASAMPLE_UNASSALPHA,
        MULTIPLIED = EXTRASAMPLE_ASSOCALPHA
    };
    static const struct kind KINDS[] = {
        {"gray of 1 bit", "w", GRAY, 1, 1, NONE, 0, 0, RAW, 0, 1, NULL},
        {"1 bit, 0 is white, fax", "w", WHITE, 1, 1, NONE, 0, 0, FAX, 0, 1, NULL},
        {"gray of 2 bits, tiles", "w", GRAY, 2, 1, NONE, 0, 16, LZW, 0, 1, NULL},
        {"gray of 4 bits, 0 is white", "w", WHITE, 4, 1, NONE, 0, 0, PACK, 0, 1, NULL},
        {"gray of 8 bits, most significant byte first", "wb", GRAY, 8, 1, NONE, 0, 0, LZW, 2, 1,
            NULL},
        {"gray of 16 bits, 0 is white", "w", WHITE, 16, 1, NONE, 0, 0, ZIP, 0, 1, NULL},
        {"gray and alpha of 8 bits, apart", "w", GRAY, 8, 2, ALPHA, 1, 0, ZIP, 0, 2, NULL},
        {"gray and alpha of 16 bits, multiplied", "w", GRAY, 16, 2, MULTIPLIED, 0, 32, ZIP, 2, 2,
            NULL},
        {"RGB of 8 bits, apart, tiles", "w", RGB, 8, 3, NONE, 1, 16, PACK, 0, 3, NULL},
        {"RGB of 16 bits, most significant byte first, tiles", "wb", RGB, 16, 3, NONE, 0, 64, ZIP,
            2, 3, NULL},
        {"RGB of 16 bits, least significant byte first, BigTIFF", "wl8", RGB, 16, 3, NONE, 0, 0,
            LZW, 2, 3, NULL},
        {"RGBA of 8 bits, multiplied", "w", RGB, 8, 4, MULTIPLIED, 0, 0, ZIP, 0, 4, NULL},
        {"RGBA of 16 bits, apart", "w", RGB, 16, 4, ALPHA, 1, 0, ZIP, 2, 4, NULL},
        {"palette of 1 bit", "w", MAP, 1, 1, NONE, 0, 0, RAW, 0, 3, NULL},
        {"palette of 4 bits, tiles", "w", MAP, 4, 1, NONE, 0, 32, ZIP, 0, 3, NULL},
        {"palette of 8 bits", "w", MAP, 8, 1, NONE, 0, 0, LZW, 0, 3, NULL},
        {"CMYK", "w", PHOTOMETRIC_SEPARATED, 8, 4, NONE, 0, 0, ZIP, 0, 0,
            "its colors are neither gray, RGB nor a palette; save it as RGB"},
        {"floating point", "w", GRAY, 32, 1, NONE, 0, 0, ZIP, 0, 0,
            "its samples are no whole numbers from 0 on; save it with 8 or 16 bits"},
        {"an unknown channel", "w", RGB, 8, 4, EXTRASAMPLE_UNSPECIFIED, 0, 0, ZIP, 0, 0,
            "it has a channel that is no alpha; save it without"},
    };
    for (size_t i = 0; i < sizeof(KINDS) / sizeof(KINDS[0]); i++)
        check_kind(&KINDS[i]);
}

/* A file of three pages of 1, 2 and 3 rows, each full of its number, with a resolution of its
 * own. */
static void write_pages(void)
{
    int complaints = 0;
    TIFF *tiff = open_file("w", &complaints);
    for (int page = 0; page < 3; page++) {
        unsigned char row[WIDTH];
        memset(row, page, sizeof(row));
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, WIDTH);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, page + 1);
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
        TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
        TIFFSetField(tiff, TIFFTAG_XRESOLUTION, 100.0 + page);
        TIFFSetField(tiff, TIFFTAG_YRESOLUTION, 200.0 + page);
        for (int y = 0; y <= page; y++)
            TIFFWriteScanline(tiff, row, (uint32_t)y, 0);
        TIFFWriteDirectory(tiff);
    }
    TIFFClose(tiff);
    if (complaints)
        abort();
}

static void check_page(const char *name, int page)
{
    struct error error = {""};
    struct image image;
    const int rc = image_read(name, IMAGE_MAX_PIXELS, NULL, &image, &error);
    int is_same = rc == 0 && image.width == WIDTH && image.height == page + 1 &&
                  image.metadata.resolution.x == 100.0 + page &&
                  image.metadata.resolution.y == 200.0 + page;
    for (size_t i = 0; is_same && i < (size_t)WIDTH * (size_t)(page + 1); i++)
        is_same = get_sample(&image, 4 * i) == (unsigned)page;
    tap_check(is_same, "%s: page %d%s", name + sizeof(path) - 1, page, error.text);
    image_free(&image);
}

static void check_page_refused(const char *name, const char *reason)
{
    char expected[256];
    struct error error = {""};
    struct image image;
    snprintf(expected, sizeof(expected), "cannot %s '%s': %s", *reason == 'N' ? "open" : "read",
        name, reason);
    tap_check(image_read(name, IMAGE_MAX_PIXELS, NULL, &image, &error) == ERROR_INPUT &&
                  strcmp(error.text, expected) == 0,
        "%s", error.text);
}

/* Pages are named by their numbers; a file of such a name is that file. */
static void check_pages(void)
{
    struct error error = {""};
    struct image image = make_noise(2, 2, 3, 8);
    char name[64];
    write_pages();
    check_page(path, 0);
    for (int page = 0; page < 3; page++) {
        snprintf(name, sizeof(name), "%s[%d]", path, page);
        check_page(name, page);
    }
    for (int i = 0; i < 2; i++) {
        snprintf(name, sizeof(name), "%s[%s]", path, i ? "9999999" : "3");
        check_page_refused(name, "it has the pages [0] to [2] only");
    }
    static const char *const NO_PAGES[] = {"[]", "[-1]", "[1", "[1]x", "[12345678]"};
    for (size_t i = 0; i < sizeof(NO_PAGES) / sizeof(NO_PAGES[0]); i++) {
        snprintf(name, sizeof(name), "%s%s", path, NO_PAGES[i]);
        check_page_refused(name, "No such file or directory");
    }
    snprintf(name, sizeof(name), "%s[1]", path);
    if (rename(path, name) != 0)
        abort();
    check_page(name, 0);
    if (image_write(path, "png", &image, NULL, &error) || unlink(name) != 0)
        abort();
    check_page_refused(name, "files of the format png are read as one image; leave out [1]");
    if (image_write(path, "tiff", &image, NULL, &error))
        abort();
    check_page_refused(name, "it has one page, [0]");
    image_free(&image);
}

/* No prefix of a file crashes, and those are refused that lack more than the last few bytes, which
 * would say where a next image is; the message has the name once. */
static void check_cut_short(void)
{
    struct error error = {""};
    struct image read, image = make_noise(9, 7, 3, 16);
    struct stat status;
    size_t accepted = 0, first = 0;
    int passed = 1;
    if (image_write(path, "tiff", &image, NULL, &error) || stat(path, &status) != 0)
        abort();
    const size_t size = (size_t)status.st_size;
    unsigned char *bytes = malloc(size);
    FILE *file = fopen(path, "rb");
    if (!file || fread(bytes, 1, size, file) != size)
        abort();
    fclose(file);
    for (size_t length = 0; length < size; length++) {
        unsigned char *prefix = malloc(length ? length : 1);
        memcpy(prefix, bytes, length);
        if (image_decode(prefix, length, "prefix", 1 << 20, &read, &error) == 0) {
            first = accepted++ ? first : length;
            passed &= length + 4 >= size;
        } else {
            passed &= !read.pixels && strncmp(error.text, "cannot read 'prefix': ", 22) == 0 &&
                      !strstr(error.text + 22, "prefix") && error.text[22] != ':';
        }
        image_free(&read);
        free(prefix);
    }
    tap_check(passed, "cut short: refused (%zu of %zu accepted, from %zu)", accepted, size, first);
    tap_check(image_decode(bytes, size, "x", 9 * 7 - 1, &read, &error) == ERROR_INPUT &&
                  strcmp(error.text, "cannot read 'x': 9 x 7 pixels are more than 62; raise "
                                     "max-pixels") == 0,
        "a pixel above the limit is refused");
    free(bytes);
    image_free(&image);
}

/* Cuts the file off when it has been asked a second time. */
static int cut_file(void *context, double share)
{
    (void)share;
    if (++*(int *)context == 2 && truncate(path, 300) != 0)
        abort();
    return 0;
}

static void check_shrinking(void)
{
    struct error error = {""};
    struct image read, image = make_noise(300, 600, 3, 16);
    int asked = 0;
    const struct progress progress = {cut_file, &asked};
    if (image_write(path, "tiff", &image, NULL, &error))
        abort();
    tap_check(image_read(path, 1 << 20, &progress, &read, &error) == ERROR_INPUT && !read.pixels &&
                  strstr(error.text, ": it has become shorter meanwhile"),
        "a file that shrinks while it is read: %s", error.text);
    image_free(&image);
}

static void check_output(void)
{
    struct error error = {""};
    const char *expected = ": a TIFF is not written from its beginning to its end, so it needs a "
                           "file; name one, or use another format";
    tap_check(image_check_output("/dev/null", "tiff", NULL, &error) == ERROR_INPUT &&
                  strstr(error.text, expected),
        "a device is refused");
}

int main(void)
{
    static const int SIZES[][2] = {
        {1, 1}, {256, 256}, {257, 1}, {1, 513}, {255, 511}, {701, 1033}, {1025, 258}};
    const int fd = mkstemp(path);
    if (fd < 0)
        return 1;
    close(fd);
    for (size_t i = 0; i < sizeof(SIZES) / sizeof(SIZES[0]); i++)
        for (int channels = 1; channels <= 4; channels++)
            check_levels(
                SIZES[i][0], SIZES[i][1], channels, (int)(i + (size_t)channels) % 2 * 8 + 8);
    check_levels(701, 1033, 4, 8);
    check_levels(701, 1033, 4, 16);
    check_big();
    check_kinds();
    check_pages();
    check_cut_short();
    check_shrinking();
    check_output();
    unlink(path);
    return tap_finish();
}
