/* The formats that stb_image decodes: GIF, PSD, HDR, PIC and TGA, of which the last has no mark. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <stb_image.h>
#include <stb_image_write.h>

#include "images/formats.h"

#define MAX_PIXEL_BYTES 32        /* of a file that stb reads, more than any format takes */
#define MAX_OTHER_BYTES (1 << 24) /* what else such a file may hold */

/* Memory as stb reads it. stb takes missing bytes for zeros; so what it asks for in vain is noted.
 * Its HDR reader would wait for ever for a run that is not empty, so it gets ones. */
struct source {
    const unsigned char *bytes;
    size_t left;
    char *ahead; /* stb's buffer for reading ahead, which need not be filled */
    int is_hdr;
    int starved;
};

static int source_read(void *user, char *data, int size)
{
    struct source *source = user;
    const size_t wanted = (size_t)size;
    const size_t got = wanted < source->left ? wanted : source->left;
    if (!source->ahead)
        source->ahead = data;
    memcpy(data, source->bytes, got);
    source->bytes += got;
    source->left -= got;
    if (got == wanted || (got > 0 && data == source->ahead))
        return (int)got;
    source->starved = 1;
    if (!source->is_hdr)
        return (int)got;
    memset(data + got, 1, wanted - got);
    return size;
}

static void source_skip(void *user, int size)
{
    struct source *source = user;
    const size_t skipped = (size_t)size < source->left ? (size_t)size : source->left;
    source->bytes += skipped;
    source->left -= skipped;
}

static int source_is_at_end(void *user)
{
    return ((struct source *)user)->left == 0;
}

static uint32_t big_endian(const unsigned char *bytes, int size)
{
    uint32_t value = 0;
    for (int i = 0; i < size; i++)
        value = value << 8 | bytes[i];
    return value;
}

/* What stb gets wrong of a PSD, or NULL: it decodes run-length encoded 16-bit channels as bytes,
 * and takes the matte out of those with alpha without keeping colors in range. The compression
 * stands behind the header and three parts that tell their length. */
static const char *psd_fault(const unsigned char *bytes, size_t size)
{
    size_t at = 26;
    if (size < at || memcmp(bytes, "8BPS", 4) != 0)
        return NULL;
    if (big_endian(bytes + 12, 2) > 3)
        return "a PSD with alpha; save it as PNG";
    if (big_endian(bytes + 22, 2) != 16)
        return NULL;
    for (int part = 0; part < 3 && size - at >= 4; part++) {
        const uint32_t length = big_endian(bytes + at, 4);
        at += 4;
        at += length < size - at ? length : size - at;
    }
    return size - at >= 2 && big_endian(bytes + at, 2) == 1
               ? "a compressed PSD of 16 bits; save it without compression"
               : NULL;
}

/* Where the image of a PSD begins, behind a header and three parts that tell their length, as far
 * as the bytes show it; else 0. */
static uint64_t psd_image(const unsigned char *bytes, size_t size)
{
    uint64_t at = 26;
    for (int part = 0; part < 3; part++) {
        if (at + 4 > size)
            return 0;
        at += 4 + (uint64_t)big_endian(bytes + at, 4);
    }
    return at;
}

/* Bit 4 of a TGA's descriptor says that it begins at the right, which stb takes for the left. */
static int begins_right(const unsigned char *bytes, size_t size)
{
    return size > 17 && bytes[17] & 1 << 4;
}

static void mirror(struct image *image)
{
    const size_t pixel = image_pixel_size(image), width = (size_t)image->width;
    for (size_t y = 0; y < (size_t)image->height; y++) {
        unsigned char *row = (unsigned char *)image->pixels + y * width * pixel;
        for (size_t x = 0; x < width / 2; x++) {
            unsigned char *left = row + x * pixel, *right = row + (width - 1 - x) * pixel, other[8];
            memcpy(other, left, pixel);
            memcpy(left, right, pixel);
            memcpy(right, other, pixel);
        }
    }
}

static int fail_stb(const char *name, struct error *error)
{
    const struct words known = image_read_formats();
    return error_set(error, ERROR_INPUT, "cannot read '%s': %s (%s are known)", name,
        stbi_failure_reason(), words_join(&known, " and ").text);
}

/* Decodes a whole file in memory. */
static int decode_whole(const unsigned char *bytes, size_t size, const char *name,
    struct image *image, struct error *error)
{
    static const stbi_io_callbacks CALLBACKS = {source_read, source_skip, source_is_at_end};
    struct source source = {.bytes = bytes, .left = size, .is_hdr = bytes[0] == '#'};
    int width, height, channels;
    const char *fault = psd_fault(bytes, size);
    if (fault)
        return error_set(error, ERROR_INPUT, "cannot read '%s': %s", name, fault);
    const int depth = stbi_is_16_bit_from_memory(bytes, (int)size) ? 16 : 8;
    void *pixels = depth == 16 ? (void *)stbi_load_16_from_callbacks(
                                     &CALLBACKS, &source, &width, &height, &channels, 4)
                               : (void *)stbi_load_from_callbacks(
                                     &CALLBACKS, &source, &width, &height, &channels, 4);
    if (!pixels)
        return fail_stb(name, error);
    *image = (struct image){
        .width = width, .height = height, .channels = channels, .depth = depth, .pixels = pixels};
    if (!source.starved)
        return 0;
    image_free(image);
    return error_set(error, ERROR_INPUT, "cannot read '%s': the file is cut short", name);
}

/* Where the parts of a GIF end that begin at `at`: each tells its length, and the last has none. */
static size_t pass_parts(const unsigned char *bytes, size_t size, size_t at)
{
    while (at < size && bytes[at] > 0)
        at += 1 + (size_t)bytes[at];
    return at + 1;
}

/* The bytes of the palette of a GIF or of a frame, as bits tell it. */
static size_t palette_size(unsigned char bits)
{
    return bits & 0x80 ? (size_t)3 << ((bits & 7) + 1) : 0;
}

/* How many frames a GIF has that are there as a whole. */
static int count_frames(const unsigned char *bytes, size_t size)
{
    enum { HEADER = 13, EXTENSION = 0x21, FRAME = 0x2c, FRAME_HEADER = 10 };
    size_t at = size > HEADER ? HEADER + palette_size(bytes[10]) : size;
    int count = 0;
    while (at < size && (bytes[at] == EXTENSION || bytes[at] == FRAME)) {
        const int is_frame = bytes[at] == FRAME;
        if (is_frame && size - at <= FRAME_HEADER)
            break;
        at += is_frame ? FRAME_HEADER + palette_size(bytes[at + 9]) + 1 : 2;
        at = pass_parts(bytes, size, at);
        count += is_frame && at <= size;
    }
    return count;
}

/* What a kind of file may be. */
struct kind {
    uint64_t pixels_a_byte; /* at most, since runs are that long; 0: any number */
    int has_more; /* further frames or layers, so it may be longer than its image asks for */
    int is_tga, is_gif, is_psd;
};

/* The beginning of a file tells how large its image is, which bounds what is read of it. */
static int stb_decode(struct input *input, uint64_t max_pixels, const struct kind *kind,
    struct image *image, struct error *error)
{
    const size_t begun = input_peek(input, INPUT_PEEK);
    int width, height, channels;
    unsigned char *bytes;
    size_t size;
    if (!stbi_info_from_memory(
            input->at, (int)(begun < INT_MAX ? begun : INT_MAX), &width, &height, &channels))
        return fail_stb(input->name, error);
    int rc = image_check_size(width, height, input->name, max_pixels, error);
    if (rc)
        return rc;
    const uint64_t pixels = (uint64_t)width * (uint64_t)height;
    const uint64_t before = kind->is_psd ? psd_image(input->at, begun) : 0;
    const uint64_t most = (kind->has_more && !before ? max_pixels : pixels) * MAX_PIXEL_BYTES +
                          MAX_OTHER_BYTES + before;
    rc = input_rest(input, most < INT_MAX ? most : INT_MAX,
        "it is longer than its image can be, or than 2 GiB", &bytes, &size, error);
    if (rc)
        return rc;
    if (kind->pixels_a_byte && pixels / kind->pixels_a_byte > size)
        rc = error_set(error, ERROR_INPUT, "cannot read '%s': the file is cut short", input->name);
    else
        rc = decode_whole(bytes, size, input->name, image, error);
    if (rc == 0 && kind->is_tga && begins_right(bytes, size))
        mirror(image);
    const int frames = rc == 0 && kind->is_gif ? count_frames(bytes, size) : 0;
    if (frames > 1)
        image->images = frames;
    free(bytes);
    return rc;
}

/* What stb's encoders call with a few bytes of the file at a time; `context` is a struct output.
 * They go on where writing has failed, so little is done then. */
static void write_bytes(void *context, void *bytes, int size)
{
    struct output *output = context;
    if (output->parts++ % REPORT_EVERY == 0)
        output_progress(output, 0);
    if (!output->failure)
        output_write(output, bytes, (size_t)size);
}

int stb_write(stb_encoder *encode, struct image_writer *writer, const struct image *image,
    struct error *error)
{
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    void *packed = malloc(pixels * (size_t)image->channels);
    if (packed)
        image_pack(image, 0, pixels, packed);
    const int is_written = packed && encode(write_bytes, &writer->output, image->width,
                                         image->height, image->channels, packed);
    free(packed);
    return is_written ? 0 : image_encoder_failed(writer, error);
}

static int begins_with(struct input *input, const char *mark)
{
    const size_t length = strlen(mark);
    return input_peek(input, length) >= length && memcmp(input->at, mark, length) == 0;
}

static int gif_recognize(struct input *input)
{
    return begins_with(input, "GIF8");
}

/* A frame may be smaller than its image. */
static int gif_decode(
    struct input *input, uint64_t max_pixels, struct image *image, struct error *error)
{
    static const struct kind GIF = {.has_more = 1, .is_gif = 1};
    return stb_decode(input, max_pixels, &GIF, image, error);
}

const struct image_format IMAGE_GIF = {
    .name = "gif",
    .extensions = {".gif"},
    .recognize = gif_recognize,
    .decode = gif_decode,
};

static int psd_recognize(struct input *input)
{
    return begins_with(input, "8BPS");
}

static int psd_decode(
    struct input *input, uint64_t max_pixels, struct image *image, struct error *error)
{
    static const struct kind PSD = {.pixels_a_byte = 128, .has_more = 1, .is_psd = 1};
    return stb_decode(input, max_pixels, &PSD, image, error);
}

const struct image_format IMAGE_PSD = {
    .name = "psd",
    .extensions = {".psd"},
    .recognize = psd_recognize,
    .decode = psd_decode,
};

static int hdr_recognize(struct input *input)
{
    return begins_with(input, "#?");
}

static int hdr_decode(
    struct input *input, uint64_t max_pixels, struct image *image, struct error *error)
{
    static const struct kind HDR = {.pixels_a_byte = 64};
    return stb_decode(input, max_pixels, &HDR, image, error);
}

const struct image_format IMAGE_HDR = {
    .name = "hdr",
    .extensions = {".hdr"},
    .recognize = hdr_recognize,
    .decode = hdr_decode,
};

static int pic_recognize(struct input *input)
{
    return begins_with(input, "\x53\x80\xf6\x34");
}

static int pic_decode(
    struct input *input, uint64_t max_pixels, struct image *image, struct error *error)
{
    static const struct kind PIC = {.pixels_a_byte = 1 << 14};
    return stb_decode(input, max_pixels, &PIC, image, error);
}

const struct image_format IMAGE_PIC = {
    .name = "pic",
    .extensions = {".pic"},
    .recognize = pic_recognize,
    .decode = pic_decode,
};

static int tga_decode(
    struct input *input, uint64_t max_pixels, struct image *image, struct error *error)
{
    static const struct kind TGA = {.pixels_a_byte = 128, .is_tga = 1};
    return stb_decode(input, max_pixels, &TGA, image, error);
}

static int tga_add(struct image_writer *writer, const struct image *strip, struct error *error)
{
    return stb_write(stbi_write_tga_to_func, writer, strip, error);
}

const struct image_format IMAGE_TGA = {
    .name = "tga",
    .extensions = {".tga"},
    .decode = tga_decode,
    .channels = HOLDS_GRAY | HOLDS_GRAY_ALPHA | HOLDS_RGB | HOLDS_RGBA,
    .max_depth = 8,
    .max_side = STB_MAX_SIDE,
    .is_whole = 1,
    .add = tga_add,
};
