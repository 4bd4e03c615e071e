/* The stages that work on boards, which puzzles of many tiles need; BUDDIES runs for all.
 *
 * BUDDIES: pairs edges that are each other's best partner (tree.h), by costs that count what stands
 * beside them (loops.h).
 * TREE: joins buddies, the cheapest first, to components (tree.h).
 * FILL: puts the largest component into a frame and fills it, the surest tiles first (fill.h);
 * takes the order in which the tiles came where that costs less.
 * REFINE: empties places and refills them, many times, keeping what is no worse (refine.h).
 * ANNEAL: where the answer is doubtful, lets areas of tiles change places (anneal.h).
 * EXCHANGE: for pages, after REFINE: lets areas of tiles change places (exchange.h).
 * SPLIT: for several solutions, in place of TREE, FILL and REFINE (solutions.h). */
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/anneal.h"
#include "stages/unscramble/exchange.h"
#include "stages/unscramble/loops.h"
#include "stages/unscramble/unscramble.h"

static int buddies_run(struct run *run, struct unscramble *u)
{
    const uint32_t edges = 4 * grid_tiles(u->grid);
    uint32_t found = 0;
    free(u->buddy);
    u->buddy = malloc(edges * sizeof(*u->buddy));
    if (!u->buddy)
        return error_set(&run->error, ERROR_INPUT, "not enough memory for %u edges", edges);
    compatibility_free(&u->looped);
    if (loops_make(&u->compatibility, &u->looped, &run->error))
        return ERROR_INPUT;
    buddies_find(&u->looped, u->buddy);
    for (uint32_t edge = 0; edge < edges; edge++)
        found += u->buddy[edge] != NOTHING;
    run_notice(run, 0, "%u pairs of best buddies", found / 2);
    return 0;
}

static int tree_run(struct run *run, struct unscramble *u)
{
    forest_free(&u->forest);
    return tree_make(&u->looped, u->buddy, (int)u->board_grid.columns, (int)u->board_grid.rows,
        &u->forest, &run->error);
}

static void boards_free(struct unscramble *u)
{
    solutions_free(u->boards, (int)u->board_count);
    u->board_count = 0;
}

/* Takes the order in which the tiles came instead of the board's, where that costs less: the image
 * is hardly shuffled then. */
static int take_order_that_came(const struct unscramble *u, int32_t *board, struct error *error)
{
    const int columns = (int)u->board_grid.columns, rows = (int)u->board_grid.rows;
    const size_t size = (size_t)grid_tiles(u->grid) * sizeof(*board);
    if (u->grid.columns != u->board_grid.columns || u->grid.rows != u->board_grid.rows)
        return 0;
    int32_t *came = malloc(size);
    if (!came)
        return error_set(error, ERROR_INPUT, "not enough memory for the board");
    for (int tile = 0; tile < columns * rows; tile++)
        came[tile] = !u->present || u->present[tile] ? 4 * tile : NOTHING;
    if (board_cost(&u->compatibility, came, columns, rows) <
        board_cost(&u->compatibility, board, columns, rows))
        memcpy(board, came, size);
    free(came);
    return 0;
}

static int fill_stage_run(struct run *run, struct unscramble *u)
{
    struct solution_board *board = &u->boards[0];
    boards_free(u);
    *board = (struct solution_board){
        .columns = (int)u->board_grid.columns, .rows = (int)u->board_grid.rows};
    board->board = malloc(grid_tiles(u->board_grid) * sizeof(*board->board));
    if (!board->board)
        return error_set(&run->error, ERROR_INPUT, "not enough memory for the board");
    u->board_count = 1;
    const struct problem p = {&u->looped, u->buddy, board->columns, board->rows, NULL};
    const int rc = board_from_forest(&p, u->present, &u->forest, board->board, &run->error);
    compatibility_free(&u->looped);
    return rc ? rc : take_order_that_came(u, board->board, &run->error);
}

struct refining {
    struct run *run;
    double pairs; /* of neighbors */
    int stopped;
};

static int report(void *context, double share, int64_t cost)
{
    struct refining *refining = context;
    if (share > 0)
        snprintf(refining->run->part, sizeof(refining->run->part), "best cost %.4f",
            (double)cost / refining->pairs / TIE_COST);
    refining->stopped =
        run_progress(refining->run, share < 1 ? share : 1) != 0 || refining->run->is_finishing;
    return refining->stopped;
}

static struct refine_options refine_options(const struct unscramble *u, struct refining *refining)
{
    return (struct refine_options){
        .columns = (int)u->board_grid.columns,
        .rows = (int)u->board_grid.rows,
        .effort = (int)u->options.effort,
        .seconds = (double)u->options.seconds,
        .seed = u->options.seed,
        .progress = report,
        .context = refining,
    };
}

/* Says how many tiles a split has left over. */
static void tell_left_over(struct run *run, const struct unscramble *u)
{
    uint32_t left = 0;
    for (uint32_t tile = 0; tile < grid_tiles(u->grid); tile++)
        left += u->present[tile];
    for (uint32_t i = 0; i < u->board_count; i++)
        for (int k = 0; k < u->boards[i].columns * u->boards[i].rows; k++)
            left -= u->boards[i].board[k] != NOTHING;
    if (left)
        run_notice(run, 1, "tiles that fit into no image and were left out: %u", left);
}

/* What follows a search that may have been stopped. */
static void end_search(struct run *run, const struct refining *refining)
{
    run->part[0] = 0;
    if (refining->stopped)
        run_leave_out(run, BEST_SO_FAR);
}

/* Makes the permutation from the boards. */
static int make_permutation(struct run *run, struct unscramble *u)
{
    struct grid grids[MAX_SOLUTIONS];
    unscramble_tell_turns(run, u);
    for (uint32_t i = 0; i < u->board_count; i++) {
        grids[i] = (struct grid){(uint32_t)u->boards[i].columns, (uint32_t)u->boards[i].rows};
        run_notice(run, 0, "solution %u has %u x %u tiles", i + 1, grids[i].columns, grids[i].rows);
    }
    const int rc =
        permutation_new(u->grid, u->board_count, grids, &u->result.permutation, &run->error);
    struct placed *placed = u->result.permutation.placed;
    for (uint32_t i = 0; rc == 0 && i < u->board_count; i++)
        for (uint32_t place = 0; place < grid_tiles(grids[i]); place++)
            *placed++ = oriented_placed(u->boards[i].board[place]);
    return rc;
}

/* Neighbors of which one at least is a tile; 1 where there are none. */
static double count_pairs(const struct solution_board *board)
{
    const int columns = board->columns, places = columns * board->rows;
    double pairs = 0;
    for (int i = 0; i < places; i++) {
        const int is_tile = board->board[i] != NOTHING;
        pairs += (i + 1) % columns && (is_tile || board->board[i + 1] != NOTHING);
        pairs += i + columns < places && (is_tile || board->board[i + columns] != NOTHING);
    }
    return pairs > 0 ? pairs : 1;
}

static void tell_cost(struct run *run, const struct unscramble *u, const struct refining *refining)
{
    run_notice(run, 0, "mean cost of two neighbors: %.4f",
        (double)u->result.cost / refining->pairs / TIE_COST);
}

static int refine_run(struct run *run, struct unscramble *u)
{
    struct solution_board *board = &u->boards[0];
    struct refining refining = {run, count_pairs(board), 0};
    struct refine_options options = refine_options(u, &refining);
    options.run = run;
    const int rc = refine(&u->compatibility, u->buddy, u->present, &options, board->board,
        &u->result.cost, &run->error);
    if (rc)
        return rc;
    if (u->options.solution_grid.columns)
        board_crop(board->board, &board->columns, &board->rows);
    tell_cost(run, u, &refining);
    end_search(run, &refining);
    return make_permutation(run, u);
}

static int anneal_run(struct run *run, struct unscramble *u)
{
    const struct permutation *p = &u->result.permutation;
    const uint32_t places = grid_tiles(p->grids[0]);
    struct solution_board board = {.columns = (int)p->grids[0].columns,
        .rows = (int)p->grids[0].rows,
        .board = malloc(places * sizeof(*board.board))};
    if (!board.board)
        return error_set(&run->error, ERROR_INPUT, "not enough memory for the board");
    for (uint32_t i = 0; i < places; i++)
        board.board[i] = placed_oriented(p->placed[i]);
    struct refining refining = {run, count_pairs(&board), 0};
    struct refine_options options = refine_options(u, &refining);
    options.columns = board.columns;
    options.rows = board.rows;
    const struct tally tally = unscramble_tally(&u->result);
    const int rc = anneal(&u->compatibility, &options, tally.all - tally.right, board.board,
        &u->result.cost, &run->error);
    if (rc == 0) {
        tell_cost(run, u, &refining);
        end_search(run, &refining);
        for (uint32_t i = 0; i < places; i++)
            p->placed[i] = oriented_placed(board.board[i]);
    }
    free(board.board);
    return rc;
}

/* All tiles are to be there, and few enough to exchange them. */
int unscramble_exchanges(const struct unscramble *u)
{
    return u->page.tiles > 0 && u->page.tiles <= EXCHANGE_MAX_TILES && !u->options.has_missing &&
           !u->options.solution_grid.columns;
}

static int exchange_run(struct run *run, struct unscramble *u)
{
    struct solution_board *board = &u->boards[0];
    for (int i = 0; i < u->page.tiles; i++)
        board->board[i] /= 4;
    if (exchange_tiles(&u->page, board->columns, board->rows, u->options.seed, board->board) != 0)
        return error_set(&run->error, ERROR_INPUT, "not enough memory to exchange the tiles");
    for (int i = 0; i < u->page.tiles; i++)
        board->board[i] *= 4;
    u->result.cost = board_cost(&u->compatibility, board->board, board->columns, board->rows);
    return make_permutation(run, u);
}

static int split_run(struct run *run, struct unscramble *u)
{
    struct refining refining = {run, 2.0 * grid_tiles(u->grid), 0};
    const struct refine_options options = refine_options(u, &refining);
    const uint32_t wanted = unscramble_solutions(u);
    const int finds = u->options.mixed == MIXED_AUTO;
    int places = 0; /* of all solutions, at most */
    for (uint32_t tile = 0; tile < grid_tiles(u->grid); tile++)
        places += u->options.has_missing || u->present[tile];
    boards_free(u);
    const int rc = solutions_split(&u->compatibility, u->buddy, u->present, &options, places,
        (int)wanted, finds, u->boards, &run->error);
    if (rc)
        return rc;
    while (u->board_count < wanted && u->boards[u->board_count].columns > 0)
        u->board_count++;
    if (u->board_count == 0)
        return error_set(&run->error, ERROR_INPUT,
            "the tiles of '%s' make no image; say how it is cut, or of how many images it is",
            u->options.input);
    tell_left_over(run, u);
    end_search(run, &refining);
    return make_permutation(run, u);
}

const struct unscramble_stage BUDDIES = {
    .stage = {"buddies", "pair edges that are each other's best"},
    .run = buddies_run,
};
const struct unscramble_stage TREE = {
    .stage = {"tree", "large: join the pairs, the surest first, to components"},
    .run = tree_run,
};
const struct unscramble_stage FILL = {
    .stage = {"fill", "large: fill the board around the largest component, or pack several"},
    .run = fill_stage_run,
};
const struct unscramble_stage REFINE = {
    .stage = {"refine", "large: empty places and refill them, many times"},
    .run = refine_run,
};
const struct unscramble_stage ANNEAL = {
    .stage = {"anneal", "large: where the answer is doubtful, let areas of tiles change places"},
    .run = anneal_run,
};
const struct unscramble_stage EXCHANGE = {
    .stage = {"exchange", "let areas of tiles of a page change places"},
    .run = exchange_run,
};
const struct unscramble_stage SPLIT = {
    .stage = {"split", "large: share the tiles out among several solutions, solve each"},
    .run = split_run,
};
