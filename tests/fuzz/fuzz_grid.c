/* grid_parse of any text: what it gives has 1 to MAX_TILES tiles, and reads back when
 * printed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/permutation.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check(int condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct error error = {""};
    struct grid grid, again;
    char printed[32];
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    if (size)
        memcpy(text, bytes, size);
    text[size] = '\0';
    if (grid_parse(text, &grid, &error) == 0) {
        check(grid.columns >= 1 && grid.columns <= MAX_TILES && grid.rows >= 1 &&
              grid.rows <= MAX_TILES && grid_tiles(grid) <= MAX_TILES);
        snprintf(printed, sizeof(printed), "%ux%u", grid.columns, grid.rows);
        check(grid_parse(printed, &again, &error) == 0);
        check(again.columns == grid.columns && again.rows == grid.rows);
    } else {
        check(error.text[0] != 0);
    }
    free(text);
    return 0;
}
