/* Cuts an image into 4 x 3 tiles, changes their places, and has the library put them back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera.h>

enum { COLUMNS = 4, ROWS = 3, SIDE = 50 };

int main(void)
{
    static unsigned char original[ROWS * SIDE][COLUMNS * SIDE],
        shuffled[ROWS * SIDE][COLUMNS * SIDE];
    const struct tessera_image puzzle = {COLUMNS * SIDE, ROWS * SIDE, 1, 8, shuffled};
    const struct tessera_puzzle_options options = {.columns = COLUMNS, .rows = ROWS};
    for (int y = 0; y < ROWS * SIDE; y++)
        for (int x = 0; x < COLUMNS * SIDE; x++)
            original[y][x] = (unsigned char)(y + x * (200 - x) / 100 + x * y / 200);
    for (int place = 0; place < COLUMNS * ROWS; place++) { /* tile 5 * place goes there */
        const int tile = 5 * place % (COLUMNS * ROWS);
        for (int y = 0; y < SIDE; y++)
            memcpy(&shuffled[place / COLUMNS * SIDE + y][place % COLUMNS * SIDE],
                &original[tile / COLUMNS * SIDE + y][tile % COLUMNS * SIDE], SIDE);
    }

    struct tessera *tessera = tessera_new();
    struct tessera_solution *solutions;
    int count;
    if (!tessera || tessera_unscramble(tessera, &puzzle, &options, &solutions, &count) != 0) {
        fprintf(stderr, "%s\n", tessera ? tessera_error(tessera) : "not enough memory");
        tessera_free(tessera);
        return EXIT_FAILURE;
    }
    for (int place = 0; place < COLUMNS * ROWS; place++)
        printf("%2u%c", solutions[0].tiles[place], (place + 1) % COLUMNS ? ' ' : '\n');
    const int is_right = memcmp(solutions[0].image.pixels, original, sizeof(original)) == 0;
    printf("%s on %s\n", is_right ? "as it was" : "not as it was", tessera_device(tessera));
    tessera_solutions_free(solutions, count);
    tessera_free(tessera);
    return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
