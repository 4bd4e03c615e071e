/* As long as there are few colors, each is one of the palette. More fall into bins, of which each
 * gray has one of its own, since steps between grays are seen best. The bins are cut into boxes.
 * The next to be cut is always the one whose sum of squared distances from the mean, in the channel
 * where that is largest, is the largest; it is cut in this channel, at the mean. The mean of each
 * box is a color of the palette. */
#include "images/palette.h"

#include <stdlib.h>
#include <string.h>

enum {
    BITS = 6,
    GRAYS = 1 << 3 * BITS,
    BINS = GRAYS + 256,
    NONE = PALETTE_MAX,
    SIDE = 8,
    SLOT_BITS = 10
};

struct bin {
    uint64_t count, sums[3]; /* of the pixels in it, and of their colors */
};

/* The bins used[first] to used[last - 1]. */
struct box {
    int first, last;
    double mean[3];
    double spread; /* the sum of squared distances from the mean in the channel with most of it */
    int channel;   /* which that is */
};

struct palette_work {
    int are_few;                    /* the colors taken so far are those of the palette */
    uint16_t slots[1 << SLOT_BITS]; /* their numbers by their hash; NONE: it is free */
    struct bin bins[BINS];
    int used[BINS], used_count;
    struct box boxes[PALETTE_MAX];
    uint16_t nearest[BINS]; /* the color for the middle of a bin; NONE: not looked for yet */
};

int palette_new(struct palette *palette)
{
    *palette = (struct palette){.work = malloc(sizeof(*palette->work))};
    return palette->work ? 0 : -1;
}

void palette_free(struct palette *palette)
{
    free(palette->work);
    *palette = (struct palette){0};
}

void palette_clear(struct palette *palette)
{
    struct palette_work *work = palette->work;
    palette->count = 0;
    work->are_few = 1;
    work->used_count = 0;
    memset(work->bins, 0, sizeof(work->bins));
    for (int i = 0; i < 1 << SLOT_BITS; i++)
        work->slots[i] = NONE;
    for (int i = 0; i < BINS; i++)
        work->nearest[i] = NONE;
}

static int is_gray(const uint8_t *color)
{
    return color[0] == color[1] && color[1] == color[2];
}

static int bin_of(const uint8_t *color)
{
    if (is_gray(color))
        return GRAYS + color[0];
    return color[0] >> (8 - BITS) << 2 * BITS | color[1] >> (8 - BITS) << BITS |
           color[2] >> (8 - BITS);
}

/* The slot of a color while there are few, or a free one, since there are more slots than these. */
static uint16_t *slot_of(const struct palette *palette, const uint8_t *color)
{
    uint16_t *slots = palette->work->slots;
    uint32_t hash = (uint32_t)color[0] << 16 | (uint32_t)color[1] << 8 | color[2];
    hash = hash * 0x9e3779b1 >> (32 - SLOT_BITS);
    while (slots[hash] != NONE && memcmp(palette->colors[slots[hash]], color, 3) != 0)
        hash = (hash + 1) % (1 << SLOT_BITS);
    return &slots[hash];
}

static void take_exactly(struct palette *palette, const uint8_t *color)
{
    uint16_t *slot = slot_of(palette, color);
    if (*slot != NONE)
        return;
    palette->work->are_few = palette->count < PALETTE_MAX;
    if (!palette->work->are_few)
        return;
    *slot = (uint16_t)palette->count;
    memcpy(palette->colors[palette->count++], color, 3);
}

int palette_has(const struct palette *palette, const uint8_t *pixel)
{
    return palette->work->are_few && *slot_of(palette, pixel) != NONE;
}

void palette_take(struct palette *palette, const uint8_t *pixel)
{
    struct palette_work *work = palette->work;
    const int number = bin_of(pixel);
    struct bin *bin = &work->bins[number];
    if (work->are_few)
        take_exactly(palette, pixel);
    if (bin->count++ == 0)
        work->used[work->used_count++] = number;
    for (int c = 0; c < 3; c++)
        bin->sums[c] += pixel[c];
}

static double mean_of(const struct bin *bin, int channel)
{
    return (double)bin->sums[channel] / (double)bin->count;
}

static struct box measure(const struct palette_work *work, int first, int last)
{
    struct box box = {.first = first, .last = last};
    double count = 0, sums[3] = {0}, spreads[3] = {0};
    for (int i = first; i < last; i++) {
        const struct bin *bin = &work->bins[work->used[i]];
        count += (double)bin->count;
        for (int c = 0; c < 3; c++)
            sums[c] += (double)bin->sums[c];
    }
    for (int c = 0; c < 3; c++)
        box.mean[c] = sums[c] / count;
    for (int i = first; i < last; i++) {
        const struct bin *bin = &work->bins[work->used[i]];
        for (int c = 0; c < 3; c++) {
            const double step = mean_of(bin, c) - box.mean[c];
            spreads[c] += (double)bin->count * step * step;
        }
    }
    for (int c = 1; c < 3; c++)
        if (spreads[c] > spreads[box.channel])
            box.channel = c;
    box.spread = last - first > 1 ? spreads[box.channel] : 0;
    return box;
}

/* Brings the bins of a box that are not above its mean before the others. Returns where those
 * begin. */
static int part(struct palette_work *work, const struct box *box)
{
    int *used = work->used, middle = box->first;
    for (int i = box->first; i < box->last; i++)
        if (mean_of(&work->bins[used[i]], box->channel) <= box->mean[box->channel]) {
            const int lower = used[i];
            used[i] = used[middle];
            used[middle++] = lower;
        }
    return middle;
}

void palette_choose(struct palette *palette, int most)
{
    struct palette_work *work = palette->work;
    struct box *boxes = work->boxes;
    int count = 1;
    if (work->are_few && palette->count <= most)
        return;
    work->are_few = 0;
    boxes[0] = measure(work, 0, work->used_count);
    while (count < most) {
        struct box *widest = boxes;
        for (int i = 1; i < count; i++)
            if (boxes[i].spread > widest->spread)
                widest = &boxes[i];
        const struct box box = *widest;
        const int middle = box.spread > 0 ? part(work, &box) : box.last;
        if (middle == box.first || middle == box.last)
            break;
        *widest = measure(work, box.first, middle);
        boxes[count++] = measure(work, middle, box.last);
    }
    for (int i = 0; i < count; i++)
        for (int c = 0; c < 3; c++)
            palette->colors[i][c] = (uint8_t)(boxes[i].mean[c] + 0.5);
    palette->count = count;
}

/* The number of the color nearest to that one, or to the middle of its bin. */
static int find_nearest(const struct palette *palette, const uint8_t *color)
{
    uint16_t *known = &palette->work->nearest[bin_of(color)];
    int middle[3], best = 0, least = 1 << 30;
    if (*known != NONE)
        return *known;
    for (int c = 0; c < 3; c++)
        middle[c] =
            is_gray(color) ? color[c] : (color[c] >> (8 - BITS) << (8 - BITS)) + (1 << (7 - BITS));
    for (int i = 0; i < palette->count; i++) {
        int distance = 0;
        for (int c = 0; c < 3; c++) {
            const int step = middle[c] - palette->colors[i][c];
            distance += step * step;
        }
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    *known = (uint16_t)best;
    return best;
}

int palette_find(struct palette *palette, const uint8_t *pixel, int x, int y)
{
    /* Bayer's order of 8 x 8 places. More than two steps of 255 up and down would show as noise;
     * none would show as bands. */
    static const int8_t ORDER[SIDE][SIDE] = {{0, 32, 8, 40, 2, 34, 10, 42},
        {48, 16, 56, 24, 50, 18, 58, 26}, {12, 44, 4, 36, 14, 46, 6, 38},
        {60, 28, 52, 20, 62, 30, 54, 22}, {3, 35, 11, 43, 1, 33, 9, 41},
        {51, 19, 59, 27, 49, 17, 57, 25}, {15, 47, 7, 39, 13, 45, 5, 37},
        {63, 31, 55, 23, 61, 29, 53, 21}};
    if (palette->work->are_few)
        return *slot_of(palette, pixel);
    const int own = find_nearest(palette, pixel);
    if (memcmp(palette->colors[own], pixel, 3) == 0)
        return own;
    const int offset = (ORDER[y % SIDE][x % SIDE] + 8) / 16 - 2;
    uint8_t color[3];
    for (int c = 0; c < 3; c++) {
        const int value = pixel[c] + offset;
        color[c] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
    }
    return find_nearest(palette, color);
}
