/* Refines boards: chains that search side by side and meet, and regions of the largest boards. */
#include "stages/unscramble/refine.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/board.h"
#include "stages/unscramble/regions.h"

/* Boards of MANY_FROM to LARGE_PLACES places, none of them empty, have many chains that each do a
 * smaller share: what these find mostly lies apart, so that all of it is kept when they meet. Each
 * has one part in SHARE of the refills: a little less work in all, since a refill takes a little
 * longer there. */
enum { MANY_FROM = 2000, CHAINS = 4, MANY_CHAINS = 14, SHARE = 4 };

/* Beyond LARGE_PLACES the chains' meetings, which one thread holds, and translations would take
 * longer than the rest, and a refill that goes over the whole board finds little for its time. So
 * four chains do one part in SHARE of the refills, and after each REGIONS_ROUND of these the
 * regions of the board are refilled REGIONS_STEPS times each. */
enum { REGIONS_ROUND = 2, REGIONS_STEPS = 256 };

/* As many refills as are worth their time; with more tiles, each takes longer. */
static int usual_effort(int tiles)
{
    const int most = tiles < 4000 ? 1000 : 100, all = tiles < 4000 ? 400000 : 2000000;
    const int effort = all / tiles < most ? all / tiles : most;
    return effort > 0 ? effort : 1; /* 0 would be without end */
}

/* Lets all chains search until they meet. Returns 0, or -1 when memory is short. */
static int search_chains(
    const struct problem *p, struct chain *chains, int count, int steps, double end)
{
    int failed = 0;
#pragma omp parallel for schedule(dynamic) reduction(| : failed)
    for (int i = 0; i < count; i++)
        for (int k = 0; k < steps && !(end > 0 && omp_get_wtime() > end); k++)
            failed |= chain_step(p, &chains[i]) != 0;
    return failed ? -1 : 0;
}

/* The first chain takes over what the others found; if they share a board all go on from there. */
static void meet(const struct problem *p, struct chain *chains, int count, int share_board)
{
    for (int i = 1; i < count; i++)
        chain_adopt(p, chains, chains[i].board);
#pragma omp parallel for schedule(dynamic)
    for (int i = 1; i < count; i++)
        if (share_board)
            chain_adopt(p, &chains[i], chains[0].board);
}

static const struct chain *find_best(const struct chain *chains, int count)
{
    const struct chain *best = chains;
    for (int i = 1; i < count; i++)
        if (chains[i].cost < best->cost)
            best = &chains[i];
    return best;
}

/* Whether there is a tile for each place. */
static int is_full_board(const struct refine_options *o, int tiles, const uint8_t *present)
{
    int found = 0;
    for (int tile = 0; tile < tiles; tile++)
        found += !present || present[tile];
    return found >= o->columns * o->rows;
}

/* How a board is searched. */
struct plan {
    int chains;
    int effort;      /* refills of each chain; 0: until the time is up */
    int round;       /* refills until the chains meet */
    int share_board; /* the chains, when they meet */
    int has_regions;
};

static struct plan make_plan(
    const struct refine_options *o, const struct compatibility *c, const uint8_t *present)
{
    const int places = o->columns * o->rows;
    const int has_many = places >= MANY_FROM && is_full_board(o, c->tiles, present);
    struct plan plan = {.chains = o->chains,
        .effort = o->effort || o->seconds > 0 ? o->effort : usual_effort(c->tiles),
        .round = places < 4000     ? 64
                 : places < 256000 ? 256000 / places
                                   : 1,
        .share_board = has_many && places <= LARGE_PLACES,
        .has_regions = has_many && places > LARGE_PLACES};
    if (!o->chains) {
        plan.chains = plan.share_board ? MANY_CHAINS : CHAINS;
        if (has_many)
            plan.effort = plan.effort / SHARE + (plan.effort % SHARE > 0);
        if (plan.share_board)
            plan.round = plan.round > SHARE ? plan.round / SHARE : 1;
    }
    if (plan.has_regions)
        plan.round = REGIONS_ROUND;
    return plan;
}

/* A search at work. */
struct search {
    struct problem p;
    struct plan plan;
    struct run *run; /* whose ranks share the regions */
    struct chain *chains;
    struct slip *slip; /* for the first chain; NULL: boards do not slip */
    uint64_t random;   /* of the regions */
    double end;        /* when the time is up; 0: never */
};

/* Lets the regions of a board go on from the best chain's, and the chains take over what they find.
 * `board` is room for one. Returns as regions_refine does. */
static int search_regions(struct search *s, int32_t *board)
{
    const size_t size = (size_t)s->p.columns * (size_t)s->p.rows * sizeof(*board);
    memcpy(board, find_best(s->chains, s->plan.chains)->board, size);
    const int rc =
        regions_refine(s->run, &s->p, REGIONS_STEPS, random_bits(&s->random), s->end, board);
    if (rc)
        return rc;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < s->plan.chains; i++)
        chain_adopt(&s->p, &s->chains[i], board);
    return 0;
}

/* One round, after `done` refills of each chain. Leaves the best board and its cost. */
static int search_round(
    struct search *s, int done, int32_t *board, int64_t *cost, struct error *error)
{
    const int places = s->p.columns * s->p.rows, round = s->plan.round;
    const int left = s->plan.effort - done, is_last = s->plan.effort && left < round;
    /* After the first round, the second, the fourth and so on. */
    const int meetings = done / round;
    const int translates = places <= LARGE_PLACES && meetings && !(meetings & (meetings - 1));
    if ((s->slip && chain_slip(&s->p, &s->chains[0], s->slip)) ||
        (translates && chain_translate(&s->p, &s->chains[0])) ||
        search_chains(&s->p, s->chains, s->plan.chains, is_last ? left : round, s->end))
        return error_set(error, ERROR_INPUT, "not enough memory to search");
    meet(&s->p, s->chains, s->plan.chains, s->plan.share_board);
    const int rc = s->plan.has_regions ? search_regions(s, board) : 0;
    if (rc) {
        *error = s->run->error;
        return rc;
    }
    const struct chain *best = find_best(s->chains, s->plan.chains);
    *cost = best->cost;
    memcpy(board, best->board, (size_t)places * sizeof(*board));
    return 0;
}

int refine(const struct compatibility *compatibility, const int32_t *buddy, const uint8_t *present,
    const struct refine_options *o, int32_t *board, int64_t *cost, struct error *error)
{
    const double begin = omp_get_wtime();
    struct run alone = {0};
    struct search s = {.p = {compatibility, buddy, o->columns, o->rows, NULL},
        .plan = make_plan(o, compatibility, present),
        .run = o->run ? o->run : &alone,
        .random = o->seed,
        .end = o->seconds > 0 ? begin + o->seconds : 0};
    const struct plan *plan = &s.plan;
    s.chains = calloc((size_t)plan->chains, sizeof(*s.chains));
    const int slips = o->columns <= SLIP_LENGTH && o->rows <= SLIP_LENGTH &&
                      !is_full_board(o, compatibility->tiles, present);
    s.slip = slips ? slip_make(o->columns, o->rows) : NULL;
    int rc = s.chains && (s.slip || !slips)
                 ? 0
                 : error_set(error, ERROR_INPUT, "not enough memory to search");
    *cost = board_cost(compatibility, board, o->columns, o->rows);
    for (int i = 0; rc == 0 && i < plan->chains; i++)
        rc = chain_make(&s.p, present, board, *cost, o->seed + (uint64_t)i * 0x632be59bd9b4e019,
            &s.chains[i], error);
    for (int done = 0; rc == 0 && (!plan->effort || done < plan->effort); done += plan->round) {
        rc = search_round(&s, done, board, cost, error);
        const double spent = omp_get_wtime() - begin;
        const double by_time = o->seconds > 0 ? spent / o->seconds : 0;
        const double by_effort = plan->effort ? (double)(done + plan->round) / plan->effort : 0;
        if (rc || (o->seconds > 0 && spent >= o->seconds))
            break;
        if (o->progress && o->progress(o->context, fmax(by_time, by_effort), *cost))
            break;
    }
    if (rc == 0 && compatibility->turns != TURNS_NONE && o->columns * o->rows <= LARGE_PLACES)
        *cost -= board_turn_areas(&s.p, board);
    for (int i = 0; s.chains && i < plan->chains; i++)
        chain_free(&s.chains[i]);
    free(s.chains);
    slip_free(s.slip);
    return rc;
}
