/* SHAPE: finds the columns and rows of an image whose tiles are loose. Every shape that has a place
 * for each tile is filled with them; the one in which the neighbors fit best is taken. */
#include <stdlib.h>

#include "stages/unscramble/board.h"
#include "stages/unscramble/evidence.h"
#include "stages/unscramble/loose.h"
#include "stages/unscramble/refine.h"

#define MANY 1000 /* tiles; of more, an image is at most MAX_ASPECT times as long as wide */
#define MAX_ASPECT 10
#define REFILLS 20 /* of the board of each shape, of up to MANY tiles */

struct shape {
    struct grid grid;
    int64_t gain; /* the sum of what pairs of neighbors cost less than a tie */
};

static uint32_t longer(struct grid grid)
{
    return grid.columns > grid.rows ? grid.columns : grid.rows;
}

static uint32_t shorter(struct grid grid)
{
    return grid.columns < grid.rows ? grid.columns : grid.rows;
}

/* The squarest first, of two alike the wide one. */
static int by_squareness(const void *x, const void *y)
{
    const struct grid *a = &((const struct shape *)x)->grid, *b = &((const struct shape *)y)->grid;
    const uint32_t sum = a->columns + a->rows, other = b->columns + b->rows;
    return sum != other ? (sum > other) - (sum < other)
                        : (a->columns < b->columns) - (a->columns > b->columns);
}

/* Lists the shapes; without a list, counts them. With `lacks_tiles` they may have empty places,
 * fewer than a row and than a column. */
static int list_shapes(
    uint32_t tiles, int lacks_tiles, int may_lie, uint32_t most_aspect, struct shape *shapes)
{
    int count = 0;
    for (uint32_t columns = 1; columns <= tiles; columns++) {
        const struct grid grid = {columns, (tiles + columns - 1) / columns};
        const uint32_t empty = grid_tiles(grid) - tiles;
        if ((empty && !(lacks_tiles && empty < shorter(grid))) ||
            (may_lie && grid.columns < grid.rows) || longer(grid) > most_aspect * shorter(grid))
            continue;
        if (shapes)
            shapes[count] = (struct shape){grid, INT64_MIN};
        count++;
    }
    if (shapes)
        qsort(shapes, (size_t)count, sizeof(*shapes), by_squareness);
    return count;
}

static int64_t board_gain(const struct compatibility *c, const int32_t *board, struct grid grid)
{
    const int columns = (int)grid.columns, rows = (int)grid.rows;
    int64_t gain = 0;
    for (int place = 0; place < columns * rows; place++)
        for (int d = SIDE_RIGHT; d <= SIDE_BOTTOM; d++) {
            const int next = place_beside(columns, rows, place, d);
            if (next != NOTHING)
                gain += joint_gain(c, board[place], board[next], d);
        }
    return gain;
}

/* Fills a board of that shape, as FILL and REFINE do, and leaves its gain. */
static int try_shape(const struct unscramble *u, struct shape *shape, struct error *error)
{
    const int columns = (int)shape->grid.columns, rows = (int)shape->grid.rows;
    const struct refine_options options = {
        .columns = columns, .rows = rows, .effort = REFILLS, .seed = u->options.seed};
    int32_t *board = malloc(grid_tiles(shape->grid) * sizeof(*board));
    const struct problem p = {&u->looped, u->buddy, columns, rows, NULL};
    struct forest forest = {0};
    int64_t cost;
    int rc = board ? 0 : error_set(error, ERROR_INPUT, "not enough memory for the board");
    if (rc == 0)
        rc = tree_make(&u->looped, u->buddy, columns, rows, &forest, error);
    if (rc == 0)
        rc = board_from_forest(&p, u->present, &forest, board, error);
    if (rc == 0 && u->options.loose_count <= MANY)
        rc = refine(&u->compatibility, u->buddy, u->present, &options, board, &cost, error);
    if (rc == 0)
        shape->gain = board_gain(&u->compatibility, board, shape->grid);
    forest_free(&forest);
    free(board);
    return rc;
}

static int try_shapes(struct run *run, const struct unscramble *u, struct shape *shapes, int count)
{
    struct error failure;
    uint32_t done = 0;
    int rc = 0, stopped = 0;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < count; i++) {
        struct error error;
        int is_stopped;
#pragma omp atomic read
        is_stopped = stopped;
        const int own = is_stopped ? 0 : try_shape(u, &shapes[i], &error);
#pragma omp critical
        if (own) {
            rc = own;
            failure = error;
        }
        const int stop = run_progress_part(run, &done, (uint32_t)count);
        if (stop) {
#pragma omp atomic write
            stopped = stop;
        }
    }
    if (rc && !stopped)
        run->error = failure;
    return stopped ? stopped : rc;
}

/* Says which shape was taken; warns where nothing tells it from another. */
static void tell_shape(
    struct run *run, const struct shape *best, const struct shape *next, uint32_t tiles)
{
    run_notice(run, 0, "%u loose tiles make %u x %u: gain %.1f", tiles, best->grid.columns,
        best->grid.rows, (double)best->gain / TIE_COST);
    run_notice(run, 0, "the next best shape is %u x %u: gain %.1f", next->grid.columns,
        next->grid.rows, (double)next->gain / TIE_COST);
    if (best->gain <= 0 || next->gain == best->gain)
        run_notice(run, 1,
            "nothing tells whether the %u tiles are %u x %u or %u x %u: took the first; say what "
            "the grid is",
            tiles, best->grid.columns, best->grid.rows, next->grid.columns, next->grid.rows);
}

/* Where the tiles leave places empty, one may be there twice, as a file that was copied beside
 * itself. Tiles of one color are often alike. */
static int warn_of_copy(struct run *run, const struct unscramble *u)
{
    const struct tiling tiling = unscramble_tiling(u);
    const int32_t tiles = (int32_t)u->options.loose_count;
    int32_t *alike = malloc(4 * (size_t)grid_tiles(u->grid) * sizeof(*alike));
    const int ok = alike && alike_find(&tiling, alike) >= 0;
    int32_t copy = 0;
    while (ok && copy < tiles && (alike[4 * copy] == 4 * copy || alike[4 * copy + 1] % 4 == 0))
        copy++;
    if (ok && copy < tiles)
        run_notice(run, 1, "'%s' and '%s' have the same pixels; if one is a copy, leave it out",
            u->options.loose[alike[4 * copy] / 4], u->options.loose[copy]);
    free(alike);
    return ok ? 0 : error_set(&run->error, ERROR_INPUT, "not enough memory to compare the tiles");
}

static int shape_run(struct run *run, struct unscramble *u)
{
    const uint32_t tiles = u->options.loose_count;
    const int may_lie = unscramble_turns(u) == TURNS_ANY; /* then it need not be tried standing */
    const uint32_t aspect = tiles > MANY ? MAX_ASPECT : tiles;
    const int lacks_tiles =
        u->options.has_missing || list_shapes(tiles, 0, may_lie, LOOSE_ASPECT, NULL) == 0;
    const int most = list_shapes(tiles, lacks_tiles, may_lie, aspect, NULL);
    struct shape *shapes = malloc((size_t)most * sizeof(*shapes));
    const struct shape *best = shapes, *next = NULL;
    if (!shapes)
        return error_set(&run->error, ERROR_INPUT, "not enough memory for the shapes");
    list_shapes(tiles, lacks_tiles, may_lie, aspect, shapes);
    int rc = most > 1 ? try_shapes(run, u, shapes, most) : 0;
    for (int i = 1; i < most; i++)
        if (shapes[i].gain > best->gain) {
            next = best;
            best = &shapes[i];
        } else if (!next || shapes[i].gain > next->gain) {
            next = &shapes[i];
        }
    if (rc == 0 && most > 1)
        tell_shape(run, best, next, tiles);
    const struct grid grid = best->grid;
    free(shapes);
    if (rc == 0)
        rc = loose_lay_out(u, grid, &run->error);
    if (rc == 0 && grid_tiles(grid) > tiles)
        rc = warn_of_copy(run, u);
    u->options.has_missing |= grid_tiles(grid) > tiles;
    if (rc == 0)
        rc = unscramble_check_outputs(u, &run->error);
    return rc ? rc : unscramble_upload(run, u);
}

const struct unscramble_stage SHAPE = {
    .stage = {"shape", "of loose tiles: find the columns and rows they make"},
    .run = shape_run,
};
