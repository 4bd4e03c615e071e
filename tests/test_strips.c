/* Images that are written in strips: the same files as in one, whatever the strips are, and nothing
 * where they end early. */
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/tap.h"
#include "images/image.h"
#include "tests/test_files.h"
#include "tests/test_random.h"

/* The tests work in this folder. */
static char folder[] = "/tmp/test_strips.XXXXXX";

/* Rows of a strip; as few as one, and around the 256 of a row of tiles. */
static const int ROWS[] = {1, 7, 101, 255, 256, 257, 1 << 20};
enum { ROWS_COUNT = sizeof(ROWS) / sizeof(ROWS[0]) };

static struct image make_noise(int width, int height, int channels, int depth)
{
    struct error error;
    struct image image;
    if (image_new(width, height, channels, depth, &image, &error))
        abort();
    unsigned char *bytes = image.pixels;
    for (size_t i = 0; i < (size_t)width * (size_t)height * image_pixel_size(&image); i++)
        bytes[i] = (unsigned char)(i / 4 % 1000 < 500 ? i / 300 : next_random() >> 9);
    return image;
}

static int same_files(const char *a, const char *b)
{
    FILE *files[2] = {fopen(a, "rb"), fopen(b, "rb")};
    int bytes[2] = {0, 0};
    if (!files[0] || !files[1])
        abort();
    while (bytes[0] == bytes[1] && bytes[0] != EOF)
        for (int i = 0; i < 2; i++)
            bytes[i] = getc(files[i]);
    for (int i = 0; i < 2; i++)
        fclose(files[i]);
    return bytes[0] == bytes[1];
}

static int count_entries(void)
{
    int count = -2; /* . and .. */
    DIR *entries = opendir(".");
    while (readdir(entries))
        count++;
    closedir(entries);
    return count;
}

static void check_same(const char *extension, int width, int height, int channels, int depth)
{
    struct error error = {""};
    struct image image = make_noise(width, height, channels, depth);
    char whole[32], path[32];
    int passed = 1;
    snprintf(whole, sizeof(whole), "whole%s", extension);
    snprintf(path, sizeof(path), "strips%s", extension);
    if (image_write(whole, NULL, &image, NULL, &error))
        abort();
    for (int i = 0; i < ROWS_COUNT && passed; i++) {
        passed = write_strips(path, &image, ROWS[i], NULL, &error) == 0 && same_files(path, whole);
        if (!passed)
            printf("# strips of %d rows: %s\n", ROWS[i], error.text);
    }
    tap_check(passed, "%s, %d x %d, %d channels of %d bits: the same file in any strips", extension,
        width, height, channels, depth);
    unlink(whole);
    unlink(path);
    image_free(&image);
}

static void check_all_same(void)
{
    for (int channels = 1; channels <= 4; channels++)
        for (int depth = 8; depth <= 16; depth += 8) {
            check_same(".png", 1009, 1033, channels, depth);
            check_same(".png", 1, 1, channels, depth);
        }
    check_same(".png", 2000003, 3, 3, 8); /* a row is several blocks */
    check_same(".png", 1, 70001, 1, 8);
    for (int depth = 8; depth <= 16; depth += 8) {
        check_same(".pgm", 211, 523, 1, depth);
        check_same(".ppm", 211, 523, 3, depth);
    }
    for (int channels = 1; channels <= 4; channels++) {
        check_same(".tif", 709, 1033, channels, channels % 2 * 8 + 8);
        check_same(".tif", 1, 1, channels, 8);
    }
    check_same(".jpg", 211, 523, 1, 8);
    check_same(".jpg", 211, 523, 3, 8);
}

/* A format that needs all pixels takes them in one strip. */
static void check_whole(const char *extension)
{
    struct error error = {""};
    struct image image = make_noise(5, 4, 3, 8);
    struct image_writer *writer;
    char path[32], expected[200];
    snprintf(path, sizeof(path), "whole%s", extension);
    snprintf(expected, sizeof(expected),
        "cannot write '%s': %s takes an image only as a whole, not as one larger than memory; use "
        "one of png, jpeg, ppm, pnm, tiff, dzi",
        path, extension + 1);
    tap_check(image_writer_open(path, NULL, &image, 3, NULL, &writer, &error) == ERROR_INPUT &&
                  !writer && strncmp(error.text, expected, strlen(expected)) == 0 &&
                  count_entries() == 0,
        "%s in strips is refused: %s", extension, error.text);
    tap_check(
        write_strips(path, &image, 4, NULL, &error) == 0, "%s in one strip is written", extension);
    unlink(path);
    image_free(&image);
}

static int stop(void *context, double share)
{
    double *last = context;
    *last = share;
    return share > 0.4;
}

/* Abandoned, stopped, or failing for want of space half way: nothing is left, an old file stays. */
static void check_early_end(const char *path)
{
    struct error error = {""};
    struct image image = make_noise(600, 2048, 3, 8);
    struct image strip = image;
    struct image_writer *writer = NULL;
    double share = 0;
    const struct progress progress = {stop, &share};
    strip.height = 256;
    image_writer_open(path, NULL, &image, 256, NULL, &writer, &error);
    tap_check(writer && image_writer_add(writer, &strip, &error) == 0, "%s: a strip", path);
    image_writer_abandon(writer);
    tap_check(count_entries() == 0, "%s: abandoned, nothing is left", path);

    image_writer_open(path, NULL, &image, 256, &progress, &writer, &error);
    int added = 0, rc = 0;
    while (rc == 0 && added++ < 8)
        rc = image_writer_add(writer, &strip, &error);
    image_writer_abandon(writer);
    tap_check(
        rc == ERROR_STOPPED && added >= 3 && added <= 5 && share < 0.7 && count_entries() == 0,
        "%s: stopped in strip %d (at %.2f), nothing is left", path, added, share);

    struct rlimit limit, small;
    fflush(stdout);
    getrlimit(RLIMIT_FSIZE, &limit);
    small = limit;
    small.rlim_cur = 50000;
    setrlimit(RLIMIT_FSIZE, &small);
    rc = write_strips(path, &image, 256, NULL, &error);
    setrlimit(RLIMIT_FSIZE, &limit);
    tap_check(rc == ERROR_INPUT && strstr(error.text, "File too large") && count_entries() == 0,
        "%s: with no space, nothing is left (%s)", path, error.text);
    image_free(&image);
}

int main(void)
{
    static const char *const STRIPPED[] = {"x.png", "x.ppm", "x.jpg", "x.tif", "x.dzi"};
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    signal(SIGXFSZ, SIG_IGN);
    check_all_same();
    check_whole(".bmp");
    check_whole(".tga");
    for (size_t i = 0; i < sizeof(STRIPPED) / sizeof(STRIPPED[0]); i++)
        check_early_end(STRIPPED[i]);
    tap_check(chdir("/") == 0 && rmdir(folder) == 0, "nothing is left");
    return tap_finish();
}
