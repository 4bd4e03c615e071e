#include "images/dzi_tiles.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "images/formats.h"

/* Writes a part of a band as a file of its own, in a folder that nobody else looks into yet. */
static int write_tile(const char *path, const char *name, const struct image *band, int begin,
    int end, struct error *error)
{
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
    tile.pixels = malloc(image_bytes(&tile));
    if (tile.pixels)
        image_copy_area(band, begin, 0, tile.width, tile.height, &tile, 0, 0);
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

int dzi_put_tiles(const struct dzi_tiles *tiles, int level, int tile_row, const struct image *band,
    struct error *error)
{
    const int columns = (band->width - 1) / DZI_TILE + 1;
    int result = 0;
#pragma omp parallel for schedule(dynamic) if (columns > 1)
    for (int column = 0; column < columns; column++) {
        const int begin = column ? column * DZI_TILE - DZI_OVERLAP : 0;
        const int end = (column + 1) * DZI_TILE + DZI_OVERLAP;
        char path[PATH_MAX + 64];
        struct error own;
        snprintf(path, sizeof(path), "%s/%d/%d_%d.png", tiles->folder, tiles->first - level, column,
            tile_row);
        const int rc =
            write_tile(path, tiles->name, band, begin, end < band->width ? end : band->width, &own);
        if (rc) {
#pragma omp critical
            {
                result = rc;
                *error = own;
            }
        }
    }
    return result;
}
