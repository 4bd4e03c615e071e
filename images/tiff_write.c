/* A pyramid of compressed tiles. Since tiles of all levels come in turn, and libtiff writes one
 * directory after the other, the file is made here: a header, the tiles as they come, and in the
 * end the directories, which tell where the tiles are (TIFF 6.0; BigTIFF where offsets need more
 * than 32 bits). The first directory is the image; the others follow it as reduced-resolution
 * images, which QGIS, libvips and OpenSlide look for there. */
#include "images/tiff_write.h"

#include <errno.h>
#include <libdeflate.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tiff.h>

#include "images/exif.h"
#include "images/pyramid.h"

#define TILE 256       /* pixels a side */
#define LEVEL 1        /* of libdeflate, as for PNG: docs/bench/png.md */
#define BATCH 16       /* tiles a thread between two times when all have to be done */
#define ALIGNMENT 8    /* bytes, of directories and what they point to */
#define OWN_ENTRIES 16 /* of the image, at most */
#define MAX_ENTRIES (OWN_ENTRIES + EXIF_MAX)
#define MAX_TABLES ((uint64_t)1 << 16) /* bytes of a file besides tiles and where these are */

/* Where the tiles of a level are, row by row. */
struct level {
    uint64_t *offsets;
    uint32_t *sizes;
    size_t count; /* that are written */
};

/* What a thread compresses with. */
struct worker {
    struct libdeflate_compressor *compressor;
    unsigned char *rows; /* of a tile */
};

struct tile {
    unsigned char *bytes;
    size_t size; /* 0 where libdeflate has failed */
};

struct state {
    struct output *output;
    struct pyramid pyramid;
    struct level levels[PYRAMID_MAX_LEVELS];
    struct exif exif; /* of the image; the directories that it names are written */
    uint64_t at;      /* bytes that are written */
    int is_big;       /* BigTIFF */
    size_t pixel_size, tile_size, most; /* bytes in the file; of a tile; of a compressed one */
    size_t threads, batch;
    struct worker *workers; /* for each thread */
    struct tile *tiles;     /* of a batch */
};

int tiff_check(const char *path, struct error *error)
{
    struct stat status;
    if (strcmp(path, "-") != 0 && (stat(path, &status) != 0 || S_ISREG(status.st_mode)))
        return 0;
    return error_set(error, ERROR_INPUT,
        "cannot write '%s': a TIFF is not written from its beginning to its end, so it needs a "
        "file; name one, or use another format",
        path);
}

static void put(struct state *s, const void *bytes, size_t size)
{
    output_write(s->output, bytes, size);
    s->at += size;
}

/* Writes a number of 2, 4 or 8 bytes. */
static void put_number(struct state *s, uint64_t number, size_t size)
{
    const uint16_t two = (uint16_t)number;
    const uint32_t four = (uint32_t)number;
    put(s, size == 2 ? (const void *)&two : size == 4 ? (const void *)&four : &number, size);
}

static void align(struct state *s)
{
    static const unsigned char ZEROS[ALIGNMENT];
    put(s, ZEROS, (size_t)(-s->at % ALIGNMENT));
}

/* The size of an offset, and of a count of values. */
static size_t word(const struct state *s)
{
    return s->is_big ? 8 : 4;
}

/* Makes the tables of all levels, and finds out whether offsets may need more than 32 bits. */
static int open_levels(struct state *s, const struct metadata *metadata)
{
    uint64_t most = MAX_TABLES + metadata->profile.size + metadata->xmp.size + metadata->exif.size +
                    metadata->iptc.size;
    for (int i = 0; i < s->pyramid.count; i++) {
        const struct pyramid_level *level = &s->pyramid.levels[i];
        const size_t tiles = (size_t)pyramid_tiles(&s->pyramid, level->width) *
                             (size_t)pyramid_tiles(&s->pyramid, level->height);
        s->levels[i].offsets = calloc(tiles, sizeof(*s->levels[i].offsets));
        s->levels[i].sizes = calloc(tiles, sizeof(*s->levels[i].sizes));
        if (!s->levels[i].offsets || !s->levels[i].sizes)
            return -1;
        most += tiles * (s->most + sizeof(*s->levels[i].offsets) + sizeof(*s->levels[i].sizes));
    }
    s->is_big = most > UINT32_MAX;
    return 0;
}

static int open_workers(struct state *s)
{
    const size_t most = (size_t)omp_get_max_threads();
    const size_t columns = (size_t)pyramid_tiles(&s->pyramid, s->pyramid.levels->width);
    s->threads = columns < most ? columns : most;
    s->batch = columns < BATCH * s->threads ? columns : BATCH * s->threads;
    s->workers = calloc(s->threads, sizeof(*s->workers));
    s->tiles = calloc(s->batch, sizeof(*s->tiles));
    int is_failed = !s->workers || !s->tiles;
    for (size_t i = 0; i < s->threads && !is_failed; i++) {
        s->workers[i].compressor = libdeflate_alloc_compressor(LEVEL);
        s->workers[i].rows = malloc(s->tile_size);
        is_failed = !s->workers[i].compressor || !s->workers[i].rows;
    }
    if (!is_failed)
        s->most = libdeflate_zlib_compress_bound(s->workers->compressor, s->tile_size);
    for (size_t i = 0; i < s->batch && !is_failed; i++) {
        s->tiles[i].bytes = malloc(s->most);
        is_failed = !s->tiles[i].bytes;
    }
    return is_failed ? -1 : 0;
}

/* Each sample becomes what it is more than that of the pixel at the left. */
#define PREDICT(name, type) \
    static void name(type *row, size_t channels) \
    { \
        for (size_t i = TILE * channels; i-- > channels;) \
            row[i] = (type)(row[i] - row[i - channels]); \
    }
PREDICT(predict8, uint8_t)
PREDICT(predict16, uint16_t)

/* Pixels of a tile beyond the image are zeros. */
static void make_tile(const struct state *s, const struct worker *worker, const struct image *band,
    size_t column, struct tile *tile)
{
    const size_t width = (size_t)band->width, first = column * TILE;
    const size_t count = width - first < TILE ? width - first : TILE;
    const size_t row_size = TILE * s->pixel_size, filled = count * s->pixel_size;
    for (size_t y = 0; y < TILE; y++) {
        unsigned char *row = worker->rows + y * row_size;
        if (y >= (size_t)band->height) {
            memset(row, 0, row_size);
            continue;
        }
        image_pack(band, y * width + first, count, row);
        memset(row + filled, 0, row_size - filled);
        if (band->depth == 16)
            predict16((uint16_t *)(void *)row, (size_t)band->channels);
        else
            predict8(row, (size_t)band->channels);
    }
    tile->size = libdeflate_zlib_compress(
        worker->compressor, worker->rows, s->tile_size, tile->bytes, s->most);
}

/* The pyramid's sink. */
static int put_tiles(
    void *context, int number, int tile_row, const struct image *band, struct error *error)
{
    struct image_writer *writer = context;
    struct state *s = writer->state;
    struct level *level = &s->levels[number];
    const struct pyramid_level *whole = s->pyramid.levels;
    const size_t columns = (size_t)pyramid_tiles(&s->pyramid, band->width);
    const size_t batch = s->batch;
    (void)tile_row;
    for (size_t first = 0; first < columns; first += batch) {
        const size_t count = columns - first < batch ? columns - first : batch;
#pragma omp parallel for schedule(dynamic) \
    num_threads((int)(count < s->threads ? count : s->threads))
        for (size_t i = 0; i < count; i++)
            make_tile(s, &s->workers[omp_get_thread_num()], band, first + i, &s->tiles[i]);
        for (size_t i = 0; i < count; i++) {
            if (s->tiles[i].size == 0)
                return image_encoder_failed(writer, error);
            level->offsets[level->count] = s->at;
            level->sizes[level->count++] = (uint32_t)s->tiles[i].size;
            put(s, s->tiles[i].bytes, s->tiles[i].size);
        }
        if (output_progress(s->output, (double)whole->rows / whole->height))
            return output_status(s->output, error);
    }
    return 0;
}

/* An entry of a directory: values of the type, of which there are `count`. */
struct entry {
    uint16_t tag, type;
    uint64_t count;
    const void *values;
};

static size_t entry_size(const struct entry *entry)
{
    const size_t size = exif_type_size(entry->type);
    return (size ? size : 8) * (size_t)entry->count; /* LONG8 is no type of EXIF */
}

/* Writes a directory behind the values that do not fit into it. Returns where it is. */
static uint64_t put_directory(
    struct state *s, const struct entry *entries, int count, uint64_t next)
{
    uint64_t places[MAX_ENTRIES] = {0};
    for (int i = 0; i < count; i++)
        if (entry_size(&entries[i]) > word(s)) {
            align(s);
            places[i] = s->at;
            put(s, entries[i].values, entry_size(&entries[i]));
        }
    align(s);
    const uint64_t place = s->at;
    put_number(s, (uint64_t)count, s->is_big ? 8 : 2);
    for (int i = 0; i < count; i++) {
        unsigned char values[8] = {0};
        put_number(s, entries[i].tag, 2);
        put_number(s, entries[i].type, 2);
        put_number(s, entries[i].count, word(s));
        if (places[i]) {
            put_number(s, places[i], word(s));
        } else {
            memcpy(values, entries[i].values, entry_size(&entries[i]));
            put(s, values, word(s));
        }
    }
    put_number(s, next, word(s));
    return place;
}

/* The entries of a directory of the metadata. */
static int list_entries(const struct exif_list *list, struct entry *entries)
{
    for (int i = 0; i < list->count; i++) {
        const struct exif_entry *entry = &list->entries[i];
        entries[i] = (struct entry){entry->tag, entry->type, entry->count, entry->values};
    }
    return list->count;
}

/* Writes a directory of metadata and adds the entry that names it to a list; an empty one is left
 * out. */
static int put_list(struct state *s, const struct exif_list *list, int tag, struct exif_list *to)
{
    struct entry entries[MAX_ENTRIES];
    if (list->count == 0)
        return 0;
    const uint32_t offset = (uint32_t)put_directory(s, entries, list_entries(list, entries), 0);
    return exif_add(to, tag, EXIF_LONG, 1, &offset);
}

/* IPTC is stored as if it were numbers of four bytes, up to which it is filled, for libtiff takes
 * no other type. */
static int add_iptc(struct exif_list *list, const struct blob *iptc)
{
    const uint32_t count = (uint32_t)((iptc->size + 3) / 4);
    unsigned char *values = calloc(count, 4);
    if (!values)
        return -1;
    memcpy(values, iptc->bytes, iptc->size);
    const int rc = exif_add(list, EXIF_IPTC, EXIF_LONG, count, values);
    free(values);
    return rc;
}

/* Makes the entries of the metadata that belong to the image, and writes the directories that they
 * name, which in a file of any size are then where 32 bits reach. */
static int make_metadata(struct state *s, const struct metadata *metadata)
{
    struct exif *exif = &s->exif;
    struct exif_list *list = &exif->lists[EXIF_IMAGE];
    const char *comment = metadata_text(metadata, "Comment");
    int rc = exif_read(metadata->exif.bytes, metadata->exif.size, exif);
    exif_remove(list, EXIF_ORIENTATION);
    exif_remove(list, EXIF_PROFILE);
    exif_remove(list, EXIF_XMP);
    exif_remove(list, EXIF_IPTC);
    if (rc == 0 && metadata->profile.size)
        rc = exif_add(list, EXIF_PROFILE, EXIF_UNDEFINED, (uint32_t)metadata->profile.size,
            metadata->profile.bytes);
    if (rc == 0 && metadata->xmp.size)
        rc = exif_add(list, EXIF_XMP, EXIF_BYTE, (uint32_t)metadata->xmp.size, metadata->xmp.bytes);
    if (rc == 0 && metadata->iptc.size)
        rc = add_iptc(list, &metadata->iptc);
    if (rc == 0 && metadata->resolution.x > 0)
        rc = exif_add_resolution(list, metadata->resolution);
    if (rc == 0 && comment && !exif_find(list, EXIF_DESCRIPTION))
        rc = exif_add(list, EXIF_DESCRIPTION, EXIF_ASCII, (uint32_t)strlen(comment) + 1, comment);
    if (rc == 0)
        rc = put_list(s, &exif->lists[EXIF_RULES], EXIF_RULES_DIRECTORY, &exif->lists[EXIF_PHOTO]);
    if (rc == 0)
        rc = put_list(s, &exif->lists[EXIF_PLACE], EXIF_PLACE_DIRECTORY, list);
    return rc ? rc : put_list(s, &exif->lists[EXIF_PHOTO], EXIF_PHOTO_DIRECTORY, list);
}

int tiff_begin(struct image_writer *writer, struct error *error)
{
    struct state *s = writer->state = calloc(1, sizeof(*s));
    if (!s)
        return image_encoder_failed(writer, error);
    s->output = &writer->output;
    s->pixel_size = (size_t)(writer->whole.channels * writer->whole.depth / 8);
    s->tile_size = TILE * TILE * s->pixel_size;
    const int rc = pyramid_open(&writer->whole, TILE, 0, pyramid_levels(&writer->whole, TILE),
        PYRAMID_WHOLE, put_tiles, writer, &s->pyramid, error);
    if (rc)
        return rc;
    if (open_workers(s) != 0 || open_levels(s, &writer->whole.metadata) != 0)
        return image_encoder_failed(writer, error);
    put(s, is_little_endian() ? "II" : "MM", 2);
    put_number(s, s->is_big ? TIFF_VERSION_BIG : TIFF_VERSION_CLASSIC, 2);
    if (s->is_big)
        put_number(s, 8, 4); /* the size of offsets, and two zeros */
    put_number(s, 0, word(s));
    return make_metadata(s, &writer->whole.metadata) ? image_encoder_failed(writer, error) : 0;
}

int tiff_add(struct image_writer *writer, const struct image *strip, struct error *error)
{
    struct state *s = writer->state;
    return pyramid_add(&s->pyramid, strip, error);
}

/* Makes offsets of 32 bits in the place of those of 64. */
static void shorten(uint64_t *offsets, size_t count)
{
    unsigned char *to = (unsigned char *)offsets;
    for (size_t i = 0; i < count; i++) {
        const uint32_t offset = (uint32_t)offsets[i];
        memcpy(to + sizeof(offset) * i, &offset, sizeof(offset));
    }
}

static int by_tag(const void *a, const void *b)
{
    return ((const struct entry *)a)->tag - ((const struct entry *)b)->tag;
}

/* Writes the directory of a level, with further entries. */
static uint64_t put_level(struct state *s, const struct image *whole, int number,
    const struct exif_list *more, uint64_t next)
{
    const struct pyramid_level *level = &s->pyramid.levels[number];
    const struct level *tiles = &s->levels[number];
    const int channels = whole->channels;
    const uint32_t width = (uint32_t)level->width, height = (uint32_t)level->height, tile = TILE;
    const uint32_t kind = number ? FILETYPE_REDUCEDIMAGE : 0;
    const uint16_t depth = (uint16_t)whole->depth, depths[4] = {depth, depth, depth, depth};
    const uint16_t compression = COMPRESSION_ADOBE_DEFLATE, predictor = PREDICTOR_HORIZONTAL;
    const uint16_t color = channels <= 2 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB;
    const uint16_t samples = (uint16_t)channels, planes = PLANARCONFIG_CONTIG;
    const uint16_t alpha = EXTRASAMPLE_UNASSALPHA;
    if (!s->is_big)
        shorten(tiles->offsets, tiles->count);
    struct entry entries[MAX_ENTRIES] = {
        {TIFFTAG_SUBFILETYPE, TIFF_LONG, 1, &kind},
        {TIFFTAG_IMAGEWIDTH, TIFF_LONG, 1, &width},
        {TIFFTAG_IMAGELENGTH, TIFF_LONG, 1, &height},
        {TIFFTAG_BITSPERSAMPLE, TIFF_SHORT, samples, depths},
        {TIFFTAG_COMPRESSION, TIFF_SHORT, 1, &compression},
        {TIFFTAG_PHOTOMETRIC, TIFF_SHORT, 1, &color},
        {TIFFTAG_SAMPLESPERPIXEL, TIFF_SHORT, 1, &samples},
        {TIFFTAG_PLANARCONFIG, TIFF_SHORT, 1, &planes},
        {TIFFTAG_PREDICTOR, TIFF_SHORT, 1, &predictor},
        {TIFFTAG_TILEWIDTH, TIFF_LONG, 1, &tile},
        {TIFFTAG_TILELENGTH, TIFF_LONG, 1, &tile},
        {TIFFTAG_TILEOFFSETS, s->is_big ? TIFF_LONG8 : TIFF_LONG, tiles->count, tiles->offsets},
        {TIFFTAG_TILEBYTECOUNTS, TIFF_LONG, tiles->count, tiles->sizes},
        {TIFFTAG_EXTRASAMPLES, TIFF_SHORT, 1, &alpha},
    };
    const int own = channels % 2 ? 13 : 14, count = own + list_entries(more, entries + own);
    qsort(entries, (size_t)count, sizeof(*entries), by_tag);
    return put_directory(s, entries, count, next);
}

/* The last directory is written first, since each tells where the next one is. */
int tiff_end(struct image_writer *writer, struct error *error)
{
    struct state *s = writer->state;
    static const struct exif_list NONE = {.count = 0};
    uint64_t next = 0;
    (void)error;
    for (int i = s->pyramid.count; i-- > 0;)
        next = put_level(s, &writer->whole, i, i ? &NONE : &s->exif.lists[EXIF_IMAGE], next);
    if (fseeko(s->output->file, s->is_big ? 8 : 4, SEEK_SET) == 0)
        put_number(s, next, word(s));
    else if (!s->output->failure)
        s->output->failure = errno;
    return 0;
}

void tiff_release(struct image_writer *writer, int is_in_place)
{
    (void)is_in_place;
    struct state *s = writer->state;
    if (!s)
        return;
    pyramid_close(&s->pyramid);
    exif_free(&s->exif);
    for (int i = 0; i < PYRAMID_MAX_LEVELS; i++) {
        free(s->levels[i].offsets);
        free(s->levels[i].sizes);
    }
    for (size_t i = 0; s->workers && i < s->threads; i++) {
        libdeflate_free_compressor(s->workers[i].compressor);
        free(s->workers[i].rows);
    }
    for (size_t i = 0; s->tiles && i < s->batch; i++)
        free(s->tiles[i].bytes);
    free(s->workers);
    free(s->tiles);
    free(s);
}
