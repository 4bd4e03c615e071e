/* Finding how a puzzle was cut whose seams are blurred or lie within pixels, as after it was
 * scaled. */
#ifndef SCALED_GRID_H
#define SCALED_GRID_H

#include "images/image.h"
#include "stages/unscramble/permutation.h"

struct scaled_grid {
    struct grid grid; /* zeros where none was found */
    double evidence;  /* in pixels of seams */
    /* The size to which the image is to be scaled so that its tiles have whole pixels; its own size
     * where they have, which may leave a strip over. */
    uint32_t whole_width, whole_height;
};

/* Looks for lines that look like seams, also where 2 or 4 pixels are averaged, at least three of
 * them, and for a grid of tiles of at least 20 pixels whose seams these are: that which is given
 * or, with zeros, any. Nothing is found of pages, which have lines of their own, nor where most
 * tiles have one color, as the pixels of an image that was enlarged. Looks at no more than 256
 * lines of pixels each way. Returns 0, or ERROR_INPUT when memory is short. */
int scaled_grid_find(
    const struct image *image, struct grid given, struct scaled_grid *found, struct error *error);

#endif
