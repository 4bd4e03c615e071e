/* The network that looks at edges, a pixel and an output after the other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/reference.h"

enum { ROWS = 12, IN = NETWORK_INPUTS, WIDE = NETWORK_CHANNELS, OUT = NETWORK_OUTPUTS };

/* How an image is cut: columns of tiles of width x height pixels, from the top left. */
struct cutting {
    const struct image *image;
    int columns, width, height;
};

/* The pixel of an edge at `along`, clockwise, `inward` rows from the outside. */
static void pixel_of(
    const struct cutting *c, int tile, int side, int along, int inward, int *x, int *y)
{
    const int w = c->width, h = c->height, left = tile % c->columns * w,
              top = tile / c->columns * h;
    const int most = side % 2 ? h - 1 : w - 1;
    if (inward > most)
        inward = most;
    *x = side == 0   ? left + inward
         : side == 2 ? left + w - 1 - inward
         : side == 1 ? left + along
                     : left + w - 1 - along;
    *y = side == 1   ? top + inward
         : side == 3 ? top + h - 1 - inward
         : side == 2 ? top + along
                     : top + h - 1 - along;
}

static void find_input(const struct cutting *c, int tile, int side, int along, float *input)
{
    const struct image *image = c->image;
    int x, y;
    memset(input, 0, IN * sizeof(*input));
    for (int channel = 0; channel < 3; channel++)
        for (int row = 0; row < ROWS; row++) {
            pixel_of(c, tile, side, along, row, &x, &y);
            const size_t at = ((size_t)y * (size_t)image->width + (size_t)x) * 4 + (size_t)channel;
            const int value = image->depth == 16 ? ((uint16_t *)image->pixels)[at] / 256
                                                 : ((uint8_t *)image->pixels)[at];
            input[channel * ROWS + row] = (float)(value - 128) / 64;
        }
    if (image->jpeg.luminance <= 0)
        return;
    pixel_of(c, tile, side, along, 0, &x, &y);
    /* Upward and to the left along the edge, or inward, blocks are met the other way round. */
    const int is_level = side == 1 || side == 3;
    const int on = is_level ? x % 16 : y % 16, in = is_level ? y % 16 : x % 16;
    input[36 + (side == 1 || side == 2 ? on : 15 - on)] = 1;
    input[52 + (side == 0 || side == 1 ? in : 15 - in)] = 1;
    input[68] = 1;
    input[69] = image->jpeg.luminance;
    input[70] = image->jpeg.color;
    input[71] = (float)image->jpeg.is_halved;
}

/* A layer's scales, biases and weights; moves on behind them. */
struct layer {
    float scale[WIDE], bias[WIDE];
    const unsigned char *weight;
};

static void read_layer(const char **at, int terms, int outputs, struct layer *layer)
{
    memcpy(layer->scale, *at, (size_t)outputs * sizeof(float));
    memcpy(layer->bias, *at + (size_t)outputs * sizeof(float), (size_t)outputs * sizeof(float));
    layer->weight = (const unsigned char *)*at + 2 * (size_t)outputs * sizeof(float);
    *at = (const char *)layer->weight + (size_t)terms * (size_t)outputs;
}

/* To 17 binary digits, by Veltkamp's splitting: the product with a weight is then exact. */
static float round_input(float x)
{
    const float wide = 129 * x;
    return wide - (wide - x);
}

/* An output of the terms of one pixel, each of which is a number at term[i]. */
static float find_output(
    const struct layer *layer, float *const *term, int terms, int outputs, int output)
{
    float sum = 0;
    for (int i = 0; i < terms; i++)
        sum += round_input(*term[i]) * (float)(layer->weight[i * outputs + output] - NETWORK_ZERO);
    return sum * layer->scale[output] + layer->bias[output];
}

/* The numbers, `width` a pixel, of the pixels that an output at p looks at. */
static int find_terms(float *values, int width, int p, int length, float **term)
{
    int count = 0;
    for (int shift = -2; shift <= 2; shift++) {
        const int at = p + shift < 0 ? 0 : p + shift < length ? p + shift : length - 1;
        for (int i = 0; i < width; i++)
            term[count++] = &values[at * width + i];
    }
    return count;
}

/* in [length][IN], was and is [length][WIDE], out [length][OUT] */
static void run_network(float *in, float *was, float *is, int length, float *out)
{
    const char *at = network_weights;
    float *term[5 * WIDE], mean[WIDE], added[WIDE];
    struct layer layer;
    read_layer(&at, 5 * IN, WIDE, &layer);
    for (int p = 0; p < length; p++)
        for (int o = 0; o < WIDE; o++) {
            const float value =
                find_output(&layer, term, find_terms(in, IN, p, length, term), WIDE, o);
            was[p * WIDE + o] = value > 0 ? value : 0;
        }
    read_layer(&at, WIDE, WIDE, &layer);
    for (int o = 0; o < WIDE; o++) {
        float sum = 0;
        for (int p = 0; p < length; p++)
            sum += was[p * WIDE + o];
        mean[o] = sum / (float)length;
        term[o] = &mean[o];
    }
    for (int o = 0; o < WIDE; o++)
        added[o] = find_output(&layer, term, WIDE, WIDE, o);
    for (int i = 0; i < length * WIDE; i++)
        was[i] += added[i % WIDE];
    for (int repeat = 0; repeat < 3; repeat++) {
        read_layer(&at, 5 * WIDE, WIDE, &layer);
        for (int p = 0; p < length; p++)
            for (int o = 0; o < WIDE; o++) {
                const float value =
                    find_output(&layer, term, find_terms(was, WIDE, p, length, term), WIDE, o);
                is[p * WIDE + o] = was[p * WIDE + o] + (value > 0 ? value : 0);
            }
        memcpy(was, is, (size_t)(length * WIDE) * sizeof(*was));
    }
    read_layer(&at, WIDE + 36, OUT, &layer);
    for (int p = 0; p < length; p++)
        for (int o = 0; o < OUT; o++) {
            for (int i = 0; i < WIDE + 36; i++)
                term[i] = i < WIDE ? &was[p * WIDE + i] : &in[p * IN + i - WIDE];
            out[p * OUT + o] = find_output(&layer, term, WIDE + 36, OUT, o);
        }
}

int reference_features(
    const struct image *image, int columns, int width, int height, struct terms *features)
{
    const struct cutting cutting = {image, columns, width, height};
    const int longest = width > height ? width : height;
    int64_t doubled = 1;
    features->halvings = 0;
    features->are_learned = 1;
    while (32 * (int64_t)longest * (8191 / doubled) > SUM_MAX) {
        doubled *= 2;
        features->halvings++;
    }
    float *in = malloc((size_t)longest * (IN + 2 * WIDE + OUT) * sizeof(*in));
    if (!in)
        return -1;
    float *was = in + longest * IN, *is = was + longest * WIDE, *out = is + longest * WIDE;
    for (int edge = 0; edge < 4 * features->tiles; edge++) {
        const int length = features->length[edge & 1];
        for (int p = 0; p < length; p++)
            find_input(&cutting, edge / 4, edge % 4, p, in + p * IN);
        run_network(in, was, is, length, out);
        for (int p = 0; p < length; p++)
            for (int o = 0; o < OUT; o++) {
                const double step = floor(512.0 * (double)out[p * OUT + o] + 4096.5);
                terms_of(features, edge, o / 16)[o % 16 * length + p] =
                    (uint16_t)((int64_t)(step < 0      ? 0
                                         : step > 8191 ? 8191
                                                       : step) /
                               doubled);
            }
    }
    free(in);
    return 0;
}
