/* Makes blocks of places that have the same number. */
#include "stages/unscramble/blocks.h"

#include <stdlib.h>

int blocks_make(int tiles, int places, struct blocks *blocks)
{
    const size_t bytes = (size_t)tiles * sizeof(int32_t);
    *blocks = (struct blocks){.tiles = tiles,
        .next = malloc(bytes),
        .place = malloc(bytes),
        .oriented = malloc(bytes),
        .last = malloc((size_t)places * sizeof(int32_t))};
    return blocks->next && blocks->place && blocks->oriented && blocks->last ? 0 : -1;
}

void blocks_free(struct blocks *blocks)
{
    free(blocks->next);
    free(blocks->place);
    free(blocks->oriented);
    free(blocks->last);
}

void blocks_set(const int32_t *board, const int32_t *number, const uint8_t *fixed, int places,
    struct blocks *blocks)
{
    for (int32_t t = 0; t < blocks->tiles; t++)
        blocks->next[t] = t;
    for (int i = 0; i < places; i++)
        blocks->last[i] = NOTHING;
    for (int i = 0; i < places; i++) {
        if (board[i] == NOTHING || (fixed && fixed[i]))
            continue;
        const int32_t t = board[i] >> 2, last = blocks->last[number[i]];
        blocks->place[t] = i;
        blocks->oriented[t] = board[i];
        if (last != NOTHING) {
            blocks->next[t] = blocks->next[last];
            blocks->next[last] = t;
        }
        blocks->last[number[i]] = t;
    }
}
