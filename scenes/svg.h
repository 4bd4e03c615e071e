/* What svg.c, svg_plain.c and svg_write.c have of each other. */
#ifndef SVG_H
#define SVG_H

#include <stddef.h>

#include "scenes/scene_formats.h"

#define PLAIN_SIZE 1000 /* bytes of attributes */
#define PLAIN_COUNT 16  /* attributes */

/* Attributes of the svg element that say what no circle can: soft is "true", and rise three
 * numbers. What they make other programs paint, style sheets say, which the reader then leaves
 * out. */
#define SVG_SOFT "data-tessera-soft"
#define SVG_RISE "data-tessera-rise"

/* A circle's attributes as expat gives them: names and values in pairs, NULL at the end. */
struct plain_circle {
    const char *attributes[2 * PLAIN_COUNT + 1];
    char text[PLAIN_SIZE + 2]; /* of these */
};

/* Reads an empty circle element from behind its <, the blanks that follow it and a further <, and
 * adds the ends of lines. Returns the place behind that <. NULL for all else, also where a name has
 * a prefix or a value has other characters than visible ASCII ones and spaces, has entities or is
 * long. The text ends in a zero. */
const char *plain_circle_read(const char *at, struct plain_circle *circle, size_t *lines);

/* The functions of SCENE_SVG. */
void svg_write(struct output *output, const struct scene *scene);
const char *svg_find_loss(const struct scene *scene);

#endif
