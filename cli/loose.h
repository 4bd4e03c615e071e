/* Loose tiles: files that hold one tile of a puzzle each. */
#ifndef LOOSE_H
#define LOOSE_H

#include <stdint.h>

#include "images/image.h"
#include "stages/unscramble/permutation.h"

/* The files of the tiles in the order of their numbers. A zeroed one holds nothing. */
struct loose {
    char **paths;
    uint32_t count, capacity;
    int are_named; /* one at least is named itself, and not by its folder */
};

/* Finds the tiles where the inputs are loose ones: a folder, whose files are taken but for those
 * whose names begin with a dot, or several files and folders. The natural order of the paths is
 * that of their numbers: tile2 stands before tile10. One input that is no folder is a puzzle and
 * leaves none. Returns 0, ERROR_INPUT, or ERROR_USAGE where a file is named twice; loose_free
 * frees in any case. */
int loose_find(const char *const *inputs, uint32_t count, struct loose *loose, struct error *error);
void loose_free(struct loose *loose);

/* Checks, before any work is done, that a new folder can be made at the path, where there may be an
 * empty one, and that the format (NULL: PNG) can hold such a tile (see image_check_output). Returns
 * 0, ERROR_INPUT or ERROR_USAGE. */
int loose_check(
    const char *folder, const char *format, const struct image *tile, struct error *error);

/* Writes the first `count` tiles of width x height pixels of an image in that grid into a new
 * folder, each as a file of its own with the image's metadata: tile-007.png. The folder has another
 * name until all are written. Returns as image_write. */
int loose_write(const char *folder, const char *format, const struct image *image, struct grid grid,
    uint32_t count, const struct progress *progress, struct error *error);

#endif
