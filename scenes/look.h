/* What CSS makes of an element of SVG; for scenes/ alone. */
#ifndef LOOK_H
#define LOOK_H

#include "scenes/css.h"
#include "scenes/scene_formats.h"

/* Its properties. Inherited: up to is_displayed. currentColor is resolved only when the circle is
 * painted. */
struct look {
    int is_filled, is_visible;
    struct css_color fill, color;
    double fill_opacity;
    int is_displayed; /* and so are all around it */
    double opacity, x, y, r;
};

/* The initial values. */
extern const struct look LOOK_INITIAL;

enum look_kind { LOOK_OF_ROOT, LOOK_OF_GROUP, LOOK_OF_CIRCLE };

/* Reads it from the attributes, which go in pairs and end with NULL, and the look around it. Warns
 * of what viewers ignore and of what is left out. Returns 0, or ERROR_INPUT for what viewers paint
 * and circles cannot show. */
int look_read(struct builder *builder, size_t line, enum look_kind what, const char **attributes,
    const struct look *outer, struct look *look);

#endif
