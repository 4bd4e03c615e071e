#include "cli/frames.h"

#include <assert.h>
#include <string.h>

#define DEFAULT_RATE 60 /* frames a second */

int frames_are_video(const struct frames *frames)
{
    const char *format = frames->format;
    if (!format && strcmp(frames->output, "-") == 0)
        return frames->are_asked;
    return film_is_name(frames->output, format) &&
           (frames->are_asked || !image_is_name(frames->output, format));
}

int frames_path(
    const struct frames *frames, uint32_t frame, char path[PATH_MAX], struct error *error)
{
    return output_frame_path(
        frames->output, frames->are_asked && !frames_are_video(frames), frame, path, error);
}

/* Names what of videos this build can write with alpha. */
static int refuse_alpha(const char *output, struct error *error)
{
    const struct words films = film_formats();
    for (int i = 0; i < films.count; i++)
        if (film_has_alpha(output, films.word[i]))
            return error_set(error, ERROR_USAGE,
                "cannot write '%s': of videos only %s has alpha; give an opaque --background, or "
                "name a .%s file",
                output, films.word[i], films.word[i]);
    return error_set(error, ERROR_USAGE,
        "cannot write '%s': of videos only those that this build lacks have alpha; give an opaque "
        "--background, or name .png files",
        output);
}

int frames_check_image(
    const struct frames *frames, const struct image *whole, int most_rows, struct error *error)
{
    char path[PATH_MAX];
    int rc = 0;
    if (!frames_are_video(frames)) {
        rc = frames_path(frames, frames->first, path, error);
        return rc ? rc : image_check_rows(path, frames->format, whole, most_rows, error);
    }
    if (whole->channels % 2 == 0 && !film_has_alpha(frames->output, frames->format))
        return refuse_alpha(frames->output, error);
    rc = film_check(frames->output, frames->format, whole->width, whole->height, error);
    if (rc == 0 && most_rows < whole->height)
        return error_set(error, ERROR_INPUT,
            "cannot write '%s': a frame of %d x %d pixels takes more memory than is allowed, and "
            "videos need whole frames; make it smaller, or allow more memory",
            frames->output, whole->width, whole->height);
    return rc;
}

int frames_save(struct run *run, struct frames *frames, const struct image *image, uint32_t frame,
    const struct progress *progress)
{
    const int rate = frames->rate ? frames->rate : DEFAULT_RATE;
    int rc = 0;
    if (frames_are_video(frames)) {
        if (!frames->film.is_open)
            rc = film_open(frames->output, frames->format, image->width, image->height, rate,
                &frames->film, &run->error);
        if (rc == 0)
            rc = film_add(&frames->film, image, &run->error);
        if (rc == 0 && frame == frames->last)
            rc = film_close(&frames->film, &run->error);
    } else {
        struct image whole = *image;
        char path[PATH_MAX];
        whole.quality = frames->quality;
        rc = frames_path(frames, frame, path, &run->error);
        if (rc == 0)
            rc = image_write(path, frames->format, &whole, progress, &run->error);
    }
    return rc;
}

int frames_save_rows(struct run *run, struct frames *frames, const struct image *rows,
    int first_row, int height, uint32_t frame, const struct progress *progress)
{
    struct image whole = *rows;
    whole.height = height;
    whole.quality = frames->quality;
    int rc = 0;
    if (rows->height == height)
        return frames_save(run, frames, rows, frame, progress);
    assert(!frames_are_video(frames));
    if (first_row == 0) { /* after a device has failed, once more */
        image_writer_abandon(frames->writer);
        frames->writer = NULL;
        rc = frames_path(frames, frame, frames->path, &run->error);
        if (rc == 0)
            rc = image_writer_open(frames->path, frames->format, &whole, rows->height, progress,
                &frames->writer, &run->error);
    }
    if (rc == 0)
        rc = image_writer_add(frames->writer, rows, &run->error);
    if (rc == 0 && first_row + rows->height == height) {
        rc = image_writer_close(frames->writer, &run->error);
        frames->writer = NULL;
    }
    return rc;
}

int frames_open_parts(struct run *run, struct frames *frames, const struct image *whole,
    uint64_t memory, uint32_t frame, const struct progress *progress, struct image_parts *parts)
{
    *parts = (struct image_parts){0};
    image_writer_abandon(frames->writer); /* after a device has failed, once more */
    frames->writer = NULL;
    if (frames_are_video(frames))
        return 0;
    const int rc = frames_path(frames, frame, frames->path, &run->error);
    return rc ? rc
              : image_writer_open_parts(frames->path, frames->format, whole, memory, progress,
                    &frames->writer, parts, &run->error);
}

int frames_save_rest(struct run *run, struct frames *frames, const struct image *rest)
{
    int rc = image_writer_add(frames->writer, rest, &run->error);
    if (rc == 0) {
        rc = image_writer_close(frames->writer, &run->error);
        frames->writer = NULL;
    }
    return rc;
}

void frames_abandon(struct frames *frames)
{
    film_abandon(&frames->film);
    image_writer_abandon(frames->writer);
    frames->writer = NULL;
}
