#include "stages/unscramble/confidence.h"

#include <stdlib.h>

/* By how much `partner` is cheaper for an edge than any other candidate. */
static double margin(const struct compatibility *c, int32_t edge, int32_t partner)
{
    const struct partner *list = candidates_of(c, edge);
    const int other = list->edge == partner;
    const int32_t rival = other < c->width ? list[other].cost : FAR_COST;
    return (double)(rival - cost_of(c, edge, partner)) / FAR_COST;
}

void confidence_of_board(const struct compatibility *c, const int32_t *buddy, const int32_t *board,
    int columns, int rows, float *confidence)
{
    for (int place = 0; place < columns * rows; place++) {
        const int x = place % columns, y = place / columns;
        const int is_inside[4] = {x > 0, y > 0, x + 1 < columns, y + 1 < rows};
        const int step[4] = {-1, -columns, 1, columns};
        double sum = 0;
        int neighbors = 0;
        for (int d = 0; d < 4; d++) {
            if (board[place] == NOTHING || !is_inside[d] || board[place + step[d]] == NOTHING)
                continue;
            const int32_t a = oriented_edge(board[place], d);
            const int32_t b = oriented_edge(board[place + step[d]], d ^ 2);
            sum += (2 + margin(c, a, b) + margin(c, b, a)) / 8 + (buddy[a] == b) / 2.0;
            neighbors++;
        }
        confidence[place] = neighbors ? (float)(sum / neighbors) : 0;
    }
}

struct sure_place {
    float confidence;
    uint32_t place;
};

static int surest_first(const void *x, const void *y)
{
    const struct sure_place *a = x, *b = y;
    if (a->confidence != b->confidence)
        return a->confidence > b->confidence ? -1 : 1;
    return a->place < b->place ? -1 : 1;
}

int confidence_order(const struct placed *placed, const float *confidence, uint32_t places,
    uint32_t *order, uint32_t *count, struct error *error)
{
    struct sure_place *sure = malloc(places * sizeof(*sure));
    *count = 0;
    if (!sure)
        return error_set(error, ERROR_INPUT, "not enough memory to sort the places");
    for (uint32_t place = 0; place < places; place++)
        if (placed[place].tile != NO_TILE)
            sure[(*count)++] = (struct sure_place){confidence[place], place};
    qsort(sure, *count, sizeof(*sure), surest_first);
    for (uint32_t i = 0; i < *count; i++)
        order[i] = sure[i].place;
    free(sure);
    return 0;
}

int confidence_draw(struct grid grid, const struct placed *placed, const float *confidence,
    uint32_t tile_width, uint32_t tile_height, struct image *image, struct error *error)
{
    enum { MAX_SIDE = 1200, MIN_TILE = 3 };
    static const struct color EMPTY = {24, 24, 24};
    const uint64_t columns = grid.columns, rows = grid.rows;
    uint64_t side =
        columns * tile_width > rows * tile_height ? columns * tile_width : rows * tile_height;
    side = side < MAX_SIDE ? MAX_SIDE : side;
    int width = (int)(MAX_SIDE * (uint64_t)tile_width / side);
    int height = (int)(MAX_SIDE * (uint64_t)tile_height / side);
    width = width < MIN_TILE ? MIN_TILE : width;
    height = height < MIN_TILE ? MIN_TILE : height;
    const int rc =
        image_new((int)grid.columns * width, (int)grid.rows * height, 3, 8, image, error);
    for (uint32_t place = 0; rc == 0 && place < grid_tiles(grid); place++)
        draw_rectangle(image, (int)(place % grid.columns) * width,
            (int)(place / grid.columns) * height, width, height,
            placed[place].tile == NO_TILE ? EMPTY : draw_heat(confidence[place]));
    return rc;
}
