/* COSTS: makes the table that SEARCH goes by from the costs of all pairs of edges: how much each two
 * tiles would cost beside and below each other. */
#include "stages/unscramble/unscramble.h"

static int costs_run(struct run *run, struct unscramble *u)
{
    const uint32_t tiles = grid_tiles(u->grid);
    uint32_t costs[FIT_COUNT] = {0};
    int rc = run_buffer(run, &u->fits, sizeof(costs), NULL);
    for (int direction = 0; direction < DIRECTIONS; direction++)
        for (uint32_t a = 0; a < tiles; a++)
            for (uint32_t b = 0; b < tiles; b++) {
                /* Toward the right and the bottom; see oriented.h. */
                const int toward = direction == BESIDE ? 2 : 3;
                if (a != b)
                    costs[(uint32_t)direction * FIT_DIRECTION + a * MAX_TILES + b] =
                        (uint32_t)cost_of(&u->compatibility,
                            oriented_edge((int32_t)(4 * a), toward),
                            oriented_edge((int32_t)(4 * b), toward ^ 2));
            }
    return rc ? rc : buffer_upload(&u->fits, costs, sizeof(costs), &run->error);
}

const struct unscramble_stage COSTS = {
    .stage = {"costs", "make a table of what every two tiles cost together"},
    .run = costs_run,
    .snapshot = unscramble_fits_snapshot,
};
