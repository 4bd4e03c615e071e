/* EXIF blocks: what is read of those that libtiff writes in TIFF files of either byte order and of
 * BigTIFF, and that no damaged one does harm. */
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>
#include <unistd.h>

#include "cli/tap.h"
#include "images/exif.h"
#include "images/image.h"
#include "images/upright.h"
#include "tests/test_random.h"

static char path[] = "/tmp/test_exif.XXXXXX";

/* A TIFF of 3 x 2 gray pixels, whose samples are their numbers, with metadata. */
static void write_tiff(const char *mode, uint16_t orientation)
{
    static const unsigned char PIXELS[] = {0, 1, 2, 3, 4, 5};
    uint64_t offset = 0;
    TIFF *tiff = TIFFOpen(path, mode);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 3);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 2);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 2);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_ORIENTATION, orientation);
    TIFFSetField(tiff, TIFFTAG_MAKE, "Maker");
    TIFFSetField(tiff, TIFFTAG_XRESOLUTION, 150.5);
    TIFFSetField(tiff, TIFFTAG_YRESOLUTION, 75.25);
    TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_CENTIMETER);
    TIFFSetField(tiff, TIFFTAG_EXIFIFD, offset);
    TIFFWriteEncodedStrip(tiff, 0, (void *)(uintptr_t)PIXELS, sizeof(PIXELS));
    TIFFWriteDirectory(tiff);
    TIFFCreateEXIFDirectory(tiff);
    TIFFSetField(tiff, EXIFTAG_FNUMBER, 2.5);
    TIFFSetField(tiff, EXIFTAG_EXPOSUREPROGRAM, 2);
    TIFFWriteCustomDirectory(tiff, &offset);
    TIFFSetDirectory(tiff, 0);
    TIFFSetField(tiff, TIFFTAG_EXIFIFD, offset);
    TIFFRewriteDirectory(tiff);
    TIFFClose(tiff);
}

static int holds(struct exif_list *list, int tag, int type, const void *values, size_t size)
{
    const struct exif_entry *entry = exif_find(list, tag);
    return entry && entry->type == type && entry->count * exif_type_size(type) == size &&
           memcmp(entry->values, values, size) == 0;
}

static double fraction(struct exif_list *list, int tag)
{
    const struct exif_entry *entry = exif_find(list, tag);
    uint32_t part[2] = {0, 1};
    if (entry && entry->type == EXIF_RATIONAL)
        memcpy(part, entry->values, sizeof(part));
    return (double)part[0] / part[1];
}

/* Whether metadata are those of write_tiff, upright. */
static int is_complete(const struct metadata *metadata, int is_across)
{
    const uint16_t program = 2;
    struct exif exif;
    const int rc = exif_read(metadata->exif.bytes, metadata->exif.size, &exif);
    const struct resolution *resolution = &metadata->resolution;
    const int passed =
        rc == 0 && holds(&exif.lists[EXIF_IMAGE], 271, EXIF_ASCII, "Maker", 6) &&
        holds(&exif.lists[EXIF_PHOTO], EXIFTAG_EXPOSUREPROGRAM, EXIF_SHORT, &program, 2) &&
        fraction(&exif.lists[EXIF_PHOTO], EXIFTAG_FNUMBER) == 2.5 && resolution->is_metric &&
        resolution->x == (is_across ? 75.25 : 150.5) &&
        resolution->y == (is_across ? 150.5 : 75.25) && exif_orientation(&metadata->exif) == 1;
    exif_free(&exif);
    return passed;
}

/* What libtiff writes is read, and written and read again. */
static void check_tiff(const char *mode, uint16_t orientation, const char *pixels)
{
    struct image image, again = {0};
    struct error error = {""};
    write_tiff(mode, orientation);
    const int is_across = orientation > 4;
    int passed = image_read(path, IMAGE_MAX_PIXELS, NULL, &image, &error) == 0 &&
                 image.width == (is_across ? 2 : 3) && image.height == (is_across ? 3 : 2);
    for (size_t i = 0; passed && i < 6; i++)
        passed = ((uint8_t *)image.pixels)[4 * i] == (uint8_t)(pixels[i] - '0');
    tap_check(
        passed, "mode %s, orientation %d: the pixels are upright%s", mode, orientation, error.text);
    tap_check(is_complete(&image.metadata, is_across), "mode %s, orientation %d: metadata", mode,
        orientation);
    passed = image_write(path, "tiff", &image, NULL, &error) == 0 &&
             image_read(path, IMAGE_MAX_PIXELS, NULL, &again, &error) == 0;
    tap_check(passed && is_complete(&again.metadata, is_across),
        "mode %s, orientation %d: written and read again", mode, orientation);
    image_free(&image);
    image_free(&again);
}

/* A block with values in all directories, a small picture behind it. */
static struct blob make_block(void)
{
    static const unsigned char SMALL[] = "small picture";
    const uint32_t size[] = {4000, 3000}, time[] = {1, 125};
    const uint16_t orientation = 6;
    struct exif exif = {0};
    struct blob block;
    if (exif_add(&exif.lists[EXIF_IMAGE], EXIF_ORIENTATION, EXIF_SHORT, 1, &orientation) ||
        exif_add(&exif.lists[EXIF_IMAGE], 271, EXIF_ASCII, 6, "Maker") ||
        exif_add(&exif.lists[EXIF_PHOTO], 33434, EXIF_RATIONAL, 1, time) ||
        exif_add(&exif.lists[EXIF_PHOTO], 40962, EXIF_LONG, 1, &size[0]) ||
        exif_add(&exif.lists[EXIF_PHOTO], 40963, EXIF_LONG, 1, &size[1]) ||
        exif_add(&exif.lists[EXIF_PLACE], 1, EXIF_ASCII, 2, "N") ||
        exif_add(&exif.lists[EXIF_RULES], 1, EXIF_ASCII, 4, "R98") || exif_make(&exif, &block))
        abort();
    exif_free(&exif);
    const uint32_t at = (uint32_t)block.size, second = at + 30, length = sizeof(SMALL);
    const uint16_t head[] = {2, 513, EXIF_LONG}, tag = 514, type = EXIF_LONG;
    const uint32_t one = 1;
    uint16_t entries;
    block.bytes = realloc(block.bytes, second + length);
    if (!block.bytes)
        abort();
    memset(block.bytes + at, 0, 30);
    memcpy(block.bytes + at, head, 6);
    memcpy(block.bytes + at + 6, &one, 4);
    memcpy(block.bytes + at + 10, &second, 4);
    memcpy(block.bytes + at + 14, &tag, 2);
    memcpy(block.bytes + at + 16, &type, 2);
    memcpy(block.bytes + at + 18, &one, 4);
    memcpy(block.bytes + at + 22, &length, 4);
    memcpy(block.bytes + second, SMALL, length);
    memcpy(&entries, block.bytes + 8, 2);
    memcpy(block.bytes + 10 + 12 * entries, &at, 4);
    block.size = second + length;
    return block;
}

static void check_settle(void)
{
    struct blob block = make_block();
    const size_t size = block.size;
    struct exif exif;
    const uint32_t width = 30, height = 40;
    tap_check(exif_orientation(&block) == 6, "the orientation is found");
    exif_settle(&block, (int)width, (int)height);
    tap_check(exif_orientation(&block) == 1, "and becomes 1");
    tap_check(block.size == size - 14, "the small picture is cut off");
    const int rc = exif_read(block.bytes, block.size, &exif);
    tap_check(rc == 0 && holds(&exif.lists[EXIF_PHOTO], 40962, EXIF_LONG, &width, 4) &&
                  holds(&exif.lists[EXIF_PHOTO], 40963, EXIF_LONG, &height, 4) &&
                  holds(&exif.lists[EXIF_RULES], 1, EXIF_ASCII, "R98", 4) &&
                  holds(&exif.lists[EXIF_PLACE], 1, EXIF_ASCII, "N", 2),
        "the size is the image's, the rest is as it was");
    exif_free(&exif);
    free(block.bytes);
}

/* The blocks of a JPEG file begin at its first pixel. In which orientations that is at the right or
 * below is what EXIF says; there whole blocks must fill the side. */
static void check_blocks(void)
{
    static const int SIZES[3][2] = {{32, 32}, {33, 32}, {32, 33}};
    int right = 0;
    for (int orientation = 1; orientation <= 8; orientation++)
        for (int i = 0; i < 3; i++) {
            const int width = SIZES[i][0], height = SIZES[i][1];
            const int is_row_turned = strchr("2378", '0' + orientation) != NULL;
            const int is_column_turned = strchr("3467", '0' + orientation) != NULL;
            const int are_kept =
                (!is_row_turned || width == 32) && (!is_column_turned || height == 32);
            struct image image;
            struct error error;
            if (image_new(width, height, 3, 8, &image, &error))
                abort();
            image.jpeg.luminance = 1;
            image.metadata.orientation = orientation;
            if (image_settle(&image, &error))
                abort();
            right += (image.jpeg.luminance > 0) == are_kept;
            image_free(&image);
        }
    tap_check(right == 24, "%d of 24: blocks begin at a corner that is turned", right);
}

/* Does with a block all that is done with one, in memory of just its size. */
static void use(const unsigned char *bytes, size_t size)
{
    struct blob block = {malloc(size ? size : 1), size}, made = {0};
    struct exif exif;
    if (!block.bytes)
        abort();
    memcpy(block.bytes, bytes, size);
    if (exif_read(block.bytes, block.size, &exif) != 0 || exif_make(&exif, &made) != 0)
        abort();
    exif_resolution(&exif.lists[EXIF_IMAGE]);
    exif_free(&exif);
    free(made.bytes);
    if (exif_orientation(&block) < 1 || exif_orientation(&block) > 8)
        abort();
    if (exif_is_block(&block))
        exif_settle(&block, 30, 40);
    free(block.bytes);
}

/* Blocks that are cut short, have another byte anywhere, or numbers that are very large. */
static void check_damaged(void)
{
    static const unsigned char BYTES[] = {0, 1, 0x7f, 0x80, 0xfe, 0xff};
    struct blob block = make_block();
    for (size_t size = 0; size <= block.size; size++)
        use(block.bytes, size);
    for (size_t i = 0; i < block.size; i++) {
        const unsigned char was = block.bytes[i];
        for (size_t k = 0; k < sizeof(BYTES); k++) {
            block.bytes[i] = BYTES[k];
            use(block.bytes, block.size);
        }
        block.bytes[i] = was;
    }
    unsigned char *bytes = malloc(block.size);
    for (int n = 0; bytes && n < 20000; n++) {
        memcpy(bytes, block.bytes, block.size);
        for (int k = 0; k < 4; k++) {
            const uint32_t value = next_random() >> next_random() % 32;
            const size_t at = next_random() % (block.size - 4);
            memcpy(bytes + at, &value, 1 + next_random() % 4);
        }
        use(bytes, block.size);
    }
    tap_check(bytes != NULL, "damaged blocks do no harm");
    free(bytes);
    free(block.bytes);
}

int main(void)
{
    static const char *const MODES[] = {"wl", "wb", "wl8", "wb8"};
    const int fd = mkstemp(path);
    if (fd < 0)
        return 1;
    close(fd);
    for (int i = 0; i < 4; i++) {
        check_tiff(MODES[i], 1, "012345");
        check_tiff(MODES[i], 3, "543210");
        check_tiff(MODES[i], 6, "304152");
        check_tiff(MODES[i], 8, "251403");
    }
    check_settle();
    check_blocks();
    check_damaged();
    unlink(path);
    return tap_finish();
}
