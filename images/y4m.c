#include "images/y4m.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for a frame and writes the header to the output, which is open. */
static int begin(struct y4m *y4m, int rate, struct error *error)
{
    char header[128];
    const size_t pixels = (size_t)y4m->width * (size_t)y4m->height;
    y4m->planes = malloc(y4m->is_halved ? pixels * 3 / 2 : pixels * 3);
    if (!y4m->planes) {
        y4m_abandon(y4m);
        return error_set(error, ERROR_INPUT, "not enough memory for a frame");
    }
    const int length = snprintf(header, sizeof(header), "YUV4MPEG2 W%d H%d F%d:1 Ip A1:1 %s\n",
        y4m->width, y4m->height, rate, y4m->is_halved ? "C420mpeg2 XCOLORRANGE=LIMITED" : "C444");
    output_write(&y4m->output, header, (size_t)length);
    return 0;
}

int y4m_open(const char *path, int is_halved, int width, int height, int rate, struct y4m *y4m,
    struct error *error)
{
    *y4m = (struct y4m){.width = width, .height = height, .is_halved = is_halved};
    const int rc = output_open(path, 1, NULL, &y4m->output, error);
    if (rc)
        *y4m = (struct y4m){0};
    return rc ? rc : begin(y4m, rate, error);
}

int y4m_open_pipe(FILE *pipe, const char *name, int width, int height, int rate, struct y4m *y4m,
    struct error *error)
{
    *y4m = (struct y4m){.width = width,
        .height = height,
        .is_halved = 1,
        .is_bt709 = 1,
        .output = {.file = pipe, .name = name}};
    return begin(y4m, rate, error);
}

/* BT.601, chroma of full size. */
static size_t convert_full(struct y4m *y4m, const uint8_t *pixel)
{
    const size_t count = (size_t)y4m->width * (size_t)y4m->height;
    for (size_t i = 0; i < count; i++, pixel += 4) {
        const int red = pixel[0], green = pixel[1], blue = pixel[2];
        y4m->planes[i] = (uint8_t)(16 + (66 * red + 129 * green + 25 * blue + 128) / 256);
        y4m->planes[count + i] =
            (uint8_t)((32768 - 38 * red - 74 * green + 112 * blue + 128) / 256);
        y4m->planes[2 * count + i] =
            (uint8_t)((32768 + 112 * red - 94 * green - 18 * blue + 128) / 256);
    }
    return 3 * count;
}

/* What red, green and blue are of Y, Cb and Cr in studio range, times 2^16; chroma of gray is 0. */
struct matrix {
    int luma[3], blue[3], red[3];
};
static const struct matrix BT601 = {
    {16829, 33039, 6416}, {-9714, -19070, 28784}, {28784, -24103, -4681}};
static const struct matrix BT709 = {
    {11966, 40254, 4064}, {-6596, -22188, 28784}, {28784, -26145, -2639}};

static int64_t mix(const int *weights, const int *colors)
{
    return (int64_t)weights[0] * colors[0] + (int64_t)weights[1] * colors[1] +
           (int64_t)weights[2] * colors[2];
}

/* Two rows, chroma of half the width and height. */
static void convert_rows(struct y4m *y4m, const uint8_t *pixels, int y)
{
    static const int SCALE = 1 << 16, WEIGHTS = 8; /* of the six pixels of a chroma sample */
    const struct matrix *matrix = y4m->is_bt709 ? &BT709 : &BT601;
    const int width = y4m->width;
    const size_t count = (size_t)width * (size_t)y4m->height;
    uint8_t *luma = y4m->planes + (size_t)y * (size_t)width;
    uint8_t *u = y4m->planes + count + (size_t)(y / 2) * (size_t)(width / 2), *v = u + count / 4;
    const uint8_t *rows = pixels + 4 * (size_t)y * (size_t)width;
    for (int i = 0; i < 2 * width; i++) {
        const uint8_t *p = rows + 4 * (size_t)i;
        const int64_t sum = mix(matrix->luma, (int[]){p[0], p[1], p[2]});
        luma[i] = (uint8_t)(16 + (sum + SCALE / 2) / SCALE);
    }
    for (int x = 0; x < width; x += 2) {
        int sum[3] = {0};
        for (int j = 0; j < 2; j++)
            for (int k = -1; k < 2; k++) {
                const int column = j * width + (x + k < 0 ? 0 : x + k);
                for (int c = 0; c < 3; c++)
                    sum[c] += (k ? 1 : 2) * rows[4 * (size_t)column + (size_t)c];
            }
        const int64_t middle = (int64_t)WEIGHTS * (128 * SCALE + SCALE / 2);
        const int64_t one = (int64_t)WEIGHTS * SCALE;
        u[x / 2] = (uint8_t)((middle + mix(matrix->blue, sum)) / one);
        v[x / 2] = (uint8_t)((middle + mix(matrix->red, sum)) / one);
    }
}

static size_t convert_halved(struct y4m *y4m, const uint8_t *pixels)
{
#pragma omp parallel for
    for (int y = 0; y < y4m->height; y += 2)
        convert_rows(y4m, pixels, y);
    return (size_t)y4m->width * (size_t)y4m->height * 3 / 2;
}

int y4m_add(struct y4m *y4m, const struct image *frame, struct error *error)
{
    const size_t size =
        y4m->is_halved ? convert_halved(y4m, frame->pixels) : convert_full(y4m, frame->pixels);
    output_write(&y4m->output, "FRAME\n", 6);
    output_write(&y4m->output, y4m->planes, size);
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
