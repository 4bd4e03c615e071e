/* SAVE: writes the picture, or adds it to the video, and goes on to the next frame. */
#include <string.h>
#include <strings.h>

#include "stages/circles/circles.h"

#define FRAMES_A_SECOND 60

int circles_is_video(const struct circles *c)
{
    if (c->format)
        return strcasecmp(c->format, "y4m") == 0;
    return strcmp(c->output, "-") == 0 ? c->has_frames : y4m_is_name(c->output);
}

int circles_output_path(
    const struct circles *c, uint32_t frame, char path[PATH_MAX], struct error *error)
{
    return output_frame_path(c->output, c->has_frames && !circles_is_video(c), frame, path, error);
}

static int save_run(struct run *run, void *state)
{
    struct circles *c = state;
    char path[PATH_MAX];
    int rc = circles_output_path(c, c->frame, path, &run->error);
    if (rc == 0 && circles_is_video(c)) {
        if (!c->stream.width)
            rc = y4m_open(
                c->output, (int)c->width, (int)c->height, FRAMES_A_SECOND, &c->stream, &run->error);
        if (rc == 0)
            rc = y4m_add(&c->stream, &c->picture, &run->error);
        if (rc == 0 && c->frame == c->last_frame)
            rc = y4m_close(&c->stream, &run->error);
    } else if (rc == 0) {
        rc = image_write(path, c->format, &c->picture, &run->error);
    }
    if (rc || c->frame == c->last_frame)
        return rc;
    c->frame++;
    return STAGE_AGAIN;
}

const struct stage SAVE_FRAME = {
    .name = "save",
    .summary = "write the picture, or a frame",
    .run = save_run,
    .again = &SCENE,
};
