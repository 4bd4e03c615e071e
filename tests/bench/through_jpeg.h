/* Images that go through JPEG files in memory, for benchmarks. */
#ifndef THROUGH_JPEG_H
#define THROUGH_JPEG_H

#include <stdio.h>
#include <stdlib.h>

/* jpeglib.h needs stdio.h before it. */
#include <jpeglib.h>

#include "images/image.h"

/* Writes an image as JPEG, which has 8 bits, and reads it again. The colors have 1 / chroma of the
 * resolution each way: 2 halves it. Returns 0 or ERROR_INPUT; the image is lost then. */
static inline int through_jpeg(struct image *image, int quality, int chroma, struct error *error)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr manager;
    unsigned char *bytes = NULL, *pixels = image->pixels;
    unsigned long size = 0;
    const size_t values = (size_t)image->width * (size_t)image->height * 4;
    for (size_t i = 0; image->depth == 16 && i < values; i++)
        pixels[i] = (unsigned char)(((uint16_t *)image->pixels)[i] >> 8);
    jpeg.err = jpeg_std_error(&manager);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &bytes, &size);
    jpeg.image_width = (JDIMENSION)image->width;
    jpeg.image_height = (JDIMENSION)image->height;
    jpeg.input_components = 4;
    jpeg.in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, quality, TRUE);
    jpeg.comp_info[0].h_samp_factor = jpeg.comp_info[0].v_samp_factor = chroma;
    jpeg_start_compress(&jpeg, TRUE);
    while (jpeg.next_scanline < jpeg.image_height) {
        JSAMPROW row = pixels + (size_t)4 * jpeg.next_scanline * jpeg.image_width;
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    image_free(image);
    const int rc = image_decode(bytes, size, "the puzzle", IMAGE_MAX_PIXELS, image, error);
    free(bytes);
    return rc;
}

#endif
