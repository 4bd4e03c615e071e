/* Scenes of translucent circles: the named ones, reading and writing scene files, animation. */
#ifndef SCENE_H
#define SCENE_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "progress.h"
#include "words.h"

#define SCENE_MAX_CIRCLES 1000000000 /* what is read or made */
#define SCENE_MAX_COLOR 1e6f         /* of a component, either side of 0 */
#define SCENE_MAX_LENGTH 1e18f   /* of x and y, either side of 0, and of r: squares are floats */
#define SCENE_MAX_SIDE (1 << 22) /* pixels of the image that a file speaks of */
#define SCENE_SIDE 1024          /* pixels a side of an image of which nothing says the size */
#define SCENE_STEP (1.0f / 60)   /* seconds from one frame of an animation to the next */

/* A circle. The unit square, y upward, is the image: of one that is not square, its longer side
 * has length 1 and the unit square's middle is seen. */
struct circle {
    float x, y;             /* center */
    float z;                /* distance from the viewer */
    float r;                /* radius */
    float red, green, blue; /* 0 to 1 is what an image can show */
    float alpha;            /* opacity, 0 to 1 */
};

/* The background's color in a row of pixels, `height` rows in all, row 0 at the top, is
 * background + rise * ((height - row) / height). */
struct scene {
    size_t count;
    struct circle *circles; /* farthest first; those of equal z in the order given */
    int borrows;            /* the circles are the caller's: they stay as they are */
    float background[3], rise[3];
    float
        transmittance; /* 1 - the background's alpha: 0 where it is opaque, 1 where none is seen */
    int soft;          /* circles fade and change color with the distance from their center: snow */
    int width, height; /* pixels of the image that the file speaks of, or zeros */

    /* Moves a circle from one frame to the next: by what it is, its velocity, and circles that do
     * not move. NULL where nothing moves. */
    void (*step)(
        const struct scene *scene, size_t number, struct circle *circle, float velocity[2]);
    /* Two numbers of each circle for step; NULL where nothing moves. In the scenes of shows.h the
     * first is the frame, and the second number of circle 0 the seed. */
    float (*velocity)[2];
};

/* One of the scenes that the project knows by name. */
struct scene_info {
    const char *name;
    const char *summary; /* one line */
    size_t count;        /* circles */
    int is_animated;
    int (*make)(struct scene *scene, uint64_t *random); /* for scene_make */
};

/* All of them, ended by an empty row. */
extern const struct scene_info SCENES[];

/* The one of that name, or NULL. */
const struct scene_info *scene_find(const char *name);

/* Their names. */
struct words scene_names(void);

/* Makes it from random numbers (random.h, started with `seed`). Returns 0, or ERROR_INPUT where
 * memory is short. */
int scene_make(
    const struct scene_info *info, uint64_t seed, struct scene *scene, struct error *error);

/* Makes a scene of circles in memory, on white, as scene_read makes it of those of a file; numbers
 * them from 1 in messages. Borrows them where they are sorted already and aligned to 16 bytes.
 * Returns 0 or ERROR_INPUT. */
int scene_of_circles(
    const struct circle *circles, size_t count, struct scene *scene, struct error *error);

/* Makes the frame that comes so many frames later. What repeats is not gone through again, so that
 * far frames take no longer than those up to the first repetition. Returns 0, or ERROR_INPUT where
 * memory is short. */
int scene_advance(struct scene *scene, uint32_t frames, struct error *error);

/* Where warnings of a file go: whole lines, with its name and mostly the number of a line. */
struct scene_warning {
    void (*warn)(void *context, const char *line);
    void *context;
};

#define SCENE_MAX_WARNINGS 10 /* of a file; a last one counts those that follow */

/* The extensions of the names of scene files, ".csv" for one: of all that are read, or of those
 * that are written too. */
struct words scene_extensions(int are_written);

/* Reads a scene file by the extension of its name; "-" is CSV from standard input.
 * Warns of what an SVG file says and the scene leaves out, unless `warning` is NULL. Sorts by
 * depth. Reading reports to `progress` (NULL: nobody watches). Returns 0, ERROR_STOPPED, or
 * ERROR_INPUT with file, line and reason. */
int scene_read(const char *path, const struct progress *progress, struct scene *scene,
    const struct scene_warning *warning, struct error *error);

/* The same from memory: `name` stands in messages, its extension says the format. */
int scene_parse(const void *bytes, size_t size, const char *name, struct scene *scene,
    const struct scene_warning *warning, struct error *error);

/* Checks, before any work is done, that a scene can be written there: that it can be and the
 * extension of its name. Returns 0, ERROR_INPUT or ERROR_USAGE. */
int scene_check_output(const char *path, struct error *error);

/* Writes a scene by the extension of its name, so that reading it gives the same bits; "-" is CSV
 * to standard output. Refuses CSV where the scene has more than circles on white, and SVG where it
 * has what that cannot say; CSV has no place for width and height either, and SVG for no depths but
 * their order. Returns 0, ERROR_INPUT, ERROR_USAGE or ERROR_STOPPED. */
int scene_write(const char *path, const struct scene *scene, const struct progress *progress,
    struct error *error);

/* Frees what a scene holds; a zeroed one is fine. */
void scene_free(struct scene *scene);

#endif
