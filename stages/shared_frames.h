/* Frames of an animation that ranks share out: a part is a frame, which a rank makes alone. They
 * come to rank 0, which saves them in their order. */
#ifndef SHARED_FRAMES_H
#define SHARED_FRAMES_H

#include "stages/run.h"

struct shared_frames {
    struct run *run;
    uint32_t first, count; /* frames */
    /* Makes the frame in `image`, whose size is that of all. Returns 0 or an ERROR_ code with the
     * reason in run->error, as all do. */
    int (*make)(struct run *run, void *context, uint32_t frame);
    const struct image *image;
    /* In rank 0. */
    int (*save)(struct run *run, void *context, const struct image *image, uint32_t frame);
    void *context; /* of both */
    /* What stages/shared_frames.c works with: */
    uint32_t frame; /* at work */
    /* Rank 0: the pixels of frames that wait for those before them, and what all have alike, since
     * `image` changes while others come. */
    uint8_t *places;
    uint32_t place_count;
    struct image form;
};

/* The bytes that an image may take on its way to where it is saved, of `memory` that may be used, 0
 * being half of the machine's: an eighth, since others need some too. */
uint64_t image_share(uint64_t memory);

/* Rank 0: shares the frames out, of which one has been made already; `inputs` has the inputs of the
 * share. Does nothing, and sets frames->count to 0, where there are fewer of them than ranks, for
 * which all ranks had better make each frame together, or so many do not fit `memory` bytes. */
int frames_share(struct shared_frames *frames, const struct share *inputs, uint64_t memory);

/* Another rank: makes those that it takes. */
int frames_serve(struct shared_frames *frames);

#endif
