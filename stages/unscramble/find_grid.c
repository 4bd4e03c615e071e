/* The image itself tells what neighbors look like, and what pixels look like that meet by
 * chance: two tables of frequencies. Their ratio judges every line on which there may be a seam. */
#include "stages/unscramble/find_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

enum { X, Y, AXES };              /* boundary i of an axis is between its pixels i - 1 and i */
enum { PLAIN, ON_BLOCKS, KINDS }; /* of boundaries: those between the blocks of JPEG differ */

#define BLOCK 8            /* pixels a side of a block of JPEG */
#define STRONG_BLOCKS 0.25 /* evidence above that of other boundaries, of 1 that seams have */
#define VALUE_BITS 11      /* that are looked at: sums over three channels stay below 2^15 */
#define BINS 32            /* half octaves */
#define CELLS (BINS * BINS)
#define RUN 128      /* pixels that are looked at together */
#define PAIRS 65536  /* of sides of boundaries that meet by chance */
#define MISFITS 0.02 /* of neighbors that look as if they met by chance */
#define LUCKY 0.2    /* of pixels at seams that look like neighbors */
#define SIZES 4      /* tile sizes of each axis that are tried with each other */
#define TRIALS (2 * SIZES * SIZES)

/* A guess is sure if each axis has SURE_SHARE of evidence a pixel of its seams, and if every other
 * grid is behind by SURE_MARGIN a pixel of the seams that only one of the two has; these must lie
 * along SURE_EDGES edges of tiles, where one that is seen counts for EDGE_SEEN that are not. */
#define SURE_SHARE 0.5
#define SURE_MARGIN 0.25
#define SURE_EDGES 6
#define EDGE_SEEN 6

struct field {
    int size[AXES]; /* pixels */
    int channels;
    struct scratch *scratch;
    int16_t *values;                /* [channel][y][x] */
    uint16_t *cells[AXES];          /* [y][x]: what the boundary before that pixel looks like */
    float odds[AXES][KINDS][CELLS]; /* evidence of a pixel of a boundary that looks so */
    double *lines[AXES];            /* evidence of the pixels of each boundary */
    int is_blocky[AXES];            /* JPEG's blocks hide seams: none within them, some on them */
};

/* Boundaries whose sides are from two places drawn by chance, of one line across the boundaries, as
 * a shuffle of strips moves pixels only along such lines. */
struct chance {
    struct side {
        uint32_t row, column;    /* of the first of its two pixels */
        uint32_t next;           /* of those that begin in this row, of all sides; 0: none */
    } sides[2 * PAIRS + 1];      /* from 1 on, first all left or upper ones */
    int16_t values[3][4][PAIRS]; /* [channel][pixel] */
    uint16_t cells[PAIRS];
    uint32_t first[]; /* side of each row of the image; 0: none */
};

/* A candidate, with its evidence along each axis. */
struct trial {
    struct grid_candidate candidate;
    double evidence[AXES];
};

static int least(int a, int b)
{
    return a < b ? a : b;
}

static void values_read(const struct image *image, struct field *f)
{
    const size_t pixels = (size_t)f->size[X] * (size_t)f->size[Y];
    const uint8_t *bytes = image->pixels;
    const uint16_t *words = image->pixels;
    int shift = 0;
    if (image->depth == 16) {
        uint16_t highest = 0;
        for (size_t i = 0; i < pixels; i++)
            for (int c = 0; c < f->channels; c++)
                highest = words[4 * i + (size_t)c] > highest ? words[4 * i + (size_t)c] : highest;
        while (highest >> shift >> VALUE_BITS)
            shift++;
    }
    for (int c = 0; c < f->channels; c++) {
        int16_t *values = f->values + (size_t)c * pixels;
        if (image->depth == 16)
            for (size_t i = 0; i < pixels; i++)
                values[i] = (int16_t)(words[4 * i + (size_t)c] >> shift);
        else
            for (size_t i = 0; i < pixels; i++)
                values[i] = bytes[4 * i + (size_t)c];
    }
}

/* The exponent of n + 1 to the base 2, and whether 1.5 times that power is reached. */
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
static void cells_make(const int16_t *before, const int16_t *after, size_t step, size_t plane,
    int channels, int count, uint16_t *cells)
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
            cells[first + i] = (uint16_t)(bin_of(slopes[i]) * BINS + bin_of(misses[i]));
    }
}

static int kind_of(int boundary)
{
    return boundary % BLOCK ? PLAIN : ON_BLOCKS;
}

/* log(p(by chance) / p(neighbors)), over its mean by chance. */
static void odds_make(const uint64_t *neighbors, const uint32_t *chance, float *odds)
{
    double total = 0, mean = 0;
    for (int i = 0; i < CELLS; i++)
        total += (double)neighbors[i];
    for (int i = 0; i < CELLS; i++) {
        const double near = (double)neighbors[i] / total, far = chance[i] / (double)PAIRS;
        const double few = 4 / total; /* what is rarer than this tells nothing */
        const double ratio = log(((1 - LUCKY) * far + LUCKY * near + few) /
                                 ((1 - MISFITS) * near + MISFITS * far + few));
        odds[i] = (float)ratio;
        mean += far * ratio;
    }
    for (int i = 0; i < CELLS; i++)
        odds[i] = mean > 1e-3 ? (float)(odds[i] / mean) : 0;
}

/* The boundaries that can be judged have two pixels on each side. */
static int is_inside(const struct field *f, int axis, int boundary)
{
    return boundary >= 2 && boundary < f->size[axis] - 1;
}

static void lines_sum(struct field *f, int axis)
{
    memset(f->lines[axis], 0, (size_t)f->size[axis] * sizeof(*f->lines[axis]));
    for (int y = 0; y < f->size[Y]; y++) {
        const uint16_t *cells = f->cells[axis] + (size_t)y * (size_t)f->size[X];
        if (axis == X)
            for (int x = 2; x < f->size[X] - 1; x++)
                f->lines[X][x] += f->odds[X][kind_of(x)][cells[x]];
        else if (is_inside(f, Y, y))
            for (int x = 0; x < f->size[X]; x++)
                f->lines[Y][y] += f->odds[Y][kind_of(y)][cells[x]];
    }
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* JPEG leaves weak seams around its blocks: most boundaries there have more evidence than most
 * others, and less than seams. With tiles of 16 pixels half of them are neighbors as anywhere.
 * Returns whether there are such blocks. `sorted` has room for twice the boundaries. */
static int find_blocks(struct field *f, int axis, double *sorted)
{
    const int size = f->size[axis], across = f->size[!axis];
    int count[KINDS] = {0};
    double *of[KINDS] = {sorted, sorted + size};
    for (int i = 2; i < size - 1; i++)
        of[kind_of(i)][count[kind_of(i)]++] = f->lines[axis][i];
    for (int kind = 0; kind < KINDS; kind++)
        qsort(of[kind], (size_t)count[kind], sizeof(**of), compare_doubles);
    if (count[ON_BLOCKS] < 4)
        return 0;
    const double low = of[ON_BLOCKS][count[ON_BLOCKS] / 4];
    const int found = low > of[PLAIN][count[PLAIN] * 3 / 4] && low < SURE_SHARE * across;
    f->is_blocky[axis] = found && low - of[PLAIN][count[PLAIN] / 2] > STRONG_BLOCKS * across;
    return found;
}

/* Draws PAIRS boundaries and counts what they look like. Pixels are read row by row, since the
 * image may be larger than memory. */
static void chance_measure(
    const struct field *f, int axis, struct chance *chance, uint32_t counts[CELLS])
{
    const size_t width = (size_t)f->size[X], plane = width * (size_t)f->size[Y];
    const uint64_t lines = (uint64_t)f->size[!axis], places = (uint64_t)f->size[axis] - 3;
    uint64_t seed = 0;
    memset(chance->first, 0, (size_t)f->size[Y] * sizeof(*chance->first));
    for (uint32_t i = 0; i < PAIRS; i++) {
        const uint32_t line = (uint32_t)((random_bits(&seed) >> 32) * lines >> 32);
        for (uint32_t is_second = 0; is_second < 2; is_second++) {
            const uint32_t place = (uint32_t)((random_bits(&seed) >> 32) * places >> 32);
            const uint32_t pixel = place + 2 * is_second, number = 1 + is_second * PAIRS + i;
            struct side *side = &chance->sides[number];
            side->row = axis == X ? line : pixel;
            side->column = axis == X ? pixel : line;
            side->next = chance->first[side->row];
            chance->first[side->row] = number;
        }
    }
    for (int y = 0; y < f->size[Y]; y++) {
        scratch_pass(f->scratch, width * (size_t)f->channels * sizeof(*f->values));
        for (uint32_t number = chance->first[y]; number; number = chance->sides[number].next) {
            const struct side *side = &chance->sides[number];
            const uint32_t i = (number - 1) % PAIRS, pixel = number > PAIRS ? 2 : 0;
            for (int c = 0; c < f->channels; c++) {
                const int16_t *value =
                    f->values + (size_t)c * plane + side->row * width + side->column;
                chance->values[c][pixel][i] = value[0];
                chance->values[c][pixel + 1][i] = value[axis == X ? 1 : width];
            }
        }
    }
    const int16_t *before = chance->values[0][1], *after = chance->values[0][2];
    cells_make(before, after, PAIRS, sizeof(*chance->values) / sizeof(*before), f->channels, PAIRS,
        chance->cells);
    memset(counts, 0, CELLS * sizeof(*counts));
    for (int i = 0; i < PAIRS; i++)
        counts[chance->cells[i]]++;
}

static void axis_measure(struct field *f, int axis, struct chance *chance, double *scratch)
{
    const int width = f->size[X], height = f->size[Y];
    const int left = axis == X ? 2 : 0, top = axis == Y ? 2 : 0;
    const int columns = width - left - (axis == X), rows = height - top - (axis == Y);
    const size_t step = axis == X ? 1 : (size_t)width;
    uint64_t neighbors[KINDS][CELLS] = {{0}}, all[CELLS];
    uint32_t by_chance[CELLS];
    memset(f->lines[axis], 0, (size_t)f->size[axis] * sizeof(*f->lines[axis]));
    if (columns <= 0 || rows <= 0)
        return;
#pragma omp parallel for
    for (int y = top; y < top + rows; y++) {
        const size_t first = (size_t)y * (size_t)width + (size_t)left;
        scratch_pass(f->scratch, (size_t)(f->channels + 1) * (size_t)width * sizeof(*f->values));
        cells_make(f->values + first - step, f->values + first, step,
            (size_t)width * (size_t)height, f->channels, columns, f->cells[axis] + first);
    }
    for (int y = top; y < top + rows; y++)
        for (int x = left; x < left + columns; x++)
            neighbors[kind_of(axis == X ? x : y)]
                     [f->cells[axis][(size_t)y * (size_t)width + (size_t)x]]++;
    chance_measure(f, axis, chance, by_chance);
    for (int i = 0; i < CELLS; i++)
        all[i] = neighbors[PLAIN][i] + neighbors[ON_BLOCKS][i];
    odds_make(all, by_chance, f->odds[axis][PLAIN]);
    odds_make(all, by_chance, f->odds[axis][ON_BLOCKS]);
    lines_sum(f, axis);
    if (find_blocks(f, axis, scratch)) {
        odds_make(neighbors[PLAIN], by_chance, f->odds[axis][PLAIN]);
        odds_make(neighbors[ON_BLOCKS], by_chance, f->odds[axis][ON_BLOCKS]);
        lines_sum(f, axis);
    }
}

/* The sizes of tiles along an axis with the most evidence in whole lines, the best first, the whole
 * image first of equals. Returns how many. */
static int sizes_choose(const struct field *f, int axis, int *sizes)
{
    const int size = f->size[axis];
    double evidence[SIZES + 1];
    int found[SIZES + 1] = {size}, count = 1;
    evidence[0] = 0;
    for (int tile = size / 2; tile >= GRID_MIN_TILE; tile--) {
        double sum = 0, most = -INFINITY;
        for (int k = 1; k * tile <= size; k++) {
            sum += is_inside(f, axis, k * tile) ? f->lines[axis][k * tile] : 0;
            most = size / k == tile && sum > most ? sum : most;
        }
        if (most == -INFINITY) /* no count of tiles gives this size */
            continue;
        int place = count;
        for (; place > 0 && most > evidence[place - 1]; place--) {
            evidence[place] = evidence[place - 1];
            found[place] = found[place - 1];
        }
        evidence[place] = most;
        found[place] = tile;
        count += count < SIZES;
    }
    memcpy(sizes, found, (size_t)count * sizeof(*sizes));
    return count;
}

/* The two best grids of a size of tiles; of equals that with more tiles. sums has room for a row of
 * tiles, at least two, and half as much again: the evidence of the seams right of and below each
 * tile, up to there, and of single seams. */
static void grids_try(const struct field *f, int tile_width, int tile_height, double (*sums)[AXES],
    struct trial *best)
{
    const int width = f->size[X], height = f->size[Y];
    const int columns = width / tile_width, rows = height / tile_height;
    double *right = sums[columns]; /* of each tile of the row, the seam right of it */
    best[0] = best[1] = (struct trial){.candidate.evidence = -INFINITY};
    memset(sums, 0, (size_t)columns * sizeof(*sums));
    for (int row = 1; row <= rows; row++) {
        double so_far[AXES] = {0};
        memset(right, 0, (size_t)columns * sizeof(*right));
        for (int i = (row - 1) * tile_height; i < row * tile_height; i++) {
            const uint16_t *cells = f->cells[X] + (size_t)i * (size_t)width;
            scratch_pass(f->scratch, (size_t)width * sizeof(*cells));
            for (int k = 0, x = tile_width; is_inside(f, X, x); k++, x += tile_width)
                right[k] += f->odds[X][kind_of(x)][cells[x]];
        }
        for (int column = 1; column <= columns; column++) {
            const int x = column * tile_width, y = row * tile_height;
            so_far[X] += right[column - 1];
            if (is_inside(f, Y, y))
                for (int i = x - tile_width; i < x; i++)
                    so_far[Y] +=
                        f->odds[Y][kind_of(y)][f->cells[Y][(size_t)y * (size_t)width + (size_t)i]];
            double *sum = sums[column - 1];
            sum[X] += so_far[X];
            sum[Y] += so_far[Y];
            if (width / column != tile_width || height / row != tile_height)
                continue;
            const struct trial trial = {{{(uint32_t)column, (uint32_t)row}, (uint32_t)tile_width,
                                            (uint32_t)tile_height, sum[X] + sum[Y]},
                {sum[X], sum[Y]}};
            if (trial.candidate.evidence >= best[0].candidate.evidence) {
                best[1] = best[0];
                best[0] = trial;
            } else if (trial.candidate.evidence >= best[1].candidate.evidence) {
                best[1] = trial;
            }
        }
    }
}

static int compare_trials(const void *a, const void *b)
{
    const struct grid_candidate *p = &((const struct trial *)a)->candidate;
    const struct grid_candidate *q = &((const struct trial *)b)->candidate;
    if (p->evidence != q->evidence)
        return p->evidence > q->evidence ? -1 : 1;
    const uint64_t m = (uint64_t)p->tile_width * p->tile_height,
                   n = (uint64_t)q->tile_width * q->tile_height;
    if (m != n)
        return m > n ? -1 : 1;
    return (grid_tiles(p->grid) < grid_tiles(q->grid)) -
           (grid_tiles(p->grid) > grid_tiles(q->grid));
}

static int64_t common_multiple(int64_t a, int64_t b)
{
    int64_t divisor = a, rest = b;
    while (rest) {
        const int64_t next = divisor % rest;
        divisor = rest;
        rest = next;
    }
    return a / divisor * b;
}

static int tile_size(const struct grid_candidate *c, int axis)
{
    return (int)(axis == X ? c->tile_width : c->tile_height);
}

/* The pixels of that part of an axis that is tiles. */
static int tiled(const struct grid_candidate *c, int axis)
{
    return (int)(axis == X ? c->grid.columns : c->grid.rows) * tile_size(c, axis);
}

/* The pixels of the seams between the tiles of an axis that two grids share, or one with itself. */
static double seams_shared(
    const struct field *f, int axis, const struct grid_candidate *p, const struct grid_candidate *q)
{
    const int end = least(least(tiled(p, axis), tiled(q, axis)), f->size[axis] - 2);
    const int64_t lines = end / common_multiple(tile_size(p, axis), tile_size(q, axis));
    return (double)lines * least(tiled(p, !axis), tiled(q, !axis));
}

/* A seam that is not seen tells little, since some tiles fit by chance. */
static int is_sure(const struct field *f, const struct trial *trials, int count)
{
    const struct grid_candidate *first = &trials->candidate;
    int sure = grid_tiles(first->grid) > 1;
    for (int axis = 0; axis < AXES; axis++)
        sure &= !f->is_blocky[axis] &&
                trials->evidence[axis] >= SURE_SHARE * seams_shared(f, axis, first, first);
    for (int i = 1; i < count && sure; i++) {
        const struct grid_candidate *other = &trials[i].candidate;
        double pixels = 0, edges = 0;
        for (int axis = 0; axis < AXES; axis++) {
            const double both = seams_shared(f, axis, first, other);
            const double seen = seams_shared(f, axis, first, first) - both;
            const double unseen = seams_shared(f, axis, other, other) - both;
            pixels += seen + unseen;
            edges += seen / tile_size(first, !axis) * EDGE_SEEN + unseen / tile_size(other, !axis);
        }
        sure = edges >= SURE_EDGES && first->evidence - other->evidence >= SURE_MARGIN * pixels;
    }
    return sure;
}

int grid_find(const struct image *image, struct grid_guess *guess, struct error *error)
{
    struct field f = {.size = {image->width, image->height},
        .channels = image->channels < 3 ? 1 : 3,
        .scratch = image->scratch};
    const size_t pixels = (size_t)f.size[X] * (size_t)f.size[Y];
    const size_t longest = (size_t)(f.size[X] > f.size[Y] ? f.size[X] : f.size[Y]);
    int sizes[AXES][SIZES], size_count[AXES], count = 0;
    struct trial trials[TRIALS];
    double(*room)[AXES] = scratch_new(image->scratch, (longest + 1) * sizeof(*room), error);
    struct chance *chance = scratch_new(
        image->scratch, sizeof(*chance) + (size_t)f.size[Y] * sizeof(*chance->first), error);
    f.values = scratch_new(image->scratch, pixels * (size_t)f.channels * sizeof(*f.values), error);
    for (int axis = 0; axis < AXES; axis++) {
        f.cells[axis] = scratch_new(image->scratch, pixels * sizeof(*f.cells[axis]), error);
        f.lines[axis] =
            scratch_new(image->scratch, (size_t)f.size[axis] * sizeof(*f.lines[axis]), error);
    }
    const int short_of_memory =
        !room || !chance || !f.values || !f.cells[X] || !f.cells[Y] || !f.lines[X] || !f.lines[Y];
    if (!short_of_memory) {
        values_read(image, &f);
        for (int axis = 0; axis < AXES; axis++) {
            axis_measure(&f, axis, chance, *room);
            size_count[axis] = sizes_choose(&f, axis, sizes[axis]);
        }
        for (int i = 0; i < size_count[X]; i++)
            for (int j = 0; j < size_count[Y]; j++) {
                grids_try(&f, sizes[X][i], sizes[Y][j], room, trials + count);
                count += trials[count + 1].candidate.grid.columns ? 2 : 1;
            }
        qsort(trials, (size_t)count, sizeof(*trials), compare_trials);
        memset(guess, 0, sizeof(*guess));
        guess->sure = is_sure(&f, trials, count);
        guess->count = (uint32_t)least(count, GRID_CANDIDATES);
        for (uint32_t i = 0; i < guess->count; i++)
            guess->candidates[i] = trials[i].candidate;
    }
    for (int axis = 0; axis < AXES; axis++) {
        scratch_free(image->scratch, f.cells[axis]);
        scratch_free(image->scratch, f.lines[axis]);
    }
    scratch_free(image->scratch, f.values);
    scratch_free(image->scratch, chance);
    scratch_free(image->scratch, room);
    return short_of_memory ? ERROR_INPUT : 0;
}
