/* How long writing a PNG takes and how large it gets, by stb with libdeflate behind its hook or
 * (compiled with -DSTB_OWN) with stb's own compressor: png IMAGE LEVEL FILTER, the filter -1 for
 * stb's choice a row or 0 to 4 for all rows. Prints milliseconds (the least of 5 runs) and
 * bytes. */
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/device/clock.h"

static int level;

#ifndef STB_OWN
static unsigned char *compress_bytes(unsigned char *data, int size, int *compressed, int quality)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(level);
    const size_t bound = libdeflate_zlib_compress_bound(compressor, (size_t)size);
    unsigned char *bytes = malloc(bound);
    (void)quality;
    *compressed = (int)libdeflate_zlib_compress(compressor, data, (size_t)size, bytes, bound);
    libdeflate_free_compressor(compressor);
    return bytes;
}
#define STBIW_ZLIB_COMPRESS compress_bytes
#endif
#define STB_IMAGE_IMPLEMENTATION
#include <stb_image.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

static void count_bytes(void *total, void *bytes, int size)
{
    (void)bytes;
    *(size_t *)total += (size_t)size;
}

int main(int argc, char **argv)
{
    int width, height, channels;
    double best = 1e9;
    size_t total = 0;
    unsigned char *pixels = argc == 4 ? stbi_load(argv[1], &width, &height, &channels, 0) : NULL;
    if (!pixels) {
        fprintf(stderr, "usage: png IMAGE LEVEL FILTER\n");
        return 2;
    }
    level = atoi(argv[2]);
    stbi_write_force_png_filter = atoi(argv[3]);
    for (int run = 0; run < 5; run++) {
        total = 0;
        const double start = clock_seconds();
        stbi_write_png_to_func(
            count_bytes, &total, width, height, channels, pixels, width * channels);
        const double time = clock_seconds() - start;
        best = time < best ? time : best;
    }
    printf("%.1f | %zu", 1e3 * best, total);
    stbi_image_free(pixels);
    return 0;
}
