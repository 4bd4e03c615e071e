#include "stages/shared_frames.h"

#include <stdlib.h>
#include <string.h>

#include "images/memory.h"

#define PLACES_A_RANK 2 /* so that a rank need not wait while others are slow */

uint64_t image_share(uint64_t memory)
{
    return (memory ? memory : memory_limit() / 2) / 8;
}

/* Where a frame waits in rank 0, and where another rank has made it. */
static void *frame_result(void *context, uint32_t part, size_t *size)
{
    const struct shared_frames *frames = context;
    *size = image_bytes(frames->places ? &frames->form : frames->image);
    return frames->places ? frames->places + part % frames->place_count * *size
                          : frames->image->pixels;
}

static int save_frame(void *context, uint32_t part)
{
    const struct shared_frames *frames = context;
    struct image image = frames->form;
    size_t size;
    image.pixels = frame_result(context, part, &size);
    return frames->save(frames->run, frames->context, &image, frames->first + part);
}

static int make_frame(void *context)
{
    const struct shared_frames *frames = context;
    return frames->make(frames->run, frames->context, frames->frame);
}

/* Makes the frames that this rank takes. Where its device fails, the same frame once more. */
static int make_frames(struct shared_frames *frames)
{
    struct run *run = frames->run;
    uint32_t part;
    int rc = 0;
    while (rc == 0 && run_take(run, &part)) {
        size_t size;
        frames->frame = frames->first + part;
        rc = run_alone(run, make_frame, frames);
        if (run_falls_back(run, rc))
            rc = run_alone(run, make_frame, frames);
        void *const result = frame_result(frames, part, &size);
        if (rc == 0 && frames->places)
            memcpy(result, frames->image->pixels, size);
        if (rc == 0)
            run_give(run, part);
    }
    return run_join(run, rc);
}

int frames_share(struct shared_frames *frames, const struct share *inputs, uint64_t memory)
{
    const uint32_t ranks = (uint32_t)run_ranks(frames->run), most = PLACES_A_RANK * ranks;
    const size_t size = image_bytes(frames->image);
    const uint64_t fit = memory / size;
    struct share share = *inputs;
    if (ranks == 1 || frames->count < ranks || fit < ranks) {
        frames->count = 0;
        return 0;
    }
    share.parts = frames->count;
    frames->place_count = share.places = fit < most ? (uint32_t)fit : most;
    share.result = frame_result;
    share.finish = save_frame;
    share.context = frames;
    frames->form = *frames->image;
    frames->places = malloc(share.places * size);
    if (!frames->places)
        return error_set(
            &frames->run->error, ERROR_INPUT, "not enough memory for %u frames", share.places);
    int rc = run_share(frames->run, &share);
    if (rc == 0)
        rc = make_frames(frames);
    free(frames->places);
    frames->places = NULL;
    return rc;
}

int frames_serve(struct shared_frames *frames)
{
    frames->run->shared.result = frame_result;
    frames->run->shared.context = frames;
    return make_frames(frames);
}
