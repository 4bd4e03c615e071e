/* SAVE: writes the picture, or adds it to the video, and goes on to the next frame. */
#include <limits.h>
#include <string.h>

#include "stages/circles/circles.h"

#define FRAMES_A_SECOND 60

/* "a.png" as "a-0007.png". */
static int number_path(const struct circles *c, char path[PATH_MAX], struct error *error)
{
    const char *name = strrchr(c->output, '/');
    const char *dot = strrchr(name ? name : c->output, '.');
    const int stem = dot ? (int)(dot - c->output) : (int)strlen(c->output);
    const int length = snprintf(
        path, PATH_MAX, "%.*s-%04u%s", stem, c->output, (unsigned)c->frame, dot ? dot : "");
    if (length >= PATH_MAX)
        return error_set(error, ERROR_INPUT, "the name '%.100s...' is too long", c->output);
    return 0;
}

int circles_is_video(const struct circles *c)
{
    const char *dot = strrchr(c->output, '.');
    return c->has_frames && (strcmp(c->output, "-") == 0 || (dot && strcmp(dot, ".y4m") == 0));
}

static int save_run(struct run *run, void *state)
{
    struct circles *c = state;
    char path[PATH_MAX];
    int rc = 0;
    if (circles_is_video(c)) {
        if (!c->stream.width)
            rc = y4m_open(
                c->output, (int)c->width, (int)c->height, FRAMES_A_SECOND, &c->stream, &run->error);
        if (rc == 0)
            rc = y4m_add(&c->stream, &c->picture, &run->error);
        if (rc == 0 && c->frame == c->last_frame)
            rc = y4m_close(&c->stream, &run->error);
    } else {
        if (c->has_frames)
            rc = number_path(c, path, &run->error);
        if (rc == 0)
            rc = image_write(c->has_frames ? path : c->output, c->format, &c->picture, &run->error);
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
