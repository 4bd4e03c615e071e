/* The image itself tells what neighbors look like, and what pixels look like that meet by
 * chance: two tables of frequencies. Their ratio judges every line on which there may be a seam. */
#include "stages/unscramble/boundaries.h"

#include <assert.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

#define MOST_LINES 256     /* of pixels that lines_take takes, */
#define LEAST_LINES 32     /* even where that is more than */
#define SAMPLE 1048576     /* pixels */
#define STRONG_BLOCKS 0.25 /* so much more evidence a pixel than others have hides seams */
#define VALUE_BITS 11      /* that are looked at: sums over three channels stay below 2^15 */
#define BINS 32            /* half octaves; a cell is a pair of them */
#define RUN 128            /* pixels of a row, */
#define BAND 32            /* and rows, that are looked at together */
#define MISFITS 0.02       /* of neighbors that look as if they met by chance */
#define LUCKY 0.2          /* of pixels at seams that look like neighbors */

static_assert(LOOKS == BINS * BINS, "a cell is a pair of bins");

/* Boundaries whose sides are from two places drawn by chance, of one line across the boundaries, as
 * a shuffle of strips moves pixels only along such evidence. */
struct chance {
    struct side {
        uint32_t row, column;         /* of the first of its two pixels */
        uint32_t next;                /* of those that begin in this row, of all sides; 0: none */
    } sides[2 * MOST_PAIRS + 1];      /* from 1 on, first all left or upper ones */
    int16_t values[3][4][MOST_PAIRS]; /* [channel][pixel] */
    uint16_t looks[MOST_PAIRS];
    uint32_t first[]; /* side of each row of the image; 0: none */
};

/* The values of RUN x BAND pixels, and of the neighbors that looks need: two columns left of them,
 * two rows above, one on the other sides. */
struct window {
    int16_t values[3][BAND + 3][RUN + 3];
};

/* How far samples of 16 bits are shifted, so that VALUE_BITS of the highest one are left. */
static int find_shift(const struct boundaries *b)
{
    const struct image *image = b->image;
    int highest = 0, shift = 0;
    if (image->depth < 16)
        return 0;
#pragma omp parallel for reduction(max : highest)
    for (int y = 0; y < b->size[Y]; y++) {
        const uint16_t *row = (const uint16_t *)image->pixels + 4 * (size_t)y * (size_t)b->size[X];
        image_pass_row(image);
        for (int x = 0; x < b->size[X]; x++)
            for (int c = 0; c < b->channels; c++)
                highest = row[4 * x + c] > highest ? row[4 * x + c] : highest;
    }
    while (highest >> shift >> VALUE_BITS)
        shift++;
    return shift;
}

/* The values of a channel of `count` pixels of a row, from column x on. */
static inline void read_values(
    const struct boundaries *b, int x, int y, int channel, int count, int16_t *values)
{
    const size_t first = 4 * ((size_t)y * (size_t)b->size[X] + (size_t)x) + (size_t)channel;
    const uint8_t *bytes = (const uint8_t *)b->image->pixels + first;
    const uint16_t *words = (const uint16_t *)b->image->pixels + first;
    for (int i = 0; i < count; i++)
        values[i] = b->image->depth == 16 ? (int16_t)(words[4 * i] >> b->shift) : bytes[4 * i];
}

/* Reads the window whose first pixel is in this column and row, as far as the image goes. */
static void read_window(const struct boundaries *b, int left, int top, struct window *window)
{
    const int x = left < 2 ? 0 : left - 2, end_x = least(left + RUN + 1, b->size[X]);
    const int end_y = least(top + BAND + 1, b->size[Y]);
    for (int y = top < 2 ? 0 : top - 2; y < end_y; y++)
        for (int c = 0; c < b->channels; c++)
            read_values(b, x, y, c, end_x - x, &window->values[c][y - top + 2][x - left + 2]);
}

/* Twice the exponent of n + 1 to the base 2, and 1 more from 1.5 times that power on. */
static inline uint32_t bin_of(int16_t n)
{
    const float number = (float)(n + 1);
    uint32_t bits;
    memcpy(&bits, &number, sizeof(bits));
    return (bits >> 22) - 2 * 127;
}

/* In 16 bits, for the compiler's vectors. */
static inline int16_t magnitude(int16_t n)
{
    const int16_t negative = (int16_t)-n;
    return n > negative ? n : negative;
}

/* What boundaries look like: the slopes on both sides of each, and how far the step is from what
 * they predict, summed over the channels. `step` leads from one pixel of a side to the next, the
 * channels are `plane` apart. */
static void make_looks(const int16_t *before, const int16_t *after, size_t step, size_t plane,
    int channels, int count, uint16_t *looks)
{
    for (int first = 0; first < count; first += RUN) {
        const int run = least(count - first, RUN);
        int16_t slopes[RUN], misses[RUN];
        memset(slopes, 0, (size_t)run * sizeof(*slopes));
        memset(misses, 0, (size_t)run * sizeof(*misses));
        for (int c = 0; c < channels; c++) {
            const int16_t *a = before + (size_t)c * plane + first, *left = a - step;
            const int16_t *b = after + (size_t)c * plane + first, *right = b + step;
#pragma omp simd
            for (int i = 0; i < run; i++) {
                const int16_t rise = (int16_t)(a[i] - left[i]), next = (int16_t)(right[i] - b[i]);
                const int16_t miss = (int16_t)(2 * (b[i] - a[i]) - rise - next);
                slopes[i] = (int16_t)(slopes[i] + magnitude(rise) + magnitude(next));
                misses[i] = (int16_t)(misses[i] + magnitude(miss));
            }
        }
#pragma omp simd
        for (int i = 0; i < run; i++)
            looks[first + i] = (uint16_t)(bin_of(slopes[i]) * BINS + bin_of(misses[i]));
    }
}

/* The looks of the boundaries before the pixels of BAND rows. */
static void make_band(const struct boundaries *b, int top)
{
    const size_t plane = sizeof(((struct window *)0)->values[0]) / sizeof(int16_t);
    const int end_y = least(top + BAND, b->size[Y]);
    struct window window;
    for (int y = top; y < end_y; y++) {
        image_pass_row(b->image);
        scratch_pass(b->scratch, AXES * (size_t)b->size[X] * sizeof(*b->looks[X]));
    }
    for (int left = 0; left < b->size[X]; left += RUN) {
        read_window(b, left, top, &window);
        for (int axis = 0; axis < AXES; axis++) {
            const size_t step = axis == X ? 1 : RUN + 3;
            /* Only boundaries that can be judged, with two pixels on each side. */
            const int first = axis == X && left == 0 ? 2 : left;
            const int end = least(left + RUN, axis == X ? b->size[X] - 1 : b->size[X]);
            for (int y = top; b->looks[axis] && y < end_y; y++) {
                const int16_t *after = &window.values[0][y - top + 2][first - left + 2];
                if (axis == X || can_be_judged(b, Y, y))
                    make_looks(after - step, after, step, plane, b->channels, end - first,
                        b->looks[axis] + (size_t)y * (size_t)b->size[X] + first);
            }
        }
    }
}

static void make_all_looks(struct boundaries *b)
{
    b->shift = find_shift(b);
#pragma omp parallel for
    for (int top = 0; top < b->size[Y]; top += BAND)
        make_band(b, top);
}

/* log(p(by chance) / p(neighbors)), over its mean by chance. */
static void make_odds(
    const uint64_t *neighbors, const uint32_t *chance, uint32_t pairs, float *odds)
{
    double total = 0, mean = 0;
    for (int i = 0; i < LOOKS; i++)
        total += (double)neighbors[i];
    for (int i = 0; i < LOOKS; i++) {
        const double near = (double)neighbors[i] / total, far = chance[i] / (double)pairs;
        const double few = 4 / total; /* what is rarer than this tells nothing */
        const double ratio = log(((1 - LUCKY) * far + LUCKY * near + few) /
                                 ((1 - MISFITS) * near + MISFITS * far + few));
        odds[i] = (float)ratio;
        mean += far * ratio;
    }
    for (int i = 0; i < LOOKS; i++)
        odds[i] = mean > 1e-3 ? (float)(odds[i] / mean) : 0;
}

/* The evidence of the columns from `first` to before `end`, row by row. */
static void sum_columns(struct boundaries *b, int first, int end)
{
    double *evidence = b->evidence[X];
    memset(evidence + first, 0, (size_t)(end - first) * sizeof(*evidence));
    first = first < 2 ? 2 : first;
    end = least(end, b->size[X] - 1);
    for (int y = 0; y < b->size[Y]; y++) {
        const uint16_t *looks = b->looks[X] + (size_t)y * (size_t)b->size[X];
        scratch_pass(b->scratch, (size_t)(end - first) * sizeof(*looks));
        for (int x = first; x < end; x++)
            evidence[x] += b->odds[X][kind_of(x)][looks[x]];
    }
}

static double sum_row(const struct boundaries *b, int y)
{
    const uint16_t *looks = b->looks[Y] + (size_t)y * (size_t)b->size[X];
    double sum = 0;
    if (!can_be_judged(b, Y, y))
        return 0;
    scratch_pass(b->scratch, (size_t)b->size[X] * sizeof(*looks));
    for (int x = 0; x < b->size[X]; x++)
        sum += b->odds[Y][kind_of(y)][looks[x]];
    return sum;
}

static void sum_evidence(struct boundaries *b, int axis)
{
    const int shares = axis == X ? least(omp_get_max_threads(), b->size[X]) : b->size[Y];
#pragma omp parallel for
    for (int i = 0; i < shares; i++)
        if (axis == X)
            sum_columns(b, (int)((int64_t)b->size[X] * i / shares),
                (int)((int64_t)b->size[X] * (i + 1) / shares));
        else
            b->evidence[Y][i] = sum_row(b, i);
}

/* JPEG leaves weak seams around its blocks: most boundaries there have more evidence than most
 * others, and less than seams. With tiles of 16 pixels every second of them is no seam.
 * Returns whether there are such blocks. `sorted` has room for twice the boundaries. */
static int find_blocks(struct boundaries *b, int axis, double *sorted)
{
    const int size = b->size[axis], across = b->size[!axis];
    int count[BOUNDARY_KINDS] = {0};
    double *of[BOUNDARY_KINDS] = {sorted, sorted + size};
    for (int i = 2; i < size - 1; i++)
        of[kind_of(i)][count[kind_of(i)]++] = b->evidence[axis][i];
    for (int kind = 0; kind < BOUNDARY_KINDS; kind++)
        qsort(of[kind], (size_t)count[kind], sizeof(**of), compare_doubles);
    if (count[ON_BLOCKS] < 4)
        return 0;
    const double low = of[ON_BLOCKS][count[ON_BLOCKS] / 4];
    const int found = low > of[PLAIN][count[PLAIN] * 3 / 4] && low < SEAM_SHARE * across;
    b->is_blocky[axis] = found && low - of[PLAIN][count[PLAIN] / 2] > STRONG_BLOCKS * across;
    return found;
}

/* Draws boundaries and counts what they look like. Pixels are read row by row, since the image may
 * be larger than memory. */
static void measure_chance(
    const struct boundaries *b, int axis, struct chance *chance, uint32_t counts[LOOKS])
{
    const uint64_t evidence = (uint64_t)b->size[!axis], places = (uint64_t)b->size[axis] - 3;
    uint64_t seed = 0;
    memset(chance->first, 0, (size_t)b->size[Y] * sizeof(*chance->first));
    for (uint32_t i = 0; i < b->pairs; i++) {
        const uint32_t line = (uint32_t)((random_bits(&seed) >> 32) * evidence >> 32);
        for (uint32_t is_second = 0; is_second < 2; is_second++) {
            const uint32_t place = (uint32_t)((random_bits(&seed) >> 32) * places >> 32);
            const uint32_t pixel = place + 2 * is_second, number = 1 + is_second * MOST_PAIRS + i;
            struct side *side = &chance->sides[number];
            side->row = axis == X ? line : pixel;
            side->column = axis == X ? pixel : line;
            side->next = chance->first[side->row];
            chance->first[side->row] = number;
        }
    }
    for (int y = 0; y < b->size[Y]; y++) {
        image_pass_row(b->image);
        for (uint32_t number = chance->first[y]; number; number = chance->sides[number].next) {
            const struct side *side = &chance->sides[number];
            const uint32_t i = (number - 1) % MOST_PAIRS, pixel = number > MOST_PAIRS ? 2 : 0;
            const int x = (int)side->column, next_x = axis == X ? x + 1 : x;
            for (int c = 0; c < b->channels; c++) {
                read_values(b, x, y, c, 1, &chance->values[c][pixel][i]);
                read_values(
                    b, next_x, axis == X ? y : y + 1, c, 1, &chance->values[c][pixel + 1][i]);
            }
        }
    }
    const int16_t *before = chance->values[0][1], *after = chance->values[0][2];
    make_looks(before, after, MOST_PAIRS, sizeof(*chance->values) / sizeof(*before), b->channels,
        (int)b->pairs, chance->looks);
    memset(counts, 0, LOOKS * sizeof(*counts));
    for (uint32_t i = 0; i < b->pairs; i++)
        counts[chance->looks[i]]++;
}

/* Counts what the boundaries of an axis look like. */
static void count_looks(
    const struct boundaries *b, int axis, uint64_t counts[BOUNDARY_KINDS][LOOKS])
{
#pragma omp parallel
    {
        uint64_t own[BOUNDARY_KINDS][LOOKS] = {{0}};
#pragma omp for nowait
        for (int y = 0; y < b->size[Y]; y++) {
            const uint16_t *looks = b->looks[axis] + (size_t)y * (size_t)b->size[X];
            scratch_pass(b->scratch, (size_t)b->size[X] * sizeof(*looks));
            for (int x = 0; x < b->size[X]; x++)
                if (can_be_judged(b, axis, axis == X ? x : y))
                    own[kind_of(axis == X ? x : y)][looks[x]]++;
        }
#pragma omp critical
        for (int kind = 0; kind < BOUNDARY_KINDS; kind++)
            for (int i = 0; i < LOOKS; i++)
                counts[kind][i] += own[kind][i];
    }
}

static void measure_axis(struct boundaries *b, int axis, struct chance *chance, double *sorted)
{
    uint64_t neighbors[BOUNDARY_KINDS][LOOKS] = {{0}}, all[LOOKS];
    uint32_t by_chance[LOOKS];
    memset(b->evidence[axis], 0, (size_t)b->size[axis] * sizeof(*b->evidence[axis]));
    if (b->size[axis] < 4)
        return;
    count_looks(b, axis, neighbors);
    measure_chance(b, axis, chance, by_chance);
    for (int i = 0; i < LOOKS; i++)
        all[i] = neighbors[PLAIN][i] + neighbors[ON_BLOCKS][i];
    make_odds(all, by_chance, b->pairs, b->odds[axis][PLAIN]);
    make_odds(all, by_chance, b->pairs, b->odds[axis][ON_BLOCKS]);
    sum_evidence(b, axis);
    if (find_blocks(b, axis, sorted)) {
        make_odds(neighbors[PLAIN], by_chance, b->pairs, b->odds[axis][PLAIN]);
        make_odds(neighbors[ON_BLOCKS], by_chance, b->pairs, b->odds[axis][ON_BLOCKS]);
        sum_evidence(b, axis);
    }
}

int boundaries_measure(
    const struct image *image, int axes, uint32_t pairs, struct boundaries *b, struct error *error)
{
    struct scratch *scratch = image->scratch;
    *b = (struct boundaries){.size = {image->width, image->height},
        .scratch = scratch,
        .image = image,
        .channels = image->channels < 3 ? 1 : 3,
        .pairs = pairs};
    const size_t width = (size_t)b->size[X], height = (size_t)b->size[Y], pixels = width * height;
    const size_t longest = width > height ? width : height;
    struct chance *chance =
        scratch_new(scratch, sizeof(*chance) + height * sizeof(*chance->first), error);
    double *sorted = scratch_new(scratch, 2 * longest * sizeof(*sorted), error);
    int rc = chance && sorted ? 0 : ERROR_INPUT;
    for (int axis = 0; rc == 0 && axis < AXES; axis++) {
        if (!(axes >> axis & 1))
            continue;
        b->looks[axis] = scratch_new(scratch, pixels * sizeof(*b->looks[axis]), error);
        b->evidence[axis] =
            scratch_new(scratch, (size_t)b->size[axis] * sizeof(*b->evidence[axis]), error);
        rc = b->looks[axis] && b->evidence[axis] ? 0 : ERROR_INPUT;
    }
    if (rc == 0)
        make_all_looks(b);
    for (int axis = 0; rc == 0 && axis < AXES; axis++)
        if (b->looks[axis])
            measure_axis(b, axis, chance, sorted);
    scratch_free(scratch, sorted);
    scratch_free(scratch, chance);
    return rc;
}

void boundaries_free(struct boundaries *b)
{
    for (int axis = 0; axis < AXES; axis++) {
        scratch_free(b->scratch, b->looks[axis]);
        scratch_free(b->scratch, b->evidence[axis]);
    }
}

int lines_take(const struct image *image, int axis, struct image *lines, struct error *error)
{
    const size_t pixel = image_pixel_size(image);
    const int across = axis == X ? image->height : image->width;
    const int along = axis == X ? image->width : image->height;
    const int most = least(MOST_LINES, SAMPLE / along);
    const int count = least(across, most > LEAST_LINES ? most : LEAST_LINES);
    const int rc = image_new_in(image->scratch, axis == X ? along : count,
        axis == X ? count : along, image->channels, image->depth, lines, error);
    char *to = lines->pixels;
    for (int y = 0; rc == 0 && y < lines->height; y++) {
        const int row = axis == X ? (int)((int64_t)y * across / count) : y;
        const char *from = (const char *)image->pixels + (size_t)row * (size_t)image->width * pixel;
        image_pass_row(image);
        image_pass_row(lines);
        if (axis == X) {
            memcpy(to, from, (size_t)image->width * pixel);
            to += (size_t)image->width * pixel;
            continue;
        }
        for (int x = 0; x < count; x++, to += pixel)
            memcpy(to, from + (size_t)((int64_t)x * across / count) * pixel, pixel);
    }
    return rc;
}
