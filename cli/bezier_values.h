/* Values of bezier's options of images that no other tool has. Each is put into the drawing; each
 * function returns 0, or ERROR_USAGE where the value is bad. */
#ifndef BEZIER_VALUES_H
#define BEZIER_VALUES_H

#include "error.h"
#include "stages/bezier/draw_mesh.h"

/* "-1:1" */
int bezier_set_clamp(struct drawing *drawing, const char *value, struct error *error);

/* "0,0,1" */
int bezier_set_up(struct drawing *drawing, const char *value, struct error *error);

/* "none", or a color that is opaque, as cli_color reads it. */
int bezier_set_background(struct drawing *drawing, const char *value, struct error *error);

#endif
