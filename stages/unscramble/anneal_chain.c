/* Chains of annealing. */
#include "stages/unscramble/anneal_chain.h"

#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/anneal_moves.h"

/* A segment is settled if it has at least one of so many tiles. */
enum { SETTLED_SHARE = 8 };

/* What a joint with an empty place costs. Wrong neighbors that were chosen for how they fit cost as
 * much on the mean, true ones that look wrong less. */
enum { EMPTY_COST = 1350 };

/* The costs of all pairs of edges are kept in a table if that takes at most so many bytes: much
 * faster to look up than `cost_of`, as long as the caches of a processor hold most of it. */
static const size_t MAX_TABLE = (size_t)32 << 20;

void costs_find_beside(const struct problem *p, int32_t *beside)
{
    for (int i = 0; i < 4 * p->columns * p->rows; i++)
        beside[i] = place_beside(p->columns, p->rows, i / 4, i % 4);
}

int costs_make(const struct problem *p, struct costs *costs)
{
    const struct compatibility *c = p->c;
    const int32_t edges = 4 * c->tiles, sides = 4 * p->columns * p->rows;
    const int shift = c->turns == TURNS_NONE ? 2 : 0;
    const size_t width = (size_t)((edges + 4) >> shift);
    *costs = (struct costs){.c = c,
        .shift = shift,
        .width = width,
        .beside = malloc((size_t)sides * sizeof(*costs->beside)),
        .empty = edges,
        .empty_cost = EMPTY_COST};
    if (!costs->beside)
        return -1;
    costs_find_beside(p, costs->beside);
    if ((size_t)edges * width * sizeof(*costs->table) > MAX_TABLE)
        return 0;
    uint16_t *table = costs->table = malloc(((size_t)edges + 4) * width * sizeof(*table));
    if (!table)
        return -1;
#pragma omp parallel for
    for (int32_t edge = 0; edge < edges + 4; edge++)
        for (int32_t i = 0; i < (int32_t)width; i++) {
            const int32_t other = shift ? 4 * i + ((edge & 3) ^ 2) : i;
            table[(size_t)edge * width + (size_t)i] =
                (uint16_t)(edge < edges && other < edges ? cost_of(c, edge, other) : EMPTY_COST);
        }
    return 0;
}

void costs_free(struct costs *costs)
{
    free(costs->table);
    free(costs->beside);
}

/* Lists the places of tiles that are not inside of a settled segment. */
static void find_unsettled(struct annealing *s)
{
    const struct problem *p = s->p;
    const int places = p->columns * p->rows;
    int32_t *board = s->work;
    for (int i = 0; i < places; i++)
        board[i] = s->board[i] < s->costs->empty ? s->board[i] : NOTHING;
    s->unsettled_count = 0;
    segments_find(p, board, TIE_COST, &s->segments);
    for (int i = 0; i < places; i++)
        if (board[i] != NOTHING &&
            (s->segments.size[s->segments.number[i]] < s->tiles / SETTLED_SHARE ||
                !segment_surrounds(p, &s->segments, i)))
            s->unsettled[s->unsettled_count++] = i;
}

void annealing_begin(struct annealing *s, int heat)
{
    const int places = s->p->columns * s->p->rows;
    annealing_take_board(s);
    s->best_cost = s->cost;
    s->heat = heat << HEAT_BITS;
    memcpy(s->best, s->board, (size_t)places * sizeof(*s->best));
}

int annealing_make(const struct problem *p, const struct costs *costs,
    const struct annealing_start *start, struct annealing *s, struct error *error)
{
    const int tiles = p->c->tiles, places = start->room;
    const size_t bytes = (size_t)places * sizeof(int32_t);
    *s = (struct annealing){
        .p = p,
        .costs = costs,
        .board = malloc(bytes),
        .work = malloc(3 * bytes),
        .best = malloc(bytes),
        .place = malloc(((size_t)tiles + 1) * sizeof(*s->place)),
        .joint = {malloc(bytes), malloc(bytes)},
        .unsettled = malloc(bytes),
        .mark = calloc((size_t)places, sizeof(*s->mark)),
        .most_places = start->most_places,
        .random = start->seed,
    };
    if (segments_make(places, &s->segments) || !s->board || !s->work || !s->best || !s->place ||
        !s->joint[0] || !s->joint[1] || !s->unsettled || !s->mark)
        return error_set(error, ERROR_INPUT, "not enough memory to search");
    memcpy(s->board, start->board, (size_t)(p->columns * p->rows) * sizeof(*s->board));
    annealing_begin(s, start->heat);
    return 0;
}

void annealing_free(struct annealing *s)
{
    segments_free(&s->segments);
    free(s->board);
    free(s->work);
    free(s->best);
    free(s->place);
    free(s->joint[0]);
    free(s->joint[1]);
    free(s->unsettled);
    free(s->mark);
}

void annealing_round(struct annealing *s, int moves, int cooling)
{
    find_unsettled(s);
    for (int left =
             moves * (s->unsettled_count < s->most_places ? s->unsettled_count : s->most_places);
         left > 0; left--)
        annealing_move(s);
    s->heat = s->heat * cooling / 1024;
    if (s->cost < s->best_cost) {
        s->best_cost = s->cost;
        memcpy(s->best, s->board, (size_t)(s->p->columns * s->p->rows) * sizeof(*s->best));
    }
}
