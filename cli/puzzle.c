#include "cli/puzzle.h"

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
