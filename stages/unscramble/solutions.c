/* Splits puzzles of several images into their solutions. */
#include "stages/unscramble/solutions.h"

#include <stdlib.h>
#include <string.h>

/* The root of the largest component that is in no solution yet, or NOTHING. */
static int32_t largest_free(
    const struct forest *forest, const uint8_t *present, const int *solution)
{
    int32_t root = NOTHING;
    for (int32_t t = 0; t < forest->tiles; t++)
        if (forest->root[t] == t && solution[t] == NOTHING && !(present && !present[t]) &&
            (root == NOTHING || forest->size[t] > forest->size[root]))
            root = t;
    return root;
}

/* Assigns every tile to a solution. */
static int assign(const struct compatibility *c, const struct forest *forest,
    const uint8_t *present, int count, int *solution, struct error *error)
{
    const size_t most = (size_t)c->tiles * 4 * (size_t)c->width;
    int32_t *parent = malloc((size_t)c->tiles * sizeof(*parent));
    struct pair_cost *links = malloc(most * sizeof(*links));
    if (!parent || !links) {
        free(parent);
        free(links);
        return error_set(error, ERROR_INPUT, "not enough memory to share the tiles out");
    }
    for (int t = 0; t < c->tiles; t++) {
        parent[t] = forest->root[t];
        solution[t] = NOTHING;
    }
    for (int i = 0; i < count; i++) {
        const int32_t root = largest_free(forest, present, solution);
        if (root != NOTHING)
            solution[root] = i;
    }
    size_t found = 0;
    for (int32_t e = 0; e < 4 * c->tiles; e++)
        for (int i = 0; i < c->width && candidates_of(c, e)[i].edge != NOTHING; i++)
            links[found++] = *pair_find(c, e, candidates_of(c, e)[i].edge);
    qsort(links, found, sizeof(*links), pair_order);
    for (size_t i = 0; i < found; i++) {
        const int32_t a = root_of(parent, links[i].a >> 2), b = root_of(parent, links[i].b >> 2);
        if (a == b || (solution[a] != NOTHING && solution[b] != NOTHING))
            continue;
        if (solution[a] == NOTHING)
            parent[a] = b;
        else
            parent[b] = a;
    }
    for (int t = 0; t < c->tiles; t++) {
        const int of_root = solution[root_of(parent, t)];
        solution[t] = of_root == NOTHING ? 0 : of_root;
    }
    free(parent);
    free(links);
    return 0;
}

#define NO_FRAME (INT64_MAX / 256) /* a cost, of which there may be many in a sum */

/* The size of the largest component of the forest. */
static void core_find(const struct forest *forest, const uint8_t *present, int *width, int *height)
{
    const int32_t root = forest_largest(forest, present);
    int x0 = INT32_MAX, y0 = INT32_MAX, x1 = INT32_MIN, y1 = INT32_MIN;
    for (int32_t t = 0; t < forest->tiles; t++)
        if (forest->root[t] == root) {
            x0 = forest->x[t] < x0 ? forest->x[t] : x0;
            x1 = forest->x[t] > x1 ? forest->x[t] : x1;
            y0 = forest->y[t] < y0 ? forest->y[t] : y0;
            y1 = forest->y[t] > y1 ? forest->y[t] : y1;
        }
    *width = x1 - x0 + 1;
    *height = y1 - y0 + 1;
}

/* Fills a frame around the largest component of the forest. The cost counts the frame's sides as
 * open edges, and a tile that finds no place as two ties. */
static int fill_frame(const struct compatibility *c, const int32_t *buddy, const uint8_t *present,
    const struct forest *forest, struct solution_board *solution, int64_t *cost,
    struct error *error)
{
    struct fill fill;
    const int w = solution->columns, h = solution->rows;
    solution->board = malloc((size_t)w * (size_t)h * sizeof(*solution->board));
    if (!solution->board)
        return error_set(error, ERROR_INPUT, "not enough memory for a solution");
    int rc = fill_make(c, buddy, present, w, h, &fill, error);
    if (rc)
        return rc;
    rc = board_from_forest(forest, &fill, solution->board);
    *cost = board_cost(c, solution->board, w, h) + 2 * OPEN_COST * (w + h) +
            2 * TIE_COST * (int64_t)(fill.tiles - fill.placed);
    fill_free(&fill);
    return rc;
}

/* Solves the tiles that are present as one solution: tries every frame that holds the largest
 * component and has about as many places as there are tiles, and takes the one that costs least.
 * Where no frame does, there is no board. With `search` the board is then refined. Can be stopped
 * between frames, except with `search`, as there is an answer by then. */
static int solve(const struct compatibility *c, const int32_t *buddy, const uint8_t *present,
    int tiles, struct refine_options options, int search, struct solution_board *solution,
    int64_t *cost, struct error *error)
{
    struct forest forest;
    const int longest = options.columns > options.rows ? options.columns : options.rows;
    int width, height, area = INT32_MAX;
    int rc = tree_make(c, buddy, longest, longest, &forest, error);
    if (rc)
        return rc;
    core_find(&forest, present, &width, &height);
    *cost = NO_FRAME;
    for (int w = width; w <= longest; w++)
        for (int h = height; h <= longest; h++)
            if (w * h >= tiles && w * h < area)
                area = w * h;
    for (int w = width; rc == 0 && w <= longest; w++)
        for (int h = height; rc == 0 && h <= longest; h++) {
            if (w * h * 33 < tiles * 32 || w * h > area + area / 16)
                continue;
            if (!search && options.progress && options.progress(options.context, 0, NO_FRAME)) {
                rc = ERROR_STOPPED;
                break;
            }
            struct solution_board other = {.columns = w, .rows = h};
            int64_t other_cost;
            rc = fill_frame(c, buddy, present, &forest, &other, &other_cost, error);
            if (rc == 0 && other_cost < *cost) {
                const struct solution_board worse = *solution;
                *solution = other;
                *cost = other_cost;
                other = worse;
            }
            free(other.board);
        }
    forest_free(&forest);
    options.columns = solution->columns;
    options.rows = solution->rows;
    if (rc == 0 && search && solution->board)
        rc = refine(c, buddy, present, &options, solution->board, cost, error);
    if (rc == 0 && solution->board)
        board_crop(solution->board, &solution->columns, &solution->rows);
    return rc;
}

struct split {
    int *solution;  /* [tile] the solution that it belongs to */
    int32_t *buddy; /* [edge] some of the buddies */
    uint8_t *mine;  /* [tile] belongs to the solution at hand */
};

/* Splits the tiles by cores that are joined along buddies that cost less than a limit. */
static int split_by(const struct compatibility *c, const int32_t *buddy, const uint8_t *present,
    int longest, int count, int limit, struct split *split, struct error *error)
{
    struct forest forest;
    for (int32_t e = 0; e < 4 * c->tiles; e++)
        split->buddy[e] =
            buddy[e] != NOTHING && candidates_of(c, e)->cost < limit ? buddy[e] : NOTHING;
    int rc = tree_make(c, split->buddy, longest, longest, &forest, error);
    if (rc)
        return rc;
    rc = assign(c, &forest, present, count, split->solution, error);
    forest_free(&forest);
    return rc;
}

/* Solves each part of a split, which gets its share of the time; *cost is the sum. */
static int solve_all(const struct compatibility *c, const int32_t *buddy, const uint8_t *present,
    const struct refine_options *options, int search, int count, struct split *split,
    struct solution_board *solutions, int64_t *cost, struct error *error)
{
    int rc = 0, all = 0;
    *cost = 0;
    for (int t = 0; t < c->tiles; t++)
        all += !(present && !present[t]);
    for (int32_t e = 0; e < 4 * c->tiles; e++) {
        const int same =
            buddy[e] != NOTHING && split->solution[buddy[e] >> 2] == split->solution[e >> 2];
        split->buddy[e] = same ? buddy[e] : NOTHING;
    }
    for (int i = 0; rc == 0 && i < count; i++) {
        int found = 0;
        for (int t = 0; t < c->tiles; t++)
            found += split->mine[t] = split->solution[t] == i && !(present && !present[t]);
        if (!found)
            continue;
        int64_t own = 0;
        struct refine_options share = *options;
        share.seconds *= (double)found / all;
        rc = solve(c, split->buddy, split->mine, found, share, search, &solutions[i], &own, error);
        *cost += own;
        if (rc == 0 && search && !solutions[i].board)
            rc = error_set(error, ERROR_INPUT,
                "%d tiles of a solution fit no grid of at most %d x %d; allow a larger one", found,
                options->columns, options->rows);
    }
    return rc;
}

int solutions_split(const struct compatibility *compatibility, const int32_t *buddy,
    const uint8_t *present, const struct refine_options *options, int count,
    struct solution_board *solutions, struct error *error)
{
    /* Fewer links make smaller cores, and fewer of these hold tiles of two solutions. */
    static const int limits[] = {
        FAR_COST + 1, TIE_COST - 50, TIE_COST - 100, TIE_COST - 150, TIE_COST - 200};
    const size_t tiles = (size_t)compatibility->tiles;
    const int longest = options->columns > options->rows ? options->columns : options->rows;
    struct split split = {.solution = malloc(tiles * sizeof(*split.solution)),
        .buddy = malloc(4 * tiles * sizeof(*split.buddy)),
        .mine = malloc(tiles)};
    int rc = split.solution && split.buddy && split.mine
                 ? 0
                 : error_set(error, ERROR_INPUT, "not enough memory to share the tiles out");
    int64_t cost, least = INT64_MAX;
    int best = 0;
    for (int i = 0; i < count; i++)
        solutions[i] = (struct solution_board){0};
    for (size_t i = 0; rc == 0 && i < sizeof(limits) / sizeof(*limits); i++) {
        rc = split_by(compatibility, buddy, present, longest, count, limits[i], &split, error);
        if (rc == 0)
            rc = solve_all(
                compatibility, buddy, present, options, 0, count, &split, solutions, &cost, error);
        solutions_free(solutions, count);
        if (rc == 0 && cost < least) {
            least = cost;
            best = limits[i];
        }
    }
    if (rc == 0)
        rc = split_by(compatibility, buddy, present, longest, count, best, &split, error);
    if (rc == 0)
        rc = solve_all(
            compatibility, buddy, present, options, 1, count, &split, solutions, &cost, error);
    free(split.solution);
    free(split.buddy);
    free(split.mine);
    if (rc)
        solutions_free(solutions, count);
    return rc;
}

void solutions_free(struct solution_board *solutions, int count)
{
    for (int i = 0; i < count; i++) {
        free(solutions[i].board);
        solutions[i] = (struct solution_board){0};
    }
}
