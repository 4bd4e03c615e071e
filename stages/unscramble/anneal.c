/* Simulated annealing: areas of tiles change places, at first also where that costs more. */
#include "stages/unscramble/anneal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "stages/unscramble/agree.h"
#include "stages/unscramble/anneal_chain.h"
#include "stages/unscramble/board.h"

/* CHAINS run side by side. They anneal TIMES times, each time for ROUNDS rounds; all times but
 * the first begin at what their best boards agree on. A round has moves for no more places than
 * tiles are likely wrong, and than MOST_PLACES, which bounds how long it takes. */
enum { CHAINS = 4, TIMES = 4, ROUNDS = 64, MOST_PLACES = 300 };

/* What is added to the scores of all chains but the first while parts are put together. */
static const float NOISE = 200;

/* A change that costs `heat` more is accepted half of the time. Much above HEAT even a large part
 * that is right falls apart, and below 100 nothing large moves any more. So the rounds before the
 * last SETTLING_ROUNDS are about between these, where right parts grow at the expense of others;
 * the last ones settle what is left. Heat is kept in 1 / 256, and a round multiplies it by COOLING
 * or SETTLING / 1024. */
enum { HEAT = 165, HEAT_AGAIN = 150, COOLING = 1011 };
enum { SETTLING_ROUNDS = 24, SETTLING = 922 };

/* Lets all chains begin anew at what their best boards agree on. Returns 0, or -1 when memory is
 * short. */
static int begin_again(struct annealing *chains)
{
    const int32_t *boards[CHAINS];
    int best = 0, failed = 0;
    for (int i = 0; i < CHAINS; i++) {
        boards[i] = chains[i].best;
        if (chains[i].best_cost < chains[best].best_cost)
            best = i;
    }
    boards[best] = chains[0].best;
    boards[0] = chains[best].best;
#pragma omp parallel for schedule(dynamic) reduction(| : failed)
    for (int i = 0; i < CHAINS; i++) {
        struct annealing *s = &chains[i];
        s->fill.noise = i ? NOISE : 0;
        failed |= boards_agree(s->p, boards, CHAINS, &s->fill, s->board) != 0;
    }
    for (int i = 0; !failed && i < CHAINS; i++)
        annealing_begin(&chains[i], HEAT_AGAIN);
    return failed ? -1 : 0;
}

/* Runs a round of all chains, and takes over what costs less than the board. */
static void run_chains(struct annealing *chains, int round, int32_t *board, int64_t *cost)
{
    const struct problem *p = chains[0].p;
    const int cooling = round % ROUNDS < ROUNDS - SETTLING_ROUNDS ? COOLING : SETTLING;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < CHAINS; i++)
        annealing_round(&chains[i], cooling);
    for (int i = 0; i < CHAINS; i++)
        if (chains[i].best_cost < *cost) {
            *cost = chains[i].best_cost;
            memcpy(board, chains[i].best, (size_t)(p->columns * p->rows) * sizeof(*board));
        }
}

int anneal_places(double wrong)
{
    return wrong < MOST_PLACES ? (int)ceil(wrong) : MOST_PLACES;
}

int anneal(const struct compatibility *compatibility, const struct refine_options *options,
    double wrong, int32_t *board, int64_t *cost, struct error *error)
{
    const int places = options->columns * options->rows, tiles = compatibility->tiles;
    int32_t *buddy = malloc((size_t)tiles * 4 * sizeof(*buddy));
    uint8_t *present = calloc((size_t)tiles, 1);
    const struct problem p = {
        .c = compatibility, .buddy = buddy, .columns = options->columns, .rows = options->rows};
    struct annealing chains[CHAINS] = {0};
    struct costs costs = {0};
    int rc = 0;
    uint64_t random = options->seed;
    *cost = board_cost(compatibility, board, p.columns, p.rows);
    if (!buddy || !present || costs_make(&p, &costs))
        rc = error_set(error, ERROR_INPUT, "not enough memory to search");
    if (rc == 0) {
        buddies_find(compatibility, buddy);
        for (int i = 0; i < places; i++)
            present[board[i] >> 2] = 1;
    }
    for (int i = 0; rc == 0 && i < CHAINS; i++) {
        const struct annealing_start start = {
            board, present, random_bits(&random), HEAT, anneal_places(wrong)};
        rc = annealing_make(&p, &costs, &start, &chains[i], error);
    }
    for (int round = 0; rc == 0 && round < TIMES * ROUNDS; round++) {
        if (round > 0 && round % ROUNDS == 0 && begin_again(chains))
            rc = error_set(error, ERROR_INPUT, "not enough memory to search");
        if (rc)
            break;
        run_chains(chains, round, board, cost);
        const double done = (round + 1.0) / (TIMES * ROUNDS);
        if (options->progress && options->progress(options->context, done, *cost))
            break;
    }
    if (rc == 0 && compatibility->turns != TURNS_NONE)
        *cost -= board_turn_areas(&p, board);
    for (int i = 0; i < CHAINS; i++)
        annealing_free(&chains[i]);
    costs_free(&costs);
    free(present);
    free(buddy);
    return rc;
}
