/* ASSEMBLE: the tiles of the full picture in the order found. */
#include "images/draw.h"
#include "stages/unscramble/unscramble.h"

static int assemble_run(struct run *run, void *state)
{
    struct unscramble *u = state;
    const struct image *picture = &u->picture;
    const uint32_t words = (uint32_t)image_pixel_size(picture) / 4;
    const struct assemble_args args = {
        .row_words = (uint32_t)picture->width * words,
        .columns = u->grid.columns,
        .rows = u->grid.rows,
        .tile_words = u->tile_width * words,
        .tile_height = u->tile_height,
    };
    int rc = 0;
    if (!u->assembled.pixels)
        rc = image_new(picture->width, picture->height, picture->channels, picture->depth,
            &u->assembled, &run->error);
    if (rc == 0)
        rc = run_buffer(run, &u->result, u->pixels.size, u->assembled.pixels);
    if (rc == 0)
        rc = run_buffer(run, &u->order, sizeof(u->permutation.order), u->permutation.order);
    if (rc == 0)
        rc = buffer_upload(
            &u->order, u->permutation.order, sizeof(u->permutation.order), &run->error);
    if (rc)
        return rc;
    return DEVICE_LAUNCH(&run->device, KERNEL_assemble, (size_t)picture->height,
        u->grid.columns + 1, &run->error, ARGUMENT_BUFFER(&u->pixels), ARGUMENT_BUFFER(&u->result),
        ARGUMENT_BUFFER(&u->order), ARGUMENT(args));
}

/* The result, reduced, with the borders and numbers of its tiles. */
static int assemble_picture(struct run *run, void *state, struct image *picture)
{
    enum { MAX_SIDE = 1200 };
    static const struct colour BORDER = {255, 64, 0}, NUMBER = {255, 255, 255};
    struct unscramble *u = state;
    int step, rc = buffer_download(&u->result, u->assembled.pixels, u->result.size, &run->error);
    if (rc == 0)
        rc = draw_reduced_copy(&u->assembled, MAX_SIDE, picture, &step, &run->error);
    if (rc)
        return rc;
    const int columns = (int)u->grid.columns, rows = (int)u->grid.rows;
    const int width = (int)u->tile_width, height = (int)u->tile_height;
    for (int column = 0; column <= columns; column++)
        draw_rectangle(picture, column * width / step - 1, 0, 2, rows * height / step, BORDER);
    for (int row = 0; row <= rows; row++)
        draw_rectangle(picture, 0, row * height / step - 1, columns * width / step, 2, BORDER);
    for (int place = 0; place < columns * rows; place++) {
        const int x = place % columns * width / step + 6, y = place / columns * height / step + 6;
        const unsigned tile = u->permutation.order[place];
        const int digits = tile > 9 ? 2 : 1;
        draw_rectangle(picture, x - 4, y - 4, digits * DRAW_DIGIT_WIDTH * 4 + 4,
            DRAW_DIGIT_HEIGHT * 4 + 8, BORDER);
        draw_number(picture, x, y, 4, tile, NUMBER);
    }
    return 0;
}

const struct stage ASSEMBLE = {.name = "assemble",
    .summary = "put the tiles in their order",
    .run = assemble_run,
    .picture = assemble_picture};
