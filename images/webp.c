/* WebP, read and written by libwebp; what is written loses nothing. */
#include <stdlib.h>
#include <string.h>

#include "images/formats.h"

static int webp_recognize(struct input *input)
{
    return input_peek(input, 12) >= 12 && memcmp(input->at, "RIFF", 4) == 0 &&
           memcmp(input->at + 8, "WEBP", 4) == 0;
}

#if HAVE_WEBP
#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include "images/exif.h"

#define MAX_PIXEL_BYTES 8                   /* of a file, more than any kind takes */
#define MAX_OTHER_BYTES ((uint64_t)1 << 27) /* what else a file may hold */
#define LEVEL 2                             /* of 0 to 9, which take longer and pack closer */

static int fail(const struct input *input, const char *reason, struct error *error)
{
    return error_set(error, ERROR_INPUT, "cannot read '%s': %s", input->name, reason);
}

/* Some programs begin the block with the name that it has in JPEG files. */
static void take_metadata(const WebPDemuxer *file, struct metadata *metadata)
{
    static const char EXIF_NAME[] = "Exif\0";
    struct blob *const blobs[] = {&metadata->profile, &metadata->exif, &metadata->xmp};
    static const char *const TYPES[] = {"ICCP", "EXIF", "XMP "};
    for (int i = 0; i < 3; i++) {
        WebPChunkIterator chunk;
        if (!WebPDemuxGetChunk(file, TYPES[i], 1, &chunk))
            continue;
        const size_t name = sizeof(EXIF_NAME), size = chunk.chunk.size;
        const size_t skipped =
            size > name && memcmp(chunk.chunk.bytes, EXIF_NAME, name) == 0 ? name : 0;
        metadata_set(metadata, blobs[i], chunk.chunk.bytes + skipped, size - skipped);
        WebPDemuxReleaseChunkIterator(&chunk);
    }
}

/* Decodes a frame into its place in the image. */
static int decode_frame(const WebPIterator *frame, const struct image *image)
{
    const size_t width = (size_t)image->width, height = (size_t)image->height;
    const size_t left = (size_t)frame->x_offset, top = (size_t)frame->y_offset;
    WebPDecoderConfig config;
    if (left + (size_t)frame->width > width || top + (size_t)frame->height > height ||
        !WebPInitDecoderConfig(&config))
        return -1;
    config.options.use_threads = 1;
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = (uint8_t *)image->pixels + 4 * (top * width + left);
    config.output.u.RGBA.stride = 4 * image->width;
    config.output.u.RGBA.size = 4 * (width * (height - top) - left);
    return WebPDecode(frame->fragment.bytes, frame->fragment.size, &config) == VP8_STATUS_OK ? 0
                                                                                             : -1;
}

/* Reads the image, or the first frame of several, around which an image that is larger is
 * transparent. */
static int decode_file(const WebPDemuxer *file, const struct input *input, uint64_t max_pixels,
    struct image *image, struct error *error)
{
    const uint32_t width = WebPDemuxGetI(file, WEBP_FF_CANVAS_WIDTH);
    const uint32_t height = WebPDemuxGetI(file, WEBP_FF_CANVAS_HEIGHT);
    WebPIterator frame;
    int rc = image_check_size(width, height, input->name, max_pixels, error);
    if (rc)
        return rc;
    if (!WebPDemuxGetFrame(file, 1, &frame))
        return fail(input, "it has no image", error);
    const int is_part = (uint32_t)frame.width < width || (uint32_t)frame.height < height;
    rc = image_new_in(input->scratch, (int)width, (int)height, frame.has_alpha || is_part ? 4 : 3,
        8, image, error);
    if (rc == 0 && decode_frame(&frame, image) != 0)
        rc = fail(input, "its data is damaged", error);
    if (rc == 0)
        take_metadata(file, &image->metadata);
    else
        image_free(image);
    WebPDemuxReleaseIterator(&frame);
    return rc;
}

static int webp_decode(
    struct input *input, uint64_t max_pixels, struct image *image, struct error *error)
{
    WebPData data = {NULL, 0};
    unsigned char *bytes;
    int rc = input_rest(input, max_pixels * MAX_PIXEL_BYTES + MAX_OTHER_BYTES,
        "the file is longer than an image that is allowed; allow more", &bytes, &data.size, error);
    if (rc)
        return rc;
    data.bytes = bytes;
    WebPDemuxer *file = WebPDemux(&data);
    rc = file ? decode_file(file, input, max_pixels, image, error)
              : fail(input, "the WebP is damaged or cut short", error);
    WebPDemuxDelete(file);
    free(bytes);
    return rc;
}

static int watch(int percent, const WebPPicture *picture)
{
    return output_progress(picture->user_data, percent / 100.0) == 0;
}

/* Compresses the image. Returns 0, or -1 where memory is short or writing has been given up. */
static int encode(struct output *output, const struct image *image, WebPMemoryWriter *memory)
{
    WebPConfig config;
    WebPPicture picture;
    if (!WebPConfigInit(&config) || !WebPConfigLosslessPreset(&config, LEVEL) ||
        !WebPPictureInit(&picture))
        return -1;
    config.exact = 1; /* colors also where nothing of them is seen */
    picture.use_argb = 1;
    picture.width = image->width;
    picture.height = image->height;
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = memory;
    picture.progress_hook = watch;
    picture.user_data = output;
    const int is_done =
        (image->channels % 2 ? WebPPictureImportRGBX(&picture, image->pixels, 4 * image->width)
                             : WebPPictureImportRGBA(&picture, image->pixels, 4 * image->width)) &&
        WebPEncode(&config, &picture);
    WebPPictureFree(&picture);
    return is_done ? 0 : -1;
}

static int set_chunk(WebPMux *mux, const char *type, const struct blob *blob)
{
    const WebPData data = {blob->bytes, blob->size};
    return !blob->size || WebPMuxSetChunk(mux, type, &data, 0) == WEBP_MUX_OK;
}

/* Puts the compressed image and its metadata together. A profile of gray is none of colors, as
 * which gray is stored. Returns 0, or -1 where memory is short. */
static int add_metadata(const struct image *image, const WebPMemoryWriter *memory, WebPData *file)
{
    const struct blob none = {0}, *profile = &image->metadata.profile;
    const WebPData bare = {memory->mem, memory->size};
    struct blob exif;
    WebPMux *mux = WebPMuxCreate(&bare, 0);
    int rc = mux ? metadata_make_exif(&image->metadata, &exif) : -1;
    if (rc == 0) {
        const int is_set = set_chunk(mux, "ICCP", image->channels > 2 ? profile : &none) &&
                           set_chunk(mux, "EXIF", &exif) &&
                           set_chunk(mux, "XMP ", &image->metadata.xmp);
        rc = is_set && WebPMuxAssemble(mux, file) == WEBP_MUX_OK ? 0 : -1;
        free(exif.bytes);
    }
    WebPMuxDelete(mux);
    return rc;
}

static int webp_add(struct image_writer *writer, const struct image *strip, struct error *error)
{
    struct image image = *strip;
    WebPMemoryWriter memory;
    WebPData file = {NULL, 0};
    WebPMemoryWriterInit(&memory);
    image.metadata = writer->whole.metadata;
    int rc = encode(&writer->output, &image, &memory);
    if (rc == 0)
        rc = add_metadata(&image, &memory, &file);
    if (rc == 0)
        output_write(&writer->output, file.bytes, file.size);
    WebPDataClear(&file);
    WebPMemoryWriterClear(&memory);
    return rc && !writer->output.failure ? image_encoder_failed(writer, error) : 0;
}

static void webp_tell_library(char text[LIBRARY_TEXT])
{
    const int version = WebPGetEncoderVersion();
    snprintf(
        text, LIBRARY_TEXT, "libwebp %d.%d.%d", version >> 16, version >> 8 & 255, version & 255);
}
#endif

const struct image_format IMAGE_WEBP = {
    .name = "webp",
    .extensions = {".webp"},
    .recognize = webp_recognize,
#if HAVE_WEBP
    .tell_library = webp_tell_library,
    .decode = webp_decode,
    .channels = HOLDS_GRAY | HOLDS_GRAY_ALPHA | HOLDS_RGB | HOLDS_RGBA,
    .max_depth = 8,
    .max_side = WEBP_MAX_DIMENSION,
    .is_whole = 1,
    .add = webp_add,
#else
    .missing = "libwebp",
#endif
};
