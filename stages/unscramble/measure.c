/* MEASURE: the cost of a permutation that is given, where none is searched for. */
#include "stages/unscramble/unscramble.h"

static int measure_run(struct run *run, struct unscramble *u)
{
    const uint32_t columns = u->grid.columns;
    const struct placed *placed = u->result.permutation.placed;
    uint32_t fits[FIT_COUNT];
    const int rc = buffer_download(&u->pair_costs, fits, sizeof(fits), &run->error);
    if (rc)
        return rc;
    u->result.exact_cost = 0;
    u->result.runner_up_cost = NO_COST;
    for (uint32_t place = 0; place < grid_tiles(u->grid); place++) {
        const uint32_t tile = placed[place].tile;
        if (place % columns != 0)
            u->result.exact_cost +=
                fits[BESIDE * FIT_DIRECTION + placed[place - 1].tile * MAX_TILES + tile];
        if (place >= columns)
            u->result.exact_cost +=
                fits[BELOW * FIT_DIRECTION + placed[place - columns].tile * MAX_TILES + tile];
    }
    return 0;
}

const struct unscramble_stage MEASURE = {
    .stage = {"measure", "sum the costs of the permutation given"},
    .run = measure_run,
};
