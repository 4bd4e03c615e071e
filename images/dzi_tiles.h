/* The tiles of a DeepZoom image, as files; for dzi.c and parts.c. */
#ifndef DZI_TILES_H
#define DZI_TILES_H

#include "images/image.h"

#define DZI_TILE 254 /* pixels a side, without what they share */
#define DZI_OVERLAP 1

/* Where tiles go. */
struct dzi_tiles {
    const char *folder; /* has a folder for each level: "9", where `first` is 9 */
    const char *name;   /* of the image, for messages */
    int first;          /* level 0 of the pyramid, as DeepZoom counts: the smallest is 0 */
};

/* Writes a row of tiles of a pyramid's level, on all threads. Returns 0 or ERROR_INPUT. */
int dzi_put_tiles(const struct dzi_tiles *tiles, int level, int tile_row, const struct image *band,
    struct error *error);

#endif
