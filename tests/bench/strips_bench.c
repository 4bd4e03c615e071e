/* How long an image takes that is written in strips, and how much memory: strips_bench FILE WIDTH
 * HEIGHT ROWS [16]. Prints a row of a table: the format, seconds of writing, the peak of memory
 * with the strip, and the bytes of the file, or of the folder's tiles. */
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "images/image.h"
#include "kernels/device/clock.h"
#include "random.h"

static long long bytes;

static void fail(const char *text)
{
    fprintf(stderr, "strips_bench: %s\n", text);
    exit(1);
}

/* Rings of slowly changing color, whose centers lie on a grid, on a ground of one color. */
static void paint(struct image *strip, int top)
{
#pragma omp parallel for
    for (int y = 0; y < strip->height; y++)
        for (int x = 0; x < strip->width; x++) {
            const int u = x % 700 - 350, v = (y + top) % 700 - 350, square = u * u + v * v;
            const int is_ring = square > 120 * 120 && square < 330 * 330;
            uint8_t *pixel =
                (uint8_t *)strip->pixels + 4 * ((size_t)y * (size_t)strip->width + (size_t)x);
            pixel[0] = (uint8_t)(is_ring ? 40 + square / 700 : 250);
            pixel[1] = (uint8_t)(is_ring ? 90 + u / 9 : 250);
            pixel[2] = (uint8_t)(is_ring ? x / 300 : 250);
            pixel[3] = 255;
        }
}

/* From 0 to 1 and back. */
static double wave(double phase)
{
    return fabs(2 * (phase - floor(phase)) - 1);
}

/* Of 16 bits: waves that nowhere come together in the same way, so that the places of tiles can be
 * told, with noise as of a scan. */
static void paint_deep(struct image *strip, int top)
{
#pragma omp parallel for
    for (int y = 0; y < strip->height; y++)
        for (int x = 0; x < strip->width; x++) {
            const size_t at = (size_t)y * (size_t)strip->width + (size_t)x;
            const double v = y + top;
            uint16_t *pixel = (uint16_t *)strip->pixels + 4 * at;
            uint64_t random = (uint64_t)strip->width * (uint64_t)v + (uint64_t)x;
            const uint64_t noise = random_bits(&random);
            for (int c = 0; c < 3; c++)
                pixel[c] = (uint16_t)(2000 + 20000 * wave((x + 3.1 * v) / (6007 + 701 * c)) +
                                      20000 * wave((2.3 * x - v) / (4013 - 501 * c)) +
                                      15000 * wave((x + v / 7) / (997 + 53 * c)) +
                                      (double)(noise >> 16 * c & 255));
            pixel[3] = 65535;
        }
}

static int add_size(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)path, (void)place;
    bytes += kind == FTW_F ? status->st_size : 0;
    return 0;
}

int main(int argc, char **argv)
{
    struct error error = {""};
    struct image_writer *writer;
    struct image strip;
    struct rusage usage;
    double seconds = 0;
    const int depth = argc == 6 && strcmp(argv[5], "16") == 0 ? 16 : 8;
    if (argc != 5 && depth == 8)
        fail("write FILE WIDTH HEIGHT ROWS, and 16 for 16 bits");
    const int width = atoi(argv[2]), height = atoi(argv[3]), rows = atoi(argv[4]);
    struct image whole = {.width = width, .height = height, .channels = 3, .depth = depth};
    if (image_new(width, rows, 3, depth, &strip, &error) ||
        image_writer_open(argv[1], NULL, &whole, rows, NULL, &writer, &error))
        fail(error.text);
    for (int y = 0; y < height; y += rows) {
        strip.height = rows < height - y ? rows : height - y;
        if (depth == 16)
            paint_deep(&strip, y);
        else
            paint(&strip, y);
        const double start = clock_seconds();
        if (image_writer_add(writer, &strip, &error))
            fail(error.text);
        seconds += clock_seconds() - start;
    }
    const double start = clock_seconds();
    if (image_writer_close(writer, &error))
        fail(error.text);
    seconds += clock_seconds() - start;
    getrusage(RUSAGE_SELF, &usage);
    const char *dot = strrchr(argv[1], '.');
    char folder[1000];
    snprintf(folder, sizeof(folder), "%.*s_files", (int)(dot - argv[1]), argv[1]);
    nftw(strcmp(dot, ".dzi") == 0 ? folder : argv[1], add_size, 16, FTW_PHYS);
    printf(
        "| %s | %.1f | %.0f | %lld |\n", dot + 1, seconds, (double)usage.ru_maxrss / 1024, bytes);
    image_free(&strip);
    return 0;
}
