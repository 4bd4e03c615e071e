#include "cli/puzzle.h"

#include <string.h>

int puzzle_set_option(
    struct unscramble *unscramble, int key, const char *value, struct error *error)
{
    switch (key) {
    case 'g':
        return grid_parse(value, &unscramble->grid, error);
    case PUZZLE_KEY_PERMUTATION:
        unscramble->save_permutation = value;
        return 0;
    case PUZZLE_KEY_FORMAT:
        unscramble->format = value;
        return 0;
    default:
        return cli_number("--max-pixels", value, 1, UINT32_MAX, &unscramble->max_pixels, error);
    }
}

int puzzle_set_operands(const struct cli *cli, struct unscramble *unscramble, int needs_output)
{
    struct error error;
    const int count = cli->operand_count;
    if (count < 1 + needs_output || count > 2) {
        error_write(&error, "name one INPUT and one OUTPUT; --help explains");
        return cli_fail(cli, ERROR_USAGE, &error);
    }
    unscramble->input = cli->operand[0];
    if (unscramble->apply && strcmp(unscramble->apply, "-") == 0 &&
        strcmp(unscramble->input, "-") == 0) {
        error_write(&error, "standard input is one file; name a file for INPUT or --apply");
        return cli_fail(cli, ERROR_USAGE, &error);
    }
    unscramble->output = count == 2 ? cli->operand[1] : NULL;
    const char *const outputs[] = {unscramble->output, unscramble->save_permutation, cli->json};
    const int rc = cli_check_outputs(NULL, outputs, 3, &error);
    return rc ? cli_fail(cli, rc, &error) : -1;
}

json_t *puzzle_describe(const struct unscramble *unscramble)
{
    const struct permutation *permutation = &unscramble->permutation;
    json_t *order = json_array();
    for (uint32_t place = 0; place < grid_tiles(permutation->grid); place++)
        json_array_append_new(order, json_integer(permutation->order[place]));
    return json_pack("{s:i, s:i, s:i, s:i, s:o}", "width", unscramble->picture.width, "height",
        unscramble->picture.height, "columns", (int)permutation->grid.columns, "rows",
        (int)permutation->grid.rows, "permutation", order);
}
