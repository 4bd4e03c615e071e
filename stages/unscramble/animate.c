/* ANIMATE: where asked for, makes a video of the assembly, the surest tiles first. */
#include "stages/unscramble/animate.h"

#include <stdlib.h>

#include "stages/unscramble/confidence.h"
#include "stages/unscramble/unscramble.h"

/* Draws the puzzle as it came into a frame like the montage's. Returns 0, or ERROR_INPUT; the
 * caller frees it. */
static int draw_puzzle(const struct montage *montage, struct image *frame, struct error *error)
{
    struct layout layout = montage->layout;
    const struct grid grid = layout.permutation->puzzle;
    struct permutation as_it_came = {0};
    struct montage shuffled = {0};
    int rc = permutation_new(grid, 1, &grid, &as_it_came, error);
    layout.permutation = &as_it_came;
    if (rc == 0)
        rc = montage_make(&layout, &shuffled, error);
    const int is_alike = rc == 0 && shuffled.image.width == montage->image.width &&
                         shuffled.image.height == montage->image.height;
    for (uint32_t place = 0; rc == 0 && place < grid_tiles(grid); place++) {
        as_it_came.placed[place].tile = place;
        montage_draw(&shuffled, place);
    }
    permutation_free(&as_it_came);
    if (is_alike) {
        *frame = shuffled.image;
        return 0;
    }
    image_free(&shuffled.image);
    if (rc == 0)
        rc = image_new(montage->image.width, montage->image.height, 3, 8, frame, error);
    if (rc == 0)
        draw_rectangle(frame, 0, 0, frame->width, frame->height, layout.missing);
    return rc;
}

int animate(struct run *run, const struct animation *a)
{
    const uint32_t whole = a->frames ? a->frames : ANIMATION_FRAMES, all = whole + 2 * a->still;
    const uint32_t last = whole - 1;
    struct montage montage;
    struct image before = {0};
    uint32_t drawn = 0, frame = 0;
    int rc = montage_make(&a->layout, &montage, &run->error);
    if (rc == 0 && a->still)
        rc = draw_puzzle(&montage, &before, &run->error);
    for (; rc == 0 && frame < all && !run->is_finishing; frame++) {
        const uint32_t step = frame < a->still ? 0 : frame - a->still;
        const uint32_t until =
            step < last ? (uint32_t)((uint64_t)a->count * step / last) : a->count;
        while (frame >= a->still && drawn < until)
            montage_draw(&montage, a->order[drawn++]);
        rc = a->save(a->context, run, frame < a->still ? &before : &montage.image, frame, all);
        if (rc == ERROR_STOPPED && run->has_answer) {
            rc = 0;
            break;
        }
        if (rc == 0)
            rc = run_progress(run, (double)(frame + 1) / all);
    }
    if (rc == 0 && frame < all) /* whoever stops a search does not wait for a video of it */
        run_leave_out(run, "the answer is written without its video");
    image_free(&before);
    image_free(&montage.image);
    return rc;
}

static int animate_run(struct run *run, struct unscramble *u)
{
    const uint32_t places =
        permutation_first(&u->result.permutation, u->result.permutation.solutions);
    if (!u->options.sinks.save_frame)
        return 0;
    uint32_t count, *order = malloc(places * sizeof(*order));
    if (!order)
        return error_set(&run->error, ERROR_INPUT, "not enough memory for the board");
    int rc = confidence_order(
        u->result.permutation.placed, u->result.confidence, places, order, &count, &run->error);
    if (rc == 0) {
        struct animation animation = {
            .save = u->options.sinks.save_frame,
            .context = u->options.sinks.context,
            .still = u->options.still_frames,
            .layout = unscramble_layout(u),
            .order = order,
            .count = count,
        };
        animation.layout.max_side = (uint32_t)u->options.film_side;
        rc = animate(run, &animation);
    }
    free(order);
    return rc;
}

const struct unscramble_stage ANIMATE = {
    .stage = {"animate", "write the assembly as a video"},
    .run = animate_run,
};
