#include "stages/unscramble/jumps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/boundaries.h"
#include "stages/unscramble/problem.h"

#define DEEP 8       /* pixels inward; one is too few where pixels were enlarged */
#define LEVEL 1.0    /* of 256, added to changes: less tells nothing */
#define FEW_JOINTS 4 /* of fewer the median says nothing */
#define MANY 500     /* places, of which one jumps by chance */
#define MISFIT 1.75  /* times the median of all joints */
#define MISFIT_OF_FEW 4.0
#define WRAPS 1.3      /* times the median, of the mean jump at a border */
#define FLIPPED_MORE 2 /* times that, of the jump with one border turned round, if it tells */

/* How much pixels change inward from an edge, by one pixel and by several. */
struct inward {
    float one, deep;
};

struct work {
    const struct tiling *t;
    const int32_t *board;
    int columns, rows;
    struct inward *inward; /* [edge] */
    double (*jump)[AXES];  /* [place] to the right and below; NAN where there is no joint */
    double median;
};

static double color_step(const struct image *image, size_t from, size_t to)
{
    int sum = 0;
    for (size_t c = 0; c < 3; c++)
        sum += abs(image_sample(image, 4 * from + c) - image_sample(image, 4 * to + c));
    return sum / (image->depth == 16 ? 257 * 3.0 : 3.0);
}

/* The pixel `along` an edge from its first, clockwise. Those of a side that stands are each in a
 * row of their own. */
static size_t clockwise(
    const struct image *image, const struct edge_pixels *pixels, int side, int along)
{
    if (along == 0 || pixels->step > 1)
        image_pass_row(image);
    const int is_backward = side == SIDE_LEFT || side == SIDE_BOTTOM;
    return pixels->first + (size_t)(is_backward ? pixels->count - 1 - along : along) * pixels->step;
}

static struct inward change_inward(const struct tiling *t, int32_t edge)
{
    const int side = edge & 3, is_vertical = side == SIDE_LEFT || side == SIDE_RIGHT;
    const struct edge_pixels pixels = inner_edge(t, edge >> 2, side);
    const int64_t row = t->image->width;
    const int64_t step = is_vertical ? 1 : row, inward = side < SIDE_RIGHT ? step : -step;
    const int size = is_vertical ? inner_width(t) : inner_height(t);
    const int deep = size - 1 < DEEP ? size - 1 : DEEP;
    double one = 0, sum = 0;
    for (int i = 0; deep > 0 && i < pixels.count; i++) {
        const int64_t at = (int64_t)clockwise(t->image, &pixels, side, i);
        for (int k = 0; k < deep; k++) {
            const double change =
                color_step(t->image, (size_t)(at + k * inward), (size_t)(at + (k + 1) * inward));
            one += k == 0 ? change : 0;
            sum += change;
        }
    }
    return (struct inward){
        (float)(one / pixels.count), (float)(deep > 0 ? sum / deep / pixels.count : 0)};
}

/* How much pixels change beside a joint. */
static double change_beside(const struct work *w, int32_t a, int32_t b)
{
    const struct inward *x = &w->inward[a], *y = &w->inward[b];
    return fmax((double)x->one + (double)y->one, (double)x->deep + (double)y->deep) / 2;
}

/* The jump between two edges; with `is_flipped` one of them is read the wrong way round. */
static double find_jump(const struct work *w, int32_t a, int32_t b, int is_flipped)
{
    const struct edge_pixels one = inner_edge(w->t, a >> 2, a & 3);
    const struct edge_pixels other = inner_edge(w->t, b >> 2, b & 3);
    const struct image *image = w->t->image;
    double across = 0;
    for (int i = 0; i < one.count; i++)
        across += color_step(image, clockwise(image, &one, a & 3, i),
            clockwise(image, &other, b & 3, is_flipped ? i : one.count - 1 - i));
    return (across / one.count + LEVEL) / (change_beside(w, a, b) + LEVEL);
}

/* Finds the jumps of all joints, and their median. Gives how many joints there are. */
static int find_jumps(struct work *w, double *sorted)
{
    const int places = w->columns * w->rows;
    int joints = 0;
#pragma omp parallel for
    for (int place = 0; place < places; place++)
        for (int side = 0; side < 4 && w->board[place] != NOTHING; side++) {
            const int32_t edge = oriented_edge(w->board[place], side);
            w->inward[edge] = change_inward(w->t, edge);
        }
#pragma omp parallel for
    for (int place = 0; place < places; place++)
        for (int i = 0; i < 2; i++) {
            const int d = SIDE_RIGHT + i, next = place_beside(w->columns, w->rows, place, d);
            const int is_joint =
                next != NOTHING && w->board[place] != NOTHING && w->board[next] != NOTHING;
            w->jump[place][i] = is_joint ? find_jump(w, oriented_edge(w->board[place], d),
                                               oriented_edge(w->board[next], d ^ 2), 0)
                                         : (double)NAN;
        }
    for (int i = 0; i < 2 * places; i++)
        if (!isnan(w->jump[i / 2][i % 2]))
            sorted[joints++] = w->jump[i / 2][i % 2];
    qsort(sorted, (size_t)joints, sizeof(*sorted), compare_doubles);
    w->median = joints ? sorted[joints / 2] : 1;
    return joints;
}

/* Whether pixels jump at all joints of a place, of which there is one at least. */
static int is_misfit(const struct work *w, int place, double limit)
{
    int joints = 0;
    for (int d = 0; d < 4; d++) {
        const int next = place_beside(w->columns, w->rows, place, d);
        const double jump = next == NOTHING ? (double)NAN : w->jump[d < 2 ? next : place][d & 1];
        if (jump <= limit)
            return 0;
        joints += !isnan(jump);
    }
    return joints > 0;
}

/* Whether the last line of a board fits the first one as its tiles do, and would not as well if it
 * were turned round, as noise and edges of one color would. */
static int wraps(const struct work *w, int axis)
{
    const int lines = axis == X ? w->columns : w->rows, length = axis == X ? w->rows : w->columns;
    const int side = axis == X ? SIDE_RIGHT : SIDE_BOTTOM;
    double sum = 0, flipped = 0;
    int joints = 0;
    for (int i = 0; lines > 1 && i < length; i++) {
        const int32_t last =
            w->board[axis == X ? (i + 1) * w->columns - 1 : (w->rows - 1) * w->columns + i];
        const int32_t first = w->board[axis == X ? i * w->columns : i];
        if (last == NOTHING || first == NOTHING)
            continue;
        const int32_t a = oriented_edge(last, side), b = oriented_edge(first, side ^ 2);
        joints++;
        sum += find_jump(w, a, b, 0);
        flipped += find_jump(w, a, b, 1);
    }
    return joints > 0 && sum <= joints * WRAPS * w->median && flipped >= FLIPPED_MORE * sum;
}

/* Whether pixels jump at all joints, two at least, of a seam between two columns or rows. */
static int is_split(const struct work *w, int axis, double limit)
{
    const int lines = axis == X ? w->columns : w->rows, length = axis == X ? w->rows : w->columns;
    for (int line = 0; line + 1 < lines; line++) {
        int joints = 0, jumps = 0;
        for (int i = 0; i < length; i++) {
            const int place = axis == X ? i * w->columns + line : line * w->columns + i;
            joints += !isnan(w->jump[place][axis]);
            jumps += w->jump[place][axis] > limit;
        }
        if (joints > 1 && jumps == joints)
            return 1;
    }
    return 0;
}

int jumps_find(const struct tiling *tiling, const int32_t *board, int columns, int rows,
    struct jumps *jumps, struct error *error)
{
    const size_t places = (size_t)columns * (size_t)rows;
    const size_t edges = 4 * (size_t)tiling->columns * (size_t)tiling->rows;
    struct work w = {.t = tiling,
        .board = board,
        .columns = columns,
        .rows = rows,
        .inward = malloc(edges * sizeof(*w.inward)),
        .jump = malloc(places * sizeof(*w.jump))};
    double *sorted = malloc(places * sizeof(*w.jump));
    *jumps = (struct jumps){.is_misfit = calloc(places, 1)};
    const int ok = w.inward && w.jump && sorted && jumps->is_misfit;
    if (ok) {
        const int joints = find_jumps(&w, sorted);
        const double limit = joints < FEW_JOINTS ? MISFIT_OF_FEW : MISFIT * w.median;
        for (size_t place = 0; place < places; place++)
            jumps->misfits += jumps->is_misfit[place] =
                places <= MANY && board[place] != NOTHING && is_misfit(&w, (int)place, limit);
        for (int axis = 0; axis < AXES; axis++) {
            jumps->wraps[axis] = wraps(&w, axis);
            jumps->is_split |= is_split(&w, axis, limit);
        }
    }
    free(w.inward);
    free(w.jump);
    free(sorted);
    if (ok)
        return 0;
    jumps_free(jumps);
    return error_set(error, ERROR_INPUT, "not enough memory to judge %zu places", places);
}

void jumps_free(struct jumps *jumps)
{
    free(jumps->is_misfit);
    *jumps = (struct jumps){0};
}
