/* A page that shows a DeepZoom image in a browser. */
#ifndef VIEWER_H
#define VIEWER_H

#include "error.h"

/* Writes "out.html" beside "out.dzi", which is there: it shows the image from the files, without a
 * server or a network. Returns 0 or ERROR_INPUT. */
int dzi_write_viewer(const char *path, struct error *error);

#endif
