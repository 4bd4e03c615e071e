/* The answer as an image on which doubtful places are marked. */
#ifndef OVERLAY_H
#define OVERLAY_H

#include "stages/unscramble/montage.h"

/* Draws the answer with each tile the redder the less sure it is, those below 1/2 with an outline,
 * and a scale beside it. confidence[place] is from 0 to 1. The size is that of montage.h and the
 * scale's width. Returns 0 or ERROR_INPUT; image_free frees. */
int overlay_draw(
    const struct layout *layout, const float *confidence, struct image *image, struct error *error);

#endif
