/* SEARCH: finds the permutation of least cost, and of several the first in lexicographic order. The
 * kernels read the pair costs from constant memory. */
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/reference.h"
#include "stages/unscramble/unscramble.h"

#define BATCH 4194304u /* permutations a launch */

/* A permutation and its cost. The digits are its oriented tiles, of DIGIT_BITS each, place 0 the
 * highest. */
struct found_order {
    uint32_t cost;
    uint64_t digits;
};

static const struct found_order NO_ORDER = {NO_COST, UINT64_MAX};

static int is_before(struct found_order a, struct found_order b)
{
    return a.cost < b.cost || (a.cost == b.cost && a.digits < b.digits);
}

static void keep_two_best(struct found_order best[2], struct found_order found)
{
    if (is_before(found, best[0])) {
        best[1] = best[0];
        best[0] = found;
    } else if (is_before(found, best[1])) {
        best[1] = found;
    }
}

/* Permutation `number` in lexicographic order, by the factorial number system. */
static uint64_t digits_of(uint32_t number, uint32_t tiles)
{
    uint32_t unused[SEARCH_TILES], factorial = 1;
    uint64_t digits = 0;
    for (uint32_t i = 0; i < tiles; i++)
        unused[i] = i;
    for (uint32_t i = 2; i < tiles; i++)
        factorial *= i;
    for (uint32_t left = tiles; left > 0; left--) {
        const uint32_t choice = number / factorial;
        digits = digits << 4 | unused[choice];
        memmove(unused + choice, unused + choice + 1, (left - 1 - choice) * sizeof(*unused));
        number %= factorial;
        factorial /= left > 1 ? left - 1 : 1;
    }
    return digits;
}

static int search_exhaustive(struct run *run, struct unscramble *u, struct found_order best[2])
{
    const uint32_t tiles = grid_tiles(u->grid);
    const size_t batch_groups = BATCH / EXHAUSTIVE_GROUP;
    uint32_t permutations = 1;
    for (uint32_t i = 2; i <= tiles; i++)
        permutations *= i;
    uint64_t *keys = malloc(batch_groups * 2 * sizeof(*keys));
    if (!keys)
        return error_set(&run->error, ERROR_INPUT, "not enough memory for the search");
    int rc = run_buffer(run, &u->best_orders, batch_groups * 2 * sizeof(*keys), NULL);
    for (uint32_t first = 0; first < permutations && rc == 0; first += BATCH) {
        const uint32_t rest = permutations - first;
        const struct exhaustive_args args = {.columns = u->grid.columns,
            .rows = u->grid.rows,
            .first = first,
            .count = rest < BATCH ? rest : BATCH};
        const size_t groups = (args.count + EXHAUSTIVE_GROUP - 1) / EXHAUSTIVE_GROUP;
        rc = DEVICE_LAUNCH(&run->device, KERNEL_exhaustive, groups, 1, &run->error,
            ARGUMENT_CONSTANT(&u->pair_costs), ARGUMENT_BUFFER(&u->best_orders), ARGUMENT(args));
        if (rc == 0)
            rc = buffer_download(&u->best_orders, keys, groups * 2 * sizeof(*keys), &run->error);
        for (size_t i = 0; i < 2 * groups && rc == 0; i++)
            if (keys[i] != UINT64_MAX && keys[i] >> 32 <= best[1].cost)
                keep_two_best(best, (struct found_order){(uint32_t)(keys[i] >> 32),
                                        digits_of((uint32_t)keys[i], tiles)});
        if (rc == 0)
            rc = run_progress(run, (double)(first + args.count) / permutations);
    }
    free(keys);
    return rc;
}

/* How many of the turns of tile 0 are tried. A board that is turned as a whole costs the same, and
 * of the boards that differ by that alone one is enough. A board by half is in the same frame, a
 * board by a quarter only where it is square. */
static uint32_t first_turns(const struct unscramble *u)
{
    return unscramble_turn_count(u) == 4 && u->grid.columns != u->grid.rows ? 2 : 1;
}

/* Joins each first line of tiles, of which there are `fronts`, numbered as in pruned.cl, with its
 * two best extensions. */
static void join_first_lines(const struct unscramble *u, const uint32_t *pair_costs,
    const uint32_t *costs, const uint64_t *extensions, uint32_t fronts, struct found_order best[2])
{
    const uint32_t tiles = grid_tiles(u->grid), turns = unscramble_turn_count(u);
    const uint32_t most = ORIENTED_MAX(turns), bits = DIGIT_BITS(turns);
    const int rows = u->grid.columns <= u->grid.rows; /* lines are rows, else columns */
    const uint32_t line = rows ? u->grid.columns : u->grid.rows;
    const uint32_t pitch = rows ? 1 : u->grid.columns; /* places from one tile of it to the next */
    const uint32_t *along = pair_costs + (rows ? BESIDE : BELOW) * most * most;
    for (uint32_t front = 0; front < fronts; front++) {
        uint32_t used = 0, later = 0, digits = front, cost = 0;
        uint64_t start = 0;
        int valid = 1;
        for (uint32_t i = line; i-- > 0; digits /= turns * tiles) {
            const uint32_t oriented = digits % (turns * tiles), tile = oriented / turns;
            valid &= !(used >> tile & 1) && (tile > 0 || oriented < first_turns(u));
            used |= 1u << tile;
            start |= (uint64_t)oriented << bits * (tiles - 1 - i * pitch);
            cost += i + 1 < line ? along[oriented * most + later] : 0;
            later = oriented;
        }
        for (uint32_t i = 2 * front; valid && i < 2 * front + 2; i++)
            if (costs[i] != NO_COST)
                keep_two_best(best, (struct found_order){cost + costs[i], start | extensions[i]});
    }
}

/* Evaluates the states of each number of placed tiles, from full placements back to one line. */
static int run_pruned(struct run *run, struct unscramble *u, uint32_t line, uint32_t fronts)
{
    const uint32_t tiles = grid_tiles(u->grid), turns = unscramble_turn_count(u);
    const enum kernel kernel = turns == 1   ? KERNEL_pruned
                               : turns == 2 ? KERNEL_pruned_halves
                                            : KERNEL_pruned_quarters;
    const size_t states = (size_t)fronts << (tiles - line);
    int rc = run_buffer(run, &u->finish_costs, 2 * states * sizeof(uint32_t), NULL);
    if (rc == 0)
        rc = run_buffer(run, &u->extensions, 2 * states * sizeof(uint64_t), NULL);
    for (uint32_t placed = tiles; placed >= line && rc == 0; placed--) {
        const struct pruned_args args = {.tiles = tiles,
            .columns = u->grid.columns,
            .line = line,
            .placed = placed,
            .first_turns = first_turns(u)};
        rc = DEVICE_LAUNCH(&run->device, kernel, (fronts + PRUNED_GROUP - 1) / PRUNED_GROUP,
            (size_t)1 << (tiles - line), &run->error, ARGUMENT_CONSTANT(&u->pair_costs),
            ARGUMENT_BUFFER(&u->finish_costs), ARGUMENT_BUFFER(&u->extensions), ARGUMENT(args));
        if (rc == 0)
            rc = run_progress(run, (double)(tiles - placed + 1) / (tiles - line + 1));
    }
    return rc;
}

static int search_pruned(struct run *run, struct unscramble *u, struct found_order best[2])
{
    const uint32_t line = u->grid.columns <= u->grid.rows ? u->grid.columns : u->grid.rows;
    uint32_t pair_costs[PAIR_COSTS(4)], fronts = 1;
    for (uint32_t i = 0; i < line; i++)
        fronts *= grid_tiles(u->grid) * unscramble_turn_count(u);
    uint32_t *costs = malloc(2 * fronts * sizeof(*costs));
    uint64_t *extensions = malloc(2 * fronts * sizeof(*extensions));
    int rc = costs && extensions
                 ? run_pruned(run, u, line, fronts)
                 : error_set(&run->error, ERROR_INPUT, "not enough memory for the search");
    /* States without other used tiles come first: the placements of one line. */
    if (rc == 0)
        rc = buffer_download(&u->finish_costs, costs, 2 * fronts * sizeof(*costs), &run->error);
    if (rc == 0)
        rc = buffer_download(
            &u->extensions, extensions, 2 * fronts * sizeof(*extensions), &run->error);
    if (rc == 0)
        rc = buffer_download(&u->pair_costs, pair_costs, u->pair_costs.size, &run->error);
    if (rc == 0)
        join_first_lines(u, pair_costs, costs, extensions, fronts, best);
    free(costs);
    free(extensions);
    return rc;
}

/* Keeps the answer: an oriented tile for each place. */
static int keep_answer(struct run *run, struct unscramble *u, const uint32_t *order, uint32_t cost,
    uint32_t runner_up_cost)
{
    const uint32_t turns = unscramble_turn_count(u);
    const int rc = permutation_new(u->grid, 1, &u->grid, &u->result.permutation, &run->error);
    if (rc)
        return rc;
    for (uint32_t place = 0; place < grid_tiles(u->grid); place++)
        u->result.permutation.placed[place] =
            (struct placed){order[place] / turns, order[place] % turns * (4 / turns)};
    u->result.exact_cost = cost;
    u->result.runner_up_cost = runner_up_cost;
    unscramble_tell_turns(run, u);
    return 0;
}

static int search_run(struct run *run, struct unscramble *u)
{
    const uint32_t tiles = grid_tiles(u->grid), bits = DIGIT_BITS(unscramble_turn_count(u));
    uint32_t order[SEARCH_TILES];
    struct found_order best[2] = {NO_ORDER, NO_ORDER};
    const int rc = u->options.search == SEARCH_EXHAUSTIVE ? search_exhaustive(run, u, best)
                                                          : search_pruned(run, u, best);
    for (uint32_t place = 0; place < tiles; place++)
        order[place] = best[0].digits >> bits * (tiles - 1 - place) & ((1u << bits) - 1);
    return rc ? rc : keep_answer(run, u, order, best[0].cost, best[1].cost);
}

static int search_reference(struct run *run, struct unscramble *u)
{
    uint32_t order[SEARCH_TILES], cost, runner_up_cost;
    reference_search(u->pair_costs.memory, u->grid, unscramble_turn_count(u), first_turns(u), order,
        &cost, &runner_up_cost);
    return keep_answer(run, u, order, cost, runner_up_cost);
}

const struct unscramble_stage SEARCH = {
    .stage = {"search", "find the best permutation of the tiles"},
    .run = search_run,
    .reference = search_reference,
};
