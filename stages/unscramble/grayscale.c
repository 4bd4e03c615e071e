/* GRAYSCALE: scales the tiled part of the puzzle to 64 x 64 gray pixels a tile. */
#include "stages/unscramble/reference.h"
#include "stages/unscramble/unscramble.h"

static int grayscale_run(struct run *run, struct unscramble *u)
{
    const uint32_t width = u->grid.columns * EDGE_PIXELS, height = u->grid.rows * EDGE_PIXELS;
    const uint32_t box_width = u->tile_width / EDGE_PIXELS + 1; /* at most */
    uint32_t outputs = GRAYSCALE_COLUMNS / box_width;
    if (outputs < 1)
        outputs = 1;
    if (outputs > GRAYSCALE_GROUP)
        outputs = GRAYSCALE_GROUP;
    const struct grayscale_args args = {
        .row_pixels = (uint32_t)u->puzzle.width,
        .tile_width = u->tile_width,
        .tile_height = u->tile_height,
        .width = width,
        .group_outputs = outputs,
        .deep = u->puzzle.depth == 16,
        .point = u->options.sampling == SAMPLING_POINT,
    };
    const int rc = run_buffer(run, &u->gray, (size_t)width * height, NULL);
    if (rc)
        return rc;
    return DEVICE_LAUNCH(&run->device, KERNEL_grayscale, (width + outputs - 1) / outputs, height,
        &run->error, ARGUMENT_BUFFER(&u->pixels), ARGUMENT_BUFFER(&u->gray), ARGUMENT(args));
}

static int grayscale_reference(struct run *run, struct unscramble *u)
{
    const size_t size = (size_t)grid_tiles(u->grid) * EDGE_PIXELS * EDGE_PIXELS;
    const int rc = run_buffer(run, &u->gray, size, NULL);
    if (rc == 0)
        reference_grayscale(&u->puzzle, u->grid, u->options.sampling, u->gray.memory);
    return rc;
}

static int grayscale_snapshot(struct run *run, struct unscramble *u, struct image *snapshot)
{
    const size_t size = u->gray.size;
    int rc = image_new((int)(u->grid.columns * EDGE_PIXELS), (int)(u->grid.rows * EDGE_PIXELS), 1,
        8, snapshot, &run->error);
    if (rc)
        return rc;
    /* The bytes come to the end of the pixels and spread out from there. */
    uint8_t *pixels = snapshot->pixels, *bytes = pixels + 3 * size;
    rc = buffer_download(&u->gray, bytes, size, &run->error);
    for (size_t i = 0; i < size; i++) {
        const uint8_t gray = bytes[i];
        pixels[4 * i] = pixels[4 * i + 1] = pixels[4 * i + 2] = gray;
        pixels[4 * i + 3] = 255;
    }
    return rc;
}

const struct unscramble_stage GRAYSCALE = {
    .stage = {"grayscale", "scale to 64 x 64 gray pixels a tile"},
    .run = grayscale_run,
    .reference = grayscale_reference,
    .snapshot = grayscale_snapshot,
};
