/* A case of circles' self-test: an image, and the scene that it shows. */
#ifndef CIRCLES_CASE_H
#define CIRCLES_CASE_H

#include "scenes/scene.h"

#define OWN (-1)    /* alpha: a different one for each circle */
#define COMMON (-2) /* alpha: each circle has one of those that are checked alone */

enum place {
    ANYWHERE,
    ALIKE,   /* all circles the same but for their colors: equal depths and borders */
    ON_GRID, /* centers and radii on whole pixels: pixel centers on borders, borders on tiles' */
    AROUND_HOLE, /* none in a disc in the middle, where the nearest circles prove little */
    ASTRIDE,     /* in the middle, and so large that boxes just reach into three tiles each way */
};

/* Circles of random places and colors. Zeros mean: alpha 0, on white, in the image. */
struct recipe {
    size_t count;
    float alpha;
    float least, most; /* radius */
    float reach;       /* how far beyond the image centers may lie */
    float dark, light; /* between which the components of colors lie; both 0: from 0 to 1 */
    enum place place;
    int soft;
    float background, rise; /* of every component, from white */
    float transmittance;    /* of the background */
};

/* An image: of a scene known by name, at a frame, or of random circles. */
struct circles_case {
    const char *scene;
    struct recipe random;
    int width, height;
    uint32_t samples; /* 0: 1 */
    uint32_t frame;
    uint32_t memory; /* KiB of the device, to force bands and chunks; 0: all */
};

/* Makes its scene. Returns 0, or ERROR_INPUT when memory is short. scene_free frees. */
int circles_case_scene(const struct circles_case *test, struct scene *scene, struct error *error);

/* What it is, for the names of its results. */
void circles_case_describe(const struct circles_case *test, char *text, size_t size);

#endif
