/* Grids and tile orders, and the files that hold them. */
#ifndef PERMUTATION_H
#define PERMUTATION_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "kernels/args.h"

/* How a picture is cut: columns x rows tiles, numbered from 0, left to right and top to bottom. */
struct grid {
    uint32_t columns, rows;
};

/* order[place] is the tile of the input that goes to that place of the output. */
struct permutation {
    struct grid grid;
    uint32_t order[MAX_TILES];
};

static inline uint32_t grid_tiles(struct grid grid)
{
    return grid.columns * grid.rows;
}

/* Reads "4x3": columns x rows, each at least 1, at most MAX_TILES tiles.
 * Returns 0 or ERROR_USAGE. */
int grid_parse(const char *text, struct grid *grid, struct error *error);

/* A permutation file has a line for each row of the grid, with the numbers of the tiles that go
 * there, blank-separated; '#' starts a comment. Each tile occurs once.
 * Returns 0 or ERROR_INPUT; `name` stands in messages, path "-" is standard input or output. */
int permutation_parse(const char *text, size_t size, const char *name,
    struct permutation *permutation, struct error *error);
int permutation_read(const char *path, struct permutation *permutation, struct error *error);
int permutation_write(const char *path, const struct permutation *permutation, struct error *error);

/* A uniformly random permutation of the grid's tiles: Fisher and Yates' shuffle from the last place
 * down, driven by the generator SplitMix64 (Steele, Lea and Flood 2014), with draws above the
 * largest multiple of the bound rejected. The same on every platform. */
void permutation_shuffle(struct grid grid, uint64_t seed, struct permutation *permutation);

/* Turns "which tile goes to a place" into "to which place a tile goes". */
void permutation_invert(const struct permutation *permutation, struct permutation *inverse);

#endif
