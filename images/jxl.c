/* JPEG XL, read and written by libjxl; what is written loses nothing. */
#include <stdlib.h>
#include <string.h>

#include "images/formats.h"
#include "library.h"

static int jxl_recognize(struct input *input)
{
    static const unsigned char CONTAINER[] = {0, 0, 0, 12, 'J', 'X', 'L', ' ', '\r', '\n'};
    const size_t size = input_peek(input, sizeof(CONTAINER));
    return (size >= 2 && memcmp(input->at, "\xff\x0a", 2) == 0) ||
           (size >= sizeof(CONTAINER) && memcmp(input->at, CONTAINER, sizeof(CONTAINER)) == 0);
}

#if HAVE_JXL
#include <jxl/decode.h>
#include <jxl/encode.h>
#include <omp.h>

#define MAX_PIXEL_BYTES 32                  /* of a file, more than any kind takes */
#define MAX_OTHER_BYTES ((uint64_t)1 << 27) /* what else a file may hold */
#define EFFORT 3                            /* of 1 to 9, which take longer and pack closer */
#define PREFIX 4 /* bytes before an EXIF block: where in what follows it begins */
#define PART ((size_t)1 << 16)

/* libjxl's functions for colors took one more argument before 0.9. */
#if JPEGXL_NUMERIC_VERSION < JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define OF_DECODER(decoder) decoder, NULL
#else
#define OF_DECODER(decoder) decoder
#endif

#define FUNCTIONS(X) \
    X(JxlDecoderGetBoxType) \
    X(JxlDecoderSetBoxBuffer) \
    X(JxlDecoderReleaseBoxBuffer) \
    X(JxlDecoderGetColorAsEncodedProfile) \
    X(JxlDecoderGetICCProfileSize) \
    X(JxlDecoderGetColorAsICCProfile) \
    X(JxlDecoderGetBasicInfo) \
    X(JxlDecoderGetFrameHeader) \
    X(JxlDecoderSetImageOutBuffer) \
    X(JxlDecoderReleaseInput) \
    X(JxlDecoderSetInput) \
    X(JxlDecoderProcessInput) \
    X(JxlDecoderCreate) \
    X(JxlDecoderSetParallelRunner) \
    X(JxlDecoderSubscribeEvents) \
    X(JxlDecoderSetUnpremultiplyAlpha) \
    X(JxlDecoderSetDecompressBoxes) \
    X(JxlDecoderDestroy) \
    X(JxlEncoderAddBox) \
    X(JxlEncoderUseBoxes) \
    X(JxlEncoderCloseBoxes) \
    X(JxlEncoderInitBasicInfo) \
    X(JxlColorEncodingSetToSRGB) \
    X(JxlEncoderSetBasicInfo) \
    X(JxlEncoderSetICCProfile) \
    X(JxlEncoderSetColorEncoding) \
    X(JxlEncoderFrameSettingsCreate) \
    X(JxlEncoderSetFrameLossless) \
    X(JxlEncoderFrameSettingsSetOption) \
    X(JxlEncoderAddImageFrame) \
    X(JxlEncoderCloseInput) \
    X(JxlEncoderProcessOutput) \
    X(JxlEncoderCreate) \
    X(JxlEncoderSetParallelRunner) \
    X(JxlEncoderDestroy) \
    X(JxlDecoderVersion)

static struct {
    FUNCTIONS(LIBRARY_POINTER)
} jxl;

static int jxl_open(struct error *error)
{
    static const char *const FILES[] = {JXL_LIBRARY, NULL};
    static const char *const NAMES[] = {FUNCTIONS(LIBRARY_NAME) NULL};
    return library_open(FILES[0], FILES, NAMES, (void **)&jxl, error);
}

/* Runs libjxl's work by OpenMP's threads. */
static JxlParallelRetCode run_parallel(void *runner, void *context, JxlParallelRunInit init,
    JxlParallelRunFunction run, uint32_t begin, uint32_t end)
{
    const int threads = omp_get_max_threads(), rc = init(context, (size_t)threads);
    (void)runner;
    if (rc)
        return rc;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (uint32_t i = begin; i < end; i++)
        run(context, i, (size_t)omp_get_thread_num());
    return 0;
}

/* A file that is read. */
struct decoding {
    JxlDecoder *decoder;
    struct input *input;
    struct image *image;
    struct metadata metadata;
    JxlBoxType type;    /* of the box that is read */
    unsigned char *box; /* what is there of it; NULL: it is not wanted */
    size_t size;        /* bytes in `box` */
    size_t given;       /* bytes that the decoder has, at input->at */
    uint64_t taken;     /* bytes that it has done with */
    uint64_t most;      /* bytes that it may take of what is known by now */
    int has_image;
    const char *fault;
};

static void start_box(struct decoding *d)
{
    if (jxl.JxlDecoderGetBoxType(d->decoder, d->type, JXL_TRUE) != JXL_DEC_SUCCESS ||
        (memcmp(d->type, "Exif", 4) != 0 && memcmp(d->type, "xml ", 4) != 0))
        return;
    d->size = PART;
    d->box = malloc(d->size);
    if (!d->box || jxl.JxlDecoderSetBoxBuffer(d->decoder, d->box, d->size) != JXL_DEC_SUCCESS)
        d->fault = "not enough memory";
}

static void enlarge_box(struct decoding *d)
{
    const size_t used = d->size - jxl.JxlDecoderReleaseBoxBuffer(d->decoder);
    unsigned char *larger = d->size < METADATA_MAX_BYTES ? realloc(d->box, 2 * d->size) : NULL;
    if (!larger) {
        d->fault = "its metadata takes more memory than there is or is allowed";
        return;
    }
    d->box = larger;
    d->size *= 2;
    jxl.JxlDecoderSetBoxBuffer(d->decoder, d->box + used, d->size - used);
}

/* Takes what is in a box that has ended, if any was wanted. */
static void end_box(struct decoding *d)
{
    struct metadata *metadata = &d->metadata;
    if (!d->box)
        return;
    const size_t used = d->size - jxl.JxlDecoderReleaseBoxBuffer(d->decoder);
    if (memcmp(d->type, "xml ", 4) == 0)
        metadata_set(metadata, &metadata->xmp, d->box, used);
    else if (used > PREFIX && memcmp(d->box, "\0\0\0\0", PREFIX) == 0)
        metadata_set(metadata, &metadata->exif, d->box + PREFIX, used - PREFIX);
    free(d->box);
    d->box = NULL;
}

/* The profile, where the colors are not those of sRGB, which need none. */
static void take_profile(struct decoding *d)
{
    JxlColorEncoding colors;
    size_t size = 0;
    const int is_known = jxl.JxlDecoderGetColorAsEncodedProfile(OF_DECODER(d->decoder),
                             JXL_COLOR_PROFILE_TARGET_DATA, &colors) == JXL_DEC_SUCCESS;
    if ((is_known && colors.transfer_function == JXL_TRANSFER_FUNCTION_SRGB &&
            colors.white_point == JXL_WHITE_POINT_D65 &&
            (colors.color_space == JXL_COLOR_SPACE_GRAY ||
                colors.primaries == JXL_PRIMARIES_SRGB)) ||
        jxl.JxlDecoderGetICCProfileSize(
            OF_DECODER(d->decoder), JXL_COLOR_PROFILE_TARGET_DATA, &size) != JXL_DEC_SUCCESS ||
        size == 0 || size > METADATA_MAX_BYTES)
        return;
    unsigned char *profile = malloc(size);
    if (profile && jxl.JxlDecoderGetColorAsICCProfile(OF_DECODER(d->decoder),
                       JXL_COLOR_PROFILE_TARGET_DATA, profile, size) == JXL_DEC_SUCCESS)
        metadata_set(&d->metadata, &d->metadata.profile, profile, size);
    free(profile);
}

static int start_image(struct decoding *d, uint64_t max_pixels, struct error *error)
{
    JxlBasicInfo info;
    if (jxl.JxlDecoderGetBasicInfo(d->decoder, &info) != JXL_DEC_SUCCESS)
        return error_set(error, ERROR_INPUT, "cannot read '%s': it is damaged", d->input->name);
    const int rc = image_check_size(info.xsize, info.ysize, d->input->name, max_pixels, error);
    d->most += (uint64_t)info.xsize * info.ysize * MAX_PIXEL_BYTES;
    return rc ? rc
              : image_new_in(d->input->scratch, (int)info.xsize, (int)info.ysize,
                    (info.num_color_channels == 1 ? 1 : 3) + (info.alpha_bits > 0),
                    info.bits_per_sample > 8 ? 16 : 8, d->image, error);
}

/* Of an animation, frames are not counted without decoding them; the first tells whether it is the
 * last one. */
static void start_frame(struct decoding *d)
{
    JxlBasicInfo info;
    JxlFrameHeader header;
    if (jxl.JxlDecoderGetBasicInfo(d->decoder, &info) == JXL_DEC_SUCCESS && info.have_animation &&
        jxl.JxlDecoderGetFrameHeader(d->decoder, &header) == JXL_DEC_SUCCESS && !header.is_last)
        d->image->images = IMAGE_SEVERAL;
}

static void set_buffer(struct decoding *d)
{
    const struct image *image = d->image;
    const JxlPixelFormat format = {.num_channels = 4,
        .data_type = image->depth == 16 ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8,
        .endianness = JXL_NATIVE_ENDIAN};
    const size_t size = image_bytes(image);
    if (jxl.JxlDecoderSetImageOutBuffer(d->decoder, &format, image->pixels, size) !=
        JXL_DEC_SUCCESS)
        d->fault = "its colors cannot be made gray or RGB";
}

/* Gives the decoder more, behind what it has not done with. Returns whether there is more. */
static int feed(struct decoding *d)
{
    struct input *input = d->input;
    const size_t left = jxl.JxlDecoderReleaseInput(d->decoder);
    input->at += d->given - left;
    d->taken += d->given - left;
    if (d->taken > d->most)
        d->fault = "it is longer than its image can be";
    if (left >= INPUT_PEEK)
        d->fault = "the JPEG XL is damaged or cut short";
    d->given = d->fault ? 0 : input_peek(input, left + 1);
    return !d->fault && d->given > left &&
           jxl.JxlDecoderSetInput(d->decoder, input->at, d->given) == JXL_DEC_SUCCESS;
}

/* Reads the image, or the first one of several, and the metadata around it, in parts, so that no
 * more is read of a stream that is damaged. libjxl is not told that the input has ended, for then
 * it writes to standard error where that is too early; so the end is where it wants more than there
 * is. */
static int decode_all(struct decoding *d, uint64_t limit, uint64_t max_pixels, struct error *error)
{
    int rc = 0;
    for (int is_done = 0; rc == 0 && !d->fault && !is_done;) {
        const JxlDecoderStatus status = jxl.JxlDecoderProcessInput(d->decoder);
        if (status == JXL_DEC_NEED_MORE_INPUT && feed(d))
            continue;
        if (status == JXL_DEC_BOX || status == JXL_DEC_SUCCESS || status == JXL_DEC_NEED_MORE_INPUT)
            end_box(d);
        if (input_is_stopped(d->input, d->has_image))
            d->fault = "stopped";
        else if (status == JXL_DEC_BASIC_INFO)
            rc = start_image(d, max_pixels, error);
        else if (status == JXL_DEC_COLOR_ENCODING)
            take_profile(d);
        else if (status == JXL_DEC_BOX)
            start_box(d);
        else if (status == JXL_DEC_BOX_NEED_MORE_OUTPUT)
            enlarge_box(d);
        else if (status == JXL_DEC_FRAME && !d->has_image)
            start_frame(d);
        else if (status == JXL_DEC_NEED_IMAGE_OUT_BUFFER && !d->has_image)
            set_buffer(d);
        else if (status == JXL_DEC_FULL_IMAGE)
            d->has_image = 1;
        else if (d->has_image)
            is_done = 1;
        else if (!d->fault)
            d->fault = "the JPEG XL is damaged or cut short";
        if (d->has_image)
            d->most = limit;
    }
    return d->fault
               ? error_set(error, ERROR_INPUT, "cannot read '%s': %s", d->input->name, d->fault)
               : rc;
}

/* libjxl turns the image as it is to be seen, whatever EXIF says. */
static int jxl_decode(
    struct input *input, uint64_t max_pixels, struct image *image, struct error *error)
{
    const uint64_t limit = max_pixels * MAX_PIXEL_BYTES + MAX_OTHER_BYTES;
    struct decoding d = {.input = input, .image = image, .most = MAX_OTHER_BYTES};
    uint64_t size;
    int rc = input_gather(input, limit, FILE_TOO_LONG, &size, error);
    if (rc)
        return rc;
    d.decoder = jxl.JxlDecoderCreate(NULL);
    if (d.decoder) {
        jxl.JxlDecoderSetParallelRunner(d.decoder, run_parallel, NULL);
        jxl.JxlDecoderSubscribeEvents(d.decoder, JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING |
                                                     JXL_DEC_FRAME | JXL_DEC_FULL_IMAGE |
                                                     JXL_DEC_BOX);
        jxl.JxlDecoderSetUnpremultiplyAlpha(d.decoder, JXL_TRUE);
        jxl.JxlDecoderSetDecompressBoxes(d.decoder, JXL_TRUE);
    } else {
        d.fault = "not enough memory";
    }
    rc = decode_all(&d, limit, max_pixels, error);
    d.metadata.orientation = 1;
    if (rc == 0) {
        image->metadata = d.metadata;
        input_pass_rest(input);
    } else {
        image_free(image);
        metadata_free(&d.metadata);
    }
    jxl.JxlDecoderDestroy(d.decoder);
    free(d.box);
    return rc;
}

/* Adds a box with metadata, behind so many zeros. Returns 0, or -1 where memory is short. */
static int add_box(JxlEncoder *encoder, const char *type, const struct blob *blob, size_t zeros)
{
    JxlBoxType own;
    if (!blob->size)
        return 0;
    unsigned char *bytes = calloc(zeros + blob->size, 1);
    memcpy(own, type, sizeof(own));
    if (bytes)
        memcpy(bytes + zeros, blob->bytes, blob->size);
    const int is_added = bytes && jxl.JxlEncoderAddBox(encoder, own, bytes, zeros + blob->size,
                                      JXL_FALSE) == JXL_ENC_SUCCESS;
    free(bytes);
    return is_added ? 0 : -1;
}

static int add_metadata(JxlEncoder *encoder, const struct metadata *metadata)
{
    struct blob exif;
    if (metadata_make_exif(metadata, &exif) != 0)
        return -1;
    int rc = 0;
    if (exif.size || metadata->xmp.size) {
        jxl.JxlEncoderUseBoxes(encoder);
        rc = add_box(encoder, "Exif", &exif, PREFIX);
        if (rc == 0)
            rc = add_box(encoder, "xml ", &metadata->xmp, 0);
        jxl.JxlEncoderCloseBoxes(encoder);
    }
    free(exif.bytes);
    return rc;
}

/* Says what the image is. A profile that libjxl does not understand is left out. */
static int describe(JxlEncoder *encoder, const struct image *image)
{
    const struct blob *profile = &image->metadata.profile;
    const int has_alpha = image->channels % 2 == 0;
    JxlColorEncoding colors;
    JxlBasicInfo info;
    jxl.JxlEncoderInitBasicInfo(&info);
    info.xsize = (uint32_t)image->width;
    info.ysize = (uint32_t)image->height;
    info.bits_per_sample = (uint32_t)image->depth;
    info.num_color_channels = image->channels <= 2 ? 1 : 3;
    info.num_extra_channels = has_alpha ? 1 : 0;
    info.alpha_bits = has_alpha ? (uint32_t)image->depth : 0;
    info.uses_original_profile = JXL_TRUE;
    jxl.JxlColorEncodingSetToSRGB(&colors, image->channels <= 2);
    if (jxl.JxlEncoderSetBasicInfo(encoder, &info) != JXL_ENC_SUCCESS)
        return -1;
    if (profile->size &&
        jxl.JxlEncoderSetICCProfile(encoder, profile->bytes, profile->size) == JXL_ENC_SUCCESS)
        return 0;
    return jxl.JxlEncoderSetColorEncoding(encoder, &colors) == JXL_ENC_SUCCESS ? 0 : -1;
}

static int add_frame(JxlEncoder *encoder, const struct image *image)
{
    const JxlPixelFormat format = {.num_channels = (uint32_t)image->channels,
        .data_type = image->depth == 16 ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8,
        .endianness = JXL_NATIVE_ENDIAN};
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    const size_t size = pixels * (size_t)(image->channels * image->depth / 8);
    JxlEncoderFrameSettings *settings = jxl.JxlEncoderFrameSettingsCreate(encoder, NULL);
    void *packed = malloc(size);
    if (packed)
        image_pack(image, 0, pixels, packed);
    const int is_added =
        packed && settings &&
        jxl.JxlEncoderSetFrameLossless(settings, JXL_TRUE) == JXL_ENC_SUCCESS &&
        jxl.JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, EFFORT) ==
            JXL_ENC_SUCCESS &&
        jxl.JxlEncoderAddImageFrame(settings, &format, packed, size) == JXL_ENC_SUCCESS;
    free(packed);
    jxl.JxlEncoderCloseInput(encoder);
    return is_added ? 0 : -1;
}

static int put_file(JxlEncoder *encoder, struct output *output)
{
    static const double UNKNOWN_SHARE = 0;
    unsigned char part[PART];
    JxlEncoderStatus status;
    do {
        unsigned char *next = part;
        size_t left = sizeof(part);
        status = jxl.JxlEncoderProcessOutput(encoder, &next, &left);
        output_write(output, part, sizeof(part) - left);
    } while (status == JXL_ENC_NEED_MORE_OUTPUT && !output_progress(output, UNKNOWN_SHARE));
    return status == JXL_ENC_ERROR ? -1 : 0;
}

static int jxl_add(struct image_writer *writer, const struct image *strip, struct error *error)
{
    struct image image = *strip;
    JxlEncoder *encoder = jxl.JxlEncoderCreate(NULL);
    image.metadata = writer->whole.metadata;
    int rc = -1;
    if (encoder && jxl.JxlEncoderSetParallelRunner(encoder, run_parallel, NULL) == JXL_ENC_SUCCESS)
        rc = describe(encoder, &image);
    if (rc == 0)
        rc = add_metadata(encoder, &image.metadata);
    if (rc == 0)
        rc = add_frame(encoder, &image);
    if (rc == 0)
        rc = put_file(encoder, &writer->output);
    jxl.JxlEncoderDestroy(encoder);
    return rc ? image_encoder_failed(writer, error) : 0;
}

static void jxl_tell_library(char text[LIBRARY_TEXT])
{
    const uint32_t version = jxl.JxlDecoderVersion();
    snprintf(text, LIBRARY_TEXT, "libjxl %u.%u.%u", version / 1000000, version / 1000 % 1000,
        version % 1000);
}
#endif

const struct image_format IMAGE_JXL = {
    .name = "jxl",
    .extensions = {".jxl"},
    .recognize = jxl_recognize,
#if HAVE_JXL
    .open = jxl_open,
    .tell_library = jxl_tell_library,
    .decode = jxl_decode,
    .channels = HOLDS_GRAY | HOLDS_GRAY_ALPHA | HOLDS_RGB | HOLDS_RGBA,
    .max_depth = 16,
    .max_side = 1 << 18,
    .is_whole = 1,
    .add = jxl_add,
#else
    .missing = "libjxl",
#endif
};
