/* WebP, read and written by libwebp; what is written loses nothing, unless the image has a
 * quality. */
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
#define RIFF_HEADER 12                      /* bytes, which tell how many follow */
#define CHUNK_HEADER 8                      /* likewise */
#define DAMAGED "the WebP is damaged or cut short"
#define LEVEL 2 /* of 0 to 9, which take longer and pack closer */

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

static uint32_t get_little(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* The chunks that are used, each once: libwebp would hold all, of an animation every frame. */
static const char CHUNKS[][5] = {
    "VP8X", "ICCP", "ANIM", "ANMF", "ALPH", "VP8 ", "VP8L", "EXIF", "XMP "};
enum { CHUNK_COUNT = sizeof(CHUNKS) / sizeof(CHUNKS[0]) };

/* Whether a chunk is used. `seen` has a bit for each kind that was there. */
static int is_used(const unsigned char *chunk, unsigned *seen)
{
    for (int i = 0; i < CHUNK_COUNT; i++)
        if (memcmp(chunk, CHUNKS[i], 4) == 0 && !(*seen & 1u << i)) {
            *seen |= 1u << i;
            return 1;
        }
    return 0;
}

/* Passes over bytes. Returns whether they are there. */
static int skip(struct input *input, uint64_t count)
{
    while (count > 0 && input_peek(input, 1) > 0) {
        const uint64_t there = (uint64_t)(input->end - input->at);
        const uint64_t part = count < there ? count : there;
        input->at += part;
        count -= part;
    }
    return count == 0;
}

/* Makes a file of the chunks that are used, and counts the frames of an animation; zeros in place
 * of a name end them. Returns 0, or ERROR_INPUT where they take more than `most` bytes, or not all
 * are there; the caller frees in any case. */
static int take_chunks(struct input *input, uint64_t most, WebPData *file, unsigned char **bytes,
    int *frames, struct error *error)
{
    unsigned char header[RIFF_HEADER], chunk[CHUNK_HEADER];
    unsigned seen = 0;
    uint64_t left = 0;
    if (input_read(input, header, sizeof(header)) == sizeof(header))
        left = get_little(header + 4) - 4; /* behind "WEBP" */
    file->size = sizeof(header);
    while (left >= CHUNK_HEADER) {
        if (input_read(input, chunk, sizeof(chunk)) < sizeof(chunk))
            return fail(input, DAMAGED, error);
        const uint64_t size = get_little(chunk + 4) + (uint64_t)(chunk[4] & 1);
        left -= CHUNK_HEADER;
        if (size > left)
            return fail(input, DAMAGED, error);
        left -= size;
        if (memcmp(chunk, "\0\0\0", 4) == 0)
            break;
        *frames += memcmp(chunk, "ANMF", 4) == 0;
        if (!is_used(chunk, &seen)) {
            if (!skip(input, size))
                return fail(input, DAMAGED, error);
            continue;
        }
        if (file->size + CHUNK_HEADER + size > most)
            return fail(input, "it is longer than its image can be", error);
        unsigned char *larger = realloc(*bytes, file->size + CHUNK_HEADER + (size_t)size);
        if (!larger)
            return fail(input, "not enough memory", error);
        *bytes = larger;
        memcpy(larger + file->size, chunk, sizeof(chunk));
        file->size += CHUNK_HEADER;
        if (input_read(input, larger + file->size, (size_t)size) < size)
            return fail(input, DAMAGED, error);
        file->size += (size_t)size;
    }
    if (!*bytes)
        return fail(input, DAMAGED, error);
    memcpy(*bytes, header, sizeof(header));
    for (int i = 0; i < 4; i++)
        (*bytes)[4 + i] = (unsigned char)((file->size - 8) >> 8 * i);
    file->bytes = *bytes;
    return 0;
}

/* The beginning of the file tells how large its image is, which bounds what is read of it. */
static int webp_decode(
    struct input *input, uint64_t max_pixels, struct image *image, struct error *error)
{
    const size_t begun = input_peek(input, INPUT_PEEK);
    WebPData data = {NULL, 0};
    uint64_t size;
    WebPBitstreamFeatures found;
    unsigned char *bytes = NULL;
    int frames = 0;
    if (WebPGetFeatures(input->at, begun, &found) != VP8_STATUS_OK)
        return fail(input, DAMAGED, error);
    int rc = image_check_size(found.width, found.height, input->name, max_pixels, error);
    if (rc == 0)
        rc = input_gather(
            input, max_pixels * MAX_PIXEL_BYTES + MAX_OTHER_BYTES, FILE_TOO_LONG, &size, error);
    const uint64_t pixels = (uint64_t)found.width * (uint64_t)found.height;
    if (rc == 0)
        rc = take_chunks(
            input, pixels * MAX_PIXEL_BYTES + MAX_OTHER_BYTES, &data, &bytes, &frames, error);
    WebPDemuxer *file = rc ? NULL : WebPDemux(&data);
    if (rc == 0)
        rc =
            file ? decode_file(file, input, max_pixels, image, error) : fail(input, DAMAGED, error);
    if (rc == 0 && frames > 1)
        image->images = frames;
    if (rc == 0)
        input_pass_rest(input);
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
    if (!WebPConfigInit(&config) || !WebPPictureInit(&picture) ||
        (!image->quality && !WebPConfigLosslessPreset(&config, LEVEL)))
        return -1;
    config.exact = 1; /* colors also where nothing of them is seen */
    picture.use_argb = !image->quality;
    if (image->quality)
        config.quality = (float)image->quality;
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
    image.quality = writer->whole.quality;
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
    .takes_quality = 1,
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
