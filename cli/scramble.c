/* scramble: cuts a picture into tiles and shuffles them. */
#include "cli/cli.h"
#include "stages/unscramble/unscramble.h"

enum {
    KEY_SEED = CLI_KEY,
    KEY_FORMAT,
    KEY_MAX_PIXELS,
    KEY_PERMUTATION,
};

static const struct cli_option OPTIONS[] = {
    {"grid", 'g', "CxR", "columns x rows of tiles, at most 12 (default 3x3)"},
    {"seed", KEY_SEED, "N", "which shuffle (default 0); the same everywhere"},
    {"permutation", KEY_PERMUTATION, "FILE", "write the order that undoes the shuffle"},
    {"format", KEY_FORMAT, "NAME", "png, jpeg, bmp, tga, pgm, ppm or pnm (default: by OUTPUT)"},
    {"max-pixels", KEY_MAX_PIXELS, "N", "refuse larger pictures (default 268435456)"},
    {0},
};

static int set_option(void *state, int key, const char *value, struct error *error)
{
    struct unscramble *u = state;
    switch (key) {
    case 'g':
        return grid_parse(value, &u->grid, error);
    case KEY_SEED:
        return cli_number("--seed", value, 0, UINT64_MAX, &u->seed, error);
    case KEY_PERMUTATION:
        u->save_permutation = value;
        return 0;
    case KEY_FORMAT:
        u->format = value;
        return 0;
    case KEY_MAX_PIXELS:
        return cli_number("--max-pixels", value, 1, UINT32_MAX, &u->max_pixels, error);
    default:
        return 0;
    }
}

int main(int argc, char **argv)
{
    struct cli cli = {
        .name = "scramble",
        .operands = "INPUT OUTPUT",
        .summary = "Cuts a picture into equal tiles and shuffles them.",
        .options = OPTIONS,
        .stages = SCRAMBLE,
        .set = set_option,
    };
    struct unscramble u = {0};
    int status = cli_parse(&cli, argc, argv, &u);
    if (status >= 0)
        return status;
    if (cli.operand_count != 2 || cli.benchmark) {
        struct error error = {"name one INPUT and one OUTPUT; --help explains"};
        return cli_fail(&cli, ERROR_USAGE, &error);
    }
    u.input = cli.operand[0];
    u.output = cli.operand[1];
    const int rc = pipeline_run(&cli.run, SCRAMBLE, &u);
    status = cli_finish(&cli, rc, json_object());
    unscramble_end(&u);
    return status;
}
