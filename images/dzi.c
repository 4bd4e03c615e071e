/* DeepZoom: a file that tells the size, and beside it a folder with a folder of tiles for each
 * level, "out.dzi" and "out_files/LEVEL/COLUMN_ROW.png". Level 0 is one pixel, and the last one the
 * image. Tiles are PNG files, since they hold what any image holds and lose nothing. They have 254
 * pixels a side and one more of each neighbor, which is what DeepZoom's own tools and libvips make:
 * so they are 256 pixels wide, and viewers that scale them smoothly show no seams. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "images/dzi.h"
#include "images/pyramid.h"

#define TILE 254 /* pixels a side, without what they share */
#define OVERLAP 1

struct state {
    struct pyramid pyramid;
    char *folder; /* of the tiles */
    char *made;   /* the name that it has until all is whole */
    char *old;    /* the name that an earlier one has then, which is removed last; NULL: none */
    int made_fd, old_fd;
    int is_swapped; /* whether it has its own name */
};

static const char *skip_digits(const char *text)
{
    return text + strspn(text, "0123456789");
}

/* Whether the name is that of a level's folder, or with is_tile of a tile. */
static int has_own_name(const char *name, int is_tile)
{
    const char *end = skip_digits(name);
    if (!is_tile)
        return end > name && !*end;
    const char *second = *end == '_' ? end + 1 : end;
    const char *extension = skip_digits(second);
    return end > name && second > end && extension > second &&
           (strcmp(extension, ".png") == 0 || strcmp(extension, ".jpg") == 0 ||
               strcmp(extension, ".jpeg") == 0);
}

/* Goes through a folder of levels, or with is_level through one of tiles, and removes what is in it
 * and itself, or only looks. Returns 0, or -1 where something else is there, whose path is then in
 * `foreign`, or cannot be removed; "" means that it cannot be read or written. */
static int walk(const char *folder, int is_level, int removes, char foreign[PATH_MAX])
{
    DIR *entries = opendir(folder);
    struct dirent *entry;
    struct stat status;
    char path[PATH_MAX];
    int rc = entries && access(folder, R_OK | W_OK | X_OK) == 0 ? 0 : -1;
    foreign[0] = 0;
    while (rc == 0 && (entry = readdir(entries)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        const int fits =
            snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name) < (int)sizeof(path);
        if (!fits || !has_own_name(entry->d_name, is_level) || lstat(path, &status) != 0 ||
            !(is_level ? S_ISREG(status.st_mode) : S_ISDIR(status.st_mode))) {
            snprintf(foreign, PATH_MAX, "%s", path);
            rc = -1;
        } else if (!is_level) {
            rc = walk(path, 1, removes, foreign);
        } else if (removes) {
            rc = unlink(path);
        }
    }
    if (entries)
        closedir(entries);
    return rc == 0 && removes ? rmdir(folder) : rc;
}

/* Refuses a folder that is no such folder of an earlier image, which would be replaced. */
static int check_folder(const char *path, const char *folder, struct error *error)
{
    struct stat status;
    char foreign[PATH_MAX];
    if (lstat(folder, &status) != 0)
        return errno == ENOENT ? 0
                               : error_set(error, ERROR_INPUT, "cannot write '%s': '%s': %s", path,
                                     folder, strerror(errno));
    if (!S_ISDIR(status.st_mode))
        return error_set(error, ERROR_INPUT,
            "cannot write '%s': its tiles go to '%s', which is no folder; choose another name",
            path, folder);
    if (walk(folder, 0, 0, foreign) == 0)
        return 0;
    if (foreign[0])
        return error_set(error, ERROR_INPUT,
            "cannot write '%s': its tiles go to '%s', where '%s' is none; choose another name",
            path, folder, foreign + strlen(folder) + 1);
    return error_set(error, ERROR_INPUT,
        "cannot write '%s': its tiles go to '%s', which cannot be read and written; choose another "
        "name",
        path, folder);
}

static int dzi_check(const char *path, struct error *error)
{
    struct stat status;
    if (strcmp(path, "-") == 0 || (stat(path, &status) == 0 && !S_ISREG(status.st_mode)))
        return error_set(error, ERROR_INPUT,
            "cannot write '%s': a DeepZoom image is a file and a folder beside it; name a file",
            path);
    char *folder = image_tiles(path);
    const int rc = folder ? check_folder(path, folder, error)
                          : error_set(error, ERROR_INPUT, "cannot write '%s': no memory", path);
    free(folder);
    return rc;
}

/* Writes a part of a band as a file of its own, in a folder that nobody else looks into yet. */
static int write_tile(const char *path, const char *name, const struct image *band, int begin,
    int end, struct error *error)
{
    const size_t size = image_pixel_size(band), row = (size_t)(end - begin) * size;
    struct image_writer writer = {.format = &IMAGE_PNG,
        .output = {.file = fopen(path, "wb"), .name = name},
        .whole = {.width = end - begin,
            .height = band->height,
            .channels = band->channels,
            .depth = band->depth},
        .most_rows = band->height};
    struct image tile = writer.whole;
    if (!writer.output.file)
        return error_set(
            error, ERROR_INPUT, "cannot write '%s': a tile: %s", name, strerror(errno));
    tile.pixels = malloc((size_t)band->height * row);
    for (int y = 0; tile.pixels && y < band->height; y++)
        memcpy((unsigned char *)tile.pixels + (size_t)y * row,
            (const unsigned char *)band->pixels +
                ((size_t)y * (size_t)band->width + (size_t)begin) * size,
            row);
    int rc = tile.pixels ? IMAGE_PNG.begin(&writer, error) : image_encoder_failed(&writer, error);
    if (rc == 0)
        rc = IMAGE_PNG.add(&writer, &tile, error);
    if (rc == 0)
        rc = IMAGE_PNG.end(&writer, error);
    if (rc)
        output_abandon(&writer.output);
    else
        rc = output_commit(&writer.output, error);
    IMAGE_PNG.release(&writer, rc == 0);
    free(tile.pixels);
    return rc;
}

/* The pyramid's sink, which counts levels from the other end. */
static int put_tiles(
    void *context, int number, int tile_row, const struct image *band, struct error *error)
{
    struct image_writer *writer = context;
    struct state *s = writer->state;
    const struct pyramid_level *whole = s->pyramid.levels;
    const int columns = pyramid_tiles(&s->pyramid, band->width);
    char folder[PATH_MAX];
    int result = 0;
    snprintf(folder, sizeof(folder), "%s/%d", s->made, s->pyramid.count - 1 - number);
    if (tile_row == 0 && mkdir(folder, 0777) != 0)
        return error_set(error, ERROR_INPUT, "cannot write '%s': a folder of tiles: %s",
            writer->output.name, strerror(errno));
#pragma omp parallel for schedule(dynamic) if (columns > 1)
    for (int column = 0; column < columns; column++) {
        const int begin = column ? column * TILE - OVERLAP : 0;
        const int end = (column + 1) * TILE + OVERLAP;
        char path[PATH_MAX + 32];
        struct error own;
        snprintf(path, sizeof(path), "%s/%d_%d.png", folder, column, tile_row);
        const int rc = write_tile(
            path, writer->output.name, band, begin, end < band->width ? end : band->width, &own);
        if (rc) {
#pragma omp critical
            {
                result = rc;
                *error = own;
            }
        }
    }
    if (result == 0 && output_progress(&writer->output, (double)whole->rows / whole->height))
        return output_status(&writer->output, error);
    return result;
}

static int dzi_begin(struct image_writer *writer, struct error *error)
{
    struct state *s = writer->state = calloc(1, sizeof(*s));
    if (!s)
        return image_encoder_failed(writer, error);
    s->made_fd = s->old_fd = -1;
    s->folder = image_tiles(writer->output.path);
    if (!s->folder)
        return image_encoder_failed(writer, error);
    s->made_fd = output_make_folder(s->folder, &s->made);
    if (s->made_fd < 0)
        return error_set(error, ERROR_INPUT, "cannot write '%s': a folder of tiles: %s",
            writer->output.name, strerror(errno));
    return pyramid_open(&writer->whole, TILE, OVERLAP, 1, put_tiles, writer, &s->pyramid, error);
}

static int dzi_add(struct image_writer *writer, const struct image *strip, struct error *error)
{
    struct state *s = writer->state;
    return pyramid_add(&s->pyramid, strip, error);
}

/* Gives the folder its own name, and an earlier one another. Returns 0, or -1 and errno with
 * nothing changed. */
static int swap_folders(struct state *s)
{
    if (access(s->folder, F_OK) == 0) {
        s->old_fd = output_make_folder(s->folder, &s->old);
        if (s->old_fd < 0)
            return -1;
        if (rename(s->folder, s->old) != 0)
            return -1;
    }
    s->is_swapped = rename(s->made, s->folder) == 0;
    if (s->is_swapped)
        return 0;
    const int failure = errno;
    if (s->old)
        rename(s->old, s->folder);
    errno = failure;
    return -1;
}

static int dzi_end(struct image_writer *writer, struct error *error)
{
    struct state *s = writer->state;
    fprintf(writer->output.file,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<Image xmlns=\"http://schemas.microsoft.com/deepzoom/2008\" Format=\"png\" "
        "Overlap=\"%d\" TileSize=\"%d\">\n"
        "  <Size Width=\"%d\" Height=\"%d\"/>\n"
        "</Image>\n",
        OVERLAP, TILE, writer->whole.width, writer->whole.height);
    if (swap_folders(s) == 0)
        return 0;
    return error_set(error, ERROR_INPUT, "cannot write '%s': its folder '%s': %s",
        writer->output.name, s->folder, strerror(errno));
}

/* Removes what is not needed any more: the earlier tiles, or where the file is not in its place the
 * new ones, after an earlier folder has got its name back. */
static void dzi_release(struct image_writer *writer, int is_in_place)
{
    struct state *s = writer->state;
    char foreign[PATH_MAX];
    if (!s)
        return;
    if (s->is_swapped && !is_in_place) {
        s->is_swapped = rename(s->folder, s->made) != 0;
        if (s->old)
            rename(s->old, s->folder);
    }
    if (s->made && !s->is_swapped)
        walk(s->made, 0, 1, foreign);
    if (s->old && is_in_place)
        walk(s->old, 0, 1, foreign);
    else if (s->old)
        rmdir(s->old); /* where it is empty, or has its name back */
    if (s->made_fd >= 0)
        close(s->made_fd);
    if (s->old_fd >= 0)
        close(s->old_fd);
    pyramid_close(&s->pyramid);
    free(s->folder);
    free(s->made);
    free(s->old);
    free(s);
}

const struct image_format IMAGE_DZI = {
    .name = "dzi",
    .extensions = {".dzi"},
    .recognize = dzi_recognize,
    .decode = dzi_decode,
    .channels = HOLDS_GRAY | HOLDS_GRAY_ALPHA | HOLDS_RGB | HOLDS_RGBA,
    .max_depth = 16,
    .max_side = PYRAMID_MAX_SIDE,
    .check = dzi_check,
    .begin = dzi_begin,
    .add = dzi_add,
    .end = dzi_end,
    .release = dzi_release,
};
