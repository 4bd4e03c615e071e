/* Simulated annealing: areas of tiles change places, at first also where that costs more. */
#include "stages/unscramble/anneal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "stages/unscramble/agree.h"
#include "stages/unscramble/anneal_moves.h"
#include "stages/unscramble/board.h"

/* CHAINS run side by side. They anneal TIMES times, each time for ROUNDS rounds; all times but
 * the first begin at what their best boards agree on. A round makes MOVES moves for each place that
 * is not settled, but for no more places than tiles are likely wrong, and than MOST_PLACES, which
 * bounds how long it takes. */
enum { CHAINS = 4, TIMES = 4, ROUNDS = 64, MOVES = 200, MOST_PLACES = 300 };

/* What is added to the scores of all chains but the first while parts are put together. */
static const float NOISE = 200;

/* A change that costs `heat` more is accepted half of the time. Much above HEAT even a large part
 * that is right falls apart, and below 100 nothing large moves any more. So the rounds before the
 * last SETTLING_ROUNDS are about between these, where right parts grow at the expense of others;
 * the last ones settle what is left. Heat is kept in 1 / 256, and a round multiplies it by COOLING
 * or SETTLING / 1024. */
enum { HEAT = 165, HEAT_AGAIN = 150, COOLING = 1011 };
enum { SETTLING_ROUNDS = 24, SETTLING = 922 };

/* A segment of this share of the board is settled. */
enum { SETTLED_SHARE = 8 };

/* The costs of all pairs of edges are kept in a table if that takes at most so many bytes: much
 * faster to look up than `cost_of`, as long as the caches of a processor hold most of it. */
static const size_t MAX_TABLE = (size_t)32 << 20;

/* Makes `beside`, and the table if it is not too large. Returns 0, or -1 when memory is short.
 * costs_free frees, after a failure too. */
static int costs_make(const struct problem *p, struct costs *costs)
{
    const struct compatibility *c = p->c;
    const int32_t edges = 4 * c->tiles, sides = 4 * p->columns * p->rows;
    const int shift = c->turns == TURNS_NONE ? 2 : 0;
    const size_t width = (size_t)(edges >> shift);
    *costs = (struct costs){c, NULL, shift, width, malloc((size_t)sides * sizeof(*costs->beside))};
    if (!costs->beside)
        return -1;
    for (int i = 0; i < sides; i++)
        costs->beside[i] = place_beside(p, i / 4, i % 4);
    if ((size_t)edges * width * sizeof(*costs->table) > MAX_TABLE)
        return 0;
    uint16_t *table = costs->table = malloc((size_t)edges * width * sizeof(*table));
    if (!table)
        return -1;
#pragma omp parallel for
    for (int32_t edge = 0; edge < edges; edge++)
        for (int32_t i = 0; i < (int32_t)width; i++) {
            const int32_t other = shift ? 4 * i + ((edge & 3) ^ 2) : i;
            table[(size_t)edge * width + (size_t)i] = (uint16_t)cost_of(c, edge, other);
        }
    return 0;
}

static void costs_free(struct costs *costs)
{
    free(costs->table);
    free(costs->beside);
}

/* Lists the places that are not inside of a segment that is large enough to be settled. */
static void find_active(struct annealing *s)
{
    const struct problem *p = s->p;
    const int places = p->columns * p->rows;
    s->active_count = 0;
    segments_find(p, s->board, TIE_COST, &s->segments);
    for (int i = 0; i < places; i++)
        if (s->segments.size[s->segments.number[i]] < places / SETTLED_SHARE ||
            !segment_surrounds(p, &s->segments, i))
            s->active[s->active_count++] = i;
}

static void run_moves(struct annealing *s, int cooling)
{
    find_active(s);
    for (int left = MOVES * (s->active_count < s->most_places ? s->active_count : s->most_places);
         left > 0; left--)
        annealing_move(s);
    s->heat = s->heat * cooling / 1024;
    if (s->cost < s->best_cost) {
        s->best_cost = s->cost;
        memcpy(s->best, s->board, (size_t)(s->p->columns * s->p->rows) * sizeof(*s->best));
    }
}

/* Begins at s->board. */
static void annealing_begin(struct annealing *s, int heat)
{
    const struct problem *p = s->p;
    const int places = p->columns * p->rows;
    s->cost = s->best_cost = board_cost(p->c, s->board, p->columns, p->rows);
    s->heat = heat << HEAT_BITS;
    memcpy(s->best, s->board, (size_t)places * sizeof(*s->best));
    annealing_take_board(s);
}

/* Begins at a board of the tiles that are `present`. Returns 0, or ERROR_INPUT when memory is
 * short. annealing_free frees, after a failure too. */
static int annealing_make(const struct problem *p, const struct costs *costs, const int32_t *board,
    const uint8_t *present, uint64_t seed, struct annealing *s, struct error *error)
{
    const int places = p->columns * p->rows, tiles = p->c->tiles;
    const size_t bytes = (size_t)places * sizeof(int32_t);
    *s = (struct annealing){
        .p = p,
        .costs = costs,
        .board = malloc(bytes),
        .copy = malloc(2 * bytes),
        .best = malloc(bytes),
        .place = malloc((size_t)tiles * sizeof(*s->place)),
        .joint = {malloc(bytes), malloc(bytes)},
        .active = malloc(bytes),
        .random = seed,
    };
    const int rc = fill_make(p->c, p->buddy, present, p->columns, p->rows, &s->fill, error);
    if (segments_make(places, &s->segments) || !s->board || !s->copy || !s->best || !s->place ||
        !s->joint[0] || !s->joint[1] || !s->active)
        return error_set(error, ERROR_INPUT, "not enough memory to search");
    if (rc)
        return rc;
    s->fill.random = ~seed;
    memcpy(s->board, board, bytes);
    annealing_begin(s, HEAT);
    return 0;
}

static void annealing_free(struct annealing *s)
{
    segments_free(&s->segments);
    fill_free(&s->fill);
    free(s->board);
    free(s->copy);
    free(s->best);
    free(s->place);
    free(s->joint[0]);
    free(s->joint[1]);
    free(s->active);
}

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
        run_moves(&chains[i], cooling);
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
    for (int i = 0; rc == 0 && i < CHAINS; i++)
        rc = annealing_make(&p, &costs, board, present, random_bits(&random), &chains[i], error);
    for (int i = 0; i < CHAINS; i++)
        chains[i].most_places = anneal_places(wrong);
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
