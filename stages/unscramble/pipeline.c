/* The pipeline of unscramble. */
#include <stdlib.h>

#include "stages/unscramble/confidence.h"
#include "stages/unscramble/squares.h"
#include "stages/unscramble/unscramble.h"

#define NOT_JUDGED "the answer is not judged" /* for run_leave_out */

/* Only the pipelines run these. */
extern const struct unscramble_stage PLAN, UPRIGHT, PRESENT, PAGE, STRIPS, FEATURES, COMPARE,
    COMPATIBILITY, GRAYSCALE, EDGES, FITS, MEASURE, BUDDIES, SHAPE, TREE, FILL, REFINE, EXCHANGE,
    SPLIT, JUDGE, ANNEAL, CONFIDENCE, ANIMATE, SAVE;

const struct stage *const UNSCRAMBLE_STAGES[] = {&LOAD.stage, &SHAPE.stage, &PLAN.stage,
    &UPRIGHT.stage, &PRESENT.stage, &PAGE.stage, &STRIPS.stage, &FEATURES.stage, &COMPARE.stage,
    &COMPATIBILITY.stage, &BUDDIES.stage, &COSTS.stage, &GRAYSCALE.stage, &EDGES.stage, &FITS.stage,
    &SEARCH.stage, &MEASURE.stage, &TREE.stage, &FILL.stage, &REFINE.stage, &EXCHANGE.stage,
    &SPLIT.stage, &JUDGE.stage, &ANNEAL.stage, &CONFIDENCE.stage, &ANIMATE.stage, &ASSEMBLE.stage,
    &SAVE.stage, NULL};

const struct unscramble_stage *const UNSCRAMBLE_BENCHMARK[] = {
    &GRAYSCALE, &EDGES, &FITS, &SEARCH, &ASSEMBLE, NULL};

/* The costs of few tiles beside each other by gray edges, for --method classic. */
static int find_classic_costs(struct run *run, struct unscramble *u)
{
    int rc = unscramble_run_stage(run, &GRAYSCALE, u);
    if (rc == 0)
        rc = unscramble_run_stage(run, &EDGES, u);
    return rc ? rc : unscramble_run_stage(run, &FITS, u);
}

static void features_free(struct unscramble *u)
{
    terms_free(&u->features[0]);
    terms_free(&u->features[1]);
}

static void learned_partners_free(struct unscramble *u)
{
    for (int i = 0; i < 2; i++) {
        free(u->learned_partners[i]);
        u->learned_partners[i] = NULL;
    }
}

/* Compares edges by a dissimilarity, which is kept where it does better than the one before. */
static int compare_by(struct run *run, struct unscramble *u, enum dissimilarity dissimilarity)
{
    int rc = 0;
    u->dissimilarity = dissimilarity;
    if (dissimilarity_learned(dissimilarity) &&
        !u->learned_partners[dissimilarity_has_gap(dissimilarity)])
        rc = unscramble_run_stage(run, &FEATURES, u);
    if (rc == 0)
        rc = unscramble_run_stage(run, &COMPARE, u);
    return rc ? rc : unscramble_run_stage(run, &COMPATIBILITY, u);
}

/* Finds which tiles are open and present; compare_open_tiles frees that. */
static int find_open(struct run *run, struct unscramble *u)
{
    u->is_open = malloc((size_t)u->compatibility.tiles);
    if (!u->is_open)
        return error_set(&run->error, ERROR_INPUT, "not enough memory to compare the tiles");
    squares_find_open(&u->compatibility, u->is_open);
    for (int tile = 0; u->present && tile < u->compatibility.tiles; tile++)
        u->is_open[tile] &= u->present[tile];
    return 0;
}

/* Has the network look at the tiles that blend leaves open, and the one across a gap only where
 * there may be a gap. */
static int compare_open_tiles(struct run *run, struct unscramble *u)
{
    static const enum dissimilarity OTHERS[] = {
        DISSIMILARITY_BOTH, DISSIMILARITY_LEARNED, DISSIMILARITY_LEARNED_GAP};
    int rc = find_open(run, u);
    if (rc)
        return rc;
    u->is_poor = 1;
    unscramble_foresee(run, u, FROM_NETWORK);
    for (size_t i = 0; rc == 0 && i < sizeof(OTHERS) / sizeof(OTHERS[0]); i++)
        if (!dissimilarity_has_gap(OTHERS[i]) ||
            squares_have_gap(&u->compatibility, &u->strips, u->puzzle.jpeg.luminance > 0))
            rc = compare_by(run, u, OTHERS[i]);
    free(u->is_open);
    u->is_open = NULL;
    return rc;
}

/* Compares the edges of a puzzle that is no page. Blend is quick, and enough for most; where it
 * leaves many edges without a buddy, or few squares, the network is asked. */
static int compare_edges_of_tiles(struct run *run, struct unscramble *u)
{
    const enum dissimilarity asked = u->options.dissimilarity;
    const int is_auto = asked == DISSIMILARITY_AUTO;
    int rc = unscramble_run_stage(run, &STRIPS, u);
    if (rc == 0)
        rc = compare_by(run, u, is_auto ? DISSIMILARITY_BLEND : asked);
    if (rc == 0 && is_auto &&
        !squares_are_enough(&u->compatibility, (int)u->grid.columns, (int)u->grid.rows))
        rc = compare_open_tiles(run, u);
    strips_free(&u->strips);
    strips_free(&u->seen);
    if (!u->tries_ways)
        features_free(u);
    learned_partners_free(u);
    return rc;
}

int unscramble_compare(struct run *run, struct unscramble *u)
{
    int rc = unscramble_run_stage(run, &PRESENT, u);
    compatibility_free(&u->compatibility);
    page_free(&u->page);
    if (rc == 0 && u->is_page)
        rc = unscramble_run_stage(run, &PAGE, u);
    if (rc == 0 && !u->page.tiles)
        rc = compare_edges_of_tiles(run, u);
    if (rc == 0 && compatibility_index(&u->compatibility) != 0)
        rc = error_set(&run->error, ERROR_INPUT, "not enough memory to compare the tiles");
    if (rc || u->options.is_classic) /* classic: only to judge by */
        return rc;
    u->result.compared_by =
        u->page.tiles ? "page" : dissimilarity_names().word[u->compatibility.dissimilarity];
    run_notice(run, 0, "dissimilarity: %s", u->result.compared_by);
    return 0;
}

/* The costs of few tiles beside each other, as of many. */
static int find_costs(struct run *run, struct unscramble *u)
{
    int rc = unscramble_compare(run, u);
    if (rc == 0)
        rc = unscramble_run_stage(run, &BUDDIES, u);
    return rc ? rc : unscramble_run_stage(run, &COSTS, u);
}

int unscramble_end_optional(struct run *run, int rc, const char *left_out)
{
    run->has_answer = 1;
    if (rc != ERROR_STOPPED)
        return rc;
    run_leave_out(run, left_out);
    return 0;
}

/* Compares the edges of an answer that is there, only to judge it by them. */
static int compare_to_judge(struct run *run, struct unscramble *u)
{
    run->has_answer = 0;
    const int rc = unscramble_compare(run, u);
    if (rc)
        compatibility_free(&u->compatibility);
    return unscramble_end_optional(run, rc, NOT_JUDGED);
}

/* Says how likely the answer is right, unless a stop has left out the comparison for that. */
static int judge(struct run *run, struct unscramble *u)
{
    return u->compatibility.tiles ? unscramble_run_stage(run, &JUDGE, u) : 0;
}

/* Solves up to SEARCH_TILES tiles exactly, or computes the cost of the order that --apply gives. */
static int solve_small(struct run *run, struct unscramble *u)
{
    int rc = u->options.is_classic ? find_classic_costs(run, u) : find_costs(run, u);
    return rc ? rc : unscramble_run_stage(run, u->options.apply ? &MEASURE : &SEARCH, u);
}

/* Solves a large puzzle of one image. */
static int solve_one(struct run *run, struct unscramble *u)
{
    int rc = unscramble_run_stage(run, &TREE, u);
    if (rc == 0)
        rc = unscramble_run_stage(run, &FILL, u);
    run->has_answer = rc == 0; /* the next stages make it better */
    if (rc == 0)
        rc = unscramble_run_stage(run, &REFINE, u);
    return rc || !unscramble_exchanges(u) ? rc : unscramble_run_stage(run, &EXCHANGE, u);
}

/* Solves a large puzzle whose edges have been compared. */
static int solve_compared(struct run *run, struct unscramble *u)
{
    const int rc = unscramble_run_stage(run, &BUDDIES, u);
    if (rc)
        return rc;
    return unscramble_is_mixed(&u->options) ? unscramble_run_stage(run, &SPLIT, u)
                                            : solve_one(run, u);
}

static int solve_large(struct run *run, struct unscramble *u)
{
    const int rc = unscramble_compare(run, u);
    return rc ? rc : solve_compared(run, u);
}

/* Takes the order that --apply gives; says how likely it is right where that is asked. */
static int take_order(struct run *run, struct unscramble *u)
{
    const int is_small = permutation_is_plain(&u->result.permutation) && !unscramble_is_large(u);
    int rc = unscramble_end_optional(run, is_small ? solve_small(run, u) : 0, NOT_JUDGED);
    if (rc || !u->options.is_judged || run->is_finishing)
        return rc;
    if (!is_small || u->options.is_classic)
        rc = compare_to_judge(run, u);
    return rc ? rc : judge(run, u);
}

int unscramble_search(struct run *run, struct unscramble *u)
{
    int rc = unscramble_is_large(u) ? solve_large(run, u) : solve_small(run, u);
    run->has_answer = rc == 0;
    if (rc == 0 && !u->was_told_of_turns) /* then most tiles are not turned */
        permutation_put_upright(&u->result.permutation);
    if (rc == 0 && u->options.is_classic)
        rc = compare_to_judge(run, u);
    return rc ? rc : judge(run, u);
}

/* Where the answer is doubtful still, looks for one that costs less in another way. */
static int search_longer(struct run *run, struct unscramble *u)
{
    if (u->result.probability >= DOUBTFUL || unscramble_is_explained(u) ||
        !unscramble_may_search_longer(u))
        return 0;
    if (run->is_finishing) {
        run_leave_out(run, BEST_SO_FAR);
        return 0;
    }
    unscramble_foresee(run, u, FROM_ANNEAL);
    run_notice(run, 0, "searching for longer, since the answer is doubtful");
    const int rc = unscramble_run_stage(run, &ANNEAL, u);
    return rc ? rc : unscramble_run_stage(run, &JUDGE, u);
}

/* Ends the work on a page whose tiles UPRIGHT has turned. */
static int end_turned_page(struct run *run, struct unscramble *u)
{
    int rc = unscramble_turn_back(run, u);
    if (rc == 0)
        rc = unscramble_try_as_photograph(run, u);
    if (rc == 0)
        unscramble_tell_turned_page(run, u);
    return rc;
}

/* Searches, or takes the order that is given, says how likely each place is right, and shows the
 * tiles coming together by that. */
static int solve(struct run *run, struct unscramble *u)
{
    int rc = u->options.apply ? take_order(run, u) : unscramble_search_ways(run, u);
    if (rc == 0 && !u->options.apply)
        rc = search_longer(run, u);
    u->tries_ways = 0;
    features_free(u);
    if (rc == 0 && u->quarters)
        rc = end_turned_page(run, u);
    if (rc || !u->result.confidence) /* it is not judged */
        return rc;
    rc = unscramble_run_stage(run, &CONFIDENCE, u);
    return rc || u->options.apply ? rc : unscramble_run_stage(run, &ANIMATE, u);
}

/* Makes the image of each solution. */
static int write_solutions(struct run *run, struct unscramble *u)
{
    int rc;
    u->solution = 0;
    do {
        rc = unscramble_run_stage(run, &ASSEMBLE, u);
        if (rc == 0)
            rc = unscramble_run_stage(run, &SAVE, u);
    } while (rc == 0 && ++u->solution < u->solution_count);
    return rc;
}

/* Finds the grid that loose tiles make. They are compared once more when they lie in it, so that
 * they are solved exactly as an image of them. */
static int find_shape(struct run *run, struct unscramble *u)
{
    unscramble_count_searches(u, 1);
    unscramble_foresee(run, u, FROM_START);
    int rc = unscramble_compare(run, u);
    if (rc == 0)
        rc = unscramble_run_stage(run, &BUDDIES, u);
    return rc ? rc : unscramble_run_stage(run, &SHAPE, u);
}

static int find_answer(struct run *run, struct unscramble *u)
{
    run_start(run);
    u->is_poor = u->tries_ways = 0;
    u->was_told_of_turns = u->options.rotates;
    int rc = unscramble_run_stage(run, &LOAD, u);
    if (rc == 0 && unscramble_finds_shape(u))
        rc = find_shape(run, u);
    if (rc == 0) {
        unscramble_count_searches(u, 0);
        u->tries_ways = unscramble_may_try_ways(u);
        rc = unscramble_run_stage(run, &PLAN, u);
    }
    if (rc == 0 && !u->options.apply && (u->options.rotates || u->tries_ways) &&
        unscramble_may_be_page(u))
        rc = unscramble_run_stage(run, &UPRIGHT, u);
    if (rc == 0 && !u->options.apply)
        unscramble_tell_plan(run, u);
    return rc ? rc : solve(run, u);
}

int unscramble_run(struct run *run, struct unscramble *u)
{
    const struct unscramble_options asked = u->options; /* other ways to search change them */
    int rc = find_answer(run, u);
    if (!run->is_finishing && run_falls_back(run, rc)) { /* after a stop nothing begins anew */
        u->options = asked;
        unscramble_forget_turns(u);
        rc = find_answer(run, u);
    }
    if (rc)
        return rc;
    rc = write_solutions(run, u);
    if (!run_falls_back(run, rc)) /* which leaves the answer as it is */
        return rc;
    rc = unscramble_upload(run, u);
    return rc ? rc : write_solutions(run, u);
}

void unscramble_result_free(struct unscramble_result *result)
{
    image_free(&result->assembled);
    permutation_free(&result->permutation);
    free(result->confidence);
    free(result->place_evidence);
    *result = (struct unscramble_result){0};
}

void unscramble_end(struct unscramble *u)
{
    unscramble_forget_turns(u);
    image_free(&u->loaded);
    unscramble_result_free(&u->result);
    free(u->present);
    page_free(&u->page);
    strips_free(&u->strips);
    strips_free(&u->seen);
    features_free(u);
    learned_partners_free(u);
    free(u->partners);
    compatibility_free(&u->compatibility);
    compatibility_free(&u->looped);
    free(u->buddy);
    forest_free(&u->forest);
    solutions_free(u->boards, (int)u->board_count);
    scratch_close(u->scratch); /* whose some of these were */
}
