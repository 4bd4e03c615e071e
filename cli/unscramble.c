/* unscramble: puts an image that was cut into tiles and shuffled back together. */
#include <string.h>

#include "cli/puzzle.h"
#include "cli/report.h"
#include "stages/tessera.h"
#include "stages/unscramble/reference.h"
#include "stages/unscramble/score.h"

enum {
    KEY_SAMPLING = PUZZLE_KEY_END,
    KEY_SEARCH,
    KEY_METHOD,
    KEY_APPLY,
    KEY_MISSING,
    KEY_SOLUTION_GRID,
    KEY_MIXED,
    KEY_DISSIMILARITY,
    KEY_EFFORT,
    KEY_TIME,
    KEY_TRUTH,
    KEY_CONFIDENCE,
    KEY_REPORT,
    KEY_ANIMATE,
    KEY_FILM_SIDE,
    KEY_STRICT,
    KEY_ONCE,
};

static const struct cli_option OPTIONS[] = {
    PUZZLE_OPTIONS("columns x rows of tiles, or auto (default auto)",
        "tiles may be turned: square ones by quarters, others by half",
        "where the search of large puzzles begins (default 0)",
        "write the order of the tiles to a file"),
    {"apply", KEY_APPLY, "FILE", "take the order of the tiles from a file instead of searching",
        NULL, CLI_FILES},
    {"method", KEY_METHOD, "NAME",
        " (default auto): up to 12 tiles by whole edges in color, or by gray edges of 64 pixels",
        CLI_WORDS("auto", "classic"), CLI_METHOD},
    {"search", KEY_SEARCH, "HOW", " (default pruned); both give the same answer",
        CLI_WORDS("pruned", "exhaustive"), CLI_METHOD},
    {"sampling", KEY_SAMPLING, "HOW", " for gray tiles of --method classic (default average)",
        CLI_WORDS("average", "point"), CLI_METHOD},
    {"missing", KEY_MISSING, NULL, "tiles may be absent: those of one color, see --missing-color",
        NULL, CLI_WORK},
    {"mixed", KEY_MIXED, "N|auto",
        "the tiles are of N images, or of as many as are found: out-1.png, out-2.png, ...", NULL,
        CLI_WORK},
    {"solution-grid", KEY_SOLUTION_GRID, "CxR",
        "the largest grid that an image may have (default: the puzzle's)", NULL, CLI_WORK},
    {"frame", KEY_SOLUTION_GRID, "CxR", NULL, NULL, CLI_WORK},
    {"dissimilarity", KEY_DISSIMILARITY, "NAME", ": how edges are compared (default auto)",
        CLI_LIST(dissimilarity_names), CLI_METHOD},
    {"metric", KEY_DISSIMILARITY, "NAME", NULL, NULL, CLI_METHOD},
    {"effort", KEY_EFFORT, "N", "refine large puzzles by N refills", NULL, CLI_METHOD},
    {"time", KEY_TIME, "SECONDS", "refine for so long, or until --effort is spent", NULL,
        CLI_METHOD},
    {"truth", KEY_TRUTH, "FILE", "score the answer by the permutation that is right", NULL,
        CLI_FILES},
    {"confidence", KEY_CONFIDENCE, "FILE", "write the result with its doubtful places marked", NULL,
        CLI_FILES},
    {"report", KEY_REPORT, "FILE",
        "write a page (.html) to judge the answer and to mend it by hand", NULL, CLI_FILES},
    {"once", KEY_ONCE, NULL, "search once only, where the answer is doubtful too", NULL,
        CLI_METHOD},
    {"strict", KEY_STRICT, NULL, "fail if the answer is doubtful; it is written all the same", NULL,
        CLI_REPORTS},
    {"animate", KEY_ANIMATE, "FILE",
        "write the assembly as a video (.mp4, .webm, .gif, .webp, .y4m, .y4m420) or numbered "
        "images",
        NULL, CLI_FILES},
    {"film-side", KEY_FILM_SIDE, "PIXELS", "longer side of that video, at most (default 1280)",
        NULL, CLI_FILES},
    {"benchmark", 'b', NULL, "time each stage against the sequential reference; needs no OUTPUT",
        NULL, CLI_COMMANDS},
    {0},
};

/* The command line's state. */
struct tool {
    struct puzzle puzzle;
    int benchmark, is_strict;             /* are asked for */
    const char *apply, *truth;            /* paths of permutations, or NULL */
    struct permutation applied, expected; /* what they hold */
};

/* What a benchmark runs: one stage, by kernels and by its reference. */
struct contest {
    const struct unscramble_stage *stage;
    struct run *run;
    struct unscramble *unscramble;
    struct run reference_run;
    struct unscramble reference;
};

static int set_option(struct tool *c, int key, const char *value, struct error *error)
{
    struct unscramble_options *options = &c->puzzle.unscramble.options;
    int word, rc;
    switch (key) {
    case 'b':
        c->benchmark = 1;
        return 0;
    case KEY_APPLY:
        c->apply = value;
        return 0;
    case 'g':
        return strcmp(value, "auto") == 0 ? 0 : grid_parse(value, &options->grid, error);
    case KEY_MISSING:
        options->has_missing = 1;
        return 0;
    case KEY_SOLUTION_GRID:
        return grid_parse(value, &options->solution_grid, error);
    case KEY_MIXED:
        if (strcmp(value, "auto") != 0)
            return cli_number("--mixed", value, 1, MAX_SOLUTIONS, &options->mixed, error);
        options->mixed = MIXED_AUTO;
        return 0;
    case KEY_DISSIMILARITY:
        rc = cli_word(OPTIONS, key, value, &word, error);
        options->dissimilarity = (enum dissimilarity)word;
        return rc;
    case KEY_EFFORT:
        return cli_number("--effort", value, 1, INT32_MAX, &options->effort, error);
    case KEY_TIME:
        return cli_number("--time", value, 1, 86400 * 365, &options->seconds, error);
    case KEY_CONFIDENCE:
        c->puzzle.confidence = value;
        return 0;
    case KEY_REPORT:
        c->puzzle.report = value;
        return 0;
    case KEY_STRICT:
        c->is_strict = 1;
        return 0;
    case KEY_ONCE:
        options->is_once = 1;
        return 0;
    case KEY_ANIMATE:
        c->puzzle.assembly.output = value;
        return 0;
    case KEY_FILM_SIDE:
        return cli_number("--film-side", value, 2, FILM_MAX_SIDE, &options->film_side, error);
    case KEY_TRUTH:
        c->truth = value;
        return 0;
    case KEY_SEARCH:
        rc = cli_word(OPTIONS, key, value, &word, error);
        options->search = word ? SEARCH_EXHAUSTIVE : SEARCH_PRUNED;
        return rc;
    case KEY_METHOD:
        rc = cli_word(OPTIONS, key, value, &word, error);
        options->is_classic = word;
        return rc;
    case KEY_SAMPLING:
        rc = cli_word(OPTIONS, key, value, &word, error);
        options->sampling = word ? SAMPLING_POINT : SAMPLING_AVERAGE;
        return rc;
    default:
        return puzzle_set_option(&c->puzzle, key, value, error);
    }
}

static int run_stage(void *context)
{
    struct contest *c = context;
    return unscramble_run_stage(c->run, c->stage, c->unscramble);
}

static int run_reference(void *context)
{
    struct contest *c = context;
    const int rc = unscramble_run_stage(&c->reference_run, c->stage, &c->reference);
    if (rc)
        c->run->error = c->reference_run.error;
    return rc;
}

static int load(struct run *run, struct unscramble *u)
{
    run_start(run);
    return unscramble_run_stage(run, &LOAD, u);
}

/* Loads the puzzle, for the references once more: on the CPU, by one thread. */
static int start_contest(struct contest *c)
{
    int rc = load(c->run, c->unscramble);
    if (run_falls_back(c->run, rc))
        rc = load(c->run, c->unscramble);
    if (rc == 0 && unscramble_is_large(c->unscramble))
        rc = error_set(&c->run->error, ERROR_USAGE,
            "a benchmark takes at most %d tiles, and %d that may be turned by quarters; the puzzle "
            "has %u x %u",
            SEARCH_TILES, SEARCH_QUARTER_TILES, c->unscramble->grid.columns,
            c->unscramble->grid.rows);
    if (rc)
        return rc;
    c->reference_run = (struct run){.device_id = "cpu", .threads = 1, .is_reference = 1};
    c->reference.options = c->unscramble->options;
    c->reference.options.puzzle = &c->unscramble->puzzle;
    c->reference.options.loose = NULL;
    c->reference.grid = c->unscramble->grid;
    rc = load(&c->reference_run, &c->reference);
    if (rc)
        c->run->error = c->reference_run.error;
    return rc;
}

/* Whether both have left the same. */
static int compare_results(struct contest *c)
{
    struct error *error = &c->run->error;
    for (int i = 0; i < c->reference_run.buffer_count; i++) {
        const struct run_buffer *made = &c->reference_run.buffers[i];
        if (!reference_agrees(made, &c->reference, c->unscramble, error))
            return error_set(error, ERROR_DEVICE,
                "what stage '%s' made differs from the reference's", made->stage);
    }
    return 0;
}

/* Runs LOAD once, then times the stages that have a reference. */
static int run_benchmark(struct cli *cli, struct unscramble *u, json_t *result)
{
    struct contest c = {.run = &cli->run, .unscramble = u};
    int rc = start_contest(&c);
    const double upload = cli->run.timings[0].device.transfer;
    if (rc == 0 && !cli->json)
        printf("%s (%s), %d x %d pixels, %u x %u tiles; upload %.3f ms; 5 runs\n",
            cli->run.device.info.id, cli->run.device.info.name, u->puzzle.width, u->puzzle.height,
            u->grid.columns, u->grid.rows, 1e3 * upload);
    json_object_set_new(result, "upload_s", json_real(upload));
    for (int i = 0; rc == 0 && UNSCRAMBLE_BENCHMARK[i]; i++) {
        c.stage = UNSCRAMBLE_BENCHMARK[i];
        rc = benchmark(cli, c.stage->stage.name, run_stage, run_reference, &c, result);
    }
    if (rc == 0)
        rc = compare_results(&c);
    if (rc == 0)
        benchmark_tell(cli, result, "what the stages made is equal byte for byte");
    unscramble_end(&c.reference);
    run_end(&c.reference_run);
    return rc;
}

/* How likely each place is right. */
static json_t *describe_confidence(const struct unscramble *u)
{
    const struct permutation *permutation = &u->result.permutation;
    const uint32_t places = permutation_first(permutation, permutation->solutions);
    json_t *confidence = json_array();
    for (uint32_t place = 0; place < places; place++)
        json_array_append_new(confidence, json_real((double)u->result.confidence[place]));
    return confidence;
}

static json_t *describe(const struct unscramble *u)
{
    const int has_other = u->result.runner_up_cost != NO_COST;
    json_t *result = puzzle_describe(u);
    json_object_set_new(result, "grid_is_guess", json_boolean(u->is_grid_likely));
    json_object_set_new(result, "left_out",
        u->left_out == LEFT_OUT_BORDER  ? json_string("border")
        : u->left_out == LEFT_OUT_LINES ? json_string("lines")
                                        : json_null());
    json_object_set_new(result, "cost",
        u->result.exact_cost != NO_COST ? json_integer(u->result.exact_cost) : json_null());
    json_object_set_new(
        result, "runner_up_cost", has_other ? json_integer(u->result.runner_up_cost) : json_null());
    json_object_set_new(
        result, "margin", has_other ? json_real(unscramble_margin(u)) : json_null());
    json_object_set_new(result, "dissimilarity",
        u->result.compared_by ? json_string(u->result.compared_by) : json_null());
    if (u->result.confidence) {
        json_object_set_new(result, "probability", json_real(u->result.probability));
        json_object_set_new(result, "confidence", describe_confidence(u));
    }
    return result;
}

/* Scores the answer by the truth: into the JSON, and without --json as a line on standard output,
 * unless another output goes there. */
static int score(struct cli *cli, const struct tool *c, json_t *result)
{
    const struct unscramble *u = &c->puzzle.unscramble;
    const char *const outputs[] = {c->puzzle.output, c->puzzle.permutation, c->puzzle.confidence,
        c->puzzle.report, c->puzzle.assembly.output, cli->trace};
    int is_taken = 0;
    for (size_t i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++)
        is_taken |= outputs[i] && strcmp(outputs[i], "-") == 0;
    struct permutation truth = c->expected;
    struct score score;
    if (u->options.loose) /* the grid that numbers the tiles means nothing */
        truth.puzzle = u->result.permutation.puzzle;
    const int rc = score_answer(
        &u->result.permutation, &truth, c->truth, unscramble_turns(u), &score, &cli->run.error);
    if (rc)
        return rc;
    json_object_set_new(result, "score",
        json_pack("{s:f, s:f, s:f, s:b}", "direct", score.direct, "neighbor", score.neighbor,
            "largest", score.largest, "perfect", score.perfect));
    if (!cli->json && !is_taken)
        printf("direct %.2f %%, neighbor %.2f %%, largest %.2f %%%s\n", 100 * score.direct,
            100 * score.neighbor, 100 * score.largest, score.perfect ? ", perfect" : "");
    return 0;
}

static void tell_answer(struct cli *cli, const struct unscramble *u)
{
    char order[(PLACED_TEXT + 1) * SEARCH_TILES] = "", cost[32] = "";
    const uint32_t places =
        permutation_first(&u->result.permutation, u->result.permutation.solutions);
    size_t used = 0;
    for (uint32_t place = 0; place < places && place < SEARCH_TILES; place++) {
        char text[PLACED_TEXT];
        placed_print(u->result.permutation.placed[place], text);
        used += (size_t)snprintf(order + used, sizeof(order) - used, " %s", text);
    }
    if (u->result.exact_cost != NO_COST)
        snprintf(cost, sizeof(cost), ", cost %u", u->result.exact_cost);
    run_notice(&cli->run, 0, "permutation%s%s%s", order, places > SEARCH_TILES ? " ..." : "", cost);
    if (u->result.runner_up_cost != NO_COST)
        run_notice(&cli->run, 0, "the next best has cost %u: margin %.2f", u->result.runner_up_cost,
            unscramble_margin(u));
    if (u->result.probability >= DOUBTFUL)
        run_notice(
            &cli->run, 0, "the answer is right with probability %.2f", u->result.probability);
    if (u->result.probability >= 0)
        snprintf(cli->verdict, sizeof(cli->verdict), "right with probability %.2f",
            u->result.probability);
}

/* With --strict a doubtful answer fails, after all has been written. */
static int check_doubt(struct cli *cli, const struct tool *c, int status)
{
    struct error error;
    if (status != EXIT_DONE || !c->is_strict || c->puzzle.unscramble.result.probability >= DOUBTFUL)
        return status;
    if (c->puzzle.unscramble.result.probability < 0)
        error_write(
            &error, "the answer is not judged, which --strict refuses; it is written all the same");
    else
        error_write(&error,
            "the answer is right with probability %.2f only, which --strict refuses; it is written "
            "all the same",
            c->puzzle.unscramble.result.probability);
    return cli_fail(cli, ERROR_INPUT, &error);
}

/* An option that is given and says how a search goes or is shown, or NULL. */
static const char *name_of_search(const struct tool *c)
{
    const struct unscramble_options *options = &c->puzzle.unscramble.options;
    return options->has_missing             ? "--missing"
           : options->mixed                 ? "--mixed"
           : options->solution_grid.columns ? "--solution-grid"
           : options->dissimilarity         ? "--dissimilarity"
           : options->effort                ? "--effort"
           : options->seconds               ? "--time"
           : c->puzzle.assembly.output      ? "--animate"
                                            : NULL;
}

/* Refuses options that contradict each other, and reads the permutations. Returns -1 to go on, or
 * the exit status to leave with. */
static int check_options(struct cli *cli, struct tool *c)
{
    struct unscramble *u = &c->puzzle.unscramble;
    const struct unscramble_options *options = &u->options;
    const char *searching = name_of_search(c);
    struct error error;
    cli->run.stage = "permutation";
    int rc = puzzle_check_options(&c->puzzle, &error);
    if (rc)
        return cli_fail(cli, rc, &error);
    if (options->sampling != SAMPLING_AVERAGE && !options->is_classic && !c->benchmark)
        rc = error_set(&error, ERROR_USAGE, "--sampling is for --method classic; name that too");
    else if (c->benchmark && (c->truth || c->puzzle.confidence || c->puzzle.report ||
                                 c->puzzle.quality || c->is_strict))
        rc = error_set(&error, ERROR_USAGE, "a benchmark gives no answer; leave out %s",
            c->truth               ? "--truth"
            : c->puzzle.confidence ? "--confidence"
            : c->puzzle.report     ? "--report"
            : c->puzzle.quality    ? "--quality"
                                   : "--strict");
    else if (c->benchmark && c->apply)
        rc = error_set(&error, ERROR_USAGE, "a benchmark searches; leave out --apply");
    else if ((c->benchmark || c->apply) && searching)
        rc = error_set(&error, ERROR_USAGE, "%s does not go with %s; leave out %s", searching,
            c->benchmark ? "a benchmark" : "--apply", searching);
    else if (c->apply && (options->is_once || options->seed))
        rc = error_set(&error, ERROR_USAGE, "--apply does not search; leave out %s",
            options->is_once ? "--once" : "--seed");
    else if (options->film_side && !c->puzzle.assembly.output)
        rc = error_set(&error, ERROR_USAGE, "--film-side is for --animate; name that too");
    u->options.is_judged =
        c->apply && (cli->json || c->is_strict || c->puzzle.confidence || c->puzzle.report);
    if (rc == 0 && c->apply) {
        rc = permutation_read(c->apply, run_watch(&cli->run), &c->applied, &error);
        u->options.apply = &c->applied;
        u->options.apply_name = c->apply;
    }
    if (rc == 0 && c->truth) {
        rc = permutation_read(c->truth, run_watch(&cli->run), &c->expected, &error);
        u->options.truth = &c->expected;
        u->options.truth_name = c->truth;
    }
    return rc ? cli_fail(cli, rc, &error) : -1;
}

static void tool_end(struct tool *tool)
{
    permutation_free(&tool->applied);
    permutation_free(&tool->expected);
    puzzle_end(&tool->puzzle);
}

int tessera_unscramble_main(int argc, char **argv)
{
    struct cli cli = {
        .name = "unscramble",
        .operands = "INPUT... OUTPUT",
        .summary = "Puts an image that was cut into equal tiles and shuffled back together.",
        .options = OPTIONS,
        .stages = UNSCRAMBLE_STAGES,
        .self_test = &UNSCRAMBLE_SELF_TEST,
    };
    struct tool tool = {.puzzle.cli = &cli};
    struct unscramble *u = &tool.puzzle.unscramble;
    cli_start(&cli, argc, argv);
    while (cli_next(&cli))
        cli.rc = set_option(&tool, cli.key, cli.value, &cli.error);
    int status = cli_ready(&cli);
    if (status >= 0)
        return status;
    if (cli.rank > 0)
        return cli_finish(&cli, unscramble_serve(&cli.run), NULL);
    status = puzzle_set_operands(&tool.puzzle, tool.apply, tool.truth, INT_MAX, !tool.benchmark);
    if (status < 0)
        status = check_options(&cli, &tool);
    if (status < 0)
        status = puzzle_check_files(&tool.puzzle, tool.apply, tool.truth);
    if (status >= 0) {
        tool_end(&tool);
        return status;
    }
    json_t *result = NULL;
    int rc;
    if (tool.benchmark) {
        result = json_object();
        rc = run_benchmark(&cli, u, result);
    } else {
        rc = unscramble_run(&cli.run, u);
        if (rc == 0) {
            result = describe(u);
            tell_answer(&cli, u);
        }
        if (rc == 0 && tool.truth)
            rc = score(&cli, &tool, result);
        if (rc == 0 && tool.puzzle.report)
            rc = report_write(&tool.puzzle, argc, argv, result);
    }
    frames_abandon(&tool.puzzle.assembly); /* cli_finish may end by a signal */
    status = check_doubt(&cli, &tool, cli_finish(&cli, rc, result));
    tool_end(&tool);
    return status;
}
