/* A search for a board of less cost, step by step: empties places and refills them. */
#ifndef CHAIN_H
#define CHAIN_H

#include "stages/unscramble/fill.h"
#include "stages/unscramble/segments.h"
#include "stages/unscramble/slip.h"

struct chain {
    struct fill fill;      /* its frame is locked between steps and holds the board */
    int32_t *board, *next; /* [rows][columns] */
    struct segments segments;
    int32_t *list;           /* of the places that regrow keeps */
    int32_t *changed, *open; /* places that a step changes, and their cells in the field */
    int32_t *parent;         /* [place] groups of changes */
    int64_t *gain;           /* [place] what they save */
    int32_t *at;             /* [tile] the place of one that a change moves */
    struct blocks blocks;    /* the segments, for the fill */
    uint8_t *mark;           /* [place] is in `changed` */
    int changes;
    int64_t cost;
    uint64_t random;
};

/* Begins at a board of the given cost. Returns 0, or ERROR_INPUT when memory is short. chain_free
 * frees, after a failure too. */
int chain_make(const struct problem *p, const uint8_t *present, const int32_t *board, int64_t cost,
    uint64_t seed, struct chain *chain, struct error *error);
void chain_free(struct chain *chain);

/* One refill: empties places in one of several ways, refills them, and keeps what is no worse.
 * Returns 0, or -1 when memory is short. */
int chain_step(const struct problem *p, struct chain *chain);

/* Translates the whole board so that its worst seams, of each direction one or none of the three
 * worst, come to lie at the border; refills what that empties, and keeps what is no worse: a right
 * board may have been filled from a wrong column or row on. Returns as chain_step does. */
int chain_translate(const struct problem *p, struct chain *chain);

/* Lets areas slip (slip.h) in all directions, as long as that lowers the cost: a part of a board
 * with empty places may stand a place beside its own all along. Returns as chain_step does. */
int chain_slip(const struct problem *p, struct chain *chain, struct slip *slip);

/* Takes over from another board what does not raise the cost. */
void chain_adopt(const struct problem *p, struct chain *chain, const int32_t *board);

#endif
