/* Splits puzzles of several images into their solutions. */
#include "stages/unscramble/solutions.h"

#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/frames.h"
#include "stages/unscramble/problem.h"

#define KEEP_COST (-100) /* of a place, up to which its tile stays when tiles are exchanged */
#define BORDER_COST 200  /* of an edge on the border of a solution, beyond what an open one costs */
/* Of a place more than there may be: what four neighbors can cost beyond ties, so that it never
 * pays to take a tile out of one solution and make another of it. */
#define EXCESS_COST (4 * (FAR_COST - TIE_COST))
#define EXCHANGES 2     /* rounds of them */
#define TRIAL_EFFORT 50 /* refills of each number of solutions that is tried */
#define PATIENCE 2      /* numbers that are tried in vain before that ends */

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

static struct pair_cost pair_of(int32_t edge, const struct partner *partner)
{
    const int32_t other = partner->edge;
    return (struct pair_cost){
        edge < other ? edge : other, edge < other ? other : edge, partner->cost};
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
        for (int i = 0; i < c->width && partners_of(c, e)[i].edge != NOTHING; i++)
            links[found++] = pair_of(e, &partners_of(c, e)[i]);
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

/* A puzzle of several images, and a way to split it. */
struct split {
    const struct compatibility *c;
    const int32_t *buddy;
    const uint8_t *present;
    const struct refine_options *options;
    int longest;     /* the longest side that a frame may have */
    int least, most; /* places of all frames */
    int count;
    int *solution;                 /* [tile] the solution that it belongs to */
    int32_t *linked;               /* [edge] its buddy, where that is in the same solution */
    uint8_t *mine;                 /* [tile] may be placed in the current solution */
    struct solution_board *boards; /* [count] what was found */
};

/* Links buddies that cost less than a limit; with `within`, only those in one solution. */
static void link_buddies(struct split *split, int limit, int within)
{
    const int *solution = split->solution;
    for (int32_t e = 0; e < 4 * split->c->tiles; e++) {
        const int32_t b = split->buddy[e];
        const int is_linked = b != NOTHING && partners_of(split->c, e)->cost < limit &&
                              !(within && solution[b >> 2] != solution[e >> 2]);
        split->linked[e] = is_linked ? b : NOTHING;
    }
}

/* Shares the tiles out by cores that are joined along buddies that cost less than a limit. */
static int share_out(struct split *split, int limit, struct error *error)
{
    const struct compatibility *c = split->c;
    struct forest forest;
    link_buddies(split, limit, 0);
    int rc = tree_make(c, split->linked, split->longest, split->longest, &forest, error);
    if (rc)
        return rc;
    rc = assign(c, &forest, split->present, split->count, split->solution, error);
    forest_free(&forest);
    return rc;
}

/* Leaves in split->mine the tiles of a solution that are present; returns how many. */
static int take_own(struct split *split, int solution)
{
    int found = 0;
    for (int32_t t = 0; t < split->c->tiles; t++)
        found += split->mine[t] =
            split->solution[t] == solution && !(split->present && !split->present[t]);
    return found;
}

/* Lays the tiles in split->mine out around their largest component, where nothing bounds them, and
 * lists the frames that the solution may have. */
static int grow(const struct split *split, const struct forest *forest,
    struct solution_board *board, struct frame_list *list, struct error *error)
{
    const int side = split->longest;
    const int32_t root = forest_largest(forest, split->mine);
    int core[4] = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    const struct problem p = {split->c, split->linked, side, side, NULL};
    *board = (struct solution_board){.columns = side, .rows = side};
    board->board = malloc((size_t)side * (size_t)side * sizeof(*board->board));
    if (!board->board)
        return error_set(error, ERROR_INPUT, "not enough memory for a solution");
    const int rc = board_from_forest(&p, split->mine, forest, board->board, error);
    if (rc)
        return rc;
    board_crop(board->board, &board->columns, &board->rows);
    for (int i = 0; i < board->columns * board->rows; i++) {
        const int32_t oriented = board->board[i];
        if (oriented != NOTHING && forest->root[oriented >> 2] == root)
            box_extend(core, i % board->columns, i / board->columns);
    }
    return frames_list(split->c, board->board, board->columns, board->rows, core, list, error);
}

/* Cuts a board down to a frame that lies on it, and takes out all tiles but those of the core. */
static void cut_to_core(struct solution_board *board, const struct frame *frame,
    const struct forest *forest, int32_t root)
{
    for (int y = 0; y < frame->rows; y++)
        for (int x = 0; x < frame->columns; x++) {
            const int32_t oriented = board->board[(y + frame->y) * board->columns + x + frame->x];
            board->board[y * frame->columns + x] =
                oriented != NOTHING && forest->root[oriented >> 2] == root ? oriented : NOTHING;
        }
    board->columns = frame->columns;
    board->rows = frame->rows;
}

/* Fills the empty places of a board with tiles in split->mine, to which its own belong. */
static int fill_up(const struct split *split, struct solution_board *board, struct error *error)
{
    struct fill fill;
    int rc =
        fill_make(split->c, split->linked, split->mine, board->columns, board->rows, &fill, error);
    if (rc)
        return rc;
    fill_begin(&fill, 1);
    for (int y = 0; y < board->rows; y++)
        for (int x = 0; x < board->columns; x++) {
            const int32_t oriented = board->board[y * board->columns + x];
            if (oriented != NOTHING)
                fill_put(&fill, (y + 1) * fill.width + x + 1, oriented);
        }
    if (fill_run(&fill, NULL, 0) != 0)
        rc = error_set(error, ERROR_INPUT, "not enough memory to fill the board");
    fill_board(&fill, board->board);
    fill_free(&fill);
    return rc;
}

/* What the pairs of neighbors of a place cost more than ties. With `later`, only of those with the
 * place to the right and the one below. */
static int64_t place_cost(
    const struct compatibility *c, const struct solution_board *board, int place, int later)
{
    int64_t cost = 0;
    for (int d = later ? SIDE_RIGHT : SIDE_LEFT; d <= SIDE_BOTTOM; d++) {
        const int next = place_beside(board->columns, board->rows, place, d);
        if (next != NOTHING)
            cost -= joint_gain(c, board->board[place], board->board[next], d);
    }
    return cost;
}

static int64_t split_cost(const struct split *split)
{
    int64_t cost = 0, places = 0;
    for (int i = 0; i < split->count; i++) {
        const struct solution_board *board = &split->boards[i];
        cost += (int64_t)BORDER_COST * 2 * (board->columns + board->rows);
        places += (int64_t)board->columns * board->rows;
    }
    if (places > split->most)
        cost += (places - split->most) * EXCESS_COST;
    for (int i = 0; i < split->count; i++)
        for (int k = 0; k < split->boards[i].columns * split->boards[i].rows; k++)
            cost += place_cost(split->c, &split->boards[i], k, 1);
    return cost;
}

/* Takes out of a board what fits badly. */
static int take_out(const struct split *split, struct solution_board *board, struct error *error)
{
    const int places = board->columns * board->rows;
    uint8_t *bad = malloc((size_t)places + 1);
    if (!bad)
        return error_set(error, ERROR_INPUT, "not enough memory for a solution");
    for (int i = 0; i < places; i++)
        bad[i] = place_cost(split->c, board, i, 0) > KEEP_COST;
    for (int i = 0; i < places; i++)
        if (bad[i])
            board->board[i] = NOTHING;
    free(bad);
    return 0;
}

/* Lets the solutions exchange tiles: takes out what fits badly, and fills the boards one by one
 * with what is then free. */
static int exchange(struct split *split, struct error *error)
{
    const size_t tiles = (size_t)split->c->tiles;
    uint8_t *free_tile = malloc(tiles);
    int rc = free_tile ? 0 : error_set(error, ERROR_INPUT, "not enough memory to share tiles out");
    for (size_t t = 0; rc == 0 && t < tiles; t++)
        free_tile[t] = !split->present || split->present[t];
    for (int i = 0; rc == 0 && i < split->count; i++) {
        struct solution_board *board = &split->boards[i];
        rc = take_out(split, board, error);
        for (int k = 0; rc == 0 && k < board->columns * board->rows; k++)
            if (board->board[k] != NOTHING)
                free_tile[board->board[k] >> 2] = 0;
    }
    for (int i = 0; rc == 0 && i < split->count; i++) {
        struct solution_board *board = &split->boards[i];
        if (!board->board)
            continue;
        memcpy(split->mine, free_tile, tiles);
        for (int k = 0; k < board->columns * board->rows; k++)
            if (board->board[k] != NOTHING)
                split->mine[board->board[k] >> 2] = 1;
        rc = fill_up(split, board, error);
        for (int k = 0; rc == 0 && k < board->columns * board->rows; k++)
            if (board->board[k] != NOTHING) {
                free_tile[board->board[k] >> 2] = 0;
                split->solution[board->board[k] >> 2] = i;
            }
    }
    free(free_tile);
    return rc;
}

/* Finds the boards of a way to share the tiles out: grows each solution freely, chooses frames that
 * have a place for every tile, and fills these. */
static int find_boards(struct split *split, int limit, struct error *error)
{
    const size_t count = (size_t)split->count;
    struct frame_list *lists = calloc(count, sizeof(*lists));
    struct frame *frames = calloc(count, sizeof(*frames));
    struct forest forest = {0};
    int rc = lists && frames ? 0 : error_set(error, ERROR_INPUT, "not enough memory for frames");
    link_buddies(split, limit, 1);
    if (rc == 0)
        rc = tree_make(split->c, split->linked, split->longest, split->longest, &forest, error);
    link_buddies(split, FAR_COST + 1, 1);
    for (int i = 0; rc == 0 && i < split->count; i++)
        if (take_own(split, i))
            rc = grow(split, &forest, &split->boards[i], &lists[i], error);
    if (rc == 0)
        rc = frames_choose(lists, split->count, split->least, split->most, frames, error);
    for (int i = 0; rc == 0 && i < split->count; i++)
        if (take_own(split, i)) {
            cut_to_core(
                &split->boards[i], &frames[i], &forest, forest_largest(&forest, split->mine));
            rc = fill_up(split, &split->boards[i], error);
        }
    for (int i = 0; rc == 0 && i < EXCHANGES; i++)
        rc = exchange(split, error);
    for (size_t i = 0; lists && i < count; i++)
        free(lists[i].frames);
    free(lists);
    free(frames);
    forest_free(&forest);
    return rc;
}

/* Splits by one limit after the other and keeps the boards that cost least. */
static int split_best(struct split *split, struct error *error)
{
    /* Fewer links make smaller cores, and fewer of these hold tiles of two solutions. */
    static const int limits[] = {
        FAR_COST + 1, TIE_COST - 100, TIE_COST - 200, TIE_COST - 300, TIE_COST - 400};
    struct solution_board *best = calloc((size_t)split->count, sizeof(*best));
    const struct refine_options *options = split->options;
    int rc = best ? 0 : error_set(error, ERROR_INPUT, "not enough memory to share the tiles out");
    int64_t least = INT64_MAX;
    for (size_t i = 0; rc == 0 && i < sizeof(limits) / sizeof(*limits); i++) {
        if (options->progress && options->progress(options->context, 0, 0))
            rc = ERROR_STOPPED;
        if (rc == 0)
            rc = share_out(split, limits[i], error);
        if (rc == 0)
            rc = find_boards(split, limits[i], error);
        const int64_t cost = rc ? INT64_MAX : split_cost(split);
        if (cost < least) {
            struct solution_board *worse = best;
            best = split->boards;
            split->boards = worse;
            least = cost;
        }
        solutions_free(split->boards, split->count);
    }
    free(split->boards);
    split->boards = best;
    return rc;
}

/* Refines each board, which gets its share of the time. */
static int refine_boards(
    struct split *split, const struct refine_options *options, struct error *error)
{
    int rc = 0, all = 0;
    for (int32_t t = 0; t < split->c->tiles; t++)
        all += !split->present || split->present[t];
    for (int i = 0; rc == 0 && i < split->count; i++) {
        struct solution_board *board = &split->boards[i];
        struct refine_options share = *options;
        int64_t cost;
        int found = 0;
        memset(split->mine, 0, (size_t)split->c->tiles);
        for (int k = 0; k < board->columns * board->rows; k++)
            if (board->board[k] != NOTHING) {
                found++;
                split->mine[board->board[k] >> 2] = 1;
            }
        share.seconds *= (double)found / all;
        share.columns = board->columns;
        share.rows = board->rows;
        if (found)
            rc = refine(split->c, split->buddy, split->mine, &share, board->board, &cost, error);
        board_crop(board->board, &board->columns, &board->rows);
    }
    return rc;
}

/* Tries numbers of solutions from 1 on, as long as that gives boards that cost less, and keeps the
 * best. */
static int find_count(struct split *split, int most, struct error *error)
{
    struct solution_board *best = NULL;
    struct refine_options trial = *split->options;
    int64_t least = INT64_MAX;
    int rc = 0, best_count = 0;
    trial.effort = TRIAL_EFFORT;
    trial.seconds = 0;
    trial.progress = NULL; /* a stop is noticed with the next number */
    for (int count = 1; rc == 0 && count <= most && count <= best_count + PATIENCE; count++) {
        split->count = count;
        split->boards = calloc((size_t)count, sizeof(*split->boards));
        rc = split->boards ? split_best(split, error)
                           : error_set(error, ERROR_INPUT, "not enough memory for solutions");
        if (rc == 0)
            rc = refine_boards(split, &trial, error);
        const int64_t cost = rc ? INT64_MAX : split_cost(split);
        if (cost < least) {
            struct solution_board *worse = best;
            const int worse_count = best_count;
            best = split->boards;
            best_count = count;
            least = cost;
            split->boards = worse;
            split->count = worse_count;
        }
        if (split->boards)
            solutions_free(split->boards, split->count);
        free(split->boards);
    }
    split->boards = best;
    split->count = best_count;
    return rc;
}

int solutions_split(const struct compatibility *compatibility, const int32_t *buddy,
    const uint8_t *present, const struct refine_options *options, int most, int count,
    int finds_count, struct solution_board *solutions, struct error *error)
{
    const size_t tiles = (size_t)compatibility->tiles;
    struct split split = {
        .c = compatibility,
        .buddy = buddy,
        .present = present,
        .options = options,
        .longest = options->columns > options->rows ? options->columns : options->rows,
        .most = most,
        .count = count,
        .solution = malloc(tiles * sizeof(*split.solution)),
        .linked = malloc(4 * tiles * sizeof(*split.linked)),
        .mine = malloc(tiles),
        .boards = finds_count ? NULL : calloc((size_t)count, sizeof(*split.boards)),
    };
    int rc = split.solution && split.linked && split.mine && (split.boards || finds_count)
                 ? 0
                 : error_set(error, ERROR_INPUT, "not enough memory to share the tiles out");
    for (size_t t = 0; t < tiles; t++)
        split.least += !present || present[t];
    for (int i = 0; i < count; i++)
        solutions[i] = (struct solution_board){0};
    if (rc == 0)
        rc = finds_count ? find_count(&split, count, error) : split_best(&split, error);
    if (rc == 0)
        rc = refine_boards(&split, options, error);
    for (int i = 0, found = 0; rc == 0 && i < split.count; i++) {
        if (split.boards[i].columns)
            solutions[found++] = split.boards[i];
        else
            free(split.boards[i].board);
    }
    if (rc && split.boards)
        solutions_free(split.boards, split.count);
    free(split.solution);
    free(split.linked);
    free(split.mine);
    free(split.boards);
    return rc;
}

void solutions_free(struct solution_board *solutions, int count)
{
    for (int i = 0; i < count; i++) {
        free(solutions[i].board);
        solutions[i] = (struct solution_board){0};
    }
}
