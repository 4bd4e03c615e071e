/* Films that a library writes; for images/film.c alone. */
#ifndef FILM_LIBRARY_H
#define FILM_LIBRARY_H

#include "images/image.h"

struct film_library {
    /* The library's name, with its version unless it is missing; NULL: image_libraries tells. */
    const char *title;
    const char *missing; /* the library that this build lacks, so that nothing follows; or NULL */
    /* Starts a film at `rate` frames a second, which plays again and again; "-" is standard output.
     * Returns 0 or ERROR_INPUT, and in both cases *film, which abandon frees. */
    int (*open)(
        const char *path, int width, int height, int rate, void **film, struct error *error);
    /* Adds an 8-bit image of that size. Returns 0 or ERROR_INPUT. */
    int (*add)(void *film, const struct image *frame, struct error *error);
    /* Puts the film in its place. Returns 0, or ERROR_INPUT with nothing changed. */
    int (*close)(void *film, struct error *error);
    /* Frees it, and gives it up where it is not in its place; NULL is fine. */
    void (*abandon)(void *film);
};

extern const struct film_library FILM_WEBP; /* without loss, held in memory until the end */
extern const struct film_library FILM_GIF;  /* 256 colors a frame, written frame by frame */

#endif
