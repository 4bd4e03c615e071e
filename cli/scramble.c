/* scramble: cuts pictures into tiles and shuffles them. */
#include "cli/puzzle.h"

enum {
    KEY_DROP = PUZZLE_KEY_END,
    KEY_NOISE,
    KEY_ERODE,
};

static const struct cli_option OPTIONS[] = {
    PUZZLE_OPTIONS("columns x rows of tiles, at most 100000 (default 3x3)",
        "turn tiles: square ones by quarters, others by half",
        "which shuffle (default 0); the same everywhere",
        "write the order that undoes the shuffle"),
    {"drop", KEY_DROP, "N", "leave out N tiles", NULL},
    {"noise", KEY_NOISE, "SIGMA", "add noise of that standard deviation, of 255", NULL},
    {"erode", KEY_ERODE, "PIXELS", "take so much from each edge of each tile", NULL},
    {0},
};

static int set_option(void *state, int key, const char *value, struct error *error)
{
    struct unscramble *u = state;
    switch (key) {
    case KEY_DROP:
        return cli_number("--drop", value, 0, MAX_PUZZLE_TILES, &u->drop, error);
    case KEY_NOISE:
        return cli_number("--noise", value, 0, 255, &u->noise, error);
    case KEY_ERODE:
        return cli_number("--erode", value, 0, INT32_MAX, &u->erode, error);
    default:
        return puzzle_set_option(u, key, value, error);
    }
}

/* What the command line asks for goes together. Returns -1 to go on, or the exit status. */
static int check_options(const struct cli *cli, const struct unscramble *u)
{
    struct error error;
    int rc = puzzle_check_options(u, &error);
    if (rc == 0 && u->input_count > 1 && !u->cut_width)
        rc = error_set(&error, ERROR_USAGE, "several pictures need tiles of one size: --tile WxH");
    return rc ? cli_fail(cli, rc, &error) : -1;
}

int main(int argc, char **argv)
{
    struct cli cli = {
        .name = "scramble",
        .operands = "INPUT... OUTPUT",
        .summary = "Cuts pictures into equal tiles and shuffles them.",
        .options = OPTIONS,
        .stages = SCRAMBLE_STAGES,
        .self_test = &UNSCRAMBLE_SELF_TEST,
        .set = set_option,
    };
    struct unscramble u = {0};
    int status = cli_parse(&cli, argc, argv, &u);
    if (status >= 0)
        return status;
    status = puzzle_set_operands(&cli, &u, MAX_PICTURES, 1);
    if (status < 0)
        status = check_options(&cli, &u);
    if (status < 0)
        status = puzzle_check_files(&cli, &u);
    if (status >= 0)
        return status;
    const int rc = scramble_run(&cli.run, &u);
    status = cli_finish(&cli, rc, puzzle_describe(&u));
    unscramble_end(&u);
    return status;
}
