/* Finding how a puzzle was cut whose seams are blurred or lie within pixels, as after it was
 * scaled. */
#ifndef SCALED_GRID_H
#define SCALED_GRID_H

#include "images/image.h"
#include "stages/unscramble/permutation.h"

struct scaled_grid {
    struct grid grid;                   /* zeros where none was found */
    double evidence;                    /* in pixels of seams */
    uint32_t whole_width, whole_height; /* of the image when its tiles have whole pixels */
};

/* Looks for lines that look like seams, also where pixels are taken together, and for a grid whose
 * seams these are: that which is given or, with zeros, any with tiles of at least 20 pixels. Pages
 * have lines of their own: of these nothing is found. Looks at no more than 256 lines of pixels
 * each way. Returns 0, or ERROR_INPUT when memory is short. */
int scaled_grid_find(
    const struct image *image, struct grid given, struct scaled_grid *found, struct error *error);

#endif
