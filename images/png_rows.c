#include "images/png_rows.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "images/formats.h"
#include "images/png_chunks.h"

#define PART ((size_t)1 << 20)                  /* bytes that are read at a time */
#define MAX_OF(raw) (2 * (raw) + (1 << 20))     /* bytes that so many are compressed to */
#define MAX_PIXEL 8                             /* bytes in the file */
#define IS_ANCILLARY(type) ((type)[0] & 1 << 5) /* whether the image is whole without the chunk */

struct stream {
    struct input *input;
    unsigned char *bytes; /* the data of IDAT chunks */
    size_t size, room, most;
    const char *fault; /* NULL: none so far */
    struct metadata *metadata;
};

static void take(struct stream *s, unsigned char *bytes, size_t size)
{
    if (!s->fault && input_read(s->input, bytes, size) < size)
        s->fault = "the PNG is cut short";
}

/* Room for a part more of the data, which grows with what is there and not with what is
 * announced. */
static void make_room(struct stream *s)
{
    if (s->size > s->most)
        s->fault = "it has more data than its image can take";
    if (s->fault || s->room - s->size >= PART)
        return;
    s->room = 2 * s->room + PART;
    unsigned char *larger = realloc(s->bytes, s->room);
    if (larger)
        s->bytes = larger;
    else
        s->fault = "not enough memory";
}

/* Takes a chunk of metadata that is no longer than a part; those with a wrong checksum are
 * ignored. */
static void take_metadata(struct stream *s, const unsigned char header[CHUNK_HEADER])
{
    const size_t size = chunk_get_number(header);
    unsigned char tail[4];
    make_room(s);
    if (s->fault)
        return;
    unsigned char *bytes = s->bytes + s->size;
    take(s, bytes, size);
    take(s, tail, sizeof(tail));
    if (!s->fault &&
        chunk_get_number(tail) == libdeflate_crc32(libdeflate_crc32(0, header + 4, 4), bytes, size))
        chunk_take_metadata(s->metadata, header + 4, bytes, size);
}

/* Takes a chunk, keeps what it has if it is data, and compares its checksum. */
static void take_chunk(struct stream *s, const unsigned char header[CHUNK_HEADER])
{
    const unsigned char *type = header + 4;
    const int is_data = memcmp(type, "IDAT", 4) == 0;
    uint32_t checksum = libdeflate_crc32(0, type, 4);
    unsigned char tail[4];
    if (!is_data && !IS_ANCILLARY(type) && memcmp(type, "IEND", 4) != 0)
        s->fault = "a chunk that is unknown, or belongs before its data, stands behind them";
    for (size_t left = chunk_get_number(header), part; left > 0 && !s->fault; left -= part) {
        part = left < PART ? left : PART;
        make_room(s); /* also for what is not kept */
        if (s->fault)
            break;
        take(s, s->bytes + s->size, part);
        checksum = libdeflate_crc32(checksum, s->bytes + s->size, part);
        s->size += is_data ? part : 0;
    }
    take(s, tail, sizeof(tail));
    if (!s->fault && chunk_get_number(tail) != checksum && !IS_ANCILLARY(type))
        s->fault = is_data ? "IDAT: CRC error" : "IEND: CRC error";
}

/* Takes all chunks to the end. */
static void take_chunks(struct stream *s, const unsigned char first[CHUNK_HEADER])
{
    unsigned char header[CHUNK_HEADER];
    memcpy(header, first, sizeof(header));
    take_chunk(s, header);
    while (!s->fault && memcmp(header + 4, "IEND", 4) != 0) {
        take(s, header, sizeof(header));
        if (!s->fault && chunk_is_metadata_behind(header + 4) && chunk_get_number(header) <= PART)
            take_metadata(s, header);
        else if (!s->fault)
            take_chunk(s, header);
    }
}

static void inflate_rows(struct stream *s, unsigned char *rows, size_t size)
{
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    if (!decompressor) {
        s->fault = "not enough memory";
        return;
    }
    switch (libdeflate_zlib_decompress(decompressor, s->bytes, s->size, rows, size, NULL)) {
    case LIBDEFLATE_SUCCESS:
        break;
    case LIBDEFLATE_SHORT_OUTPUT:
        s->fault = "IDAT: not enough image data";
        break;
    case LIBDEFLATE_INSUFFICIENT_SPACE:
        s->fault = "IDAT: too much image data";
        break;
    default:
        s->fault = "IDAT: damaged data";
    }
    libdeflate_free_decompressor(decompressor);
}

/* What PNG expects of a byte: that to the left, above or above the left one which is closest to
 * their plane. */
static inline int paeth(int left, int above, int corner)
{
    const int to_left = abs(above - corner), to_above = abs(left - corner);
    const int to_corner = abs(left + above - 2 * corner);
    const int nearer = to_above < to_left ? above : left;
    return to_corner < (to_above < to_left ? to_above : to_left) ? corner : nearer;
}

/* Undoes a row's filter. The rows are `size` bytes of pixels of `step` bytes, before which `row`,
 * the result, and `above` have a pixel of zeros. Returns 0, or -1 where there is no such filter. */
static inline int unfilter(int filter, const unsigned char *restrict from,
    const unsigned char *restrict above, unsigned char *restrict row, size_t size,
    const size_t step)
{
    const unsigned char *const left = row - step, *const corner = above - step;
    switch (filter) {
    case 0:
        memcpy(row, from, size);
        return 0;
    case 1:
        for (size_t i = 0; i < size; i++)
            row[i] = (unsigned char)(from[i] + left[i]);
        return 0;
    case 2:
#pragma omp simd
        for (size_t i = 0; i < size; i++)
            row[i] = (unsigned char)(from[i] + above[i]);
        return 0;
    case 3:
        for (size_t i = 0; i < size; i++)
            row[i] = (unsigned char)(from[i] + (left[i] + above[i]) / 2);
        return 0;
    case 4:
        for (size_t i = 0; i < size; i += step)
            for (size_t k = i; k < i + step; k++)
                row[k] = (unsigned char)(from[k] + paeth(left[k], above[k], corner[k]));
        return 0;
    default:
        return -1;
    }
}

/* Where each byte of a pixel in memory stands in the file; a byte of an alpha that is not there
 * becomes 255 by `opaque`. */
struct layout {
    size_t step; /* bytes of a pixel in the file */
    unsigned char source[MAX_PIXEL], opaque[MAX_PIXEL];
};

static struct layout find_layout(const struct image *image)
{
    const int bytes = image->depth / 8, colors = image->channels > 2 ? 3 : 1;
    struct layout layout = {.step = (size_t)(image->channels * bytes)};
    for (int i = 0; i < 4 * bytes; i++) {
        const int sample = i / bytes, is_opaque = sample == 3 && image->channels % 2;
        const int own = sample == 3 ? colors : colors == 3 ? sample : 0;
        if (is_opaque)
            layout.opaque[i] = 255;
        else
            layout.source[i] =
                (unsigned char)(own * bytes +
                                (is_little_endian() ? bytes - 1 - i % bytes : i % bytes));
    }
    return layout;
}

static inline void expand(const struct layout *layout, const unsigned char *restrict row,
    size_t count, const size_t size, unsigned char *restrict to)
{
    for (size_t i = 0; i < count; i++, row += layout->step, to += size)
        for (size_t k = 0; k < size; k++)
            to[k] = row[layout->source[k]] | layout->opaque[k];
}

/* Rows into pixels, which may begin in the same memory: a row is read before its pixels are
 * written. `work` is two rows, each behind a pixel of zeros. */
static void decode_rows(struct stream *s, size_t row_size, const unsigned char *from,
    unsigned char *work, struct image *image)
{
    const struct layout layout = find_layout(image);
    const size_t width = (size_t)image->width, size = image_pixel_size(image);
    unsigned char *row = work + MAX_PIXEL, *above = row + row_size + MAX_PIXEL, *to = image->pixels;
    for (int y = 0; y < image->height && !s->fault; y++) {
        unsigned char *const other = above;
        const int filter = *from++;
        int is_known = 0;
        switch (layout.step) {
#define STEP(step) \
    case step: \
        is_known = unfilter(filter, from, above, row, row_size, step) == 0; \
        break;
            STEP(1) STEP(2) STEP(3) STEP(4) STEP(6) STEP(8)
#undef STEP
        }
        if (size == 4)
            expand(&layout, row, width, 4, to);
        else
            expand(&layout, row, width, 8, to);
        from += row_size;
        to += width * size;
        above = row;
        row = other;
        if (!is_known)
            s->fault = "IDAT: an unknown filter";
        else if (y % 64 == 0 && input_is_stopped(s->input, (double)y / image->height))
            s->fault = "stopped";
    }
}

/* Rows are inflated to the end of the pixels' memory, and become pixels from its beginning on. */
int png_rows_read(struct input *input, const unsigned char header[CHUNK_HEADER],
    struct image *image, struct error *error)
{
    const size_t row_size = (size_t)image->width * (size_t)(image->channels * image->depth / 8);
    const size_t size = (row_size + 1) * (size_t)image->height;
    const size_t pixels_size = image_bytes(image);
    const size_t room = size > pixels_size ? size : pixels_size;
    struct stream s = {.input = input, .most = MAX_OF(size), .metadata = &image->metadata};
    unsigned char *work = calloc(2, MAX_PIXEL + row_size);
    struct error failure;
    take_chunks(&s, header);
    if (!work)
        s.fault = "not enough memory";
    if (!s.fault && room > pixels_size) {
        scratch_free(image->scratch, image->pixels);
        image->pixels = scratch_new(image->scratch, room, &failure);
        s.fault = image->pixels ? NULL : failure.text;
    }
    if (!s.fault)
        inflate_rows(&s, (unsigned char *)image->pixels + room - size, size);
    free(s.bytes);
    if (!s.fault)
        decode_rows(&s, row_size, (unsigned char *)image->pixels + room - size, work, image);
    free(work);
    if (!s.fault)
        return 0;
    image_free(image);
    return error_set(error, ERROR_INPUT, "cannot read '%s': %s", input->name, s.fault);
}
