#include "stages/unscramble/gutters.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/tiling.h"

enum {
    SAMPLES = 256,  /* of a line of pixels, at most */
    STRAY = 32,     /* one of so many samples may differ from the others of its line */
    LEAST_TILE = 8, /* pixels */
    SPOILED = 8,    /* one of so many lines of a tile may be mixed or a shadow, at each side */
    UNLIKE = 2,     /* pixels by which gutters, or tiles, may differ */
    WIDER = 4,      /* how many times as wide as the gutters the tiles are at least */
};
/* How much samples may differ, in 8 bits: */
static const int TOLERANCE[GUTTERS_WAYS] = {1, 8, 24}; /* as drawn; scaled; as JPEG has it */

/* The share of the gutters' color from which on a line of pixels counts as mixed with it: at the
 * edge of tiles beside gutters, or beside a border alone, and anywhere. Below 0 is a share of what
 * was sharpened. */
#define MIXED_BESIDE_GUTTER 0.08
#define MIXED_BESIDE_BORDER 0.5
#define MIXED_ANYWHERE 0.3
#define PLAIN 0.3     /* how rough a plain line is at most, beside one that is not */
#define SHADOW_STEP 2 /* how much a line of a shadow differs from those beside it, in 8 bits */
#define SIGNIFICANT 3 /* standard deviations of a sum, from which on it is not chance */

/* A row or column of pixels: here that is a line, and lines between tiles are gutters. */
struct line {
    int color[4]; /* the mean */
    int level;    /* the least at which it has one color; GUTTERS_WAYS: it has none */
};

/* A sample of a pixel, in 8 bits; of one that is transparent, which may have any color, 0. */
static int sample_at(const struct image *image, int axis, int line, int across, int c)
{
    const size_t x = (size_t)(axis == X ? line : across), y = (size_t)(axis == X ? across : line);
    const size_t at = 4 * (y * (size_t)image->width + x);
    return image_sample_8(image, at + 3) ? image_sample_8(image, at + (size_t)c) : 0;
}

static struct line line_look(const struct image *image, int axis, int number)
{
    const int across = axis == X ? image->height : image->width;
    const int samples = across < SAMPLES ? across : SAMPLES;
    struct line line = {{0}, 0};
    int stray[GUTTERS_WAYS] = {0};
    image_pass_row(image);
    for (int c = 0; c < 4; c++) {
        int sum = 0;
        for (int i = 0; i < samples; i++)
            sum += sample_at(image, axis, number, (int)((int64_t)i * across / samples), c);
        line.color[c] = (sum + samples / 2) / samples;
    }
    for (int i = 0; i < samples; i++) {
        int most = 0;
        for (int c = 0; c < 4; c++) {
            const int at = (int)((int64_t)i * across / samples);
            const int differs = abs(sample_at(image, axis, number, at, c) - line.color[c]);
            most = differs > most ? differs : most;
        }
        for (int level = 0; level < GUTTERS_WAYS; level++)
            stray[level] += most > TOLERANCE[level];
    }
    while (line.level < GUTTERS_WAYS && stray[line.level] * STRAY > samples)
        line.level++;
    return line;
}

/* The median color of the lines that have one, of both axes, is that of the gutters if there are
 * any. Returns whether there are. */
static int median_color(struct line *const lines[2], const int *size, int level, int *color)
{
    int count = 0;
    for (int c = 0; c < 4; c++) {
        int histogram[256] = {0}, below = 0;
        count = 0;
        for (int axis = X; axis <= Y; axis++)
            for (int i = 0; i < size[axis]; i++)
                if (lines[axis][i].level <= level) {
                    histogram[lines[axis][i].color[c]]++;
                    count++;
                }
        for (color[c] = 0; below + histogram[color[c]] <= count / 2 && color[c] < 255; color[c]++)
            below += histogram[color[c]];
    }
    return count > 0;
}

/* How far pixels of lines, and those of lines beside them, are from the gutters' color: sums, and
 * that of the squares of the differences. */
struct mixture {
    double line, beside, squares;
};

static double distance_at(
    const struct image *image, int axis, int line, int across, const int *color)
{
    double sum = 0;
    for (int c = 0; c < 4; c++) {
        const int away = sample_at(image, axis, line, across, c) - color[c];
        sum += away * away;
    }
    return sqrt(sum);
}

static void mixture_add(const struct image *image, int axis, int line, int beside, const int *color,
    struct mixture *mixture)
{
    const int across = axis == X ? image->height : image->width;
    const int samples = across < SAMPLES ? across : SAMPLES;
    for (int i = 0; i < samples; i++) {
        const int at = (int)((int64_t)i * across / samples);
        const double of_line = distance_at(image, axis, line, at, color);
        const double of_beside = distance_at(image, axis, beside, at, color);
        mixture->line += of_line;
        mixture->beside += of_beside;
        mixture->squares += (of_line - of_beside) * (of_line - of_beside);
    }
}

/* The part a of the gutters' color in lines that would else be as those beside them are: then they
 * are 1 - a times as far from that color. 0 where that may be chance. */
static double mixture_part(struct mixture mixture)
{
    const double differs = mixture.beside - mixture.line;
    return fabs(differs) > SIGNIFICANT * sqrt(mixture.squares) ? differs / mixture.beside : 0;
}

static int has_color(const struct line *line, int level, const int *color)
{
    int has = line->level <= level;
    for (int c = 0; c < 4; c++)
        has &= abs(line->color[c] - color[c]) <= TOLERANCE[level];
    return has;
}

/* Whether a line is mixed with the gutters' color: more than the lines two pixels away, on both
 * sides, or on that where no gutter is. `pure` says which lines are gutters. */
static int is_mixed(
    const struct image *image, int axis, int size, int line, const uint8_t *pure, const int *color)
{
    int sides = 0;
    double least = INFINITY;
    for (int step = -1; step <= 1; step += 2) {
        const int beside = line + 2 * step;
        struct mixture mixture = {0, 0, 0};
        if (beside < 0 || beside >= size || pure[beside] || pure[line + step])
            continue;
        mixture_add(image, axis, line, beside, color, &mixture);
        least = fmin(least, mixture_part(mixture));
        sides++;
    }
    return sides && least > MIXED_ANYWHERE;
}

/* Where gutters leave tiles: fills in their number, where they begin, and end, and whether a border
 * is at both ends. */
static void list_tiles(
    const uint8_t *gutter, int size, struct gutters_axis *tiles, int *end, int *border)
{
    *border = gutter[0] && gutter[size - 1];
    for (int at = 0; at < size;) {
        while (at < size && gutter[at])
            at++;
        if (at == size)
            break;
        tiles->first[tiles->count] = at;
        while (at < size && !gutter[at])
            at++;
        end[tiles->count++] = at;
    }
}

/* Makes listed tiles equally long; leaves none where they or the gutters are not alike. Gutters
 * that are drawn over tiles take less of the first and the last one, which then are longer, by no
 * more than gutters are wide. Less than a tile may be left over behind the last of three or
 * more. */
static void make_alike(struct gutters_axis *tiles, const int *end)
{
    const int last = tiles->count - 1;
    int narrowest = INT_MAX, longest = 0;
    tiles->tile = INT_MAX;
    for (int t = 0; t <= last; t++) {
        const int tile = end[t] - tiles->first[t];
        tiles->tile = tile < tiles->tile ? tile : tiles->tile;
        longest = t > 0 && t < last && tile > longest ? tile : longest;
    }
    for (int t = 0; t < last; t++) {
        const int gutter = tiles->first[t + 1] - end[t];
        narrowest = gutter < narrowest ? gutter : narrowest;
        tiles->widest = gutter > tiles->widest ? gutter : tiles->widest;
    }
    if (last < 0)
        return;
    const int before = end[0] - tiles->first[0] - tiles->tile;
    const int behind = end[last] - tiles->first[last] - tiles->tile;
    if (tiles->tile < LEAST_TILE || tiles->widest - narrowest > UNLIKE ||
        longest - tiles->tile > UNLIKE || before > narrowest ||
        (behind > narrowest && (last < 2 || behind >= tiles->tile))) {
        tiles->count = 0;
        return;
    }
    tiles->left_over = behind > narrowest ? behind : 0;
    tiles->first[0] = end[0] - tiles->tile;
}

/* Looks for gutters of a color along an axis. Returns 0, or -1 when memory is short. */
static int find_along(const struct image *image, int axis, const struct line *lines, int level,
    const int *color, struct gutters_axis *tiles, int *border)
{
    const int size = axis == X ? image->width : image->height;
    uint8_t *pure = malloc((size_t)size), *gutter = malloc((size_t)size);
    int *end = malloc((size_t)size * sizeof(*end));
    tiles->first = malloc((size_t)size * sizeof(*tiles->first));
    const int rc = pure && gutter && end && tiles->first ? 0 : -1;
    if (rc == 0) {
        for (int i = 0; i < size; i++)
            pure[i] = (uint8_t)has_color(&lines[i], level, color);
#pragma omp parallel for
        for (int i = 0; i < size; i++)
            gutter[i] = pure[i] || is_mixed(image, axis, size, i, pure, color);
        list_tiles(gutter, size, tiles, end, border);
        make_alike(tiles, end);
    }
    free(pure);
    free(gutter);
    free(end);
    return rc;
}

/* Pixels of lines, in the middle half of each tile: how much each differs from the next, and their
 * means, as sums over the lines. */
struct texture {
    double roughness, mean[3];
};

static void texture_add(const struct image *image, int axis, int line,
    const struct gutters_axis *crossed, struct texture *texture)
{
    const int step = crossed->count * crossed->tile / (2 * SAMPLES) + 1;
    const int steps = (crossed->tile / 2 - 1) / step;
    for (int t = 0; t < crossed->count; t++)
        for (int i = 0; i < steps; i++)
            for (int c = 0; c < 3; c++) {
                const int at = crossed->first[t] + crossed->tile / 4 + i * step;
                const int value = sample_at(image, axis, line, at, c);
                texture->roughness += abs(sample_at(image, axis, line, at + step, c) - value);
                texture->mean[c] += (double)value / (crossed->count * steps);
            }
}

/* Whether the outermost pixels of all tiles at one side are plain, as those of a shadow are: much
 * less rough than the middle of the tiles, and of another color than those beside them. */
static int is_shadow(const struct image *image, const struct gutters *gutters, int axis, int is_end)
{
    const struct gutters_axis *tiles = &gutters->axis[axis], *crossed = &gutters->axis[!axis];
    const int size = axis == X ? image->width : image->height;
    struct texture outer = {0}, outside = {0}, inside = {0}, middle = {0};
    double from_outside = 0, from_inside = 0;
    for (int t = 0; t < tiles->count; t++) {
        const int line = tiles->first[t] + (is_end ? tiles->tile - 1 : 0);
        const int step = is_end ? 1 : -1;
        if (line + step < 0 || line + step >= size)
            continue;
        texture_add(image, axis, line, crossed, &outer);
        texture_add(image, axis, line + step, crossed, &outside);
        texture_add(image, axis, line - step, crossed, &inside);
        texture_add(image, axis, tiles->first[t] + tiles->tile / 2, crossed, &middle);
    }
    for (int c = 0; c < 3; c++) {
        from_outside = fmax(from_outside, fabs(outer.mean[c] - outside.mean[c]));
        from_inside = fmax(from_inside, fabs(outer.mean[c] - inside.mean[c]));
    }
    return outer.roughness < PLAIN * middle.roughness &&
           fmin(from_outside, from_inside) > SHADOW_STEP * tiles->count;
}

/* Whether the outermost pixels of all tiles at one side are mixed with the gutters' color. Where
 * there is one tile, that is the color of a border at most. */
static int is_mixed_at(
    const struct image *image, const struct gutters *gutters, int axis, int is_end)
{
    const struct gutters_axis *tiles = &gutters->axis[axis];
    struct mixture mixture = {0, 0, 0};
    for (int t = 0; t < tiles->count; t++) {
        const int outer = tiles->first[t] + (is_end ? tiles->tile - 1 : 0);
        mixture_add(image, axis, outer, outer + (is_end ? -1 : 1), gutters->color, &mixture);
    }
    return fabs(mixture_part(mixture)) >
           (tiles->count == 1 ? MIXED_BESIDE_BORDER : MIXED_BESIDE_GUTTER);
}

/* Takes lines of pixels off the tiles that are mixed with the gutters, or shadows. */
static void take_off_spoiled(const struct image *image, struct gutters *gutters)
{
    for (int axis = X; axis <= Y; axis++)
        for (int is_end = 0; is_end < 2; is_end++) {
            struct gutters_axis *tiles = &gutters->axis[axis];
            const int least = tiles->tile - tiles->tile / SPOILED > LEAST_TILE
                                  ? tiles->tile - tiles->tile / SPOILED
                                  : LEAST_TILE;
            while (tiles->tile > least &&
                   (is_mixed_at(image, gutters, axis, is_end) ||
                       (tiles->count > 1 && is_shadow(image, gutters, axis, is_end)))) {
                tiles->tile--;
                for (int t = 0; t < tiles->count; t++)
                    tiles->first[t] += !is_end;
            }
        }
}

/* Whether what was found along both axes is as told, or hardly chance: one line between two parts
 * may be, or the borders of an image whose halves have changed places; and an object on a plain
 * ground that is cut and shuffled may leave a wide cross. */
static int are_likely(const struct gutters *gutters, struct grid told, int has_border)
{
    const struct gutters_axis *x = &gutters->axis[X], *y = &gutters->axis[Y];
    const int tiles = x->count * y->count, both = x->count > 1 && y->count > 1;
    const int least = x->widest < y->widest ? x->widest : y->widest;
    const int most = x->widest < y->widest ? y->widest : x->widest;
    if (!tiles || x->widest * WIDER > x->tile || y->widest * WIDER > y->tile)
        return 0;
    if (tiles > 1 && (uint32_t)x->count == told.columns && (uint32_t)y->count == told.rows)
        return has_border || tiles != 2;
    if (both)
        return most <= 2 * least || most - least <= UNLIKE;
    return has_border && tiles != 2;
}

static int are_same(const struct gutters *a, const struct gutters *b)
{
    int same = 1;
    for (int axis = X; axis <= Y; axis++) {
        const struct gutters_axis *x = &a->axis[axis], *y = &b->axis[axis];
        same = same && x->count == y->count && x->tile == y->tile && x->left_over == y->left_over &&
               memcmp(x->first, y->first, (size_t)x->count * sizeof(*x->first)) == 0;
    }
    return same;
}

/* Looks with a tolerance. What is unlikely has no tiles. Returns 0, or -1 when memory is short. */
static int find_at(const struct image *image, struct line *const lines[2], int level,
    struct grid told, struct gutters *gutters)
{
    const int size[2] = {image->width, image->height};
    int border[2] = {0, 0}, rc = 0;
    *gutters = (struct gutters){0};
    if (!median_color(lines, size, level, gutters->color))
        return 0;
    for (int axis = X; rc == 0 && axis <= Y; axis++)
        rc = find_along(
            image, axis, lines[axis], level, gutters->color, &gutters->axis[axis], &border[axis]);
    if (rc || !are_likely(gutters, told, border[X] && border[Y]))
        gutters_free(gutters);
    else
        take_off_spoiled(image, gutters);
    return rc;
}

int gutters_find(const struct image *image, struct grid told, struct gutters gutters[GUTTERS_WAYS],
    int *count, struct error *error)
{
    const int size[2] = {image->width, image->height};
    *count = 0;
    if (size[X] < LEAST_TILE || size[Y] < LEAST_TILE)
        return 0;
    struct line *lines[2] = {
        malloc((size_t)size[X] * sizeof(**lines)), malloc((size_t)size[Y] * sizeof(**lines))};
    int rc = lines[X] && lines[Y] ? 0 : -1;
    for (int axis = X; rc == 0 && axis <= Y; axis++) {
#pragma omp parallel for
        for (int i = 0; i < size[axis]; i++)
            lines[axis][i] = line_look(image, axis, i);
    }
    for (int level = 0; rc == 0 && level < GUTTERS_WAYS; level++) {
        struct gutters *found = &gutters[*count];
        rc = find_at(image, lines, level, told, found);
        if (rc == 0 && found->axis[X].count && (!*count || !are_same(found, found - 1)))
            ++*count;
        else
            gutters_free(found);
    }
    free(lines[X]);
    free(lines[Y]);
    while (rc && *count > 0)
        gutters_free(&gutters[--*count]);
    return rc ? error_set(error, ERROR_INPUT, "not enough memory to find the grid") : 0;
}

void gutters_free(struct gutters *gutters)
{
    free(gutters->axis[X].first);
    free(gutters->axis[Y].first);
    *gutters = (struct gutters){0};
}

int gutters_leave_out(const struct image *image, const struct gutters *gutters,
    struct image *without, struct error *error)
{
    const struct gutters_axis *x = &gutters->axis[X], *y = &gutters->axis[Y];
    if (image_new_in(image->scratch, x->count * x->tile, y->count * y->tile, image->channels,
            image->depth, without, error))
        return ERROR_INPUT;
    for (int row = 0; row < y->count; row++)
        for (int column = 0; column < x->count; column++)
            image_copy_area(image, x->first[column], y->first[row], x->tile, y->tile, without,
                column * x->tile, row * y->tile);
    return 0;
}
