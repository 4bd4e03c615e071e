#include "stages/unscramble/learned.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/device/embed.h"

EMBED(network_weights, "stages/unscramble/network.weights")

enum {
    DEPTH = 12,          /* rows of pixels that the network sees, from the edge inward */
    PHASES = 16,         /* pixels of a block of JPEG with colors at half the resolution */
    EDGES_AT_ONCE = 2048 /* so many edges go through the network together */
};

/* The layers, one after the other; mean_mix comes after the first. */
static const struct layer {
    unsigned inputs, shifts, taken, outputs;
} LAYERS[] = {{NETWORK_INPUTS, 5, 0, NETWORK_CHANNELS}, {NETWORK_CHANNELS, 1, 0, NETWORK_CHANNELS},
    {NETWORK_CHANNELS, 5, 0, NETWORK_CHANNELS}, {NETWORK_CHANNELS, 5, 0, NETWORK_CHANNELS},
    {NETWORK_CHANNELS, 5, 0, NETWORK_CHANNELS}, {NETWORK_CHANNELS, 1, 3 * DEPTH, NETWORK_OUTPUTS}};
enum { LAYER_COUNT = sizeof(LAYERS) / sizeof(LAYERS[0]), MIX = 1 };

struct network {
    struct buffer weights[LAYER_COUNT], scales[LAYER_COUNT];
    struct buffer input, values[2], output;
};

static int value_of(const struct image *image, int x, int y, int channel)
{
    const size_t at = ((size_t)y * (size_t)image->width + (size_t)x) * 4 + (size_t)channel;
    return image->depth == 16 ? ((const uint16_t *)image->pixels)[at] >> 8
                              : ((const uint8_t *)image->pixels)[at];
}

/* Where pixel k of an edge lies, `depth` pixels inward; from the tile's corner, in a tile of w x h
 * pixels. */
static void place_of(int side, int k, int depth, int w, int h, int *x, int *y)
{
    const int across = side & 1 ? h : w, d = depth < across ? depth : across - 1;
    const int at[4][2] = {{d, h - 1 - k}, {k, d}, {w - 1 - d, k}, {w - 1 - k, h - 1 - d}};
    *x = at[side][0];
    *y = at[side][1];
}

/* What goes in for one edge: [NETWORK_INPUTS][length]. The pixels as numbers about 0; where the
 * image was a JPEG file, how pixel and edge lie to its blocks, and how coarse it is. */
static void input_fill(const struct strips *s, int edge, float *input)
{
    const struct image *image = s->image;
    const struct jpeg_origin *jpeg = &image->jpeg;
    const int side = edge & 3, tile = edge >> 2, length = s->length[side & 1];
    const int w = s->length[1], h = s->length[0];
    const int left = tile % s->columns * s->width + s->margin;
    const int top = tile / s->columns * s->height + s->margin;
    memset(input, 0, (size_t)NETWORK_INPUTS * (size_t)length * sizeof(*input));
    for (int k = 0; k < length; k++) {
        int x, y;
        for (int d = 0; d < DEPTH; d++) {
            place_of(side, k, d, w, h, &x, &y);
            for (int c = 0; c < 3; c++)
                input[(c * DEPTH + d) * length + k] =
                    (float)(value_of(image, left + x, top + y, c) - 128) / 64;
        }
        if (jpeg->luminance <= 0)
            continue;
        place_of(side, k, 0, w, h, &x, &y);
        const int column = (left + x) % PHASES, row = (top + y) % PHASES;
        const int along[4] = {PHASES - 1 - row, column, row, PHASES - 1 - column};
        const int inward[4] = {column, row, PHASES - 1 - column, PHASES - 1 - row};
        float *more = input + 3 * DEPTH * length + k;
        more[along[side] * length] = 1;
        more[(PHASES + inward[side]) * length] = 1;
        more[2 * PHASES * length] = 1;
        more[(2 * PHASES + 1) * length] = jpeg->luminance;
        more[(2 * PHASES + 2) * length] = jpeg->color;
        more[(2 * PHASES + 3) * length] = (float)jpeg->is_halved;
    }
}

static int upload(struct run *run, struct buffer *buffer, const void *bytes, size_t size)
{
    const int rc = buffer_new(&run->device, size, NULL, buffer, &run->error);
    return rc ? rc : buffer_upload(buffer, bytes, size, &run->error);
}

static int network_open(struct run *run, struct network *n, size_t edges, size_t length)
{
    const char *at = network_weights;
    int rc = 0;
    *n = (struct network){0};
    for (int i = 0; rc == 0 && i < LAYER_COUNT; i++) {
        const size_t scales = 2 * LAYERS[i].outputs * sizeof(float);
        const size_t weights =
            (size_t)(LAYERS[i].inputs * LAYERS[i].shifts + LAYERS[i].taken) * LAYERS[i].outputs;
        rc = upload(run, &n->scales[i], at, scales);
        if (rc == 0)
            rc = upload(run, &n->weights[i], at + scales, weights);
        at += scales + weights;
    }
    const size_t pixels = edges * length * sizeof(float);
    if (rc == 0)
        rc = buffer_new(&run->device, NETWORK_INPUTS * pixels, NULL, &n->input, &run->error);
    for (int i = 0; rc == 0 && i < 2; i++)
        rc = buffer_new(&run->device, NETWORK_CHANNELS * pixels, NULL, &n->values[i], &run->error);
    return rc ? rc
              : buffer_new(&run->device, NETWORK_OUTPUTS * pixels, NULL, &n->output, &run->error);
}

static void network_close(struct network *n)
{
    for (int i = 0; i < LAYER_COUNT; i++) {
        buffer_free(&n->weights[i]);
        buffer_free(&n->scales[i]);
    }
    buffer_free(&n->input);
    buffer_free(&n->values[0]);
    buffer_free(&n->values[1]);
    buffer_free(&n->output);
}

/* Runs the layers over edges whose input is on the device. */
static int network_run(struct run *run, struct network *n, uint32_t edges, uint32_t length)
{
    const uint32_t runs = (length + 31) / 32;
    const struct buffer *from = &n->input;
    int rc = 0;
    for (int i = 0; rc == 0 && i < LAYER_COUNT; i++) {
        const int is_last = i == LAYER_COUNT - 1;
        const struct convolve_args args = {.length = length,
            .inputs = LAYERS[i].inputs,
            .shifts = LAYERS[i].shifts,
            .further = NETWORK_INPUTS,
            .taken = LAYERS[i].taken,
            .clips = !is_last,
            .adds = i > MIX && !is_last};
        if (i == MIX) {
            rc = DEVICE_LAUNCH(&run->device, KERNEL_mean_mix, 1, edges, &run->error,
                ARGUMENT_BUFFER(&n->weights[i]), ARGUMENT_BUFFER(&n->scales[i]),
                ARGUMENT_BUFFER(from), ARGUMENT(length));
            continue;
        }
        struct buffer *to = is_last ? &n->output : &n->values[from == &n->values[0]];
        rc = DEVICE_LAUNCH(&run->device, is_last ? KERNEL_convolve_last : KERNEL_convolve, runs,
            edges, &run->error, ARGUMENT_BUFFER(from), ARGUMENT_BUFFER(&n->input),
            ARGUMENT_BUFFER(&n->weights[i]), ARGUMENT_BUFFER(&n->scales[i]), ARGUMENT_BUFFER(to),
            ARGUMENT(args));
        from = to;
    }
    return rc;
}

/* The numbers of an edge, and these backwards. */
static void value_take(const float *output, int length, float *value)
{
    for (int i = 0; i < NETWORK_OUTPUTS; i++)
        for (int k = 0; k < length; k++) {
            value[i * length + k] = output[i * length + k];
            value[(NETWORK_OUTPUTS + i) * length + length - 1 - k] = output[i * length + k];
        }
}

/* The edges of left and right sides (which 0) or of top and bottom ones (1). */
static int make_half(struct run *run, const struct strips *s, int which, struct learned *learned)
{
    struct network network;
    const size_t length = (size_t)s->length[which], edges = 2 * (size_t)s->tiles;
    const size_t most = edges < EDGES_AT_ONCE ? edges : EDGES_AT_ONCE;
    const size_t in = NETWORK_INPUTS * length, out = NETWORK_OUTPUTS * length;
    float *input = malloc(most * in * sizeof(*input));
    float *output = malloc(most * out * sizeof(*output));
    learned->value[which] = malloc(edges * 2 * out * sizeof(float));
    int rc = input && output && learned->value[which]
                 ? network_open(run, &network, most, length)
                 : error_set(&run->error, ERROR_INPUT, "not enough memory to compare the tiles");
    if (!input || !output || !learned->value[which])
        network = (struct network){0};
    for (size_t first = 0; rc == 0 && first < edges; first += most) {
        const int count = (int)(edges - first < most ? edges - first : most);
#pragma omp parallel for
        for (int i = 0; i < count; i++) {
            const int pair = (int)first + i;
            input_fill(s, 4 * (pair >> 1) + which + 2 * (pair & 1), input + (size_t)i * in);
        }
        rc = buffer_upload(&network.input, input, (size_t)count * in * sizeof(*input), &run->error);
        if (rc == 0)
            rc = network_run(run, &network, (uint32_t)count, (uint32_t)length);
        if (rc == 0)
            rc = buffer_download(
                &network.output, output, (size_t)count * out * sizeof(*output), &run->error);
#pragma omp parallel for
        for (int i = 0; i < (rc ? 0 : count); i++)
            value_take(output + (size_t)i * out, (int)length,
                learned->value[which] + (first + (size_t)i) * 2 * out);
    }
    network_close(&network);
    free(input);
    free(output);
    return rc;
}

int learned_make(struct run *run, const struct strips *strips, struct learned *learned)
{
    const struct workload work = {0};
    *learned = (struct learned){.length = {strips->length[0], strips->length[1]}};
    int rc = run_device(run, &work);
    for (int which = 0; rc == 0 && which < 2; which++)
        rc = make_half(run, strips, which, learned);
    if (rc)
        learned_free(learned);
    return rc;
}

void learned_free(struct learned *learned)
{
    free(learned->value[0]);
    free(learned->value[1]);
    *learned = (struct learned){0};
}

/* Adds q / (1 + q) of each pixel, q the squared distance of four numbers. */
static inline void add_groups(const float *is, const float *expected, int length, float *work)
{
    for (int group = 0; group < NETWORK_OUTPUTS / 2; group += 4)
        for (int k = 0; k < length; k++) {
            float q = 0;
            for (int i = group; i < group + 4; i++) {
                const float d = is[i * length + k] - expected[i * length + k];
                q += d * d;
            }
            work[k] += q / (1 + q);
        }
}

BEST_INSTRUCTIONS float learned_compare(const float *a, const float *b, int length, float *work)
{
    const float *back = b + NETWORK_OUTPUTS * length;
    const int half = NETWORK_OUTPUTS / 2 * length;
    float sum = 0;
    for (int k = 0; k < length; k++)
        work[k] = 0;
    add_groups(back, a + half, length, work);
    add_groups(a, back + half, length, work);
    for (int k = 0; k < length; k++)
        sum += work[k];
    return sum;
}
