/* Simulated annealing: areas of tiles change places, at first also where that costs more. */
#include "stages/unscramble/anneal.h"

#include <math.h>
#include <string.h>

#include "random.h"
#include "stages/unscramble/anneal_spread.h"
#include "stages/unscramble/board.h"

/* CHAINS run side by side. They anneal for ROUNDS rounds, and where many tiles are wrong do so TIMES
 * times, before each but the first of which they loosen in a wider field. A round has MOVES moves for each place that is not
 * settled, for no more places than tiles are likely wrong, and than MOST_PLACES, which bounds how
 * long it takes. */
enum { CHAINS = 4, TIMES = 4, ROUNDS = 64, MOVES = 200, MOST_PLACES = 300 };

/* A change that costs `heat` more is accepted half of the time. Much above HEAT even a large part
 * that is right falls apart, and below 100 nothing large moves any more. So the rounds before the
 * last SETTLING_ROUNDS are about between these, where right parts grow at the expense of others;
 * the last ones settle what is left. Heat is kept in 1 / 256, and a round multiplies it by COOLING
 * or SETTLING / 1024. */
enum { HEAT = 165, HEAT_AGAIN = 120, COOLING = 1011 };
enum { SETTLING_ROUNDS = 24, SETTLING = 922 };

/* Boards loosen where at least one of so many tiles is likely wrong: there large parts may lie beside
 * their place. */
enum { LOOSENED_SHARE = 16 };

/* Lets all chains go on from the full boards that they have. */
static void begin_again(
    const struct problem *p, const struct costs *costs, struct annealing *chains)
{
    for (int i = 0; i < CHAINS; i++) {
        chains[i].p = p;
        chains[i].costs = costs;
        annealing_begin(&chains[i], HEAT_AGAIN);
    }
}

/* Runs a round of all chains, and takes over what costs less than the board. */
static void run_chains(struct annealing *chains, int round, int32_t *board, int64_t *cost)
{
    const struct problem *p = chains[0].p;
    const int cooling = round < ROUNDS - SETTLING_ROUNDS ? COOLING : SETTLING;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < CHAINS; i++)
        annealing_round(&chains[i], MOVES, cooling);
    for (int i = 0; i < CHAINS; i++)
        if (chains[i].best_cost < *cost) {
            *cost = chains[i].best_cost;
            memcpy(board, chains[i].best, (size_t)(p->columns * p->rows) * sizeof(*board));
        }
}

/* Whether all chains have found boards of the same cost: hardly any other costs less then. */
static int all_agree(const struct annealing *chains)
{
    int agree = 1;
    for (int i = 1; i < CHAINS; i++)
        agree &= chains[i].best_cost == chains[0].best_cost;
    return agree;
}

/* The most places that a round has moves for. */
static int count_places(double wrong)
{
    return wrong < MOST_PLACES ? (int)ceil(wrong) : MOST_PLACES;
}

static int loosens(double wrong, double tiles)
{
    return wrong * LOOSENED_SHARE >= tiles;
}

double anneal_seconds(double wrong, double tiles)
{
    const double places = fmin(tiles, count_places(wrong));
    return loosens(wrong, tiles) ? 3.9e-2 * places + 8e-4 * tiles : 4.2e-3 * places + 8e-5 * tiles;
}

int anneal(const struct compatibility *compatibility, const struct refine_options *options,
    double wrong, int32_t *board, int64_t *cost, struct error *error)
{
    enum { PERIOD = SPREAD_ROUNDS + ROUNDS };
    const int last = loosens(wrong, compatibility->tiles) ? TIMES * PERIOD : PERIOD;
    const struct problem p = {
        .c = compatibility, .columns = options->columns, .rows = options->rows};
    struct annealing chains[CHAINS] = {0};
    struct costs costs = {0};
    struct spread spread = {0};
    int rc = 0;
    uint64_t random = options->seed;
    *cost = board_cost(compatibility, board, p.columns, p.rows);
    if (costs_make(&p, &costs) || spread_make(&p, &costs, &spread))
        rc = error_set(error, ERROR_INPUT, "not enough memory to search");
    for (int i = 0; rc == 0 && i < CHAINS; i++) {
        const struct annealing_start start = {board, spread_places(p.columns, p.rows),
            random_bits(&random), HEAT, count_places(wrong)};
        rc = annealing_make(&p, &costs, &start, &chains[i], error);
    }
    for (int i = SPREAD_ROUNDS; rc == 0 && i < last; i++) {
        const int round = i % PERIOD;
        if (round == 0 && all_agree(chains))
            break;
        if (round == 0)
            spread_begin(&spread, chains, CHAINS);
        if (round == SPREAD_ROUNDS && i > PERIOD)
            begin_again(&p, &costs, chains);
        if (round < SPREAD_ROUNDS)
            spread_round(&spread, round, chains, CHAINS);
        else
            run_chains(chains, round - SPREAD_ROUNDS, board, cost);
        const double done = (i + 1.0 - SPREAD_ROUNDS) / (last - SPREAD_ROUNDS);
        if (options->progress && options->progress(options->context, done, *cost))
            break;
    }
    if (rc == 0 && compatibility->turns != TURNS_NONE)
        *cost -= board_turn_areas(&p, board);
    for (int i = 0; i < CHAINS; i++)
        annealing_free(&chains[i]);
    spread_free(&spread);
    costs_free(&costs);
    return rc;
}
