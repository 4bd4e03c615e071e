/* DRAW: the image of the mesh. */
#include "stages/bezier/bezier.h"

static void warn_of_blank(struct run *run, struct bezier *b)
{
    static const char *const REASONS[] = {
        [BLANK_SHADING] = "without shading no surface is painted; add lines or the net",
        [BLANK_OUTSIDE] = "what there is lies beyond its borders; lower the zoom, or look at "
                          "another place or from another side",
        [BLANK_SMALL] = "all there is lies within a pixel; look at a place nearer to it, or raise "
                        "the zoom or the size",
        [BLANK_THIN] = "the surfaces are seen from their side, have no area, or are smaller than a "
                       "sample; turn by yaw and pitch, raise the zoom or the size, or add lines",
    };
    char frame[32] = "the image";
    if (b->raster.blank == BLANK_NOT || b->warned & WARNED_OF_BLANK)
        return;
    if (b->options.has_frames)
        snprintf(frame, sizeof(frame), "frame %u", b->frame);
    run_notice(run, 1, "%s shows nothing: %s", frame, REASONS[b->raster.blank]);
    b->warned |= WARNED_OF_BLANK;
}

static int draw_run(struct run *run, struct bezier *b)
{
    struct drawing drawing = b->options.drawing;
    drawing.unit = b->result.unit;
    drawing.segment_count = b->segment_count;
    drawing.segments = (const double(*)[2][3])b->segments;
    image_free(&b->result.image);
    const int rc = draw_mesh(run, &b->result.mesh, &drawing, &b->raster, &b->result.image);
    if (rc == 0)
        warn_of_blank(run, b);
    return rc;
}

const struct bezier_stage DRAW = {
    .stage = {"draw", "draw the mesh"},
    .run = draw_run,
};
