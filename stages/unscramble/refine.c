/* Refines boards: chains that search side by side and meet, and regions of the largest boards. */
#include "stages/unscramble/refine.h"

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
    return all / tiles < most ? all / tiles : most;
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

/* Lets the regions of a board go on from the best chain's, and the chains take over what they find.
 * Returns as regions_refine does. */
static int search_regions(struct run *run, const struct problem *p, struct chain *chains, int count,
    uint64_t seed, double end, int32_t *board)
{
    const size_t size = (size_t)p->columns * (size_t)p->rows * sizeof(*board);
    memcpy(board, find_best(chains, count)->board, size);
    const int rc = regions_refine(run, p, REGIONS_STEPS, seed, end, board);
    if (rc)
        return rc;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < count; i++)
        chain_adopt(p, &chains[i], board);
    return 0;
}

/* Whether there is a tile for each place. */
static int is_full_board(const struct refine_options *o, int tiles, const uint8_t *present)
{
    int found = 0;
    for (int tile = 0; tile < tiles; tile++)
        found += !present || present[tile];
    return found >= o->columns * o->rows;
}

int refine(const struct compatibility *compatibility, const int32_t *buddy, const uint8_t *present,
    const struct refine_options *options, int32_t *board, int64_t *cost, struct error *error)
{
    struct refine_options o = *options;
    const int places = o.columns * o.rows;
    const int has_many = places >= MANY_FROM && is_full_board(&o, compatibility->tiles, present);
    const int has_regions = has_many && places > LARGE_PLACES,
              has_many_chains = has_many && !has_regions;
    int round = places < 4000 ? 64 : places < 256000 ? 256000 / places : 1;
    int effort = o.effort || o.seconds > 0 ? o.effort : usual_effort(compatibility->tiles);
    if (!o.chains) {
        o.chains = has_many_chains ? MANY_CHAINS : CHAINS;
        if (has_many)
            effort = effort / SHARE + (effort % SHARE > 0);
        if (has_many_chains)
            round = round > SHARE ? round / SHARE : 1;
    }
    if (has_regions)
        round = REGIONS_ROUND;
    struct chain *chains = calloc((size_t)o.chains, sizeof(*chains));
    int rc = chains ? 0 : error_set(error, ERROR_INPUT, "not enough memory to search");
    *cost = board_cost(compatibility, board, o.columns, o.rows);
    const struct problem p = {compatibility, buddy, o.columns, o.rows, NULL};
    struct run alone = {0}, *run = o.run ? o.run : &alone;
    uint64_t random = o.seed;
    for (int i = 0; rc == 0 && i < o.chains; i++)
        rc = chain_make(&p, present, board, *cost, o.seed + (uint64_t)i * 0x632be59bd9b4e019,
            &chains[i], error);
    const double begin = omp_get_wtime(), end = o.seconds > 0 ? begin + o.seconds : 0;
    for (int done = 0; rc == 0 && (!effort || done < effort); done += round) {
        const int steps = effort && effort - done < round ? effort - done : round;
        /* After the first round, the second, the fourth and so on. */
        const int meetings = done / round;
        const int translates = places <= LARGE_PLACES && meetings && !(meetings & (meetings - 1));
        if ((translates && chain_translate(&p, &chains[0])) ||
            search_chains(&p, chains, o.chains, steps, end))
            rc = error_set(error, ERROR_INPUT, "not enough memory to search");
        if (rc == 0)
            meet(&p, chains, o.chains, has_many_chains);
        if (rc == 0 && has_regions) {
            rc = search_regions(run, &p, chains, o.chains, random_bits(&random), end, board);
            if (rc)
                *error = run->error;
        }
        const struct chain *best = find_best(chains, o.chains);
        *cost = best->cost;
        memcpy(board, best->board, (size_t)places * sizeof(*board));
        const double spent = omp_get_wtime() - begin;
        const double by_time = o.seconds > 0 ? spent / o.seconds : 0;
        const double by_effort = effort ? (double)(done + round) / effort : 0;
        if (o.seconds > 0 && spent >= o.seconds)
            break;
        if (o.progress && o.progress(o.context, by_time > by_effort ? by_time : by_effort, *cost))
            break;
    }
    if (rc == 0 && compatibility->turns != TURNS_NONE && places <= LARGE_PLACES)
        *cost -= board_turn_areas(&p, board);
    for (int i = 0; chains && i < o.chains; i++)
        chain_free(&chains[i]);
    free(chains);
    return rc;
}
