/* MEASURE: the cost of a permutation that is given, where none is searched for. */
#include "stages/unscramble/unscramble.h"

static int measure_run(struct run *run, struct unscramble *u)
{
    const uint32_t columns = u->grid.columns, turns = unscramble_turn_count(u);
    const uint32_t oriented = ORIENTED_MAX(turns);
    const struct placed *placed = u->result.permutation.placed;
    uint32_t pair_costs[PAIR_COSTS(4)];
    const int rc = buffer_download(&u->pair_costs, pair_costs, u->pair_costs.size, &run->error);
    if (rc)
        return rc;
    u->result.exact_cost = 0;
    u->result.runner_up_cost = NO_COST;
    for (uint32_t place = 0; place < grid_tiles(u->grid); place++) {
        const uint32_t tile = placed[place].tile * turns; /* not turned */
        if (place % columns != 0)
            u->result.exact_cost +=
                pair_costs[(BESIDE * oriented + placed[place - 1].tile * turns) * oriented + tile];
        if (place >= columns)
            u->result.exact_cost +=
                pair_costs[(BELOW * oriented + placed[place - columns].tile * turns) * oriented +
                           tile];
    }
    return 0;
}

const struct unscramble_stage MEASURE = {
    .stage = {"measure", "sum the costs of the permutation given"},
    .run = measure_run,
};
