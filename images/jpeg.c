/* JPEG, read and written by libjpeg. */
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "images/formats.h"
#include "images/iptc.h"

/* jpeglib.h needs stdio.h before it. */
#include <jpeglib.h>

#include <jerror.h>

#define QUALITY 95                     /* unless the image has one */
#define MAX_HEADER ((uint64_t)1 << 28) /* bytes before the image, which libjpeg keeps */
#define MAX_MARKER 65533               /* bytes of a segment */
#define MAX_PROFILE (255 * 65519)      /* bytes of a profile, which takes many segments */
#define EXIF_MARKER (JPEG_APP0 + 1)
#define PROFILE_MARKER (JPEG_APP0 + 2)
#define RESOURCES_MARKER (JPEG_APP0 + 13)
#define MAX_SCANS 1000 /* of a progressive file; each goes over the whole image */

/* libjpeg leaves through error_exit; what it says goes to `message`. */
struct failure {
    struct jpeg_error_mgr manager; /* first, so that libjpeg's pointer to it is one to this */
    jmp_buf jump;
    char message[JMSG_LENGTH_MAX];
};

static void leave(j_common_ptr jpeg)
{
    struct failure *failure = (struct failure *)jpeg->err;
    failure->manager.format_message(jpeg, failure->message);
    longjmp(failure->jump, 1);
}

/* Warnings that mean lost pixels are errors here; libjpeg would fill in gray. */
static void take_warning(j_common_ptr jpeg, int level)
{
    const int code = jpeg->err->msg_code;
    if (level < 0 && (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER ||
                         code == JWRN_HUFF_BAD_CODE || code == JWRN_MUST_RESYNC))
        leave(jpeg);
}

static struct jpeg_error_mgr *catch_failure(struct failure *failure)
{
    jpeg_std_error(&failure->manager);
    failure->manager.error_exit = leave;
    failure->manager.emit_message = take_warning;
    return &failure->manager;
}

static int jpeg_recognize(struct input *input)
{
    return input_peek(input, 3) >= 3 && memcmp(input->at, "\xff\xd8\xff", 3) == 0;
}

/* What libjpeg reads from: the input's own memory, a part at a time. */
struct source {
    struct jpeg_source_mgr manager; /* first, as with struct failure */
    struct input *input;
    uint64_t taken;             /* bytes */
    int is_header;              /* which is still read */
    jpeg_saved_marker_ptr last; /* of the segments that are kept; NULL: none */
};

static void start_source(j_decompress_ptr jpeg)
{
    (void)jpeg;
}

/* An early end becomes the warning JWRN_JPEG_EOF, which take_warning leaves by. */
static boolean fill_source(j_decompress_ptr jpeg)
{
    static const JOCTET END[2] = {0xff, JPEG_EOI};
    struct source *source = (struct source *)jpeg->src;
    source->manager.bytes_in_buffer = input_peek(source->input, 1);
    source->manager.next_input_byte = source->input->at;
    source->input->at = source->input->end;
    source->taken += source->manager.bytes_in_buffer;
    if (source->is_header && source->taken > MAX_HEADER) {
        struct failure *failure = (struct failure *)jpeg->err;
        strcpy(failure->message, "what stands before its image is too long");
        longjmp(failure->jump, 1);
    }
    if (source->manager.bytes_in_buffer > 0)
        return TRUE;
    WARNMS(jpeg, JWRN_JPEG_EOF);
    source->manager.next_input_byte = END;
    source->manager.bytes_in_buffer = sizeof(END);
    return TRUE;
}

static void skip_source(j_decompress_ptr jpeg, long count)
{
    struct jpeg_source_mgr *manager = jpeg->src;
    while (count > (long)manager->bytes_in_buffer) {
        count -= (long)manager->bytes_in_buffer;
        fill_source(jpeg);
    }
    if (count > 0) {
        manager->next_input_byte += count;
        manager->bytes_in_buffer -= (size_t)count;
    }
}

/* Adobe's programs store CMYK inverted, as the share of light; others as the share of ink. */
static void cmyk_to_rgba(unsigned char *pixels, size_t count, int inverted)
{
    for (size_t i = 0; i < count; i++, pixels += 4) {
        const int black = inverted ? pixels[3] : 255 - pixels[3];
        for (int c = 0; c < 3; c++) {
            const int ink = inverted ? pixels[c] : 255 - pixels[c];
            pixels[c] = (unsigned char)((ink * black + 127) / 255);
        }
        pixels[3] = 255;
    }
}

/* libjpeg tells how far it is, between rows and within the scans before them. */
struct monitor {
    struct jpeg_progress_mgr manager; /* first, as with struct failure */
    struct input *input;
};

static void watch(j_common_ptr jpeg)
{
    struct failure *failure = (struct failure *)jpeg->err;
    const struct monitor *monitor = (const struct monitor *)jpeg->progress;
    const int is_endless = ((j_decompress_ptr)jpeg)->input_scan_number > MAX_SCANS;
    if (!is_endless && !input_is_stopped(monitor->input, 0))
        return;
    snprintf(failure->message, sizeof(failure->message), "it has more than %d scans", MAX_SCANS);
    longjmp(failure->jump, 1);
}

/* The mean of a quantization table, as a quarter of its binary logarithm, in steps of 1/256, since
 * logarithms may differ in their last bits. */
static float mean_step(const JQUANT_TBL *table)
{
    int sum = 0;
    for (int i = 0; table && i < DCTSIZE2; i++)
        sum += table->quantval[i];
    return sum > DCTSIZE2 ? (float)(round(64 * log2((double)sum / DCTSIZE2)) / 256) : 0;
}

static struct jpeg_origin find_origin(const struct jpeg_decompress_struct *jpeg)
{
    const jpeg_component_info *first = jpeg->comp_info, *last = first + jpeg->num_components - 1;
    if (jpeg->jpeg_color_space != JCS_YCbCr && jpeg->jpeg_color_space != JCS_GRAYSCALE)
        return (struct jpeg_origin){0};
    return (struct jpeg_origin){.luminance = mean_step(jpeg->quant_tbl_ptrs[first->quant_tbl_no]),
        .color = mean_step(jpeg->quant_tbl_ptrs[last->quant_tbl_no]),
        .is_halved = first->h_samp_factor > last->h_samp_factor};
}

/* What is kept of a file: EXIF and XMP, the profile, IPTC, comments. */
static const int MARKERS[] = {EXIF_MARKER, PROFILE_MARKER, RESOURCES_MARKER, JPEG_COM};
enum { MARKER_COUNT = sizeof(MARKERS) / sizeof(MARKERS[0]) };

static unsigned next_byte(j_decompress_ptr jpeg)
{
    if (jpeg->src->bytes_in_buffer == 0)
        fill_source(jpeg);
    jpeg->src->bytes_in_buffer--;
    return *jpeg->src->next_input_byte++;
}

/* Keeps a segment as jpeg_save_markers does, which goes over all that it has kept for each one, so
 * that a file of very many would take minutes. */
static boolean keep_segment(j_decompress_ptr jpeg)
{
    struct source *source = (struct source *)jpeg->src;
    unsigned length = next_byte(jpeg) << 8;
    length |= next_byte(jpeg);
    if (length < 2)
        ERREXIT(jpeg, JERR_BAD_LENGTH);
    length -= 2;
    jpeg_saved_marker_ptr kept = jpeg->mem->alloc_large(
        (j_common_ptr)jpeg, JPOOL_IMAGE, sizeof(struct jpeg_marker_struct) + length);
    *kept = (struct jpeg_marker_struct){.marker = (UINT8)jpeg->unread_marker,
        .original_length = length,
        .data_length = length,
        .data = (JOCTET *)(kept + 1)};
    for (unsigned i = 0; i < length; i++)
        kept->data[i] = (JOCTET)next_byte(jpeg);
    *(source->last ? &source->last->next : &jpeg->marker_list) = kept;
    source->last = kept;
    if (input_is_stopped(source->input, 0))
        ERREXIT(jpeg, JERR_CANT_SUSPEND); /* in place of which the input tells why */
    return TRUE;
}

static const char EXIF_NAME[] = "Exif\0", XMP_NAME[] = "http://ns.adobe.com/xap/1.0/";
static const char RESOURCES_NAME[] = "Photoshop 3.0";

static int has_name(jpeg_saved_marker_ptr marker, const char *name, size_t size)
{
    return marker->data_length > size && memcmp(marker->data, name, size) == 0;
}

/* The resources of Photoshop, of which one is IPTC, may take several segments. */
static void take_resources(j_decompress_ptr jpeg, struct metadata *metadata)
{
    const size_t name = sizeof(RESOURCES_NAME);
    unsigned char *resources = NULL;
    size_t size = 0;
    for (jpeg_saved_marker_ptr marker = jpeg->marker_list; marker; marker = marker->next) {
        if (marker->marker != RESOURCES_MARKER || !has_name(marker, RESOURCES_NAME, name))
            continue;
        const size_t part = marker->data_length - name;
        unsigned char *larger =
            size + part <= METADATA_MAX_BYTES ? realloc(resources, size + part) : NULL;
        if (!larger)
            break;
        resources = larger;
        memcpy(resources + size, marker->data + name, part);
        size += part;
    }
    if (resources)
        iptc_take_resources(metadata, resources, size);
    free(resources);
}

/* Takes what the segments before the image hold. What JFIF tells of the resolution goes before what
 * EXIF does. */
static void take_metadata(j_decompress_ptr jpeg, struct metadata *metadata)
{
    JOCTET *profile = NULL;
    unsigned size = 0;
    for (jpeg_saved_marker_ptr marker = jpeg->marker_list; marker; marker = marker->next) {
        if (marker->marker == JPEG_COM)
            metadata_add_text(metadata, "Comment", marker->data, marker->data_length);
        else if (marker->marker != EXIF_MARKER)
            continue;
        else if (has_name(marker, EXIF_NAME, sizeof(EXIF_NAME)))
            metadata_set(metadata, &metadata->exif, marker->data + sizeof(EXIF_NAME),
                marker->data_length - sizeof(EXIF_NAME));
        else if (has_name(marker, XMP_NAME, sizeof(XMP_NAME)))
            metadata_set(metadata, &metadata->xmp, marker->data + sizeof(XMP_NAME),
                marker->data_length - sizeof(XMP_NAME));
    }
    take_resources(jpeg, metadata);
    if (jpeg_read_icc_profile(jpeg, &profile, &size))
        metadata_set(metadata, &metadata->profile, profile, size);
    free(profile);
    if (jpeg->saw_JFIF_marker && (jpeg->density_unit == 1 || jpeg->density_unit == 2))
        metadata->resolution =
            (struct resolution){jpeg->X_density, jpeg->Y_density, jpeg->density_unit == 2};
}

/* Reads gray, color and CMYK; damaged and cut files are refused. */
static int jpeg_decode(
    struct input *input, uint64_t max_pixels, struct image *image, struct error *error)
{
    struct jpeg_decompress_struct jpeg;
    struct failure failure;
    struct source source = {.manager = {.init_source = start_source,
                                .fill_input_buffer = fill_source,
                                .skip_input_data = skip_source,
                                .resync_to_restart = jpeg_resync_to_restart,
                                .term_source = start_source},
        .input = input,
        .is_header = 1};
    struct monitor monitor = {.manager = {.progress_monitor = watch}, .input = input};
    jpeg.err = catch_failure(&failure);
    if (setjmp(failure.jump)) {
        jpeg_destroy_decompress(&jpeg);
        image_free(image);
        return error_set(error, ERROR_INPUT, "cannot read '%s': %s", input->name, failure.message);
    }
    jpeg_create_decompress(&jpeg);
    jpeg.src = &source.manager;
    jpeg.progress = &monitor.manager;
    for (int i = 0; i < MARKER_COUNT; i++)
        jpeg_set_marker_processor(&jpeg, MARKERS[i], keep_segment);
    jpeg_read_header(&jpeg, TRUE);
    source.is_header = 0;
    for (int i = 0; i < MARKER_COUNT; i++)
        jpeg_save_markers(&jpeg, MARKERS[i], 0);
    int rc = image_check_size(jpeg.image_width, jpeg.image_height, input->name, max_pixels, error);
    if (rc == 0)
        rc = image_new_in(input->scratch, (int)jpeg.image_width, (int)jpeg.image_height,
            jpeg.num_components == 1 ? 1 : 3, 8, image, error);
    if (rc) {
        jpeg_destroy_decompress(&jpeg);
        return rc;
    }
    take_metadata(&jpeg, &image->metadata);
    const int is_cmyk = jpeg.num_components == 4;
    jpeg.out_color_space = is_cmyk ? JCS_CMYK : JCS_EXT_RGBA;
    jpeg_start_decompress(&jpeg);
    image->jpeg = find_origin(&jpeg);
    while (jpeg.output_scanline < jpeg.output_height) {
        JSAMPROW row =
            (JSAMPROW)image->pixels + 4 * (size_t)jpeg.output_scanline * jpeg.output_width;
        jpeg_read_scanlines(&jpeg, &row, 1);
    }
    if (is_cmyk)
        cmyk_to_rgba(
            image->pixels, (size_t)jpeg.output_width * jpeg.output_height, jpeg.saw_Adobe_marker);
    jpeg_finish_decompress(&jpeg);
    jpeg_destroy_decompress(&jpeg);
    return 0;
}

/* Where libjpeg writes: a part at a time to the output. */
struct destination {
    struct jpeg_destination_mgr manager; /* first, as with struct failure */
    struct output *output;
    unsigned char bytes[1 << 16];
};

static void start_part(j_compress_ptr jpeg)
{
    struct destination *destination = (struct destination *)jpeg->dest;
    destination->manager.next_output_byte = destination->bytes;
    destination->manager.free_in_buffer = sizeof(destination->bytes);
}

static boolean write_part(j_compress_ptr jpeg)
{
    struct destination *destination = (struct destination *)jpeg->dest;
    output_write(destination->output, destination->bytes, sizeof(destination->bytes));
    start_part(jpeg);
    return TRUE;
}

static void write_last_part(j_compress_ptr jpeg)
{
    struct destination *destination = (struct destination *)jpeg->dest;
    output_write(destination->output, destination->bytes,
        sizeof(destination->bytes) - destination->manager.free_in_buffer);
}

/* A file that is written. libjpeg keeps the rows that do not fill a row of blocks. */
struct state {
    struct jpeg_compress_struct jpeg;
    struct failure failure;
    struct destination destination;
    unsigned char *row;
};

/* The largest density that JFIF can tell is 65535. */
static void set_density(struct jpeg_compress_struct *jpeg, struct resolution resolution)
{
    const double x = round(resolution.x), y = round(resolution.y);
    if (x < 1 || y < 1 || x > UINT16_MAX || y > UINT16_MAX)
        return;
    jpeg->density_unit = resolution.is_metric ? 2 : 1;
    jpeg->X_density = (UINT16)x;
    jpeg->Y_density = (UINT16)y;
}

/* Writes a segment, whose bytes follow its name; what is too long for one is left out. */
static void write_marker(j_compress_ptr jpeg, int marker, const char *name, size_t name_size,
    const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    if (size == 0 || name_size + size > MAX_MARKER)
        return;
    jpeg_write_m_header(jpeg, marker, (unsigned)(name_size + size));
    for (size_t i = 0; i < name_size; i++)
        jpeg_write_m_byte(jpeg, name[i]);
    for (size_t i = 0; i < size; i++)
        jpeg_write_m_byte(jpeg, byte[i]);
}

/* Writes IPTC as the only resource of Photoshop; what is too long for a segment is left out. */
static void write_iptc(j_compress_ptr jpeg, const struct blob *iptc)
{
    const size_t name = sizeof(RESOURCES_NAME), end = iptc->size + iptc->size % 2;
    const size_t size = name + IPTC_RESOURCE_HEADER + end;
    unsigned char header[IPTC_RESOURCE_HEADER];
    if (iptc->size == 0 || size > MAX_MARKER)
        return;
    iptc_make_header(iptc->size, header);
    jpeg_write_m_header(jpeg, RESOURCES_MARKER, (unsigned)size);
    for (size_t i = 0; i < name; i++)
        jpeg_write_m_byte(jpeg, RESOURCES_NAME[i]);
    for (size_t i = 0; i < sizeof(header); i++)
        jpeg_write_m_byte(jpeg, header[i]);
    for (size_t i = 0; i < end; i++)
        jpeg_write_m_byte(jpeg, i < iptc->size ? iptc->bytes[i] : 0);
}

static void write_metadata(j_compress_ptr jpeg, const struct metadata *metadata)
{
    write_marker(
        jpeg, EXIF_MARKER, EXIF_NAME, sizeof(EXIF_NAME), metadata->exif.bytes, metadata->exif.size);
    write_marker(
        jpeg, EXIF_MARKER, XMP_NAME, sizeof(XMP_NAME), metadata->xmp.bytes, metadata->xmp.size);
    write_iptc(jpeg, &metadata->iptc);
    if (metadata->profile.size && metadata->profile.size <= MAX_PROFILE)
        jpeg_write_icc_profile(jpeg, metadata->profile.bytes, (unsigned)metadata->profile.size);
    for (int i = 0; i < metadata->text_count; i++) {
        const struct metadata_text *text = &metadata->texts[i];
        char name[128] = ""; /* of a comment none */
        if (strcmp(text->name, "Comment") != 0)
            snprintf(name, sizeof(name), "%s: ", text->name);
        write_marker(jpeg, JPEG_COM, name, strlen(name), text->value, strlen(text->value));
    }
}

static int jpeg_begin(struct image_writer *writer, struct error *error)
{
    struct state *state = writer->state = calloc(1, sizeof(*state));
    if (!state)
        return image_encoder_failed(writer, error);
    struct jpeg_compress_struct *jpeg = &state->jpeg;
    jpeg->err = catch_failure(&state->failure);
    if (setjmp(state->failure.jump))
        return image_encoder_failed(writer, error);
    jpeg_create_compress(jpeg);
    state->destination.manager = (struct jpeg_destination_mgr){.init_destination = start_part,
        .empty_output_buffer = write_part,
        .term_destination = write_last_part};
    state->destination.output = &writer->output;
    jpeg->dest = &state->destination.manager;
    jpeg->image_width = (JDIMENSION)writer->whole.width;
    jpeg->image_height = (JDIMENSION)writer->whole.height;
    jpeg->input_components = writer->whole.channels;
    jpeg->in_color_space = writer->whole.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(jpeg);
    jpeg_set_quality(jpeg, writer->whole.quality ? writer->whole.quality : QUALITY, TRUE);
    set_density(jpeg, writer->whole.metadata.resolution);
    jpeg_start_compress(jpeg, TRUE);
    write_metadata(jpeg, &writer->whole.metadata);
    state->row = *jpeg->mem->alloc_sarray(
        (j_common_ptr)jpeg, JPOOL_IMAGE, jpeg->image_width * (JDIMENSION)jpeg->input_components, 1);
    return 0;
}

static int jpeg_add(struct image_writer *writer, const struct image *strip, struct error *error)
{
    struct state *state = writer->state;
    if (setjmp(state->failure.jump))
        return image_encoder_failed(writer, error);
    for (int y = 0; y < strip->height; y++) {
        image_pack(strip, (size_t)y * (size_t)strip->width, (size_t)strip->width, state->row);
        jpeg_write_scanlines(&state->jpeg, &state->row, 1);
        if (output_progress(
                &writer->output, (double)state->jpeg.next_scanline / writer->whole.height))
            break;
    }
    return 0;
}

static int jpeg_end(struct image_writer *writer, struct error *error)
{
    struct state *state = writer->state;
    if (setjmp(state->failure.jump))
        return image_encoder_failed(writer, error);
    jpeg_finish_compress(&state->jpeg);
    return 0;
}

static void jpeg_release(struct image_writer *writer, int is_in_place)
{
    (void)is_in_place;
    struct state *state = writer->state;
    if (state)
        jpeg_destroy_compress(&state->jpeg);
    free(state);
}

#define TEXT_OF(macro) TEXT_OF_TOKENS(macro)
#define TEXT_OF_TOKENS(tokens) #tokens

static void jpeg_tell_library(char text[LIBRARY_TEXT])
{
    snprintf(text, LIBRARY_TEXT, "libjpeg-turbo " TEXT_OF(LIBJPEG_TURBO_VERSION));
}

const struct image_format IMAGE_JPEG = {
    .name = "jpeg",
    .takes_quality = 1,
    .extensions = {".jpg", ".jpeg"},
    .tell_library = jpeg_tell_library,
    .recognize = jpeg_recognize,
    .decode = jpeg_decode,
    .channels = HOLDS_GRAY | HOLDS_RGB,
    .max_depth = 8,
    .max_side = JPEG_MAX_DIMENSION,
    .begin = jpeg_begin,
    .add = jpeg_add,
    .end = jpeg_end,
    .release = jpeg_release,
};
