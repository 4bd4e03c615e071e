/* BIN: which circles reach into which bins of the band; as a matrix of bits or as lists. */
#include <stdlib.h>

#include "stages/circles/plan.h"

/* Lists: count, find places, fill. */
static int make_lists(struct run *run, struct circles *c, const struct bin_args *args)
{
    const size_t bins = (size_t)args->columns * args->rows;
    const size_t groups = (args->circles + args->group_circles - 1) / args->group_circles;
    int rc = run_buffer(run, &c->counts, groups * LIST_GROUP_WORDS(bins) * 4, NULL);
    c->list_groups = (uint32_t)groups;
    if (rc == 0)
        rc = run_buffer(run, &c->lists, (LIST_WORDS * bins + 1 + c->entries) * 4, NULL);
    if (rc == 0)
        rc = run_buffer(run, &c->ranges, (size_t)args->circles * 4, NULL);
    if (rc == 0)
        rc = DEVICE_LAUNCH(&run->device, KERNEL_list_count, groups, 1, &run->error,
            ARGUMENT_BUFFER(&c->geometry_buffer), ARGUMENT_BUFFER(&c->ranges),
            ARGUMENT_BUFFER(&c->counts), ARGUMENT_BUFFER(&c->lists), ARGUMENT(*args));
    if (rc == 0)
        rc = DEVICE_LAUNCH(&run->device, KERNEL_list_start,
            (bins * LIST_SEGMENTS + LIST_GROUP - 1) / LIST_GROUP, 1, &run->error,
            ARGUMENT_BUFFER(&c->counts), ARGUMENT_BUFFER(&c->lists), ARGUMENT(*args));
    if (rc == 0)
        rc = DEVICE_LAUNCH(&run->device, KERNEL_list_fill, groups, 1, &run->error,
            ARGUMENT_BUFFER(&c->ranges), ARGUMENT_BUFFER(&c->counts), ARGUMENT_BUFFER(&c->lists),
            ARGUMENT(*args));
    return rc;
}

/* The matrix of bits. */
static int make_bins(struct run *run, struct circles *c, const struct bin_args *args)
{
    const size_t lines = args->columns + args->rows;
    const int rc = run_buffer(run, &c->matrix, lines * args->words * 4, NULL);
    return rc ? rc
              : DEVICE_LAUNCH(&run->device, KERNEL_bin, args->words * 32 / BIN_GROUP,
                    (lines + BIN_LINES_A_GROUP - 1) / BIN_LINES_A_GROUP, &run->error,
                    ARGUMENT_BUFFER(&c->geometry_buffer), ARGUMENT_BUFFER(&c->matrix),
                    ARGUMENT(*args));
}

/* Circles that a group counts or lists: as suits the chunk, unless that makes more groups than
 * memory was planned for. */
static uint32_t choose_group(const struct run *run, const struct circles *c)
{
    const size_t circles = c->chunk_end - c->chunk_first;
    const uint32_t own = circles_of_group(c, circles, &run->device.info);
    return (circles + own - 1) / own <= c->most_groups ? own : c->group_circles;
}

static int bin_run(struct run *run, struct circles *c)
{
    const size_t circles = c->chunk_end - c->chunk_first;
    const uint32_t most = c->nearest_first ? c->most : ALL_ENTRIES;
    c->marks = c->left_out > 0 || most < ALL_ENTRIES;
    c->words = (uint32_t)((circles + BIN_GROUP - 1) / BIN_GROUP * (BIN_GROUP / 32));
    const struct bin_args args = {
        .left = c->places[0],
        .top = c->places[c->columns + c->band_row],
        .scale = (float)(c->columns > c->rows ? c->columns : c->rows),
        .circles = (uint32_t)circles,
        .words = c->words,
        .columns = c->bin_columns,
        .rows = c->bin_rows,
        .bins_a_pixel = 1 / (float)c->bin_size,
        .group_circles = choose_group(run, c),
        .most = most,
    };
    if (circles_are_few(c))
        return 0;
    /* A kernel takes every buffer, also one that it does not read. */
    const int has_lists = c->from == FROM_LISTS;
    const int rc = run_buffer(run, has_lists ? &c->matrix : &c->lists, 4, NULL);
    return rc ? rc : has_lists ? make_lists(run, c, &args) : make_bins(run, c, &args);
}

static int tile_number(float sample, uint32_t count)
{
    const float tile = sample / TILE;
    return tile < 0 ? 0 : tile < (float)count ? (int)tile : (int)count;
}

/* How many circles' boxes reach into each screen tile of the whole image: each box adds 1 at two of
 * its corners and takes it away at the others; sums over columns and rows then count. */
static void count_boxes(const struct circles *c, uint32_t columns, uint32_t rows, int64_t *counts)
{
    const float scale = (float)(c->columns > c->rows ? c->columns : c->rows);
    const float left = c->places[0], top = c->places[c->columns];
    const size_t stride = columns + 1;
    for (size_t i = 0; i < c->scene.count; i++) {
        const struct circle *circle = &c->scene.circles[i];
        const int x0 = tile_number((circle->x - circle->r - left) * scale, columns);
        const int x1 = tile_number((circle->x + circle->r - left) * scale + TILE, columns);
        const int y0 = tile_number((top - circle->y - circle->r) * scale, rows);
        const int y1 = tile_number((top - circle->y + circle->r) * scale + TILE, rows);
        counts[y0 * stride + x0]++;
        counts[y1 * stride + x1]++;
        counts[y0 * stride + x1]--;
        counts[y1 * stride + x0]--;
    }
    for (size_t i = 1; i < stride * (rows + 1); i++)
        counts[i] += i % stride ? counts[i - 1] : 0;
    for (size_t i = stride; i < stride * (rows + 1); i++)
        counts[i] += counts[i - stride];
}

static int bin_snapshot(struct run *run, struct circles *c, struct image *snapshot)
{
    const uint32_t columns = (c->columns + TILE - 1) / TILE, rows = (c->rows + TILE - 1) / TILE;
    const size_t stride = columns + 1, tiles = (size_t)columns * rows;
    int64_t *const counts = calloc(stride * (rows + 1), sizeof(*counts));
    uint32_t *const of_tiles = malloc(tiles * sizeof(*of_tiles));
    int rc = counts && of_tiles ? 0
                                : error_set(&run->error, ERROR_INPUT,
                                      "not enough memory for an image of the lists");
    if (rc == 0) {
        count_boxes(c, columns, rows, counts);
        for (size_t i = 0; i < tiles; i++)
            of_tiles[i] = (uint32_t)counts[i / columns * stride + i % columns];
        rc = circles_draw_counts(run, of_tiles, columns, rows,
            "circles that may reach into each screen tile", "screen tiles", snapshot);
    }
    free(counts);
    free(of_tiles);
    return rc;
}

const struct circles_stage BIN = {
    .stage = {"bin", "find the circles of each bin"},
    .run = bin_run,
    .snapshot = bin_snapshot,
};
