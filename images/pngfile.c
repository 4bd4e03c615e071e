/* PNG: reading by libpng, or libdeflate for the rows of most files; writing by libdeflate on all
 * threads. */
#include <libdeflate.h>
#include <limits.h>
#include <omp.h>
#include <png.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "images/deflate.h"
#include "images/formats.h"
#include "images/png_chunks.h"
#include "images/png_rows.h"

#define BLOCK_SIZE (1 << 20) /* bytes of pixels that are compressed at a time: docs/bench/png.md */
#define BATCH 4              /* blocks a thread between two times when all have to be done */

/* Of the compressed stream: bytes before and behind the parts. */
#define HEADER_SIZE 2
#define CHECKSUM_SIZE 4

/* What libpng says when it gives up, where the caller wants to know. */
struct failure {
    char message[256];
};

static void leave(png_structp png, png_const_charp message)
{
    struct failure *failure = png_get_error_ptr(png);
    if (failure)
        snprintf(failure->message, sizeof(failure->message), "%s", message);
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

/* What libpng reads from, and the last bytes that it took. */
struct source {
    struct input *input;
    unsigned char last[CHUNK_HEADER];
    struct metadata metadata;
    int frames; /* of an animation */
};

static void read_data(png_structp png, png_bytep bytes, size_t size)
{
    struct source *source = png_get_io_ptr(png);
    if (input_read(source->input, bytes, size) < size)
        png_error(png, "the PNG is cut short");
    const size_t kept = size < CHUNK_HEADER ? CHUNK_HEADER - size : 0;
    memmove(source->last, source->last + CHUNK_HEADER - kept, kept);
    memcpy(source->last + kept, bytes + size - (CHUNK_HEADER - kept), CHUNK_HEADER - kept);
}

static int png_recognize(struct input *input)
{
    return input_peek(input, 8) >= 8 && png_sig_cmp(input->at, 0, 8) == 0;
}

/* What stands at the beginning of an animation (APNG), whose frames libpng does not know. */
static const unsigned char ANIMATION[] = "acTL";

/* What libpng calls with a chunk that it was told not to know. */
static int take_chunk(png_structp png, png_unknown_chunkp chunk)
{
    struct source *source = png_get_user_chunk_ptr(png);
    if (memcmp(chunk->name, ANIMATION, 4) == 0 && chunk->size == 8)
        source->frames = (int)(chunk_get_number(chunk->data) & INT_MAX);
    else if (!(chunk->location & PNG_AFTER_IDAT) || chunk_is_metadata_behind(chunk->name))
        chunk_take_metadata(&source->metadata, chunk->name, chunk->data, chunk->size);
    return 1;
}

/* Asks for RGBA rows of the file's depth and gives the channels that the file holds. */
static int set_transforms(png_structp png, png_infop info)
{
    const int type = png_get_color_type(png, info);
    const int has_alpha = (type & PNG_COLOR_MASK_ALPHA) || png_get_valid(png, info, PNG_INFO_tRNS);
    png_set_expand(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xffff, PNG_FILLER_AFTER);
    if (is_little_endian())
        png_set_swap(png);
    return ((type & PNG_COLOR_MASK_COLOR) ? 3 : 1) + has_alpha;
}

/* Whether png_rows_read can go on where libpng has read all up to the header of the first IDAT
 * chunk. */
static int has_plain_rows(png_structp png, png_infop info, const struct source *source)
{
    return memcmp(source->last + 4, "IDAT", 4) == 0 && png_get_bit_depth(png, info) >= 8 &&
           png_get_interlace_type(png, info) == PNG_INTERLACE_NONE &&
           png_get_color_type(png, info) != PNG_COLOR_TYPE_PALETTE &&
           !png_get_valid(png, info, PNG_INFO_tRNS);
}

/* Checksums are checked, damaged and cut files refused. Fewer than 8 bits become 8, a palette RGB,
 * a transparent color alpha. */
static int png_decode(
    struct input *input, uint64_t max_pixels, struct image *image, struct error *error)
{
    struct failure failure = {"not enough memory"};
    struct source source = {.input = input};
    png_structp png =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, &failure, leave, ignore_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_read_struct(&png, &info, NULL);
        metadata_free(&source.metadata);
        image_free(image);
        return error_set(error, ERROR_INPUT, "cannot read '%s': %s", input->name, failure.message);
    }
    png_set_read_fn(png, &source, read_data);
    png_set_user_limits(png, INT_MAX, INT_MAX);
    png_set_read_user_chunk_fn(png, &source, take_chunk);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, CHUNK_METADATA, CHUNK_METADATA_TYPES);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, ANIMATION, 1);
    png_read_info(png, info);
    const uint32_t width = png_get_image_width(png, info);
    const uint32_t height = png_get_image_height(png, info);
    int rc = image_check_size(width, height, input->name, max_pixels, error);
    if (rc == 0)
        rc = image_new_in(input->scratch, (int)width, (int)height, set_transforms(png, info),
            png_get_bit_depth(png, info) == 16 ? 16 : 8, image, error);
    if (rc == 0 && source.frames > 1)
        image->images = source.frames;
    const int is_plain = rc == 0 && has_plain_rows(png, info, &source);
    if (rc || is_plain) {
        png_destroy_read_struct(&png, &info, NULL);
        if (is_plain)
            image->metadata = source.metadata;
        else
            metadata_free(&source.metadata);
        return is_plain ? png_rows_read(input, source.last, image, error) : rc;
    }
    const size_t row_size = width * image_pixel_size(image);
    const int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    for (int pass = 0; pass < passes; pass++)
        for (uint32_t y = 0; y < height; y++) {
            png_read_row(png, (png_bytep)image->pixels + y * row_size, NULL);
            if (y % 64 == 0 && input_is_stopped(input, (double)y / height))
                png_error(png, "stopped");
        }
    png_read_end(png, NULL);
    png_destroy_read_struct(&png, &info, NULL);
    image->metadata = source.metadata;
    return 0;
}

/* Rows are filtered and compressed in blocks of a fixed number of pixels, so that files are the
 * same with any number of threads and any strips. Of a block whose pixels are not all there, the
 * filtered rows wait. Pixels are counted from the top of the image. */
struct state {
    struct output *output;
    const struct image *strip;
    size_t width;
    size_t pixels, block;   /* of the image; of a block but the last */
    size_t begin, end;      /* the strip's pixels */
    size_t pixel_size;      /* bytes in the file */
    uint8_t source[8];      /* where each of these stands among the bytes in memory */
    unsigned char *above;   /* the row above the strip, as in memory; zeros above the first */
    unsigned char *waiting; /* the rows of the block that begins before the strip */
    size_t waiting_size;    /* bytes */
    size_t threads, batch;  /* at most */
    struct worker *workers; /* for each thread */
    struct part *parts;     /* two batches */
    uint32_t checksum;      /* of the blocks that are written: Adler-32 */
    atomic_int has_ended;   /* before the end */
    int is_failed;          /* for want of memory */
};

/* What a thread makes parts with. */
struct worker {
    struct deflate deflate;
    unsigned char *rows; /* of a block, filtered */
};

/* A block of pixels as a part of the stream. */
struct part {
    unsigned char *bytes;
    size_t size;       /* 0 where libdeflate has failed */
    size_t rows_size;  /* bytes of the rows */
    uint32_t checksum; /* of the rows */
};

static void write_header(struct output *output, const struct image *image)
{
    static const unsigned char SIGNATURE[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static const unsigned char COLOR_TYPES[] = {
        0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGBA};
    unsigned char header[13] = {0};
    chunk_put_number(header, (uint32_t)image->width);
    chunk_put_number(header + 4, (uint32_t)image->height);
    header[8] = (unsigned char)image->depth;
    header[9] = COLOR_TYPES[image->channels];
    output_write(output, SIGNATURE, sizeof(SIGNATURE));
    chunk_write(output, "IHDR", header, sizeof(header));
}

/* Samples of 16 bits are stored most significant byte first; gray is in R, its alpha in A. */
static void find_sources(struct state *w, const struct image *image)
{
    const int bytes = image->depth / 8;
    for (int i = 0; i < (int)w->pixel_size; i++) {
        const int sample = image->channels == 2 && i / bytes == 1 ? 3 : i / bytes;
        const int byte = is_little_endian() ? bytes - 1 - i % bytes : i % bytes;
        w->source[i] = (uint8_t)(sample * bytes + byte);
    }
}

/* What pixels are more than those above them. Each writes `most` bytes, and the next one over those
 * that are too many. */
static inline void filter_pixels(const struct state *w, size_t first, size_t count,
    const size_t most, unsigned char *restrict to)
{
    const size_t width = w->width, step = image_pixel_size(w->strip), pixel_size = w->pixel_size;
    const size_t at = first - w->begin;
    const unsigned char *pixel = (const unsigned char *)w->strip->pixels + at * step;
    const unsigned char *above = at < width ? w->above + at * step : pixel - width * step;
    for (size_t i = 0; i < count; i++, pixel += step, above += step, to += pixel_size)
        for (size_t k = 0; k < most; k++)
            to[k] = (unsigned char)(pixel[w->source[k]] - above[w->source[k]]);
}

/* The rows, or parts of rows, from pixel `first` to before `end`. Returns how many bytes they
 * have. */
static size_t filter_block(
    const struct state *w, size_t first, size_t end, unsigned char *const rows)
{
    const size_t width = w->width;
    unsigned char *to = rows;
    for (size_t i = first, count; i < end; i += count) {
        count = width - i % width < end - i ? width - i % width : end - i;
        if (i % width == 0)
            *to++ = PNG_FILTER_VALUE_UP;
        if (w->pixel_size <= 4)
            filter_pixels(w, i, count, 4, to);
        else
            filter_pixels(w, i, count, 8, to);
        to += count * w->pixel_size;
    }
    return (size_t)(to - rows);
}

/* The bytes of the longest block: each row has one for its filter. */
static size_t longest_block(const struct state *w)
{
    return w->block * w->pixel_size + w->block / w->width + 2;
}

static int worker_open(struct worker *worker, const struct state *w)
{
    worker->rows = malloc(longest_block(w) + sizeof(w->source)); /* see filter_pixels */
    return worker->rows ? deflate_open(&worker->deflate) : -1;
}

static int part_open(struct part *part, const struct worker *worker, const struct state *w)
{
    part->bytes =
        malloc(HEADER_SIZE + deflate_bound(&worker->deflate, longest_block(w)) + CHECKSUM_SIZE);
    return part->bytes ? 0 : -1;
}

/* Where a block ends. */
static size_t block_end(const struct state *w, size_t block)
{
    return w->pixels / w->block > block ? (block + 1) * w->block : w->pixels;
}

/* Filters and compresses a block, whose first rows may wait. The first part begins with the
 * stream's header. */
static void make_part(const struct state *w, struct worker *worker, struct part *part, size_t block)
{
    static const unsigned char STREAM_HEADER[HEADER_SIZE] = {0x78, 1};
    const size_t header_size = block == 0 ? HEADER_SIZE : 0, end = block_end(w, block);
    const size_t begin = block * w->block, waiting = begin < w->begin ? w->waiting_size : 0;
    if (w->has_ended)
        return;
    memcpy(part->bytes, STREAM_HEADER, header_size);
    memcpy(worker->rows, w->waiting, waiting);
    part->rows_size =
        waiting + filter_block(w, waiting ? w->begin : begin, end, worker->rows + waiting);
    part->checksum = libdeflate_adler32(1, worker->rows, part->rows_size);
    const size_t made = deflate_part(&worker->deflate, worker->rows, part->rows_size,
        end == w->pixels, part->bytes + header_size);
    part->size = made ? header_size + made : 0;
}

/* Writes a part of the stream, whose last one is followed by the checksum of all rows. */
static void write_part(struct state *w, struct part *part, size_t block)
{
    const size_t end = block_end(w, block);
    if (!w->has_ended && part->size == 0)
        w->has_ended = w->is_failed = 1;
    if (w->has_ended)
        return;
    w->checksum = (uint32_t)adler32_combine(w->checksum, part->checksum, (z_off_t)part->rows_size);
    if (end == w->pixels) {
        chunk_put_number(part->bytes + part->size, w->checksum);
        part->size += CHECKSUM_SIZE;
    }
    chunk_write(w->output, "IDAT", part->bytes, part->size);
    w->has_ended = output_progress(w->output, (double)end / (double)w->pixels);
}

/* While all threads make a batch of parts, one of them writes those of the batch before. */
static void write_blocks(struct state *w, size_t first, size_t last)
{
    const size_t batch = w->batch;
#pragma omp parallel num_threads((int)(last - first < w->threads ? last - first : w->threads))
    for (size_t begin = first; begin < last + batch; begin += batch) {
        const size_t end = begin + batch < last ? begin + batch : last;
#pragma omp single nowait
        for (size_t i = begin == first ? first : begin - batch; i < begin && i < last; i++)
            write_part(w, &w->parts[i % (2 * batch)], i);
#pragma omp for schedule(dynamic)
        for (size_t i = begin; i < end; i++)
            make_part(w, &w->workers[omp_get_thread_num()], &w->parts[i % (2 * batch)], i);
    }
}

/* The most blocks that a strip of so many rows ends. */
static size_t most_blocks(const struct state *w, size_t rows)
{
    const size_t all = (w->pixels - 1) / w->block + 1, some = rows * w->width / w->block + 2;
    return some < all ? some : all;
}

static int open_workers(struct state *w, size_t blocks)
{
    const size_t most = (size_t)omp_get_max_threads();
    w->threads = blocks < most ? blocks : most;
    w->batch = blocks < BATCH * w->threads ? blocks : BATCH * w->threads;
    w->workers = calloc(w->threads, sizeof(*w->workers));
    w->parts = calloc(2 * w->batch, sizeof(*w->parts));
    int is_failed = !w->workers || !w->parts;
    for (size_t i = 0; i < w->threads && !is_failed; i++)
        is_failed = worker_open(&w->workers[i], w) != 0;
    for (size_t i = 0; i < 2 * w->batch && !is_failed; i++)
        is_failed = part_open(&w->parts[i], w->workers, w) != 0;
    return is_failed ? -1 : 0;
}

static int png_begin(struct image_writer *writer, struct error *error)
{
    const struct image *whole = &writer->whole;
    struct state *w = writer->state = calloc(1, sizeof(*w));
    if (!w)
        return image_encoder_failed(writer, error);
    w->output = &writer->output;
    w->width = (size_t)whole->width;
    w->pixels = w->width * (size_t)whole->height;
    w->pixel_size = (size_t)(whole->channels * whole->depth / 8);
    w->block = BLOCK_SIZE / w->pixel_size < w->pixels ? BLOCK_SIZE / w->pixel_size : w->pixels;
    w->checksum = 1;
    find_sources(w, whole);
    w->above = calloc(w->width, image_pixel_size(whole));
    w->waiting = malloc(longest_block(w) + sizeof(w->source)); /* see filter_pixels */
    if (!w->above || !w->waiting || open_workers(w, most_blocks(w, (size_t)writer->most_rows)) != 0)
        return image_encoder_failed(writer, error);
    write_header(w->output, whole);
    return chunk_write_metadata(w->output, &whole->metadata) ? image_encoder_failed(writer, error)
                                                             : 0;
}

static int png_add(struct image_writer *writer, const struct image *strip, struct error *error)
{
    struct state *w = writer->state;
    const size_t row = w->width * image_pixel_size(strip), rows = (size_t)strip->height;
    w->strip = strip;
    w->begin = w->end;
    w->end += rows * w->width;
    const size_t first = w->begin / w->block;
    const size_t last = w->end == w->pixels ? (w->end - 1) / w->block + 1 : w->end / w->block;
    if (last > first) {
        write_blocks(w, first, last);
        w->waiting_size = 0;
    }
    const size_t begin = last * w->block < w->begin ? w->begin : last * w->block;
    if (begin < w->end)
        w->waiting_size += filter_block(w, begin, w->end, w->waiting + w->waiting_size);
    memcpy(w->above, (const unsigned char *)strip->pixels + (rows - 1) * row, row);
    return w->is_failed ? image_encoder_failed(writer, error) : 0;
}

static int png_end(struct image_writer *writer, struct error *error)
{
    (void)error;
    chunk_write(&writer->output, "IEND", (const unsigned char *)"", 0);
    return 0;
}

static void png_release(struct image_writer *writer, int is_in_place)
{
    (void)is_in_place;
    struct state *w = writer->state;
    for (size_t i = 0; w && w->workers && i < w->threads; i++) {
        deflate_close(&w->workers[i].deflate);
        free(w->workers[i].rows);
    }
    for (size_t i = 0; w && w->parts && i < 2 * w->batch; i++)
        free(w->parts[i].bytes);
    if (w) {
        free(w->workers);
        free(w->parts);
        free(w->above);
        free(w->waiting);
    }
    free(w);
}

static void png_tell_library(char text[LIBRARY_TEXT])
{
    snprintf(text, LIBRARY_TEXT, "libpng %s, libdeflate %s", png_get_libpng_ver(NULL),
        LIBDEFLATE_VERSION_STRING);
}

const struct image_format IMAGE_PNG = {
    .name = "png",
    .extensions = {".png"},
    .tell_library = png_tell_library,
    .recognize = png_recognize,
    .keeps_png_colors = 1,
    .decode = png_decode,
    .channels = HOLDS_GRAY | HOLDS_GRAY_ALPHA | HOLDS_RGB | HOLDS_RGBA,
    .max_depth = 16,
    .max_side = INT_MAX,
    .begin = png_begin,
    .add = png_add,
    .end = png_end,
    .release = png_release,
};
