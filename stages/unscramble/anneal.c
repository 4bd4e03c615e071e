/* Simulated annealing: areas of tiles change places, at first also where that costs more. */
#include "stages/unscramble/anneal.h"

#include <math.h>
#include <string.h>

#include "random.h"
#include "stages/unscramble/anneal_loosen.h"
#include "stages/unscramble/board.h"

/* CHAINS run side by side for ROUNDS rounds. Where many tiles are wrong they do so up to TIMES
 * times, and their boards loosen in between. A round has ANNEALING_MOVES moves for each unsettled
 * place, for no more places than tiles are likely wrong, and than MOST_PLACES, which bounds how
 * long it takes. */
enum { CHAINS = 4, TIMES = 4, ROUNDS = 64, MOST_PLACES = 300 };

/* A change that costs `heat` more is accepted half of the time. Much above HEAT even a large part
 * that is right falls apart, and below 100 nothing large moves any more. So the rounds before the
 * last QUENCHING_ROUNDS run from the one to about the other, where right parts grow at the expense
 * of others; the last ones settle what is left. Heat is kept in 1 / 256, and a round multiplies it
 * by COOLING or QUENCHING / 1024. */
enum { HEAT = 165, COOLING = 1011 };
enum { QUENCHING_ROUNDS = 24, QUENCHING = 922 };

/* In boards that have loosened large parts have come to where they stay. */
enum { HEAT_AGAIN = 120 };

/* Boards loosen where at least one of so many tiles is likely wrong: there large parts may lie
 * beside their place. */
enum { LOOSENED_SHARE = 16 };

/* Runs a round of all chains, and takes over what costs less than the board. */
static void run_chains(struct annealing *chains, int round, int32_t *board, int64_t *cost)
{
    const struct problem *p = chains[0].p;
    const int cooling = round < ROUNDS - QUENCHING_ROUNDS ? COOLING : QUENCHING;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < CHAINS; i++)
        annealing_round(&chains[i], ANNEALING_MOVES, cooling);
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
static int most_places(double wrong)
{
    return wrong < MOST_PLACES ? (int)ceil(wrong) : MOST_PLACES;
}

/* Whether boards loosen. */
static int loosens(double wrong, double tiles)
{
    return wrong * LOOSENED_SHARE >= tiles;
}

double anneal_seconds(double wrong, double tiles)
{
    /* Measured on two cores of an EPYC: for each place that a round moves, and for each tile. */
    static const double once[2] = {4.2e-3, 8e-5}, loosened[2] = {3.9e-2, 8e-4};
    const double *seconds = loosens(wrong, tiles) ? loosened : once;
    return seconds[0] * fmin(tiles, most_places(wrong)) + seconds[1] * tiles;
}

/* A search: its chains, what it has found, and whom it tells of it. */
struct anneal_search {
    const struct refine_options *options;
    struct problem p;
    struct costs costs;
    struct loosening loosening;
    struct annealing chains[CHAINS];
    int32_t *board;
    int64_t *cost;
    int round, rounds; /* so far, and in all */
};

/* Tells of a round that has been run. Returns whether the search is to stop. */
static int tell_round(struct anneal_search *search)
{
    const struct refine_options *options = search->options;
    const double done = (double)++search->round / search->rounds;
    return options->progress && options->progress(options->context, done, *search->cost);
}

/* Lets the boards of all chains loosen. Returns whether the search is to stop. */
static int loosen(struct anneal_search *search)
{
    int is_stopped = 0;
    loosening_begin(&search->loosening, search->chains, CHAINS);
    for (int i = 0; i < LOOSENING_ROUNDS && !is_stopped; i++) {
        loosening_round(&search->loosening, i, search->chains, CHAINS);
        is_stopped = tell_round(search);
    }
    if (!is_stopped)
        loosening_end(&search->loosening, search->chains, CHAINS, HEAT_AGAIN);
    return is_stopped;
}

/* Runs ROUNDS rounds. Returns whether the search is to stop. */
static int anneal_once(struct anneal_search *search)
{
    int is_stopped = 0;
    for (int i = 0; i < ROUNDS && !is_stopped; i++) {
        run_chains(search->chains, i, search->board, search->cost);
        is_stopped = tell_round(search);
    }
    return is_stopped;
}

int anneal(const struct compatibility *compatibility, const struct refine_options *options,
    double wrong, int32_t *board, int64_t *cost, struct error *error)
{
    const int columns = options->columns, rows = options->rows;
    const int times = loosens(wrong, compatibility->tiles) ? TIMES : 1;
    struct anneal_search search = {.options = options,
        .p = {.c = compatibility, .columns = columns, .rows = rows},
        .board = board,
        .cost = cost,
        .rounds = times * (LOOSENING_ROUNDS + ROUNDS) - LOOSENING_ROUNDS};
    uint64_t random = options->seed;
    int rc = 0;
    *cost = board_cost(compatibility, board, columns, rows);
    if (costs_make(&search.p, &search.costs) ||
        loosening_make(&search.p, &search.costs, &search.loosening))
        rc = error_set(error, ERROR_INPUT, "not enough memory to search");
    for (int i = 0; rc == 0 && i < CHAINS; i++) {
        const struct annealing_start start = {.board = board,
            .room = loosening_places(columns, rows),
            .seed = random_bits(&random),
            .heat = HEAT,
            .most_places = most_places(wrong)};
        rc = annealing_make(&search.p, &search.costs, &start, &search.chains[i], error);
    }
    int is_stopped = rc != 0;
    for (int time = 0; time < times && !is_stopped; time++) {
        if (time > 0 && all_agree(search.chains))
            break;
        is_stopped = (time > 0 && loosen(&search)) || anneal_once(&search);
    }
    if (rc == 0 && compatibility->turns != TURNS_NONE)
        *cost -= board_turn_areas(&search.p, board);
    for (int i = 0; i < CHAINS; i++)
        annealing_free(&search.chains[i]);
    loosening_free(&search.loosening);
    costs_free(&search.costs);
    return rc;
}
