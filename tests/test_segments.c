/* Segments of boards with costs made up, beside those of a search that adds up all joints anew each
 * time. */
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "random.h"
#include "stages/unscramble/segments.h"

enum { MAX_PLACES = 64 * 63, LEAST_COST = -300, COSTS = 1700, FAR = 1500 };

struct joint {
    int a, b, gain;
};

/* Tile i stands at place i; where `empty` is n, every n-th place is empty. */
static void board_make(
    const struct problem *p, int empty, uint64_t random, int32_t *board, struct compatibility *c)
{
    const int places = p->columns * p->rows;
    *c = (struct compatibility){.tiles = places,
        .width = 1,
        .turns = TURNS_NONE,
        .list = malloc((size_t)places * 4 * sizeof(struct partner)),
        .unlisted = malloc((size_t)places * 4 * sizeof(struct unlisted))};
    if (!c->list || !c->unlisted)
        abort();
    for (int e = 0; e < 4 * places; e++) {
        c->list[e] = (struct partner){NOTHING, 0};
        c->unlisted[e] = (struct unlisted){FAR, {NO_COLOR}};
    }
    for (int i = 0; i < places; i++) {
        board[i] = empty && i % empty == 0 ? NOTHING : 4 * i;
        for (int d = 2; d < 4; d++) {
            const int other = place_beside(p->columns, p->rows, i, d),
                      cost = LEAST_COST + random_index(&random, COSTS);
            if (other == NOTHING || random_index(&random, 9) == 0)
                continue;
            c->list[4 * i + d] = (struct partner){4 * other + d - 2, cost};
            c->list[4 * other + d - 2] = (struct partner){4 * i + d, cost};
        }
    }
    if (compatibility_index(c))
        abort();
}

/* Of two joints that gain the same, the one of the earlier place comes first, and of these the one
 * beside it. */
static int joint_order(const void *x, const void *y)
{
    const struct joint *a = x, *b = y;
    return a->gain != b->gain ? b->gain - a->gain : a->a != b->a ? a->a - b->a : a->b - b->b;
}

/* Leaves the same number at places of a segment. */
static void reference(const struct problem *p, const int32_t *board, int tie, int32_t *number)
{
    static struct joint joints[2 * MAX_PLACES];
    const int places = p->columns * p->rows;
    int count = 0;
    for (int i = 0; i < places; i++) {
        number[i] = board[i] == NOTHING ? NOTHING : i;
        for (int d = 2; d < 4; d++) {
            const int other = place_beside(p->columns, p->rows, i, d);
            if (other != NOTHING && board[i] != NOTHING && board[other] != NOTHING)
                joints[count++] =
                    (struct joint){i, other, tie - joint_cost(p->c, board[i], board[other], d)};
        }
    }
    qsort(joints, (size_t)count, sizeof(*joints), joint_order);
    for (int j = 0; j < count && joints[j].gain > 0; j++) {
        const int a = number[joints[j].a], b = number[joints[j].b];
        int sum = 0;
        for (int k = 0; k < count; k++) {
            const int from = number[joints[k].a], to = number[joints[k].b];
            sum += (from == a && to == b) || (from == b && to == a) ? joints[k].gain : 0;
        }
        for (int i = 0; a != b && sum > 0 && i < places; i++)
            number[i] = number[i] == b ? a : number[i];
    }
}

/* Whether numbers say the same as others of which places are the same segment, go from 0 up to
 * `count`, and have the sizes. */
static int agrees(const struct segments *segments, int count, const int32_t *expected, int places)
{
    static int32_t other[MAX_PLACES], size[MAX_PLACES];
    int seen = 0, agree = 1;
    memset(other, 0xff, sizeof(other));
    memset(size, 0, sizeof(size));
    for (int i = 0; agree && i < places; i++) {
        const int32_t number = segments->number[i];
        agree = (number == NOTHING) == (expected[i] == NOTHING) && number < count;
        if (!agree || number == NOTHING)
            continue;
        seen += other[number] == NOTHING;
        other[number] = other[number] == NOTHING ? expected[i] : other[number];
        agree = other[number] == expected[i];
        size[number]++;
    }
    return agree && seen == count &&
           memcmp(size, segments->size, (size_t)count * sizeof(*size)) == 0;
}

static void check(int columns, int rows, int empty, uint64_t seed)
{
    static const int TIES[] = {1, 500, 899};
    static int32_t board[MAX_PLACES], expected[MAX_PLACES];
    struct compatibility c;
    const struct problem p = {&c, NULL, columns, rows, NULL};
    const int places = columns * rows;
    struct segments segments;
    int agree = 1, found[3] = {0};
    board_make(&p, empty, seed, board, &c);
    if (segments_make(places, &segments))
        abort();
    for (int i = 0; i < 3; i++) {
        found[i] = segments_find(&p, board, TIES[i], &segments);
        reference(&p, board, TIES[i], expected);
        agree &= agrees(&segments, found[i], expected, places);
    }
    tap_check(agree, "%d x %d places, every %d-th empty: %d, %d and %d segments", columns, rows,
        empty, found[0], found[1], found[2]);
    segments_free(&segments);
    compatibility_free(&c);
}

int main(void)
{
    static const int SIZES[][2] = {{1, 1}, {1, 7}, {7, 1}, {2, 2}, {3, 5}, {13, 11}, {64, 63}};
    for (int i = 0; i < (int)(sizeof(SIZES) / sizeof(SIZES[0])); i++)
        for (int empty = 0; empty < 5; empty += 2)
            check(SIZES[i][0], SIZES[i][1], empty, (uint64_t)i + 1);
    return tap_finish();
}
