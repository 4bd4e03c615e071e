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
#include "images/dzi_tiles.h"
#include "images/formats.h"
#include "images/parts.h"
#include "images/pyramid.h"

struct state {
    struct pyramid pyramid; /* of the whole, or of the rest of one that is written in parts */
    struct image whole;     /* without its pixels */
    char *folder;           /* of the tiles */
    char *made;             /* the name that it has until all is whole */
    char *old; /* the name that an earlier one has then, which is removed last; NULL: none */
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

/* The pyramid's sink. */
static int put_tiles(
    void *context, int level, int tile_row, const struct image *band, struct error *error)
{
    struct image_writer *writer = context;
    struct state *s = writer->state;
    const struct pyramid_level *whole = s->pyramid.levels;
    const struct dzi_tiles tiles = {s->made, writer->output.name, s->pyramid.count - 1};
    const int rc = dzi_put_tiles(&tiles, level, tile_row, band, error);
    if (rc == 0 && output_progress(&writer->output, (double)whole->rows / whole->height))
        return output_status(&writer->output, error);
    return rc;
}

/* Makes the folders of so many levels. */
static int make_folders(struct image_writer *writer, int levels, struct error *error)
{
    struct state *s = writer->state = calloc(1, sizeof(*s));
    char folder[PATH_MAX + 16];
    int is_made;
    if (!s)
        return image_encoder_failed(writer, error);
    s->whole = writer->whole;
    s->made_fd = s->old_fd = -1;
    s->folder = image_tiles(writer->output.path);
    if (!s->folder)
        return image_encoder_failed(writer, error);
    s->made_fd = output_make_folder(s->folder, &s->made);
    is_made = s->made_fd >= 0;
    for (int level = 0; is_made && level < levels; level++) {
        snprintf(folder, sizeof(folder), "%s/%d", s->made, level);
        is_made = mkdir(folder, 0777) == 0;
    }
    return is_made ? 0
                   : error_set(error, ERROR_INPUT, "cannot write '%s': a folder of tiles: %s",
                         writer->output.name, strerror(errno));
}

static int open_pyramid(struct image_writer *writer, const struct image *image, struct error *error)
{
    struct state *s = writer->state;
    return pyramid_open(image, DZI_TILE, DZI_OVERLAP, pyramid_levels(image, 1), PYRAMID_WHOLE,
        put_tiles, writer, &s->pyramid, error);
}

static int dzi_begin(struct image_writer *writer, struct error *error)
{
    const int rc = make_folders(writer, pyramid_levels(&writer->whole, 1), error);
    return rc ? rc : open_pyramid(writer, &writer->whole, error);
}

/* Whether parts of one level more are better: with k more levels than one there are T / 2^k parts
 * of T rows of tiles, one of which some process makes last, and the first process alone makes
 * 1 / 4^(k + 1) of all tiles. The sum of both shares of the work is to be least; and the rest has
 * to fit the memory. */
static int wants_more_levels(const struct image *whole, int levels, uint64_t memory)
{
    const uint64_t tile_rows = (uint64_t)(whole->height - 1) / DZI_TILE + 1;
    const struct image rest = pyramid_reduced(whole, levels);
    return (uint64_t)16 << 3 * (levels - 1) < 3 * tile_rows ||
           (uint64_t)rest.width * (uint64_t)rest.height * image_pixel_size(whole) > memory;
}

static int dzi_begin_parts(
    struct image_writer *writer, uint64_t memory, struct image_parts *parts, struct error *error)
{
    const struct image *whole = &writer->whole;
    if (whole->height <= DZI_TILE)
        return 0;
    int rc = make_folders(writer, pyramid_levels(whole, 1), error);
    struct state *s = writer->state;
    if (rc == 0 && !realpath(s->made, parts->folder))
        rc = error_set(error, ERROR_INPUT, "cannot write '%s': a folder of tiles: %s",
            writer->output.name, strerror(errno));
    if (rc)
        return rc;
    snprintf(parts->name, sizeof(parts->name), "%s", writer->output.name);
    parts->whole = *whole;
    parts->levels = 1;
    while (parts->levels < PYRAMID_PART_LEVELS && wants_more_levels(whole, parts->levels, memory))
        parts->levels++;
    parts->rest = pyramid_reduced(whole, parts->levels);
    rc = open_pyramid(writer, &parts->rest, error);
    parts->count = rc ? 0 : pyramid_parts(DZI_TILE, parts->levels, whole->height);
    return rc;
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
        DZI_OVERLAP, DZI_TILE, s->whole.width, s->whole.height);
    if (swap_folders(s) == 0)
        return 0;
    return error_set(error, ERROR_INPUT, "cannot write '%s': its folder '%s': %s",
        writer->output.name, s->folder, strerror(errno));
}

/* Removes the new tiles, under another name: processes that still write parts find no folder then
 * to put others into. One that was just putting a tile there may be too late for the first walk. */
static void remove_made(const struct state *s)
{
    char foreign[PATH_MAX], *other = NULL;
    const int fd = output_make_folder(s->folder, &other);
    const char *folder = fd >= 0 && rename(s->made, other) == 0 ? other : s->made;
    for (int i = 0; i < 3 && walk(folder, 0, 1, foreign) != 0; i++)
        ;
    if (fd >= 0)
        close(fd);
    if (folder == s->made && other)
        rmdir(other);
    free(other);
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
        remove_made(s);
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
    .begin_parts = dzi_begin_parts,
    .add = dzi_add,
    .end = dzi_end,
    .release = dzi_release,
};
