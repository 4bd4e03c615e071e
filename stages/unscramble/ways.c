/* Searches that nobody asked for: as if tiles were turned or absent. */
#include <stdlib.h>

#include "stages/unscramble/confidence.h"
#include "stages/unscramble/unscramble.h"

/* A way to see the puzzle that the caller did not ask for. */
struct way {
    int rotates, has_missing;
    const char *what; /* its tiles are */
};

static const struct way WAYS[] = {{0, 1, "absent"}, {1, 0, "turned"}, {1, 1, "turned and absent"}};
enum { WAY_COUNT = sizeof(WAYS) / sizeof(WAYS[0]) };

/* PRESENT takes nothing for a page whose tiles are said to be turned. */
static const struct way AS_PHOTOGRAPH = {1, 0, "turned, and not those of a page"};

static double share_of(struct tally tally)
{
    return tally.all > 0 ? tally.right / tally.all : 0;
}

/* An answer, and what it was found by. What else a search leaves in the state is made anew by the
 * stages of the next one that read it. */
struct attempt {
    struct unscramble_options options;
    struct unscramble_result result;
    uint8_t *present;
    struct page page;
    struct compatibility compatibility;
};

/* Exchanges the answer at work for another one. */
static void exchange_answers(struct unscramble *u, struct attempt *other)
{
    const struct attempt mine = {u->options, u->result, u->present, u->page, u->compatibility};
    u->options = other->options;
    u->result = other->result;
    u->present = other->present;
    u->page = other->page;
    u->compatibility = other->compatibility;
    *other = mine;
}

static void attempt_free(struct attempt *attempt)
{
    unscramble_result_free(&attempt->result);
    free(attempt->present);
    page_free(&attempt->page);
    compatibility_free(&attempt->compatibility);
}

/* Whether the best orders are known of both ways, and that of the new one costs less than half. */
static int costs_half(const struct unscramble *u, const struct attempt *other)
{
    return u->compatibility.dissimilarity == other->compatibility.dissimilarity &&
           u->result.exact_cost != NO_COST && other->result.exact_cost != NO_COST &&
           u->result.exact_cost < other->result.exact_cost / 2;
}

/* Whether an answer that was found in another way is better. It has to leave nearly as many tiles
 * likely in place, since leaving out a white sky helps nobody. And it has to halve the share of
 * tiles that do not fit, or the cost of the best order, or leave fewer tiles that fit nowhere. Two
 * kinds are never better: another order of a page that turns nothing, since that was only compared
 * as a photograph; and one that was compared across gaps, where tiles fitted nowhere before, since
 * there nobody looks whether they fit (jumps.h). */
static int is_better(const struct unscramble *u, const struct attempt *other)
{
    const struct unscramble_result *result = &u->result;
    const struct tally old = unscramble_tally(&other->result), new = unscramble_tally(result);
    const double share = share_of(new), old_share = share_of(old);
    const enum dissimilarity dissimilarity = u->compatibility.dissimilarity;
    const int is_no_way = other->page.tiles && permutation_is_plain(&result->permutation);
    const int hides_misfits = other->result.misfits && dissimilarity_has_gap(dissimilarity) &&
                              !dissimilarity_has_gap(other->compatibility.dissimilarity);
    const int fits_more = result->misfits < other->result.misfits && share >= old_share;
    return !is_no_way && !hides_misfits && new.right >= 0.9 * old.right &&
           (fits_more || costs_half(u, other) || 1 - share <= (1 - old_share) / 2);
}

/* Says why the answer that was found in that way is better. That is worth a warning only if a tile
 * is turned or absent now, and nobody has said so. */
static void tell_way(
    struct run *run, const struct unscramble *u, const struct attempt *other, const struct way *way)
{
    const struct unscramble_result *result = &u->result;
    const int is_warning = !u->was_told_of_turns && !permutation_is_plain(&result->permutation);
    const double share = 100 * share_of(unscramble_tally(result)),
                 old_share = 100 * share_of(unscramble_tally(&other->result));
    if (costs_half(u, other))
        run_notice(run, is_warning,
            "'%s' looks as if tiles were %s: searched that way, the best order costs %u, else %u",
            u->options.input, way->what, result->exact_cost, other->result.exact_cost);
    else
        run_notice(run, is_warning,
            "'%s' looks as if tiles were %s: searched that way, %.1f %% of them are likely in "
            "place, else %.1f %%",
            u->options.input, way->what, share, old_share);
}

/* Searches once more in that way, and goes back to the answer that was there unless the new one is
 * better. */
static int try_way(struct run *run, struct unscramble *u, const struct way *way)
{
    struct attempt other = {.options = u->options,
        .result = {.exact_cost = NO_COST, .runner_up_cost = NO_COST, .probability = -1}};
    other.options.rotates = way->rotates;
    other.options.has_missing = way->has_missing;
    exchange_answers(u, &other);
    unscramble_foresee(run, u, FROM_START);
    run_notice(run, 0, "searching as if tiles were %s", way->what);
    run->has_answer = 0;
    const int rc = unscramble_search(run, u);
    if (rc || !is_better(u, &other)) {
        exchange_answers(u, &other);
        run_notice(run, 0, "keeping the answer that was there");
    } else {
        tell_way(run, u, &other, way);
    }
    attempt_free(&other);
    if (rc == ERROR_INPUT) /* as where all tiles look absent: then they are not */
        run_notice(run, 0, "left out: %s", run->error.text);
    return unscramble_end_optional(run, rc == ERROR_INPUT ? 0 : rc, BEST_SO_FAR);
}

/* Whether tiles are tried that may be absent: one that has one color is a part of the image where
 * there are few. */
static int tries_absent(const struct unscramble *u)
{
    return grid_tiles(u->grid) > SEARCH_TILES && !u->options.loose && unscramble_has_flat_tile(u);
}

void unscramble_count_searches(struct unscramble *u, int to_come)
{
    u->searches_to_come = to_come;
    u->searches_possible = !unscramble_may_try_ways(u) ? 0 : tries_absent(u) ? WAY_COUNT : 1;
}

/* Whether the answer is so doubtful that it may be better in another way. Tiles so few that their
 * order can be proven turned, too, are soon searched, and may fit well by chance: an answer of
 * these has to be surer. Of many, those that are likely in place are not turned, so where nearly
 * all are, there is nothing to turn, unless a tile fits nowhere, or nothing along a seam. */
static int is_worth_trying(const struct unscramble *u, const struct way *way, int has_flat)
{
    static const double NEARLY_ALL = 0.9;
    const uint32_t tiles = grid_tiles(u->grid);
    const int are_square = u->tile_width == u->tile_height;
    const int are_few = tiles <= (are_square ? SEARCH_QUARTER_TILES : SEARCH_TILES);
    /* Of 11 and 12 square tiles the order is proven, but could not be if they were turned. */
    const int costs_the_proof = !are_few && tiles <= SEARCH_TILES;
    const int does_not_fit = u->result.misfits || u->result.is_split;
    if ((way->has_missing && !has_flat) || (unscramble_is_explained(u) && !u->result.is_split))
        return 0;
    if (way->rotates && !are_few && !does_not_fit &&
        (costs_the_proof || share_of(unscramble_tally(&u->result)) >= NEARLY_ALL))
        return 0;
    return u->result.is_split ||
           u->result.probability < (are_few && !way->has_missing ? SURE : DOUBTFUL);
}

int unscramble_search_ways(struct run *run, struct unscramble *u)
{
    int rc = unscramble_search(run, u);
    if (rc || !u->tries_ways || u->page.tiles > SEARCH_TILES)
        return rc;
    const int has_flat = tries_absent(u);
    u->searches_possible = 0;
    for (int i = 0; rc == 0 && i < WAY_COUNT; i++) {
        u->searches_to_come = has_flat ? WAY_COUNT - 1 - i : 0;
        if (!is_worth_trying(u, &WAYS[i], has_flat))
            continue;
        if (run->is_finishing)
            run_leave_out(run, BEST_SO_FAR);
        else
            rc = try_way(run, u, &WAYS[i]);
    }
    return rc;
}

int unscramble_try_as_photograph(struct run *run, struct unscramble *u)
{
    if (u->result.probability >= DOUBTFUL || u->options.is_once || u->options.seconds)
        return 0;
    if (!run->is_finishing)
        return try_way(run, u, &AS_PHOTOGRAPH);
    run_leave_out(run, BEST_SO_FAR);
    return 0;
}
