/* scramble: cuts images into tiles and shuffles them. */
#include "cli/puzzle.h"
#include "stages/tessera.h"

enum {
    KEY_DROP = PUZZLE_KEY_END,
    KEY_NOISE,
    KEY_ERODE,
    KEY_LOOSE,
};

static const struct cli_option OPTIONS[] = {
    PUZZLE_OPTIONS("columns x rows of tiles, at most 4000000 (default 3x3)",
        "turn tiles: square ones by quarters, others by half",
        "which shuffle (default 0); the same everywhere",
        "write the order that undoes the shuffle"),
    {"drop", KEY_DROP, "N", "leave out N tiles", NULL, CLI_WORK},
    {"noise", KEY_NOISE, "SIGMA", "add noise of that standard deviation, of 255", NULL, CLI_WORK},
    {"erode", KEY_ERODE, "PIXELS", "take so much from each edge of each tile", NULL, CLI_WORK},
    {"loose", KEY_LOOSE, "DIR", "write each tile as a file into a new folder, and no OUTPUT", NULL,
        CLI_FILES},
    {0},
};

static int set_option(struct puzzle *puzzle, int key, const char *value, struct error *error)
{
    struct scramble_options *options = &puzzle->unscramble.options.scramble;
    switch (key) {
    case KEY_DROP:
        return cli_number("--drop", value, 0, MAX_TILES, &options->drop, error);
    case KEY_NOISE:
        return cli_number("--noise", value, 0, 255, &options->noise, error);
    case KEY_ERODE:
        return cli_number("--erode", value, 0, INT32_MAX, &options->erode, error);
    case KEY_LOOSE:
        puzzle->folder = value;
        options->is_loose = 1;
        return 0;
    default:
        return puzzle_set_option(puzzle, key, value, error);
    }
}

/* Refuses options that contradict each other. Returns -1 to go on, or the exit status. */
static int check_options(const struct puzzle *puzzle)
{
    const struct unscramble_options *options = &puzzle->unscramble.options;
    struct error error;
    int rc = puzzle_check_options(puzzle, &error);
    if (rc == 0 && options->scramble.input_count > 1 && !options->tile_width)
        rc = error_set(&error, ERROR_USAGE, "several images need tiles of one size: --tile WxH");
    return rc ? cli_fail(puzzle->cli, rc, &error) : -1;
}

int tessera_scramble_main(int argc, char **argv)
{
    struct cli cli = {
        .name = "scramble",
        .operands = "INPUT... OUTPUT",
        .summary = "Cuts images into equal tiles and shuffles them.",
        .options = OPTIONS,
        .stages = SCRAMBLE_STAGES,
        .self_test = &UNSCRAMBLE_SELF_TEST,
    };
    struct puzzle puzzle = {.cli = &cli};
    cli_start(&cli, argc, argv);
    while (cli_next(&cli))
        cli.rc = set_option(&puzzle, cli.key, cli.value, &cli.error);
    int status = cli_ready(&cli);
    if (status >= 0)
        return status;
    if (cli.rank > 0) /* there is nothing to share */
        return cli_finish(&cli, unscramble_serve(&cli.run), NULL);
    status = puzzle_set_operands(&puzzle, NULL, NULL, MAX_SOLUTIONS, !puzzle.folder);
    if (status < 0)
        status = check_options(&puzzle);
    if (status < 0)
        status = puzzle_check_files(&puzzle, NULL, NULL);
    if (status >= 0)
        return status;
    const int rc = scramble_run(&cli.run, &puzzle.unscramble);
    status = cli_finish(&cli, rc, puzzle_describe(&puzzle.unscramble));
    puzzle_end(&puzzle);
    return status;
}
