/* DeepZoom images: every tile of every level, compared with levels computed here one pixel after
 * the other, and what becomes of folders that are there already. */
#include <dirent.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/tap.h"
#include "images/parts.h"
#include "tests/test_files.h"
#include "tests/test_levels.h"

/* The tests work in this folder. */
static char folder[] = "/tmp/test_dzi.XXXXXX";

static int count_entries(const char *path)
{
    int count = -2; /* . and .. */
    DIR *entries = opendir(path);
    while (entries && readdir(entries))
        count++;
    if (entries)
        closedir(entries);
    return entries ? count : -1;
}

static void remove_all(const char *name)
{
    char command[128];
    snprintf(command, sizeof(command), "rm -rf %s", name);
    if (system(command) != 0)
        abort();
}

/* Whether a tile's file holds the pixels of the level that are its own, and one more at each side
 * where there is a neighbor. */
static int holds_tile(const char *path, const struct image *level, int column, int row)
{
    const int left = column ? 254 * column - 1 : 0, top = row ? 254 * row - 1 : 0;
    const int right = 254 * column + 255 < level->width ? 254 * column + 255 : level->width;
    const int bottom = 254 * row + 255 < level->height ? 254 * row + 255 : level->height;
    const size_t size = image_pixel_size(level), width = (size_t)(right - left) * size;
    struct error error;
    struct image tile;
    if (image_read(path, 256 * 256, NULL, &tile, &error) != 0)
        return 0;
    int is_same = tile.width == right - left && tile.height == bottom - top &&
                  tile.channels == level->channels && tile.depth == level->depth;
    for (int y = top; is_same && y < bottom; y++)
        is_same = memcmp((unsigned char *)tile.pixels + (size_t)(y - top) * width,
                      (unsigned char *)level->pixels +
                          ((size_t)y * (size_t)level->width + (size_t)left) * size,
                      width) == 0;
    image_free(&tile);
    return is_same;
}

/* Whether the folder holds the tiles of all levels, down to one pixel, and nothing else. */
static int holds_levels(const char *tiles, const struct image *image, int *levels)
{
    struct image level = make_empty(image->width, image->height, image->channels, image->depth);
    int is_same = 1, count = 1;
    memcpy(level.pixels, image->pixels,
        (size_t)image->width * (size_t)image->height * image_pixel_size(image));
    for (int side = image->width > image->height ? image->width : image->height; side > 1; count++)
        side = (side + 1) / 2;
    *levels = count;
    is_same = count_entries(tiles) == count;
    for (int number = count - 1; is_same && number >= 0; number--) {
        const int columns = (level.width + 253) / 254, rows = (level.height + 253) / 254;
        char path[300];
        snprintf(path, sizeof(path), "%s/%d", tiles, number);
        is_same = count_entries(path) == columns * rows;
        for (int i = 0; is_same && i < columns * rows; i++) {
            snprintf(
                path, sizeof(path), "%s/%d/%d_%d.png", tiles, number, i % columns, i / columns);
            is_same = holds_tile(path, &level, i % columns, i / columns);
        }
        if (number == 0)
            is_same &= level.width == 1 && level.height == 1;
        struct image half = halve(&level);
        image_free(&level);
        level = half;
    }
    image_free(&level);
    return is_same;
}

static void check_levels(int width, int height, int channels, int depth, int rows)
{
    struct error error = {""};
    struct image image = make_noise(width, height, channels, depth);
    int levels = 0;
    char expected[512];
    const int rc = write_strips("out.dzi", &image, rows, NULL, &error);
    tap_check(rc == 0 && holds_levels("out_files", &image, &levels),
        "%d x %d, %d channels of %d bits in strips of %d rows: %d levels%s", width, height,
        channels, depth, rows, levels, error.text);
    snprintf(expected, sizeof(expected),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<Image xmlns=\"http://schemas.microsoft.com/deepzoom/2008\" Format=\"png\" Overlap=\"1\" "
        "TileSize=\"254\">\n  <Size Width=\"%d\" Height=\"%d\"/>\n</Image>\n",
        width, height);
    tap_check(file_holds("out.dzi", expected) && count_entries(".") == 2,
        "%d x %d: the file tells the size, and nothing else is there", width, height);
    image_free(&image);
}

/* Each check_levels replaces the folder of the one before. */
static void check_all_levels(void)
{
    static const int SIZES[][2] = {
        {1, 1}, {254, 254}, {255, 1}, {1, 509}, {256, 507}, {508, 255}, {701, 1033}, {2050, 130}};
    static const int ROWS[] = {1 << 20, 1, 254, 255, 256, 257, 101};
    for (int i = 0; i < (int)(sizeof(SIZES) / sizeof(SIZES[0])); i++)
        for (int channels = 1; channels <= 4; channels++)
            check_levels(SIZES[i][0], SIZES[i][1], channels, (i + channels) % 2 * 8 + 8,
                ROWS[(3 * i + channels) % 7]);
    for (int i = 0; i < 7; i++)
        check_levels(701, 1033, 4, 8, ROWS[i]);
    remove_all("out.dzi out_files");
}

/* Makes a part from so many rows of the image at a time, and puts what is left into the rest. */
static int write_part(const struct image_parts *parts, int number, const struct image *image,
    int rows, const struct image *rest, struct error *error)
{
    struct image_part *part;
    int row, end, first;
    int rc = image_part_open(parts, number, NULL, &part, &row, &end, error);
    if (rc)
        return rc;
    if (row < 0 || end > image->height || end - row > image_part_most_rows(parts))
        abort();
    for (int count; rc == 0 && row < end; row += count) {
        count = rows < end - row ? rows : end - row;
        struct image strip = *image;
        strip.height = count;
        strip.pixels = (unsigned char *)image->pixels +
                       (size_t)row * (size_t)image->width * image_pixel_size(image);
        rc = image_part_add(part, &strip, error);
    }
    if (image_part_rest(parts, number, &first) + first > rest->height)
        abort();
    if (rc == 0)
        image_part_copy_rest(part, (unsigned char *)rest->pixels + (size_t)first *
                                                                       (size_t)rest->width *
                                                                       image_pixel_size(rest));
    image_part_close(part);
    return rc;
}

/* The parts of an image, the last one first. */
static int write_parts(const struct image *image, uint64_t memory, int rows,
    struct image_parts *parts, struct error *error)
{
    struct image_writer *writer;
    int rc = image_writer_open_parts("out.dzi", NULL, image, memory, NULL, &writer, parts, error);
    if (rc || parts->count == 0)
        return rc ? rc : ERROR_USAGE;
    struct image rest =
        make_empty(parts->rest.width, parts->rest.height, image->channels, image->depth);
    for (int i = parts->count; rc == 0 && i-- > 0;)
        rc = write_part(parts, i, image, rows, &rest, error);
    if (rc == 0)
        rc = image_writer_add(writer, &rest, error);
    image_free(&rest);
    if (rc == 0)
        return image_writer_close(writer, error);
    image_writer_abandon(writer);
    return rc;
}

static void check_parts(int width, int height, uint64_t memory, int levels, int count)
{
    struct error error = {""};
    struct image_parts parts = {0};
    const int channels = 3 + width % 2, depth = 8 + height % 2 * 8;
    struct image image = make_noise(width, height, channels, depth);
    int all;
    const int rc = write_parts(&image, memory, 100 + width % 300, &parts, &error);
    tap_check(rc == 0 && parts.levels == levels && parts.count == count &&
                  holds_levels("out_files", &image, &all) && count_entries(".") == 2,
        "%d x %d, %d channels of %d bits: %d parts of %d levels, wanted %d of %d%s", width, height,
        channels, depth, parts.count, parts.levels, count, levels, error.text);
    image_free(&image);
}

/* Sizes at and beside the ends of tiles and parts. */
static void check_all_parts(void)
{
    static const int HEIGHTS[] = {1016, 1017, 1270, 1271, 1523, 1525};
    const uint64_t enough = 1 << 30;
    struct error error = {""};
    struct image_parts parts;
    struct image_writer *writer;
    for (int i = 0; i < 6; i++)
        check_parts(255 + i, HEIGHTS[i], enough, HEIGHTS[i] <= 1270 ? 1 : 2,
            HEIGHTS[i] <= 1270 ? (HEIGHTS[i] + 253) / 254 : (HEIGHTS[i] + 507) / 508);
    check_parts(300, 255, enough, 1, 2);
    check_parts(1, 2033, enough, 2, 5);
    check_parts(513, 2050, 200000, 3, 3);
    check_parts(3, 40001, 0, 8, 2);
    check_parts(2, 65025, 0, 8, 3);
    remove_all("out.dzi out_files");

    const struct image low = {.width = 3000, .height = 254, .channels = 3, .depth = 8};
    tap_check(
        image_writer_open_parts("x.dzi", NULL, &low, enough, NULL, &writer, &parts, &error) == 0 &&
            parts.count == 0 && !writer && count_entries(".") == 0,
        "one row of tiles has no parts");
    tap_check(
        image_writer_open_parts("x.png", NULL, &low, enough, NULL, &writer, &parts, &error) == 0 &&
            parts.count == 0 && !writer && count_entries(".") == 0,
        "a PNG has no parts");
}

/* A part whose folder is gone, as where the first process has given up, or sees other files. */
static void check_lost_folder(void)
{
    struct error error = {""};
    struct image_parts parts;
    struct image_part *part, *none;
    struct image_writer *writer;
    struct image image = make_noise(300, 600, 3, 8);
    int row, end;
    if (image_writer_open_parts("out.dzi", NULL, &image, 1 << 30, NULL, &writer, &parts, &error) ||
        image_part_open(&parts, 0, NULL, &part, &row, &end, &error))
        abort();
    image.height = end;
    image_writer_abandon(writer);
    tap_check(image_part_add(part, &image, &error) == ERROR_INPUT && count_entries(".") == 0,
        "a part of an image that is given up puts no tile anywhere: %s", error.text);
    tap_check(image_part_open(&parts, 1, NULL, &none, &row, &end, &error) == ERROR_INPUT && !none &&
                  strstr(error.text, "name a file in a folder that all processes share"),
        "nor does another begin: %s", error.text);
    image_part_close(part);
    image_free(&image);
}

static void check_refusal(const char *path, const char *message)
{
    struct error error = {""};
    struct image image = make_noise(2, 2, 3, 8);
    char expected[512];
    snprintf(expected, sizeof(expected), "cannot write '%s': %s", path, message);
    tap_check(image_check_output(path, "dzi", &image, &error) == ERROR_INPUT &&
                  strcmp(error.text, expected) == 0 &&
                  image_write(path, "dzi", &image, NULL, &error) == ERROR_INPUT &&
                  strcmp(error.text, expected) == 0,
        "refused: %s", error.text);
    image_free(&image);
}

static void check_refusals(void)
{
    check_refusal("/dev/null", "a DeepZoom image is a file and a folder beside it; name a file");
    put_file("x_files", "text");
    check_refusal("x.dzi", "its tiles go to 'x_files', which is no folder; choose another name");
    tap_check(file_holds("x_files", "text") && count_entries(".") == 1, "and nothing is changed");
    remove_all("x_files");
    if (mkdir("x_files", 0777) || mkdir("x_files/3", 0777))
        abort();
    put_file("x_files/3/0_0.png", "tile");
    put_file("x_files/3/letter.txt", "mine");
    check_refusal(
        "x.dzi", "its tiles go to 'x_files', where '3/letter.txt' is none; choose another name");
    tap_check(count_entries("x_files/3") == 2, "and nothing is changed");
    remove_all("x_files/3/letter.txt");
    put_file("x_files/letter", "mine");
    check_refusal(
        "x.dzi", "its tiles go to 'x_files', where 'letter' is none; choose another name");
    remove_all("x_files/letter");
    if (symlink("3", "x_files/4"))
        abort();
    check_refusal("x.dzi", "its tiles go to 'x_files', where '4' is none; choose another name");
    remove_all("x_files");
    if (mkdir("there", 0777) || symlink("there", "x_files"))
        abort();
    check_refusal("x.dzi", "its tiles go to 'x_files', which is no folder; choose another name");
    remove_all("there x_files");
}

static int stop(void *context, double share)
{
    (void)context;
    return share > 0.6;
}

/* What is there stays, whatever keeps a new image from being written. */
static void check_kept(int is_there)
{
    struct error error = {""};
    struct image small = make_noise(300, 20, 3, 8), image = make_noise(600, 2000, 3, 8);
    const struct progress progress = {stop, NULL};
    struct image_writer *writer;
    struct rlimit limit, tight;
    int levels;
    const char *what = is_there ? "an earlier image stays" : "nothing is left";
    if (is_there && image_write("out.dzi", NULL, &small, NULL, &error))
        abort();
#define IS_KEPT \
    (is_there ? count_entries(".") == 2 && holds_levels("out_files", &small, &levels) \
              : count_entries(".") == 0)
    tap_check(write_strips("out.dzi", &image, 256, &progress, &error) == ERROR_STOPPED && IS_KEPT,
        "stopped: %s", what);
    fflush(stdout);
    getrlimit(RLIMIT_FSIZE, &limit);
    tight = limit;
    tight.rlim_cur = 50000;
    setrlimit(RLIMIT_FSIZE, &tight);
    const int rc = write_strips("out.dzi", &image, 256, NULL, &error);
    setrlimit(RLIMIT_FSIZE, &limit);
    tap_check(rc == ERROR_INPUT &&
                  strcmp(error.text, "cannot write 'out.dzi': File too large") == 0 && IS_KEPT,
        "no space: %s", what);

    /* The file cannot get its name, since there is a folder of that name by now. */
    if (image_writer_open("out.dzi", NULL, &image, 2000, NULL, &writer, &error) ||
        image_writer_add(writer, &image, &error))
        abort();
    if ((is_there && rename("out.dzi", "kept")) || mkdir("out.dzi", 0777))
        abort();
    const int closed = image_writer_close(writer, &error);
    if (rmdir("out.dzi") || (is_there && rename("kept", "out.dzi")))
        abort();
    tap_check(closed == ERROR_INPUT && IS_KEPT, "the file cannot be put in its place: %s (%s)",
        what, error.text);
    remove_all("out.dzi out_files");
    image_free(&image);
    image_free(&small);
}

/* Behind a link, the folder of its target is used. */
static void check_link(void)
{
    struct error error = {""};
    struct image image = make_noise(3, 2, 3, 8);
    int levels;
    if (mkdir("there", 0777) || symlink("there/target.dzi", "link.dzi"))
        abort();
    put_file("there/target.dzi", "old");
    tap_check(image_write("link.dzi", NULL, &image, NULL, &error) == 0 && count_entries(".") == 2 &&
                  count_entries("there") == 2 &&
                  holds_levels("there/target_files", &image, &levels),
        "behind a link, the tiles are beside its target");
    remove_all("there link.dzi");
    image_free(&image);
}

int main(void)
{
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    signal(SIGXFSZ, SIG_IGN);
    check_all_levels();
    check_all_parts();
    check_lost_folder();
    check_refusals();
    check_kept(0);
    check_kept(1);
    check_link();
    tap_check(chdir("/") == 0 && rmdir(folder) == 0, "nothing is left");
    return tap_finish();
}
