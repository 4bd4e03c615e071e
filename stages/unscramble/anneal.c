/* Simulated annealing: areas of tiles change places, at first also where that costs more. */
#include "stages/unscramble/anneal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "stages/unscramble/agree.h"
#include "stages/unscramble/anneal_chain.h"
#include "stages/unscramble/board.h"

/* CHAINS run side by side, in rounds. They anneal TIMES times, the second time beginning at what
 * their best boards agree on; then CORES times around a core. A round has moves for no more places
 * than tiles are likely wrong, and than MOST_PLACES, which bounds how long it takes. */
enum { CHAINS = 4, TIMES = 2, CORES = 3, MOST_PLACES = 300 };

/* What is added to the scores of all chains but the first while parts are put together. */
static const float NOISE = 200;

/* A change that costs `heat` more is accepted half of the time. Much above HEAT even a large part
 * that is right falls apart, and below 100 nothing large moves any more. So ROUNDS rounds are about
 * between these, where right parts grow at the expense of others; SETTLING_ROUNDS more settle what
 * is left. Heat is kept in 1 / 256, and a round multiplies it by COOLING or SETTLING / 1024. */
enum { HEAT = 165, HEAT_AGAIN = 150, COOLING = 1011, ROUNDS = 40 };
enum { SETTLING = 922, SETTLING_ROUNDS = 24 };

/* What the boards of all chains agree on after HOT_ROUNDS at one heat is the core. It is held fast
 * while all else is dealt out anew and cools from MELT, where nothing lasts, to 90; in the end all
 * may move again, from a heat of RELEASE on. */
enum { HOT = 140, HOT_ROUNDS = 12 };
enum { MELT = 240, MELT_COOLING = 997, MELT_ROUNDS = 36, MELT_SETTLING_ROUNDS = 12 };
enum { RELEASE = 130, RELEASE_ROUNDS = 8, RELEASE_SETTLING_ROUNDS = 8 };

enum {
    ALL_ROUNDS = TIMES * (ROUNDS + SETTLING_ROUNDS) +
                 CORES * (HOT_ROUNDS + MELT_ROUNDS + MELT_SETTLING_ROUNDS + RELEASE_ROUNDS +
                             RELEASE_SETTLING_ROUNDS)
};

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

/* Chains at work, and what they found. */
struct work {
    struct annealing *chains;
    const struct refine_options *options;
    int round;      /* of ALL_ROUNDS */
    int32_t *board; /* the best so far, and its cost */
    int64_t *cost;
    int32_t *hot; /* [place] a board with a core, and the places of that */
    uint8_t *core;
};

/* What ends the work before its last round. */
enum { GOES_ON, IS_DONE, IS_SHORT_OF_MEMORY };

/* Runs rounds of all chains, and takes over what costs less than the board. */
static int run_rounds(struct work *w, int rounds, int cooling)
{
    const struct problem *p = w->chains[0].p;
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel for schedule(dynamic)
        for (int i = 0; i < CHAINS; i++)
            annealing_round(&w->chains[i], cooling);
        for (int i = 0; i < CHAINS; i++)
            if (w->chains[i].best_cost < *w->cost) {
                *w->cost = w->chains[i].best_cost;
                memcpy(w->board, w->chains[i].best,
                    (size_t)(p->columns * p->rows) * sizeof(*w->board));
            }
        const double done = (double)++w->round / ALL_ROUNDS;
        const struct refine_options *o = w->options;
        if (o->progress && o->progress(o->context, done, *w->cost))
            return IS_DONE;
    }
    return GOES_ON;
}

/* Finds the core, and anneals all else around it. */
static int anneal_around_core(struct work *w)
{
    struct annealing *const chains = w->chains;
    const int places = chains[0].p->columns * chains[0].p->rows;
    const size_t bytes = (size_t)places * sizeof(*w->board);
    const int32_t *boards[CHAINS];
    for (int i = 0; i < CHAINS; i++) {
        boards[i] = memcpy(chains[i].board, w->board, bytes);
        annealing_begin(&chains[i], HOT);
    }
    int ended = run_rounds(w, HOT_ROUNDS, 1024);
    if (ended)
        return ended;
    const int core = boards_core(chains[0].p, boards, CHAINS, w->core);
    if (core < 0 || core == places)
        return core < 0 ? IS_SHORT_OF_MEMORY : IS_DONE;
    memcpy(w->hot, boards[0], bytes);
    for (int i = 0; i < CHAINS; i++)
        annealing_melt(&chains[i], w->hot, w->core, i == 0, MELT);
    ended = run_rounds(w, MELT_ROUNDS, MELT_COOLING);
    if (!ended)
        ended = run_rounds(w, MELT_SETTLING_ROUNDS, SETTLING);
    for (int i = 0; i < CHAINS; i++) {
        chains[i].has_fixed = 0;
        memcpy(chains[i].board, chains[i].best, bytes);
        annealing_begin(&chains[i], RELEASE);
    }
    if (!ended)
        ended = run_rounds(w, RELEASE_ROUNDS, COOLING);
    return ended ? ended : run_rounds(w, RELEASE_SETTLING_ROUNDS, SETTLING);
}

static int anneal_whole(struct work *w)
{
    const int ended = run_rounds(w, ROUNDS, COOLING);
    return ended ? ended : run_rounds(w, SETTLING_ROUNDS, SETTLING);
}

/* The whole search, of chains that are made. */
static int run_work(struct work *w)
{
    int ended = anneal_whole(w);
    for (int i = 1; i < TIMES && !ended; i++)
        ended = begin_again(w->chains) ? IS_SHORT_OF_MEMORY : anneal_whole(w);
    for (int i = 0; i < CORES && !ended; i++)
        ended = anneal_around_core(w);
    return ended;
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
    struct work work = {.chains = chains,
        .options = options,
        .board = board,
        .cost = cost,
        .hot = malloc((size_t)places * sizeof(*work.hot)),
        .core = malloc((size_t)places)};
    struct costs costs = {0};
    int rc = 0;
    uint64_t random = options->seed;
    *cost = board_cost(compatibility, board, p.columns, p.rows);
    if (!buddy || !present || !work.hot || !work.core || costs_make(&p, &costs))
        rc = error_set(error, ERROR_INPUT, "not enough memory to search");
    if (rc == 0) {
        buddies_find(compatibility, buddy);
        for (int i = 0; i < places; i++)
            present[board[i] >> 2] = 1;
    }
    for (int i = 0; rc == 0 && i < CHAINS; i++) {
        const struct start start = {
            board, present, random_bits(&random), HEAT, anneal_places(wrong)};
        rc = annealing_make(&p, &costs, &start, &chains[i], error);
    }
    if (rc == 0 && run_work(&work) == IS_SHORT_OF_MEMORY)
        rc = error_set(error, ERROR_INPUT, "not enough memory to search");
    if (rc == 0 && compatibility->turns != TURNS_NONE)
        *cost -= board_turn_areas(&p, board);
    for (int i = 0; i < CHAINS; i++)
        annealing_free(&chains[i]);
    costs_free(&costs);
    free(work.hot);
    free(work.core);
    free(present);
    free(buddy);
    return rc;
}
