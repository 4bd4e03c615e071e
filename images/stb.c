/* The stb libraries, compiled once. PNG data is compressed by libdeflate instead of stb's own
 * compressor: smaller and several times as fast (docs/bench/png.md, where the level comes from). */
#include <libdeflate.h>
#include <stdlib.h>

#define DEFLATE_LEVEL 1

static unsigned char *zlib_compress(
    unsigned char *data, int size, int *compressed_size, int quality)
{
    (void)quality;
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(DEFLATE_LEVEL);
    if (!compressor)
        return NULL;
    const size_t bound = libdeflate_zlib_compress_bound(compressor, (size_t)size);
    unsigned char *bytes = malloc(bound);
    if (bytes)
        *compressed_size =
            (int)libdeflate_zlib_compress(compressor, data, (size_t)size, bytes, bound);
    libdeflate_free_compressor(compressor);
    return bytes;
}

#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_PNM
#define STBI_NO_JPEG
#define STBI_NO_PNG
#define STBI_NO_BMP
#define STBI_MALLOC(size) calloc(1, size) /* it reads what damaged files leave unwritten */
#define STBI_REALLOC(memory, size) realloc(memory, size)
#define STBI_FREE(memory) free(memory)
#define STBI_FAILURE_USERMSG
#include <stb_image.h>

#define STBIW_ZLIB_COMPRESS zlib_compress
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>
