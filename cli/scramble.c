/* scramble: cuts a picture into tiles and shuffles them. */
#include "cli/puzzle.h"

enum {
    KEY_SEED = PUZZLE_KEY_END,
};

static const struct cli_option OPTIONS[] = {
    PUZZLE_OPTIONS("write the order that undoes the shuffle"),
    {"seed", KEY_SEED, "N", "which shuffle (default 0); the same everywhere", NULL},
    {0},
};

static int set_option(void *state, int key, const char *value, struct error *error)
{
    struct unscramble *u = state;
    if (key == KEY_SEED)
        return cli_number("--seed", value, 0, UINT64_MAX, &u->seed, error);
    return puzzle_set_option(u, key, value, error);
}

int main(int argc, char **argv)
{
    struct cli cli = {
        .name = "scramble",
        .operands = "INPUT OUTPUT",
        .summary = "Cuts a picture into equal tiles and shuffles them.",
        .options = OPTIONS,
        .stages = SCRAMBLE,
        .self_test = &UNSCRAMBLE_SELF_TEST,
        .set = set_option,
    };
    struct unscramble u = {0};
    int status = cli_parse(&cli, argc, argv, &u);
    if (status >= 0)
        return status;
    status = puzzle_set_operands(&cli, &u, 1);
    if (status < 0)
        status = puzzle_check_outputs(&cli, &u);
    if (status >= 0)
        return status;
    const int rc = pipeline_run(&cli.run, SCRAMBLE, &u);
    status = cli_finish(&cli, rc, puzzle_describe(&u));
    unscramble_end(&u);
    return status;
}
