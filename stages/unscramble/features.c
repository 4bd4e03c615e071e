#include "stages/unscramble/features.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "embed.h"
#include "stages/unscramble/unscramble.h"

EMBED(network_weights, "stages/unscramble/network.weights")

/* Pixels of edges that go through the network together, at most and at first. A launch has at most
 * MAX_PIXELS edges. */
enum { MAX_PIXELS = 65535, FIRST_PIXELS = 1 << 11 };

/* Seconds that edges should take together, so that a stop is soon heeded: on slow devices fewer go
 * together. */
#define PART_SECONDS 0.1

/* What a layer takes: `inputs` of as many pixels as shifts, and `taken` of what went in first. */
struct shape {
    unsigned inputs, shifts, taken, outputs;
};
static const struct shape FIRST = {NETWORK_INPUTS, 5, 0, NETWORK_CHANNELS};
static const struct shape MEANS = {NETWORK_CHANNELS, 1, 0, NETWORK_CHANNELS};
static const struct shape MIDDLE = {NETWORK_CHANNELS, 5, 0, NETWORK_CHANNELS};
static const struct shape LAST = {NETWORK_CHANNELS, 1, 3 * NETWORK_ROWS, NETWORK_OUTPUTS};

/* The layers of the network for whole tiles, and those of the one across a gap, whose first
 * GAP_SHARED have the weights of the former. NULL ends them; mean_mix makes the layer MIX. */
enum { MIX = 1, GAP_SHARED = 4, MAX_LAYERS = 7 };
static const struct shape *const SHAPES[2][MAX_LAYERS + 1] = {
    {&FIRST, &MEANS, &MIDDLE, &MIDDLE, &MIDDLE, &LAST},
    {&FIRST, &MEANS, &MIDDLE, &MIDDLE, &MIDDLE, &MIDDLE, &LAST}};

struct layer {
    const struct shape *shape;
    struct buffer weights, scales;
};

struct network {
    struct layer layers[MAX_LAYERS];
    int count;
    struct buffer tiles; /* the numbers of those that it looks at */
    struct buffer input, values[2], output;
    uint16_t *host_output; /* of so many edges as go together */
};

/* The tiles that a network is to look at. */
struct tile_list {
    int32_t *tile;
    size_t count;
};

static int16_t steps_of(float x)
{
    const float steps = x * NETWORK_STEPS, most = NETWORK_MOST;
    return (int16_t)lrintf(steps < -most ? -most : steps > most ? most : steps);
}

/* The inputs of all edges of left and right sides (axis 0), or of top and bottom ones (1). */
static struct inputs_args inputs_of(const struct tiling *t, int has_gap, int axis)
{
    const struct jpeg_origin *jpeg = &t->image->jpeg;
    struct inputs_args args = {.row_pixels = (uint32_t)t->image->width,
        .deep = t->image->depth == 16,
        .columns = (uint32_t)t->columns,
        .tile_width = (uint32_t)t->width,
        .tile_height = (uint32_t)t->height,
        .bleed = (uint32_t)t->bleed,
        .axis = (uint32_t)axis,
        .length = (uint32_t)(axis ? inner_width(t) : inner_height(t)),
        .is_jpeg = jpeg->luminance > 0,
        .gap = has_gap ? NETWORK_STEPS : 0};
    if (args.is_jpeg) {
        args.luminance = steps_of(jpeg->luminance);
        args.color = steps_of(jpeg->color);
        args.halved = steps_of((float)jpeg->is_halved);
    }
    return args;
}

static int upload(struct run *run, struct buffer *buffer, const void *bytes, size_t size)
{
    const int rc = buffer_new(&run->device, size, NULL, buffer, &run->error);
    return rc ? rc : buffer_upload(buffer, bytes, size, &run->error);
}

static unsigned terms_given(const struct shape *shape)
{
    return shape->inputs * shape->shifts + shape->taken;
}

/* The terms of an output, as the kernel takes them: further weights are 0. */
static unsigned terms_taken(const struct shape *shape)
{
    return (terms_given(shape) + CONVOLVE_TERMS - 1) / CONVOLVE_TERMS * CONVOLVE_TERMS;
}

/* Uploads the weights of a layer in pairs of terms, [pair][output][2]. */
static int pairs_upload(
    struct run *run, const struct shape *shape, const unsigned char *weights, struct buffer *buffer)
{
    const size_t outputs = shape->outputs, count = terms_taken(shape) * outputs;
    int16_t *pairs = calloc(count, sizeof(*pairs));
    if (!pairs)
        return error_set(&run->error, ERROR_INPUT, "not enough memory to compare the tiles");
    for (size_t i = 0; i < terms_given(shape) * outputs; i++) {
        const size_t term = i / outputs, output = i % outputs;
        pairs[(term / 2 * outputs + output) * 2 + term % 2] = (int16_t)(weights[i] - NETWORK_ZERO);
    }
    const int rc = upload(run, buffer, pairs, count * sizeof(*pairs));
    free(pairs);
    return rc;
}

/* Uploads what makes of a layer's sums the steps of its outputs, or those of terms. */
static int scales_upload(struct run *run, struct layer *layer, const char *from)
{
    const int is_last = layer->shape == &LAST;
    const float steps = is_last ? FEATURE_STEPS : NETWORK_STEPS;
    const unsigned outputs = layer->shape->outputs;
    float scales[2 * NETWORK_CHANNELS];
    memcpy(scales, from, 2 * outputs * sizeof(*scales));
    for (unsigned o = 0; o < outputs; o++) {
        scales[o] *= steps / NETWORK_STEPS;
        scales[outputs + o] = (scales[outputs + o] + (is_last ? FEATURE_MAX : 0)) * steps;
    }
    return upload(run, &layer->scales, scales, 2 * outputs * sizeof(*scales));
}

/* Where in network_weights the scales and biases of a layer lie, and its weights. */
struct parts {
    const char *scales, *weights;
};

/* Finds where the layers of a network lie. The file has the network for whole tiles first; where
 * the one across a gap shares its weights, they stay in `parts`. Returns how many layers it has. */
static int parts_find(int has_gap, struct parts *parts)
{
    const char *at = network_weights;
    int count = 0;
    for (int gap = 0; gap <= has_gap; gap++)
        for (count = 0; SHAPES[gap][count]; count++) {
            const struct shape *shape = SHAPES[gap][count];
            parts[count].scales = at;
            at += 2 * shape->outputs * sizeof(float);
            if (gap && count < GAP_SHARED)
                continue;
            parts[count].weights = at;
            at += terms_given(shape) * shape->outputs;
        }
    return count;
}

/* Readies a network for at most `edges` edges of `length` pixels at a time. network_close frees,
 * also where this fails. */
static int network_open(struct run *run, struct network *n, int has_gap,
    const struct tile_list *list, size_t edges, size_t length)
{
    struct parts parts[MAX_LAYERS];
    *n = (struct network){.count = parts_find(has_gap, parts)};
    n->host_output = malloc(NETWORK_OUTPUTS * edges * length * sizeof(*n->host_output));
    if (!n->host_output)
        return error_set(&run->error, ERROR_INPUT, "not enough memory to compare the tiles");
    int rc = upload(run, &n->tiles, list->tile, list->count * sizeof(*list->tile));
    for (int i = 0; rc == 0 && i < n->count; i++) {
        struct layer *layer = &n->layers[i];
        const struct shape *shape = layer->shape = SHAPES[has_gap][i];
        rc = scales_upload(run, layer, parts[i].scales);
        if (rc == 0)
            rc = i == MIX ? upload(run, &layer->weights, parts[i].weights,
                                terms_given(shape) * shape->outputs)
                          : pairs_upload(run, shape, (const unsigned char *)parts[i].weights,
                                &layer->weights);
    }
    const size_t pixels = edges * length * sizeof(int16_t);
    if (rc == 0)
        rc = buffer_new(&run->device, NETWORK_INPUTS * pixels, NULL, &n->input, &run->error);
    for (int i = 0; rc == 0 && i < 2; i++)
        rc = buffer_new(&run->device, NETWORK_CHANNELS * pixels, NULL, &n->values[i], &run->error);
    return rc ? rc
              : buffer_new(&run->device, NETWORK_OUTPUTS * pixels, NULL, &n->output, &run->error);
}

static void network_close(struct network *n)
{
    for (int i = 0; i < n->count; i++) {
        buffer_free(&n->layers[i].weights);
        buffer_free(&n->layers[i].scales);
    }
    free(n->host_output);
    buffer_free(&n->tiles);
    buffer_free(&n->input);
    buffer_free(&n->values[0]);
    buffer_free(&n->values[1]);
    buffer_free(&n->output);
}

/* Runs the layers over edges whose input is on the device. `done` is the share of the stage that is
 * done at the end, for progress. */
static int network_run(
    struct run *run, struct network *n, uint32_t edges, uint32_t length, double done)
{
    const double begin = run->launch_to;
    const uint32_t runs = (length + 31) / 32;
    const struct buffer *from = &n->input;
    int rc = 0;
    for (int i = 0; rc == 0 && i < n->count; i++) {
        const struct layer *layer = &n->layers[i];
        const struct shape *shape = layer->shape;
        const int is_last = shape == &LAST;
        run->launch_from = run->launch_to;
        run->launch_to = begin + (done - begin) * (i + 1) / n->count;
        const struct convolve_args args = {.length = length,
            .inputs = shape->inputs,
            .shifts = shape->shifts,
            .further = NETWORK_INPUTS,
            .taken = terms_taken(shape) - shape->inputs * shape->shifts,
            .adds = shape == &MIDDLE,
            .most = is_last ? TERM_MAX : NETWORK_MOST};
        if (i == MIX) {
            rc = DEVICE_LAUNCH(&run->device, KERNEL_mean_mix, 1, edges, &run->error,
                ARGUMENT_BUFFER(&layer->weights), ARGUMENT_BUFFER(&layer->scales),
                ARGUMENT_BUFFER(from), ARGUMENT(length));
            continue;
        }
        struct buffer *to = is_last ? &n->output : &n->values[from == &n->values[0]];
        rc = DEVICE_LAUNCH(&run->device, is_last ? KERNEL_convolve_last : KERNEL_convolve, runs,
            edges, &run->error, ARGUMENT_BUFFER(from), ARGUMENT_BUFFER(&n->input),
            ARGUMENT_BUFFER(&layer->weights), ARGUMENT_BUFFER(&layer->scales), ARGUMENT_BUFFER(to),
            ARGUMENT(args));
        from = to;
    }
    return rc;
}

/* Downloads what the network has made of so many edges, two of each of the tiles whose numbers
 * begin at `tile`, and stores it in the terms. */
static int take_output(struct run *run, struct network *n, const int32_t *tile, size_t edges,
    int axis, struct terms *features)
{
    const size_t out = 2 * NETWORK_OUTPUTS * (size_t)features->length[axis]; /* of a tile */
    const size_t size = out * sizeof(*n->host_output);
    const int rc = buffer_download(&n->output, n->host_output, edges / 2 * size, &run->error);
    if (rc)
        return rc;
#pragma omp parallel for
    for (size_t i = 0; i < edges / 2; i++)
        memcpy(features->value[axis] + (size_t)tile[i] * out, n->host_output + i * out, size);
    return 0;
}

/* How many edges go together of that many pixels: those of whole tiles, of one at least. */
static size_t edges_together(size_t pixels, size_t length)
{
    return pixels < 2 * length ? 2 : pixels / length / 2 * 2;
}

/* The edges of left and right sides (axis 0) or of top and bottom ones (1). */
static int make_half(struct run *run, const struct buffer *pixels, const struct tiling *tiling,
    int has_gap, int axis, const struct tile_list *list, struct terms *features)
{
    struct network network;
    struct inputs_args args = inputs_of(tiling, has_gap, axis);
    const size_t length = args.length, edges = 2 * list->count;
    const size_t room = edges_together(MAX_PIXELS, length);
    const size_t most = edges < room ? edges : room;
    size_t part = edges_together(FIRST_PIXELS, length);
    int rc = network_open(run, &network, has_gap, list, most, length);
    for (size_t first = 0, count; rc == 0 && first < edges; first += count) {
        const double begin = omp_get_wtime();
        part = part < most ? part : most;
        count = edges - first < part ? edges - first : part;
        const double done = (axis + (double)(first + count) / (double)edges) / 2;
        run->launch_from = run->launch_to = (axis + (double)first / (double)edges) / 2;
        args.first = (uint32_t)first;
        rc = DEVICE_LAUNCH(&run->device, KERNEL_network_inputs, count, 1, &run->error,
            ARGUMENT_BUFFER(pixels), ARGUMENT_BUFFER(&network.tiles),
            ARGUMENT_BUFFER(&network.input), ARGUMENT(args));
        if (rc == 0)
            rc = network_run(run, &network, (uint32_t)count, (uint32_t)length, done);
        if (rc == 0)
            rc = take_output(run, &network, list->tile + first / 2, count, axis, features);
        if (rc == 0)
            rc = run_progress(run, done);
        if (omp_get_wtime() - begin < PART_SECONDS)
            part *= 2;
    }
    network_close(&network);
    return rc;
}

/* Makes room for the terms of all tiles, of which none are made yet. */
static int make_room(struct run *run, const struct tiling *tiling, struct terms *features)
{
    const int length[2] = {inner_height(tiling), inner_width(tiling)};
    const int rc = terms_new(
        tiling->columns * tiling->rows, NETWORK_OUTPUTS / 2, length, features, &run->error);
    if (rc)
        return rc;
    features->are_learned = 1;
    features->is_made = calloc((size_t)features->tiles, 1);
    return features->is_made
               ? 0
               : error_set(&run->error, ERROR_INPUT, "not enough memory to compare the tiles");
}

/* Lists the wanted tiles that are not made yet. */
static int list_tiles(
    struct run *run, const struct terms *features, const uint8_t *is_wanted, struct tile_list *list)
{
    list->tile = malloc((size_t)features->tiles * sizeof(*list->tile));
    if (!list->tile)
        return error_set(&run->error, ERROR_INPUT, "not enough memory to compare the tiles");
    for (int32_t i = 0; i < features->tiles; i++)
        if (!features->is_made[i] && (!is_wanted || is_wanted[i]))
            list->tile[list->count++] = i;
    return 0;
}

int features_make(struct run *run, const struct buffer *pixels, const struct tiling *tiling,
    int has_gap, const uint8_t *is_wanted, struct terms *features)
{
    struct tile_list list = {0};
    int rc = features->tiles ? 0 : make_room(run, tiling, features);
    if (rc == 0)
        rc = list_tiles(run, features, is_wanted, &list);
    for (int axis = 0; rc == 0 && list.count && axis < 2; axis++)
        rc = make_half(run, pixels, tiling, has_gap, axis, &list, features);
    for (size_t i = 0; rc == 0 && i < list.count; i++)
        features->is_made[list.tile[i]] = 1;
    free(list.tile);
    if (rc)
        terms_free(features);
    return rc;
}

static int features_run(struct run *run, struct unscramble *u)
{
    const int has_gap = dissimilarity_has_gap(u->dissimilarity);
    const struct tiling tiling = unscramble_tiling(u);
    return features_make(
        run, &u->pixels, &tiling, has_gap, unscramble_tiles_to_look_at(u), &u->features[has_gap]);
}

const struct unscramble_stage FEATURES = {
    .stage = {"features", "have a network say what lies at each edge, and what beyond"},
    .run = features_run,
};
