/* A page that shows a DeepZoom image in a browser. */
#ifndef VIEWER_H
#define VIEWER_H

#include <limits.h>

#include "error.h"

/* The page that belongs to a DeepZoom image: "out.html" to "out.dzi"; where that is a link, to what
 * it leads to. */
void viewer_path(const char *path, char page[PATH_MAX]);

/* Checks, before any work is done, that the page can be written; a file that is there must be such
 * a page. Returns 0 or ERROR_INPUT. */
int viewer_check(const char *page, struct error *error);

/* Writes the page beside "out.dzi", which is there: it shows the image from the files, without a
 * server or a network. Returns 0 or ERROR_INPUT. */
int viewer_write(const char *path, struct error *error);

#endif
