#include "cli/puzzle.h"

#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/animate.h"

static int parse_colour(const char *text, struct colour *colour, struct error *error)
{
    if (strlen(text) != 6 || strspn(text, "0123456789abcdefABCDEF") != 6)
        return error_set(error, ERROR_USAGE,
            "bad --missing-color '%s': write red, green and blue as six hexadecimal digits, as in "
            "ff8000",
            text);
    const unsigned long bits = strtoul(text, NULL, 16);
    *colour = (struct colour){(uint8_t)(bits >> 16), (uint8_t)(bits >> 8), (uint8_t)bits};
    return 0;
}

struct words puzzle_formats(void)
{
    return image_formats(NULL);
}

int puzzle_set_option(
    struct unscramble *unscramble, int key, const char *value, struct error *error)
{
    switch (key) {
    case 'g':
        return grid_parse(value, &unscramble->grid, error);
    case PUZZLE_KEY_PERMUTATION:
        unscramble->save_permutation = value;
        return 0;
    case PUZZLE_KEY_MISSING_COLOR:
        unscramble->has_missing_colour = 1;
        return parse_colour(value, &unscramble->missing, error);
    case PUZZLE_KEY_TILE:
        return tile_size_parse(value, &unscramble->cut_width, &unscramble->cut_height, error);
    case PUZZLE_KEY_ROTATE:
        unscramble->rotates = 1;
        return 0;
    case PUZZLE_KEY_SEED:
        return cli_number("--seed", value, 0, UINT64_MAX, &unscramble->seed, error);
    case PUZZLE_KEY_FORMAT:
        unscramble->format = value;
        return 0;
    default:
        return cli_number("--max-pixels", value, 1, UINT32_MAX, &unscramble->max_pixels, error);
    }
}

int puzzle_check_options(const struct unscramble *unscramble, struct error *error)
{
    if (unscramble->cut_width && unscramble->grid.columns)
        return error_set(error, ERROR_USAGE, "--grid and --tile both cut; leave one out");
    return 0;
}

int puzzle_set_operands(
    const struct cli *cli, struct unscramble *unscramble, int most_inputs, int needs_output)
{
    struct error error;
    const int count = cli->operand_count, inputs = count - (needs_output || count == 2);
    if (inputs < 1 || inputs > most_inputs) {
        if (most_inputs > 1)
            error_write(&error, "name 1 to %d INPUTs and one OUTPUT; --help explains", most_inputs);
        else
            error_write(&error, "name one INPUT and one OUTPUT; --help explains");
        return cli_fail(cli, ERROR_USAGE, &error);
    }
    unscramble->inputs = (const char *const *)cli->operand;
    unscramble->input_count = (uint32_t)inputs;
    unscramble->input = cli->operand[0];
    unscramble->output = inputs < count ? cli->operand[inputs] : NULL;
    int readers = unscramble->apply && strcmp(unscramble->apply, "-") == 0;
    readers += unscramble->truth_name && strcmp(unscramble->truth_name, "-") == 0;
    for (int i = 0; i < inputs; i++)
        readers += strcmp(cli->operand[i], "-") == 0;
    if (readers > 1) {
        error_write(&error, "standard input is one file; name files for all inputs but one");
        return cli_fail(cli, ERROR_USAGE, &error);
    }
    return -1;
}

int puzzle_check_files(struct cli *cli, const struct unscramble *u)
{
    static char outputs[MAX_PICTURES][PATH_MAX];
    const uint32_t parts = unscramble_parts(u);
    const struct animation animation = {.output = u->animate};
    struct files files = {0};
    struct error error;
    int rc = 0;
    for (uint32_t i = 0; i < u->input_count; i++)
        files_add(&files, FILE_REPLACEABLE, u->inputs[i]);
    files_add(&files, FILE_READ, u->apply);
    files_add(&files, FILE_READ, u->truth_name);
    for (uint32_t part = 0; rc == 0 && u->output && part < parts; part++) {
        rc = unscramble_output(u, part, parts, outputs[part], &error);
        files_add(&files, parts > 1 ? FILE_WRITTEN : FILE_OUTPUT, outputs[part]);
    }
    files_add(&files, FILE_WRITTEN, u->save_permutation);
    files_add(&files, FILE_WRITTEN, u->confidence);
    if (u->animate && !animation_is_video(&animation))
        files_add_frames(&files, u->animate, 1, ANIMATION_FRAMES);
    else
        files_add(&files, FILE_WRITTEN, u->animate);
    if (rc == 0)
        rc = cli_check_files(cli, &files, &error);
    return rc ? cli_fail(cli, rc, &error) : -1;
}

json_t *puzzle_describe(const struct unscramble *unscramble)
{
    const struct permutation *permutation = &unscramble->permutation;
    json_t *order = json_array(), *turns = json_array(), *pictures = json_array();
    const uint32_t places = permutation_first(permutation, permutation->pictures);
    for (uint32_t place = 0; place < places; place++) {
        const struct placed placed = permutation->placed[place];
        json_array_append_new(
            order, placed.tile == NO_TILE ? json_null() : json_integer(placed.tile));
        json_array_append_new(turns, json_integer(placed.turn * 90));
    }
    for (uint32_t picture = 0; picture < permutation->pictures; picture++)
        json_array_append_new(
            pictures, json_pack("{s:i, s:i}", "columns", (int)permutation->grids[picture].columns,
                          "rows", (int)permutation->grids[picture].rows));
    return json_pack("{s:i, s:i, s:i, s:i, s:o, s:o, s:o}", "width", unscramble->picture.width,
        "height", unscramble->picture.height, "columns", (int)permutation->puzzle.columns, "rows",
        (int)permutation->puzzle.rows, "pictures", pictures, "permutation", order, "turns", turns);
}
