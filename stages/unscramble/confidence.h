/* How likely an answer is right: as a whole, and at each place. */
#ifndef CONFIDENCE_H
#define CONFIDENCE_H

#include "stages/unscramble/evidence.h"
#include "stages/unscramble/permutation.h"

/* What no probability exceeds unless there is nothing to choose. The coefficients come from 1000
 * puzzles, too few to tell one wrong answer in a hundred from none. */
#define MAX_PROBABLE 0.99

#define DOUBTFUL 0.5 /* below it a probability is reason for a warning */
#define SURE 0.98    /* below it few tiles are also searched as if they were turned */

/* What an answer is known by. The probabilities of each kind have coefficients of their own. */
enum answer_kind {
    ANSWER_SEARCHED, /* it was looked for, or is given */
    ANSWER_PROVEN,   /* no order costs less, and what the next best costs is known */
    ANSWER_PAGE,     /* it is of a page, and what exchanges would cost is known */
    ANSWER_KINDS
};

/* The coefficients of the evidence: a probability p has log(p / (1 - p)) = sum of coefficient *
 * evidence. Made by tests/bench/calibrate.sh (confidence_table.c). */
extern const double PLACE_COEFFICIENTS[ANSWER_KINDS][PLACE_EVIDENCE];
extern const double ANSWER_COEFFICIENTS[ANSWER_KINDS][ANSWER_EVIDENCE];

/* The probability that every place of an answer shows the right pixels (where tiles may be turned,
 * up to a turn of the whole): at most MAX_PROBABLE, less than 1/2 where another order that
 * looks different costs as little (of a page, where exchanges weigh as much as one that costs
 * nothing), and 1 for a single tile. */
double confidence_of_answer(enum answer_kind kind, const double evidence[ANSWER_EVIDENCE]);

/* confidence[places]: the probability that the place shows the right pixels, of a page less than
 * 1/2 where exchanges that change it weigh so much; never less than `whole`, that of the answer; 0
 * where there is no tile. */
void confidence_of_places(enum answer_kind kind, const float (*evidence)[PLACE_EVIDENCE],
    uint32_t places, double whole, float *confidence);

/* The places with a tile, the surest first, of equal ones the first. order[places]; *count gets
 * how many there are. Returns 0, or ERROR_INPUT when memory is short. */
int confidence_order(const struct placed *placed, const float *confidence, uint32_t places,
    uint32_t *order, uint32_t *count, struct error *error);

/* Names places with a tile whose confidence is below `bound`, counted from 0: "3, 7-9 and 12 more",
 * as far as the text has room. Where there is none, the one that is least sure. */
#define CONFIDENCE_TEXT 256
void confidence_name_doubtful(const struct placed *placed, const float *confidence, uint32_t places,
    double bound, char text[CONFIDENCE_TEXT]);

#endif
