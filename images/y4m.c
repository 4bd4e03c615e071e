#include "images/y4m.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

int y4m_is_name(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, Y4M_EXTENSION) == 0;
}

int y4m_open(
    const char *path, int width, int height, int rate, struct y4m *y4m, struct error *error)
{
    char header[96];
    *y4m = (struct y4m){.planes = malloc((size_t)width * (size_t)height * 3)};
    if (!y4m->planes)
        return error_set(error, ERROR_INPUT, "not enough memory for a frame");
    const int rc = output_open(path, 1, NULL, &y4m->output, error);
    if (rc) {
        free(y4m->planes);
        return rc;
    }
    y4m->width = width;
    y4m->height = height;
    const int length = snprintf(
        header, sizeof(header), "YUV4MPEG2 W%d H%d F%d:1 Ip A1:1 C444\n", width, height, rate);
    output_write(&y4m->output, header, (size_t)length);
    return 0;
}

int y4m_add(struct y4m *y4m, const struct image *frame, struct error *error)
{
    const size_t count = (size_t)y4m->width * (size_t)y4m->height;
    const uint8_t *pixel = frame->pixels;
    for (size_t i = 0; i < count; i++, pixel += 4) {
        const int red = pixel[0], green = pixel[1], blue = pixel[2];
        y4m->planes[i] = (uint8_t)(16 + (66 * red + 129 * green + 25 * blue + 128) / 256);
        y4m->planes[count + i] =
            (uint8_t)((32768 - 38 * red - 74 * green + 112 * blue + 128) / 256);
        y4m->planes[2 * count + i] =
            (uint8_t)((32768 + 112 * red - 94 * green - 18 * blue + 128) / 256);
    }
    output_write(&y4m->output, "FRAME\n", 6);
    output_write(&y4m->output, y4m->planes, 3 * count);
    if (y4m->output.failure)
        return error_set(error, ERROR_INPUT, "cannot write '%s': %s", y4m->output.name,
            strerror(y4m->output.failure));
    return 0;
}

int y4m_close(struct y4m *y4m, struct error *error)
{
    free(y4m->planes);
    y4m->planes = NULL;
    y4m->width = y4m->height = 0;
    return output_commit(&y4m->output, error);
}

void y4m_abandon(struct y4m *y4m)
{
    if (!y4m->width)
        return;
    free(y4m->planes);
    output_abandon(&y4m->output);
    *y4m = (struct y4m){0};
}
