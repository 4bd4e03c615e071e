#include "stages/unscramble/montage.h"

#include <assert.h>

int montage_make(const struct layout *layout, struct montage *montage, struct error *error)
{
    const struct permutation *p = layout->permutation;
    *montage = (struct montage){.layout = *layout, .across = 1};
    while (montage->across * montage->across < p->solutions)
        montage->across++;
    for (uint32_t i = 0; i < p->solutions; i++) {
        const struct grid grid = p->grids[i];
        montage->first[i] = permutation_first(p, i);
        montage->slot.columns =
            grid.columns > montage->slot.columns ? grid.columns : montage->slot.columns;
        montage->slot.rows = grid.rows > montage->slot.rows ? grid.rows : montage->slot.rows;
    }
    montage->columns = (uint64_t)montage->slot.columns * montage->across;
    montage->rows = (uint64_t)montage->slot.rows * ((p->solutions - 1) / montage->across + 1);
    const uint64_t width = montage->columns * layout->tile_width;
    const uint64_t height = montage->rows * layout->tile_height;
    const uint64_t longest = width > height ? width : height;
    const uint64_t most = layout->max_side ? layout->max_side : MONTAGE_MAX_SIDE;
    const uint64_t side = longest > most ? longest : most;
    const int columns = (int)(width * most / side) / 2 * 2;
    const int rows = (int)(height * most / side) / 2 * 2;
    const int rc = image_new(columns ? columns : 2, rows ? rows : 2, 3, 8, &montage->image, error);
    if (rc == 0)
        draw_rectangle(
            &montage->image, 0, 0, montage->image.width, montage->image.height, layout->missing);
    return rc;
}

/* A tile as its place shows it, turned: its first pixel, and the steps to the next ones. */
struct view {
    const struct image *puzzle;
    int64_t first, step_x, step_y; /* pixels */
    int width, height;
};

static struct view view_tile(const struct layout *a, struct placed placed)
{
    const int64_t pitch = a->puzzle->width, w = a->tile_width, h = a->tile_height;
    const uint32_t columns = a->permutation->puzzle.columns;
    const int64_t corner = placed.tile / columns * h * pitch + placed.tile % columns * w;
    const int64_t first[4] = {
        corner, corner + (h - 1) * pitch, corner + (h - 1) * pitch + w - 1, corner + w - 1};
    const int64_t step_x[4] = {1, -pitch, -1, pitch}, step_y[4] = {pitch, 1, -pitch, -1};
    assert(w == h || placed.turn % 2 == 0);
    return (struct view){
        a->puzzle, first[placed.turn], step_x[placed.turn], step_y[placed.turn], (int)w, (int)h};
}

/* The mean of the tile's pixels from (x, y) up to (right, bottom). */
static struct color view_mean(const struct view *view, int x, int y, int right, int bottom)
{
    uint64_t sum[3] = {0}, count = (uint64_t)(right - x) * (uint64_t)(bottom - y);
    for (int j = y; j < bottom; j++)
        for (int i = x; i < right; i++) {
            const int64_t pixel = 4 * (view->first + i * view->step_x + j * view->step_y);
            for (int k = 0; k < 3; k++)
                sum[k] += (uint64_t)image_sample_8(view->puzzle, (size_t)(pixel + k));
        }
    return (struct color){(uint8_t)((sum[0] + count / 2) / count),
        (uint8_t)((sum[1] + count / 2) / count), (uint8_t)((sum[2] + count / 2) / count)};
}

struct box montage_box(const struct montage *montage, uint32_t place)
{
    const struct permutation *p = montage->layout.permutation;
    uint32_t solution = 0;
    while (solution + 1 < p->solutions && place >= montage->first[solution + 1])
        solution++;
    place -= montage->first[solution];
    const uint32_t columns = p->grids[solution].columns;
    const uint64_t column = solution % montage->across * montage->slot.columns + place % columns;
    const uint64_t row = solution / montage->across * montage->slot.rows + place / columns;
    const uint64_t width = (uint64_t)montage->image.width, height = (uint64_t)montage->image.height;
    const int left = (int)(column * width / montage->columns);
    const int top = (int)(row * height / montage->rows);
    return (struct box){left, top, (int)((column + 1) * width / montage->columns) - left,
        (int)((row + 1) * height / montage->rows) - top};
}

void montage_draw(struct montage *montage, uint32_t place)
{
    const struct placed placed = montage->layout.permutation->placed[place];
    if (placed.tile == NO_TILE)
        return;
    const struct box box = montage_box(montage, place);
    const struct view view = view_tile(&montage->layout, placed);
    for (int y = 0; y < box.height; y++)
        for (int x = 0; x < box.width; x++) {
            const int from_x = (int)((int64_t)x * view.width / box.width);
            const int from_y = (int)((int64_t)y * view.height / box.height);
            const int to_x = (int)((int64_t)(x + 1) * view.width / box.width);
            const int to_y = (int)((int64_t)(y + 1) * view.height / box.height);
            draw_rectangle(&montage->image, box.left + x, box.top + y, 1, 1,
                view_mean(&view, from_x, from_y, to_x > from_x ? to_x : from_x + 1,
                    to_y > from_y ? to_y : from_y + 1));
        }
}
