/* Parts of a DeepZoom image, the only format that has some. */
#include "images/parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "images/dzi_tiles.h"
#include "images/pyramid.h"

struct image_part {
    struct dzi_tiles tiles;
    struct pyramid pyramid;
    const struct progress *progress;
    int first; /* row that it takes */
};

int image_part_most_rows(const struct image_parts *parts)
{
    return (DZI_TILE + 2 * DZI_OVERLAP) << (parts->levels - 1);
}

int image_part_rows(const struct image_parts *parts, int number, int *end)
{
    return pyramid_part_rows(
        DZI_TILE, DZI_OVERLAP, parts->levels, number, parts->whole.height, end);
}

int image_part_rest(const struct image_parts *parts, int number, int *first)
{
    *first = number * (DZI_TILE / 2);
    const int rows = parts->rest.height - *first;
    return rows < DZI_TILE / 2 ? rows : DZI_TILE / 2;
}

/* The pyramid's sink. */
static int put_tiles(
    void *context, int level, int tile_row, const struct image *band, struct error *error)
{
    const struct image_part *part = context;
    const struct pyramid_level *whole = part->pyramid.levels;
    const int rc = dzi_put_tiles(&part->tiles, level, tile_row, band, error);
    const double share = (double)(whole->rows - part->first) / (whole->end - part->first);
    if (rc == 0 && progress_report(part->progress, share))
        return error_set(error, ERROR_STOPPED, "stopped");
    return rc;
}

int image_part_open(const struct image_parts *parts, int number, const struct progress *progress,
    struct image_part **part, int *first, int *end, struct error *error)
{
    *part = NULL;
    if (access(parts->folder, W_OK | X_OK) != 0)
        return error_set(error, ERROR_INPUT,
            "cannot write '%.1000s': its tiles go to the folder '%.1000s', which is not to be "
            "found or written from here: %s; name a file in a folder that all processes share",
            parts->name, parts->folder, strerror(errno));
    struct image_part *made = calloc(1, sizeof(*made));
    if (!made)
        return error_set(error, ERROR_INPUT, "cannot write '%s': no memory", parts->name);
    made->tiles =
        (struct dzi_tiles){parts->folder, parts->name, pyramid_levels(&parts->whole, 1) - 1};
    made->progress = progress;
    const int rc = pyramid_open(&parts->whole, DZI_TILE, DZI_OVERLAP, parts->levels, number,
        put_tiles, made, &made->pyramid, error);
    *first = made->first = made->pyramid.levels->rows;
    *end = made->pyramid.levels->end;
    if (rc)
        image_part_close(made);
    else
        *part = made;
    return rc;
}

int image_part_add(struct image_part *part, const struct image *rows, struct error *error)
{
    return pyramid_add(&part->pyramid, rows, error);
}

void image_part_copy_rest(const struct image_part *part, void *rest)
{
    const struct image *own = &part->pyramid.rest;
    memcpy(rest, own->pixels, image_bytes(own));
}

void image_part_close(struct image_part *part)
{
    if (part)
        pyramid_close(&part->pyramid);
    free(part);
}
