/* A blurred seam becomes sharp where several pixels are taken for one. One that lies within such a
 * pixel is still not seen, so pixels are taken together from all offsets. */
#include "stages/unscramble/scaled_grid.h"

#include <math.h>
#include <stdlib.h>

#include "stages/unscramble/boundaries.h"
#include "stages/unscramble/page.h"

#define PAIRS 16384     /* of sides that meet by chance */
#define MOST_TAKEN 4    /* pixels for one */
#define SEAM_LEAST 0.25 /* evidence of a pixel that a line has at least to be a seam */
#define NEAR 4          /* pixels up to which less evidence is the blur of a line */
#define TOLERANCE 1.75  /* pixels by which lines may lie beside the grid's */
#define LEAST_TILE 20   /* pixels; blocks of JPEG are smaller */
#define LEAST_LINES 3
#define FLAT_POINTS 8 /* a tile is looked at along its diagonal between so many equal parts; */
#define FLAT_RANGE 3  /* of 255, that it may vary by and count as flat */
#define LEAD 0.1      /* of seams between parts of pixels over others */
#define UNSEEN 8      /* one of so many seams of a grid may not be seen */

/* The lines along an axis that look like seams, from the first to the last, and what they say. */
struct lines {
    int size, count;
    int *place;
    double *evidence; /* a pixel, of each place: the most of all ways to take pixels together */
    double *alone;    /* the same where pixels are taken alone */
};

static void lines_free(struct lines *lines)
{
    free(lines->place);
    free(lines->evidence);
    free(lines->alone);
}

/* Takes `together` pixels of a sample along an axis for one, from an offset on. */
static int take_together(const struct image *sample, int axis, int together, int offset,
    struct image *taken, struct error *error)
{
    const int size = ((axis == X ? sample->width : sample->height) - offset) / together;
    const int rc = image_new_in(sample->scratch, axis == X ? size : sample->width,
        axis == X ? sample->height : size, sample->channels, sample->depth, taken, error);
    const size_t step = 4 * (axis == X ? 1 : (size_t)sample->width);
    for (int y = 0; rc == 0 && y < taken->height; y++) {
        image_pass_row(sample);
        image_pass_row(taken);
        for (int x = 0; x < taken->width; x++) {
            const size_t from =
                4 * ((size_t)(axis == X ? y : y * together + offset) * (size_t)sample->width +
                        (size_t)(axis == X ? x * together + offset : x));
            const size_t to = 4 * ((size_t)y * (size_t)taken->width + (size_t)x);
            for (size_t c = 0; c < 4; c++) {
                int sum = together / 2;
                for (size_t i = 0; i < (size_t)together; i++)
                    sum += image_sample(sample, from + c + i * step);
                if (sample->depth == 16)
                    ((uint16_t *)taken->pixels)[to + c] = (uint16_t)(sum / together);
                else
                    ((uint8_t *)taken->pixels)[to + c] = (uint8_t)(sum / together);
            }
        }
    }
    return rc;
}

/* Adds what the boundaries say where so many pixels are taken for one. */
static int add_evidence(const struct image *sample, int axis, int together, int offset,
    struct lines *lines, struct error *error)
{
    struct image taken = {0};
    struct boundaries b = {0};
    int rc = take_together(sample, axis, together, offset, &taken, error);
    if (rc == 0)
        rc = boundaries_measure(&taken, 1 << axis, PAIRS, &b, error);
    for (int i = 2; rc == 0 && !b.is_blocky[axis] && can_be_judged(&b, axis, i); i++) {
        const int place = i * together + offset;
        const double evidence = b.evidence[axis][i] / b.size[!axis];
        lines->evidence[place] = fmax(lines->evidence[place], evidence);
        if (together == 1)
            lines->alone[place] = evidence;
    }
    boundaries_free(&b);
    image_free(&taken);
    return rc;
}

/* Takes the places with the most evidence of all that are near. */
static void choose_lines(struct lines *lines)
{
    for (int i = 1; i < lines->size; i++) {
        int is_most = lines->evidence[i] >= SEAM_LEAST;
        for (int near = i - NEAR; near <= i + NEAR && is_most; near++)
            if (near > 0 && near < lines->size && near != i)
                is_most = near < i ? lines->evidence[near] < lines->evidence[i]
                                   : lines->evidence[near] <= lines->evidence[i];
        if (is_most)
            lines->place[lines->count++] = i;
    }
}

static int find_lines(const struct image *image, int axis, struct lines *lines, struct error *error)
{
    struct image sample = {0};
    lines->size = axis == X ? image->width : image->height;
    lines->place = malloc((size_t)lines->size * sizeof(*lines->place));
    lines->evidence = calloc((size_t)lines->size, sizeof(*lines->evidence));
    lines->alone = calloc((size_t)lines->size, sizeof(*lines->alone));
    int rc = lines->place && lines->evidence && lines->alone
                 ? lines_take(image, axis, &sample, error)
                 : error_set(error, ERROR_INPUT, "not enough memory to find the grid");
    for (int together = 1; rc == 0 && together <= MOST_TAKEN; together *= 2)
        for (int offset = 0; rc == 0 && offset < together; offset++)
            if (lines->size / together > 4)
                rc = add_evidence(&sample, axis, together, offset, lines, error);
    if (rc == 0)
        choose_lines(lines);
    image_free(&sample);
    return rc;
}

/* Whether the lines are the seams of so many tiles of that many pixels. */
static int are_seams(const struct lines *lines, double tile, int tiles)
{
    int last = 0;
    for (int i = 0; i < lines->count; i++) {
        const int seam = (int)lrint(lines->place[i] / tile);
        if (fabs(lines->place[i] - seam * tile) > TOLERANCE || seam <= last || seam >= tiles)
            return 0;
        last = seam;
    }
    return tiles - 1 - lines->count <= (tiles - 1) / UNSEEN;
}

/* The evidence of all lines, of which each is `across` pixels long. */
static double sum_evidence(const struct lines *lines, int across)
{
    double sum = 0;
    for (int i = 0; i < lines->count; i++)
        sum += lines->evidence[lines->place[i]] * across;
    return sum;
}

/* Whether seams lie at multiples of size / tiles, which has a part of a pixel, rather than of that
 * rounded down, with what is left over cut off. Single pixels tell that
 * exactly; where they see no seams the most evidence of all ways to take them together does. */
static int have_parts(const struct lines *lines, int tiles)
{
    struct {
        double alone, together;
    } parts = {0, 0}, whole = {0, 0};
    for (int k = 1; k < tiles; k++) {
        const double place = k * (lines->size / (double)tiles);
        const int before = (int)floor(place), after = (int)ceil(place);
        const int cut = k * (lines->size / tiles);
        parts.alone += fmax(lines->alone[before], lines->alone[after]) / (tiles - 1);
        parts.together += fmax(lines->evidence[before], lines->evidence[after]) / (tiles - 1);
        whole.alone += lines->alone[cut] / (tiles - 1);
        whole.together += lines->evidence[cut] / (tiles - 1);
    }
    return fmax(parts.alone, whole.alone) >= SEAM_LEAST ? parts.alone - whole.alone > LEAD
                                                        : parts.together - whole.together > LEAD;
}

/* Whether a tile more or less of whole pixels has the same seams, but for the last. */
static int is_ambiguous(int size, int tiles)
{
    return size / (tiles + 1) == size / tiles || (tiles > 1 && size / (tiles - 1) == size / tiles);
}

/* How many tiles lie along an axis, and the size of the image when they have whole pixels: the
 * size as it is where the tiles do. Returns 0 where there is no such number. */
static uint32_t fit_tiles(const struct lines *lines, uint32_t given, uint32_t *whole)
{
    const int room = lines->size / LEAST_TILE;
    const int first = !given ? lines->count + 1 : given <= (uint32_t)room ? (int)given : room + 1;
    const int last = given ? first : lines->count + 1 + lines->count / UNSEEN + 1;
    for (int tiles = first; tiles <= last && tiles <= room; tiles++) {
        const double tile = lines->size / (double)tiles;
        const int may_have_parts = are_seams(lines, tile, tiles);
        if (!may_have_parts && !are_seams(lines, floor(tile), tiles))
            continue;
        const int is_scaled = may_have_parts && have_parts(lines, tiles);
        if (!given && !is_scaled && is_ambiguous(lines->size, tiles))
            continue;
        *whole = (uint32_t)(is_scaled ? tiles * lrint(tile) : lines->size);
        return (uint32_t)tiles;
    }
    return 0;
}

/* Whether most tiles have one color inside: then they are large pixels. */
static int are_large_pixels(const struct image *image, struct grid grid)
{
    const uint32_t width = (uint32_t)image->width / grid.columns;
    const uint32_t height = (uint32_t)image->height / grid.rows, tiles = grid_tiles(grid);
    uint32_t flat = 0;
    for (uint32_t tile = 0; tile < tiles; tile++) {
        const size_t left = (uint64_t)(tile % grid.columns) * (uint32_t)image->width / grid.columns;
        const size_t top = (uint64_t)(tile / grid.columns) * (uint32_t)image->height / grid.rows;
        int least = 65535, most = 0;
        for (uint32_t i = 1; i < FLAT_POINTS; i++) {
            const size_t x = left + width * i / FLAT_POINTS, y = top + height * i / FLAT_POINTS;
            const size_t at = 4 * (y * (size_t)image->width + x) + 1; /* green, or gray */
            const int value = image_sample_8(image, at);
            image_pass_row(image);
            least = value < least ? value : least;
            most = value > most ? value : most;
        }
        flat += most - least <= FLAT_RANGE;
    }
    return 2 * flat > tiles;
}

int scaled_grid_find(
    const struct image *image, struct grid given, struct scaled_grid *found, struct error *error)
{
    struct lines x = {0}, y = {0};
    *found = (struct scaled_grid){0};
    int rc = page_is(image) ? 0 : find_lines(image, X, &x, error);
    if (rc == 0 && x.size)
        rc = find_lines(image, Y, &y, error);
    if (rc == 0 && x.count + y.count >= LEAST_LINES) {
        found->evidence = sum_evidence(&x, y.size) + sum_evidence(&y, x.size);
        found->grid = (struct grid){fit_tiles(&x, given.columns, &found->whole_width),
            fit_tiles(&y, given.rows, &found->whole_height)};
        if (!grid_tiles(found->grid) || are_large_pixels(image, found->grid))
            *found = (struct scaled_grid){0};
    }
    lines_free(&x);
    lines_free(&y);
    return rc;
}
