/* Frames of solutions, by the gains of rectangles. */
#include "stages/unscramble/frames.h"

#include <stdlib.h>

#include "stages/unscramble/problem.h"

#define LISTED 200       /* frames of a list, at most */
#define HOLE_COST 150    /* of a place more than there are tiles */
#define NONE (INT64_MIN) /* a gain, of what is not possible */

/* Sums over all rectangles that begin at the board's first place: of pairs beside each other, the
 * left one in the rectangle, and of pairs below each other, the upper one in it. */
struct sums {
    int width;
    int64_t *beside, *below; /* [rows + 1][columns + 1] */
};

static int64_t sum_over(const int64_t *sums, int width, int x0, int y0, int x1, int y1)
{
    return sums[y1 * width + x1] - sums[y0 * width + x1] - sums[y1 * width + x0] +
           sums[y0 * width + x0];
}

static void sum_gains(
    const struct compatibility *c, const int32_t *board, int columns, int rows, struct sums *sums)
{
    const int w = columns + 1;
    sums->width = w;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            const int32_t *at = board + y * columns + x;
            const int64_t beside = x + 1 < columns ? joint_gain(c, at[0], at[1], SIDE_RIGHT) : 0;
            const int64_t below = y + 1 < rows ? joint_gain(c, at[0], at[columns], SIDE_BOTTOM) : 0;
            const int to = (y + 1) * w + x + 1;
            sums->beside[to] =
                beside + sums->beside[to - 1] + sums->beside[to - w] - sums->beside[to - w - 1];
            sums->below[to] =
                below + sums->below[to - 1] + sums->below[to - w] - sums->below[to - w - 1];
        }
}

static int by_gain(const void *a, const void *b)
{
    const struct frame *x = a, *y = b;
    return x->gain != y->gain ? (x->gain < y->gain) - (x->gain > y->gain)
                              : x->columns * x->rows - y->columns * y->rows;
}

static int by_area(const void *a, const void *b)
{
    const struct frame *x = a, *y = b;
    return x->columns * x->rows - y->columns * y->rows;
}

/* Enters the best frame of each area into best[area]. */
static void find_best(
    const struct sums *sums, int columns, int rows, const int core[4], struct frame *best)
{
    const int w = sums->width, cut_x = (core[2] - core[0] + 1) / 4,
              cut_y = (core[3] - core[1] + 1) / 4;
    for (int y0 = 0; y0 <= core[1] + cut_y; y0++)
        for (int y1 = core[3] - cut_y + 1; y1 <= rows; y1++)
            for (int x0 = 0; x0 <= core[0] + cut_x; x0++)
                for (int x1 = core[2] - cut_x + 1; x1 <= columns; x1++) {
                    if (x1 <= x0 || y1 <= y0)
                        continue;
                    struct frame *frame = &best[(x1 - x0) * (y1 - y0)];
                    const int64_t gain = sum_over(sums->beside, w, x0, y0, x1 - 1, y1) +
                                         sum_over(sums->below, w, x0, y0, x1, y1 - 1);
                    if (gain > frame->gain)
                        *frame = (struct frame){x0, y0, x1 - x0, y1 - y0, gain};
                }
}

int frames_list(const struct compatibility *c, const int32_t *board, int columns, int rows,
    const int core[4], struct frame_list *list, struct error *error)
{
    const size_t places = (size_t)columns * (size_t)rows;
    const size_t corners = (size_t)(columns + 1) * (size_t)(rows + 1);
    struct sums sums = {.beside = calloc(corners, sizeof(*sums.beside)),
        .below = calloc(corners, sizeof(*sums.below))};
    *list = (struct frame_list){.frames = malloc((places + 1) * sizeof(*list->frames))};
    const int ok = sums.beside && sums.below && list->frames;
    if (ok) {
        for (size_t i = 0; i <= places; i++)
            list->frames[i] = (struct frame){.gain = NONE};
        sum_gains(c, board, columns, rows, &sums);
        find_best(&sums, columns, rows, core, list->frames);
        for (size_t i = 0; i <= places; i++)
            if (list->frames[i].gain != NONE)
                list->frames[list->count++] = list->frames[i];
        qsort(list->frames, (size_t)list->count, sizeof(*list->frames), by_gain);
        list->count = list->count < LISTED ? list->count : LISTED;
        qsort(list->frames, (size_t)list->count, sizeof(*list->frames), by_area);
    }
    free(sums.beside);
    free(sums.below);
    if (ok)
        return 0;
    free(list->frames);
    *list = (struct frame_list){0};
    return error_set(error, ERROR_INPUT, "not enough memory for the frames of a solution");
}

/* The number of places, from the ones that are possible, that is best. */
static int best_sum(const int64_t *gain, int longest, int least, int most)
{
    int best = -1;
    for (int sum = least; sum <= most; sum++)
        if (gain[sum] != NONE &&
            (best < 0 || gain[sum] - gain[best] > (int64_t)HOLE_COST * (sum - best)))
            best = sum;
    for (int away = 1; best < 0; away++)
        if (most + away <= longest && gain[most + away] != NONE)
            best = most + away;
        else if (least - away >= 0 && gain[least - away] != NONE)
            best = least - away;
    return best;
}

int frames_choose(const struct frame_list *lists, int count, int least, int most,
    struct frame *chosen, struct error *error)
{
    int smallest = 0;
    for (int i = 0; i < count; i++)
        smallest += lists[i].count ? lists[i].frames->columns * lists[i].frames->rows : 0;
    const int longest = smallest > 2 * most ? smallest : 2 * most;
    const size_t row = (size_t)longest + 1;
    /* [list][sum of places so far]: the most gain, and the frame of the list that gives it. */
    int64_t *gain = malloc(2 * row * sizeof(*gain));
    uint8_t *taken = malloc((size_t)count * row);
    if (!gain || !taken) {
        free(gain);
        free(taken);
        return error_set(error, ERROR_INPUT, "not enough memory to choose frames");
    }
    int64_t *now = gain, *next = gain + row;
    for (size_t i = 0; i < row; i++)
        now[i] = i ? NONE : 0;
    for (int i = 0; i < count; i++) {
        if (!lists[i].count)
            continue;
        for (size_t k = 0; k < row; k++)
            next[k] = NONE;
        for (int f = 0; f < lists[i].count; f++) {
            const struct frame *frame = &lists[i].frames[f];
            const int area = frame->columns * frame->rows;
            for (int sum = 0; sum + area <= longest; sum++)
                if (now[sum] != NONE && now[sum] + frame->gain > next[sum + area]) {
                    next[sum + area] = now[sum] + frame->gain;
                    taken[(size_t)i * row + (size_t)(sum + area)] = (uint8_t)f;
                }
        }
        int64_t *done = now;
        now = next;
        next = done;
    }
    int sum = best_sum(now, longest, least, most);
    for (int i = count; i-- > 0;) {
        if (!lists[i].count)
            continue;
        chosen[i] = lists[i].frames[taken[(size_t)i * row + (size_t)sum]];
        sum -= chosen[i].columns * chosen[i].rows;
    }
    free(gain);
    free(taken);
    return 0;
}
