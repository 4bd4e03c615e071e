/* JUDGE: says how likely the answer is right, as a whole and at each place (confidence.h). */
#include <math.h>
#include <stdlib.h>

#include "stages/unscramble/exchange.h"
#include "stages/unscramble/find_grid.h"
#include "stages/unscramble/flat.h"
#include "stages/unscramble/jumps.h"
#include "stages/unscramble/problem.h"
#include "stages/unscramble/unscramble.h"

#define MAX_LEAD 3 /* ANSWER_LEAD and ANSWER_RATIO are not told apart above it */

/* Probability at most: */
#define LIKELY_CUT 0.99 /* where the grid is only likely */
#define UNSURE 0.3      /* where tiles may be cut wrongly, or an image may begin at another place */
#define WRONG_CUT 0.05  /* where tiles are cut wrongly */

#define LEAST_BORDER 40 /* thousandths; where evidence_of_border is less, an image may do so */
#define LEAST_PAIRS 7  /* of neighbors, two thirds of which a shuffle hardly ever leaves together */
#define FEWEST_PAIRS 4 /* all of which it leaves together in one of 24 puzzles of 2 x 2 tiles */

struct tally unscramble_tally(const struct unscramble_result *result)
{
    const struct permutation *p = &result->permutation;
    const uint32_t places = permutation_first(p, p->solutions);
    struct tally tally = {0, 0};
    for (uint32_t place = 0; place < places; place++)
        if (p->placed[place].tile != NO_TILE) {
            tally.right += (double)result->confidence[place];
            tally.all++;
        }
    return tally;
}

/* What the search for the best order knows of the next best one. Tiles that look alike make orders
 * that look alike, and then it knows nothing. */
static void take_next_best(struct unscramble *u, int repeated, struct evidence_board *board)
{
    struct unscramble_result *result = &u->result;
    result->answer_kind = ANSWER_SEARCHED;
    if (result->runner_up_cost == NO_COST || u->options.is_classic || repeated)
        return;
    result->answer_kind = ANSWER_PROVEN;
    board->lead = ((double)result->runner_up_cost - result->exact_cost) / TIE_COST;
    board->lead = board->lead < MAX_LEAD ? board->lead : MAX_LEAD;
    board->ratio = log(unscramble_margin(u));
    board->ratio = board->ratio < MAX_LEAD ? board->ratio : MAX_LEAD;
}

int unscramble_found_fewer(const struct unscramble *u)
{
    return !u->options.apply && u->options.mixed != MIXED_AUTO &&
           u->result.permutation.solutions < u->options.mixed;
}

/* Whether a search has left tiles out, or found fewer solutions than there are. */
static int is_incomplete(const struct unscramble *u)
{
    const struct permutation *p = &u->result.permutation;
    uint32_t left = 0;
    if (u->options.apply)
        return 0;
    for (uint32_t tile = 0; tile < grid_tiles(u->grid); tile++)
        left += u->present[tile];
    for (uint32_t place = 0; place < permutation_first(p, p->solutions); place++)
        left -= p->placed[place].tile != NO_TILE;
    return left > 0 || unscramble_found_fewer(u);
}

/* Whether any order of the tiles shows the same pixels: all tiles are there and look alike, and
 * look alike when turned too where they may be. `repeated` of them look like an earlier one. */
static int is_any_right(const struct unscramble *u, const int32_t *alike, int repeated)
{
    const uint32_t tiles = grid_tiles(u->grid);
    const struct permutation *p = &u->result.permutation;
    const int is_flat = alike[0] == alike[1]; /* edges of a tile of one color are all alike */
    return (uint32_t)repeated + 1 == tiles && (is_flat || !u->options.rotates) &&
           !u->options.apply && p->solutions == 1 && !unscramble_is_mixed(&u->options) &&
           grid_tiles(p->grids[0]) == tiles && !u->options.has_missing;
}

/* Whether the grid may be wrong, where an order is asked for: the caller gave it, or it is only
 * likely. */
static int may_cut_wrongly(const struct unscramble *u)
{
    const struct unscramble_options *options = &u->options;
    return !options->apply && !options->loose &&
           (options->grid.columns || options->tile_width || u->is_grid_likely);
}

/* The puzzle with the seams that it came with, also where UPRIGHT has turned tiles. */
static const struct image *puzzle_given(const struct unscramble *u)
{
    return u->as_given.pixels ? &u->as_given : &u->puzzle;
}

/* Looks once whether seams speak against the grid, where it may be wrong. */
static int check_cut(struct run *run, struct unscramble *u)
{
    if (u->grid_check.fault != GRID_UNCHECKED)
        return 0;
    u->grid_check.fault = GRID_FITS;
    if (!may_cut_wrongly(u))
        return 0;
    return grid_check(puzzle_given(u), u->grid, (int)u->tile_width, (int)u->tile_height,
        &u->grid_check, &run->error);
}

/* Whether every edge at a seam is flat: between line `line` of places and the next along an axis,
 * or, for the last line, between it and the first. */
static int is_flat_seam(
    const struct evidence_board *board, const uint8_t *is_flat, int axis, int line)
{
    const int lines = axis == X ? board->columns : board->rows, next = (line + 1) % lines;
    const int length = axis == X ? board->rows : board->columns,
              direction = axis == X ? SIDE_RIGHT : SIDE_BOTTOM;
    int is_all = 1;
    for (int i = 0; is_all && i < length; i++) {
        const int row = i * board->columns;
        const int32_t one = board->board[axis == X ? row + line : line * board->columns + i];
        const int32_t other = board->board[axis == X ? row + next : next * board->columns + i];
        is_all = one != NOTHING && other != NOTHING && is_flat[oriented_edge(one, direction)] &&
                 is_flat[oriented_edge(other, direction ^ 2)];
    }
    return is_all;
}

/* Whether the image may begin at another line of places, since its borders fit together as its
 * tiles do. It may not where all edges along its borders are of one color, and those along no other
 * seam are: that is a frame around the image. A strip, which has no seams across to tell more, may
 * also begin at any seam of one color; but not one of a page, whose white tells nothing. `is_flat`
 * is that of few tiles or of a strip, else NULL. */
static int may_wrap(const struct unscramble *u, const struct evidence_board *board,
    const uint8_t *is_flat, int axis)
{
    const int lines = axis == X ? board->columns : board->rows;
    const int is_strip = (board->columns == 1 || board->rows == 1) && !u->page.tiles;
    int inner = 0;
    for (int line = 0; is_flat && line + 1 < lines; line++)
        inner += is_flat_seam(board, is_flat, axis, line);
    if (is_flat && lines > 1 && is_flat_seam(board, is_flat, axis, lines - 1) && !inner)
        return 0;
    return (is_strip && inner) || evidence_of_border(board, axis) < LEAST_BORDER;
}

/* The edges of one color of few tiles, or of a strip, in memory that is to be freed; NULL with rc 0
 * for other puzzles, whose seams across tell more. */
static uint8_t *find_flat(const struct unscramble *u, struct error *error, int *rc)
{
    const struct tiling tiling = unscramble_tiling(u);
    const size_t tiles = grid_tiles(u->grid);
    uint8_t *is_flat = NULL;
    *rc = 0;
    if (tiles <= SEARCH_TILES || u->grid.columns == 1 || u->grid.rows == 1) {
        is_flat = malloc(4 * tiles);
        if (is_flat)
            flat_find(&tiling, is_flat);
        else
            *rc = error_set(error, ERROR_INPUT, "not enough memory to judge %zu tiles", tiles);
    }
    return is_flat;
}

/* Lowers the confidence of places that are marked, the first of which is number `first`. */
static void doubt_places(
    struct unscramble_result *result, uint32_t first, const uint8_t *marked, int places)
{
    for (int i = 0; i < places; i++)
        if (marked[i] && (double)result->confidence[first + (uint32_t)i] > UNSURE)
            result->confidence[first + (uint32_t)i] = (float)UNSURE;
}

/* Finds what nothing tells of a solution: where tiles belong that lie apart from the others, and,
 * if it is the only one and seems right, whether all tiles may lie elsewhere in the frame, or parts
 * of it change places. Of a page, the weights of exchanges say so. `first` is its first place.
 * `whole`, how likely all solutions are right, is lowered with the places, but where the only one
 * seems right: CONFIDENCE does that, after other ways were tried. */
static int find_untold(struct unscramble *u, const struct evidence_board *board, uint32_t first,
    double probability, const struct jumps *jumps, double *whole, struct error *error)
{
    struct unscramble_result *result = &u->result;
    const int places = board->columns * board->rows;
    const int seems_right = result->permutation.solutions == 1 && probability >= DOUBTFUL &&
                            probability < 1 && !is_incomplete(u) &&
                            result->answer_kind != ANSWER_PAGE;
    uint8_t *is_apart = malloc((size_t)places);
    int count = 0, rc;
    uint8_t *is_flat = find_flat(u, error, &rc);
    if (rc == 0)
        rc = is_apart
                 ? evidence_find_apart(board, is_apart, &count, error)
                 : error_set(error, ERROR_INPUT, "not enough memory to judge %d places", places);
    if (rc == 0)
        doubt_places(result, first, is_apart, places);
    free(is_apart);
    if (count && !seems_right)
        *whole = fmin(*whole, UNSURE);
    result->is_apart = seems_right && count > 0;
    result->is_split = seems_right && jumps->is_split;
    for (int axis = 0; axis < AXES; axis++) {
        result->may_wrap[axis] =
            seems_right && (jumps->wraps[axis] || may_wrap(u, board, is_flat, axis));
        result->may_slide[axis] = seems_right && evidence_may_slide(board, axis);
    }
    free(is_flat);
    return rc;
}

/* Whether the answer is an order of all tiles of a page, upright. */
static int is_page_order(const struct unscramble *u, const struct evidence_board *board)
{
    const int places = board->columns * board->rows;
    int is_order = u->page.tiles == places;
    for (int place = 0; is_order && place < places; place++)
        is_order = board->board[place] != NOTHING && board->board[place] % 4 == 0;
    return is_order;
}

/* Leaves on the board what exchanges of a page weigh, by place in memory that is to be freed. An
 * order that is known to cost as little weighs as an exchange does. Returns -1 when memory is
 * short. */
static int weigh_exchanges(const struct unscramble *u, struct evidence_board *board)
{
    const int places = board->columns * board->rows;
    int64_t *weights = malloc((size_t)places * sizeof(*weights));
    int32_t *order = malloc((size_t)places * sizeof(*order));
    const int ok = weights && order;
    for (int place = 0; ok && place < places; place++)
        order[place] = board->board[place] / 4;
    if (ok)
        board->all_exchanges =
            exchange_weigh(&u->page, board->columns, board->rows, order, board->alike, weights);
    if (u->result.answer_kind == ANSWER_PROVEN && board->lead <= 0)
        board->all_exchanges += EXCHANGE_EQUAL;
    board->exchanges = weights;
    free(order);
    return ok ? 0 : -1;
}

/* Gathers the evidence for a solution whose first place is number `first`, and says of what kind
 * the answer is. */
static int gather(struct unscramble *u, int repeated, uint32_t first, struct evidence_board *board,
    struct error *error)
{
    struct unscramble_result *result = &u->result;
    int rc = 0;
    take_next_best(u, repeated, board);
    if (is_page_order(u, board)) {
        if (weigh_exchanges(u, board))
            rc = error_set(error, ERROR_INPUT, "not enough memory to judge %d places",
                board->columns * board->rows);
        result->answer_kind = ANSWER_PAGE;
    }
    if (rc == 0)
        rc = evidence_gather(board, result->place_evidence + first, result->answer_evidence, error);
    free(board->exchanges);
    board->exchanges = NULL;
    return rc;
}

/* Judges the solutions one by one; all of them are right where each is. */
static int judge_solutions(
    struct run *run, struct unscramble *u, const int32_t *alike, int repeated, int32_t *oriented)
{
    struct unscramble_result *result = &u->result;
    const struct permutation *p = &result->permutation;
    const struct tiling tiling = unscramble_tiling(u);
    double whole = 1;
    int rc = 0, misfits = 0;
    for (uint32_t i = 0; rc == 0 && i < p->solutions; i++) {
        const uint32_t first = permutation_first(p, i), places = grid_tiles(p->grids[i]);
        struct evidence_board board = {.compatibility = &u->compatibility,
            .alike = alike,
            .board = oriented + first,
            .columns = (int)p->grids[i].columns,
            .rows = (int)p->grids[i].rows};
        for (uint32_t place = first; place < first + places; place++)
            oriented[place] = placed_oriented(p->placed[place]);
        rc = gather(u, repeated, first, &board, &run->error);
        if (rc)
            break;
        double probability =
            is_any_right(u, alike, repeated)
                ? 1
                : confidence_of_answer(result->answer_kind, result->answer_evidence);
        confidence_of_places(result->answer_kind, result->place_evidence + first, places,
            probability, result->confidence + first);
        whole *= probability;
        struct jumps jumps = {0};
        if (places <= LARGE_PLACES && probability < 1 && result->answer_kind != ANSWER_PAGE &&
            !dissimilarity_has_gap(u->compatibility.dissimilarity))
            rc = jumps_find(
                &tiling, oriented + first, board.columns, board.rows, &jumps, &run->error);
        if (rc == 0)
            rc = find_untold(u, &board, first, probability, &jumps, &whole, &run->error);
        if (jumps.misfits)
            doubt_places(result, first, jumps.is_misfit, (int)places);
        misfits += jumps.misfits;
        jumps_free(&jumps);
    }
    result->misfits = misfits;
    result->probability = is_incomplete(u) ? 0 : misfits ? fmin(whole, UNSURE) : whole;
    return rc;
}

/* Whether two unturned tiles that lie beside each other in the answer, or one above the other, did
 * so in the puzzle, too. */
static int touched_before(
    const struct permutation *p, struct placed one, struct placed other, int are_beside)
{
    const uint32_t columns = p->puzzle.columns, step = are_beside ? 1 : columns;
    const int is_last = are_beside && (one.tile + 1) % columns == 0;
    return one.tile != NO_TILE && !is_last && !one.turn && !other.turn &&
           other.tile == one.tile + step;
}

/* The neighbors in the answer, and those of them that were neighbors in the puzzle, too. Tiles that
 * look alike do not count, of which any order is as good. */
struct kept {
    uint32_t pairs, kept;
};

static struct kept count_kept(const struct permutation *p, const int32_t *alike)
{
    const struct grid grid = p->grids[0];
    struct kept k = {0, 0};
    for (uint32_t place = 0; place < grid_tiles(grid); place++)
        for (int are_beside = 0; are_beside < 2; are_beside++) {
            const uint32_t other = place + (are_beside ? 1 : grid.columns);
            if (are_beside ? (place + 1) % grid.columns == 0 : other >= grid_tiles(grid))
                continue;
            const struct placed a = p->placed[place], b = p->placed[other];
            if (a.tile != NO_TILE && b.tile != NO_TILE && alike[4 * a.tile] == alike[4 * b.tile])
                continue;
            k.pairs++;
            k.kept += (uint32_t)touched_before(p, a, b, are_beside);
        }
    return k;
}

/* Looks once whether the image surely has the seams of another grid than the one that was given,
 * which LOAD has not looked for. One whose tiles this one only cuts once more is none. */
static int look_for_another_grid(struct unscramble *u, struct error *error)
{
    struct grid_check *check = &u->grid_check;
    struct grid_guess guess;
    const struct grid_candidate *found = &guess.candidates[0];
    if (check->has_looked || !may_cut_wrongly(u) || u->is_grid_likely)
        return 0;
    if (grid_find(puzzle_given(u), &guess, error))
        return ERROR_INPUT;
    check->has_looked = 1;
    if (!guess.is_sure ||
        (found->tile_width == u->tile_width && found->tile_height == u->tile_height))
        return 0;
    check->is_finer =
        found->tile_width % u->tile_width == 0 && found->tile_height % u->tile_height == 0;
    check->fault = check->is_finer ? check->fault : GRID_IS_ANOTHER;
    check->other = found->grid;
    return 0;
}

/* Whether the answer tells that tiles are cut wrongly. What a wrong grid cuts belongs together, so
 * that the best order leaves it as it was. A shuffle of few tiles may do so, too; but where nobody
 * has said that these are tiles, they are more likely images beside each other. */
static int check_answer(struct unscramble *u, const int32_t *alike, struct error *error)
{
    const struct permutation *p = &u->result.permutation;
    const int is_one =
        !u->options.apply && !u->options.loose && p->solutions == 1 && !is_incomplete(u);
    const struct kept k = is_one ? count_kept(p, alike) : (struct kept){0, 0};
    /* The strips that a grid leaves over may be parts of tiles. */
    const int leaves_over = (uint32_t)u->puzzle.width != u->grid.columns * u->tile_width ||
                            (uint32_t)u->puzzle.height != u->grid.rows * u->tile_height;
    int rc = 0;
    if (u->result.probability < DOUBTFUL || leaves_over || (k.pairs && 2 * k.kept >= k.pairs))
        rc = look_for_another_grid(u, error);
    const int is_found = !u->options.grid.columns && !u->options.tile_width;
    u->result.keeps_together =
        !u->grid_check.is_finer &&
        (k.pairs >= LEAST_PAIRS ? 3 * k.kept >= 2 * k.pairs
                                : is_found && k.pairs >= FEWEST_PAIRS && k.kept == k.pairs);
    return rc;
}

/* Lowers the probabilities to that one, where they are greater. */
static void cap(struct unscramble_result *result, double most)
{
    const uint32_t places = permutation_first(&result->permutation, result->permutation.solutions);
    for (uint32_t place = 0; place < places; place++)
        if ((double)result->confidence[place] > most)
            result->confidence[place] = (float)most;
    if (result->probability > most)
        result->probability = most;
}

int unscramble_is_explained(const struct unscramble *u)
{
    const struct unscramble_result *result = &u->result;
    return u->grid_check.fault != GRID_FITS || unscramble_found_fewer(u) ||
           result->keeps_together || result->may_wrap[X] || result->may_wrap[Y] ||
           result->may_slide[X] || result->may_slide[Y] || result->is_split || result->is_apart;
}

void unscramble_lower(struct unscramble *u)
{
    struct unscramble_result *result = &u->result;
    const int is_wrong = u->grid_check.fault != GRID_FITS;
    if (is_wrong || result->keeps_together || result->may_wrap[X] || result->may_wrap[Y] ||
        result->may_slide[X] || result->may_slide[Y] || result->is_split)
        cap(result, is_wrong ? WRONG_CUT : UNSURE);
    else /* these places are doubtful already */
        result->probability = fmin(result->probability, UNSURE);
}

static int judge_run(struct run *run, struct unscramble *u)
{
    struct unscramble_result *result = &u->result;
    const uint32_t places = permutation_first(&result->permutation, result->permutation.solutions);
    const size_t tiles = grid_tiles(u->grid);
    const struct tiling tiling = unscramble_tiling(u);
    int32_t *alike = malloc(4 * tiles * sizeof(*alike)), *board = malloc(places * sizeof(*board));
    free(result->confidence);
    free(result->place_evidence);
    result->confidence = malloc(places * sizeof(*result->confidence));
    result->place_evidence = malloc(places * sizeof(*result->place_evidence));
    int repeated = -1, rc = 0;
    if (alike && board && result->confidence && result->place_evidence)
        repeated = alike_find(&tiling, alike);
    if (repeated < 0)
        rc = error_set(&run->error, ERROR_INPUT, "not enough memory to judge %u places", places);
    if (rc == 0)
        rc = check_cut(run, u);
    if (rc == 0)
        rc = judge_solutions(run, u, alike, repeated, board);
    if (rc == 0 && u->result.probability < 1)
        rc = check_answer(u, alike, &run->error);
    if (rc == 0 && u->is_grid_likely)
        cap(result, LIKELY_CUT);
    free(alike);
    free(board);
    return rc;
}

const struct unscramble_stage JUDGE = {
    .stage = {"judge", "say how likely the answer is right"},
    .run = judge_run,
};
