/* CONFIDENCE: warns of a doubtful answer, says why it is doubtful, and draws where (overlay.h). */
#include "stages/unscramble/find_grid.h"
#include "stages/unscramble/overlay.h"
#include "stages/unscramble/unscramble.h"

/* Warns of an answer whose tiles are cut wrongly. */
static void warn_of_cut(struct run *run, const struct unscramble *u)
{
    const struct grid_check *check = &u->grid_check;
    const char *input = u->options.input;
    const unsigned columns = u->grid.columns, rows = u->grid.rows;
    if (check->fault == GRID_IS_ANOTHER)
        run_notice(run, 1,
            "the answer is doubtful: '%s' has the seams of %u x %u tiles, not of %u x %u", input,
            check->other.columns, check->other.rows, columns, rows);
    else if (check->fault == GRID_IS_FRACTIONAL)
        run_notice(run, 1,
            "the answer is doubtful: the tiles of '%s' seem to be %.2f x %.2f pixels, no whole "
            "numbers; scale it to %u x %u pixels",
            input, (double)u->puzzle.width / columns, (double)u->puzzle.height / rows,
            u->tile_width * columns, u->tile_height * rows);
    else
        run_notice(run, 1,
            "the answer is doubtful: '%s' has lines like seams inside of the tiles of %u x %u, as "
            "%d and %d pixels from the %s; take away a border or lines between tiles, or name "
            "another grid",
            input, columns, rows, check->first, check->last, check->axis == X ? "left" : "top");
}

/* Says for which reason an answer is doubtful. */
static void explain(struct run *run, const struct unscramble *u)
{
    const struct unscramble_result *result = &u->result;
    if (u->grid_check.fault != GRID_FITS)
        warn_of_cut(run, u);
    else if (unscramble_found_fewer(u))
        run_notice(run, 1,
            "the answer is doubtful: found %u of %llu images in '%s'; if there are no more, "
            "ask for %u",
            result->permutation.solutions, (unsigned long long)u->options.mixed, u->options.input,
            result->permutation.solutions);
    else if (result->keeps_together)
        run_notice(run, 1,
            "the answer is doubtful: it leaves most tiles of '%s' beside each other as they were, "
            "so the image is hardly shuffled, or not cut into %u x %u tiles; straighten and crop "
            "it, or name another grid",
            u->options.input, u->grid.columns, u->grid.rows);
    else if (result->may_wrap[X] || result->may_wrap[Y])
        run_notice(run, 1,
            "the answer is doubtful: '%s' may begin at another %s, since its borders fit together "
            "as its tiles do",
            u->options.input, result->may_wrap[X] ? "column" : "row");
    else if (result->may_slide[X] || result->may_slide[Y])
        run_notice(run, 1,
            "the answer is doubtful: absent tiles leave a %s at the border of '%s' empty, so the "
            "others may lie further to either side",
            result->may_slide[X] ? "column" : "row", u->options.input);
    else if (result->is_split)
        run_notice(run, 1,
            "the answer is doubtful: no tiles fit along a seam through the whole answer to '%s', "
            "so its parts may have changed places; if tiles are turned or of several images, say "
            "so",
            u->options.input);
    else
        run_notice(run, 1,
            "the answer is doubtful: tiles of '%s' lie apart from the others, and nothing tells "
            "where they belong; the image of the confidence shows which",
            u->options.input);
}

/* Warns of an answer that is more likely wrong than right, and names what may help. */
static void warn(struct run *run, const struct unscramble *u)
{
    const struct unscramble_options *options = &u->options;
    const struct permutation *p = &u->result.permutation;
    struct words unsaid = {0};
    char names[CONFIDENCE_TEXT];
    if (!options->apply && !options->rotates)
        words_add(&unsaid, "turned");
    if (!options->apply && !options->has_missing)
        words_add(&unsaid, "absent");
    if (!options->apply && !unscramble_is_mixed(options))
        words_add(&unsaid, "of several images");
    confidence_name_doubtful(
        p->placed, u->result.confidence, permutation_first(p, p->solutions), DOUBTFUL, names);
    run_notice(run, 1,
        "the answer is doubtful, right with probability %.2f; doubtful places, counted from 0: "
        "%s%s%s%s",
        u->result.probability, names, unsaid.count ? "; if tiles are " : "",
        words_join(&unsaid, " or ").text, unsaid.count ? ", say so" : "");
}

static int confidence_snapshot(struct run *run, struct unscramble *u, struct image *snapshot)
{
    const struct layout layout = unscramble_layout(u);
    return overlay_draw(&layout, u->result.confidence, snapshot, &run->error);
}

static int confidence_run(struct run *run, struct unscramble *u)
{
    const struct unscramble_sinks *sinks = &u->options.sinks;
    struct image image = {0};
    if (u->result.exact_cost != NO_COST && u->result.exact_cost == u->result.runner_up_cost)
        run_notice(run, 1, "several orders of the tiles of '%s' fit equally well; took the first",
            u->options.input);
    if (unscramble_is_explained(u)) {
        unscramble_lower(u);
        explain(run, u);
    } else if (u->result.probability < DOUBTFUL) {
        warn(run, u);
    }
    if (!sinks->save_confidence)
        return 0;
    int rc = confidence_snapshot(run, u, &image);
    if (rc == 0)
        rc = sinks->save_confidence(sinks->context, run, &image);
    image_free(&image);
    return rc;
}

const struct unscramble_stage CONFIDENCE = {
    .stage = {"confidence", "mark where the answer is doubtful"},
    .run = confidence_run,
    .snapshot = confidence_snapshot,
};
