/* TIFF: reading by libtiff; writing in tiff_write.c. */
#include <stdlib.h>
#include <string.h>

#include "images/exif.h"
#include "images/iptc.h"
#include "images/pyramid.h"
#include "images/tiff_source.h"
#include "images/tiff_write.h"

#define MAX_PIXEL_BYTES 32                  /* of a file, more than any kind takes */
#define MAX_OTHER_BYTES ((uint64_t)1 << 24) /* what else a file may hold, and of a tile */
#define MAX_PAGES 1000                      /* that are counted */
#define PARALLEL_PIXELS (1 << 16) /* of a tile or strip; fewer are put before other threads wake */

static int tiff_recognize(struct input *input)
{
    return input_peek(input, 4) >= 4 &&
           (memcmp(input->at, "II*", 4) == 0 || memcmp(input->at, "MM\0*", 4) == 0 ||
               memcmp(input->at, "II+", 4) == 0 || memcmp(input->at, "MM\0+", 4) == 0);
}

/* An image of a file. */
struct page {
    TIFF *tiff;
    uint32_t width, height;
    uint16_t color, bits, samples; /* PHOTOMETRIC_; of a sample; of a pixel */
    uint16_t planes;               /* PLANARCONFIG_ */
    int has_alpha, is_premultiplied;
    const uint16_t *palette[3];
    int palette_shift;                  /* to 8 bits */
    uint32_t block_width, block_height; /* pixels of a tile or strip */
    unsigned char *block;
};

/* What keeps a page from being read, or NULL. */
static const char *fault_of(
    const struct page *page, uint16_t format, uint16_t extras, const uint16_t *extra)
{
    const int colors = page->color == PHOTOMETRIC_RGB ? 3 : 1;
    if (page->color == PHOTOMETRIC_YCBCR || page->color == PHOTOMETRIC_SEPARATED ||
        page->color > PHOTOMETRIC_PALETTE)
        return "its colors are neither gray, RGB nor a palette; save it as RGB";
    if (format != SAMPLEFORMAT_UINT)
        return "its samples are no whole numbers from 0 on; save it with 8 or 16 bits";
    if (page->bits != 1 && page->bits != 2 && page->bits != 4 && page->bits != 8 &&
        page->bits != 16)
        return "its samples have neither 1, 2, 4, 8 nor 16 bits";
    if (page->color == PHOTOMETRIC_PALETTE && page->bits > 8)
        return "its palette has more than 256 colors";
    if (page->samples != colors + extras || extras > 1)
        return "it has more channels than color and alpha, or fewer than its color needs";
    if (extras && extra[0] != EXTRASAMPLE_ASSOCALPHA && extra[0] != EXTRASAMPLE_UNASSALPHA)
        return "it has a channel that is no alpha; save it without";
    if (extras && page->color == PHOTOMETRIC_PALETTE)
        return "it has a palette and alpha; save it as RGB";
    return NULL;
}

/* Palettes have 16 bits, but some programs write 8. */
static int find_palette(struct page *page)
{
    uint16_t *colors[3], most = 0;
    if (!libtiff.TIFFGetField(page->tiff, TIFFTAG_COLORMAP, &colors[0], &colors[1], &colors[2]))
        return -1;
    for (int c = 0; c < 3; c++) {
        page->palette[c] = colors[c];
        for (int i = 0; i < 1 << page->bits; i++)
            most = colors[c][i] > most ? colors[c][i] : most;
    }
    page->palette_shift = most > 255 ? 8 : 0;
    return 0;
}

/* Finds out what the page is. Returns what keeps it from being read, or NULL; an empty reason
 * leaves it to libtiff. */
static const char *open_page(struct page *page)
{
    uint16_t format = SAMPLEFORMAT_UINT, extras = 0, *extra = NULL, compression = 0;
    TIFF *tiff = page->tiff;
    libtiff.TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &page->bits);
    libtiff.TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &page->samples);
    libtiff.TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &page->planes);
    libtiff.TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &format);
    libtiff.TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &extras, &extra);
    libtiff.TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
    if (!libtiff.TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &page->color))
        return "it does not say what its colors are";
    if (!libtiff.TIFFIsCODECConfigured(compression))
        return "it is compressed in a way that is not known; save it with Deflate or LZW";
    const char *fault = fault_of(page, format, extras, extra);
    if (fault)
        return fault;
    if (page->color == PHOTOMETRIC_PALETTE && find_palette(page) != 0)
        return "its palette is missing";
    page->has_alpha = extras == 1;
    page->is_premultiplied = page->has_alpha && extra[0] == EXTRASAMPLE_ASSOCALPHA;
    if (libtiff.TIFFIsTiled(tiff)) {
        libtiff.TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &page->block_width);
        libtiff.TIFFGetField(tiff, TIFFTAG_TILELENGTH, &page->block_height);
    } else {
        libtiff.TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &page->block_height);
        page->block_width = page->width;
    }
    if (page->block_height > page->height && !libtiff.TIFFIsTiled(tiff))
        page->block_height = page->height;
    return page->block_width && page->block_height ? NULL : "its tiles have no pixels";
}

static unsigned get_bits(const unsigned char *row, size_t index, unsigned bits)
{
    if (bits == 8)
        return row[index];
    if (bits == 16)
        return ((const uint16_t *)(const void *)row)[index];
    const size_t at = index * bits;
    return (unsigned)row[at / 8] >> (8 - bits - at % 8) & ((1u << bits) - 1);
}

static void put_sample(const struct image *image, size_t pixel, int channel, unsigned value)
{
    if (image->depth == 16)
        ((uint16_t *)image->pixels)[4 * pixel + (size_t)channel] = (uint16_t)value;
    else
        ((uint8_t *)image->pixels)[4 * pixel + (size_t)channel] = (uint8_t)value;
}

/* Puts a sample of a pixel where it belongs: gray into three channels, alpha into the last. */
static void put_value(
    const struct page *page, const struct image *image, size_t pixel, int sample, unsigned value)
{
    const unsigned full = page->bits == 16 ? 65535 : 255;
    if (page->color == PHOTOMETRIC_PALETTE) {
        for (int c = 0; c < 3; c++)
            put_sample(image, pixel, c, page->palette[c][value] >> page->palette_shift);
        return;
    }
    value *= page->bits < 8 ? full / ((1u << page->bits) - 1) : 1;
    if (page->has_alpha && sample == page->samples - 1) {
        put_sample(image, pixel, 3, value);
    } else if (page->color == PHOTOMETRIC_RGB) {
        put_sample(image, pixel, sample, value);
    } else {
        for (int c = 0; c < 3; c++)
            put_sample(
                image, pixel, c, page->color == PHOTOMETRIC_MINISWHITE ? full - value : value);
    }
}

/* Reads the tile or strip whose first pixel is at x, y, and puts its pixels into the image. */
static int read_block(
    const struct page *page, const struct image *image, uint32_t x, uint32_t y, uint16_t plane)
{
    const int is_tiled = libtiff.TIFFIsTiled(page->tiff);
    const int first = page->planes == PLANARCONFIG_SEPARATE ? plane : 0;
    const int samples = page->planes == PLANARCONFIG_SEPARATE ? 1 : page->samples;
    const uint32_t below = page->height - y, beside = page->width - x;
    const uint32_t rows = below < page->block_height ? below : page->block_height;
    const uint32_t columns = beside < page->block_width ? beside : page->block_width;
    const tmsize_t row =
        is_tiled ? libtiff.TIFFTileRowSize(page->tiff) : libtiff.TIFFScanlineSize(page->tiff);
    const tmsize_t size = row * (tmsize_t)(is_tiled ? page->block_height : rows);
    const tmsize_t got =
        is_tiled ? libtiff.TIFFReadEncodedTile(page->tiff,
                       libtiff.TIFFComputeTile(page->tiff, x, y, 0, plane), page->block, size)
                 : libtiff.TIFFReadEncodedStrip(page->tiff,
                       libtiff.TIFFComputeStrip(page->tiff, y, plane), page->block, size);
    if (got != size)
        return -1;
#pragma omp parallel for if ((uint64_t)rows * columns >= PARALLEL_PIXELS)
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j++) {
            const size_t pixel = (size_t)(y + i) * page->width + x + j;
            for (int s = 0; s < samples; s++)
                put_value(page, image, pixel, first + s,
                    get_bits(page->block + (size_t)i * (size_t)row,
                        (size_t)j * (size_t)samples + (size_t)s, page->bits));
            if (!page->has_alpha)
                put_sample(image, pixel, 3, 65535);
        }
    return 0;
}

/* Colors that were multiplied by their alpha are divided by it. */
static void divide(const struct image *image)
{
    const unsigned full = image->depth == 16 ? 65535 : 255;
    for (size_t i = 0; i < (size_t)image->width * (size_t)image->height; i++) {
        const unsigned alpha = get_bits(image->pixels, 4 * i + 3, (unsigned)image->depth);
        for (int c = 0; c < 3 && alpha; c++) {
            const uint64_t color =
                get_bits(image->pixels, 4 * i + (size_t)c, (unsigned)image->depth);
            const uint64_t whole = (color * full + alpha / 2) / alpha;
            put_sample(image, i, c, whole < full ? (unsigned)whole : full);
        }
    }
}

/* Reads all tiles or strips. Returns 0, or -1 where libtiff fails or the user asks to stop. */
static int read_page(const struct page *page, struct input *input, const struct image *image)
{
    const uint16_t planes = page->planes == PLANARCONFIG_SEPARATE ? page->samples : 1;
    for (uint16_t plane = 0; plane < planes; plane++)
        for (uint64_t y = 0; y < page->height; y += page->block_height) {
            const double share = (plane + (double)y / page->height) / planes;
            for (uint64_t x = 0; x < page->width; x += page->block_width)
                if (read_block(page, image, (uint32_t)x, (uint32_t)y, plane) != 0)
                    return -1;
            if (input_is_stopped(input, share))
                return -1;
        }
    if (page->is_premultiplied)
        divide(image);
    return 0;
}

/* Goes to the page that is asked for. */
static int find_page(const struct page *page, const struct input *input,
    const struct tiff_source *source, struct error *error)
{
    if (input->page == 0)
        return 0;
    const tdir_t count = libtiff.TIFFNumberOfDirectories(page->tiff);
    if ((tdir_t)input->page >= count && count == 1)
        return error_set(error, ERROR_INPUT, "cannot read '%s': it has one page, [0]", input->name);
    if ((tdir_t)input->page >= count)
        return error_set(error, ERROR_INPUT, "cannot read '%s': it has the pages [0] to [%u] only",
            input->name, (unsigned)count - 1);
    if (!libtiff.TIFFSetDirectory(page->tiff, (tdir_t)input->page))
        return error_set(error, ERROR_INPUT, "cannot read '%s': %s", input->name,
            source->message[0] ? source->message : "its page is damaged");
    return 0;
}

static int decode_page(struct page *page, struct input *input, const struct tiff_source *source,
    uint64_t max_pixels, struct image *image, struct error *error)
{
    int rc = find_page(page, input, source, error);
    if (rc)
        return rc;
    libtiff.TIFFGetField(page->tiff, TIFFTAG_IMAGEWIDTH, &page->width);
    libtiff.TIFFGetField(page->tiff, TIFFTAG_IMAGELENGTH, &page->height);
    rc = image_check_size(page->width, page->height, input->name, max_pixels, error);
    const char *fault = rc ? NULL : open_page(page);
    if (rc == 0 && !fault) {
        const uint64_t size = libtiff.TIFFIsTiled(page->tiff) ? libtiff.TIFFTileSize64(page->tiff)
                                                              : libtiff.TIFFStripSize64(page->tiff);
        const uint64_t most = max_pixels * MAX_PIXEL_BYTES + MAX_OTHER_BYTES;
        page->block = size && size <= most ? malloc((size_t)size) : NULL;
        fault = page->block ? NULL : "its tiles take more memory than there is or is allowed";
    }
    if (rc == 0 && !fault)
        rc = image_new_in(input->scratch, (int)page->width, (int)page->height,
            (page->color == PHOTOMETRIC_MINISWHITE || page->color == PHOTOMETRIC_MINISBLACK ? 1
                                                                                            : 3) +
                page->has_alpha,
            page->bits == 16 ? 16 : 8, image, error);
    if (rc == 0 && !fault && read_page(page, input, image) != 0)
        fault = source->message[0] ? source->message : "its data is cut short";
    free(page->block);
    return fault ? error_set(error, ERROR_INPUT, "cannot read '%s': %s", input->name, fault) : rc;
}

/* Counts the pages behind the first, which is read: not copies of less pixels, as in pyramids, nor
 * masks. Of a pipe they are not looked for, as all up to the last would be kept. */
static void count_pages(TIFF *tiff, const struct input *input, struct image *image)
{
    const int is_wanted = input->page == 0 && !input->is_stream;
    int pages = 1;
    for (int page = 1; is_wanted && pages < MAX_PAGES && libtiff.TIFFReadDirectory(tiff); page++) {
        uint32_t kind = 0;
        libtiff.TIFFGetField(tiff, TIFFTAG_SUBFILETYPE, &kind);
        if (kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK))
            continue;
        pages++;
        image->next_page = image->next_page ? image->next_page : page;
    }
    image->images = pages == MAX_PAGES ? IMAGE_SEVERAL : pages > 1 ? pages : 0;
}

/* Takes from the directories of the file what is metadata. The entries that have a place of their
 * own do not go into the EXIF block. */
static int take_entries(struct exif *exif, struct metadata *metadata)
{
    struct exif_list *list = &exif->lists[EXIF_IMAGE];
    const struct exif_entry *profile = exif_find(list, EXIF_PROFILE);
    const struct exif_entry *xmp = exif_find(list, EXIF_XMP);
    const struct exif_entry *iptc = exif_find(list, EXIF_IPTC);
    const struct exif_entry *orientation = exif_find(list, EXIF_ORIENTATION);
    uint16_t way = 1;
    if (profile)
        metadata_set(metadata, &metadata->profile, profile->values,
            profile->count * exif_type_size(profile->type));
    if (xmp)
        metadata_set(metadata, &metadata->xmp, xmp->values, xmp->count * exif_type_size(xmp->type));
    if (iptc)
        iptc_take(metadata, iptc->values, iptc->count);
    if (orientation && orientation->type == EXIF_SHORT && orientation->count == 1)
        memcpy(&way, orientation->values, sizeof(way));
    metadata->orientation = way >= 1 && way <= 8 ? way : 1;
    metadata->resolution = exif_resolution(list);
    exif_remove(list, EXIF_PROFILE);
    exif_remove(list, EXIF_XMP);
    exif_remove(list, EXIF_IPTC);
    exif_remove(list, EXIF_ORIENTATION);
    const int own = (exif_find(list, EXIF_X_RESOLUTION) != NULL) +
                    (exif_find(list, EXIF_Y_RESOLUTION) != NULL) +
                    (exif_find(list, EXIF_RESOLUTION_UNIT) != NULL);
    const int is_empty = list->count == own && exif->lists[EXIF_PHOTO].count == 0 &&
                         exif->lists[EXIF_PLACE].count == 0;
    return is_empty ? 0 : exif_make(exif, &metadata->exif);
}

static void take_metadata(
    const struct tiff_source *source, uint64_t directory, struct metadata *metadata)
{
    struct exif exif;
    if (exif_read_file(source->input, source->size, directory, &exif) != 0 ||
        take_entries(&exif, metadata) != 0)
        metadata->is_short = 1;
    exif_free(&exif);
}

/* Reads an image of a file, as it is stored. Fewer than 8 bits become 8, a palette
 * RGB. */
static int tiff_decode(
    struct input *input, uint64_t max_pixels, struct image *image, struct error *error)
{
    const uint64_t limit = max_pixels * MAX_PIXEL_BYTES + MAX_OTHER_BYTES;
    struct tiff_source source = {.input = input};
    struct page page = {.bits = 1};
    int rc = input_gather(input, limit, FILE_TOO_LONG, &source.size, error);
    const char *fault = rc ? NULL : tiff_header_fault(input, source.size);
    if (fault)
        rc = error_set(error, ERROR_INPUT, "cannot read '%s': %s", input->name, fault);
    if (rc)
        return rc;
    page.tiff = tiff_open_source(&source, limit);
    if (page.tiff)
        rc = decode_page(&page, input, &source, max_pixels, image, error);
    else
        rc = error_set(error, ERROR_INPUT, "cannot read '%s': %s", input->name,
            source.message[0] ? source.message : "not enough memory");
    if (rc == 0)
        take_metadata(&source, libtiff.TIFFCurrentDirOffset(page.tiff), &image->metadata);
    if (rc == 0)
        count_pages(page.tiff, input, image);
    if (page.tiff)
        libtiff.TIFFClose(page.tiff);
    if (rc == 0)
        input_pass_rest(input);
    else
        image_free(image);
    return rc;
}

/* libtiff gives "LIBTIFF, Version 4.5.0" and lines on whose it is. */
static void tiff_tell_library(char text[LIBRARY_TEXT])
{
    char version[32] = "";
    sscanf(libtiff.TIFFGetVersion(), "LIBTIFF, Version %31s", version);
    snprintf(text, LIBRARY_TEXT, "libtiff %s", version);
}

const struct image_format IMAGE_TIFF = {
    .name = "tiff",
    .extensions = {".tif", ".tiff"},
    .open = libtiff_open,
    .tell_library = tiff_tell_library,
    .recognize = tiff_recognize,
    .decode = tiff_decode,
    .has_pages = 1,
    .channels = HOLDS_GRAY | HOLDS_GRAY_ALPHA | HOLDS_RGB | HOLDS_RGBA,
    .max_depth = 16,
    .max_side = PYRAMID_MAX_SIDE,
    .check = tiff_check,
    .begin = tiff_begin,
    .add = tiff_add,
    .end = tiff_end,
    .release = tiff_release,
};
