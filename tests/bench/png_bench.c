/* How long PNG files take to write and to read, in memory: png_bench IMAGE. Prints rows of a table:
 * the way, the least milliseconds of 7 runs, those of all threads together, and the bytes of the
 * file. */
#include <omp.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "images/image.h"
#include "kernels/device/clock.h"

#define RUNS 7

static struct image image;
static unsigned char *file;
static size_t file_size;

static double processor_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void fail(const char *text)
{
    fprintf(stderr, "png_bench: %s\n", text);
    exit(1);
}

static void write_ours(void)
{
    struct error error;
    if (image_write("/dev/null", "png", &image, NULL, &error))
        fail(error.text);
}

static void read_ours(void)
{
    struct error error;
    struct image read;
    if (image_decode(file, file_size, "it", UINT64_MAX, &read, &error))
        fail(error.text);
    image_free(&read);
}

/* As this program read all files before: RGBA of 8 bits. */
static void read_by_libpng(void)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_memory(&png, file, file_size))
        fail(png.message);
    png.format = PNG_FORMAT_RGBA;
    void *pixels = malloc(PNG_IMAGE_SIZE(png));
    if (!pixels || !png_image_finish_read(&png, NULL, pixels, 0, NULL))
        fail(png.message);
    free(pixels);
}

static void measure(const char *way, void (*run)(void))
{
    double wall = 1e9, processor = 1e9;
    for (int i = 0; i < RUNS; i++) {
        const double start = clock_seconds(), start_processor = processor_seconds();
        run();
        const double time = clock_seconds() - start, all = processor_seconds() - start_processor;
        wall = time < wall ? time : wall;
        processor = all < processor ? all : processor;
    }
    printf("| %s | %.1f | %.1f | %zu |\n", way, 1e3 * wall, 1e3 * processor, file_size);
}

static void load(const char *path)
{
    struct error error;
    char name[] = "/tmp/png_bench.XXXXXX";
    const int fd = mkstemp(name);
    if (fd < 0 || image_read(path, UINT64_MAX, NULL, &image, &error) ||
        image_write(name, "png", &image, NULL, &error))
        fail("cannot read or copy the image");
    FILE *copy = fopen(name, "rb");
    remove(name);
    if (!copy || fseek(copy, 0, SEEK_END) != 0)
        fail("cannot read the copy");
    file_size = (size_t)ftell(copy);
    rewind(copy);
    file = malloc(file_size);
    if (!file || fread(file, 1, file_size, copy) != file_size)
        fail("cannot read the copy");
    fclose(copy);
}

int main(int argc, char **argv)
{
    char way[64];
    const int most = omp_get_max_threads();
    if (argc != 2)
        fail("usage: png_bench IMAGE");
    load(argv[1]);
    for (int threads = 1; threads <= most; threads *= 2) {
        snprintf(
            way, sizeof(way), "written in blocks, %d thread%s", threads, threads == 1 ? "" : "s");
        omp_set_num_threads(threads);
        measure(way, write_ours);
    }
    measure("read by libpng", read_by_libpng);
    measure("read", read_ours);
    free(file);
    image_free(&image);
    return 0;
}
