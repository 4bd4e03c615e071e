/* Segments of a board, by Kruskal's order of joints and the sums of whole seams. */
#include "stages/unscramble/segments.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_GAIN = 2047 }; /* of which the order still tells more from less */

int segments_make(int places, struct segments *segments)
{
    const size_t bytes = (size_t)places * sizeof(int32_t);
    *segments = (struct segments){
        malloc(bytes), malloc(bytes), malloc(bytes), malloc(2 * bytes), malloc(2 * bytes)};
    return segments->number && segments->size && segments->next && segments->gain &&
                   segments->joints
               ? 0
               : -1;
}

void segments_free(struct segments *segments)
{
    free(segments->number);
    free(segments->size);
    free(segments->next);
    free(segments->gain);
    free(segments->joints);
    *segments = (struct segments){0};
}

/* Joint 2 * i is that of place i and the next one in its row, 2 * i + 1 that of i and the one
 * below. Those that the board has not gain 0. Lists those that gain something, the most first.
 * Returns how many. */
static int joints_sort(
    const struct problem *p, const int32_t *board, int tie, struct segments *segments)
{
    const int joints = 2 * p->columns * p->rows;
    int first[MAX_GAIN + 2] = {0}, *gain = segments->gain;
    for (int y = 0, j = 0; y < p->rows; y++)
        for (int x = 0; x < p->columns; x++)
            for (int d = SIDE_RIGHT; d <= SIDE_BOTTOM; d++, j++) {
                const int32_t *a = &board[j / 2], *b = a + (d == SIDE_RIGHT ? 1 : p->columns);
                gain[j] = 0;
                if ((d == SIDE_RIGHT ? x + 1 == p->columns : y + 1 == p->rows) || *a == NOTHING ||
                    *b == NOTHING)
                    continue;
                gain[j] = tie - joint_cost(p->c, *a, *b, d);
                gain[j] = gain[j] > MAX_GAIN ? MAX_GAIN : gain[j];
                if (gain[j] > 0)
                    first[MAX_GAIN - gain[j] + 1]++;
            }
    for (int i = 1; i <= MAX_GAIN; i++)
        first[i] += first[i - 1];
    for (int j = 0; j < joints; j++)
        if (gain[j] > 0)
            segments->joints[first[MAX_GAIN - gain[j]]++] = j;
    return first[MAX_GAIN - 1];
}

/* Until they are numbered, segments go by one of their places.
 *
 * What all joints between two segments gain together; the places of the first are walked. */
static int64_t seam_gain(
    const struct problem *p, const struct segments *segments, int32_t a, int32_t b)
{
    const int w = p->columns;
    int64_t sum = 0;
    int32_t place = a;
    do {
        const int32_t joint[4] = {2 * (place - 1), 2 * (place - w) + 1, 2 * place, 2 * place + 1};
        const int32_t other[4] = {place - 1, place - w, place + 1, place + w};
        for (int d = 0; d < 4; d++)
            if (joint[d] >= 0 && segments->gain[joint[d]] && segments->number[other[d]] == b)
                sum += segments->gain[joint[d]];
        place = segments->next[place];
    } while (place != a);
    return sum;
}

static void segments_merge(struct segments *segments, int32_t a, int32_t b)
{
    const int32_t next = segments->next[a];
    for (int32_t place = next; place != a; place = segments->next[place])
        segments->number[place] = b;
    segments->number[a] = b;
    segments->next[a] = segments->next[b];
    segments->next[b] = next;
    segments->size[b] += segments->size[a];
}

/* Numbers the segments from 0 on. Returns how many there are. */
static int segments_number(const int32_t *board, int places, struct segments *segments)
{
    int32_t *number_of = segments->gain, *size_of = segments->joints;
    int count = 0;
    for (int i = 0; i < places; i++)
        if (segments->number[i] == i && board[i] != NOTHING) {
            size_of[count] = segments->size[i];
            number_of[i] = count++;
        }
    for (int i = 0; i < places; i++)
        segments->next[i] = board[i] == NOTHING ? NOTHING : number_of[segments->number[i]];
    memcpy(segments->number, segments->next, (size_t)places * sizeof(*segments->number));
    memcpy(segments->size, size_of, (size_t)count * sizeof(*segments->size));
    return count;
}

int segments_find(const struct problem *p, const int32_t *board, int tie, struct segments *segments)
{
    const int places = p->columns * p->rows;
    const int count = joints_sort(p, board, tie, segments);
    for (int i = 0; i < places; i++) {
        segments->number[i] = segments->next[i] = i;
        segments->size[i] = 1;
    }
    for (int i = 0; i < count; i++) {
        const int place = segments->joints[i] / 2;
        const int other = place + (segments->joints[i] % 2 ? p->columns : 1);
        const int32_t a = segments->number[place], b = segments->number[other];
        const int is_less = segments->size[a] <= segments->size[b];
        const int32_t small = is_less ? a : b, large = is_less ? b : a;
        if (a != b && seam_gain(p, segments, small, large) > 0)
            segments_merge(segments, small, large);
    }
    return segments_number(board, places, segments);
}
