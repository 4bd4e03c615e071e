#include "stages/unscramble/animate.h"

int animate(struct run *run, const struct animation *a)
{
    const uint32_t whole = a->frames ? a->frames : ANIMATION_FRAMES, all = whole + a->still;
    const uint32_t last = whole - 1;
    struct field field;
    uint32_t drawn = 0;
    int rc = field_make(&a->layout, &field, &run->error);
    for (uint32_t frame = 0; rc == 0 && frame < all; frame++) {
        const uint32_t until =
            frame < last ? (uint32_t)((uint64_t)a->count * frame / last) : a->count;
        while (drawn < until)
            field_draw(&field, a->order[drawn++]);
        rc = a->save(a->context, run, &field.frame, frame, all);
        if (rc == 0)
            rc = run_progress(run, (double)(frame + 1) / all);
    }
    image_free(&field.frame);
    return rc;
}
