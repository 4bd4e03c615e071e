/* Grids, permutations of tiles, and the files that hold them. */
#ifndef PERMUTATION_H
#define PERMUTATION_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "kernels/unscramble/unscramble_args.h"
#include "progress.h"
#include "stages/unscramble/oriented.h"

#define MAX_SOLUTIONS 100 /* of one puzzle */

/* How an image is cut: columns x rows tiles, numbered from 0, left to right and top to bottom. */
struct grid {
    uint32_t columns, rows;
};

/* What stands at a place: a tile of the puzzle, turned by so many quarters clockwise (0 to 3); or
 * NO_TILE, not turned. */
struct placed {
    uint32_t tile, turn;
};

/* Which tiles of a puzzle make its solutions. A zeroed one holds nothing. */
struct permutation {
    struct grid puzzle; /* how the puzzle is cut */
    uint32_t solutions;
    struct grid grids[MAX_SOLUTIONS]; /* of each solution */
    struct placed *placed; /* the places of the first solution, then of the second, ... */
    int is_without_lines;  /* of a puzzle whose lines and border are left out first */
};

/* As an oriented tile, or NOTHING, and back. */
static inline int32_t placed_oriented(struct placed placed)
{
    return placed.tile == NO_TILE ? NOTHING : (int32_t)(4 * placed.tile + placed.turn);
}

static inline struct placed oriented_placed(int32_t oriented)
{
    return oriented == NOTHING ? (struct placed){NO_TILE, 0}
                               : (struct placed){(uint32_t)oriented / 4, (uint32_t)oriented % 4};
}

static inline uint32_t grid_tiles(struct grid grid)
{
    return grid.columns * grid.rows;
}

/* Reads "4x3": columns x rows, each at least 1, at most MAX_TILES tiles.
 * Returns 0 or ERROR_USAGE. */
int grid_parse(const char *text, struct grid *grid, struct error *error);

/* Reads "28x20": the width and height of a tile, pixels. Returns 0 or ERROR_USAGE. */
int tile_size_parse(const char *text, uint32_t *width, uint32_t *height, struct error *error);

/* Makes a permutation in which every place is empty; what it held is freed, so it must hold
 * something or be zeroed. At most MAX_TILES places and MAX_SOLUTIONS solutions.
 * Returns 0, or ERROR_INPUT when memory is short. */
int permutation_new(struct grid puzzle, uint32_t solutions, const struct grid *grids,
    struct permutation *permutation, struct error *error);
void permutation_free(struct permutation *permutation);

/* How many places the solutions before this one have; with permutation->solutions, how many all
 * have. */
uint32_t permutation_first(const struct permutation *permutation, uint32_t solution);

/* Whether no place of any solution is empty. */
int permutation_is_full(const struct permutation *permutation);

/* Whether it is one solution with the puzzle's grid, each tile there and none turned. */
int permutation_is_plain(const struct permutation *permutation);

/* Turns one solution as a whole so that most tiles lie as they came: by half, and by quarters where
 * its grid is square. It shows the same image, another side up. */
void permutation_put_upright(struct permutation *permutation);

/* Prints "17", with a turn "17@90", or "-" for no tile. */
#define PLACED_TEXT 24
void placed_print(struct placed placed, char text[PLACED_TEXT]);

/* A permutation file has a line for each row of a solution, with what placed_print gives for its
 * places, blank-separated; '#' starts a comment. "picture" on a line, an older word for an image,
 * begins another solution, "puzzle 4x3" is the puzzle's grid: without it, that of the only
 * solution. No tile occurs twice. Time is linear in the size. As permutation_new, they free what
 * the permutation held. Where `names` of the tiles are given, comments tell them.
 * Reading reports to `progress` (NULL: nobody watches). They return 0, ERROR_INPUT or, reading,
 * ERROR_STOPPED; `name` stands in messages, path "-" is standard input or output. */
int permutation_parse(const char *text, size_t size, const char *name,
    struct permutation *permutation, struct error *error);
int permutation_read(const char *path, const struct progress *progress,
    struct permutation *permutation, struct error *error);
int permutation_write(const char *path, const struct permutation *permutation,
    const char *const *names, uint32_t name_count, struct error *error);

/* A uniformly random permutation of the grid's tiles: Fisher and Yates' shuffle from the last place
 * down, driven by the generator of random.h, with draws above the largest multiple of the bound
 * rejected. *random is the generator's state, at first the seed. The same on every platform.
 * Returns as permutation_new. */
int permutation_shuffle(
    struct grid grid, uint64_t *random, struct permutation *permutation, struct error *error);

/* Empties the places of the tiles from `tiles` on, and of `drop` of the others, all equally
 * likely. */
void permutation_drop(
    struct permutation *permutation, uint32_t tiles, uint32_t drop, uint64_t *random);

/* Turns each tile by a random multiple of `quarters` (1 or 2) quarters. */
void permutation_turn(struct permutation *permutation, uint32_t quarters, uint64_t *random);

/* Turns "which tile goes to a place" into "to which place a tile goes", and turns it back. The
 * permutation is one solution with the puzzle's grid. The tiles, in their order, become the places
 * of the inverse's solutions; those of tiles that are nowhere become empty. Returns as
 * permutation_new. */
int permutation_invert(const struct permutation *permutation, uint32_t solutions,
    const struct grid *grids, struct permutation *inverse, struct error *error);

#endif
