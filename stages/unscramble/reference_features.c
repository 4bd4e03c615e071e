/* The network that looks at edges, a pixel and an output after the other, in steps of 1/256. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/reference.h"

enum {
    ROWS = 12,
    IN = NETWORK_INPUTS,
    WIDE = NETWORK_CHANNELS,
    OUT = NETWORK_OUTPUTS,
    MOST = 32767
};

/* The pixel of an edge at `along`, clockwise, `inward` rows from the outside. */
static void pixel_of(
    const struct tiling *t, int tile, int side, int along, int inward, int *x, int *y)
{
    const int w = t->width - 2 * t->bleed, h = t->height - 2 * t->bleed;
    const int left = tile % t->columns * t->width + t->bleed;
    const int top = tile / t->columns * t->height + t->bleed;
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

static void find_input(
    const struct tiling *t, int has_gap, int tile, int side, int along, int16_t *input)
{
    const struct image *image = t->image;
    int x, y;
    memset(input, 0, IN * sizeof(*input));
    for (int channel = 0; channel < 3; channel++)
        for (int row = 0; row < ROWS; row++) {
            pixel_of(t, tile, side, along, row, &x, &y);
            const size_t at = ((size_t)y * (size_t)image->width + (size_t)x) * 4 + (size_t)channel;
            input[channel * ROWS + row] = (int16_t)(4 * (image_sample_8(image, at) - 128));
        }
    input[71] = has_gap ? 256 : 0;
    if (image->jpeg.luminance <= 0)
        return;
    pixel_of(t, tile, side, along, 0, &x, &y);
    /* Upward and to the left along the edge, or inward, blocks are met the other way round. */
    const int is_level = side == 1 || side == 3;
    const int on = is_level ? x % 16 : y % 16, in = is_level ? y % 16 : x % 16;
    input[36 + (side == 1 || side == 2 ? on : 15 - on)] = 256;
    input[52 + (side == 0 || side == 1 ? in : 15 - in)] = 256;
    input[68] = (int16_t)lrintf(256 * image->jpeg.luminance);
    input[69] = (int16_t)lrintf(256 * image->jpeg.color);
    input[70] = (int16_t)(256 * image->jpeg.is_halved);
}

/* What a layer has. */
struct layer {
    float scale[WIDE], bias[WIDE];
    const unsigned char *weight;
};

/* Reads the scales and biases at *at, which moves behind them. */
static void read_scales(const char **at, int outputs, struct layer *layer)
{
    const size_t bytes = (size_t)outputs * sizeof(float);
    memcpy(layer->scale, *at, bytes);
    memcpy(layer->bias, *at + bytes, bytes);
    *at += 2 * bytes;
}

/* Reads these, and the weights that follow. */
static void read_layer(const char **at, int terms, int outputs, struct layer *layer)
{
    read_scales(at, outputs, layer);
    layer->weight = (const unsigned char *)*at;
    *at += (size_t)terms * (size_t)outputs;
}

/* The first layer, the mixture, those in the middle, and the last one. */
struct layers {
    struct layer first, mix, middle[4], last;
    int middle_count;
};

static void read_whole(const char **at, struct layers *l)
{
    l->middle_count = 3;
    read_layer(at, 5 * IN, WIDE, &l->first);
    read_layer(at, WIDE, WIDE, &l->mix);
    for (int i = 0; i < 3; i++)
        read_layer(at, 5 * WIDE, WIDE, &l->middle[i]);
    read_layer(at, WIDE + 36, OUT, &l->last);
}

/* What differs across a gap, to be read after the others. */
static void read_gap(const char **at, struct layers *l)
{
    l->middle_count = 4;
    read_scales(at, WIDE, &l->first);
    read_scales(at, WIDE, &l->mix);
    read_scales(at, WIDE, &l->middle[0]);
    read_scales(at, WIDE, &l->middle[1]);
    read_layer(at, 5 * WIDE, WIDE, &l->middle[2]);
    read_layer(at, 5 * WIDE, WIDE, &l->middle[3]);
    read_layer(at, WIDE + 36, OUT, &l->last);
}

/* An output of the terms of one pixel, each of which is a number at term[i]; in steps, `steps` of
 * 1. */
static float find_output(const struct layer *layer, const int16_t *const *term, int terms,
    int outputs, int output, float steps)
{
    int32_t sum = 0;
    for (int i = 0; i < terms; i++)
        sum += *term[i] * (layer->weight[i * outputs + output] - NETWORK_ZERO);
    return (float)sum * (layer->scale[output] * (steps / 256)) + layer->bias[output] * steps;
}

/* Rounded, from 0 to most. */
static int round_output(float steps, int most)
{
    return steps > (float)most ? most : steps > 0 ? (int)floorf(steps + 0.5f) : 0;
}

/* The numbers, `width` a pixel, of the pixels that an output at p looks at. */
static int find_terms(const int16_t *values, int width, int p, int length, const int16_t **term)
{
    int count = 0;
    for (int shift = -2; shift <= 2; shift++) {
        const int at = p + shift < 0 ? 0 : p + shift < length ? p + shift : length - 1;
        for (int i = 0; i < width; i++)
            term[count++] = &values[at * width + i];
    }
    return count;
}

/* Adds a mixture of the means of all channels, values [length][WIDE]. */
static void mix_means(const struct layer *layer, int16_t *values, int length)
{
    const int16_t *term[WIDE];
    int16_t mean[WIDE];
    for (int o = 0; o < WIDE; o++) {
        int64_t sum = 0;
        for (int p = 0; p < length; p++)
            sum += values[p * WIDE + o];
        mean[o] = (int16_t)((sum + length / 2) / length);
        term[o] = &mean[o];
    }
    for (int o = 0; o < WIDE; o++) {
        const float added = find_output(layer, term, WIDE, WIDE, o, 256);
        const float most = MOST, kept = added < -most ? -most : added > most ? most : added;
        for (int p = 0; p < length; p++) {
            const int sum = values[p * WIDE + o] + (int)floorf(kept + (most + 0.5f)) - MOST;
            values[p * WIDE + o] = (int16_t)(sum < MOST ? sum : MOST);
        }
    }
}

/* Runs a network: in [length][IN], out [length][OUT] from 0 to TERM_MAX; was and is,
 * [length][WIDE], hold what enters a layer and what leaves it. */
static void run_network(
    const struct layers *l, const int16_t *in, int16_t *was, int16_t *is, int length, int16_t *out)
{
    const int16_t *term[5 * WIDE];
    for (int p = 0; p < length; p++)
        for (int o = 0; o < WIDE; o++) {
            const int terms = find_terms(in, IN, p, length, term);
            was[p * WIDE + o] =
                (int16_t)round_output(find_output(&l->first, term, terms, WIDE, o, 256), MOST);
        }
    mix_means(&l->mix, was, length);
    for (int i = 0; i < l->middle_count; i++) {
        for (int p = 0; p < length; p++)
            for (int o = 0; o < WIDE; o++) {
                const int terms = find_terms(was, WIDE, p, length, term);
                const float output = find_output(&l->middle[i], term, terms, WIDE, o, 256);
                const int sum = was[p * WIDE + o] + round_output(output, MOST);
                is[p * WIDE + o] = (int16_t)(sum < MOST ? sum : MOST);
            }
        memcpy(was, is, (size_t)(length * WIDE) * sizeof(*was));
    }
    for (int p = 0; p < length; p++)
        for (int o = 0; o < OUT; o++) {
            for (int i = 0; i < WIDE + 36; i++)
                term[i] = i < WIDE ? &was[p * WIDE + i] : &in[p * IN + i - WIDE];
            out[p * OUT + o] = (int16_t)round_output(
                find_output(&l->last, term, WIDE + 36, OUT, o, FEATURE_STEPS), TERM_MAX);
        }
}

int reference_features(const struct tiling *tiling, int has_gap, struct terms *features)
{
    const int longest = tiling->width > tiling->height ? tiling->width : tiling->height;
    const char *at = network_weights;
    struct layers layers;
    read_whole(&at, &layers);
    if (has_gap)
        read_gap(&at, &layers);
    for (int o = 0; o < OUT; o++)
        layers.last.bias[o] += FEATURE_MAX;
    features->are_learned = 1;
    int16_t *in = malloc((size_t)longest * (IN + 2 * WIDE + OUT) * sizeof(*in));
    if (!in)
        return -1;
    int16_t *was = in + longest * IN, *is = was + longest * WIDE, *out = is + longest * WIDE;
    for (int edge = 0; edge < 4 * features->tiles; edge++) {
        const int length = features->length[edge & 1];
        for (int p = 0; p < length; p++)
            find_input(tiling, has_gap, edge / 4, edge % 4, p, in + p * IN);
        run_network(&layers, in, was, is, length, out);
        for (int p = 0; p < length; p++)
            for (int o = 0; o < OUT; o++)
                terms_of(features, edge, o / 16)[o % 16 * length + p] = (uint16_t)out[p * OUT + o];
    }
    free(in);
    return 0;
}
