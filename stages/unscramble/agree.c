/* Joins tiles where boards agree, and fills a board with the parts that they make. */
#include "stages/unscramble/agree.h"

#include <stdlib.h>

/* Which joints of the first board another has, too: is_joint [2 * place + (below)] stays set where
 * it has. `at` is work space, [tile]. */
static void compare_joints(const struct problem *p, const int32_t *first, const int32_t *other,
    int32_t *at, uint8_t *is_joint)
{
    const int places = p->columns * p->rows;
    for (int i = 0; i < places; i++)
        at[other[i] >> 2] = i;
    for (int i = 0; i < places; i++)
        for (int d = 2; d < 4; d++) {
            const int beside = place_beside(p, i, d);
            if (beside == NOTHING)
                continue;
            /* The tile may be turned there: toward which direction does it show the same edge? */
            const int place = at[first[i] >> 2];
            const int direction = (d - first[i] + other[place]) & 3;
            const int next = place_beside(p, place, direction);
            if (next == NOTHING ||
                oriented_edge(other[next], direction ^ 2) != oriented_edge(first[beside], d ^ 2))
                is_joint[2 * i + d - 2] = 0;
        }
}

/* Numbers the parts of the first board, [place]. Returns the number of the largest one. */
static int find_parts(
    const struct problem *p, const uint8_t *is_joint, int32_t *number, int32_t *size)
{
    const int places = p->columns * p->rows;
    int largest = 0;
    for (int i = 0; i < places; i++) {
        number[i] = i;
        size[i] = 0;
    }
    for (int i = 0; i < places; i++)
        for (int d = 2; d < 4; d++) {
            const int beside = place_beside(p, i, d);
            if (beside != NOTHING && is_joint[2 * i + d - 2])
                number[root_of(number, i)] = root_of(number, beside);
        }
    for (int i = 0; i < places; i++)
        size[root_of(number, i)]++;
    for (int i = 0; i < places; i++) {
        number[i] = root_of(number, i);
        if (size[i] > size[largest])
            largest = i;
    }
    return largest;
}

/* Puts the part of that number into the middle of the field. */
static void put_part(const struct problem *p, const int32_t *board, const int32_t *number, int part,
    struct fill *fill)
{
    int box[4] = {p->columns, p->rows, -1, -1};
    for (int i = 0; i < p->columns * p->rows; i++)
        if (number[i] == part)
            box_extend(box, i % p->columns, i / p->columns);
    const int dx = fill->width / 2 - box[0] - (box[2] - box[0] + 1) / 2;
    const int dy = fill->height / 2 - box[1] - (box[3] - box[1] + 1) / 2;
    fill_begin(fill, 0);
    for (int i = 0; i < p->columns * p->rows; i++)
        if (number[i] == part)
            fill_put(fill, (i / p->columns + dy) * fill->width + i % p->columns + dx, board[i]);
}

int boards_agree(const struct problem *p, const int32_t *const *boards, int count,
    struct fill *fill, int32_t *board)
{
    const int places = p->columns * p->rows, tiles = p->c->tiles;
    const size_t bytes = (size_t)(places > tiles ? places : tiles) * sizeof(int32_t);
    int32_t *number = malloc(bytes), *work = malloc(bytes);
    uint8_t *is_joint = malloc(2 * (size_t)places);
    struct blocks blocks;
    int rc = blocks_make(tiles, places, &blocks);
    if (!number || !work || !is_joint)
        rc = -1;
    if (rc == 0) {
        for (int i = 0; i < 2 * places; i++)
            is_joint[i] = 1;
        for (int i = 1; i < count; i++)
            compare_joints(p, boards[0], boards[i], work, is_joint);
        const int largest = find_parts(p, is_joint, number, work);
        blocks_set(boards[0], number, NULL, places, &blocks);
        put_part(p, boards[0], number, largest, fill);
        fill->blocks = &blocks;
        rc = fill_run(fill, NULL, 0);
        fill->blocks = NULL;
    }
    if (rc == 0)
        fill_board(fill, board);
    blocks_free(&blocks);
    free(number);
    free(work);
    free(is_joint);
    return rc;
}
