/* An image that several processes write together, to the files that one would write. One of them,
 * the first, opens it (image_writer_open_parts) and tells the others how it is written; they all
 * see the same file system. A part is some rows of the image: whoever makes it paints them, and a
 * few more, which its neighbors paint too, so that nothing is exchanged. It writes the tiles of
 * these rows, those of the next smaller levels too, and has some rows left of the level that
 * follows. Of all parts together these are the `rest`, an image that the first process adds to its
 * writer, before it closes it. */
#ifndef PARTS_H
#define PARTS_H

#include <limits.h>

#include "images/image.h"

/* How an image is written. The struct goes to other ranks as it is; its pointers mean nothing to
 * them. */
struct image_parts {
    struct image whole, rest; /* without pixels */
    int count;                /* parts; 0: the format is written by one process */
    int levels;               /* that parts write, the image among them */
    char folder[PATH_MAX];    /* of the tiles; the name that it has at first */
    char name[PATH_MAX];      /* of the image, for messages */
};

struct image_part;

/* How many rows a part takes at most, with those that its neighbors paint too. */
int image_part_most_rows(const struct image_parts *parts);

/* The image's rows that a part takes: from that returned to before *end. */
int image_part_rows(const struct image_parts *parts, int number, int *end);

/* The rows of the rest that a part has, from row `first` on. */
int image_part_rest(const struct image_parts *parts, int number, int *first);

/* Begins a part, which takes the image's rows from `first` to before `end`. Its writing reports to
 * `progress` (NULL: nobody watches), which must outlive it, as `parts` must. Returns 0 or
 * ERROR_INPUT. */
int image_part_open(const struct image_parts *parts, int number, const struct progress *progress,
    struct image_part **part, int *first, int *end, struct error *error);

/* Adds the next rows, of the whole's width, channels and depth. Returns 0, ERROR_INPUT or
 * ERROR_STOPPED. */
int image_part_add(struct image_part *part, const struct image *rows, struct error *error);

/* Takes out the rows of the rest, when all rows are added. */
void image_part_copy_rest(const struct image_part *part, void *rest);

/* Frees it; its tiles stay. NULL is fine. */
void image_part_close(struct image_part *part);

#endif
