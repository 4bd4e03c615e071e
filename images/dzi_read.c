/* Reading DeepZoom: the file, which is XML (by expat), says the size of the image and of its tiles;
 * the tiles of the last level, PNG or JPEG files, are the image. Each has some pixels more of its
 * neighbors, which are left out. */
#include <errno.h>
#include <expat.h>
#include <limits.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "images/dzi.h"

#define MAX_TEXT ((size_t)1 << 20)           /* bytes of the XML */
#define MAX_NUMBER 999999999                 /* of what it says, nine digits */
#define MAX_OTHER_PIXELS ((uint64_t)1 << 24) /* of a tile that is larger than it should be */
#define TILES_A_THREAD 2                     /* between two looks whether to stop */

enum { TILE_SIZE, OVERLAP, WIDTH, HEIGHT, NUMBERS };
static const struct {
    const char *element, *name;
    int least;
} ATTRIBUTES[NUMBERS] = {
    {"Image", "TileSize", 1}, {"Image", "Overlap", 0}, {"Size", "Width", 1}, {"Size", "Height", 1}};

static const char *const EXTENSIONS[] = {"png", "jpg", "jpeg"};

/* What the XML says. */
struct dzi {
    struct input *input;
    XML_Parser parser;
    int depth; /* of elements */
    int number[NUMBERS], has_number[NUMBERS];
    char format[8]; /* as it stands in names of tiles; empty: not said */
    char *folder;
    int level;         /* the last one */
    int columns, rows; /* of its tiles */
    struct error *error;
    int rc;
};

char *image_tiles(const char *path)
{
    char *target = realpath(path, NULL), *folder;
    const char *own = target ? target : path, *slash = strrchr(own, '/');
    const char *dot = strrchr(slash ? slash : own, '.');
    if (asprintf(&folder, "%.*s_files", dot ? (int)(dot - own) : (int)strlen(own), own) < 0)
        folder = NULL;
    free(target);
    return folder;
}

/* A TGA file, which has no mark, may begin with '<', but then goes on with 0 or 1. */
int dzi_recognize(struct input *input)
{
    const size_t size = input_peek(input, INPUT_PEEK);
    const unsigned char *at = input->at, *end = at + size;
    if (size >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    while (at < end && (*at == ' ' || (*at >= '\t' && *at <= '\r')))
        at++;
    return end - at >= 2 && at[0] == '<' && at[1] > ' ';
}

/* Keeps the first fault, and stops. */
#define FAIL(dzi, ...) \
    ((dzi)->rc = (dzi)->rc ? (dzi)->rc : error_set((dzi)->error, ERROR_INPUT, __VA_ARGS__), \
        XML_StopParser((dzi)->parser, XML_FALSE))

/* The name without its namespace, which expat puts in front. */
static const char *local_name(const char *name)
{
    const char *space = strrchr(name, ' ');
    return space ? space + 1 : name;
}

static void take_number(struct dzi *dzi, int attribute, const char *value)
{
    char *end;
    const long number = strtol(value, &end, 10);
    if (*value < '0' || *value > '9' || *end || number < ATTRIBUTES[attribute].least ||
        number > MAX_NUMBER)
        FAIL(dzi,
            "cannot read '%s': its %s is '%.40s', no whole number from %d to %d; mend it or make "
            "the image again",
            dzi->input->name, ATTRIBUTES[attribute].name, value, ATTRIBUTES[attribute].least,
            MAX_NUMBER);
    dzi->number[attribute] = (int)number;
    dzi->has_number[attribute] = 1;
}

static void take_format(struct dzi *dzi, const char *value)
{
    for (size_t i = 0; i < sizeof(EXTENSIONS) / sizeof(EXTENSIONS[0]); i++)
        if (strcasecmp(value, EXTENSIONS[i]) == 0) {
            strcpy(dzi->format, value);
            return;
        }
    FAIL(dzi,
        "cannot read '%s': its tiles are of format '%.40s'; make the image again with png or jpg",
        dzi->input->name, value);
}

static void XMLCALL element_start(void *context, const char *name, const char **attributes)
{
    struct dzi *dzi = context;
    const char *element = local_name(name);
    if (dzi->depth == 0 && strcmp(element, "Image") != 0) {
        FAIL(dzi,
            "cannot read '%s': it is XML, but no DeepZoom image: its first element is '%.40s', "
            "not 'Image'; name a file of another format",
            dzi->input->name, element);
        return;
    }
    for (; dzi->depth < 2 && *attributes; attributes += 2) {
        const char *attribute = local_name(attributes[0]);
        for (int i = 0; i < NUMBERS; i++)
            if (strcmp(element, ATTRIBUTES[i].element) == 0 &&
                strcmp(attribute, ATTRIBUTES[i].name) == 0)
                take_number(dzi, i, attributes[1]);
        if (dzi->depth == 0 && strcmp(attribute, "Format") == 0)
            take_format(dzi, attributes[1]);
    }
    dzi->depth++;
}

static void XMLCALL element_end(void *context, const char *name)
{
    struct dzi *dzi = context;
    (void)name;
    dzi->depth--;
}

static int parse(struct dzi *dzi, const unsigned char *text, size_t size)
{
    dzi->parser = XML_ParserCreateNS(NULL, ' ');
    if (!dzi->parser)
        return error_set(
            dzi->error, ERROR_INPUT, "cannot read '%s': not enough memory", dzi->input->name);
    XML_SetUserData(dzi->parser, dzi);
    XML_SetElementHandler(dzi->parser, element_start, element_end);
    if (XML_Parse(dzi->parser, (const char *)text, (int)size, 1) != XML_STATUS_OK)
        FAIL(dzi, "cannot read '%s', line %lu: %s; mend it or make the image again",
            dzi->input->name, (unsigned long)XML_GetCurrentLineNumber(dzi->parser),
            XML_ErrorString(XML_GetErrorCode(dzi->parser)));
    XML_ParserFree(dzi->parser);
    return dzi->rc;
}

int image_has_tiles(const char *path)
{
    struct input input;
    struct error error;
    struct stat status;
    struct dzi dzi = {.input = &input, .error = &error};
    unsigned char *text;
    size_t size;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) ||
        input_open(path, NULL, &input, &error) != 0)
        return 0;
    int rc = dzi_recognize(&input) ? input_rest(&input, MAX_TEXT, "", &text, &size, &error) : -1;
    if (rc == 0) {
        rc = parse(&dzi, text, size);
        free(text);
    }
    input_close(&input);
    return rc == 0;
}

/* Checks that all is said and that it fits together, and finds the last level. */
static int check(struct dzi *dzi, uint64_t max_pixels)
{
    const int *number = dzi->number, side = number[number[WIDTH] > number[HEIGHT] ? WIDTH : HEIGHT];
    const char *name = dzi->input->name, *missing = dzi->format[0] ? NULL : "Format";
    for (int i = NUMBERS; i-- > 0;)
        missing = dzi->has_number[i] ? missing : ATTRIBUTES[i].name;
    if (missing)
        return error_set(dzi->error, ERROR_INPUT,
            "cannot read '%s': it does not say its %s; mend it or make the image again", name,
            missing);
    if (number[OVERLAP] > number[TILE_SIZE])
        return error_set(dzi->error, ERROR_INPUT,
            "cannot read '%s': its Overlap of %d is more than its TileSize of %d; mend it or make "
            "the image again",
            name, number[OVERLAP], number[TILE_SIZE]);
    while ((int64_t)1 << dzi->level < side)
        dzi->level++;
    dzi->columns = (number[WIDTH] - 1) / number[TILE_SIZE] + 1;
    dzi->rows = (number[HEIGHT] - 1) / number[TILE_SIZE] + 1;
    return image_check_size(number[WIDTH], number[HEIGHT], name, max_pixels, dzi->error);
}

/* In one direction: the pixels of the image that are a tile's own, and those of neighbors that come
 * before and behind them. */
struct span {
    int first, own, before, behind;
};

static struct span span_of(const struct dzi *dzi, int index, int side)
{
    const int tile = dzi->number[TILE_SIZE], overlap = dzi->number[OVERLAP];
    const int first = index * tile, rest = side - first, own = rest < tile ? rest : tile;
    return (struct span){
        first, own, index ? overlap : 0, rest - own < overlap ? rest - own : overlap};
}

/* Decodes a tile, a PNG or JPEG file whatever its name says, but nothing that names files again. */
static int decode_tile(
    const char *path, uint64_t max_pixels, struct image *tile, struct error *error)
{
    struct input input;
    struct error failure;
    int rc = input_open(path, NULL, &input, error);
    if (rc)
        return rc;
    const struct image_format *format = IMAGE_PNG.recognize(&input)    ? &IMAGE_PNG
                                        : IMAGE_JPEG.recognize(&input) ? &IMAGE_JPEG
                                                                       : NULL;
    rc = format
             ? format->decode(&input, max_pixels, tile, error)
             : error_set(error, ERROR_INPUT, "cannot read '%s': it is neither PNG nor JPEG", path);
    const int failed = input_check(&input, &failure); /* is what made the decoder fail */
    if (failed)
        *error = failure;
    input_close(&input);
    return failed ? failed : rc;
}

/* Reads a tile and checks its size. Returns 0 or ERROR_INPUT; to be freed in both cases. */
static int read_tile(const struct dzi *dzi, int index, struct image *tile, struct error *error)
{
    const int column = index % dzi->columns, row = index / dzi->columns;
    const struct span x = span_of(dzi, column, dzi->number[WIDTH]),
                      y = span_of(dzi, row, dzi->number[HEIGHT]);
    const int width = x.before + x.own + x.behind, height = y.before + y.own + y.behind;
    const uint64_t pixels = (uint64_t)width * (uint64_t)height;
    char path[PATH_MAX];
    struct error reason;
    *tile = (struct image){0};
    if (snprintf(path, sizeof(path), "%s/%d/%d_%d.%s", dzi->folder, dzi->level, column, row,
            dzi->format) >= PATH_MAX)
        return error_set(error, ERROR_INPUT,
            "cannot read '%.100s...': names of its tiles are too long; move it", dzi->folder);
    int rc =
        decode_tile(path, pixels > MAX_OTHER_PIXELS ? pixels : MAX_OTHER_PIXELS, tile, &reason);
    if (rc == 0 && (tile->width != width || tile->height != height))
        rc = error_set(&reason, ERROR_INPUT, "cannot read '%s': it has %d x %d pixels, not %d x %d",
            path, tile->width, tile->height, width, height);
    if (rc)
        error_write(error, "%.4500s; it is a tile of '%.3000s': copy or make all of that again",
            reason.text, dzi->input->name);
    return rc;
}

/* Puts the pixels that are the tile's own into the image. */
static void put_tile(
    const struct dzi *dzi, int index, const struct image *tile, const struct image *image)
{
    const struct span x = span_of(dzi, index % dzi->columns, image->width),
                      y = span_of(dzi, index / dzi->columns, image->height);
    image_copy_area(tile, x.before, y.before, x.own, y.own, image, x.first, y.first);
}

/* Reads the tiles from `first` to before `end` by all threads. Of several that fail, the first
 * tells. The image is in color, or has alpha, where one of them is or has. */
static int read_tiles(const struct dzi *dzi, int first, int end, struct image *image)
{
    int failed = INT_MAX, is_color = image->channels > 2, has_alpha = image->channels % 2 == 0;
#pragma omp parallel for schedule(dynamic) reduction(| : is_color, has_alpha)
    for (int i = first; i < end; i++) {
        struct image tile;
        struct error error;
        int rc = read_tile(dzi, i, &tile, &error);
        if (rc == 0 && tile.depth != image->depth)
            rc = error_set(&error, ERROR_INPUT,
                "cannot read '%s': its tile %d_%d has %d bits a channel, but the first one %d; "
                "make the image again",
                dzi->input->name, i % dzi->columns, i / dzi->columns, tile.depth, image->depth);
        if (rc == 0) {
            put_tile(dzi, i, &tile, image);
            is_color |= tile.channels > 2;
            has_alpha |= tile.channels % 2 == 0;
        }
        image_free(&tile);
#pragma omp critical
        if (rc && i < failed) {
            failed = i;
            *dzi->error = error;
        }
    }
    image->channels = (is_color ? 3 : 1) + has_alpha;
    return failed < INT_MAX ? ERROR_INPUT : 0;
}

static int read_level(struct dzi *dzi, struct image *image)
{
    const int64_t tiles = (int64_t)dzi->columns * dzi->rows;
    const int step = TILES_A_THREAD * omp_get_max_threads();
    struct image tile;
    if (tiles > INT_MAX)
        return error_set(dzi->error, ERROR_INPUT,
            "cannot read '%s': it has more than %d tiles; make it again with larger ones",
            dzi->input->name, INT_MAX);
    int rc = read_tile(dzi, 0, &tile, dzi->error);
    if (rc == 0)
        rc = image_new_in(dzi->input->scratch, dzi->number[WIDTH], dzi->number[HEIGHT],
            tile.channels, tile.depth, image, dzi->error);
    image_free(&tile);
    for (int first = 0; rc == 0 && first < tiles; first += step) {
        rc = read_tiles(dzi, first, (int)tiles - first < step ? (int)tiles : first + step, image);
        if (rc == 0 && input_is_stopped(dzi->input, (double)first / (double)tiles))
            rc = ERROR_STOPPED; /* input_check has the reason */
    }
    return rc;
}

int dzi_decode(struct input *input, uint64_t max_pixels, struct image *image, struct error *error)
{
    struct dzi dzi = {.input = input, .error = error};
    unsigned char *text;
    size_t size;
    int rc = input_rest(
        input, MAX_TEXT, "it is XML, but too long for a DeepZoom image", &text, &size, error);
    if (rc == 0)
        rc = parse(&dzi, text, size);
    free(text);
    if (rc == 0)
        rc = check(&dzi, max_pixels);
    if (rc == 0 && !input->path)
        rc = error_set(error, ERROR_INPUT,
            "cannot read '%s': the tiles of a DeepZoom image lie beside its file; name that file",
            input->name);
    if (rc == 0 && !(dzi.folder = image_tiles(input->path)))
        rc = error_set(error, ERROR_INPUT, "cannot read '%s': not enough memory", input->name);
    if (rc == 0 && access(dzi.folder, F_OK) != 0)
        rc = error_set(error, ERROR_INPUT,
            "cannot read '%s': its folder of tiles '%s': %s; put that folder beside it",
            input->name, dzi.folder, strerror(errno));
    if (rc == 0)
        rc = read_level(&dzi, image);
    if (rc)
        image_free(image);
    free(dzi.folder);
    return rc;
}
