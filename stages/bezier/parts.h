/* What rank 0 tells the others of patches: to evaluate runs of them, or to draw whole frames. */
#ifndef BEZIER_PARTS_H
#define BEZIER_PARTS_H

#include "stages/bezier/chunk.h"

/* What another rank has to know. Inputs 1 and 2 of the share are the patches and their control
 * points; of frames, 3 and 4 are the faces of polyhedra and the colors of groups, each an int. */
struct patches_job {
    struct bezier_options options; /* without what it points to */
    uint32_t frame, frames;        /* those to draw from `frame` on; 0: to evaluate this one */
    uint32_t moved_frame;
    struct camera view;
    int warned;
    size_t patches, controls, faces;
};

/* All but the frames. */
void patches_fill_job(const struct bezier *b, struct patches_job *job);

/* Shares the evaluation of all patches out in parts, runs of patches of a batch. */
int evaluate_share(struct run *run, struct bezier *b);

/* Sets the chunk to begin with a part. */
void evaluate_part(const struct bezier *b, uint32_t part, struct chunk *chunk);

/* Rank 0: shares the frames out that are between the one at work, which is drawn, and the last one,
 * and goes on to the last of them; or does nothing where that is no gain. */
int bezier_share_frames(struct run *run, struct bezier *b);

/* Another rank: makes those that it takes. */
int bezier_serve_frames(struct run *run, struct bezier *b, const struct patches_job *job);

#endif
