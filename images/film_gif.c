/* Animated GIF by giflib, at most 25 frames a second, since browsers slow down what has many more.
 * A frame holds the rectangle that has changed since the one before; in it, pixels that have not
 * changed are transparent, and the others have a palette of their own. If those that have changed
 * have 256 colors, no number is left for transparent ones. Then, if the pixels that have not
 * changed have only these colors too, all pixels are written; otherwise the palette has 255. So a
 * film needs memory for two frames, however long it is, and what stands still does not flicker. Of
 * faster films a third frame is kept: the last one, which is written whether or not it is the first
 * of its 25th. */
#include "images/film_library.h"

#if HAVE_GIF
#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>

#include "images/output.h"
#include "images/palette.h"

#define QUOTED(number) #number
#define VERSION_OF(major, minor, release) \
    "giflib " QUOTED(major) "." QUOTED(minor) "." QUOTED(release)

enum { MAX_RATE = 25, SECOND = 100, MAP_SIZE = PALETTE_MAX };

struct gif {
    struct output output;
    GifFileType *file;
    ColorMapObject *map;
    struct palette palette;
    int is_whole;      /* no pixel of the frame is transparent */
    uint8_t *left_out; /* the frame before, where it was not written; only above MAX_RATE */
    int has_left_out;
    uint8_t *shown; /* the pixels of the frame before, four bytes each */
    uint8_t *row;   /* of numbers of colors */
    int width, height;
    int rate;      /* of the frames that are added */
    int64_t added; /* frames */
    int written;   /* likewise */
};

/* The part of a frame that is written: columns left to right - 1, rows top to bottom - 1. */
struct rectangle {
    int left, right, top, bottom;
};

static int fail(const struct gif *gif, int code, struct error *error)
{
    const char *reason = GifErrorString(code);
    return error_set(error, ERROR_INPUT, "cannot write '%s': giflib: %s", gif->output.name,
        reason ? reason : "it failed without a word");
}

static int write_bytes(GifFileType *file, const GifByteType *bytes, int size)
{
    output_write(&((struct gif *)file->UserData)->output, bytes, (size_t)size);
    return size;
}

/* What stands before the first frame: the size, and that the film plays again and again. */
static int put_header(struct gif *gif)
{
    EGifSetGifVersion(gif->file, true);
    return EGifPutScreenDesc(gif->file, gif->width, gif->height, 8, 0, NULL) &&
           EGifPutExtensionLeader(gif->file, APPLICATION_EXT_FUNC_CODE) &&
           EGifPutExtensionBlock(gif->file, 11, "NETSCAPE2.0") &&
           EGifPutExtensionBlock(gif->file, 3, "\1\0\0") && EGifPutExtensionTrailer(gif->file);
}

static int gif_open(
    const char *path, int width, int height, int rate, void **film, struct error *error)
{
    const size_t pixels = (size_t)width * (size_t)height;
    struct gif *gif = *film = calloc(1, sizeof(*gif));
    int code;
    if (!gif || palette_new(&gif->palette) != 0 || !(gif->shown = malloc(4 * pixels)) ||
        !(gif->left_out = malloc(rate > MAX_RATE ? 4 * pixels : 1)) ||
        !(gif->row = malloc((size_t)width)) || !(gif->map = GifMakeMapObject(MAP_SIZE, NULL)))
        return error_set(error, ERROR_INPUT, "not enough memory for a frame");
    gif->width = width;
    gif->height = height;
    gif->rate = rate;
    const int rc = output_open(path, 1, NULL, &gif->output, error);
    if (rc)
        return rc;
    gif->file = EGifOpen(gif, write_bytes, &code);
    if (!gif->file)
        return fail(gif, code, error);
    return put_header(gif) ? 0 : fail(gif, gif->file->Error, error);
}

/* Whether a pixel is to be written. */
static int has_changed(const struct gif *gif, const uint8_t *pixels, size_t i)
{
    return gif->written == 0 || memcmp(gif->shown + 4 * i, pixels + 4 * i, 3) != 0;
}

/* Takes the colors of the pixels that have changed, and returns the rectangle around them, or one
 * pixel where there is none. */
static struct rectangle find_changes(struct gif *gif, const uint8_t *pixels)
{
    struct rectangle found = {gif->width, 0, gif->height, 0};
    size_t i = 0;
    for (int y = 0; y < gif->height; y++)
        for (int x = 0; x < gif->width; x++, i++)
            if (has_changed(gif, pixels, i)) {
                palette_take(&gif->palette, pixels + 4 * i);
                found.left = x < found.left ? x : found.left;
                found.right = x >= found.right ? x + 1 : found.right;
                found.top = y < found.top ? y : found.top;
                found.bottom = y + 1;
            }
    return found.bottom ? found : (struct rectangle){0, 1, 0, 1};
}

/* Whether all pixels of the rectangle are written: in the first frame, and where those that have
 * changed leave no color for what is transparent, but have those of all others. */
static int writes_whole(const struct gif *gif, const struct rectangle *part, const uint8_t *pixels)
{
    if (gif->written > 0 && gif->palette.count < PALETTE_MAX)
        return 0;
    for (int y = part->top; y < part->bottom; y++)
        for (int x = part->left; x < part->right; x++) {
            const size_t i = (size_t)y * (size_t)gif->width + (size_t)x;
            if (!has_changed(gif, pixels, i) && !palette_has(&gif->palette, pixels + 4 * i))
                return 0;
        }
    return 1;
}

/* When a frame that is written begins, in hundredths of a second. */
static int begin_of(const struct gif *gif, int number)
{
    const int64_t rate = gif->rate < MAX_RATE ? gif->rate : MAX_RATE;
    return (int)((2 * SECOND * (int64_t)number + rate) / (2 * rate));
}

/* What stands before the pixels of a frame. */
static int put_frame_header(struct gif *gif, const struct rectangle *part)
{
    GifByteType bytes[4];
    const int transparent = gif->palette.count;
    const GraphicsControlBlock control = {.DisposalMode = DISPOSE_DO_NOT,
        .DelayTime = begin_of(gif, gif->written + 1) - begin_of(gif, gif->written),
        .TransparentColor = gif->is_whole ? NO_TRANSPARENT_COLOR : transparent};
    const size_t size = EGifGCBToExtension(&control, bytes);
    for (int i = 0; i < gif->palette.count; i++) {
        const uint8_t *color = gif->palette.colors[i];
        gif->map->Colors[i] = (GifColorType){color[0], color[1], color[2]};
    }
    gif->map->BitsPerPixel = GifBitSize(gif->is_whole ? transparent : transparent + 1);
    gif->map->ColorCount = 1 << gif->map->BitsPerPixel;
    return EGifPutExtension(gif->file, GRAPHICS_EXT_FUNC_CODE, (int)size, bytes) &&
           EGifPutImageDesc(gif->file, part->left, part->top, part->right - part->left,
               part->bottom - part->top, false, gif->map);
}

static int put_pixels(struct gif *gif, const struct rectangle *part, const uint8_t *pixels)
{
    const int width = part->right - part->left;
    for (int y = part->top; y < part->bottom; y++) {
        size_t i = (size_t)y * (size_t)gif->width + (size_t)part->left;
        for (int x = 0; x < width; x++, i++)
            gif->row[x] =
                gif->is_whole || has_changed(gif, pixels, i)
                    ? (uint8_t)palette_find(&gif->palette, pixels + 4 * i, part->left + x, y)
                    : (uint8_t)gif->palette.count;
        if (!EGifPutLine(gif->file, gif->row, width))
            return 0;
    }
    return 1;
}

/* Whether the next frame is written: the first of each 25th of a second. */
static int is_next(const struct gif *gif)
{
    return gif->rate <= MAX_RATE || gif->added * MAX_RATE / gif->rate >= gif->written;
}

static size_t frame_bytes(const struct gif *gif)
{
    return 4 * (size_t)gif->width * (size_t)gif->height;
}

static int put_frame(struct gif *gif, const uint8_t *pixels, struct error *error)
{
    palette_clear(&gif->palette);
    const struct rectangle part = find_changes(gif, pixels);
    gif->is_whole = writes_whole(gif, &part, pixels);
    palette_choose(&gif->palette, gif->is_whole ? PALETTE_MAX : PALETTE_MAX - 1);
    if (!put_frame_header(gif, &part) || !put_pixels(gif, &part, pixels))
        return fail(gif, gif->file->Error, error);
    memcpy(gif->shown, pixels, frame_bytes(gif));
    gif->written++;
    return output_status(&gif->output, error);
}

static int gif_add(void *film, const struct image *frame, struct error *error)
{
    struct gif *gif = film;
    gif->has_left_out = !is_next(gif);
    gif->added++;
    if (!gif->has_left_out)
        return put_frame(gif, frame->pixels, error);
    memcpy(gif->left_out, frame->pixels, frame_bytes(gif));
    return 0;
}

/* Writes the end of the file. */
static int put_end(struct gif *gif, struct error *error)
{
    int code = 0;
    const int is_put = !gif->file || EGifCloseFile(gif->file, &code);
    gif->file = NULL;
    return is_put ? 0 : fail(gif, code, error);
}

static int gif_close(void *film, struct error *error)
{
    struct gif *gif = film;
    int rc = gif->has_left_out ? put_frame(gif, gif->left_out, error) : 0;
    if (rc == 0)
        rc = put_end(gif, error);
    return rc ? rc : output_commit(&gif->output, error);
}

static void gif_abandon(void *film)
{
    struct gif *gif = film;
    struct error ignored;
    if (!gif)
        return;
    put_end(gif, &ignored);
    output_abandon(&gif->output);
    GifFreeMapObject(gif->map);
    palette_free(&gif->palette);
    free(gif->left_out);
    free(gif->shown);
    free(gif->row);
    free(gif);
}
#endif

const struct film_library FILM_GIF = {
#if HAVE_GIF
    .title = VERSION_OF(GIFLIB_MAJOR, GIFLIB_MINOR, GIFLIB_RELEASE),
    .open = gif_open,
    .add = gif_add,
    .close = gif_close,
    .abandon = gif_abandon,
#else
    .title = "giflib",
    .missing = "giflib",
#endif
};
