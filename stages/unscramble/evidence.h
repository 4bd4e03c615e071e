/* What speaks for an answer and against it, as numbers that probabilities are made of. */
#ifndef EVIDENCE_H
#define EVIDENCE_H

#include "stages/unscramble/compatibility.h"
#include "stages/unscramble/permutation.h"
#include "stages/unscramble/tiling.h"

/* Two edges of tiles that look alike are one as far as evidence goes. A joint is two edges that
 * touch. Its margin is by how much it is cheaper than the best other partner of either edge; it
 * is mutual where that is above 0, a first choice of both. Edges that are each other's first choice
 * and do not touch are unmet. A part is what mutual joints connect, a block what squares of four
 * mutual joints connect. The margin of a place is by how much its tile is cheaper there than any
 * other partner of its neighbors, divided by its joints. Shares are of all tiles. */
enum place_evidence {
    PLACE_ONE,        /* 1, or 0 where there is no tile; then the others are 0 too */
    PLACE_MUTUAL,     /* mutual joints, quarters */
    PLACE_OTHER,      /* other joints, quarters */
    PLACE_FOR,        /* the sum of the margins of mutual joints, quarters of FAR_COST */
    PLACE_AGAINST,    /* the same of the others: at most 0 */
    PLACE_MARGIN,     /* of the place, in FAR_COST */
    PLACE_UNMET,      /* edges that are unmet, quarters */
    PLACE_UNMET_BY,   /* the sum of the margins that they would have, quarters of FAR_COST */
    PLACE_SQUARES,    /* squares of four mutual joints around it, quarters */
    PLACE_PART,       /* the logarithm of the share of its part */
    PLACE_BLOCK,      /* the logarithm of the share of its block */
    PLACE_IS_MAIN,    /* 1 in the largest block */
    PLACE_ALL_MUTUAL, /* of all joints the share that is mutual */
    PLACE_ALL_BLOCK,  /* the logarithm of the share of the largest block */
    PLACE_TILES,      /* the logarithm of their number */
    PLACE_EMPTY,      /* of all places the share that is empty */
    PLACE_LEAD,       /* ANSWER_LEAD */
    PLACE_RATIO,      /* ANSWER_RATIO */
    PLACE_EXCHANGES,  /* ANSWER_EXCHANGES, of those that change what the place shows */
    PLACE_EVIDENCE
};

/* Counts n are given as log(1 + n). */
enum answer_evidence {
    ANSWER_ONE,
    ANSWER_TILES,     /* the logarithm of their number */
    ANSWER_MUTUAL,    /* of all joints the share that is mutual */
    ANSWER_OTHER,     /* joints that are not mutual */
    ANSWER_PARTED,    /* tiles outside the largest part */
    ANSWER_LOOSE,     /* tiles outside the largest block */
    ANSWER_UNMET,     /* edges that are unmet */
    ANSWER_UNMET_BY,  /* ten times the margins that they would have, in FAR_COST */
    ANSWER_AGAINST,   /* ten times the margins of joints that are not mutual, in FAR_COST */
    ANSWER_LEAST,     /* the least margin of a place, in FAR_COST */
    ANSWER_BETTER,    /* places with a margin of 0 or less */
    ANSWER_MARGIN,    /* the mean margin of the places, in FAR_COST */
    ANSWER_COST,      /* the mean cost of a joint, in TIE_COST */
    ANSWER_EMPTY,     /* empty places */
    ANSWER_LEAD,      /* by how much the next best order costs more, in TIE_COST, at most 3 */
    ANSWER_RATIO,     /* the logarithm of the margin to the next best order, at most 3 */
    ANSWER_EXCHANGES, /* of a page: the logarithm of the weights of other orders (exchange.h) */
    ANSWER_EVIDENCE
};

/* An answer: one board, and what the search knows of the next best one. */
struct evidence_board {
    const struct compatibility *compatibility;
    const int32_t *alike; /* [edge] as alike_find makes it */
    const int32_t *board; /* [rows][columns] of oriented tiles, NOTHING at empty places */
    int columns, rows;
    double lead, ratio; /* ANSWER_LEAD and ANSWER_RATIO; zeros where no next best order is known */
    int64_t *exchanges; /* [place] the weights of exchanges that change it; NULL: no page */
    int64_t all_exchanges; /* the weight of all of them */
};

/* alike[edge], for 4 edges of each tile: the same number for edges on the same side of tiles whose
 * inner pixels are the same, and for all edges of tiles that are all of one and the same color.
 * Tiles are compared by 64 bits of their pixels. Returns how many tiles look like an earlier one;
 * or -1 where memory is short. */
int alike_find(const struct tiling *tiling, int32_t *alike);

/* place[rows x columns] and `answer` get the evidence. Time and memory are linear in the number of
 * places. Returns 0, or ERROR_INPUT when memory is short. */
int evidence_gather(const struct evidence_board *board, float (*place)[PLACE_EVIDENCE],
    double answer[ANSWER_EVIDENCE], struct error *error);

/* is_apart[place] gets 1 for the tiles outside the largest group of tiles that touch, and 0 for all
 * else: with empty places around them, nothing tells where they belong.
 * Leaves in *count how many there are. Returns 0, or ERROR_INPUT when memory is short. */
int evidence_find_apart(
    const struct evidence_board *board, uint8_t *is_apart, int *count, struct error *error);

/* Whether the first or the last line of an axis has no tile, so that all tiles could lie a line
 * further on as well. */
int evidence_may_slide(const struct evidence_board *board, int axis);

/* How much more the last column and the first of an answer would cost beside each other, as the
 * mean of their pairs, than the two columns that do lie so and cost most; with axis Y the same of
 * rows. Nothing tells with which column an image begins where that is about 0. FAR_COST where
 * there are no two columns. */
double evidence_of_border(const struct evidence_board *board, int axis);

#endif
