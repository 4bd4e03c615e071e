/* AVIF, read and written by libavif; what is written loses nothing. */
#include <stdlib.h>
#include <string.h>

#include "images/formats.h"
#include "library.h"

static int avif_recognize(struct input *input)
{
    return input_peek(input, 12) >= 12 && memcmp(input->at + 4, "ftypavi", 7) == 0;
}

#if HAVE_AVIF
#include <avif/avif.h>
#include <omp.h>

#define MAX_PIXEL_BYTES 8                   /* of a file, more than any kind takes */
#define MAX_OTHER_BYTES ((uint64_t)1 << 27) /* what else a file may hold */
#define BOX_HEADER 16                       /* bytes at most: a size, a name, and a larger size */
#define SPEED 9                             /* of 0 to 10, the fastest */

#define FUNCTIONS(X) \
    X(avifResultToString) \
    X(avifRGBImageSetDefaults) \
    X(avifImageYUVToRGB) \
    X(avifDecoderParse) \
    X(avifDecoderNextImage) \
    X(avifDecoderCreate) \
    X(avifDecoderSetIO) \
    X(avifDecoderDestroy) \
    X(avifImageRGBToYUV) \
    X(avifImageSetProfileICC) \
    X(avifImageSetMetadataExif) \
    X(avifImageSetMetadataXMP) \
    X(avifImageCreate) \
    X(avifEncoderWrite) \
    X(avifImageDestroy) \
    X(avifEncoderCreate) \
    X(avifRWDataFree) \
    X(avifEncoderDestroy) \
    X(avifVersion)

static struct {
    FUNCTIONS(LIBRARY_POINTER)
} avif;

static int avif_open(struct error *error)
{
    static const char *const FILES[] = {AVIF_LIBRARY, NULL};
    static const char *const NAMES[] = {FUNCTIONS(LIBRARY_NAME) NULL};
    return library_open(FILES[0], FILES, NAMES, (void **)&avif, error);
}

/* A file, which libavif reads some places of. */
struct source {
    struct input *input; /* gathered */
    uint64_t next;       /* where the first box begins that has not been looked at */
    uint64_t other;      /* bytes that boxes without images may still take */
    uint64_t room;       /* bytes that may still be read of what is known by now */
    void **parts;        /* that were read, which libavif goes on to use */
    size_t part_count;
    const char *fault; /* or NULL */
};

/* What libavif has found, unless there is a better reason. */
static int fail(const struct source *source, avifResult result, struct error *error)
{
    const char *name = source->input->name;
    if (source->fault)
        return error_set(error, ERROR_INPUT, "cannot read '%s': %s", name, source->fault);
    return error_set(error, ERROR_INPUT, "cannot read '%s': the AVIF is damaged or cut short: %s",
        name, avif.avifResultToString(result));
}

static uint64_t get_big(const unsigned char *bytes, int count)
{
    uint64_t number = 0;
    for (int i = 0; i < count; i++)
        number = number << 8 | bytes[i];
    return number;
}

/* Looks at the next box of the file, so that no stream is read for one that cannot be right. Only
 * the box of the images may go on to the end. */
static void look_at_box(struct source *source)
{
    unsigned char header[BOX_HEADER] = {0};
    const size_t got = input_read_at(source->input, source->next, header, 8);
    const int is_images = memcmp(header + 4, "mdat", 4) == 0;
    uint64_t size = got == 8 ? get_big(header, 4) : 0;
    if (got < 8 || (size == 0 && is_images)) {
        source->next = UINT64_MAX;
        return;
    }
    if (size == 1 && input_read_at(source->input, source->next, header, 16) == 16)
        size = get_big(header + 8, 8);
    if (size < 8)
        source->fault = "the AVIF is damaged or cut short: a box has no size";
    else if (!is_images && size > source->other)
        source->fault = "it is longer than its image can be";
    source->other -= is_images ? 0 : size;
    source->next = size < UINT64_MAX - source->next ? source->next + size : UINT64_MAX;
}

/* What is read stays there, so that libavif makes no room for what a file only claims to have. */
static avifResult source_read(
    avifIO *io, uint32_t flags, uint64_t at, size_t size, avifROData *result)
{
    struct source *source = io->data;
    (void)flags;
    while (!source->fault && source->next <= at)
        look_at_box(source);
    if (!source->fault && size > source->room)
        source->fault = "it is longer than its image can be";
    if (source->fault)
        return AVIF_RESULT_IO_ERROR;
    void **parts = realloc(source->parts, (source->part_count + 1) * sizeof(*parts));
    void *part = parts ? malloc(size + 1) : NULL;
    source->parts = parts ? parts : source->parts;
    if (!part) {
        source->fault = "not enough memory";
        return AVIF_RESULT_IO_ERROR;
    }
    source->parts[source->part_count++] = part;
    source->room -= size;
    result->data = part;
    result->size = input_read_at(source->input, at, part, size);
    return AVIF_RESULT_OK;
}

static void free_source(struct source *source)
{
    for (size_t i = 0; i < source->part_count; i++)
        free(source->parts[i]);
    free(source->parts);
}

/* The orientation of EXIF that turns as the file asks: first by quarters anticlockwise, then to the
 * mirror image. */
static int find_orientation(const avifImage *file)
{
    static const int ORIENTATIONS[3][4] = {
        {1, 8, 3, 6}, {4, 5, 2, 7}, {2, 7, 4, 5}}; /* no mirror; top and bottom; left and right */
    const int turn = file->transformFlags & AVIF_TRANSFORM_IROT ? file->irot.angle & 3 : 0;
#if AVIF_VERSION_MAJOR > 0
    const int mirror = file->imir.axis;
#else
    const int mirror = file->imir.mode;
#endif
    return ORIENTATIONS[file->transformFlags & AVIF_TRANSFORM_IMIR ? 1 + (mirror & 1) : 0][turn];
}

static int decode_image(const avifImage *file, const struct source *source, uint64_t max_pixels,
    struct image *image, struct error *error)
{
    const struct input *input = source->input;
    const int is_gray = file->yuvFormat == AVIF_PIXEL_FORMAT_YUV400;
    avifRGBImage rgb;
    int rc = image_check_size(file->width, file->height, input->name, max_pixels, error);
    if (rc == 0)
        rc = image_new_in(input->scratch, (int)file->width, (int)file->height,
            (is_gray ? 1 : 3) + (file->alphaPlane != NULL), file->depth > 8 ? 16 : 8, image, error);
    if (rc)
        return rc;
    avif.avifRGBImageSetDefaults(&rgb, file);
    rgb.format = AVIF_RGB_FORMAT_RGBA;
    rgb.depth = (uint32_t)image->depth;
    rgb.pixels = image->pixels;
    rgb.rowBytes = (uint32_t)((size_t)image->width * image_pixel_size(image));
    const avifResult result = avif.avifImageYUVToRGB(file, &rgb);
    if (result != AVIF_RESULT_OK) {
        image_free(image);
        return fail(source, result, error);
    }
    struct metadata *metadata = &image->metadata;
    metadata_set(metadata, &metadata->profile, file->icc.data, file->icc.size);
    metadata_set(metadata, &metadata->exif, file->exif.data, file->exif.size);
    metadata_set(metadata, &metadata->xmp, file->xmp.data, file->xmp.size);
    metadata->orientation = find_orientation(file);
    return 0;
}

/* Reads the image, or the first one of several. How large it is bounds what is read of it. */
static int decode_source(avifDecoder *decoder, struct source *source, uint64_t max_pixels,
    struct image *image, struct error *error)
{
    avifResult result = avif.avifDecoderParse(decoder);
    if (result != AVIF_RESULT_OK)
        return fail(source, result, error);
    const avifImage *file = decoder->image;
    const int rc =
        image_check_size(file->width, file->height, source->input->name, max_pixels, error);
    if (rc)
        return rc;
    source->room += (uint64_t)file->width * file->height * MAX_PIXEL_BYTES;
    result = avif.avifDecoderNextImage(decoder);
    if (result != AVIF_RESULT_OK)
        return fail(source, result, error);
    const int failed = decode_image(decoder->image, source, max_pixels, image, error);
    if (!failed && decoder->imageCount > 1)
        image->images = decoder->imageCount;
    return failed;
}

static int avif_decode(
    struct input *input, uint64_t max_pixels, struct image *image, struct error *error)
{
    struct source source = {.input = input, .other = MAX_OTHER_BYTES, .room = MAX_OTHER_BYTES};
    avifIO io = {.read = source_read, .persistent = AVIF_TRUE, .data = &source};
    int rc = input_gather(
        input, max_pixels * MAX_PIXEL_BYTES + MAX_OTHER_BYTES, FILE_TOO_LONG, &io.sizeHint, error);
    if (rc)
        return rc;
    avifDecoder *decoder = avif.avifDecoderCreate();
    if (decoder) {
        decoder->maxThreads = omp_get_max_threads();
        decoder->strictFlags = AVIF_STRICT_DISABLED;
        if (max_pixels < decoder->imageSizeLimit)
            decoder->imageSizeLimit = (uint32_t)max_pixels;
        avif.avifDecoderSetIO(decoder, &io);
        rc = decode_source(decoder, &source, max_pixels, image, error);
        avif.avifDecoderDestroy(decoder);
    } else {
        rc = error_set(error, ERROR_INPUT, "cannot read '%s': not enough memory", input->name);
    }
    free_source(&source);
    if (rc == 0)
        input_pass_rest(input);
    return rc;
}

/* Makes the planes of an image: green, blue and red as they are, or gray. Returns 0, or -1 where
 * memory is short. */
static int fill_planes(const struct image *image, avifImage *file)
{
    avifRGBImage rgb;
    file->yuvRange = AVIF_RANGE_FULL;
    file->colorPrimaries = AVIF_COLOR_PRIMARIES_BT709;
    file->transferCharacteristics = AVIF_TRANSFER_CHARACTERISTICS_SRGB;
    file->matrixCoefficients =
        image->channels > 2 ? AVIF_MATRIX_COEFFICIENTS_IDENTITY : AVIF_MATRIX_COEFFICIENTS_BT601;
    avif.avifRGBImageSetDefaults(&rgb, file);
    rgb.format = AVIF_RGB_FORMAT_RGBA;
    rgb.ignoreAlpha = image->channels % 2 ? AVIF_TRUE : AVIF_FALSE;
    rgb.pixels = image->pixels;
    rgb.rowBytes = (uint32_t)(4 * image->width);
    return avif.avifImageRGBToYUV(file, &rgb) == AVIF_RESULT_OK ? 0 : -1;
}

/* libavif takes the orientation out of EXIF, where it is 1. */
static int set_metadata(const struct metadata *metadata, avifImage *file)
{
    struct blob exif;
    if (metadata_make_exif(metadata, &exif) != 0)
        return -1;
    if (metadata->profile.size)
        avif.avifImageSetProfileICC(file, metadata->profile.bytes, metadata->profile.size);
    if (exif.size)
        avif.avifImageSetMetadataExif(file, exif.bytes, exif.size);
    if (metadata->xmp.size)
        avif.avifImageSetMetadataXMP(file, metadata->xmp.bytes, metadata->xmp.size);
    free(exif.bytes);
    return 0;
}

static int encode(avifEncoder *encoder, const struct image *image, avifRWData *bytes)
{
    avifImage *file = avif.avifImageCreate((uint32_t)image->width, (uint32_t)image->height, 8,
        image->channels > 2 ? AVIF_PIXEL_FORMAT_YUV444 : AVIF_PIXEL_FORMAT_YUV400);
    if (!file)
        return -1;
    encoder->maxThreads = omp_get_max_threads();
    encoder->speed = SPEED;
    encoder->minQuantizer = encoder->maxQuantizer = AVIF_QUANTIZER_LOSSLESS;
    encoder->minQuantizerAlpha = encoder->maxQuantizerAlpha = AVIF_QUANTIZER_LOSSLESS;
    int rc = fill_planes(image, file);
    if (rc == 0)
        rc = set_metadata(&image->metadata, file);
    if (rc == 0)
        rc = avif.avifEncoderWrite(encoder, file, bytes) == AVIF_RESULT_OK ? 0 : -1;
    avif.avifImageDestroy(file);
    return rc;
}

static int avif_add(struct image_writer *writer, const struct image *strip, struct error *error)
{
    struct image image = *strip;
    avifRWData bytes = AVIF_DATA_EMPTY;
    avifEncoder *encoder = avif.avifEncoderCreate();
    image.metadata = writer->whole.metadata;
    const int rc = encoder ? encode(encoder, &image, &bytes) : -1;
    if (rc == 0)
        output_write(&writer->output, bytes.data, bytes.size);
    avif.avifRWDataFree(&bytes);
    if (encoder)
        avif.avifEncoderDestroy(encoder);
    return rc ? image_encoder_failed(writer, error) : 0;
}

static void avif_tell_library(char text[LIBRARY_TEXT])
{
    snprintf(text, LIBRARY_TEXT, "libavif %s", avif.avifVersion());
}
#endif

const struct image_format IMAGE_AVIF = {
    .name = "avif",
    .extensions = {".avif"},
    .recognize = avif_recognize,
#if HAVE_AVIF
    .open = avif_open,
    .tell_library = avif_tell_library,
    .decode = avif_decode,
    .channels = HOLDS_GRAY | HOLDS_GRAY_ALPHA | HOLDS_RGB | HOLDS_RGBA,
    .max_depth = 8,
    .max_side = 1 << 15,
    .is_whole = 1,
    .add = avif_add,
#else
    .missing = "libavif",
#endif
};
